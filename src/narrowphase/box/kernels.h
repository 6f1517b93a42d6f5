/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Kernels over many pairs of boxes at once. */
#ifndef ABUT_NARROWPHASE_BOX_KERNELS_H
#define ABUT_NARROWPHASE_BOX_KERNELS_H

#include "base/isa.h"
#include <abut/contact.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n pairs of boxes: box a of pair k starts index_a[k] strides from `a`, b likewise. What is there starts as an abut_obb
 * does: abut_obb and abut_collider both fit. */
typedef struct abut_np_obb_pairs {
    const void *a, *b;
    size_t stride_a, stride_b; /* in bytes */
    const uint32_t *index_a, *index_b;
    size_t n;
} abut_np_obb_pairs;

/* Place k is k strides of bytes from `first`. */
typedef struct abut_np_manifold_output {
    abut_manifold *first;
    size_t stride;
    const uint32_t *where;
} abut_np_manifold_output;

/* n rectangles on the ground and boxes: rectangle k starts index_plot[k] strides from `plot`, box k likewise. What is
 * there starts as abut_np_footprint does, and as abut_obb does. */
typedef struct abut_np_plot_pairs {
    const void *plot, *collider;
    size_t plot_stride, row_stride; /* in bytes */
    const uint32_t *index_plot, *index_row;
    int ground[2]; /* as in abut_np_footprint */
    size_t n;
} abut_np_plot_pairs;

struct abut_collider;

typedef struct abut_np_obb_kernels {
    /* The float stage of obb_separation.h: verdict[k] becomes an abut_np_verdict. A pair whose boxes are not valid, or
     * whose quaternions are not within 2^+-20 of unit length, is ABUT_NP_UNDECIDED. */
    void (*verdicts)(const abut_np_obb_pairs *pairs, float margin, uint8_t *verdict);
    /* The same, but that what touches by faces for certain is ABUT_NP_TOUCHING_BY_FACE; never where margin > 0. */
    void (*kinds)(const abut_np_obb_pairs *pairs, float margin, uint8_t *verdict);
    /* What that stage left open, for pairs of abut_collider: the verdict, exact, if both rotations only swap and flip
     * axes; else ABUT_NP_UNDECIDED. */
    void (*squares)(const abut_np_obb_pairs *pairs, float margin, uint8_t *verdict);
    /* The double stage, for pairs of abut_collider: axes[k] becomes what that stage could not settle, 0: touching, or
     * ABUT_NP_AXES_APART. */
    void (*axes)(const abut_np_obb_pairs *pairs, float margin, uint16_t *axes);
    /* Where they touch, for pairs of abut_collider with no gap over margin: place where[k] gets that of pair k, with
     * the normal from a to b. Its unused bytes are zero. by_face: all of them are ABUT_NP_TOUCHING_BY_FACE. */
    void (*manifolds)(const abut_np_obb_pairs *pairs, float margin, bool by_face, const abut_np_manifold_output *to);
    /* abut_collider_bounds_many for boxes alone. */
    void (*bounds)(const struct abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]);
    /* Rectangles against the shadows of boxes, all of them valid: ABUT_NP_APART, ABUT_NP_TOUCHING (they overlap by any
     * rule) or ABUT_NP_UNDECIDED. */
    void (*footprints)(const abut_np_plot_pairs *pairs, uint8_t *verdict);
} abut_np_obb_kernels;

/* Axes of a pair: bit i face i of a, bit 3 + j face j of b, bit 6 + 3 i + j edges i x j. */
enum { ABUT_NP_AXES_ALL = (1 << 15) - 1, ABUT_NP_AXES_APART = 1 << 15 };

ABUT_KERNEL_TABLES(abut_np_obb_kernels)
void ABUT_KERNEL(abut_np_obb_squares)(const abut_np_obb_pairs *pairs, float margin, uint8_t *verdict);
void ABUT_KERNEL(abut_np_obb_axes)(const abut_np_obb_pairs *pairs, float margin, uint16_t *axes);
void ABUT_KERNEL(abut_np_obb_manifolds)(const abut_np_obb_pairs *pairs, float margin, bool by_face,
                                        const abut_np_manifold_output *to);
void ABUT_KERNEL(abut_np_obb_bounds)(const struct abut_collider *collider, const uint32_t *index, size_t n, double more,
                                     float (*box)[6]);
void ABUT_KERNEL(abut_np_obb_footprints)(const abut_np_plot_pairs *pairs, uint8_t *verdict);

#endif
