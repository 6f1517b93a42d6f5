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
    lanes u, v, separation, name;
    abut_md valid;
} lane_candidate;

/* Puts a point of the incident plane, which may be beside the reference face by `on_plane`, onto it. */
static inline lane_candidate candidate(const lane_faces *f, lanes u, lanes v, lanes name, abut_md valid) {
    lane_candidate out = {.u = clamp(u, f->half[1]), .v = clamp(v, f->half[2]), .name = name, .valid = valid};
    lanes rise = sum(times(f->slope[0], minus(out.u, f->c[1])), times(f->slope[1], minus(out.v, f->c[2])));
    out.separation = minus(times(f->sign, sum(f->c[0], rise)), f->half[0]);
    return out;
}

/* What two opposite edges share: their direction, its reciprocals, and the reference edges (times 16) by which they
 * enter and leave between the two planes across each tangent. */
typedef struct lane_direction {
    lanes d[2], over_d[2], reach[2], enters[2], leaves[2];
} lane_direction;

static inline lane_direction direction(const lanes e[3], const lanes wide[2], lanes tiny) {
    static const double enters_up[2] = {FEATURE_EDGE + 1, FEATURE_EDGE + 2};
    static const double leaves_up[2] = {FEATURE_EDGE + 3, FEATURE_EDGE};
    lane_direction out;
    for (int i = 0; i < 2; i++) {
        /* An edge along a plane is given some slant, too little to tell: no division by zero. */
        lanes d = e[i + 1];
        out.d[i] = choose(abut_vd_lt(absolute(d), tiny), tiny, d);
        abut_md up = abut_vd_lt(constant(0), out.d[i]);
        lanes low = constant(16 * enters_up[i]), high = constant(16 * leaves_up[i]);
        out.enters[i] = choose(up, low, high);
        out.leaves[i] = choose(up, high, low);
        out.over_d[i] = quotient(constant(1), out.d[i]);
        out.reach[i] = times(wide[i], absolute(out.over_d[i]));
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
static inline void clip_edge(const lane_faces *f, int k, const lanes base[2], const lane_direction *dir,
                             abut_md first_inside, abut_md second_inside, lane_candidate out[2]) {
    lanes one = constant(1), least = constant(-1), edge = constant(FEATURE_EDGE + k);
    lanes middle_u = times(base[0], dir->over_d[0]), middle_v = times(base[1], dir->over_d[1]);
    lanes in_u = abut_vd_neg(sum(middle_u, dir->reach[0])), out_u = minus(dir->reach[0], middle_u);
    lanes in_v = abut_vd_neg(sum(middle_v, dir->reach[1])), out_v = minus(dir->reach[1], middle_v);
    abut_md v_last = abut_vd_lt(in_u, in_v), v_first = abut_vd_lt(out_v, out_u);
    lanes from = abut_vd_max(choose(v_last, in_v, in_u), least);
    lanes to = abut_vd_min(choose(v_first, out_v, out_u), one);
    abut_md meets = abut_vd_le(from, to);
    lanes corner_name = constant(16 * FEATURE_FACE + FEATURE_CORNER + k);
    lanes enter_name = sum(choose(v_last, dir->enters[1], dir->enters[0]), edge);
    lanes leave_name = sum(choose(v_first, dir->leaves[1], dir->leaves[0]), edge);
    from = choose(first_inside, least, from);
    out[0] = candidate(f, sum(base[0], times(from, dir->d[0])), sum(base[1], times(from, dir->d[1])),
                       choose(first_inside, corner_name, enter_name), abut_md_or(first_inside, meets));
    out[1] = candidate(f, sum(base[0], times(to, dir->d[0])), sum(base[1], times(to, dir->d[1])), leave_name,
                       abut_md_and_not(meets, second_inside));
}

/* Candidates 0..7: the edges. */
static inline void clip_edges(const lane_faces *f, const lanes wide[2], lanes tiny, lane_candidate out[8]) {
    lane_direction along1 = direction(f->e1, wide, tiny), along2 = direction(f->e2, wide, tiny);
    const lane_direction dir[4] = {reversed(along1), reversed(along2), along1, along2};
    lanes base[4][2];
    abut_md inside[4];
    for (int i = 0; i < 2; i++) {
        base[0][i] = sum(f->c[i + 1], f->e2[i + 1]);
        base[1][i] = minus(f->c[i + 1], f->e1[i + 1]);
        base[2][i] = minus(f->c[i + 1], f->e2[i + 1]);
        base[3][i] = sum(f->c[i + 1], f->e1[i + 1]);
    }
    for (int k = 0; k < 4; k++) {
        lanes u = minus(base[k][0], dir[k].d[0]), v = minus(base[k][1], dir[k].d[1]);
        inside[k] = abut_md_and(abut_vd_le(absolute(u), wide[0]), abut_vd_le(absolute(v), wide[1]));
    }
    for (int k = 0; k < 4; k++) {
        clip_edge(f, k, base[k], &dir[k], inside[k], inside[(k + 1) % 4], out + 2 * k);
    }
}

/* The height of point (u, v) over the line along e, times the length of e. */
static inline lanes beside(lanes u, lanes v, const lanes e[3]) {
    return absolute(minus(times(u, e[2]), times(v, e[1])));
}

/* Candidates 8..11: the corners of the rectangle. */
static inline void clip_corners(const lane_faces *f, const lanes wide[2], lane_candidate out[4]) {
    lanes area = beside(f->e1[1], f->e1[2], f->e2);
    for (int k = 0; k < 4; k++) {
        lanes u = k == 0 || k == 3 ? wide[0] : abut_vd_neg(wide[0]), v = k < 2 ? wide[1] : abut_vd_neg(wide[1]);
        lanes from_u = minus(u, f->c[1]), from_v = minus(v, f->c[2]);
        abut_md inside = abut_md_and(abut_vd_lt(beside(from_u, from_v, f->e1), area),
                                     abut_vd_lt(beside(from_u, from_v, f->e2), area));
        out[k] = candidate(f, u, v, constant(16 * (FEATURE_CORNER + k) + FEATURE_FACE), inside);
    }
}

/* Clips by a rectangle that is wider by on_plane, so that the corners of flush faces stay what they are while the boxes
 * jitter. */
static inline void clip(const lane_faces *f, lanes size, lane_candidate out[CANDIDATES]) {
    const lanes wide[2] = {sum(f->half[1], f->on_plane), sum(f->half[2], f->on_plane)};
    clip_edges(f, wide, times(size, constant(0x1p-60)), out);
    clip_corners(f, wide, out + 8);
}

/* Instead of a clipped face of which nothing touches: the point halfway between the reference face and the incident
 * corner nearest to it. */
static inline lane_candidate stand_in(const lane_faces *f, lanes separation) {
    lane_candidate best = {.separation = separation};
    lanes least = constant(HUGE_VAL);
    for (int k = 0; k < 4; k++) {
        lanes x[3], square = constant(0), middle[3];
        for (int i = 0; i < 3; i++) {
            lanes s = times(f->e1[i], constant(k == 0 || k == 3 ? 1 : -1));
            x[i] = sum(sum(f->c[i], s), times(f->e2[i], constant(k < 2 ? 1 : -1)));
            lanes nearest = i == 0 ? times(f->sign, f->half[0]) : clamp(x[i], f->half[i]), away = minus(x[i], nearest);
            middle[i] = times(sum(x[i], nearest), constant(0.5));
            square = sum(square, times(away, away));
        }
        abut_md nearer = abut_vd_lt(square, least);
        least = choose(nearer, square, least);
        best.u = choose(nearer, middle[1], best.u);
        best.v = choose(nearer, middle[2], best.v);
        best.name = choose(nearer, constant(16 * FEATURE_FACE + FEATURE_CORNER + k), best.name);
    }
    return best;
}

#endif
