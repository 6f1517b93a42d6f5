/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Who is seen, by slot, as it comes to light: in any order, and maybe more than once, and in the end in the order of
 * slots. For one view two sets of slots say it all. For several, masks are kept in the caller's own list and put in
 * order there. */
#ifndef ABUT_WORLD_VISIBLE_H
#define ABUT_WORLD_VISIBLE_H

#include "world/world.h"
#include <abut/cull.h>

enum {
    ABUT_W_WINDOW = 1 << 17, /* so many slots at a time: sets of them are on the stack */
    ABUT_W_WINDOW_WORDS = ABUT_W_WINDOW / 64
};

typedef struct abut_w_visible {
    uint32_t first, end; /* slots; at most a window of them */
    bool one_view;
    uint32_t count;    /* several views: listed so far */
    size_t room;       /* and so many of them are kept */
    abut_visible *out; /* until they are in order, body.index1 is the slot */
    uint64_t listed[ABUT_W_WINDOW_WORDS];
    union {
        uint64_t inside[ABUT_W_WINDOW_WORDS]; /* one view */
        uint32_t before[ABUT_W_WINDOW_WORDS]; /* several: by word of listed, how many there are in the words before */
    } by_word;
} abut_w_visible;

void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end, abut_visible *out, size_t room);

/* Whether the slot is in the window and not listed yet. */
static inline bool abut_w_visible_wants(const abut_w_visible *v, uint32_t slot) {
    uint32_t at = slot - v->first;
    return at < v->end - v->first && !(v->listed[at / 64] >> at % 64 & 1);
}

/* Lists a slot that is wanted; with one view any slot in the window. */
static inline void abut_w_visible_add_one(abut_w_visible *v, uint32_t slot, uint64_t inside) {
    uint32_t at = slot - v->first;
    v->listed[at / 64] |= UINT64_C(1) << at % 64;
    v->by_word.inside[at / 64] |= inside << at % 64;
}

static inline void abut_w_visible_add(abut_w_visible *v, uint32_t slot, uint32_t views, uint32_t inside) {
    uint32_t at = slot - v->first;
    v->listed[at / 64] |= UINT64_C(1) << at % 64;
    if (v->count < v->room) {
        v->out[v->count] = (abut_visible){.body.index1 = slot, .views = views, .inside = inside};
    }
    v->count++;
}

/* How many there are. */
uint32_t abut_w_visible_count(const abut_w_visible *v);

/* Several views: the end of the slots of the first `room`. There are more. */
uint32_t abut_w_visible_end_of_room(const abut_w_visible *v);

/* Writes the first `room` of them, in order. Of several views all were kept. */
void abut_w_visible_finish(abut_w_visible *v, const abut_world *world);

#endif
