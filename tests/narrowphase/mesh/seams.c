/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Balls and capsules on a roof of which the ridge runs along a seam of four chunks with ghosts, or across one: no chunk
 * shows a normal that one mesh of the whole roof would not. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

enum { CELLS = 8, VERTICES = CELLS + 3, HALF = CELLS / 2, CHUNKS = 4 }; /* one cell of ghosts all around */

static const float SLOPE = 0.3f;

/* A roof with its ridge along z, over the middle; at `from` of the grid of vertices, so many of them. */
static abut_mesh *make_roof(uint32_t from_x, uint32_t from_z, uint32_t vertices) {
    static float height[VERTICES * VERTICES];
    abut_mesh *mesh;
    for (int i = 0; i < VERTICES * VERTICES; i++) {
        height[i] = -SLOPE * fabsf((float)(i % VERTICES) - (VERTICES - 1) / 2.0f);
    }
    const abut_mesh_grid_def def = {.heights = height + from_z * VERTICES + from_x,
                                    .columns = vertices,
                                    .rows = vertices,
                                    .row_stride = VERTICES,
                                    .ghost_border = 1,
                                    .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

/* The range of the x of normals. */
typedef struct range {
    float least, most;
} range;

static void widen(const abut_contact_part *part, void *context) {
    range *r = context;
    r->least = fminf(r->least, part->manifold.normal.x);
    r->most = fmaxf(r->most, part->manifold.normal.x);
}

static abut_collider placed(const abut_shape *shape, const abut_pose *pose) {
    abut_collider body;
    assert_true(abut_collider_from_shape(shape, pose, &body));
    return body;
}

static abut_collider roof_of(const abut_mesh *mesh, uint32_t x, uint32_t z) {
    const abut_shape shape = {.mesh = mesh};
    const float middle = (VERTICES - 1) / 2.0f;
    const abut_pose pose = {{(float)x - middle, 0, (float)z - middle}, {0, 0, 0, 1}};
    abut_collider roof;
    assert_true(abut_collider_from_shape_or_mesh(&shape, &pose, &roof));
    return roof;
}

/* A body near the ridge, which it touches or nearly; `z`: how far from the corner of the chunks. */
static abut_collider make_body(rng *r, const abut_mesh *whole, bool is_ball, double z) {
    const abut_shape shape = is_ball ? abut_sphere(0.3f) : (abut_shape){.half = {0, 0, 0.3f}, .radius = 0.2f};
    const float turn = (float)rng_range(r, -0.25, 0.25);
    const abut_collider roof = roof_of(whole, 0, 0);
    abut_pose pose = {{(float)rng_range(r, -0.25, 0.25), 0, (float)z}, {0, sinf(turn), 0, cosf(turn)}};
    float low = 0, high = 1;
    for (int i = 0; i < 20; i++) {
        pose.position.y = (low + high) / 2;
        const abut_collider body = placed(&shape, &pose);
        *(abut_np_mesh_touches(&roof, &body, 0) ? &low : &high) = pose.position.y;
    }
    pose.position.y += (float)rng_range(r, -0.005, 0.005);
    return placed(&shape, &pose);
}

static range normals_on(const abut_mesh *mesh, uint32_t x, uint32_t z, const abut_collider *body) {
    const abut_collider roof = roof_of(mesh, x, z);
    range r = {INFINITY, -INFINITY};
    abut_np_mesh_collide(&roof, body, 0, widen, &r, NULL);
    return r;
}

static void chunks_show_the_normals_of_one_mesh(void **state) {
    (void)state;
    abut_mesh *whole = make_roof(0, 0, VERTICES), *chunk[CHUNKS];
    uint64_t shown = 0;
    for (uint32_t c = 0; c < CHUNKS; c++) {
        chunk[c] = make_roof(c % 2 * HALF, c / 2 * HALF, HALF + 3);
    }
    for (uint64_t i = 0; i < test_count(4000); i++) {
        rng r = rng_make(test_seed(), i);
        const bool is_ball = rng_chance(&r, 0.5);
        /* beside the corner of four chunks a capsule has parts of its own in each */
        const double far = is_ball && rng_chance(&r, 0.5) ? rng_range(&r, -0.5, 0.5) : rng_range(&r, 1.5, 2.5);
        const abut_collider body = make_body(&r, whole, is_ball, far);
        const float slack = 0.1f;
        const range one = normals_on(whole, 0, 0, &body);
        for (uint32_t c = 0; c < CHUNKS; c++) {
            const range many = normals_on(chunk[c], c % 2 * HALF, c / 2 * HALF, &body);
            shown += many.most >= many.least;
            assert_true(many.most < many.least || (many.least > one.least - slack && many.most < one.most + slack));
        }
    }
    assert_true(shown > test_count(4000) / 2);
    for (uint32_t c = 0; c < CHUNKS; c++) {
        abut_mesh_destroy(&chunk[c]);
    }
    abut_mesh_destroy(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_show_the_normals_of_one_mesh),
    };
    return test_run(tests);
}
