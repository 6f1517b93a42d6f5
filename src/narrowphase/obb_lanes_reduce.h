/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* From the candidates of a clipped face to the at most four points of a manifold, in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_OBB_LANES_REDUCE_H
#define ABUT_NARROWPHASE_OBB_LANES_REDUCE_H

#include "narrowphase/obb_lanes_clip.h"

/* A set of candidates in each lane, as a number with bit c for candidate c. */
static inline lanes candidate_set(const lane_candidates *all) {
    lanes set = constant(0);
    for (int c = 0; c < CANDIDATES; c++) {
        set = sum(set, choose(all->valid[c], constant(1 << c), constant(0)));
    }
    return set;
}

static inline lanes candidate_count(const lane_candidates *all) {
    lanes count = constant(0);
    for (int c = 0; c < CANDIDATES; c++) {
        count = sum(count, choose(all->valid[c], constant(1), constant(0)));
    }
    return count;
}

typedef struct lane_pick {
    lanes u, v, most, set;
} lane_pick;

static inline void pick_more(lane_pick *best, const lane_candidates *all, int c, lanes value) {
    abut_md more = abut_md_and(all->valid[c], abut_vd_lt(best->most, value));
    best->u = choose(more, all->u.v[c], best->u);
    best->v = choose(more, all->v.v[c], best->v);
    best->most = choose(more, value, best->most);
    best->set = choose(more, constant(1 << c), best->set);
}

/* The deepest point, the one farthest from it, and the two that span the largest areas to either side of the line
 * between them; the first where several are alike. */
static inline lanes reduced_set(const lane_candidates *all) {
    lanes zero = constant(0);
    const lane_pick none = {zero, zero, zero, zero};
    lane_pick deepest = none, farthest = none, left = none, right = none;
    deepest.most = constant(-HUGE_VAL);
    for (int c = 0; c < CANDIDATES; c++) {
        pick_more(&deepest, all, c, abut_vd_neg(all->separation.v[c]));
    }
    for (int c = 0; c < CANDIDATES; c++) {
        lanes u = minus(all->u.v[c], deepest.u), v = minus(all->v.v[c], deepest.v);
        pick_more(&farthest, all, c, sum(times(u, u), times(v, v)));
    }
    lanes line_u = minus(farthest.u, deepest.u), line_v = minus(farthest.v, deepest.v);
    for (int c = 0; c < CANDIDATES; c++) {
        lanes area = minus(times(line_u, minus(all->v.v[c], deepest.v)), times(line_v, minus(all->u.v[c], deepest.u)));
        pick_more(&left, all, c, area);
        pick_more(&right, all, c, abut_vd_neg(area));
    }
    return sum(sum(deepest.set, farthest.set), sum(left.set, right.set));
}

/* The candidates that stay: all that touch, or four of them. */
static inline lanes kept_set(const lane_candidates *all) {
    lanes kept = candidate_set(all);
    abut_md many = abut_vd_lt(constant(4), candidate_count(all));
    return abut_md_bits(many) ? choose(many, reduced_set(all), kept) : kept;
}

/* Faces without width give several points in one place, of which the deepest stays. */
static inline void drop_repeated(const lane_faces *f, lanes same_place, lane_candidates *all) {
    lanes width = abut_vd_min(abut_vd_min(f->half[1], f->half[2]), abut_vd_min(f->tangent[0], f->tangent[1]));
    abut_md thin = abut_vd_le(width, same_place);
    if (!abut_md_bits(thin)) {
        return;
    }
    lanes square = times(same_place, same_place);
    for (int c = 0; c < CANDIDATES; c++) {
        for (int d = c + 1; d < CANDIDATES; d++) {
            lanes u = minus(all->u.v[c], all->u.v[d]), v = minus(all->v.v[c], all->v.v[d]);
            abut_md same = abut_md_and(thin, abut_vd_le(sum(times(u, u), times(v, v)), square));
            same = abut_md_and(same, abut_md_and(all->valid[c], all->valid[d]));
            abut_md deeper = abut_vd_lt(all->separation.v[d], all->separation.v[c]);
            all->valid[d] = abut_md_and_not(all->valid[d], abut_md_and_not(same, deeper));
            all->valid[c] = abut_md_and_not(all->valid[c], abut_md_and(same, deeper));
        }
    }
}

#endif
