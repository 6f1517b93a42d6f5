/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is apart from a mesh at the start of its sweep, and turns onto it, is hit where it first touches: with CLOSING
 * as with HIT, bit for bit, whatever the allowance, although one end of it may lie under the plane of what it meets. */

#include "support/test.h"
#include "world/grounds.h"
#include <math.h>
#include <string.h>

static abut_quat turned_by(double angle) {
    return (abut_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
}

static abut_hit sweep(abut_world *world, abut_body_id body, const abut_pose *to, abut_initial initial,
                      float allowance) {
    const abut_query query = {.initial = initial, .allowance = allowance};
    abut_hit hit;
    assert_int_equal(abut_world_sweep(world, &body, to, 1, &query, &hit), ABUT_OK);
    return hit;
}

static const float allowances[4] = {0, 0.001f, 0.02f, 0.3f};

/* Returns how often something was met. */
static size_t check_apart(abut_world *world, abut_body_id body, const abut_pose *to, uint64_t i, unsigned k) {
    const abut_hit truth = sweep(world, body, to, ABUT_INITIAL_HIT, 0);
    for (int j = 0; j < 4; j++) {
        const abut_hit hit = sweep(world, body, to, ABUT_INITIAL_CLOSING, allowances[j]);
        check_case(memcmp(&hit, &truth, sizeof hit) == 0, "apart at the start", i, k);
    }
    return truth.body.index1 > 0;
}

/* A plank whose middle is beyond the border of a flat floor turns down onto it. */
static void plank_over_a_border(void **state) {
    (void)state;
    const float heights[9] = {0};
    const abut_mesh_grid_def grid = {.heights = heights, .columns = 3, .rows = 3, .spacing = {2, 1, 2}};
    abut_mesh *mesh;
    abut_world *world = make_world(NULL);
    assert_int_equal(abut_mesh_create_grid(&grid, &mesh), ABUT_OK);
    (void)add_ground(world, mesh, 0, 0, 0);
    for (unsigned k = 1; k <= 40; k++) {
        const float height = 0.0005f * (float)k;
        const abut_body_def def = {.half = {2, 0, 0.1f}, .pose = {{-0.5f, height, 2}, turned_by(0.6)}};
        const abut_pose to = {{-0.5f, height, 2}, turned_by(-0.5)};
        const abut_body_id body = add_body(world, &def);
        assert_int_equal(check_apart(world, body, &to, 0, k), 1);
        /* where the plank, from its middle, reaches the border */
        const double truth = (0.6 - asin(-(double)height / 2)) / 1.1;
        const abut_hit hit = sweep(world, body, &to, ABUT_INITIAL_CLOSING, 0);
        assert_true(hit.fraction <= truth + 1e-6 && hit.fraction > truth - 1e-4);
        assert_int_equal(abut_body_destroy(world, body), ABUT_OK);
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* A bar swings about its end onto the ridge of a roof: its underside is level at 20 / 21 of the way. */
static void bar_onto_a_ridge(void **state) {
    (void)state;
    const abut_vec3 vertex[6] = {{0, -1, 0}, {0, -1, 4}, {1, 0, 0}, {1, 0, 4}, {2, -1, 0}, {2, -1, 4}};
    const abut_mesh_def roof = {.vertices = vertex,
                                .vertex_count = 6,
                                .indices = (uint32_t[]){0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5},
                                .triangle_count = 4};
    const abut_body_def def = {
        .half = {2, 0.1f, 0.1f}, .box = {{1.9f, 0, 0}, {0, 0, 0, 1}}, .pose = {{-1, 0.1f, 2}, turned_by(1)}};
    const abut_pose to = {{-1, 0.1f, 2}, turned_by(-0.05)};
    abut_mesh *mesh;
    abut_world *world = make_world(NULL);
    assert_int_equal(abut_mesh_create(&roof, &mesh), ABUT_OK);
    (void)add_ground(world, mesh, 0, 0, 0);
    const abut_body_id body = add_body(world, &def);
    assert_int_equal(check_apart(world, body, &to, 0, 0), 1);
    const abut_hit hit = sweep(world, body, &to, ABUT_INITIAL_CLOSING, 0.3f);
    assert_true(hit.fraction <= 20.0f / 21 && hit.fraction > 20.0f / 21 - 1e-5f);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* The surface of a box. */
static abut_mesh *make_box(rng *r) {
    static const uint32_t side[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    const float half[3] = {(float)rng_range(r, 0.3, 1.5), (float)rng_range(r, 0.3, 1.5), (float)rng_range(r, 0.3, 1.5)};
    abut_vec3 vertex[8];
    abut_mesh *mesh;
    for (int i = 0; i < 8; i++) {
        vertex[i] = (abut_vec3){i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]};
    }
    const abut_mesh_def def = {.vertices = vertex, .vertex_count = 8, .indices = side, .triangle_count = 12};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static bool is_apart(abut_world *world, abut_body_id body, const abut_mesh *mesh) {
    const abut_shape ground = {.mesh = mesh};
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_shape shape;
    abut_pose at;
    assert_int_equal(abut_body_get_shape(world, body, &shape, &at), ABUT_OK);
    return abut_shape_distance(&shape, &at, &ground, &here, NULL, NULL) > 0.02f;
}

/* Bars that turn about a place near their end. */
static void hinged_bars(void **state) {
    (void)state;
    size_t met = 0, ways = test_count(2000);
    for (unsigned k = 0; k < ways; k++) {
        rng r = rng_make(test_seed(), k);
        const float length = (float)rng_range(&r, 0.5, 2.5);
        abut_mesh *mesh = make_box(&r);
        abut_world *world = make_world(NULL);
        abut_body_def def = {.half = {length, (float)rng_range(&r, 0.02, 0.4), (float)rng_range(&r, 0.02, 0.4)}};
        def.box = (abut_pose){{length * (float)rng_range(&r, 0.5, 1), 0, 0}, {0, 0, 0, 1}};
        def.pose = (abut_pose){rng_vec3(&r, -2.5, 2.5), rng_rotation(&r)};
        (void)add_ground(world, mesh, 0, 0, 0);
        const abut_body_id body = add_body(world, &def);
        if (is_apart(world, body, mesh)) {
            abut_pose to = def.pose;
            to.rotation = rng_rotation(&r);
            met += check_apart(world, body, &to, 1, k);
        }
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
    assert_true(met > ways / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plank_over_a_border),
        cmocka_unit_test(bar_onto_a_ridge),
        cmocka_unit_test(hinged_bars),
    };
    return test_run(tests);
}
