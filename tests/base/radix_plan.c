/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The parts of the radix sorts: each sorts stably by its bits, and does no more work than it should. */
#include "support/rng.h"
#include "support/test.h"

enum { LEADING_DIGIT_MOST = 6 };
typedef struct element {
    uint32_t key, place;
} element;
typedef uint32_t number;

static size_t numbers_read, ranks_read;

static number number_of(const element *e, number least) {
    numbers_read++;
    return e->key - least;
}

static number rank_of(const element *e) {
    ranks_read++;
    return e->key;
}

#include "base/radix_plan.inc"

enum { MOST = 500 };
static const uint32_t LEAST = 1000; /* of all keys */

/* Keys of `bits` bits above LEAST, both ends among them. */
static uint32_t make(uint64_t stream, uint32_t bits, element *elements) {
    rng r = rng_make(test_seed(), stream);
    const uint32_t n = 2 + rng_below(&r, MOST - 1), most = (uint32_t)((UINT64_C(1) << bits) - 1);
    for (uint32_t i = 0; i < n; i++) {
        elements[i] = (element){LEAST + ((uint32_t)rng_u64(&r) & most), i};
    }
    elements[rng_below(&r, n)].key = LEAST + most;
    elements[rng_below(&r, n)].key = LEAST;
    return n;
}

/* Whether the elements are those of `before`, sorted stably by all but the lowest `left` bits. */
static void check_sorted(const element *elements, const element *before, uint32_t n, uint32_t left) {
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t own = (elements[i].key - LEAST) >> left;
        assert_true(elements[i].place < n && before[elements[i].place].key == elements[i].key);
        if (i > 0) {
            const uint32_t last = (elements[i - 1].key - LEAST) >> left;
            assert_true(last < own || (last == own && elements[i - 1].place < elements[i].place));
        }
    }
}

/* As many passes as digits of at most EXACT_DIGIT_MOST bits are needed, and two looks at each number in each. */
static void all_bits_take_no_more_passes_than_they_need(void **state) {
    (void)state;
    static element elements[MOST], before[MOST], spare[MOST];
    for (uint32_t bits = 1; bits <= 31; bits++) {
        const uint32_t n = make(bits, bits, elements);
        memcpy(before, elements, sizeof before);
        numbers_read = 0;
        sort_exactly(elements, spare, n, LEAST, bits);
        check_sorted(elements, before, n, 0);
        assert_int_equal(numbers_read, (bits <= 11 ? 2 : bits <= 22 ? 4 : 6) * n);
    }
}

static void leading_bits_are_sorted_in_two_passes(void **state) {
    (void)state;
    static element elements[MOST], before[MOST], spare[MOST];
    for (uint32_t bits = 2; bits <= 31; bits++) {
        for (uint32_t left = bits > 2 * LEADING_DIGIT_MOST ? bits - 2 * LEADING_DIGIT_MOST : 0; left < bits; left++) {
            const uint32_t n = make(32 * bits + left, bits, elements);
            memcpy(before, elements, sizeof before);
            numbers_read = 0;
            sort_leading(elements, spare, n, LEAST, bits, left);
            check_sorted(elements, before, n, left);
            assert_int_equal(numbers_read, 3 * n);
        }
    }
}

/* Each element that is less than the one before it moves past all that are greater. */
static size_t moves_needed(const element *elements, uint32_t n) {
    size_t moves = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            moves += elements[k].key > elements[i].key;
        }
    }
    return moves;
}

static void insertion_moves_as_much_as_it_may(void **state) {
    (void)state;
    static element elements[MOST], before[MOST];
    for (unsigned long i = 0; i < test_count(200); i++) {
        const uint32_t n = make(1 << 16 | i, 1 + (uint32_t)i % 31, before);
        const size_t moves = moves_needed(before, n);
        for (size_t budget = moves ? moves - 1 : 0; budget <= moves + 1; budget++) {
            memcpy(elements, before, sizeof before);
            ranks_read = 0;
            assert_int_equal(insert(elements, n, budget), budget >= moves);
            assert_true(ranks_read <= 2 * n + budget + n);
            if (budget >= moves) {
                check_sorted(elements, before, n, 0);
                assert_true(ranks_read >= n && ranks_read <= 2 * n + moves);
            }
        }
    }
}

/* Not even where the first key is 0 does anything move into what is before it. */
static void insertion_stays_within_the_elements(void **state) {
    (void)state;
    element all[6] = {{7, 70}, {8, 80}, {0, 0}, {1, 1}, {0, 2}, {9, 90}};
    const element sorted[6] = {{7, 70}, {8, 80}, {0, 0}, {0, 2}, {1, 1}, {9, 90}};
    assert_true(insert(all + 2, 3, SIZE_MAX));
    assert_memory_equal(all, sorted, sizeof all);
}

/* Insertion may move each element four times; where that is not enough, all bits are sorted. */
static void the_rest_is_left_to_insertion_while_that_is_little(void **state) {
    (void)state;
    enum { RUN = 9, RUNS = 10 }; /* a run of n falling keys takes n (n - 1) / 2 moves: 36, 4 for each of 9 */
    static element elements[MOST], before[MOST], spare[MOST];
    for (int more = 0; more < 2; more++) {
        uint32_t n = 0;
        for (uint32_t run = 0; run < RUNS; run++) {
            const uint32_t length = more && run == 0 ? RUN + 1 : RUN;
            for (uint32_t k = 0; k < length; k++, n++) {
                elements[n] = (element){LEAST + 16 * run + length - k, n};
            }
        }
        memcpy(before, elements, sizeof before);
        numbers_read = 0;
        sort_by_plan(elements, spare, n, LEAST, 8, 4);
        check_sorted(elements, before, n, 0);
        assert_int_equal(numbers_read, (more ? 3 + 2 : 3) * n);
    }
    for (uint32_t left = 0; left < 3; left++) {
        const uint32_t n = make(1, 8, elements);
        memcpy(before, elements, sizeof before);
        ranks_read = 0;
        sort_by_plan(elements, spare, n, LEAST, 8, left);
        check_sorted(elements, before, n, 0);
        assert_int_equal(ranks_read > 0, left > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bits_take_no_more_passes_than_they_need),
        cmocka_unit_test(leading_bits_are_sorted_in_two_passes),
        cmocka_unit_test(insertion_moves_as_much_as_it_may),
        cmocka_unit_test(insertion_stays_within_the_elements),
        cmocka_unit_test(the_rest_is_left_to_insertion_while_that_is_little),
    };
    return test_run(tests);
}
