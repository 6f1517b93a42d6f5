/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How many contact points shapes with a radius have, where they are, and that they keep their names. */

#include "support/rng.h"
#include "support/same_features.h"
#include "support/test.h"
#include <abut/hull.h>
#include <abut/shape.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_quat none = {0, 0, 0, 1};

static void rotate(abut_quat q, const double v[3], double out[3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w, s = 2 / (x * x + y * y + z * z + w * w);
    const double m[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                            {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                            {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    for (int k = 0; k < 3; k++) {
        out[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
    }
}

/* The pose that `local` is in a frame. */
static abut_pose in_frame(const abut_pose *frame, const abut_pose *local) {
    const abut_quat *p = &frame->rotation, *q = &local->rotation;
    const double v[3] = {local->position.x, local->position.y, local->position.z};
    double px = p->x, py = p->y, pz = p->z, pw = p->w, out[3];
    rotate(*p, v, out);
    return (abut_pose){
        {(float)(frame->position.x + out[0]), (float)(frame->position.y + out[1]), (float)(frame->position.z + out[2])},
        {(float)(pw * q->x + px * q->w + py * q->z - pz * q->y), (float)(pw * q->y - px * q->z + py * q->w + pz * q->x),
         (float)(pw * q->z + px * q->y - py * q->x + pz * q->w),
         (float)(pw * q->w - px * q->x - py * q->y - pz * q->z)}};
}

static abut_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2) / sqrt(x * x + y * y + z * z);
    return (abut_quat){(float)(x * s), (float)(y * s), (float)(z * s), (float)cos(angle / 2)};
}

static abut_quat product(abut_quat p, abut_quat q) {
    const abut_pose a = {{0, 0, 0}, p}, b = {{0, 0, 0}, q};
    return in_frame(&a, &b).rotation;
}

/* Two shapes, b placed relative to a, in a frame; what they give as a and b, and swapped. */
typedef struct scene {
    abut_shape a, b;
    abut_pose frame, there;
} scene;

static bool collide(const scene *s, float margin, abut_manifold *m) {
    abut_manifold back;
    memset(m, 0, sizeof *m);
    memset(&back, 0, sizeof back);
    abut_pose at_a = s->frame, at_b = in_frame(&s->frame, &s->there);
    bool touch = abut_shape_collide(&s->a, &at_a, &s->b, &at_b, margin, m);
    assert_int_equal(abut_shape_collide(&s->b, &at_b, &s->a, &at_a, margin, &back), touch);
    back.normal = (abut_vec3){0.0f - back.normal.x, 0.0f - back.normal.y, 0.0f - back.normal.z};
    assert_memory_equal(&back, m, sizeof back);
    return touch;
}

/* A point of the manifold in the frame. */
static void point_in_frame(const scene *s, const abut_manifold *m, uint32_t i, double out[3]) {
    const abut_quat q = s->frame.rotation, inverse = {-q.x, -q.y, -q.z, q.w};
    const abut_vec3 *p = &m->points[i].position, *from = &s->frame.position;
    const double d[3] = {(double)p->x - from->x, (double)p->y - from->y, (double)p->z - from->z};
    rotate(inverse, d, out);
}

static void expect_point_near(const scene *s, const abut_manifold *m, double x, double y, double z, double tolerance) {
    double closest = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        double p[3];
        point_in_frame(s, m, i, p);
        closest = fmin(closest, fmax(fabs(p[0] - x), fmax(fabs(p[1] - y), fabs(p[2] - z))));
    }
    assert_true(closest <= tolerance);
}

static void expect_separations(const abut_manifold *m, double expected, double tolerance) {
    for (uint32_t i = 0; i < m->count; i++) {
        assert_true(fabs((double)m->points[i].separation - expected) <= tolerance);
    }
}

static abut_pose random_frame(rng *r) {
    return rng_chance(r, 0.3) ? (abut_pose){{0, 0, 0}, none} : (abut_pose){rng_vec3(r, -5, 5), rng_rotation(r)};
}

/* Depths of a body that rests, or floats within the margin. */
static double random_gap(rng *r, float *margin) {
    double gap = rng_log_range(r, 1e-6, 1e-2);
    *margin = 0;
    if (rng_chance(r, 0.5)) {
        *margin = (float)(2 * gap);
        return gap;
    }
    return -gap;
}

static void a_capsule_lying_on_a_face_has_two_points(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        double yaw = rng_range(&r, 0, 6.28), half = rng_range(&r, 0.1, 3), radius = rng_range(&r, 0.05, 1);
        double x = rng_range(&r, -4, 4), z = rng_range(&r, -4, 4), c = cos(yaw), s = sin(yaw);
        float margin;
        double gap = random_gap(&r, &margin), up = 1 + (float)radius + gap;
        scene w = {.a = abut_box(10, 1, 10), .b = abut_capsule((float)half, (float)radius), .frame = random_frame(&r)};
        if (rng_chance(&r, 0.3)) { /* the same box with a radius */
            w.a = abut_box(9.5f, 0.5f, 9.5f);
            w.a.radius = 0.5f;
        }
        /* lying along (cos yaw, 0, sin yaw): y is first laid along x */
        w.there = (abut_pose){{(float)x, (float)up, (float)z},
                              product(about(0, 1, 0, -yaw), about(0, 0, 1, -1.5707963267948966))};
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_int_equal(m.count, 2);
        expect_separations(&m, gap, 3e-6);
        expect_point_near(&w, &m, x + half * c, 1 + gap / 2, z + half * s, 1e-5);
        expect_point_near(&w, &m, x - half * c, 1 + gap / 2, z - half * s, 1e-5);
    }
}

static void a_capsule_beyond_the_border_has_the_shared_stretch(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(5000); i++) {
        rng r = rng_make(test_seed(), i);
        double half = rng_range(&r, 1, 5), x = rng_range(&r, 1 - half / 2, 1 + half / 2), gap;
        float margin;
        gap = random_gap(&r, &margin);
        scene w = {.a = abut_box(1, 1, 1), .b = abut_capsule((float)half, 0.5f), .frame = random_frame(&r)};
        w.there = (abut_pose){{(float)x, (float)(1.5 + gap), 0.25f}, {0, 0, 1, 1}};
        double low = fmax(-1, x - half), high = fmin(1, x + half);
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_int_equal(m.count, 2);
        expect_separations(&m, gap, 3e-6);
        expect_point_near(&w, &m, low, 1 + gap / 2, 0.25, 1e-5);
        expect_point_near(&w, &m, high, 1 + gap / 2, 0.25, 1e-5);
    }
}

static void a_capsule_that_stands_has_one_point(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(5000); i++) {
        rng r = rng_make(test_seed(), i);
        float margin;
        double gap = random_gap(&r, &margin), tilt = rng_range(&r, 0, 1.2);
        scene w = {.a = abut_box(10, 1, 10), .b = abut_capsule(1, 0.5f), .frame = random_frame(&r)};
        w.there = (abut_pose){{1, (float)(1.5 + gap + cos(tilt)), 2}, about(0, 0, 1, tilt)};
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_int_equal(m.count, 1);
        expect_separations(&m, gap, 3e-6);
        expect_point_near(&w, &m, 1 + sin(tilt), 1 + gap / 2, 2, 1e-5);
    }
}

static void parallel_capsules_have_two_points(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        double ha = rng_range(&r, 0.5, 3), hb = rng_range(&r, 0.5, 3), ra = rng_range(&r, 0.1, 1);
        double rb = rng_range(&r, 0.1, 1), shift = rng_range(&r, -0.9, 0.9) * (ha + hb), gap;
        bool flipped = rng_chance(&r, 0.5);
        float margin;
        gap = random_gap(&r, &margin);
        scene w = {.a = abut_capsule((float)ha, (float)ra), .b = abut_capsule((float)hb, (float)rb)};
        w.frame = random_frame(&r);
        double low = fmax(-ha, shift - hb), high = fmin(ha, shift + hb);
        w.there = (abut_pose){{(float)(ra + rb + gap), (float)shift, 0}, flipped ? (abut_quat){1, 0, 0, 0} : none};
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_int_equal(m.count, 2);
        expect_separations(&m, gap, 4e-6);
        expect_point_near(&w, &m, ra + gap / 2, low, 0, 1e-5);
        expect_point_near(&w, &m, ra + gap / 2, high, 0, 1e-5);
    }
}

/* Turned in the plane of contact by less than two degrees, deep enough at both ends: two; by more than three: one. */
static void nearly_parallel_capsules_have_two_points(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(10000); i++) {
        rng r = rng_make(test_seed(), i);
        bool parallel = rng_chance(&r, 0.5);
        double degree = 0.017453292519943295;
        double angle = parallel ? rng_range(&r, 0, 1.95) * degree : rng_range(&r, 2.05, 90) * degree;
        scene w = {.a = abut_capsule(2, 0.5f), .b = abut_capsule(1, 0.5f), .frame = random_frame(&r)};
        w.there = (abut_pose){{0.99f, (float)rng_range(&r, -0.5, 0.5), 0}, about(1, 0, 0, angle)};
        abut_manifold m;
        assert_true(collide(&w, 0, &m));
        assert_int_equal(m.count, parallel ? 2 : 1);
    }
}

static void capsules_end_to_end_have_one_point(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        float margin;
        double gap = random_gap(&r, &margin);
        scene w = {.a = abut_capsule(2, 0.5f), .b = abut_capsule(1, 0.25f), .frame = random_frame(&r)};
        w.there = (abut_pose){{0, (float)(3.75 + gap), 0}, none};
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_int_equal(m.count, 1);
        expect_separations(&m, gap, 4e-6);
        expect_point_near(&w, &m, 0, 2.5 + gap / 2, 0, 1e-5);
    }
}

static void a_rounded_box_stands_on_four_points(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(10000); i++) {
        rng r = rng_make(test_seed(), i);
        double hx = rng_range(&r, 0.2, 2), hy = rng_range(&r, 0.2, 2), hz = rng_range(&r, 0.2, 2);
        double radius = rng_range(&r, 0.05, 1), yaw = rng_range(&r, 0, 6.28), x = rng_range(&r, -4, 4), gap;
        float margin;
        gap = random_gap(&r, &margin);
        scene w = {.a = abut_box(10, 1, 10), .b = abut_box((float)hx, (float)hy, (float)hz), .frame = random_frame(&r)};
        w.b.radius = (float)radius;
        w.there = (abut_pose){{(float)x, (float)(1 + hy + radius + gap), 0}, about(0, 1, 0, yaw)};
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_int_equal(m.count, 4);
        expect_separations(&m, gap, 5e-6);
        for (int k = 0; k < 4; k++) {
            double cx = k & 1 ? hx : -hx, cz = k & 2 ? hz : -hz;
            expect_point_near(&w, &m, x + cos(yaw) * cx + sin(yaw) * cz, 1 + gap / 2, cos(yaw) * cz - sin(yaw) * cx,
                              1e-5);
        }
    }
}

static abut_hull *prism(int sides) {
    abut_vec3 points[64];
    abut_hull *hull;
    for (int i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        points[2 * i] = (abut_vec3){(float)cos(angle), -1, (float)sin(angle)};
        points[2 * i + 1] = (abut_vec3){(float)cos(angle), 1, (float)sin(angle)};
    }
    assert_int_equal(abut_hull_create(points, 2 * (size_t)sides, NULL, &hull), ABUT_OK);
    return hull;
}

static void rounded_hulls_stand_on_several_points(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(5000); i++) {
        rng r = rng_make(test_seed(), i);
        int sides = 3 + (int)rng_below(&r, 12);
        abut_hull *hull = prism(sides);
        float margin;
        double gap = random_gap(&r, &margin), radius = rng_range(&r, 0.01, 1);
        scene w = {.a = abut_convex(hull, (float)radius), .b = abut_convex(hull, 0), .frame = random_frame(&r)};
        if (rng_chance(&r, 0.3)) {
            w.a = abut_box(2, 1, 2);
            w.a.radius = (float)radius;
        }
        w.there = (abut_pose){{0.1f, (float)(2 + radius + gap), 0.1f}, about(0, 1, 0, rng_range(&r, 0, 6))};
        abut_manifold m;
        assert_true(collide(&w, margin, &m));
        assert_true(m.count >= 3);
        expect_separations(&m, gap, 1e-5);
        w.b = abut_capsule(0.25f, 0.5f); /* lying on the hull */
        w.there = (abut_pose){{0, (float)(1.5 + radius + gap), 0}, {0, 0, 1, 1}};
        assert_true(collide(&w, margin, &m));
        assert_true(m.count >= 2);
        expect_separations(&m, gap, 1e-5);
        expect_point_near(&w, &m, -0.25, 1 + radius + gap / 2, 0, 1e-5);
        expect_point_near(&w, &m, 0.25, 1 + radius + gap / 2, 0, 1e-5);
        abut_hull_destroy(&hull);
    }
}

/* Cubes, face to face, one with a radius far below rounding: separating axes see their gap, two roundings of their
 * size, but their distance does not. They touch, and have the points of faces across a gap. */
static void a_gap_within_rounding_is_a_touch(void **state) {
    (void)state;
    abut_hull *hull[2];
    for (int side = 0; side < 2; side++) {
        abut_vec3 corner[8];
        for (int i = 0; i < 8; i++) {
            corner[i] = (abut_vec3){i & 1 ? 1 : -1, (i & 2 ? 2.0f : 0) * (side ? 1.0f : -1.0f), i & 4 ? 1 : -1};
        }
        assert_int_equal(abut_hull_create(corner, 8, NULL, &hull[side]), ABUT_OK);
    }
    for (float gap = 0x1.6p-45f; gap < 0x1.1p-44f; gap *= 1.125f) {
        const abut_pose origin = {{0, 0, 0}, none}, at = {{0, gap, 0}, none};
        const scene s = {abut_convex(hull[0], 0x1p-100f), abut_convex(hull[1], 0), origin, at};
        abut_manifold m;
        assert_false(abut_hull_overlap(hull[0], &origin, hull[1], &at));
        assert_true(abut_shape_overlap(&s.a, &origin, &s.b, &at));
        assert_true(collide(&s, 0, &m));
        assert_true(m.normal.x == 0 && m.normal.y == 1 && m.normal.z == 0);
        expect_separations(&m, 0, 1e-12);
        assert_true(m.count > 0 && fabsf(m.points[0].position.y) < 1e-6f);
        assert_true(collide(&s, 1e-6f, &m));
        assert_true(m.count == 4 && m.normal.x == 0 && m.normal.y == 1 && m.normal.z == 0);
        expect_separations(&m, 0, 1e-12);
        for (int i = 0; i < 4; i++) {
            expect_point_near(&s, &m, i & 1 ? 1 : -1, 0, i & 2 ? 1 : -1, 1e-6);
        }
    }
    abut_hull_destroy(&hull[0]);
    abut_hull_destroy(&hull[1]);
}

static void spheres_touch_in_one_point(void **state) {
    (void)state;
    abut_hull *hull = prism(8);
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        scene w = {.a = abut_box(2, 1, 2), .b = abut_sphere((float)rng_range(&r, 0.1, 1)), .frame = random_frame(&r)};
        uint32_t kind = rng_below(&r, 5);
        w.a = kind == 0 ? abut_sphere(1) : kind == 1 ? abut_capsule(1, 1) : kind == 2 ? abut_convex(hull, 0) : w.a;
        w.a.radius = kind == 3 ? 0.5f : w.a.radius;
        w.there = (abut_pose){rng_vec3(&r, -3, 3), rng_rotation(&r)};
        abut_manifold m;
        if (collide(&w, (float)rng_range(&r, 0, 1), &m)) {
            assert_int_equal(m.count, 1);
        }
    }
    abut_hull_destroy(&hull);
}

static void spheres_with_one_centre_part_upwards(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_shape a = abut_sphere((float)rng_range(&r, 0.1, 2)), b = abut_sphere((float)rng_range(&r, 0.1, 2));
        abut_pose at_a = {rng_vec3(&r, -3, 3), rng_rotation(&r)}, at_b = {at_a.position, rng_rotation(&r)};
        abut_manifold m;
        memset(&m, 0, sizeof m);
        assert_true(abut_shape_collide(&a, &at_a, &b, &at_b, 0, &m));
        assert_true(m.count == 1 && m.normal.x == 0 && m.normal.y == 1 && m.normal.z == 0);
        assert_true(fabsf(m.points[0].separation + a.radius + b.radius) < 1e-6f);
        const abut_vec3 *p = &m.points[0].position, *c = &at_a.position; /* between the two surfaces */
        assert_true(fabsf(p->y - c->y) <= fabsf(a.radius - b.radius) / 2 + 1e-6f && p->x == c->x && p->z == c->z);
    }
}

/* Rolls and slides over a face, in small steps that jitter: the names stay. */
static void roll(abut_shape floor_shape, double top, abut_shape rolling, double height, bool spins, uint64_t stream) {
    rng r = rng_make(test_seed(), stream);
    abut_pose ground = random_frame(&r);
    abut_manifold first, m;
    double angle = 0;
    for (int step = 0; step < 200; step++) {
        angle += spins ? 0.02 : 1e-4;
        abut_quat q = spins ? about(0, 0, 1, -angle) : about(0, 1, 0, angle);
        double jitter = rng_range(&r, -2e-4, 2e-4);
        q = rolling.half.y > 0 && spins ? product(about(0, 0, 1, -angle), (abut_quat){1, 0, 0, 1}) : q;
        scene w = {floor_shape,
                   rolling,
                   ground,
                   {{(float)(-0.5 + 0.005 * step), (float)(top + height - 1e-3 + jitter), 0.1f}, q}};
        assert_true(collide(&w, 0, &m));
        if (step == 0) {
            first = m;
        }
        assert_true(same_features(&first, &m));
    }
}

static void what_rolls_keeps_its_features(void **state) {
    (void)state;
    abut_hull *hull = prism(4);
    abut_shape box = abut_box(3, 1, 3), rounded = abut_box(2.5f, 0.5f, 2.5f), brick = abut_box(0.3f, 0.2f, 0.4f);
    rounded.radius = 0.5f;
    brick.radius = 0.1f;
    for (uint64_t i = 0; i < 20; i++) {
        roll(box, 1, abut_sphere(0.5f), 0.5, true, i);
        roll(rounded, 1, abut_sphere(0.5f), 0.5, true, i);
        roll(box, 1, abut_capsule(0.7f, 0.5f), 0.5, true, i); /* about its axis, which lies along z */
        roll(rounded, 1, abut_capsule(0.7f, 0.5f), 0.5, true, i);
        roll(box, 1, brick, 0.3, false, i);
        roll(rounded, 1, brick, 0.3, false, i);
        roll(box, 1, abut_convex(hull, 0.25f), 1.25, false, i);
        roll(abut_capsule(5, 1), 1, abut_sphere(0.5f), 0.5, true, 1000 + i);
    }
    abut_hull_destroy(&hull);
}

/* A capsule across the ridge of a flat roof, whose sides face it alike to the last bit: it lies on the one that comes
 * first among the hull's faces. */
static void of_two_faces_that_face_alike_the_first_is_taken(void **state) {
    (void)state;
    const float eaves = -0x1p-6f, over = 0.125f + 0x1p-7f;
    const abut_vec3 corners[10] = {{0, -1, 0},     {0, 1, 0},   {1, -1, eaves}, {1, 1, eaves}, {-1, -1, eaves},
                                   {-1, 1, eaves}, {1, -1, -1}, {1, 1, -1},     {-1, -1, -1},  {-1, 1, -1}};
    abut_hull *roof = NULL;
    assert_int_equal(abut_hull_create(corners, 10, NULL, &roof), ABUT_OK);
    float plane[4] = {0};
    for (size_t face = 0; plane[2] < 0.9f; face++) {
        assert_true(abut_hull_face(roof, face, NULL, 0, plane) > 0);
    }
    const abut_shape a = {.hull = roof}, b = {.half = {0.5f, 0, 0}, .radius = 0.125f};
    const abut_pose at = {{0, 0, 0}, none}, above = {{0, 0, over}, none};
    for (int swap = 0; swap < 2; swap++) {
        abut_manifold m;
        assert_true(swap ? abut_shape_collide(&b, &above, &a, &at, 0x1p-4f, &m)
                         : abut_shape_collide(&a, &at, &b, &above, 0x1p-4f, &m));
        assert_int_equal(m.count, 2);
        const double far = (double)m.points[0].position.x + m.points[1].position.x;
        assert_true(plane[0] < 0 ? far < -0.49 : far > 0.49);
        assert_true(fabsf(m.points[0].position.x * m.points[1].position.x) < 1e-6f); /* the other is on the ridge */
    }
    abut_hull_destroy(&roof);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_faces_that_face_alike_the_first_is_taken),
        cmocka_unit_test(a_gap_within_rounding_is_a_touch),
        cmocka_unit_test(spheres_touch_in_one_point),
        cmocka_unit_test(spheres_with_one_centre_part_upwards),
        cmocka_unit_test(a_capsule_lying_on_a_face_has_two_points),
        cmocka_unit_test(a_capsule_beyond_the_border_has_the_shared_stretch),
        cmocka_unit_test(a_capsule_that_stands_has_one_point),
        cmocka_unit_test(parallel_capsules_have_two_points),
        cmocka_unit_test(nearly_parallel_capsules_have_two_points),
        cmocka_unit_test(capsules_end_to_end_have_one_point),
        cmocka_unit_test(a_rounded_box_stands_on_four_points),
        cmocka_unit_test(rounded_hulls_stand_on_several_points),
        cmocka_unit_test(what_rolls_keeps_its_features),
    };
    return test_run(tests);
}
