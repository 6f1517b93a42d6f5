/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Invalid shapes and poses: false, a distance of NaN, bounds of NaN, and no output is touched. And bounds of valid
 * ones: they contain the shape and are tight. */

#include "support/near_round.h"
#include "support/rng.h"
#include "support/test.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_pose pose = {{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}};

static abut_hull *tetrahedron(void) {
    static const abut_vec3 points[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
    return hull;
}

static void assert_refused_beside(const abut_shape *good, const abut_shape *bad, const abut_pose *bad_pose) {
    abut_manifold m, before;
    abut_vec3 p = {7, 8, 9}, q = {10, 11, 12};
    memset(&m, 0x5b, sizeof m);
    before = m;
    assert_false(abut_shape_overlap(good, &pose, bad, bad_pose));
    assert_false(abut_shape_overlap(bad, bad_pose, good, &pose));
    assert_false(abut_shape_collide(good, &pose, bad, bad_pose, 0, &m));
    assert_false(abut_shape_collide(bad, bad_pose, good, &pose, 1e6f, &m));
    assert_true(isnan(abut_shape_distance(good, &pose, bad, bad_pose, &p, &q)));
    assert_true(isnan(abut_shape_distance(bad, bad_pose, good, &pose, &p, &q)));
    assert_true(isnan(abut_shape_distance(bad, bad_pose, good, &pose, NULL, NULL)));
    assert_memory_equal(&m, &before, sizeof m);
    assert_true(p.x == 7 && p.y == 8 && p.z == 9 && q.x == 10 && q.y == 11 && q.z == 12);
}

static void assert_refused(const abut_shape *bad, const abut_pose *bad_pose) {
    abut_hull *hull = tetrahedron();
    const abut_shape good[] = {abut_point(),      abut_sphere(1),       abut_capsule(1, 1),  abut_box(1, 1, 1),
                               abut_box(1, 0, 1), abut_convex(hull, 0), abut_convex(hull, 1)};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_refused_beside(&good[i], bad, bad_pose);
    }
    abut_aabb bounds = abut_shape_bounds(bad, bad_pose);
    const float *b = &bounds.min.x;
    for (int k = 0; k < 6; k++) {
        assert_true(isnan(b[k]));
    }
    abut_hull_destroy(&hull);
}

static void null_is_no_shape(void **state) {
    (void)state;
    const abut_shape sphere = abut_sphere(1);
    assert_refused(NULL, &pose);
    assert_refused(&sphere, NULL);
    assert_refused(NULL, NULL);
    assert_false(abut_shape_collide(&sphere, &pose, &sphere, &pose, 0, NULL));
}

static void nan_infinity_and_negative_are_refused(void **state) {
    (void)state;
    const float values[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -0x1p-149f};
    abut_hull *hull = tetrahedron();
    const abut_shape shapes[] = {abut_sphere(1), abut_capsule(1, 1), abut_box(1, 2, 3), abut_convex(hull, 1)};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (int field = 0; field < 11; field++) {
            for (int v = 0; v < 6; v++) {
                abut_shape shape = shapes[s];
                abut_pose bad = pose;
                float *at = field < 3    ? &bad.position.x + field
                            : field < 7  ? &bad.rotation.x + (field - 3)
                            : field < 10 ? &shape.half.x + (field - 7)
                                         : &shape.radius;
                *at = values[v];
                bool legal = (field < 7 && v >= 4) || (field >= 7 && field < 10 && shape.hull);
                if (!legal) {
                    assert_refused(&shape, &bad);
                }
            }
        }
    }
    abut_hull_destroy(&hull);
}

static void meshes_are_refused(void **state) {
    (void)state;
    static const double something[64];
    abut_hull *hull = tetrahedron();
    abut_shape shapes[] = {abut_point(), abut_sphere(1), abut_box(1, 1, 1), abut_convex(hull, 0)};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        shapes[s].mesh = (const abut_mesh *)(const void *)something;
        assert_refused(&shapes[s], &pose);
    }
    abut_hull_destroy(&hull);
}

static void a_bad_margin_is_refused(void **state) {
    (void)state;
    const float margins[] = {NAN, -1, -0x1p-149f, INFINITY, -INFINITY};
    abut_hull *hull = tetrahedron();
    const abut_shape shapes[] = {abut_point(), abut_sphere(1), abut_capsule(1, 1), abut_box(1, 1, 1),
                                 abut_convex(hull, 0)};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (size_t j = 0; j < sizeof shapes / sizeof shapes[0]; j++) {
            for (size_t k = 0; k < sizeof margins / sizeof margins[0]; k++) {
                abut_manifold m, before;
                memset(&m, 0x5b, sizeof m);
                before = m;
                assert_false(abut_shape_collide(&shapes[i], &pose, &shapes[j], &pose, margins[k], &m));
                assert_memory_equal(&m, &before, sizeof m);
            }
        }
    }
    abut_hull_destroy(&hull);
}

/* Points are shapes, all zero quaternions are the identity, lengths of quaternions do not matter, and what stands
 * beside a hull is ignored. */
static void unusual_shapes_are_valid(void **state) {
    (void)state;
    const abut_pose zero = {{1, 2, 3}, {0, 0, 0, 0}}, one = {{1, 2, 3}, {0, 0, 0, 1}},
                    large = {{1, 2, 3}, {0, 0, 0, 1e18f}};
    const abut_shape point = abut_point(), sphere = abut_sphere(2), capsule = abut_capsule(1, 1);
    abut_manifold m;
    assert_true(abut_shape_overlap(&point, &one, &point, &zero));
    assert_true(abut_shape_collide(&point, &one, &point, &zero, 0, &m) && m.count == 1);
    assert_true(abut_shape_distance(&point, &one, &point, &large, NULL, NULL) == 0);
    assert_true(abut_shape_overlap(&point, &pose, &sphere, &zero) &&
                abut_shape_overlap(&capsule, &zero, &sphere, &large));
    abut_hull *hull = tetrahedron();
    abut_shape odd = abut_convex(hull, 0.5f);
    const abut_shape plain = odd;
    odd.half = (abut_vec3){100, 100, 100};
    const abut_pose away = {{4, 5, 3}, {1, 2, 3, 4}};
    float d = abut_shape_distance(&plain, &zero, &point, &away, NULL, NULL);
    assert_true(d > 0 && abut_shape_distance(&odd, &one, &point, &away, NULL, NULL) == d);
    abut_hull_destroy(&hull);
}

/* Bounds in long double: they hold the shape, and little more. */
static void bounds_contain_the_shape_and_are_tight(void **state) {
    (void)state;
    if (LDBL_MANT_DIG < 64) {
        skip();
    }
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < test_count(30000); i++) {
        round_pair p;
        near_round_pair(hulls, test_seed(), i, ROUND_NEAR, &p);
        const abut_quat *r = &p.a.pose.rotation;
        long double x = r->x, y = r->y, z = r->z, w = r->w, s = 2 / (x * x + y * y + z * z + w * w);
        const long double m[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                                     {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                                     {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
        abut_aabb bounds = abut_shape_bounds(&p.a.shape, &p.a.pose);
        const float *at = &p.a.pose.position.x, *low = &bounds.min.x, *high = &bounds.max.x;
        for (int k = 0; k < 3; k++) {
            long double least = INFINITY, most = -INFINITY, radius = p.a.shape.radius, far = 0;
            for (uint32_t v = 0; v < p.a.core->count; v++) {
                const abut_vec3 *c = &p.a.core->point[v];
                long double h = m[k][0] * c->x + m[k][1] * c->y + m[k][2] * c->z;
                least = fminl(least, h);
                most = fmaxl(most, h);
                far = fmaxl(far, fabsl(c->x) + fabsl(c->y) + fabsl(c->z));
            }
            least += at[k] - radius;
            most += at[k] + radius;
            long double noise = 1e-18L * (far + radius + fabsl(at[k])),
                        spare = 0x1p-21L * (far + radius + fabsl(at[k]));
            assert_true(low[k] <= least + noise && low[k] >= least - spare);
            assert_true(high[k] >= most - noise && high[k] <= most + spare);
        }
    }
    round_hulls_release(hulls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_no_shape),         cmocka_unit_test(nan_infinity_and_negative_are_refused),
        cmocka_unit_test(meshes_are_refused),       cmocka_unit_test(a_bad_margin_is_refused),
        cmocka_unit_test(unusual_shapes_are_valid), cmocka_unit_test(bounds_contain_the_shape_and_are_tight),
    };
    return test_run(tests);
}
