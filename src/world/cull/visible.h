/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The visible bodies of a call: collected in any order, written in the order of slots, which is that of ids.
 *
 * With one view, bodies are marked: one bit per slot for visible, another for inside. A body may be marked any number
 * of times. With several views, bodies are logged, each once: an entry of 12 bytes goes straight into the caller's
 * array, which has room for two such entries per element, so that nothing is allocated. At the end the entries are
 * sorted into the second half of the array: an entry's rank is the number of visible bits before its slot. Results are
 * then written from the beginning of the array on, and never overtake the sorted entries that are still to be read. */
#ifndef ABUT_WORLD_CULL_VISIBLE_H
#define ABUT_WORLD_CULL_VISIBLE_H

#include "world/world.h"
#include <abut/cull.h>

/* A call handles this many slots at a time, which is a window. Their bits are on the stack, 16 KB of each kind: of
 * those who are inside only with one view. */
enum { ABUT_W_WINDOW = 1 << 17, ABUT_W_WORDS = ABUT_W_WINDOW / 64 };

typedef struct abut_w_visible {
    uint32_t first, end;            /* the window of slots: first is a multiple of 64 */
    uint64_t visible[ABUT_W_WORDS]; /* one bit per slot, from `first` on */
    /* One view: */
    uint64_t *inside; /* NULL with several */
    /* Several views: */
    char *log;    /* entries of the window, in the order in which they were logged: the unused rest of the caller's
                     array */
    size_t room;  /* elements in that rest */
    size_t count; /* bodies logged; beyond `room` they are counted and their bits are set, but no entry is written */
} abut_w_visible;

typedef struct abut_w_visible_entry {
    uint32_t slot, views, inside;
} abut_w_visible_entry;

/* Side by side: bodies that a block of the tree has, each once. */
typedef struct abut_w_visible_list {
    char *entries;
    size_t n;
    uint32_t tested; /* what it took: see abut_w_cull_work */
} abut_w_visible_list;

static inline void abut_w_visible_add(abut_w_visible_list *list, uint32_t slot, uint32_t views, uint32_t inside) {
    const abut_w_visible_entry entry = {slot, views, inside};
    memcpy(list->entries + list->n++ * sizeof entry, &entry, sizeof entry);
}

/* Begins the window of slots first .. end - 1, at most ABUT_W_WINDOW, with no body visible. */
void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end);

static inline bool abut_w_visible_in_window(const abut_w_visible *v, uint32_t slot) {
    return slot - v->first < v->end - v->first;
}

/* Prefetches what writing the result will read. */
static inline void abut_w_visible_prefetch(const abut_world *world, uint32_t slot) {
    ABUT_PREFETCH(&world->ids.generation[slot]);
    ABUT_PREFETCH(&world->body_user[slot]);
}

/* One view: marks a body of the window as visible, as inside. `bits` is v->inside, which loops read once. */
static inline void abut_w_visible_mark(abut_w_visible *v, uint64_t *bits, uint32_t slot, bool visible, bool inside) {
    uint32_t at = slot - v->first;
    v->visible[at / 64] |= (uint64_t)visible << at % 64;
    bits[at / 64] |= (uint64_t)inside << at % 64;
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

/* The end of the slots that hold the first `room` visible bodies of the window, if there are more than `room`. */
uint32_t abut_w_visible_end_of(const abut_w_visible *v, size_t room);

/* One view: writes the first `room` of the marked bodies. Returns how many are marked. */
size_t abut_w_visible_write_marked(const abut_w_visible *v, const abut_world *world, abut_visible *out, size_t room);

/* Several views: writes the logged bodies to `out`, which holds the log as well. The log must be complete: count <=
 * room. */
void abut_w_visible_write_logged(const abut_w_visible *v, const abut_world *world, abut_visible *out);

#endif
