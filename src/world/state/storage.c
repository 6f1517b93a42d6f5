/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/index.h"
#include "world/query/query.h"
#include "world/state/state.h"

/* The columns of the world's blocks: the one place where its memory is laid out. */

static const abut_column body_columns[] = {
    ABUT_COLUMN(abut_world, ids.generation),
    ABUT_COLUMN(abut_world, ids.link),
    ABUT_COLUMN(abut_world, collider),
    ABUT_COLUMN(abut_world, body_user),
    ABUT_COLUMN(abut_world, attachment_plus_one),
    ABUT_COLUMN(abut_world, filter_plus_one),
    ABUT_COLUMN(abut_world, flags),
    ABUT_COLUMN(abut_world, traits),
    ABUT_COLUMN(abut_world, bp.box),
    ABUT_COLUMN(abut_world, bp.role),
    ABUT_COLUMN(abut_world, bp.active),
    ABUT_COLUMN(abut_world, bp.spare),
};

static const abut_column copy_columns[] = {
    ABUT_COLUMN(abut_world, bp.copies.min[0]),
    ABUT_COLUMN(abut_world, bp.copies.min[1]),
    ABUT_COLUMN(abut_world, bp.copies.min[2]),
    ABUT_COLUMN(abut_world, bp.copies.max[0]),
    ABUT_COLUMN(abut_world, bp.copies.max[1]),
    ABUT_COLUMN(abut_world, bp.copies.max[2]),
    ABUT_COLUMN(abut_world, bp.copies.key),
    ABUT_COLUMN(abut_world, bp.order),
    {(uint32_t)offsetof(abut_world, bp.resting_start), 1}, /* there are far fewer columns than copies */
    {(uint32_t)offsetof(abut_world, bp.active_start), 1},
};

static const abut_column block_columns[] = {
    ABUT_COLUMN(abut_world, bp.blocks.min[0]), ABUT_COLUMN(abut_world, bp.blocks.min[1]),
    ABUT_COLUMN(abut_world, bp.blocks.min[2]), ABUT_COLUMN(abut_world, bp.blocks.max[0]),
    ABUT_COLUMN(abut_world, bp.blocks.max[1]), ABUT_COLUMN(abut_world, bp.blocks.max[2]),
};

static const abut_column superblock_columns[] = {
    ABUT_COLUMN(abut_world, bp.superblocks.min[0]), ABUT_COLUMN(abut_world, bp.superblocks.min[1]),
    ABUT_COLUMN(abut_world, bp.superblocks.min[2]), ABUT_COLUMN(abut_world, bp.superblocks.max[0]),
    ABUT_COLUMN(abut_world, bp.superblocks.max[1]), ABUT_COLUMN(abut_world, bp.superblocks.max[2]),
};

/* For eight keys each. Of superblocks there is one to eight blocks: half of the room is theirs. */
static const abut_column index_columns[] = {
    {(uint32_t)offsetof(abut_world, bp.index.key), 8 * sizeof(uint32_t)},
    {(uint32_t)offsetof(abut_world, bp.index.listed), 1},
    ABUT_COLUMN(abut_world, bp.index.blocks.min[0]),
    ABUT_COLUMN(abut_world, bp.index.blocks.min[1]),
    ABUT_COLUMN(abut_world, bp.index.blocks.min[2]),
    ABUT_COLUMN(abut_world, bp.index.blocks.max[0]),
    ABUT_COLUMN(abut_world, bp.index.blocks.max[1]),
    ABUT_COLUMN(abut_world, bp.index.blocks.max[2]),
    {(uint32_t)offsetof(abut_world, bp.index.superblocks.min[0]), 1},
    {(uint32_t)offsetof(abut_world, bp.index.superblocks.min[1]), 1},
    {(uint32_t)offsetof(abut_world, bp.index.superblocks.min[2]), 1},
    {(uint32_t)offsetof(abut_world, bp.index.superblocks.max[0]), 1},
    {(uint32_t)offsetof(abut_world, bp.index.superblocks.max[1]), 1},
    {(uint32_t)offsetof(abut_world, bp.index.superblocks.max[2]), 1},
};

static const abut_column attachment_columns[] = {
    ABUT_COLUMN(abut_world, attachments.owner),
    ABUT_COLUMN(abut_world, attachment),
};

static const abut_column filter_columns[] = {
    ABUT_COLUMN(abut_world, filters.owner),
    ABUT_COLUMN(abut_world, filter),
};

static const abut_column pair_columns[] = {
    ABUT_COLUMN(abut_world, bp.pool),
};

static const abut_column contact_columns[] = {
    ABUT_COLUMN(abut_w_contacts, contact),
    ABUT_COLUMN(abut_w_contacts, pair),
    ABUT_COLUMN(abut_w_contacts, by_b),
    ABUT_COLUMN(abut_w_contacts, ended),
};

static const abut_column event_columns[] = {
    ABUT_COLUMN(abut_w_events, event),
};

static const abut_column hint_columns[] = {
    ABUT_COLUMN(abut_w_hints, entry),
};

enum {
    BODY_COLUMNS = sizeof body_columns / sizeof body_columns[0],
    COPY_COLUMNS = sizeof copy_columns / sizeof copy_columns[0],
    INDEX_COLUMNS = sizeof index_columns / sizeof index_columns[0],
    BLOCK_COLUMNS = sizeof block_columns / sizeof block_columns[0],
    SIDE_COLUMNS = sizeof attachment_columns / sizeof attachment_columns[0],
    PAIR_COLUMNS = sizeof pair_columns / sizeof pair_columns[0],
    CONTACT_COLUMNS = sizeof contact_columns / sizeof contact_columns[0]
};
_Static_assert(sizeof filter_columns == sizeof attachment_columns, "side tables have an owner and one column more");

/* A world of fixed capacity gets exactly what it asks for at creation and nothing later. */
static uint32_t room_for(const abut_world *world, const abut_block *block, uint64_t count) {
    if (world->fixed) {
        return (uint32_t)count;
    }
    return abut_block_grown(block->capacity, count > SIZE_MAX ? SIZE_MAX : (size_t)count);
}

/* Room for the copies of so many bodies. They are made anew in the next step. */
static abut_result reserve_copies(abut_world *world, uint64_t count) {
    uint64_t copies = count + count / 2 + 2 * ABUT_BP_SLACK;
    if (copies <= world->copy_block.capacity) {
        return ABUT_OK;
    }
    abut_bp_activate_all(&world->bp);
    abut_w_query_reset(world);
    const abut_allocator *allocator = &world->allocator;
    abut_result result = abut_block_reserve(&world->superblock_block, world, superblock_columns, BLOCK_COLUMNS,
                                            allocator, 0, (uint32_t)(copies / 64 + ABUT_BP_SLACK));
    result = result ? result
                    : abut_block_reserve(&world->block_block, world, block_columns, BLOCK_COLUMNS, allocator, 0,
                                         (uint32_t)(copies / 8 + ABUT_BP_SLACK));
    result = result ? result
                    : abut_block_reserve(&world->copy_block, world, copy_columns, COPY_COLUMNS, allocator, 0,
                                         (uint32_t)copies);
    world->bp.copy_capacity = world->copy_block.capacity > 0 ? world->copy_block.capacity - ABUT_BP_SLACK : 0;
    return result;
}

/* It is made anew when it is wanted. */
static abut_result reserve_index(abut_world *world, uint64_t count) {
    uint64_t eights = count / 8 + ABUT_BP_INDEX_SLACK;
    if (eights <= world->index_block.capacity) {
        return ABUT_OK;
    }
    abut_w_index_reset(world);
    return abut_block_reserve(&world->index_block, world, index_columns, INDEX_COLUMNS, &world->allocator, 0,
                              (uint32_t)eights);
}

abut_result abut_w_reserve_bodies(abut_world *world, uint64_t count) {
    if (count > world->body_limit) {
        return world->fixed ? ABUT_ERROR_CAPACITY : ABUT_ERROR_MEMORY;
    }
    count += 1; /* counting sorts want one more than there are slots */
    if (count <= world->body_block.capacity) {
        return ABUT_OK;
    }
    uint32_t room = room_for(world, &world->body_block, count);
    abut_result result = reserve_copies(world, room);
    result = result ? result : reserve_index(world, room);
    return result ? result
                  : abut_block_reserve(&world->body_block, world, body_columns, BODY_COLUMNS, &world->allocator,
                                       world->ids.used, room);
}

static abut_result reserve_side(abut_world *world, abut_w_side_table *side, const abut_column *columns, uint64_t more) {
    uint64_t count = side->live + more;
    if (count <= side->block.capacity) {
        return ABUT_OK;
    }
    return abut_block_reserve(&side->block, world, columns, SIDE_COLUMNS, &world->allocator, side->used,
                              room_for(world, &side->block, count));
}

abut_result abut_w_reserve_attachments(abut_world *world, uint64_t more) {
    return reserve_side(world, &world->attachments, attachment_columns, more);
}

abut_result abut_w_reserve_filters(abut_world *world, uint64_t more) {
    return reserve_side(world, &world->filters, filter_columns, more);
}

/* Little beyond what is needed: hardly anything is copied when rows get a larger block. */
static uint32_t room_for_rows(const abut_world *world, uint64_t count) {
    uint64_t more = world->fixed ? 0 : count / 8;
    return (uint32_t)abut_bp_pool_for(count + more < UINT32_MAX / 4 ? count + more : count);
}

abut_result abut_w_reserve_pairs(abut_world *world, uint64_t count) {
    if (count > world->pair_limit) {
        return world->fixed ? ABUT_ERROR_CAPACITY : ABUT_ERROR_MEMORY;
    }
    if (abut_bp_pool_for(count) <= world->pair_block.capacity) {
        return ABUT_OK;
    }
    if (abut_bp_pool_for(count) > UINT32_MAX - 1) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = abut_block_reserve(&world->pair_block, world, pair_columns, PAIR_COLUMNS, &world->allocator,
                                            (uint32_t)world->bp.resting_pairs, room_for_rows(world, count));
    world->bp.pool_capacity = world->pair_block.capacity;
    return result;
}

abut_result abut_w_reserve_contacts(abut_world *world, abut_w_contacts *list, uint64_t count) {
    if (count <= list->block.capacity) {
        return ABUT_OK;
    }
    if (count > UINT32_MAX - 1) {
        return ABUT_ERROR_MEMORY;
    }
    return abut_block_reserve(&list->block, list, contact_columns, CONTACT_COLUMNS, &world->allocator, list->count,
                              room_for(world, &list->block, count));
}

abut_result abut_w_reserve_events(abut_world *world, uint64_t count) {
    abut_w_events *events = &world->events;
    if (count <= events->block.capacity) {
        return ABUT_OK;
    }
    if (count > UINT32_MAX - 1) {
        return ABUT_ERROR_MEMORY;
    }
    return abut_block_reserve(&events->block, events, event_columns, 1, &world->allocator, 0,
                              room_for(world, &events->block, count));
}

bool abut_w_reserve_hint_list(abut_world *world, abut_w_hints *list, uint64_t count) {
    return count <= list->block.capacity ||
           (count < UINT32_MAX && abut_block_reserve(&list->block, list, hint_columns, 1, &world->allocator,
                                                     list->count, room_for(world, &list->block, count)) == ABUT_OK);
}

abut_result abut_w_reserve_all_hints(abut_world *world) {
    bool room = world->fixed || (abut_w_reserve_hint_list(world, &world->hints, world->pair_capacity) &&
                                 abut_w_reserve_hint_list(world, &world->next_hints, world->pair_capacity));
    return room ? ABUT_OK : ABUT_ERROR_MEMORY;
}

void abut_w_release(abut_world *world) {
    abut_block_release(&world->hints.block, &world->allocator);
    abut_block_release(&world->next_hints.block, &world->allocator);
    abut_block_release(&world->body_block, &world->allocator);
    abut_block_release(&world->copy_block, &world->allocator);
    abut_block_release(&world->block_block, &world->allocator);
    abut_block_release(&world->superblock_block, &world->allocator);
    abut_block_release(&world->index_block, &world->allocator);
    abut_block_release(&world->attachments.block, &world->allocator);
    abut_block_release(&world->filters.block, &world->allocator);
    abut_block_release(&world->pair_block, &world->allocator);
    abut_block_release(&world->current.block, &world->allocator);
    abut_block_release(&world->next.block, &world->allocator);
    abut_block_release(&world->events.block, &world->allocator);
}
