/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/query/cull.h"

/* Down the index: superblocks, then blocks, then bodies. What is certainly outside a view goes no further; all bodies
 * of what is certainly inside are visible; only what a plane may cross is opened. One view marks bodies as it finds
 * them. Several views walk down together, so that a body is read once for all of them and logged once. */

enum {
    BLOCK = ABUT_BP_BLOCK,
    SUPERBLOCK = ABUT_BP_SUPERBLOCK,
    EACH = SUPERBLOCK / BLOCK, /* blocks of a superblock */
    MORE = 16                  /* bytes that wide code may write beyond what it is asked for */
};

static abut_cull_bounds bounds_of(const abut_bp_bounds *b) {
    return (abut_cull_bounds){{b->min[0], b->min[1], b->min[2]}, {b->max[0], b->max[1], b->max[2]}};
}

/* Of a byte from abut_cull_planes_of_bounds: neither inside nor outside. */
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
    abut_w_culling *c;
    const uint32_t *key; /* by entry of the index */
    abut_cull_bounds superblocks, blocks;
    uint32_t slot[ABUT_W_CULL_BATCH], n; /* bodies to be tested by themselves */
    uint8_t crossed[ABUT_W_CULL_BATCH];  /* planes that the block of each may cross */
} walk;

static void test_listed(walk *w) {
    uint8_t side[ABUT_W_CULL_BATCH];
    abut_w_cull_sides(w->c, 1, w->slot, w->n, w->crossed, side, ABUT_W_CULL_BATCH);
    for (uint32_t k = 0; k < w->n; k++) {
        abut_w_visible_mark(&w->c->visible, w->slot[k], side[k] != ABUT_OUTSIDE, side[k] == ABUT_INSIDE);
        if (side[k] != ABUT_OUTSIDE) {
            abut_w_visible_prefetch(w->c->world, w->slot[k]);
        }
    }
    w->n = 0;
}

/* Entries first .. first + n - 1, of which some may repeat the last one of the index. */
static void mark_inside(walk *w, uint32_t first, uint32_t n) {
    abut_w_visible *v = &w->c->visible;
    for (uint32_t k = first; k < first + n; k++) {
        uint32_t slot = w->key[k];
        if (abut_w_visible_in_window(v, slot)) {
            abut_w_visible_mark(v, slot, true, true);
            abut_w_visible_prefetch(w->c->world, slot);
        }
    }
}

/* Only bodies that live: the hull of one that was destroyed may have been destroyed as well. */
static void list_block(walk *w, uint32_t block, uint8_t crossed) {
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK; k++) {
        uint32_t slot = w->key[k];
        ABUT_PREFETCH(&w->c->world->collider[slot]);
        w->slot[w->n] = slot;
        w->crossed[w->n] = crossed;
        w->n += abut_w_visible_in_window(&w->c->visible, slot) && abut_w_culling_has_entry(w->c, slot);
    }
    if (w->n + BLOCK > ABUT_W_CULL_BATCH) {
        test_listed(w);
    }
}

static void cull_blocks(walk *w, uint32_t first, uint32_t n) {
    uint8_t crossed[SUPERS * EACH + MORE];
    abut_cull_planes_of_bounds(&w->c->view[0], &w->blocks, first, n, crossed);
    for (uint32_t k = 0; k < n; k++) {
        if (crossed[k] == 0) {
            mark_inside(w, (first + k) * BLOCK, BLOCK);
        } else if (is_crossed(crossed[k])) {
            list_block(w, first + k, crossed[k]);
        }
    }
}

static void cull_by_one_view(abut_w_culling *c) {
    const abut_bp *bp = &c->world->bp;
    const abut_bp_bounds superblocks = abut_bp_index_superblocks(bp), blocks = abut_bp_index_blocks(bp);
    walk w;
    w.c = c;
    w.key = abut_bp_index_keys(bp);
    w.superblocks = bounds_of(&superblocks);
    w.blocks = bounds_of(&blocks);
    w.n = 0;
    for (uint32_t first = 0, end = superblocks.count; first < end; first += SUPERS) {
        uint8_t crossed[SUPERS + MORE];
        uint32_t n = end - first < SUPERS ? end - first : SUPERS;
        abut_cull_planes_of_bounds(&c->view[0], &w.superblocks, first, n, crossed);
        for (uint32_t k = 0; k < n;) {
            uint32_t to = end_of_crossed(crossed, k, n);
            if (to > k) {
                cull_blocks(&w, (first + k) * EACH, (to - k) * EACH);
                k = to;
            } else if (crossed[k++] == 0) {
                mark_inside(&w, (first + k - 1) * SUPERBLOCK, SUPERBLOCK);
            }
        }
    }
    test_listed(&w);
}

/* --- several views --- */

enum { FEW_SUPERS = 16, MANY_SUPERS = 256, BLOCKS = FEW_SUPERS * EACH, ENTRIES = BLOCKS * BLOCK };

/* Some superblocks, with their blocks and bodies, counted from the first of each. A set of views is 32 bits. */
typedef struct part {
    abut_w_culling *c;
    const uint32_t *key; /* by entry of the index */
    uint32_t entries;
    abut_cull_bounds blocks;
    uint32_t first, n;          /* superblocks */
    uint32_t touched;           /* bit by bit: superblocks that are not outside of all views */
    uint32_t inside_of[BLOCKS]; /* views that the whole block is inside of */
    uint32_t open[BLOCKS];      /* views of which a plane may cross the block: its bodies are tested by themselves */
    uint32_t visible[ENTRIES], inside[ENTRIES];   /* what that says; of open blocks only */
    uint8_t crossed[ABUT_W_VIEWS][BLOCKS + MORE]; /* planes that may cross an open block */
} part;

static void open_blocks(part *p, uint32_t v, uint32_t from, uint32_t n) {
    uint8_t *crossed = p->crossed[v] + from;
    uint32_t *open = p->open + from, *inside = p->inside_of + from, bit = UINT32_C(1) << v;
    abut_cull_planes_of_bounds(&p->c->view[v], &p->blocks, p->first * EACH + from, n, crossed);
    for (uint32_t k = 0; k < n; k++) {
        open[k] |= is_crossed(crossed[k]) ? bit : 0;
        inside[k] |= crossed[k] == 0 ? bit : 0;
    }
}

/* Opens the superblocks that a plane of view v may cross. `crossed` says which planes may cross each of them. */
static void open_superblocks(part *p, uint32_t v, const uint8_t *crossed) {
    for (uint32_t k = 0; k < p->n;) {
        uint32_t to = end_of_crossed(crossed, k, p->n);
        if (to > k) {
            open_blocks(p, v, k * EACH, (to - k) * EACH);
            for (; k < to; k++) {
                p->touched |= UINT32_C(1) << k;
            }
        } else if (crossed[k++] == 0) {
            p->touched |= UINT32_C(1) << (k - 1);
            for (uint32_t block = (k - 1) * EACH; block < k * EACH; block++) {
                p->inside_of[block] |= UINT32_C(1) << v;
            }
        }
    }
}

/* Open blocks that are tested together, so that a body is read once for all views. */
enum { TOGETHER = 2, BODIES = TOGETHER * BLOCK };
typedef struct open_blocks_list {
    uint32_t block[TOGETHER], n;
    uint32_t views; /* that any of them is open for */
} open_blocks_list;

/* Another body stands in for those whose entry does not count: their answers are not used, and their hulls may have
 * been destroyed. False: no entry counts. */
static bool list_slots(const part *p, const open_blocks_list *list, uint32_t slot[BODIES]) {
    uint32_t living = UINT32_MAX;
    for (uint32_t k = 0; k < list->n * BLOCK; k++) {
        slot[k] = p->key[p->first * SUPERBLOCK + list->block[k / BLOCK] * BLOCK + k % BLOCK];
        living = abut_w_culling_has_entry(p->c, slot[k]) ? slot[k] : living;
    }
    for (uint32_t k = 0; k < list->n * BLOCK && !p->c->complete; k++) {
        slot[k] = abut_w_culling_has_entry(p->c, slot[k]) ? slot[k] : living;
    }
    return living != UINT32_MAX;
}

/* Sets of views that each of the n bodies is visible in, and inside of. */
static void test_together(part *p, const open_blocks_list *list, const uint32_t *slot, uint32_t *visible,
                          uint32_t *inside) {
    uint32_t n = list->n * BLOCK;
    uint8_t crossed[ABUT_W_VIEWS][BODIES], side[ABUT_W_VIEWS][BODIES];
    for (uint32_t views = list->views; views; views &= views - 1) {
        uint32_t v = ABUT_LOWEST_BIT(views);
        for (uint32_t b = 0; b < list->n; b++) {
            uint8_t planes = p->crossed[v][list->block[b]];
            memset(crossed[v] + b * BLOCK, p->open[list->block[b]] >> v & 1 ? planes : 0, BLOCK);
        }
    }
    abut_w_cull_sides(p->c, list->views, slot, n, crossed[0], side[0], BODIES);
    for (uint32_t views = list->views; views; views &= views - 1) {
        uint32_t v = ABUT_LOWEST_BIT(views);
        for (uint32_t k = 0; k < n; k++) {
            visible[k] |= (uint32_t)(side[v][k] != ABUT_OUTSIDE) << v;
            inside[k] |= (uint32_t)(side[v][k] == ABUT_INSIDE) << v;
        }
    }
}

static void test_listed_blocks(part *p, open_blocks_list *list) {
    uint32_t slot[BODIES], visible[BODIES] = {0}, inside[BODIES] = {0};
    if (list_slots(p, list, slot)) {
        test_together(p, list, slot, visible, inside);
    }
    for (uint32_t k = 0; k < list->n * BLOCK; k++) {
        uint32_t block = list->block[k / BLOCK], at = block * BLOCK + k % BLOCK;
        p->visible[at] = visible[k] & p->open[block];
        p->inside[at] = inside[k] & p->open[block];
    }
    list->n = list->views = 0;
}

static void prefetch_colliders(const part *p, uint32_t block) {
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK; k++) {
        ABUT_PREFETCH(&p->c->world->collider[p->key[p->first * SUPERBLOCK + k]]);
    }
}

static void test_open_blocks(part *p) {
    enum { AHEAD = 4 };
    uint32_t block[BLOCKS], n = 0;
    open_blocks_list list = {.n = 0};
    for (uint32_t b = 0; b < p->n * EACH; b++) {
        block[n] = b;
        n += p->open[b] != 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            prefetch_colliders(p, block[i + AHEAD]);
        }
        list.block[list.n++] = block[i];
        list.views |= p->open[block[i]];
        if (list.n == TOGETHER || i + 1 == n) {
            test_listed_blocks(p, &list);
        }
    }
}

static void log_block(part *p, uint32_t block) {
    uint32_t all = p->inside_of[block], open = p->open[block], first = p->first * SUPERBLOCK;
    if (!(all | open)) {
        return;
    }
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK && first + k < p->entries; k++) {
        uint32_t visible = open ? all | p->visible[k] : all, inside = open ? all | p->inside[k] : all;
        uint32_t slot = p->key[first + k];
        if (visible && abut_w_visible_in_window(&p->c->visible, slot) && abut_w_culling_has_entry(p->c, slot) &&
            abut_w_query_passes(p->c->world, &p->c->filter, slot)) {
            abut_w_visible_log(&p->c->visible, slot, visible, inside);
        }
    }
}

/* Whether sixteen superblocks are outside of a view. */
static inline bool all_beyond(const uint8_t *crossed) {
    static const uint64_t each = UINT64_C(0x0101010101010101) * ABUT_CULL_BEYOND;
    uint64_t eight[2];
    _Static_assert(FEW_SUPERS == sizeof eight, "a byte for each");
    memcpy(eight, crossed, sizeof eight);
    return (eight[0] & eight[1]) == each;
}

static void cull_part(part *p, uint8_t crossed[ABUT_W_VIEWS][MANY_SUPERS + MORE], uint32_t at) {
    p->touched = 0;
    memset(p->inside_of, 0, sizeof p->inside_of);
    memset(p->open, 0, sizeof p->open);
    for (uint32_t v = 0; v < p->c->count; v++) {
        if (!all_beyond(crossed[v] + at)) {
            open_superblocks(p, v, crossed[v] + at);
        }
    }
    test_open_blocks(p);
    for (uint32_t bits = p->touched; bits; bits &= bits - 1) {
        uint32_t block = abut_bits_lowest(bits) * EACH;
        for (uint32_t k = 0; k < EACH; k++) {
            log_block(p, block + k);
        }
    }
}

static void cull_by_several_views(abut_w_culling *c) {
    const abut_bp *bp = &c->world->bp;
    const abut_bp_bounds all = abut_bp_index_superblocks(bp), blocks = abut_bp_index_blocks(bp);
    const abut_cull_bounds superblocks = bounds_of(&all);
    uint8_t crossed[ABUT_W_VIEWS][MANY_SUPERS + MORE];
    part p;
    p.c = c;
    p.key = abut_bp_index_keys(bp);
    p.entries = abut_bp_index_count(bp);
    p.blocks = bounds_of(&blocks);
    for (uint32_t end = all.count, first = 0; first < end; first += MANY_SUPERS) {
        uint32_t n = end - first < MANY_SUPERS ? end - first : MANY_SUPERS;
        for (uint32_t v = 0; v < c->count; v++) {
            abut_cull_planes_of_bounds(&c->view[v], &superblocks, first, n, crossed[v]);
            memset(crossed[v] + n, ABUT_CULL_BEYOND, MORE);
        }
        for (uint32_t at = 0; at < n; at += FEW_SUPERS) {
            p.first = first + at;
            p.n = n - at < FEW_SUPERS ? n - at : FEW_SUPERS;
            cull_part(&p, crossed, at);
        }
    }
}

void abut_w_cull_index(abut_w_culling *c) {
    if (c->count == 1) {
        cull_by_one_view(c);
    } else {
        cull_by_several_views(c);
    }
}
