/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The two faces that meet, in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_OBB_LANES_FACES_H
#define ABUT_NARROWPHASE_OBB_LANES_FACES_H

#include "narrowphase/obb_lanes.h"

/* Which face of which box is the reference face. */
typedef struct lane_reference {
    lanes separation;
    lane_axis axis;
    abut_md on_b;
} lane_reference;

/* Seen from the box with the reference face. Index 0 of vectors: along the reference axis; 1 and 2: across it. */
typedef struct lane_faces {
    lanes sign, half[3];       /* of the reference face: the end of its axis, -1 or 1, and half extents */
    lanes c[3], e1[3], e2[3];  /* the incident face: its middle and half its edges */
    lanes slope[2];            /* of the incident plane, along 1 and 2 */
    lanes tangent[2];          /* half the lengths of its edges */
    lanes on_plane;            /* a point this little beside the reference face is kept as it is */
    lanes reference, incident; /* the numbers of the faces: 2 * axis, + 1 for the positive one */
    lane_frame frame;            /* of the reference box */
} lane_faces;

static inline lanes face_number(lane_axis axis, abut_md positive) {
    lanes number = axis_number(axis);
    return sum(sum(number, number), choose(positive, constant(1), constant(0)));
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
    lanes down = quotient(constant(-1), normal[0]);
    f->slope[0] = times(normal[1], down);
    f->slope[1] = times(normal[2], down);
    f->tangent[0] = reach[1];
    f->tangent[1] = reach[2];
    f->incident = face_number(axis, behind);
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
    f->reference = face_number(at->axis, up);
    f->on_plane = p->resting;
    set_incident(r, center, other, f);
}

#endif
