/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A block: several arrays ("columns") of one common capacity in one allocation.
 *
 * The owner keeps typed pointers in a struct of its own and describes them in one const table; laying out, growing and
 * freeing happen here, in one place. */
#ifndef ABUT_BASE_BLOCK_H
#define ABUT_BASE_BLOCK_H

#include "base/memory.h"

/* Where in the owner's struct a column's pointer lives, and how large one element is. */
typedef struct abut_column {
    uint32_t pointer_offset, element_size;
} abut_column;

/* The row of a column table for `member`, a pointer in `type`. */
#define ABUT_COLUMN(type, member)                                                                                      \
  { (uint32_t) offsetof(type, member), (uint32_t)sizeof(*((type *)0)->member) }

typedef struct abut_block {
    void *memory;
    size_t bytes;
    uint32_t capacity;
} abut_block;

/* Gives every column room for `capacity` elements and keeps its first `used` ones; what is new is zero. On failure
 * (memory, or more bytes than can be addressed) nothing has changed. Capacity never shrinks. */
abut_result abut_block_reserve(abut_block *block, void *owner, const abut_column *columns, size_t column_count,
                               const abut_allocator *allocator, uint32_t used, uint32_t capacity);

void abut_block_release(abut_block *block, const abut_allocator *allocator);

/* The one growth policy: room for `needed`, at least half as much again as there was. 0 when `needed` is out of range.
 */
uint32_t abut_block_grown(uint32_t capacity, size_t needed);

#endif
