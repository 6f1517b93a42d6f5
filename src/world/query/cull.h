/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One call of abut_world_cull, and its parts. */
#ifndef ABUT_WORLD_QUERY_CULL_H
#define ABUT_WORLD_QUERY_CULL_H

#include "culling/culling.h"
#include "world/body/body.h"
#include "world/query/visible.h"

enum { ABUT_W_VIEWS = 32, ABUT_W_LOOKS = 256 };

typedef struct abut_w_culling {
    const abut_world *world;
    uint32_t count; /* views */
    abut_cull_view view[ABUT_W_VIEWS];
    abut_cull_view loose[ABUT_W_VIEWS]; /* for boxes of the index: rest boxes of hulls stick out of them */
    const abut_filter *filter;          /* filled in; NULL: all pass */
    bool default_passes;
    bool indexed;
    bool complete;    /* the index has all bodies and no others, and says where they are */
    uint32_t scanned; /* so many bodies were looked at one by one */
    abut_w_visible visible;
} abut_w_culling;

static inline bool abut_w_culling_passes(const abut_w_culling *c, uint32_t slot) {
    return !c->filter ||
           (c->world->filter_plus_one[slot] ? abut_w_filters_pass(c->filter, abut_w_filter_of(c->world, slot))
                                            : c->default_passes);
}

/* Of a slot with an entry: whether that is right. */
static inline bool abut_w_culling_finds(const abut_w_culling *c, uint32_t slot) {
    return c->complete || (abut_bp_index_lists(&c->world->bp, slot) && !(c->world->flags[slot] & ABUT_W_DIRTY));
}

/* Where boxes of bodies are that live; at most ABUT_W_LOOKS of them. side[v * pitch + k] and crossed[v * pitch + k] are
 * of slot[k] and view v, for each whose bit is set in `views`; see abut_cull_sides_of_views. */
void abut_w_look(const abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n, const uint8_t *crossed,
                 uint8_t *side, size_t pitch);

/* Marks, or logs, who of the window is seen: those that the index has, which must be there; and where one view marks
 * them, maybe some that have an entry but are not where it says. */
void abut_w_cull_index(abut_w_culling *c);

/* The same for all others; marks of those are taken back. */
void abut_w_cull_scan(abut_w_culling *c);

#endif
