/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/kernels.h"

static const abut_bp_kernels *const kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_bp_kernels)};

const abut_bp_kernels *abut_bp_kernels_active(void) {
    return kernels[abut_isa_active()];
}
