/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The part of one face that lies over another, in each lane. Seen from the reference box, counted from the reference
 * axis, the reference face is a rectangle and the incident face a parallelogram c + s e1 + t e2 with s and t in -1..1.
 * So the corners of their intersection are the ends of the interval that the rectangle leaves of each edge (Liang and
 * Barsky 1984) and the corners of the rectangle that lie in the parallelogram: at most twelve candidates, whose places
 * do not depend on each other. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_OBB_LANES_CLIP_H
#define ABUT_NARROWPHASE_OBB_LANES_CLIP_H

#include "narrowphase/obb_lanes_faces.h"

enum { CANDIDATES = 12 };

/* Which feature of a face: its corners 0..3, its edges 4..7, itself. Corner k is where (s, t) is (1, 1), (-1, 1),
 * (-1, -1), (1, -1), and edge k leads from there to the next. A candidate is named 16 times the feature of the reference
 * face plus that of the incident one; FEATURE_NONE for none. */
enum { FEATURE_CORNER, FEATURE_EDGE = 4, FEATURE_FACE = 8, FEATURE_NONE = 9 };

typedef struct lane_candidate {
    abut_vd u, v, separation, name;
    abut_md valid;
} lane_candidate;

/* Puts a point of the incident plane, which may be beside the reference face by `on_plane`, onto it. */
static inline lane_candidate candidate(const lane_faces *f, abut_vd u, abut_vd v, abut_vd name, abut_md valid) {
    lane_candidate out = {.u = clamp(u, f->half[1]), .v = clamp(v, f->half[2]), .name = name, .valid = valid};
    abut_vd rise = add(mul(f->slope[0], sub(out.u, f->c[1])), mul(f->slope[1], sub(out.v, f->c[2])));
    out.separation = sub(mul(f->sign, add(f->c[0], rise)), f->half[0]);
    return out;
}

/* What two opposite edges share: their direction, its reciprocals, and the reference edges (times 16) by which they
 * enter and leave between the two planes across each tangent. */
typedef struct lane_direction {
    abut_vd d[2], over_d[2], reach[2], enters[2], leaves[2];
} lane_direction;

static inline lane_direction direction(const abut_vd e[3], const abut_vd wide[2], abut_vd tiny) {
    static const double enters_up[2] = {FEATURE_EDGE + 1, FEATURE_EDGE + 2};
    static const double leaves_up[2] = {FEATURE_EDGE + 3, FEATURE_EDGE};
    lane_direction out;
    for (int i = 0; i < 2; i++) {
        /* An edge along a plane is given some slant, too little to tell: no division by zero. */
        abut_vd d = e[i + 1];
        out.d[i] = choose(abut_vd_lt(abut_vd_abs(d), tiny), tiny, d);
        abut_md up = abut_vd_lt(abut_vd_set(0), out.d[i]);
        abut_vd low = abut_vd_set(16 * enters_up[i]), high = abut_vd_set(16 * leaves_up[i]);
        out.enters[i] = choose(up, low, high);
        out.leaves[i] = choose(up, high, low);
        out.over_d[i] = abut_vd_div(abut_vd_set(1), out.d[i]);
        out.reach[i] = mul(wide[i], abut_vd_abs(out.over_d[i]));
    }
    return out;
}

/* The same for the edge that runs the other way. */
static inline lane_direction reversed(lane_direction in) {
    lane_direction out = in;
    for (int i = 0; i < 2; i++) {
        out.d[i] = abut_vd_neg(in.d[i]);
        out.over_d[i] = abut_vd_neg(in.over_d[i]);
        out.enters[i] = in.leaves[i];
        out.leaves[i] = in.enters[i];
    }
    return out;
}

/* Edge k, whose middle is `base`, gives two candidates: its first corner, or where it enters the rectangle; and where it
 * leaves that before its second corner. */
static inline void clip_edge(const lane_faces *f, int k, const abut_vd base[2], const lane_direction *dir,
                             abut_md first_inside, abut_md second_inside, lane_candidate out[2]) {
    abut_vd one = abut_vd_set(1), minus = abut_vd_set(-1), edge = abut_vd_set(FEATURE_EDGE + k);
    abut_vd middle_u = mul(base[0], dir->over_d[0]), middle_v = mul(base[1], dir->over_d[1]);
    abut_vd in_u = abut_vd_neg(add(middle_u, dir->reach[0])), out_u = sub(dir->reach[0], middle_u);
    abut_vd in_v = abut_vd_neg(add(middle_v, dir->reach[1])), out_v = sub(dir->reach[1], middle_v);
    abut_md v_last = abut_vd_lt(in_u, in_v), v_first = abut_vd_lt(out_v, out_u);
    abut_vd from = abut_vd_max(choose(v_last, in_v, in_u), minus);
    abut_vd to = abut_vd_min(choose(v_first, out_v, out_u), one);
    abut_md meets = abut_vd_le(from, to);
    abut_vd corner_name = abut_vd_set(16 * FEATURE_FACE + FEATURE_CORNER + k);
    abut_vd enter_name = add(choose(v_last, dir->enters[1], dir->enters[0]), edge);
    abut_vd leave_name = add(choose(v_first, dir->leaves[1], dir->leaves[0]), edge);
    from = choose(first_inside, minus, from);
    out[0] = candidate(f, add(base[0], mul(from, dir->d[0])), add(base[1], mul(from, dir->d[1])),
                       choose(first_inside, corner_name, enter_name), abut_md_or(first_inside, meets));
    out[1] = candidate(f, add(base[0], mul(to, dir->d[0])), add(base[1], mul(to, dir->d[1])), leave_name,
                       abut_md_and_not(meets, second_inside));
}

/* Candidates 0..7: the edges. */
static inline void clip_edges(const lane_faces *f, const abut_vd wide[2], abut_vd tiny, lane_candidate out[8]) {
    lane_direction along1 = direction(f->e1, wide, tiny), along2 = direction(f->e2, wide, tiny);
    const lane_direction dir[4] = {reversed(along1), reversed(along2), along1, along2};
    abut_vd base[4][2];
    abut_md inside[4];
    for (int i = 0; i < 2; i++) {
        base[0][i] = add(f->c[i + 1], f->e2[i + 1]);
        base[1][i] = sub(f->c[i + 1], f->e1[i + 1]);
        base[2][i] = sub(f->c[i + 1], f->e2[i + 1]);
        base[3][i] = add(f->c[i + 1], f->e1[i + 1]);
    }
    for (int k = 0; k < 4; k++) {
        abut_vd u = sub(base[k][0], dir[k].d[0]), v = sub(base[k][1], dir[k].d[1]);
        inside[k] = abut_md_and(abut_vd_le(abut_vd_abs(u), wide[0]), abut_vd_le(abut_vd_abs(v), wide[1]));
    }
    for (int k = 0; k < 4; k++) {
        clip_edge(f, k, base[k], &dir[k], inside[k], inside[(k + 1) % 4], out + 2 * k);
    }
}

/* The height of point (u, v) over the line along e, times the length of e. */
static inline abut_vd beside(abut_vd u, abut_vd v, const abut_vd e[3]) {
    return abut_vd_abs(sub(mul(u, e[2]), mul(v, e[1])));
}

/* Candidates 8..11: the corners of the rectangle. */
static inline void clip_corners(const lane_faces *f, const abut_vd wide[2], lane_candidate out[4]) {
    abut_vd area = beside(f->e1[1], f->e1[2], f->e2);
    for (int k = 0; k < 4; k++) {
        abut_vd u = k == 0 || k == 3 ? wide[0] : abut_vd_neg(wide[0]), v = k < 2 ? wide[1] : abut_vd_neg(wide[1]);
        abut_vd from_u = sub(u, f->c[1]), from_v = sub(v, f->c[2]);
        abut_md inside = abut_md_and(abut_vd_le(beside(from_u, from_v, f->e1), area),
                                     abut_vd_le(beside(from_u, from_v, f->e2), area));
        out[k] = candidate(f, u, v, abut_vd_set(16 * (FEATURE_CORNER + k) + FEATURE_FACE), inside);
    }
}

/* Clips by a rectangle that is wider by on_plane, so that the corners of flush faces stay what they are while the boxes
 * jitter. */
static inline void clip(const lane_faces *f, abut_vd size, lane_candidate out[CANDIDATES]) {
    const abut_vd wide[2] = {add(f->half[1], f->on_plane), add(f->half[2], f->on_plane)};
    clip_edges(f, wide, mul(size, abut_vd_set(0x1p-60)), out);
    clip_corners(f, wide, out + 8);
}

/* Instead of a clipped face of which nothing touches: the point halfway between the reference face and the incident
 * corner nearest to it. */
static inline lane_candidate stand_in(const lane_faces *f, abut_vd separation) {
    lane_candidate best = {.separation = separation};
    abut_vd least = abut_vd_set(HUGE_VAL);
    for (int k = 0; k < 4; k++) {
        abut_vd x[3], square = abut_vd_set(0), middle[3];
        for (int i = 0; i < 3; i++) {
            abut_vd s = mul(f->e1[i], abut_vd_set(k == 0 || k == 3 ? 1 : -1));
            x[i] = add(add(f->c[i], s), mul(f->e2[i], abut_vd_set(k < 2 ? 1 : -1)));
            abut_vd nearest = i == 0 ? mul(f->sign, f->half[0]) : clamp(x[i], f->half[i]), away = sub(x[i], nearest);
            middle[i] = mul(add(x[i], nearest), abut_vd_set(0.5));
            square = add(square, mul(away, away));
        }
        abut_md nearer = abut_vd_lt(square, least);
        least = choose(nearer, square, least);
        best.u = choose(nearer, middle[1], best.u);
        best.v = choose(nearer, middle[2], best.v);
        best.name = choose(nearer, abut_vd_set(16 * FEATURE_FACE + FEATURE_CORNER + k), best.name);
    }
    return best;
}

#endif
