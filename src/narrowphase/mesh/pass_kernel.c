/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Kernels, compiled once for each instruction set: a triangle against the planes of a hull, a plane in each lane; and
 * edges of a hull against the normals of a ridge. */
#include "base/lanes/vector_double.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/tolerance.h"

enum { LANES = ABUT_VD_LANES };

_Static_assert((int)ABUT_NP_PLANES_PAD % (int)LANES == 0, "planes are padded to whole loads");
_Static_assert((int)ABUT_NP_EDGES_PAD % (int)LANES == 0, "edges are padded to whole loads");

/* What the planes leave of a side. */
typedef struct part {
    double first, last;
    bool beside; /* the side runs along a plane, above it */
} part;

/* A triangle's corners. */
typedef struct corners {
    vd at[3][3];
    md within[3];
    md outside[3]; /* the side to the next corner begins and ends above the skin of one plane, by more than rounding */
    part exact[3], skinned[3]; /* of that side */
} corners;

static ABUT_INLINE void begin(const abut_np_facing *f, corners *t) {
    const vd zero = constant(0);
    for (uint32_t k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            t->at[k][i] = constant(f->corner[k].x[i]);
        }
        t->within[k] = equal(zero, zero);
        t->outside[k] = less(zero, zero);
        t->exact[k] = t->skinned[k] = (part){0, 1, false};
    }
}

/* How high the corners are over the planes of one group. */
typedef struct heights {
    double above[3][ABUT_NP_PLANE_GROUP];
} heights;

static ABUT_INLINE bool is_left(const part *p) {
    return p->first <= p->last && !p->beside;
}

/* The part of side k below the planes of one group, moved out by a skin. Those that neither end comes near, but for
 * rounding, change nothing. */
static ABUT_INLINE void cut_side(const abut_np_planes *p, const heights *h, const abut_np_facing *f, uint32_t k,
                                 double skin, part *out) {
    const uint32_t next = (k + 1) % 3;
    const abut_d3 from = f->corner[k], to = f->corner[next];
    const vd x = constant(to.x[0] - from.x[0]), y = constant(to.x[1] - from.x[1]), z = constant(to.x[2] - from.x[2]);
    const vd zero = constant(0), near = constant(skin - ABUT_NP_ROUND_SLACK * f->size);
    vd first = constant(out->first), last = constant(out->last);
    md beside = less(zero, zero);
    for (uint32_t at = 0; at < p->count; at += LANES) {
        const vd begins = abut_vd_load(&h->above[k][at]), ends = abut_vd_load(&h->above[next][at]);
        if (!bits_of(less(near, larger(begins, ends)))) {
            continue;
        }
        const vd above = minus(begins, constant(skin));
        const vd rise =
            dot3(abut_vd_load(p->n[0] + at), x, abut_vd_load(p->n[1] + at), y, abut_vd_load(p->n[2] + at), z);
        const vd where = quotient(negated(above), rise);
        first = choose(less(rise, zero), larger(first, where), first);
        last = choose(less(zero, rise), smaller(last, where), last);
        beside = either(beside, both(equal(rise, zero), less(zero, above)));
    }
    out->first = 0.0 - abut_vd_least(negated(first)); /* no -0: the order of the planes would show */
    out->last = 0.0 + abut_vd_least(last);
    out->beside = out->beside || bits_of(beside);
}

/* Cuts the sides that may be left. A part without a skin lies within that with one: where all planes are in one group
 * and something is left of the first, nothing is asked about the other. */
static ABUT_INLINE uint32_t cut_sides(const abut_np_planes *p, const heights *h, const abut_np_seat *seat,
                                      const abut_np_facing *f, bool pierced, uint32_t left, corners *t) {
    const bool whole = seat->hull->face_count <= ABUT_NP_PLANE_GROUP;
    for (uint32_t k = 0; k < 3; k++) {
        if (bits_of(t->outside[k])) {
            left &= ~(1u << k);
        }
        if (pierced && left >> k & 1) {
            cut_side(p, h, f, k, 0, &t->exact[k]);
        }
        if (left >> k & 1 && !(pierced && whole && is_left(&t->exact[k]))) {
            cut_side(p, h, f, k, seat->skin, &t->skinned[k]);
            left &= is_left(&t->skinned[k]) ? 7 : ~(1u << k);
        }
    }
    return left;
}

static ABUT_INLINE void end(const corners *t, uint32_t left, bool pierced, abut_np_passage *out) {
    enum { ALL = (1 << (int)LANES) - 1 };
    out->crossed = left;
    for (uint32_t k = 0; k < 3; k++) {
        out->within |= (uint32_t)(bits_of(t->within[k]) == ALL) << k;
        if (pierced && left >> k & 1 && is_left(&t->exact[k])) {
            out->pierced |= 1u << k;
            out->first[k] = t->exact[k].first;
            out->last[k] = t->exact[k].last;
        }
    }
}

/* A load of planes. Returns whether the triangle lies beyond one of them. */
static ABUT_INLINE bool pass_planes(const abut_np_planes *p, uint32_t at, const abut_np_seat *seat, double slack,
                                    corners *t, heights *h) {
    const vd n[3] = {abut_vd_load(p->n[0] + at), abut_vd_load(p->n[1] + at), abut_vd_load(p->n[2] + at)};
    const vd w = abut_vd_load(p->w + at), reach = constant(seat->reach + slack), high = constant(seat->skin + slack);
    const vd grown = sum(w, constant(seat->skin));
    vd above[3];
    for (uint32_t k = 0; k < 3; k++) {
        const vd height = dot(n, t->at[k]);
        t->within[k] = both(t->within[k], at_most(height, grown));
        above[k] = minus(height, w);
        abut_vd_store(&h->above[k][at], above[k]);
    }
    for (uint32_t k = 0; k < 3; k++) {
        t->outside[k] = either(t->outside[k], less(high, smaller(above[k], above[k < 2 ? k + 1 : 0])));
    }
    return bits_of(less(reach, smaller(smaller(above[0], above[1]), above[2])));
}

void ABUT_KERNEL(abut_np_mesh_pass)(const abut_np_seat *seat, const abut_np_facing *f, bool pierced,
                                    abut_np_passage *out) {
    const double slack = ABUT_NP_ROUND_SLACK * f->size;
    abut_np_planes room;
    heights h;
    corners t;
    uint32_t left = 7;
    out->within = out->crossed = out->pierced = 0;
    out->beyond = false;
    begin(f, &t);
    for (uint32_t i = 0; i < seat->hull->face_count && !out->beyond; i += ABUT_NP_PLANE_GROUP) {
        const abut_np_planes *planes = abut_np_planes_from(seat->hull, i, &seat->room->planes, &room);
        for (uint32_t at = 0; at < planes->count && !out->beyond; at += LANES) {
            out->beyond = pass_planes(planes, at, seat, slack, &t, &h);
        }
        left = out->beyond ? 0 : cut_sides(planes, &h, seat, f, pierced, left, &t);
    }
    if (!out->beyond) {
        end(&t, left, pierced, out);
    }
    abut_lanes_done();
}

uint64_t ABUT_KERNEL(abut_np_mesh_span)(const abut_np_seat *seat, uint32_t first, const abut_d3 normal[2]) {
    abut_np_edges room;
    const abut_np_edges *edges = abut_np_edges_from(seat->hull, first, seat->room->edges, &room);
    uint64_t spans = 0;
    vd to[2][3];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            to[k][i] = constant(normal[k].x[i]);
        }
    }
    for (uint32_t at = 0; at < edges->count; at += LANES) {
        vd way[3];
        for (int i = 0; i < 3; i++) {
            way[i] = minus(abut_vd_load_floats(edges->to[i] + at), abut_vd_load_floats(edges->from[i] + at));
        }
        spans |= (uint64_t)bits_of(at_most(times(dot(to[0], way), dot(to[1], way)), constant(0))) << at;
    }
    abut_lanes_done();
    return edges->count < 64 ? spans & ((UINT64_C(1) << edges->count) - 1) : spans;
}
