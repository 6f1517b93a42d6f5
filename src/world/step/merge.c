/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

/* The new list of contacts is written once, from front to back, while a walk along the pairs of the old one tells apart
 * what begins, persists and ends. The old list keeps its bytes until the step can no longer fail. */

void abut_w_merge_begin(abut_world *world, abut_w_merge *merge) {
    *merge = (abut_w_merge){0, 0, 0};
    world->next.count = 0;
}

/* Contacts that are carried over are pairs of two resting bodies. */
void abut_w_merge_aim(const abut_world *world, abut_w_block *block) {
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
static void put(abut_world *world, const abut_w_hit *hit, uint32_t previous1) {
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
    if (hit->manifold != &c->manifold) { /* it may have been made there: abut_w_merge_aim */
        c->manifold = *hit->manifold;
    }
    c->previous1 = previous1;
}

/* How many old contacts from `first` on, of those before `limit`, are pairs of two resting bodies. */
static uint32_t resting_run(const abut_world *world, uint32_t first, abut_w_pair limit) {
    const abut_w_contacts *last = &world->current;
    uint32_t i = first;
    while (i < last->count && last->pair[i].order < limit.order &&
           abut_bp_both_resting(&world->bp, abut_w_pair_low(last->pair[i]), abut_w_pair_high(last->pair[i]))) {
        i++;
    }
    return i - first;
}

/* Appends old contacts as they are, as many at a time as fit the nearest cache; there is room. */
static void carry_over(abut_world *world, abut_w_merge *merge, uint32_t n) {
    enum { MANY = 64 };
    const abut_w_contacts *last = &world->current;
    abut_w_contacts *next = &world->next;
    merge->persisting += n;
    while (n > 0) {
        uint32_t many = n < MANY ? n : MANY;
        abut_contact *c = &next->contact[next->count];
        memcpy(c, &last->contact[merge->old], many * sizeof *c);
        memcpy(&next->pair[next->count], &last->pair[merge->old], many * sizeof *next->pair);
        for (uint32_t i = 0; i < many; i++) {
            c[i].phase = ABUT_PERSIST;
            c[i].previous1 = ++merge->old;
        }
        for (uint32_t i = 0; i < many && world->new_users; i++) {
            c[i].user_a = world->body_user[c[i].a.index1 - 1];
            c[i].user_b = world->body_user[c[i].b.index1 - 1];
        }
        next->count += many;
        n -= many;
    }
}

/* Walks along the old contacts before `limit`: they are carried over or have ended. `ahead`: for how many contacts
 * there must be room afterwards. */
static abut_result pass(abut_world *world, abut_w_merge *merge, abut_w_pair limit, uint32_t ahead) {
    const abut_w_contacts *last = &world->current;
    while (merge->old < last->count && last->pair[merge->old].order < limit.order) {
        /* should_collide is asked about resting bodies, too: then their pairs are among the hits. */
        uint32_t run = world->should_collide ? 0 : resting_run(world, merge->old, limit);
        if (run == 0) {
            last->ended[merge->ended++] = merge->old++;
            continue;
        }
        abut_result result = abut_w_reserve_contacts(world, &world->next, (uint64_t)world->next.count + run + ahead);
        if (result) {
            return result;
        }
        carry_over(world, merge, run);
    }
    return ABUT_OK;
}

/* The pair's index among the old contacts, plus one; 0 when it was not there. The walk has come to it. */
static uint32_t previous1(const abut_world *world, abut_w_merge *merge, abut_w_pair pair) {
    const abut_w_contacts *last = &world->current;
    if (merge->old == last->count || last->pair[merge->old].order != pair.order) {
        return 0;
    }
    if ((world->flags[abut_w_pair_low(pair)] | world->flags[abut_w_pair_high(pair)]) & ABUT_W_CREATED) {
        last->ended[merge->ended++] = merge->old++;
        return 0;
    }
    merge->persisting++;
    return ++merge->old;
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

/* Where the block's hits do not fit, room is made for as many contacts as there will be if the rest of the candidates
 * touch as often: a list that grows little by little is copied and cleared several times. */
static abut_result foresee(abut_world *world, uint32_t more, size_t done) {
    uint64_t count = (uint64_t)world->next.count + more, all = abut_bp_pair_count(&world->bp);
    if (count <= world->next.block.capacity || world->fixed || done >= all) {
        return ABUT_OK;
    }
    uint64_t expected = count + (uint64_t)((double)count * (double)(all - done) / (double)done);
    return abut_w_reserve_contacts(world, &world->next, expected + expected / 16);
}

static abut_result append(abut_world *world, abut_w_merge *merge, const abut_w_hit *hit, uint32_t n) {
    abut_result result = abut_w_reserve_contacts(world, &world->next, (uint64_t)world->next.count + n);
    for (uint32_t i = 0; i < n && !result; i++) {
        if (!may_collide(world, hit[i].pair)) {
            continue; /* the walk will pass it */
        }
        if (merge->old < world->current.count && world->current.pair[merge->old].order < hit[i].pair.order) {
            result = pass(world, merge, hit[i].pair, n - i);
        }
        if (!result) {
            put(world, &hit[i], previous1(world, merge, hit[i].pair));
        }
    }
    return result;
}

abut_result abut_w_merge_block(abut_world *world, abut_w_merge *merge, const abut_w_block *block, size_t done) {
    abut_result result = foresee(world, block->n, done);
    return result ? result : append(world, merge, block->hit, block->n);
}

static void write_ends(abut_world *world, uint32_t n) {
    const abut_w_contacts *last = &world->current;
    for (uint32_t i = 0; i < n; i++) {
        const abut_contact *c = &last->contact[last->ended[i]];
        world->events.event[world->next.count + n + i] = (abut_contact){.a = c->a,
                                                                        .b = c->b,
                                                                        .user_a = c->user_a,
                                                                        .user_b = c->user_b,
                                                                        .phase = ABUT_END,
                                                                        .previous1 = last->ended[i] + 1};
    }
    world->events.end_count = n;
}

abut_result abut_w_merge_end(abut_world *world, abut_w_merge *merge, abut_step_report *report) {
    abut_result result = pass(world, merge, (abut_w_pair){UINT64_MAX}, 0);
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
    world->resting = report->begun == 0 && merge->ended == 0;
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
    abut_once *made = (abut_once *)&world->phases_made; /* const to the caller, not in itself */
    if (!world->phases_pending || !abut_once_begin(made)) {
        return;
    }
    const abut_w_contacts *list = &world->current;
    for (uint32_t i = 0; i < list->count; i++) {
        list->contact[i].phase = ABUT_PERSIST;
        list->contact[i].previous1 = i + 1;
    }
    abut_once_end(made);
}
