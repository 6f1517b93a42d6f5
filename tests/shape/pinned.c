/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: rotations, poses between two, arcs and solids, as numbers. What other tests judge leaves room
 * (a rotation to within its rounding); nothing in it may change unnoticed. */
#include "shape/angle.h"
#include "shape/arc.h"
#include "shape/shape.h"
#include "support/digest.h"
#include "support/test.h"
#include "support/wild.h"
#include <abut/pose.h>
#include <math.h>

enum { ROTATIONS = 20000 };

static const float wrong[] = {NAN, INFINITY, -INFINITY, 0x1.fffffep127f};

/* --- rotations --- */

/* Of either sign. The order in which numbers are drawn must not be left to the compiler. */
static double signed_size(rng *r, int low, int high) {
    const double sign = (double)rng_sign(r);
    return sign * wild_size(r, low, high);
}

/* Changes one of n numbers. */
static void put(rng *r, float *x, uint32_t n, float value) {
    x[rng_below(r, n)] = value;
}

static abut_quat any_rotation(rng *r) {
    abut_quat q = wild_rotation(r);
    const uint32_t kind = rng_below(r, 12);
    const float by = kind == 0   ? (float)wild_size(r, -140, -120)
                     : kind == 1 ? (float)wild_size(r, 100, 126)
                                 : rng_sign(r);
    q = (abut_quat){q.x * by, q.y * by, q.z * by, q.w * by};
    return kind == 2 ? (abut_quat){-0.0f, 0, 0, 0} : q;
}

static abut_pose any_pose(rng *r) {
    abut_pose pose;
    for (int i = 0; i < 3; i++) {
        (&pose.position.x)[i] = rng_chance(r, 0.1) ? -0.0f : (float)signed_size(r, -130, 40);
    }
    pose.rotation = any_rotation(r);
    if (rng_chance(r, 0.03)) {
        put(r, &pose.position.x, 7, wrong[rng_below(r, 3)]);
    }
    return pose;
}

/* The same rotation but for a little, the opposite quaternion, one of which the dot product is exactly 0, or any. */
static abut_pose next_pose(rng *r, const abut_pose *from) {
    abut_pose to = any_pose(r);
    abut_quat q = from->rotation;
    switch (rng_below(r, 5)) {
    case 0:
        break;
    case 1:
        to.rotation = (abut_quat){-q.x, -q.y, -q.z, -q.w};
        break;
    case 2:
        to.rotation = (abut_quat){-q.y, q.x, -q.w, q.z};
        break;
    case 3:
        to.rotation = q;
        to.rotation.y += (float)wild_size(r, -60, 0);
        break;
    default:
        to.rotation = rng_chance(r, 0.5) ? q : (abut_quat){2 * q.x, 2 * q.y, 2 * q.z, 2 * q.w};
        break;
    }
    return to;
}

static void digest_pose(uint64_t *digest, const abut_pose *pose) {
    digest_floats(digest, &pose->position.x, 3);
    digest_floats(digest, &pose->rotation.x, 4);
}

static void poses_between(uint64_t *digest) {
    static const float fractions[] = {0, -1, 1, 2, 0x1p-149f, 0.5f, 0x1.fffffep-1f, -0.0f};
    rng r = rng_make(31, 0);
    for (uint32_t k = 0; k < ROTATIONS; k++) {
        const abut_pose from = any_pose(&r), to = next_pose(&r, &from);
        const float t = rng_chance(&r, 0.3) ? fractions[rng_below(&r, 8)] : (float)rng_unit(&r);
        const abut_pose pose = abut_pose_between(&from, &to, rng_chance(&r, 0.02) ? NAN : t);
        digest_pose(digest, &pose);
    }
    const abut_pose one = {{0, 0, 0}, {0, 0, 0, 1}};
    const abut_pose none[] = {abut_pose_between(NULL, &one, 0.5f), abut_pose_between(&one, NULL, 0.5f)};
    digest_pose(digest, &none[0]);
    digest_pose(digest, &none[1]);
}

static bool finite_quat(abut_quat q) {
    return fabsf(q.x) + fabsf(q.y) + fabsf(q.z) + fabsf(q.w) < 0x1p126f;
}

static void turns(uint64_t *digest) {
    rng r = rng_make(32, 0);
    for (uint32_t k = 0; k < ROTATIONS; k++) {
        const abut_pose from = any_pose(&r), to = next_pose(&r, &from);
        if (!finite_quat(from.rotation) || !finite_quat(to.rotation)) {
            continue;
        }
        const abut_turn turn = abut_turn_between(from.rotation, to.rotation);
        const abut_dquat at = abut_turn_at(&turn, rng_unit(&r));
        digest_doubles(digest, &turn.from.x, 4);
        digest_doubles(digest, turn.axis.x, 3);
        digest_double(digest, turn.angle);
        digest_doubles(digest, &at.x, 4);
    }
}

static void digest_angle(uint64_t *digest, abut_angle angle) {
    digest_double(digest, angle.sine);
    digest_double(digest, angle.cosine);
}

static void angles(uint64_t *digest) {
    rng r = rng_make(33, 0);
    for (uint32_t k = 0; k < ROTATIONS; k++) {
        const double eighths = ((double)rng_below(&r, 64) - 32) * 0.7853981633974483;
        const double size = rng_chance(&r, 0.4) ? eighths + wild_size(&r, -60, 1) : wild_size(&r, -60, 40);
        digest_angle(digest, abut_angle_of_radians((double)rng_sign(&r) * size));
        digest_double(digest, abut_sine(rng_range(&r, -0.7853981633974483, 0.7853981633974483)));
    }
    digest_angle(digest, abut_angle_of_radians(0x1p40));
    digest_angle(digest, abut_angle_of_radians(0));
    for (uint32_t whole = 1; whole < 90; whole++) {
        for (uint32_t part = 0; part < whole; part++) {
            digest_angle(digest, abut_angle_of_part(part, whole));
        }
    }
    for (uint32_t k = 0; k < 300; k++) {
        const uint32_t whole = 2 + rng_below(&r, (1U << 29) - 3);
        digest_angle(digest, abut_angle_of_part(rng_below(&r, whole), whole));
    }
}

static void axes(uint64_t *digest) {
    static const float limits[] = {0, 0x1p40f, 0x1.000002p40f, -0x1p40f, NAN, INFINITY, 3.14159265f};
    rng r = rng_make(34, 0);
    for (uint32_t k = 0; k < ROTATIONS; k++) {
        abut_vec3 axis;
        for (int i = 0; i < 3; i++) {
            (&axis.x)[i] = rng_chance(&r, 0.3) ? 0 : (float)signed_size(&r, k % 2 ? -149 : -3, k % 2 ? 127 : 3);
        }
        if (rng_chance(&r, 0.02)) {
            put(&r, &axis.x, 3, wrong[rng_below(&r, 4)]);
        }
        const float radians = rng_chance(&r, 0.1) ? limits[rng_below(&r, 7)] : (float)signed_size(&r, -30, 41);
        const abut_quat q = abut_quat_from_axis_angle(axis, radians);
        digest_floats(digest, &q.x, 4);
    }
}

/* --- matrices --- */

/* Of a pose, and then scaled, mirrored, sheared, flattened or broken. */
static void matrices(uint64_t *digest) {
    rng r = rng_make(35, 0);
    for (uint32_t k = 0; k < ROTATIONS; k++) {
        const abut_pose pose = any_pose(&r);
        float m[16] = {0};
        abut_pose_to_matrix(&pose, m);
        digest_floats(digest, m, 16);
        for (int j = 0; j < 3 && rng_chance(&r, 0.6); j++) {
            const float sign = rng_chance(&r, 0.9) ? 1 : -1;
            const float by = sign * (float)wild_size(&r, k % 3 ? -2 : -100, k % 3 ? 2 : 100);
            m[4 * j] *= by, m[4 * j + 1] *= by, m[4 * j + 2] *= by;
        }
        if (rng_chance(&r, 0.3)) {
            put(&r, m, 12, rng_chance(&r, 0.1) ? NAN : (float)wild_size(&r, -30, 2));
        }
        if (rng_chance(&r, 0.05)) {
            float *column = m + 4 * rng_below(&r, 3);
            column[0] = column[1] = column[2] = 0;
        }
        const abut_quat q = abut_quat_from_matrix(m);
        digest_floats(digest, &q.x, 4);
    }
    float kept[16] = {0};
    abut_pose_to_matrix(NULL, kept);
    abut_pose_to_matrix(&(abut_pose){{0, 0, 0}, {0, 0, 0, 1}}, NULL);
    digest_floats(digest, kept, 16);
    const abut_quat none = abut_quat_from_matrix(NULL);
    digest_floats(digest, &none.x, 4);
}

/* --- arcs --- */

static void digest_line(abut_d3 from, abut_d3 to, void *digest) {
    digest_doubles(digest, from.x, 3);
    digest_doubles(digest, to.x, 3);
}

static void arcs(uint64_t *digest) {
    rng r = rng_make(36, 0);
    for (uint32_t k = 0; k < 3000; k++) {
        const double size = rng_chance(&r, 0.5) ? wild_size(&r, -24, -16) : wild_size(&r, -8, 3);
        abut_d3 center, from = abut_d3_from(rng_direction(&r)), to = abut_d3_from(rng_direction(&r));
        for (int i = 0; i < 3; i++) {
            center.x[i] = rng_range(&r, -4, 4);
            to.x[i] = from.x[i] + size * to.x[i];
        }
        (void)abut_d3_normalise(&to);
        if (k % 7 == 0) { /* nearly opposite */
            to = abut_d3_negate(from);
            to.x[k % 3] += wild_size(&r, -50, -2);
        }
        digest_number(digest, k);
        abut_shape_arc(center, wild_size(&r, -4, 4), from, to, digest_line, digest);
    }
}

/* --- solids --- */

static void digest_solid(uint64_t *digest, abut_result result, abut_hull **hull) {
    digest_number(digest, (uint64_t)result);
    digest_number(digest, abut_hull_digest(*hull));
    digest_number(digest, abut_hull_vertex_count(*hull));
    abut_hull_destroy(hull);
}

static void solids(uint64_t *digest) {
    static const uint32_t sides[] = {0, 2, 3, 4, 5, 6, 7, 8, 12, 17, 24, 33, 64, 90, 4097, UINT32_MAX};
    static const float sizes[] = {1, 0.5f, 0, 3.25f, -1, NAN, INFINITY, 2e9f};
    abut_hull *hull = NULL;
    for (uint32_t k = 0; k < 16 * 64; k++) {
        const abut_hull_def def = {.max_vertices = k % 4 == 3 ? 7 : 0};
        const float half = sizes[k / 16 % 8], radius = sizes[k / 128];
        const abut_result cylinder = abut_hull_create_cylinder(half, radius, sides[k % 16], k % 3 ? NULL : &def, &hull);
        digest_solid(digest, cylinder, &hull);
        const abut_result cone = abut_hull_create_cone(half, radius, sides[k % 16], k % 3 ? NULL : &def, &hull);
        digest_solid(digest, cone, &hull);
        const abut_result wedge = abut_hull_create_wedge((abut_vec3){half, radius, sizes[k % 8]}, NULL, &hull);
        digest_solid(digest, wedge, &hull);
    }
    digest_number(digest, (uint64_t)abut_hull_create_cylinder(1, 1, 8, NULL, NULL));
    digest_number(digest, (uint64_t)abut_hull_create_cone(1, 1, 8, NULL, NULL));
    digest_number(digest, (uint64_t)abut_hull_create_wedge((abut_vec3){1, 1, 1}, NULL, NULL));
    digest_solid(digest, abut_hull_create_cylinder(1, 1, 2048, NULL, &hull), &hull);
    digest_solid(digest, abut_hull_create_cylinder(1, 1, 2049, NULL, &hull), &hull);
}

/* --- bounds that are checked --- */

/* Colliders as they should be and changed ones: whether their checks accept them, and what their bounds are. */
static void checks(uint64_t *digest) {
    static wild_hulls hulls;
    wild_hulls_create(&hulls);
    rng r = rng_make(37, 0);
    for (uint32_t k = 0; k < 4000; k++) {
        const abut_shape shape = wild_shape(&r, &hulls, wild_size(&r, -8, 8));
        const abut_pose pose = any_pose(&r);
        abut_collider c;
        const bool made = abut_collider_from_shape(&shape, &pose, &c);
        digest_number(digest, made);
        if (!made) {
            c = (abut_collider){.type = ABUT_SHAPE_BOX};
        }
        if (made && fabsf(c.center.x) + fabsf(c.center.y) + fabsf(c.center.z) < 0x1p100f) {
            const abut_aabb box = abut_collider_bounds(&c), same = abut_shape_bounds(&shape, &pose);
            const abut_obb tight = abut_collider_obb(&c);
            digest_bounds(digest, &box);
            digest_bounds(digest, &same);
            digest_box(digest, &tight);
            digest_number(digest, abut_collider_valid(&c));
            digest_number(digest, abut_collider_bounds_valid(&c));
        }
        c.type += rng_below(&r, 3);
        c.radius = rng_chance(&r, 0.5) ? c.radius : -1;
        digest_number(digest, c.type != ABUT_SHAPE_MESH && abut_collider_valid(&c));
    }
    wild_hulls_destroy(&hulls);
}

static void shapes_answer_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"poses between", poses_between, UINT64_C(0xa5977a479fe117ae)},
        {"turns", turns, UINT64_C(0x7ba456a2657a9005)},
        {"angles", angles, UINT64_C(0xaccb60496fc34cce)},
        {"axes", axes, UINT64_C(0xbf3e2c10a69592b1)},
        {"matrices", matrices, UINT64_C(0x016f450db4d4605b)},
        {"arcs", arcs, UINT64_C(0xfa0b30951c5ca78b)},
        {"solids", solids, UINT64_C(0xdb94d6e87eb71a5f)},
        {"checks", checks, UINT64_C(0xf577d371a1353744)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_answer_the_same_everywhere)};
    return test_run(tests);
}
