/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Rectangles on the ground: what a strategy game's buildings stand on. */
#ifndef ABUT_FOOTPRINT_H
#define ABUT_FOOTPRINT_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A rectangle that may be turned. `axis` is the direction of its local x, of any length; {0, 0} reads as {1, 0}. Half
 * extents >= 0, along that axis and across it. The floats define it exactly. */
typedef struct abut_obb2 {
    abut_vec2 center; /**< its middle */
    abut_vec2 axis;   /**< direction of its local x, of any length */
    abut_vec2 half;   /**< half extents along and across it */
} abut_obb2;

/** What it means that two shapes touch, but only along their borders. */
typedef enum abut_touch {
    ABUT_TOUCH_IS_OVERLAP, /**< closed shapes: sharing a point is enough */
    ABUT_TOUCH_IS_FREE     /**< open ones: plots of a grid may share a border. They overlap unless some line parts
                                them, which may touch both; so a wall without thickness still stands in the way */
} abut_touch;
ABUT_ASSERT_ENUM(abut_touch);

/** Whether two rectangles overlap. Exact under both rules (a gap or depth below 1e-28 of what is added up counts as 0,
 * which takes extents that differ by as much). Invalid input (a null pointer, NaN, infinity, a negative
 * half extent, an unknown rule) is false. Pure. Method: the four axes of the rectangles (McGuire, "2D OBB
 * intersection", flipcode 2003), with arithmetic that is made sharper as long as it cannot tell. */
ABUT_API bool abut_obb2_overlap(const abut_obb2 *a, const abut_obb2 *b, abut_touch touch);

#ifdef __cplusplus
}
#endif
#endif
