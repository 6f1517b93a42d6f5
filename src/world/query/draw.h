/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One call of abut_world_draw, and its parts. */
#ifndef ABUT_WORLD_QUERY_DRAW_H
#define ABUT_WORLD_QUERY_DRAW_H

#include "base/spatial.h"
#include "world/query/query.h"
#include <abut/draw.h>

typedef struct abut_w_drawing {
    const abut_world *world;
    abut_draw to; /* a copy: a callback may change the caller's */
    abut_w_query_filter filter;
} abut_w_drawing;

/* The first body from `slot` on that lives and is drawn; ids.used after the last one. */
static inline uint32_t abut_w_drawing_next(const abut_w_drawing *d, uint32_t slot) {
    const abut_world *world = d->world;
    while (slot < world->ids.used &&
           !(abut_idpool_is_live(&world->ids, slot) && abut_w_query_passes(world, &d->filter, slot))) {
        slot++;
    }
    return slot;
}

/* draw.c: a line between points rounded to floats, if anybody wants lines. */
void abut_w_draw_line(const abut_w_drawing *d, abut_d3 from, abut_d3 to, const abut_draw_item *item);
abut_vec3 abut_w_draw_rounded(abut_d3 v);

/* draw_bodies.c */
void abut_w_draw_shapes(const abut_w_drawing *d);
void abut_w_draw_bounds(const abut_w_drawing *d);

/* draw_candidates.c */
void abut_w_draw_candidates(const abut_w_drawing *d);

/* draw_frusta.c */
void abut_w_draw_frusta(const abut_w_drawing *d);

/* draw_pairs.c */
void abut_w_draw_contacts(const abut_w_drawing *d);
/* The middle of a body's bounds. */
abut_d3 abut_w_draw_middle(const abut_world *world, uint32_t slot);

#endif
