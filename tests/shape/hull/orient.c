/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The signs of orient.h against exact integers, for nearly coplanar points. */

#include "shape/hull/orient.h"
#include "shape/hull/exact.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

/* Moves the last of four points into the plane of the others, as well as floats can or exactly. */
static void make_four(rng *r, unsigned long index, abut_vec3 p[4]) {
    double size = index % 5 == 0 ? rng_log_range(r, 1e-44, 1e9) : 1;
    for (int i = 0; i < 4; i++) {
        p[i] = index % 3 ? rng_vec3(r, -size, size)
                         : (abut_vec3){(float)rng_below(r, 16), (float)rng_below(r, 16), (float)rng_below(r, 16)};
        for (int k = 0; k < 3 && index % 7 == 0; k++) {
            (&p[i].x)[k] = (float)rng_log_range(r, 1e-44, 1e9) * rng_sign(r);
        }
    }
    double s = rng_range(r, -2, 2), t = rng_range(r, -2, 2);
    if (index % 2) {
        for (int k = 0; k < 3; k++) {
            double a = (&p[0].x)[k], b = (&p[1].x)[k], c = (&p[2].x)[k];
            double at = fmin(fmax(a + s * (b - a) + t * (c - a), -1e9), 1e9);
            (&p[3].x)[k] = (float)at;
        }
    }
}

static void signs_are_exact(void **state) {
    (void)state;
    unsigned long zeros = 0, close = 0;
    for (unsigned long i = 0; i < test_count(300000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 p[4];
        make_four(&r, i, p);
        abut_orient_plane plane = abut_orient_plane_of(p[0], p[1], p[2]);
        double height;
        int wanted = exact_volume(p[0], p[1], p[2], p[3]).sign;
        int side = abut_orient_side(&plane, p[3], &height);
        int sure = abut_orient_exact(p[0], p[1], p[2], p[3]);
        zeros += wanted == 0;
        close += (height > 0) - (height < 0) != wanted;
        if (side != wanted || sure != wanted) {
            fprintf(stderr, "seed 0x%llx case %lu: %d and %d, not %d\n", (unsigned long long)test_seed(), i, side, sure,
                    wanted);
            fail();
        }
    }
    printf("%lu in the plane, %lu that double alone gets wrong\n", zeros, close);
    assert_true(zeros > 0 && close > 0);
}

static void lines_are_exact(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(100000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 u = {(float)rng_below(&r, 2000), (float)rng_below(&r, 2000), (float)rng_below(&r, 2000)};
        float s = (float)rng_below(&r, 1000), t = (float)rng_below(&r, 1000);
        abut_vec3 a = {1, 2, 3}, b = {1 + s * u.x, 2 + s * u.y, 3 + s * u.z},
                  c = {1 + t * u.x, 2 + t * u.y, 3 + t * u.z};
        assert_true(abut_orient_collinear(a, b, c));
        c.z = nextafterf(c.z, 1e9f);
        bool same = (b.x == a.x && b.y == a.y && (b.z == a.z || (c.x == a.x && c.y == a.y))) ||
                    (b.x == c.x && b.y == c.y && b.z == c.z);
        bool line = (u.x == 0 && u.y == 0) || same || s == 0;
        assert_int_equal(abut_orient_collinear(a, b, c), line);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(lines_are_exact),
    };
    return test_run(tests);
}
