/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/draw/draw.h"
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
    uint32_t low;         /* slot of the lower body */
    uint64_t next_pair;   /* pairs before this one, by abut_w_pair::order, have been drawn */
    uint64_t pair[PAIRS]; /* the lowest pairs found so far: a heap with the largest at its top; sorted at the end */
    uint32_t n;
    bool full; /* there may be more pairs */
} window;

/* Replaces pair[at] by `moved`, and moves it down until no child is larger. */
static void sift_down(uint64_t *pair, uint32_t n, uint32_t at, uint64_t moved) {
    for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && pair[child + 1] > pair[child];
        if (pair[child] <= moved) {
            break;
        }
        pair[at] = pair[child];
    }
    pair[at] = moved;
}

static void heap_add(window *w, uint64_t pair) {
    if (w->n == PAIRS) {
        w->full = true;
        if (pair < w->pair[0]) {
            sift_down(w->pair, PAIRS, 0, pair);
        }
        return;
    }
    uint32_t at = w->n++;
    for (; at > 0 && w->pair[(at - 1) / 2] < pair; at = (at - 1) / 2) {
        w->pair[at] = w->pair[(at - 1) / 2];
    }
    w->pair[at] = pair;
}

static void heap_sort(window *w) {
    for (uint32_t n = w->n; n > 1; n--) {
        uint64_t last = w->pair[n - 1];
        w->pair[n - 1] = w->pair[0];
        sift_down(w->pair, n - 1, 0, last);
    }
}

static void find_near(window *w, uint32_t low) {
    const abut_world *world = w->d->world;
    abut_bp_box box = *abut_bp_box_of(&world->bp, low);
    abut_w_query query;
    uint32_t slot[ABUT_W_QUERY_SLOTS];
    if (world->flags[low] & ABUT_W_DIRTY) {
        abut_w_bounds_of(world, &low, 1, &box);
    }
    abut_w_query_begin(&query, world, &w->d->filter, &box);
    for (uint32_t n; (n = abut_w_query_next(&query, slot, ABUT_W_QUERY_SLOTS)) > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            uint64_t pair = abut_w_pair_of(low, slot[i]).order;
            if (slot[i] > low && pair >= w->next_pair && abut_w_may_touch(world, low, slot[i])) {
                heap_add(w, pair);
            }
        }
    }
}

static void find_pairs(window *w) {
    w->n = 0;
    w->full = false;
    find_near(w, w->low);
    heap_sort(w);
}

static void draw_pairs(const window *w) {
    const abut_world *world = w->d->world;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t low = (uint32_t)(w->pair[i] >> 32), high = (uint32_t)w->pair[i];
        const abut_draw_item item = {.kind = ABUT_DRAW_CANDIDATE,
                                     .body = abut_w_id(world, low),
                                     .other = abut_w_id(world, high),
                                     .user = world->body_user[low],
                                     .user_other = world->body_user[high]};
        abut_w_draw_line(w->d, abut_w_draw_center(world, low), abut_w_draw_center(world, high), &item);
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
        w.next_pair = abut_w_pair_of(w.low, 0).order;
        do {
            find_pairs(&w);
            draw_pairs(&w);
            w.next_pair = w.n > 0 ? w.pair[w.n - 1] + 1 : w.next_pair;
        } while (w.full);
    }
}
