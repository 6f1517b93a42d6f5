/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The points of a rectangle and of a core's shadow that are closest to each other, where the two are apart. */
#ifndef ABUT_NARROWPHASE_FOOTPRINT_CLOSEST_H
#define ABUT_NARROWPHASE_FOOTPRINT_CLOSEST_H

#include "narrowphase/footprint/footprint.h"

/* Points of a core whose convex hull is the core, in the frame of the shape, and edges between them. The outline of the
 * shadow consists of projections of some of the edges, and all projections lie in the shadow: so the distance of a
 * rectangle that is apart from the shadow is the least distance from any edge. */
typedef struct abut_np_outline {
    uint32_t points, edges;
    const abut_vec3 *point;
    const abut_hull_edge *edge; /* of which only the two points are read */
    abut_vec3 corner[8];        /* where `point` points to, unless the core is a hull */
} abut_np_outline;

void abut_np_outline_of(const abut_collider *collider, abut_np_outline *outline);

typedef struct abut_np_closest_feature {
    double distance;   /* the least one found; INFINITY: certainly farther than `far` */
    uint32_t feature;  /* that of the core's shadow: a point, or edge feature - points */
    bool is_separated; /* certain, as all points are beyond one side of the rectangle by more than `far` */
} abut_np_closest_feature;

/* Computes in double, to within rounding, if the two are apart; else the result is at least the distance. Returns the
 * first distance that it finds below `near`. Distances beyond `far` need not be found. */
abut_np_closest_feature abut_np_closest_of(const abut_np_outline *outline, const abut_np_shadow *shadow,
                                           const double half[2], double near, double far);

/* The direction in which the rectangle moves away from such a feature, a unit vector; {0, 0} where it shares the point
 * or the side. */
void abut_np_closest_direction(const abut_np_outline *outline, const abut_np_shadow *shadow, const double half[2],
                               uint32_t feature, double direction[2]);

/* Whether every point and edge that is not farther than `far` in double is at least g from the rectangle, by the touch
 * rule. In double-double. */
bool abut_np_closest_clear(const abut_np_outline *outline, const abut_np_shadow *shadow, const double half[2],
                           double far, const abut_np_shadow_dd *accurate, double band, abut_touch touch);

#endif
