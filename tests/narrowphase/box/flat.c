/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Points, rods and plates beside each other, nearly or not at all turned against each other: where they touch, and that
 * the separation has the sign of the truth. */
#include "support/oracle.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>

static const abut_quat turns[4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, -1, 0, 1}, {0, 0, 1, 1}};

/* One of the turns, with a tilt of up to so much. */
static abut_quat nearly(rng *r, uint32_t turn, double tilt) {
    const abut_quat q = turns[turn];
    const abut_vec3 t = rng_vec3(r, -tilt, tilt);
    return (abut_quat){q.x + t.x, q.y + t.y, q.z + t.z, q.w};
}

/* The axes of a box, by rows. */
static void axes_of(abut_quat q, double axes[3][3]) {
    const double x = q.x, y = q.y, z = q.z, w = q.w, s = 2 / (x * x + y * y + z * z + w * w);
    const double m[3][3] = {{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                            {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                            {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
    for (int k = 0; k < 9; k++) {
        axes[k / 3][k % 3] = m[k / 3][k % 3];
    }
}

static double distance_from(const abut_vec3 *p, const abut_vec3 *q) {
    return sqrt(((double)p->x - q->x) * ((double)p->x - q->x) + ((double)p->y - q->y) * ((double)p->y - q->y) +
                ((double)p->z - q->z) * ((double)p->z - q->z));
}

/* A point near a rod, a plate or a box: the contact is no farther from the point than these are apart. */
static void the_contact_of_a_point_is_near_it(void **state) {
    (void)state;
    unsigned long hits = 0, wrong = 0;
    for (unsigned long i = 0, n = test_count(200000); i < n; i++) {
        rng r = rng_make(test_seed(), i);
        const double tilt = rng_chance(&r, 0.3) ? 0 : rng_log_range(&r, 1e-10, 1e-5);
        const double gap = rng_chance(&r, 0.5) ? rng_log_range(&r, 1e-9, 1e-6) : rng_log_range(&r, 1e-9, 0.5);
        const uint32_t extents = 1 + rng_below(&r, 3), turn = rng_below(&r, 4);
        const abut_vec3 way = rng_direction(&r);
        abut_obb body = {.half = {1, extents > 1 ? 0.5f : 0, extents > 2 ? 0.25f : 0}}, point = {.half = {0, 0, 0}};
        double axes[3][3], at[3] = {0, 0, 0};
        body.rotation = nearly(&r, turn, tilt);
        point.rotation = nearly(&r, rng_chance(&r, 0.5) ? turn : 0, tilt);
        axes_of(body.rotation, axes);
        /* From a point of its surface, outwards or along it. */
        const double on[3] = {rng_range(&r, -1.1, 1.1) * body.half.x, rng_range(&r, -1.1, 1.1) * body.half.y,
                              rng_sign(&r) * body.half.z};
        const double step[3] = {rng_chance(&r, 0.5) ? 0 : gap * way.x, rng_chance(&r, 0.3) ? 0 : gap * way.y,
                                gap * way.z};
        for (int k = 0; k < 9; k++) {
            at[k % 3] += axes[k / 3][k % 3] * (on[k / 3] + step[k / 3]);
        }
        point.center = (abut_vec3){(float)at[0], (float)at[1], (float)at[2]};
        double apart2 = 0;
        for (int k = 0; k < 3; k++) {
            const double along =
                axes[k][0] * point.center.x + axes[k][1] * point.center.y + axes[k][2] * point.center.z;
            const double beyond = fmax(fabs(along) - (&body.half.x)[k], 0);
            apart2 += beyond * beyond;
        }
        abut_manifold m;
        if (!abut_obb_collide(&body, &point, 0.75f, &m)) {
            continue;
        }
        hits++;
        bool right = m.count == 1;
        for (uint32_t k = 0; k < m.count; k++) {
            right = right && distance_from(&m.points[k].position, &point.center) <= sqrt(apart2) + 1e-6;
        }
        if (sqrt(apart2) > 1e-9) { /* a point inside of a box is as deep as its least half extent */
            wrong += !right;
        }
    }
    printf("%lu points, %lu contacts elsewhere\n", hits, wrong);
    assert_true(hits > 1000);
    assert_int_equal(wrong, 0);
}

/* Rods and bars of which one crosses the other at a tiny angle, less than 1e-6 of their size apart or as deep. */
static void nearly_parallel_rods_have_the_sign_of_the_truth(void **state) {
    (void)state;
    unsigned long apart = 0, touching = 0, wrong = 0;
    if (!oracle_available()) {
        skip();
    }
    for (unsigned long i = 0, n = test_count(20000); i < n; i++) {
        rng r = rng_make(test_seed(), i);
        const double angle = rng_log_range(&r, 1e-9, 1e-6), wide = rng_chance(&r, 0.5) ? 0 : rng_log_range(&r, 1e-8, 1);
        const float length = (float)rng_range(&r, 0.5, 2);
        const abut_vec3 t = rng_vec3(&r, -angle, angle);
        const abut_obb a = {.half = {(float)wide, (float)wide, length}, .rotation = {0, 0, 0, 1}};
        abut_obb b = {.half = {0, 0, length / 2}, .rotation = {t.x, t.y, t.z, 1}};
        const double reach = angle * length;
        b.center = (abut_vec3){(float)(wide + rng_range(&r, -reach, reach)), (float)rng_range(&r, -reach, reach),
                               (float)rng_range(&r, -0.5, 0.5)};
        if (wide > 0) {
            b.center.y = (float)rng_range(&r, -wide, wide);
        }
        const bool touch = oracle_obb_touch(&a, &b);
        abut_manifold m;
        if (!abut_obb_collide(&a, &b, 1e-5f, &m)) {
            assert_false(touch);
            continue;
        }
        apart += !touch;
        touching += touch;
        wrong += m.count == 0 || (touch ? abut_manifold_depth(&m) < 0 : abut_manifold_depth(&m) > 0);
    }
    printf("%lu apart, %lu touching, %lu with the other sign\n", apart, touching, wrong);
    assert_true(apart > 100 && touching > 100);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contact_of_a_point_is_near_it),
        cmocka_unit_test(nearly_parallel_rods_have_the_sign_of_the_truth),
    };
    return test_run(tests);
}
