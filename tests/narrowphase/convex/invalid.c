/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Invalid hulls and poses: every pair function answers false and leaves the manifold unchanged. And poses that are
 * unusual but valid. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/hull.h>
#include <math.h>
#include <string.h>

static const abut_pose pose = {{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}};
static const abut_obb box = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}};

static abut_hull *tetrahedron(void) {
    static const abut_vec3 points[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
    return hull;
}

static void assert_refused(const abut_hull *hull, const abut_hull *bad, const abut_pose *bad_pose) {
    abut_manifold m, before;
    memset(&m, 0x5b, sizeof m);
    before = m;
    assert_false(abut_hull_overlap(hull, &pose, bad, bad_pose));
    assert_false(abut_hull_overlap(bad, bad_pose, hull, &pose));
    assert_false(abut_obb_hull_overlap(&box, bad, bad_pose));
    assert_false(abut_hull_collide(hull, &pose, bad, bad_pose, 0, &m));
    assert_false(abut_hull_collide(bad, bad_pose, hull, &pose, 1e9f, &m));
    assert_false(abut_obb_hull_collide(&box, bad, bad_pose, 1e9f, &m));
    assert_memory_equal(&m, &before, sizeof m);
}

static void null_is_no_body(void **state) {
    (void)state;
    abut_hull *hull = tetrahedron();
    abut_manifold m;
    assert_refused(hull, NULL, &pose);
    assert_refused(hull, hull, NULL);
    assert_refused(hull, NULL, NULL);
    assert_false(abut_obb_hull_overlap(NULL, hull, &pose));
    assert_false(abut_obb_hull_collide(NULL, hull, &pose, 0, &m));
    assert_false(abut_hull_collide(hull, &pose, hull, &pose, 0, NULL));
    assert_false(abut_obb_hull_collide(&box, hull, &pose, 0, NULL));
    assert_true(abut_hull_overlap(hull, &pose, hull, &pose) && abut_obb_hull_overlap(&box, hull, &pose));
    abut_hull_destroy(&hull);
}

static void nan_and_infinity_anywhere_are_no_pose(void **state) {
    (void)state;
    const float values[] = {NAN, -NAN, INFINITY, -INFINITY};
    abut_hull *hull = tetrahedron();
    for (int field = 0; field < 10; field++) {
        for (int v = 0; v < 4; v++) {
            abut_pose bad = pose;
            abut_obb bad_box = box;
            float *at = field < 3 ? &bad.position.x + field : &bad.rotation.x + (field - 3);
            float *in_box = field < 3   ? &bad_box.center.x + field
                            : field < 7 ? &bad_box.rotation.x + (field - 3)
                                        : &bad_box.half.x + (field - 7);
            *in_box = values[v];
            assert_false(abut_obb_hull_overlap(&bad_box, hull, &pose));
            if (field < 7) {
                *at = values[v];
                assert_refused(hull, hull, &bad);
            }
        }
    }
    abut_obb negative = box;
    negative.half.y = -0x1p-149f;
    assert_false(abut_obb_hull_overlap(&negative, hull, &pose));
    abut_hull_destroy(&hull);
}

static void a_bad_margin_is_refused(void **state) {
    (void)state;
    const float margins[] = {NAN, -1, -0x1p-149f, INFINITY, -INFINITY};
    abut_hull *hull = tetrahedron();
    abut_manifold m, before;
    memset(&m, 0x5b, sizeof m);
    before = m;
    for (int i = 0; i < 5; i++) {
        assert_false(abut_hull_collide(hull, &pose, hull, &pose, margins[i], &m));
        assert_false(abut_obb_hull_collide(&box, hull, &pose, margins[i], &m));
    }
    assert_memory_equal(&m, &before, sizeof m);
    assert_true(abut_hull_collide(hull, &pose, hull, &pose, -0.0f, &m));
    abut_hull_destroy(&hull);
}

/* The manifold with this quaternion instead of another one of the same rotation. */
static void assert_same(const abut_hull *hull, abut_quat p, abut_quat q) {
    const abut_pose first = {{1.25f, 2.5f, 3}, p}, second = {{1.25f, 2.5f, 3}, q};
    abut_manifold m, n;
    assert_true(abut_hull_collide(hull, &first, hull, &pose, 0, &m));
    assert_true(abut_hull_collide(hull, &second, hull, &pose, 0, &n));
    assert_memory_equal(&m, &n, sizeof m);
    assert_true(abut_obb_hull_collide(&box, hull, &first, 0, &m) && abut_obb_hull_collide(&box, hull, &second, 0, &n));
    assert_memory_equal(&m, &n, sizeof m);
    assert_true(abut_hull_overlap(hull, &first, hull, &pose) && abut_hull_overlap(hull, &second, hull, &pose));
}

static void rotations_of_any_length_are_fine(void **state) {
    (void)state;
    const abut_quat one = {0, 0, 0, 1};
    abut_hull *hull = tetrahedron();
    assert_same(hull, (abut_quat){0, 0, 0, 0}, one);
    assert_same(hull, (abut_quat){-0.0f, 0, -0.0f, -0.0f}, one);
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_quat q = rng_rotation(&r);
        float by = ldexpf(1, (int)rng_below(&r, 100) - 50);
        assert_same(hull, q, (abut_quat){q.x * by, q.y * by, q.z * by, q.w * by});
        assert_same(hull, q, (abut_quat){q.x * 0x1p-60f, q.y * 0x1p-60f, q.z * 0x1p-60f, q.w * 0x1p-60f});
    }
    abut_hull_destroy(&hull);
}

/* Where floats overflow or lose bits every call returns, and clear cases are answered correctly. */
static void extremes_are_answered(void **state) {
    (void)state;
    static const float sizes[] = {0x1p-149f, 1e-42f, 1e-38f, 1e-30f, 1e-20f, 1, 1e8f};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        float s = sizes[i];
        const abut_vec3 points[] = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
        abut_hull *hull;
        assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
        abut_pose at = {{0, 0, 0}, {0, 0, 0, 1}}, off = {{2 * s, 2 * s, 2 * s}, {0, 0, 0, 1}};
        abut_manifold m;
        assert_true(abut_hull_overlap(hull, &at, hull, &at) && abut_hull_collide(hull, &at, hull, &at, 0, &m));
        assert_false(abut_hull_overlap(hull, &at, hull, &off) || abut_hull_collide(hull, &at, hull, &off, 0, &m));
        static const float far[] = {1e9f, 1e30f, 3e38f};
        for (int k = 0; k < 3; k++) {
            abut_pose away = {{far[k], -far[k], far[k]}, {0, 1, 0, 1}},
                      back = {{-far[k], far[k], -far[k]}, {0, 0, 0, 0}};
            abut_obb large = {{0, 0, 0}, {1, 2, 3, 4}, {far[k], far[k], far[k]}};
            assert_false(abut_hull_overlap(hull, &away, hull, &back));
            assert_false(abut_hull_collide(hull, &away, hull, &back, 0, &m));
            assert_true(abut_hull_overlap(hull, &away, hull, &away));
            assert_true(abut_obb_hull_overlap(&large, hull, &at));
            abut_hull_collide(hull, &away, hull, &at, 3e38f, &m);
            abut_obb_hull_collide(&large, hull, &away, 3e38f, &m);
        }
        abut_hull_destroy(&hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_no_body),         cmocka_unit_test(nan_and_infinity_anywhere_are_no_pose),
        cmocka_unit_test(a_bad_margin_is_refused), cmocka_unit_test(rotations_of_any_length_are_fine),
        cmocka_unit_test(extremes_are_answered),
    };
    return test_run(tests);
}
