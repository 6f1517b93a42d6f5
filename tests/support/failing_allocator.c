/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/failing_allocator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ALIGN ((size_t)64)
#define TAIL ((size_t)16)
#define LIVE UINT64_C(0xab07ab07ab07ab07)
#define DEAD UINT64_C(0xdeaddeaddeaddead)

/* Precedes the block directly; a tail of known bytes follows it directly. */
typedef struct block {
    uint64_t state;
    void *raw;
    size_t size, align;
    const failing_allocator *owner;
} block;

static void complain(failing_allocator *books, const char *what, size_t size, size_t align) {
    books->errors++;
    fprintf(stderr, "failing_allocator: %s (size %zu, align %zu)\n", what, size, align);
}

static void *allocate(size_t size, size_t align, void *user) {
    failing_allocator *books = user;
    books->calls++;
    if (align == 0 || (align & (align - 1)) != 0 || align > MAX_ALIGN) {
        complain(books, "alignment asked for is no power of two up to 64", size, align);
        return NULL;
    }
    if (books->fail_at && (books->calls == books->fail_at || (books->fail_forever && books->calls > books->fail_at))) {
        books->failed++;
        return NULL;
    }
    unsigned char *raw = malloc(sizeof(block) + 2 * MAX_ALIGN + size + TAIL);
    if (!raw) {
        return NULL;
    }
    /* Aligned to `align` and to nothing more, so that code that assumes a larger alignment fails. */
    size_t step = align < _Alignof(block) ? _Alignof(block) : align;
    unsigned char *p = raw + sizeof(block);
    p += (step - (uintptr_t)p % step) % step;
    if (step < MAX_ALIGN && (uintptr_t)p % (2 * step) == 0) {
        p += step;
    }
    block header = {LIVE, raw, size, align, books};
    memcpy(p - sizeof header, &header, sizeof header);
    memset(p, 0xa5, size + TAIL);
    books->live_blocks++;
    books->live_bytes += size;
    if (books->live_bytes > books->peak_bytes) {
        books->peak_bytes = books->live_bytes;
    }
    return p;
}

static void release(void *p, size_t size, size_t align, void *user) {
    failing_allocator *books = user;
    if (!p) {
        complain(books, "release of NULL", size, align);
        return;
    }
    block header;
    memcpy(&header, (unsigned char *)p - sizeof header, sizeof header);
    if (header.state != LIVE || header.owner != books) {
        complain(books, "release of what this allocator never handed out", size, align);
        return;
    }
    if (header.size != size || header.align != align) {
        complain(books, "released with another size or alignment than asked for", size, align);
    }
    for (size_t i = 0; i < TAIL; i++) {
        if (((unsigned char *)p)[header.size + i] != 0xa5) {
            complain(books, "bytes behind the block were written", header.size, header.align);
            break;
        }
    }
    books->released++;
    books->live_blocks--;
    books->live_bytes -= header.size;
    void *raw = header.raw;
    header.state = DEAD;
    memset(p, 0x5a, header.size);
    memcpy((unsigned char *)p - sizeof header, &header, sizeof header);
    free(raw);
}

abut_allocator failing_allocator_of(failing_allocator *books) {
    return (abut_allocator){allocate, release, books};
}

void failing_allocator_fail_once(failing_allocator *books, size_t n) {
    books->fail_at = books->calls + n;
    books->fail_forever = false;
}

void failing_allocator_fail_from(failing_allocator *books, size_t n) {
    books->fail_at = books->calls + n;
    books->fail_forever = true;
}

void failing_allocator_fail_never(failing_allocator *books) {
    books->fail_at = 0;
    books->fail_forever = false;
}

bool failing_allocator_clean(const failing_allocator *books) {
    if (books->live_blocks || books->live_bytes) {
        fprintf(stderr, "failing_allocator: %zu blocks, %zu bytes were not released\n", books->live_blocks,
                books->live_bytes);
    }
    return !books->live_blocks && !books->live_bytes && !books->errors;
}
