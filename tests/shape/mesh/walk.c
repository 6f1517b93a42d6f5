/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Walks find exactly the triangles whose bounds touch the box, in the order of the leaves, with any capacity and on
 * every instruction set. */

#include "shape/mesh/check.h"
#include "support/test.h"
#include <abut/isa.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool touches(const abut_mesh *mesh, uint32_t t, const float min[3], const float max[3]) {
    bool yes = true;
    for (int i = 0; i < 3; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < 3; k++) {
            double x = abut_mesh_corner(mesh, t, k).x[i];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        yes = yes && low <= max[i] && high >= min[i];
    }
    return yes;
}

/* The box often ends exactly at vertices; it may be a point, infinite, or (then nothing touches it) inside out. */
static void random_box(rng *r, const abut_mesh *mesh, float min[3], float max[3]) {
    const abut_vec3 *vertex = abut_mesh_vertices(mesh);
    const float *a = &vertex[rng_below(r, mesh->vertex_count)].x, *b = &vertex[rng_below(r, mesh->vertex_count)].x;
    bool point = rng_chance(r, 0.3), all = rng_chance(r, 0.05);
    float end = rng_chance(r, 0.5) ? INFINITY : FLT_MAX;
    for (int i = 0; i < 3; i++) {
        min[i] = a[i];
        max[i] = point ? a[i] : b[i];
        if (min[i] > max[i] && !rng_chance(r, 0.02)) {
            min[i] = b[i];
            max[i] = a[i];
        }
        min[i] = all || rng_chance(r, 0.1) ? -end : rng_chance(r, 0.2) ? nextafterf(min[i], -INFINITY) : min[i];
        max[i] = all || rng_chance(r, 0.1) ? end : rng_chance(r, 0.2) ? nextafterf(max[i], INFINITY) : max[i];
    }
}

static size_t walk_all(const abut_mesh *mesh, const float min[3], const float max[3], uint32_t capacity,
                       uint32_t *place) {
    abut_mesh_walk walk;
    size_t found = 0;
    uint32_t guard = 0x5afe5afe, some[80], count;
    abut_mesh_walk_begin(mesh, min, max, &walk);
    some[capacity] = guard;
    while ((count = abut_mesh_walk_next(mesh, &walk, some, capacity)) > 0) {
        assert_true(count <= capacity && some[capacity] == guard);
        memcpy(place + found, some, count * sizeof *some);
        found += count;
    }
    assert_int_equal(abut_mesh_walk_next(mesh, &walk, some, capacity), 0);
    return found;
}

static void check_walk(const abut_mesh *mesh, rng *r, uint32_t *place) {
    float min[3], max[3];
    random_box(r, mesh, min, max);
    size_t found = walk_all(mesh, min, max, 4 + rng_below(r, 70), place), expected = 0;
    for (uint32_t p = 0; p < mesh->solid_count; p++) {
        if (touches(mesh, abut_mesh_number(mesh, p), min, max)) {
            assert_true(expected < found);
            assert_int_equal(place[expected++], p);
        }
    }
    assert_int_equal(found, expected);
}

static void on_each_isa(const abut_mesh *mesh, uint64_t stream, uint32_t *place) {
    abut_isa active = abut_isa_active();
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            for (uint64_t k = 0; k < 20; k++) {
                rng r = rng_make(test_seed() + 3, 20 * stream + k);
                check_walk(mesh, &r, place);
            }
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
}

static void walks_find_what_touches_the_box(void **state) {
    (void)state;
    static mesh_soup soup;
    static uint32_t place[SOUP_TRIANGLES];
    for (unsigned long i = 0; i < test_count(600); i++) {
        abut_mesh *mesh;
        mesh_soup_make(test_seed(), i, &soup);
        if (abut_mesh_create(&soup.def, &mesh) == ABUT_OK) {
            on_each_isa(mesh, i, place);
        }
        abut_mesh_destroy(&mesh);
    }
}

static void walks_through_deep_trees(void **state) {
    (void)state;
    enum { SIDE = 120 };
    static float height[SIDE * SIDE];
    static uint32_t place[2 * SIDE * SIDE];
    rng r = rng_make(test_seed(), 0);
    abut_mesh *mesh;
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = (float)rng_unit(&r);
    }
    const abut_mesh_grid_def def = {.heights = height, .columns = SIDE, .rows = SIDE, .spacing = {1, 8, 1}};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    assert_true(mesh->levels >= 4);
    for (unsigned long i = 0; i < test_count(40); i++) {
        on_each_isa(mesh, i, place);
    }
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_find_what_touches_the_box),
        cmocka_unit_test(walks_through_deep_trees),
    };
    return test_run(tests);
}
