/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Who is seen, as it comes to light: each body once or, by one view, any number of times, in any order; and in the end
 * in the order of slots. */
#ifndef ABUT_WORLD_QUERY_VISIBLE_H
#define ABUT_WORLD_QUERY_VISIBLE_H

#include "world/world.h"
#include <abut/cull.h>

/* So many slots at a time: two bits for each are on the stack. */
enum { ABUT_W_WINDOW = 1 << 17, ABUT_W_WORDS = ABUT_W_WINDOW / 64 };

typedef struct abut_w_visible {
    uint32_t first, end; /* slots; at most a window of them */
    uint64_t seen[ABUT_W_WORDS];
    /* By one view: */
    uint64_t inside[ABUT_W_WORDS];
    /* By several: */
    char *log;   /* where entries go, in the order of coming */
    size_t room; /* for so many of them */
    size_t count;
} abut_w_visible;

typedef struct abut_w_visible_entry {
    uint32_t slot, views, inside;
} abut_w_visible_entry;

void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end);

static inline bool abut_w_visible_has(const abut_w_visible *v, uint32_t slot) {
    return slot - v->first < v->end - v->first;
}

/* The list will need this of the body. */
static inline void abut_w_visible_fetch(const abut_world *world, uint32_t slot) {
    ABUT_PREFETCH(&world->ids.generation[slot]);
    ABUT_PREFETCH(&world->body_user[slot]);
}

/* One view sees a body of the window, or sees it inside. */
static inline void abut_w_visible_mark(abut_w_visible *v, uint32_t slot, bool seen, bool inside) {
    uint32_t at = slot - v->first;
    v->seen[at / 64] |= (uint64_t)seen << at % 64;
    v->inside[at / 64] |= (uint64_t)inside << at % 64;
}

/* Several views see a body of the window, which was not logged yet. */
static inline void abut_w_visible_log(abut_w_visible *v, uint32_t slot, uint32_t views, uint32_t inside) {
    const abut_w_visible_entry entry = {slot, views, inside};
    uint32_t at = slot - v->first;
    v->seen[at / 64] |= UINT64_C(1) << at % 64;
    if (v->count < v->room) {
        memcpy(v->log + v->count * sizeof entry, &entry, sizeof entry);
    }
    v->count++;
}

/* The end of the slots of the first `room` that are seen. There are more. */
uint32_t abut_w_visible_end_of(const abut_w_visible *v, size_t room);

/* Writes those that were marked, or the first `room` of them. Returns how many there are. */
size_t abut_w_visible_list_marked(const abut_w_visible *v, const abut_world *world, abut_visible *out, size_t room);

/* Writes those that were logged to where the log is, which begins as `out` does. All were kept. */
void abut_w_visible_list_logged(const abut_w_visible *v, const abut_world *world, abut_visible *out);

#endif
