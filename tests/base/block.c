/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Blocks of columns: growth keeps their elements, failures change nothing; and the default allocator. */
#include "base/block.h"
#include "support/failing_allocator.h"
#include "support/test.h"

typedef struct owner {
    abut_block block;
    uint8_t *bytes;
    uint64_t *words;
    uint32_t *halves;
} owner;

static const abut_column columns[] = {
    ABUT_COLUMN(owner, bytes),
    ABUT_COLUMN(owner, words),
    ABUT_COLUMN(owner, halves),
};

static abut_result reserve(owner *o, const abut_allocator *allocator, uint32_t used, uint32_t capacity) {
    return abut_block_reserve(&o->block, o, columns, 3, allocator, used, capacity);
}

static void fill(owner *o, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++) {
        o->bytes[i] = (uint8_t)i;
        o->words[i] = UINT64_C(0x100000000) * i;
        o->halves[i] = ~i;
    }
}

static void growth_keeps_used_elements_and_zeroes_the_rest(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_allocator allocator = failing_allocator_of(&books);
    owner o = {0};
    assert_int_equal(reserve(&o, &allocator, 0, 5), ABUT_OK);
    fill(&o, 0, 5);
    assert_int_equal(reserve(&o, &allocator, 4, 1000), ABUT_OK);
    assert_int_equal(o.block.capacity, 1000);
    assert_int_equal(books.live_blocks, 1);
    assert_int_equal(o.block.bytes, 1024 + 8000 + 4032); /* columns of 1000, 8000 and 4000 bytes, aligned to 64 */
    assert_int_equal(books.live_bytes, o.block.bytes);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(o.bytes[i], i < 4 ? i : 0);
        assert_int_equal(o.words[i], i < 4 ? UINT64_C(0x100000000) * i : 0);
        assert_int_equal(o.halves[i], i < 4 ? ~i : 0);
    }
    fill(&o, 0, 1000); /* columns do not overlap: all values are still there */
    assert_int_equal(o.bytes[999], (uint8_t)999);
    assert_int_equal(o.words[999], UINT64_C(0x100000000) * 999);
    assert_int_equal((uintptr_t)o.words % ABUT_MEMORY_ALIGN, 0);
    abut_block_release(&o.block, &allocator);
    assert_true(failing_allocator_clean(&books));
}

static void failure_changes_nothing(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_allocator allocator = failing_allocator_of(&books);
    owner o = {0};
    assert_int_equal(reserve(&o, &allocator, 0, 8), ABUT_OK);
    fill(&o, 0, 8);
    owner before = o;
    failing_allocator_fail_once(&books, 1);
    assert_int_equal(reserve(&o, &allocator, 8, 9), ABUT_ERROR_MEMORY);
    assert_memory_equal(&o, &before, sizeof o);
    assert_int_equal(o.words[7], UINT64_C(0x700000000));
    assert_int_equal(reserve(&o, &allocator, 8, 8), ABUT_OK); /* the capacity suffices: no allocation */
    assert_int_equal(books.calls, 2);
    abut_block_release(&o.block, &allocator);
    assert_true(failing_allocator_clean(&books));
}

/* Half of all addresses are the most that one block may have: its ends have a distance. */
static void what_cannot_be_addressed_is_not_asked_for(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_allocator allocator = failing_allocator_of(&books);
    failing_allocator_fail_from(&books, 1);
    owner o = {0};
    const uint64_t most = SIZE_MAX, above = most >> 32;
    const uint32_t half = (uint32_t)((above ? above : most) / 128 * 64), capacity = above ? UINT32_MAX : 1;
    for (int k = 0; k < 2; k++) {
        const abut_column large[2] = {{offsetof(owner, bytes), half}, {offsetof(owner, words), k ? half : 1}};
        assert_int_equal(abut_block_reserve(&o.block, &o, large, k ? 2 : 1, &allocator, 0, capacity),
                         ABUT_ERROR_MEMORY);
        assert_int_equal(books.calls, 1); /* for the first only */
    }
    assert_true(!o.block.memory && !o.bytes && !o.words);
    assert_true(failing_allocator_clean(&books));
}

static void growth_policy_covers_the_need_and_is_geometric(void **state) {
    (void)state;
    assert_int_equal(abut_block_grown(0, 1), 16);
    assert_int_equal(abut_block_grown(100, 101), 150);
    assert_int_equal(abut_block_grown(100, 1000), 1000);
    assert_int_equal(abut_block_grown(UINT32_MAX - 10, UINT32_MAX - 5), UINT32_MAX - 1);
    assert_int_equal(abut_block_grown(1, UINT32_MAX - 1), UINT32_MAX - 1);
    assert_int_equal(abut_block_grown(1, UINT32_MAX), 0);
    assert_int_equal(abut_block_grown(0, 17), 17);
    assert_int_equal(abut_block_grown(17, 0), 25);
}

static void default_allocator_aligns(void **state) {
    (void)state;
    abut_allocator allocator;
    const abut_allocator zero = {0};
    assert_true(abut_memory_init(&allocator, &zero));
    for (size_t size = 1; size < 300; size += 7) {
        void *p = abut_memory_alloc(&allocator, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % ABUT_MEMORY_ALIGN, 0);
        abut_memory_release(&allocator, p, size);
    }
    assert_null(abut_memory_alloc(&allocator, SIZE_MAX - 8));
    abut_memory_release(&allocator, NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_keeps_used_elements_and_zeroes_the_rest),
        cmocka_unit_test(failure_changes_nothing),
        cmocka_unit_test(what_cannot_be_addressed_is_not_asked_for),
        cmocka_unit_test(growth_policy_covers_the_need_and_is_geometric),
        cmocka_unit_test(default_allocator_aligns),
    };
    return test_run(tests);
}
