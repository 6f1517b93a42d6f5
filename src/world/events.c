/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world.h"
#include <string.h>

/* Both lists are sorted, so one walk along them tells what began, went on and ended. */

static int compare_slots(const abut_contact *p, const abut_contact *q) {
    if (p->a.index1 != q->a.index1) {
        return p->a.index1 < q->a.index1 ? -1 : 1;
    }
    return p->b.index1 == q->b.index1 ? 0 : p->b.index1 < q->b.index1 ? -1 : 1;
}

static bool same_pair(const abut_contact *p, const abut_contact *q) {
    return abut_body_id_equal(p->a, q->a) && abut_body_id_equal(p->b, q->b);
}

/* Marks every contact of `next` as begun or persisting; returns how many of `current` have no successor. */
static uint32_t mark_phases(const abut_w_contacts *current, abut_w_contacts *next, uint32_t *begun) {
    uint32_t old = 0, persisting = 0;
    for (uint32_t i = 0; i < next->count; i++) {
        abut_contact *c = &next->contact[i];
        while (old < current->count && compare_slots(&current->contact[old], c) < 0) {
            old++;
        }
        bool persists = old < current->count && same_pair(&current->contact[old], c);
        c->phase = persists ? ABUT_PERSIST : ABUT_BEGIN;
        c->previous1 = persists ? old + 1 : 0;
        persisting += persists;
    }
    *begun = next->count - persisting;
    return current->count - persisting;
}

static abut_contact ended(const abut_w_contacts *current, uint32_t old) {
    abut_contact c = current->contact[old];
    c.phase = ABUT_END;
    c.previous1 = old + 1;
    memset(&c.manifold, 0, sizeof c.manifold);
    return c;
}

/* The contacts of `next` with the ENDs of `current` among them; of two on the same slots the END comes first. */
static void interleave(const abut_w_contacts *current, const abut_w_contacts *next, abut_contact *out) {
    uint32_t old = 0;
    for (uint32_t i = 0; i <= next->count; i++) {
        const abut_contact *c = i < next->count ? &next->contact[i] : NULL;
        while (old < current->count && (!c || compare_slots(&current->contact[old], c) <= 0)) {
            if (!c || !same_pair(&current->contact[old], c)) {
                *out++ = ended(current, old);
            }
            old++;
        }
        if (c) {
            *out++ = *c;
        }
    }
}

/* by_b: stable counting sort of the contacts by their b. */
static void index_by_b(abut_world *world, abut_w_contacts *list) {
    uint32_t *start = world->start, sum = 0;
    memset(start, 0, ((size_t)world->ids.used + 1) * sizeof *start);
    for (uint32_t i = 0; i < list->count; i++) {
        start[list->contact[i].b.index1 - 1]++;
    }
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        uint32_t count = start[slot];
        start[slot] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        list->by_b[start[list->contact[i].b.index1 - 1]++] = i;
    }
}

abut_result abut_w_merge(abut_world *world, abut_step_report *report) {
    uint32_t begun, ends = mark_phases(&world->current, &world->next, &begun);
    uint32_t count = world->next.count;
    if (ends) {
        abut_result result = abut_w_reserve_contacts(world, &world->endings, (uint64_t)count + ends);
        if (result) {
            return result;
        }
        interleave(&world->current, &world->next, world->endings.contact);
    }
    if (count) {
        index_by_b(world, &world->next);
    }
    abut_w_contacts swap = world->current;
    world->current = world->next;
    world->next = swap;
    world->events = ends ? world->endings.contact : world->current.contact;
    world->event_count = count + ends;
    report->contacts = count;
    report->begun = begun;
    report->ended = ends;
    return ABUT_OK;
}

void abut_w_tell(abut_world *world, const abut_listener *listener) {
    const abut_contact *events = world->events;
    uint32_t count = world->event_count;
    void (*const told[])(const abut_contact *, void *) = {
        [ABUT_BEGIN] = listener->begin, [ABUT_PERSIST] = listener->persist, [ABUT_END] = listener->end};
    abut_listener copy = *listener;
    world->state = ABUT_W_TELLING;
    for (uint32_t i = 0; i < count; i++) {
        if (told[events[i].phase]) {
            told[events[i].phase](&events[i], copy.user);
        }
    }
    world->state = ABUT_W_IDLE;
}
