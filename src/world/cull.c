/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "culling/culling.h"
#include "world/visible.h"

/* Down the blocks of the broad phase: whole superblocks, then blocks, then bounds, then boxes are looked at, each only
 * where what is around it could not be settled. Bodies that are astray are looked at apart from their places. */

enum {
    VIEWS = 32,
    SUPERS = 16, /* superblocks at a time */
    BLOCKS = SUPERS * (ABUT_BP_SUPERBLOCK / ABUT_BP_BLOCK),
    PLACES = SUPERS * ABUT_BP_SUPERBLOCK,
    LIST = 64,
    MORE = 16 /* sides that wide code may write beyond what it is asked for */
};

/* Which views see what, bit by bit. By number within the chunk. */
typedef struct chunk {
    abut_bp_span places;
    uint8_t role;
    uint32_t touched;           /* superblocks of which some view sees something */
    uint32_t inside_of[BLOCKS]; /* all of the block is inside */
    uint32_t open[BLOCKS];      /* each box by itself: */
    uint32_t seen[PLACES], inside[PLACES];
    uint8_t side[PLACES + MORE];
} chunk;

typedef struct culling {
    const abut_world *world;
    uint32_t count;
    abut_cull_view view[VIEWS];
    abut_cull_view loose[VIEWS]; /* for boxes round several: see loosen */
    abut_cull_bounds superblocks, blocks, places;
    const abut_filter *filter; /* filled in; NULL: all pass */
    bool default_passes;
    abut_w_visible visible;
    chunk chunk;
} culling;

/* Boxes to be looked at by one view. */
typedef struct box_list {
    uint32_t slot[LIST];
    uint16_t at[LIST]; /* number within the chunk */
    uint32_t n;
} box_list;

static bool passes(const culling *c, uint32_t slot) {
    return !c->filter || (c->world->filter1[slot] ? abut_w_filters_pass(c->filter, abut_w_filter_of(c->world, slot))
                                                  : c->default_passes);
}

/* Whether the body that had this place is still there, and nobody has told of it yet. */
static inline bool counts(const culling *c, uint32_t slot, uint8_t role) {
    const abut_world *world = c->world;
    return world->bp.role[slot] & role && !(world->flags[slot] & ABUT_W_ASTRAY) &&
           abut_w_visible_wants(&c->visible, slot) && passes(c, slot);
}

/* --- boxes --- */

static void look_at_rest_boxes(const culling *c, const abut_cull_view *view, const box_list *list, uint8_t *side) {
    abut_obb box[LIST];
    uint32_t index[LIST];
    for (uint32_t k = 0; k < list->n; k++) {
        const abut_np_row *row = &c->world->row[list->slot[k]];
        box[k] = row->hull ? abut_w_rest_box(row) : (abut_obb){row->center, row->rotation, row->half};
        index[k] = k;
    }
    const abut_cull_boxes boxes = {box, sizeof *box, index, list->n};
    abut_cull_sides(view, &boxes, side);
}

static void look_at_boxes(culling *c, uint32_t v, box_list *list) {
    uint8_t side[LIST];
    if (list->n == 0) {
        return;
    }
    const abut_cull_boxes boxes = {c->world->row, sizeof *c->world->row, list->slot, list->n};
    if (c->world->has_hulls) {
        look_at_rest_boxes(c, &c->view[v], list, side);
    } else {
        abut_cull_sides(&c->view[v], &boxes, side);
    }
    for (uint32_t k = 0; k < list->n; k++) {
        c->chunk.seen[list->at[k]] |= (uint32_t)(side[k] != ABUT_OUTSIDE) << v;
        c->chunk.inside[list->at[k]] |= (uint32_t)(side[k] == ABUT_INSIDE) << v;
    }
    list->n = 0;
}

/* --- what is around them --- */

static uint32_t run_of(const uint8_t *side, uint32_t from, uint32_t n) {
    uint32_t end = from;
    while (end < n && side[end] == ABUT_CULL_UNDECIDED) {
        end++;
    }
    return end;
}

static void look_at_places(culling *c, uint32_t v, uint32_t from, uint32_t n, box_list *list) {
    chunk *u = &c->chunk;
    uint32_t left = u->places.end - u->places.first;
    uint32_t end = from + n < left ? from + n : left;
    abut_cull_sides_of_bounds(&c->loose[v], &c->places, u->places.first + from, end - from, u->side);
    for (uint32_t k = from; k < end; k++) {
        uint8_t side = u->side[k - from];
        if (side == ABUT_CULL_UNDECIDED) {
            uint32_t slot = c->world->bp.copies.key[u->places.first + k];
            if (counts(c, slot, u->role)) {
                ABUT_PREFETCH(&c->world->row[slot]);
                list->slot[list->n] = slot;
                list->at[list->n++] = (uint16_t)k;
            }
            if (list->n == LIST) {
                look_at_boxes(c, v, list);
            }
        } else {
            u->seen[k] |= (uint32_t)(side == ABUT_INSIDE) << v;
            u->inside[k] |= (uint32_t)(side == ABUT_INSIDE) << v;
        }
    }
}

static void open_block(chunk *u, uint32_t block, uint32_t bit) {
    if (!u->open[block]) {
        memset(u->seen + (size_t)block * ABUT_BP_BLOCK, 0, ABUT_BP_BLOCK * sizeof *u->seen);
        memset(u->inside + (size_t)block * ABUT_BP_BLOCK, 0, ABUT_BP_BLOCK * sizeof *u->inside);
    }
    u->open[block] |= bit;
}

static void look_at_blocks(culling *c, uint32_t v, uint32_t from, uint32_t n, box_list *list) {
    chunk *u = &c->chunk;
    uint8_t side[BLOCKS + MORE];
    uint32_t first = u->places.first / ABUT_BP_BLOCK;
    uint32_t left = (u->places.end - u->places.first + ABUT_BP_BLOCK - 1) / ABUT_BP_BLOCK;
    uint32_t count = from + n < left ? n : left - from;
    abut_cull_sides_of_bounds(&c->loose[v], &c->blocks, first + from, count, side);
    for (uint32_t k = 0; k < count;) {
        uint32_t end = run_of(side, k, count);
        if (end == k) {
            u->inside_of[from + k] |= (uint32_t)(side[k] == ABUT_INSIDE) << v;
            k++;
            continue;
        }
        for (uint32_t block = from + k; block < from + end; block++) {
            open_block(u, block, (uint32_t)1 << v);
        }
        look_at_places(c, v, (from + k) * ABUT_BP_BLOCK, (end - k) * ABUT_BP_BLOCK, list);
        k = end;
    }
}

static void look(culling *c, uint32_t v) {
    enum { BLOCKS_EACH = ABUT_BP_SUPERBLOCK / ABUT_BP_BLOCK };
    chunk *u = &c->chunk;
    uint8_t side[SUPERS + MORE];
    box_list list;
    list.n = 0;
    uint32_t count = (u->places.end - u->places.first + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK;
    abut_cull_sides_of_bounds(&c->loose[v], &c->superblocks, u->places.first / ABUT_BP_SUPERBLOCK, count, side);
    for (uint32_t k = 0; k < count;) {
        uint32_t end = run_of(side, k, count);
        if (end > k) {
            look_at_blocks(c, v, k * BLOCKS_EACH, (end - k) * BLOCKS_EACH, &list);
            for (; k < end; k++) {
                u->touched |= (uint32_t)1 << k;
            }
        } else if (side[k++] == ABUT_INSIDE) {
            u->touched |= (uint32_t)1 << (k - 1);
            for (uint32_t block = (k - 1) * BLOCKS_EACH; block < k * BLOCKS_EACH; block++) {
                u->inside_of[block] |= (uint32_t)1 << v;
            }
        }
    }
    look_at_boxes(c, v, &list);
}

/* --- who is seen --- */

static void tell_block(culling *c, uint32_t block) {
    chunk *u = &c->chunk;
    uint32_t all = u->inside_of[block], open = u->open[block];
    if (!(all | open)) {
        return;
    }
    uint32_t first = u->places.first + block * ABUT_BP_BLOCK;
    for (uint32_t k = 0; k < ABUT_BP_BLOCK && first + k < u->places.end; k++) {
        uint32_t at = block * ABUT_BP_BLOCK + k;
        uint32_t seen = open ? all | u->seen[at] : all, inside = open ? all | u->inside[at] : all;
        uint32_t slot = c->world->bp.copies.key[first + k];
        if (seen && counts(c, slot, u->role)) {
            abut_w_visible_add(&c->visible, slot, seen, inside);
        }
    }
}

static void cull_places(culling *c, abut_bp_span places, uint8_t role) {
    chunk *u = &c->chunk;
    u->role = role;
    for (uint32_t first = places.first; first < places.end; first += PLACES) {
        u->places = (abut_bp_span){first, places.end - first < PLACES ? places.end : first + PLACES};
        u->touched = 0;
        memset(u->inside_of, 0, sizeof u->inside_of);
        memset(u->open, 0, sizeof u->open);
        for (uint32_t v = 0; v < c->count; v++) {
            look(c, v);
        }
        for (uint32_t supers = u->touched; supers; supers &= supers - 1) {
            uint32_t block = abut_bits_lowest(supers) * (ABUT_BP_SUPERBLOCK / ABUT_BP_BLOCK);
            for (uint32_t k = 0; k < ABUT_BP_SUPERBLOCK / ABUT_BP_BLOCK; k++) {
                tell_block(c, block + k);
            }
        }
    }
}

static void tell_astray(culling *c, box_list *list) {
    chunk *u = &c->chunk;
    uint32_t n = list->n;
    for (uint32_t k = 0; k < n; k++) {
        u->seen[k] = u->inside[k] = 0;
    }
    for (uint32_t v = 0; v < c->count; v++) {
        list->n = n;
        look_at_boxes(c, v, list);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (u->seen[k]) {
            abut_w_visible_add(&c->visible, list->slot[k], u->seen[k], u->inside[k]);
        }
    }
}

static void cull_astray(culling *c) {
    box_list list;
    list.n = 0;
    uint32_t end = c->visible.end;
    for (uint32_t slot = c->visible.first; (slot = abut_w_next_astray(c->world, slot, end)) < end; slot++) {
        if (!passes(c, slot)) {
            continue;
        }
        list.slot[list.n] = slot;
        list.at[list.n] = (uint16_t)list.n;
        if (++list.n == LIST) {
            tell_astray(c, &list);
        }
    }
    tell_astray(c, &list);
}

static void cull_window(culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    abut_w_visible_begin(&c->visible, first, end, out, room);
    cull_places(c, abut_bp_settled_places(&c->world->bp), ABUT_BP_SETTLED);
    cull_places(c, abut_bp_active_places(&c->world->bp), ABUT_BP_ACTIVE);
    if (c->world->changed) {
        cull_astray(c);
    }
}

static size_t cull(culling *c, abut_visible *out, size_t capacity) {
    size_t total = 0;
    uint32_t end = c->world->ids.used;
    for (uint32_t first = 0; first < end;) {
        uint32_t next = end - first < ABUT_W_WINDOW ? end : first + ABUT_W_WINDOW;
        abut_visible *to = out && total < capacity ? out + total : NULL;
        size_t room = to ? capacity - total : 0;
        cull_window(c, first, next, to, room);
        total += c->visible.count;
        if (room > 0 && c->visible.count > room) { /* once more: only those there is room for */
            cull_window(c, first, abut_w_visible_end_of_room(&c->visible), to, room);
        }
        if (room > 0) {
            abut_w_visible_finish(&c->visible, c->world);
        }
        first = next;
    }
    return total;
}

/* --- views --- */

static abut_cull_bounds bounds_of(abut_bp_bounds b) {
    return (abut_cull_bounds){{b.min[0], b.min[1], b.min[2]}, {b.max[0], b.max[1], b.max[2]}};
}

/* The largest coordinate of all places. */
static double reach_of(const abut_bp_blocks *superblocks, abut_bp_span places) {
    float most = 0;
    for (uint32_t k = places.first / ABUT_BP_SUPERBLOCK; k * ABUT_BP_SUPERBLOCK < places.end; k++) {
        for (int i = 0; i < 3; i++) {
            most = abut_max_f(most, abut_max_f(-superblocks->min[i][k], superblocks->max[i][k]));
        }
    }
    return (double)most;
}

/* Bounds of hulls do not contain their rest boxes, which stick out of them by the overhang at most, and a little for
 * rounding. */
static double sticking_out(const abut_world *world) {
    if (!world->has_hulls) {
        return 0;
    }
    const abut_bp *bp = &world->bp;
    double reach = abut_max_d(reach_of(&bp->superblocks, abut_bp_settled_places(bp)),
                              reach_of(&bp->superblocks, abut_bp_active_places(bp)));
    return world->overhang + ABUT_W_STRETCH * (world->overhang + reach);
}

static void begin(culling *c, const abut_world *world, const abut_frustum *frusta, size_t count) {
    abut_w_enclose(world);
    c->world = world;
    c->count = (uint32_t)count;
    c->superblocks = bounds_of(abut_bp_superblock_bounds(&world->bp));
    c->blocks = bounds_of(abut_bp_block_bounds(&world->bp));
    c->places = bounds_of(abut_bp_place_bounds(&world->bp));
    double more = sticking_out(world);
    for (uint32_t v = 0; v < c->count; v++) {
        c->view[v] = abut_cull_view_of(&frusta[v]);
        c->loose[v] = abut_cull_view_loosened(&c->view[v], more);
    }
}

size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                       abut_visible *out, size_t capacity) {
    if (!world || !frusta || count == 0 || count > VIEWS || (filter && !abut_w_filter_valid(filter))) {
        return 0;
    }
    culling c;
    abut_filter filled;
    c.filter = NULL;
    if (filter) {
        static const abut_filter none = {.category = 1, .mask = UINT64_MAX};
        filled = abut_w_query_filled(filter);
        c.filter = &filled;
        c.default_passes = abut_w_filters_pass(&filled, &none);
    }
    begin(&c, world, frusta, count);
    return cull(&c, out, capacity);
}
