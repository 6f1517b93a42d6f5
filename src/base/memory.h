/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The caller's allocator, or malloc. */
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include <abut/types.h>

enum { ABUT_MEMORY_ALIGN = 64 };

/* Fills in malloc and free where the definition is zero. False when only one of the two functions is set. */
bool abut_memory_init(abut_allocator *allocator, const abut_allocator *wanted);

/* ABUT_MEMORY_ALIGN-aligned; NULL when there is none. */
void *abut_memory_alloc(const abut_allocator *allocator, size_t size);

/* `p` may be NULL. */
void abut_memory_release(const abut_allocator *allocator, void *p, size_t size);

#endif
