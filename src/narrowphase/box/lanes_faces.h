/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The two faces that meet, in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_FACES_H
#define ABUT_NARROWPHASE_BOX_LANES_FACES_H

#include "narrowphase/box/lanes.h"

/* Which face of which box is the reference face. */
typedef struct lane_reference {
    lanes separation;
    lane_axis axis;
    abut_md on_b;
} lane_reference;

/* The numbers, as in feature.h, of a face and of what bounds it. Corner k is where the tangents' ends are (+, +), (-,
 * +),
 * (-, -), (+, -), and edge k leads from there to the next. */
typedef struct lane_features {
    lanes face, corner[4], edge[4];
} lane_features;

/* Seen from the box with the reference face. Index 0 of vectors: along the reference axis; 1 and 2: across it. */
typedef struct lane_faces {
    lanes sign, half[3];      /* of the reference face: the end of its axis, -1 or 1, and half extents */
    lanes c[3], e1[3], e2[3]; /* the incident face: its middle and half its edges */
    lanes tangent[2];         /* half the lengths of its edges */
    lanes rise[3];            /* at (u, v) it is rise[0] u + rise[1] v + rise[2] before the reference face */
    lane_features reference, incident;
    abut_md same, flip; /* both are faces of one number; in that case the reference box is the second */
    lanes corner_on_reference,
        corner_on_incident; /* with a corner's number added: pair_feature of that and this face */
    lane_frame frame;       /* of the reference box */
} lane_faces;

static inline void set_features(lane_axis axis, abut_md positive, lane_features *out) {
    const lanes number[3] = {constant(0), constant(1), constant(2)},
                weight[3] = {constant(1), constant(2), constant(4)};
    lanes sign = choose(positive, constant(1), constant(0)), n[3], w[3];
    turn(axis, number, n);
    turn(axis, weight, w);
    out->face = sum(sum(constant(20), sum(n[0], n[0])), sign);
    out->corner[2] = choose(positive, w[0], constant(0));
    out->corner[1] = sum(out->corner[2], w[2]);
    out->corner[3] = sum(out->corner[2], w[1]);
    out->corner[0] = sum(out->corner[1], w[1]);
    out->edge[2] = sum(sum(constant(8), times(constant(4), n[1])), sum(sign, sign));
    out->edge[0] = sum(out->edge[2], constant(1));
    out->edge[1] = sum(sum(constant(8), times(constant(4), n[2])), sign);
    out->edge[3] = sum(out->edge[1], constant(2));
}

/* The incident face is the one that looks most against the reference face; r: the incident box's axes as rows' parts
 * along the axes of the reference box. */
static inline void set_incident(lanes r[3][3], const lanes center[3], const lanes half[3], lane_faces *f) {
    const lanes along[3] = {absolute(r[0][0]), absolute(r[0][1]), absolute(r[0][2])};
    lanes most, reach[3], axes[3];
    lane_axis axis = widest(along, &most);
    turn(axis, half, reach);
    abut_md behind = nothing();
    lanes to_face = reach[0], normal[3];
    for (int i = 0; i < 3; i++) {
        turn(axis, r[i], axes);
        if (i == 0) {
            behind = abut_vd_lt(times(axes[0], f->sign), constant(0));
            to_face = positive_where(behind, reach[0]);
        }
        normal[i] = axes[0];
        f->c[i] = sum(center[i], times(to_face, axes[0]));
        f->e1[i] = times(reach[1], axes[1]);
        f->e2[i] = times(reach[2], axes[2]);
    }
    lanes down = quotient(abut_vd_neg(f->sign), normal[0]);
    f->rise[0] = times(normal[1], down);
    f->rise[1] = times(normal[2], down);
    f->rise[2] =
        minus(minus(times(f->sign, f->c[0]), f->half[0]), sum(times(f->rise[0], f->c[1]), times(f->rise[1], f->c[2])));
    f->tangent[0] = reach[1];
    f->tangent[1] = reach[2];
    set_features(axis, behind, &f->incident);
}

static inline void meeting_faces(const lane_pair *p, const lane_reference *at, lane_faces *f) {
    lanes r[3][3], t[3], axes[3][3], origin[3], half[3], other[3], rotation[4], center[3];
    for (int i = 0; i < 3; i++) {
        t[i] = choose(at->on_b, abut_vd_neg(p->back[i]), p->seen.t[i]);
        half[i] = choose(at->on_b, p->b.half[i], p->a.half[i]);
        other[i] = choose(at->on_b, p->a.half[i], p->b.half[i]);
        origin[i] = choose(at->on_b, p->b.center[i], p->a.center[i]);
    }
    for (int j = 0; j < 3; j++) {
        lanes column[3], turned[3];
        for (int i = 0; i < 3; i++) {
            column[i] = choose(at->on_b, p->seen.r[j][i], p->seen.r[i][j]);
        }
        turn(at->axis, column, turned);
        r[0][j] = turned[0], r[1][j] = turned[1], r[2][j] = turned[2];
    }
    turn(at->axis, t, center);
    turn(at->axis, half, f->half);
    for (int i = 0; i < 4; i++) {
        rotation[i] = choose(at->on_b, p->b.q[i], p->a.q[i]);
    }
    world_axes(rotation, choose(at->on_b, p->n_b, p->seen.n_a), axes);
    turned_frame(axes, origin, at->axis, &f->frame);
    /* The same way for both boxes when the centres coincide along the axis: from a to b. */
    lanes zero = constant(0);
    abut_md up = abut_md_or(abut_vd_lt(zero, center[0]), abut_md_and_not(abut_vd_eq(center[0], zero), at->on_b));
    f->sign = positive_where(up, constant(1));
    set_features(at->axis, up, &f->reference);
    set_incident(r, center, other, f);
    f->same = abut_vd_eq(f->reference.face, f->incident.face);
    f->flip = abut_md_and(f->same, at->on_b);
    lanes turned = constant(65536), corner_first = choose(f->same, turned, zero);
    f->corner_on_incident = sum(times(constant(256), f->incident.face), choose(f->flip, turned, zero));
    f->corner_on_reference = sum(times(constant(256), f->reference.face), choose(f->flip, zero, corner_first));
}

/* abut_np_feature_pair of two features of the reference and the incident face. Where both boxes touch with faces of one
 * number, "x of one meets y of the other" needs to say which is which. */
static inline lanes pair_feature(const lane_faces *f, lanes x, lanes y) {
    lanes id = sum(abut_vd_min(x, y), times(constant(256), abut_vd_max(x, y)));
    if (!abut_md_bits(f->same)) {
        return id;
    }
    abut_md turned = abut_md_or(abut_md_and_not(abut_md_and(f->same, abut_vd_lt(y, x)), f->flip),
                                abut_md_and(f->flip, abut_vd_lt(x, y)));
    return sum(id, choose(turned, constant(65536), constant(0)));
}

#endif
