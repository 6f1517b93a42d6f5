/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that are shallow on the ridges of a cube of triangles: no contact is much deeper than with the same cube as a
 * hull, though triangles of the side face reach far into the body. Beside the side face its normal stays. */

#include "narrowphase/narrowphase.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <string.h>

enum {
    MOST_CELLS = 2,
    MOST_VERTICES = 6 * (MOST_CELLS + 1) * (MOST_CELLS + 1),
    MOST_INDICES = 36 * MOST_CELLS * MOST_CELLS
};

static const float DEGREE = 0.0174532925f;

static const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

/* A cube from -2 to 2, as a mesh of so many cells along each edge, and as a hull. */
typedef struct cube {
    abut_mesh *mesh;
    abut_hull *hull;
    abut_collider ground;
} cube;

static void make_cube(uint32_t cells, cube *out) {
    abut_vec3 vertex[MOST_VERTICES], corner[8];
    uint32_t index[MOST_INDICES], vertices = 0, indices = 0;
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, one = (axis + 1) % 3, other = (axis + 2) % 3;
        const uint32_t first = vertices, row = cells + 1;
        for (uint32_t k = 0; k < row * row; k++) {
            float *at = &vertex[vertices++].x;
            at[axis] = face & 1 ? 2 : -2;
            at[one] = -2 + 4.0f * (float)(k % row) / (float)cells;
            at[other] = -2 + 4.0f * (float)(k / row) / (float)cells;
        }
        for (uint32_t k = 0; k < cells * cells; k++) {
            const uint32_t a = first + k / cells * row + k % cells, b = a + 1, c = a + row, d = c + 1;
            const uint32_t cell[2][6] = {{a, d, b, a, c, d}, {a, b, d, a, d, c}};
            memcpy(index + indices, cell[face & 1], sizeof *cell);
            indices += 6;
        }
    }
    for (int k = 0; k < 8; k++) {
        corner[k] = (abut_vec3){k & 1 ? 2 : -2, k & 2 ? 2 : -2, k & 4 ? 2 : -2};
    }
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = vertices, .indices = index, .triangle_count = indices / 3};
    assert_int_equal(abut_mesh_create(&def, &out->mesh), ABUT_OK);
    assert_int_equal(abut_hull_create(corner, 8, NULL, &out->hull), ABUT_OK);
    const abut_shape surface = {.mesh = out->mesh};
    assert_true(abut_collider_from_shape_or_mesh(&surface, &here, &out->ground));
}

static void release_cube(cube *c) {
    abut_mesh_destroy(&c->mesh);
    abut_hull_destroy(&c->hull);
}

/* What the mesh says of a box with an edge of 1, and the part that differs most from the normal that is expected. */
typedef struct answer {
    abut_manifold manifold;
    abut_vec3 expected;
    float least; /* the cosine */
} answer;

static void see_part(const abut_contact_part *part, void *context) {
    answer *a = context;
    const abut_vec3 n = part->manifold.normal;
    a->least = fminf(a->least, n.x * a->expected.x + n.y * a->expected.y + n.z * a->expected.z);
}

static void ask(const cube *c, const abut_pose *pose, answer *out) {
    const abut_shape box = {.half = {0.5f, 0.5f, 0.5f}};
    abut_collider body;
    out->least = 1;
    assert_true(abut_collider_from_shape_or_mesh(&box, pose, &body));
    assert_true(abut_np_mesh_collide(&c->ground, &body, 0, see_part, out, &out->manifold));
}

static bool hull_depth(const cube *c, const abut_pose *pose, float *depth) {
    const abut_obb box = {pose->position, pose->rotation, {0.5f, 0.5f, 0.5f}};
    abut_manifold manifold;
    bool hit = abut_obb_hull_collide(&box, c->hull, &here, 0, &manifold);
    *depth = hit ? abut_manifold_depth(&manifold) : 0;
    return hit;
}

/* Turned about y, then tilted about z. */
static abut_quat turned(float tilt, float turn) {
    const float t = tilt * DEGREE / 2, y = turn * DEGREE / 2;
    return (abut_quat){-sinf(t) * sinf(y), cosf(t) * sinf(y), sinf(t) * cosf(y), cosf(t) * cosf(y)};
}

/* Lowers a box onto the ridge, until it is so deep in the hull. */
static void sink(const cube *c, float deep, abut_pose *pose) {
    float low = 1.5f, high = 4, depth;
    for (int k = 0; k < 30; k++) {
        pose->position.y = (low + high) / 2;
        bool deeper = hull_depth(c, pose, &depth) && depth > deep;
        *(deeper ? &low : &high) = pose->position.y;
    }
}

/* Boxes whose middle is just outside of the side face stand on the ridge. */
static void stand_on_ridge(const cube *c, float deep, float along) {
    for (int tilt = -6; tilt <= 6; tilt++) {
        for (int turn = 0; turn < 90; turn += 10) {
            for (int out = 0; out < 8; out++) {
                abut_pose pose = {{-2.01f - 0.05f * (float)out, 0, along}, turned(0.5f * (float)tilt, (float)turn)};
                answer a;
                float depth;
                sink(c, deep, &pose);
                if (hull_depth(c, &pose, &depth)) {
                    ask(c, &pose, &a);
                    assert_true(abut_manifold_depth(&a.manifold) <= 1.5f * depth);
                }
            }
        }
    }
}

static void bodies_on_the_ridge_of_a_cube_are_as_deep_as_on_a_hull(void **state) {
    static const float places[] = {0, 0.3f, 1.7f, 2.1f};
    cube c;
    (void)state;
    make_cube(1, &c);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        stand_on_ridge(&c, 0.05f, places[i]);
        stand_on_ridge(&c, 0.001f, places[i]);
    }
    release_cube(&c);
}

/* Of the side face some triangles have no more than a corner on the ridge, and all of their sides are flat. */
static void corners_of_flat_faces_on_the_ridge_are_no_deeper(void **state) {
    cube c;
    (void)state;
    make_cube(2, &c);
    stand_on_ridge(&c, 0.05f, 0);
    stand_on_ridge(&c, 0.05f, 0.2f);
    release_cube(&c);
}

/* Boxes pushed into the side face keep its normal, wherever their middle is below the top. */
static void bodies_beside_a_wall_keep_its_normal(void **state) {
    (void)state;
    for (uint32_t cells = 1; cells <= MOST_CELLS; cells++) {
        cube c;
        make_cube(cells, &c);
        for (int up = -20; up < 20; up++) {
            for (int turn = 0; turn < 90; turn += 10) {
                const float reach = 0.5f * (cosf((float)turn * DEGREE) + sinf((float)turn * DEGREE));
                const abut_pose pose = {{-1.95f - reach, 0.099f * (float)up, 0.1f}, turned(0, (float)turn)};
                answer a = {.expected = {-1, 0, 0}};
                ask(&c, &pose, &a);
                assert_true(a.least > 0.999999f);
                assert_true(fabsf(abut_manifold_depth(&a.manifold) - 0.05f) < 1e-5f);
            }
        }
        release_cube(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_on_the_ridge_of_a_cube_are_as_deep_as_on_a_hull),
        cmocka_unit_test(corners_of_flat_faces_on_the_ridge_are_no_deeper),
        cmocka_unit_test(bodies_beside_a_wall_keep_its_normal),
    };
    return test_run(tests);
}
