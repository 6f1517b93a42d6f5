/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts of shapes where the answer is known: every pair of types along every axis, edges, corners, grazing ways, what
 * is touched at the start, tiny and huge lengths. */

#include "narrowphase/narrowphase.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

enum { SHAPES = 6 };

static const abut_quat UPRIGHT = {0, 0, 0, 1};
static const abut_quat EIGHTH_ABOUT_Z = {0, 0, 0.38268343f, 0.92387953f};
static const abut_quat EIGHTH_ABOUT_X = {0.38268343f, 0, 0, 0.92387953f};

/* A cube, as a hull. */
static abut_hull *cube(float half) {
    abut_vec3 corner[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
    }
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    return hull;
}

/* Six shapes that end at 2 s along every axis; only the capsule ends at s along y and z. */
typedef struct scene {
    abut_hull *big, *small;
    abut_shape shape[SHAPES];
} scene;

static void make_scene(float s, scene *out) {
    out->big = cube(2 * s);
    out->small = cube(s);
    out->shape[0] = abut_box(2 * s, 2 * s, 2 * s);
    out->shape[1] = abut_convex(out->big, 0);
    out->shape[2] = abut_sphere(2 * s);
    out->shape[3] = (abut_shape){.half = {s, 0, 0}, .radius = s};
    out->shape[4] = (abut_shape){.half = {s, s, s}, .radius = s};
    out->shape[5] = abut_convex(out->small, s);
}

static void release_scene(scene *s) {
    abut_hull_destroy(&s->big);
    abut_hull_destroy(&s->small);
}

typedef struct met {
    double fraction;
    abut_vec3 position, normal;
} met;

static met cast(const abut_shape *shape, abut_vec3 from, abut_quat turned, abut_vec3 way, const abut_shape *body,
                abut_vec3 at, abut_quat rotation) {
    static const uint32_t first = 0;
    abut_collider start, other;
    met out;
    assert_true(abut_collider_from_shape(shape, &(abut_pose){from, turned}, &start));
    assert_true(abut_collider_from_shape(body, &(abut_pose){at, rotation}, &other));
    const abut_np_cast of = abut_np_cast_of(&start, way);
    memset(&out, 0x77, sizeof out);
    abut_np_cast_many(&of, &other, &first, 1, 1, &out.fraction);
    if (out.fraction >= 0 && out.fraction <= 1) {
        abut_np_cast_place(&of, &other, out.fraction, &out.position, &out.normal);
    }
    return out;
}

/* Not later than the truth, and earlier by no more than the tolerance makes it; `slack` is that, as a fraction. */
static void assert_met(const met *m, double fraction, double slack, double nx, double ny, double nz) {
    assert_true(m->fraction <= fraction && m->fraction >= fraction - slack && m->fraction >= 0);
    assert_true(fabs(m->normal.x - nx) <= 3e-7);
    assert_true(fabs(m->normal.y - ny) <= 3e-7);
    assert_true(fabs(m->normal.z - nz) <= 3e-7);
}

static double reach_of(int shape, int axis) {
    return shape == 3 && axis != 0 ? 1 : 2;
}

static abut_vec3 along(int axis, float x) {
    return (abut_vec3){axis == 0 ? x : 0, axis == 1 ? x : 0, axis == 2 ? x : 0};
}

static abut_vec3 plus(abut_vec3 a, abut_vec3 b) {
    return (abut_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static void every_pair_is_met_along_every_axis(void **state) {
    (void)state;
    static const float scale[3] = {0x1p-60f, 1, 0x1p20f};
    for (int k = 0; k < 3 * SHAPES * SHAPES * 6; k++) {
        float s = scale[k % 3], sign = k / 3 % 2 ? -1.0f : 1.0f;
        int axis = k / 6 % 3, a = k / 18 % SHAPES, b = k / 18 / SHAPES;
        const abut_vec3 at = {5 * s, 6 * s, 7 * s}, from = plus(at, along(axis, -10 * s * sign));
        const abut_vec3 way = along(axis, 20 * s * sign), n = along(axis, -sign);
        double gap = 10 - reach_of(a, axis) - reach_of(b, axis);
        scene sc;
        make_scene(s, &sc);
        met m = cast(&sc.shape[a], from, UPRIGHT, way, &sc.shape[b], at, UPRIGHT);
        assert_met(&m, gap / 20, 4e-9, (double)n.x, (double)n.y, (double)n.z);
        const float *p = &m.position.x, *c = &at.x;
        assert_true(fabs((double)p[axis] - (double)c[axis] + (double)sign * reach_of(b, axis) * (double)s) <=
                    1e-6 * (double)s);
        m = cast(&sc.shape[a], from, UPRIGHT, along(axis, -20 * s * sign), &sc.shape[b], at, UPRIGHT);
        assert_true(m.fraction == INFINITY);
        m = cast(&sc.shape[a], from, UPRIGHT, along(axis, (float)gap * 0.999f * s * sign), &sc.shape[b], at, UPRIGHT);
        assert_true(m.fraction == INFINITY);
        m = cast(&sc.shape[a], from, UPRIGHT, along(axis, 1e30f * sign), &sc.shape[b], at, UPRIGHT);
        assert_met(&m, gap * (double)s / (double)1e30f, 1e-8 * gap * (double)s / (double)1e30f, (double)n.x,
                   (double)n.y, (double)n.z);
        release_scene(&sc);
    }
}

/* Beside the body, whatever the types: missed by a hair, met by a hair. */
static void ways_beside_a_body_miss_it(void **state) {
    (void)state;
    scene sc;
    make_scene(1, &sc);
    for (int k = 0; k < SHAPES * SHAPES; k++) {
        int a = k % SHAPES, b = k / SHAPES;
        float beside = (float)(reach_of(a, 1) + reach_of(b, 1));
        met m = cast(&sc.shape[a], (abut_vec3){-10, beside + 1e-5f, 0}, UPRIGHT, (abut_vec3){20, 0, 0}, &sc.shape[b],
                     (abut_vec3){0, 0, 0}, UPRIGHT);
        assert_true(m.fraction == INFINITY);
        m = cast(&sc.shape[a], (abut_vec3){-10, beside - 1e-5f, 0}, UPRIGHT, (abut_vec3){20, 0, 0}, &sc.shape[b],
                 (abut_vec3){0, 0, 0}, UPRIGHT);
        assert_true(m.fraction >= 0.29 && m.fraction <= 0.5);
        /* Exactly tangent: met. */
        m = cast(&sc.shape[a], (abut_vec3){-10, beside, 0}, UPRIGHT, (abut_vec3){20, 0, 0}, &sc.shape[b],
                 (abut_vec3){0, 0, 0}, UPRIGHT);
        assert_true(m.fraction >= 0.29 && m.fraction <= 0.5);
    }
    release_scene(&sc);
}

static void touching_at_the_start_is_reported_as_such(void **state) {
    (void)state;
    scene sc;
    make_scene(1, &sc);
    const abut_vec3 way[5] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1e38f, -1e38f, 0}, {1e-45f, 0, 0}};
    for (int k = 0; k < SHAPES * SHAPES; k++) {
        int a = k % SHAPES, b = k / SHAPES;
        for (int w = 0; w < 5; w++) {
            const abut_vec3 apart[3] = {{0, 0, 0}, {-4, 0, 0}, {-3.5f, 0, 0}};
            for (int i = 0; i < 3; i++) {
                met m = cast(&sc.shape[a], apart[i], UPRIGHT, way[w], &sc.shape[b], (abut_vec3){0, 0, 0}, UPRIGHT);
                assert_true(m.fraction == ABUT_NP_CAST_TOUCHED);
            }
            met m = cast(&sc.shape[a], (abut_vec3){-4.01f, 0, 0}, UPRIGHT, way[w], &sc.shape[b], (abut_vec3){0, 0, 0},
                         UPRIGHT);
            assert_true(way[w].x >= 1 && way[w].y == 0 ? m.fraction > 0 && m.fraction <= 0.0100003
                                                       : m.fraction == INFINITY || way[w].y != 0);
        }
    }
    release_scene(&sc);
}

/* Boxes apart by less than rounding on one axis, which the way closes, and overlapping by as little on another, which
 * it opens: they touch for a moment. */
static void a_touch_of_a_moment_is_met(void **state) {
    (void)state;
    const abut_shape a = abut_box(4, 5, 1), b = abut_box(3, 1, 1);
    const abut_vec3 from = {-0x1.b6e006p-55f, 0x1.add056p-53f, 0x1.86cb52p-52f};
    for (float more = 1; more < 1e6f; more *= 10) {
        const abut_vec3 way = {0x1.8259b8p-34f * more, -0x1.7a5fa8p-32f * more, -0x1.58062p-31f * more};
        met m = cast(&a, from, (abut_quat){0, 2, 2, 0}, way, &b, (abut_vec3){-7, -2, 6}, (abut_quat){2, 0, 0, -2});
        assert_true(m.fraction >= 0 && m.fraction <= 5.4e-7 / more);
    }
}

/* Apart at the start by less than the tolerance: only ways towards the body meet it. A point above a face or a ball's
 * highest point, at the origin, where floats are fine. */
static void what_nearly_touches_may_leave(void **state) {
    (void)state;
    static const float gap[4] = {0x1p-35f, 0x1p-40f, 0x1p-43f, 0x1p-45f};
    const abut_shape body[2] = {abut_box(1, 1, 1), abut_sphere(1)}, point = {.half = {0, 0, 0}};
    for (int k = 0; k < 8; k++) {
        const abut_vec3 at = {0, -1, 0}, from = {0, gap[k >> 1], 0};
        met m = cast(&point, from, UPRIGHT, (abut_vec3){0, 1, 0}, &body[k & 1], at, UPRIGHT);
        assert_true(m.fraction == INFINITY || m.fraction == ABUT_NP_CAST_TOUCHED);
        if (m.fraction == ABUT_NP_CAST_TOUCHED) {
            continue;
        }
        m = cast(&point, from, UPRIGHT, (abut_vec3){1, 1, 0}, &body[k & 1], at, UPRIGHT);
        assert_true(m.fraction == INFINITY);
        m = cast(&point, from, UPRIGHT, (abut_vec3){0, -1, 0}, &body[k & 1], at, UPRIGHT);
        assert_true(m.fraction >= 0 && m.fraction <= (double)from.y);
        assert_true(m.normal.y == 1);
    }
}

static void edges_and_corners_meet(void **state) {
    (void)state;
    abut_hull *hull = cube(1);
    const abut_shape shape[2] = {abut_box(1, 1, 1), abut_convex(hull, 0)};
    const double r2 = sqrt(2.0);
    for (int k = 0; k < 4; k++) {
        const abut_shape *a = &shape[k & 1], *b = &shape[k >> 1];
        /* An edge along z into a face. */
        met m = cast(a, (abut_vec3){-10, 0.25f, 0.125f}, EIGHTH_ABOUT_Z, (abut_vec3){20, 0, 0}, b, (abut_vec3){0, 0, 0},
                     UPRIGHT);
        assert_met(&m, (9 - r2) / 20 + 1e-8, 3e-8, -1, 0, 0);
        /* Crossed edges: along z and along x, upon each other along y. */
        m = cast(a, (abut_vec3){0.25f, 10, 0.125f}, EIGHTH_ABOUT_Z, (abut_vec3){0, -20, 0}, b, (abut_vec3){0, 0, 0},
                 EIGHTH_ABOUT_X);
        assert_met(&m, (10 - 2 * r2) / 20 + 1e-8, 3e-8, 0, 1, 0);
        assert_true(fabs(m.position.x - 0.25) < 1e-6 && fabs(m.position.y - r2) < 1e-6);
        assert_true(fabs(m.position.z) < 1e-6);
        /* A corner upon a corner. */
        m = cast(a, (abut_vec3){10, 10, 10}, UPRIGHT, (abut_vec3){-10, -10, -10}, b, (abut_vec3){0, 0, 0}, UPRIGHT);
        assert_true(m.fraction <= 0.8 && m.fraction >= 0.8 - 3e-9);
        assert_true(m.normal.x >= 0 && m.normal.y >= 0 && m.normal.z >= 0);
        assert_true(fabs(m.position.x - 1) < 1e-6 && fabs(m.position.y - 1) < 1e-6 && fabs(m.position.z - 1) < 1e-6);
    }
    abut_hull_destroy(&hull);
}

/* A cube whose lower face is at the origin's height, as a hull. */
static abut_hull *cube_above(void) {
    abut_vec3 corner[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? 1 : -1, i & 2 ? 2.0f : 0, i & 4 ? 1 : -1};
    }
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    return hull;
}

/* A box below and a hull above it, apart by so little that only separating axes show it: closest points have no
 * direction, and the normal is that of the faces. */
static void a_gap_that_only_axes_show_is_closed_along_a_face(void **state) {
    (void)state;
    const float gap = 0x1.73p-45f;
    abut_hull *hull = cube_above();
    const abut_shape above = abut_convex(hull, 0), below = abut_box(1, 1, 1);
    const abut_vec3 high = {0, gap, 0}, low = {0, -1, 0};
    for (float way = 0x1p-40f; way < 1e9f; way *= 1024) {
        met m = cast(&above, high, UPRIGHT, (abut_vec3){way / 2, -way, 0}, &below, low, UPRIGHT);
        assert_met(&m, (double)gap / (double)way, (double)gap / (double)way, 0, 1, 0);
        assert_true(fabsf(m.position.x) <= 1 && fabsf(m.position.y) <= 1e-6f && fabsf(m.position.z) <= 1);
        m = cast(&below, low, UPRIGHT, (abut_vec3){0, way, way / 2}, &above, high, UPRIGHT);
        assert_met(&m, (double)gap / (double)way, (double)gap / (double)way, 0, -1, 0);
    }
    abut_hull_destroy(&hull);
}

/* Within the slack of a face, and along it: it counts as met, and the normal is that of the face. */
static void what_slides_within_the_slack_is_met(void **state) {
    (void)state;
    const abut_shape ball = abut_sphere(0.25f), floor = abut_box(1, 1, 1);
    const abut_vec3 at = {0, -1.25f, 0};
    met m = cast(&ball, (abut_vec3){0, 0x1.6p-44f, 0}, UPRIGHT, (abut_vec3){1, 0, 0}, &floor, at, UPRIGHT);
    assert_met(&m, 0, 0, 0, 1, 0);
    assert_true(fabsf(m.position.x) < 1e-6f && fabsf(m.position.y + 0.25f) < 1e-6f && fabsf(m.position.z) < 1e-6f);
}

/* Over a corner of the box several normals separate the shapes, which are too near for a search to tell which is best:
 * the face's leads along the way, that of an edge of the wedge against it. */
static void what_is_within_the_slack_of_a_corner_is_met_against_the_way(void **state) {
    (void)state;
    static const abut_vec3 wedge[5] = {{2, 3, -1}, {1, 3, 1}, {3, 3, 2}, {1, 3, -3}, {1, -3, -3}};
    static const abut_quat third = {0.5f, 0.5f, -0.5f, -0.5f};
    const abut_vec3 from = {0x1.01b17p-42f, -0x1.be39ecp-44f, 0x1.a1b6ap-43f}, corner = {-6, -2, 0};
    const abut_vec3 way = {-0x1.0a3fbap-40f, 0x1.cd0aacp-42f, -0x1.af9506p-41f};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(wedge, 5, NULL, &hull), ABUT_OK);
    const abut_shape shape = abut_convex(hull, 0), body = abut_box(5, 3, 3);
    for (float scale = 1; scale < 1e9f; scale *= 1024) {
        const abut_vec3 longer = {scale * way.x, scale * way.y, scale * way.z};
        met m = cast(&shape, from, third, longer, &body, corner, UPRIGHT);
        assert_met(&m, 0, 0, 2 / sqrt(5), 1 / sqrt(5), 0);
        assert_true(m.position.x == -1 && m.position.y == 1 && m.position.z == -3);
        m = cast(&shape, from, third, (abut_vec3){scale, scale, 0}, &body, corner, UPRIGHT); /* it leads out */
        assert_met(&m, 0, 0, 0, 1, 0);
    }
    abut_hull_destroy(&hull);
}

/* What leaves a face so slowly, from so near, that it may as well touch it later is met at the start: the normal is
 * that of the face, though the way leads along it. */
static void what_hardly_leaves_a_face_keeps_its_normal(void **state) {
    (void)state;
    abut_hull *hull = cube_above();
    const abut_shape above = abut_convex(hull, 0), below = abut_box(1, 1, 1);
    const abut_vec3 low = {0, -1, 0};
    int met_at_start = 0;
    for (float slope = 0x1p-40f; slope < 1; slope *= 2) {
        for (float gap = 0x1p-46f; gap < 0x1p-40f; gap *= 2) {
            const met m = cast(&above, (abut_vec3){0, gap, 0}, UPRIGHT, (abut_vec3){1, slope, 0}, &below, low, UPRIGHT);
            assert_true(m.fraction <= 0 || m.fraction == INFINITY);
            assert_true(m.fraction != 0 || (m.normal.x == 0 && m.normal.y == 1 && m.normal.z == 0));
            met_at_start += m.fraction == 0;
        }
    }
    assert_true(met_at_start > 20);
    abut_hull_destroy(&hull);
}

/* A cube that grazes the top of a ball, the last of its ways that meets it: its hind edge passes the top before they
 * touch by rounding, where the ball leads away. The normal is that of a plane that the way leads against. */
static void a_way_past_the_top_has_a_normal_against_it(void **state) {
    (void)state;
    static const struct {
        float radius, start, height, x, y;
    } given[] = {{0x1.867584p-2f, 0x1.eeb09ep+3f, 0x1.8756p-40f, 0x1.eeb09ep+4f, 0x1.e0e47ap-54f},
                 {0x1.34f5cp+3f, 0x1.e74ebp+10f, 0x1.33d184p-33f, 0x1.e74ebp+11f, 0x1.ffbccap-49f},
                 {0x1.174792p-1f, 0x1.2ea82cp+4f, 0x1.d26404p-40f, 0x1.8778ap+6f, 0x1.3a7f36p-51f}};
    abut_hull *hull = cube_above();
    const abut_shape above = abut_convex(hull, 0);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        const abut_shape ball = abut_sphere(given[i].radius);
        const abut_vec3 way = {given[i].x, -given[i].y, 0}, from = {-given[i].start, given[i].height, 0};
        met m = cast(&above, from, UPRIGHT, way, &ball, (abut_vec3){0, -given[i].radius, 0}, UPRIGHT);
        assert_true(fabs(m.fraction * (double)way.x + (double)from.x - 1) < 1e-3);
        assert_true(m.normal.x < 0 && m.normal.x > -1e-3f && m.normal.y > 0.999999f && fabsf(m.normal.z) < 1e-6f);
        assert_true(fabsf(m.position.x) < 1e-3f && fabsf(m.position.y) < 1e-6f && fabsf(m.position.z) < 1e-6f);
    }
    abut_hull_destroy(&hull);
}

/* Two boxes corner to corner, whose edges along z are parallel but for a tilt that no double shows in its cosine; it
 * still makes their axis the last to be entered. */
static void nearly_parallel_edges_meet(void **state) {
    (void)state;
    const abut_shape box = abut_box(1, 1, 1);
    for (float tilt = 0x1p-36f; tilt < 0x1p-27f; tilt *= 2) {
        met m = cast(&box, (abut_vec3){-5, -5, 0}, UPRIGHT, (abut_vec3){10, 10, 0}, &box, (abut_vec3){0, 0, 0},
                     (abut_quat){tilt, tilt, 0, 1});
        assert_met(&m, 0.3 + 1e-12, 1e-8, -sqrt(0.5), -sqrt(0.5), 0);
        assert_true(fabsf(m.position.x + 1) < 1e-6f && fabsf(m.position.y + 1) < 1e-6f && fabsf(m.position.z) < 1e-6f);
    }
}

static void touched_bodies_are_left_or_entered(void **state) {
    (void)state;
    scene sc;
    make_scene(1, &sc);
    for (int k = 0; k < SHAPES * SHAPES; k++) {
        int a = k % SHAPES, b = k / SHAPES;
        abut_collider start, body;
        abut_vec3 position, normal;
        assert_true(abut_collider_from_shape(&sc.shape[a], &(abut_pose){{-3.75f, 0, 0}, UPRIGHT}, &start));
        assert_true(abut_collider_from_shape(&sc.shape[b], &(abut_pose){{0, 0, 0}, UPRIGHT}, &body));
        const abut_vec3 way[3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
        for (int w = 0; w < 3; w++) {
            const abut_np_cast of = abut_np_cast_of(&start, way[w]);
            bool closes = abut_np_cast_closes(&of, &body, &position, &normal);
            assert_true(fabs(normal.x + 1) < 1e-6 && fabs(normal.y) < 1e-6 && fabs(normal.z) < 1e-6);
            assert_true(w == 2 || closes == (w == 0));
            assert_true(position.x >= -2 && position.x <= -1.75f);
        }
    }
    release_scene(&sc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_is_met_along_every_axis),
        cmocka_unit_test(ways_beside_a_body_miss_it),
        cmocka_unit_test(touching_at_the_start_is_reported_as_such),
        cmocka_unit_test(a_touch_of_a_moment_is_met),
        cmocka_unit_test(what_nearly_touches_may_leave),
        cmocka_unit_test(edges_and_corners_meet),
        cmocka_unit_test(a_gap_that_only_axes_show_is_closed_along_a_face),
        cmocka_unit_test(what_slides_within_the_slack_is_met),
        cmocka_unit_test(what_is_within_the_slack_of_a_corner_is_met_against_the_way),
        cmocka_unit_test(what_hardly_leaves_a_face_keeps_its_normal),
        cmocka_unit_test(a_way_past_the_top_has_a_normal_against_it),
        cmocka_unit_test(nearly_parallel_edges_meet),
        cmocka_unit_test(touched_bodies_are_left_or_entered),
    };
    return test_run(tests);
}
