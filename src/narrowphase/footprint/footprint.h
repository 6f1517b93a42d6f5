/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles on the ground against the shadows of colliders: the declarations that the files of this sub-room share.
 * docs/numerics.md, "Footprints", derives the stages. */
#ifndef ABUT_NARROWPHASE_FOOTPRINT_FOOTPRINT_H
#define ABUT_NARROWPHASE_FOOTPRINT_FOOTPRINT_H

#include "base/dd.h"
#include "narrowphase/narrowphase.h"

/* A collider projected onto the ground, in the rectangle's frame: its centre is the origin, its axis the x axis. The
 * collider's local point l projects to base + sum of l[k] (x[k], y[k]). Each (x[k], y[k]) is accurate to 50 u of its
 * own length, however short it is. */
typedef struct abut_np_shadow {
    double base[2], x[3], y[3];
} abut_np_shadow;

/* The same in double-double, and the rectangle's half extents; all are scaled by one common factor > 0. */
typedef struct abut_np_shadow_dd {
    abut_dd base[2], half[2], x[3], y[3];
} abut_np_shadow_dd;

void abut_np_shadow_of(const abut_np_footprint *footprint, const abut_collider *collider, abut_np_shadow *shadow);
void abut_np_shadow_dd_of(const abut_np_footprint *footprint, const abut_collider *collider, abut_np_shadow_dd *shadow);

/* The same for another rectangle, which has two local axes; the third is 0. Neither rectangle's axis is zero. */
void abut_np_shadow_dd_of_rectangle(const abut_obb2 *rectangle, const abut_obb2 *other, abut_np_shadow_dd *shadow);

/* In double-double, a gap or overlap below this times S counts as touching. */
#define ABUT_NP_FOOTPRINT_BAND 0x1p-95

/* Whether one of these axes separates the rectangle from the zonogon of all points with |l[k]| <= extent[k]. Bits 0
 * and 1 of `axes` are the rectangle's axes, bit 2 + k is the normal of the generator (x[k], y[k]). */
bool abut_np_zonogon_free(const abut_np_shadow_dd *shadow, const float *extent, uint32_t axes, abut_touch touch);

/* The minimum translation of a rectangle that separates it from a shadow, to within rounding, in the rectangle's frame.
 */
typedef struct abut_np_footprint_mtv {
    double depth, direction[2]; /* a unit vector */
    bool overlaps;              /* they certainly overlap; false: not known */
} abut_np_footprint_mtv;

/* What depends on the type of the shape. The shape table cannot hold it, because it lies on a lower floor. */
typedef struct abut_np_footprint_shape {
    bool (*meets)(const abut_np_footprint *footprint, const abut_collider *collider);
    abut_np_footprint_mtv (*mtv)(const abut_np_footprint *footprint, const abut_collider *collider,
                                 const abut_np_shadow *shadow);
    bool in_kernel; /* the kernel may decide it */
} abut_np_footprint_shape;

/* By abut_shape_type. */
extern const abut_np_footprint_shape abut_np_footprint_shapes[ABUT_SHAPE_TYPES];

bool abut_np_footprint_meets_box(const abut_np_footprint *footprint, const abut_collider *collider);
bool abut_np_footprint_meets_hull(const abut_np_footprint *footprint, const abut_collider *collider);
abut_np_footprint_mtv abut_np_footprint_mtv_box(const abut_np_footprint *footprint, const abut_collider *collider,
                                                const abut_np_shadow *shadow);
abut_np_footprint_mtv abut_np_footprint_mtv_hull(const abut_np_footprint *footprint, const abut_collider *collider,
                                                 const abut_np_shadow *shadow);

/* The unit vector along a rectangle's local x. (1, 0) and its quarter turns are exact. */
void abut_np_footprint_axis(abut_vec2 axis, double unit[2]);

#endif
