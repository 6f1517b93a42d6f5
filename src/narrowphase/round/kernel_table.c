/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/kernels.h"

/* The kernels of one instruction set. */
const abut_np_round_kernels ABUT_KERNEL(abut_np_round_kernels) = {
    .spheres = ABUT_KERNEL(abut_np_round_spheres),
    .segments = ABUT_KERNEL(abut_np_round_segments),
    .sphere_box = ABUT_KERNEL(abut_np_round_sphere_box),
    .capsule_box = ABUT_KERNEL(abut_np_round_capsule_box),
    .point_boxes = ABUT_KERNEL(abut_np_round_point_boxes)};
