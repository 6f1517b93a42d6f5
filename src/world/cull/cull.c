/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/cull/cull.h"
#include "base/bits.h"
#include "base/compiler.h"
#include "base/workers/fpmode.h"

/* A call, a window of slots at a time. */

/* With one view, only visible bodies are filtered, here. With several, bodies are filtered before they are logged. */
static void filter_marked(abut_w_culling *c) {
    abut_w_visible *v = &c->visible;
    for (uint32_t word = 0; word * 64 < v->end - v->first; word++) {
        for (uint64_t bits = v->visible[word]; bits; bits &= bits - 1) {
            uint32_t bit = ABUT_LOWEST_BIT64(bits);
            bool passes = abut_w_query_passes(c->world, &c->filter, v->first + word * 64 + bit);
            v->visible[word] &= ~((uint64_t)!passes << bit);
        }
    }
}

/* Not inlined, so that its bits are on the stack only with one view. */
static ABUT_NOINLINE size_t cull_one(abut_w_culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    uint64_t inside[ABUT_W_WORDS];
    c->visible.inside = inside;
    abut_w_cull_begin(c, first, end);
    abut_w_cull_one_view(c);
    if (!abut_w_query_passes_all(&c->filter)) {
        filter_marked(c);
    }
    return abut_w_visible_write_marked(&c->visible, c->world, out, room);
}

static void log_window(abut_w_culling *c, uint32_t first, uint32_t end) {
    abut_w_cull_begin(c, first, end);
    abut_w_cull_several_views(c);
}

static size_t cull_several(abut_w_culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    c->visible.log = (char *)out;
    c->visible.room = room;
    log_window(c, first, end);
    size_t count = c->visible.count;
    if (count > room && room > 0) { /* the log is incomplete: cull again, only the bodies that there is room for */
        log_window(c, first, abut_w_visible_end_of(&c->visible, room));
    }
    if (room > 0) {
        abut_w_visible_write_logged(&c->visible, c->world, out);
    }
    return count;
}

static size_t cull_windows(abut_w_culling *c, abut_visible *out, size_t capacity) {
    size_t total = 0;
    uint32_t end = c->world->ids.used;
    bool wide = out && abut_w_cull_is_wide(c);
    for (uint32_t first = 0, next; first < end; first = next) {
        next = end - first < ABUT_W_WINDOW ? end : first + ABUT_W_WINDOW;
        abut_visible *to = out && total < capacity ? out + total : NULL;
        size_t room = to ? capacity - total : 0;
        size_t count;
        if (!wide || !abut_w_cull_wide(c, first, next, to, room, &count)) {
            count = c->count == 1 ? cull_one(c, first, next, to, room) : cull_several(c, first, next, to, room);
        }
        total += count;
    }
    return total;
}

size_t abut_w_cull(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                   abut_visible *out, size_t capacity, abut_w_cull_work *work) {
    abut_w_culling c;
    abut_w_tree_prepare(world);
    *work = (abut_w_cull_work){.tested = 0};
    c.world = world;
    c.count = (uint32_t)count;
    c.visible.inside = NULL;
    c.filter = abut_w_query_filter_of(world, filter);
    c.work = work;
    c.all_bodies = abut_w_tree(world)->count == world->ids.live_count;
    for (uint32_t v = 0; v < c.count; v++) {
        c.view[v] = abut_cull_view_of(&frusta[v]);
    }
    return cull_windows(&c, out, capacity);
}

static size_t cull_world(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                         abut_visible *out, size_t capacity) {
    abut_w_cull_work work;
    if (!world || !frusta || count == 0 || count > ABUT_W_VIEWS || (filter && !abut_w_filter_valid(filter))) {
        return 0;
    }
    return abut_w_cull(world, frusta, count, filter, out, capacity, &work);
}

size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                       abut_visible *out, size_t capacity) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t answer = cull_world(world, frusta, count, filter, out, capacity);
    abut_fpmode_leave(mode);
    return answer;
}
