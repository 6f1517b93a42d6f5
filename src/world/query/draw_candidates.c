/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/query/draw.h"
#include "world/query/query.h"
#include "world/step/step.h"

/* Pairs whose boxes touch as bodies are now, in order. Every body asks the broad phase who is near it, as candidates of
 * placements do, and tells of those with a higher slot. It does not know where bodies astray are: some of them at a
 * time become a broad phase of their own.
 *
 * Nothing is allocated, so pairs are told of a window at a time: those of some bodies as the lower ones, and of these
 * the least ones that have not been told of yet. */

enum { BODIES = 256, PAIRS = 1024 };

typedef struct window {
    const abut_w_drawing *d;
    bool any_dirty;
    uint32_t first, end;  /* slots of the lower bodies */
    uint64_t from;        /* the least pair, as a number, that is wanted */
    uint64_t pair[PAIRS]; /* the least of them that were found: a heap with the largest one at its top, then sorted */
    uint32_t n;
    bool full; /* there may be others */
} window;

/* A broad phase, and what its keys stand for. */
typedef struct place {
    const abut_bp *bp;
    const uint32_t *slot; /* by key; NULL: keys are slots, and those of bodies astray do not count */
} place;

/* Puts a pair where pair[at] was, and moves it down to where no child is larger. */
static void sink(uint64_t *pair, uint32_t n, uint32_t at, uint64_t moved) {
    for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && pair[child + 1] > pair[child];
        if (pair[child] <= moved) {
            break;
        }
        pair[at] = pair[child];
    }
    pair[at] = moved;
}

static void add(window *w, uint64_t pair) {
    if (w->n == PAIRS) {
        w->full = true;
        if (pair < w->pair[0]) {
            sink(w->pair, PAIRS, 0, pair);
        }
        return;
    }
    uint32_t at = w->n++;
    for (; at > 0 && w->pair[(at - 1) / 2] < pair; at = (at - 1) / 2) {
        w->pair[at] = w->pair[(at - 1) / 2];
    }
    w->pair[at] = pair;
}

static void sort(window *w) {
    for (uint32_t n = w->n; n > 1; n--) {
        uint64_t last = w->pair[n - 1];
        w->pair[n - 1] = w->pair[0];
        sink(w->pair, n - 1, 0, last);
    }
}

static void find_near(window *w, const place *where, uint32_t low) {
    enum { ROOM = 2 * ABUT_BP_QUERY_ROOM };
    const abut_world *world = w->d->world;
    abut_bp_box box = world->bp.box[low];
    abut_bp_query query;
    uint32_t key[ROOM];
    if (world->flags[low] & ABUT_W_DIRTY) {
        abut_w_bounds_of(world, &low, 1, &box);
    }
    abut_bp_query_begin(where->bp, &box, &query);
    for (uint32_t n; (n = abut_bp_query_next(where->bp, &query, key, ROOM)) > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t high = where->slot ? where->slot[key[i]] : key[i];
            uint64_t pair = abut_w_pair_of(low, high).order;
            if (high > low && pair >= w->from && (where->slot || !(world->flags[high] & ABUT_W_DIRTY)) &&
                abut_w_may_touch(world, low, high) && abut_w_drawing_passes(w->d, high)) {
                add(w, pair);
            }
        }
    }
}

static void find_in(window *w, const place *where) {
    uint32_t slot = (uint32_t)(w->from >> 32);
    for (slot = abut_w_drawing_next(w->d, slot); slot < w->end; slot = abut_w_drawing_next(w->d, slot + 1)) {
        if (w->n == PAIRS && abut_w_pair_of(slot, 0).order > w->pair[0]) {
            w->full = true; /* whatever is still found is larger */
            return;
        }
        find_near(w, where, slot);
    }
}

/* As many bodies astray as fit, from *from on; *from becomes where the next ones are. */
static uint32_t gather_astray(const abut_world *world, uint32_t *from, abut_bp_temporary *few,
                              uint32_t slot[ABUT_BP_TEMPORARY_MAX]) {
    uint32_t n = 0, end = world->ids.used;
    for (; n < ABUT_BP_TEMPORARY_MAX && (*from = abut_w_next_dirty(world, *from, end)) < end; n++, (*from)++) {
        slot[n] = *from;
    }
    abut_w_bounds_of(world, slot, n, few->box);
    return n;
}

/* Apart from the caller, which calls back: this takes much of the stack. */
static ABUT_NOINLINE void find_astray(window *w) {
    const abut_world *world = w->d->world;
    abut_bp_temporary few;
    uint32_t slot[ABUT_BP_TEMPORARY_MAX];
    const place where = {&few.bp, slot};
    for (uint32_t from = (uint32_t)(w->from >> 32) + 1, n; (n = gather_astray(world, &from, &few, slot)) > 0;) {
        abut_bp_temporary_prepare(&few, n, world->bp.grid.axis);
        find_in(w, &where);
    }
}

static void find_pairs(window *w) {
    const place where = {&w->d->world->bp, NULL};
    w->n = 0;
    w->full = false;
    find_in(w, &where);
    if (w->any_dirty) {
        find_astray(w);
    }
    sort(w);
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
        abut_w_draw_line(w->d, abut_w_draw_middle(world, low), abut_w_draw_middle(world, high), &item);
    }
}

void abut_w_draw_candidates(const abut_w_drawing *d) {
    const abut_world *world = d->world;
    uint32_t end = world->ids.used;
    window w;
    if (!d->to.line || end == 0) {
        return;
    }
    abut_w_query_prepare(world);
    w.d = d;
    w.any_dirty = world->changed && abut_w_next_dirty(world, 0, end) < end;
    uint32_t bodies = w.any_dirty ? BODIES : 1; /* those astray are gathered anew for each window */
    for (w.first = 0; w.first < end; w.first = w.end) {
        w.end = end - w.first < bodies ? end : w.first + bodies;
        w.from = abut_w_pair_of(w.first, 0).order;
        do {
            find_pairs(&w);
            draw_pairs(&w);
            w.from = w.n > 0 ? w.pair[w.n - 1] + 1 : w.from;
        } while (w.full);
    }
}
