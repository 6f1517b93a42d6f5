/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

/* The new list of contacts is written once, from front to back, while a walk along the pairs of the old list decides
 * what begins, persists and ends. The old list is not modified until the step can no longer fail. */

void abut_w_merge_begin(abut_world *world, abut_w_merge *merge) {
    *merge = (abut_w_merge){0, 0, 0};
    world->next.count = world->next.parts.count = 0;
}

/* Contacts of two resting bodies are copied between the hits, and should_collide may refuse hits: without either, the
 * block's hits are consecutive in the list. */
void abut_w_merge_choose_output(const abut_world *world, abut_w_block *block) {
    const abut_w_contacts *next = &world->next;
    size_t room = next->block.capacity - next->count;
    if (block->moved_boxes && !world->should_collide && abut_bp_resting_pairs(&world->bp).count == 0 &&
        room >= block->test[ABUT_DETAIL_MANIFOLD].n) {
        block->manifold = &next->contact[next->count].manifold;
        block->stride = sizeof *next->contact;
    }
}

/* Appends a contact; there is room. Long lists lie outside the caches, so lines are prefetched before they are written.
 */
static abut_contact *append_contact(abut_world *world, const abut_w_hit *hit, uint32_t previous1) {
    enum { AHEAD = 8, LINE = 64 };
    abut_w_contacts *next = &world->next;
    abut_contact *c = &next->contact[next->count];
    uint32_t low = abut_w_pair_low(hit->pair), high = abut_w_pair_high(hit->pair);
    if (next->count + AHEAD < next->block.capacity) {
        ABUT_PREFETCH_TO_WRITE(&c[AHEAD]);
        ABUT_PREFETCH_TO_WRITE((char *)&c[AHEAD] + LINE);
    }
    next->pair[next->count++] = hit->pair;
    c->a = abut_w_id(world, low);
    c->b = abut_w_id(world, high);
    c->user_a = world->body_user[low];
    c->user_b = world->body_user[high];
    c->phase = previous1 ? ABUT_PERSIST : ABUT_BEGIN;
    if (hit->manifold != &c->manifold) { /* it may have been written there: abut_w_merge_choose_output */
        c->manifold = *hit->manifold;
    }
    c->previous1 = previous1;
    c->part_count = c->part_first = 0;
    return c;
}

/* The number of consecutive old contacts, from `first` on and before `limit`, that are pairs of two resting bodies. */
static uint32_t resting_run(const abut_world *world, uint32_t first, abut_w_pair limit) {
    const abut_w_contacts *old = &world->current;
    uint32_t i = first;
    while (i < old->count && old->pair[i].order < limit.order &&
           abut_bp_both_resting(&world->bp, abut_w_pair_low(old->pair[i]), abut_w_pair_high(old->pair[i]))) {
        i++;
    }
    return i - first;
}

/* Appends the next n old contacts, which persist unchanged; as many at a time as fit the nearest cache. There is
 * room. */
static abut_result copy_resting(abut_world *world, abut_w_merge *merge, uint32_t n) {
    enum { BATCH = 64 };
    const abut_w_contacts *old = &world->current;
    abut_w_contacts *next = &world->next;
    abut_result result = ABUT_OK;
    merge->persisting += n;
    while (n > 0 && !result) {
        uint32_t batch = n < BATCH ? n : BATCH;
        abut_contact *c = &next->contact[next->count];
        memcpy(c, &old->contact[merge->passed], batch * sizeof *c);
        memcpy(&next->pair[next->count], &old->pair[merge->passed], batch * sizeof *next->pair);
        for (uint32_t i = 0; i < batch; i++) {
            c[i].phase = ABUT_PERSIST;
            c[i].previous1 = ++merge->passed;
        }
        for (uint32_t i = 0; i < batch && world->new_users; i++) {
            c[i].user_a = world->body_user[c[i].a.index1 - 1];
            c[i].user_b = world->body_user[c[i].b.index1 - 1];
        }
        result = old->parts.count > 0 ? abut_w_copy_parts(world, c, batch) : ABUT_OK;
        next->count += batch;
        n -= batch;
    }
    return result;
}

/* Passes the old contacts before `limit`: each is copied (two resting bodies) or has ended. `ahead`: how many further
 * contacts there must be room for afterwards. */
static abut_result pass_old(abut_world *world, abut_w_merge *merge, abut_w_pair limit, uint32_t ahead) {
    const abut_w_contacts *old = &world->current;
    while (merge->passed < old->count && old->pair[merge->passed].order < limit.order) {
        /* With should_collide, pairs of resting bodies are among the hits, so none is copied here. */
        uint32_t run = world->should_collide ? 0 : resting_run(world, merge->passed, limit);
        if (run == 0) {
            old->ended[merge->ended++] = merge->passed++;
            continue;
        }
        abut_result result = abut_w_reserve_contacts(world, &world->next, (uint64_t)world->next.count + run + ahead);
        result = result ? result : copy_resting(world, merge, run);
        if (result) {
            return result;
        }
    }
    return ABUT_OK;
}

/* The pair's index among the old contacts, plus one; 0 if it was not a contact. All earlier pairs have been passed. */
static uint32_t old_index_plus_one(const abut_world *world, abut_w_merge *merge, abut_w_pair pair) {
    const abut_w_contacts *old = &world->current;
    if (merge->passed == old->count || old->pair[merge->passed].order != pair.order) {
        return 0;
    }
    if ((world->flags[abut_w_pair_low(pair)] | world->flags[abut_w_pair_high(pair)]) & ABUT_W_CREATED) {
        old->ended[merge->ended++] = merge->passed++;
        return 0;
    }
    merge->persisting++;
    return ++merge->passed;
}

static bool may_collide(abut_world *world, abut_w_pair pair) {
    if (!world->should_collide) {
        return true;
    }
    uint32_t low = abut_w_pair_low(pair), high = abut_w_pair_high(pair);
    world->state = ABUT_W_FILTERING;
    bool yes = world->should_collide(abut_w_id(world, low), world->body_user[low], abut_w_id(world, high),
                                     world->body_user[high], world->user);
    world->state = ABUT_W_IDLE;
    return yes;
}

/* If the block's hits do not fit, makes room for as many contacts as there will be if the remaining candidates touch as
 * often as those so far: a list that grows in small steps is copied several times. */
static abut_result reserve_expected(abut_world *world, uint32_t more, size_t done) {
    uint64_t count = (uint64_t)world->next.count + more, all = abut_bp_pair_count(&world->bp);
    if (count <= world->next.block.capacity || world->fixed || done >= all) {
        return ABUT_OK;
    }
    uint64_t expected = count + (uint64_t)((double)count * (double)(all - done) / (double)done);
    return abut_w_reserve_contacts(world, &world->next, expected + expected / 16);
}

static abut_result append_hits(abut_world *world, abut_w_merge *merge, const abut_w_block *block) {
    const abut_w_hit *hit = block->hit;
    uint32_t n = block->n;
    bool meshes = world->mesh_count > 0;
    abut_result result = abut_w_reserve_contacts(world, &world->next, (uint64_t)world->next.count + n);
    for (uint32_t i = 0; i < n && !result; i++) {
        if (!may_collide(world, hit[i].pair)) {
            continue; /* if it was a contact, pass_old will find that it ended */
        }
        if (merge->passed < world->current.count && world->current.pair[merge->passed].order < hit[i].pair.order) {
            result = pass_old(world, merge, hit[i].pair, n - i);
        }
        if (!result) {
            abut_contact *c = append_contact(world, &hit[i], old_index_plus_one(world, merge, hit[i].pair));
            result = meshes ? abut_w_append_parts(world, block, &hit[i], c) : ABUT_OK;
        }
    }
    return result;
}

abut_result abut_w_merge_block(abut_world *world, abut_w_merge *merge, const abut_w_block *block, size_t done) {
    abut_result result = reserve_expected(world, block->n, done);
    return result ? result : append_hits(world, merge, block);
}

static void write_ends(abut_world *world, uint32_t n) {
    const abut_w_contacts *old = &world->current;
    for (uint32_t i = 0; i < n; i++) {
        const abut_contact *c = &old->contact[old->ended[i]];
        world->events.event[world->next.count + n + i] = (abut_contact){.a = c->a,
                                                                        .b = c->b,
                                                                        .user_a = c->user_a,
                                                                        .user_b = c->user_b,
                                                                        .phase = ABUT_END,
                                                                        .previous1 = old->ended[i] + 1};
    }
    world->events.end_count = n;
}

abut_result abut_w_merge_end(abut_world *world, abut_w_merge *merge, abut_step_report *report) {
    abut_result result = pass_old(world, merge, (abut_w_pair){UINT64_MAX}, 0);
    uint32_t count = world->next.count;
    if (!result && merge->ended > 0) {
        result = abut_w_reserve_events(world, (uint64_t)count + 2 * (uint64_t)merge->ended);
    }
    if (result) {
        return result;
    }
    write_ends(world, merge->ended);
    abut_w_contacts swap = world->current;
    world->current = world->next;
    world->next = swap;
    abut_once_reset(&world->by_b_made);
    abut_once_reset(&world->events_made);
    world->phases_pending = false;
    report->contacts = count;
    report->begun = count - merge->persisting;
    report->ended = merge->ended;
    /* Parts may come and go while their contacts persist. */
    world->resting = report->begun == 0 && merge->ended == 0 && world->current.parts.count == 0;
    return ABUT_OK;
}

void abut_w_persist_all(abut_world *world) {
    if (!world->resting) {
        world->phases_pending = true;
        abut_once_reset(&world->phases_made);
    }
    world->events.end_count = 0;
    world->resting = true;
}

void abut_w_make_phases(const abut_world *world) {
    abut_once *made = (abut_once *)&world->phases_made; /* const to the caller, but phases are written on demand */
    if (!world->phases_pending || !abut_once_begin(made)) {
        return;
    }
    const abut_w_contacts *list = &world->current;
    for (uint32_t i = 0; i < list->count; i++) {
        list->contact[i].phase = ABUT_PERSIST;
        list->contact[i].previous1 = i + 1;
    }
    for (uint32_t i = 0; i < list->parts.count; i++) {
        list->parts.part[i].previous1 = i + 1;
    }
    abut_once_end(made);
}
