/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Matrices at the limits of floats: planes at infinity, cameras far away, matrices that show nothing or are refused.
 */
#include "culling/matrices.h"
#include "culling/shape.h"
#include "support/test.h"
#include <abut/abut.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Looks along -z from the origin; near 1, far 3, a right angle wide and high. */
static const float PLAIN[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, -1, 0, 0, -3, 0};

static abut_result build(const float m[16], abut_clip clip, abut_frustum *frustum) {
    memset(frustum, 0xa5, sizeof *frustum);
    return abut_frustum_from_matrix(m, clip, frustum);
}

static void check_error(const float m[16], abut_clip clip, abut_result error) {
    abut_frustum f;
    assert_int_equal(build(m, clip, &f), error);
    assert_true(shape_is_empty(&f));
}

static double size_of(const double x[3]) {
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

/* Corners and planes are as accurate as those of a camera at the world's origin. */
static void check_exact(const matrix *given, const abut_frustum *f) {
    for (uint32_t i = 0; i < f->run_count; i++) {
        double height[6];
        uint32_t count = matrix_heights(given, f->origin, f->run[i], height), on = 0;
        assert_int_equal(count, f->plane_count);
        for (uint32_t k = 0; k < count; k++) {
            double size = size_of(f->run[i]);
            assert_true(fabs(height[k] - shape_height(f->plane[k], f->run[i])) <=
                        1e-14 * (size + fabs(f->plane[k][3])));
            on += fabs(height[k]) <= 1e-14 * size;
        }
        assert_true(on >= 3);
    }
}

/* Rounded to floats, such matrices often show nothing at all, or an odd body: the frustum must be the body that they
 * show. */
static void cameras_far_away_lose_nothing(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long good = 0, count = test_count(20000);
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        matrix_kind kind = (matrix_kind)(i % MATRIX_KINDS);
        matrix given = matrix_random(&r, kind, i & 4 ? 1e6 : 1e3, i & 4 ? 0.1 : 1e-3, i & 8 ? 1e10 : 10);
        abut_frustum f;
        abut_result result = build(given.m, given.clip, &f);
        if (result == ABUT_OK) {
            good++;
            shape_check(&f, &r);
            check_exact(&given, &f);
        } else {
            assert_int_equal(result, ABUT_ERROR_DEGENERATE);
            assert_true(shape_is_empty(&f));
        }
    }
    assert_true(good > count / 2);
}

static void any_near_and_far_distances_fit(void **state) {
    (void)state;
    for (int i = -10; i <= 23; i++) {
        for (int j = i + 1; j <= 23; j++) {
            float n = ldexpf(1, i), f = ldexpf(1, j);
            for (abut_clip clip = ABUT_CLIP_NEG_ONE_TO_ONE; clip <= ABUT_CLIP_REVERSED; clip++) {
                float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0};
                m[10] = clip == ABUT_CLIP_NEG_ONE_TO_ONE ? (f + n) / (n - f)
                                                         : (clip == ABUT_CLIP_REVERSED ? n : f) / (n - f);
                m[14] = clip == ABUT_CLIP_NEG_ONE_TO_ONE ? 2 * f / (n - f) * n : f / (n - f) * n;
                if (clip == ABUT_CLIP_REVERSED) {
                    m[10] = -m[10];
                    m[14] = -m[14];
                }
                abut_frustum frustum;
                assert_int_equal(build(m, clip, &frustum), ABUT_OK);
                /* In the reversed range the far plane is a row of its own, so floats can express its distance. */
                bool finite = clip == ABUT_CLIP_REVERSED || frustum.plane_count == 6;
                assert_true(finite || j - i > 20);
                assert_int_equal(frustum.plane_count, finite ? 6 : 5);
                assert_int_equal(frustum.run_count, 4);
                for (uint32_t k = 0; k < 4; k++) {
                    double depth = frustum.run[k][2] + frustum.run[k][6] * frustum.run[k][5];
                    assert_true(fabs(-frustum.run[k][2] - n) <= 4e-7 * (double)n);
                    if (clip == ABUT_CLIP_REVERSED || j - i < 12) {
                        assert_true(fabs(-depth - (double)f) <= 1e-3 * (double)f);
                    }
                }
            }
        }
    }
}

static void a_far_plane_that_rounding_tilts_is_at_infinity(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 1);
    for (unsigned long i = 0; i < test_count(2000); i++) {
        matrix given = matrix_random(&r, MATRIX_INFINITE, 1, 0.1, 10);
        given.clip = rng_chance(&r, 0.5) ? ABUT_CLIP_NEG_ONE_TO_ONE : ABUT_CLIP_ZERO_TO_ONE;
        float largest = 0;
        for (int k = 0; k < 3; k++) {
            given.m[4 * k + 2] = given.m[4 * k + 3];
            largest = fmaxf(largest, fabsf(given.m[4 * k + 2]));
        }
        given.m[14] = given.m[15] - largest * (float)rng_log_range(&r, 0.1, 10);
        for (int k = 0; k < 3; k++) {
            given.m[4 * k + 2] += largest * (float)rng_range(&r, -0x1p-23, 0x1p-23);
        }
        abut_frustum f;
        assert_int_equal(build(given.m, given.clip, &f), ABUT_OK);
        shape_check(&f, &r);
        assert_int_equal(f.plane_count, 5);
        assert_int_equal(f.run_count, 4);
        for (uint32_t k = 0; k < 4; k++) {
            assert_true(f.run[k][6] == INFINITY);
        }
        given.m[4 * (i % 3) + 2] = given.m[4 * (i % 3) + 3] + largest * 0x1p-20f;
        assert_int_equal(build(given.m, given.clip, &f), ABUT_OK);
        assert_int_equal(f.plane_count, 6);
    }
}

static void any_plane_can_be_at_infinity(void **state) {
    (void)state;
    /* Depth runs backwards: what is called the near plane is at infinity. */
    const float backwards[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0};
    /* w = x and w - x = 1: all that is over 1/2 in a pyramid that opens to +x, with rays along the sides of the near
     * and the far plane. */
    const float wide[16] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0};
    rng r = rng_make(test_seed(), 2);
    abut_frustum f, reversed;
    assert_int_equal(build(backwards, ABUT_CLIP_ZERO_TO_ONE, &f), ABUT_OK);
    assert_int_equal(build(backwards, ABUT_CLIP_REVERSED, &reversed), ABUT_OK);
    shape_check(&f, &r);
    shape_check_same(&f, &reversed, 0);
    assert_int_equal(build(wide, ABUT_CLIP_NEG_ONE_TO_ONE, &f), ABUT_OK);
    shape_check(&f, &r);
    shape_check_hull(&f);
    assert_int_equal(f.plane_count, 5);
    uint32_t rays = 0;
    for (uint32_t k = 0; k < f.run_count; k++) {
        rays += f.run[k][6] == INFINITY;
    }
    assert_int_equal(rays, 4);
}

static void a_distant_eye_is_no_origin(void **state) {
    (void)state;
    abut_frustum f;
    float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    m[11] = 0x1p-30f; /* all but orthographic */
    rng r = rng_make(test_seed(), 3);
    assert_int_equal(build(m, ABUT_CLIP_NEG_ONE_TO_ONE, &f), ABUT_OK);
    shape_check(&f, &r);
    shape_check_hull(&f);
    assert_true(f.extent < 4 && f.plane_count == 6 && f.run_count == 4);
    m[11] = 0.25f;
    assert_int_equal(build(m, ABUT_CLIP_NEG_ONE_TO_ONE, &f), ABUT_OK);
    assert_true(f.origin[2] == -4);
}

static void depth_may_run_backwards(void **state) {
    (void)state;
    /* Near 1, far 3: w at the near plane and 0 at the far one, or the other way round. */
    const float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f, -1, 0, 0, 1.5f, 0};
    abut_frustum reversed, backwards;
    assert_int_equal(build(m, ABUT_CLIP_REVERSED, &reversed), ABUT_OK);
    assert_int_equal(build(m, ABUT_CLIP_ZERO_TO_ONE, &backwards), ABUT_OK);
    shape_check_same(&reversed, &backwards, 1e-15);
    assert_true(fabs(reversed.run[0][6] - 2 * sqrt(3)) < 1e-14 && reversed.run[0][2] == -1);
}

/* From the axis to the side by up to a million times the near distance: nearly flat cones, whose edges to one side
 * outnumber the others. */
static void lopsided_views_have_a_spread(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        float m[16] = {[10] = -1, [11] = -1, [14] = -1};
        for (int k = 0; k < 2; k++) {
            double a = rng_log_range(&r, 1e-2, 1e6), b = -rng_log_range(&r, 1e-2, 1e6);
            m[5 * k] = (float)(2 / (a - b));
            m[8 + k] = (float)((a + b) / (a - b));
        }
        abut_frustum f;
        assert_int_equal(build(m, ABUT_CLIP_ZERO_TO_ONE, &f), ABUT_OK);
        shape_check(&f, &r);
        assert_true(f.spread < 1e7);
    }
}

static void a_mirrored_matrix_shows_the_mirrored_frustum(void **state) {
    (void)state;
    abut_frustum f, mirrored;
    float m[16];
    memcpy(m, PLAIN, sizeof m);
    m[0] = -m[0];
    assert_int_equal(build(PLAIN, ABUT_CLIP_NEG_ONE_TO_ONE, &f), ABUT_OK);
    assert_int_equal(build(m, ABUT_CLIP_NEG_ONE_TO_ONE, &mirrored), ABUT_OK);
    shape_check_same(&f, &mirrored, 0);
}

static void lengths_and_matrices_scale(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        matrix given = matrix_random(&r, (matrix_kind)(i % MATRIX_KINDS), 1e3, 1, 1e3);
        float lengths = ldexpf(1, (int)rng_below(&r, 41) - 20), all = ldexpf(1, (int)rng_below(&r, 41) - 20);
        abut_frustum f, scaled;
        assert_int_equal(build(given.m, given.clip, &f), ABUT_OK);
        for (int k = 0; k < 16; k++) {
            given.m[k] *= k < 12 ? all : all * lengths;
        }
        assert_int_equal(build(given.m, given.clip, &scaled), ABUT_OK);
        assert_int_equal(scaled.run_count, f.run_count);
        assert_true(scaled.extent == f.extent * (double)lengths && scaled.spread == f.spread);
        for (uint32_t k = 0; k < f.run_count; k++) {
            assert_true(scaled.run[k][0] == f.run[k][0] * (double)lengths && scaled.run[k][3] == f.run[k][3]);
            assert_true(scaled.run[k][6] == f.run[k][6] * (double)lengths);
        }
        for (uint32_t k = 0; k < f.plane_count; k++) {
            assert_true(scaled.plane[k][3] == f.plane[k][3] * (double)lengths && scaled.plane[k][0] == f.plane[k][0]);
        }
    }
}

static void matrices_of_any_floats_are_answered(void **state) {
    (void)state;
    unsigned long good = 0;
    for (unsigned long i = 0; i < test_count(100000); i++) {
        rng r = rng_make(test_seed(), i);
        float m[16];
        double exponents = rng_chance(&r, 0.5) ? 3 : 38;
        for (int k = 0; k < 16; k++) {
            m[k] = rng_chance(&r, 0.2) ? 0 : (float)(rng_sign(&r) * pow(10, rng_range(&r, -exponents, exponents)));
        }
        abut_frustum f;
        abut_result result = build(m, (abut_clip)rng_below(&r, 3), &f);
        if (result == ABUT_OK) {
            good++;
            assert_true(f.spread >= 1 && f.spread < INFINITY && f.extent < INFINITY && f.run_count > 0);
            for (uint32_t k = 0; k < f.run_count; k++) {
                const double *u = f.run[k] + 3;
                assert_true(fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-14 && f.run[k][6] >= 0);
            }
        } else {
            assert_int_equal(result, ABUT_ERROR_DEGENERATE);
            assert_true(shape_is_empty(&f));
        }
    }
    assert_true(good > test_count(100000) / 10);
}

static double clip_coordinate(const float m[16], int row, abut_vec3 p) {
    return (double)m[row] * p.x + (double)m[4 + row] * p.y + (double)m[8 + row] * p.z + (double)m[12 + row];
}

/* Whether a corner of the box, which is not rotated, is inside by more than rounding may change. */
static bool has_corner_in_sight(const float m[16], abut_clip clip, const abut_obb *box) {
    abut_vec3 corner[8];
    abut_obb_corners(box, corner);
    bool any = false;
    for (int i = 0; i < 8; i++) {
        double x = clip_coordinate(m, 0, corner[i]), y = clip_coordinate(m, 1, corner[i]);
        double z = clip_coordinate(m, 2, corner[i]), w = 0.99 * clip_coordinate(m, 3, corner[i]);
        any = any || (fabs(x) < w && fabs(y) < w && (clip == ABUT_CLIP_NEG_ONE_TO_ONE ? -w < z : 0 < z) && z < w);
    }
    return any;
}

/* Where w is so much larger than x, y and z, all that has w > 0 is visible, except one half of it where z is. All
 * other faces lie in one plane, to within the rounding of doubles. */
static void views_of_half_of_space_show_all_of_it(void **state) {
    (void)state;
    unsigned long built = 0, visible = 0, count = test_count(20000);
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        const float huge = ldexpf(1, 20 + 21 * (int)(i % 6));
        float m[16];
        for (int k = 0; k < 16; k++) {
            bool is_huge = k % 4 == 3 && rng_chance(&r, 0.5);
            m[k] = is_huge ? huge * rng_sign(&r) : (float)rng_range(&r, -10, 10);
        }
        abut_clip clip = (abut_clip)rng_below(&r, 3);
        abut_frustum f;
        if (build(m, clip, &f) != ABUT_OK) {
            continue;
        }
        built++;
        for (int k = 0; k < 8; k++) {
            const abut_obb box = {.center = rng_vec3(&r, -30, 30), .half = rng_vec3(&r, 0, 40)};
            bool shown = has_corner_in_sight(m, clip, &box);
            assert_true(!shown || abut_frustum_test_obb(&f, &box) != ABUT_OUTSIDE);
            visible += shown;
        }
    }
    assert_true(built > count / 100 * 98 && visible > count);
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 48; i++) {
        float m[16];
        memcpy(m, PLAIN, sizeof m);
        m[i / 3] = bad[i % 3];
        check_error(m, ABUT_CLIP_NEG_ONE_TO_ONE, ABUT_ERROR_ARGUMENT);
    }
    check_error(PLAIN, (abut_clip)3, ABUT_ERROR_ARGUMENT);
    check_error(PLAIN, (abut_clip)-1, ABUT_ERROR_ARGUMENT);
    check_error(NULL, ABUT_CLIP_NEG_ONE_TO_ONE, ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_frustum_from_matrix(PLAIN, ABUT_CLIP_NEG_ONE_TO_ONE, NULL), ABUT_ERROR_ARGUMENT);
}

static void what_shows_nothing_is_degenerate(void **state) {
    (void)state;
    float m[16] = {0};
    check_error(m, ABUT_CLIP_NEG_ONE_TO_ONE, ABUT_ERROR_DEGENERATE);
    for (int row = 0; row < 4; row++) { /* a row of zeros, or twice another */
        for (int k = 0; k < 8; k++) {
            memcpy(m, PLAIN, sizeof m);
            m[4 * (k % 4) + row] = 0;
            for (int c = 0; c < 4; c++) {
                m[4 * c + row] = k < 4 ? 0 : 2 * m[4 * c + (row + 1) % 4];
            }
            check_error(m, (abut_clip)(k % 3), ABUT_ERROR_DEGENERATE);
        }
    }
    for (int k = 0; k < 16; k++) {
        m[k] = -PLAIN[k]; /* w is negative everywhere between the planes */
    }
    check_error(m, ABUT_CLIP_NEG_ONE_TO_ONE, ABUT_ERROR_DEGENERATE);
    const float behind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1};
    check_error(behind, ABUT_CLIP_NEG_ONE_TO_ONE, ABUT_ERROR_DEGENERATE);
    /* An infinite camera, but the far plane still has an offset, which excludes everything: w - z = -2. */
    const float inverted[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, 2, 0};
    check_error(inverted, ABUT_CLIP_NEG_ONE_TO_ONE, ABUT_ERROR_DEGENERATE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cameras_far_away_lose_nothing),
                                       cmocka_unit_test(any_near_and_far_distances_fit),
                                       cmocka_unit_test(a_far_plane_that_rounding_tilts_is_at_infinity),
                                       cmocka_unit_test(any_plane_can_be_at_infinity),
                                       cmocka_unit_test(a_distant_eye_is_no_origin),
                                       cmocka_unit_test(depth_may_run_backwards),
                                       cmocka_unit_test(lopsided_views_have_a_spread),
                                       cmocka_unit_test(a_mirrored_matrix_shows_the_mirrored_frustum),
                                       cmocka_unit_test(lengths_and_matrices_scale),
                                       cmocka_unit_test(matrices_of_any_floats_are_answered),
                                       cmocka_unit_test(views_of_half_of_space_show_all_of_it),
                                       cmocka_unit_test(what_is_no_number_is_refused),
                                       cmocka_unit_test(what_shows_nothing_is_degenerate)};
    return test_run(tests);
}
