/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_obb_from_matrix: the box contains the exact image, is tight where an oriented box can be, and is exact where
 * floats can express it. */

#include "support/print.h"
#include "support/quad.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum family { UNSHEARED, FLATTENED, SHEARED, SINGULAR, FAMILIES } family;

typedef struct placed_box {
    float model[16];
    abut_aabb local;
} placed_box;

/* Column j is the direction of axis j times |q|^2, which is returned. */
static quad rotation_times_square(abut_quat q, quad column[3][3]) {
    quad x = q.x, y = q.y, z = q.z, w = q.w;
    const quad m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                          {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                          {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
    memcpy(column, m, sizeof m);
    return x * x + y * y + z * z + w * w;
}

static abut_quat quarter_turn(rng *r) {
    static const abut_quat turns[5] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, -1}, {1, 1, -1, 1}, {1, 0, 0, 0}};
    return turns[rng_below(r, 5)];
}

static float scale_of(rng *r, double spread) {
    double scale = rng_log_range(r, 1 / spread, spread);
    return (float)scale * rng_sign(r);
}

static void set_local(rng *r, placed_box *p) {
    float *low = &p->local.min.x, *high = &p->local.max.x;
    for (int k = 0; k < 3; k++) {
        double half = rng_chance(r, 0.1) ? 0 : rng_log_range(r, 1e-2, 1e2), at = rng_chance(r, 0.3) ? 0 : half;
        at *= rng_range(r, -3, 3);
        low[k] = (float)(at - half);
        high[k] = (float)(at + half);
    }
}

static placed_box random_case(rng *r, family kind) {
    placed_box p = {.model = {[15] = 1}};
    quad column[3][3];
    double distance = rng_chance(r, 0.3) ? 0 : rng_log_range(r, 1e-2, 1e6);
    abut_quat q = rng_chance(r, 0.3) ? quarter_turn(r) : rng_chance(r, 0.2) ? (abut_quat){0, 3, 0, 4} : rng_rotation(r);
    quad n = rotation_times_square(q, column);
    double spread = rng_chance(r, 0.5) ? 1 : 1e3;
    abut_vec3 at = rng_direction(r);
    for (int j = 0; j < 3; j++) {
        float scale = kind == FLATTENED && rng_chance(r, 0.4) ? 0 : scale_of(r, spread);
        for (int i = 0; i < 3; i++) {
            p.model[4 * j + i] = (float)(scale * column[j][i] / n);
        }
        p.model[12 + j] = (float)(distance * (&at.x)[j]);
    }
    for (int j = 0; j < 12 && kind >= SHEARED; j++) {
        double more = rng_log_range(r, 1e-6, 1);
        p.model[j] += (j & 3) == 3 ? 0 : (float)(more * rng_range(r, -1, 1));
    }
    for (int i = 0; i < 3 && kind == SINGULAR; i++) { /* exactly, up to the last bit */
        p.model[8 + i] = p.model[i] - (rng_chance(r, 0.5) ? 2 * p.model[4 + i] : 0);
    }
    set_local(r, &p);
    return p;
}

/* The exact corner. */
static void corner_of(const placed_box *p, int corner, quad out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = p->model[12 + i];
        for (int j = 0; j < 3; j++) {
            out[i] += (quad)p->model[4 * j + i] * (corner >> j & 1 ? &p->local.max.x : &p->local.min.x)[j];
        }
    }
}

/* How far the corners of the exact image stand out of the box, along the box's axes. */
static void measure(const placed_box *p, const abut_obb *box, double excess[3]) {
    quad column[3][3], n = rotation_times_square(box->rotation, column), most[3] = {-1, -1, -1};
    for (int corner = 0; corner < 8; corner++) {
        quad at[3];
        corner_of(p, corner, at);
        for (int k = 0; k < 3; k++) {
            quad along = 0;
            for (int i = 0; i < 3; i++) {
                along += column[k][i] * (at[i] - (&box->center.x)[i]);
            }
            most[k] = quad_abs(along) > most[k] ? quad_abs(along) : most[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        excess[k] = (double)((most[k] - n * (&box->half.x)[k]) / n);
    }
}

static double edge_length(const placed_box *p, int j) {
    double half = ((double)(&p->local.max.x)[j] - (&p->local.min.x)[j]) / 2, square = 0;
    for (int i = 0; i < 3; i++) {
        square += (double)p->model[4 * j + i] * p->model[4 * j + i];
    }
    return half * sqrt(square);
}

/* Sizes and distance, which rounding errors are relative to. */
static double size_of(const placed_box *p) {
    double size = 0;
    for (int j = 0; j < 3; j++) {
        quad at[3];
        corner_of(p, 0, at);
        size += edge_length(p, j) + fabs((double)at[j]) + 0x1p-100;
    }
    return size;
}

static void report(unsigned long i, family kind, const placed_box *p, const abut_obb *box) {
    fprintf(stderr, "seed 0x%llx case %lu family %d\nmodel", (unsigned long long)test_seed(), i, (int)kind);
    for (int k = 0; k < 16; k++) {
        fprintf(stderr, " %a", (double)p->model[k]);
    }
    fprintf(stderr, "\nlocal %a %a %a to %a %a %a\n", (double)p->local.min.x, (double)p->local.min.y,
            (double)p->local.min.z, (double)p->local.max.x, (double)p->local.max.y, (double)p->local.max.z);
    print_obb("box", box);
    fail();
}

static void boxes_contain_the_exact_image(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long flush = 0, cases = test_count(100000);
    for (unsigned long i = 0; i < cases; i++) {
        rng r = rng_make(test_seed(), i);
        family kind = (family)(i % FAMILIES);
        placed_box p = random_case(&r, kind);
        abut_obb box;
        double excess[3];
        assert_int_equal(abut_obb_from_matrix(p.model, &p.local, &box), ABUT_OK);
        measure(&p, &box, excess);
        for (int k = 0; k < 3; k++) {
            flush += excess[k] == 0;
            if (!(excess[k] <= 0 && excess[k] >= -1e-6 * ((double)(&box.half.x)[k]) - 1e-13 * size_of(&p))) {
                report(i, kind, &p, &box);
            }
        }
    }
    printf("%lu of %lu half extents exact\n", flush, 3 * cases);
    assert_true(flush > cases / 4);
}

/* Axes, centre and half extents are rounded to floats. The first two lengthen each half extent by some 1e-7 of the
 * whole box and its distance, the last by as much of itself. */
static void boxes_of_unsheared_matrices_are_tight(void **state) {
    (void)state;
    double worst = 0;
    for (unsigned long i = 0; i < test_count(100000); i++) {
        rng r = rng_make(test_seed(), i);
        placed_box p = random_case(&r, i & 1 ? FLATTENED : UNSHEARED);
        abut_obb box;
        assert_int_equal(abut_obb_from_matrix(p.model, &p.local, &box), ABUT_OK);
        for (int j = 0; j < 3; j++) {
            double more = ((&box.half.x)[j] - edge_length(&p, j)) / size_of(&p);
            worst = fmax(worst, more);
            if (!(more < 3e-7)) {
                report(i, i & 1 ? FLATTENED : UNSHEARED, &p, &box);
            }
        }
    }
    printf("longer by at most %.3g of size and distance\n", worst);
    assert_true(worst > 1e-9);
}

static float whole(rng *r, int low, int high) {
    return (float)(low + (int)rng_below(r, (uint32_t)(high - low + 1)));
}

static void quarter_turns_and_scales_are_exact(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(50000); i++) {
        rng r = rng_make(test_seed(), i);
        placed_box p = {.model = {[15] = 1}};
        double center[3];
        quad column[3][3];
        float half[3];
        abut_obb box;
        quad n = rotation_times_square(quarter_turn(&r), column);
        bool any_scale = rng_chance(&r, 0.5);
        for (int j = 0; j < 3; j++) { /* a cube with sides of 2 around the origin at any scale, or all small integers */
            float scale = any_scale ? scale_of(&r, 1e3) : whole(&r, -3, 3);
            float mid = any_scale ? 0 : whole(&r, -9, 9), size = any_scale ? 1 : whole(&r, 0, 5);
            for (int k = 0; k < 3; k++) {
                p.model[4 * j + k] = scale * (float)(column[j][k] / n);
            }
            (&p.local.min.x)[j] = mid - size;
            (&p.local.max.x)[j] = mid + size;
            half[j] = fabsf(scale) * size;
            p.model[12 + j] = whole(&r, -99, 99);
        }
        for (int k = 0; k < 3; k++) {
            center[k] = p.model[12 + k];
            for (int j = 0; j < 3; j++) {
                center[k] += (double)p.model[4 * j + k] * ((double)(&p.local.min.x)[j] + (&p.local.max.x)[j]) / 2;
            }
        }
        assert_int_equal(abut_obb_from_matrix(p.model, &p.local, &box), ABUT_OK);
        /* The order and signs of the axes after flattening are not specified: so the bounds are checked as well. */
        abut_aabb bounds = abut_obb_bounds(&box);
        for (int k = 0; k < 3; k++) {
            double extent = 0;
            for (int j = 0; j < 3; j++) {
                extent += fabs((double)(column[j][k] / n)) * half[j];
            }
            double end = (&bounds.max.x)[k], exact = center[k] + extent;
            bool same = (&box.half.x)[k] == half[k] && (double)(&box.center.x)[k] == center[k] && end >= exact &&
                        (double)nextafterf((&bounds.max.x)[k], -INFINITY) < exact;
            if (!same) {
                report(i, UNSHEARED, &p, &box);
            }
        }
    }
}

static void the_identity_changes_nothing(void **state) {
    (void)state;
    const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const abut_aabb local = {{-1, 2, -3}, {5, 2.5f, 9}};
    const abut_obb wanted = {{2, 2.25f, 3}, {0, 0, 0, 1}, {3, 0.25f, 6}};
    abut_obb box;
    assert_int_equal(abut_obb_from_matrix(identity, &local, &box), ABUT_OK);
    assert_memory_equal(&box, &wanted, sizeof box);
    const float scaled[16] = {0.3f, 0, 0, 0, 0, 0x1p-20f, 0, 0, 0, 0, 7, 0, 100, -0.1f, 0, 1};
    const abut_aabb cube = {{-1, -1, -1}, {1, 1, 1}};
    const abut_obb large = {{100, -0.1f, 0}, {0, 0, 0, 1}, {0.3f, 0x1p-20f, 7}};
    assert_int_equal(abut_obb_from_matrix(scaled, &cube, &box), ABUT_OK);
    assert_memory_equal(&box, &large, sizeof box);
}

/* Models flattened onto the floor: upright, at an angle of a 3-4-5 triangle, or to nothing. */
static void flattened_models_are_plates_rods_and_points(void **state) {
    (void)state;
    const abut_aabb local = {{-1, -1, -1}, {1, 1, 1}};
    const float plate[16] = {0.8f, 0, 0.6f, 0, 0, 0, 0, 0, -0.6f, 0, 0.8f, 0, 1, 2, 3, 1};
    abut_obb box;
    assert_int_equal(abut_obb_from_matrix(plate, &local, &box), ABUT_OK);
    assert_true(box.half.y == 0 && fabsf(box.half.x - 1) < 3e-7f && fabsf(box.half.z - 1) < 3e-7f);
    const float rod[16] = {0, 0, 0, 0, 0, 0, -5, 0, 0, 0, 0, 0, 1, 2, 3, 1};
    assert_int_equal(abut_obb_from_matrix(rod, &local, &box), ABUT_OK);
    assert_true(box.half.x == 0 && box.half.y == 5 && box.half.z == 0);
    const float point[16] = {[12] = 1, 2, 3, 1};
    const abut_obb wanted = {{1, 2, 3}, {0, 0, 0, 1}, {0, 0, 0}};
    assert_int_equal(abut_obb_from_matrix(point, &local, &box), ABUT_OK);
    assert_memory_equal(&box, &wanted, sizeof box);
    /* A shadow: three columns, one plane. */
    const float shadow[16] = {2, 0, 0, 0, 0.5f, 0, 0.25f, 0, 0, 0, 3, 0, 0, 7, 0, 1};
    assert_int_equal(abut_obb_from_matrix(shadow, &local, &box), ABUT_OK);
    const float *h = &box.half.x;
    assert_true(h[0] * h[1] * h[2] == 0 && h[0] * h[1] + h[1] * h[2] + h[2] * h[0] <= 2.5f * 3.25f);
}

static double surface(const abut_obb *box) {
    double x = box->half.x, y = box->half.y, z = box->half.z;
    return x * y + y * z + z * x;
}

/* The surface is at most that of the box that abut_obb_fit, which minimises volume, puts around the corners. */
static void sheared_boxes_are_not_larger_than_needed(void **state) {
    (void)state;
    double worst = 0, sum = 0;
    unsigned long cases = test_count(10000);
    for (unsigned long i = 0; i < cases; i++) {
        rng r = rng_make(test_seed(), i);
        placed_box p = random_case(&r, i % 4 ? SHEARED : SINGULAR);
        abut_obb box, fit;
        abut_vec3 corners[8];
        for (int corner = 0; corner < 8; corner++) {
            quad at[3];
            corner_of(&p, corner, at);
            corners[corner] = (abut_vec3){(float)at[0], (float)at[1], (float)at[2]};
        }
        assert_int_equal(abut_obb_from_matrix(p.model, &p.local, &box), ABUT_OK);
        assert_int_equal(abut_obb_fit(corners, 8, &fit), ABUT_OK);
        double size = size_of(&p), allowed = surface(&fit) + 1e-6 * size * size;
        worst = fmax(worst, surface(&box) / allowed);
        sum += surface(&box) / allowed;
        if (!(surface(&box) <= 1.001 * allowed)) {
            report(i, SHEARED, &p, &box);
        }
    }
    printf("surface over that of the fit: at most %.6f, %.6f on average\n", worst, sum / (double)cases);
}

static void invalid_input_is_refused(void **state) {
    (void)state;
    const float good[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const abut_aabb local = {{-1, -1, -1}, {1, 1, 1}};
    abut_obb box, before;
    memset(&box, 7, sizeof box);
    before = box;
    assert_int_equal(abut_obb_from_matrix(NULL, &local, &box), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_obb_from_matrix(good, NULL, &box), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_obb_from_matrix(good, &local, NULL), ABUT_ERROR_ARGUMENT);
    for (int k = 0; k < 16; k++) {
        float bad[16];
        memcpy(bad, good, sizeof bad);
        bad[k] = k & 1 ? NAN : -INFINITY;
        assert_int_equal(abut_obb_from_matrix(bad, &local, &box), ABUT_ERROR_ARGUMENT);
        bad[k] = (k & 3) == 3 ? good[k] + 0x1p-23f : 1.1e9f;
        abut_result wanted = (k & 3) == 3 ? ABUT_ERROR_ARGUMENT : ABUT_ERROR_LIMIT;
        assert_int_equal(abut_obb_from_matrix(bad, &local, &box), wanted);
        bad[k] = (k & 3) == 3 ? good[k] : 3e38f;
        wanted = (k & 3) == 3 ? ABUT_OK : ABUT_ERROR_LIMIT;
        abut_obb other;
        assert_int_equal(abut_obb_from_matrix(bad, &local, &other), wanted);
    }
    for (int k = 0; k < 6; k++) {
        abut_aabb bad = local;
        (k < 3 ? &bad.min.x : &bad.max.x)[k % 3] = k < 3 ? 1.5f : -1.5f;
        assert_int_equal(abut_obb_from_matrix(good, &bad, &box), ABUT_ERROR_ARGUMENT);
        (k < 3 ? &bad.min.x : &bad.max.x)[k % 3] = NAN;
        assert_int_equal(abut_obb_from_matrix(good, &bad, &box), ABUT_ERROR_ARGUMENT);
        (k < 3 ? &bad.min.x : &bad.max.x)[k % 3] = k < 3 ? -INFINITY : INFINITY;
        assert_int_equal(abut_obb_from_matrix(good, &bad, &box), ABUT_ERROR_ARGUMENT);
        (k < 3 ? &bad.min.x : &bad.max.x)[k % 3] = k < 3 ? -3e38f : 3e38f;
        assert_int_equal(abut_obb_from_matrix(good, &bad, &box), ABUT_ERROR_LIMIT);
    }
    assert_memory_equal(&box, &before, sizeof box);
}

static void the_limit_is_that_of_the_bounds(void **state) {
    (void)state;
    float model[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 999999936, 0, 0, 1};
    abut_aabb local = {{-64, -1, -1}, {64, 1, 1}};
    abut_obb box;
    assert_int_equal(abut_obb_from_matrix(model, &local, &box), ABUT_OK);
    local.max.x = 128;
    assert_int_equal(abut_obb_from_matrix(model, &local, &box), ABUT_ERROR_LIMIT);
    /* The smallest floats. */
    model[0] = model[5] = 0x1p-149f;
    local.max.x = 0x1p-149f;
    assert_int_equal(abut_obb_from_matrix(model, &local, &box), ABUT_OK);
    assert_true(box.half.x >= 0x1p-144f && box.half.x <= 64 && box.half.y == 0x1p-149f && box.half.z == 1);
}

/* A parallelogram whose box sticks out of its bounds: 7 wide and 3 high, its box 7 both. */
static void the_limit_is_that_of_the_box_as_well(void **state) {
    (void)state;
    const float unit = 1e8f;
    const abut_aabb local = {{-unit, -unit, -unit}, {unit, unit, unit}};
    for (int k = 0; k < 6; k++) {
        int wide = k % 3, high = (k + 1) % 3, deep = (k + 2) % 3;
        float model[16] = {[15] = 1}, sign = k < 3 ? 1 : -1;
        abut_obb box, before;
        model[wide] = 4;
        model[4 + wide] = model[4 + high] = 3;
        model[8 + deep] = 0.125f;
        model[12 + high] = sign * 2 * unit;
        assert_int_equal(abut_obb_from_matrix(model, &local, &box), ABUT_OK);
        abut_aabb bounds = abut_obb_bounds(&box);
        double end = k < 3 ? (&bounds.max.x)[high] : -(&bounds.min.x)[high];
        assert_true(fabs(end - 9e8) < 1e4);
        model[12 + high] = sign * 4 * unit;
        before = box;
        assert_int_equal(abut_obb_from_matrix(model, &local, &box), ABUT_ERROR_LIMIT);
        assert_memory_equal(&box, &before, sizeof box);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_contain_the_exact_image),
        cmocka_unit_test(boxes_of_unsheared_matrices_are_tight),
        cmocka_unit_test(quarter_turns_and_scales_are_exact),
        cmocka_unit_test(the_identity_changes_nothing),
        cmocka_unit_test(flattened_models_are_plates_rods_and_points),
        cmocka_unit_test(sheared_boxes_are_not_larger_than_needed),
        cmocka_unit_test(invalid_input_is_refused),
        cmocka_unit_test(the_limit_is_that_of_the_bounds),
        cmocka_unit_test(the_limit_is_that_of_the_box_as_well),
    };
    return test_run(tests);
}
