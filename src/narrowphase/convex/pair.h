/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two hulls, each in the frame of the other. */
#ifndef ABUT_NARROWPHASE_CONVEX_PAIR_H
#define ABUT_NARROWPHASE_CONVEX_PAIR_H

#include "base/spatial.h"
#include "narrowphase/narrowphase.h"
#include "narrowphase/tolerance.h"
#include "shape/shape.h"

/* The facets of one hull against the vertices of the other. */
typedef struct abut_np_side {
    const abut_hull *own, *other;
    double turn[3][3]; /* rotates a direction from own's frame into other's */
    abut_d3 origin;    /* of other's frame, in own's frame */
} abut_np_side;

typedef struct abut_np_convex_pair {
    abut_np_side side[2]; /* 0: the facets of a; 1: the facets of b */
    double axes_a[3][3];  /* a's rotation: its columns are a's axes in the world */
    double size;          /* S: the L1 distance of the centres plus both radii */
    double next;          /* closer than this they have the manifold of an overlap */
    double small;         /* abut_np_extent of the smaller one */
    double resting;       /* the jitter of float poses, and no less than the rounding of a separation */
} abut_np_convex_pair;

void abut_np_convex_pair_build(const abut_collider *collider_a, const abut_hull *a, const abut_collider *collider_b,
                               const abut_hull *b, abut_np_convex_pair *pair);

/* The sum of the half extents of a hull's OBB. */
static inline double abut_np_extent(const abut_hull *hull) {
    return (double)hull->obb.half.x + hull->obb.half.y + hull->obb.half.z;
}

static inline abut_d3 abut_np_vertex(const abut_hull *hull, uint32_t v) {
    return (abut_d3){
        {abut_hull_coordinate(hull, 0)[v], abut_hull_coordinate(hull, 1)[v], abut_hull_coordinate(hull, 2)[v]}};
}

/* What is closer than this has the manifold of an overlap. A hull that lies far from its own origin does not count as
 * large: S of shapes that touch, and whose middles are their origins, is below 2.75 times the sum of their extents. */
static inline double abut_np_next_to(double size, double extents) {
    return ABUT_NP_GAP_NEAREST * abut_min_d(size, 2.75 * extents);
}

/* A direction of own's frame, in other's. */
static inline abut_d3 abut_np_turned(const abut_np_side *side, abut_d3 d) {
    return (abut_d3){{side->turn[0][0] * d.x[0] + side->turn[0][1] * d.x[1] + side->turn[0][2] * d.x[2],
                      side->turn[1][0] * d.x[0] + side->turn[1][1] * d.x[1] + side->turn[1][2] * d.x[2],
                      side->turn[2][0] * d.x[0] + side->turn[2][1] * d.x[1] + side->turn[2][2] * d.x[2]}};
}

/* A direction of other's frame, in own's. */
static inline abut_d3 abut_np_turned_back(const abut_np_side *side, abut_d3 d) {
    return (abut_d3){{side->turn[0][0] * d.x[0] + side->turn[1][0] * d.x[1] + side->turn[2][0] * d.x[2],
                      side->turn[0][1] * d.x[0] + side->turn[1][1] * d.x[1] + side->turn[2][1] * d.x[2],
                      side->turn[0][2] * d.x[0] + side->turn[1][2] * d.x[1] + side->turn[2][2] * d.x[2]}};
}

/* A point of other's frame, in own's. */
static inline abut_d3 abut_np_point_back(const abut_np_side *side, abut_d3 p) {
    return abut_d3_along(side->origin, 1, abut_np_turned_back(side, p));
}

#endif
