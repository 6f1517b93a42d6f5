/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta from matrices: the floats of the matrix define what is inside. */
#include "culling/matrices.h"
#include "culling/shape.h"
#include "support/test.h"
#include <abut/abut.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static abut_result build(const float m[16], abut_clip clip, abut_frustum *frustum) {
    memset(frustum, 0xa5, sizeof *frustum);
    return abut_frustum_from_matrix(m, clip, frustum);
}

/* Rows of whole numbers: right, up and ahead are 3 long. */
static const int FRAMES[4][3][3] = {
    {{3, 0, 0}, {0, 3, 0}, {0, 0, -3}},
    {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
    {{-2, 2, -1}, {2, 1, -2}, {1, 2, 2}},
    {{0, 0, 3}, {3, 0, 0}, {0, -3, 0}},
};

typedef struct whole_view {
    const int (*frame)[3];
    int eye[3], near_distance, far_distance; /* far_distance 0: infinite */
    int wide, high;                          /* half sizes are the near distance times these */
} whole_view;

static whole_view random_whole_view(rng *r) {
    whole_view v = {.frame = FRAMES[rng_below(r, 4)], .near_distance = 1 << rng_below(r, 4)};
    for (int k = 0; k < 3; k++) {
        v.eye[k] = (int)rng_below(r, 2001) - 1000;
    }
    v.far_distance = rng_chance(r, 0.3) ? 0 : v.near_distance + 1 + (int)rng_below(r, 60);
    v.wide = 1 << rng_below(r, 3);
    v.high = 1 << rng_below(r, 3);
    return v;
}

/* x, y, n and w are the rows of wide * high * 3 * (what 2 z or z stands over); every number is a whole number. */
static void whole_matrix(const whole_view *v, abut_clip clip, float m[16]) {
    int n = v->near_distance, f = v->far_distance, over = f ? f - n : 1, zoom = v->wide * v->high;
    int ahead = clip == ABUT_CLIP_NEG_ONE_TO_ONE ? (f ? f + n : 1)
                : clip == ABUT_CLIP_ZERO_TO_ONE  ? (f ? f : 1)
                                                 : (f ? -n : 0);
    int constant = clip == ABUT_CLIP_NEG_ONE_TO_ONE ? -2 * n * (f ? f : 1)
                   : clip == ABUT_CLIP_ZERO_TO_ONE  ? -n * (f ? f : 1)
                                                    : n * (f ? f : 1);
    const int scale[4] = {over * v->high, over * v->wide, ahead * zoom, over * zoom};
    for (int i = 0; i < 4; i++) {
        const int *axis = v->frame[i < 3 ? i : 2];
        int sum = i == 2 ? 3 * constant * zoom : 0;
        for (int k = 0; k < 3; k++) {
            m[4 * k + i] = (float)(scale[i] * axis[k]);
            sum -= scale[i] * axis[k] * v->eye[k];
        }
        assert_true(abs(sum) < 1 << 24);
        m[12 + i] = (float)sum;
    }
}

static abut_vec3 vec3_of(const int v[3], int sign) {
    return (abut_vec3){(float)(sign * v[0]), (float)(sign * v[1]), (float)(sign * v[2])};
}

static void a_matrix_and_its_camera_are_the_same_frustum(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        rng r = rng_make(test_seed(), i);
        whole_view v = random_whole_view(&r);
        abut_frustum camera, by_matrix;
        float w = (float)(v.near_distance * v.wide), h = (float)(v.near_distance * v.high);
        abut_vec3 eye = vec3_of(v.eye, 1);
        assert_int_equal(abut_frustum_perspective(eye, vec3_of(v.frame[0], -1), vec3_of(v.frame[1], 1),
                                                  vec3_of(v.frame[2], 1), w, h, (float)v.near_distance,
                                                  v.far_distance ? (float)v.far_distance : INFINITY, &camera),
                         ABUT_OK);
        for (abut_clip clip = ABUT_CLIP_NEG_ONE_TO_ONE; clip <= ABUT_CLIP_REVERSED; clip++) {
            float m[16];
            whole_matrix(&v, clip, m);
            assert_int_equal(build(m, clip, &by_matrix), ABUT_OK);
            shape_check_same(&camera, &by_matrix, 1e-14);
            shape_check_hull(&by_matrix);
            assert_true(fabs(by_matrix.spread - camera.spread) < 1e-12 * camera.spread);
        }
    }
}

typedef struct tally {
    unsigned long inside, outside, four_runs, more_runs, infinite;
} tally;

/* A point of the convex hull of the runs, or near it. */
static void random_point(const abut_frustum *f, rng *r, double around, double x[3]) {
    double weights = 0, far_off = f->extent * rng_log_range(r, 0.1, 1e4);
    x[0] = x[1] = x[2] = 0;
    for (uint32_t k = 0; k < f->run_count; k++) {
        double p[3], weight = rng_range(r, -around, 1);
        shape_point(f->run[k], fmin(f->run[k][6], far_off) * (rng_chance(r, 0.2) ? 1 : rng_unit(r)), p);
        weights += weight;
        for (int j = 0; j < 3; j++) {
            x[j] += weight * p[j];
        }
    }
    for (int j = 0; j < 3; j++) {
        x[j] /= weights;
    }
}

static double size_of(const double x[3]) {
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

/* Heights over the planes are those of the matrix, and points of the hull are inside. */
static void check_points(const matrix *given, const abut_frustum *f, rng *r, tally *t) {
    for (int i = 0; i < 12; i++) {
        double x[3], height[6], around = i < 6 ? 0 : 0.3, least = INFINITY;
        random_point(f, r, around, x);
        uint32_t count = matrix_heights(given, f->origin, x, height);
        assert_int_equal(count, f->plane_count);
        for (uint32_t k = 0; k < count; k++) {
            double error = 1e-14 * (size_of(x) + f->extent + fabs(f->plane[k][3]));
            assert_true(fabs(shape_height(f->plane[k], x) - height[k]) <= error);
            assert_true(around > 0 || height[k] >= -1e-12 * (size_of(x) + f->extent));
            least = fmin(least, height[k]);
        }
        t->inside += least >= 0;
        t->outside += least < 0;
    }
}

/* Runs start where three of the planes meet, accurately in spite of all cancellation. */
static void check_corners(const matrix *given, const abut_frustum *f) {
    for (uint32_t i = 0; i < f->run_count; i++) {
        double height[6];
        uint32_t count = matrix_heights(given, f->origin, f->run[i], height), on = 0;
        for (uint32_t k = 0; k < count; k++) {
            on += fabs(height[k]) <= 1e-15 * size_of(f->run[i]);
        }
        assert_true(on >= 3);
    }
}

static void check_random(matrix_kind kind, unsigned long cases, tally *t) {
    for (unsigned long i = 0; i < test_count(cases); i++) {
        rng r = rng_make(test_seed(), MATRIX_KINDS * i + kind);
        bool far_off = rng_chance(&r, 0.5);
        double shortest = far_off ? 1 : 1e-3, from_origin = far_off ? 1e3 : 1;
        matrix given = matrix_random(&r, kind, from_origin, shortest, rng_chance(&r, 0.5) ? 1e4 : 10);
        abut_frustum f;
        assert_int_equal(build(given.m, given.clip, &f), ABUT_OK);
        shape_check(&f, &r);
        assert_true(f.spread < 20); /* fields of view are below 170 degrees */
        t->four_runs += f.run_count == 4;
        t->more_runs += f.run_count > 4;
        for (uint32_t k = 0; k < f.run_count; k++) {
            t->infinite += f.run[k][6] == INFINITY;
        }
        if (QUAD_AVAILABLE) {
            check_points(&given, &f, &r, t);
            check_corners(&given, &f);
        }
        if (i % 16 == 0) {
            shape_check_hull(&f);
        }
    }
}

static void perspective_matrices_say_what_is_inside(void **state) {
    (void)state;
    tally t = {0};
    check_random(MATRIX_PERSPECTIVE, 5000, &t);
    assert_true(t.four_runs == test_count(5000) && t.infinite == 0);
    assert_true(!QUAD_AVAILABLE || t.outside > t.four_runs);
}

static void infinite_matrices_say_what_is_inside(void **state) {
    (void)state;
    tally t = {0};
    check_random(MATRIX_INFINITE, 5000, &t);
    assert_true(t.four_runs == test_count(5000) && t.infinite == 4 * t.four_runs);
    assert_true(!QUAD_AVAILABLE || t.outside > t.four_runs);
}

static void orthographic_matrices_say_what_is_inside(void **state) {
    (void)state;
    tally t = {0};
    check_random(MATRIX_ORTHOGRAPHIC, 5000, &t);
    assert_true(t.four_runs == test_count(5000) && t.infinite == 0);
    assert_true(!QUAD_AVAILABLE || t.outside > t.four_runs);
}

static void oblique_matrices_say_what_is_inside(void **state) {
    (void)state;
    tally t = {0};
    check_random(MATRIX_OBLIQUE, 20000, &t);
    assert_true(t.four_runs > test_count(20000) / 10 && t.more_runs > test_count(20000) / 10);
    assert_true(!QUAD_AVAILABLE || t.outside > t.four_runs);
}

/* Rows x, y and z in every order, with planes w - x to w + z: each of the six may be the one at infinity, and what is
 * inside is the same. */
static void any_plane_may_be_at_infinity(void **state) {
    (void)state;
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    tally t = {0};
    unsigned long count = test_count(500);
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), 1000000 + i);
        matrix usual = matrix_random(&r, MATRIX_INFINITE, 1, 1e-3, 10), given;
        usual.clip = ABUT_CLIP_NEG_ONE_TO_ONE;
        for (int k = 0; k < 3; k++) { /* w - z is the constant, to within rounding; of other clips it is not */
            float w = usual.m[4 * k + 3];
            usual.m[4 * k + 2] = i % 2 ? w : nextafterf(w, (float)rng_sign(&r) * INFINITY);
        }
        usual.m[14] = usual.m[15] - (float)rng_range(&r, 0.5, 2);
        given = usual;
        for (int p = 0; p < 12; p++) {
            abut_frustum f;
            for (int k = 0; k < 12; k++) {
                float sign = p < 6 || order[p % 6][k % 3] != 2 ? 1 : -1; /* then it is w + z */
                given.m[k / 3 * 4 + k % 3] = sign * usual.m[k / 3 * 4 + order[p % 6][k % 3]];
            }
            assert_int_equal(build(given.m, given.clip, &f), ABUT_OK);
            assert_int_equal(f.plane_count, 5);
            shape_check(&f, &r);
            for (uint32_t k = 0; k < f.run_count; k++) {
                t.infinite += f.run[k][6] == INFINITY;
            }
            if (QUAD_AVAILABLE) {
                check_points(&given, &f, &r, &t);
                check_corners(&given, &f);
            }
        }
    }
    assert_int_equal(t.infinite, 48 * count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_matrix_and_its_camera_are_the_same_frustum),
                                       cmocka_unit_test(perspective_matrices_say_what_is_inside),
                                       cmocka_unit_test(infinite_matrices_say_what_is_inside),
                                       cmocka_unit_test(orthographic_matrices_say_what_is_inside),
                                       cmocka_unit_test(oblique_matrices_say_what_is_inside),
                                       cmocka_unit_test(any_plane_may_be_at_infinity)};
    return test_run(tests);
}
