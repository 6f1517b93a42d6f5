/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/distance/cores.h"

/* Returns the extent that S counts; `middle` is in the core's own frame. */
static double read_core(const abut_collider *collider, abut_np_core *core, abut_d3 *middle) {
    const abut_hull *hull = collider->hull;
    if (!hull) {
        abut_vec3 half = collider->half;
        *middle = (abut_d3){{0, 0, 0}};
        core->vertex_count = 0;
        core->extended = (uint32_t)(half.x > 0) | (uint32_t)(half.y > 0) << 1 | (uint32_t)(half.z > 0) << 2;
        return (double)half.x + half.y + half.z;
    }
    *middle = abut_d3_from(hull->centroid);
    core->vertex_count = hull->vertex_count;
    for (int k = 0; k < 3; k++) {
        core->vertex[k] = abut_hull_coordinate(hull, k);
    }
    return hull->radius;
}

/* All but both matrices. */
static void place(const abut_collider *a, const abut_collider *b, abut_d3 apart, abut_np_cores *cores) {
    const abut_d3 half_a = abut_d3_from(a->half), half_b = abut_d3_from(b->half);
    abut_d3 middle_a, middle_b;
    cores->size =
        abut_d3_norm1(apart) + read_core(a, &cores->core[0], &middle_a) + read_core(b, &cores->core[1], &middle_b);
    cores->offset = abut_d3_unrotate(cores->axes_a, apart);
    for (int k = 0; k < 3; k++) {
        cores->half_a[k] = half_a.x[k];
        for (int i = 0; i < 3; i++) {
            cores->half_b[k].x[i] = cores->turn[i][k] * half_b.x[k];
        }
    }
    middle_b = abut_d3_along(cores->offset, 1, abut_d3_rotate(cores->turn, middle_b));
    cores->between = abut_d3_sub(middle_b, middle_a);
}

void abut_np_cores_place(const abut_collider *a, const abut_collider *b, abut_np_cores *cores) {
    const abut_dquat qa = abut_dquat_from(a->rotation), qb = abut_dquat_from(b->rotation);
    /* One matrix from the relative quaternion, so that it is a true rotation: see docs/numerics.md. */
    abut_dquat_matrix_quick(abut_dquat_multiply(abut_dquat_conjugate(qa), qb), cores->turn);
    abut_dquat_matrix_quick(qa, cores->axes_a);
    place(a, b, abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center)), cores);
}

void abut_np_cores_place_at(const abut_collider *a, double axes_a[3][3], const abut_collider *b, double axes_b[3][3],
                            abut_d3 apart, abut_np_cores *cores) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            cores->axes_a[i][k] = axes_a[i][k];
            cores->turn[i][k] = axes_a[0][i] * axes_b[0][k] + axes_a[1][i] * axes_b[1][k] + axes_a[2][i] * axes_b[2][k];
        }
    }
    place(a, b, apart, cores);
}
