/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. */
#include "base/lanes.h"
#include "narrowphase/obb_kernels.h"
#include "narrowphase/obb_separation.h"

static void verdicts(const abut_np_obb_pairs *pairs, float margin, uint8_t *verdict) {
    (void)margin;
    for (size_t k = 0; k < pairs->n; k++) {
        verdict[k] = ABUT_NP_UNDECIDED;
    }
}

const abut_np_obb_kernels ABUT_NP_OBB_KERNELS = {.verdicts = verdicts};
