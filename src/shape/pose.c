/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "shape/angle.h"
#include "shape/hull/orient.h"
#include <abut/pose.h>

static const float MOST_RADIANS = 0x1p40f;
static const abut_quat NO_ROTATION = {NAN, NAN, NAN, NAN};

abut_quat abut_quat_from_axis_angle(abut_vec3 axis, float radians) {
    abut_d3 unit = abut_d3_from(axis);
    if (!abut_vec3_finite(axis) || !(fabsf(radians) <= MOST_RADIANS) || !(abut_d3_normalise_scaled(&unit) > 0)) {
        return NO_ROTATION;
    }
    const abut_angle half = abut_angle_of_radians((double)radians / 2);
    return (abut_quat){(float)(half.sine * unit.x[0]) + 0.0f, (float)(half.sine * unit.x[1]) + 0.0f,
                       (float)(half.sine * unit.x[2]) + 0.0f, (float)half.cosine + 0.0f};
}

abut_quat abut_quat_from_matrix(const float matrix[16]) {
    abut_vec3 column[3];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            if (!matrix || !abut_bits_finite(matrix[4 * j + i])) {
                return NO_ROTATION;
            }
            (&column[j].x)[i] = matrix[4 * j + i];
        }
    }
    const abut_orient_plane plane = abut_orient_plane_of((abut_vec3){0, 0, 0}, column[0], column[1]);
    double determinant;
    if (abut_orient_side(&plane, column[2], &determinant) <= 0) {
        return NO_ROTATION;
    }
    abut_d3 axis[3] = {abut_d3_from(column[0]), {{0}}, abut_d3_load(plane.n)};
    (void)abut_d3_normalise_scaled(&axis[2]); /* neither is 0: nor is the product */
    (void)abut_d3_normalise_scaled(&axis[0]);
    axis[1] = abut_d3_cross(axis[2], axis[0]);
    return abut_quat_of_axes(axis);
}

void abut_pose_to_matrix(const abut_pose *pose, float matrix[16]) {
    if (!pose || !matrix) {
        return;
    }
    double rotation[3][3];
    abut_dquat_matrix(abut_dquat_from(abut_quat_or_identity(pose->rotation)), rotation);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            matrix[4 * j + i] = (float)rotation[i][j] + 0.0f;
        }
        matrix[12 + j] = (&pose->position.x)[j];
        matrix[4 * j + 3] = 0;
    }
    matrix[15] = 1;
}
