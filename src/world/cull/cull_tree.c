/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/cull/cull.h"
#include <string.h>

/* Walks down the search tree from its third level: superblocks of 64 bodies, then blocks of 8, then the boxes and
 * spheres that the tree has of each body, then bodies. A box that is certainly outside a view is dropped; all bodies of
 * a box that is certainly inside are visible; only a box that a plane may cross is opened, and only those planes are
 * asked again. With one view, bodies are marked as they are found. Several views walk through a part of the tree one
 * after another, so that its bodies come into the cache once for all of them, and each is logged once. */

enum {
    BLOCK = 8,
    SUPERBLOCK = ABUT_W_CULL_SUPERBLOCK,
    BLOCKS_EACH = SUPERBLOCK / BLOCK, /* blocks of a superblock */
    WRITE_SLACK = 16,                 /* bytes that wide code may write past the end */
    SUPERS = 64,                      /* superblocks at a time */
    BLOCKS = 64                       /* blocks whose bodies' boxes are tested together */
};
_Static_assert(BLOCKS *BLOCK == ABUT_W_CULL_BATCH, "bodies left open by blocks are tested together, too");

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

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* --- the bodies of blocks --- */

typedef struct block_list {
    uint32_t n, block[BLOCKS];
    uint8_t planes[BLOCKS];               /* that may cross the block */
    uint8_t inside[BLOCKS], open[BLOCKS]; /* what is found of its bodies */
} block_list;

/* Lists a block, whose bodies' boxes will soon be read. */
static inline void list_block(const abut_w_culling *c, block_list *list, uint32_t block, uint8_t planes) {
    const float *at = abut_bp_tree_eights(abut_w_tree(c->world), 0) + (size_t)block * ABUT_CULL_EIGHT;
    for (int line = 0; line < 4; line++) {
        ABUT_PREFETCH(at + 16 * line);
    }
    list->block[list->n] = block;
    list->planes[list->n++] = planes;
}

static void test_blocks(const abut_w_culling *c, uint32_t v, block_list *list) {
    const abut_bp_tree *tree = abut_w_tree(c->world);
    const abut_cull_nodes nodes = {abut_bp_tree_eights(tree, 0), tree->surplus, list->block, list->planes, list->n};
    abut_cull_bodies_of_nodes(&c->view[v], &nodes, list->inside, list->open);
}

/* The entries of a block, if there is one, that have a body of the window, as bits. Only living ones: the hull of a
 * destroyed body may have been destroyed as well. */
static inline uint32_t asked_of(const abut_w_culling *c, uint32_t block) {
    const abut_bp_tree *tree = abut_w_tree(c->world);
    uint32_t first = block * BLOCK, asked = 0;
    uint32_t n = first < tree->count ? least(tree->count - first, BLOCK) : 0;
    if (c->whole) {
        return (1u << n) - 1;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t slot = tree->key[first + k];
        bool is = abut_w_visible_in_window(&c->visible, slot) && abut_w_culling_is_body(c, slot);
        asked |= (uint32_t)is << k;
    }
    return asked;
}

/* Bodies whose own boxes are to be tested. */
typedef struct body_list {
    uint32_t n;
    uint32_t slot[ABUT_W_CULL_BATCH + BLOCK];
    uint16_t body[ABUT_W_CULL_BATCH + BLOCK];  /* counted from the first of a chunk */
    uint8_t planes[ABUT_W_CULL_BATCH + BLOCK]; /* that may cross the body's block */
    uint8_t side[ABUT_W_CULL_BATCH];           /* what is found */
} body_list;

/* Lists some bodies of a block: those whose bits are set. `key` and `body` are about its first entry. */
static inline void list_bodies(const abut_w_culling *c, body_list *list, const uint32_t *key, uint32_t body,
                               uint32_t set, uint8_t planes) {
    uint32_t n = list->n;
    memset(list->planes + n, planes, BLOCK);
    for (; set; set &= set - 1, n++) {
        uint32_t k = ABUT_LOWEST_BIT(set), slot = key[k];
        ABUT_PREFETCH(&c->world->collider[slot]);
        list->slot[n] = slot;
        list->body[n] = (uint16_t)(body + k);
    }
    list->n = n;
}

/* --- one view --- */

typedef struct walk {
    const abut_w_culling *c;
    abut_w_visible *visible; /* where bodies are marked */
    uint32_t tested;
    const uint32_t *key; /* by entry of the tree */
    abut_cull_bounds superblocks, blocks;
    block_list list;
    body_list bodies;
} walk;

static void test_bodies(walk *w) {
    body_list *list = &w->bodies;
    uint64_t *bits = w->visible->inside;
    abut_w_cull_sides(w->c, 0, list->slot, list->n, list->planes, list->side);
    for (uint32_t k = 0; k < list->n; k++) { /* without a branch, since nobody predicts it */
        abut_w_visible_mark(w->visible, bits, list->slot[k], list->side[k] != ABUT_OUTSIDE,
                            list->side[k] == ABUT_INSIDE);
    }
    w->tested += list->n;
    list->n = 0;
}

/* Marks bodies of a block. */
static inline void mark_set(walk *w, uint32_t block, uint32_t set) {
    uint64_t *bits = w->visible->inside;
    for (; set; set &= set - 1) {
        abut_w_visible_mark(w->visible, bits, w->key[block * BLOCK + ABUT_LOWEST_BIT(set)], true, true);
    }
}

/* Marks the bodies of blocks first .. first + n - 1. */
static void mark_inside(walk *w, uint32_t first, uint32_t n) {
    uint64_t *bits = w->visible->inside;
    uint32_t end = least(first + n, (abut_w_tree(w->c->world)->count + BLOCK - 1) / BLOCK);
    for (uint32_t block = first; block < end; block++) {
        uint32_t asked = asked_of(w->c, block);
        if (asked != 0xff) {
            mark_set(w, block, asked);
            continue;
        }
        for (uint32_t k = 0; k < BLOCK; k++) {
            abut_w_visible_mark(w->visible, bits, w->key[block * BLOCK + k], true, true);
        }
    }
}

static void open_listed(walk *w) {
    block_list *list = &w->list;
    test_blocks(w->c, 0, list);
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t asked = asked_of(w->c, list->block[i]);
        mark_set(w, list->block[i], list->inside[i] & asked);
        list_bodies(w->c, &w->bodies, w->key + list->block[i] * BLOCK, 0, list->open[i] & asked, list->planes[i]);
        if (w->bodies.n > ABUT_W_CULL_BATCH - BLOCK) {
            test_bodies(w);
        }
    }
    list->n = 0;
}

static void cull_blocks(walk *w, uint32_t first, uint32_t n) {
    uint8_t crossed[SUPERS * BLOCKS_EACH + WRITE_SLACK];
    uint32_t end = (abut_w_tree(w->c->world)->count + BLOCK - 1) / BLOCK;
    abut_cull_planes_of_bounds(&w->c->view[0], &w->blocks, first, n, crossed);
    for (uint32_t k = 0; k < n && first + k < end; k++) {
        if (crossed[k] == 0) {
            mark_inside(w, first + k, 1);
        } else if (is_crossed(crossed[k])) {
            list_block(w->c, &w->list, first + k, crossed[k]);
            if (w->list.n == BLOCKS) {
                open_listed(w);
            }
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
    w.superblocks = bounds_of(tree, 2);
    w.blocks = bounds_of(tree, 1);
    w.list.n = w.bodies.n = 0;
    for (uint32_t first = 0; first < end; first += SUPERS) {
        uint8_t crossed[SUPERS + WRITE_SLACK];
        uint32_t n = least(end - first, SUPERS);
        abut_cull_planes_of_bounds(&c->view[0], &w.superblocks, first, n, crossed);
        for (uint32_t k = 0; k < n;) {
            uint32_t to = end_of_crossed(crossed, k, n);
            if (to > k) {
                cull_blocks(&w, (first + k) * BLOCKS_EACH, (to - k) * BLOCKS_EACH);
                k = to;
            } else if (crossed[k++] == 0) {
                mark_inside(&w, (first + k - 1) * BLOCKS_EACH, BLOCKS_EACH);
            }
        }
    }
    open_listed(&w);
    test_bodies(&w);
    return w.tested;
}

/* --- several views --- */

enum { CHUNK_SUPERS = 8, BATCH_SUPERS = 128, BODIES = BLOCKS * BLOCK };
_Static_assert((int)BLOCKS == (int)CHUNK_SUPERS * (int)BLOCKS_EACH, "blocks of a chunk are tested together");

/* A few superblocks with their blocks and bodies, which are all counted from the first of each kind. A set of views is
 * 32 bits. */
typedef struct chunk {
    const abut_w_culling *c;
    uint32_t tested;
    const uint32_t *key; /* by entry of the tree */
    uint32_t entries;
    abut_cull_bounds blocks;
    uint32_t first, n;          /* superblocks */
    uint32_t inside_of[BLOCKS]; /* by block: views that contain all of it */
    uint32_t open[BLOCKS];      /* by block: views of which a plane may cross it */
    uint32_t asked[BLOCKS];     /* by open block: the bodies, as bits */
    uint64_t found[BODIES]; /* by body of an open block: views that see it, and 32 bits higher those that contain it */
    abut_w_visible *log;    /* where bodies go; or, if it is NULL, */
    abut_w_visible_list *list;
    block_list opened;
    body_list bodies;
} chunk;

/* Of a set of views: they see a body, and contain it. */
static inline uint64_t twice(uint32_t views) {
    return views | (uint64_t)views << 32;
}

/* What the boxes of bodies say about the blocks that view v has opened, and what the bodies' own boxes say. */
static void test_opened(chunk *p, uint32_t v) {
    block_list *opened = &p->opened;
    body_list *bodies = &p->bodies;
    const uint64_t by_side[] = {0, UINT64_C(1) << v, twice(UINT32_C(1) << v)};
    _Static_assert(ABUT_OUTSIDE == 0 && ABUT_INTERSECTS == 1 && ABUT_INSIDE == 2, "a side is an index");
    bodies->n = 0;
    test_blocks(p->c, v, opened);
    for (uint32_t i = 0; i < opened->n; i++) {
        const uint32_t at = opened->block[i] - p->first * BLOCKS_EACH, first = at * BLOCK;
        for (uint32_t set = opened->inside[i]; set; set &= set - 1) {
            p->found[first + ABUT_LOWEST_BIT(set)] |= by_side[ABUT_INSIDE];
        }
        list_bodies(p->c, bodies, p->key + opened->block[i] * BLOCK, first, opened->open[i] & p->asked[at],
                    opened->planes[i]);
    }
    abut_w_cull_sides(p->c, v, bodies->slot, bodies->n, bodies->planes, bodies->side);
    for (uint32_t k = 0; k < bodies->n; k++) {
        p->found[bodies->body[k]] |= by_side[bodies->side[k]];
    }
    p->tested += bodies->n;
}

static void open_block(chunk *p, uint32_t v, uint32_t block, uint8_t planes) {
    if (!p->open[block]) {
        memset(p->found + block * BLOCK, 0, BLOCK * sizeof *p->found);
        p->asked[block] = asked_of(p->c, p->first * BLOCKS_EACH + block);
    }
    p->open[block] |= UINT32_C(1) << v;
    list_block(p->c, &p->opened, p->first * BLOCKS_EACH + block, planes);
}

static void open_blocks(chunk *p, uint32_t v, uint32_t from, uint32_t n) {
    uint8_t crossed[BLOCKS + WRITE_SLACK];
    uint32_t first = p->first * BLOCKS_EACH + from, end = (p->entries + BLOCK - 1) / BLOCK;
    abut_cull_planes_of_bounds(&p->c->view[v], &p->blocks, first, n, crossed);
    for (uint32_t k = 0; k < n && first + k < end; k++) {
        if (crossed[k] == 0) {
            p->inside_of[from + k] |= UINT32_C(1) << v;
        } else if (is_crossed(crossed[k])) {
            open_block(p, v, from + k, crossed[k]);
        }
    }
}

/* Opens the superblocks that a plane of view v may cross. `crossed` says which planes may cross each of them. */
static void open_superblocks(chunk *p, uint32_t v, const uint8_t *crossed) {
    p->opened.n = 0;
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
    if (p->opened.n > 0) {
        test_opened(p, v);
    }
}

/* Logs or lists the bodies of a block that are visible. */
static ABUT_INLINE void add_block(const chunk *p, uint32_t block, abut_w_visible *log, abut_w_visible_list *list) {
    const uint32_t open = p->open[block], *key = p->key + p->first * SUPERBLOCK;
    const uint64_t all = twice(p->inside_of[block]);
    uint32_t asked = open ? p->asked[block] : asked_of(p->c, p->first * BLOCKS_EACH + block);
    for (; asked; asked &= asked - 1) {
        uint32_t k = block * BLOCK + ABUT_LOWEST_BIT(asked), slot = key[k];
        uint64_t found = open ? all | p->found[k] : all;
        if (found && abut_w_query_passes(p->c->world, &p->c->filter, slot)) {
            if (log) {
                abut_w_visible_log(log, slot, (uint32_t)found, (uint32_t)(found >> 32));
            } else {
                abut_w_visible_add(list, slot, (uint32_t)found, (uint32_t)(found >> 32));
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
    uint64_t eight;
    memcpy(&eight, crossed, sizeof eight);
    _Static_assert(CHUNK_SUPERS == sizeof eight, "one byte per superblock");
    return eight == UINT64_C(0x0101010101010101) * ABUT_CULL_BEYOND;
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
        uint32_t v = ABUT_LOWEST_BIT(views);
        open_superblocks(p, v, crossed[v] + at);
    }
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
    p.log = log;
    p.list = list;
    p.key = tree->key;
    p.entries = tree->count;
    p.blocks = bounds_of(tree, 1);
    for (; first < end; first += BATCH_SUPERS) {
        uint32_t n = least(end - first, BATCH_SUPERS);
        for (uint32_t v = 0; v < c->count; v++) {
            abut_cull_planes_of_bounds(&c->view[v], &superblocks, first, n, crossed[v]);
            memset(crossed[v] + n, ABUT_CULL_BEYOND, WRITE_SLACK);
        }
        for (uint32_t at = 0; at < n; at += CHUNK_SUPERS) {
            p.first = first + at;
            p.n = least(n - at, CHUNK_SUPERS);
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
