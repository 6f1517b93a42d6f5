/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two faces whose edges are parallel, in each lane: what they share is a rectangle, and its corners are the contact.
 * Stacks, walls and tiled grounds are made of these. The rules and the features are those of lanes_clip.h. Part of
 * a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_FLUSH_H
#define ABUT_NARROWPHASE_BOX_LANES_FLUSH_H

#include "narrowphase/box/lanes_faces.h"

/* Index 0 of pairs: the low end, 1: the high end, along one tangent of the reference face. */
typedef struct lane_overlap {
    lanes at[2];               /* where the shared rectangle ends */
    abut_md of_incident[2];    /* there the incident face ends; else the reference face does */
    lanes reference[2];        /* the reference face's edges there */
    lanes incident[2], bit[2]; /* the incident face's, and what that end adds to the number of a corner */
} lane_overlap;

/* Corner k is where the tangents' ends are (high, high), (low, high), (low, low), (high, low): as in lane_features. */
typedef struct lane_rectangle {
    lane_overlap u, v;
    lanes feature[4];
} lane_rectangle;

/* Along tangent i, where the incident face extends `reach` to both sides. Returns where the faces meet. */
static ABUT_INLINE abut_md overlap_along(const lane_faces *f, int i, lanes on_plane, lanes reach, lane_overlap *out) {
    lanes half = f->half[i], wide = sum(half, on_plane), low = minus(f->c[i], reach), high = sum(f->c[i], reach);
    out->of_incident[0] = abut_vd_le(abut_vd_neg(wide), low);
    out->of_incident[1] = abut_vd_le(high, wide);
    out->at[0] = clamp(low, half);
    out->at[1] = clamp(high, half);
    return abut_md_and(abut_vd_le(low, wide), abut_vd_le(abut_vd_neg(wide), high));
}

/* The incident face's features at its ends along one tangent: minus and plus are the edges at the ends of the incident
 * box's own tangent, weight is what its plus end adds to a corner's number. */
static ABUT_INLINE void set_ends(abut_md same_way, lanes minus_edge, lanes plus_edge, lanes weight, lane_overlap *out) {
    lanes zero = constant(0);
    out->incident[0] = choose(same_way, minus_edge, plus_edge);
    out->incident[1] = choose(same_way, plus_edge, minus_edge);
    out->bit[0] = choose(same_way, zero, weight);
    out->bit[1] = choose(same_way, weight, zero);
}

static ABUT_INLINE lanes rectangle_feature(const lane_faces *f, const lane_rectangle *r, int k) {
    int u = k == 0 || k == 3, v = k < 2;
    abut_md by_u = r->u.of_incident[u], by_v = r->v.of_incident[v];
    const lane_features *reference = &f->reference, *incident = &f->incident;
    lanes corner = sum(incident->corner[2], sum(r->u.bit[u], r->v.bit[v]));
    lanes of_reference = choose(by_u, choose(by_v, reference->face, r->v.reference[v]),
                                choose(by_v, r->u.reference[u], reference->corner[k]));
    lanes of_incident =
        choose(by_u, choose(by_v, corner, r->u.incident[u]), choose(by_v, r->v.incident[v], incident->face));
    return pair_feature(f, of_reference, of_incident);
}

/* Clips by a rectangle that is wider by `on_plane`. Returns where anything is left. */
static ABUT_INLINE abut_md share_rectangle(const lane_faces *f, lanes on_plane, lane_rectangle *r) {
    const lane_features *x = &f->incident;
    abut_md crossed = abut_vd_lt(absolute(f->e1[1]), absolute(f->e1[2])); /* the first edges run along v */
    lanes zero = constant(0), weight1 = minus(x->corner[3], x->corner[2]), weight2 = minus(x->corner[1], x->corner[2]);
    abut_md u_way = abut_vd_lt(zero, sum(f->e1[1], f->e2[1])), v_way = abut_vd_lt(zero, sum(f->e1[2], f->e2[2]));
    abut_md meet = overlap_along(f, 1, on_plane, sum(absolute(f->e1[1]), absolute(f->e2[1])), &r->u);
    meet = abut_md_and(meet, overlap_along(f, 2, on_plane, sum(absolute(f->e1[2]), absolute(f->e2[2])), &r->v));
    set_ends(u_way, choose(crossed, x->edge[2], x->edge[1]), choose(crossed, x->edge[0], x->edge[3]),
             choose(crossed, weight2, weight1), &r->u);
    set_ends(v_way, choose(crossed, x->edge[1], x->edge[2]), choose(crossed, x->edge[3], x->edge[0]),
             choose(crossed, weight1, weight2), &r->v);
    r->u.reference[0] = f->reference.edge[1], r->u.reference[1] = f->reference.edge[3];
    r->v.reference[0] = f->reference.edge[2], r->v.reference[1] = f->reference.edge[0];
    for (int k = 0; k < 4; k++) {
        r->feature[k] = rectangle_feature(f, r, k);
    }
    return meet;
}

#endif
