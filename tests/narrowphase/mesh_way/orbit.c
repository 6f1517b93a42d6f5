/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes that turn on their way: which triangles a shape may meet, against each triangle by itself; and how few. */

#include "narrowphase/mesh/triangle.h"
#include "narrowphase/mesh_way/travel.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

enum { CASES = 400, SIDE = 9, LARGE = 120 };

static abut_mesh *hills(rng *r, uint32_t side) {
    static float height[LARGE * LARGE];
    abut_mesh *mesh = NULL;
    for (uint32_t i = 0; i < side * side; i++) {
        height[i] = (float)rng_range(r, 0, 0.5);
    }
    const abut_mesh_grid_def def = {.heights = height, .columns = side, .rows = side, .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

static abut_pose random_pose_near(rng *r, abut_vec3 off, double extent) {
    const abut_vec3 at = rng_vec3(r, -extent, extent);
    return (abut_pose){{off.x + at.x, off.y + at.y, off.z + at.z}, rng_rotation(r)};
}

static void random_ways(rng *r, const abut_mesh *mesh, const abut_hull *hull, abut_np_way *ground, abut_np_way *way) {
    const float far = rng_chance(r, 0.3) ? (float)rng_log_range(r, 10, 1e6) : 0;
    const abut_vec3 off = rng_vec3(r, -far, far), half = rng_vec3(r, 0, rng_log_range(r, 0.05, 4));
    const abut_collider of_mesh = abut_collider_unplaced(mesh, NULL, (abut_vec3){0, 0, 0}, 0);
    const abut_collider of_shape =
        abut_collider_unplaced(NULL, rng_chance(r, 0.3) ? hull : NULL, half, rng_chance(r, 0.5) ? 0.25f : 0);
    const abut_pose local_pose = random_pose_near(r, (abut_vec3){0, 0, 0}, 3);
    const abut_dpose local = abut_dpose_from(&local_pose);
    const abut_pose from = random_pose_near(r, off, 5), at = random_pose_near(r, off, 6);
    abut_pose to =
        abut_pose_between(&from, &(abut_pose){at.position, rng_rotation(r)}, (float)rng_log_range(r, 1e-3, 1));
    abut_pose end =
        abut_pose_between(&at, &(abut_pose){from.position, rng_rotation(r)}, (float)rng_log_range(r, 1e-3, 1));
    to.position = rng_chance(r, 0.4) ? from.position : to.position;
    end = rng_chance(r, 0.4) ? at : end;
    abut_np_way_of(&of_mesh, rng_chance(r, 0.3) ? &local : NULL, &from, &to, ground);
    abut_np_way_of(&of_shape, rng_chance(r, 0.3) ? &local : NULL, &at, &end, way);
}

static abut_np_bounds bounds_of(const abut_np_triangle *t) {
    abut_np_bounds b;
    for (int i = 0; i < 3; i++) {
        const double x = t->coordinate[i][0], y = t->coordinate[i][1], z = t->coordinate[i][2];
        b.min[i] = abut_min_d(abut_min_d(x, y), z);
        b.max[i] = abut_max_d(abut_max_d(x, y), z);
    }
    return b;
}

static abut_hull *random_hull(rng *r) {
    abut_vec3 point[12];
    abut_hull *hull = NULL;
    for (int i = 0; i < 12; i++) {
        point[i] = rng_vec3(r, -1, 1);
    }
    assert_int_equal(abut_hull_create(point, 12, NULL, &hull), ABUT_OK);
    return hull;
}

/* A shape's farthest points along the axes of the mesh, as the mesh sees them at some time, are in the box of that
 * time. */
static void assert_held(const abut_np_way *ground, const abut_np_way *way, const abut_np_orbit *orbit, double time) {
    const abut_np_way *both[2] = {ground, way};
    const uint32_t at = (uint32_t)(time * orbit->count), last = orbit->count - 1;
    const abut_np_bounds *box = &orbit->box[at < last ? at : last];
    double axes[2][3][3];
    abut_d3 center[2];
    for (int i = 0; i < 2; i++) {
        const abut_dquat frame = abut_turn_at(&both[i]->turn, time);
        double m[3][3];
        abut_dquat_matrix(frame, m);
        abut_dquat_matrix(abut_dquat_multiply(frame, both[i]->turned), axes[i]);
        center[i] = abut_d3_along(abut_d3_sub(both[i]->from, ground->from), time, both[i]->translation);
        center[i] = abut_d3_along(center[i], 1, abut_d3_rotate(m, both[i]->local));
    }
    for (int k = 0; k < 6; k++) {
        const double sign = k < 3 ? 1 : -1;
        const abut_d3 axis = {{sign * axes[0][0][k % 3], sign * axes[0][1][k % 3], sign * axes[0][2][k % 3]}};
        const abut_d3 end = abut_shape_of(&way->shape)->support(&way->shape, abut_d3_unrotate(axes[1], axis));
        const abut_d3 point = abut_d3_along(center[1], 1, abut_d3_rotate(axes[1], end));
        const double along = sign * (abut_d3_dot(axis, abut_d3_sub(point, center[0])) + way->shape.radius);
        assert_true(k < 3 ? along <= box->max[k] : along >= box->min[k - 3]);
    }
}

static void boxes_hold_what_goes_round(void **state) {
    rng first = rng_make(test_seed(), 1);
    abut_mesh *mesh = hills(&first, SIDE);
    abut_hull *hull = random_hull(&first);
    (void)state;
    for (uint64_t k = 0; k < test_count(20 * CASES); k++) {
        rng r = rng_make(test_seed(), k + 1);
        abut_np_way ground, way;
        abut_np_orbit orbit;
        random_ways(&r, mesh, hull, &ground, &way);
        abut_np_orbit_of(&ground, &way, &orbit);
        for (uint32_t i = 0; i <= 2 * orbit.count; i++) { /* the ends of all boxes, and their middles */
            assert_held(&ground, &way, &orbit, 0.5 * i / orbit.count);
            assert_held(&ground, &way, &orbit, rng_unit(&r));
        }
    }
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

static void no_triangle_is_met_before_its_bounds_are(void **state) {
    rng first = rng_make(test_seed(), 0);
    abut_mesh *mesh = hills(&first, SIDE);
    abut_hull *hull = random_hull(&first);
    size_t met_count = 0, spared = 0, all = 0;
    (void)state;
    for (uint64_t k = 0; k < test_count(CASES); k++) {
        rng r = rng_make(test_seed(), k + 1);
        abut_np_way ground, way;
        abut_np_orbit orbit;
        random_ways(&r, mesh, hull, &ground, &way);
        abut_np_orbit_of(&ground, &way, &orbit);
        for (uint32_t part = 0; part < abut_mesh_triangle_count(mesh); part++) {
            abut_np_triangle triangle;
            abut_np_met met;
            abut_np_triangle_make(&ground.shape, part, &triangle);
            const abut_np_bounds bounds = bounds_of(&triangle);
            const double enters = abut_np_orbit_enters(&orbit, &bounds);
            abut_np_way of_part = ground;
            of_part.shape = triangle.collider;
            of_part.reach = abut_d3_length(of_part.local) + triangle.hull.radius;
            all++;
            spared += enters > 1;
            if (abut_np_sweep(&of_part, &way, ABUT_INITIAL_HIT, 0, 1, &met) && met.fraction <= 1) {
                met_count++;
                if (!(enters <= met.fraction)) {
                    print_error("case %lu: triangle %u is met at %a, its bounds at %a\n", (unsigned long)k, part,
                                met.fraction, enters);
                }
                assert_true(enters <= met.fraction);
            }
        }
    }
    print_message("%zu triangles, %zu met, %zu spared\n", all, met_count, spared);
    assert_true(test_count(CASES) < CASES || (20 * met_count > test_count(CASES) && 2 * spared > all));
    abut_hull_destroy(&hull);
    abut_mesh_destroy(&mesh);
}

/* --- how few --- */

static double enters(const abut_np_bounds *bounds, const void *context) {
    return abut_np_orbit_enters(context, bounds);
}

typedef struct tally {
    abut_np_orbit orbit; /* first: the context of both */
    size_t count;
} tally;

static double count(uint32_t part, double limit, void *context) {
    tally *t = context;
    (void)part;
    t->count++;
    return limit;
}

/* A box on a large mesh that turns by little. */
static void few_triangles_are_near_a_body(void **state) {
    rng r = rng_make(0x0b17, 0);
    abut_mesh *mesh = hills(&r, LARGE);
    const abut_collider ground = abut_collider_unplaced(mesh, NULL, (abut_vec3){0, 0, 0}, 0);
    const abut_collider box = abut_collider_unplaced(NULL, NULL, (abut_vec3){0.4f, 0.4f, 0.4f}, 0);
    size_t most = 0;
    (void)state;
    for (int k = 0; k < 200; k++) {
        const abut_pose from = {{0, 0, 0}, {0, 0, 0, 1}}, to = {{0, 0, 0}, {0, 0.005f, 0, 1}};
        const abut_pose at = {{(float)rng_range(&r, 1, LARGE - 2), 0.5f, (float)rng_range(&r, 1, LARGE - 2)},
                              rng_rotation(&r)};
        abut_np_way turning, still;
        abut_np_way_of(&ground, NULL, &from, &to, &turning);
        abut_np_way_of(&box, NULL, &at, &at, &still);
        tally t = {.count = 0};
        abut_np_orbit_of(&turning, &still, &t.orbit);
        const abut_np_descent descent = {mesh, enters, count, &t};
        abut_np_descend(&descent, 1);
        most = t.count > most ? t.count : most;
    }
    print_message("%zu triangles, at most %zu asked\n", abut_mesh_triangle_count(mesh), most);
    assert_true(most <= 48);
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_what_goes_round),
        cmocka_unit_test(no_triangle_is_met_before_its_bounds_are),
        cmocka_unit_test(few_triangles_are_near_a_body),
    };
    return test_run(tests);
}
