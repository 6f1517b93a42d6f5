/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The visible bodies of a call: collected in any order, written in the order of slots, which is that of ids.
 *
 * One view marks bodies: a bit per slot says visible, another one inside. A body may be marked any number of times.
 * Several views log bodies, each once: an entry of 12 bytes goes straight into the caller's array, which has room for
 * two such entries per element, so that nothing is allocated. In the end entries are sorted by counting the bits before
 * them, into the second half of the array; results are then written from its beginning on, and never overtake the
 * sorted entries that are still to be read. */
#ifndef ABUT_WORLD_QUERY_VISIBLE_H
#define ABUT_WORLD_QUERY_VISIBLE_H

#include "world/world.h"
#include <abut/cull.h>

/* Slots are taken so many at a time: their bits are on the stack, 16 KB of each kind. */
enum { ABUT_W_WINDOW = 1 << 17, ABUT_W_WORDS = ABUT_W_WINDOW / 64 };

typedef struct abut_w_visible {
    uint32_t first, end;            /* the window of slots: first is a multiple of 64 */
    uint64_t visible[ABUT_W_WORDS]; /* bit by bit, by slot - first */
    /* One view: */
    uint64_t inside[ABUT_W_WORDS];
    /* Several views: */
    char *log;    /* entries of the window, in the order of coming; where the caller's array goes on */
    size_t room;  /* elements that are left of that array */
    size_t count; /* bodies logged; beyond `room` they are counted and their bits set, but not kept */
} abut_w_visible;

typedef struct abut_w_visible_entry {
    uint32_t slot, views, inside;
} abut_w_visible_entry;

void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end);

static inline bool abut_w_visible_in_window(const abut_w_visible *v, uint32_t slot) {
    return slot - v->first < v->end - v->first;
}

/* Writing the body will read these. */
static inline void abut_w_visible_prefetch(const abut_world *world, uint32_t slot) {
    ABUT_PREFETCH(&world->ids.generation[slot]);
    ABUT_PREFETCH(&world->body_user[slot]);
}

/* One view: marks a body of the window as visible, as inside. */
static inline void abut_w_visible_mark(abut_w_visible *v, uint32_t slot, bool visible, bool inside) {
    uint32_t at = slot - v->first;
    v->visible[at / 64] |= (uint64_t)visible << at % 64;
    v->inside[at / 64] |= (uint64_t)inside << at % 64;
}

/* One view: of slots first .. first + 63, in the window, removes the marks of all but these. */
static inline void abut_w_visible_keep_64(abut_w_visible *v, uint32_t first, uint64_t slots) {
    uint32_t word = (first - v->first) / 64;
    v->visible[word] &= slots;
    v->inside[word] &= slots;
}

/* Several views: logs a body of the window that is visible and has not been logged yet. */
static inline void abut_w_visible_log(abut_w_visible *v, uint32_t slot, uint32_t views, uint32_t inside) {
    const abut_w_visible_entry entry = {slot, views, inside};
    uint32_t at = slot - v->first;
    v->visible[at / 64] |= UINT64_C(1) << at % 64;
    if (v->count < v->room) {
        memcpy(v->log + v->count * sizeof entry, &entry, sizeof entry);
    }
    v->count++;
}

/* A slot below which `room` visible bodies of the window are, of more. */
uint32_t abut_w_visible_end_of(const abut_w_visible *v, size_t room);

/* One view: writes the first `room` of the marked bodies. Returns how many are marked. */
size_t abut_w_visible_write_marked(const abut_w_visible *v, const abut_world *world, abut_visible *out, size_t room);

/* Several views: writes the logged bodies to `out`, where the log is as well. All of them were kept. */
void abut_w_visible_write_logged(const abut_w_visible *v, const abut_world *world, abut_visible *out);

#endif
