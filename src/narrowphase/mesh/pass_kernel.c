/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a triangle against the planes of a hull, a corner and the side from
 * there in each lane. */
#include "base/lanes/vector_double.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/tolerance.h"

enum { LANES = ABUT_VD_LANES };

/* Corners, the ways to the next ones, and what is known of both. */
typedef struct lanes {
    vd at[3], way[3];
    vd first, last;
    md within, beside; /* beside: the side runs along a plane, above it */
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
    t->first = constant(0);
    t->last = constant(1);
    t->within = equal(t->first, t->first);
    t->beside = less(t->first, t->first);
}

/* Returns the corners that are farther than `reach` above the plane, as bits. */
static ABUT_INLINE uint32_t pass_plane(const abut_hull_plane *plane, double skin, double reach, lanes *t) {
    const vd n[3] = {constant(plane->n[0]), constant(plane->n[1]), constant(plane->n[2])}, zero = constant(0);
    const vd height = dot(n, t->at), rise = dot(n, t->way), over = minus(height, constant(plane->w));
    const vd above = minus(over, constant(skin)), where = quotient(negated(above), rise);
    t->within = both(t->within, at_most(height, constant(plane->w + skin)));
    t->first = choose(less(rise, zero), larger(t->first, where), t->first);
    t->last = choose(less(zero, rise), smaller(t->last, where), t->last);
    t->beside = either(t->beside, both(equal(rise, zero), less(zero, above)));
    return bits_of(less(constant(reach), over));
}

void ABUT_KERNEL(abut_np_mesh_pass)(const abut_np_seat *seat, const abut_np_facing *f, double skin,
                                    abut_np_passage *out) {
    const abut_hull_polygon *face = abut_hull_faces(seat->hull);
    const double reach = seat->reach + ABUT_NP_ROUND_SLACK * f->size;
    enum { GROUPS = (3 + LANES - 1) / LANES };
    lanes t[GROUPS];
    out->within = out->crossed = 0;
    out->beyond = false;
    for (uint32_t g = 0; g < GROUPS; g++) {
        load(f, g * LANES, &t[g]);
    }
    for (uint32_t i = 0; i < seat->hull->face_count; i++) {
        uint32_t above = 0;
        for (uint32_t g = 0; g < GROUPS; g++) {
            above |= pass_plane(&face[i].plane, skin, reach, &t[g]) << g * LANES;
        }
        out->beyond = out->beyond || (above & 7) == 7;
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        out->within |= bits_of(t[g].within) << g * LANES;
        out->crossed |= bits_of(but_not(at_most(t[g].first, t[g].last), t[g].beside)) << g * LANES;
        abut_vd_store(out->first + g * LANES, t[g].first);
        abut_vd_store(out->last + g * LANES, t[g].last);
    }
    abut_lanes_done();
}
