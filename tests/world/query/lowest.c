/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The lowest elements of a stream: those that sorting all of them would put first. */

#include "world/query/lowest.h"
#include "support/rng.h"
#include "support/test.h"
#include <stdlib.h>
#include <string.h>
#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

enum { MOST = 3000 };

typedef struct element {
    uint32_t low, high, middle, number;
    uint64_t more[2];
} element;

static const abut_w_order three = {3, {offsetof(element, high), offsetof(element, middle), offsetof(element, low)}};
static const abut_w_order one = {1, {offsetof(element, low)}};

static int compare(const void *a, const void *b) {
    const element *x = a, *y = b;
    const uint32_t p[3] = {x->high, x->middle, x->low}, q[3] = {y->high, y->middle, y->low};
    for (int k = 0; k < 3; k++) {
        if (p[k] != q[k]) {
            return p[k] < q[k] ? -1 : 1;
        }
    }
    return 0;
}

static uint32_t word(rng *r, uint32_t kind) {
    return kind == 0   ? 7
           : kind == 1 ? rng_below(r, 3)
           : kind == 2 ? rng_below(r, 100000)
                       : (uint32_t)rng_u64(r) & (kind == 3 ? UINT32_MAX : 0xff0000ffu);
}

/* Words of few and of many values, in any order or sorted either way; `low` is unique. */
static void make_stream(rng *r, element *all, size_t n) {
    uint32_t high = rng_below(r, 5), middle = rng_below(r, 5), kind = rng_below(r, 4);
    for (size_t k = 0; k < n; k++) {
        all[k] = (element){.high = word(r, high), .middle = word(r, middle), .low = (uint32_t)k * 37 + 5};
        all[k].more[0] = all[k].low * UINT64_C(0x9e3779b97f4a7c15);
    }
    if (kind < 2) {
        qsort(all, n, sizeof *all, compare);
    } else {
        for (size_t k = n; k > 1; k--) {
            size_t other = rng_below(r, (uint32_t)k);
            element e = all[k - 1];
            all[k - 1] = all[other];
            all[other] = e;
        }
    }
    for (size_t k = 0; kind == 1 && k < n / 2; k++) {
        element e = all[k];
        all[k] = all[n - 1 - k];
        all[n - 1 - k] = e;
    }
}

static void the_lowest_are_kept_and_sorted(void **state) {
    (void)state;
    element *all = calloc(MOST, sizeof *all), *out = calloc(MOST + 1, sizeof *out);
    assert_true(all && out);
    for (unsigned long i = 0; i < test_count(4000); i++) {
        rng r = rng_make(test_seed(), i);
        size_t n = rng_below(&r, i % 8 == 0 ? MOST : 60), room = rng_below(&r, (uint32_t)n + 3);
        room = rng_chance(&r, 0.3) ? rng_below(&r, 4) : rng_chance(&r, 0.2) ? n : room;
        make_stream(&r, all, n);
        memset(out, 0xaa, (room + 1) * sizeof *out);
        abut_w_lowest l = abut_w_lowest_of(out, room, sizeof *out, i & 1 ? &three : &one);
        for (size_t k = 0; k < n; k++) {
            bool wanted = abut_w_lowest_wants(&l, &all[k]);
            const element *last = abut_w_lowest_last(&l);
            assert_int_equal(last != NULL, room > 0 && k >= room);
            assert_true(!last || wanted == (i & 1 ? compare(&all[k], last) < 0 : all[k].low < last->low));
            size_t better = 0;
            for (size_t j = 0; n < 60 && j < k; j++) {
                better += i & 1 ? compare(&all[j], &all[k]) < 0 : all[j].low < all[k].low;
            }
            assert_true(n >= 60 || wanted == (better < room));
            abut_w_lowest_add(&l, &all[k]);
        }
        for (size_t k = 0; k < n && !(i & 1); k++) {
            all[k].high = all[k].middle = 0;
        }
        assert_int_equal(abut_w_lowest_sort(&l), n);
        size_t kept = n < room ? n : room;
        assert_int_equal(abut_w_lowest_kept(&l), kept);
        qsort(all, n, sizeof *all, compare);
        for (size_t k = 0; k < kept; k++) {
            assert_true(out[k].low == all[k].low && out[k].more[0] == all[k].more[0]);
        }
        assert_true(out[kept].low == 0xaaaaaaaa && out[kept].more[1] == 0xaaaaaaaaaaaaaaaa);
    }
    free(all);
    free(out);
}

/* Some that are sorted by insertion, and as many as are sorted by their digits, of which several agree in all words. */
static void equal_elements_are_all_kept(void **state) {
    (void)state;
    enum { MANY = 500, VALUES = 4 };
    static const abut_w_order high_alone = {1, {offsetof(element, high)}};
    rng r = rng_make(test_seed(), 0);
    for (uint32_t n = 20; n <= MANY; n += MANY - 20) {
        static element out[MANY];
        bool seen[MANY] = {false};
        abut_w_lowest l = abut_w_lowest_of(out, n, sizeof *out, &high_alone);
        for (uint32_t k = 0; k < n; k++) {
            const element e = {.high = rng_below(&r, VALUES) << 20, .number = k};
            abut_w_lowest_add(&l, &e);
        }
        assert_int_equal(abut_w_lowest_sort(&l), n);
        for (uint32_t k = 0; k < n; k++) {
            assert_true(k == 0 || out[k - 1].high <= out[k].high);
            assert_true(out[k].number < n && !seen[out[k].number]);
            seen[out[k].number] = true;
        }
    }
}

/* Where there is little room, one that is equal to the last one kept is not wanted. */
static void equal_elements_do_not_replace_each_other(void **state) {
    (void)state;
    enum { ROOM = 10, N = 40, VALUES = 3 };
    static const abut_w_order high_alone = {1, {offsetof(element, high)}};
    element out[ROOM];
    abut_w_lowest l = abut_w_lowest_of(out, ROOM, sizeof *out, &high_alone);
    for (uint32_t k = 0; k < N; k++) {
        const element e = {.high = VALUES - 1 - k / (N / VALUES + 1), .number = k};
        const element *last = abut_w_lowest_last(&l);
        assert_int_equal(abut_w_lowest_wants(&l, &e), k < ROOM || e.high < last->high);
        abut_w_lowest_add(&l, &e);
    }
    assert_int_equal(abut_w_lowest_sort(&l), N);
    bool seen[N] = {false};
    for (uint32_t k = 0; k < ROOM; k++) { /* the last ten are among those of the least value; the first of these stay */
        assert_true(out[k].high == 0 && out[k].number >= N - N / VALUES + 1 && !seen[out[k].number]);
        seen[out[k].number] = true;
    }
}

static void without_room_it_counts(void **state) {
    (void)state;
    element e = {.low = 3};
    abut_w_lowest l = abut_w_lowest_of(NULL, 10, sizeof e, &one);
    assert_false(abut_w_lowest_wants(&l, &e));
    for (int k = 0; k < 30; k++) {
        abut_w_lowest_add(&l, &e);
    }
    assert_int_equal(abut_w_lowest_sort(&l), 30);
}

#ifdef ABUT_TEST_THREADS

enum { SMALL = 64 * 1024, WORDS = 3, ROUNDS = 16, ALIKE = 26 };

/* Few elements, of which each group has all but one, and that one differs in the two highest bits that may. So sorting
 * goes as deep as it can. */
static size_t make_deep_stream(element *all) {
    uint32_t *const word[WORDS] = {&all[0].high, &all[0].middle, &all[0].low};
    size_t n = 0, stride = sizeof *all / sizeof(uint32_t);
    for (uint32_t k = 0; k < WORDS * ROUNDS; k++) {
        word[k / ROUNDS][n * stride] = UINT32_C(1) << (30 - 2 * (k % ROUNDS));
        n++;
    }
    for (uint32_t k = 0; k < ALIKE; k++) {
        all[n++].low = 0;
    }
    return n;
}

static void *sort_deep_stream(void *context) {
    static element all[WORDS * ROUNDS + ALIKE], out[WORDS * ROUNDS + ALIKE];
    size_t n = make_deep_stream(all);
    abut_w_lowest l = abut_w_lowest_of(out, n, sizeof *out, &three);
    for (size_t k = 0; k < n; k++) {
        abut_w_lowest_add(&l, &all[k]);
    }
    bool *sorted = context;
    *sorted = abut_w_lowest_sort(&l) == n;
    qsort(all, n, sizeof *all, compare);
    for (size_t k = 0; k < n; k++) {
        *sorted = *sorted && compare(&all[k], &out[k]) == 0;
    }
    return NULL;
}

static void the_deepest_sort_fits_a_small_stack(void **state) {
    (void)state;
    bool sorted = false;
    pthread_attr_t attributes;
    pthread_t thread;
    if (test_sanitized()) {
        skip(); /* frames are several times larger there */
    }
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL), 0);
    assert_int_equal(pthread_create(&thread, &attributes, sort_deep_stream, &sorted), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    assert_true(sorted);
}

#else

static void the_deepest_sort_fits_a_small_stack(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_are_kept_and_sorted),           cmocka_unit_test(equal_elements_are_all_kept),
        cmocka_unit_test(equal_elements_do_not_replace_each_other), cmocka_unit_test(without_room_it_counts),
        cmocka_unit_test(the_deepest_sort_fits_a_small_stack),
    };
    return test_run(tests);
}
