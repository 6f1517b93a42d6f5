/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
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
    abut_pair *ids = world->index.ids;
    if (abut_once_begin(&own->ids_made)) {
        for (size_t i = 0; i < n && !world->had_destroy; i++) {
            ids[i] = (abut_pair){abut_w_id(world, abut_w_pair_low(list->pair[i])),
                                 abut_w_id(world, abut_w_pair_high(list->pair[i]))};
        }
        if (world->had_destroy) { /* contacts know whose they were */
            abut_w_make_contacts(world);
        }
        for (size_t i = 0; i < n && world->had_destroy; i++) {
            ids[i] = (abut_pair){list->contact[i].a, list->contact[i].b};
        }
        abut_once_end(&own->ids_made);
    }
    return ids;
}
