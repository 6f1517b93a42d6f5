/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Long shapes that are turned, over a mesh of many triangles: overlaps are those with each triangle by itself, and what
 * a walk with a slant leaves out is out of reach. */

#include "narrowphase/mesh/sift.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

enum { CELLS = 32, TRIANGLES = 2 * CELLS * CELLS, ROUNDS = 60, FOUND = 64 };

typedef struct terrain {
    abut_vec3 vertex[(CELLS + 1) * (CELLS + 1)];
    uint32_t index[TRIANGLES][3];
    abut_mesh *mesh, *single[TRIANGLES];
    abut_hull *hull;
} terrain;

static abut_mesh *mesh_of(const abut_vec3 *vertex, uint32_t vertices, const uint32_t *index, uint32_t triangles) {
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = vertices, .indices = index, .triangle_count = triangles, .two_sided = true};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* Hills, and cliffs in some rounds, far from the origin of the mesh in some. */
static void make(rng *r, terrain *t, float height, float shift) {
    const abut_vec3 corners[] = {{-9, 0.1f, 0}, {8, 0, 0.1f}, {-7, -0.1f, 0.1f}, {6, -0.2f, -0.1f}, {0, 0.3f, 0.2f}};
    for (uint32_t v = 0; v < (CELLS + 1) * (CELLS + 1); v++) {
        t->vertex[v] = (abut_vec3){shift + (float)(v % (CELLS + 1)) - CELLS / 2, (float)rng_range(r, 0, height),
                                   (float)(v / (CELLS + 1)) - CELLS / 2};
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t v = i / 2 / CELLS * (CELLS + 1) + i / 2 % CELLS;
        const uint32_t half[2][3] = {{v, v + CELLS + 1, v + 1}, {v + 1, v + CELLS + 1, v + CELLS + 2}},
                       one[] = {0, 1, 2};
        memcpy(t->index[i], half[i % 2], sizeof one);
        const abut_vec3 corner[] = {t->vertex[half[i % 2][0]], t->vertex[half[i % 2][1]], t->vertex[half[i % 2][2]]};
        t->single[i] = mesh_of(corner, 3, one, 1);
    }
    t->mesh = mesh_of(t->vertex, (CELLS + 1) * (CELLS + 1), t->index[0], TRIANGLES);
    assert_int_equal(abut_hull_create(corners, 5, NULL, &t->hull), ABUT_OK);
}

static void release(terrain *t) {
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        abut_mesh_destroy(&t->single[i]);
    }
    abut_mesh_destroy(&t->mesh);
    abut_hull_destroy(&t->hull);
}

static abut_vec3 near_terrain(const abut_pose *ground, float shift, abut_vec3 off) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(ground->rotation), m);
    const abut_d3 middle = abut_d3_rotate(m, (abut_d3){{shift, 0, 0}}), at = abut_d3_from(ground->position);
    return (abut_vec3){(float)(at.x[0] + middle.x[0] + off.x / 2), (float)(at.x[1] + middle.x[1] + off.y / 2),
                       (float)(at.x[2] + middle.x[2] + off.z / 2)};
}

static abut_shape random_shape(rng *r, const terrain *t) {
    const float length = (float)rng_range(r, 3, 20), width = (float)rng_log_range(r, 1e-3, 1);
    switch (rng_below(r, 4)) {
    case 0:
        return abut_box(length, width, width);
    case 1:
        return abut_capsule(length, width);
    case 2:
        return abut_box(length, length / 2, width);
    default:
        return abut_convex(t->hull, rng_chance(r, 0.5) ? 0 : width);
    }
}

static bool mark(uint32_t part, void *context) {
    bool *touched = context;
    assert_false(touched[part]);
    touched[part] = true;
    return true;
}

/* Returns how many triangles touch. */
static uint32_t check_overlaps(const terrain *t, const abut_collider *ground, const abut_collider *convex,
                               const abut_shape *shape, const abut_pose *pose, const abut_pose *ground_pose) {
    static bool touched[TRIANGLES];
    uint32_t n = 0;
    memset(touched, 0, sizeof touched);
    abut_np_mesh_overlaps(ground, convex, mark, touched);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const abut_shape single = {.mesh = t->single[i]};
        assert_int_equal(touched[i], abut_shape_overlap(shape, pose, &single, ground_pose));
        n += touched[i];
    }
    return n;
}

static uint32_t walk(const abut_mesh *mesh, abut_mesh_walk walk, bool *found) {
    uint32_t place[FOUND], total = 0;
    memset(found, 0, TRIANGLES * sizeof *found);
    for (uint32_t n; (n = abut_mesh_walk_next(mesh, &walk, place, FOUND)) > 0; total += n) {
        for (uint32_t k = 0; k < n; k++) {
            (void)mark(abut_mesh_number(mesh, place[k]), found);
        }
    }
    return total;
}

typedef struct sums {
    size_t all, kept, touched;
} sums;

static void check_walk(const terrain *t, const abut_collider *ground, const abut_collider *convex, float margin,
                       const abut_shape *shape, const abut_pose *pose, const abut_pose *ground_pose, sums *sum) {
    static bool all[TRIANGLES], kept[TRIANGLES];
    float min[3], max[3];
    abut_np_seat seat;
    abut_np_sieve sieve;
    abut_mesh_walk w;
    abut_slant slant;
    abut_np_seat_of(ground, convex, margin, NULL, &seat);
    abut_np_seat_bounds(&seat, min, max);
    abut_np_sieve_of(&seat, &sieve);
    abut_mesh_walk_begin(t->mesh, min, max, &w);
    sum->all += walk(t->mesh, w, all);
    abut_np_sieve_open(&sieve, t->mesh, &w, &slant);
    sum->kept += walk(t->mesh, w, kept);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const abut_shape single = {.mesh = t->single[i]};
        assert_true(all[i] || !kept[i]);
        assert_true(kept[i] || abut_shape_distance(shape, pose, &single, ground_pose, NULL, NULL) > margin);
    }
}

static void what_a_slant_leaves_out_is_out_of_reach(void **state) {
    (void)state;
    static terrain t;
    const abut_isa best = abut_isa_active();
    sums sum = {0};
    for (unsigned long round = 0; round < ROUNDS || round < test_count(ROUNDS); round++) {
        rng r = rng_make(test_seed(), 1700 + round);
        const float shift = round % 4 == 1 ? 1e7f : 0;
        make(&r, &t, round % 3 == 0 ? 12 : 0.5f, shift);
        for (int k = 0; k < 4; k++) {
            const double far = shift > 0 || rng_chance(&r, 0.5) ? 0 : rng_log_range(&r, 1, 1e6);
            const abut_vec3 at = rng_vec3(&r, -far, far), off = rng_vec3(&r, -8, 8);
            const abut_pose ground_pose = {at, rng_rotation(&r)};
            const abut_pose pose = {near_terrain(&ground_pose, shift, off), rng_rotation(&r)};
            const abut_shape shape = random_shape(&r, &t), floor = {.mesh = t.mesh};
            const float margin = rng_chance(&r, 0.3) ? 0 : (float)rng_log_range(&r, 1e-3, 2);
            abut_collider ground, convex;
            assert_true(abut_collider_from_shape_or_mesh(&floor, &ground_pose, &ground) &&
                        abut_collider_from_shape(&shape, &pose, &convex));
            for (int isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; isa++) {
                if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                    check_walk(&t, &ground, &convex, margin, &shape, &pose, &ground_pose, &sum);
                }
            }
            assert_int_equal(abut_isa_select(best), ABUT_OK);
            sum.touched += check_overlaps(&t, &ground, &convex, &shape, &pose, &ground_pose);
        }
        release(&t);
    }
    assert_true(sum.kept * 2 < sum.all && sum.touched > ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_slant_leaves_out_is_out_of_reach)};
    return test_run(tests);
}
