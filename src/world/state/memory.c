/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"

/* All memory of a world: how much it has reserved, how much of it is in use, and its release. */

typedef struct part {
    const abut_block *block;
    uint64_t used; /* elements */
} part;

enum { PARTS = 21 };

/* Every block of the world except those of broad phases, once. Blocks that every step fills anew count with what the
 * last step left in them. */
static void list_parts(const abut_world *world, part parts[PARTS]) {
    uint64_t ends = world->events.end_count;
    uint64_t listed = ends > 0 && abut_once_is_made(&world->events_made) ? world->current.count + ends : 0;
    bool apart = listed > world->events.block.capacity; /* events are where the next contacts will be */
    bool whole = !world->contacts_pending || abut_once_is_made(&world->contacts_made);
    const part all[PARTS] = {
        {&world->body_block, world->ids.live_count},
        {&world->attachments.block, world->attachments.live},
        {&world->filters.block, world->filters.live},
        {&world->hints.block, world->hints.count},
        {&world->next_hints.block, 0},
        {&world->current.keys, world->current.count},
        {&world->current.places, world->current.direct ? 0 : world->current.count},
        {&world->current.block, whole ? world->current.count : world->current.stored},
        {&world->current.parts.block, world->current.parts.count},
        {&world->next.keys, 0},
        {&world->next.places, 0},
        {&world->next.block, apart ? listed : 0},
        {&world->next.parts.block, 0},
        {&world->found.block, 0},
        {&world->single.block, 0},
        {&world->waves.block, 0},
        {&world->events.ends, ends},
        {&world->events.block, apart ? 0 : listed},
        {&world->index.block, world->current.count},
        {&world->sweep.marks, 0},
        {&world->sweep.block, 0},
    };
    for (int i = 0; i < PARTS; i++) {
        parts[i] = all[i];
    }
}

size_t abut_w_reserved(const abut_world *world) {
    part parts[PARTS];
    list_parts(world, parts);
    size_t bytes = sizeof *world + abut_bp_bytes(&world->bp) + abut_bp_bytes(&world->sweep.bp);
    for (int i = 0; i < PARTS; i++) {
        bytes += parts[i].block->bytes;
    }
    return bytes;
}

void abut_world_memory(const abut_world *world, size_t *in_use, size_t *reserved) {
    size_t used = 0;
    part parts[PARTS];
    if (world) {
        list_parts(world, parts);
        used = sizeof *world + abut_bp_used_bytes(&world->bp, world->ids.live_count);
    }
    for (int i = 0; i < PARTS && world; i++) {
        const abut_block *block = parts[i].block;
        used += block->capacity ? (size_t)(parts[i].used * (block->bytes / block->capacity)) : 0;
    }
    if (in_use) {
        *in_use = used;
    }
    if (reserved) {
        *reserved = world ? abut_w_reserved(world) : 0;
    }
}

void abut_w_release(abut_world *world) {
    part parts[PARTS];
    list_parts(world, parts);
    for (int i = 0; i < PARTS; i++) {
        abut_block_release((abut_block *)parts[i].block, &world->allocator);
    }
    abut_bp_release(&world->bp, &world->allocator);
    abut_bp_release(&world->sweep.bp, &world->allocator);
}
