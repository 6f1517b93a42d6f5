/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles on the ground against shadows, inside this room. The ways to look at a shadow are those of
 * docs/numerics.md, "Footprints". */
#ifndef ABUT_NARROWPHASE_FOOTPRINT_FOOTPRINT_H
#define ABUT_NARROWPHASE_FOOTPRINT_FOOTPRINT_H

#include "base/dd.h"
#include "narrowphase/narrowphase.h"

/* A row on the ground as a rectangle sees it, its centre being the origin and its axis x: the row's local point l lies
 * at base + sum of l[k] (x[k], y[k]). Each (x[k], y[k]) is good to 50 u of its own length, however short it is. */
typedef struct abut_np_shadow {
    double base[2], x[3], y[3];
} abut_np_shadow;

/* The same in double-double, and everything, the rectangle's half extents too, some number > 0 as large. */
typedef struct abut_np_shadow_dd {
    abut_dd base[2], half[2], x[3], y[3];
} abut_np_shadow_dd;

void abut_np_shadow_of(const abut_np_footprint *plot, const abut_collider *collider, abut_np_shadow *shadow);
void abut_np_shadow_dd_of(const abut_np_footprint *plot, const abut_collider *collider, abut_np_shadow_dd *shadow);

/* Of another rectangle: it has two local axes, the third is 0. The axes are not zero. */
void abut_np_shadow_dd_of_rectangle(const abut_obb2 *plot, const abut_obb2 *other, abut_np_shadow_dd *shadow);

/* What is still within this times S of touching in double-double touches. */
#define ABUT_NP_FOOTPRINT_BAND 0x1p-95

/* Whether one of some axes parts the rectangle from the zonogon of all points with |l[k]| <= reach[k]. Axes are the
 * rectangle's two and the normals of the generators (x[k], y[k]), bit i of `axes` being number i. */
bool abut_np_zonogon_free(const abut_np_shadow_dd *shadow, const float *reach, uint32_t axes, abut_touch touch);

/* A translation of the rectangle that parts it from a shadow, in the rectangle's frame. */
typedef struct abut_np_footprint_way {
    double depth, direction[2]; /* a unit vector */
    bool overlaps;              /* they overlap for certain; false: this has still to be tested */
} abut_np_footprint_way;

/* What depends on the type of the shape: the shape table's columns that need this room. */
typedef struct abut_np_footprint_shape {
    bool (*meets)(const abut_np_footprint *plot, const abut_collider *collider);
    /* The shortest way out, to within rounding. */
    abut_np_footprint_way (*way_out)(const abut_np_footprint *plot, const abut_collider *collider,
                                     const abut_np_shadow *shadow);
    bool in_kernel; /* the kernel decides it */
} abut_np_footprint_shape;

/* By abut_shape_type. */
extern const abut_np_footprint_shape abut_np_footprint_shapes[ABUT_SHAPE_TYPES];

bool abut_np_footprint_meets_box(const abut_np_footprint *plot, const abut_collider *collider);
bool abut_np_footprint_meets_hull(const abut_np_footprint *plot, const abut_collider *collider);
abut_np_footprint_way abut_np_footprint_way_out_of_box(const abut_np_footprint *plot, const abut_collider *collider,
                                                       const abut_np_shadow *shadow);
abut_np_footprint_way abut_np_footprint_way_out_of_hull(const abut_np_footprint *plot, const abut_collider *collider,
                                                        const abut_np_shadow *shadow);

/* The direction of a rectangle's local x, of unit length. (1, 0) and its quarter turns are exact. */
void abut_np_footprint_axis(abut_vec2 axis, double unit[2]);

#endif
