/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/kernels.h"

static const abut_shape_kernels *const kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_shape_kernels)};

const abut_shape_kernels *abut_shape_kernels_active(void) {
    return kernels[abut_isa_active()];
}
