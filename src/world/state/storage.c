/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/block.h"

/* The columns of the world's blocks. This file alone decides how the memory of a world is laid out. */

static const abut_column body_columns[] = {
    ABUT_COLUMN(abut_world, ids.generation),
    ABUT_COLUMN(abut_world, ids.link),
    ABUT_COLUMN(abut_world, collider),
    ABUT_COLUMN(abut_world, body_user),
    ABUT_COLUMN(abut_world, attachment_plus_one),
    ABUT_COLUMN(abut_world, filter_plus_one),
    ABUT_COLUMN(abut_world, flags),
    ABUT_COLUMN(abut_world, traits),
    ABUT_COLUMN(abut_world, noted_plus_one),
    {(uint32_t)offsetof(abut_world, note), sizeof(abut_w_note) / ABUT_W_BODIES_EACH_NOTE},
};

static const abut_column attachment_columns[] = {
    ABUT_COLUMN(abut_world, attachments.owner),
    ABUT_COLUMN(abut_world, attachment),
};

static const abut_column filter_columns[] = {
    ABUT_COLUMN(abut_world, filters.owner),
    ABUT_COLUMN(abut_world, filter),
};

static const abut_column key_columns[] = {
    ABUT_COLUMN(abut_w_contacts, pair),
};

static const abut_column place_columns[] = {
    ABUT_COLUMN(abut_w_contacts, at),
    ABUT_COLUMN(abut_w_contacts, previous1),
};

static const abut_column contact_columns[] = {
    ABUT_COLUMN(abut_w_contacts, contact),
};

static const abut_column index_columns[] = {
    ABUT_COLUMN(abut_w_index, by_b),
    ABUT_COLUMN(abut_w_index, ids),
    ABUT_COLUMN(abut_w_index, ended),
};

static const abut_column part_columns[] = {
    ABUT_COLUMN(abut_w_parts, part),
};

static const abut_column end_columns[] = {
    ABUT_COLUMN(abut_w_events, end),
};

static const abut_column event_columns[] = {
    ABUT_COLUMN(abut_w_events, room),
};

static const abut_column single_columns[] = {
    ABUT_COLUMN(abut_w_single, in_flight),
};

static const abut_column wave_columns[] = {
    ABUT_COLUMN(abut_w_waves, room),
    ABUT_COLUMN(abut_w_waves, share),
    {(uint32_t)offsetof(abut_w_waves, pair), ABUT_W_BLOCK * sizeof(abut_bp_pair)},
    {(uint32_t)offsetof(abut_w_waves, first), 2 * sizeof(uint32_t)},
    ABUT_COLUMN(abut_w_waves, room_of),
};

static const abut_column hint_columns[] = {
    ABUT_COLUMN(abut_w_hints, entry),
};

static const abut_column mark_columns[] = {
    ABUT_COLUMN(abut_w_sweep, moving_plus_one),
};

static const abut_column moving_columns[] = {
    ABUT_COLUMN(abut_w_sweep, moving),
    ABUT_COLUMN(abut_w_sweep, first),
};

enum {
    BODY_COLUMNS = sizeof body_columns / sizeof body_columns[0],
    WAVE_COLUMNS = sizeof wave_columns / sizeof wave_columns[0],
    SIDE_COLUMNS = sizeof attachment_columns / sizeof attachment_columns[0]
};
_Static_assert(sizeof(abut_w_note) % ABUT_W_BODIES_EACH_NOTE == 0, "elements of columns have whole bytes");
_Static_assert(sizeof filter_columns == sizeof attachment_columns, "side tables have an owner and one column more");

/* A world of fixed capacity reserves exactly its capacities, at creation. */
static uint32_t room_for(const abut_world *world, const abut_block *block, uint64_t count) {
    if (world->fixed) {
        return (uint32_t)count;
    }
    return abut_block_grown(block->capacity, count > SIZE_MAX ? SIZE_MAX : (size_t)count);
}

/* The same for keys of the broad phase, of which there must not be more than it takes. */
static uint32_t room_for_keys(const abut_world *world, const abut_block *block, uint64_t count) {
    const uint32_t room = room_for(world, block, count);
    return room > ABUT_BP_TREE_KEYS_MAX && count <= ABUT_BP_TREE_KEYS_MAX ? ABUT_BP_TREE_KEYS_MAX : room;
}

abut_result abut_w_reserve_bodies(abut_world *world, uint64_t count) {
    if (count > world->body_limit) {
        return world->fixed ? ABUT_ERROR_CAPACITY : ABUT_ERROR_MEMORY;
    }
    count += 1; /* counting sorts need one element more than there are slots */
    if (count <= world->body_block.capacity) {
        return ABUT_OK;
    }
    uint32_t room = room_for_keys(world, &world->body_block, count);
    abut_once_reset(&world->tree_made);
    abut_result result = abut_bp_reserve(&world->bp, &world->allocator, room);
    return result ? result
                  : abut_block_reserve(&world->body_block, world, body_columns, BODY_COLUMNS, &world->allocator,
                                       world->ids.used, room);
}

static abut_result reserve_side_table(abut_world *world, abut_w_side_table *side, const abut_column *columns,
                                      uint64_t more) {
    uint64_t count = side->live + more;
    if (count <= side->block.capacity) {
        return ABUT_OK;
    }
    return abut_block_reserve(&side->block, world, columns, SIDE_COLUMNS, &world->allocator, side->used,
                              room_for(world, &side->block, count));
}

abut_result abut_w_reserve_attachments(abut_world *world, uint64_t more) {
    return reserve_side_table(world, &world->attachments, attachment_columns, more);
}

abut_result abut_w_reserve_filters(abut_world *world, uint64_t more) {
    return reserve_side_table(world, &world->filters, filter_columns, more);
}

/* Reserves only an eighth more than needed: growing again is cheap, because only pairs of resting bodies are copied. */
abut_result abut_w_reserve_pairs(abut_world *world, uint64_t count) {
    if (count > world->pair_limit) {
        return world->fixed ? ABUT_ERROR_CAPACITY : ABUT_ERROR_MEMORY;
    }
    uint64_t more = world->fixed ? count : count + count / 8;
    return abut_bp_reserve_pairs(&world->bp, &world->allocator, more < UINT32_MAX / 4 ? more : count);
}

/* Lists of contacts take the most memory of all and follow the number of contacts, which changes little from step to
 * step: they grow by an eighth at least. */
static uint32_t room_for_list(const abut_world *world, const abut_block *block, uint64_t count) {
    enum { LEAST = 16 };
    uint64_t grown = (uint64_t)block->capacity + block->capacity / 8;
    grown = world->fixed || grown < count ? count : grown;
    return grown < LEAST && !world->fixed ? LEAST : grown < UINT32_MAX ? (uint32_t)grown : UINT32_MAX - 1;
}

/* A world of fixed capacity has all lists from its creation on, with room for all contacts of candidates; those that a
 * snapshot has made up may be more. */
static abut_result reserve_list(const abut_world *world, abut_block *block, void *owner, const abut_column *columns,
                                size_t column_count, uint32_t used, uint64_t count) {
    if (count <= block->capacity) {
        return ABUT_OK;
    }
    if (world->fixed && block->capacity > 0) {
        return ABUT_ERROR_CAPACITY;
    }
    if (count > UINT32_MAX - 1) {
        return ABUT_ERROR_MEMORY;
    }
    return abut_block_reserve(block, owner, columns, column_count, &world->allocator, used,
                              room_for_list(world, block, count));
}

abut_result abut_w_reserve_keys(abut_world *world, abut_w_contacts *list, uint64_t count) {
    return reserve_list(world, &list->keys, list, key_columns, 1, list->count, count);
}

abut_result abut_w_reserve_places(abut_world *world, abut_w_contacts *list, uint64_t count) {
    return reserve_list(world, &list->places, list, place_columns, 2, list->count, count);
}

abut_result abut_w_reserve_contacts(abut_world *world, abut_w_contacts *list, uint64_t count) {
    return reserve_list(world, &list->block, list, contact_columns, 1, list->stored, count);
}

abut_result abut_w_reserve_index(abut_world *world, abut_w_contacts *spare, uint64_t contacts, uint64_t ends) {
    abut_w_events *events = &world->events;
    abut_w_index *index = &world->index;
    bool own = world->should_collide != NULL; /* which may read events while a step writes to all other lists */
    abut_block *block = own ? &events->block : &spare->block;
    abut_contact **room = own ? &events->room : &spare->contact;
    abut_w_contacts grown = {.contact = *room};
    uint64_t listed = ends > 0 ? contacts + ends : 0;
    uint32_t used = ends < index->block.capacity ? (uint32_t)ends : index->block.capacity; /* of `ended` */
    abut_result result = reserve_list(world, &events->ends, events, end_columns, 1, events->end_count, ends);
    if (!result && listed > events->block.capacity && listed > block->capacity) {
        result = reserve_list(world, &grown.block, &grown, contact_columns, 1, block->capacity,
                              room_for_list(world, block, listed));
    }
    result = result ? result : reserve_list(world, &index->block, index, index_columns, 3, used, contacts);
    if (result) {
        abut_block_release(&grown.block, &world->allocator);
    } else if (grown.block.capacity > 0) {
        abut_block_release(block, &world->allocator);
        *block = grown.block;
        *room = grown.contact;
    }
    return result;
}

abut_result abut_w_reserve_events(abut_world *world, uint64_t count) {
    abut_w_events *events = &world->events;
    return reserve_list(world, &events->block, events, event_columns, 1, 0, count);
}

abut_result abut_w_reserve_parts(abut_world *world, abut_w_parts *list, uint64_t count) {
    if (count <= list->block.capacity) {
        return ABUT_OK;
    }
    if (world->fixed && count > world->pair_capacity) {
        return ABUT_ERROR_CAPACITY;
    }
    if (count > UINT32_MAX - 1) {
        return ABUT_ERROR_MEMORY;
    }
    return abut_block_reserve(&list->block, list, part_columns, 1, &world->allocator, list->count,
                              room_for(world, &list->block, count));
}

abut_result abut_w_reserve_all_parts(abut_world *world) {
    uint32_t workers = abut_workers_count(&world->workers), capacity = world->pair_capacity;
    uint64_t pieces = workers > 1 && !world->fixed ? (uint64_t)workers * ABUT_W_PIECE : 0;
    abut_result result = abut_w_reserve_parts(world, &world->current.parts, capacity);
    result = result ? result : abut_w_reserve_parts(world, &world->next.parts, capacity);
    return result ? result : abut_w_reserve_parts(world, &world->found, capacity + pieces);
}

bool abut_w_reserve_hint_list(abut_world *world, abut_w_hints *list, uint64_t count) {
    return count <= list->block.capacity ||
           (count < UINT32_MAX && abut_block_reserve(&list->block, list, hint_columns, 1, &world->allocator,
                                                     list->count, room_for(world, &list->block, count)) == ABUT_OK);
}

abut_result abut_w_reserve_all_hints(abut_world *world) {
    bool room = world->fixed || (abut_w_reserve_hint_list(world, &world->hints, world->pair_capacity) &&
                                 abut_w_reserve_hint_list(world, &world->next_hints, world->pair_capacity));
    world->hinted = world->hinted || room;
    return room ? ABUT_OK : ABUT_ERROR_MEMORY;
}

abut_result abut_w_reserve_single(abut_world *world) {
    abut_w_single *single = &world->single;
    return single->in_flight ? ABUT_OK
                             : abut_block_reserve(&single->block, single, single_columns, 1, &world->allocator, 0, 1);
}

abut_result abut_w_reserve_waves(abut_world *world) {
    abut_w_waves *waves = &world->waves;
    uint32_t workers = abut_workers_count(&world->workers),
             rooms = workers > 1 ? abut_w_rooms_each(workers) * workers : 0;
    return rooms <= waves->block.capacity
               ? ABUT_OK
               : abut_block_reserve(&waves->block, waves, wave_columns, WAVE_COLUMNS, &world->allocator, 0, rooms);
}

abut_result abut_w_reserve_sweep(abut_world *world, uint64_t count, bool several) {
    abut_w_sweep *sweep = &world->sweep;
    uint32_t slots = world->body_block.capacity;
    abut_result result = slots <= sweep->marks.capacity
                             ? ABUT_OK
                             : abut_block_reserve(&sweep->marks, sweep, mark_columns, 1, &world->allocator, 0, slots);
    if (!result && count > sweep->block.capacity) {
        result = abut_block_reserve(&sweep->block, sweep, moving_columns, 2, &world->allocator, 0,
                                    room_for_keys(world, &sweep->block, count));
    }
    return result || !several ? result : abut_bp_reserve(&sweep->bp, &world->allocator, sweep->block.capacity);
}
