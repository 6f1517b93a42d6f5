/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: how far a point is from a box, by clamping it to the box in the
 * frame of the box. Each of the two is grown by its radius, and the extents of the box may be zero: so it measures
 * points and spheres against points, boxes, spheres, capsules and rounded boxes. */
#include "narrowphase/distance/distance.h"
#include "narrowphase/round/contact.inc"

/* How the point lies to the box. Two points are related in the world's frame, so that neither is distinguished. */
typedef struct lane_way {
    vd m[3][3];
    md points;         /* the box is a point */
    vd apart[3];       /* from the centre of the box to the point, in the world */
    vd excess[3];      /* from the nearest point of the box to the point, in its frame; of two points: as above */
    vd distance, size; /* of the cores */
} lane_way;

static ABUT_INLINE void set_way(const lane_shape *point, const lane_shape *box, lane_way *w) {
    vd extent = sum3(box->half[0], box->half[1], box->half[2]);
    w->points = equal(extent, constant(0));
    for (int i = 0; i < 3; i++) {
        w->apart[i] = minus(point->center[i], box->center[i]);
    }
    rotation_matrix(box->q, squared_norm4(box->q), w->m);
    for (int j = 0; j < 3; j++) {
        const vd axis[3] = {w->m[0][j], w->m[1][j], w->m[2][j]};
        vd x = dot(axis, w->apart);
        w->excess[j] = choose(w->points, w->apart[j], minus(x, clamp(x, box->half[j])));
    }
    w->distance = root(dot(w->excess, w->excess));
    w->size = sum(norm1(w->apart), extent);
}

/* The distance of the grown surfaces; 0 where they certainly touch, -1 where the predicate must decide that. */
static ABUT_INLINE vd answer_of(const lane_way *w, vd radii) {
    vd gap = minus(w->distance, radii), unclear = times(w->size, constant(ABUT_NP_MEASURE_UNCLEAR));
    vd apart = choose(less(unclear, gap), gap, constant(-1));
    return choose(less(gap, negated(unclear)), constant(0), apart);
}

void ABUT_KERNEL(abut_np_round_point_boxes)(const abut_collider *point, const abut_collider *boxes,
                                            const uint32_t *index, size_t n, double *distance) {
    lane_shape a, b;
    load_one(point, &a);
    for (size_t first = 0; first < n; first += LANES) {
        lane_way w;
        uint32_t last[LANES];
        double out[LANES];
        size_t left = n - first;
        load_shape(boxes, sizeof *boxes, padded(index + first, left, LANES, last), &b);
        set_way(&a, &b, &w);
        vd answer = answer_of(&w, sum(a.radius, b.radius));
        if (left >= LANES) {
            abut_vd_store(distance + first, answer);
        } else {
            abut_vd_store(out, answer);
            memcpy(distance + first, out, left * sizeof *out);
        }
    }
    abut_lanes_done();
}
