/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/box/separation.h"
#include "base/spatial.h"
#include "narrowphase/kernels.h"

/* One pair as a list of one. The portable kernels stop at the first gap; wide ones would fill a register with copies.
 */
static abut_np_obb_pairs only(const abut_collider *a, const abut_collider *b) {
    static const uint32_t first = 0;
    return (abut_np_obb_pairs){.a = a, .b = b, .index_a = &first, .index_b = &first, .n = 1};
}

abut_np_verdict abut_np_obb_verdict_float(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_obb_pairs pair = only(a, b);
    uint8_t verdict;
    ABUT_KERNEL(abut_np_obb_kernels).verdicts(&pair, margin, &verdict);
    return (abut_np_verdict)verdict;
}

abut_np_axes abut_np_obb_axes_double(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_obb_pairs pair = only(a, b);
    uint16_t axes;
    ABUT_KERNEL(abut_np_obb_kernels).axes(&pair, margin, &axes);
    return axes;
}

abut_np_verdict abut_np_obb_verdict_square(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_obb_pairs pair = only(a, b);
    uint8_t verdict;
    ABUT_KERNEL(abut_np_obb_kernels).squares(&pair, margin, &verdict);
    return (abut_np_verdict)verdict;
}

/* What is left after the double stage. */
static bool separated_exactly(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes axes) {
    if (axes && axes != ABUT_NP_AXES_APART) {
        axes = abut_np_obb_axes_shared(a, b, margin, axes);
    }
    return axes == ABUT_NP_AXES_APART || (axes && abut_np_obb_separated_dd(a, b, margin, axes));
}

bool abut_np_obb_separated(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_verdict verdict = abut_np_obb_verdict_float(a, b, margin);
    if (verdict == ABUT_NP_UNDECIDED) {
        verdict = abut_np_obb_verdict_square(a, b, margin);
    }
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict == ABUT_NP_APART;
    }
    return separated_exactly(a, b, margin, abut_np_obb_axes_double(a, b, margin));
}

static const abut_collider *row_at(const void *rows, size_t stride, uint32_t index) {
    return (const abut_collider *)(const void *)((const char *)rows + stride * index);
}

enum { BLOCK = 256 };

/* Pairs that are still open; open.n of them, at[k] is where pair k stands in the block. */
typedef struct open_list {
    abut_np_obb_pairs pairs;
    uint32_t index_a[BLOCK], index_b[BLOCK];
    uint8_t at[BLOCK];
} open_list;

/* Writes what is decided and keeps the rest. `from` may be the list itself, `at` its places; NULL: 0, 1, 2, ... */
static void keep_open(const abut_np_obb_pairs *from, const uint8_t *at, const uint8_t *verdict, open_list *open,
                      uint8_t *decided) {
    size_t n = from->n, left = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t a = from->index_a[k], b = from->index_b[k];
        uint8_t place = at ? at[k] : (uint8_t)k;
        open->index_a[left] = a;
        open->index_b[left] = b;
        open->at[left] = place;
        left += verdict[k] == ABUT_NP_UNDECIDED;
        decided[place] = verdict[k];
    }
    open->pairs.n = left;
}

static bool any_open(const uint8_t *verdict, size_t n) {
    unsigned any = 0;
    for (size_t k = 0; k < n; k++) {
        any |= verdict[k] == ABUT_NP_UNDECIDED;
    }
    return any;
}

/* At most BLOCK pairs. */
static size_t decide_block(const abut_np_obb_pairs *of, float margin, bool kinds, uint8_t *decided) {
    const abut_np_obb_kernels *kernels = abut_np_obb_kernels_active();
    uint8_t verdict[BLOCK];
    uint16_t axes[BLOCK];
    open_list open;
    (kinds ? kernels->kinds : kernels->verdicts)(of, margin, decided);
    if (!any_open(decided, of->n)) {
        return 0;
    }
    open.pairs = *of;
    open.pairs.index_a = open.index_a, open.pairs.index_b = open.index_b;
    keep_open(of, NULL, decided, &open, decided);
    size_t second_stage = open.pairs.n;
    kernels->squares(&open.pairs, margin, verdict);
    keep_open(&open.pairs, open.at, verdict, &open, decided);
    kernels->axes(&open.pairs, margin, axes);
    for (size_t k = 0; k < open.pairs.n; k++) {
        const abut_collider *a = row_at(of->a, of->stride_a, open.index_a[k]);
        const abut_collider *b = row_at(of->b, of->stride_b, open.index_b[k]);
        decided[open.at[k]] = separated_exactly(a, b, margin, axes[k]) ? ABUT_NP_APART : ABUT_NP_TOUCHING;
    }
    return second_stage;
}

size_t abut_np_obb_verdicts_many(const abut_np_obb_pairs *pairs, float margin, bool kinds, uint8_t *verdict) {
    abut_np_obb_pairs block = *pairs;
    size_t second_stage = 0;
    for (size_t done = 0; done < pairs->n; done += BLOCK) {
        block.index_a = pairs->index_a + done;
        block.index_b = pairs->index_b + done;
        block.n = pairs->n - done < BLOCK ? pairs->n - done : BLOCK;
        second_stage += decide_block(&block, margin, kinds, verdict + done);
    }
    return second_stage;
}
