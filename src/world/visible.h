/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Who is seen, by slot, as it comes to light: each body once and in any order, and in the end in the order of slots. */
#ifndef ABUT_WORLD_VISIBLE_H
#define ABUT_WORLD_VISIBLE_H

#include "world/world.h"
#include <abut/cull.h>

enum { ABUT_W_WINDOW = 1 << 18 }; /* so many slots at a time: a bit for each is on the stack */

typedef struct abut_w_visible {
    uint32_t first, end; /* slots; at most a window of them */
    uint32_t count;      /* listed so far */
    size_t room;         /* so many of them are kept */
    abut_visible *out;   /* until they are in order, body.index1 is the slot */
    uint64_t listed[ABUT_W_WINDOW / 64];
    uint32_t before[ABUT_W_WINDOW / 64]; /* each word of listed: how many there are in the words before it */
} abut_w_visible;

void abut_w_visible_begin(abut_w_visible *v, uint32_t first, uint32_t end, abut_visible *out, size_t room);

/* Whether the slot is in the window and not listed yet. */
static inline bool abut_w_visible_wants(const abut_w_visible *v, uint32_t slot) {
    uint32_t at = slot - v->first;
    return at < v->end - v->first && !(v->listed[at / 64] >> at % 64 & 1);
}

/* Lists a slot that is wanted. */
static inline void abut_w_visible_add(abut_w_visible *v, uint32_t slot, uint32_t views, uint32_t inside) {
    uint32_t at = slot - v->first;
    v->listed[at / 64] |= UINT64_C(1) << at % 64;
    if (v->count < v->room) {
        v->out[v->count] = (abut_visible){.body.index1 = slot, .views = views, .inside = inside};
    }
    v->count++;
}

/* The end of the slots of the first `room` listed. There are more. */
uint32_t abut_w_visible_end_of_room(const abut_w_visible *v);

/* Puts them in order and fills in ids and users. All were kept. */
void abut_w_visible_finish(abut_w_visible *v, const abut_world *world);

#endif
