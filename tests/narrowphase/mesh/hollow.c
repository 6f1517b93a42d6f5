/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies deep in steep and hollow places: what is deepest of all triangles is shown, though its normal was corrected
 * and a neighbour, which is less deep, touches the body better; what has a radius is parted by its depth; and points
 * lie on the body. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

enum { MOST = 8 };

/* Triangles around the origin, steep up and down. Mesh k has all of them as ghosts but triangle k; the last has all. */
typedef struct place {
    abut_mesh *mesh[MOST + 1];
    abut_body_id body[MOST + 1];
    uint32_t triangles;
} place;

static void make_place(rng *r, abut_world *const world[MOST + 1], place *p) {
    abut_vec3 vertex[MOST + 1] = {{0, 0, 0}};
    const uint32_t n = p->triangles = 4 + rng_below(r, MOST - 3);
    for (uint32_t i = 0; i < n; i++) {
        const double turn = -6.283185307 * (i + rng_range(r, 0, 0.6)) / n, far = rng_range(r, 0.5, 2);
        vertex[1 + i] = (abut_vec3){(float)(far * cos(turn)), (float)rng_range(r, -1, 2), (float)(far * sin(turn))};
    }
    for (uint32_t k = 0; k <= n; k++) {
        uint32_t index[3 * MOST];
        for (uint32_t i = 0; i < n; i++) { /* from k on, which comes first */
            const uint32_t t = (i + k) % n;
            index[3 * i] = 0, index[3 * i + 1] = 1 + t, index[3 * i + 2] = 1 + (t + 1) % n;
        }
        const abut_mesh_def def = {.vertices = vertex,
                                   .vertex_count = n + 1,
                                   .indices = index,
                                   .triangle_count = n,
                                   .ghost_count = k < n ? n - 1 : 0};
        assert_int_equal(abut_mesh_create(&def, &p->mesh[k]), ABUT_OK);
        const abut_body_def body = {.mesh = p->mesh[k], .motion = ABUT_STATIC};
        assert_int_equal(abut_body_create(world[k], &body, &p->body[k]), ABUT_OK);
    }
}

static void release_place(abut_world *const world[MOST + 1], place *p) {
    for (uint32_t k = 0; k <= p->triangles; k++) {
        assert_int_equal(abut_body_destroy(world[k], p->body[k]), ABUT_OK);
        assert_int_equal(abut_world_step(world[k], NULL, NULL), ABUT_OK);
        abut_mesh_destroy(&p->mesh[k]);
    }
}

/* Asks about ten bodies at each of many places. The worlds hold one triangle each, with the others as ghosts; the one
 * after them holds all. */
typedef bool ask(rng *r, abut_world *const world[], uint32_t triangles, unsigned long *touched);

static void ask_everywhere(ask *about) {
    abut_world *world[MOST + 1];
    unsigned long touched = 0, bodies = 0;
    for (int k = 0; k <= MOST; k++) {
        assert_int_equal(abut_world_create(NULL, &world[k]), ABUT_OK);
    }
    for (uint64_t i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        place p;
        make_place(&r, world, &p);
        for (int b = 0; b < 10; b++) {
            unsigned long found = 0;
            if (!about(&r, world, p.triangles, &found)) {
                fail_msg("place %llu, body %d", (unsigned long long)i, b);
            }
            bodies++;
            touched += found > 0;
        }
        release_place(world, &p);
    }
    for (int k = 0; k <= MOST; k++) {
        abut_world_destroy(&world[k]);
    }
    assert_true(touched > bodies / 3);
}

static double deepest_in(const abut_world *world, const abut_shape *shape, const abut_pose *pose) {
    abut_touching touching[MOST];
    const size_t n = abut_world_collide(world, shape, pose, 0, NULL, touching, MOST);
    double deepest = -INFINITY;
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        deepest = fmax(deepest, (double)abut_manifold_depth(&touching[i].manifold));
    }
    return deepest;
}

static bool shows_the_deepest(rng *r, abut_world *const world[], uint32_t triangles, unsigned long *touched) {
    abut_shape shape = abut_sphere((float)rng_range(r, 0.2, 1));
    if (rng_chance(r, 0.3)) {
        shape.half.x = (float)rng_range(r, 0.1, 0.5);
    }
    const abut_pose pose = {rng_vec3(r, -0.5, 0.8), rng_rotation(r)};
    double deepest = -INFINITY;
    for (uint32_t k = 0; k < triangles; k++) {
        deepest = fmax(deepest, deepest_in(world[k], &shape, &pose));
    }
    *touched += deepest > -INFINITY;
    return deepest_in(world[triangles], &shape, &pose) >= deepest - 1e-4;
}

static void the_deepest_of_all_is_shown(void **state) {
    (void)state;
    ask_everywhere(shows_the_deepest);
}

/* Whether a body with a radius, whose core overlaps triangle k, is parted from it by its depth along the normal. */
static bool is_parted(const abut_world *world, const abut_shape *shape, const abut_pose *pose, unsigned long *touched) {
    abut_touching touching;
    abut_shape core = *shape;
    abut_pose moved = *pose;
    core.radius = 0;
    if (abut_world_collide(world, &core, pose, 0, NULL, &touching, 1) == 0) {
        return true;
    }
    ++*touched;
    assert_int_equal(abut_world_collide(world, shape, pose, 0, NULL, &touching, 1), 1);
    const abut_vec3 n = touching.manifold.normal;
    const float way = abut_manifold_depth(&touching.manifold) + 1e-4f;
    moved.position.x += way * n.x, moved.position.y += way * n.y, moved.position.z += way * n.z;
    return abut_world_collide(world, shape, &moved, 0, NULL, &touching, 1) == 0;
}

static bool parts_rounded_ones(rng *r, abut_world *const world[], uint32_t triangles, unsigned long *touched) {
    abut_shape shape =
        abut_box((float)rng_range(r, 0.1, 0.8), (float)rng_range(r, 0.1, 0.8), (float)rng_range(r, 0.1, 0.8));
    bool parted = true;
    shape.radius = (float)rng_range(r, 0.05, 0.4);
    const abut_pose pose = {rng_vec3(r, -0.5, 1), rng_rotation(r)};
    for (uint32_t k = 0; k < triangles; k++) {
        parted = parted && is_parted(world[k], &shape, &pose, touched);
    }
    return parted;
}

/* Also where the normal of their face gives way to the nearest one that is allowed. */
static void rounded_bodies_are_parted(void **state) {
    (void)state;
    ask_everywhere(parts_rounded_ones);
}

static double from_box(const abut_shape *box, const abut_pose *pose, const double at[3]) {
    double square = 0, v[3];
    const double q[4] = {-(double)pose->rotation.x, -(double)pose->rotation.y, -(double)pose->rotation.z,
                         (double)pose->rotation.w};
    for (int k = 0; k < 3; k++) {
        v[k] = at[k] - (double)(&pose->position.x)[k];
    }
    for (int k = 0; k < 3; k++) { /* v + 2 q x (q x v + w v) */
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double a = q[k] * v[i] - q[i] * v[k] + q[3] * v[j], b = q[j] * v[k] - q[k] * v[j] + q[3] * v[i];
        const double x = v[k] + 2 * (q[i] * a - q[j] * b), beyond = fmax(0, fabs(x) - (double)(&box->half.x)[k]);
        square += beyond * beyond;
    }
    return sqrt(square);
}

/* Whether the points of a body's surface, which lie across the triangle's along the normal, are near it: where the
 * normal of a face gives way by up to 18.2 degrees they are in the plane of that face, but may be beside it. */
static bool has_its_points(const abut_world *world, const abut_shape *box, const abut_pose *pose,
                           unsigned long *touched) {
    abut_touching touching;
    bool near = true;
    if (abut_world_collide(world, box, pose, 0, NULL, &touching, 1) == 0) {
        return true;
    }
    ++*touched;
    const abut_manifold *m = &touching.manifold;
    for (uint32_t i = 0; i < m->count; i++) {
        const double depth = -(double)m->points[i].separation;
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = (double)(&m->points[i].position.x)[k] - (double)(&m->normal.x)[k] * depth / 2;
        }
        near = near && from_box(box, pose, at) <= 0.3123 * depth + 1e-4;
    }
    return near;
}

static bool shows_points_of_boxes(rng *r, abut_world *const world[], uint32_t triangles, unsigned long *touched) {
    const abut_shape shape =
        abut_box((float)rng_range(r, 0.05, 0.8), (float)rng_range(r, 0.05, 0.8), (float)rng_range(r, 0.05, 0.8));
    const abut_pose pose = {rng_vec3(r, -0.5, 1), rng_rotation(r)};
    bool near = true;
    for (uint32_t k = 0; k < triangles; k++) {
        near = near && has_its_points(world[k], &shape, &pose, touched);
    }
    return near;
}

/* Also where edges do not cross within both. */
static void points_are_on_the_body(void **state) {
    (void)state;
    ask_everywhere(shows_points_of_boxes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_deepest_of_all_is_shown),
        cmocka_unit_test(rounded_bodies_are_parted),
        cmocka_unit_test(points_are_on_the_body),
    };
    return test_run(tests);
}
