/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include "world/step/step.h"
#include <string.h>

/* The new list of contacts is written once, from front to back, while a walk along the keys of the old one tells what
 * begins, goes on and ends. The old list keeps its bytes until the step can no longer fail. */

/* Appends a contact; there is room. Long lists lie outside the caches, so lines are asked for before they are written.
 */
static void put(abut_world *world, const abut_w_hit *hit, uint32_t previous1) {
    enum { AHEAD = 8, LINE = 64 };
    abut_w_contacts *next = &world->next;
    abut_contact *c = &next->contact[next->count];
    if (next->count + AHEAD < next->block.capacity) {
        ABUT_PREFETCH_TO_WRITE(&c[AHEAD]);
        ABUT_PREFETCH_TO_WRITE((char *)&c[AHEAD] + LINE);
    }
    next->key[next->count++] = abut_w_key(hit->low, hit->high);
    c->a = abut_w_id(world, hit->low);
    c->b = abut_w_id(world, hit->high);
    c->user_a = world->body_user[hit->low];
    c->user_b = world->body_user[hit->high];
    c->phase = previous1 ? ABUT_PERSIST : ABUT_BEGIN;
    if (hit->manifold != &c->manifold) { /* it may have been made there */
        c->manifold = *hit->manifold;
    }
    c->previous1 = previous1;
}

/* How many old contacts from `first` on, of those below `limit`, are between two bodies at rest. */
static uint32_t settled_run(const abut_world *world, uint32_t first, uint64_t limit) {
    const abut_w_contacts *last = &world->current;
    uint32_t i = first;
    while (i < last->count && last->key[i] < limit &&
           abut_bp_both_resting(&world->bp, (uint32_t)(last->key[i] >> 32), (uint32_t)last->key[i])) {
        i++;
    }
    return i - first;
}

/* Appends old contacts as they are, a cacheful at a time; there is room. */
static void carry(abut_world *world, abut_w_merge *merge, uint32_t n) {
    enum { MANY = 64 };
    const abut_w_contacts *last = &world->current;
    abut_w_contacts *next = &world->next;
    merge->persisting += n;
    while (n > 0) {
        uint32_t many = n < MANY ? n : MANY;
        abut_contact *c = &next->contact[next->count];
        memcpy(c, &last->contact[merge->old], many * sizeof *c);
        memcpy(&next->key[next->count], &last->key[merge->old], many * sizeof *next->key);
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

/* Walks along the old contacts below `limit`: they are carried over or have ended. `ahead`: contacts that there must
 * be room for afterwards. */
static abut_result pass(abut_world *world, abut_w_merge *merge, uint64_t limit, uint32_t ahead) {
    const abut_w_contacts *last = &world->current;
    while (merge->old < last->count && last->key[merge->old] < limit) {
        /* Whoever has the last word is asked of bodies at rest, too: their pairs are among those appended. */
        uint32_t run = world->should_collide ? 0 : settled_run(world, merge->old, limit);
        if (run == 0) {
            last->ended[merge->ended++] = merge->old++;
            continue;
        }
        abut_result result = abut_w_reserve_contacts(world, &world->next, (uint64_t)world->next.count + run + ahead);
        if (result) {
            return result;
        }
        carry(world, merge, run);
    }
    return ABUT_OK;
}

/* The pair's place among the old contacts, + 1; 0 when it was not there. The walk has come to it. */
static uint32_t previous1(const abut_world *world, abut_w_merge *merge, const abut_w_hit *hit) {
    const abut_w_contacts *last = &world->current;
    if (merge->old == last->count || last->key[merge->old] != abut_w_key(hit->low, hit->high)) {
        return 0;
    }
    if ((world->flags[hit->low] | world->flags[hit->high]) & ABUT_W_CREATED) {
        last->ended[merge->ended++] = merge->old++;
        return 0;
    }
    merge->persisting++;
    return ++merge->old;
}

static bool asked(abut_world *world, const abut_w_hit *hit) {
    if (!world->should_collide) {
        return true;
    }
    world->state = ABUT_W_FILTERING;
    bool yes = world->should_collide(abut_w_id(world, hit->low), world->body_user[hit->low],
                                     abut_w_id(world, hit->high), world->body_user[hit->high], world->user);
    world->state = ABUT_W_IDLE;
    return yes;
}

abut_result abut_w_append(abut_world *world, abut_w_merge *merge, const abut_w_hit *hit, uint32_t n) {
    abut_result result = abut_w_reserve_contacts(world, &world->next, (uint64_t)world->next.count + n);
    for (uint32_t i = 0; i < n && !result; i++) {
        if (!asked(world, &hit[i])) {
            continue; /* the walk will pass it */
        }
        uint64_t key = abut_w_key(hit[i].low, hit[i].high);
        if (merge->old < world->current.count && world->current.key[merge->old] < key) {
            result = pass(world, merge, key, n - i);
        }
        if (!result) {
            put(world, &hit[i], previous1(world, merge, &hit[i]));
        }
    }
    return result;
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

abut_result abut_w_close(abut_world *world, abut_w_merge *merge, abut_step_report *report) {
    abut_result result = pass(world, merge, UINT64_MAX, 0);
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

void abut_w_persist(abut_world *world) {
    if (!world->resting) {
        world->phases_pending = true;
        abut_once_reset(&world->phases_made);
    }
    world->events.end_count = 0;
    world->resting = true;
}

void abut_w_make_phases(const abut_world *world) {
    abut_once *made = (abut_once *)&world->phases_made; /* the world is const to the caller, not in itself */
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
