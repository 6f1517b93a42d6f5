/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: polygons are cut (Sutherland and Hodgman, "Reentrant polygon
 * clipping", 1974), a corner in each lane; and which points of a summary lie farthest out, a direction in each. */
#include "base/compiler.h"
#include "base/lanes/vector_double.h"
#include "narrowphase/patch/cut.h"
#include "narrowphase/patch/summary.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES };

static ABUT_INLINE vd along_normal(const abut_np_cut_face *p, uint32_t first, abut_d3 n) {
    return dot3(constant(n.x[0]), abut_vd_load(&p->at[0][first]), constant(n.x[1]), abut_vd_load(&p->at[1][first]),
                constant(n.x[2]), abut_vd_load(&p->at[2][first]));
}

/* How far the corners lie above the plane; returns those that are cut off, as bits. */
static ABUT_INLINE uint64_t measure(const abut_np_cut *c, const abut_np_cut_face *p, double *above) {
    uint64_t beyond = 0;
    for (uint32_t first = 0; first < p->count; first += LANES) {
        vd height = minus(along_normal(p, first, c->normal), constant(c->offset));
        abut_vd_store(above + first, height);
        beyond |= (uint64_t)bits_of(less(constant(c->near), height)) << first;
    }
    return beyond & (~UINT64_C(0) >> (64 - p->count));
}

/* What the corner between two ways is, that of an earlier cut and that of this one. */
static ABUT_INLINE abut_np_cut_corner meeting(const abut_np_cut_face *p, abut_np_cut_corner from,
                                              const abut_np_cut *c) {
    abut_np_cut_corner out = from;
    if (c->edge_is_side) {
        bool corner = from.edge_is_side; /* of the triangle, under the face */
        int met = c->edge == (from.edge + 1) % 3 ? c->edge : from.edge;
        out.feature = corner ? p->face : from.edge;
        out.meets = (uint8_t)(corner ? met : ABUT_NP_TRIANGLE_SIDE + c->edge);
    } else {
        bool corner = !from.edge_is_side; /* of the core's face, over the triangle */
        out.feature = corner ? (uint32_t)from.edge * 64 + c->edge % 64 : c->edge;
        out.meets = (uint8_t)(corner ? ABUT_NP_TRIANGLE_FACE : ABUT_NP_TRIANGLE_SIDE + from.edge);
    }
    return out;
}

static ABUT_INLINE void copy(const abut_np_cut_face *from, uint32_t i, abut_np_cut_face *to, uint32_t k) {
    to->at[0][k] = from->at[0][i];
    to->at[1][k] = from->at[1][i];
    to->at[2][k] = from->at[2][i];
    to->corner[k] = from->corner[i];
}

/* Cuts off what is beyond the plane: some corners, but not all. An outline that is far from convex loses corners. */
static ABUT_INLINE void cut_off(const abut_np_cut *c, uint64_t beyond, const double *above,
                                const abut_np_cut_face *from, abut_np_cut_face *to) {
    enum { ROOM = ABUT_NP_CUT_MAX - 1 };
    uint32_t n = 0, count = from->count;
    for (uint32_t i = 0; i < count && n < ROOM; i++) {
        uint32_t next = i + 1 < count ? i + 1 : 0;
        bool stays = !(beyond >> i & 1), next_stays = !(beyond >> next & 1);
        if (stays) {
            copy(from, i, to, n++);
        }
        if (stays != next_stays && n < ROOM) {
            double t = above[i] / (above[i] - above[next]);
            for (int k = 0; k < 3; k++) {
                to->at[k][n] = from->at[k][i] + t * (from->at[k][next] - from->at[k][i]);
            }
            abut_np_cut_corner *corner = &to->corner[n++];
            *corner = meeting(from, from->corner[i], c);
            if (stays) { /* from here the way runs along the cut */
                corner->edge = c->edge;
                corner->edge_is_side = c->edge_is_side;
            }
        }
    }
    to->count = n;
    to->face = from->face;
}

static void cut(const abut_np_cut *cuts, uint32_t n, abut_np_cut_face *outline) {
    double above[ABUT_NP_CUT_MAX + LANES];
    abut_np_cut_face room, *now = outline, *next = &room;
    for (uint32_t k = 0; k < n && now->count > 0; k++) {
        uint64_t beyond = measure(&cuts[k], now, above);
        if (beyond == ~UINT64_C(0) >> (64 - now->count)) {
            now->count = 0;
        } else if (beyond) {
            cut_off(&cuts[k], beyond, above, now, next);
            next = now;
            now = now == outline ? &room : outline;
        }
    }
    abut_lanes_done();
    for (uint32_t i = 0; now == &room && i < room.count; i++) {
        copy(&room, i, outline, i);
    }
    outline->count = now->count;
}

static void lower(const abut_np_facing *f, double near, abut_np_cut_face *p) {
    for (uint32_t first = 0; first < p->count; first += LANES) {
        const vd height = minus(along_normal(p, first, f->normal), constant(f->height)), down = negated(height);
        vd on[3];
        for (int k = 0; k < 3; k++) {
            on[k] = sum(abut_vd_load(&p->at[k][first]), times(down, constant(f->normal.x[k])));
        }
        abut_vd_store(&p->height[first], height);
        uint32_t side[3];
        for (int k = 0; k < 3; k++) {
            const vd out =
                dot3(constant(f->out[k].x[0]), on[0], constant(f->out[k].x[1]), on[1], constant(f->out[k].x[2]), on[2]);
            side[k] = bits_of(at_most(minus(constant(f->outline[k]), out), constant(near * f->length[k])));
        }
        for (uint32_t l = 0; l < LANES; l++) {
            p->sides[first + l] = (uint8_t)((side[0] >> l & 1) | (side[1] >> l & 1) << 1 | (side[2] >> l & 1) << 2);
        }
    }
    abut_lanes_done();
}

/* --- summaries: a direction in each lane --- */

enum { WAYS = ABUT_NP_OUTERMOST, PARTS = WAYS / LANES };
_Static_assert(WAYS % LANES == 0, "directions fill whole registers");

/* The directions, as sums of the two across the normal. */
static const double of_first[WAYS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const double of_second[WAYS] = {0, 1, 1, 1, 0, -1, -1, -1};

static ABUT_INLINE vd along(abut_d3 way, const vd at[3]) {
    return dot3(constant(way.x[0]), at[0], constant(way.x[1]), at[1], constant(way.x[2]), at[2]);
}

/* Where `better` is set the point becomes the best one. */
static ABUT_INLINE void consider(md better, vd value, vd number, vd *most, vd *best) {
    *most = choose(better, value, *most);
    *best = choose(better, number, *best);
}

static void outermost(const abut_np_summary *s, uint32_t *at) {
    vd most[PARTS], best[PARTS], number = constant(0), least = constant(INFINITY), deepest = number;
    double found[LANES];
    for (int i = 0; i < PARTS; i++) {
        most[i] = constant(-INFINITY);
        best[i] = constant(0);
    }
    for (uint32_t k = 0; k < s->point_count; k++) {
        const abut_np_point *p = &s->point[k];
        const vd position[3] = {constant(p->position.x[0]), constant(p->position.x[1]), constant(p->position.x[2])};
        const vd u = along(s->across[0], position), v = along(s->across[1], position);
        const vd separation = constant(p->separation);
        consider(less(separation, least), separation, number, &least, &deepest);
        for (int i = 0; i < PARTS; i++) {
            const vd out =
                sum(times(abut_vd_load(of_first + i * LANES), u), times(abut_vd_load(of_second + i * LANES), v));
            consider(less(most[i], out), out, number, &most[i], &best[i]);
        }
        number = sum(number, constant(1));
    }
    abut_vd_store(found, deepest);
    at[0] = (uint32_t)(int32_t)found[0];
    for (int i = 0; i < PARTS; i++) {
        abut_vd_store(found, best[i]);
        for (int l = 0; l < LANES; l++) {
            at[1 + i * LANES + l] = (uint32_t)(int32_t)found[l];
        }
    }
    abut_lanes_done();
}

const abut_np_patch_kernels ABUT_KERNEL(abut_np_patch_kernels) = {cut, lower, ABUT_KERNEL(abut_np_over_box), outermost};
