/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A single contact point has the same id shortly before bodies touch and shortly after, also where edges cross. */
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>

enum { KINDS = 4 }; /* boxes; rounded boxes, whose cores meet; hulls; a hull and a box */

static abut_hull *random_hull(rng *r) {
    abut_vec3 points[12];
    abut_hull *hull;
    for (int i = 0; i < 12; i++) {
        points[i] = rng_direction(r);
    }
    assert_int_equal(abut_hull_create(points, 12, NULL, &hull), ABUT_OK);
    return hull;
}

static abut_shape random_box(rng *r, float radius) {
    abut_shape box = abut_box((float)rng_range(r, 0.3, 1), (float)rng_range(r, 0.3, 1), (float)rng_range(r, 0.3, 1));
    box.radius = radius;
    return box;
}

static float dot(abut_vec3 a, abut_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static abut_vec3 along(abut_vec3 p, float t, abut_vec3 d) {
    return (abut_vec3){p.x + t * d.x, p.y + t * d.y, p.z + t * d.z};
}

/* The manifold with b moved along the normal of `from` so that its point has this separation. */
static abut_manifold moved(const abut_shape *a, const abut_pose *pa, const abut_shape *b, abut_pose pb,
                           const abut_manifold *from, float separation) {
    abut_manifold m = {0};
    pb.position = along(pb.position, separation - from->points[0].separation, from->normal);
    assert_true(abut_shape_collide(a, pa, b, &pb, 4, &m));
    return m;
}

/* Compared are pairs that have one point, with the same normal, on either side: mostly edges that cross. */
static void ids_stay_across_the_gap(void **state) {
    (void)state;
    unsigned long compared[KINDS] = {0}, renamed = 0;
    const unsigned long count = test_count(3000);
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed() + 62, i);
        const int kind = (int)(i % KINDS);
        const float radius = kind == 1 ? 0.1f : 0;
        abut_hull *hull = random_hull(&r);
        const abut_shape a = kind >= 2 ? abut_convex(hull, 0) : random_box(&r, radius);
        const abut_shape b = kind == 2 ? abut_convex(hull, 0) : random_box(&r, radius);
        const abut_pose pa = {{0, 0, 0}, rng_rotation(&r)};
        const abut_vec3 way = rng_direction(&r);
        const abut_pose pb = {along(pa.position, 4, way), rng_rotation(&r)};
        abut_manifold far = {0};
        assert_true(abut_shape_collide(&a, &pa, &b, &pb, 4, &far));
        /* The cores meet where the grown surfaces are both radii deep. */
        const abut_manifold before = moved(&a, &pa, &b, pb, &far, 1e-3f - 2 * radius);
        const abut_manifold after = moved(&a, &pa, &b, pb, &far, -1e-3f - 2 * radius);
        const bool alike = before.count == 1 && after.count == 1 && dot(before.normal, after.normal) > 0.99999f;
        compared[kind] += alike;
        renamed += alike && before.points[0].feature != after.points[0].feature;
        abut_hull_destroy(&hull);
    }
    print_message("%lu %lu %lu %lu renamed %lu\n", compared[0], compared[1], compared[2], compared[3], renamed);
    for (int kind = 0; kind < KINDS; kind++) {
        assert_true(compared[kind] > count / KINDS / 20);
    }
    assert_int_equal(renamed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_stay_across_the_gap),
    };
    return test_run(tests);
}
