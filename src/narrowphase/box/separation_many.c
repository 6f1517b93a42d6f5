/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/box/separation.h"
#include "narrowphase/kernels.h"

enum { BLOCK = 256 };

/* The pairs that are still undecided; at[k] is the number of pair k in its block. */
typedef struct open_list {
    abut_np_box_pairs pairs;
    uint32_t index_a[BLOCK], index_b[BLOCK];
    uint8_t at[BLOCK];
} open_list;

/* Writes the verdicts that are decided, and lists the pairs that are not. `from` and `at` may be those of the list
 * itself; `at` NULL stands for 0, 1, 2, ... */
static void keep_open(const abut_np_box_pairs *from, const uint8_t *at, const uint8_t *verdict, open_list *open,
                      uint8_t *decided) {
    size_t n = from->n, left = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t a = from->index_a[k], b = from->index_b[k];
        uint8_t number = at ? at[k] : (uint8_t)k;
        open->index_a[left] = a;
        open->index_b[left] = b;
        open->at[left] = number;
        left += verdict[k] == ABUT_NP_UNDECIDED;
        decided[number] = verdict[k];
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
static size_t decide_block(const abut_np_box_pairs *of, float margin, bool kinds, uint8_t *decided) {
    const abut_np_box_kernels *kernels = abut_np_box_kernels_active();
    uint8_t verdict[BLOCK];
    uint16_t axes[BLOCK];
    open_list open;
    (kinds ? kernels->float_kinds : kernels->float_verdicts)(of, margin, decided);
    if (!any_open(decided, of->n)) {
        return 0;
    }
    open.pairs = *of;
    open.pairs.index_a = open.index_a, open.pairs.index_b = open.index_b;
    keep_open(of, NULL, decided, &open, decided);
    size_t second_stage = open.pairs.n;
    kernels->aligned_verdicts(&open.pairs, margin, verdict);
    keep_open(&open.pairs, open.at, verdict, &open, decided);
    kernels->double_axes(&open.pairs, margin, axes);
    for (size_t k = 0; k < open.pairs.n; k++) {
        const abut_collider *a = abut_np_box_collider_at(of->a, of->stride_a, open.index_a[k]);
        const abut_collider *b = abut_np_box_collider_at(of->b, of->stride_b, open.index_b[k]);
        decided[open.at[k]] = abut_np_box_separated_exactly(a, b, margin, axes[k]) ? ABUT_NP_APART : ABUT_NP_TOUCHING;
    }
    return second_stage;
}

size_t abut_np_box_verdicts_many(const abut_np_box_pairs *pairs, float margin, bool kinds, uint8_t *verdict) {
    abut_np_box_pairs block = *pairs;
    size_t second_stage = 0;
    for (size_t done = 0; done < pairs->n; done += BLOCK) {
        block.index_a = pairs->index_a + done;
        block.index_b = pairs->index_b + done;
        block.n = pairs->n - done < BLOCK ? pairs->n - done : BLOCK;
        second_stage += decide_block(&block, margin, kinds, verdict + done);
    }
    return second_stage;
}
