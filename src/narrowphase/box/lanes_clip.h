/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The part of one face that lies over another, in each lane. Seen from the reference box, counted from the reference
 * axis, the reference face is a rectangle and the incident face a parallelogram c + s e1 + t e2 with s and t in -1..1.
 * So the corners of their intersection are the ends of the interval that the rectangle leaves of each edge (Liang and
 * Barsky 1984) and the corners of the rectangle that lie in the parallelogram: at most twelve candidates, whose places
 * do not depend on each other. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_CLIP_H
#define ABUT_NARROWPHASE_BOX_LANES_CLIP_H

#include "narrowphase/box/lanes_faces.h"

enum { CANDIDATES = 12, SLOTS = 4 };

/* Whole numbers with this added have their own bits as their lowest ones. */
static const double IN_BITS = 0x1p52;

/* By number. Points that are not there have numbers from CANDIDATES on: no feature, and a place that is of no matter,
 * but can be read. */
typedef struct lane_columns {
    lanes u[CANDIDATES], v[CANDIDATES], feature[CANDIDATES + SLOTS]; /* features are IN_BITS */
} lane_columns;

typedef struct lane_candidates {
    union {
        lane_columns at;
        double x[sizeof(lane_columns) / sizeof(double)]; /* number * ABUT_VD_LANES + lane */
    };
    lanes height[CANDIDATES];  /* before the reference face */
    abut_md valid[CANDIDATES]; /* it is one, and no farther away than `reach` */
    lanes reach, least;        /* least: of the heights of those; HUGE_VAL if there is none */
} lane_candidates;

/* Of the incident plane, over a point of the reference face. */
static inline lanes height_at(const lane_faces *f, lanes u, lanes v) {
    return sum(sum(times(f->rise[0], u), times(f->rise[1], v)), f->rise[2]);
}

/* The deepest point carries the depth along the normal even where the deepest corner of all was clipped away (a face
 * may have won over shorter edges); no point is deeper than that. */
static inline lanes separation_of(lanes height, lanes least, lanes depth) {
    return choose(abut_vd_eq(height, least), depth, abut_vd_max(height, depth));
}

static inline void set_candidate(int number, lanes u, lanes v, lanes height, lanes feature, abut_md valid,
                                 lane_candidates *all) {
    valid = abut_md_and(valid, abut_vd_le(height, all->reach));
    all->least = choose(valid, abut_vd_min(all->least, height), all->least);
    all->at.u[number] = u;
    all->at.v[number] = v;
    all->height[number] = height;
    all->at.feature[number] = feature;
    all->valid[number] = valid;
}

/* Puts a point of the incident plane, which may be next to the reference face, onto it. */
static inline void set_clamped(const lane_faces *f, int number, lanes u, lanes v, lanes feature, abut_md valid,
                               lane_candidates *all) {
    u = clamp(u, f->half[1]);
    v = clamp(v, f->half[2]);
    set_candidate(number, u, v, height_at(f, u, v), feature, valid, all);
}

/* What two opposite edges share: their direction, its reciprocals, half the stretch between the two planes across each
 * tangent, and the reference edges by which they enter and leave there. */
typedef struct lane_direction {
    lanes d[2], over_d[2], reach[2], enters[2], leaves[2];
} lane_direction;

/* An edge along a plane is given some slant, too little to tell: no division by zero. */
static inline void set_direction(const lane_faces *f, const lanes e[3], lanes tiny, lane_direction *out) {
    for (int i = 0; i < 2; i++) {
        out->d[i] = choose(abut_vd_lt(absolute(e[i + 1]), tiny), tiny, e[i + 1]);
        abut_md up = abut_vd_lt(constant(0), out->d[i]);
        lanes low = f->reference.edge[i + 1], high = f->reference.edge[i == 0 ? 3 : 0];
        out->enters[i] = choose(up, low, high);
        out->leaves[i] = choose(up, high, low);
    }
}

/* One division for all four. */
static inline void set_reciprocals(lane_direction *x, lane_direction *y, const lanes wide[2]) {
    lanes in_x = times(x->d[0], x->d[1]), in_y = times(y->d[0], y->d[1]);
    lanes all = quotient(constant(1), times(in_x, in_y)), over_x = times(all, in_y), over_y = times(all, in_x);
    for (int i = 0; i < 2; i++) {
        x->over_d[i] = times(over_x, x->d[1 - i]);
        y->over_d[i] = times(over_y, y->d[1 - i]);
        x->reach[i] = times(wide[i], absolute(x->over_d[i]));
        y->reach[i] = times(wide[i], absolute(y->over_d[i]));
    }
}

/* Edge k, whose middle is `base`, gives two candidates: its first corner, or where the edge enters the rectangle there;
 * and where it leaves that before its second corner. Edges 0 and 1 run against their direction. inside: whether the
 * ends at -1 and 1 are. */
static inline void clip_edge(const lane_faces *f, int k, const lanes base[2], const lane_direction *dir,
                             const abut_md inside[2], lane_candidates *out) {
    int first = k < 2 ? 1 : 0;
    lanes end[2] = {constant(-1), constant(1)}, at[2], by[2];
    lanes middle_u = times(base[0], dir->over_d[0]), middle_v = times(base[1], dir->over_d[1]);
    lanes in_u = abut_vd_neg(sum(middle_u, dir->reach[0])), out_u = minus(dir->reach[0], middle_u);
    lanes in_v = abut_vd_neg(sum(middle_v, dir->reach[1])), out_v = minus(dir->reach[1], middle_v);
    abut_md v_last = abut_vd_lt(in_u, in_v), v_first = abut_vd_lt(out_v, out_u);
    by[0] = choose(v_last, dir->enters[1], dir->enters[0]);
    by[1] = choose(v_first, dir->leaves[1], dir->leaves[0]);
    at[0] = abut_vd_max(choose(v_last, in_v, in_u), end[0]);
    at[1] = abut_vd_min(choose(v_first, out_v, out_u), end[1]);
    abut_md meets = abut_vd_le(at[0], at[1]);
    at[first] = choose(inside[first], end[first], at[first]);
    lanes corner = sum(sum(f->corner_on_reference, constant(IN_BITS)), f->incident.corner[k]);
    for (int end_number = 0; end_number < 2; end_number++) {
        int x = end_number ? 1 - first : first;
        lanes u = sum(base[0], times(at[x], dir->d[0])), v = sum(base[1], times(at[x], dir->d[1]));
        lanes crossing = sum(pair_feature(f, by[x], f->incident.edge[k]), constant(IN_BITS));
        if (end_number) {
            set_clamped(f, 2 * k + 1, u, v, crossing, abut_md_and_not(meets, inside[x]), out);
        } else {
            set_clamped(f, 2 * k, u, v, choose(inside[x], corner, crossing), abut_md_or(meets, inside[x]), out);
        }
    }
}

/* Candidates 0..7: the edges. */
static inline void clip_edges(const lane_faces *f, const lanes wide[2], lanes tiny, lane_candidates *out) {
    lane_direction along1, along2;
    lanes base[4][2];
    abut_md inside[4];
    set_direction(f, f->e1, tiny, &along1);
    set_direction(f, f->e2, tiny, &along2);
    set_reciprocals(&along1, &along2, wide);
    for (int i = 0; i < 2; i++) {
        base[0][i] = sum(f->c[i + 1], f->e2[i + 1]);
        base[1][i] = minus(f->c[i + 1], f->e1[i + 1]);
        base[2][i] = minus(f->c[i + 1], f->e2[i + 1]);
        base[3][i] = sum(f->c[i + 1], f->e1[i + 1]);
    }
    for (int k = 0; k < 4; k++) {
        const lanes *from = base[k & 2], sign = k == 0 || k == 3 ? constant(1) : constant(-1);
        lanes u = sum(from[0], times(sign, along1.d[0])), v = sum(from[1], times(sign, along1.d[1]));
        inside[k] = abut_md_and(abut_vd_le(absolute(u), wide[0]), abut_vd_le(absolute(v), wide[1]));
    }
    for (int k = 0; k < 4; k++) {
        const abut_md ends[2] = {inside[k < 2 ? k + 1 : k], inside[k < 2 ? k : (k + 1) % 4]};
        clip_edge(f, k, base[k], k & 1 ? &along2 : &along1, ends, out);
    }
}

/* Which corners of the rectangle, u[0] and u[1] by v[0] and v[1] seen from the parallelogram's middle, are on its side
 * of both edges that run along e; `area` is half of the middle's height over one of them, times the length of e. */
static inline void between_edges(const lanes u[2], const lanes v[2], const lanes e[3], lanes area, abut_md in[2][2]) {
    const lanes along_u[2] = {times(u[0], e[2]), times(u[1], e[2])},
                along_v[2] = {times(v[0], e[1]), times(v[1], e[1])};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            in[i][j] = abut_vd_lt(absolute(minus(along_u[i], along_v[j])), area);
        }
    }
}

/* Candidates 8..11: the corners of the rectangle. Put onto the reference face they are its corners. */
static inline void clip_corners(const lane_faces *f, const lanes wide[2], lane_candidates *out) {
    lanes area = absolute(minus(times(f->e1[1], f->e2[2]), times(f->e1[2], f->e2[1])));
    const lanes u[2] = {minus(abut_vd_neg(wide[0]), f->c[1]), minus(wide[0], f->c[1])};
    const lanes v[2] = {minus(abut_vd_neg(wide[1]), f->c[2]), minus(wide[1], f->c[2])};
    const lanes end_u[2] = {abut_vd_neg(f->half[1]), f->half[1]}, end_v[2] = {abut_vd_neg(f->half[2]), f->half[2]};
    abut_md in1[2][2], in2[2][2];
    between_edges(u, v, f->e1, area, in1);
    between_edges(u, v, f->e2, area, in2);
    lanes by_u = times(f->rise[0], f->half[1]), by_v = times(f->rise[1], f->half[2]);
    lanes alike = sum(by_u, by_v), unlike = minus(by_u, by_v);
    const lanes height[4] = {sum(alike, f->rise[2]), minus(f->rise[2], unlike), minus(f->rise[2], alike),
                             sum(unlike, f->rise[2])};
    lanes corner = sum(f->corner_on_incident, constant(IN_BITS));
    for (int k = 0; k < 4; k++) {
        int i = k == 0 || k == 3, j = k < 2;
        set_candidate(8 + k, end_u[i], end_v[j], height[k], sum(corner, f->reference.corner[k]),
                      abut_md_and(in1[i][j], in2[i][j]), out);
    }
}

/* Clips by a rectangle that is wider by `on_plane`, so that the corners of flush faces stay what they are while the
 * boxes jitter. */
static inline void clip(const lane_faces *f, lanes on_plane, lanes tiny, lanes reach, lane_candidates *out) {
    const lanes wide[2] = {sum(f->half[1], on_plane), sum(f->half[2], on_plane)};
    out->reach = reach;
    out->least = constant(HUGE_VAL);
    clip_edges(f, wide, tiny, out);
    clip_corners(f, wide, out);
    for (int k = 0; k < SLOTS; k++) {
        out->at.feature[CANDIDATES + k] = constant(IN_BITS);
    }
}

/* Where nothing touches, candidate 0 becomes the point halfway between the reference face and the incident corner
 * nearest to it. */
static inline void stand_in(const lane_faces *f, abut_md empty, lane_candidates *all) {
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
        abut_md nearer = abut_md_and(empty, abut_vd_lt(square, least));
        least = choose(nearer, square, least);
        lanes corner = sum(sum(f->corner_on_reference, constant(IN_BITS)), f->incident.corner[k]);
        all->at.u[0] = choose(nearer, middle[1], all->at.u[0]);
        all->at.v[0] = choose(nearer, middle[2], all->at.v[0]);
        all->at.feature[0] = choose(nearer, corner, all->at.feature[0]);
    }
    all->valid[0] = abut_md_or(empty, all->valid[0]);
}

#endif
