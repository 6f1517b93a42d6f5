/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta from boxes: orthographic cameras. */
#include "base/spatial.h"
#include "culling/build.h"

static void set_axis(double m[3][3], int k, double half, abut_cull_cube *cube) {
    for (int j = 0; j < 3; j++) {
        cube->plane[2 * k][j] = m[j][k];
        cube->plane[2 * k + 1][j] = -m[j][k];
        for (int i = 0; i < 8; i++) {
            cube->corner[i][j] += i >> k & 1 ? half * m[j][k] : -half * m[j][k];
        }
    }
    cube->plane[2 * k][3] = half;
    cube->plane[2 * k + 1][3] = half;
}

abut_result abut_frustum_orthographic(const abut_obb *box, abut_frustum *frustum) {
    if (!frustum) {
        return ABUT_ERROR_ARGUMENT;
    }
    *frustum = (abut_frustum){.plane_count = 0};
    if (!box || !abut_box_valid(box)) {
        return ABUT_ERROR_ARGUMENT;
    }
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    if (half[0] == 0 || half[1] == 0 || half[2] == 0) {
        return ABUT_ERROR_DEGENERATE;
    }
    abut_cull_cube cube = {.origin = {box->center.x + 0.0f, box->center.y + 0.0f, box->center.z + 0.0f}};
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(abut_quat_or_identity(box->rotation)), m);
    for (int i = 0; i < 8; i++) {
        cube.corner[i][3] = 1;
    }
    for (int k = 0; k < 3; k++) {
        set_axis(m, k, half[k], &cube);
    }
    return abut_cull_build(&cube, frustum);
}
