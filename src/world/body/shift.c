/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world.h"

abut_result abut_world_shift(abut_world *world, abut_vec3 by) {
    (void)world, (void)by;
    return ABUT_ERROR_ARGUMENT;
}
