/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "culling/culling.h"
#include "world/visible.h"

/* Down the superblocks of the broad phase: whole ones, then what is in those that cannot be settled, then the boxes of
 * which the bounds cannot. Bodies that are astray are looked at apart from their places. */

enum {
    VIEWS = 32,
    SIZE = ABUT_BP_SUPERBLOCK,
    SUPERS = 16, /* superblocks at a time */
    PLACES = SUPERS * SIZE,
    LIST = 64,
    MORE = 16 /* sides that wide code may write beyond what it is asked for */
};
_Static_assert(SIZE == 64, "a bit for each");

/* Which places a view sees, by superblock. */
typedef struct sight {
    uint64_t seen[SUPERS], inside[SUPERS];
} sight;

/* Some superblocks, and which views see what of them. */
typedef struct chunk {
    abut_bp_span places;
    uint8_t role;
    bool trusted;                          /* who had a place has it still */
    uint32_t all_inside[SUPERS];           /* views that the whole superblock is inside of */
    uint64_t any[SUPERS];                  /* places that some other view sees; only theirs are the next two */
    uint32_t seen[PLACES], inside[PLACES]; /* by place, views */
} chunk;

typedef struct culling {
    const abut_world *world;
    uint32_t count;
    abut_cull_view view[VIEWS];
    abut_cull_view *bound; /* what bounds are held against: `view`, or looser ones */
    abut_cull_group groups;
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

static inline bool passes(const culling *c, uint32_t slot) {
    return !c->filter || (c->world->filter1[slot] ? abut_w_filters_pass(c->filter, abut_w_filter_of(c->world, slot))
                                                  : c->default_passes);
}

/* Whether the body that had this place is still there, and nobody has told of it yet. */
static inline bool counts(const culling *c, uint32_t slot) {
    const abut_world *world = c->world;
    return abut_w_visible_wants(&c->visible, slot) &&
           (c->chunk.trusted || (world->bp.role[slot] & c->chunk.role && !(world->flags[slot] & ABUT_W_ASTRAY))) &&
           passes(c, slot);
}

/* --- what one view sees --- */

static void sides_of_rest_boxes(const culling *c, const abut_cull_view *view, const box_list *list, uint8_t *side) {
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

static void look_at_boxes(const culling *c, uint32_t v, box_list *list, sight *what) {
    uint8_t side[LIST];
    const abut_cull_boxes boxes = {c->world->row, sizeof *c->world->row, list->slot, list->n};
    if (c->world->has_hulls) {
        sides_of_rest_boxes(c, &c->view[v], list, side);
    } else {
        abut_cull_sides(&c->view[v], &boxes, side);
    }
    for (uint32_t k = 0; k < list->n; k++) {
        uint32_t at = list->at[k];
        what->seen[at / SIZE] |= (uint64_t)(side[k] != ABUT_OUTSIDE) << at % SIZE;
        what->inside[at / SIZE] |= (uint64_t)(side[k] == ABUT_INSIDE) << at % SIZE;
    }
    list->n = 0;
}

/* Superblock number k of the chunk, place by place. */
static void look_into(const culling *c, uint32_t v, uint32_t k, uint8_t crossed, box_list *list, sight *what) {
    const chunk *u = &c->chunk;
    uint32_t first = u->places.first + k * SIZE, left = u->places.end - first;
    uint64_t inside, undecided, there = left < SIZE ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
    abut_cull_sides_of_group(&c->bound[v], crossed, &c->groups, first / SIZE, &inside, &undecided);
    what->seen[k] = what->inside[k] = inside & there;
    for (uint64_t bits = undecided & there; bits; bits &= bits - 1) {
        uint32_t bit = abut_bits_lowest64(bits), slot = c->world->bp.copies.key[first + bit];
        list->slot[list->n] = slot;
        list->at[list->n] = (uint16_t)(k * SIZE + bit);
        list->n += counts(c, slot); /* without a branch, because no processor guesses this */
        if (list->n == LIST) {
            look_at_boxes(c, v, list, what);
        }
    }
}

/* Returns the superblocks of which it sees parts; *all are those that are inside. */
static uint32_t look(const culling *c, uint32_t v, sight *what, uint32_t *all) {
    const chunk *u = &c->chunk;
    uint8_t crossed[SUPERS + MORE];
    uint32_t parts = 0, count = (u->places.end - u->places.first + SIZE - 1) / SIZE;
    box_list list;
    list.n = 0;
    *all = 0;
    abut_cull_planes_of_bounds(&c->bound[v], &c->groups.whole, u->places.first / SIZE, count, crossed);
    for (uint32_t k = 0; k < count; k++) {
        parts |= (uint32_t)(crossed[k] - 1 < ABUT_CULL_BEYOND - 1) << k;
        *all |= (uint32_t)(crossed[k] == 0) << k;
    }
    for (uint32_t bits = parts; bits; bits &= bits - 1) {
        uint32_t k = abut_bits_lowest(bits);
        look_into(c, v, k, crossed[k], &list, what);
    }
    if (list.n > 0) {
        look_at_boxes(c, v, &list, what);
    }
    return parts;
}

/* --- who is seen --- */

/* No slot is looked at in vain. */
static bool all_in_window(const culling *c) {
    return c->visible.first == 0 && c->visible.end == c->world->ids.used;
}

static void tell_one(culling *c, uint32_t k, uint64_t seen, uint64_t inside) {
    const uint32_t *key = c->world->bp.copies.key + c->chunk.places.first + k * SIZE;
    if (c->chunk.trusted && !c->filter && all_in_window(c)) {
        for (; seen; seen &= seen - 1) {
            uint32_t bit = abut_bits_lowest64(seen);
            abut_w_visible_add_one(&c->visible, key[bit], inside >> bit & 1);
        }
    }
    for (; seen; seen &= seen - 1) {
        uint32_t bit = abut_bits_lowest64(seen);
        if (counts(c, key[bit])) {
            abut_w_visible_add_one(&c->visible, key[bit], inside >> bit & 1);
        }
    }
}

/* The places of superblock k that there are. */
static uint64_t places_of(const chunk *u, uint32_t k) {
    uint32_t left = u->places.end - u->places.first - k * SIZE;
    return left < SIZE ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

static void cull_by_one(culling *c) {
    sight what;
    uint32_t all, parts = look(c, 0, &what, &all);
    for (; parts; parts &= parts - 1) {
        uint32_t k = abut_bits_lowest(parts);
        tell_one(c, k, what.seen[k], what.inside[k]);
    }
    for (; all; all &= all - 1) {
        uint32_t k = abut_bits_lowest(all);
        tell_one(c, k, places_of(&c->chunk, k), UINT64_MAX);
    }
}

/* What one of several views sees of superblock k joins what others do. */
static void join(chunk *u, uint32_t v, uint32_t k, const sight *what) {
    for (uint64_t fresh = what->seen[k] & ~u->any[k]; fresh; fresh &= fresh - 1) {
        uint32_t at = k * SIZE + abut_bits_lowest64(fresh);
        u->seen[at] = u->inside[at] = 0;
    }
    u->any[k] |= what->seen[k];
    for (uint64_t bits = what->seen[k]; bits; bits &= bits - 1) {
        uint32_t bit = abut_bits_lowest64(bits), at = k * SIZE + bit;
        u->seen[at] |= (uint32_t)1 << v;
        u->inside[at] |= (uint32_t)(what->inside[k] >> bit & 1) << v;
    }
}

static void tell_several(culling *c, uint32_t k) {
    const chunk *u = &c->chunk;
    const uint32_t *key = c->world->bp.copies.key + u->places.first + k * SIZE;
    uint32_t all = u->all_inside[k];
    for (uint64_t bits = all ? places_of(u, k) : u->any[k]; bits; bits &= bits - 1) {
        uint32_t bit = abut_bits_lowest64(bits), at = k * SIZE + bit;
        bool any = u->any[k] >> bit & 1;
        if (counts(c, key[bit])) {
            abut_w_visible_add(&c->visible, key[bit], any ? all | u->seen[at] : all, any ? all | u->inside[at] : all);
        }
    }
}

static void cull_by_several(culling *c) {
    chunk *u = &c->chunk;
    memset(u->all_inside, 0, sizeof u->all_inside);
    memset(u->any, 0, sizeof u->any);
    uint32_t touched = 0;
    for (uint32_t v = 0; v < c->count; v++) {
        sight what;
        uint32_t all, parts = look(c, v, &what, &all);
        touched |= all | parts;
        for (; parts; parts &= parts - 1) {
            join(u, v, abut_bits_lowest(parts), &what);
        }
        for (; all; all &= all - 1) {
            u->all_inside[abut_bits_lowest(all)] |= (uint32_t)1 << v;
        }
    }
    for (; touched; touched &= touched - 1) {
        tell_several(c, abut_bits_lowest(touched));
    }
}

static void cull_places(culling *c, abut_bp_span places, uint8_t role) {
    chunk *u = &c->chunk;
    u->role = role;
    u->trusted = !c->world->changed && (role == ABUT_BP_ACTIVE || c->world->bp.woken == 0);
    for (uint32_t first = places.first; first < places.end; first += PLACES) {
        u->places = (abut_bp_span){first, places.end - first < PLACES ? places.end : first + PLACES};
        if (c->count == 1) {
            cull_by_one(c);
        } else {
            cull_by_several(c);
        }
    }
}

static void tell_astray(culling *c, const box_list *list) {
    uint32_t seen[LIST] = {0}, inside[LIST] = {0};
    for (uint32_t v = 0; v < c->count; v++) {
        sight what = {{0}, {0}};
        box_list left = *list;
        look_at_boxes(c, v, &left, &what);
        for (uint32_t k = 0; k < list->n; k++) {
            seen[k] |= (uint32_t)(what.seen[0] >> k & 1) << v;
            inside[k] |= (uint32_t)(what.inside[0] >> k & 1) << v;
        }
    }
    for (uint32_t k = 0; k < list->n; k++) {
        if (seen[k] && c->count == 1) {
            abut_w_visible_add_one(&c->visible, list->slot[k], inside[k]);
        } else if (seen[k]) {
            abut_w_visible_add(&c->visible, list->slot[k], seen[k], inside[k]);
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
            list.n = 0;
        }
    }
    if (list.n > 0) {
        tell_astray(c, &list);
    }
}

static void cull_window(culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room) {
    c->visible.one_view = c->count == 1;
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
        uint32_t count = abut_w_visible_count(&c->visible);
        total += count;
        if (room > 0 && count > room && c->count > 1) { /* once more: only those there is room for */
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

/* `loose`: as many views, for where they differ. */
static void begin(culling *c, const abut_world *world, const abut_frustum *frusta, abut_cull_view *loose) {
    double more = sticking_out(world);
    c->world = world;
    c->groups = (abut_cull_group){.whole = bounds_of(abut_bp_superblock_bounds(&world->bp)),
                                  .parts = bounds_of(abut_bp_block_bounds(&world->bp)),
                                  .bounds = bounds_of(abut_bp_place_bounds(&world->bp))};
    c->bound = more > 0 ? loose : c->view;
    for (uint32_t v = 0; v < c->count; v++) {
        c->view[v] = abut_cull_view_of(&frusta[v]);
        if (more > 0) {
            loose[v] = abut_cull_view_loosened(&c->view[v], more);
        }
    }
}

size_t abut_world_cull(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                       abut_visible *out, size_t capacity) {
    if (!world || !frusta || count == 0 || count > VIEWS || (filter && !abut_w_filter_valid(filter))) {
        return 0;
    }
    abut_w_enclose(world);
    culling c;
    abut_cull_view loose[VIEWS];
    abut_filter filled;
    c.count = (uint32_t)count;
    c.filter = NULL;
    if (filter) {
        static const abut_filter none = {.category = 1, .mask = UINT64_MAX};
        filled = abut_w_query_filled(filter);
        c.filter = &filled;
        c.default_passes = abut_w_filters_pass(&filled, &none);
    }
    begin(&c, world, frusta, loose);
    return cull(&c, out, capacity);
}
