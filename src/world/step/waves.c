/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

/* A step on several workers. Candidates come in waves of some thousand. A wave is one loop over shares, one for each
 * worker: a share first writes its blocks of the last wave to the new list, and then takes blocks of this wave, as long
 * as there are any, and resolves them. (Where the last wave has found parts of contacts with meshes, all its blocks are
 * written in a loop of their own, because the parts of this wave come into the same list.) Between two loops the
 * calling thread adds up what the blocks will write: that is where they write it. So the list is that of a walk block
 * by block, whoever does what.
 *
 * A block covers the contacts of the last step that come after the last candidate of the block before, up to its own
 * last candidate. Blocks become smaller towards the end of a wave, so that all shares end at nearly the same time. */

enum { LEAST = 32 /* candidates of a block, but for the last */ };

typedef struct wave {
    abut_world *world;
    uint32_t shares, rooms_each;
    const abut_bp_pair *pair; /* the candidates */
    uint32_t n, blocks;
    uint32_t passed;       /* contacts of the last step that earlier waves have passed */
    abut_atomic_u32 next;  /* the first block that nobody has taken */
    abut_atomic_u32 parts; /* elements of abut_world::found that are taken */
} wave;

/* How many pairs of a sorted list come before this one. Elements begin with their pair. */
static uint32_t count_before(const void *list, size_t size, uint32_t n, uint64_t order) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const abut_w_pair *pair = (const abut_w_pair *)(const void *)((const char *)list + middle * size);
        if (pair->order < order) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Contacts of the last step up to this pair, and hints before it. */
static uint32_t contacts_to(const abut_world *world, abut_bp_pair pair) {
    const abut_w_contacts *old = &world->current;
    return count_before(old->pair, sizeof *old->pair, old->count, abut_w_pair_of(pair.low, pair.high).order + 1);
}

static uint32_t hints_before(const abut_world *world, abut_bp_pair pair) {
    const abut_w_hints *last = &world->hints;
    return count_before(last->entry, sizeof *last->entry, last->count, abut_w_pair_of(pair.low, pair.high).order);
}

static void resolve(const wave *w, uint32_t k, abut_w_room *room, abut_w_part_room *parts) {
    abut_world *world = w->world;
    const uint32_t *first = world->waves.first;
    const abut_bp_pair *pair = w->pair + first[k];
    uint32_t n = first[k + 1] - first[k], begin = k > 0 ? contacts_to(world, pair[-1]) : w->passed;
    abut_w_last last = {begin, world->hints.count > 0 ? hints_before(world, pair[0]) : 0};
    room->merge = (abut_w_merge){.passed = begin, .end = contacts_to(world, pair[n - 1])};
    room->second_stage = 0;
    room->block.hint = world->hinted && !world->fixed ? room->hint : NULL;
    abut_w_classify(world, pair, n, &last, &room->block);
    room->unfinished = abut_w_resolve_meshes(world, &room->block, parts) != ABUT_OK;
    if (!room->unfinished) {
        abut_w_resolve(world->collider, world->margin, &room->block, &room->second_stage);
    }
    if (!room->unfinished && !world->should_collide) {
        room->adds = abut_w_merge_count(world, room->merge, &room->block);
    }
}

static void write_room(abut_world *world, abut_w_room *room) {
    abut_w_merge_all(world, &room->merge, &room->block);
    if (room->block.hints > 0) {
        memcpy(&world->next_hints.entry[room->hint_at], room->hint, room->block.hints * sizeof *room->hint);
    }
}

static void write_share(void *context, uint32_t index, uint32_t worker) {
    const wave *w = context;
    abut_w_share *share = &w->world->waves.share[index];
    (void)worker; /* a share has its own memory */
    for (uint32_t r = 0; r < share->blocks; r++) {
        write_room(w->world, &w->world->waves.room[(size_t)index * w->rooms_each + r]);
    }
    share->blocks = 0;
}

static void run_share(void *context, uint32_t index, uint32_t worker) {
    wave *w = context;
    abut_world *world = w->world;
    abut_w_share *share = &world->waves.share[index];
    abut_w_room *room = &world->waves.room[(size_t)index * w->rooms_each];
    write_share(w, index, worker);
    share->parts = (abut_w_part_room){.taken = &w->parts};
    while (share->blocks < w->rooms_each) {
        uint32_t k = abut_atomic_add(&w->next, 1);
        if (k >= w->blocks) {
            return;
        }
        world->waves.room_of[k] = index * w->rooms_each + share->blocks;
        resolve(w, k, &room[share->blocks++], &share->parts);
    }
}

static void filter_share(void *context, uint32_t index, uint32_t worker) {
    const wave *w = context;
    const abut_w_waves *waves = &w->world->waves;
    (void)worker; /* a share has its own memory */
    for (uint32_t r = 0; r < waves->share[index].blocks; r++) {
        abut_w_room *room = &waves->room[index * w->rooms_each + r];
        abut_w_merge_filter(w->world, &room->block);
        room->adds = abut_w_merge_count(w->world, room->merge, &room->block);
    }
}

static abut_w_room *room_of(const wave *w, uint32_t k) {
    return &w->world->waves.room[w->world->waves.room_of[k]];
}

/* Cuts the next candidates into blocks: whole ones first, then smaller and smaller ones. At most 3.2 * cut + 1 blocks
 * are not whole ones, and there are rooms for 4 * cut of them. */
static void cut(wave *w, abut_w_candidates *candidates) {
    abut_w_waves *waves = &w->world->waves;
    uint32_t rooms = w->shares * w->rooms_each, most_blocks = rooms - rooms / 4;
    uint32_t cut = 3 * (w->shares < 16 ? w->shares : 16), whole = most_blocks > 4 * cut ? most_blocks - 4 * cut : 0;
    w->n = abut_w_next_candidates(w->world, candidates, ABUT_W_BLOCK * (whole + cut), waves->pair, &w->pair);
    w->blocks = 0;
    for (uint32_t at = 0; at < w->n; w->blocks++) {
        uint32_t size = (w->n - at) / cut;
        size = size < LEAST ? LEAST : size > ABUT_W_BLOCK ? ABUT_W_BLOCK : size;
        waves->first[w->blocks] = at;
        at += size < w->n - at ? size : w->n - at;
    }
    waves->first[w->blocks] = w->n;
    w->next = 0;
    w->parts = 0;
}

/* Counts what the blocks will write, and makes room for it. */
static abut_result place(wave *w, abut_w_merge *merge, size_t done, size_t *second_stage) {
    abut_world *world = w->world;
    abut_w_merge end = *merge;
    uint32_t hints = 0;
    for (uint32_t k = 0; k < w->blocks; k++) {
        abut_w_room *room = room_of(w, k);
        const abut_w_merge adds = room->adds;
        room->merge.contacts = end.contacts;
        room->merge.parts = end.parts;
        room->merge.ended = end.ended;
        room->merge.stored = end.stored;
        room->hint_at = world->next_hints.count + hints;
        end.contacts += adds.contacts;
        end.parts += adds.parts;
        end.ended += adds.ended;
        end.stored += adds.stored;
        end.copied += adds.copied;
        end.persisting += adds.persisting;
        end.passed = adds.passed;
        hints += room->block.hints;
        *second_stage += room->second_stage;
        world->blocks++;
        world->moved_blocks += room->block.moved;
    }
    bool keep_hints = hints > 0 && abut_w_reserve_hints(world, hints);
    for (uint32_t k = 0; k < w->blocks && !keep_hints; k++) {
        room_of(w, k)->block.hints = 0;
    }
    world->next_hints.count += keep_hints ? hints : 0;
    abut_result result = abut_w_merge_reserve(world, merge, &end, done);
    *merge = end;
    return result;
}

static bool any_unfinished(const wave *w) {
    for (uint32_t k = 0; k < w->blocks; k++) {
        if (room_of(w, k)->unfinished) {
            return true;
        }
    }
    return false;
}

/* Where parts do not fit the list: resolves the wave again, block by block, which needs less room at a time; and makes
 * the list larger for the next wave, unless the step may still stay within the capacity, and then allocates nothing. */
static abut_result resolve_again(wave *w, abut_w_merge *merge, size_t *done, size_t *second_stage) {
    enum { PARTS_LEAST = 4096 };
    abut_world *world = w->world;
    abut_w_last last = {merge->passed, 0};
    abut_result result = abut_w_make_contacts_of(world, w->pair, w->n, &last, merge, done, second_stage);
    for (uint32_t k = 0; k < w->shares; k++) {
        world->waves.share[k].blocks = 0;
    }
    bool beyond = abut_bp_pair_count(&world->bp) > world->pair_capacity || merge->parts > world->pair_capacity;
    if (!result && beyond) { /* never in a world of fixed capacity */
        uint64_t wanted = 2 * (uint64_t)world->found.block.capacity;
        world->found.count = 0;
        (void)abut_w_reserve_parts(world, &world->found, wanted > PARTS_LEAST ? wanted : PARTS_LEAST);
    }
    return result;
}

static abut_result finish(wave *w, abut_w_merge *merge, size_t *done, size_t *second_stage) {
    abut_world *world = w->world;
    if (any_unfinished(w)) {
        return resolve_again(w, merge, done, second_stage);
    }
    if (world->should_collide) {
        world->state = ABUT_W_FROZEN;
        abut_workers_loop(&world->workers, w->shares, filter_share, w);
        world->state = ABUT_W_IDLE;
    }
    *done += w->n;
    return place(w, merge, *done, second_stage);
}

bool abut_w_waves_pay(abut_world *world) {
    size_t least = world->mesh_count > 0 ? ABUT_W_WAVE_LEAST_WITH_MESHES : ABUT_W_WAVE_LEAST;
    if (abut_workers_count(&world->workers) < 2 || abut_w_candidate_count(world) < least) {
        return false;
    }
    return world->fixed ? world->waves.block.capacity > 0 : abut_w_reserve_waves(world) == ABUT_OK;
}

abut_result abut_w_make_waves(abut_world *world, abut_w_merge *merge, size_t *second_stage) {
    uint32_t workers = abut_workers_count(&world->workers);
    wave w = {.world = world, .shares = workers, .rooms_each = abut_w_rooms_each(workers)};
    abut_w_candidates candidates = {0, 0};
    abut_result result = ABUT_OK;
    size_t done = 0;
    memset(world->waves.share, 0, workers * sizeof *world->waves.share);
    do {
        const bool parts_wait = abut_atomic_load(&w.parts) > 0;
        w.passed = merge->passed;
        cut(&w, &candidates);
        if (parts_wait && w.n > 0) { /* in abut_world::found, where this wave will put its own */
            abut_workers_loop(&world->workers, w.shares, write_share, &w);
        }
        abut_workers_loop(&world->workers, w.shares, run_share, &w);
        result = w.n > 0 ? finish(&w, merge, &done, second_stage) : ABUT_OK;
    } while (w.n > 0 && !result);
    return result;
}
