/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The OBB of a hull in the world: it contains the exact one, and is no larger than rounding requires. */

#include "shape/shape.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

enum { POINTS = 12 };

/* The stream of the random case that is being checked: it replays the case. */
static uint64_t stream;

static void check(bool ok, const char *what) {
    if (!ok) {
        fail_msg("seed 0x%llx stream %llu: %s", (unsigned long long)test_seed(), (unsigned long long)stream, what);
    }
}

static abut_hull *some_hull(rng *r) {
    abut_vec3 points[POINTS], off = rng_vec3(r, -3, 3), size = rng_vec3(r, 0.001, 1);
    abut_hull *hull;
    for (int i = 0; i < POINTS; i++) {
        abut_vec3 p = rng_direction(r);
        points[i] = (abut_vec3){off.x + p.x * size.x, off.y + p.y * size.y, off.z + p.z * size.z};
    }
    assert_int_equal(abut_hull_create(points, POINTS, NULL, &hull), ABUT_OK);
    return hull;
}

/* Corner i of a box, in the frame that the box is given in. */
static abut_d3 corner_of(const abut_obb *box, int i) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(abut_quat_or_identity(box->rotation)), m);
    abut_d3 local = {
        {i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y, i & 4 ? box->half.z : -box->half.z}};
    return abut_d3_along(abut_d3_from(box->center), 1, abut_d3_rotate(m, local));
}

static void it_contains_the_exact_one(void **state) {
    (void)state;
    for (stream = 0; stream < test_count(3000); stream++) {
        rng r = rng_make(test_seed(), stream);
        abut_hull *hull = some_hull(&r);
        double far = rng_log_range(&r, 0.01, 1e8);
        abut_collider collider = {
            .center = rng_vec3(&r, -far, far), .rotation = rng_rotation(&r), .type = ABUT_SHAPE_HULL, .hull = hull};
        abut_obb box = abut_collider_obb(&collider), own = abut_hull_obb(hull);
        double m[3][3], turn[3][3], most = 0;
        abut_dquat_matrix(abut_dquat_from(collider.rotation), m);
        abut_dquat_matrix(abut_dquat_from(box.rotation), turn);
        const double half[3] = {box.half.x, box.half.y, box.half.z}, old[3] = {own.half.x, own.half.y, own.half.z};
        for (int i = 0; i < 8; i++) {
            abut_d3 exact = abut_d3_along(abut_d3_from(collider.center), 1, abut_d3_rotate(m, corner_of(&own, i)));
            abut_d3 within = abut_d3_unrotate(turn, abut_d3_sub(exact, abut_d3_from(box.center)));
            for (int k = 0; k < 3; k++) {
                check(fabs(within.x[k]) <= half[k] + 1e-14 * (far + 8), "contained");
                most = abut_max_d(most, half[k] - old[k]);
            }
        }
        check(most <= 1e-6 * (far + 8), "no larger than necessary");
        abut_hull_destroy(&hull);
    }
}

static void it_is_the_exact_one_where_floats_can_express_it(void **state) {
    (void)state;
    abut_vec3 corners[8];
    abut_hull *hull;
    abut_obb_corners(&(abut_obb){{1, 2, 3}, {0, 0, 0, 1}, {0.5f, 1, 0.25f}}, corners);
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    abut_obb own = abut_hull_obb(hull);
    const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}};
    for (int i = 0; i < 3; i++) {
        abut_collider collider = {
            .center = {16, -8, 0.5f}, .rotation = turns[i], .type = ABUT_SHAPE_HULL, .hull = hull};
        abut_obb box = abut_collider_obb(&collider);
        assert_true(memcmp(&box.half, &own.half, sizeof box.half) == 0);
        float y = i == 1 ? -1.0f : 1.0f, z = i == 0 ? 1.0f : -1.0f, x = i == 2 ? -1.0f : 1.0f;
        assert_true(box.center.x == 16 + x && box.center.y == -8 + 2 * y && box.center.z == 0.5f + 3 * z);
    }
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_contains_the_exact_one),
        cmocka_unit_test(it_is_the_exact_one_where_floats_can_express_it),
    };
    return test_run(tests);
}
