/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A block: several arrays ("columns") with the same capacity in one allocation.
 *
 * The owner keeps typed pointers to the columns in its own struct and describes them in one const table. This module
 * lays them out, grows and frees them. */
#ifndef ABUT_BASE_BLOCK_H
#define ABUT_BASE_BLOCK_H

#include "base/memory.h"

/* The place of a column's pointer in the owner's struct, and the size of one element. */
typedef struct abut_column {
    uint32_t pointer_offset, element_size;
} abut_column;

/* The entry of a column table for `member`, a pointer in `type`. */
#define ABUT_COLUMN(type, member)                                                                                      \
  { (uint32_t) offsetof(type, member), (uint32_t)sizeof(*((type *)0)->member) }

typedef struct abut_block {
    void *memory;
    size_t bytes;
    uint32_t capacity;
} abut_block;

/* Gives every column room for `capacity` elements. The first `used` elements are kept, all others are zero. On failure
 * (no memory, or more bytes than can be addressed) nothing changes. The capacity never shrinks. */
abut_result abut_block_reserve(abut_block *block, void *owner, const abut_column *columns, size_t column_count,
                               const abut_allocator *allocator, uint32_t used, uint32_t capacity);

void abut_block_release(abut_block *block, const abut_allocator *allocator);

/* The one growth policy: the larger of `needed` and 1.5 times the capacity. 0 if `needed` is out of range. */
uint32_t abut_block_grown(uint32_t capacity, size_t needed);

#endif
