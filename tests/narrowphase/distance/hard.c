/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs that iterative searches fail on: plates, rods and points of very different sizes, nearly parallel, almost
 * touching or just overlapping, and round hulls of many vertices. The answer certifies itself: the distance of its
 * points and its lower bound meet (truth.c holds both against the oracle). */

#include "narrowphase/distance/distance.h"
#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

enum { HULLS = 6 };

static abut_quat turned(abut_quat q, double angle, abut_vec3 axis) {
    abut_dquat by = {axis.x * angle / 2, axis.y * angle / 2, axis.z * angle / 2, 1};
    abut_dquat r = abut_dquat_multiply(abut_dquat_from(q), by);
    return (abut_quat){(float)r.x, (float)r.y, (float)r.z, (float)r.w};
}

static float extent(rng *r, double size) {
    return rng_chance(r, 0.25) ? 0 : (float)(size * rng_log_range(r, 1e-4, 1));
}

static abut_collider core(rng *r, const abut_hull *hull, double size) {
    abut_vec3 half = {extent(r, size), extent(r, size), extent(r, size)};
    abut_collider c = abut_collider_unplaced(NULL, hull, half, 0);
    c.center = rng_vec3(r, -size, size);
    c.rotation = rng_chance(r, 0.3) ? (abut_quat){0, 0, 0, 1} : rng_rotation(r);
    return c;
}

static void move(abut_collider *c, abut_d3 n, double by) {
    c->center.x = (float)(c->center.x + by * n.x[0]);
    c->center.y = (float)(c->center.y + by * n.x[1]);
    c->center.z = (float)(c->center.z + by * n.x[2]);
}

static void assert_certified(const abut_collider *a, const abut_collider *b, const abut_np_closest *c,
                             unsigned long i) {
    bool meet = c->overlap ? c->distance == 0 && c->lower <= 0 : c->distance - c->lower <= 0x1p-46 * c->size;
    if (!meet) {
        fail_msg("pair %lu: distance %.17g, lower %.17g, S %g", i, c->distance, c->lower, c->size);
    }
    bool touch = abut_np_overlap(a, b);
    if (c->overlap ? c->lower > 0 : touch && c->lower > 0) {
        fail_msg("pair %lu overlaps; distance %.17g, lower %.17g, S %g", i, c->distance, c->lower, c->size);
    }
}

/* Moves b along the closest points, to and fro around touching, and looks at each pair. */
static void approach(rng *r, abut_collider *a, abut_collider *b, unsigned long i) {
    abut_np_closest c;
    for (int step = 0; step < 4; step++) {
        abut_np_closest_points(a, b, &c);
        assert_certified(a, b, &c, i);
        if (c.overlap) {
            return;
        }
        double gap = c.size * rng_log_range(r, 1e-13, 1e-1);
        move(b, c.normal, gap - c.distance);
    }
}

static void thin_boxes(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(200000); i++) {
        rng r = rng_make(test_seed(), i);
        bool alike = rng_chance(&r, 0.5);
        double size = rng_log_range(&r, 1e-4, 1e5), other = alike ? size : rng_log_range(&r, 1e-4, 1e5);
        abut_collider a = core(&r, NULL, size), b = core(&r, NULL, other);
        if (rng_chance(&r, 0.7)) {
            b.rotation = turned(a.rotation, rng_log_range(&r, 1e-9, 1), rng_direction(&r));
        }
        move(&b, abut_d3_from(rng_direction(&r)), (size + other) * rng_range(&r, 0, 5));
        approach(&r, &a, &b, i);
    }
}

/* A ball of random points, a cylinder of many sides, a needle, a lattice with large faces. */
static abut_hull *round_hull(rng *r, int kind) {
    static const uint32_t counts[HULLS] = {12, 200, 4000, 96, 40, 64};
    abut_vec3 points[4000];
    for (uint32_t k = 0; k < counts[kind]; k++) {
        double angle = 6.283185307179586 * (k / 2) / (counts[kind] / 2);
        points[k] = rng_direction(r);
        if (kind == 3) {
            points[k] = (abut_vec3){(float)cos(angle), k & 1 ? 0.25f : -0.25f, (float)sin(angle)};
        } else if (kind == 4) {
            points[k] = (abut_vec3){1e-4f * points[k].x, points[k].y, 1e-3f * points[k].z};
        } else if (kind == 5) {
            points[k] = (abut_vec3){(float)(k & 3), (float)(k >> 2 & 3), (float)(k >> 4 & 3)};
        }
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, counts[kind], NULL, &hull), ABUT_OK);
    return hull;
}

static void round_hulls_and_needles(void **state) {
    (void)state;
    abut_hull *hulls[HULLS];
    rng made = rng_make(test_seed(), UINT64_MAX);
    for (int k = 0; k < HULLS; k++) {
        hulls[k] = round_hull(&made, k);
    }
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        const abut_hull *of_b = rng_chance(&r, 0.2) ? NULL : hulls[rng_below(&r, HULLS)];
        abut_collider a = core(&r, hulls[rng_below(&r, HULLS)], 1), b = core(&r, of_b, 1);
        if (rng_chance(&r, 0.5)) {
            b.rotation = turned(a.rotation, rng_log_range(&r, 1e-9, 1), rng_direction(&r));
        }
        move(&b, abut_d3_from(rng_direction(&r)), rng_range(&r, 0, 5));
        approach(&r, &a, &b, i);
    }
    for (int k = 0; k < HULLS; k++) {
        abut_hull_destroy(&hulls[k]);
    }
}

/* Swapping changes only last bits. */
static void swapping_mirrors(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(50000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_collider a = core(&r, NULL, 1), b = core(&r, NULL, 1);
        move(&b, abut_d3_from(rng_direction(&r)), rng_range(&r, 0, 3));
        abut_np_closest c, s;
        abut_np_closest_points(&a, &b, &c);
        abut_np_closest_points(&b, &a, &s);
        assert_true(fabs(c.distance - s.distance) <= 0x1p-46 * c.size);
        for (int k = 0; k < 3 && c.distance > 1e-6 * c.size; k++) {
            assert_true(fabs(c.normal.x[k] + s.normal.x[k]) <= 1e-6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_boxes),
        cmocka_unit_test(round_hulls_and_needles),
        cmocka_unit_test(swapping_mirrors),
    };
    return test_run(tests);
}
