/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/step.h"
#include <string.h>

/* The public calls that read the contacts of the last step. */

const abut_contact *abut_world_contacts(const abut_world *world, size_t *count) {
    size_t n = world ? world->current.count : 0;
    if (count) {
        *count = n;
    }
    if (n == 0) {
        return NULL;
    }
    abut_w_make_contacts(world);
    return world->current.contact;
}

/* A stable counting sort of the contacts by their b. */
static void index_by_b(const abut_world *world, const abut_w_contacts *list, uint32_t *by_b) {
    uint32_t *start = (uint32_t *)(void *)abut_bp_scratch(&world->bp);
    memset(start, 0, world->ids.used * sizeof *start);
    for (uint32_t i = 0; i < list->count; i++) {
        start[abut_w_pair_high(list->pair[i])]++;
    }
    (void)abut_radix_starts(start, world->ids.used);
    for (uint32_t i = 0; i < list->count; i++) {
        by_b[start[abut_w_pair_high(list->pair[i])]++] = i;
    }
}

void abut_w_index_by_b(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* const to the caller, but lists are made on demand */
    if (world->current.count > 0 && abut_once_begin(&own->by_b_made)) {
        abut_lock_take(&own->scratch);
        index_by_b(world, &world->current, world->index.by_b);
        abut_lock_release(&own->scratch);
        abut_once_end(&own->by_b_made);
    }
}

/* The first position whose contact has an index1 of at least this: of its b, in by_b, or of its a, in the list
 * itself. */
static uint32_t lower_bound(const abut_world *world, bool by_b, uint64_t index1) {
    const abut_w_contacts *list = &world->current;
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t slot =
            by_b ? abut_w_pair_high(list->pair[world->index.by_b[middle]]) : abut_w_pair_low(list->pair[middle]);
        if ((uint64_t)slot + 1 < index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t abut_body_contacts(const abut_world *world, abut_body_id body, uint32_t *indices, size_t capacity) {
    if (!abut_body_is_valid(world, body) || world->flags[body.index1 - 1] & ABUT_W_CREATED) {
        return 0; /* contacts in the slot of a body that was created since the step are those of an earlier one */
    }
    abut_w_index_by_b(world);
    size_t total = 0;
    /* Contacts in which the body is b come first: there the other body, their a, has a lower index. */
    for (int as_b = 1; as_b >= 0; as_b--) {
        uint32_t end = lower_bound(world, as_b, (uint64_t)body.index1 + 1);
        for (uint32_t at = lower_bound(world, as_b, body.index1); at < end; at++) {
            uint32_t index = as_b ? world->index.by_b[at] : at;
            if (indices && total < capacity) {
                indices[total] = index;
            }
            total++;
        }
    }
    return total;
}

const abut_contact_part *abut_world_parts(const abut_world *world, size_t *count) {
    size_t n = world ? world->current.parts.count : 0;
    if (count) {
        *count = n;
    }
    if (n == 0) {
        return NULL;
    }
    abut_w_make_contacts(world);
    return world->current.parts.part;
}
