/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The caller's allocator, or malloc. */
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

#endif
