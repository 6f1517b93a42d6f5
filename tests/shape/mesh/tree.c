/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_tree_sort: the order of the leaves is that of a sort of all items at every cut. */

#include "shape/mesh/tree.h"
#include "support/rng.h"
#include "support/test.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

static int axis;

static int by_middle(const void *a, const void *b) {
    const abut_tree_item *p = a, *q = b;
    float x = p->middle[axis], y = q->middle[axis];
    return x != y ? (x > y) - (x < y) : (p->number > q->number) - (p->number < q->number);
}

static int by_number(const void *a, const void *b) {
    const abut_tree_item *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

static float extent(const abut_tree_item *item, size_t n, int k) {
    float low = item[0].middle[k], high = low;
    for (size_t i = 1; i < n; i++) {
        low = fminf(low, item[i].middle[k]);
        high = fmaxf(high, item[i].middle[k]);
    }
    return high - low;
}

/* Children hold `unit` items but for the last one; half of them, rounded down, come before the cut. */
static void sort_all(abut_tree_item *item, size_t n, size_t unit) {
    if (n <= ABUT_MESH_LEAF) {
        qsort(item, n, sizeof *item, by_number);
        return;
    }
    while (n <= unit) {
        unit /= ABUT_MESH_WIDE;
    }
    axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = extent(item, n, k) > extent(item, n, axis) ? k : axis;
    }
    qsort(item, n, sizeof *item, by_middle);
    size_t lower = (n + unit - 1) / unit / 2 * unit;
    sort_all(item, lower, unit);
    sort_all(item + lower, n - lower, unit);
}

static void expect_order(abut_tree_item *item, size_t n) {
    static abut_tree_item wanted[MOST];
    size_t unit = ABUT_MESH_LEAF;
    memcpy(wanted, item, n * sizeof *item);
    for (; unit < n; unit *= ABUT_MESH_WIDE) {
    }
    sort_all(wanted, n, unit);
    abut_tree_sort(item, n);
    assert_memory_equal(item, wanted, n * sizeof *item);
}

/* Many items have one middle in common: then numbers decide. */
static void cuts_are_those_of_sorted_items(void **state) {
    (void)state;
    static abut_tree_item item[MOST];
    for (unsigned long i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed(), i);
        size_t n = 1 + rng_below(&r, rng_chance(&r, 0.7) ? 300 : MOST);
        uint32_t kinds = 1 + rng_below(&r, rng_chance(&r, 0.5) ? 10 : 100000);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t other = rng_below(&r, k + 1);
            item[k] = item[other];
            item[other].number = k;
            for (int x = 0; x < 3; x++) {
                item[other].middle[x] = (float)rng_below(&r, kinds) / 64;
            }
        }
        expect_order(item, n);
    }
}

/* Middles for which each of the first 64 pivots is the lowest or the highest but one of those that are left. They
 * follow from where the first cut looks for pivots (McIlroy, "A killer adversary for quicksort", 1999); if it looks
 * elsewhere, they are middles like any others. */
static void pivots_may_all_be_bad(void **state) {
    (void)state;
    static const uint8_t middle[] = {
        189, 187, 185, 183, 181, 179, 177, 175, 173, 171, 169, 167, 165, 163, 161, 159, 157, 155, 153, 151, 149, 147,
        145, 143, 141, 139, 137, 135, 133, 131, 62,  63,  64,  65,  66,  67,  68,  69,  70,  71,  72,  73,  74,  75,
        76,  77,  78,  79,  80,  81,  82,  83,  84,  85,  86,  87,  88,  89,  90,  91,  92,  93,  94,  95,  96,  60,
        58,  56,  54,  52,  50,  48,  46,  44,  42,  40,  38,  36,  34,  32,  30,  28,  26,  24,  22,  20,  18,  16,
        14,  12,  10,  8,   6,   4,   2,   0,   191, 193, 195, 97,  98,  99,  100, 101, 102, 103, 104, 105, 106, 107,
        108, 109, 110, 111, 112, 130, 132, 134, 136, 138, 140, 142, 144, 146, 148, 150, 152, 154, 156, 158, 160, 162,
        164, 166, 168, 170, 172, 174, 176, 178, 180, 182, 184, 186, 188, 190, 194, 47,  113, 45,  114, 43,  115, 41,
        116, 39,  117, 37,  118, 35,  119, 33,  120, 31,  121, 29,  122, 27,  61,  25,  123, 23,  59,  21,  124, 19,
        57,  17,  125, 15,  55,  13,  126, 11,  53,  9,   127, 7,   51,  5,   128, 3,   49,  1,   129, 192};
    enum { N = sizeof middle };
    abut_tree_item item[N];
    for (uint32_t k = 0; k < N; k++) {
        item[k] = (abut_tree_item){{middle[k], 0, 0}, k};
    }
    expect_order(item, N);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_those_of_sorted_items),
        cmocka_unit_test(pivots_may_all_be_bad),
    };
    return test_run(tests);
}
