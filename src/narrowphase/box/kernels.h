/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Kernels: they process many pairs of boxes at once. */
#ifndef ABUT_NARROWPHASE_BOX_KERNELS_H
#define ABUT_NARROWPHASE_BOX_KERNELS_H

#include "base/isa.h"
#include <abut/contact.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n pairs of boxes: box a of pair k is index_a[k] strides from `a`, box b likewise. The elements begin with the members
 * of abut_obb: abut_obb and abut_collider both do. */
typedef struct abut_np_box_pairs {
    const void *a, *b;
    size_t stride_a, stride_b; /* in bytes */
    const uint32_t *index_a, *index_b;
    size_t n;
} abut_np_box_pairs;

/* Where manifolds are written: that of pair k to the element where[k] of an array that begins at `first`. */
typedef struct abut_np_manifold_output {
    abut_manifold *first;
    size_t stride; /* in bytes */
    const uint32_t *where;
} abut_np_manifold_output;

typedef struct abut_np_box_kernels {
    uint32_t lanes; /* of doubles */
    /* The float stage of separation.h: verdict[k] becomes an abut_np_verdict. A pair whose boxes are not valid, or
     * whose quaternions are not within 2^+-20 of unit length, is ABUT_NP_UNDECIDED. */
    void (*float_verdicts)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict);
    /* The same, but a pair whose manifold is certain to be one of faces is ABUT_NP_TOUCHING_BY_FACE. With margin > 0 no
     * pair is. */
    void (*float_kinds)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict);
    /* The stage for boxes aligned with the world's axes, for pairs of abut_collider: the exact verdict if both
     * rotations only swap and flip axes, else ABUT_NP_UNDECIDED. */
    void (*aligned_verdicts)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict);
    /* The double stage, for pairs of abut_collider: axes[k] becomes the set of axes that this stage cannot decide
     * (none: the boxes touch), or ABUT_NP_AXES_APART. */
    void (*double_axes)(const abut_np_box_pairs *pairs, float margin, uint16_t *axes);
    /* The manifolds of pairs of abut_collider, none of which has a gap over margin. The normal points from a to b, and
     * unused bytes are zero. by_face: all pairs are ABUT_NP_TOUCHING_BY_FACE. */
    void (*manifolds)(const abut_np_box_pairs *pairs, float margin, bool by_face, const abut_np_manifold_output *to);
} abut_np_box_kernels;

/* Axes of a pair: bit i face i of a, bit 3 + j face j of b, bit 6 + 3 i + j edges i x j. */
enum { ABUT_NP_AXES_ALL = (1 << 15) - 1, ABUT_NP_AXES_APART = 1 << 15 };

ABUT_KERNEL_TABLES(abut_np_box_kernels)
void ABUT_KERNEL(abut_np_box_float_verdicts)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict);
void ABUT_KERNEL(abut_np_box_float_kinds)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict);
void ABUT_KERNEL(abut_np_box_aligned_verdicts)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict);
void ABUT_KERNEL(abut_np_box_double_axes)(const abut_np_box_pairs *pairs, float margin, uint16_t *axes);
void ABUT_KERNEL(abut_np_box_manifolds)(const abut_np_box_pairs *pairs, float margin, bool by_face,
                                        const abut_np_manifold_output *to);

#endif
