/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

/* The new list of contacts is written once, from front to back, while a walk along the pairs of the old list decides
 * what begins, persists and ends. The old list is not modified until the step can no longer fail. */

/* Whether no contact has a manifold. */
static bool all_coarse(const abut_world *world) {
    return world->coarse_count == world->ids.live_count;
}

/* Whether the step writes only keys: if at most a quarter as many manifolds are new as there were contacts, and there
 * is room for them beside those that are stored. Otherwise it is cheaper to write all contacts once, in order. Nor if
 * should_collide is called during the step: it may read contacts. */
static bool writes_keys(const abut_world *world) {
    const abut_w_contacts *old = &world->current;
    uint64_t manifolds = all_coarse(world) ? 0 : abut_bp_active_pairs(&world->bp).count;
    return !world->should_collide && world->mesh_count == 0 && old->parts.count == 0 && manifolds <= old->count / 4 &&
           manifolds <= old->block.capacity - old->stored;
}

void abut_w_merge_begin(abut_world *world, abut_w_merge *merge) {
    abut_w_exchange_blocks(world);
    *merge = (abut_w_merge){.end = world->current.count, .stored = world->current.stored};
    world->next.count = world->next.parts.count = world->next.stored = 0;
    world->next.direct = !writes_keys(world);
}

/* Contacts of two resting bodies are copied between the hits, and should_collide may refuse hits: without either, the
 * block's hits are consecutive in the list. */
void abut_w_merge_choose_output(const abut_world *world, const abut_w_merge *merge, abut_w_block *block) {
    const abut_w_contacts *next = &world->next;
    size_t room = next->block.capacity - merge->contacts;
    if (block->moved_boxes && next->direct && !world->should_collide && abut_bp_resting_pairs(&world->bp).count == 0 &&
        room >= block->test[ABUT_DETAIL_MANIFOLD].n) {
        block->manifold = &next->contact[merge->contacts].manifold;
        block->stride = sizeof *next->contact;
    }
}

/* Makes room for this many contacts in the new list. */
static abut_result make_room(abut_world *world, const abut_w_merge *merge, uint64_t count) {
    abut_w_contacts *next = &world->next;
    if (count <= next->keys.capacity && count <= (next->direct ? next->block.capacity : next->places.capacity)) {
        return ABUT_OK;
    }
    next->count = merge->contacts;
    next->stored = next->direct ? merge->contacts : 0;
    abut_result result = abut_w_reserve_keys(world, next, count);
    return result         ? result
           : next->direct ? abut_w_reserve_contacts(world, next, count)
                          : abut_w_reserve_places(world, next, count);
}

static void write_contact(const abut_world *world, const abut_w_hit *hit, abut_contact *c) {
    uint32_t low = abut_w_pair_low(hit->pair), high = abut_w_pair_high(hit->pair);
    c->a = abut_w_id(world, low);
    c->b = abut_w_id(world, high);
    c->user_a = world->body_user[low];
    c->user_b = world->body_user[high];
    if (hit->manifold != &c->manifold) { /* it may have been written there: abut_w_merge_choose_output */
        c->manifold = *hit->manifold;
    }
    c->part_count = c->part_first = 0;
}

/* Appends a contact; there is room. Long lists lie outside the caches, so lines are prefetched before they are written.
 */
static abut_contact *append_contact(abut_world *world, abut_w_merge *merge, const abut_w_hit *hit, uint32_t previous1) {
    enum { AHEAD = 8, LINE = 64 };
    abut_w_contacts *next = &world->next;
    abut_contact *c = &next->contact[merge->contacts];
    if (merge->contacts + AHEAD < next->block.capacity) {
        ABUT_PREFETCH_TO_WRITE(&c[AHEAD]);
        ABUT_PREFETCH_TO_WRITE((char *)&c[AHEAD] + LINE);
    }
    next->pair[merge->contacts++] = hit->pair;
    write_contact(world, hit, c);
    c->phase = previous1 ? ABUT_PERSIST : ABUT_BEGIN;
    c->previous1 = previous1;
    return c;
}

/* Where the hit's manifold is among the stored contacts, or ABUT_W_NOT_STORED. */
static uint32_t place_of(const abut_world *world, const abut_w_hit *hit) {
    const abut_w_contacts *old = &world->current;
    uintptr_t offset = (uintptr_t)hit->manifold - (uintptr_t)old->contact; /* wraps if it is elsewhere */
    bool kept = offset < old->stored * sizeof *old->contact && !all_coarse(world);
    return kept ? (uint32_t)(offset / sizeof *old->contact) : ABUT_W_NOT_STORED;
}

static bool is_new(const abut_world *world, const abut_w_hit *hit) {
    return hit->manifold != &abut_w_no_manifold && !all_coarse(world) && place_of(world, hit) == ABUT_W_NOT_STORED;
}

/* Appends a contact's key; stores the contact if its manifold is new. There is room for both. */
static void append_key(abut_world *world, abut_w_merge *merge, const abut_w_hit *hit, uint32_t previous1) {
    abut_w_contacts *next = &world->next;
    uint32_t i = merge->contacts++;
    next->pair[i] = hit->pair;
    next->previous1[i] = previous1;
    next->at[i] = place_of(world, hit);
    if (is_new(world, hit)) {
        next->at[i] = merge->stored;
        write_contact(world, hit, &world->current.contact[merge->stored++]);
    }
}

static uint8_t is_resting(const abut_bp *bp, abut_w_pair pair) {
    return abut_bp_both_resting(bp, abut_w_pair_low(pair), abut_w_pair_high(pair));
}

/* The number of consecutive old contacts, from the first that has not been passed and before `limit`, that are pairs of
 * two resting bodies. Where no candidate is one, no contact is, whatever a snapshot has made up:
 * abut_w_merge_choose_output relies on it. */
static uint32_t resting_run(const abut_world *world, const abut_w_merge *merge, abut_w_pair limit) {
    const abut_w_contacts *old = &world->current;
    const abut_w_pair *pair = old->pair;
    const abut_bp *bp = &world->bp;
    uint32_t first = merge->passed, end = abut_bp_resting_pairs(bp).count > 0 ? merge->end : first, i = first;
    /* Four at a time without a branch, since nearly all rest where lists are long. */
    while (end - i >= 4 && pair[i + 3].order < limit.order &&
           (is_resting(bp, pair[i]) & is_resting(bp, pair[i + 1]) & is_resting(bp, pair[i + 2]) &
            is_resting(bp, pair[i + 3]))) {
        i += 4;
    }
    while (i < end && pair[i].order < limit.order && is_resting(bp, pair[i])) {
        i++;
    }
    return i - first;
}

/* first, first + 1, ... */
static void count_up(uint32_t *list, uint32_t n, uint32_t first) {
    for (uint32_t i = 0; i < n; i++) {
        list[i] = first + i;
    }
}

void abut_w_copy_keys(abut_world *world, abut_w_merge *merge, uint32_t n) {
    const abut_w_contacts *old = &world->current;
    abut_w_contacts *next = &world->next;
    uint32_t from = merge->passed, to = merge->contacts, *previous1 = next->previous1 + to, *at = next->at + to;
    memcpy(&next->pair[to], &old->pair[from], n * sizeof *next->pair);
    count_up(previous1, n, from + 1);
    if (all_coarse(world)) {
        memset(at, 0xff, n * sizeof *at); /* ABUT_W_NOT_STORED */
    } else if (old->direct) {
        count_up(at, n, from);
    } else {
        memcpy(at, &old->at[from], n * sizeof *at);
    }
    merge->persisting += n;
    merge->passed += n;
    merge->contacts += n;
    merge->copied += n;
}

/* Appends the next n old contacts, which persist unchanged; as many at a time as fit the nearest cache. There is
 * room. */
static abut_result copy_resting(abut_world *world, abut_w_merge *merge, uint32_t n) {
    enum { BATCH = 64 };
    const abut_w_contacts *old = &world->current;
    abut_w_contacts *next = &world->next;
    abut_result result = ABUT_OK;
    merge->persisting += n;
    merge->copied += n;
    while (n > 0 && !result) {
        uint32_t batch = n < BATCH ? n : BATCH;
        abut_contact *c = &next->contact[merge->contacts];
        if (old->ordered) {
            memcpy(c, &old->contact[merge->passed], batch * sizeof *c);
        }
        for (uint32_t i = 0; i < batch && !old->ordered; i++) {
            abut_w_contact_of(world, merge->passed + i, &c[i]);
        }
        memcpy(&next->pair[merge->contacts], &old->pair[merge->passed], batch * sizeof *next->pair);
        for (uint32_t i = 0; i < batch; i++) {
            c[i].phase = ABUT_PERSIST;
            c[i].previous1 = ++merge->passed;
        }
        for (uint32_t i = 0; i < batch && world->new_users; i++) {
            c[i].user_a = world->body_user[c[i].a.index1 - 1];
            c[i].user_b = world->body_user[c[i].b.index1 - 1];
        }
        result = old->parts.count > 0 ? abut_w_copy_parts(world, merge, c, batch) : ABUT_OK;
        merge->contacts += batch;
        n -= batch;
    }
    return result;
}

abut_result abut_w_merge_pass(abut_world *world, abut_w_merge *merge, abut_w_pair limit, uint32_t ahead) {
    const abut_w_contacts *old = &world->current;
    while (merge->passed < merge->end && old->pair[merge->passed].order < limit.order) {
        /* With should_collide, pairs of resting bodies are among the hits, so none is copied here. */
        uint32_t run = world->should_collide ? 0 : resting_run(world, merge, limit);
        if (run == 0) {
            world->index.ended[merge->ended++] = merge->passed++;
            continue;
        }
        abut_result result = make_room(world, merge, (uint64_t)merge->contacts + run + ahead);
        if (!result && !world->next.direct) {
            abut_w_copy_keys(world, merge, run);
        } else if (!result) {
            result = copy_resting(world, merge, run);
        }
        if (result) {
            return result;
        }
    }
    return ABUT_OK;
}

/* The pair's index among the old contacts, plus one; 0 if it was not a contact. All earlier pairs have been passed. */
static uint32_t old_index_plus_one(const abut_world *world, abut_w_merge *merge, abut_w_pair pair) {
    const abut_w_contacts *old = &world->current;
    if (merge->passed == merge->end || old->pair[merge->passed].order != pair.order) {
        return 0;
    }
    if ((world->flags[abut_w_pair_low(pair)] | world->flags[abut_w_pair_high(pair)]) & ABUT_W_CREATED) {
        world->index.ended[merge->ended++] = merge->passed++;
        return 0;
    }
    merge->persisting++;
    return ++merge->passed;
}

static bool may_collide(const abut_world *world, abut_w_pair pair) {
    uint32_t low = abut_w_pair_low(pair), high = abut_w_pair_high(pair);
    return world->should_collide(abut_w_id(world, low), world->body_user[low], abut_w_id(world, high),
                                 world->body_user[high], world->user);
}

void abut_w_merge_filter(const abut_world *world, abut_w_block *block) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->n && world->should_collide; i++) {
        if (may_collide(
                world, block->hit[i].pair)) { /* else, if it was a contact, abut_w_merge_pass will find that it ended */
            block->hit[kept++] = block->hit[i];
        }
    }
    block->n = world->should_collide ? kept : block->n;
}

/* If the contacts do not fit, makes room for as many as there will be if the remaining candidates touch as often as
 * those so far, and all contacts of resting bodies stay: a list that grows in small steps is copied several times. In a
 * world of fixed capacity all fit. */
static abut_result reserve_expected(abut_world *world, const abut_w_merge *merge, const abut_w_merge *end,
                                    size_t done) {
    const size_t all = abut_w_candidate_count(world), resting = abut_bp_resting_pairs(&world->bp).count;
    const uint32_t room = world->next.direct ? world->next.block.capacity : world->next.keys.capacity;
    if (end->contacts <= room || done >= all) {
        return ABUT_OK;
    }
    const double touching = (double)(end->contacts - end->copied) / (double)done;
    const uint64_t copies = resting > end->copied && !world->should_collide ? resting - end->copied : 0;
    const uint64_t expected = end->contacts + copies + (uint64_t)(touching * (double)(all - done));
    return make_room(world, merge, expected + expected / 16);
}

abut_result abut_w_merge_block(abut_world *world, abut_w_merge *merge, const abut_w_block *block) {
    const abut_w_hit *hit = block->hit;
    uint32_t n = block->n;
    bool meshes = world->mesh_count > 0, direct = world->next.direct;
    abut_result result = make_room(world, merge, (uint64_t)merge->contacts + n);
    for (uint32_t i = 0; i < n && !result; i++) {
        if (merge->passed < merge->end && world->current.pair[merge->passed].order < hit[i].pair.order) {
            result = abut_w_merge_pass(world, merge, hit[i].pair, n - i);
        }
        if (result) {
            break;
        }
        uint32_t previous1 = old_index_plus_one(world, merge, hit[i].pair);
        if (!direct) {
            append_key(world, merge, &hit[i], previous1);
            continue;
        }
        abut_contact *c = append_contact(world, merge, &hit[i], previous1);
        result = meshes ? abut_w_append_parts(world, merge, block, &hit[i], c) : ABUT_OK;
    }
    return result;
}

void abut_w_merge_all(abut_world *world, abut_w_merge *merge, const abut_w_block *block) {
    (void)abut_w_merge_block(world, merge, block); /* neither fails: nothing is reserved */
    (void)abut_w_merge_pass(world, merge, (abut_w_pair){UINT64_MAX}, 0);
}

/* Counts the old contacts before `limit`, as abut_w_merge_pass treats them. */
static void count_old(const abut_world *world, abut_w_merge *merge, abut_w_pair limit) {
    const abut_w_contacts *old = &world->current;
    while (merge->passed < merge->end && old->pair[merge->passed].order < limit.order) {
        uint32_t run = world->should_collide ? 0 : resting_run(world, merge, limit);
        for (uint32_t i = 0; i < run && old->parts.count > 0; i++) {
            merge->parts += old->contact[merge->passed + i].part_count;
        }
        merge->persisting += run;
        merge->contacts += run;
        merge->copied += run;
        merge->ended += run == 0;
        merge->passed += run > 0 ? run : 1;
    }
}

abut_w_merge abut_w_merge_count(const abut_world *world, abut_w_merge at, const abut_w_block *block) {
    const abut_w_contacts *old = &world->current;
    bool meshes = world->mesh_count > 0;
    for (uint32_t i = 0; i < block->n; i++) {
        const abut_w_hit *hit = &block->hit[i];
        count_old(world, &at, hit->pair);
        if (at.passed < at.end && old->pair[at.passed].order == hit->pair.order) {
            bool created =
                (world->flags[abut_w_pair_low(hit->pair)] | world->flags[abut_w_pair_high(hit->pair)]) & ABUT_W_CREATED;
            at.ended += created;
            at.persisting += !created;
            at.passed++;
        }
        at.contacts++;
        at.stored += !world->next.direct && is_new(world, hit);
        at.parts += meshes ? abut_w_count_parts(world, block, hit) : 0;
    }
    count_old(world, &at, (abut_w_pair){UINT64_MAX});
    return at;
}

abut_result abut_w_merge_reserve(abut_world *world, const abut_w_merge *merge, const abut_w_merge *end, size_t done) {
    abut_result result = reserve_expected(world, merge, end, done);
    result = result ? result : make_room(world, merge, end->contacts);
    if (!result && end->parts > world->next.parts.block.capacity) {
        world->next.parts.count = merge->parts;
        result = abut_w_reserve_parts(world, &world->next.parts, end->parts);
    }
    return result;
}

static void write_ends(abut_world *world, uint32_t n) {
    const uint32_t *ended = world->index.ended;
    for (uint32_t i = 0; i < n; i++) {
        abut_contact c;
        abut_w_contact_of(world, ended[i], &c);
        world->events.end[i] = (abut_contact){
            .a = c.a, .b = c.b, .user_a = c.user_a, .user_b = c.user_b, .phase = ABUT_END, .previous1 = ended[i] + 1};
    }
    world->events.end_count = n;
}

/* The lists change places; `keep`: but contacts stay where they are. */
static void swap_lists(abut_world *world, uint32_t stored, bool keep) {
    abut_w_contacts swap = world->current;
    bool direct = world->next.direct, old_users = !direct && (world->new_users || swap.old_users);
    world->current = world->next;
    world->next = swap;
    if (keep) {
        swap.block = world->current.block;
        swap.contact = world->current.contact;
        world->current.block = world->next.block;
        world->current.contact = world->next.contact;
        world->next.block = swap.block;
        world->next.contact = swap.contact;
    }
    world->current.stored = stored;
    world->current.ordered = direct;
    world->current.old_users = old_users;
    world->phases_pending = false;
    world->contacts_pending = !direct;
    world->events.event = NULL;
    abut_w_drop_notes(world);
    abut_once_reset(&world->contacts_made);
    abut_once_reset(&world->by_b_made);
    abut_once_reset(&world->ids_made);
    abut_once_reset(&world->events_made);
}

void abut_w_swap_lists(abut_world *world) {
    world->next.direct = true;
    swap_lists(world, world->next.count, false);
}

/* Room for all that is made on demand. Contacts whose keys were written will be put in order where they are stored if
 * none is (`keep`), or in the memory of the next list; events come into the memory that is left, which is `spare`. */
static abut_result reserve_made(abut_world *world, const abut_w_merge *merge, uint32_t stored, bool *keep) {
    uint32_t count = merge->contacts;
    bool in_place = !world->next.direct && stored == 0 && count <= world->current.block.capacity;
    abut_result result = ABUT_OK;
    if (!world->next.direct && !in_place) {
        world->next.stored = 0;
        result = abut_w_reserve_contacts(world, &world->next, count);
    }
    *keep = stored > 0 ? !world->next.direct : in_place;
    abut_w_contacts *spare = in_place ? &world->next : &world->current;
    return result ? result : abut_w_reserve_index(world, spare, count, merge->ended);
}

abut_result abut_w_merge_end(abut_world *world, abut_w_merge *merge, abut_step_report *report) {
    abut_result result = abut_w_merge_pass(world, merge, (abut_w_pair){UINT64_MAX}, 0);
    uint32_t count = merge->contacts, stored = world->next.direct ? count : all_coarse(world) ? 0 : merge->stored;
    bool keep = false;
    result = result ? result : reserve_made(world, merge, stored, &keep);
    if (result) {
        return result;
    }
    world->next.count = count;
    world->next.parts.count = merge->parts;
    write_ends(world, merge->ended);
    swap_lists(world, stored, keep);
    report->contacts = count;
    report->begun = count - merge->persisting;
    report->ended = merge->ended;
    /* Parts may come and go while their contacts persist. */
    world->resting = report->begun == 0 && merge->ended == 0 && world->current.parts.count == 0;
    return ABUT_OK;
}

void abut_w_persist_all(abut_world *world) {
    if (!world->resting) {
        world->phases_pending = world->contacts_pending = true;
        abut_once_reset(&world->contacts_made);
    }
    world->events.end_count = 0;
    world->events.event = NULL;
    world->resting = true;
}
