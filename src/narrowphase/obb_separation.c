/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb_separation.h"
#include "base/spatial.h"
#include "narrowphase/kernels.h"

/* One pair as a list of one. The portable kernels stop at the first gap; wide ones would fill a register with copies.
 */
static abut_np_obb_pairs only(const abut_np_row *a, const abut_np_row *b) {
    static const uint32_t first = 0;
    return (abut_np_obb_pairs){.a = a, .b = b, .index_a = &first, .index_b = &first, .n = 1};
}

abut_np_verdict abut_np_obb_verdict_float(const abut_np_row *a, const abut_np_row *b, float margin) {
    abut_np_obb_pairs pair = only(a, b);
    uint8_t verdict;
    abut_np_obb_kernels_portable.verdicts(&pair, margin, &verdict);
    return (abut_np_verdict)verdict;
}

abut_np_axes abut_np_obb_axes_double(const abut_np_row *a, const abut_np_row *b, float margin) {
    abut_np_obb_pairs pair = only(a, b);
    uint16_t axes;
    abut_np_obb_kernels_portable.axes(&pair, margin, &axes);
    return axes;
}

/* What is left after the double stage. */
static bool separated_exactly(const abut_np_row *a, const abut_np_row *b, float margin, abut_np_axes axes) {
    if (axes && axes != ABUT_NP_AXES_APART) {
        axes = abut_np_obb_axes_shared(a, b, margin, axes);
    }
    return axes == ABUT_NP_AXES_APART || (axes && abut_np_obb_separated_dd(a, b, margin, axes));
}

bool abut_np_obb_separated(const abut_np_row *a, const abut_np_row *b, float margin) {
    abut_np_verdict verdict = abut_np_obb_verdict_float(a, b, margin);
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict == ABUT_NP_APART;
    }
    return separated_exactly(a, b, margin, abut_np_obb_axes_double(a, b, margin));
}

static const abut_np_row *row_at(const void *rows, size_t stride, uint32_t index) {
    return (const abut_np_row *)(const void *)((const char *)rows + stride * index);
}

enum { BLOCK = 256 };

/* At most BLOCK pairs. */
static void separated_block(const abut_np_obb_pairs *of, float margin, uint8_t *apart) {
    const abut_np_obb_kernels *kernels = abut_np_obb_kernels_active();
    uint32_t index_a[BLOCK], index_b[BLOCK];
    uint16_t axes[BLOCK];
    uint8_t at[BLOCK];
    abut_np_obb_pairs open = *of;
    open.index_a = index_a, open.index_b = index_b, open.n = 0;
    kernels->verdicts(of, margin, apart);
    for (size_t k = 0; k < of->n; k++) {
        index_a[open.n] = of->index_a[k];
        index_b[open.n] = of->index_b[k];
        at[open.n] = (uint8_t)k;
        open.n += apart[k] == ABUT_NP_UNDECIDED;
        apart[k] = apart[k] == ABUT_NP_APART;
    }
    kernels->axes(&open, margin, axes);
    for (size_t k = 0; k < open.n; k++) {
        const abut_np_row *a = row_at(of->a, of->stride_a, index_a[k]), *b = row_at(of->b, of->stride_b, index_b[k]);
        apart[at[k]] = separated_exactly(a, b, margin, axes[k]);
    }
}

void abut_np_obb_separated_many(const abut_np_obb_pairs *pairs, float margin, uint8_t *apart) {
    abut_np_obb_pairs block = *pairs;
    for (size_t done = 0; done < pairs->n; done += BLOCK) {
        block.index_a = pairs->index_a + done;
        block.index_b = pairs->index_b + done;
        block.n = pairs->n - done < BLOCK ? pairs->n - done : BLOCK;
        separated_block(&block, margin, apart + done);
    }
}
