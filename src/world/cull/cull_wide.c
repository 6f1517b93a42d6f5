/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "world/cull/cull.h"
#include "world/query/blocks.h"
#include <string.h>

/* A window on several workers, without memory of its own. Each block of the search tree has a part of the caller's
 * array, at the array's end, where its visible bodies are listed: half an element for each of its entries, so that
 * there is room for all. Then the bit of each visible body is set, by one thread, because neighbours in a word come
 * from anywhere in the tree; bits before a body's are its rank. Last, blocks write the results to where their ranks
 * are, at the array's beginning. Only calls with several views come here: see abut_w_cull_is_wide. */

enum {
    SIZE = sizeof(abut_w_visible_entry),
    SUPERBLOCKS = 32, /* of a block: some 20 microseconds where all is visible */
    ENTRIES = SUPERBLOCKS * ABUT_W_CULL_SUPERBLOCK,
    GROUP_LEVEL = 3, /* of the tree: boxes around 512 entries */
    GROUP = 512,
    GROUPS_MIN = 16 /* from so many that are not outside on, a call takes some 20 microseconds */
};

bool abut_w_cull_is_wide(const abut_w_culling *c) {
    enum { AT_ONCE = 64, WRITE_SLACK = 16 };
    const abut_bp_tree *tree = abut_w_tree(c->world);
    if (abut_workers_count(&c->world->workers) < 2 || tree->count < GROUPS_MIN * GROUP || c->count < 2) {
        return false; /* one view is soon found; lists would cost more than two workers save */
    }
    const abut_cull_bounds groups = {abut_bp_tree_eights(tree, GROUP_LEVEL)};
    uint32_t end = (tree->count + GROUP - 1) / GROUP, near = 0;
    for (uint32_t first = 0; first < end && near < GROUPS_MIN; first += AT_ONCE) {
        uint32_t n = end - first < AT_ONCE ? end - first : AT_ONCE;
        for (uint32_t v = 0; v < c->count; v++) {
            uint8_t crossed[AT_ONCE + WRITE_SLACK];
            abut_cull_planes_of_bounds(&c->view[v], &groups, first, n, crossed);
            for (uint32_t k = 0; k < n; k++) {
                near += crossed[k] != ABUT_CULL_BEYOND;
            }
        }
    }
    return near >= GROUPS_MIN;
}

typedef struct wide {
    abut_w_culling *c;
    uint32_t entries; /* of the tree */
    char *lists;      /* by entry of the tree */
    abut_atomic_u32 tested;
    abut_visible *out;
    uint32_t *before; /* by word: visible bodies in the words before it */
} wide;

/* Of a block: how many bodies its list can have, and one of them. A list that is not full ends with a body that is in
 * no view. */
static uint32_t room_of(const wide *w, uint32_t block) {
    uint32_t left = w->entries - block * ENTRIES;
    return left < ENTRIES ? left : ENTRIES;
}

static char *list_of(const wide *w, uint32_t block) {
    return w->lists + (size_t)block * ENTRIES * SIZE;
}

static bool entry_of(const wide *w, uint32_t block, uint32_t i, abut_w_visible_entry *entry) {
    if (i >= room_of(w, block)) {
        return false;
    }
    memcpy(entry, list_of(w, block) + (size_t)i * SIZE, SIZE);
    return entry->views != 0;
}

static void find(void *context, uint32_t block, uint32_t worker) {
    wide *w = context;
    uint32_t first = block * SUPERBLOCKS, room = room_of(w, block);
    uint32_t end = first + (room + ABUT_W_CULL_SUPERBLOCK - 1) / ABUT_W_CULL_SUPERBLOCK;
    abut_w_visible_list list = {.entries = list_of(w, block)};
    (void)worker;
    abut_w_cull_part(w->c, first, end, &list);
    if (list.n < room) {
        abut_w_visible_add(&list, 0, 0, 0);
    }
    (void)abut_atomic_add(&w->tested, list.tested);
}

/* Sets the bits of all that are listed, and returns how many there are. */
static size_t set_bits(wide *w, uint32_t blocks) {
    abut_w_visible *v = &w->c->visible;
    size_t count = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        abut_w_visible_entry entry;
        uint32_t i = 0;
        for (; entry_of(w, block, i, &entry); i++) {
            uint32_t at = entry.slot - v->first;
            v->visible[at / 64] |= UINT64_C(1) << at % 64;
        }
        count += i;
    }
    return count;
}

static void write_block(void *context, uint32_t block, uint32_t worker) {
    const wide *w = context;
    const abut_world *world = w->c->world;
    const abut_w_visible *v = &w->c->visible;
    abut_w_visible_entry entry;
    (void)worker;
    for (uint32_t i = 0; entry_of(w, block, i, &entry); i++) {
        uint32_t slot = entry.slot, at = slot - v->first;
        uint64_t lower = v->visible[at / 64] & ((UINT64_C(1) << at % 64) - 1);
        w->out[w->before[at / 64] + abut_bits_count(lower)] =
            (abut_visible){abut_w_id(world, slot), world->body_user[slot], entry.views, entry.inside};
    }
}

/* Not inlined, so that its array is not on the stack while bodies are found. */
static ABUT_NOINLINE void write_blocks(wide *w, uint32_t blocks) {
    const abut_w_visible *v = &w->c->visible;
    uint32_t before[ABUT_W_WORDS], sum = 0;
    for (uint32_t word = 0; word * 64 < v->end - v->first; word++) {
        before[word] = sum;
        sum += abut_bits_count(v->visible[word]);
    }
    w->before = before;
    abut_workers_loop(abut_w_workers(w->c->world), blocks, write_block, w);
}

/* Where results would overwrite lists: the lists follow each other at the array's beginning, as one log. */
static void write_alone(wide *w, uint32_t blocks, size_t count) {
    abut_w_visible *v = &w->c->visible;
    char *log = (char *)w->out;
    for (uint32_t block = 0; block < blocks; block++) {
        abut_w_visible_entry entry;
        for (uint32_t i = 0; entry_of(w, block, i, &entry); i++) {
            memcpy(log, &entry, SIZE);
            log += SIZE;
        }
    }
    v->log = (char *)w->out;
    v->count = count;
    abut_w_visible_write_logged(v, w->c->world, w->out);
}

bool abut_w_cull_wide(abut_w_culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room, size_t *count) {
    wide w = {.c = c, .entries = abut_w_tree(c->world)->count, .out = out};
    size_t bytes = room * sizeof *out, taken = (size_t)w.entries * SIZE;
    uint32_t blocks = abut_workers_blocks(w.entries, ENTRIES);
    if (taken > bytes) {
        return false;
    }
    w.lists = (char *)out + (bytes - taken);
    abut_w_cull_begin(c, first, end);
    abut_workers_loop(abut_w_workers(c->world), blocks, find, &w);
    c->work->tested += abut_atomic_load(&w.tested);
    *count = set_bits(&w, blocks);
    if (*count > room) {
        return false;
    }
    if (*count * sizeof *out <= bytes - taken) {
        write_blocks(&w, blocks);
    } else {
        write_alone(&w, blocks, *count);
    }
    return true;
}
