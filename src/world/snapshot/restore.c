/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world.h"
#include <abut/snapshot.h>

abut_result abut_world_restore(abut_world *world, const void *bytes, size_t size, const abut_shape_finder *finder) {
    (void)world, (void)bytes, (void)size, (void)finder;
    return ABUT_ERROR_FORMAT;
}
