/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/accurate.h"
#include "shape/hull/hull.h"
#include "shape/kernels.h"

abut_aabb abut_hull_bounds(const abut_hull *hull, abut_vec3 position, abut_quat rotation, float radius) {
    double m[3][3], least[3], greatest[3];
    abut_quat q = abut_accurate_quat_in_range(abut_quat_or_identity(rotation));
    abut_accurate_matrix(abut_dquat_from(q), m);
    abut_shape_kernels_active()->hull_extents(hull, m[0], least, greatest);
    /* The entries are good to 2^-51 of themselves; three products and two sums round. */
    double error = abut_quat_is_quarter_turn(q) ? 0 : 0x1p-49 * hull->radius;
    const float *origin = &position.x;
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        double size = fabs(m[i][0]) + fabs(m[i][1]) + fabs(m[i][2]);
        abut_dd below = abut_dd_two_sum(least[i], -(double)radius), above = abut_dd_two_sum(greatest[i], radius);
        low[i] = abut_accurate_lower_end(origin[i], below.hi, error * size + fabs(below.lo));
        high[i] = 0.0f - abut_accurate_lower_end(-origin[i], -above.hi, error * size + fabs(above.lo));
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static bool is_valid(const abut_hull *hull, const abut_pose *pose) {
    return hull && pose && abut_vec3_finite(pose->position) && abut_quat_finite(pose->rotation);
}

static abut_aabb invalid(void) {
    return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
}

abut_aabb abut_hull_bounds_tight(const abut_hull *hull, const abut_pose *pose) {
    return is_valid(hull, pose) ? abut_hull_bounds(hull, pose->position, pose->rotation, 0) : invalid();
}

/* The centre and half extent of the box along one axis of the world, without the position. `row` is the axis' row of
 * the pose's matrix. Returns the sum of the magnitudes, for the error. */
static double box_extent(const abut_obb *box, double local[3][3], const double row[3], double *center, double *size) {
    const double c[3] = {box->center.x, box->center.y, box->center.z}, h[3] = {box->half.x, box->half.y, box->half.z};
    double magnitude = 0;
    *center = *size = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            sum += row[j] * local[j][k];
            magnitude += fabs(row[j] * local[j][k]) * h[k];
        }
        *size += fabs(sum) * h[k];
        *center += row[k] * c[k];
        magnitude += fabs(row[k] * c[k]);
    }
    return magnitude;
}

abut_aabb abut_hull_bounds_fast(const abut_hull *hull, const abut_pose *pose) {
    if (!is_valid(hull, pose)) {
        return invalid();
    }
    double m[3][3], local[3][3];
    float low[3], high[3];
    const abut_obb *box = &hull->obb;
    const float *origin = &pose->position.x;
    abut_quat q = abut_accurate_quat_in_range(abut_quat_or_identity(pose->rotation));
    abut_accurate_matrix(abut_dquat_from(q), m);
    abut_accurate_matrix(abut_dquat_from(box->rotation), local);
    bool exact = abut_quat_is_quarter_turn(q) && abut_quat_is_quarter_turn(box->rotation);
    for (int i = 0; i < 3; i++) {
        double center, size, error = box_extent(box, local, m[i], &center, &size) * (exact ? 0 : 0x1p-48);
        abut_dd least = abut_dd_two_sum(center, -size), greatest = abut_dd_two_sum(center, size);
        low[i] = abut_accurate_lower_end(origin[i], least.hi, error + fabs(least.lo));
        high[i] = 0.0f - abut_accurate_lower_end(-origin[i], -greatest.hi, error + fabs(greatest.lo));
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}
