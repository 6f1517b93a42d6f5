/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles on the ground against the shadows of colliders: the declarations that the files of this sub-room share.
 * docs/numerics.md, "Footprints", derives the stages.
 *
 * The shadow of a collider is that of its core, grown by a disc of its radius. With a clearance c and a radius r, the
 * rectangle is in the way when its distance from the core's shadow is at most g = r + c (or less than g, by the touch
 * rule). Where g is 0 only separating lines are needed: zonogon.c for boxes, hull.c for hulls. grown.c has the rest. */
#ifndef ABUT_NARROWPHASE_FOOTPRINT_FOOTPRINT_H
#define ABUT_NARROWPHASE_FOOTPRINT_FOOTPRINT_H

#include "base/dd.h"
#include "narrowphase/box/separation.h"

/* The core of a collider projected onto the ground, in the rectangle's frame: its centre is the origin, its axis the x
 * axis. The collider's local point l projects to base + sum of l[k] (x[k], y[k]). Each (x[k], y[k]) is accurate to 50 u
 * of its own length, however short it is. */
typedef struct abut_np_shadow {
    double base[2], x[3], y[3];
} abut_np_shadow;

/* The same in double-double, with the rectangle's half extents, and g; all are scaled by one common factor > 0. */
typedef struct abut_np_shadow_dd {
    abut_dd base[2], half[2], x[3], y[3], grow;
} abut_np_shadow_dd;

/* g: by how much the core's shadow is grown. */
static inline double abut_np_grow(const abut_np_footprint *footprint, const abut_collider *collider) {
    return (double)footprint->clearance + collider->radius;
}

void abut_np_shadow_of(const abut_np_footprint *footprint, const abut_collider *collider, abut_np_shadow *shadow);
void abut_np_shadow_dd_of(const abut_np_footprint *footprint, const abut_collider *collider, abut_np_shadow_dd *shadow);

/* The same for another rectangle, which has two local axes; the third is 0. Neither rectangle's axis is zero. */
void abut_np_shadow_dd_of_rectangle(const abut_obb2 *rectangle, const abut_obb2 *other, abut_np_shadow_dd *shadow);

/* In double-double, a gap or overlap below this times S counts as touching. */
#define ABUT_NP_FOOTPRINT_BAND 0x1p-95

/* Whether one of these axes separates the rectangle from the zonogon of all points with |l[k]| <= extent[k]. Bits 0
 * and 1 of `axes` are the rectangle's axes, bit 2 + k is the normal of the generator (x[k], y[k]). */
bool abut_np_zonogon_free(const abut_np_shadow_dd *shadow, const float *extent, uint32_t axes, abut_touch touch);

/* S: no sum of lengths in any stage exceeds it. `extent` is that of the core. */
static inline double abut_np_footprint_size(const abut_np_footprint *footprint, const abut_collider *collider,
                                            const abut_np_shadow *s, double extent) {
    double own = fabs(s->base[0]) + fabs(s->base[1]) + (footprint->half[0] + footprint->half[1]);
    return own + extent + abut_np_grow(footprint, collider);
}

/* In double-double: whether `value`, a distance less its limit, is large enough to be free by the touch rule. */
static inline bool abut_np_clear(double value, double band, abut_touch touch) {
    return touch == ABUT_TOUCH_IS_FREE ? value >= -band : value > band;
}

/* The gaps, without rounding of their signs, along both axes of the ground, of a rectangle and a box that are parallel
 * to them. False: they are not. */
bool abut_np_footprint_aligned_gaps(const abut_np_footprint *footprint, const abut_collider *collider, abut_dd gap[2]);

/* The minimum translation of a rectangle that separates it from a core's shadow, to within rounding, in the rectangle's
 * frame. Negative depths are gaps. */
typedef struct abut_np_footprint_mtv {
    double depth, direction[2]; /* a unit vector */
} abut_np_footprint_mtv;

/* What depends on the type of the core. The shape table cannot hold it, because it lies on a lower floor. Neither the
 * radius nor the clearance plays a part in these. */
typedef struct abut_np_footprint_shape {
    bool (*meets)(const abut_np_footprint *footprint, const abut_collider *collider);
    /* The same in double: ABUT_NP_TOUCHING where the two certainly overlap, ABUT_NP_APART where an axis certainly shows
     * a gap over `grow`. Above 0 it only answers where this is quick. */
    abut_np_verdict (*verdict)(const abut_np_footprint *footprint, const abut_collider *collider,
                               const abut_np_shadow *shadow, double grow);
    /* The least depth along the normals of all sides and, unless it is NULL, along the direction `also`. */
    abut_np_footprint_mtv (*mtv)(const abut_np_footprint *footprint, const abut_collider *collider,
                                 const abut_np_shadow *shadow, const double *also);
    bool in_kernel; /* the kernel may decide it */
} abut_np_footprint_shape;

/* By abut_shape_type. */
extern const abut_np_footprint_shape *const abut_np_footprint_shapes[ABUT_SHAPE_CONVEX_TYPES];

bool abut_np_footprint_meets_box(const abut_np_footprint *footprint, const abut_collider *collider);
bool abut_np_footprint_meets_hull(const abut_np_footprint *footprint, const abut_collider *collider);
abut_np_verdict abut_np_footprint_verdict_box(const abut_np_footprint *footprint, const abut_collider *collider,
                                              const abut_np_shadow *shadow, double grow);
abut_np_verdict abut_np_footprint_verdict_hull(const abut_np_footprint *footprint, const abut_collider *collider,
                                               const abut_np_shadow *shadow, double grow);
abut_np_footprint_mtv abut_np_footprint_mtv_box(const abut_np_footprint *footprint, const abut_collider *collider,
                                                const abut_np_shadow *shadow, const double *also);
abut_np_footprint_mtv abut_np_footprint_mtv_hull(const abut_np_footprint *footprint, const abut_collider *collider,
                                                 const abut_np_shadow *shadow, const double *also);

/* Whether the rectangle overlaps the shadow of a core grown by g > 0; `shape` is that of the collider. Exact. */
bool abut_np_footprint_meets_grown(const abut_np_footprint *footprint, const abut_collider *collider,
                                   const abut_np_footprint_shape *shape);
/* The minimum translation out of that, where the two overlap. */
abut_np_footprint_mtv abut_np_footprint_mtv_grown(const abut_np_footprint *footprint, const abut_collider *collider,
                                                  const abut_np_shadow *shadow, const abut_np_footprint_shape *shape);

/* The unit vector along a rectangle's local x. (1, 0) and its quarter turns are exact. */
void abut_np_footprint_axis(abut_vec2 axis, double unit[2]);

#endif
