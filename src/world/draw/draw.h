/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One call of abut_world_draw, and its parts: one file per kind of thing that is drawn. */
#ifndef ABUT_WORLD_DRAW_DRAW_H
#define ABUT_WORLD_DRAW_DRAW_H

#include "base/spatial.h"
#include "world/query/query.h"
#include <abut/draw.h>

typedef struct abut_w_drawing {
    const abut_world *world;
    abut_draw to; /* a copy: a callback may change the original */
    abut_w_query_filter filter;
} abut_w_drawing;

/* The first living body from `slot` on that passes the filter; ids.used after the last one. */
static inline uint32_t abut_w_drawing_next(const abut_w_drawing *d, uint32_t slot) {
    const abut_world *world = d->world;
    while (slot < world->ids.used &&
           !(abut_idpool_is_live(&world->ids, slot) && abut_w_query_passes(world, &d->filter, slot))) {
        slot++;
    }
    return slot;
}

/* draw_line.c: a line whose ends are rounded to floats, if the caller has a function for lines. */
void abut_w_draw_line(const abut_w_drawing *d, abut_d3 from, abut_d3 to, const abut_draw_item *item);
/* The centre of a body's bounds. */
abut_d3 abut_w_draw_center(const abut_world *world, uint32_t slot);

/* draw_bodies.c: boxes, the lines of other shapes; bounds. */
void abut_w_draw_shapes(const abut_w_drawing *d);
void abut_w_draw_bounds(const abut_w_drawing *d);

/* draw_candidates.c: pairs whose bounds touch at the current poses. */
void abut_w_draw_candidates(const abut_w_drawing *d);

/* draw_contacts.c: contacts of the last step. */
void abut_w_draw_contacts(const abut_w_drawing *d);

/* draw_frusta.c: edges of the caller's frusta. */
void abut_w_draw_frusta(const abut_w_drawing *d);

#endif
