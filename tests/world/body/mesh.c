/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that are meshes: what they may be, and what is said of them apart from contacts and questions. */

#include "support/failing_allocator.h"
#include "world/draw/draw_log.h"
#include "world/grounds.h"
#include "world/world.h"
#include <math.h>

/* The surface of an octahedron with these half diagonals, whose bounds have their middle at the origin. */
static abut_mesh *octahedron(float x, float y, float z) {
    const abut_vec3 corners[6] = {{x, 0, 0}, {-x, 0, 0}, {0, y, 0}, {0, -y, 0}, {0, 0, z}, {0, 0, -z}};
    static const uint32_t index[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const abut_mesh_def def = {.vertices = corners, .vertex_count = 6, .indices = index, .triangle_count = 8};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static void bad_meshes_are_refused(void **state) {
    (void)state;
    static _Alignas(64) const unsigned char zeros[512];
    abut_mesh *mesh = octahedron(128, 256, 64); /* near the limit floats are multiples of 64 */
    abut_world *world = make_world(NULL);
    abut_body_id box = add_cube(world, 0, 0, 0, 1), id;
    const abut_mesh *none = (const abut_mesh *)(const void *)zeros, *odd = (const abut_mesh *)(const void *)(zeros + 1);
    const struct {
        const abut_mesh *mesh;
        float radius, x;
        abut_result result;
    } bad[] = {{mesh, 1, 0, ABUT_ERROR_ARGUMENT},
               {mesh, -1, 0, ABUT_ERROR_ARGUMENT},
               {mesh, NAN, 0, ABUT_ERROR_ARGUMENT},
               {none, 0, 0, ABUT_ERROR_ARGUMENT},
               {odd, 0, 0, ABUT_ERROR_ARGUMENT},
               {mesh, 0, NAN, ABUT_ERROR_ARGUMENT},
               {mesh, 0, ABUT_MAX_COORDINATE, ABUT_ERROR_LIMIT}};
    picture before = picture_take(world);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const abut_body_def def = {.mesh = bad[k].mesh, .radius = bad[k].radius, .pose = pose_at(bad[k].x, 0, 0)};
        assert_int_equal(abut_body_create(world, &def, &id), bad[k].result);
        const abut_shape shape = {.mesh = bad[k].mesh, .radius = bad[k].radius};
        if (bad[k].x == 0) {
            assert_int_equal(abut_body_set_shape(world, box, &shape, NULL), bad[k].result);
        }
    }
    picture_close(&before, world);
    /* One that comes and goes leaves nothing behind. */
    assert_int_equal(abut_body_create(world, &(abut_body_def){.mesh = mesh}, &id), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    /* Exactly at the limit, and beyond it. */
    const abut_body_def def = {.mesh = mesh, .pose = pose_at(ABUT_MAX_COORDINATE - 128, 0, 0)};
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    const abut_quat turned = {0, 0, 1, 1};
    const abut_pose pose = {def.pose.position, turned};
    assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_ERROR_LIMIT);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

static uint64_t hash_of(const abut_body_def *def) {
    abut_world *world = make_world(NULL);
    (void)add_body(world, def);
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(&world);
    return hash;
}

static void what_stands_beside_a_mesh_is_ignored(void **state) {
    (void)state;
    abut_mesh *mesh = octahedron(1, 2, 3), *same = octahedron(1, 2, 3), *other = octahedron(1, 2, 4);
    const abut_body_def plain = {.mesh = mesh},
                        full = {.mesh = same,
                                .half = {-1, NAN, 3},
                                .hull = (const abut_hull *)(const void *)mesh,
                                .box = pose_at(NAN, 1, 2)},
                        different = {.mesh = other};
    assert_int_equal(hash_of(&plain), hash_of(&full));
    assert_true(hash_of(&plain) != hash_of(&different));
    abut_world *world = make_world(NULL);
    abut_body_id id = add_body(world, &full);
    abut_shape shape;
    abut_pose pose;
    assert_int_equal(abut_body_get_shape(world, id, &shape, &pose), ABUT_OK);
    assert_true(shape.mesh == same && !shape.hull && shape.radius == 0 && shape.half.x == 0 && shape.half.y == 0 &&
                shape.half.z == 0);
    assert_true(pose.position.x == 0 && pose.rotation.w == 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
    abut_mesh_destroy(&same);
    abut_mesh_destroy(&other);
}

/* --- its box --- */

/* But for the last bits, outward. */
static bool nearly_equal(const abut_aabb *a, const abut_aabb *b) {
    bool same = true;
    for (int k = 0; k < 3; k++) {
        same = same && fabsf((&a->min.x)[k] - (&b->min.x)[k]) <= 4e-6f;
        same = same && fabsf((&a->max.x)[k] - (&b->max.x)[k]) <= 4e-6f;
    }
    return same;
}

static void bounds_and_culling_are_those_of_the_box(void **state) {
    (void)state;
    abut_mesh *mesh = octahedron(1, 2, 3);
    rng r = rng_make(test_seed(), 1);
    size_t partly = 0;
    for (unsigned long k = 0; k < test_count(400); k++) {
        abut_world *world = make_world(NULL);
        const abut_body_def def = {.mesh = mesh, .pose = random_pose(&r, 10)};
        abut_body_id id = add_body(world, &def);
        for (int i = 0; i < 20; i++) {
            (void)add_cube(world, (float)i, 0, 0, 0.1f);
        }
        abut_aabb bounds;
        abut_obb box = {.half = {1, 2, 3}};
        abut_pose pose;
        assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
        box.center = pose.position;
        box.rotation = pose.rotation;
        const abut_aabb expected = abut_obb_bounds(&box);
        assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_OK);
        check_case(nearly_equal(&bounds, &expected), "bounds", 1, k);
        const abut_frustum frustum = camera_at((float)rng_range(&r, -5, 5), (float)rng_range(&r, 1, 10));
        abut_visible visible[21];
        size_t n = abut_world_cull(world, &frustum, 1, NULL, visible, 21);
        abut_side side = abut_frustum_test_obb(&frustum, &box);
        bool seen = n > 0 && abut_body_id_equal(visible[0].body, id);
        check_case(seen == (side != ABUT_OUTSIDE), "visible", 1, k);
        check_case(!seen || (visible[0].inside == 1) == (side == ABUT_INSIDE), "inside", 1, k);
        partly += seen;
        abut_world_destroy(&world);
    }
    assert_true(partly > 0);
    abut_mesh_destroy(&mesh);
}

static void meshes_cast_no_shadow(void **state) {
    (void)state;
    abut_mesh *mesh = octahedron(1, 2, 3);
    abut_world *world = make_world(NULL);
    abut_body_id ground = add_ground(world, mesh, 0, 0, 0);
    const abut_obb2 plots[2] = {{.axis = {1, 0}, .half = {1, 1}},
                                {.center = {0.5f, 0}, .axis = {1, 0}, .half = {1, 1}}};
    abut_placement out[2];
    assert_int_equal(abut_world_test_placements(world, plots, 2, NULL, out), ABUT_OK);
    assert_true(out[0].free && out[1].free && out[0].blocker_count == 0);
    abut_body_id box = add_cube(world, 0, 0, 0, 1);
    assert_int_equal(abut_world_test_placements(world, plots, 2, NULL, out), ABUT_OK);
    assert_true(!out[0].free && out[0].blocker_count == 1 && abut_body_id_equal(out[0].first_blocker, box));
    const abut_shape shape = abut_box(1, 1, 1);
    assert_int_equal(abut_body_set_shape(world, ground, &shape, NULL), ABUT_OK);
    assert_int_equal(abut_world_test_placements(world, plots, 1, NULL, out), ABUT_OK);
    assert_true(out[0].blocker_count == 2);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* --- drawing --- */

static void sides_of_triangles_are_drawn_once(void **state) {
    (void)state;
    abut_mesh *mesh = octahedron(1, 2, 3), *ground = make_ground(3, 1, 0, 1);
    abut_world *world = make_world(NULL);
    (void)add_ground(world, mesh, 0, 0, 0);
    draw_log log = log_kinds(world, SHAPES);
    assert_int_equal(log_count(&log, MARK_LINE), 12);
    assert_int_equal(log.count, 12);
    log_free(&log);
    (void)add_ground(world, ground, 0, 0, 0);
    log = log_kinds(world, SHAPES);
    assert_int_equal(log.count, 12 + 2 * 3 * 4 + 9);
    log_free(&log);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
    abut_mesh_destroy(&ground);
}

static void the_points_of_all_parts_are_drawn(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(6, 1, 0.3f, 2);
    abut_world *world = make_world(NULL);
    (void)add_ground(world, mesh, 0, 0, 0);
    abut_body_id box = add_body(world, &(abut_body_def){.half = {2, 0.4f, 2}, .pose = pose_at(0, 0.4f, 0)});
    assert_int_equal(step_world(world), 1);
    size_t parts, points = 0;
    const abut_contact_part *part = parts_of(world, &parts);
    draw_log log = log_kinds(world, CONTACTS);
    assert_true(parts > 2);
    for (size_t k = 0; k < parts; k++) {
        for (uint32_t i = 0; i < part[k].manifold.count; i++) {
            const mark *at = &log.mark[2 * points];
            assert_true(2 * points + 1 < log.count && at->type == MARK_POINT && at[1].type == MARK_LINE);
            assert_true(bits_equal(&at->from, &part[k].manifold.points[i].position, sizeof at->from));
            assert_true(at->item.index == points && at[1].item.index == points);
            points++;
        }
    }
    assert_int_equal(log.count, 2 * points);
    log_free(&log);
    /* One that is hidden hides them. */
    assert_int_equal(abut_body_destroy(world, box), ABUT_OK);
    log = log_kinds(world, CONTACTS);
    assert_int_equal(log.count, 0);
    log_free(&log);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* --- memory --- */

static void room_for_parts_is_made_with_the_first_mesh_or_nothing_happens(void **state) {
    (void)state;
    abut_mesh *mesh = octahedron(1, 2, 3);
    for (int set = 0; set < 2; set++) {
        failing_allocator books = {0};
        abut_world *world = make_world(
            &(abut_world_def){.allocator = failing_allocator_of(&books), .body_capacity = 10, .pair_capacity = 100});
        abut_body_id box = add_cube(world, 0, 0, 0, 1), id;
        const abut_body_def def = {.mesh = mesh};
        const abut_shape shape = {.mesh = mesh};
        size_t failures = 0, reserved[2];
        abut_result result = ABUT_ERROR_MEMORY;
        abut_world_memory(world, NULL, &reserved[0]);
        while (result) {
            picture before = picture_take(world);
            failing_allocator_fail_once(&books, ++failures);
            result = set ? abut_body_set_shape(world, box, &shape, NULL) : abut_body_create(world, &def, &id);
            failing_allocator_fail_never(&books);
            if (result) {
                assert_int_equal(result, ABUT_ERROR_MEMORY);
                assert_int_equal(abut_world_validate(world), ABUT_OK);
                assert_true(picture_matches(&before, world));
            }
            picture_free(&before);
        }
        assert_true(failures > 2);
        abut_world_memory(world, NULL, &reserved[1]);
        assert_int_equal(reserved[1], books.live_bytes);
        assert_true(reserved[1] - reserved[0] >= 2 * 100 * sizeof(abut_contact_part));
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
    abut_mesh_destroy(&mesh);
}

static void expect_seen(abut_world *world, uint32_t *at, uint32_t damage) {
    uint32_t before = *at;
    assert_true(damage != before);
    *at = damage;
    assert_int_equal(abut_world_validate(world), ABUT_ERROR_FORMAT);
    *at = before;
    assert_int_equal(abut_world_validate(world), ABUT_OK);
}

static void damaged_parts_are_seen(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(6, 1, 0.3f, 2);
    abut_world *world = make_world(NULL);
    abut_body_id ground = add_ground(world, mesh, 0, 0, 0);
    (void)add_body(world, &(abut_body_def){.half = {2, 0.4f, 2}, .pose = pose_at(0, 0.4f, 0)});
    (void)add_cube(world, 0, 0.5f, 0, 0.5f);
    assert_int_equal(step_world(world), 3);
    abut_w_contacts *list = &world->current;
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    expect_seen(world, &list->contact[0].part_count, list->contact[0].part_count - 1);
    expect_seen(world, &list->contact[0].part_first, 1);
    expect_seen(world, &list->contact[1].part_first, 0);
    expect_seen(world, &list->contact[1].part_count, 0);
    expect_seen(world, &list->contact[2].part_count, 1); /* of two boxes */
    expect_seen(world, &list->parts.count, list->parts.count - 1);
    expect_seen(world, &list->parts.part[0].part, list->parts.part[1].part);
    expect_seen(world, &list->parts.part[list->parts.count - 1].part, 71);
    expect_seen(world, &list->parts.part[1].manifold.points[0].feature, 12345);
    expect_seen(world, &list->parts.part[1].manifold.count, 0);
    expect_seen(world, &world->mesh_count, 0);
    abut_w_traits *traits = &world->traits[ground.index1 - 1];
    traits->marks ^= ABUT_W_MESH;
    assert_int_equal(abut_world_validate(world), ABUT_ERROR_FORMAT);
    traits->marks ^= ABUT_W_MESH;
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(what_stands_beside_a_mesh_is_ignored),
        cmocka_unit_test(bounds_and_culling_are_those_of_the_box),
        cmocka_unit_test(meshes_cast_no_shadow),
        cmocka_unit_test(sides_of_triangles_are_drawn_once),
        cmocka_unit_test(the_points_of_all_parts_are_drawn),
        cmocka_unit_test(room_for_parts_is_made_with_the_first_mesh_or_nothing_happens),
        cmocka_unit_test(damaged_parts_are_seen),
    };
    return test_run(tests);
}
