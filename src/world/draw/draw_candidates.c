/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/draw/draw.h"
#include "world/query/lowest.h"
#include "world/query/query.h"
#include "world/step/step.h"

/* Draws candidates: pairs of bodies whose bounds touch at the current poses, in ascending order. For every body a query
 * (query.h) finds the bodies near it; those with a higher slot make a pair with it.
 *
 * Nothing is allocated, so pairs are drawn a window at a time: of those with one lower body the first ones, in order,
 * that have not been drawn yet. */

enum { PAIRS = 1024 };

typedef struct window {
    const abut_w_drawing *d;
    uint32_t low;  /* slot of the lower body */
    uint32_t from; /* pairs with a higher slot below this have been drawn */
    abut_w_lowest found;
    abut_bp_pair pair[PAIRS]; /* the lowest pairs, as `found` keeps them */
} window;

static const abut_w_order by_high = {.words = 1, .offset = {offsetof(abut_bp_pair, high)}}; /* all have the same low */

static void find_pairs(window *w) {
    const abut_world *world = w->d->world;
    uint32_t low = w->low;
    abut_bp_box box = *abut_bp_box_of(&world->bp, low);
    abut_w_query query;
    uint32_t slot[ABUT_W_QUERY_SLOTS];
    if (world->flags[low] & ABUT_W_DIRTY) {
        abut_w_bounds_of(world, &low, 1, &box);
    }
    w->found = abut_w_lowest_of(w->pair, PAIRS, sizeof *w->pair, &by_high);
    abut_w_query_begin(&query, world, &w->d->filter, &box);
    for (uint32_t n; (n = abut_w_query_next(&query, slot, ABUT_W_QUERY_SLOTS)) > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            if (slot[i] >= w->from && abut_w_may_touch(world, low, slot[i])) {
                abut_w_lowest_add(&w->found, &(abut_bp_pair){low, slot[i]});
            }
        }
    }
    (void)abut_w_lowest_sort(&w->found);
}

static void draw_pairs(window *w) {
    const abut_world *world = w->d->world;
    const abut_d3 center = abut_w_draw_center(world, w->low);
    for (size_t i = 0; i < abut_w_lowest_kept(&w->found); i++) {
        uint32_t high = w->pair[i].high;
        const abut_draw_item item = {.kind = ABUT_DRAW_CANDIDATE,
                                     .body = abut_w_id(world, w->low),
                                     .other = abut_w_id(world, high),
                                     .user = world->body_user[w->low],
                                     .user_other = world->body_user[high]};
        abut_w_draw_line(w->d, center, abut_w_draw_center(world, high), &item);
        w->from = high + 1;
    }
}

void abut_w_draw_candidates(const abut_w_drawing *d) {
    const abut_world *world = d->world;
    uint32_t end = world->ids.used;
    window w;
    if (!d->to.line || end == 0) {
        return;
    }
    abut_w_tree_prepare(world);
    w.d = d;
    for (w.low = abut_w_drawing_next(d, 0); w.low < end; w.low = abut_w_drawing_next(d, w.low + 1)) {
        w.from = w.low + 1;
        do {
            find_pairs(&w);
            draw_pairs(&w);
        } while (w.found.total > PAIRS);
    }
}
