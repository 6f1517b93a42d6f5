/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What hulls and fitted boxes ask from an allocator: the sizes, in their order, as one number. Room that nothing needs
 * changes no answer. Sizes of structures, and so the number, are those of most machines of 64 bits. */
#include "base/bytes.h"
#include "shape/hull/families.h"
#include "shape/hull/surface.h"
#include "support/digest.h"
#include "support/test.h"
#include <abut/hull.h>
#include <abut/obb.h>
#include <inttypes.h>
#include <stdio.h>

enum { CLOUDS = 160, USUAL_TRIANGLE = 144 };

typedef struct ledger {
    abut_allocator memory; /* from which blocks come */
    uint64_t digest;
} ledger;

static void *take(size_t size, size_t align, void *user) {
    ledger *l = user;
    (void)align;
    digest_number(&l->digest, size);
    return abut_memory_alloc(&l->memory, size);
}

static void give(void *p, size_t size, size_t align, void *user) {
    ledger *l = user;
    (void)align;
    digest_number(&l->digest, ~(uint64_t)size);
    abut_memory_release(&l->memory, p, size);
}

static void ask_for_hulls(const abut_allocator *allocator, const abut_vec3 *point, uint32_t n, uint32_t most) {
    const abut_hull_def def = {.max_vertices = most, .allocator = *allocator};
    abut_hull *hull = NULL, *copy = NULL;
    size_t size = 0;
    if (abut_hull_create(point, n, &def, &hull) == ABUT_OK) {
        const void *data = abut_hull_data(hull, &size);
        assert_int_equal(abut_hull_load(data, size, &def, &copy), ABUT_OK);
    }
    abut_hull_destroy(&copy);
    abut_hull_destroy(&hull);
}

static void nothing_asks_for_more_than_it_needs(void **state) {
    (void)state;
    const uint64_t expected = UINT64_C(0x384da82a8eca13fc);
    ledger l = {.digest = 0};
    const abut_allocator allocator = {.alloc = take, .release = give, .user = &l};
    assert_true(abut_memory_init(&l.memory, &l.memory));
    for (uint32_t k = 0; k < CLOUDS; k++) {
        abut_vec3 point[FAMILY_POINTS];
        abut_obb box;
        const uint32_t n = family_cloud(7000 + k, point);
        ask_for_hulls(&allocator, point, n, k % 3 ? 0 : 4 + k % 40);
        (void)abut_obb_fit_with(point, n, &allocator, &box);
        for (uint32_t i = 0; i < n; i++) { /* once more, flat */
            point[i].z = point[i].y;
        }
        (void)abut_obb_fit_with(point, n, &allocator, &box);
    }
    if (sizeof(abut_triangle) != USUAL_TRIANGLE || !abut_bytes_little_endian()) {
        skip();
    }
    if (l.digest != expected) {
        printf("found 0x%016" PRIx64 "\n", l.digest);
    }
    assert_true(l.digest == expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_asks_for_more_than_it_needs)};
    return test_run(tests);
}
