/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Crowded columns are split: no pair is lost or found twice, however the boxes lie. */

#include "broadphase/crowd.h"
#include "broadphase/fixture.h"
#include "support/rng.h"
#include <math.h>
#include <stdlib.h>

/* A box that is long along x: all such boxes overlap each other along x. */
static void put_long(fixture *f, uint32_t key, const float low[2], const float high[2]) {
    activate(f, key, false);
    f->bp.box[key] = (abut_bp_box){{(float)key, low[0], low[1]}, {(float)key + 1e5f, high[0], high[1]}};
}

/* How the ends of boxes are distributed along an axis across the sweep axis. */
typedef struct mix {
    double spread;   /* of lower ends; 0: all the same */
    double length;   /* of boxes, at most */
    double straying; /* share of boxes that begin at another place */
    float step;      /* ends are multiples of it, so that many are equal */
} mix;

static float rounded(double value, float step) {
    return (float)(long)(value / (double)step) * step;
}

static void put_mixed(fixture *f, rng *r, uint32_t key, const mix how[2]) {
    float low[2], high[2];
    for (int k = 0; k < 2; k++) {
        bool strays = rng_chance(r, how[k].straying);
        low[k] = rounded(strays ? rng_range(r, -2, 0) : rng_range(r, 0, how[k].spread), how[k].step);
        high[k] = low[k] + rounded(rng_range(r, 0, how[k].length), how[k].step);
    }
    put_long(f, key, low, high);
}

/* Most boxes begin at the same coordinate, so that no plane splits them well; a few lie below it or straddle it. */
static void uneven_crowds_keep_their_pairs(void **state) {
    (void)state;
    enum { N = 800 };
    fixture f;
    size_t pairs = 0;
    set_up(&f, N, (size_t)N * N + ABUT_BP_SLACK);
    for (unsigned long round = 0; round < test_count(60); round++) {
        rng r = rng_make(test_seed(), round);
        const double straying[] = {0.02, 0.06, 0.1, 0.13};
        mix how[2] = {{0, 1, straying[round % 4], 0x1p-6f}, {0, 1, straying[round / 4 % 4], 0x1p-6f}};
        for (uint32_t key = 0; key < N; key++) {
            put_mixed(&f, &r, key, how);
        }
        pairs += find(&f);
    }
    assert_true(pairs > 0);
    tear_down(&f);
}

/* Clusters so far from each other that the grid cannot cut through them. */
static void dense_clusters_far_apart_keep_their_pairs(void **state) {
    (void)state;
    enum { N = 6000, CLUSTERS = 2 };
    fixture f;
    set_up(&f, N, (size_t)N * N / 8);
    for (uint32_t round = 0; round < 2; round++) {
        rng r = rng_make(test_seed(), round);
        for (uint32_t key = 0; key < N; key++) {
            activate(&f, key, false);
            for (int axis = 0; axis < 3; axis++) {
                double low = (key + (uint32_t)axis) % CLUSTERS * 1e6 + rng_range(&r, 0, 4),
                       size = rng_range(&r, 0.2, 1);
                f.bp.box[key].min[axis] = (float)low;
                f.bp.box[key].max[axis] = (float)(low + size);
            }
        }
        assert_true(find(&f) > N);
    }
    tear_down(&f);
}

/* Rods as long as the world in three directions: planes across any axis have a third of them astride. */
static void rods_are_not_compared_with_all(void **state) {
    (void)state;
    enum { N = 3000, WORLD = 1000 };
    fixture f;
    set_up(&f, N, (size_t)N * N / 8);
    rng r = rng_make(test_seed(), 0);
    for (uint32_t key = 0; key < N; key++) {
        activate(&f, key, false);
        for (uint32_t axis = 0; axis < 3; axis++) {
            double low = axis == key % 3 ? 0 : rng_range(&r, 0, WORLD), size = axis == key % 3 ? WORLD : 1;
            f.bp.box[key].min[axis] = (float)low;
            f.bp.box[key].max[axis] = (float)(low + size);
        }
    }
    size_t pairs = find(&f);
    assert_true(pairs > N && abut_bp_tests(&f.bp) < 10 * pairs);
    tear_down(&f);
}

/* --- one column --- */

/* Makes copies in the order of the sweep axis, of boxes of which few end before most others begin. */
static void fill_column(fixture *f, rng *r, uint32_t n, const mix how[2]) {
    abut_bp_copies *c = &f->bp.copies;
    for (uint32_t i = 0; i < n; i++) {
        put_mixed(f, r, i, how);
        abut_bp_box *box = &f->bp.box[i];
        box->min[0] = (float)(i / 3);
        box->max[0] = box->min[0] + (float)rng_below(r, n);
        for (int axis = 0; axis < 3; axis++) {
            c->min[axis][i] = box->min[axis];
            c->max[axis][i] = box->max[axis];
        }
        c->key[i] = i;
    }
    for (uint32_t i = n; i < n + ABUT_BP_SLACK; i++) {
        c->min[0][i] = INFINITY; /* as gathering leaves it */
    }
}

/* The pairs that the column owns. */
static size_t column_by_brute_force(const fixture *f, uint32_t n, const float low[2], abut_bp_pair *pair) {
    size_t count = 0;
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a + 1; b < n; b++) {
            const abut_bp_box *p = &f->bp.box[a], *q = &f->bp.box[b];
            bool yes = touch(f, a, b);
            for (int k = 0; k < 2; k++) {
                yes = yes && (low[k] <= p->min[k + 1] || low[k] <= q->min[k + 1]);
            }
            pair[count] = (abut_bp_pair){a, b};
            count += yes;
        }
    }
    return count;
}

static void check_pairs(fixture *f, const abut_bp_sink *sink, const abut_bp_pair *wanted, size_t count, uint32_t n) {
    assert_int_equal(sink->count, count);
    abut_bp_sort_pairs(sink->pair, f->bp.pool + f->bp.pool_capacity - count, count, n);
    assert_memory_equal(sink->pair, wanted, count * sizeof *wanted);
}

/* Every tenth box begins far above all others, and those are the sample from which a plane is chosen. The others end
 * below that plane, or most of them straddle it. */
static void misleading_samples_lose_no_pair(void **state) {
    (void)state;
    enum { N = 640, MISLEADING = N / 64 };
    fixture f;
    rng r = rng_make(test_seed(), 0);
    const mix how[2] = {{1, 0.5, 0, 0x1p-9f}, {1, 0.5, 0, 0x1p-9f}};
    const float low[2] = {-INFINITY, -INFINITY};
    abut_bp_pair *wanted = calloc(N * N, sizeof *wanted);
    assert_non_null(wanted);
    set_up(&f, N, 2 * N * N);
    for (int straddling = 0; straddling < 2; straddling++) {
        fill_column(&f, &r, N, how);
        for (uint32_t i = 0; i < N; i++) {
            f.bp.box[i].max[0] = f.bp.copies.max[0][i] = N;
            for (int axis = 1; axis < 3 && (straddling || i % MISLEADING == 0); axis++) {
                if (i % MISLEADING == 0) {
                    f.bp.box[i].min[axis] = f.bp.copies.min[axis][i] = 100;
                }
                f.bp.box[i].max[axis] = f.bp.copies.max[axis][i] = 101;
            }
        }
        size_t count = column_by_brute_force(&f, N, low, wanted);
        abut_bp_column column = {.copies = &f.bp.copies, .low = {low[0], low[1]}};
        abut_bp_sink sink = {.pair = f.bp.pool, .capacity = f.bp.pool_capacity - ABUT_BP_SLACK};
        abut_bp_sweep_column(&f.bp, &column, (abut_bp_span){0, N}, false, &sink);
        assert_int_equal(sink.tests, N * (N - 1) / 2);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(f.bp.copies.key[i], i); /* no plane was taken */
        }
        check_pairs(&f, &sink, wanted, count, N);
    }
    free(wanted);
    tear_down(&f);
}

/* Boxes lie on two shelves, of which the upper one begins where the plane is: no box is compared with one of the other
 * shelf, and no plane splits a shelf. Whichever axis is across the shelves. */
static void boxes_of_two_shelves_are_not_compared(void **state) {
    (void)state;
    enum { N = 3000 };
    fixture f;
    abut_bp_pair *wanted = calloc((size_t)N * N, sizeof *wanted);
    assert_non_null(wanted);
    set_up(&f, N, (size_t)2 * N * N);
    for (int across = 1; across < 3; across++) {
        rng r = rng_make(test_seed(), (uint64_t)across);
        const mix how[2] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
        const float low[2] = {-INFINITY, -INFINITY};
        fill_column(&f, &r, N, how);
        for (uint32_t i = 0; i < N; i++) { /* each begins with 300 others */
            f.bp.box[i].min[0] = f.bp.copies.min[0][i] = (float)i;
            f.bp.box[i].max[0] = f.bp.copies.max[0][i] = (float)i + 300;
            for (int axis = 1; axis < 3; axis++) {
                float at = axis == across ? (i % 5 < 3 ? 5 : 0) : (float)rng_range(&r, 0, 0.5);
                f.bp.box[i].min[axis] = f.bp.copies.min[axis][i] = at;
                f.bp.box[i].max[axis] = f.bp.copies.max[axis][i] = at + 1;
            }
        }
        size_t count = column_by_brute_force(&f, N, low, wanted);
        abut_bp_column column = {.copies = &f.bp.copies, .low = {low[0], low[1]}};
        abut_bp_sink sink = {.pair = f.bp.pool, .capacity = f.bp.pool_capacity - ABUT_BP_SLACK};
        abut_bp_sweep_column(&f.bp, &column, (abut_bp_span){0, N}, true, &sink);
        assert_int_equal(sink.tests, count);
        check_pairs(&f, &sink, wanted, count, N);
    }
    free(wanted);
    tear_down(&f);
}

/* A sample of 64 decides whether a plane is taken: every 46th box. Of it, 32 begin at the plane, which is then their
 * median, and some that begin below reach up to it. A third of the sample may do so. */
static void planes_that_many_boxes_reach_are_not_taken(void **state) {
    (void)state;
    enum { SAMPLE = 64, EACH = 46, N = SAMPLE * EACH, FROM = 19, TO = 24 };
    fixture f;
    abut_bp_pair *pairs = calloc((size_t)N * N, sizeof *pairs);
    assert_non_null(pairs);
    set_up(&f, N, (size_t)N * N);
    for (uint32_t reach = FROM; reach < TO; reach++) {
        for (uint32_t upper = 0; upper < 2; upper++) { /* the first box of the sample, and every second one after it */
            rng r = rng_make(test_seed(), reach);
            const mix how[2] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
            fill_column(&f, &r, N, how);
            for (uint32_t i = 0; i < N; i++) {
                const uint32_t k = i / EACH;
                const bool above = k % 2 != upper, reaches = !above && k / 2 < reach;
                const float low[3] = {(float)i, above ? 5 : 0, (float)rng_range(&r, 0, 0.5)};
                const float high[3] = {low[0] + 300, above ? 6 : reaches ? 5 : 1, low[2] + 1};
                for (int axis = 0; axis < 3; axis++) {
                    f.bp.box[i].min[axis] = f.bp.copies.min[axis][i] = low[axis];
                    f.bp.box[i].max[axis] = f.bp.copies.max[axis][i] = high[axis];
                }
            }
            uint64_t along = 0, apart = 0;
            for (uint32_t a = 0; a < N; a++) {
                for (uint32_t b = a + 1; b < N && b <= a + 300; b++) {
                    const abut_bp_box *p = &f.bp.box[a], *q = &f.bp.box[b];
                    apart += p->max[1] < q->min[1] || q->max[1] < p->min[1];
                    along++;
                }
            }
            abut_bp_column column = {.copies = &f.bp.copies, .low = {-INFINITY, -INFINITY}};
            abut_bp_sink sink = {.pair = pairs, .capacity = (size_t)N * N - ABUT_BP_SLACK};
            abut_bp_sweep_column(&f.bp, &column, (abut_bp_span){0, N}, true, &sink);
            assert_int_equal(sink.count, along - apart);
            assert_int_equal(sink.tests, reach > SAMPLE / 3 ? along : along - apart);
        }
    }
    free(pairs);
    tear_down(&f);
}

/* Every other box is long along the sweep axis, and begins below the column along the axis along which it is swept
 * instead: the column owns no pair of two such boxes, and all pairs of one with a box that begins inside. */
static void long_boxes_from_below_a_column_keep_their_pairs(void **state) {
    (void)state;
    enum { N = 1200 };
    fixture f;
    rng r = rng_make(test_seed(), 0);
    const mix how[2] = {{10, 0.5, 0, 0x1p-9f}, {10, 0.5, 0, 0x1p-9f}};
    const float low[2] = {0, 0};
    abut_bp_pair *wanted = calloc(N * N, sizeof *wanted);
    assert_non_null(wanted);
    set_up(&f, N, 2 * N * N);
    fill_column(&f, &r, N, how);
    for (uint32_t i = 0; i < N; i++) {
        f.bp.box[i].max[0] = f.bp.copies.max[0][i] = i % 2 ? N : f.bp.box[i].min[0] + 1;
        for (int axis = 1; axis < 3 && i % 2; axis++) { /* along axis 2 each overlaps nearly all */
            double from = axis == 1 ? -2 : 0, to = axis == 1 ? rng_range(&r, 0, 10) : 10;
            f.bp.box[i].min[axis] = f.bp.copies.min[axis][i] = (float)rng_range(&r, from, from + 1);
            f.bp.box[i].max[axis] = f.bp.copies.max[axis][i] = (float)to;
        }
    }
    size_t count = column_by_brute_force(&f, N, low, wanted);
    abut_bp_column column = {.copies = &f.bp.copies, .low = {low[0], low[1]}};
    abut_bp_sink sink = {.pair = f.bp.pool, .capacity = f.bp.pool_capacity - ABUT_BP_SLACK};
    abut_bp_sweep_column(&f.bp, &column, (abut_bp_span){0, N}, false, &sink);
    assert_true(count > N && sink.tests < N * (N - 1) / 4);
    check_pairs(&f, &sink, wanted, count, N);
    free(wanted);
    tear_down(&f);
}

/* Counts that have no room stop at a quarter of all sizes, whoever adds to them. */
static void counts_do_not_overflow(void **state) {
    (void)state;
    enum { N = 200, HALF = N / 2 };
    fixture f;
    rng r = rng_make(test_seed(), 0);
    const mix how[2] = {{0, 0.5, 0, 0x1p-9f}, {0, 0.5, 0, 0x1p-9f}};
    set_up(&f, N, ABUT_BP_SLACK);
    fill_column(&f, &r, N, how);
    abut_bp_column column = {.copies = &f.bp.copies, .low = {-INFINITY, -INFINITY}};
    for (size_t below = 0; below < 2; below++) {
        abut_bp_sink sink = {.pair = f.bp.pool, .count = SIZE_MAX / 4 - below};
        abut_bp_sweep_column(&f.bp, &column, (abut_bp_span){0, N}, true, &sink);
        assert_true(sink.count >= SIZE_MAX / 4 && sink.count < SIZE_MAX / 4 + N);
        sink.count = SIZE_MAX / 4;
        abut_bp_kernels_active()->cross(&column, (abut_bp_span){0, HALF}, (abut_bp_span){HALF, N}, &sink);
        assert_true(sink.count == SIZE_MAX / 4);
    }
    tear_down(&f);
}

/* From points to boxes as long as the crowd is wide; equal ends, and boxes that only touch a plane. */
static void columns_of_every_mix_keep_their_pairs(void **state) {
    (void)state;
    enum { MOST = 3000, PAIRS = MOST * MOST / 2 };
    fixture f;
    size_t pairs = 0;
    uint64_t tests = 0, unsplit = 0;
    abut_bp_pair *wanted = calloc(PAIRS, sizeof *wanted);
    assert_non_null(wanted);
    set_up(&f, MOST, 2 * PAIRS + ABUT_BP_SLACK);
    for (unsigned long round = 0; round < test_count(60); round++) {
        rng r = rng_make(test_seed(), 1000 + round);
        mix how[2];
        for (int k = 0; k < 2; k++) {
            how[k] = (mix){rng_log_range(&r, 0.3, 30), rng_log_range(&r, 0.01, 10), rng_chance(&r, 0.5) ? 0 : 0.1,
                           rng_chance(&r, 0.5) ? 0.25f : 0x1p-12f};
        }
        const float low[2] = {round % 2 ? 0.25f : -INFINITY, round % 3 ? -1.5f : 0.5f};
        uint32_t n = 400 + rng_below(&r, round % 6 == 5 ? MOST - 400 : 700);
        fill_column(&f, &r, n, how);
        size_t count = column_by_brute_force(&f, n, low, wanted);
        abut_bp_column column = {.copies = &f.bp.copies, .low = {low[0], low[1]}};
        abut_bp_sink sink = {.pair = f.bp.pool}; /* without room: counts only */
        abut_bp_kernels_active()->sweep_part(&column, (abut_bp_span){0, n}, &sink);
        unsplit += sink.tests;
        sink = (abut_bp_sink){.pair = f.bp.pool, .capacity = f.bp.pool_capacity - ABUT_BP_SLACK};
        abut_bp_sweep_column(&f.bp, &column, (abut_bp_span){0, n}, true, &sink);
        check_pairs(&f, &sink, wanted, count, n);
        pairs += count;
        tests += sink.tests;
    }
    assert_true(pairs > 0 && tests < unsplit);
    free(wanted);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uneven_crowds_keep_their_pairs),
        cmocka_unit_test(dense_clusters_far_apart_keep_their_pairs),
        cmocka_unit_test(rods_are_not_compared_with_all),
        cmocka_unit_test(misleading_samples_lose_no_pair),
        cmocka_unit_test(boxes_of_two_shelves_are_not_compared),
        cmocka_unit_test(planes_that_many_boxes_reach_are_not_taken),
        cmocka_unit_test(long_boxes_from_below_a_column_keep_their_pairs),
        cmocka_unit_test(counts_do_not_overflow),
        cmocka_unit_test(columns_of_every_mix_keep_their_pairs),
    };
    return test_run(tests);
}
