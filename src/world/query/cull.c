/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/cull.h"
#include "base/bits.h"
#include "world/body/body.h"
#include "world/query/query.h"

static void look_at_rest_boxes(const abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n,
                               const uint8_t *crossed, uint8_t *side, size_t pitch) {
    enum { SOME = 64 };
    abut_obb box[SOME];
    uint32_t index[SOME];
    for (uint32_t from = 0; from < n; from += SOME) {
        uint32_t some = n - from < SOME ? n - from : SOME;
        for (uint32_t k = 0; k < some; k++) {
            const abut_collider *collider = &c->world->collider[slot[from + k]];
            box[k] = abut_collider_obb(collider);
            index[k] = k;
        }
        const abut_cull_boxes boxes = {box, sizeof *box, index, some};
        abut_cull_sides_of_views(c->view, views, &boxes, crossed ? crossed + from : NULL, side + from, pitch);
    }
}

void abut_w_look(const abut_w_culling *c, uint32_t views, const uint32_t *slot, uint32_t n, const uint8_t *crossed,
                 uint8_t *side, size_t pitch) {
    if (n > 0 && c->world->non_box_count > 0) {
        look_at_rest_boxes(c, views, slot, n, crossed, side, pitch);
    } else if (n > 0) {
        const abut_cull_boxes boxes = {c->world->collider, sizeof *c->world->collider, slot, n};
        abut_cull_sides_of_views(c->view, views, &boxes, crossed, side, pitch);
    }
}

static void filter_marked(abut_w_culling *c) {
    abut_w_visible *v = &c->visible;
    for (uint32_t word = 0; word * 64 < v->end - v->first; word++) {
        for (uint64_t bits = v->seen[word]; bits; bits &= bits - 1) {
            uint32_t bit = ABUT_LOWEST_BIT64(bits);
            bool passes = abut_w_culling_passes(c, v->first + word * 64 + bit);
            v->seen[word] &= ~((uint64_t)!passes << bit);
        }
    }
}

static void cull_window(abut_w_culling *c, uint32_t first, uint32_t end) {
    abut_w_visible_begin(&c->visible, first, end);
    if (c->indexed) {
        abut_w_cull_index(c);
    }
    abut_w_cull_scan(c);
}

static size_t cull_one(abut_w_culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    cull_window(c, first, end);
    if (c->filter) {
        filter_marked(c);
    }
    return abut_w_visible_list_marked(&c->visible, c->world, out, room);
}

static size_t cull_several(abut_w_culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    c->visible.log = (char *)out;
    c->visible.room = room;
    cull_window(c, first, end);
    size_t count = c->visible.count;
    if (count > room && room > 0) { /* once more: only those there is room for */
        cull_window(c, first, abut_w_visible_end_of(&c->visible, room));
    }
    if (room > 0) {
        abut_w_visible_list_logged(&c->visible, c->world, out);
    }
    return count;
}

static size_t cull(abut_w_culling *c, abut_visible *out, size_t capacity) {
    size_t total = 0;
    uint32_t end = c->world->ids.used;
    for (uint32_t first = 0, next; first < end; first = next) {
        next = end - first < ABUT_W_WINDOW ? end : first + ABUT_W_WINDOW;
        abut_visible *to = out && total < capacity ? out + total : NULL;
        size_t room = to ? capacity - total : 0;
        total += c->count == 1 ? cull_one(c, first, next, to, room) : cull_several(c, first, next, to, room);
    }
    return total;
}

/* Bounds of hulls do not contain their rest boxes, which stick out of them by the obb_excess at most, and a little for
 * rounding. */
static double sticking_out(const abut_world *world) {
    const abut_bp_index *index = &world->bp.index;
    float reach = 0; /* the largest coordinate of all */
    for (uint32_t k = 0; k * ABUT_BP_SUPERBLOCK < index->count; k++) {
        for (int i = 0; i < 3; i++) {
            reach = abut_max_f(reach, abut_max_f(-index->superblocks.min[i][k], index->superblocks.max[i][k]));
        }
    }
    return world->obb_excess + ABUT_OBB_STRETCH * (world->obb_excess + (double)reach);
}

/* Apart from the caller, which is there while the index is made: that takes much of the stack as well. */
static ABUT_NOINLINE size_t cull_views(const abut_world *world, const abut_frustum *frusta, size_t count,
                                       const abut_filter *filter, bool indexed, abut_visible *out, size_t capacity) {
    static const abut_filter none = {.category = 1, .mask = UINT64_MAX};
    abut_w_culling c;
    c.world = world;
    c.count = (uint32_t)count;
    c.filter = filter;
    c.default_passes = !filter || abut_w_filters_pass(filter, &none);
    c.indexed = indexed;
    const abut_bp_index *index = &world->bp.index;
    c.complete =
        indexed && !world->changed && index->listed_count == index->count && index->count == world->ids.live_count;
    c.scanned = 0;
    double more = indexed && world->non_box_count > 0 ? sticking_out(world) : 0;
    for (uint32_t v = 0; v < c.count; v++) {
        c.view[v] = abut_cull_view_of(&frusta[v]);
        c.loose[v] = abut_cull_view_loosened(&c.view[v], more);
    }
    size_t total = cull(&c, out, capacity);
    abut_w_count_scan(world, c.scanned);
    return total;
}

size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                       abut_visible *out, size_t capacity) {
    if (!world || !frusta || count == 0 || count > ABUT_W_VIEWS || (filter && !abut_w_filter_valid(filter))) {
        return 0;
    }
    abut_filter filled;
    if (filter) {
        filled = abut_w_query_filled(filter);
    }
    return cull_views(world, frusta, count, filter ? &filled : NULL, abut_w_index(world), out, capacity);
}
