/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* From the candidates of a clipped face to the at most four points of a manifold, in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_REDUCE_H
#define ABUT_NARROWPHASE_BOX_LANES_REDUCE_H

#include "narrowphase/box/lanes_clip.h"

/* A set of candidates in each lane, as a number: bit c for candidate c, and ONE_MORE for each of them. */
enum { ONE_MORE = 1 << CANDIDATES };

static inline lanes only(int c) {
    return constant(ONE_MORE + (1 << c));
}

/* The deepest point, the one farthest from it,
 * and the two that span the largest areas to either side of the line between them; the first where several are alike.
 */
static inline lanes reduced_set(const lane_candidates *all, lanes depth) {
    lanes zero = constant(0), u = zero, v = zero, deepest = zero, most = zero, farthest = zero;
    lanes from_u[CANDIDATES], from_v[CANDIDATES], as_deep = abut_vd_max(all->least, depth); /* see separation_of */
    for (int c = CANDIDATES - 1; c >= 0; c--) {
        abut_md deep = abut_md_and(all->valid[c], abut_vd_le(all->height[c], as_deep));
        u = choose(deep, all->at.u[c], u);
        v = choose(deep, all->at.v[c], v);
        deepest = choose(deep, only(c), deepest);
    }
    lanes line_u = minus(zero, u), line_v = minus(zero, v);
    for (int c = 0; c < CANDIDATES; c++) { /* what is no candidate is where the deepest is, and spans nothing */
        from_u[c] = choose(all->valid[c], minus(all->at.u[c], u), zero);
        from_v[c] = choose(all->valid[c], minus(all->at.v[c], v), zero);
        lanes square = sum(times(from_u[c], from_u[c]), times(from_v[c], from_v[c]));
        abut_md more = abut_vd_lt(most, square);
        most = abut_vd_max(square, most);
        line_u = choose(more, from_u[c], line_u);
        line_v = choose(more, from_v[c], line_v);
        farthest = choose(more, only(c), farthest);
    }
    lanes largest_area = zero, least_area = zero, left = zero, right = zero;
    for (int c = 0; c < CANDIDATES; c++) {
        lanes area = minus(times(line_u, from_v[c]), times(line_v, from_u[c]));
        left = choose(abut_vd_lt(largest_area, area), only(c), left);
        right = choose(abut_vd_lt(area, least_area), only(c), right);
        largest_area = abut_vd_max(area, largest_area);
        least_area = abut_vd_min(area, least_area);
    }
    return sum(sum(deepest, farthest), sum(left, right));
}

/* The candidates that stay: all that touch, or four of them. */
static inline lanes kept_set(const lane_candidates *all, lanes depth) {
    lanes set = constant(0);
    for (int c = 0; c < CANDIDATES; c++) {
        set = abut_vd_add_where(all->valid[c], set, only(c));
    }
    abut_md many = abut_vd_le(constant((SLOTS + 1) * ONE_MORE), set);
    return abut_md_bits(many) ? choose(many, reduced_set(all, depth), set) : set;
}

/* Faces without width give several points in one place, of which the deepest stays. */
static inline void drop_repeated(const lane_faces *f, lanes same_place, lanes depth, lane_candidates *all) {
    lanes width = abut_vd_min(abut_vd_min(f->half[1], f->half[2]), abut_vd_min(f->tangent[0], f->tangent[1]));
    abut_md thin = abut_vd_le(width, same_place);
    if (!abut_md_bits(thin)) {
        return;
    }
    lanes square = times(same_place, same_place);
    for (int c = 0; c < CANDIDATES; c++) {
        for (int d = c + 1; d < CANDIDATES; d++) {
            lanes u = minus(all->at.u[c], all->at.u[d]), v = minus(all->at.v[c], all->at.v[d]);
            abut_md same = abut_md_and(thin, abut_vd_le(sum(times(u, u), times(v, v)), square));
            same = abut_md_and(same, abut_md_and(all->valid[c], all->valid[d]));
            abut_md deeper = abut_vd_lt(separation_of(all->height[d], all->least, depth),
                                        separation_of(all->height[c], all->least, depth));
            all->valid[d] = abut_md_and_not(all->valid[d], abut_md_and_not(same, deeper));
            all->valid[c] = abut_md_and_not(all->valid[c], abut_md_and(same, deeper));
        }
    }
}

#endif
