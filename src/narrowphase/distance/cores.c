/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/distance/cores.h"

/* The extent that S counts, and the middle in the core's own frame. */
static double extent_of(const abut_collider *collider, abut_d3 *middle, uint16_t *extended) {
    const abut_hull *hull = collider->hull;
    if (hull) {
        *middle = abut_d3_from(hull->centroid);
        *extended = 0;
        return abut_bits_finite(hull->radius) ? (double)hull->radius
                                              : (double)hull->obb.half.x + hull->obb.half.y + hull->obb.half.z;
    }
    abut_vec3 half = collider->half;
    *middle = (abut_d3){{0, 0, 0}};
    *extended = (uint16_t)((half.x > 0) | (half.y > 0) << 1 | (half.z > 0) << 2);
    return (double)half.x + half.y + half.z;
}

void abut_np_cores_place(const abut_collider *a, const abut_collider *b, abut_np_cores *cores) {
    abut_dquat qa = abut_dquat_from(a->rotation), qb = abut_dquat_from(b->rotation);
    abut_d3 middle_a, middle_b, d = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
    abut_d3 half_a = abut_d3_from(a->half), half_b = abut_d3_from(b->half);
    /* One matrix from the relative quaternion, so that it is a true rotation: see docs/numerics.md. */
    abut_dquat_matrix(abut_dquat_multiply(abut_dquat_conjugate(qa), qb), cores->turn);
    abut_dquat_matrix(qa, cores->axes_a);
    cores->hull[0] = a->hull;
    cores->hull[1] = b->hull;
    cores->size = abut_d3_norm1(d) + extent_of(a, &middle_a, &cores->extended[0]);
    cores->size += extent_of(b, &middle_b, &cores->extended[1]);
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
