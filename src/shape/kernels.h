/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of the shape room. */
#ifndef ABUT_SHAPE_KERNELS_H
#define ABUT_SHAPE_KERNELS_H

#include "base/isa.h"
#include "shape/collider.h"

typedef struct abut_shape_kernels {
    /* abut_collider_bounds_many where all colliders are boxes. */
    void (*box_bounds)(const abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]);
} abut_shape_kernels;

ABUT_KERNEL_TABLES(abut_shape_kernels)

/* The table of the instruction set in use. */
const abut_shape_kernels *abut_shape_kernels_active(void);

#endif
