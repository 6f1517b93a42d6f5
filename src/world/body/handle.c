/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/body/body.h"

/* The only file that turns an id into a slot. */

abut_result abut_w_slot(const abut_world *world, abut_body_id body, uint32_t *slot) {
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (!abut_idpool_names(&world->ids, body.index1, body.generation)) {
        return ABUT_ERROR_HANDLE;
    }
    *slot = body.index1 - 1;
    return ABUT_OK;
}

abut_result abut_w_slot_to_change(const abut_world *world, abut_body_id body, uint32_t *slot) {
    if (world && world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    return abut_w_slot(world, body, slot);
}

abut_result abut_w_all_living(const abut_world *world, const abut_body_id *ids, size_t n) {
    if (!world || (n > 0 && !ids)) {
        return ABUT_ERROR_ARGUMENT;
    }
    for (size_t i = 0; i < n; i++) {
        if (!abut_idpool_names(&world->ids, ids[i].index1, ids[i].generation)) {
            return ABUT_ERROR_HANDLE;
        }
    }
    return ABUT_OK;
}

bool abut_body_is_valid(const abut_world *world, abut_body_id body) {
    uint32_t slot;
    return abut_w_slot(world, body, &slot) == ABUT_OK;
}
