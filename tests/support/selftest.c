/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Tests of the test support: the exact oracle on pairs whose answer is known by hand, the allocator's counts, and
 * random numbers that are the same everywhere. */

#include "support/failing_allocator.h"
#include "support/oracle.h"
#include "support/quad.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_quat none = {0, 0, 0, 1};

static bool close_to(double x, double y) {
    return fabs(x - y) <= 1e-14 * (1 + fabs(y));
}

static void the_oracle_knows_gaps_along_faces(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    abut_obb a = {{0, 0, 0}, none, {1, 2, 3}}, b = {{4, 0, 0}, {0, 0, 0, 0}, {2, 1, 1}};
    oracle_gap g = oracle_obb_pair(&a, &b);
    assert_true(!g.touch && g.face == 1 && g.size == 14 && close_to(g.gap, 1.0 / 14));
    assert_false(oracle_obb_touch(&a, &b));
    b.center.x = 3;
    g = oracle_obb_pair(&a, &b);
    assert_true(g.touch && g.face == 0 && g.gap == 0 && oracle_obb_touch(&a, &b));
    b.center.x = 3.0000002f; /* one unit in the last place more */
    g = oracle_obb_pair(&a, &b);
    assert_true(!g.touch && g.face == 0x1p-22 && !oracle_obb_touch(&a, &b));
    b.center.x = 2;
    g = oracle_obb_pair(&a, &b);
    assert_true(g.touch && g.face == -1 && oracle_obb_touch(&a, &b));
}

static void the_oracle_knows_turned_boxes(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    /* (0, 0, 1, 2) turns by the angle of a 3-4-5 triangle: corners of a 5 x 10 box stay on the lattice. */
    abut_obb a = {{0, 0, 0}, {0, 0, 1, 2}, {5, 10, 1}}, b = {{16, 0, 0}, none, {5, 9, 1}};
    oracle_gap g = oracle_obb_pair(&a, &b); /* half width along x: 5 * 3/5 + 10 * 4/5 = 11 */
    assert_true(g.touch && close_to(g.gap, 0) && close_to(g.face, 0));
    b.center.x = 17;
    g = oracle_obb_pair(&a, &b);
    assert_true(!g.touch && close_to(g.face, 1));
    b.rotation = (abut_quat){0, 0, 1, 1}; /* a quarter turn swaps the sides */
    b.center.x = 21;
    g = oracle_obb_pair(&a, &b);
    assert_true(!g.touch && close_to(g.face, 1));
    a.rotation = (abut_quat){0, 0, 2e-20f, 4e-20f}; /* the length does not matter */
    g = oracle_obb_pair(&a, &b);
    assert_true(!g.touch && close_to(g.face, 1));
}

/* Two rods that cross square to each other, but for a gap: the only axis is that of their edges. */
static void the_oracle_knows_gaps_between_edges(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    abut_obb a = {{0, 0, 0}, {1, 0, 0, 2}, {9, 0, 0}}, b = {{0, 0, 0x1p-20f}, {0, 1, 1, 3}, {0, 9, 0}};
    oracle_gap g = oracle_obb_pair(&a, &b);
    assert_true(!g.touch && g.edge > 0 && g.face <= g.edge && !oracle_obb_touch(&a, &b));
    b.center.z = 0;
    g = oracle_obb_pair(&a, &b);
    assert_true(g.touch && oracle_obb_touch(&a, &b));
    /* Tilted cubes, edge to edge: sqrt(2) each way, less the distance. */
    abut_obb low = {{0, 0, 0}, {0.41421356f, 0, 0, 1}, {2, 1, 1}},
             high = {{0, 3, 0}, {0, 0, 0.41421356f, 1}, {1, 1, 2}};
    g = oracle_obb_pair(&low, &high);
    assert_true(!g.touch && fabs(g.edge - (3 - 2 * sqrt(2))) < 1e-6 && g.face < g.edge && fabs(g.slope - 1) < 1e-6);
}

static void the_oracle_measures_bounds_and_corners(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    abut_obb box = {{10, 20, 30}, {0, 0, 1, 2}, {5, 10, 1}};
    abut_aabb bounds = {{-1, 9, 28}, {21, 31, 32}};
    double excess[6], error[3];
    oracle_obb_bounds_excess(&box, &bounds, excess); /* half widths 11, 10, 1 */
    const double expected[6] = {0, 1, 1, 0, 1, 1};
    for (int i = 0; i < 6; i++) {
        assert_true(close_to(excess[i], expected[i]));
    }
    oracle_obb_corner_error(&box, 3, (abut_vec3){5, 30, 29}, error); /* 10 + 3 - 8, 20 + 4 + 6, 30 - 1 */
    assert_true(close_to(error[0], 0) && close_to(error[1], 0) && close_to(error[2], 0));
}

static void quad_roots_are_good_to_the_last_bits(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (int i = 1; i < 1000; i++) {
        quad x = i, root = quad_sqrt(x, sqrt((double)i));
        assert_true((double)(quad_abs(root * root - x) / x) < 1e-33);
    }
    assert_true(quad_sqrt(0, 0) == 0 && quad_sqrt(-1, 1) == 0);
}

static void the_allocator_keeps_books_and_alignment(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_allocator heap = failing_allocator_of(&books);
    void *blocks[7];
    for (size_t i = 0; i < 7; i++) {
        size_t align = (size_t)1 << i;
        blocks[i] = heap.alloc(10 * i, align, heap.user);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % align, 0);
        memset(blocks[i], 1, 10 * i);
    }
    assert_int_equal(books.calls, 7);
    assert_int_equal(books.live_blocks, 7);
    assert_int_equal(books.live_bytes, 210);
    assert_false(failing_allocator_clean(&books));
    for (size_t i = 0; i < 7; i++) {
        heap.release(blocks[i], 10 * i, (size_t)1 << i, heap.user);
    }
    assert_true(failing_allocator_clean(&books));
    assert_int_equal(books.peak_bytes, 210);
}

static void the_allocator_fails_on_demand(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_allocator heap = failing_allocator_of(&books);
    failing_allocator_fail_once(&books, 2);
    for (int i = 1; i <= 4; i++) {
        void *p = heap.alloc(8, 8, heap.user);
        assert_int_equal(p == NULL, i == 2);
        if (p) {
            heap.release(p, 8, 8, heap.user);
        }
    }
    failing_allocator_fail_from(&books, 1);
    assert_null(heap.alloc(8, 8, heap.user));
    assert_null(heap.alloc(8, 8, heap.user));
    failing_allocator_fail_never(&books);
    void *p = heap.alloc(8, 8, heap.user);
    assert_non_null(p);
    heap.release(p, 8, 8, heap.user);
    assert_int_equal(books.failed, 3);
    assert_true(failing_allocator_clean(&books));
}

static void the_allocator_sees_wrong_releases_and_overruns(void **state) {
    (void)state;
    failing_allocator books = {0}, others = {0};
    abut_allocator heap = failing_allocator_of(&books), other = failing_allocator_of(&others);
    unsigned char *p = heap.alloc(8, 8, heap.user);
    heap.release(p, 9, 8, heap.user);
    assert_int_equal(books.errors, 1);
    p = heap.alloc(8, 8, heap.user);
    heap.release(p, 8, 16, heap.user);
    assert_int_equal(books.errors, 2);
    p = heap.alloc(8, 8, heap.user);
    p[8] = 0;
    heap.release(p, 8, 8, heap.user);
    assert_int_equal(books.errors, 3);
    p = heap.alloc(8, 8, heap.user);
    other.release(p, 8, 8, other.user);
    assert_int_equal(others.errors, 1);
    heap.release(p, 8, 8, heap.user);
    heap.release(NULL, 8, 8, heap.user);
    assert_int_equal(books.errors, 4);
    assert_null(heap.alloc(8, 3, heap.user));
    assert_null(heap.alloc(8, 128, heap.user));
    assert_int_equal(books.errors, 6);
    assert_int_equal(books.live_blocks, 0);
    assert_false(failing_allocator_clean(&books));
}

static void random_numbers_are_the_same_everywhere(void **state) {
    (void)state;
    rng r = rng_make(1, 2), again = rng_make(1, 2), other = rng_make(1, 3);
    assert_true(rng_u64(&r) == UINT64_C(0x72afb812668bb562));
    assert_true(rng_u64(&again) != rng_u64(&other));
    uint32_t seen = 0;
    for (int i = 0; i < 1000; i++) {
        double unit = rng_unit(&r), range = rng_log_range(&r, 1e-3, 1e3);
        assert_true(unit >= 0 && unit < 1 && range >= 0.999e-3 && range <= 1.001e3);
        seen |= UINT32_C(1) << rng_below(&r, 7);
        abut_quat q = rng_rotation(&r);
        assert_true(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-6f);
    }
    assert_int_equal(seen, 127);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oracle_knows_gaps_along_faces),
        cmocka_unit_test(the_oracle_knows_turned_boxes),
        cmocka_unit_test(the_oracle_knows_gaps_between_edges),
        cmocka_unit_test(the_oracle_measures_bounds_and_corners),
        cmocka_unit_test(quad_roots_are_good_to_the_last_bits),
        cmocka_unit_test(the_allocator_keeps_books_and_alignment),
        cmocka_unit_test(the_allocator_fails_on_demand),
        cmocka_unit_test(the_allocator_sees_wrong_releases_and_overruns),
        cmocka_unit_test(random_numbers_are_the_same_everywhere),
    };
    return test_run(tests);
}
