/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/query/cull.h"

/* Down the index: superblocks, then blocks, then boxes are looked at, each only where what is around it could not be
 * settled. */

enum {
    BLOCK = ABUT_BP_BLOCK,
    SUPERBLOCK = ABUT_BP_SUPERBLOCK,
    EACH = SUPERBLOCK / BLOCK, /* blocks of a superblock */
    SUPERS = 64,               /* superblocks at a time */
    MORE = 16                  /* sides that wide code may write beyond what it is asked for */
};

static abut_cull_bounds bounds_of(const abut_bp_bounds *b) {
    return (abut_cull_bounds){{b->min[0], b->min[1], b->min[2]}, {b->max[0], b->max[1], b->max[2]}};
}

static inline bool is_undecided(uint8_t crossed) {
    return crossed != 0 && crossed != ABUT_CULL_BEYOND;
}

static uint32_t end_of_undecided(const uint8_t *crossed, uint32_t from, uint32_t n) {
    while (from < n && is_undecided(crossed[from])) {
        from++;
    }
    return from;
}

/* --- one view --- */

typedef struct walk {
    abut_w_culling *c;
    const uint32_t *key; /* by entry */
    abut_cull_bounds superblocks, blocks;
    uint32_t slot[ABUT_W_LOOKS], n; /* to be looked at */
    uint8_t crossed[ABUT_W_LOOKS];  /* by the block that it is in */
} walk;

static void look(walk *w) {
    uint8_t side[ABUT_W_LOOKS];
    abut_w_look(w->c, 1, w->slot, w->n, w->crossed, side, ABUT_W_LOOKS);
    for (uint32_t k = 0; k < w->n; k++) {
        abut_w_visible_mark(&w->c->visible, w->slot[k], side[k] != ABUT_OUTSIDE, side[k] == ABUT_INSIDE);
        if (side[k] != ABUT_OUTSIDE) {
            abut_w_visible_fetch(w->c->world, w->slot[k]);
        }
    }
    w->n = 0;
}

/* Entries first .. first + n - 1, of which some may repeat the last one. */
static void mark_inside(walk *w, uint32_t first, uint32_t n) {
    abut_w_visible *v = &w->c->visible;
    for (uint32_t k = first; k < first + n; k++) {
        uint32_t slot = w->key[k];
        if (abut_w_visible_has(v, slot)) {
            abut_w_visible_mark(v, slot, true, true);
            abut_w_visible_fetch(w->c->world, slot);
        }
    }
}

/* Hulls of bodies that are gone may be gone as well. */
static void list_block(walk *w, uint32_t block, uint8_t crossed) {
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK; k++) {
        uint32_t slot = w->key[k];
        ABUT_PREFETCH(&w->c->world->collider[slot]);
        w->slot[w->n] = slot;
        w->crossed[w->n] = crossed;
        w->n += abut_w_visible_has(&w->c->visible, slot) && abut_w_culling_finds(w->c, slot);
    }
    if (w->n + BLOCK > ABUT_W_LOOKS) {
        look(w);
    }
}

static void cull_blocks(walk *w, uint32_t first, uint32_t n) {
    uint8_t crossed[SUPERS * EACH + MORE];
    abut_cull_planes_of_bounds(&w->c->loose[0], &w->blocks, first, n, crossed);
    for (uint32_t k = 0; k < n; k++) {
        if (crossed[k] == 0) {
            mark_inside(w, (first + k) * BLOCK, BLOCK);
        } else if (is_undecided(crossed[k])) {
            list_block(w, first + k, crossed[k]);
        }
    }
}

static void cull_by_one(abut_w_culling *c) {
    const abut_bp_bounds superblocks = abut_bp_index_superblocks(&c->world->bp);
    const abut_bp_bounds blocks = abut_bp_index_blocks(&c->world->bp);
    walk w;
    w.c = c;
    w.key = abut_bp_index_keys(&c->world->bp);
    w.superblocks = bounds_of(&superblocks);
    w.blocks = bounds_of(&blocks);
    w.n = 0;
    for (uint32_t first = 0, end = superblocks.count; first < end; first += SUPERS) {
        uint8_t crossed[SUPERS + MORE];
        uint32_t n = end - first < SUPERS ? end - first : SUPERS;
        abut_cull_planes_of_bounds(&c->loose[0], &w.superblocks, first, n, crossed);
        for (uint32_t k = 0; k < n;) {
            uint32_t to = end_of_undecided(crossed, k, n);
            if (to > k) {
                cull_blocks(&w, (first + k) * EACH, (to - k) * EACH);
                k = to;
            } else if (crossed[k++] == 0) {
                mark_inside(&w, (first + k - 1) * SUPERBLOCK, SUPERBLOCK);
            }
        }
    }
    look(&w);
}

/* --- several views --- */

enum { FEW_SUPERS = 16, MANY_SUPERS = 256, BLOCKS = FEW_SUPERS * EACH, ENTRIES = BLOCKS * BLOCK };

/* Which views see what of a part of the index, bit by bit. By number within the part. */
typedef struct part {
    abut_w_culling *c;
    const uint32_t *key; /* by entry */
    uint32_t entries;
    abut_cull_bounds blocks;
    uint32_t first, n;          /* superblocks */
    uint32_t touched;           /* those of which some view sees something */
    uint32_t inside_of[BLOCKS]; /* all of the block is inside */
    uint32_t open[BLOCKS];      /* each body by itself: */
    uint32_t seen[ENTRIES], inside[ENTRIES];
    uint8_t crossed[ABUT_W_VIEWS][BLOCKS + MORE]; /* of open blocks */
} part;

static void open_blocks(part *p, uint32_t v, uint32_t from, uint32_t n) {
    uint8_t *crossed = p->crossed[v] + from;
    uint32_t *open = p->open + from, *inside = p->inside_of + from, bit = UINT32_C(1) << v;
    abut_cull_planes_of_bounds(&p->c->loose[v], &p->blocks, p->first * EACH + from, n, crossed);
    for (uint32_t k = 0; k < n; k++) {
        open[k] |= is_undecided(crossed[k]) ? bit : 0;
        inside[k] |= crossed[k] == 0 ? bit : 0;
    }
}

/* `crossed`: of the superblocks. */
static void look_at_part(part *p, uint32_t v, const uint8_t *crossed) {
    for (uint32_t k = 0; k < p->n;) {
        uint32_t to = end_of_undecided(crossed, k, p->n);
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

/* Some open blocks at a time: a box is read once for all views. */
enum { TOGETHER = 2, BOXES = TOGETHER * BLOCK };
typedef struct open_list {
    uint32_t block[TOGETHER], n, views;
} open_list;

/* Of bodies that are not there the answer means nothing, and hulls may be gone; another one stands in for them. */
static bool list_slots(const part *p, const open_list *list, uint32_t slot[BOXES]) {
    uint32_t there = UINT32_MAX;
    for (uint32_t k = 0; k < list->n * BLOCK; k++) {
        slot[k] = p->key[p->first * SUPERBLOCK + list->block[k / BLOCK] * BLOCK + k % BLOCK];
        there = abut_w_culling_finds(p->c, slot[k]) ? slot[k] : there;
    }
    for (uint32_t k = 0; k < list->n * BLOCK && !p->c->complete; k++) {
        slot[k] = abut_w_culling_finds(p->c, slot[k]) ? slot[k] : there;
    }
    return there != UINT32_MAX;
}

static void look_together(part *p, open_list *list) {
    uint32_t slot[BOXES], seen[BOXES] = {0}, inside[BOXES] = {0}, n = list->n * BLOCK;
    uint8_t crossed[ABUT_W_VIEWS][BOXES], side[ABUT_W_VIEWS][BOXES];
    if (list_slots(p, list, slot)) {
        for (uint32_t views = list->views; views; views &= views - 1) {
            uint32_t v = ABUT_LOWEST_BIT(views);
            for (uint32_t b = 0; b < list->n; b++) {
                uint8_t some = p->crossed[v][list->block[b]];
                memset(crossed[v] + b * BLOCK, p->open[list->block[b]] >> v & 1 ? some : 0, BLOCK);
            }
        }
        abut_w_look(p->c, list->views, slot, n, crossed[0], side[0], BOXES);
        for (uint32_t views = list->views; views; views &= views - 1) {
            uint32_t v = ABUT_LOWEST_BIT(views);
            for (uint32_t k = 0; k < n; k++) {
                seen[k] |= (uint32_t)(side[v][k] != ABUT_OUTSIDE) << v;
                inside[k] |= (uint32_t)(side[v][k] == ABUT_INSIDE) << v;
            }
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t block = list->block[k / BLOCK], at = block * BLOCK + k % BLOCK;
        p->seen[at] = seen[k] & p->open[block];
        p->inside[at] = inside[k] & p->open[block];
    }
    list->n = list->views = 0;
}

static void fetch_rows(const part *p, uint32_t block) {
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK; k++) {
        ABUT_PREFETCH(&p->c->world->collider[p->key[p->first * SUPERBLOCK + k]]);
    }
}

static void look_at_open(part *p) {
    enum { AHEAD = 4 };
    uint32_t block[BLOCKS], n = 0;
    open_list list = {.n = 0};
    for (uint32_t b = 0; b < p->n * EACH; b++) {
        block[n] = b;
        n += p->open[b] != 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            fetch_rows(p, block[i + AHEAD]);
        }
        list.block[list.n++] = block[i];
        list.views |= p->open[block[i]];
        if (list.n == TOGETHER || i + 1 == n) {
            look_together(p, &list);
        }
    }
}

static void log_block(part *p, uint32_t block) {
    uint32_t all = p->inside_of[block], open = p->open[block], first = p->first * SUPERBLOCK;
    if (!(all | open)) {
        return;
    }
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK && first + k < p->entries; k++) {
        uint32_t seen = open ? all | p->seen[k] : all, inside = open ? all | p->inside[k] : all;
        uint32_t slot = p->key[first + k];
        if (seen && abut_w_visible_has(&p->c->visible, slot) && abut_w_culling_finds(p->c, slot) &&
            abut_w_culling_passes(p->c, slot)) {
            abut_w_visible_log(&p->c->visible, slot, seen, inside);
        }
    }
}

/* Whether a view sees none of sixteen. */
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
            look_at_part(p, v, crossed[v] + at);
        }
    }
    look_at_open(p);
    for (uint32_t bits = p->touched; bits; bits &= bits - 1) {
        uint32_t block = abut_bits_lowest(bits) * EACH;
        for (uint32_t k = 0; k < EACH; k++) {
            log_block(p, block + k);
        }
    }
}

static void cull_by_several(abut_w_culling *c) {
    const abut_bp_bounds all = abut_bp_index_superblocks(&c->world->bp), blocks = abut_bp_index_blocks(&c->world->bp);
    const abut_cull_bounds superblocks = bounds_of(&all);
    uint8_t crossed[ABUT_W_VIEWS][MANY_SUPERS + MORE];
    part p;
    p.c = c;
    p.key = abut_bp_index_keys(&c->world->bp);
    p.entries = abut_bp_index_count(&c->world->bp);
    p.blocks = bounds_of(&blocks);
    for (uint32_t end = all.count, first = 0; first < end; first += MANY_SUPERS) {
        uint32_t n = end - first < MANY_SUPERS ? end - first : MANY_SUPERS;
        for (uint32_t v = 0; v < c->count; v++) {
            abut_cull_planes_of_bounds(&c->loose[v], &superblocks, first, n, crossed[v]);
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
        cull_by_one(c);
    } else {
        cull_by_several(c);
    }
}
