/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/step/step.h"

/* What the last step told: its contacts with the ENDs among them, sorted; of two on the same slots the END comes
 * first. Where nothing ended that is the list of contacts. */

static const abut_contact *ends(const abut_world *world) {
    return world->events.event + world->current.count + world->events.end_count;
}

static uint64_t key_of(const abut_contact *c) {
    return abut_w_key(c->a.index1 - 1, c->b.index1 - 1);
}

/* How the walk along contacts and ENDs stands; the next one is *walk_next. */
typedef struct walk {
    uint32_t contact, end;
} walk;

static const abut_contact *next_of(const abut_world *world, walk *w) {
    const abut_w_contacts *list = &world->current;
    if (w->end < world->events.end_count &&
        (w->contact == list->count || key_of(&ends(world)[w->end]) <= list->key[w->contact])) {
        return &ends(world)[w->end++];
    }
    return w->contact < list->count ? &list->contact[w->contact++] : NULL;
}

const abut_contact *abut_world_events(const abut_world *world, size_t *count) {
    size_t n = world ? (size_t)world->current.count + world->events.end_count : 0;
    if (count) {
        *count = n;
    }
    if (n == 0) {
        return NULL;
    }
    abut_w_make_phases(world);
    if (world->events.end_count == 0) {
        return world->current.contact;
    }
    /* The world is const to the caller, not in itself. */
    abut_once *made = (abut_once *)&world->events_made;
    if (abut_once_begin(made)) {
        walk w = {0, 0};
        for (size_t i = 0; i < n; i++) {
            world->events.event[i] = *next_of(world, &w);
        }
        abut_once_end(made);
    }
    return world->events.event;
}

void abut_w_dispatch(abut_world *world, const abut_listener *listener, const abut_step_report *report) {
    void (*const told[])(const abut_contact *, void *) = {
        [ABUT_BEGIN] = listener->begin, [ABUT_PERSIST] = listener->persist, [ABUT_END] = listener->end};
    void *user = listener->user;
    walk w = {0, 0};
    if (!listener->persist && (!listener->begin || report->begun == 0)) {
        w.contact = world->current.count; /* nobody wants to hear of them */
    } else {
        abut_w_make_phases(world);
    }
    world->state = ABUT_W_DISPATCHING;
    for (const abut_contact *c; (c = next_of(world, &w)) != NULL;) {
        if (told[c->phase]) {
            told[c->phase](c, user);
        }
    }
    world->state = ABUT_W_IDLE;
}
