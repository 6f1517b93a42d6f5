/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What culling does to many boxes at once. Each function is compiled for every instruction set; all of them return the
 * same bits. */
#ifndef ABUT_CULLING_KERNELS_H
#define ABUT_CULLING_KERNELS_H

#include "culling/culling.h"

typedef struct abut_cull_kernels {
    /* abut_cull_sides_of_bounds */
    void (*bounds)(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n, uint8_t *side);
    /* Writes first + k, ascending, for each of the n boxes k that the sphere round it does not put outside for certain.
     * Box k starts k * stride bytes from `boxes` and need not be valid. Returns how many there are. May write 15 more.
     */
    size_t (*spheres)(const abut_cull_view *view, const void *boxes, size_t stride, uint32_t first, size_t n,
                      uint32_t *index);
    /* The planes in float: an abut_side that is certain, or ABUT_CULL_UNDECIDED, as for every box that is not valid. */
    void (*planes)(const abut_cull_view *view, const abut_cull_boxes *boxes, uint8_t *side);
    /* All axes in double, for valid boxes: the abut_side. */
    void (*axes)(const abut_frustum *frustum, const abut_cull_boxes *boxes, uint8_t *side);
} abut_cull_kernels;

const abut_cull_kernels *abut_cull_kernels_active(void);

#endif
