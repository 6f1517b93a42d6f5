/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: what of a face of a box lies over a triangle. All edges of the face
 * are clipped at once, by their parameter (Cyrus and Beck, "Generalized two- and three-dimensional clipping", 1978), an
 * edge in each lane; corners of the triangle come where the way from edge to edge leads along its sides. */
#include "base/compiler.h"
#include "base/lanes/vector_double.h"
#include "narrowphase/patch/cut.h"

enum { LANES = ABUT_VD_LANES, NONE = 3, EDGES = 4, ENDS = 2 * EDGES };
_Static_assert(ABUT_NP_TRIANGLE_SIDE + (int)NONE == ABUT_NP_TRIANGLE_FACE, "what is over no side is over the face");

/* The face's corners along its two axes, once around and on: those of box_faces in cut.c. */
static const double along_first[EDGES + 8] = {-1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1};
static const double along_second[EDGES + 8] = {1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1};

/* Where an edge comes over the triangle and where it leaves it, in lanes. */
typedef struct pieces {
    vd first, last;    /* as shares of its length */
    vd come_by, go_by; /* over which side, or NONE: the edge begins or ends there, or nothing is left */
    md left;           /* something of it lies over the triangle */
} pieces;

/* Ends of pieces: where edge i comes, and at EDGES + i where it leaves. */
typedef struct ends {
    double at[3][ENDS], height[ENDS];
    double code[ENDS]; /* over which side they are, or NONE: they are corners of the face; and 4 times the sides near
                          them, as bits */
} ends;

static ABUT_INLINE void corners_of(const abut_np_seat *seat, uint32_t face, uint32_t first, vd at[3]) {
    uint32_t k = face / 2, u = (k + 1) % 3, v = (k + 2) % 3;
    const double sign = 2 * (int)(face & 1) - 1; /* nobody predicts it */
    at[k] = constant(sign * seat->half[k]);
    at[u] = times(abut_vd_load(along_first + first), constant(seat->half[u]));
    at[v] = times(abut_vd_load(along_second + first), constant(-sign * seat->half[v]));
}

static ABUT_INLINE vd along(abut_d3 n, const vd at[3]) {
    return dot3(constant(n.x[0]), at[0], constant(n.x[1]), at[1], constant(n.x[2]), at[2]);
}

static ABUT_INLINE pieces clip(const abut_np_facing *f, double near, const vd from[3], const vd to[3]) {
    const vd zero = constant(0), one = constant(1);
    pieces p = {zero, one, constant(NONE), constant(NONE), equal(zero, zero)};
    for (int s = 0; s < 3; s++) {
        const vd beyond = constant(near * f->length[s]), by = constant(s);
        const vd a = minus(along(f->out[s], from), constant(f->outline[s]));
        const vd b = minus(along(f->out[s], to), constant(f->outline[s]));
        const md out_before = less(beyond, a), out_after = less(beyond, b);
        const vd where = smaller(larger(quotient(a, minus(a, b)), zero), one);
        const md comes = but_not(out_before, out_after), goes = but_not(out_after, out_before);
        const md later = both(comes, at_most(p.first, where)), sooner = both(goes, at_most(where, p.last));
        p.first = choose(later, where, p.first);
        p.come_by = choose(later, by, p.come_by);
        p.last = choose(sooner, where, p.last);
        p.go_by = choose(sooner, by, p.go_by);
        p.left = but_not(p.left, both(out_before, out_after));
    }
    p.left = both(p.left, at_most(p.first, p.last));
    p.come_by = choose(p.left, p.come_by, constant(NONE));
    p.go_by = choose(p.left, p.go_by, constant(NONE));
    return p;
}

static ABUT_INLINE void write_ends(const abut_np_facing *f, double near, const vd from[3], const vd to[3], vd share,
                                   vd by, uint32_t first, ends *e) {
    vd at[3], on[3];
    for (int i = 0; i < 3; i++) {
        at[i] = sum(from[i], times(share, minus(to[i], from[i])));
        abut_vd_store(e->at[i] + first, at[i]);
    }
    const vd height = minus(along(f->normal, at), constant(f->height)), down = negated(height);
    abut_vd_store(e->height + first, height);
    for (int i = 0; i < 3; i++) {
        on[i] = sum(at[i], times(down, constant(f->normal.x[i])));
    }
    for (int s = 0; s < 3; s++) {
        const vd inside = minus(constant(f->outline[s]), along(f->out[s], on));
        by = sum(by, choose(at_most(inside, constant(near * f->length[s])), constant(4 << s), constant(0)));
    }
    abut_vd_store(e->code + first, by);
}

/* Adds an end if it is one: without a branch, since nobody predicts which pieces there are. */
static ABUT_INLINE void add_end(const ends *e, uint32_t i, uint32_t feature, uint32_t code, bool is_one,
                                abut_np_cut_face *out) {
    uint32_t n = out->count;
    for (int k = 0; k < 3; k++) {
        out->at[k][n] = e->at[k][i];
    }
    out->height[n] = e->height[i];
    out->sides[n] = (uint8_t)(code >> 2);
    out->corner[n] = (abut_np_cut_corner){feature, 0, false, (uint8_t)(ABUT_NP_TRIANGLE_SIDE + code % 4)};
    out->count = n + is_one;
}

/* The point of the face over corner k of the triangle. */
static void add_corner(const abut_np_seat *seat, const abut_np_facing *f, double near, uint32_t k,
                       abut_np_cut_face *out) {
    const uint32_t face = out->face - ABUT_NP_BOX_FACE, axis = face / 2, other = (k + 1) % 3, n = out->count++;
    const double end = face & 1 ? seat->half[axis] : -seat->half[axis];
    const double height = (end - f->corner[k].x[axis]) / f->normal.x[axis];
    const abut_d3 at = abut_d3_along(f->corner[k], height, f->normal);
    const double inside = f->outline[other] - abut_d3_dot(f->out[other], f->corner[k]);
    for (int i = 0; i < 3; i++) {
        out->at[i][n] = at.x[i];
    }
    out->height[n] = height;
    out->sides[n] = (uint8_t)(1 << k | 1 << (k + 2) % 3 | (inside <= near * f->length[other]) << other);
    out->corner[n] = (abut_np_cut_corner){out->face, 0, true, (uint8_t)k};
}

/* Whether the middle of the triangle lies under the face. (A corner may lie under its edge, with the rest outside.) */
static bool is_under(const abut_np_seat *seat, const abut_np_facing *f, uint32_t face) {
    const uint32_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double end = face & 1 ? seat->half[axis] : -seat->half[axis];
    const abut_d3 all = abut_d3_along(abut_d3_along(f->corner[0], 1, f->corner[1]), 1, f->corner[2]);
    const abut_d3 middle = {{all.x[0] / 3, all.x[1] / 3, all.x[2] / 3}};
    const abut_d3 at = abut_d3_along(middle, (end - middle.x[axis]) / f->normal.x[axis], f->normal);
    return fabs(at.x[u]) <= seat->half[u] && fabs(at.x[v]) <= seat->half[v];
}

/* Whether the way from one side to another, in falling order, leads past two corners although it ends where it began: a
 * face without width comes back where it has left, over a corner by another side. */
static bool leads_nowhere(const ends *e, double near, uint32_t side, uint32_t to, uint32_t from_end, uint32_t to_end) {
    bool same = side != to && (side + 2) % 3 != to;
    for (int i = 0; i < 3 && same; i++) {
        same = fabs(e->at[i][from_end] - e->at[i][to_end]) <= near;
    }
    return same;
}

/* The outline from end to end. Seen from below, the triangle's corners come in falling order. */
static void join(const abut_np_seat *seat, const abut_np_facing *f, double near, const abut_np_cut_corner *corner,
                 uint32_t left, const ends *e, abut_np_cut_face *out) {
    uint32_t side = NONE, first = NONE; /* by which the last piece went, and the first one came */
    uint32_t gone = 0, begun = 0;       /* the ends there */
    for (uint32_t i = 0; i < EDGES; i++) {
        const bool is_left = left >> i & 1;
        const uint32_t come_code = (uint32_t)(int32_t)e->code[i], come = come_code % 4;
        const uint32_t go_code = (uint32_t)(int32_t)e->code[EDGES + i], go = go_code % 4;
        if (come < NONE && side < NONE && !leads_nowhere(e, near, side, come, gone, i)) {
            for (; side != come; side = (side + 2) % 3) {
                add_corner(seat, f, near, side, out);
            }
        }
        begun = out->count == 0 ? i : begun;
        first = out->count == 0 ? come : first;
        side = is_left ? go : side;
        gone = is_left ? EDGES + i : gone;
        add_end(e, i, come < NONE ? corner[i].edge : corner[i].feature, come_code, is_left, out);
        add_end(e, EDGES + i, corner[i].edge, go_code, go < NONE, out);
    }
    if (side < NONE && first < NONE && !leads_nowhere(e, near, side, first, gone, begun)) {
        for (; side != first; side = (side + 2) % 3) {
            add_corner(seat, f, near, side, out);
        }
    }
    for (uint32_t k = 3; left == 0 && k-- > 0 && is_under(seat, f, out->face - ABUT_NP_BOX_FACE);) {
        add_corner(seat, f, near, k, out);
    }
}

/* Both ends of all edges fill one register: what comes in its lower half, and the edges once more in the upper. */
static ABUT_INLINE void write_both(const abut_np_facing *f, double near, const vd from[3], const vd to[3],
                                   const pieces *p, ends *e) {
    static const double half[ENDS] = {0, 0, 0, 0, 1, 1, 1, 1};
    const md leaves = less(constant(0), abut_vd_load(half));
    write_ends(f, near, from, to, choose(leaves, p->last, p->first), choose(leaves, p->go_by, p->come_by), 0, e);
}

void ABUT_KERNEL(abut_np_over_box)(const abut_np_seat *seat, const abut_np_facing *f, double near,
                                   const abut_np_cut_corner *corner, abut_np_cut_face *out) {
    const uint32_t face = out->face - ABUT_NP_BOX_FACE;
    uint32_t left = 0;
    ends e;
    for (uint32_t first = 0; first < EDGES; first += LANES) {
        vd from[3], to[3];
        corners_of(seat, face, first, from);
        corners_of(seat, face, first + 1, to);
        const pieces p = clip(f, near, from, to);
        if (LANES >= ENDS) {
            write_both(f, near, from, to, &p, &e);
        } else {
            write_ends(f, near, from, to, p.first, p.come_by, first, &e);
            write_ends(f, near, from, to, p.last, p.go_by, EDGES + first, &e);
        }
        left |= bits_of(p.left) << first;
    }
    abut_lanes_done();
    out->count = 0;
    join(seat, f, near, corner, left & ((1 << EDGES) - 1), &e, out);
}
