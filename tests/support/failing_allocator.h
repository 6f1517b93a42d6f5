/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* An allocator that counts and fails on demand.
 *
 *     failing_allocator books = {0};
 *     def.allocator = failing_allocator_of(&books);
 *     failing_allocator_fail_once(&books, 3);      // the third allocation from now
 *     ...
 *     assert_true(failing_allocator_clean(&books));
 */
#ifndef ABUT_TESTS_SUPPORT_FAILING_ALLOCATOR_H
#define ABUT_TESTS_SUPPORT_FAILING_ALLOCATOR_H

#include <abut/types.h>

typedef struct failing_allocator {
    size_t calls;    /* allocations asked for, failed ones included */
    size_t failed;   /* of those, made to fail */
    size_t released; /* blocks released */
    size_t live_blocks, live_bytes, peak_bytes;
    size_t errors;     /* releases that do not match, overruns, bad alignments requested; each is printed */
    size_t fail_at;    /* the value of `calls` whose allocation fails; 0: none */
    bool fail_forever; /* and all following ones */
} failing_allocator;

/* Valid while *books lives. Blocks come filled with 0xa5 and are wiped when released. */
abut_allocator failing_allocator_of(failing_allocator *books);

/* Counted from now on, n = 1 being the next. */
void failing_allocator_fail_once(failing_allocator *books, size_t n);
void failing_allocator_fail_from(failing_allocator *books, size_t n);
void failing_allocator_fail_never(failing_allocator *books);

/* Nothing outstanding and no errors; prints what is wrong otherwise. */
bool failing_allocator_clean(const failing_allocator *books);

#endif
