/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta from cameras and boxes, and invalid input. */
#include "culling/shape.h"
#include "support/test.h"
#include <abut/abut.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct view {
    abut_vec3 eye, left, up, direction;
    float half_width, half_height, near_distance, far_distance;
} view;

static abut_result build(const view *v, abut_frustum *frustum) {
    memset(frustum, 0xa5, sizeof *frustum);
    return abut_frustum_perspective(v->eye, v->left, v->up, v->direction, v->half_width, v->half_height,
                                    v->near_distance, v->far_distance, frustum);
}

static const view PLAIN = {{1, 2, 3}, {-1, 0, 0}, {0, 1, 0}, {0, 0, -1}, 1, 0.5f, 1, 100};

static double dot(const double a[3], abut_vec3 b) {
    return a[0] * (double)b.x + a[1] * (double)b.y + a[2] * (double)b.z;
}

static abut_vec3 scaled(abut_vec3 v, float by) {
    return (abut_vec3){v.x * by, v.y * by, v.z * by};
}

/* Axes perpendicular to each other to within the rounding of floats, or to 3e-4. */
static view random_view(rng *r, double from_origin, double shortest, double ratio) {
    abut_vec3 d = rng_direction(r), a = rng_direction(r);
    abut_vec3 l = {a.y * d.z - a.z * d.y, a.z * d.x - a.x * d.z, a.x * d.y - a.y * d.x};
    float length = sqrtf(l.x * l.x + l.y * l.y + l.z * l.z), skew = rng_chance(r, 0.5) ? 3e-4f : 0;
    l = scaled(l, 1 / length);
    abut_vec3 u = {d.y * l.z - d.z * l.y, d.z * l.x - d.x * l.z, d.x * l.y - d.y * l.x};
    u.x += skew * l.x;
    u.y += skew * l.y;
    u.z += skew * l.z;
    float near_distance = (float)rng_log_range(r, shortest, 1e3);
    view v = {.eye = rng_vec3(r, -from_origin, from_origin),
              .left = scaled(l, (float)rng_log_range(r, 1e-15, 1e15)),
              .up = scaled(u, (float)rng_log_range(r, 1e-15, 1e15)),
              .direction = scaled(d, (float)rng_log_range(r, 1e-15, 1e15)),
              .half_width = near_distance * (float)rng_log_range(r, 0.05, 5),
              .half_height = near_distance * (float)rng_log_range(r, 0.05, 5),
              .near_distance = near_distance,
              .far_distance = rng_chance(r, 0.3) ? INFINITY : near_distance * (float)rng_log_range(r, 1.001, ratio)};
    return v;
}

static void a_plain_camera_has_the_numbers_one_expects(void **state) {
    (void)state;
    abut_frustum f;
    rng r = rng_make(test_seed(), 0);
    assert_int_equal(build(&PLAIN, &f), ABUT_OK);
    shape_check(&f, &r);
    shape_check_hull(&f);
    assert_true(f.origin[0] == 1 && f.origin[1] == 2 && f.origin[2] == 3);
    assert_int_equal(f.plane_count, 6);
    assert_int_equal(f.run_count, 4);
    assert_int_equal(f.edge_count, 6);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(fabs(f.run[i][0]) == 1 && fabs(f.run[i][1]) == 0.5 && f.run[i][2] == -1);
        assert_true(fabs(f.run[i][6] - 99 * 1.5) < 1e-12);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(f.run[i][3 + k] - f.run[i][k] / 1.5) < 1e-15);
        }
    }
    assert_true(f.plane[4][2] == -1 && f.plane[4][3] == -1 && f.plane[5][2] == 1 && f.plane[5][3] == 100);
    assert_true(f.extent >= 2.5 && f.extent < 2.5 + 1e-12);
    /* The mean of the r's has length 2/3, and is perpendicular to none of them. */
    assert_true(f.spread >= 1.5 && f.spread < 1.5 + 1e-12);
}

static void an_infinite_camera_has_rays_and_no_far_plane(void **state) {
    (void)state;
    abut_frustum f;
    view v = PLAIN;
    v.far_distance = INFINITY;
    rng r = rng_make(test_seed(), 1);
    assert_int_equal(build(&v, &f), ABUT_OK);
    shape_check(&f, &r);
    shape_check_hull(&f);
    assert_int_equal(f.plane_count, 5);
    assert_int_equal(f.run_count, 4);
    assert_int_equal(f.edge_count, 6);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(f.run[i][6] == INFINITY);
    }
}

/* s, x and y of a point, from its definition: p = s (n D + x w L + y h U), solved by Cramer's rule. */
static void coordinates_of(const view *v, const double p[3], double c[3]) {
    const abut_vec3 given[3] = {v->direction, v->left, v->up};
    const double size[3] = {v->near_distance, v->half_width, v->half_height};
    double axis[3][3];
    for (int k = 0; k < 3; k++) {
        const double u[3] = {given[k].x, given[k].y, given[k].z};
        double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int i = 0; i < 3; i++) {
            axis[k][i] = u[i] / length * size[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double *a = axis[(k + 1) % 3], *b = axis[(k + 2) % 3], *e = axis[k];
        const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
        c[k] = (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]) / (n[0] * e[0] + n[1] * e[1] + n[2] * e[2]);
    }
    c[1] /= c[0];
    c[2] /= c[0];
}

/* How far a point is inside: the least distance from a bound, relative to that bound. */
static double inside_by(const view *v, const double c[3]) {
    double far_share = v->far_distance == INFINITY ? 1 : 1 - c[0] * v->near_distance / v->far_distance;
    return fmin(fmin(1 - fabs(c[1]), 1 - fabs(c[2])), fmin((c[0] - 1) / c[0], far_share));
}

static void check_points(const view *v, const abut_frustum *f, rng *r, unsigned long *inside) {
    for (int i = 0; i < 20; i++) {
        double x[3] = {0, 0, 0}, weights = 0, c[3];
        for (uint32_t k = 0; k < f->run_count; k++) {
            double p[3], weight = rng_range(r, -0.2, 1);
            shape_point(f->run[k], fmin(f->run[k][6], 1e3) * rng_range(r, 0, 1.1), p);
            weights += weight;
            for (int j = 0; j < 3; j++) {
                x[j] += weight * p[j];
            }
        }
        for (int j = 0; j < 3; j++) {
            x[j] /= weights;
        }
        coordinates_of(v, x, c);
        if (!(c[0] > 0)) {
            continue;
        }
        double share = inside_by(v, c), height = INFINITY;
        for (uint32_t k = 0; k < f->plane_count; k++) {
            height = fmin(height, shape_height(f->plane[k], x));
        }
        if (fabs(share) > 1e-9) {
            assert_int_equal(height >= 0, share > 0);
            *inside += share > 0;
        }
    }
}

static void random_cameras_are_what_their_definition_says(void **state) {
    (void)state;
    unsigned long count = test_count(20000), inside = 0;
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        view v = random_view(&r, 1e6, 1e-3, 1e10);
        abut_frustum f;
        assert_int_equal(build(&v, &f), ABUT_OK);
        shape_check(&f, &r);
        assert_true(f.origin[0] == v.eye.x && f.origin[1] == v.eye.y && f.origin[2] == v.eye.z);
        assert_int_equal(f.run_count, 4);
        assert_int_equal(f.edge_count, 6);
        for (uint32_t k = 0; k < 4; k++) {
            double c[3];
            coordinates_of(&v, f.run[k], c);
            assert_true(fabs(c[0] - 1) < 1e-12 && fabs(fabs(c[1]) - 1) < 1e-12 && fabs(fabs(c[2]) - 1) < 1e-12);
            assert_true(dot(f.run[k] + 3, v.direction) > 0);
        }
        check_points(&v, &f, &r, &inside);
    }
    assert_true(inside > count && inside < 19 * count);
}

static void random_cameras_are_the_hull_of_their_runs(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(500); i++) {
        rng r = rng_make(test_seed(), i);
        view v = random_view(&r, 1e6, 1, 20);
        abut_frustum f;
        v.half_width = v.near_distance * (float)rng_range(&r, 0.3, 3);
        v.half_height = v.near_distance * (float)rng_range(&r, 0.3, 3);
        v.far_distance = v.far_distance < 1.1f * v.near_distance ? INFINITY : v.far_distance;
        assert_int_equal(build(&v, &f), ABUT_OK);
        shape_check_hull(&f);
    }
}

static void a_camera_looks_along_its_own_negative_z(void **state) {
    (void)state;
    abut_frustum camera, given;
    const abut_pose identity = {.position = {1, 2, 3}};
    assert_int_equal(abut_frustum_camera(&identity, 1, 0.5f, 1, 100, &camera), ABUT_OK);
    assert_int_equal(build(&PLAIN, &given), ABUT_OK);
    assert_memory_equal(&camera, &given, sizeof camera);
    for (float length = 1e-19f; length < 1e19f; length *= 10) { /* a quarter turn about +y: it looks along -x */
        const abut_pose turned = {.position = {1, 2, 3}, .rotation = {0, length, 0, length}};
        const view v = {{1, 2, 3}, {0, 0, 1}, {0, 1, 0}, {-1, 0, 0}, 1, 0.5f, 1, INFINITY};
        assert_int_equal(abut_frustum_camera(&turned, 1, 0.5f, 1, INFINITY, &camera), ABUT_OK);
        assert_int_equal(build(&v, &given), ABUT_OK);
        shape_check_same(&camera, &given, 1e-15);
    }
}

static void a_box_is_an_orthographic_frustum(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(5000); i++) {
        rng r = rng_make(test_seed(), i);
        double size = rng_log_range(&r, 1e-30, 1e30), ratio = i % 2 ? 1e6 : 10;
        float length = (float)rng_log_range(&r, 1e-18, 1e18);
        abut_quat q = rng_rotation(&r);
        abut_obb box = {.center = rng_vec3(&r, -size, size),
                        .rotation = {q.x * length, q.y * length, q.z * length, q.w * length},
                        .half = {(float)(size * rng_log_range(&r, 1 / ratio, 1)),
                                 (float)(size * rng_log_range(&r, 1 / ratio, 1)),
                                 (float)(size * rng_log_range(&r, 1 / ratio, 1))}};
        abut_frustum f;
        memset(&f, 0xa5, sizeof f);
        assert_int_equal(abut_frustum_orthographic(&box, &f), ABUT_OK);
        shape_check(&f, &r);
        assert_int_equal(f.plane_count, 6);
        assert_int_equal(f.run_count, 4);
        assert_int_equal(f.edge_count, 3);
        assert_true(f.spread < 1 + 1e-12 && f.origin[0] == box.center.x && f.origin[2] == box.center.z);
        if (ratio == 10) {
            shape_check_hull(&f);
        }
        for (uint32_t k = 0; k < 4; k++) {
            double square = 0, halves = (double)box.half.x * box.half.x + (double)box.half.y * box.half.y;
            for (int j = 0; j < 3; j++) {
                square += f.run[k][j] * f.run[k][j];
            }
            halves += (double)box.half.z * box.half.z;
            assert_true(fabs(square - halves) <= 1e-14 * halves);
            assert_true(fabs(f.run[k][6] - 2 * (double)box.half.z) <= 1e-14 * (sqrt(halves) + f.run[k][6]));
        }
    }
}

static void extreme_floats_overflow_nowhere(void **state) {
    (void)state;
    static const float sizes[] = {1e-45f, FLT_MIN, 1e-20f, 1, 1e20f, FLT_MAX};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    rng r = rng_make(test_seed(), 2);
    for (int i = 0; i < SIZES * SIZES * SIZES * SIZES; i++) {
        float w = sizes[i % SIZES], h = sizes[i / SIZES % SIZES], n = sizes[i / SIZES / SIZES % SIZES];
        float far_distance = sizes[i / SIZES / SIZES / SIZES];
        float e = i & 1 ? FLT_MAX : -FLT_MAX;
        view v = {{e, e, e}, {-FLT_MAX, 0, 0}, {0, 1e-45f, 0}, {0, 0, -1}, w, h, n, far_distance};
        abut_frustum f;
        if (!(far_distance > n)) {
            assert_int_equal(build(&v, &f), ABUT_ERROR_ARGUMENT);
            continue;
        }
        assert_int_equal(build(&v, &f), ABUT_OK);
        shape_check(&f, &r);
        for (uint32_t k = 0; k < f.run_count; k++) {
            assert_true(f.run[k][6] > 0 && f.run[k][6] < 1e300);
        }
    }
}

static void check_refused(view v) {
    abut_frustum f;
    assert_int_equal(build(&v, &f), ABUT_ERROR_ARGUMENT);
    assert_true(shape_is_empty(&f));
}

static void bad_cameras_are_refused(void **state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    static const float not_sizes[] = {0, -1, NAN, -INFINITY};
    view v = PLAIN;
    float *number = &v.eye.x;
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 3; k++) {
            v = PLAIN;
            number[i] = bad[k];
            check_refused(v);
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            v = PLAIN;
            (&v.half_width)[i] = not_sizes[k];
            check_refused(v);
        }
        v = PLAIN;
        (&v.half_width)[i] = INFINITY;
        if (i < 3) {
            check_refused(v);
        }
        if (i < 3) {
            v = PLAIN;
            (&v.left)[i] = (abut_vec3){0, 0, 0};
            check_refused(v);
            v = PLAIN;
            (&v.left)[i] = scaled((&v.left)[i], -1);
            check_refused(v);
        }
    }
    v = PLAIN;
    v.far_distance = v.near_distance;
    check_refused(v);
    v = PLAIN;
    v.near_distance = v.far_distance = INFINITY;
    check_refused(v);
    v = PLAIN;
    v.up.x = 1.1e-3f;
    check_refused(v);
    v.up.x = 0.9e-3f;
    abut_frustum f;
    assert_int_equal(build(&v, &f), ABUT_OK);
    assert_int_equal(
        abut_frustum_perspective(v.eye, v.left, v.up, v.direction, v.half_width, v.half_height, 1, 100, NULL),
        ABUT_ERROR_ARGUMENT);
}

static void bad_poses_are_refused(void **state) {
    (void)state;
    const abut_pose plain = {.rotation = {0, 0, 0, 1}};
    abut_frustum f;
    for (int i = 0; i < 7; i++) {
        for (int k = 0; k < 2; k++) {
            abut_pose pose = plain;
            *(i < 3 ? &pose.position.x + i : &pose.rotation.x + (i - 3)) = k ? NAN : INFINITY;
            memset(&f, 0xa5, sizeof f);
            assert_int_equal(abut_frustum_camera(&pose, 1, 1, 1, 2, &f), ABUT_ERROR_ARGUMENT);
            assert_true(shape_is_empty(&f));
        }
    }
    memset(&f, 0xa5, sizeof f);
    assert_int_equal(abut_frustum_camera(NULL, 1, 1, 1, 2, &f), ABUT_ERROR_ARGUMENT);
    assert_true(shape_is_empty(&f));
    memset(&f, 0xa5, sizeof f);
    assert_int_equal(abut_frustum_camera(&plain, 1, 1, 2, 2, &f), ABUT_ERROR_ARGUMENT);
    assert_true(shape_is_empty(&f));
    assert_int_equal(abut_frustum_camera(&plain, 1, 1, 1, 2, NULL), ABUT_ERROR_ARGUMENT);
}

/* The short side of the near plane is negligible beside the long one. */
static void views_as_wide_as_floats_are_built(void **state) {
    (void)state;
    const abut_pose pose = {.position = {13, -21, -13}, .rotation = {6, -66, -5, 36}};
    for (int k = 0; k < 128; k++) {
        const abut_obb ahead = {.center = {13, -21, -13}, .rotation = {0, 0, 0, 1}, .half = {5, 5, 5}};
        const abut_obb far_away = {.center = {1e6f, -1e6f, -1e6f}, .rotation = {0, 0, 0, 1}, .half = {5, 5, 5}};
        abut_frustum f;
        assert_int_equal(abut_frustum_camera(&pose, ldexpf(1, k), 15, 1, 2, &f), ABUT_OK);
        assert_int_equal(abut_frustum_test_obb(&f, &ahead), ABUT_INTERSECTS);
        assert_int_equal(abut_frustum_test_obb(&f, &far_away), ABUT_OUTSIDE);
        assert_int_equal(abut_frustum_camera(&pose, 15, ldexpf(1, k), 1, INFINITY, &f), ABUT_OK);
        assert_int_equal(abut_frustum_test_obb(&f, &ahead), ABUT_INTERSECTS);
    }
}

static void bad_boxes_are_refused(void **state) {
    (void)state;
    const abut_obb plain = {.rotation = {0, 0, 0, 1}, .half = {1, 1, 1}};
    abut_frustum f;
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 2 + 2 * (i >= 7); k++) {
            static const float bad[4] = {NAN, INFINITY, -1, 0};
            abut_obb box = plain;
            *(i < 3 ? &box.center.x + i : i < 7 ? &box.rotation.x + (i - 3) : &box.half.x + (i - 7)) = bad[k];
            memset(&f, 0xa5, sizeof f);
            assert_int_equal(abut_frustum_orthographic(&box, &f), k == 3 ? ABUT_ERROR_DEGENERATE : ABUT_ERROR_ARGUMENT);
            assert_true(shape_is_empty(&f));
        }
    }
    memset(&f, 0xa5, sizeof f);
    assert_int_equal(abut_frustum_orthographic(NULL, &f), ABUT_ERROR_ARGUMENT);
    assert_true(shape_is_empty(&f));
    assert_int_equal(abut_frustum_orthographic(&plain, NULL), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_plain_camera_has_the_numbers_one_expects),
                                       cmocka_unit_test(an_infinite_camera_has_rays_and_no_far_plane),
                                       cmocka_unit_test(random_cameras_are_what_their_definition_says),
                                       cmocka_unit_test(random_cameras_are_the_hull_of_their_runs),
                                       cmocka_unit_test(a_camera_looks_along_its_own_negative_z),
                                       cmocka_unit_test(a_box_is_an_orthographic_frustum),
                                       cmocka_unit_test(extreme_floats_overflow_nowhere),
                                       cmocka_unit_test(bad_cameras_are_refused),
                                       cmocka_unit_test(bad_poses_are_refused),
                                       cmocka_unit_test(views_as_wide_as_floats_are_built),
                                       cmocka_unit_test(bad_boxes_are_refused)};
    return test_run(tests);
}
