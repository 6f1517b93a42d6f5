/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/pair.h"

/* A box may be so large that its radius overflows a float. */
static double radius_of(const abut_hull *hull) {
    return abut_bits_finite(hull->radius) ? (double)hull->radius : abut_np_extent(hull);
}

void abut_np_convex_pair_build(const abut_collider *collider_a, const abut_hull *a, const abut_collider *collider_b,
                               const abut_hull *b, abut_np_convex_pair *pair) {
    abut_np_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    abut_dquat qa = abut_dquat_from(collider_a->rotation), qb = abut_dquat_from(collider_b->rotation);
    /* As for boxes, one matrix from the relative quaternion, so that it is a true rotation. */
    abut_dquat_matrix(abut_dquat_multiply(abut_dquat_conjugate(qa), qb), of_b->turn);
    abut_dquat_matrix(qa, pair->axes_a);
    abut_d3 d = abut_d3_sub(abut_d3_from(collider_b->center), abut_d3_from(collider_a->center));
    of_a->own = of_b->other = a;
    of_b->own = of_a->other = b;
    of_a->origin = abut_d3_unrotate(pair->axes_a, d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            of_a->turn[i][j] = of_b->turn[j][i];
        }
    }
    abut_d3 back = abut_np_turned(of_a, of_a->origin);
    of_b->origin = abut_d3_negate(back);
    pair->size = fabs(d.x[0]) + fabs(d.x[1]) + fabs(d.x[2]) + radius_of(a) + radius_of(b);
    pair->small = abut_min_d(abut_np_extent(a), abut_np_extent(b));
    pair->next = abut_np_next_to(pair->size, abut_np_extent(a) + abut_np_extent(b));
    pair->resting = abut_max_d(ABUT_NP_RESTING * pair->small, ABUT_NP_RESTING_NOISE * pair->size);
}
