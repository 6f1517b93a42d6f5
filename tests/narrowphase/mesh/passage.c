/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A side that runs along a face of a hull, above it but within its skin: it passes through the hull that is grown by
 * the skin, and does not pierce the hull. Hulls have more faces than kernels look at together, or fewer. */
#include "narrowphase/mesh/sift.h"
#include "shape/mesh/mesh.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

/* A prism from y = -1 to 1. */
static abut_hull *prism(uint32_t sides) {
    abut_vec3 point[2 * 70];
    for (uint32_t i = 0; i < sides; i++) {
        const float angle = 6.2831853f * ((float)i + 0.5f) / (float)sides;
        point[2 * i] = (abut_vec3){2 * cosf(angle), 1, 2 * sinf(angle)};
        point[2 * i + 1] = (abut_vec3){point[2 * i].x, -1, point[2 * i].z};
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(point, 2 * sides, NULL, &hull), ABUT_OK);
    return hull;
}

/* One triangle: its first side lies at this height, and its last corner far on the other side. */
static abut_mesh *triangle(float height) {
    const abut_vec3 vertex[3] = {{-8, height, 0}, {8, height, 0}, {0, -4 * height, 8}};
    static const uint32_t index[3] = {0, 1, 2};
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = 3, .indices = index, .triangle_count = 1, .two_sided = true};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static abut_np_passage passage_of(const abut_hull *hull, const abut_mesh *mesh) {
    static const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    static const uint32_t part = 0, place = ABUT_MESH_NONE;
    abut_collider ground, body;
    abut_np_hull_room room;
    abut_np_seat seat;
    abut_np_normals known;
    abut_np_facing facing[ABUT_NP_FACINGS];
    abut_np_passage passage;
    assert_true(abut_collider_from_shape_or_mesh(&(abut_shape){.mesh = mesh}, &here, &ground));
    assert_true(abut_collider_from_hull(hull, &here, &body));
    abut_np_hull_room_begin(&room);
    abut_np_normals_begin(&known);
    abut_np_seat_of(&ground, &body, 0, &room, &seat);
    assert_int_equal(abut_np_facings_of(&seat, &part, &place, 1, facing, &known), 1);
    seat.kernels->pass(&seat, facing, true, &passage);
    assert_false(passage.beyond);
    for (uint32_t k = 0; k < 3; k++) { /* side 0 of the mesh's triangle comes first */
        if (facing[0].side_of[k] == 0) {
            passage.crossed = passage.crossed >> k & 1;
            passage.pierced = passage.pierced >> k & 1;
            return passage;
        }
    }
    fail();
    return passage;
}

static void sides_along_a_face_do_not_pierce(void **state) {
    (void)state;
    static const uint32_t sides[] = {4, 70};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        abut_hull *hull = prism(sides[i]);
        for (int k = 0; k < 6; k++) {
            const float over[] = {-0x1p-13f, 0x1p-13f, 0x1p-8f}, height = 1 + over[k / 2];
            abut_mesh *mesh = triangle(k % 2 ? height : -height);
            const abut_np_passage p = passage_of(hull, mesh);
            assert_int_equal(p.pierced, k / 2 == 0);
            assert_int_equal(p.crossed, k / 2 < 2);
            abut_mesh_destroy(&mesh);
        }
        abut_hull_destroy(&hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sides_along_a_face_do_not_pierce)};
    return test_run(tests);
}
