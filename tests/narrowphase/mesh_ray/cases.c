/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rays at meshes whose answers are known. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, CORNERS = SIDE * SIDE };

/* A floor at y = 0 with corners at whole numbers from 0 on, and its front up; `rough`: heights up to that. */
static abut_mesh *make_floor(uint32_t side, double rough, bool two_sided, size_t ghosts) {
    static abut_vec3 vertex[CORNERS];
    static uint32_t index[6 * CORNERS];
    abut_mesh *mesh = NULL;
    size_t n = 0;
    rng r = rng_make(test_seed(), side);
    for (uint32_t k = 0; k < side * side; k++) {
        vertex[k] = (abut_vec3){(float)(k % side), (float)rng_range(&r, 0, rough), (float)(k / side)};
    }
    for (uint32_t j = 0; j + 1 < side; j++) {
        for (uint32_t i = 0; i + 1 < side; i++) {
            uint32_t a = j * side + i, b = a + side;
            const uint32_t two[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(index + n, two, sizeof two);
            n += 6;
        }
    }
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = side * side,
                               .indices = index,
                               .triangle_count = n / 3,
                               .ghost_count = ghosts,
                               .two_sided = two_sided};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static bool cast(const abut_mesh *mesh, const abut_pose *pose, abut_vec3 origin, abut_vec3 translation, abut_hit *hit) {
    const abut_shape shape = {.mesh = mesh};
    const abut_pose upright = {.rotation = {0, 0, 0, 1}};
    const abut_ray ray = {.origin = origin, .translation = translation};
    memset(hit, 0x5a, sizeof *hit);
    return abut_shape_cast_ray(&shape, pose ? pose : &upright, &ray, hit);
}

/* Never later, and at most the 2^22nd part of it and e earlier. */
static bool is_just_before(float fraction, double truth) {
    return fraction <= truth && fraction >= truth * (1 - 0x1p-22);
}

static void only_fronts_are_met(void **state) {
    (void)state;
    abut_hit hit;
    for (int two_sided = 0; two_sided < 2; two_sided++) {
        abut_mesh *mesh = make_floor(2, 0, two_sided, 0);
        assert_true(cast(mesh, NULL, (abut_vec3){0.25f, 1, 0.25f}, (abut_vec3){0, -2, 0}, &hit));
        assert_true(is_just_before(hit.fraction, 0.5) && hit.normal.y == 1 && hit.part == 0 && hit.position.y < 1e-6f);
        assert_true(hit.body.index1 == 0 && hit.user == 0 && hit.mover.index1 == 0);
        assert_true(cast(mesh, NULL, (abut_vec3){0.75f, 1, 0.75f}, (abut_vec3){0, -2, 0}, &hit) && hit.part == 1);
        assert_int_equal(cast(mesh, NULL, (abut_vec3){0.75f, -1, 0.75f}, (abut_vec3){0, 2, 0}, &hit), two_sided);
        assert_true(!two_sided || (hit.normal.y == -1 && hit.part == 1));
        /* Beside it, over it, and along it. */
        assert_false(cast(mesh, NULL, (abut_vec3){1.25f, 1, 0.25f}, (abut_vec3){0, -2, 0}, &hit));
        assert_false(cast(mesh, NULL, (abut_vec3){0.25f, 3, 0.25f}, (abut_vec3){0, -2, 0}, &hit));
        assert_false(cast(mesh, NULL, (abut_vec3){-1, 0, 0.25f}, (abut_vec3){3, 0, 0.1f}, &hit));
        assert_false(cast(mesh, NULL, (abut_vec3){0, 0, 0}, (abut_vec3){1, 0, 1}, &hit));
        /* As points. */
        assert_false(cast(mesh, NULL, (abut_vec3){0.25f, 0, 0.25f}, (abut_vec3){0, -0.0f, 0}, &hit));
        abut_mesh_destroy(&mesh);
    }
}

static void a_surface_at_the_start_is_met_as_any_other(void **state) {
    (void)state;
    abut_hit hit;
    abut_mesh *mesh = make_floor(3, 0, false, 0);
    const abut_vec3 spots[4] = {{0.25f, 0, 0.5f}, {1, 0, 1}, {0.5f, 0, 0.5f}, {0, 0, 0}};
    for (int k = 0; k < 4; k++) {
        assert_true(cast(mesh, NULL, spots[k], (abut_vec3){0.5f, -3, 0.25f}, &hit));
        assert_true(hit.fraction == 0 && hit.normal.x == 0 && hit.normal.y == 1 && hit.normal.z == 0);
        assert_false(cast(mesh, NULL, spots[k], (abut_vec3){0.5f, 3, 0.25f}, &hit));
        const abut_vec3 above = {spots[k].x, 3, spots[k].z};
        assert_true(cast(mesh, NULL, above, (abut_vec3){0, -3, 0}, &hit) && is_just_before(hit.fraction, 1));
    }
    abut_mesh_destroy(&mesh);
}

static void one_of_those_around_a_vertex_is_met(void **state) {
    (void)state;
    abut_hit hit;
    abut_mesh *mesh = make_floor(3, 0, false, 0);
    assert_true(cast(mesh, NULL, (abut_vec3){1, 2, 1}, (abut_vec3){0, -4, 0}, &hit));
    assert_true(hit.part >= 1 && hit.part <= 6 && is_just_before(hit.fraction, 0.5) && hit.normal.y == 1);
    abut_mesh_destroy(&mesh);
}

static void ghosts_are_not_met(void **state) {
    (void)state;
    abut_hit hit;
    abut_mesh *mesh = make_floor(2, 0, false, 1);
    assert_true(cast(mesh, NULL, (abut_vec3){0.25f, 1, 0.25f}, (abut_vec3){0, -2, 0}, &hit));
    assert_false(cast(mesh, NULL, (abut_vec3){0.75f, 1, 0.75f}, (abut_vec3){0, -2, 0}, &hit));
    abut_mesh_destroy(&mesh);
}

static void invalid_questions_leave_the_hit_alone(void **state) {
    (void)state;
    abut_hit hit, same;
    abut_mesh *mesh = make_floor(2, 0, false, 0);
    memset(&same, 0x5a, sizeof same);
    assert_false(cast(mesh, NULL, (abut_vec3){NAN, 1, 0.25f}, (abut_vec3){0, -2, 0}, &hit));
    assert_memory_equal(&hit, &same, sizeof hit);
    assert_false(cast(mesh, NULL, (abut_vec3){0.25f, 2e9f, 0.25f}, (abut_vec3){0, -3e9f, 0}, &hit));
    assert_memory_equal(&hit, &same, sizeof hit);
    const abut_shape both = {.mesh = mesh, .radius = 1};
    const abut_pose pose = {.rotation = {0, 0, 0, 1}};
    const abut_ray ray = {.origin = {0.25f, 1, 0.25f}, .translation = {0, -2, 0}};
    assert_false(abut_shape_cast_ray(&both, &pose, &ray, &hit));
    abut_mesh_destroy(&mesh);
}

/* Turned about z alone: the floor becomes a wall that faces -x, which a ray along it does not meet. */
static void a_wall_is_met_from_its_front(void **state) {
    (void)state;
    const abut_pose wall = {{3, 0, 0}, {0, 0, 1, 1}};
    abut_mesh *mesh = make_floor(2, 0, true, 0);
    abut_hit hit;
    assert_true(cast(mesh, &wall, (abut_vec3){2, 0.25f, 0.25f}, (abut_vec3){4, 0, 0}, &hit));
    assert_true(is_just_before(hit.fraction, 0.25) && hit.part == 0);
    assert_true(hit.normal.x == -1 && hit.normal.y == 0 && hit.normal.z == 0);
    assert_true(cast(mesh, &wall, (abut_vec3){4, 0.75f, 0.75f}, (abut_vec3){-4, 0, 0}, &hit));
    assert_true(is_just_before(hit.fraction, 0.25) && hit.part == 1 && hit.normal.x == 1);
    assert_false(cast(mesh, &wall, (abut_vec3){2, -0.25f, 0.25f}, (abut_vec3){4, 0, 0}, &hit));
    assert_false(cast(mesh, &wall, (abut_vec3){3, -1, 0.25f}, (abut_vec3){0, 3, 0.1f}, &hit));
    assert_false(cast(mesh, &wall, (abut_vec3){3, 0.25f, 0.25f}, (abut_vec3){0, 0.5f, 0.25f}, &hit));
    abut_mesh_destroy(&mesh);
}

static double count_it(uint32_t part, double measure, void *context) {
    (void)part;
    (void)measure;
    ++*(uint32_t *)context;
    return 1;
}

/* A limit below 0, or none at all, lets nothing be met. */
static void nothing_is_before_the_start(void **state) {
    (void)state;
    static const double limits[] = {1, 0.5, 0.25, 0, -0x1p-60, -1, -INFINITY, NAN};
    abut_mesh *mesh = make_floor(2, 0, false, 0);
    const abut_shape shape = {.mesh = mesh};
    const abut_pose here = {.rotation = {0, 0, 0, 1}};
    const abut_ray down = {.origin = {0.25f, 1, 0.25f}, .translation = {0, -2, 0}};
    const abut_np_ray ray = abut_np_ray_of(&down);
    abut_collider collider;
    assert_true(abut_collider_from_shape_or_mesh(&shape, &here, &collider));
    for (int k = 0; k < 8; k++) {
        abut_np_mesh_flight flight;
        abut_vec3 normal;
        uint32_t part, count = 0;
        bool meets = k < 2, begins = k < 4;
        abut_np_mesh_ray(&ray, &collider, limits[k], count_it, &count);
        assert_int_equal(count, meets);
        assert_true((abut_np_mesh_ray_first(&ray, &collider, limits[k], &part, &normal) <= 1) == meets);
        assert_true(abut_np_mesh_first_begin(&ray, &collider, limits[k], &flight) == begins);
    }
    abut_mesh_destroy(&mesh);
}

/* A point of the floor that lies on an edge or a vertex, to within rounding, in the world. */
static void seam(const abut_mesh *mesh, const abut_collider *collider, rng *r, abut_vec3 *out) {
    abut_vec3 v[3];
    uint32_t part;
    double m[3][3], share = rng_chance(r, 0.4) ? 1 : rng_unit(r);
    do { /* inside of the border */
        part = rng_below(r, (uint32_t)abut_mesh_triangle_count(mesh));
        assert_true(abut_mesh_triangle(mesh, part, v));
    } while (v[0].x < 2 || v[0].z < 2 || v[0].x > SIDE - 3 || v[0].z > SIDE - 3);
    uint32_t k = rng_below(r, 3);
    const abut_d3 a = abut_d3_from(v[k]), b = abut_d3_from(v[(k + 1) % 3]);
    abut_dquat_matrix(abut_dquat_from(collider->rotation), m);
    const abut_d3 on = abut_d3_along(a, 1 - share, abut_d3_sub(b, a));
    *out = abut_vec3_round(abut_d3_along(abut_d3_from(collider->center), 1, abut_d3_rotate(m, on)));
}

/* Steeper than the ground is anywhere, so what passes from above to below must meet it. */
static void nothing_passes_between_triangles(void **state) {
    (void)state;
    abut_mesh *mesh = make_floor(SIDE, 0.5, false, 0);
    for (unsigned long i = 0; i < test_count(40000); i++) {
        rng r = rng_make(test_seed() + 1, i);
        abut_pose pose = {.rotation = {0, 0, 0, 1}};
        if (rng_chance(&r, 0.7)) {
            pose.position = rng_vec3(&r, -100, 100);
            pose.rotation = rng_rotation(&r);
        }
        const abut_shape shape = {.mesh = mesh};
        abut_collider collider;
        abut_hit hit;
        abut_vec3 at;
        double m[3][3], far = rng_log_range(&r, 1, 50), wide = rng_chance(&r, 0.3) ? 0 : 0.3;
        assert_true(abut_collider_from_shape_or_mesh(&shape, &pose, &collider));
        abut_dquat_matrix(abut_dquat_from(collider.rotation), m);
        seam(mesh, &collider, &r, &at);
        const abut_d3 down = {{rng_range(&r, -wide, wide), -1, rng_range(&r, -wide, wide)}};
        const abut_d3 way = abut_d3_rotate(m, down);
        const abut_vec3 from = abut_vec3_round(abut_d3_along(abut_d3_from(at), -far, way));
        const abut_vec3 on = {(at.x - from.x) * 2, (at.y - from.y) * 2, (at.z - from.z) * 2};
        if (!cast(mesh, &pose, from, on, &hit)) {
            print_error("ray %lu passes\n", i);
            fail();
        }
        assert_true(fabs(hit.fraction - 0.5) < 1e-4);
    }
    abut_mesh_destroy(&mesh);
}

/* A ray that double cannot tell from one along the triangle: one product of floats alone shows that it comes from the
 * front, or from the back. */
static void a_single_product_shows_the_front(void **state) {
    (void)state;
    const float tiny[2] = {0x1p-60f, -0x1p-60f};
    for (int k = 0; k < 8; k++) { /* in turn, x, y and z are the axis along which it flies */
        const int i = k % 3, j = (i + 1) % 3, l = (i + 2) % 3;
        const float rise = tiny[k / 4];
        abut_vec3 corner[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, from = {0, 0, 0}, way = {0, 0, 0};
        *(&corner[0].x + j) = 1;
        *(&corner[1].x + i) = 1;
        *(&corner[1].x + l) = rise;
        *(&from.x + i) = k & 1 ? 2.0f : -1.0f;
        *(&from.x + j) = 0.25f;
        *(&from.x + l) = rise / 4;
        *(&way.x + i) = k & 1 ? -3.0f : 3.0f;
        const uint32_t index[3] = {0, 1, 2};
        const abut_mesh_def def = {.vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1};
        abut_mesh *mesh = NULL;
        abut_hit hit;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        /* Seen from +l the corners run clockwise: the front looks to -l, and along i as the triangle rises. */
        bool to_front = (rise > 0) == (k & 1);
        assert_int_equal(cast(mesh, NULL, from, way, &hit), to_front);
        assert_true(!to_front || (hit.fraction >= 0.333f && hit.fraction <= 0.751f));
        abut_mesh_destroy(&mesh);
    }
}

/* A wall through the origin of the world whose mesh lies far away from it: what doubles lose of the way from the mesh
 * to the ray's origin does not put it behind the wall, or far off. */
static void far_meshes_are_met_to_the_last_bit(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const float far = 0x1p+27f;
        abut_vec3 corner[3], from = {-0.25f, -0.25f, -0.25f}, way = {0, 0, 0};
        abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        for (int k = 0; k < 3; k++) {
            corner[k] = (abut_vec3){k == 1 ? 1 : -1, k == 1 ? 1 : -1, k == 1 ? 1 : -1};
            *(&corner[k].x + (i + 2) % 3) = k == 2 ? 1 : -1;
            *(&corner[k].x + i) = -far;
        }
        *(&pose.position.x + i) = far;
        *(&from.x + i) = 0x1.4p-25f;
        *(&way.x + i) = -0x1.4p-24f;
        const uint32_t index[3] = {0, 1, 2};
        const abut_mesh_def def = {
            .vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1, .two_sided = true};
        abut_mesh *mesh = NULL;
        abut_hit hit;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        assert_true(cast(mesh, &pose, from, way, &hit) && hit.fraction <= 0.5f && hit.fraction > 0.4999f);
        abut_mesh_destroy(&mesh);
    }
}

/* In the frame of a mesh that is turned a way may be longer than the largest float. */
static void the_longest_ways_meet_what_is_on_them(void **state) {
    (void)state;
    abut_mesh *mesh = make_floor(2, 0, false, 0);
    const double middle = sqrt(0.5);
    const abut_pose turned = {.rotation = {0, 0, 0.38268343f, 0.92387953f}}; /* its normal is (-1, 1, 0) */
    const float far = (float)(0.25 * middle + middle), near = (float)(0.25 * middle - middle);
    abut_hit hit;
    assert_true(cast(mesh, &turned, (abut_vec3){near, far, 0.25f}, (abut_vec3){FLT_MAX, -FLT_MAX, 0}, &hit));
    assert_true(hit.fraction <= 1 / (sqrt(2) * (double)FLT_MAX) && hit.normal.y > 0.7f && hit.part == 0);
    assert_true(fabs(hit.position.x - 0.25 * middle) < 1e-6 && fabs(hit.position.y - 0.25 * middle) < 1e-6);
    assert_false(cast(mesh, &turned, (abut_vec3){far, near, 0.25f}, (abut_vec3){FLT_MAX, -FLT_MAX, 0}, &hit));
    assert_false(cast(mesh, &turned, (abut_vec3){near, far, 0.25f}, (abut_vec3){-FLT_MAX, FLT_MAX, 0}, &hit));
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_fronts_are_met),
        cmocka_unit_test(a_surface_at_the_start_is_met_as_any_other),
        cmocka_unit_test(one_of_those_around_a_vertex_is_met),
        cmocka_unit_test(ghosts_are_not_met),
        cmocka_unit_test(invalid_questions_leave_the_hit_alone),
        cmocka_unit_test(a_wall_is_met_from_its_front),
        cmocka_unit_test(nothing_is_before_the_start),
        cmocka_unit_test(nothing_passes_between_triangles),
        cmocka_unit_test(a_single_product_shows_the_front),
        cmocka_unit_test(the_longest_ways_meet_what_is_on_them),
        cmocka_unit_test(far_meshes_are_met_to_the_last_bit),
    };
    return test_run(tests);
}
