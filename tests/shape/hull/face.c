/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_hull_face: the faces form a closed surface, counter-clockwise seen from outside, and lie in the returned planes.
 */

#include "base/memory.h"
#include "shape/hull/clouds.h"
#include "shape/hull/faces.h"
#include "support/quad.h"
#include "support/test.h"
#include <abut/hull.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct surface {
    const abut_hull *hull;
    size_t faces, vertices, sides;
    uint8_t *led;    /* led[from * vertices + to]: some face has this side */
    double size;     /* no coordinate is larger */
    double rounding; /* of the judge, where coordinates differ by more than its digits */
} surface;

static size_t read_face(const surface *s, size_t face, uint32_t loop[ABUT_HULL_MAX_VERTICES], float plane[4]) {
    size_t n = abut_hull_face(s->hull, face, loop, ABUT_HULL_MAX_VERTICES, plane);
    assert_true(n >= 3 && n <= s->vertices);
    for (size_t i = 0; i < n; i++) {
        assert_true(loop[i] < s->vertices);
    }
    return n;
}

static quad height(const float plane[4], abut_vec3 p) {
    return (quad)plane[0] * p.x + (quad)plane[1] * p.y + (quad)plane[2] * p.z - plane[3];
}

/* Every vertex must be behind the plane, exactly, but almost never with the next smaller offset. The vertices of the
 * face must be on it, to within what merging allows (2^-18 of the largest extent) and the rounding of the plane. */
static void check_plane(const surface *s, const uint32_t *loop, size_t n, const float plane[4]) {
    const abut_vec3 *v = abut_hull_vertices(s->hull);
    double length = sqrt((double)plane[0] * plane[0] + (double)plane[1] * plane[1] + (double)plane[2] * plane[2]);
    assert_true(fabs(length - 1) < 3e-7);
    const float lower[4] = {plane[0], plane[1], plane[2], nextafterf(plane[3], -INFINITY)};
    bool least = false;
    for (size_t i = 0; i < s->vertices; i++) {
        assert_true(height(plane, v[i]) <= s->rounding);
        least = least || height(lower, v[i]) > -1e-15 * s->size;
    }
    assert_true(least);
    for (size_t i = 0; i < n; i++) {
        assert_true(height(plane, v[loop[i]]) > -(0x1p-16 + 0x1p-20) * s->size);
    }
}

/* The sum of cross products is twice the area, along the normal if the loop is counter-clockwise. */
static void check_turn(const surface *s, const uint32_t *loop, size_t n, const float plane[4]) {
    const abut_vec3 *v = abut_hull_vertices(s->hull), o = v[loop[0]];
    quad sum = 0, size = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        const abut_vec3 p = v[loop[i]], q = v[loop[i + 1]];
        const quad a[3] = {(quad)p.x - o.x, (quad)p.y - o.y, (quad)p.z - o.z};
        const quad b[3] = {(quad)q.x - o.x, (quad)q.y - o.y, (quad)q.z - o.z};
        for (int k = 0; k < 3; k++) {
            quad c = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            sum += c * plane[k];
            size += c < 0 ? -c : c;
        }
    }
    assert_true(sum > 0 || size < 1e-9 * s->size * s->size || sum > -s->rounding * s->size);
}

static void mark_sides(surface *s, const uint32_t *loop, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint8_t *led = &s->led[loop[i] * s->vertices + loop[i + 1 < n ? i + 1 : 0]];
        assert_int_equal(*led, 0);
        *led = 1;
    }
    s->sides += n;
}

/* Every side occurs once in either direction, and Euler's formula holds for the counts. */
static void check_closed(const surface *s) {
    assert_int_equal(s->sides, 2 * abut_hull_edge_count(s->hull));
    assert_int_equal(s->vertices + s->faces, s->sides / 2 + 2);
    for (size_t i = 0; i < s->vertices; i++) {
        size_t degree = 0;
        for (size_t j = 0; j < s->vertices; j++) {
            assert_int_equal(s->led[i * s->vertices + j], s->led[j * s->vertices + i]);
            degree += s->led[i * s->vertices + j];
        }
        assert_true(degree >= 3);
    }
}

static double largest_coordinate(const abut_hull *hull) {
    const abut_vec3 *v = abut_hull_vertices(hull);
    double largest = 0;
    for (size_t i = 0; i < abut_hull_vertex_count(hull); i++) {
        largest = fmax(fmax(largest, fabs((double)v[i].x)), fmax(fabs((double)v[i].y), fabs((double)v[i].z)));
    }
    return largest;
}

static void check_faces(const abut_hull *hull, double rounding) {
    surface s = {.hull = hull, .faces = abut_hull_face_count(hull), .vertices = abut_hull_vertex_count(hull)};
    static uint32_t loop[ABUT_HULL_MAX_VERTICES];
    s.size = largest_coordinate(hull);
    s.rounding = rounding * s.size;
    s.led = calloc(s.vertices * s.vertices, 1);
    assert_non_null(s.led);
    for (size_t f = 0; f < s.faces; f++) {
        float plane[4];
        size_t n = read_face(&s, f, loop, plane);
        check_plane(&s, loop, n, plane);
        check_turn(&s, loop, n, plane);
        mark_sides(&s, loop, n);
    }
    check_closed(&s);
    free(s.led);
}

static void faces_close_the_surface(void **state) {
    (void)state;
    unsigned long made = 0;
    for (unsigned long i = 0; i < test_count(1400); i++) {
        abut_vec3 points[CLOUD_MAX];
        uint32_t n = cloud_make(test_seed(), i, points);
        const abut_hull_def def = {.max_vertices = i % 5 == 0 ? 12 : 0};
        abut_hull *hull;
        if (abut_hull_create(points, n, &def, &hull) == ABUT_OK) {
            check_faces(hull, 0);
            made++;
        }
        abut_hull_destroy(&hull);
    }
    printf("%lu hulls\n", made);
    assert_true(made > 0);
}

/* Coordinates whose differences and products no pair of doubles holds: planes from rounded ones have no direction. */
static void splinters_have_planes(void **state) {
    (void)state;
    static const float some[] = {0,        1,    0.99999994f, 1.0000001f, 1e-30f, -1e-30f,
                                 1.4e-45f, 0.1f, 0.001f,      -0.1f,      3e8f,   1e-38f};
    enum { KINDS = sizeof some / sizeof some[0], MOST = 9 };
    const abut_vec3 first[4] = {{0, 0.99999994f, 0.001f}, {1e-30f, 1, 0}, {1e-30f, 1, 1.4e-45f}, {1.4e-45f, 1, 0.1f}};
    unsigned long made = 0;
    for (unsigned long i = 0; i < test_count(60000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 points[MOST];
        uint32_t n = 4 + rng_below(&r, MOST - 3), kinds = 2 + rng_below(&r, KINDS - 1);
        for (uint32_t k = 0; k < n; k++) {
            points[k] = (abut_vec3){some[rng_below(&r, kinds)], some[rng_below(&r, kinds)], some[rng_below(&r, kinds)]};
        }
        abut_hull *hull;
        if (abut_hull_create(i == 0 ? first : points, i == 0 ? 4 : n, NULL, &hull) == ABUT_OK) {
            check_faces(hull, 0x1p-108);
            made++;
        }
        abut_hull_destroy(&hull);
    }
    printf("%lu hulls\n", made);
    assert_true(made > 0);
}

static void a_cube_has_six_squares(void **state) {
    (void)state;
    abut_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? 3 : 1, i & 2 ? 3 : 1, i & 4 ? 3 : 1};
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    int seen[3][2] = {{0}};
    for (size_t f = 0; f < 6; f++) {
        float plane[4];
        assert_int_equal(abut_hull_face(hull, f, NULL, 0, plane), 4);
        for (int k = 0; k < 3; k++) {
            bool along = fabsf(plane[k]) == 1 && plane[(k + 1) % 3] == 0 && plane[(k + 2) % 3] == 0;
            seen[k][plane[k] > 0] += along && plane[3] == (plane[k] > 0 ? 3.0f : -1.0f);
        }
    }
    for (int k = 0; k < 6; k++) {
        assert_int_equal(seen[k / 2][k % 2], 1);
    }
    abut_hull_destroy(&hull);
}

/* How many facets and faces a flat paraboloid over a square of 64 by 64 points has, with some points beside it. */
static void count_faces(uint32_t beside, uint32_t *facets, uint32_t *faces) {
    enum { SIDE = 64, MOST = SIDE * SIDE + 1 };
    static const abut_allocator none = {0};
    static abut_vec3 point[MOST];
    abut_allocator memory;
    abut_polyhedron polyhedron;
    abut_faces made;
    const uint32_t n = SIDE * SIDE + beside;
    for (uint32_t i = 0; i < n; i++) {
        const float x = (float)(i / SIDE), y = (float)(i % SIDE);
        point[i] = (abut_vec3){x, y, (x * x + y * y) * 0x1p-15f};
    }
    assert_true(abut_memory_init(&memory, &none));
    assert_int_equal(abut_polyhedron_make(&polyhedron, point, n, &memory), ABUT_OK);
    assert_int_equal(polyhedron.vertex_count, n);
    assert_int_equal(abut_faces_make(&made, &polyhedron, 0), ABUT_OK);
    *facets = polyhedron.facet_count;
    *faces = made.count;
    abut_faces_release(&made, &memory);
    abut_polyhedron_release(&polyhedron);
}

/* Merging costs as much as there are vertices for every face. */
static void what_is_too_large_for_a_hull_is_not_merged(void **state) {
    (void)state;
    uint32_t facets, faces;
    count_faces(0, &facets, &faces);
    assert_true(faces < facets - facets / 4);
    count_faces(1, &facets, &faces);
    assert_int_equal(faces, facets);
}

static void it_writes_what_there_is_room_for(void **state) {
    (void)state;
    const abut_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_hull *hull;
    float plane[4] = {7, 7, 7, 7};
    uint32_t all[3], some[3] = {77, 77, 77};
    assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
    assert_int_equal(abut_hull_face(hull, 1, all, 3, NULL), 3);
    assert_int_equal(abut_hull_face(hull, 1, some, 2, plane), 3);
    assert_true(some[0] == all[0] && some[1] == all[1] && some[2] == 77 && plane[0] != 7);
    plane[0] = 7;
    assert_int_equal(abut_hull_face(hull, 4, some, 3, plane), 0);
    assert_int_equal(abut_hull_face(hull, SIZE_MAX, some, 3, plane), 0);
    assert_int_equal(abut_hull_face(NULL, 0, some, 3, plane), 0);
    assert_true(some[0] == all[0] && plane[0] == 7);
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_close_the_surface),
        cmocka_unit_test(splinters_have_planes),
        cmocka_unit_test(a_cube_has_six_squares),
        cmocka_unit_test(what_is_too_large_for_a_hull_is_not_merged),
        cmocka_unit_test(it_writes_what_there_is_room_for),
    };
    return test_run(tests);
}
