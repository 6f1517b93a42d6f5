/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of this sub-room: many rectangles against the shadows of boxes. */
#ifndef ABUT_NARROWPHASE_FOOTPRINT_KERNELS_H
#define ABUT_NARROWPHASE_FOOTPRINT_KERNELS_H

#include "base/isa.h"
#include <stddef.h>
#include <stdint.h>

/* n rectangles on the ground and boxes: rectangle k starts index_rectangle[k] strides from `rectangle`, and begins as
 * an abut_np_footprint does; box k starts index_collider[k] strides from `collider`, and begins as an abut_collider
 * does. */
typedef struct abut_np_footprint_kernel_pairs {
    const void *rectangle, *collider;
    size_t rectangle_stride, collider_stride; /* in bytes */
    const uint32_t *index_rectangle, *index_collider;
    int ground[2]; /* as in abut_np_footprint */
    size_t n;
} abut_np_footprint_kernel_pairs;

typedef struct abut_np_footprint_kernels {
    /* All rectangles and boxes are valid. verdict[k] becomes ABUT_NP_APART, ABUT_NP_TOUCHING (they overlap by any rule)
     * or ABUT_NP_UNDECIDED. */
    void (*verdicts)(const abut_np_footprint_kernel_pairs *pairs, uint8_t *verdict);
    /* The same where each box is grown by its radius, and each rectangle by its clearance: not both are 0 everywhere.
     * The other function takes all radii and clearances to be 0. */
    void (*grown_verdicts)(const abut_np_footprint_kernel_pairs *pairs, uint8_t *verdict);
} abut_np_footprint_kernels;

ABUT_KERNEL_TABLES(abut_np_footprint_kernels)

#endif
