/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/step.h"

/* The events of a step are its contacts and the ENDs, sorted by pair; if two have the same slots, the END comes first.
 * If nothing ended, the event list is the contact list itself. */

static abut_w_pair pair_of(const abut_contact *c) {
    return abut_w_pair_of(c->a.index1 - 1, c->b.index1 - 1);
}

/* A walk along contacts and ENDs: how many of each have been passed. */
typedef struct walk {
    uint32_t contact, end;
    bool skip_old;      /* contacts that persist: only where a step has written keys */
    abut_contact *copy; /* where a contact goes that has not been written in order */
} walk;

static const abut_contact *next_of(const abut_world *world, walk *w) {
    const abut_w_contacts *list = &world->current;
    while (w->skip_old && w->contact < list->count && list->previous1[w->contact] != 0) {
        w->contact++;
    }
    if (w->end < world->events.end_count &&
        (w->contact == list->count || pair_of(&world->events.end[w->end]).order <= list->pair[w->contact].order)) {
        return &world->events.end[w->end++];
    }
    if (w->contact == list->count) {
        return NULL;
    }
    if (list->ordered) {
        return &list->contact[w->contact++];
    }
    abut_w_contact_of(world, w->contact++, w->copy);
    return w->copy;
}

const abut_contact *abut_world_events(const abut_world *world, size_t *count) {
    size_t n = world ? (size_t)world->current.count + world->events.end_count : 0;
    if (count) {
        *count = n;
    }
    if (n == 0) {
        return NULL;
    }
    abut_w_make_contacts(world);
    if (world->events.end_count == 0) {
        return world->current.contact;
    }
    abut_world *own = (abut_world *)world; /* const to the caller, but lists are made on demand */
    if (abut_once_begin(&own->events_made)) {
        walk w = {0};
        const abut_w_events *events = &world->events;
        own->events.event = n <= events->block.capacity ? events->room : abut_w_spare_block(world)->memory;
        for (size_t i = 0; i < n; i++) {
            events->event[i] = *next_of(world, &w);
        }
        abut_once_end(&own->events_made);
    }
    return world->events.event;
}

void abut_w_dispatch(abut_world *world, const abut_listener *listener, const abut_step_report *report) {
    void (*const callback[])(const abut_contact *, void *) = {
        [ABUT_BEGIN] = listener->begin, [ABUT_PERSIST] = listener->persist, [ABUT_END] = listener->end};
    void *user = listener->user;
    abut_contact copy;
    walk w = {.copy = &copy};
    if (!listener->persist && (!listener->begin || report->begun == 0)) {
        w.contact = world->current.count; /* only ENDs have a callback */
    } else if (!listener->persist && !world->current.ordered) {
        w.skip_old = true; /* few begin: the list need not be made for them */
    } else {
        abut_w_make_contacts(world);
    }
    world->state = ABUT_W_DISPATCHING;
    for (const abut_contact *c; (c = next_of(world, &w)) != NULL;) {
        if (callback[c->phase]) {
            callback[c->phase](c, user);
        }
    }
    world->state = ABUT_W_IDLE;
}
