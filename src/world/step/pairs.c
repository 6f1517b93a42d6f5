/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/step/step.h"

const abut_pair *abut_world_pairs(const abut_world *world, size_t *count) {
    size_t n = world ? world->current.count : 0;
    if (count) {
        *count = n;
    }
    if (n == 0) {
        return NULL;
    }
    abut_world *own = (abut_world *)world; /* const to the caller, but lists are made on demand */
    const abut_w_contacts *list = &world->current;
    if (abut_once_begin(&own->ids_made)) {
        for (size_t i = 0; i < n; i++) {
            list->ids[i] = (abut_pair){list->contact[i].a, list->contact[i].b};
        }
        abut_once_end(&own->ids_made);
    }
    return list->ids;
}
