/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/block.h"
#include "broadphase/broadphase.h"
#include "broadphase/tree/tree.h"

/* The columns of the broad phase's memory blocks (base/block.h). This file alone decides how its memory is laid out. */

/* Six columns: the boxes of `member`, with `size` bytes per element. */
#define BOXES(member, size)                                                                                            \
  {(uint32_t)offsetof(abut_bp, member.min[0]), size}, {(uint32_t)offsetof(abut_bp, member.min[1]), size},              \
      {(uint32_t)offsetof(abut_bp, member.min[2]), size}, {(uint32_t)offsetof(abut_bp, member.max[0]), size},          \
      {(uint32_t)offsetof(abut_bp, member.max[1]), size}, {                                                            \
    (uint32_t) offsetof(abut_bp, member.max[2]), size                                                                  \
  }

enum { FLOAT_SIZE = sizeof(float) };

static const abut_column key_columns[] = {
    ABUT_COLUMN(abut_bp, box),
    ABUT_COLUMN(abut_bp, role),
    ABUT_COLUMN(abut_bp, active),
    ABUT_COLUMN(abut_bp, scratch),
};

static const abut_column copy_columns[] = {
    BOXES(copies, FLOAT_SIZE),
    ABUT_COLUMN(abut_bp, copies.key),
    ABUT_COLUMN(abut_bp, order),
    {(uint32_t)offsetof(abut_bp, resting_start), 1}, /* the grid has far fewer columns than there are copies */
    {(uint32_t)offsetof(abut_bp, active_start), 1},
};

static const abut_column superblock_columns[] = {BOXES(superblocks, FLOAT_SIZE)};

/* One element per eight keys. */
static const abut_column tree_columns[] = {
    {(uint32_t)offsetof(abut_bp, tree.node), ABUT_BP_TREE_BYTES},
    {(uint32_t)offsetof(abut_bp, tree.key), 8 * sizeof(uint32_t)},
    {(uint32_t)offsetof(abut_bp, tree.entry_plus_one), 8 * sizeof(uint32_t)},
    ABUT_COLUMN(abut_bp, tree.surplus),
    ABUT_COLUMN(abut_bp, tree.classes),
    {(uint32_t)offsetof(abut_bp, tree.touched), 8},
    ABUT_COLUMN(abut_bp, tree.touched_64),
};

static const abut_column pair_columns[] = {
    ABUT_COLUMN(abut_bp, pool),
};

enum {
    KEY_COLUMNS = sizeof key_columns / sizeof key_columns[0],
    COPY_COLUMNS = sizeof copy_columns / sizeof copy_columns[0],
    SUPERBLOCK_COLUMNS = sizeof superblock_columns / sizeof superblock_columns[0],
    TREE_COLUMNS = sizeof tree_columns / sizeof tree_columns[0],
    PAIR_COLUMNS = sizeof pair_columns / sizeof pair_columns[0]
};

/* All copies are dropped; the next find makes new ones. */
static abut_result reserve_copies(abut_bp *bp, const abut_allocator *allocator, uint32_t keys) {
    uint64_t copies = (uint64_t)keys + keys / 2 + 2 * ABUT_BP_SLACK;
    abut_bp_storage *s = &bp->storage;
    if (copies <= s->copies.capacity) {
        return ABUT_OK;
    }
    abut_bp_activate_all(bp);
    abut_result result = abut_block_reserve(&s->superblocks, bp, superblock_columns, SUPERBLOCK_COLUMNS, allocator, 0,
                                            (uint32_t)(copies / ABUT_BP_SUPERBLOCK + ABUT_BP_SLACK));
    result = result ? result
                    : abut_block_reserve(&s->copies, bp, copy_columns, COPY_COLUMNS, allocator, 0, (uint32_t)copies);
    bp->copy_capacity = s->copies.capacity > 0 ? s->copies.capacity - ABUT_BP_SLACK : 0;
    return result;
}

/* The next update makes the tree anew. There is room for an eighth more entries than keys: see tree/late.c. */
static abut_result reserve_tree(abut_bp *bp, const abut_allocator *allocator, uint32_t keys) {
    abut_bp_tree *tree = &bp->tree;
    abut_block *block = &bp->storage.tree;
    uint32_t more = ABUT_BP_TREE_KEYS_MAX - keys, room = keys + (keys / 8 < more ? keys / 8 : more);
    abut_result result =
        abut_block_reserve(block, bp, tree_columns, TREE_COLUMNS, allocator, 0, room / 8 + ABUT_BP_TREE_SLACK);
    if (result) {
        return result; /* and the tree is as it was */
    }
    tree->count = tree->levels = 0;
    tree->room = room;
    uint32_t first = 0, nodes = block->capacity;
    for (int level = 0; level < ABUT_BP_LEVELS_MAX; level++) {
        tree->level[level] = first;
        first += nodes;
        nodes = (nodes + 7) / 8;
    }
    return ABUT_OK;
}

abut_result abut_bp_reserve(abut_bp *bp, const abut_allocator *allocator, uint32_t keys) {
    abut_bp_storage *s = &bp->storage;
    if (keys > ABUT_BP_TREE_KEYS_MAX) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = reserve_copies(bp, allocator, keys);
    result = result ? result : reserve_tree(bp, allocator, keys);
    return result ? result
                  : abut_block_reserve(&s->keys, bp, key_columns, KEY_COLUMNS, allocator, s->keys.capacity, keys);
}

abut_result abut_bp_reserve_pairs(abut_bp *bp, const abut_allocator *allocator, uint64_t pairs) {
    uint64_t elements = abut_bp_pool_for(pairs);
    if (elements > UINT32_MAX - 1) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = abut_block_reserve(&bp->storage.pairs, bp, pair_columns, PAIR_COLUMNS, allocator,
                                            (uint32_t)bp->resting_pairs, (uint32_t)elements);
    bp->pool_capacity = bp->storage.pairs.capacity;
    return result;
}

void abut_bp_release(abut_bp *bp, const abut_allocator *allocator) {
    abut_bp_storage *s = &bp->storage;
    abut_block_release(&s->keys, allocator);
    abut_block_release(&s->copies, allocator);
    abut_block_release(&s->superblocks, allocator);
    abut_block_release(&s->tree, allocator);
    abut_block_release(&s->pairs, allocator);
}

size_t abut_bp_bytes(const abut_bp *bp) {
    const abut_bp_storage *s = &bp->storage;
    return s->keys.bytes + s->copies.bytes + s->superblocks.bytes + s->tree.bytes + s->pairs.bytes;
}

static size_t used_bytes(const abut_block *block, uint64_t elements) {
    return block->capacity > 0 ? (size_t)(elements * (block->bytes / block->capacity)) : 0;
}

size_t abut_bp_used_bytes(const abut_bp *bp, uint32_t keys) {
    const abut_bp_storage *s = &bp->storage;
    uint64_t copies = (uint64_t)bp->resting_copies + bp->active_copies;
    return used_bytes(&s->keys, keys) + used_bytes(&s->copies, copies) +
           used_bytes(&s->superblocks, ((uint64_t)bp->resting_copies + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK) +
           used_bytes(&s->tree, ((uint64_t)keys + 7) / 8) + used_bytes(&s->pairs, abut_bp_pair_count(bp));
}
