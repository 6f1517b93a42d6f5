/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/memory.h"
#include <stdlib.h>

/* malloc, with the start moved up to the alignment and the original address stored in front of it: some C runtimes that
 * the library must support have no aligned_alloc. */
static void *default_alloc(size_t size, size_t align, void *user) {
    (void)user;
    if (size > SIZE_MAX - align - sizeof(void *)) {
        return NULL;
    }
    char *raw = malloc(size + align + sizeof(void *));
    if (!raw) {
        return NULL;
    }
    size_t start = (size_t)((uintptr_t)(raw + sizeof(void *)) % align);
    char *p = raw + sizeof(void *) + (start ? align - start : 0);
    ((void **)(void *)p)[-1] = raw;
    return p;
}

static void default_release(void *p, size_t size, size_t align, void *user) {
    (void)size, (void)align, (void)user;
    free(((void **)p)[-1]);
}

bool abut_memory_init(abut_allocator *allocator, const abut_allocator *wanted) {
    *allocator = *wanted;
    if (!wanted->alloc && !wanted->release) {
        allocator->alloc = default_alloc;
        allocator->release = default_release;
    }
    return allocator->alloc && allocator->release;
}

void *abut_memory_alloc(const abut_allocator *allocator, size_t size) {
    return allocator->alloc(size, ABUT_MEMORY_ALIGN, allocator->user);
}

void abut_memory_release(const abut_allocator *allocator, void *p, size_t size) {
    if (p) {
        allocator->release(p, size, ABUT_MEMORY_ALIGN, allocator->user);
    }
}
