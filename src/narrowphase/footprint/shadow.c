/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/accurate.h"
#include "narrowphase/footprint/footprint.h"

void abut_np_footprint_axis(abut_vec2 axis, double unit[2]) {
    if (axis.y == 0) {
        unit[0] = axis.x < 0 ? -1 : 1;
        unit[1] = 0;
    } else if (axis.x == 0) {
        unit[0] = 0;
        unit[1] = axis.y < 0 ? -1 : 1;
    } else {
        double x = axis.x, y = axis.y, length = sqrt(x * x + y * y);
        unit[0] = x / length;
        unit[1] = y / length;
    }
}

/* Small entries of the diagonal, where four squares cancel, are recomputed as accurately as the others. */
static void matrix_of(abut_quat rotation, double m[3][3]) {
    abut_dquat q = abut_dquat_from(rotation);
    abut_dquat_matrix(q, m);
    if (fabs(m[0][0]) < 0.125 || fabs(m[1][1]) < 0.125 || fabs(m[2][2]) < 0.125) {
        abut_accurate_matrix(q, m);
    }
}

void abut_np_shadow_of(const abut_np_footprint *footprint, const abut_collider *collider, abut_np_shadow *shadow) {
    const float *center = &collider->center.x;
    double m[3][3], ux = footprint->axis[0], uy = footprint->axis[1];
    matrix_of(collider->rotation, m);
    const double *mx = m[footprint->ground[0]], *my = m[footprint->ground[1]];
    double dx = (double)center[footprint->ground[0]] - footprint->rectangle.center.x;
    double dy = (double)center[footprint->ground[1]] - footprint->rectangle.center.y;
    shadow->base[0] = ux * dx + uy * dy;
    shadow->base[1] = ux * dy - uy * dx;
    for (int k = 0; k < 3; k++) {
        shadow->x[k] = ux * mx[k] + uy * my[k];
        shadow->y[k] = ux * my[k] - uy * mx[k];
    }
}
