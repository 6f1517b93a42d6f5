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

/* --- arenas --- */

/* Pieces begin and end at multiples of ABUT_MEMORY_ALIGN, and none is empty, so that each is inside of the block. */
static size_t rounded(size_t size) {
    return ((size > 0 ? size : 1) + ABUT_MEMORY_ALIGN - 1) / ABUT_MEMORY_ALIGN * ABUT_MEMORY_ALIGN;
}

static void *take(size_t size, size_t align, void *user) {
    abut_arena *arena = user;
    (void)align;
    if (size > arena->bytes || rounded(size) > arena->bytes - arena->used) {
        return abut_memory_alloc(arena->caller, size);
    }
    void *piece = arena->memory + arena->used;
    arena->used += rounded(size);
    return piece;
}

static void give_back(void *piece, size_t size, size_t align, void *user) {
    abut_arena *arena = user;
    (void)align;
    const size_t at = (size_t)((uintptr_t)piece - (uintptr_t)arena->memory); /* wraps if it is elsewhere */
    if (at >= arena->bytes) {
        abut_memory_release(arena->caller, piece, size);
    } else if (at + rounded(size) == arena->used) {
        arena->used = at;
    }
}

abut_result abut_arena_begin(abut_arena *arena, const abut_allocator *caller, size_t bytes) {
    *arena = (abut_arena){.pieces = {.alloc = take, .release = give_back, .user = arena}, .caller = caller};
    arena->memory = abut_memory_alloc(caller, bytes);
    arena->bytes = arena->memory ? bytes : 0;
    return arena->memory ? ABUT_OK : ABUT_ERROR_MEMORY;
}

void abut_arena_end(abut_arena *arena) {
    abut_memory_release(arena->caller, arena->memory, arena->bytes);
    *arena = (abut_arena){.caller = arena->caller};
}
