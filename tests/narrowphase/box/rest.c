/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Manifolds of box pairs whose answer is known: resting, crossing, flat, thin, coincident, nested, sliding. */

#include "narrowphase/box/check.h"
#include "support/oracle.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_quat none = {0, 0, 0, 1};

static const abut_obb floor_box = {{0, -1, 0}, {0, 0, 0, 1}, {4, 1, 4}};

/* The manifold of a touching pair, checked for all that holds for every manifold, in both orders. */
static abut_manifold contact_of(const abut_obb *a, const abut_obb *b) {
    abut_manifold m, swapped;
    memset(&m, 0x5b, sizeof m);
    memset(&swapped, 0xa4, sizeof swapped);
    assert_true(abut_obb_overlap(a, b));
    assert_true(abut_obb_collide(a, b, 0, &m));
    assert_true(abut_obb_collide(b, a, 0, &swapped));
    if (oracle_available()) {
        oracle_gap truth = oracle_obb_pair(a, b);
        const char *fault = manifold_fault(a, b, &truth, 0, &m);
        if (fault) {
            fprintf(stderr, "%s\n", fault);
            print_obb("a", a);
            print_obb("b", b);
            print_manifold("manifold", &m);
            fail();
        }
    }
    if (memcmp(a, b, sizeof *a) != 0) {
        assert_true(manifold_is_swapped(&m, &swapped));
    }
    return m;
}

static bool near(float x, float y) {
    return fabsf(x - y) <= 2e-6f;
}

static bool has_point(const abut_manifold *m, float x, float y, float z) {
    for (uint32_t i = 0; i < m->count; i++) {
        const abut_vec3 *p = &m->points[i].position;
        if (near(p->x, x) && near(p->y, y) && near(p->z, z)) {
            return true;
        }
    }
    return false;
}

/* The points are these and no others. Where edges coincide, two of the points may be at the same position. */
static void assert_points(const abut_manifold *m, const abut_vec3 *points, int n) {
    for (int k = 0; k < n; k++) {
        assert_true(has_point(m, points[k].x, points[k].y, points[k].z));
    }
    for (uint32_t i = 0; i < m->count; i++) {
        bool known = false;
        for (int k = 0; k < n; k++) {
            const abut_vec3 *p = &m->points[i].position;
            known = known || (near(p->x, points[k].x) && near(p->y, points[k].y) && near(p->z, points[k].z));
        }
        assert_true(known);
    }
}

static void assert_normal(const abut_manifold *m, float x, float y, float z) {
    assert_true(near(m->normal.x, x) && near(m->normal.y, y) && near(m->normal.z, z));
}

static void assert_separations(const abut_manifold *m, float separation) {
    for (uint32_t i = 0; i < m->count; i++) {
        assert_true(near(m->points[i].separation, separation));
    }
}

static void assert_rectangle(const abut_manifold *m, float y, const float x[2], const float z[2]) {
    assert_int_equal(m->count, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(has_point(m, x[i & 1], y, z[i >> 1]));
    }
}

static void a_box_on_the_floor_has_its_four_corners(void **state) {
    (void)state;
    abut_obb box = {{1, 0.5f, -1}, none, {1, 0.5f, 0.25f}};
    abut_manifold m = contact_of(&floor_box, &box);
    assert_normal(&m, 0, 1, 0);
    assert_rectangle(&m, 0, (float[]){0, 2}, (float[]){-1.25f, -0.75f});
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(m.points[i].separation == 0);
    }
    box.center.y = 0.375f; /* sunk in by an eighth: the points lie a sixteenth deep */
    m = contact_of(&floor_box, &box);
    assert_normal(&m, 0, 1, 0);
    assert_rectangle(&m, -0.0625f, (float[]){0, 2}, (float[]){-1.25f, -0.75f});
    assert_separations(&m, -0.125f);
}

static void a_box_over_an_edge_has_the_corners_of_the_overlap(void **state) {
    (void)state;
    abut_obb box = {{3.5f, 0.5f, -4}, none, {1, 0.5f, 0.25f}};
    abut_manifold m = contact_of(&floor_box, &box);
    assert_normal(&m, 0, 1, 0);
    assert_rectangle(&m, 0, (float[]){2.5f, 4}, (float[]){-4, -3.75f});
    assert_separations(&m, 0);
    box.center.x = 5; /* only its own edge lies over the edge of the floor: a segment */
    m = contact_of(&floor_box, &box);
    assert_separations(&m, 0);
    assert_points(&m, (abut_vec3[]){{4, 0, -4}, {4, 0, -3.75f}}, 2);
    box.center.z = -4.25f; /* corner on corner */
    m = contact_of(&floor_box, &box);
    assert_separations(&m, 0);
    assert_points(&m, &(abut_vec3){4, 0, -4}, 1);
}

static void a_turned_box_on_the_floor_has_its_four_corners(void **state) {
    (void)state;
    float s = sqrtf(0.5f);
    abut_obb box = {{0, 0.5f, 0}, {0, 1, 0, 1 + sqrtf(2)}, {1, 0.5f, 1}}; /* turned by 45 degrees */
    abut_manifold m = contact_of(&floor_box, &box);
    assert_normal(&m, 0, 1, 0);
    assert_separations(&m, 0);
    assert_int_equal(m.count, 4);
    assert_true(has_point(&m, 2 * s, 0, 0) && has_point(&m, -2 * s, 0, 0));
    assert_true(has_point(&m, 0, 0, 2 * s) && has_point(&m, 0, 0, -2 * s));
    abut_obb other = {{0, 1.5f, 0}, none, {1, 0.5f, 1}}; /* the overlap is an octagon: four of its corners remain */
    m = contact_of(&box, &other);
    assert_normal(&m, 0, 1, 0);
    assert_separations(&m, 0);
    assert_int_equal(m.count, 4);
}

/* One box is upside down, so that faces of the same number touch. Their corners and edges have the same numbers, and
 * still all four points of the overlap must be kept. */
static void upside_down_boxes_keep_all_corners_of_the_overlap(void **state) {
    (void)state;
    static const abut_quat flips[] = {{1, 0, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0}, {1, 0, -1, 0}};
    abut_obb low = {{0, 0, 0}, none, {1, 0.5f, 1}};
    for (int i = 0; i < 16; i++) {
        float x = i & 1 ? 0.75f : -0.75f, z = i & 2 ? 0.5f : -0.5f;
        abut_obb high = {{x, 1, z}, flips[i >> 2], {1, 0.5f, 1}};
        abut_manifold m = contact_of(&low, &high);
        assert_normal(&m, 0, 1, 0);
        assert_separations(&m, 0);
        assert_rectangle(&m, 0.5f, (float[]){x < 0 ? -1 : x - 1, x < 0 ? x + 1 : 1},
                         (float[]){z < 0 ? -1 : z - 1, z < 0 ? z + 1 : 1});
    }
}

/* Two bars, edge over edge and a little askew, pass each other at their ends: the lines of their edges are closest
 * beyond the end of one. The contact point must lie within the ends. */
static void edges_touch_within_their_ends(void **state) {
    (void)state;
    const float turn = sqrtf(2) - 1;
    for (int i = 0; i < 4; i++) {
        float x = i & 1 ? 1.1f : -1.1f, askew = i & 2 ? 0.01f : -0.01f;
        abut_obb low = {{0, 0, 0}, {turn, 0, 0, 1}, {1, 0.1f, 0.1f}};
        /* the same quarter of a right angle about x, then askew about y */
        abut_obb high = {{x, 0.3f, 0}, {turn, askew, -askew * turn, 1}, {1, 0.1f, 0.1f}};
        abut_manifold m;
        assert_false(abut_obb_collide(&low, &high, 0, &m));
        assert_true(abut_obb_collide(&low, &high, 0.05f, &m));
        assert_int_equal(m.count, 1);
        assert_true(m.points[0].separation > 0 && m.points[0].separation < 0.02f);
        float at = m.points[0].position.x * (x < 0 ? -1.0f : 1.0f);
        assert_true(at > 0.99f && at < 1.005f);
    }
}

static void crossing_edges_touch_in_one_point(void **state) {
    (void)state;
    float s = sqrtf(0.5f), turn = sqrtf(2) + 1;
    for (int i = 0; i < 3; i++) {
        float gap = (float)(i - 2) * 0.125f;                                            /* from sunk in to touching */
        abut_obb low = {{0, 0, 0}, {1, 0, 0, turn}, {2, 0.5f, 0.5f}};                   /* an edge along x on top */
        abut_obb high = {{0.5f, 2 * s + gap, 0.25f}, {0, 0, 1, turn}, {0.5f, 0.5f, 2}}; /* an edge along z below */
        if (gap == 0) {
            high.center.y -= 1e-6f;
        }
        abut_manifold m = contact_of(&low, &high);
        assert_normal(&m, 0, 1, 0);
        assert_int_equal(m.count, 1);
        assert_true(has_point(&m, 0.5f, s + gap / 2, 0));
        assert_separations(&m, gap);
    }
}

static void plates_touch_like_faces(void **state) {
    (void)state;
    abut_obb plate = {{1, 0, 1}, none, {1, 0, 1}}, other = {{2, 0, 1}, none, {1, 0, 2}};
    abut_manifold m = contact_of(&plate, &other); /* in one plane */
    assert_true(fabsf(m.normal.y) == 1);
    assert_rectangle(&m, 0, (float[]){1, 2}, (float[]){0, 2});
    assert_separations(&m, 0);
    m = contact_of(&floor_box, &plate); /* flat on the floor */
    assert_normal(&m, 0, 1, 0);
    assert_rectangle(&m, 0, (float[]){0, 2}, (float[]){0, 2});
    abut_obb upright = {{1, 0.5f, 1}, none, {0, 1, 0.5f}}; /* through the plate */
    m = contact_of(&plate, &upright);
    assert_true(m.count >= 1 && manifold_least(&m) < 0);
    upright.center.y = 1; /* standing on it */
    m = contact_of(&plate, &upright);
    assert_separations(&m, 0);
    assert_points(&m, (abut_vec3[]){{1, 0, 0.5f}, {1, 0, 1.5f}}, 2);
}

static void rods_touch_in_a_segment_or_a_point(void **state) {
    (void)state;
    abut_obb rod = {{1, 0, 1}, none, {0.5f, 0, 0}};
    abut_manifold m = contact_of(&floor_box, &rod); /* lying on the floor */
    assert_normal(&m, 0, 1, 0);
    assert_points(&m, (abut_vec3[]){{0.5f, 0, 1}, {1.5f, 0, 1}}, 2);
    assert_separations(&m, 0);
    abut_obb crossing = {{1, 0, 1}, none, {0, 0, 2}};
    m = contact_of(&rod, &crossing);
    assert_true(m.count >= 1 && has_point(&m, 1, 0, 1));
    assert_separations(&m, 0);
    abut_obb behind = {{1.75f, 0, 1}, none, {0.5f, 0, 0}}; /* one line, overlapping */
    m = contact_of(&rod, &behind);
    assert_separations(&m, 0);
    abut_obb end_on = {{2, 0, 1}, none, {0.5f, 0, 0}}; /* end to end */
    m = contact_of(&rod, &end_on);
    assert_true(has_point(&m, 1.5f, 0, 1));
    abut_obb standing = {{1, 1, 1}, none, {0, 1, 0}};
    m = contact_of(&floor_box, &standing);
    assert_normal(&m, 0, 1, 0);
    assert_points(&m, &(abut_vec3){1, 0, 1}, 1);
    abut_obb tilted = {{1, 0.75f, 1}, {0, 0, 1, 2}, {0, 1.25f, 0}}; /* 3-4-5: its end touches the floor */
    m = contact_of(&floor_box, &tilted);
    assert_normal(&m, 0, 1, 0);
    assert_points(&m, &(abut_vec3){2, 0, 1}, 1);
}

static void a_point_touches_a_box(void **state) {
    (void)state;
    abut_obb point = {{1, 0, 1}, none, {0, 0, 0}};
    abut_manifold m = contact_of(&floor_box, &point);
    assert_normal(&m, 0, 1, 0);
    assert_points(&m, &(abut_vec3){1, 0, 1}, 1);
    assert_separations(&m, 0);
    m = contact_of(&point, &point);
    assert_true(m.count >= 1);
    point.center.y = -0.25f;
    m = contact_of(&floor_box, &point);
    assert_separations(&m, -0.25f);
}

static void coincident_boxes_separate_along_their_shortest_side(void **state) {
    (void)state;
    abut_obb box = {{3, 4, 5}, {1, 2, 3, 4}, {1, 0.5f, 2}}, twin = box;
    abut_manifold m = contact_of(&box, &twin);
    assert_true(near(manifold_least(&m), -1));
    assert_int_equal(m.count, 4);
    box.rotation = twin.rotation = none;
    m = contact_of(&box, &twin);
    assert_true(fabsf(m.normal.y) == 1 && near(manifold_least(&m), -1));
    box.half = twin.half = (abut_vec3){1, 1, 1}; /* all three equal */
    m = contact_of(&box, &twin);
    assert_true(near(manifold_least(&m), -2));
}

static void a_box_inside_a_box_leaves_by_the_nearest_face(void **state) {
    (void)state;
    abut_obb big = {{0, 0, 0}, none, {4, 5, 6}}, small = {{1, -2, 5}, {1, 0, 0, 3}, {0.25f, 0.25f, 0.25f}};
    abut_manifold m = contact_of(&big, &small);
    assert_normal(&m, 0, 0, 1);
    assert_true(m.count >= 2);
    abut_obb middle = {{0, 0, 0}, {1, 2, 3, 4}, {0.25f, 0.5f, 0.125f}};
    m = contact_of(&big, &middle);
    assert_true(manifold_least(&m) < -4);
}

static bool same_features(const abut_manifold *x, const abut_manifold *y) {
    uint32_t shared = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        for (uint32_t j = 0; j < y->count; j++) {
            shared += x->points[i].feature == y->points[j].feature;
        }
    }
    return shared == x->count && shared == y->count;
}

/* How often the features change while a box slides and turns on the floor, sunk in by `depth`. */
static int feature_changes(float depth, float turn, int frames) {
    abut_manifold before = {.count = 0};
    int changes = -1; /* the first frame does not count */
    for (int i = 0; i < frames; i++) {
        float t = (float)i / (float)frames;
        abut_obb box = {
            {2 * t - 1, 0.5f - depth, t * 1.5f - 1}, {0, sinf(turn * t), 0, cosf(turn * t)}, {1, 0.5f, 0.5f}};
        abut_manifold m = contact_of(&floor_box, &box);
        assert_int_equal(m.count, 4);
        changes += !same_features(&before, &m);
        before = m;
    }
    return changes;
}

static void a_sliding_box_keeps_its_features(void **state) {
    (void)state;
    assert_int_equal(feature_changes(0, 0, 1000), 0);
    assert_int_equal(feature_changes(0.001f, 0, 1000), 0);
    assert_int_equal(feature_changes(0.001f, 0.05f, 1000), 0);
    assert_int_equal(feature_changes(0.001f, 0.7f, 1000), 0);
}

/* While a box slides over the edges of a ledge of its own width, features change only when the overlap changes shape.
 */
static void a_box_sliding_over_an_edge_changes_features_seldom(void **state) {
    (void)state;
    abut_obb ledge = {{0, -1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    abut_manifold before = {.count = 0};
    int changes = -1;
    for (int i = 0; i < 2000; i++) {
        float t = (float)i / 2000;
        abut_obb box = {{-1.9f + 3.8f * t, 0.499f, 0.3f - 0.6f * t}, {0, 0.1f, 0, 1}, {1, 0.5f, 1}};
        abut_manifold m = contact_of(&ledge, &box);
        assert_true(m.count >= 3 || i < 40 || i > 1960);
        changes += !same_features(&before, &m);
        before = m;
    }
    printf("%d changes in 2000 frames\n", changes);
    assert_true(changes <= 20);
}

/* Two crates, flush on each other and turned so that faces of different numbers and of the same number touch, while
 * their poses jitter as float poses do: every id stays the same. */
static void flush_crates_keep_their_features_while_poses_jitter(void **state) {
    (void)state;
    const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 1, 0}};
    for (int k = 0; k < 9; k++) {
        abut_manifold before = {.count = 0};
        for (int i = 0; i < 500; i++) {
            rng r = rng_make(test_seed(), (uint64_t)(500 * k + i));
            float size = k < 3 ? 1 : 0.75f, aside = k < 6 ? 1 - size : 0.25f;
            abut_obb low = {{0, 0, 0}, none, {1, 1, 1}},
                     high = {{aside, 0.999f + size, 0}, turns[k % 3], {size, size, size}};
            for (int c = 0; c < 3; c++) {
                (&low.rotation.x)[c] += (float)rng_range(&r, -1e-7, 1e-7);
                (&high.rotation.x)[c] += (float)rng_range(&r, -1e-7, 1e-7);
                (&high.center.x)[c] += (float)rng_range(&r, -1e-7, 1e-7);
            }
            abut_manifold m = contact_of(&low, &high);
            assert_int_equal(m.count, 4);
            assert_true(i == 0 || same_features(&before, &m));
            before = m;
        }
    }
}

/* The tilt that a solver leaves does not change a face contact into an edge contact: a crate on a crate, off its
 * middle, tilted a little about any horizontal axis, with little penetration. */
static void a_slightly_tilted_crate_rests_on_a_face(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        double tilt = rng_log_range(&r, 1e-9, 2e-6), way = rng_range(&r, -3.2, 3.2), turn = rng_range(&r, -1, 1);
        abut_obb low = {{0, 0, 0}, none, {1, 1, 1}}, high = {.half = {1, 1, 1}};
        high.rotation = (abut_quat){(float)(tilt * cos(way)), (float)turn, (float)(tilt * sin(way)), 1};
        high.center = (abut_vec3){(float)rng_range(&r, -1, 1), 2, (float)rng_range(&r, -1, 1)};
        abut_manifold m;
        if (abut_obb_collide(&low, &high, 1e-5f, &m)) {
            assert_true(fabsf(m.normal.y) > 0.99999f && manifold_has_face_normal(&low, &high, &m));
            assert_true(m.count >= 3);
        }
    }
}

/* Turned about the vertical by `yaw`, then tilted by x and z, in radians, about these axes. */
static abut_quat tilted(double yaw, double x, double z) {
    double s = sin(yaw / 2), c = cos(yaw / 2), w = sqrt(1 - (x * x + z * z) / 4);
    return (abut_quat){(float)((x * c - z * s) / 2), (float)(w * s), (float)((z * c + x * s) / 2), (float)(w * c)};
}

/* A box on another one or on a floor, turned and off its middle, while its tilt wanders within a thousandth and its
 * pose jitters: nearly always three points or more, most of which were there a step before. */
static void resting_boxes_have_three_points_and_keep_them(void **state) {
    (void)state;
    enum { STEPS = 10 };
    unsigned long cases = test_count(8000), three = 0, points = 0, kept = 0;
    for (unsigned long i = 0; i < cases; i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 half = rng_vec3(&r, 0.5, 1.5);
        abut_obb low = {{0, 0, 0}, tilted(rng_range(&r, -3, 3), 0, 0), i % 2 ? rng_vec3(&r, 0.5, 1.5) : half};
        low = i % 4 ? low : floor_box;
        double yaw = rng_range(&r, -3, 3), x = rng_range(&r, -0.25, 0.25), z = rng_range(&r, -0.25, 0.25);
        double y = (double)(low.center.y + low.half.y + half.y) - rng_range(&r, 0, 1e-3), tilt[2];
        tilt[0] = rng_range(&r, -7e-4, 7e-4);
        tilt[1] = rng_range(&r, -7e-4, 7e-4);
        abut_manifold before = {.count = 0};
        for (int step = 0; step < STEPS; step++) {
            for (int k = 0; k < 2; k++) {
                tilt[k] = fmax(-7e-4, fmin(7e-4, tilt[k] + rng_range(&r, -1e-5, 1e-5)));
            }
            abut_obb high = {.rotation = tilted(yaw + rng_range(&r, -1e-6, 1e-6), tilt[0], tilt[1]), .half = half};
            high.center = (abut_vec3){(float)(x + rng_range(&r, -1e-6, 1e-6)), (float)(y + rng_range(&r, -1e-6, 1e-6)),
                                      (float)(z + rng_range(&r, -1e-6, 1e-6))};
            abut_manifold m;
            assert_true(abut_obb_collide(&low, &high, 0.01f, &m));
            three += m.count >= 3;
            for (uint32_t p = 0; p < before.count; p++) {
                points++;
                for (uint32_t q = 0; q < m.count; q++) {
                    kept += before.points[p].feature == m.points[q].feature;
                }
            }
            before = m;
        }
    }
    printf("of %lu manifolds %lu have three points or more; of %lu points %lu were kept\n", STEPS * cases, three,
           points, kept);
    assert_true((double)three > 0.998 * STEPS * (double)cases && (double)kept > 0.99 * (double)points);
}

/* A box that hovers and dips by the jitter of a solver: its points are the same, apart or not. */
static void points_stay_while_boxes_part_and_meet(void **state) {
    (void)state;
    unsigned long same = 0, cases = test_count(4000);
    for (unsigned long i = 0; i < cases; i++) {
        rng r = rng_make(test_seed(), i);
        abut_obb low = {{0, 0, 0}, tilted(rng_range(&r, -3, 3), 0, 0), rng_vec3(&r, 0.5, 1.5)};
        abut_obb high = {.rotation = tilted(rng_range(&r, -3, 3), 0, 0), .half = rng_vec3(&r, 0.5, 1.5)};
        low = i % 2 ? low : floor_box;
        float y = low.center.y + low.half.y + high.half.y;
        abut_manifold m, n;
        high.center = (abut_vec3){0.1f, y - 2e-5f, 0.05f};
        assert_true(abut_obb_collide(&low, &high, 0.01f, &m));
        high.center.y = y + 2e-5f;
        assert_true(abut_obb_collide(&low, &high, 0.01f, &n));
        assert_true(n.points[0].separation > 0);
        same += same_features(&m, &n);
    }
    assert_true((double)same > 0.99 * (double)cases);
}

/* Which four of eight corners are kept: as symmetric as the octagon, so that no solver is pulled aside. */
static void symmetric_faces_keep_symmetric_points(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 half = rng_vec3(&r, 0.9, 1.1), other = rng_vec3(&r, 0.9, 1.1);
        abut_obb low = {{0, 0, 0}, tilted(rng_range(&r, -3, 3), 0, 0), half};
        abut_obb high = {{0, half.y + other.y - 0.001f, 0}, tilted(rng_range(&r, -3, 3), 0, 0), other};
        abut_manifold m = contact_of(&low, &high);
        float x = 0, z = 0;
        for (uint32_t k = 0; k < m.count; k++) {
            x += m.points[k].position.x;
            z += m.points[k].position.z;
        }
        assert_int_equal(m.count, 4);
        assert_true(fabsf(x) < 1e-5f && fabsf(z) < 1e-5f);
    }
}

static void a_small_box_on_a_huge_floor_touches_only_where_it_does(void **state) {
    (void)state;
    const float eighth = 0.41421356f; /* of a turn, about z: the cube stands on an edge */
    abut_obb ground = {{0, -1, 0}, none, {1e5f, 1, 1e5f}},
             cube = {{0, 0.0141f, 0}, {0, 0, eighth, 1}, {0.01f, 0.01f, 0.01f}};
    abut_manifold m = contact_of(&ground, &cube);
    assert_int_equal(m.count, 2);
    assert_true(m.points[0].separation < 0 && m.points[1].separation < 0);
}

static void a_rod_across_a_box_has_two_points_whichever_way_it_lies(void **state) {
    (void)state;
    abut_obb box = {{0, 0, 0}, none, {1, 1, 1}}, along_x = {{0, 1, 0}, none, {5, 0, 0}},
             along_z = {{0, 1, 0}, none, {0, 0, 5}};
    abut_manifold m = contact_of(&box, &along_x);
    assert_points(&m, (abut_vec3[]){{-1, 1, 0}, {1, 1, 0}}, 2);
    assert_int_equal(m.count, 2);
    m = contact_of(&box, &along_z);
    assert_points(&m, (abut_vec3[]){{0, 1, -1}, {0, 1, 1}}, 2);
    assert_int_equal(m.count, 2);
}

/* The edges are so nearly parallel that an error divided by their sine would show: the sign must be that of the exact
 * test. */
static void the_sign_of_a_separation_is_certain(void **state) {
    (void)state;
    unsigned long apart = 0, overlapping = 0;
    for (unsigned long i = 0; i < test_count(100000); i++) {
        rng r = rng_make(test_seed(), i);
        float sine = (float)rng_log_range(&r, 1e-7, 1e-5), quarter = 0.41421356f;
        abut_obb low = {{0, 0, 0}, {0, 0, quarter, 1}, {0.5f, 0.5f, 100}};
        abut_obb high = {{0, 1.41421356f + (float)rng_range(&r, -1e-6, 1e-6), 0},
                         {sine * quarter, sine, quarter, 1},
                         {0.5f, 0.5f, 100}};
        abut_manifold m;
        if (abut_obb_collide(&low, &high, 0.1f, &m)) {
            bool overlap = abut_obb_overlap(&low, &high);
            assert_true(overlap ? manifold_least(&m) <= 0 : manifold_least(&m) >= 0);
            overlapping += overlap;
            apart += !overlap;
        }
    }
    assert_true(apart > 1000 / 10 && overlapping > 1000 / 10);
}

/* Moving b along the normal by the depth separates the boxes; moving it by less than the least depth never does. */
static void the_depth_separates_the_boxes(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long parted = 0;
    for (unsigned long i = 0; i < test_count(30000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_obb a = {rng_vec3(&r, -1, 1), rng_rotation(&r), rng_vec3(&r, 0.1, 1)};
        abut_obb b = {rng_vec3(&r, -1, 1), rng_rotation(&r), rng_vec3(&r, 0.1, 1)};
        abut_manifold m;
        if (!abut_obb_collide(&a, &b, 0, &m)) {
            continue;
        }
        oracle_gap truth = oracle_obb_pair(&a, &b);
        float least = (float)(-truth.gap * truth.size) - 1e-5f, depth = 1e-5f - manifold_least(&m);
        abut_obb moved = b;
        moved.center = (abut_vec3){b.center.x + depth * m.normal.x, b.center.y + depth * m.normal.y,
                                   b.center.z + depth * m.normal.z};
        assert_false(abut_obb_overlap(&a, &moved));
        moved.center = (abut_vec3){b.center.x + least * m.normal.x, b.center.y + least * m.normal.y,
                                   b.center.z + least * m.normal.z};
        assert_true(least < 0 || abut_obb_overlap(&a, &moved));
        parted++;
    }
    assert_true(parted > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_the_floor_has_its_four_corners),
        cmocka_unit_test(a_box_over_an_edge_has_the_corners_of_the_overlap),
        cmocka_unit_test(a_turned_box_on_the_floor_has_its_four_corners),
        cmocka_unit_test(upside_down_boxes_keep_all_corners_of_the_overlap),
        cmocka_unit_test(edges_touch_within_their_ends),
        cmocka_unit_test(crossing_edges_touch_in_one_point),
        cmocka_unit_test(plates_touch_like_faces),
        cmocka_unit_test(rods_touch_in_a_segment_or_a_point),
        cmocka_unit_test(a_point_touches_a_box),
        cmocka_unit_test(coincident_boxes_separate_along_their_shortest_side),
        cmocka_unit_test(a_box_inside_a_box_leaves_by_the_nearest_face),
        cmocka_unit_test(a_sliding_box_keeps_its_features),
        cmocka_unit_test(a_box_sliding_over_an_edge_changes_features_seldom),
        cmocka_unit_test(flush_crates_keep_their_features_while_poses_jitter),
        cmocka_unit_test(a_slightly_tilted_crate_rests_on_a_face),
        cmocka_unit_test(resting_boxes_have_three_points_and_keep_them),
        cmocka_unit_test(points_stay_while_boxes_part_and_meet),
        cmocka_unit_test(symmetric_faces_keep_symmetric_points),
        cmocka_unit_test(a_small_box_on_a_huge_floor_touches_only_where_it_does),
        cmocka_unit_test(a_rod_across_a_box_has_two_points_whichever_way_it_lies),
        cmocka_unit_test(the_sign_of_a_separation_is_certain),
        cmocka_unit_test(the_depth_separates_the_boxes),
    };
    return test_run(tests);
}
