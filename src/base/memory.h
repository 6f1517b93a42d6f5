/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The caller's allocator, or malloc; and arenas. */
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include <abut/types.h>

enum { ABUT_MEMORY_ALIGN = 64 };

/* Copies `wanted`, with malloc and free in place of two null functions. False if only one of the two is set. */
bool abut_memory_init(abut_allocator *allocator, const abut_allocator *wanted);

/* Aligned to ABUT_MEMORY_ALIGN; NULL if there is no memory. */
void *abut_memory_alloc(const abut_allocator *allocator, size_t size);

/* `p` may be NULL. */
void abut_memory_release(const abut_allocator *allocator, void *p, size_t size);

/* An allocator that hands out pieces of one block, for work in several stages that ends by releasing everything: one
 * call of the caller's allocator instead of ten, and no memory that the C library takes back and fetches again with
 * every call. What does not fit comes from the caller's allocator. A released piece is used again only if it was the
 * last one. */
typedef struct abut_arena {
    abut_allocator pieces; /* hands out the pieces; it points to this struct, which must not move */
    const abut_allocator *caller;
    unsigned char *memory;
    size_t bytes, used;
} abut_arena;

/* ABUT_ERROR_MEMORY if there is no block of so many bytes. The caller's allocator must outlive the arena. */
abut_result abut_arena_begin(abut_arena *arena, const abut_allocator *caller, size_t bytes);

/* All pieces are invalid now. */
void abut_arena_end(abut_arena *arena);

#endif
