/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world.h"
#include <abut/snapshot.h>

size_t abut_world_save(const abut_world *world, void *bytes, size_t capacity) {
    (void)world, (void)bytes, (void)capacity;
    return 0;
}
