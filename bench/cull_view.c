/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "cull_view.h"
#include "bench.h"
#include <math.h>
#include <string.h>

static double dot(const double u[3], const double v[3]) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void normalise(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; ++i) {
        v[i] /= length;
    }
}

static void cross(const double u[3], const double v[3], double out[3]) {
    for (int i = 0; i < 3; ++i) {
        out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
    }
}

void cull_camera_matrix(const cull_camera *c, float matrix[16]) {
    const double eye[3] = {(double)c->eye.x, (double)c->eye.y, (double)c->eye.z}, y[3] = {0.0, 1.0, 0.0};
    double d[3] = {(double)c->direction.x, (double)c->direction.y, (double)c->direction.z}, right[3], up[3];
    double near = (double)c->near_distance, far = (double)c->far_distance;
    normalise(d);
    cross(d, y, right);
    normalise(right);
    cross(right, d, up);
    const double *rows[4] = {right, up, d, d};
    const double scale[4] = {1.0 / (double)c->half_width, 1.0 / (double)c->half_height, (far + near) / (far - near),
                             1.0};
    for (int row = 0; row < 4; ++row) {
        for (int i = 0; i < 3; ++i) {
            matrix[4 * i + row] = (float)(scale[row] * rows[row][i]);
        }
        double offset = row == 2 ? 2.0 * far * near / (far - near) : 0.0;
        matrix[12 + row] = (float)(-scale[row] * dot(rows[row], eye) - offset);
    }
}

static void read_planes(double row[4][4], cull_view *view) {
    for (int k = 0; k < 6; ++k) {
        double plane[4], sign = k % 2 == 0 ? 1.0 : -1.0;
        for (int i = 0; i < 4; ++i) {
            plane[i] = row[3][i] + sign * row[k / 2][i];
        }
        double length = sqrt(dot(plane, plane));
        for (int i = 0; i < 4; ++i) {
            view->plane[k][i] = (float)(plane[i] / length);
        }
    }
}

/* Rows 0, 1 and 3 are the eye's own axes, each times a factor. Row 2 is a t + b at distance t from the eye. */
static void read_camera(double row[4][4], cull_view *view) {
    static const int of_axis[3] = {0, 1, 3};
    double length[3], eye[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        const double *r = row[of_axis[k]];
        length[k] = sqrt(dot(r, r));
        for (int i = 0; i < 3; ++i) {
            view->axis[k][i] = (float)((k == 0 ? -1.0 : 1.0) * r[i] / length[k]);
            eye[i] -= r[i] * r[3] / (length[k] * length[k]);
        }
    }
    double a = dot(row[2], row[3]) / (length[2] * length[2]), b = dot(row[2], eye) + row[2][3];
    double near = -b / (1.0 + a);
    for (int i = 0; i < 3; ++i) {
        view->eye[i] = (float)eye[i];
    }
    view->half[0] = (float)(near * length[2] / length[0]);
    view->half[1] = (float)(near * length[2] / length[1]);
    view->near_distance = (float)near;
    view->ratio = (float)((a + 1.0) / (a - 1.0));
}

cull_view cull_view_of_matrix(const float matrix[16]) {
    cull_view view;
    double row[4][4];
    for (int i = 0; i < 16; ++i) {
        row[i % 4][i / 4] = (double)matrix[i];
    }
    read_planes(row, &view);
    read_camera(row, &view);
    bench_check(abut_frustum_from_matrix(matrix, ABUT_CLIP_NEG_ONE_TO_ONE, &view.frustum), "abut_frustum_from_matrix");
    return view;
}

cull_view cull_view_of_camera(const cull_camera *camera) {
    float matrix[16];
    cull_camera_matrix(camera, matrix);
    return cull_view_of_matrix(matrix);
}
