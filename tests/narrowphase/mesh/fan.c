/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is remembered of corners changes no answer: normals that corners allow, asked with one memory for many corners,
 * and with a new one for each. Corners of up to 300 triangles, pinched ones and turned faces among them. */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_changes_nothing), cmocka_unit_test(many_triangles_meet)};
    return test_run(tests);
}
