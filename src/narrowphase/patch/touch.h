/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whether a core is near enough to a triangle, and the closest points. */
#ifndef ABUT_NARROWPHASE_PATCH_TOUCH_H
#define ABUT_NARROWPHASE_PATCH_TOUCH_H

#include "narrowphase/patch/cut.h"

/* What is known of the distance of a core from a triangle. */
typedef struct abut_np_touch {
    bool touches;
    bool overlap;     /* the cores share a point */
    bool closest;     /* the points below are known */
    abut_d3 on, from; /* closest points of the triangle and of the core; equal if they overlap */
    bool passed;      /* of a hull: what follows is known */
    abut_np_passage passage;
} abut_np_touch;

/* Of a core that is no point, whose lowest corner is not clearly farther than its reach over the triangle's plane.
 * `shared`: it is known that the cores share a point. With `closest` the closest points are found in any case,
 * unless the cores certainly overlap or do not touch. */
void abut_np_touch_of(const abut_np_seat *seat, const abut_np_facing *facing, abut_np_over *over, bool shared,
                      bool closest, abut_np_touch *out);

/* The closest points in any case; the shared point where the cores overlap. */
void abut_np_touch_closest(const abut_np_seat *seat, const abut_np_facing *facing, abut_np_touch *out);

#endif
