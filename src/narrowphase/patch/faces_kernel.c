/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Kernels, compiled once for each instruction set: the faces, the edges and the vertices of a hull, one in
 * each lane. */
#include "base/lanes/vector_double.h"
#include "narrowphase/patch/faces.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES };

_Static_assert((int)ABUT_NP_PLANES_PAD % (int)LANES == 0, "planes are padded to whole loads");
_Static_assert((int)ABUT_NP_EDGES_PAD % (int)LANES == 0, "edges are padded to whole loads");

static ABUT_INLINE void spread(abut_d3 v, vd out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = constant(v.x[i]);
    }
}

static ABUT_INLINE void load_normals(const abut_np_planes *planes, uint32_t at, vd n[3]) {
    for (int i = 0; i < 3; i++) {
        n[i] = abut_vd_load(planes->n[i] + at);
    }
}

static bool within(const abut_np_seat *seat, abut_d3 point, double by) {
    enum { ALL = (1 << (int)LANES) - 1 };
    abut_np_planes room;
    vd n[3], p[3];
    bool inside = true;
    spread(point, p);
    for (uint32_t i = 0; i < seat->hull->face_count; i += ABUT_NP_PLANE_GROUP) {
        const abut_np_planes *planes = abut_np_planes_from(seat->hull, i, &seat->room->planes, &room);
        for (uint32_t at = 0; at < planes->count && inside; at += LANES) {
            load_normals(planes, at, n);
            inside = bits_of(less(dot(n, p), minus(abut_vd_load(planes->w + at), constant(by)))) == ALL;
        }
    }
    abut_lanes_done();
    return inside;
}

/* A piece of a line in each lane. */
typedef struct piece {
    vd first, last;
} piece;

/* Cuts a piece by a plane, over which the line begins by `above`; what runs along it and more than `by` above it is cut
 * off. */
static ABUT_INLINE void cut_by(vd above, vd rise, double by, piece *p) {
    const vd zero = constant(0), where = quotient(negated(above), rise);
    const md falls = less(rise, zero), rises = less(zero, rise);
    const md cuts = but_not(either(falls, less(constant(by), above)), rises);
    p->last = choose(rises, smaller(p->last, where), p->last);
    p->first = choose(cuts, larger(p->first, choose(falls, where, constant(INFINITY))), p->first);
}

static double along(const abut_np_seat *seat, abut_d3 from, abut_d3 way, double by) {
    abut_np_planes room;
    piece p = {constant(-INFINITY), constant(INFINITY)};
    vd n[3], start[3], direction[3];
    spread(from, start);
    spread(way, direction);
    for (uint32_t i = 0; i < seat->hull->face_count; i += ABUT_NP_PLANE_GROUP) {
        const abut_np_planes *planes = abut_np_planes_from(seat->hull, i, &seat->room->planes, &room);
        for (uint32_t at = 0; at < planes->count; at += LANES) {
            load_normals(planes, at, n);
            cut_by(minus(dot(n, start), abut_vd_load(planes->w + at)), dot(n, direction), by, &p);
        }
    }
    const double first = -abut_vd_least(negated(p.first)), last = abut_vd_least(p.last);
    abut_lanes_done();
    return first <= last ? first : INFINITY;
}

/* Bits beyond n are cleared. */
static ABUT_INLINE uint64_t first_of(uint64_t bits, uint32_t n) {
    return n < 64 ? bits & ((UINT64_C(1) << n) - 1) : bits;
}

static uint64_t behind(const abut_np_seat *seat, const abut_np_facing *f, uint32_t k, double depth, uint32_t first) {
    abut_np_planes room;
    const abut_np_planes *planes = abut_np_planes_from(seat->hull, first, &seat->room->planes, &room);
    uint64_t faces = 0;
    vd n[3], corner[3], one[3], other[3], normal[3];
    spread(f->corner[k], corner);
    spread(f->corner[(k + 1) % 3], one);
    spread(f->corner[(k + 2) % 3], other);
    spread(f->normal, normal);
    for (uint32_t at = 0; at < planes->count; at += LANES) {
        load_normals(planes, at, n);
        const vd height = dot(n, corner);
        md yes = less(minus(abut_vd_load(planes->w + at), height), constant(depth));
        yes = but_not(but_not(yes, less(dot(n, one), height)), less(dot(n, other), height));
        yes = but_not(yes, less(constant(0.999), dot(n, normal)));
        faces |= (uint64_t)bits_of(yes) << at;
    }
    abut_lanes_done();
    return first_of(faces, planes->count);
}

/* A triangle in all lanes. */
typedef struct base {
    vd normal[3], height, out[3][3], outline[3];
} base;

static ABUT_INLINE void spread_triangle(const abut_np_facing *f, base *b) {
    spread(f->normal, b->normal);
    b->height = constant(f->height);
    for (int k = 0; k < 3; k++) {
        spread(f->out[k], b->out[k]);
        b->outline[k] = constant(f->outline[k]);
    }
}

static ABUT_INLINE md is_lower(const base *b, const vd from[3], const vd way[3], vd where, vd height) {
    vd at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = sum(from[i], times(where, way[i]));
    }
    return less(minus(dot(b->normal, at), b->height), height);
}

/* Shares of an edge below this are 0 to a double. */
static const double UNDERFLOW = 0x1p-1000;

/* The pieces of some edges between the planes through the triangle's sides. Returns those of which something is left:
 * for certain not those that begin and end beyond one plane. Where neither end does, the plane changes nothing. */
static ABUT_INLINE md keep_between(const base *b, const vd from[3], const vd way[3], md left, piece *p) {
    const vd zero = constant(0);
    for (int k = 0; k < 3 && bits_of(left); k++) {
        const vd beyond = minus(dot(b->out[k], from), b->outline[k]), rise = dot(b->out[k], way);
        const md ends = less(negated(rise), beyond);
        left = but_not(left, both(ends, less(times(rise, constant(UNDERFLOW)), beyond)));
        if (bits_of(both(left, either(ends, less(zero, beyond))))) {
            cut_by(beyond, rise, 0, p);
        }
    }
    return both(left, at_most(p->first, p->last));
}

static uint64_t under(const abut_np_seat *seat, const abut_np_facing *f, double height, uint32_t first) {
    abut_np_edges room;
    const abut_np_edges *edges = abut_np_edges_from(seat->hull, first, seat->room->edges, &room);
    const vd most = constant(height);
    uint64_t lower = 0;
    base b;
    spread_triangle(f, &b);
    for (uint32_t at = 0; at < edges->count; at += LANES) {
        piece p = {constant(0), constant(1)};
        vd from[3], to[3], way[3];
        for (int i = 0; i < 3; i++) {
            from[i] = abut_vd_load_floats(edges->from[i] + at);
            to[i] = abut_vd_load_floats(edges->to[i] + at);
            way[i] = minus(to[i], from[i]);
        }
        md yes = less(minus(smaller(dot(b.normal, from), dot(b.normal, to)), b.height), most);
        yes = bits_of(yes) ? keep_between(&b, from, way, yes, &p) : yes;
        if (bits_of(yes)) {
            yes = both(yes, either(is_lower(&b, from, way, p.first, most), is_lower(&b, from, way, p.last, most)));
            lower |= (uint64_t)bits_of(yes) << at;
        }
    }
    abut_lanes_done();
    return first_of(lower, edges->count);
}

static ABUT_INLINE void load_vertices(const abut_np_seat *seat, uint32_t first, vd at[3]) {
    for (int i = 0; i < 3; i++) {
        at[i] = abut_vd_load_floats(seat->core.vertex[i] + first);
    }
}

/* Seen along side k, the hull lies beyond a corner of the triangle's outline, between its normal and `out`. Normals
 * from there that all vertices lie above are normal + r out, r between the two numbers; false if there are none. */
static ABUT_INLINE bool find_ratios(const abut_np_seat *seat, const abut_np_facing *f, uint32_t k, abut_d3 out,
                                    double ratio[2]) {
    const vd zero = constant(0);
    vd normal[3], beyond[3], at[3], least = zero, most = constant(INFINITY);
    spread(f->normal, normal);
    spread(out, beyond);
    const vd height = constant(f->height), outline = constant(abut_d3_dot(out, f->corner[k]));
    for (uint32_t i = 0; i < seat->core.vertex_count; i += LANES) {
        load_vertices(seat, i, at);
        const vd up = minus(dot(normal, at), height), aside = minus(dot(beyond, at), outline);
        const md low = at_most(up, zero), over = at_most(aside, zero);
        if (bits_of(both(low, over))) {
            return false;
        }
        const vd where = quotient(negated(up), aside);
        least = choose(low, larger(least, where), least);
        most = choose(over, smaller(most, where), most);
    }
    ratio[0] = -abut_vd_least(negated(least));
    ratio[1] = abut_vd_least(most);
    return ratio[0] < ratio[1];
}

/* Whether the hull lies more than `by` above the triangle along a unit vector. */
static ABUT_INLINE bool is_above(const abut_np_seat *seat, const abut_np_facing *f, abut_d3 along, double by) {
    double highest = abut_d3_dot(along, f->corner[0]);
    vd n[3], at[3], lowest = constant(INFINITY);
    spread(along, n);
    for (int k = 1; k < 3; k++) {
        highest = abut_max_d(highest, abut_d3_dot(along, f->corner[k]));
    }
    for (uint32_t i = 0; i < seat->core.vertex_count; i += LANES) {
        load_vertices(seat, i, at);
        lowest = smaller(lowest, dot(n, at));
    }
    return abut_vd_least(lowest) - highest > by;
}

/* The unit vector along normal + ratio out. */
static ABUT_INLINE abut_d3 toward(abut_d3 normal, abut_d3 out, double ratio) {
    abut_d3 n = ratio < INFINITY ? abut_d3_along(normal, ratio, out) : out;
    (void)abut_d3_normalise(&n);
    return n;
}

static bool apart(const abut_np_seat *seat, const abut_np_facing *f, double by) {
    bool seen = false;
    for (uint32_t k = 0; k < 3 && !seen; k++) {
        const abut_d3 o = f->out[k], out = {{o.x[0] / f->length[k], o.x[1] / f->length[k], o.x[2] / f->length[k]}};
        double ratio[2];
        if (find_ratios(seat, f, k, out, ratio)) {
            abut_d3 between = abut_d3_along(toward(f->normal, out, ratio[0]), 1, toward(f->normal, out, ratio[1]));
            (void)abut_d3_normalise(&between); /* of two that are not opposite */
            seen = is_above(seat, f, between, by);
        }
    }
    abut_lanes_done();
    return seen;
}

const abut_np_faces_kernels ABUT_KERNEL(abut_np_faces_kernels) = {within, along, behind, under, apart};
