/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Kernels, compiled once for each instruction set: a triangle against the planes of a hull, a corner and the side from
 * there in each lane; and edges of a hull against the normals of a ridge. */
#include "base/lanes/vector_double.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/tolerance.h"

enum { LANES = ABUT_VD_LANES };

/* Corners, the ways to the next ones, and what is known of both. */
typedef struct lanes {
    vd at[3], way[3];
    md within;
    struct part {
        vd first, last;
        md beside; /* the side runs along a plane, above it */
    } exact, skinned;
} lanes;

static ABUT_INLINE void load(const abut_np_facing *f, uint32_t first, lanes *t) {
    for (int i = 0; i < 3; i++) {
        double at[LANES], way[LANES];
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t k = (first + l) % 3;
            at[l] = f->corner[k].x[i];
            way[l] = f->corner[(k + 1) % 3].x[i] - f->corner[k].x[i];
        }
        t->at[i] = abut_vd_load(at);
        t->way[i] = abut_vd_load(way);
    }
    const vd zero = constant(0);
    t->within = equal(zero, zero);
    t->exact = t->skinned = (struct part){zero, constant(1), less(zero, zero)};
}

/* The part of a side below one more plane. */
static ABUT_INLINE void keep_below(vd above, vd rise, struct part *p) {
    const vd zero = constant(0), where = quotient(negated(above), rise);
    p->first = choose(less(rise, zero), larger(p->first, where), p->first);
    p->last = choose(less(zero, rise), smaller(p->last, where), p->last);
    p->beside = either(p->beside, both(equal(rise, zero), less(zero, above)));
}

static ABUT_INLINE md is_left(const struct part *p) {
    return but_not(at_most(p->first, p->last), p->beside);
}

/* Returns the corners that are farther than `reach` above the plane, as bits. */
static ABUT_INLINE uint32_t pass_plane(const abut_hull_plane *plane, double skin, double reach, lanes *t) {
    const vd n[3] = {constant(plane->n[0]), constant(plane->n[1]), constant(plane->n[2])};
    const vd height = dot(n, t->at), rise = dot(n, t->way), over = minus(height, constant(plane->w));
    t->within = both(t->within, at_most(height, constant(plane->w + skin)));
    keep_below(over, rise, &t->exact);
    keep_below(minus(over, constant(skin)), rise, &t->skinned);
    return bits_of(less(constant(reach), over));
}

void ABUT_KERNEL(abut_np_mesh_pass)(const abut_np_seat *seat, const abut_np_facing *f, abut_np_passage *out) {
    const abut_hull_polygon *face = abut_hull_faces(seat->hull);
    const double reach = seat->reach + ABUT_NP_ROUND_SLACK * f->size;
    enum { GROUPS = (3 + LANES - 1) / LANES };
    lanes t[GROUPS];
    out->within = out->crossed = out->pierced = 0;
    out->beyond = false;
    for (uint32_t g = 0; g < GROUPS; g++) {
        load(f, g * LANES, &t[g]);
    }
    for (uint32_t i = 0; i < seat->hull->face_count; i++) {
        uint32_t above = 0;
        for (uint32_t g = 0; g < GROUPS; g++) {
            above |= pass_plane(&face[i].plane, seat->skin, reach, &t[g]) << g * LANES;
        }
        out->beyond = out->beyond || (above & 7) == 7;
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        out->within |= bits_of(t[g].within) << g * LANES;
        out->crossed |= bits_of(is_left(&t[g].skinned)) << g * LANES;
        out->pierced |= bits_of(is_left(&t[g].exact)) << g * LANES;
        abut_vd_store(out->first + g * LANES, t[g].exact.first);
        abut_vd_store(out->last + g * LANES, t[g].exact.last);
    }
    abut_lanes_done();
}

uint64_t ABUT_KERNEL(abut_np_mesh_span)(const abut_hull *hull, uint32_t first, const abut_d3 normal[2]) {
    const abut_hull_edge *edges = abut_hull_edges(hull) + first;
    const void *vertices = abut_hull_at(hull, hull->vertices);
    uint32_t n = hull->edge_count - first < 64 ? hull->edge_count - first : 64;
    uint64_t spans = 0;
    for (uint32_t at = 0; at < n; at += LANES) {
        uint32_t from[LANES], to[LANES];
        vd a[4], b[4], way[3], along[2];
        for (uint32_t l = 0; l < LANES; l++) {
            const abut_hull_edge *e = &edges[at + l < n ? at + l : 0];
            from[l] = e->v[0];
            to[l] = e->v[1];
        }
        abut_vd_load4(vertices, sizeof(abut_vec3), from, a); /* the fourth is of what follows in the hull */
        abut_vd_load4(vertices, sizeof(abut_vec3), to, b);
        for (int i = 0; i < 3; i++) {
            way[i] = minus(b[i], a[i]);
        }
        for (int k = 0; k < 2; k++) {
            along[k] = dot3(constant(normal[k].x[0]), way[0], constant(normal[k].x[1]), way[1],
                            constant(normal[k].x[2]), way[2]);
        }
        spans |= (uint64_t)bits_of(at_most(times(along[0], along[1]), constant(0))) << at;
    }
    abut_lanes_done();
    return n < 64 ? spans & ((UINT64_C(1) << n) - 1) : spans;
}
