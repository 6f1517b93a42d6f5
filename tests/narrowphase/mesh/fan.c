/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is remembered of corners changes no answer: normals that corners allow, asked with one memory for many corners,
 * and with a new one for each. Corners of up to 300 triangles, pinched ones and turned faces among them. And corners of
 * a straight ridge allow what its sides do, tips all that is between their sides. */
#include "narrowphase/mesh/normal.h"
#include "narrowphase/mesh/range.h"
#include "shape/mesh/mesh.h"
#include "support/mesh_families.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

static abut_d3 direction_of(rng *r) {
    return abut_d3_from(rng_direction(r));
}

/* Asks for corner k of a triangle in both ways; returns whether the normal was corrected. */
static bool ask(const abut_mesh *mesh, abut_np_normals *memory, uint32_t part, uint32_t k, bool back, abut_d3 normal) {
    abut_np_normals fresh;
    abut_np_normals_begin(&fresh);
    const abut_d3 expected = abut_np_mesh_range_of_corner(mesh, &fresh, part, back, k, normal);
    const abut_d3 found = abut_np_mesh_range_of_corner(mesh, memory, part, back, k, normal);
    assert_memory_equal(&found, &expected, sizeof found);
    return memcmp(&found, &normal, sizeof found) != 0;
}

/* Triangles near each other, as in a contact; some by chance. */
static uint32_t ask_around(const abut_mesh *mesh, uint32_t triangles, rng *r, uint32_t questions) {
    abut_np_normals memory;
    uint32_t corrected = 0, part = rng_below(r, triangles);
    abut_np_normals_begin(&memory);
    for (uint32_t i = 0; i < questions; i++) {
        uint32_t around[ABUT_NP_CORNER_MAX], k = rng_below(r, 3);
        if (abut_mesh_is_solid(mesh, part)) {
            corrected += ask(mesh, &memory, part, k, mesh->two_sided && rng_chance(r, 0.3), direction_of(r));
            const uint32_t n = abut_np_mesh_around(mesh, part, k, around);
            part = n > 0 && rng_chance(r, 0.8) ? around[rng_below(r, n)] : part;
        }
        part = rng_chance(r, 0.1) ? rng_below(r, triangles) : part;
    }
    return corrected;
}

static void memory_changes_nothing(void **state) {
    (void)state;
    static soup s;
    uint32_t corrected = 0;
    const uint64_t rounds = test_count(40);
    for (uint64_t i = 0; i < rounds; i++) {
        for (int family = 0; family < SOUP_FAMILIES; family++) {
            rng r = rng_make(test_seed() + 7, i * SOUP_FAMILIES + (uint64_t)family);
            soup_make(test_seed(), i, (soup_family)family, &s);
            abut_mesh *mesh = soup_mesh(&s);
            corrected += ask_around(mesh, s.triangle_count - s.ghost_count, &r, 400);
            abut_mesh_destroy(&mesh);
        }
    }
    assert_true(corrected > rounds * 400);
}

/* A cone of n triangles and, with `twice`, a second one that hangs down from its tip. */
static abut_mesh *cone(uint32_t n, bool twice) {
    static abut_vec3 vertex[601];
    static uint32_t index[600][3];
    const uint32_t cones = twice ? 2 : 1;
    vertex[0] = (abut_vec3){0, 0, 0};
    for (uint32_t c = 0; c < cones; c++) {
        for (uint32_t i = 0; i < n; i++) {
            const float angle = 6.2831853f * (float)i / (float)n, down = c == 0 ? -0.5f : 0.75f;
            vertex[1 + c * n + i] = (abut_vec3){cosf(angle), down, c == 0 ? -sinf(angle) : sinf(angle)};
            const uint32_t corner[3] = {0, 1 + c * n + i, 1 + c * n + (i + 1) % n};
            memcpy(index[c * n + i], corner, sizeof corner);
        }
    }
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = 1 + cones * n,
                               .indices = &index[0][0],
                               .triangle_count = cones * n,
                               .two_sided = n % 2 == 1};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static void many_triangles_meet(void **state) {
    (void)state;
    static const uint32_t counts[] = {3, 5, 31, 32, 33, 63, 64, 65, 255, 256, 257, 300};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int twice = 0; twice < 2; twice++) {
            rng r = rng_make(test_seed() + 8, 2 * i + (uint64_t)twice);
            abut_mesh *mesh = cone(counts[i], twice);
            const uint32_t corrected = ask_around(mesh, (1 + (uint32_t)twice) * counts[i], &r, 300);
            assert_true((corrected > 0) == (counts[i] <= ABUT_NP_CORNER_MAX));
            abut_mesh_destroy(&mesh);
        }
    }
}

enum { ROOF_ROWS = 12, ROOF_VERTICES = 3 * ROOF_ROWS, ROOF_TRIANGLES = 4 * (ROOF_ROWS - 1) };

/* A roof of irregular triangles along the direction (`across`, 0, `along`), whose length is whole: no coordinate is
 * rounded, so either side lies in one plane exactly, though the normals of its triangles differ in the last place. */
static abut_mesh *roof(int across, int along, int length, rng *r) {
    static const uint32_t cell[2][6] = {{0, 3, 1, 1, 3, 4}, {0, 3, 4, 0, 4, 1}};
    abut_vec3 vertex[ROOF_VERTICES];
    uint32_t index[3 * ROOF_TRIANGLES], count = 0;
    const int slope = 1 + (int)rng_below(r, 12);
    for (int i = 0; i < ROOF_VERTICES; i++) {
        const int side = i % 3 - 1, x = side * (60 + (int)rng_below(r, 10)), z = 50 * (i / 3) + (int)rng_below(r, 20);
        const int y = -slope * side * x * length;
        vertex[i] = (abut_vec3){(float)(along * x + across * z), (float)y / 8, (float)(along * z - across * x)};
    }
    for (uint32_t i = 0; i < ROOF_VERTICES - 3; i += i % 3 + 1) {
        const uint32_t *corner = cell[rng_below(r, 2)];
        for (int k = 0; k < 6; k++) {
            index[count++] = i + corner[k];
        }
    }
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = ROOF_VERTICES, .indices = index, .triangle_count = ROOF_TRIANGLES};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* Whether a corner is on the ridge, and no end of it. */
static bool is_on_ridge(abut_d3 corner, abut_d3 ridge, int length) {
    const double along = abut_d3_dot(corner, ridge) / length;
    return corner.x[1] == 0 && along >= 50 && along < 50 * (ROOF_ROWS - 1);
}

/* No normal leans along the ridge. */
static void straight_ridges_do_not_lean(void **state) {
    (void)state;
    static const int triple[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {20, 21, 29}};
    const uint64_t rounds = test_count(1000);
    uint32_t asked = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        rng r = rng_make(test_seed() + 9, i);
        const int *t = triple[i % 4];
        const abut_d3 ridge = {{(double)t[0] / t[2], 0, (double)t[1] / t[2]}};
        abut_mesh *mesh = roof(t[0], t[1], t[2], &r);
        abut_np_normals memory;
        abut_np_normals_begin(&memory);
        for (uint32_t corner = 0; corner < 3 * ROOF_TRIANGLES; corner++) {
            const uint32_t part = corner / 3, k = corner % 3;
            if (is_on_ridge(abut_mesh_corner(mesh, part, k), ridge, t[2])) {
                const abut_d3 found = abut_np_mesh_range_of_corner(mesh, &memory, part, false, k, direction_of(&r));
                assert_true(fabs(abut_d3_dot(found, ridge)) < 1e-12);
                asked++;
            }
        }
        abut_mesh_destroy(&mesh);
    }
    assert_true(asked > rounds * 4 * (ROOF_ROWS - 2));
}

/* Whether a tip of four sides, each of two triangles, allows a combination of its normals; some are left out. */
static void ask_tip(const abut_mesh *mesh, uint32_t triangles, rng *r) {
    abut_d3 sum = {{0, 0, 0}};
    const uint32_t chosen = 1 + rng_below(r, (1u << triangles) - 1);
    for (uint32_t i = 0; i < triangles; i++) {
        const double weight = rng_chance(r, 0.5) ? 1 : rng_range(r, 0.1, 1);
        sum = chosen >> i & 1 ? abut_d3_along(sum, weight, abut_np_mesh_normal(mesh, i)) : sum;
    }
    assert_true(abut_d3_normalise(&sum));
    for (uint32_t i = 0; i < triangles; i++) {
        abut_np_normals fresh;
        uint32_t k = 0;
        abut_np_normals_begin(&fresh);
        while (abut_d3_norm1(abut_mesh_corner(mesh, i, k)) > 0) {
            k++;
        }
        const abut_d3 found = abut_np_mesh_range_of_corner(mesh, &fresh, i, false, k, sum);
        assert_true(abut_d3_norm1(abut_d3_sub(found, sum)) < 1e-9);
    }
}

static void tips_allow_what_is_between(void **state) {
    (void)state;
    enum { SIDES = 4, AROUND = 2 * SIDES };
    static const float of_side[AROUND][2] = {{3, 4}, {7, 1}, {4, -3}, {1, -7}, {-3, -4}, {-7, -1}, {-4, 3}, {-1, 7}};
    const uint64_t rounds = test_count(2000);
    for (uint64_t i = 0; i < rounds; i++) {
        rng r = rng_make(test_seed() + 10, i);
        const float high = (float)(1 + rng_below(&r, 12)) / 4;
        const uint32_t first = rng_below(&r, AROUND);
        abut_vec3 vertex[1 + AROUND] = {{0, 0, 0}};
        uint32_t index[AROUND][3];
        for (uint32_t k = 0; k < AROUND; k++) {
            const float *at = of_side[(first + k) % AROUND];
            vertex[1 + k] = (abut_vec3){at[0], -high, at[1]};
            index[k][0] = 0, index[k][1] = 1 + k, index[k][2] = 1 + (k + 1) % AROUND;
        }
        const abut_mesh_def def = {
            .vertices = vertex, .vertex_count = 1 + AROUND, .indices = index[0], .triangle_count = AROUND};
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        ask_tip(mesh, AROUND, &r);
        abut_mesh_destroy(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_changes_nothing), cmocka_unit_test(many_triangles_meet),
                                       cmocka_unit_test(straight_ridges_do_not_lean),
                                       cmocka_unit_test(tips_allow_what_is_between)};
    return test_run(tests);
}
