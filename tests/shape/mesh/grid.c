/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_mesh_create_grid: the triangles and ghosts that the header promises, holes, and every error. */

#include "shape/mesh/check.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 14 };

typedef struct random_grid {
    float height[MOST * (MOST + 5)];
    abut_mesh_grid_def def;
} random_grid;

static void make(uint64_t stream, random_grid *grid) {
    rng r = rng_make(test_seed(), stream);
    abut_mesh_grid_def *def = &grid->def;
    double holes = rng_chance(&r, 0.5) ? 0 : 0.1;
    *def = (abut_mesh_grid_def){.heights = grid->height,
                                .columns = 2 + rng_below(&r, MOST - 1),
                                .rows = 2 + rng_below(&r, MOST - 1),
                                .ghost_border = rng_below(&r, 3),
                                .two_sided = rng_chance(&r, 0.5)};
    def->row_stride = rng_chance(&r, 0.5) ? 0 : def->columns + rng_below(&r, 5);
    def->spacing = (abut_vec3){(float)rng_log_range(&r, 1e-3, 1e3), (float)rng_log_range(&r, 1e-3, 1e3),
                               (float)rng_log_range(&r, 1e-3, 1e3)};
    for (size_t k = 0; k < sizeof grid->height / sizeof *grid->height; k++) {
        grid->height[k] = rng_chance(&r, holes) ? NAN : (float)rng_range(&r, -2, 2);
    }
}

static void vertex_of(const random_grid *grid, uint32_t i, uint32_t j, abut_vec3 *out) {
    const abut_mesh_grid_def *def = &grid->def;
    float height = grid->height[j * (def->row_stride ? def->row_stride : def->columns) + i];
    out->x = (float)((double)i * (double)def->spacing.x);
    out->y = (float)((double)height * (double)def->spacing.y);
    out->z = (float)((double)j * (double)def->spacing.z);
}

/* Whether triangle t is there; its corners. */
static bool expected_triangle(const random_grid *grid, uint32_t t, abut_vec3 corner[3]) {
    uint32_t cells = grid->def.columns - 1, i = t / 2 % cells, j = t / 2 / cells, odd = t % 2;
    vertex_of(grid, i + odd, j, &corner[0]);
    vertex_of(grid, i, j + 1, &corner[1]);
    vertex_of(grid, i + 1, j + odd, &corner[2]);
    return !isnan(corner[0].y) && !isnan(corner[1].y) && !isnan(corner[2].y);
}

static bool is_ghost(const random_grid *grid, uint32_t t) {
    uint32_t cells = grid->def.columns - 1, i = t / 2 % cells, j = t / 2 / cells, border = grid->def.ghost_border;
    return i < border || j < border || i + border >= cells || j + border >= grid->def.rows - 1;
}

static void terrains_are_what_their_heights_say(void **state) {
    (void)state;
    static random_grid grid;
    unsigned long made = 0;
    for (unsigned long n = 0; n < test_count(1000); n++) {
        make(n, &grid);
        abut_mesh *mesh;
        uint32_t count = 2 * (grid.def.columns - 1) * (grid.def.rows - 1), solid = 0;
        abut_result result = abut_mesh_create_grid(&grid.def, &mesh);
        for (uint32_t t = 0; t < count; t++) {
            abut_vec3 expected[3], corner[3];
            bool there = expected_triangle(&grid, t, expected);
            solid += there && !is_ghost(&grid, t);
            if (!mesh) {
                continue;
            }
            assert_int_equal(abut_mesh_is_solid(mesh, t), there && !is_ghost(&grid, t));
            assert_true(abut_mesh_triangle(mesh, t, corner));
            for (int k = 0; k < 9; k++) {
                assert_true(there ? (&corner[0].x)[k] == (&expected[0].x)[k] : isnan((&corner[0].x)[k]));
            }
        }
        assert_int_equal(result, solid > 0 ? ABUT_OK : ABUT_ERROR_DEGENERATE);
        if (mesh) {
            assert_int_equal(abut_mesh_triangle_count(mesh), count);
            assert_int_equal(mesh->solid_count, solid);
            check_tree(mesh);
            made++;
        }
        abut_mesh_destroy(&mesh);
    }
    assert_true(made > test_count(1000) / 4);
}

/* A terrain without holes or ghosts is the mesh of its triangles, byte for byte; so are its edges. */
static void terrains_are_meshes(void **state) {
    (void)state;
    static random_grid grid;
    for (unsigned long n = 0; n < test_count(300); n++) {
        static abut_vec3 corner[6 * MOST * MOST];
        static uint32_t index[6 * MOST * MOST];
        abut_mesh *terrain, *mesh;
        make(n, &grid);
        uint32_t count = 2 * (grid.def.columns - 1) * (grid.def.rows - 1);
        bool whole = true;
        grid.def.ghost_border = 0;
        for (uint32_t t = 0; t < count; t++) {
            whole = expected_triangle(&grid, t, &corner[3 * t]) && whole;
        }
        if (!whole) {
            continue;
        }
        for (uint32_t k = 0; k < 3 * count; k++) {
            index[k] = k;
        }
        const abut_mesh_def def = {.vertices = corner,
                                   .vertex_count = 3 * (size_t)count,
                                   .indices = index,
                                   .triangle_count = count,
                                   .two_sided = grid.def.two_sided};
        assert_int_equal(abut_mesh_create_grid(&grid.def, &terrain), ABUT_OK);
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        assert_int_equal(mesh->vertex_count, grid.def.columns * grid.def.rows);
        assert_int_equal(mesh->size, terrain->size);
        assert_memory_equal(mesh, terrain, (size_t)mesh->size);
        abut_mesh_destroy(&terrain);
        abut_mesh_destroy(&mesh);
    }
}

static void expect(const abut_mesh_grid_def *def, abut_result expected) {
    abut_mesh *mesh = (abut_mesh *)(void *)&mesh;
    assert_int_equal(abut_mesh_create_grid(def, &mesh), expected);
    assert_true((mesh != NULL) == (expected == ABUT_OK));
    abut_mesh_destroy(&mesh);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    float height[6] = {0, 1, 2, 3, 4, 5};
    const abut_mesh_grid_def good = {.heights = height, .columns = 3, .rows = 2, .spacing = {1, 1, 1}};
    abut_mesh_grid_def def = good;
    expect(&good, ABUT_OK);
    expect(NULL, ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_create_grid(&good, NULL), ABUT_ERROR_ARGUMENT);
    def.heights = NULL;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = good, def.columns = 1;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = good, def.rows = 1;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = good, def.row_stride = 2;
    expect(&def, ABUT_ERROR_ARGUMENT);
    def = good, def.columns = def.rows = UINT32_MAX;
    expect(&def, ABUT_ERROR_LIMIT);
    def = good, def.columns = 8194, def.rows = 8194;
    expect(&def, ABUT_ERROR_LIMIT);
    def = good, def.ghost_border = 1;
    expect(&def, ABUT_ERROR_DEGENERATE);
    def.ghost_border = UINT32_MAX;
    expect(&def, ABUT_ERROR_DEGENERATE);
    for (int k = 0; k < 3; k++) {
        const float wrong[] = {0, -1, NAN, INFINITY, -INFINITY, -0.0f};
        for (int i = 0; i < 6; i++) {
            def = good, (&def.spacing.x)[k] = wrong[i];
            expect(&def, ABUT_ERROR_ARGUMENT);
        }
        def = good, (&def.spacing.x)[k] = FLT_MAX;
        expect(&def, ABUT_ERROR_LIMIT);
        (&def.spacing.x)[k] = 0x1p-149f;
        expect(&def, ABUT_OK);
    }
    height[1] = INFINITY;
    expect(&good, ABUT_ERROR_ARGUMENT);
    height[1] = -2e9f;
    expect(&good, ABUT_ERROR_LIMIT);
    def = good, def.spacing.y = 3;
    height[1] = -2e38f; /* times 3 it is beyond the floats */
    expect(&def, ABUT_ERROR_LIMIT);
    height[1] = 2e38f;
    expect(&def, ABUT_ERROR_LIMIT);
    height[1] = NAN;
    expect(&good, ABUT_OK);
    height[4] = NAN;
    expect(&good, ABUT_ERROR_DEGENERATE);
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    const float height[6] = {0, 1, 2, 3, 4, 5};
    failing_allocator books = {0};
    const abut_mesh_grid_def def = {
        .heights = height, .columns = 3, .rows = 2, .spacing = {1, 1, 1}, .allocator = failing_allocator_of(&books)};
    size_t calls = 0;
    for (abut_result result = ABUT_ERROR_MEMORY; result != ABUT_OK;) {
        abut_mesh *mesh = (abut_mesh *)(void *)&books;
        failing_allocator_fail_once(&books, ++calls);
        result = abut_mesh_create_grid(&def, &mesh);
        assert_true(result == ABUT_OK || (result == ABUT_ERROR_MEMORY && !mesh));
        abut_mesh_destroy(&mesh);
        assert_true(failing_allocator_clean(&books));
    }
    assert_true(calls > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrains_are_what_their_heights_say),
        cmocka_unit_test(terrains_are_meshes),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return test_run(tests);
}
