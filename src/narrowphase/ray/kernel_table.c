/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/lanes/lanes.h"
#include "narrowphase/ray/kernels.h"

/* The kernels of one instruction set. */
const abut_np_ray_kernels ABUT_KERNEL(abut_np_ray_kernels) = {.lanes = ABUT_VD_LANES,
                                                              .boxes = ABUT_KERNEL(abut_np_ray_boxes),
                                                              .spheres = ABUT_KERNEL(abut_np_ray_spheres),
                                                              .rounds = ABUT_KERNEL(abut_np_ray_rounds),
                                                              .clip = ABUT_KERNEL(abut_np_ray_clip)};
