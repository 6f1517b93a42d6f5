/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/cull/cull.h"

/* Walks down the search tree from its third level: superblocks of 64 bodies, then blocks of 8, then bodies. A box that
 * is certainly outside a view is dropped; all bodies of a box that is certainly inside are visible; only a box that a
 * plane may cross is opened. With one view, bodies are marked as they are found. Several views walk down together, so
 * that a body is read once for all of them and logged once. */

enum {
    BLOCK = 8,
    SUPERBLOCK = ABUT_W_CULL_SUPERBLOCK,
    BLOCKS_EACH = SUPERBLOCK / BLOCK, /* blocks of a superblock */
    WRITE_SLACK = 16                  /* bytes that wide code may write past the end */
};

/* The boxes of a level of the tree. */
static abut_cull_bounds bounds_of(const abut_bp_tree *tree, uint32_t level) {
    return (abut_cull_bounds){abut_bp_tree_eights(tree, level)};
}

/* Whether a byte from abut_cull_planes_of_bounds means neither inside nor outside. */
static inline bool is_crossed(uint8_t crossed) {
    return crossed != 0 && crossed != ABUT_CULL_BEYOND;
}

static uint32_t end_of_crossed(const uint8_t *crossed, uint32_t from, uint32_t n) {
    while (from < n && is_crossed(crossed[from])) {
        from++;
    }
    return from;
}

/* --- one view --- */

enum { SUPERS = 64 }; /* superblocks at a time */

typedef struct walk {
    const abut_w_culling *c;
    abut_w_visible *visible; /* where bodies are marked */
    uint32_t tested;
    const uint32_t *key; /* by entry of the tree */
    uint32_t entries;
    abut_cull_bounds superblocks, blocks;
    uint32_t slot[ABUT_W_CULL_BATCH], n; /* bodies whose own boxes are to be tested */
    bool far;                            /* most of the last batch were outside */
    uint8_t crossed[ABUT_W_CULL_BATCH];  /* of each, the planes that may cross its block */
} walk;

static void test_listed(walk *w) {
    uint8_t side[ABUT_W_CULL_BATCH];
    uint64_t *bits = w->visible->inside;
    uint32_t outside = 0;
    abut_w_cull_sides(w->c, w->slot, w->n, w->far, w->crossed, side);
    for (uint32_t k = 0; k < w->n; k++) { /* without a branch, since nobody predicts it */
        abut_w_visible_mark(w->visible, bits, w->slot[k], side[k] != ABUT_OUTSIDE, side[k] == ABUT_INSIDE);
        outside += side[k] == ABUT_OUTSIDE;
    }
    w->far = 2 * outside > w->n;
    w->tested += w->n;
    w->n = 0;
}

/* Marks the bodies of entries first .. first + n - 1. */
static void mark_inside(walk *w, uint32_t first, uint32_t n) {
    uint32_t end = first + n < w->entries ? first + n : w->entries;
    uint64_t *bits = w->visible->inside;
    for (uint32_t k = first; k < end; k++) {
        uint32_t slot = w->key[k];
        if (abut_w_visible_in_window(w->visible, slot) && abut_w_culling_is_body(w->c, slot)) {
            abut_w_visible_mark(w->visible, bits, slot, true, true);
        }
    }
}

/* Lists the bodies of a block. Only living ones: the hull of a destroyed body may have been destroyed as well. */
static void list_block(walk *w, uint32_t block, uint8_t crossed) {
    uint32_t end = (block + 1) * BLOCK < w->entries ? (block + 1) * BLOCK : w->entries;
    for (uint32_t k = block * BLOCK; k < end; k++) {
        uint32_t slot = w->key[k];
        ABUT_PREFETCH(&w->c->world->collider[slot]);
        w->slot[w->n] = slot;
        w->crossed[w->n] = crossed;
        w->n += abut_w_visible_in_window(&w->c->visible, slot) && abut_w_culling_is_body(w->c, slot);
    }
    if (w->n + BLOCK > ABUT_W_CULL_BATCH) {
        test_listed(w);
    }
}

static void cull_blocks(walk *w, uint32_t first, uint32_t n) {
    uint8_t crossed[SUPERS * BLOCKS_EACH + WRITE_SLACK];
    abut_cull_planes_of_bounds(&w->c->view[0], &w->blocks, first, n, crossed);
    for (uint32_t k = 0; k < n; k++) {
        if (crossed[k] == 0) {
            mark_inside(w, (first + k) * BLOCK, BLOCK);
        } else if (is_crossed(crossed[k])) {
            list_block(w, first + k, crossed[k]);
        }
    }
}

/* Superblocks first .. end - 1. Returns how many bodies were tested. */
static uint32_t cull_by_one_view(const abut_w_culling *c, uint32_t end, abut_w_visible *visible) {
    const abut_bp_tree *tree = abut_w_tree(c->world);
    walk w;
    w.c = c;
    w.visible = visible;
    w.tested = 0;
    w.key = tree->key;
    w.entries = tree->count;
    w.superblocks = bounds_of(tree, 2);
    w.blocks = bounds_of(tree, 1);
    w.n = 0;
    w.far = false;
    for (uint32_t first = 0; first < end; first += SUPERS) {
        uint8_t crossed[SUPERS + WRITE_SLACK];
        uint32_t n = end - first < SUPERS ? end - first : SUPERS;
        abut_cull_planes_of_bounds(&c->view[0], &w.superblocks, first, n, crossed);
        for (uint32_t k = 0; k < n;) {
            uint32_t to = end_of_crossed(crossed, k, n);
            if (to > k) {
                cull_blocks(&w, (first + k) * BLOCKS_EACH, (to - k) * BLOCKS_EACH);
                k = to;
            } else if (crossed[k++] == 0) {
                mark_inside(&w, (first + k - 1) * SUPERBLOCK, SUPERBLOCK);
            }
        }
    }
    test_listed(&w);
    return w.tested;
}

/* --- several views --- */

enum { CHUNK_SUPERS = 8, BATCH_SUPERS = 128, BLOCKS = CHUNK_SUPERS * BLOCKS_EACH, BODIES = BLOCKS * BLOCK };

/* Open blocks that are tested together, so that each body is read once for all views. */
enum { BLOCKS_AT_ONCE = 4, BODIES_AT_ONCE = BLOCKS_AT_ONCE * BLOCK };
typedef struct open_blocks_list {
    uint32_t block[BLOCKS_AT_ONCE], n;
    uint32_t views; /* views for which any of them is open */
} open_blocks_list;

/* Bodies that the planes of a view leave open wait for others, since the later stages are the quicker the more there
 * are. */
enum { ENOUGH = 64 };
typedef struct waiting {
    uint32_t n;
    uint16_t body[ENOUGH + BODIES_AT_ONCE]; /* in the chunk, */
    uint8_t side[ENOUGH + BODIES_AT_ONCE];  /* and what is known */
} waiting;

/* A few superblocks with their blocks and bodies, which are all counted from the first of each kind. A set of views is
 * 32 bits. */
typedef struct chunk {
    const abut_w_culling *c;
    uint32_t tested;
    const uint32_t *key; /* by entry of the tree */
    uint32_t entries;
    abut_cull_bounds blocks;
    uint32_t first, n;                        /* superblocks */
    uint32_t inside_of[BLOCKS];               /* by block: views that contain all of it */
    uint32_t open[BLOCKS];                    /* by block: views of which a plane may cross it */
    uint32_t visible[BODIES], inside[BODIES]; /* by body of an open block: views that see it, and that contain it */
    abut_w_visible *log;                      /* where bodies go; or, if it is NULL, */
    abut_w_visible_list *list;
    uint8_t crossed[ABUT_W_VIEWS][BLOCKS + WRITE_SLACK]; /* by view and open block: the planes that may cross it */
    waiting waiting[ABUT_W_VIEWS];
} chunk;

static void open_blocks(chunk *p, uint32_t v, uint32_t from, uint32_t n) {
    uint8_t *crossed = p->crossed[v] + from;
    uint32_t *open = p->open + from, *inside = p->inside_of + from, bit = UINT32_C(1) << v;
    abut_cull_planes_of_bounds(&p->c->view[v], &p->blocks, p->first * BLOCKS_EACH + from, n, crossed);
    for (uint32_t k = 0; k < n; k++) {
        open[k] |= is_crossed(crossed[k]) ? bit : 0;
        inside[k] |= crossed[k] == 0 ? bit : 0;
    }
}

/* Opens the superblocks that a plane of view v may cross. `crossed` says which planes may cross each of them. */
static void open_superblocks(chunk *p, uint32_t v, const uint8_t *crossed) {
    for (uint32_t k = 0; k < p->n;) {
        uint32_t to = end_of_crossed(crossed, k, p->n);
        if (to > k) {
            open_blocks(p, v, k * BLOCKS_EACH, (to - k) * BLOCKS_EACH);
            k = to;
        } else if (crossed[k++] == 0) {
            for (uint32_t block = (k - 1) * BLOCKS_EACH; block < k * BLOCKS_EACH; block++) {
                p->inside_of[block] |= UINT32_C(1) << v;
            }
        }
    }
}

/* The slot of a body of the chunk; UINT32_MAX where there is none: the hull of a destroyed body may have been
 * destroyed. */
static uint32_t slot_of(const chunk *p, uint32_t body) {
    uint32_t entry = p->first * SUPERBLOCK + body;
    bool has = entry < p->entries && abut_w_culling_is_body(p->c, p->key[entry]);
    return has ? p->key[entry] : UINT32_MAX;
}

/* Lists the slots of the blocks, and returns which of the entries have a body, as bits. An entry without one is
 * replaced by one with a body; its result is not used. */
static uint32_t list_slots(const chunk *p, const open_blocks_list *list, uint32_t slot[BODIES_AT_ONCE]) {
    uint32_t living = UINT32_MAX, has_body = 0, n = list->n * BLOCK;
    _Static_assert(BODIES_AT_ONCE == 32, "a body is a bit");
    for (uint32_t k = 0; k < n; k++) {
        slot[k] = slot_of(p, list->block[k / BLOCK] * BLOCK + k % BLOCK);
        living = slot[k] != UINT32_MAX ? slot[k] : living;
        has_body |= (uint32_t)(slot[k] != UINT32_MAX) << k;
    }
    for (uint32_t k = 0; k < n && abut_bits_count(has_body) < n; k++) {
        slot[k] = slot[k] == UINT32_MAX ? living : slot[k];
    }
    return has_body;
}

static void note(chunk *p, uint32_t v, uint32_t body, uint8_t side) {
    p->visible[body] |= (uint32_t)(side == ABUT_INTERSECTS || side == ABUT_INSIDE) << v;
    p->inside[body] |= (uint32_t)(side == ABUT_INSIDE) << v;
}

/* Decides the bodies that wait for view v. */
static void decide_waiting(chunk *p, uint32_t v) {
    waiting *w = &p->waiting[v];
    uint32_t slot[ENOUGH + BODIES_AT_ONCE];
    for (uint32_t k = 0; k < w->n; k++) {
        slot[k] = p->key[p->first * SUPERBLOCK + w->body[k]];
    }
    abut_w_cull_finish(p->c, v, slot, w->n, w->side);
    for (uint32_t k = 0; k < w->n; k++) {
        note(p, v, w->body[k], w->side[k]);
    }
    w->n = 0;
}

/* Bodies that are tested together, and the views that see and contain them. */
typedef struct bodies {
    uint32_t slot[BODIES_AT_ONCE], visible[BODIES_AT_ONCE], inside[BODIES_AT_ONCE];
    uint16_t body[BODIES_AT_ONCE];
} bodies;

/* What the planes of view v say. Compilers make wide registers of this loop. */
static void note_all(bodies *of, uint32_t v, const uint8_t side[BODIES_AT_ONCE]) {
    const uint32_t bit = UINT32_C(1) << v;
    for (uint32_t k = 0; k < BODIES_AT_ONCE; k++) {
        of->visible[k] |= (uint8_t)(side[k] - ABUT_INTERSECTS) <= ABUT_INSIDE - ABUT_INTERSECTS ? bit : 0;
        of->inside[k] |= side[k] == ABUT_INSIDE ? bit : 0;
    }
}

/* Those that planes leave open wait. Mostly there are none among eight; where there are, nobody predicts which. */
static void list_open(waiting *w, const bodies *of, const uint8_t side[BODIES_AT_ONCE]) {
    static const uint64_t each = UINT64_C(0x0101010101010101);
    uint32_t n = w->n;
    for (uint32_t k = 0; k < BODIES_AT_ONCE; k += 8) {
        uint64_t eight;
        memcpy(&eight, side + k, sizeof eight);
        if (!((eight + each * (8 - ABUT_CULL_UNDECIDED)) & each * 8)) {
            continue;
        }
        for (uint32_t i = k; i < k + 8; i++) {
            w->body[n] = of->body[i];
            w->side[n] = side[i];
            n += side[i] >= ABUT_CULL_UNDECIDED;
        }
    }
    w->n = n;
}

/* What is known of entries of which nothing is asked: no view sees them. */
static void leave_out(const chunk *p, const open_blocks_list *list, uint32_t v, uint32_t has_body,
                      uint8_t side[BODIES_AT_ONCE]) {
    for (uint32_t b = 0; b < BLOCKS_AT_ONCE; b++) {
        bool open = b < list->n && p->open[list->block[b]] >> v & 1;
        if (!open) {
            memset(side + b * BLOCK, ABUT_OUTSIDE, BLOCK);
        }
    }
    for (uint32_t none = ~has_body; none; none &= none - 1) {
        side[ABUT_LOWEST_BIT(none)] = ABUT_OUTSIDE;
    }
}

/* Tests the bodies of the blocks by the planes of the views that may cross these. */
static void test_together(chunk *p, const open_blocks_list *list) {
    uint8_t crossed[ABUT_W_VIEWS][BODIES_AT_ONCE], side[ABUT_W_VIEWS][BODIES_AT_ONCE];
    bodies of = {.slot = {0}};
    uint32_t n = list->n * BLOCK, has_body = list_slots(p, list, of.slot);
    if (!has_body) {
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        of.body[k] = (uint16_t)(list->block[k / BLOCK] * BLOCK + k % BLOCK);
    }
    for (uint32_t views = list->views; views; views &= views - 1) {
        uint32_t v = ABUT_LOWEST_BIT(views);
        for (uint32_t b = 0; b < list->n; b++) {
            uint8_t planes = p->crossed[v][list->block[b]];
            memset(crossed[v] + b * BLOCK, p->open[list->block[b]] >> v & 1 ? planes : 0, BLOCK);
        }
    }
    abut_w_cull_planes(p->c, list->views, of.slot, n, crossed[0], side[0], BODIES_AT_ONCE);
    p->tested += n;
    for (uint32_t views = list->views; views; views &= views - 1) {
        uint32_t v = ABUT_LOWEST_BIT(views);
        leave_out(p, list, v, has_body, side[v]);
        note_all(&of, v, side[v]);
        list_open(&p->waiting[v], &of, side[v]);
        if (p->waiting[v].n >= ENOUGH) {
            decide_waiting(p, v);
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        p->visible[of.body[k]] |= of.visible[k];
        p->inside[of.body[k]] |= of.inside[k];
    }
}

static void prefetch_colliders(const chunk *p, uint32_t block) {
    uint32_t first = p->first * SUPERBLOCK + block * BLOCK;
    for (uint32_t entry = first; entry < first + BLOCK && entry < p->entries; entry++) {
        ABUT_PREFETCH(&p->c->world->collider[p->key[entry]]);
    }
}

static void test_open_blocks(chunk *p) {
    enum { AHEAD = BLOCKS_AT_ONCE };
    uint32_t block[BLOCKS], n = 0;
    open_blocks_list list = {.n = 0};
    for (uint32_t b = 0; b < p->n * BLOCKS_EACH; b++) {
        block[n] = b;
        n += p->open[b] != 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        memset(p->visible + block[i] * BLOCK, 0, BLOCK * sizeof *p->visible);
        memset(p->inside + block[i] * BLOCK, 0, BLOCK * sizeof *p->inside);
        if (i + AHEAD < n) {
            prefetch_colliders(p, block[i + AHEAD]);
        }
        list.block[list.n++] = block[i];
        list.views |= p->open[block[i]];
        if (list.n == BLOCKS_AT_ONCE || i + 1 == n) {
            test_together(p, &list);
            list.n = list.views = 0;
        }
    }
    for (uint32_t v = 0; v < p->c->count; v++) {
        decide_waiting(p, v);
    }
}

/* Logs or lists the bodies of a block that are visible. */
static ABUT_INLINE void add_block(const chunk *p, uint32_t block, abut_w_visible *log, abut_w_visible_list *list) {
    const uint32_t all = p->inside_of[block], open = p->open[block], first = p->first * SUPERBLOCK;
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK && first + k < p->entries; k++) {
        uint32_t seen = open ? all | p->visible[k] : all, whole = open ? all | p->inside[k] : all;
        uint32_t slot = p->key[first + k];
        if (seen && abut_w_visible_in_window(&p->c->visible, slot) && abut_w_culling_is_body(p->c, slot) &&
            abut_w_query_passes(p->c->world, &p->c->filter, slot)) {
            if (log) {
                abut_w_visible_log(log, slot, seen, whole);
            } else {
                abut_w_visible_add(list, slot, seen, whole);
            }
        }
    }
}

static void add_blocks(const chunk *p) {
    for (uint32_t block = 0; block < p->n * BLOCKS_EACH; block++) {
        if (!(p->open[block] | p->inside_of[block])) {
            continue;
        }
        if (p->log) {
            add_block(p, block, p->log, NULL);
        } else {
            add_block(p, block, NULL, p->list);
        }
    }
}

/* Whether all superblocks are outside of a view. */
static inline bool all_outside(const uint8_t *crossed) {
    static const uint64_t each = UINT64_C(0x0101010101010101) * ABUT_CULL_BEYOND;
    uint64_t eight;
    _Static_assert(CHUNK_SUPERS == sizeof eight, "one byte per superblock");
    memcpy(&eight, crossed, sizeof eight);
    return eight == each;
}

static void cull_chunk(chunk *p, uint8_t crossed[ABUT_W_VIEWS][BATCH_SUPERS + WRITE_SLACK], uint32_t at) {
    uint32_t views = 0;
    for (uint32_t v = 0; v < p->c->count; v++) {
        views |= (uint32_t)!all_outside(crossed[v] + at) << v;
    }
    if (views == 0) {
        return;
    }
    memset(p->inside_of, 0, sizeof p->inside_of);
    memset(p->open, 0, sizeof p->open);
    for (; views; views &= views - 1) {
        uint32_t v = abut_bits_lowest(views);
        open_superblocks(p, v, crossed[v] + at);
    }
    test_open_blocks(p);
    add_blocks(p);
}

/* Superblocks first .. end - 1; into `log` or `list`. Returns how many bodies were tested. */
static uint32_t cull_by_several_views(const abut_w_culling *c, uint32_t first, uint32_t end, abut_w_visible *log,
                                      abut_w_visible_list *list) {
    const abut_bp_tree *tree = abut_w_tree(c->world);
    const abut_cull_bounds superblocks = bounds_of(tree, 2);
    uint8_t crossed[ABUT_W_VIEWS][BATCH_SUPERS + WRITE_SLACK];
    chunk p;
    p.c = c;
    p.tested = 0;
    for (uint32_t v = 0; v < ABUT_W_VIEWS; v++) {
        p.waiting[v].n = 0;
    }
    p.log = log;
    p.list = list;
    p.key = tree->key;
    p.entries = tree->count;
    p.blocks = bounds_of(tree, 1);
    for (; first < end; first += BATCH_SUPERS) {
        uint32_t n = end - first < BATCH_SUPERS ? end - first : BATCH_SUPERS;
        for (uint32_t v = 0; v < c->count; v++) {
            abut_cull_planes_of_bounds(&c->view[v], &superblocks, first, n, crossed[v]);
            memset(crossed[v] + n, ABUT_CULL_BEYOND, WRITE_SLACK);
        }
        for (uint32_t at = 0; at < n; at += CHUNK_SUPERS) {
            p.first = first + at;
            p.n = n - at < CHUNK_SUPERS ? n - at : CHUNK_SUPERS;
            cull_chunk(&p, crossed, at);
        }
    }
    return p.tested;
}

static uint32_t superblocks_of(const abut_w_culling *c) {
    return (abut_w_tree(c->world)->count + SUPERBLOCK - 1) / SUPERBLOCK;
}

void abut_w_cull_one_view(abut_w_culling *c) {
    c->work->tested += cull_by_one_view(c, superblocks_of(c), &c->visible);
}

void abut_w_cull_several_views(abut_w_culling *c) {
    c->work->tested += cull_by_several_views(c, 0, superblocks_of(c), &c->visible, NULL);
}

void abut_w_cull_part(const abut_w_culling *c, uint32_t first, uint32_t end, abut_w_visible_list *list) {
    list->n = 0;
    list->tested = cull_by_several_views(c, first, end, NULL, list);
}
