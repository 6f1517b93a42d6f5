/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/block.h"
#include <string.h>

enum { SMALLEST_CAPACITY = 16 };

static uint64_t column_bytes(const abut_column *column, uint32_t capacity) {
    uint64_t bytes = (uint64_t)column->element_size * capacity;
    return (bytes + ABUT_MEMORY_ALIGN - 1) / ABUT_MEMORY_ALIGN * ABUT_MEMORY_ALIGN;
}

/* 0 if the size cannot be addressed. */
static size_t block_bytes(const abut_column *columns, size_t column_count, uint32_t capacity) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < column_count; i++) {
        bytes += column_bytes(&columns[i], capacity);
    }
    return bytes > SIZE_MAX / 2 ? 0 : (size_t)bytes;
}

abut_result abut_block_reserve(abut_block *block, void *owner, const abut_column *columns, size_t column_count,
                               const abut_allocator *allocator, uint32_t used, uint32_t capacity) {
    if (capacity <= block->capacity) {
        return ABUT_OK;
    }
    size_t bytes = block_bytes(columns, column_count, capacity);
    char *memory = bytes ? abut_memory_alloc(allocator, bytes) : NULL;
    if (!memory) {
        return ABUT_ERROR_MEMORY;
    }
    memset(memory, 0, bytes);
    char *next = memory;
    for (size_t i = 0; i < column_count; i++) {
        char *pointer = (char *)owner + columns[i].pointer_offset;
        void *old;
        memcpy(&old, pointer, sizeof old);
        if (used) {
            memcpy(next, old, (size_t)columns[i].element_size * used);
        }
        memcpy(pointer, &next, sizeof next);
        next += (size_t)column_bytes(&columns[i], capacity);
    }
    abut_memory_release(allocator, block->memory, block->bytes);
    *block = (abut_block){memory, bytes, capacity};
    return ABUT_OK;
}

void abut_block_release(abut_block *block, const abut_allocator *allocator) {
    abut_memory_release(allocator, block->memory, block->bytes);
    *block = (abut_block){0};
}

uint32_t abut_block_grown(uint32_t capacity, size_t needed) {
    if (needed > UINT32_MAX - 1) {
        return 0;
    }
    uint64_t grown = (uint64_t)capacity + capacity / 2;
    grown = grown < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : grown;
    grown = grown < needed ? needed : grown;
    return grown > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)grown;
}
