/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Axes are names: where x, y and z of a mesh and of a body become y, z and x, no depth changes. All coordinates are the
 * same numbers, only the body's rotation is rounded anew, by a unit in the last place. So what rounding alone decides,
 * on level rods, straight ridges and tips of four sides, would be decided in two ways. */
#include "narrowphase/narrowphase.h"
#include "support/mesh_families.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

enum { POSES = 10, STREAM = 1631 };

static const soup_family families[] = {SOUP_FLAT, SOUP_SLOPE, SOUP_RIDGES, SOUP_STEPS, SOUP_PYRAMID, SOUP_HILLS};

/* 0: they do not touch. */
static float depth_of(const abut_mesh *mesh, const abut_shape *shape, const abut_pose *pose) {
    const abut_shape surface = {.mesh = mesh};
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_collider ground, body;
    abut_manifold manifold;
    assert_true(abut_collider_from_shape_or_mesh(&surface, &here, &ground));
    assert_true(abut_collider_from_shape(shape, pose, &body));
    return abut_np_mesh_collide(&ground, &body, 0, NULL, NULL, &manifold) ? abut_manifold_depth(&manifold) : 0;
}

static abut_vec3 renamed(abut_vec3 v) {
    return (abut_vec3){v.z, v.x, v.y};
}

/* After a third of a turn about (1, 1, 1), whose quaternion has four components of a half. */
static abut_quat renamed_rotation(abut_quat q) {
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    return (abut_quat){(float)((w + x + z - y) / 2), (float)((w + y + x - z) / 2), (float)((w + z + y - x) / 2),
                       (float)((w - x - y - z) / 2)};
}

static abut_shape any_shape(rng *r) {
    const float a = (float)rng_range(r, 0.1, 0.5), b = (float)rng_range(r, 0.1, 0.5), c = (float)rng_range(r, 0.2, 0.6);
    switch (rng_below(r, 5)) {
    case 0:
        return (abut_shape){.half = {a, b, c}};
    case 1:
        return (abut_shape){.half = {c, a / 8, b}};
    case 2:
        return (abut_shape){.half = {0, 0, c}, .radius = a};
    case 3:
        return (abut_shape){.radius = a};
    default:
        return (abut_shape){.half = {a, b, c}, .radius = a / 2};
    }
}

/* Half of them stand upright; near a corner of the mesh, a little in it. */
static abut_pose any_pose(const soup *s, const abut_shape *shape, rng *r) {
    abut_pose pose = {{0, 0, 0}, rng_rotation(r)};
    if (rng_chance(r, 0.5)) {
        const double half_turn = rng_range(r, -3, 3);
        pose.rotation = (abut_quat){0, (float)sin(half_turn), 0, (float)cos(half_turn)};
    }
    const abut_vec3 at = s->vertex[rng_below(r, s->vertex_count)], away = rng_vec3(r, -0.5, 0.5);
    const float low = abut_shape_bounds(shape, &pose).min.y;
    pose.position = (abut_vec3){at.x + away.x, at.y - low - (float)rng_range(r, 0, 0.15), at.z + away.z};
    return pose;
}

static void axes_are_names(void **state) {
    (void)state;
    static soup s;
    const uint64_t rounds = test_count(4000);
    uint64_t touching = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        rng r = rng_make(test_seed() + STREAM, i);
        soup_make(test_seed() + STREAM, i, families[i % (sizeof families / sizeof *families)], &s);
        abut_mesh *mesh = soup_mesh(&s);
        abut_shape shape[POSES];
        abut_pose pose[POSES];
        for (int k = 0; k < POSES; k++) {
            shape[k] = any_shape(&r);
            pose[k] = any_pose(&s, &shape[k], &r);
        }
        for (uint32_t k = 0; k < s.vertex_count; k++) {
            s.vertex[k] = renamed(s.vertex[k]);
        }
        abut_mesh *other = soup_mesh(&s);
        for (int k = 0; k < POSES; k++) {
            const abut_pose at = {renamed(pose[k].position), renamed_rotation(pose[k].rotation)};
            const float deep = depth_of(mesh, &shape[k], &pose[k]);
            assert_true(fabsf(depth_of(other, &shape[k], &at) - deep) <= 1e-5F + 1e-4F * deep);
            touching += deep > 0;
        }
        abut_mesh_destroy(&mesh);
        abut_mesh_destroy(&other);
    }
    assert_true(touching > rounds * POSES / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(axes_are_names)};
    return test_run(tests);
}
