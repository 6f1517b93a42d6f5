/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_mesh_create: the mesh is what its triangles say, by brute force with integers; every error. */

#include "shape/mesh/assemble.h"
#include "shape/mesh/check.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_solid(const mesh_soup *soup) {
    bool found = false;
    for (size_t t = 0; t < soup->def.triangle_count - soup->def.ghost_count; t++) {
        found = found || check_has_area(soup, t);
    }
    return found;
}

static void meshes_are_what_their_triangles_say(void **state) {
    (void)state;
    static mesh_soup soup;
    unsigned long made = 0, kinds[4] = {0}, turned = 0;
    for (unsigned long i = 0; i < test_count(1200); i++) {
        abut_mesh *mesh;
        mesh_soup_make(test_seed(), i, &soup);
        abut_result result = abut_mesh_create(&soup.def, &mesh);
        assert_int_equal(result, has_solid(&soup) ? ABUT_OK : ABUT_ERROR_DEGENERATE);
        assert_true((mesh != NULL) == (result == ABUT_OK));
        if (mesh) {
            check_content(mesh, &soup);
            check_sides(mesh, &soup);
            check_tree(mesh);
            for (size_t s = 0; s < 3 * soup.def.triangle_count; s++) {
                kinds[abut_mesh_edge_of(abut_mesh_sides(mesh)[s])]++;
                turned += abut_mesh_is_turned(abut_mesh_sides(mesh)[s]);
            }
            made++;
        }
        abut_mesh_destroy(&mesh);
        assert_null(mesh);
    }
    printf("%lu meshes; sides: %lu outer, %lu convex, %lu flat, %lu hollow, %lu turned\n", made, kinds[0], kinds[1],
           kinds[2], kinds[3], turned);
    assert_true(made > 0 && kinds[1] > 0 && kinds[2] > 0 && kinds[3] > 0 && turned > 0);
}

/* Other numbers of the vertices, any stride, an allocator whose memory is not clean: the same bytes. */
static void the_same_triangles_give_the_same_bytes(void **state) {
    (void)state;
    static mesh_soup soup;
    static unsigned char bytes[48 * SOUP_VERTICES];
    failing_allocator books = {0};
    for (unsigned long i = 0; i < test_count(400); i++) {
        rng r = rng_make(test_seed() + 1, i);
        uint32_t moved[SOUP_VERTICES];
        abut_mesh *one, *other;
        mesh_soup_make(test_seed(), i, &soup);
        if (abut_mesh_create(&soup.def, &one) != ABUT_OK) {
            continue;
        }
        uint32_t n = (uint32_t)soup.def.vertex_count;
        size_t stride = 12 + rng_below(&r, 30);
        for (uint32_t v = 0; v < n; v++) {
            uint32_t at = rng_below(&r, v + 1);
            moved[v] = moved[at];
            moved[at] = v;
        }
        for (size_t k = 0; k < 3 * soup.def.triangle_count; k++) {
            soup.index[k] = moved[soup.index[k]];
        }
        memset(bytes, 0xff, sizeof bytes);
        for (uint32_t v = 0; v < n; v++) {
            memcpy(bytes + 1 + moved[v] * stride, &soup.vertex[v], sizeof soup.vertex[v]);
        }
        soup.def.vertices = (const abut_vec3 *)(const void *)(bytes + 1);
        soup.def.vertex_stride = stride;
        soup.def.allocator = failing_allocator_of(&books);
        assert_int_equal(abut_mesh_create(&soup.def, &other), ABUT_OK);
        assert_int_equal(one->size, other->size);
        assert_memory_equal(one, other, (size_t)one->size);
        abut_mesh_destroy(&one);
        abut_mesh_destroy(&other);
    }
    assert_true(failing_allocator_clean(&books));
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    static mesh_soup soup;
    failing_allocator books = {0};
    mesh_soup_make(test_seed(), 4, &soup);
    soup.def.ghost_count = 0;
    soup.def.allocator = failing_allocator_of(&books);
    size_t calls = 0;
    for (abut_result result = ABUT_ERROR_MEMORY; result != ABUT_OK;) {
        abut_mesh *mesh = (abut_mesh *)(void *)&books;
        failing_allocator_fail_once(&books, ++calls);
        result = abut_mesh_create(&soup.def, &mesh);
        assert_true(result == ABUT_OK || result == ABUT_ERROR_MEMORY);
        assert_true((mesh != NULL) == (result == ABUT_OK));
        abut_mesh_destroy(&mesh);
        assert_true(failing_allocator_clean(&books));
    }
    assert_true(calls > 5);
}

static const abut_vec3 corners[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}};
static const uint32_t indices[] = {0, 1, 2, 2, 1, 3};
static const abut_mesh_def square = {.vertices = corners, .vertex_count = 4, .indices = indices, .triangle_count = 2};

static void expect(const abut_mesh_def *def, abut_result expected) {
    abut_mesh *mesh = (abut_mesh *)(void *)&mesh;
    assert_int_equal(abut_mesh_create(def, &mesh), expected);
    assert_true((mesh != NULL) == (expected == ABUT_OK));
    abut_mesh_destroy(&mesh);
}

static void *no_alloc(size_t size, size_t align, void *user) {
    (void)size, (void)align, (void)user;
    return NULL;
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    abut_mesh_def def = square;
    expect(&square, ABUT_OK);
    expect(NULL, ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_create(&square, NULL), ABUT_ERROR_ARGUMENT);
    def.vertices = NULL;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.indices = NULL;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.vertex_count = 3;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.vertex_count = 0;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.ghost_count = 3;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.vertex_stride = 8;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.vertex_stride = SIZE_MAX / 2;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.allocator.alloc = no_alloc;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = square, def.ghost_count = 2;
    expect(&def, ABUT_ERROR_DEGENERATE);
    def = square, def.triangle_count = 0;
    expect(&def, ABUT_ERROR_DEGENERATE);
    def = square, def.triangle_count = ABUT_MESH_MAX_TRIANGLES + 1;
    expect(&def, ABUT_ERROR_LIMIT);
    def.triangle_count = SIZE_MAX;
    expect(&def, ABUT_ERROR_LIMIT);
}

static void wrong_coordinates_are_refused(void **state) {
    (void)state;
    for (int v = 0; v < 4; v++) {
        for (int k = 0; k < 3; k++) {
            abut_vec3 changed[4];
            abut_mesh_def def = square;
            memcpy(changed, corners, sizeof changed);
            def.vertices = changed;
            const float value[] = {NAN, INFINITY, -INFINITY, 1.0000001e9f, -FLT_MAX, 1e9f, -1e9f};
            for (int i = 0; i < 7; i++) {
                (&changed[v].x)[k] = value[i];
                expect(&def, i < 3 ? ABUT_ERROR_ARGUMENT : i < 5 ? ABUT_ERROR_LIMIT : ABUT_OK);
            }
        }
    }
}

/* Nearly flat, nearly on a line: what double arithmetic cannot tell. */
static void signs_are_exact(void **state) {
    (void)state;
    const float e = 0x1p-149f;
    const abut_vec3 thin[] = {{-1e9f, 0, 0}, {1e9f, 0, 0}, {0, 0, e}, {0, 0, -e}, {0, e, -1}, {0, -e, -1}, {0, 0, -1}};
    const uint32_t bent[] = {0, 2, 1, 0, 1, 3, 0, 2, 1, 0, 1, 4, 0, 2, 1, 0, 1, 5, 0, 2, 1, 0, 1, 6};
    const abut_mesh_edge expected[] = {ABUT_MESH_FLAT, ABUT_MESH_HOLLOW, ABUT_MESH_CONVEX, ABUT_MESH_FLAT};
    for (int i = 0; i < 4; i++) {
        const abut_mesh_def def = {.vertices = thin, .vertex_count = 7, .indices = bent + 6 * i, .triangle_count = 2};
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        assert_int_equal(mesh->solid_count, 2);
        assert_int_equal(abut_mesh_edge_of(abut_mesh_sides(mesh)[2]), expected[i]);
        assert_int_equal(abut_mesh_edge_of(abut_mesh_sides(mesh)[3]), expected[i]);
        abut_mesh_destroy(&mesh);
    }
    /* In the plane x + y + z = 0 but for a last corner whose differences double rounds. */
    const float beside[] = {0, 0x1p-60f, -0x1p-60f, 0x1p-140f, -0x1p-140f};
    for (int i = 0; i < 5; i++) {
        const abut_vec3 tilted[] = {{1, -1, 0}, {-1, 1, 0}, {1, 0, -1}, {-1, beside[i], 1}};
        const uint32_t two[] = {0, 1, 2, 1, 0, 3};
        const abut_mesh_def def = {.vertices = tilted, .vertex_count = 4, .indices = two, .triangle_count = 2};
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        abut_mesh_edge kind = i == 0 ? ABUT_MESH_FLAT : i % 2 ? ABUT_MESH_CONVEX : ABUT_MESH_HOLLOW;
        assert_int_equal(abut_mesh_edge_of(abut_mesh_sides(mesh)[0]), kind);
        abut_mesh_destroy(&mesh);
    }
    const abut_vec3 line[] = {{0.1f, 0.3f, 0.7f}, {0.2f, 0.6f, 1.4f}, {0.4f, 1.2f, 2.8f}};
    const uint32_t one[] = {0, 1, 2};
    const abut_mesh_def def = {.vertices = line, .vertex_count = 3, .indices = one, .triangle_count = 1};
    expect(&def, ABUT_ERROR_DEGENERATE);
}

static abut_mesh_edge edge_between(const abut_vec3 corner[4]) {
    static const uint32_t two[] = {0, 1, 2, 1, 0, 3};
    const abut_mesh_def def = {.vertices = corner, .vertex_count = 4, .indices = two, .triangle_count = 2};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    assert_int_equal(mesh->solid_count, 2);
    abut_mesh_edge kind = abut_mesh_edge_of(abut_mesh_sides(mesh)[0]);
    assert_int_equal(abut_mesh_edge_of(abut_mesh_sides(mesh)[3]), kind);
    abut_mesh_destroy(&mesh);
    return kind;
}

/* In one plane, where double cannot tell on which side of the edge the thin one of both lies. */
static void folds_of_thin_triangles_are_exact(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        float left = k & 1 ? 1.0f : -1.0f, beside = k & 2 ? 1.0f : 0.0f; /* seen along the edge to (1, 1) */
        const abut_vec3 corner[4] = {{-left * 0x1p-52f, 0, 0}, {1, 1, 0}, {2, 2, 0}, {beside, 1 - beside, 0}};
        bool fold = (left < 0) == (beside > 0);
        assert_int_equal(edge_between(corner), fold ? ABUT_MESH_OUTER : ABUT_MESH_FLAT);
    }
    /* In the plane y = 3 z: seen along x, all are on a line, which differences in double bend. */
    for (int k = 0; k < 2; k++) {
        const abut_vec3 corner[4] = {
            {0, 3 * 0x1p-50f, 0x1p-50f}, {0, 6, 2}, {0x1p-100f, 15, 5}, {k ? 1.0f : -1.0f, 3, 1}};
        assert_int_equal(edge_between(corner), k ? ABUT_MESH_OUTER : ABUT_MESH_FLAT);
    }
}

/* The largest mesh fits the layout, and what is larger than the memory is refused before it is asked for. */
static void the_largest_mesh_fits_its_layout(void **state) {
    (void)state;
    abut_mesh header;
    memset(&header, 0, sizeof header);
    header.vertex_count = 3 * ABUT_MESH_MAX_TRIANGLES;
    header.triangle_count = header.solid_count = ABUT_MESH_MAX_TRIANGLES;
    abut_mesh_lay_out(&header);
    assert_int_equal(header.levels, ABUT_MESH_LEVELS - 1);
    assert_int_equal(header.leaf_count, 1 << 25);
    assert_int_equal(header.level_first[1], 1 << 22);
    assert_true(header.size > header.leaves && header.size - header.leaves == UINT64_C(160) << 25);
    assert_true(header.leaves > header.nodes && header.nodes > header.solid && header.sides > header.indices);
}

static void null_meshes_have_nothing(void **state) {
    (void)state;
    size_t size = 1;
    abut_vec3 corner[3];
    abut_mesh *mesh = NULL;
    assert_null(abut_mesh_data(NULL, &size));
    assert_null(abut_mesh_data(NULL, NULL));
    assert_int_equal(size, 0);
    assert_int_equal(abut_mesh_triangle_count(NULL), 0);
    assert_false(abut_mesh_triangle(NULL, 0, corner));
    assert_true(isnan(abut_mesh_bounds(NULL).min.x));
    abut_mesh_destroy(NULL);
    abut_mesh_destroy(&mesh);
    assert_int_equal(abut_mesh_create(&square, &mesh), ABUT_OK);
    assert_false(abut_mesh_triangle(mesh, 2, corner));
    assert_false(abut_mesh_triangle(mesh, 0, NULL));
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_what_their_triangles_say),
        cmocka_unit_test(the_same_triangles_give_the_same_bytes),
        cmocka_unit_test(failed_allocations_leave_nothing),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(wrong_coordinates_are_refused),
        cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(folds_of_thin_triangles_are_exact),
        cmocka_unit_test(the_largest_mesh_fits_its_layout),
        cmocka_unit_test(null_meshes_have_nothing),
    };
    return test_run(tests);
}
