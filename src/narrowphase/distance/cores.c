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

void abut_np_cores_place(const abut_collider *a, const abut_collider *b, abut_np_cores *cores) {
    const abut_d3 apart = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
    abut_np_cores_place_at(a, abut_dquat_from(a->rotation), b, abut_dquat_from(b->rotation), apart, cores);
}

void abut_np_cores_place_at(const abut_collider *a, abut_dquat qa, const abut_collider *b, abut_dquat qb, abut_d3 d,
                            abut_np_cores *cores) {
    abut_d3 middle_a, middle_b;
    abut_d3 half_a = abut_d3_from(a->half), half_b = abut_d3_from(b->half);
    /* One matrix from the relative quaternion, so that it is a true rotation: see docs/numerics.md. */
    abut_dquat_matrix_quick(abut_dquat_multiply(abut_dquat_conjugate(qa), qb), cores->turn);
    abut_dquat_matrix_quick(qa, cores->axes_a);
    cores->size =
        abut_d3_norm1(d) + read_core(a, &cores->core[0], &middle_a) + read_core(b, &cores->core[1], &middle_b);
    cores->offset = abut_d3_unrotate(cores->axes_a, d);
    for (int k = 0; k < 3; k++) {
        cores->half_a[k] = half_a.x[k];
        for (int i = 0; i < 3; i++) {
            cores->half_b[k].x[i] = cores->turn[i][k] * half_b.x[k];
        }
    }
    middle_b = abut_d3_along(cores->offset, 1, abut_d3_rotate(cores->turn, middle_b));
    cores->between = abut_d3_sub(middle_b, middle_a);
}
