/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Needles and blades hardly thicker than the tolerance within which facets are merged to faces: a face may then consist
 * of facets that look in quite different directions. */
#include "support/hull_oracle.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/hull.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double least_half(const abut_hull *hull) {
    const abut_vec3 half = abut_hull_obb(hull).half;
    return fmin(half.x, fmin(half.y, half.z));
}

static abut_hull *hull_of(const abut_vec3 *point, uint32_t n, convex *own) {
    abut_hull *hull = NULL;
    (void)abut_hull_create(point, n, NULL, &hull);
    own->count = n;
    memcpy(own->point, point, n * sizeof *point);
    if (hull && !convex_build(own)) {
        abut_hull_destroy(&hull);
    }
    return hull;
}

/* The depth is the least but for the preference for faces, 5 % and 2^-10 of the least half extent, and twice the
 * tolerance, which is at most 2^-17 of the sum of the extents. */
static void the_depth_of_slivers_is_near_the_least(void **state) {
    (void)state;
    unsigned long overlaps = 0, wrong = 0;
    double worst = 0;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (unsigned long i = 0, n = test_count(3000); i < n; i++) {
        rng r = rng_make(test_seed(), i);
        static convex a, b;
        const double thin = rng_log_range(&r, 1e-5, 1e-3), wide = rng_chance(&r, 0.5) ? thin : 1;
        abut_vec3 sliver[10], cloud[16];
        for (int k = 0; k < 10; k++) {
            sliver[k] = rng_vec3(&r, -1, 1);
            sliver[k].y *= (float)thin;
            sliver[k].z *= (float)wide;
        }
        for (int k = 0; k < 16; k++) {
            cloud[k] = rng_direction(&r);
        }
        const abut_pose at = {{0, 0, 0}, rng_rotation(&r)}, beside = {rng_vec3(&r, -0.6, 0.6), rng_rotation(&r)};
        abut_hull *of_a = hull_of(sliver, 10, &a), *of_b = hull_of(cloud, 16, &b);
        abut_manifold m;
        if (of_a && of_b && abut_hull_collide(of_a, &at, of_b, &beside, 0, &m)) {
            const hull_truth truth = hull_truth_of(&a, &at, &b, &beside);
            const abut_vec3 h = abut_hull_obb(of_a).half, g = abut_hull_obb(of_b).half;
            const double merging = 0x1p-16 * fmax((double)h.x + h.y + h.z, (double)g.x + g.y + g.z);
            const double extent = 0x1p-10 * fmin(least_half(of_a), least_half(of_b)), least = -truth.gap;
            const double most = fmax(least * 1.0501, least + extent) + merging + 1e-6 * truth.size;
            overlaps++;
            worst = least > 1e-3 ? fmax(worst, abut_manifold_depth(&m) / least) : worst;
            wrong += abut_manifold_depth(&m) > most;
        }
        abut_hull_destroy(&of_a);
        abut_hull_destroy(&of_b);
    }
    printf("%lu overlaps, %lu too deep, at worst %.3f times as deep as the least\n", overlaps, wrong, worst);
    assert_true(overlaps > 100);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_depth_of_slivers_is_near_the_least)};
    return test_run(tests);
}
