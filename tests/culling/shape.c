/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "culling/shape.h"
#include "support/quad.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

enum { GENERATORS = 24 };

bool shape_is_empty(const abut_frustum *frustum) {
    static const abut_frustum nothing;
    return memcmp(frustum, &nothing, sizeof nothing) == 0;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double shape_height(const double plane[4], const double x[3]) {
    return dot(plane, x) + plane[3];
}

double shape_point(const double run[7], double t, double x[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = run[k] + t * run[3 + k];
    }
    return fabs(run[0]) + fabs(run[1]) + fabs(run[2]) + t;
}

static void check_run(const abut_frustum *f, const double run[7]) {
    assert_true(fabs(dot(run + 3, run + 3) - 1) < 1e-14 && run[6] >= 0);
    assert_true((quad)fabs(run[0]) + fabs(run[1]) + fabs(run[2]) <= f->extent);
    for (uint32_t k = 0; k < f->plane_count; k++) {
        double x[3], size = shape_point(run, 0, x);
        assert_true(shape_height(f->plane[k], x) >= -1e-12 * size);
        if (run[6] == INFINITY) {
            assert_true(dot(f->plane[k], run + 3) >= -1e-12);
        } else {
            size = shape_point(run, run[6], x);
            assert_true(shape_height(f->plane[k], x) >= -1e-12 * size);
        }
    }
}

static void check_edge(const abut_frustum *f, uint32_t i) {
    uint32_t along = 0;
    assert_true(fabs(dot(f->edge[i], f->edge[i]) - 1) < 1e-14);
    for (uint32_t k = 0; k < f->plane_count; k++) {
        along += fabs(dot(f->plane[k], f->edge[i])) < 1e-11;
    }
    assert_true(along >= 2);
    for (uint32_t j = 0; j < i; j++) {
        double sine2 = 0;
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            double part = f->edge[i][l] * f->edge[j][m] - f->edge[i][m] * f->edge[j][l];
            sine2 += part * part;
        }
        assert_true(sine2 > 0x1p-89);
    }
}

static void check_spread(const abut_frustum *f, rng *r) {
    assert_true(f->spread >= 1 && f->spread < INFINITY);
    for (int round = 0; round < 20; round++) {
        double sum[3] = {0, 0, 0}, weights = 0;
        for (uint32_t i = 0; i < f->run_count; i++) {
            double weight = rng_chance(r, 0.5) ? 0 : rng_unit(r);
            weights += weight;
            for (int k = 0; k < 3; k++) {
                sum[k] += weight * f->run[i][3 + k];
            }
        }
        assert_true(sqrt(dot(sum, sum)) * f->spread >= weights * (1 - 1e-12));
    }
}

void shape_check(const abut_frustum *f, rng *r) {
    assert_true(f->plane_count <= 6 && f->run_count > 0 && f->run_count <= 12 && f->edge_count <= 12);
    for (uint32_t k = 0; k < f->plane_count; k++) {
        assert_true(fabs(dot(f->plane[k], f->plane[k]) - 1) < 1e-14);
    }
    for (uint32_t i = 0; i < f->run_count; i++) {
        check_run(f, f->run[i]);
    }
    for (uint32_t i = 0; i < f->edge_count; i++) {
        check_edge(f, i);
    }
    check_spread(f, r);
}

/* Homogeneous, normalised to length 1, with lengths in multiples of `unit`. */
static void add_generator(const double x[3], double w, double unit, double g[4]) {
    for (int k = 0; k < 3; k++) {
        g[k] = w > 0 ? x[k] / unit : x[k];
    }
    g[3] = w;
    double length = sqrt(dot(g, g) + w * w);
    for (int k = 0; k < 4; k++) {
        g[k] /= length;
    }
}

static int list_generators(const abut_frustum *f, double unit, double g[GENERATORS][4]) {
    int count = 0;
    for (uint32_t i = 0; i < f->run_count; i++) {
        double x[3];
        shape_point(f->run[i], 0, x);
        add_generator(x, 1, unit, g[count++]);
        if (f->run[i][6] == INFINITY) {
            add_generator(f->run[i] + 3, 0, unit, g[count++]);
        } else {
            shape_point(f->run[i], f->run[i][6], x);
            add_generator(x, 1, unit, g[count++]);
        }
    }
    return count;
}

/* The plane through three generators. False if they are collinear. */
static bool plane_through(const double a[4], const double b[4], const double c[4], double out[4]) {
    quad n[4], square = 0;
    for (int k = 0; k < 4; k++) {
        int i = (k + 1) & 3, j = (k + 2) & 3, l = (k + 3) & 3;
        n[k] = (quad)a[i] * ((quad)b[j] * c[l] - (quad)b[l] * c[j]) -
               (quad)a[j] * ((quad)b[i] * c[l] - (quad)b[l] * c[i]) +
               (quad)a[l] * ((quad)b[i] * c[j] - (quad)b[j] * c[i]);
        n[k] = k & 1 ? -n[k] : n[k];
        square += n[k] * n[k];
    }
    double length = sqrt((double)square);
    for (int k = 0; k < 4 && length > 1e-9; k++) {
        out[k] = (double)(n[k] / length);
    }
    return length > 1e-9;
}

/* 1 or -1 when all generators are on that side of it, else 0. */
static int side_of(const double plane[4], double g[GENERATORS][4], int count) {
    bool above = false, below = false;
    for (int i = 0; i < count; i++) {
        double height = dot(plane, g[i]) + plane[3] * g[i][3];
        above = above || height > 1e-7;
        below = below || height < -1e-7;
    }
    return above == below ? 0 : above ? 1 : -1;
}

/* Whether the plane is one of the frustum's, or the one at infinity. */
static bool known_plane(const abut_frustum *f, double unit, const double plane[4]) {
    if (fabs(plane[0]) + fabs(plane[1]) + fabs(plane[2]) < 1e-6) {
        return true;
    }
    for (uint32_t k = 0; k < f->plane_count; k++) {
        double d = f->plane[k][3] / unit, length = sqrt(1 + d * d), off = fabs(d / length - plane[3]);
        for (int i = 0; i < 3; i++) {
            off += fabs(f->plane[k][i] / length - plane[i]);
        }
        if (off < 1e-5) {
            return true;
        }
    }
    return false;
}

void shape_check_hull(const abut_frustum *f) {
    double g[GENERATORS][4];
    double unit = f->extent;
    int count = list_generators(f, unit, g);
    for (int i = 0; i < count && QUAD_AVAILABLE; i++) {
        for (int j = i + 1; j < count; j++) {
            for (int k = j + 1; k < count; k++) {
                double plane[4] = {0, 0, 0, 0};
                int side = plane_through(g[i], g[j], g[k], plane) ? side_of(plane, g, count) : 0;
                if (side == 0) {
                    continue;
                }
                const double inward[4] = {side * plane[0], side * plane[1], side * plane[2], side * plane[3]};
                assert_true(known_plane(f, unit, inward));
            }
        }
    }
}

/* Whether `one` is among the rows, each number off by at most `error` times its scale. */
static bool among(const double *one, const double *rows, uint32_t count, size_t stride, int numbers, double error) {
    for (uint32_t i = 0; i < count; i++) {
        bool same = true;
        for (int k = 0; k < numbers; k++) {
            double other = rows[i * stride + (size_t)k];
            same = same && (one[k] == other || fabs(one[k] - other) <= error);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

static void check_contained(const abut_frustum *a, const abut_frustum *b, double error) {
    for (uint32_t i = 0; i < a->plane_count; i++) {
        assert_true(among(a->plane[i], b->plane[0], b->plane_count, 4, 4, error * (1 + fabs(a->plane[i][3]))));
    }
    for (uint32_t i = 0; i < a->run_count; i++) {
        double size = 1 + a->extent + (a->run[i][6] < INFINITY ? a->run[i][6] : 0);
        assert_true(among(a->run[i], b->run[0], b->run_count, 7, 7, error * size));
    }
    for (uint32_t i = 0; i < a->edge_count; i++) {
        const double *e = a->edge[i], turned[3] = {-e[0], -e[1], -e[2]};
        assert_true(among(e, b->edge[0], b->edge_count, 3, 3, error) ||
                    among(turned, b->edge[0], b->edge_count, 3, 3, error));
    }
}

void shape_check_same(const abut_frustum *a, const abut_frustum *b, double error) {
    assert_int_equal(a->plane_count, b->plane_count);
    assert_int_equal(a->run_count, b->run_count);
    assert_int_equal(a->edge_count, b->edge_count);
    for (int k = 0; k < 3; k++) {
        assert_true(a->origin[k] == b->origin[k]);
    }
    check_contained(a, b, error);
    check_contained(b, a, error);
}
