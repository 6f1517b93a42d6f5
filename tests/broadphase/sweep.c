/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The sweep against brute force, on boxes of every kind. */
#include "broadphase/broadphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 1500 };

typedef enum family { SPREAD, FLAT, LINE, COINCIDENT, LATTICE, HUGE_AND_TINY, DECADES, FAR, FAMILY_COUNT } family;

typedef struct fixture {
    float ends[2][3][MOST];
    float sorted[2][3][MOST];
    abut_radix_row order[MOST], spare[MOST];
    uint32_t keys[MOST], start[MOST + 1];
    abut_bp_input input;
    abut_bp_scratch scratch;
    abut_bp_pairs pairs;
} fixture;

static void set_up(fixture *f, size_t capacity) {
    memset(f, 0, sizeof *f);
    for (int axis = 0; axis < 3; axis++) {
        f->input.boxes.min[axis] = f->ends[0][axis];
        f->input.boxes.max[axis] = f->ends[1][axis];
        f->scratch.sorted.min[axis] = f->sorted[0][axis];
        f->scratch.sorted.max[axis] = f->sorted[1][axis];
    }
    f->scratch.order = f->order;
    f->scratch.spare = f->spare;
    f->pairs.capacity = capacity;
    f->pairs.pair = calloc(capacity + 1, sizeof *f->pairs.pair);
    f->pairs.spare = calloc(capacity + 1, sizeof *f->pairs.spare);
    assert_non_null(f->pairs.pair);
    assert_non_null(f->pairs.spare);
}

static void tear_down(fixture *f) {
    free(f->pairs.pair);
    free(f->pairs.spare);
}

static void make_box(rng *r, family kind, uint32_t i, double center[3], double half[3]) {
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = rng_range(r, -10, 10);
        half[axis] = rng_range(r, 0.2, 1);
    }
    if (kind == FLAT) {
        center[1] = half[1] = 0;
    } else if (kind == LINE) {
        center[0] = i * 0.5;
        center[1] = center[2] = 0;
    } else if (kind == COINCIDENT) {
        center[0] = center[1] = center[2] = half[0] = half[1] = half[2] = 1;
    } else if (kind == LATTICE) {
        center[0] = i % 10, center[1] = i / 10 % 10, center[2] = (double)(i / 100);
        half[0] = half[1] = half[2] = 0.5;
    } else if (kind == HUGE_AND_TINY) {
        half[0] = half[1] = half[2] = i == 7 ? 100 : 0.01;
    } else if (kind == DECADES) {
        half[0] = half[1] = half[2] = rng_log_range(r, 1e-3, 1e3);
        center[0] *= half[0], center[1] *= half[0], center[2] *= half[0];
    } else if (kind == FAR) {
        center[rng_below(r, 3)] += rng_sign(r) * 9e8;
        half[0] = half[1] = half[2] = 60;
    }
}

/* Every key below n once, in random order, the first of them moving. */
static void make_boxes(fixture *f, family kind, uint32_t n, double moving, rng *r) {
    for (uint32_t i = 0; i < n; i++) {
        double center[3], half[3];
        make_box(r, kind, i, center, half);
        for (int axis = 0; axis < 3; axis++) {
            f->ends[0][axis][i] = (float)(center[axis] - half[axis]);
            f->ends[1][axis][i] = (float)(center[axis] + half[axis]);
        }
        uint32_t other = rng_below(r, i + 1);
        f->keys[i] = f->keys[other];
        f->keys[other] = i;
    }
    f->input.moving = f->keys;
    f->input.moving_count = (uint32_t)(moving * n);
    f->input.resting = f->keys + f->input.moving_count;
    f->input.resting_count = n - f->input.moving_count;
}

static bool touch(const fixture *f, uint32_t a, uint32_t b) {
    bool yes = true;
    for (int axis = 0; axis < 3; axis++) {
        yes = yes && f->ends[0][axis][a] <= f->ends[1][axis][b] && f->ends[0][axis][b] <= f->ends[1][axis][a];
    }
    return yes;
}

static size_t compare_with_brute_force(const fixture *f, uint32_t n, size_t count) {
    static bool resting[MOST];
    memset(resting, 0, sizeof resting);
    for (uint32_t i = 0; i < f->input.resting_count; i++) {
        resting[f->input.resting[i]] = true;
    }
    size_t next = 0;
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a + 1; b < n; b++) {
            if (touch(f, a, b) && !(resting[a] && resting[b])) {
                assert_true(next < count);
                assert_int_equal(f->pairs.pair[next].low, a);
                assert_int_equal(f->pairs.pair[next].high, b);
                next++;
            }
        }
    }
    assert_int_equal(next, count);
    return count;
}

static void rows_equal_brute_force_in_every_family(void **state) {
    (void)state;
    const double shares[] = {1, 0.5, 0.1, 0};
    static fixture f;
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        size_t found = 0;
        for (uint32_t round = 0; round < 12; round++) {
            rng r = rng_make(test_seed(), (uint64_t)kind * 100 + round);
            uint32_t n = round < 3 ? round : 50 + rng_below(&r, 250);
            set_up(&f, (size_t)n * n);
            make_boxes(&f, (family)kind, n, shares[round % 4], &r);
            size_t count = abut_bp_sweep(&f.input, &f.scratch, &f.pairs);
            abut_bp_sort_pairs(&f.pairs, count, f.start, n);
            found += compare_with_brute_force(&f, n, count);
            tear_down(&f);
        }
        assert_true(found > 10);
    }
}

static void all_coincident_boxes_are_all_pairs(void **state) {
    (void)state;
    static fixture f;
    rng r = rng_make(test_seed(), 0);
    set_up(&f, 1124250);
    make_boxes(&f, COINCIDENT, MOST, 1, &r);
    size_t count = abut_bp_sweep(&f.input, &f.scratch, &f.pairs);
    assert_int_equal(count, 1124250);
    abut_bp_sort_pairs(&f.pairs, count, f.start, MOST);
    compare_with_brute_force(&f, MOST, count);
    tear_down(&f);
}

static void too_little_room_is_counted_and_not_overrun(void **state) {
    (void)state;
    static fixture f;
    rng r = rng_make(test_seed(), 0);
    set_up(&f, 10);
    make_boxes(&f, COINCIDENT, 100, 0.5, &r);
    f.pairs.pair[10] = (abut_bp_pair){123, 456};
    assert_int_equal(abut_bp_sweep(&f.input, &f.scratch, &f.pairs), 100 * 99 / 2 - 50 * 49 / 2);
    assert_int_equal(f.pairs.pair[10].low, 123);
    assert_int_equal(f.pairs.pair[10].high, 456);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_equal_brute_force_in_every_family),
        cmocka_unit_test(all_coincident_boxes_are_all_pairs),
        cmocka_unit_test(too_little_room_is_counted_and_not_overrun),
    };
    return test_run(tests);
}
