/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_hull_load: saved hulls come back; changed bytes are refused. */

#include "base/bytes.h"
#include "shape/hull/assemble.h"
#include "shape/hull/check.h"
#include "shape/hull/clouds.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static abut_hull *random_hull(unsigned long i) {
    abut_vec3 points[CLOUD_MAX];
    uint32_t n = cloud_make(test_seed(), i, points);
    const abut_hull_def def = {.max_vertices = i % 3 == 0 ? 10 : 0, .coplanar_tolerance = i % 5 == 0 ? 1e-3f : 0};
    abut_hull *hull;
    abut_result result = abut_hull_create(points, n, &def, &hull);
    assert_true(result == ABUT_OK || result == ABUT_ERROR_DEGENERATE);
    return hull;
}

static void saved_hulls_come_back(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        abut_hull *hull = random_hull(i), *copy;
        size_t size, copy_size;
        const void *bytes = abut_hull_data(hull, &size);
        if (!hull) {
            continue;
        }
        unsigned char *shifted = malloc(size + 1);
        memcpy(shifted + 1, bytes, size);
        assert_int_equal(abut_hull_load(shifted + 1, size, NULL, &copy), ABUT_OK);
        const void *copied = abut_hull_data(copy, &copy_size);
        assert_int_equal(copy_size, size);
        assert_memory_equal(copied, bytes, size);
        free(shifted);
        abut_hull_destroy(&hull);
        abut_hull_destroy(&copy);
    }
}

/* Loads from a block of exactly this size, so that a sanitizer sees any read beyond it. */
static abut_result load_copy(const unsigned char *bytes, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    abut_hull *hull = (abut_hull *)(void *)copy;
    memcpy(copy, bytes, size);
    abut_result result = abut_hull_load(copy, size, NULL, &hull);
    assert_true((result == ABUT_OK) == (hull != NULL));
    abut_hull_destroy(&hull);
    free(copy);
    return result;
}

/* One bit flipped, and in half of the cases a digest that fits again, so that more than the digest must catch them. A
 * few changes then give another true hull, such as another tolerance that merges the same facets. */
static abut_result load_flipped(const abut_hull *hull, unsigned char *bad, rng *r) {
    uint32_t size = hull->size, at = rng_below(r, rng_chance(r, 0.5) ? (uint32_t)sizeof *hull : size);
    memcpy(bad, abut_hull_data(hull, NULL), size);
    bad[at] = (unsigned char)(bad[at] ^ (1u << rng_below(r, 8)));
    if (rng_chance(r, 0.5)) {
        uint64_t digest = abut_hull_compute_digest(bad, size);
        digest = abut_bytes_u64(&digest);
        memcpy(bad + offsetof(abut_hull, digest), &digest, sizeof digest);
    }
    return load_copy(bad, size);
}

static void changed_bytes_are_refused(void **state) {
    (void)state;
    unsigned long tried = 0, accepted = 0;
    for (unsigned long i = 0; i < test_count(300); i++) {
        abut_hull *hull = random_hull(i);
        size_t size;
        const void *bytes = abut_hull_data(hull, &size);
        if (!hull) {
            continue;
        }
        unsigned char *bad = malloc(size + 64);
        for (unsigned long k = 0; k < 60; k++) {
            rng r = rng_make(test_seed() + 2, 1000 * i + k);
            abut_result result = load_flipped(hull, bad, &r);
            if (result == ABUT_OK) {
                abut_hull *other;
                assert_int_equal(abut_hull_load(bad, size, NULL, &other), ABUT_OK);
                assert_true(check_hull(other, NULL, 0, true));
                abut_hull_destroy(&other);
                accepted++;
            } else {
                assert_int_equal(result, ABUT_ERROR_FORMAT);
            }
            tried++;
        }
        memset(bad, 0, size + 64);
        memcpy(bad, bytes, size);
        assert_int_equal(load_copy(bad, size), ABUT_OK);
        assert_int_equal(load_copy(bad, size + 64), ABUT_ERROR_FORMAT);
        for (size_t cut = 0; cut < size; cut += 1 + cut / 8) {
            assert_int_equal(load_copy(bad, cut), ABUT_ERROR_FORMAT);
        }
        free(bad);
        abut_hull_destroy(&hull);
    }
    printf("%lu bits flipped, %lu of them another true hull\n", tried, accepted);
    assert_true(accepted < tried / 20);
}

static void noise_is_refused(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        unsigned char noise[1024];
        abut_hull header;
        for (size_t k = 0; k < sizeof noise; k++) {
            noise[k] = (unsigned char)rng_u64(&r);
        }
        memcpy(&header, noise, sizeof header);
        header.magic = ABUT_HULL_MAGIC;
        header.version = ABUT_HULL_VERSION;
        header.size = sizeof noise;
        header.vertex_count = rng_below(&r, 70000);
        header.facet_count = rng_below(&r, 70000);
        header.edge_count = rng_below(&r, 70000);
        header.face_count = rng_below(&r, 70000);
        header.face_edge_count = rng_below(&r, 70000);
        if (rng_chance(&r, 0.5)) {
            (void)abut_hull_lay_out(&header);
            header.size = sizeof noise;
        }
        memcpy(noise, &header, sizeof header);
        assert_int_equal(load_copy(noise, sizeof noise), ABUT_ERROR_FORMAT);
    }
}

/* Bytes that differ in the tolerance alone, which a hull that is made again would repeat. */
static void a_tolerance_that_is_none_is_refused(void **state) {
    (void)state;
    static const float bad[] = {-1, -0x1p-149f, -0.0f, NAN, INFINITY, -INFINITY};
    static const abut_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_hull *hull, *copy;
    size_t size;
    assert_int_equal(abut_hull_create(corner, 4, NULL, &hull), ABUT_OK);
    const void *bytes = abut_hull_data(hull, &size);
    unsigned char *changed = malloc(size);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t bits = abut_bits_of_float(bad[i]);
        memcpy(changed, bytes, size);
        for (size_t k = 0; k < 4; k++) {
            changed[offsetof(abut_hull, coplanar_tolerance) + k] = (unsigned char)(bits >> 8 * k);
        }
        uint64_t digest = abut_hull_compute_digest(changed, (uint32_t)size);
        digest = abut_bytes_u64(&digest);
        memcpy(changed + offsetof(abut_hull, digest), &digest, sizeof digest);
        assert_int_equal(abut_hull_load(changed, size, NULL, &copy), ABUT_ERROR_FORMAT);
        assert_null(copy);
    }
    free(changed);
    abut_hull_destroy(&hull);
}

static void null_is_refused(void **state) {
    (void)state;
    unsigned char byte = 0;
    abut_hull *hull;
    assert_int_equal(abut_hull_load(&byte, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_hull_load(NULL, 1, NULL, &hull), ABUT_ERROR_ARGUMENT);
    assert_null(hull);
    assert_int_equal(abut_hull_load(&byte, 0, NULL, &hull), ABUT_ERROR_FORMAT);
    assert_null(hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_hulls_come_back), cmocka_unit_test(changed_bytes_are_refused),
        cmocka_unit_test(noise_is_refused),      cmocka_unit_test(a_tolerance_that_is_none_is_refused),
        cmocka_unit_test(null_is_refused),
    };
    return test_run(tests);
}
