/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The order of the tree's entries: every cut parts what is before it from what is after it, along an axis. */

#include "broadphase/tree/order.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum shape {
    ANY,
    SORTED,
    REVERSED,
    ORGAN_PIPE,
    SAWTOOTH,
    EQUAL,
    FEW_VALUES,
    NEARLY_EQUAL,
    OUTLIERS,
    DECADES,
    ZEROS,
    SHAPE_COUNT
} shape;

static float coordinate(rng *r, shape kind, uint32_t i, uint32_t n) {
    switch (kind) {
    case SORTED:
        return (float)i;
    case REVERSED:
        return -(float)i;
    case ORGAN_PIPE:
        return (float)(i < n / 2 ? i : n - i);
    case SAWTOOTH:
        return (float)(i % 64);
    case EQUAL:
        return 3;
    case FEW_VALUES:
        return (float)rng_below(r, 3);
    case NEARLY_EQUAL:
        return rng_below(r, 1000) ? 1 : (float)rng_range(r, -5, 5);
    case OUTLIERS:
        return (float)(rng_below(r, 1000) ? rng_range(r, 0, 1) : rng_range(r, -1e9, 1e9));
    case DECADES:
        return (float)rng_log_range(r, 1e-44, 1e9) * rng_sign(r);
    case ZEROS:
        return rng_chance(r, 0.5) ? 0.0f : -0.0f;
    default:
        return (float)rng_range(r, -10, 10);
    }
}

static abut_bp_placed *make(rng *r, shape kind, uint32_t n) {
    abut_bp_placed *entry = malloc((n + 1) * sizeof *entry);
    assert_non_null(entry);
    for (uint32_t i = 0; i < n; i++) {
        for (int axis = 0; axis < 3; axis++) {
            entry[i].at[axis] = coordinate(r, rng_chance(r, 0.01) && kind < EQUAL ? ANY : kind, i, n);
        }
        entry[i].key = i;
    }
    return entry;
}

/* Whether along some axis no entry before the cut is above one after it. */
static bool parted(const abut_bp_placed *entry, uint32_t first, uint32_t cut, uint32_t end) {
    for (int axis = 0; axis < 3; axis++) {
        float high = -INFINITY, low = INFINITY;
        for (uint32_t i = first; i < cut; i++) {
            high = fmaxf(high, entry[i].at[axis]);
        }
        for (uint32_t i = cut; i < end; i++) {
            low = fminf(low, entry[i].at[axis]);
        }
        if (high <= low) {
            return true;
        }
    }
    return false;
}

/* The cut is at one of the boundaries of the largest nodes, among those nearest to the middle. */
static void check(const abut_bp_placed *entry, uint32_t first, uint32_t end) {
    uint64_t size = UINT64_C(1) << 33;
    if (end <= first || first / 8 == (end - 1) / 8) {
        return;
    }
    while (first / size == (end - 1) / size) {
        size /= 8;
    }
    uint32_t best = 0;
    uint64_t most = UINT64_MAX, middle = first + (uint64_t)end;
    for (uint64_t cut = (first / size + 1) * size; cut < end; cut += size) {
        uint64_t off = 2 * cut > middle ? 2 * cut - middle : middle - 2 * cut;
        if (off < most || (off == most && parted(entry, first, (uint32_t)cut, end))) {
            most = off;
            best = (uint32_t)cut;
        }
    }
    assert_true(parted(entry, first, best, end));
    check(entry, first, best);
    check(entry, best, end);
}

static void check_same(const abut_bp_placed *before, const abut_bp_placed *after, uint32_t n) {
    bool *seen = calloc(n + 1, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t key = after[i].key;
        assert_true(key < n && !seen[key]);
        assert_memory_equal(&after[i], &before[key], sizeof *after);
        seen[key] = true;
    }
    free(seen);
}

static void order_and_check(rng *r, shape kind, uint32_t first, uint32_t n) {
    abut_bp_placed *entry = make(r, kind, first + n), *before = malloc((first + n + 1) * sizeof *before);
    assert_non_null(before);
    memcpy(before, entry, (first + n) * sizeof *entry);
    abut_bp_order(entry, first, first + n);
    assert_memory_equal(entry, before, first * sizeof *entry);
    check_same(before, entry, first + n);
    check(entry, first, first + n);
    free(entry);
    free(before);
}

static void every_cut_parts_what_is_before_and_after(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1023, 4096, 4097};
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        rng r = rng_make(test_seed(), (uint64_t)kind);
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
            order_and_check(&r, (shape)kind, 0, counts[i]);
            order_and_check(&r, (shape)kind, rng_below(&r, 600), counts[i]);
        }
        for (unsigned long round = 0; round < test_count(40); round++) {
            order_and_check(&r, (shape)kind, rng_chance(&r, 0.5) ? 0 : rng_below(&r, 100), rng_below(&r, 3000));
        }
    }
}

/* If any of these took a square of the number of steps, it would take minutes. */
static void no_input_takes_long(void **state) {
    (void)state;
    for (int kind = 0; kind < SHAPE_COUNT; kind++) {
        rng r = rng_make(test_seed(), (uint64_t)kind);
        order_and_check(&r, (shape)kind, 0, test_sanitized() ? 20000 : 200000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_parts_what_is_before_and_after),
        cmocka_unit_test(no_input_takes_long),
    };
    return test_run(tests);
}
