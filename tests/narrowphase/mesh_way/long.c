/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Long shapes and plates that are parallel to no axis: the triangle that is nearest to one, or that one meets first, is
 * the one that all triangles together name, and few of them are measured. Of the box around such a shape most is empty.
 */

#include "narrowphase/narrowphase.h"
#include "world/grounds.h"

static uint32_t measured;

static void distance_many_counted(const abut_collider *a, const abut_collider *b, const uint32_t *index, size_t n,
                                  double limit, double *distance) {
    measured += (uint32_t)n;
    abut_np_distance_many(a, b, index, n, limit, distance);
}

static void cast_many_counted(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                              double limit, double *fraction) {
    measured += (uint32_t)n;
    abut_np_cast_many(cast, collider, index, n, limit, fraction);
}

#define abut_np_distance_many distance_many_counted
#define abut_np_cast_many cast_many_counted
#define question near_question
#include "narrowphase/mesh_way/near.c"
#undef question
#include "narrowphase/mesh_way/cast.c"
#undef abut_np_distance_many
#undef abut_np_cast_many

enum { CELLS = 48, PARTS = 2 * CELLS * CELLS, POSES = 8, MEASURED = 512 };

typedef struct first {
    double measure;
    uint32_t part;
} first;

static double hear(uint32_t part, double measure, void *context) {
    first *f = context;
    measure = measure > 0 ? measure : 0; /* less stands for what touches at the start */
    if (measure < f->measure || (measure == f->measure && part < f->part)) {
        *f = (first){measure, part};
    }
    return f->measure;
}

/* Both questions, put to the mesh, or to each triangle by itself. */
static first nearest(const abut_collider *mesh, const abut_collider *shape, bool alone) {
    first f = {INFINITY, PARTS};
    near_question q = {.mesh = mesh, .convex = shape, .visit = hear, .context = &f};
    for (uint32_t part = 0; part < PARTS && alone; part++) {
        (void)measure_triangle(part, INFINITY, &q);
    }
    if (!alone) {
        abut_np_mesh_near(mesh, shape, INFINITY, hear, &f);
    }
    return f;
}

static first met(const abut_collider *mesh, const abut_collider *shape, bool alone) {
    const abut_np_cast cast = abut_np_cast_of(shape, (abut_vec3){3, -20, 2});
    first f = {INFINITY, PARTS};
    abut_np_seat seat;
    question q;
    question_of(&cast, mesh, &seat, &q);
    q.visit = hear, q.context = &f;
    for (uint32_t part = 0; part < PARTS && alone; part++) {
        (void)meet(part, 1, &q);
    }
    if (!alone) {
        abut_np_mesh_cast(&cast, mesh, 1, hear, &f);
    }
    return f;
}

static float about(rng *r, double most) {
    return (float)rng_range(r, -most, most);
}

/* A hull as long as a pole, whose frame is turned against it and begins beside it. */
static abut_hull *make_splinter(rng *r) {
    abut_vec3 point[24];
    abut_hull *hull;
    for (int k = 0; k < 24; k++) {
        const float along = about(r, 20);
        point[k] = (abut_vec3){along + about(r, 0.2), 0.5f * along + about(r, 0.2) + 3, about(r, 0.2)};
    }
    assert_int_equal(abut_hull_create(point, 24, NULL, &hull), ABUT_OK);
    return hull;
}

/* Sideways by a quarter of a turn at most, so that it is parallel to no axis. */
static abut_pose slanted(rng *r) {
    const float x = 0.2f + 0.2f * (float)rng_unit(r), z = 0.2f + 0.2f * (float)rng_unit(r);
    return (abut_pose){{about(r, 5), 8 + about(r, 3), about(r, 5)}, {x, 0.3f * about(r, 1), z, 0.8f}};
}

static void check_few(first (*ask)(const abut_collider *mesh, const abut_collider *shape, bool alone)) {
    rng r = rng_make(test_seed(), 0);
    abut_mesh *mesh = make_ground(CELLS, 1, 1.5f, 1);
    abut_hull *splinter = make_splinter(&r);
    const abut_shape shapes[] = {abut_box(0.1f, 25, 0.1f), abut_capsule(20, 0.2f), abut_box(12, 0.1f, 12),
                                 abut_convex(splinter, 0), abut_convex(splinter, 0.1f)};
    for (uint32_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < POSES; i++) {
            const abut_pose pose = slanted(&r), here = i % 2 ? slanted(&r) : (abut_pose){{1, 2, 3}, {0, 0, 0, 1}};
            const abut_shape ground = {.mesh = mesh};
            abut_collider of_mesh, of_shape;
            assert_true(abut_collider_from_shape_or_mesh(&ground, &here, &of_mesh));
            assert_true(abut_collider_from_shape(&shapes[k], &pose, &of_shape));
            measured = 0;
            const first f = ask(&of_mesh, &of_shape, false);
            sum += measured;
            const first all = ask(&of_mesh, &of_shape, true);
            check_case(f.measure == all.measure && f.part == all.part, "the first of all", k, i);
        }
        check_case(sum <= POSES * MEASURED, "few are measured", k, sum);
    }
    abut_hull_destroy(&splinter);
    abut_mesh_destroy(&mesh);
}

static void few_triangles_are_measured_for_the_nearest(void **state) {
    (void)state;
    check_few(nearest);
}

static void few_triangles_are_cast_at(void **state) {
    (void)state;
    check_few(met);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_triangles_are_measured_for_the_nearest),
                                       cmocka_unit_test(few_triangles_are_cast_at)};
    return test_run(tests);
}
