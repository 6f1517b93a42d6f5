/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_hull_def.max_vertices: fewer vertices, every point inside. */

#include "shape/hull/check.h"
#include "shape/hull/clouds.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void reduced_hulls_contain_every_point(void **state) {
    (void)state;
    unsigned long reduced = 0;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        abut_vec3 points[CLOUD_MAX];
        uint32_t n = cloud_make(test_seed(), i, points);
        rng r = rng_make(test_seed() + 1, i);
        uint32_t most = 4 + rng_below(&r, rng_chance(&r, 0.5) ? 8 : 40);
        const abut_hull_def def = {.max_vertices = most};
        abut_hull *exact, *hull;
        if (abut_hull_create(points, n, NULL, &exact) != ABUT_OK) {
            continue;
        }
        abut_result result = abut_hull_create(points, n, &def, &hull);
        bool good = result == ABUT_OK && abut_hull_vertex_count(hull) <= most && check_hull(hull, points, n, true);
        if (good && abut_hull_vertex_count(exact) <= most) {
            size_t size, exact_size;
            const void *bytes = abut_hull_data(hull, &size), *exact_bytes = abut_hull_data(exact, &exact_size);
            good = size == exact_size && memcmp(bytes, exact_bytes, size) == 0;
        } else {
            reduced++;
        }
        /* Coordinates may reach the limit in the family of any exponent. */
        if (!good && !(result == ABUT_ERROR_LIMIT && i % CLOUD_FAMILIES == CLOUD_FAMILIES - 1)) {
            fprintf(stderr, "seed 0x%llx cloud %lu (%s) to %u: %s\n", (unsigned long long)test_seed(), i,
                    cloud_family(i), most, abut_result_name(result));
            fail();
        }
        abut_hull_destroy(&exact);
        abut_hull_destroy(&hull);
    }
    printf("%lu reduced\n", reduced);
}

/* The limits are somewhat above the measured values. A sphere's best polyhedron of 12 vertices has 1.21 of its volume.
 */
static void reduced_hulls_are_not_much_larger(void **state) {
    (void)state;
    const struct {
        uint32_t most;
        double bar;
    } cases[] = {{8, 2.1}, {12, 1.8}, {16, 1.5}, {32, 1.25}, {64, 1.14}, {200, 1.08}, {300, 1.06}};
    abut_vec3 points[3000];
    abut_hull *exact, *hull;
    for (uint32_t i = 0; i < 3000; i++) {
        rng r = rng_make(test_seed(), i);
        points[i] = rng_direction(&r);
    }
    assert_int_equal(abut_hull_create(points, 3000, NULL, &exact), ABUT_OK);
    for (int i = 0; i < 7; i++) {
        const abut_hull_def def = {.max_vertices = cases[i].most};
        assert_int_equal(abut_hull_create(points, 3000, &def, &hull), ABUT_OK);
        double ratio = (double)abut_hull_volume(hull) / abut_hull_volume(exact);
        printf("a ball in %zu vertices: %.3f of its volume\n", abut_hull_vertex_count(hull), ratio);
        assert_true(ratio < cases[i].bar);
        abut_hull_destroy(&hull);
    }
    abut_hull_destroy(&exact);
}

/* A box whose edges and corners were worn off a little. */
static void a_worn_box_becomes_a_box(void **state) {
    (void)state;
    abut_vec3 points[24];
    for (int i = 0; i < 24; i++) {
        const float side[3] = {3, 2, 1}, sign[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
        float v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = sign[k] * (i / 8 == k ? side[k] : side[k] - 0.05f);
        }
        points[i] = (abut_vec3){v[0], v[1], v[2]};
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 24, &(abut_hull_def){.max_vertices = 8}, &hull), ABUT_OK);
    assert_int_equal(abut_hull_vertex_count(hull), 8);
    assert_int_equal(abut_hull_face_count(hull), 6);
    assert_true(abut_hull_volume(hull) < 48.01);
    assert_true(check_hull(hull, points, 24, true));
    abut_hull_destroy(&hull);
}

/* Each corner gives way to points on the edges that lead to it from other corners, two hundredths from its end: every
 * face stays where it is, and planes in the faces make the whole body again. Returns their number. */
static size_t wear_off(const abut_vec3 *corner, const int (*edge)[2], size_t edges, abut_vec3 *points) {
    for (size_t i = 0; i < 2 * edges; i++) {
        const float *from = &corner[edge[i / 2][i % 2]].x, *to = &corner[edge[i / 2][1 - i % 2]].x;
        float v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = from[k] + 0.02f * (to[k] - from[k]);
        }
        points[i] = (abut_vec3){v[0], v[1], v[2]};
    }
    return 2 * edges;
}

static void expect_whole(const abut_vec3 *points, size_t n, uint32_t corners, double volume) {
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, n, &(abut_hull_def){.max_vertices = corners}, &hull), ABUT_OK);
    assert_int_equal(abut_hull_vertex_count(hull), corners);
    printf("%u corners: %.6f of the volume\n", corners, (double)abut_hull_volume(hull) / volume);
    assert_true(abut_hull_volume(hull) < volume * (1 + 1e-5));
    assert_true(check_hull(hull, points, n, true));
    abut_hull_destroy(&hull);
}

static void a_worn_tetrahedron_becomes_a_tetrahedron(void **state) {
    (void)state;
    static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const abut_vec3 corner[4] = {{-3, -2, -1}, {-3, 2, 1}, {3, -2, 1}, {3, 2, -1}};
    abut_vec3 points[12];
    size_t n = wear_off(corner, edge, 6, points);
    expect_whole(points, n, 4, 16); /* a third of its box */
}

/* Not along the axes: its bounds are larger. */
static void a_worn_turned_box_becomes_a_box(void **state) {
    (void)state;
    int edge[12][2], edges = 0;
    abut_vec3 corner[8], points[24];
    for (int i = 0; i < 8; i++) {
        const float x = i & 1 ? 3 : -3, y = i & 2 ? 2 : -2, z = i & 4 ? 1 : -1;
        corner[i] = (abut_vec3){(2 * x + 2 * y + z) / 3, (x - 2 * y + 2 * z) / 3, (2 * x - y - 2 * z) / 3};
        for (int bit = 1; bit < 8; bit *= 2) {
            if (i & bit) {
                edge[edges][0] = i;
                edge[edges++][1] = i - bit;
            }
        }
    }
    size_t n = wear_off(corner, (const int(*)[2])edge, 12, points);
    expect_whole(points, n, 8, 48);
}

/* Its box is flush with half of its sides. The others are cut from it. */
static void a_worn_prism_becomes_a_prism(void **state) {
    (void)state;
    enum { SIDES = 8 };
    abut_vec3 corner[2 * SIDES], points[6 * SIDES];
    int edge[3 * SIDES][2];
    const double step = 2 * acos(-1) / SIDES, area = SIDES * sin(step) / 2;
    for (int i = 0; i < SIDES; i++) {
        const float x = (float)cos(step * (i + 0.5)), y = (float)sin(step * (i + 0.5));
        corner[i] = (abut_vec3){x, y, -1};
        corner[SIDES + i] = (abut_vec3){x, y, 2};
        edge[3 * i][0] = i;
        edge[3 * i][1] = (i + 1) % SIDES;
        edge[3 * i + 1][0] = SIDES + i;
        edge[3 * i + 1][1] = SIDES + (i + 1) % SIDES;
        edge[3 * i + 2][0] = i;
        edge[3 * i + 2][1] = SIDES + i;
    }
    size_t n = wear_off(corner, (const int(*)[2])edge, 3 * SIDES, points);
    expect_whole(points, n, 2 * SIDES, 3 * area);
}

static void more_than_the_limit_can_be_reduced(void **state) {
    (void)state;
    static abut_vec3 points[6000];
    for (uint32_t i = 0; i < 6000; i++) {
        rng r = rng_make(test_seed(), i);
        points[i] = rng_direction(&r);
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 6000, &(abut_hull_def){.max_vertices = 50}, &hull), ABUT_OK);
    assert_true(abut_hull_vertex_count(hull) <= 50);
    assert_true(check_contains(hull, points, 6000));
    abut_hull_destroy(&hull);
}

static void expect_reduced(const abut_vec3 *points, size_t n, uint32_t most, uint32_t at_most) {
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, n, &(abut_hull_def){.max_vertices = most}, &hull), ABUT_OK);
    assert_true(abut_hull_vertex_count(hull) <= at_most);
    assert_true(check_hull(hull, points, n, true));
    abut_hull_destroy(&hull);
}

static void any_number_of_vertices_may_be_allowed(void **state) {
    (void)state;
    const abut_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    expect_reduced(points, 5, ABUT_HULL_MAX_VERTICES, 5);
    expect_reduced(points, 5, UINT32_MAX, 5);
}

/* Plates as thin as in create.c: where their middle is, and on which side of it their faces, rounding decides. */
static void hairs_are_reduced(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(100); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 points[20];
        for (int k = 0; k < 19; k++) {
            float x = (float)rng_below(&r, 1 << 22), y = (float)rng_below(&r, 1 << 22);
            points[k] = (abut_vec3){x, y, x + y};
        }
        points[19] = (abut_vec3){0, 0, -0x1p-40f};
        uint32_t most = 4 + rng_below(&r, 6);
        expect_reduced(points, 20, most, most);
    }
    /* In a plane whose normal is (3, 0, 4), but for the last: the box is flush, and has no middle in double. */
    static const abut_vec3 plate[9] = {{-1660, 5060, 1245},  {-1660, -5580, 1245}, {2100, 5060, -1575},
                                       {2100, -5580, -1575}, {-1520, 5150, 1140},  {-1520, -5670, 1140},
                                       {1960, 5150, -1470},  {1960, -5670, -1470}, {0, 30, 0x1p-72f}};
    expect_reduced(plate, 9, 8, 8);
    /* The last one is outside of the others by less than double shows. */
    static const abut_vec3 tip[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5f, 0.5f, 0x1p-140f}};
    expect_reduced(tip, 5, 4, 4);
}

/* A double pyramid with blunt corners: there are more planes to cut with than there is room for, before there are too
 * many corners, because many planes meet in its tips. */
static void many_planes_have_few_corners(void **state) {
    (void)state;
    enum { SIDES = 40 };
    abut_vec3 points[2 * SIDES + 2];
    const double step = 2 * acos(-1) / SIDES;
    for (int i = 0; i < SIDES; i++) {
        for (int k = 0; k < 2; k++) {
            double share = k ? 0.99 : 0.01, x = cos(step * i), y = sin(step * i);
            points[2 * i + k] = (abut_vec3){(float)(x + share * (cos(step * (i + 1)) - x)),
                                            (float)(y + share * (sin(step * (i + 1)) - y)), 0};
        }
    }
    points[2 * SIDES] = (abut_vec3){0, 0, 1};
    points[2 * SIDES + 1] = (abut_vec3){0, 0, -1};
    for (uint32_t most = SIDES + 2; most < 2 * SIDES; most += 6) {
        expect_reduced(points, 2 * SIDES + 2, most, most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_hulls_contain_every_point),
        cmocka_unit_test(reduced_hulls_are_not_much_larger),
        cmocka_unit_test(a_worn_box_becomes_a_box),
        cmocka_unit_test(a_worn_tetrahedron_becomes_a_tetrahedron),
        cmocka_unit_test(a_worn_turned_box_becomes_a_box),
        cmocka_unit_test(a_worn_prism_becomes_a_prism),
        cmocka_unit_test(more_than_the_limit_can_be_reduced),
        cmocka_unit_test(any_number_of_vertices_may_be_allowed),
        cmocka_unit_test(hairs_are_reduced),
        cmocka_unit_test(many_planes_have_few_corners),
    };
    return test_run(tests);
}
