/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_collide against the oracle: a contact within a margin exactly where the distance is at most the margin,
 * the deepest point midway between the closest points, the normal along them. */

#include "narrowphase/round/check.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

static void run(round_spread spread, unsigned long count) {
    unsigned long wrong = 0, within = 0, beyond = 0, close = 0, points[5] = {0};
    round_errors errors = {0};
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < count && wrong < 10; i++) {
        round_pair p;
        rng r = rng_make(test_seed() + 5, i);
        near_round_pair(hulls, test_seed() + 4, i, spread, &p);
        float margin = 0;
        if (spread == ROUND_NEAR && rng_chance(&r, 0.8)) { /* what a radius loses the margin gets: as near as before */
            float *radius = rng_chance(&r, 0.5) ? &p.a.shape.radius : &p.b.shape.radius;
            margin = rng_chance(&r, 0.5) ? *radius : *radius / 2;
            *radius -= margin;
        }
        round_truth truth = round_truth_of(&p);
        if (spread == ROUND_APART) {
            double factor = rng_chance(&r, 0.3) ? 1 + (double)rng_sign(&r) * rng_log_range(&r, 1e-8, 1e-2)
                                                : rng_log_range(&r, 0.5, 4);
            margin = (float)(factor * fmax(0, truth.gap));
        }
        const char *fault = round_collide_fault(&p, &truth, margin, &errors);
        double gap = truth.gap - margin;
        within += gap <= 0;
        beyond += gap > 0;
        close += fabs(gap) < 1e-7 * truth.size;
        if (fault) {
            wrong++;
            round_report(i, fault, &p, &truth, margin);
        }
        abut_manifold m;
        if (abut_shape_collide(&p.a.shape, &p.a.pose, &p.b.shape, &p.b.pose, margin, &m)) {
            points[m.count]++;
        }
    }
    round_hulls_release(hulls);
    printf("%lu pairs, %lu within the margin, %lu beyond, %lu nearly; points %lu %lu %lu %lu\n", count, within, beyond,
           close, points[1], points[2], points[3], points[4]);
    printf("worst of what is allowed: separation %.3f, normal %.3f, midway %.3f\n", errors.separation, errors.normal,
           errors.middle);
    assert_int_equal(wrong, 0);
    assert_true(within > count / 5 && beyond > count / 10 && close > count / 20);
}

static void margins_around_near_touches(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    run(ROUND_NEAR, test_count(10000));
}

static void margins_around_gaps(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    run(ROUND_APART, test_count(10000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_around_near_touches),
        cmocka_unit_test(margins_around_gaps),
    };
    return test_run(tests);
}
