/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Arenas: pieces of one block, and from the caller's allocator what does not fit. */
#include "base/memory.h"
#include "support/failing_allocator.h"
#include "support/test.h"

enum { ALIGN = ABUT_MEMORY_ALIGN };

static void pieces_are_of_one_block(void **state) {
    (void)state;
    failing_allocator books = {0};
    const abut_allocator caller = failing_allocator_of(&books);
    abut_arena arena;
    assert_int_equal(abut_arena_begin(&arena, &caller, 10 * ALIGN), ABUT_OK);
    char *first = abut_memory_alloc(&arena.pieces, 1), *second = abut_memory_alloc(&arena.pieces, ALIGN);
    char *third = abut_memory_alloc(&arena.pieces, ALIGN + 1), *none = abut_memory_alloc(&arena.pieces, 0);
    assert_true((uintptr_t)first % ALIGN == 0 && second == first + ALIGN && third == second + ALIGN);
    assert_true(none == third + 2 * ALIGN && books.calls == 1);
    abut_memory_release(&arena.pieces, second, ALIGN); /* not the last one: it stays */
    abut_memory_release(&arena.pieces, none, 0);
    abut_memory_release(&arena.pieces, third, ALIGN + 1);
    assert_true(abut_memory_alloc(&arena.pieces, 7 * ALIGN) == (void *)third);
    none = abut_memory_alloc(&arena.pieces, 0);
    assert_true(none == third + 7 * ALIGN && books.calls == 1);
    abut_memory_release(&arena.pieces, none, 0);
    assert_int_equal(books.released, 0);
    abut_arena_end(&arena);
    assert_true(failing_allocator_clean(&books));
}

static void what_does_not_fit_is_of_the_caller(void **state) {
    (void)state;
    failing_allocator books = {0};
    const abut_allocator caller = failing_allocator_of(&books);
    abut_arena arena;
    assert_int_equal(abut_arena_begin(&arena, &caller, 4 * ALIGN), ABUT_OK);
    void *all = abut_memory_alloc(&arena.pieces, 4 * ALIGN - 1), *more = abut_memory_alloc(&arena.pieces, 1);
    void *large = abut_memory_alloc(&arena.pieces, 4 * ALIGN + 1);
    assert_true(all && more && large && books.calls == 3 && books.live_blocks == 3);
    abut_memory_release(&arena.pieces, more, 1);
    abut_memory_release(&arena.pieces, large, 4 * ALIGN + 1);
    assert_true(books.released == 2 && books.errors == 0);
    failing_allocator_fail_once(&books, 1);
    assert_null(abut_memory_alloc(&arena.pieces, SIZE_MAX));
    abut_memory_release(&arena.pieces, all, 4 * ALIGN - 1);
    abut_arena_end(&arena);
    assert_true(failing_allocator_clean(&books));
}

static void without_a_block_there_is_no_arena(void **state) {
    (void)state;
    failing_allocator books = {0};
    const abut_allocator caller = failing_allocator_of(&books);
    abut_arena arena;
    failing_allocator_fail_once(&books, 1);
    assert_int_equal(abut_arena_begin(&arena, &caller, ALIGN), ABUT_ERROR_MEMORY);
    void *piece = abut_memory_alloc(&arena.pieces, 1);
    assert_true(piece && books.live_blocks == 1);
    abut_memory_release(&arena.pieces, piece, 1);
    abut_arena_end(&arena);
    assert_true(failing_allocator_clean(&books));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_of_one_block),
                                       cmocka_unit_test(what_does_not_fit_is_of_the_caller),
                                       cmocka_unit_test(without_a_block_there_is_no_arena)};
    return test_run(tests);
}
