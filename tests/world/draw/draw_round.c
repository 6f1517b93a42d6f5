/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Debug draw of bodies with a radius: lines on the rounded surface. */

#include "draw_log.h"
#include <math.h>
#include <string.h>

enum { POINTS = 12, QUARTER = 8 };

static const abut_pose HERE = {{0, 0, 0}, {0, 0, 0, 1}};

/* How far a point is from being on the surface of a body. */
static double off_surface(const abut_world *world, abut_body_id id, abut_vec3 p) {
    const abut_shape point = abut_point();
    const abut_pose at = {p, HERE.rotation};
    abut_shape core;
    abut_pose pose;
    assert_int_equal(abut_body_get_shape(world, id, &core, &pose), ABUT_OK);
    double radius = core.radius;
    core.radius = 0;
    return fabs((double)abut_shape_distance(&core, &pose, &point, &at, NULL, NULL) - radius);
}

/* Draws the only body of a world, checks every line, and returns how many there are. */
static size_t check_lines(const abut_world *world, abut_body_id id, double tolerance) {
    draw_log log = log_kinds(world, SHAPES);
    for (size_t i = 0; i < log.count; i++) {
        const mark *m = &log.mark[i];
        assert_true(m->type == MARK_LINE && m->item.kind == ABUT_DRAW_SHAPE && abut_body_id_equal(m->item.body, id));
        assert_true(off_surface(world, id, m->from) <= tolerance && off_surface(world, id, m->to) <= tolerance);
        for (size_t k = 0; k < i; k++) {
            assert_false(bits_equal(&m->from, &log.mark[k].from, sizeof m->from) &&
                         bits_equal(&m->to, &log.mark[k].to, sizeof m->to));
        }
    }
    size_t count = log.count;
    log_free(&log);
    return count;
}

static size_t count_lines(const abut_body_def *def) {
    abut_world *world = make_world(NULL);
    abut_body_id id = add_body(world, def);
    abut_aabb bounds;
    assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_OK);
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fmax(fabs((double)(&bounds.min.x)[k]), fabs((double)(&bounds.max.x)[k])));
    }
    size_t count = check_lines(world, id, size * 1e-5);
    abut_world_destroy(&world);
    return count;
}

static void round_things_are_drawn_round(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(200); i++) {
        rng r = rng_make(test_seed(), i);
        abut_body_def def = {.pose = random_pose(&r, 10), .radius = (float)rng_log_range(&r, 0.01, 10)};
        assert_int_equal(count_lines(&def), 12 * QUARTER); /* a sphere: three circles */
        float *half = &def.half.x;
        uint32_t axis = rng_below(&r, 3);
        half[axis] = (float)rng_log_range(&r, 0.01, 10); /* a capsule: two circles, four half circles */
        assert_int_equal(count_lines(&def), 4 + 16 * QUARTER);
        half[(axis + 1) % 3] = (float)rng_log_range(&r, 0.01, 10); /* a plate: an arc about the missing axis is one */
        assert_int_equal(count_lines(&def), 12 + 20 * QUARTER);
        half[(axis + 2) % 3] = (float)rng_log_range(&r, 0.01, 10);
        def.box = random_pose(&r, 3);
        assert_int_equal(count_lines(&def), 24 + 24 * QUARTER);
    }
}

static void rounded_hulls_are_drawn_by_sides_and_arcs(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(100); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 point[POINTS];
        for (int k = 0; k < POINTS; k++) {
            point[k] = rng_vec3(&r, -1, 1);
        }
        abut_hull *hull;
        assert_int_equal(abut_hull_create(point, POINTS, NULL, &hull), ABUT_OK);
        const abut_body_def def = {
            .hull = hull, .pose = random_pose(&r, 10), .radius = (float)rng_log_range(&r, 0.01, 3)};
        size_t edges = abut_hull_edge_count(hull), count = count_lines(&def);
        assert_true(count >= 4 * edges && count <= 34 * edges);
        abut_hull_destroy(&hull);
    }
}

/* The greatest turn between the ends of a line on a sphere. */
static void arcs_are_smooth(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.radius = 1});
    draw_log log = log_lines(world, SHAPES);
    assert_int_equal(log.count, 12 * QUARTER);
    for (size_t i = 0; i < log.count; i++) {
        const abut_vec3 a = log.mark[i].from, b = log.mark[i].to;
        double turn =
            2 * asin(hypot(hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y), (double)a.z - (double)b.z) / 2);
        assert_true(fabs(turn - 3.14159265 / 2 / QUARTER) < 1e-6);
    }
    log_free(&log);
    abut_world_destroy(&world);
}

/* Only for lines is anything drawn; and a cube as a hull with a radius has the lines of the box, with the same bits. */
static void a_rounded_cube_is_drawn_as_its_hull_is(void **state) {
    (void)state;
    abut_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    const abut_body_def def[2] = {{.half = {1, 1, 1}, .radius = 0.25f}, {.hull = hull, .radius = 0.25f}};
    draw_log log[2];
    for (int i = 0; i < 2; i++) {
        abut_world *world = make_world(NULL);
        (void)add_body(world, &def[i]);
        log[i] = log_lines(world, SHAPES);
        assert_int_equal(log[i].count, 24 + 24 * QUARTER);
        draw_log none = {.count = 0};
        log_draw(world, &(abut_draw){.box = any_box, .kinds = SHAPES}, &none);
        assert_int_equal(none.count, 0);
        abut_world_destroy(&world);
    }
    for (size_t i = 0; i < log[0].count; i++) {
        const mark *m = &log[0].mark[i];
        bool found = false;
        for (size_t k = 0; k < log[1].count && !found; k++) {
            const mark *n = &log[1].mark[k];
            found = (memcmp(&m->from, &n->from, sizeof m->from) == 0 && memcmp(&m->to, &n->to, sizeof m->to) == 0) ||
                    (memcmp(&m->from, &n->to, sizeof m->from) == 0 && memcmp(&m->to, &n->from, sizeof m->to) == 0);
        }
        assert_true(found);
    }
    log_free(&log[0]);
    log_free(&log[1]);
    abut_hull_destroy(&hull);
}

static void normals_are_as_long_as_half_a_sphere(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.half = {50, 1, 50}});
    (void)add_body(world, &(abut_body_def){.radius = 0.5f, .pose = pose_at(0, 1.25f, 0)});
    assert_int_equal(step_world(world), 1);
    draw_log log = log_kinds(world, CONTACTS);
    assert_int_equal(log.count, 2);
    assert_true(fabs(fabs((double)log.mark[1].to.y - (double)log.mark[1].from.y) - 0.25) < 1e-6);
    log_free(&log);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_things_are_drawn_round),
        cmocka_unit_test(rounded_hulls_are_drawn_by_sides_and_arcs),
        cmocka_unit_test(arcs_are_smooth),
        cmocka_unit_test(a_rounded_cube_is_drawn_as_its_hull_is),
        cmocka_unit_test(normals_are_as_long_as_half_a_sphere),
    };
    return test_run(tests);
}
