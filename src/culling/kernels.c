/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "culling/kernels.h"

static const abut_cull_kernels *const kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_cull_kernels)};

const abut_cull_kernels *abut_cull_kernels_active(void) {
    return kernels[abut_isa_active()];
}
