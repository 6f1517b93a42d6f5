/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/lanes/lanes.h"
#include "narrowphase/box/kernels.h"

/* The kernels of one instruction set. */
const abut_np_box_kernels ABUT_KERNEL(abut_np_box_kernels) = {
    .lanes = ABUT_VD_LANES,
    .float_verdicts = ABUT_KERNEL(abut_np_box_float_verdicts),
    .float_kinds = ABUT_KERNEL(abut_np_box_float_kinds),
    .aligned_verdicts = ABUT_KERNEL(abut_np_box_aligned_verdicts),
    .double_axes = ABUT_KERNEL(abut_np_box_double_axes),
    .manifolds = ABUT_KERNEL(abut_np_box_manifolds)};
