/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bound that sweeps step by, against samples: in the whole span the gap along the direction, which turns, stays at
 * least at the level; and where that allows more, the span is not much shorter than it could be. */

#include "narrowphase/mesh/triangle.h"
#include "narrowphase/sweep/sweep.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

enum { CASES = 40000, SAMPLES = 64 };

static abut_hull *random_hull(rng *r) {
    abut_vec3 point[24];
    abut_hull *hull = NULL;
    for (int i = 0; i < 24; i++) {
        point[i] = rng_vec3(r, -1, 1);
    }
    assert_int_equal(abut_hull_create(point, 24, NULL, &hull), ABUT_OK);
    return hull;
}

/* Any; or about one of the axes. */
static abut_quat random_rotation(rng *r) {
    const float about = (float)rng_range(r, -1, 1);
    const uint32_t kind = rng_below(r, 6);
    return kind > 2 ? rng_rotation(r)
                    : (abut_quat){kind == 0 ? about : 0, kind == 1 ? about : 0, kind == 2 ? about : 0, 1};
}

static void random_way(rng *r, const abut_hull *hull, abut_np_way *way) {
    const abut_vec3 half = rng_vec3(r, 0, 1);
    const abut_collider shape =
        abut_collider_unplaced(NULL, rng_chance(r, 0.3) ? hull : NULL, half, rng_chance(r, 0.5) ? 0.25f : 0);
    const abut_pose from = {rng_vec3(r, -3, 3), rng_rotation(r)};
    const abut_pose to = {rng_vec3(r, -3, 3), rng_chance(r, 0.2) ? from.rotation : rng_rotation(r)};
    const abut_pose local = {rng_vec3(r, -1, 1), random_rotation(r)};
    const abut_dpose inside = abut_dpose_from(&local);
    abut_np_way_of(&shape, rng_chance(r, 0.3) ? &inside : NULL, &from, rng_chance(r, 0.2) ? &from : &to, way);
}

/* v turned about w by s |w|: Rodrigues' formula. */
static abut_d3 turned(abut_d3 v, abut_d3 w, double s) {
    double speed = sqrt(abut_d3_dot(w, w)), angle = s * speed;
    if (speed == 0) {
        return v;
    }
    const abut_d3 axis = {{w.x[0] / speed, w.x[1] / speed, w.x[2] / speed}};
    abut_d3 out = {{cos(angle) * v.x[0], cos(angle) * v.x[1], cos(angle) * v.x[2]}};
    out = abut_d3_along(out, sin(angle), abut_d3_cross(axis, v));
    return abut_d3_along(out, (1 - cos(angle)) * abut_d3_dot(axis, v), axis);
}

/* The gap along a direction at a time, from the ways alone. */
static double gap_at(const abut_np_way *way[2], double time, abut_d3 direction) {
    double gap = 0;
    for (int i = 0; i < 2; i++) {
        const abut_dquat frame = abut_turn_at(&way[i]->turn, time);
        const abut_d3 along = i ? abut_d3_negate(direction) : direction;
        double m[3][3], all[3][3];
        abut_dquat_matrix(frame, m);
        abut_dquat_matrix(abut_dquat_multiply(frame, way[i]->turned), all);
        abut_d3 center = abut_d3_along(way[i]->from, time, way[i]->translation);
        center = abut_d3_along(center, 1, abut_d3_rotate(m, way[i]->local));
        const abut_d3 end = abut_shape_of(&way[i]->shape)->support(&way[i]->shape, abut_d3_unrotate(all, along));
        gap -= abut_d3_dot(along, abut_d3_along(center, 1, abut_d3_rotate(all, end))) + way[i]->shape.radius;
    }
    return gap;
}

static abut_d3 direction_of(rng *r) {
    abut_d3 direction = abut_d3_from(rng_direction(r));
    (void)abut_d3_normalise_scaled(&direction);
    return direction;
}

/* Any; that of one of the shapes; or none. */
static abut_d3 random_spin(rng *r, const abut_np_couple *couple) {
    const uint32_t kind = rng_below(r, 4);
    const abut_d3 zero = {{0, 0, 0}};
    return kind < 2 ? couple->spin[kind] : kind == 2 ? abut_d3_from(rng_vec3(r, -3, 3)) : zero;
}

static void the_gap_stays_above_the_level(void **state) {
    (void)state;
    int whole = 0, part = 0, long_enough = 0;
    rng first = rng_make(test_seed(), 0);
    abut_hull *hull = random_hull(&first);
    for (uint64_t k = 0; k < test_count(CASES); k++) {
        rng r = rng_make(test_seed(), k + 1);
        abut_np_way a, b;
        abut_np_couple couple;
        abut_np_instant instant;
        random_way(&r, hull, &a);
        random_way(&r, hull, &b);
        const abut_np_way *way[2] = {&a, &b};
        abut_np_couple_of(&a, &b, &couple);
        double time = rng_chance(&r, 0.5) ? 0 : rng_unit(&r), most = 1 - time;
        abut_np_instant_begin(&couple, time, &instant);
        const abut_d3 direction = direction_of(&r), spin = random_spin(&r, &couple);
        const abut_np_front front = abut_np_front_of(&couple, &instant, direction, spin);
        double gap = abut_np_front_gap(&front), noise = 1e-5 * couple.tolerance;
        assert_true(fabs(gap - gap_at(way, time, direction)) <= noise);
        double level = gap - rng_log_range(&r, 1e-6, 3);
        double span = abut_np_front_span(&front, level, most);
        assert_true(span > 0 && span <= most);
        double least = INFINITY;
        for (int i = 1; i <= SAMPLES; i++) {
            double s = span * i / SAMPLES, there = gap_at(way, time + s, turned(direction, spin, s));
            assert_true(there >= level - 4e-5 * couple.tolerance - noise);
            least = there < least ? there : least;
        }
        whole += span == most;
        part += span < most;
        long_enough += span < most && least - level <= 0.5 * (gap - level);
    }
    /* Most spans end because the gap has nearly fallen to the level, not because the bound is coarse. */
    assert_true(whole > 0 && part > 0 && 2 * long_enough > part);
    abut_hull_destroy(&hull);
}

static void no_span_from_below_the_level(void **state) {
    (void)state;
    const abut_collider box = abut_collider_unplaced(NULL, NULL, (abut_vec3){1, 1, 1}, 0);
    const abut_pose from = {{0, 0, 0}, {0, 0, 0, 1}}, to = {{5, 0, 0}, {0, 0, 0, 1}};
    abut_np_way a, b;
    abut_np_couple couple;
    abut_np_instant instant;
    abut_np_way_of(&box, NULL, &from, &to, &a);
    abut_np_way_of(&box, NULL, &to, &to, &b);
    abut_np_couple_of(&a, &b, &couple);
    abut_np_instant_begin(&couple, 0, &instant);
    const abut_np_front front = abut_np_front_of(&couple, &instant, (abut_d3){{1, 0, 0}}, (abut_d3){{0, 0, 0}});
    assert_true(abut_np_front_gap(&front) == 3);
    assert_true(abut_np_front_span(&front, 3, 1) == 0);
    assert_true(abut_np_front_span(&front, 4, 1) == 0);
    assert_true(fabs(abut_np_front_span(&front, 1, 1) - 0.4) < 1e-12);
}

/* Over the inside of a triangle the direction is its normal, and turns with it. */
static void the_direction_turns_with_a_triangle(void **state) {
    (void)state;
    const abut_collider point = abut_collider_unplaced(NULL, NULL, (abut_vec3){0, 0, 0}, 0);
    unsigned long seen = 0;
    for (uint64_t k = 0; k < test_count(2000); k++) {
        rng r = rng_make(test_seed(), k + 1);
        const abut_vec3 corner[3] = {rng_vec3(&r, -9, 9), rng_vec3(&r, -9, 9), rng_vec3(&r, -9, 9)};
        static const uint32_t index[3] = {0, 1, 2};
        const abut_mesh_def def = {.vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1};
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        const abut_pose from = {rng_vec3(&r, -1, 1), rng_rotation(&r)}, to = {rng_vec3(&r, -1, 1), rng_rotation(&r)};
        const abut_pose over = {rng_vec3(&r, -4, 4), {0, 0, 0, 1}}, past = {rng_vec3(&r, -4, 4), {0, 0, 0, 1}};
        const abut_shape surface = {.mesh = mesh};
        abut_np_triangle triangle;
        abut_np_couple couple;
        abut_np_instant instant;
        abut_np_gap gap;
        abut_np_way a, b;
        abut_collider ground;
        assert_true(abut_collider_from_shape_or_mesh(&surface, &from, &ground));
        abut_np_triangle_make(&ground, 0, &triangle);
        abut_np_way_of(&point, NULL, &over, &past, &a);
        abut_np_way_of(&triangle.collider, NULL, &from, &to, &b);
        abut_np_couple_of(&a, &b, &couple);
        abut_np_instant_begin(&couple, 0, &instant);
        bool found = abut_np_gap_at(&couple, &instant, INFINITY, false, &gap);
        if (found && gap.nearest.count == 3 && gap.distance > 0.1) {
            const abut_d3 spin = abut_np_gap_spin(&couple, &instant, &gap), off = abut_d3_sub(spin, couple.spin[1]);
            assert_true(abut_d3_length(off) <= 1e-6 * abut_d3_length(couple.spin[1]));
            seen++;
        }
        abut_mesh_destroy(&mesh);
    }
    assert_true(seen > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gap_stays_above_the_level),
        cmocka_unit_test(no_span_from_below_the_level),
        cmocka_unit_test(the_direction_turns_with_a_triangle),
    };
    return test_run(tests);
}
