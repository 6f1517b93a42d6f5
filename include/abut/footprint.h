/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Rectangles on the ground: the footprints of a strategy game's buildings. */
#ifndef ABUT_FOOTPRINT_H
#define ABUT_FOOTPRINT_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An oriented rectangle. `axis` is the direction of its local x axis, of any length; {0, 0} reads as {1, 0}. Half
 * extents are >= 0. The floats define it exactly. */
typedef struct abut_obb2 {
    abut_vec2 center; /**< its centre */
    abut_vec2 axis;   /**< direction of its local x axis, of any length */
    abut_vec2 half;   /**< half extents along that axis, and across it */
} abut_obb2;

/** Whether two shapes overlap if they share only points of their borders. */
typedef enum abut_touch {
    ABUT_TOUCH_IS_OVERLAP, /**< yes: shapes are closed, and one shared point is enough */
    ABUT_TOUCH_IS_FREE     /**< no: plots of a grid may share a border. Two shapes overlap unless a line separates them,
                                which may touch both; so a wall without thickness is still in the way */
} abut_touch;
ABUT_ASSERT_ENUM(abut_touch);

/** Returns whether two rectangles overlap. Exact under both rules (a gap or depth below 1e-28 of the sum of all lengths
 * counts as 0; that takes extents that differ by such a factor). False for invalid input: a null pointer, NaN,
 * infinity, a negative half extent, an unknown rule. Pure. Method: the four axes of the rectangles (McGuire, "2D OBB
 * intersection", flipcode 2003), in arithmetic of increasing precision until the answer is certain. */
ABUT_API bool abut_obb2_overlap(const abut_obb2 *a, const abut_obb2 *b, abut_touch touch);

#ifdef __cplusplus
}
#endif
#endif
