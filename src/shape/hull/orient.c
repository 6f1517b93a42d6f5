/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/orient.h"
#include "base/dd.h"

enum { TERMS = 24 }; /* of the 4 x 4 determinant with a column of ones */

/* A sum of doubles whose bits do not overlap, in ascending size. */
typedef struct expansion {
    double part[2 * TERMS + 1];
    int count;
} expansion;

/* Shewchuk's GROW-EXPANSION without the zeros: exact. */
static void expansion_add(expansion *sum, double value) {
    int kept = 0;
    for (int i = 0; i < sum->count; i++) {
        abut_dd next = abut_dd_two_sum(value, sum->part[i]);
        value = next.hi;
        if (next.lo != 0) {
            sum->part[kept++] = next.lo;
        }
    }
    if (value != 0) {
        sum->part[kept++] = value;
    }
    sum->count = kept;
}

static int expansion_sign(const expansion *sum) {
    if (sum->count == 0) {
        return 0;
    }
    return sum->part[sum->count - 1] > 0 ? 1 : -1;
}

/* Leibniz' formula; a product of two floats is exact in double, one of three in two doubles. */
static int sign_by_expansion(const double p[4][3]) {
    expansion sum = {.count = 0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++) {
                if (i == j || j == k || k == i) {
                    continue;
                }
                int l = 6 - i - j - k;
                int inversions = (i > j) + (i > k) + (i > l) + (j > k) + (j > l) + (k > l);
                double xy = p[i][0] * p[j][1];
                abut_dd term = abut_dd_two_product(inversions % 2 ? xy : -xy, p[k][2]);
                expansion_add(&sum, term.lo);
                expansion_add(&sum, term.hi);
            }
        }
    }
    return expansion_sign(&sum);
}

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The largest power of two of which x is a multiple; huge for 0. */
static double unit_of(double x) {
    uint32_t bits = abut_bits_of_float((float)x), exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
    if (x == 0) {
        return 0x1p+100;
    }
    mantissa |= exponent ? 0x800000 : 0;
    return (double)(mantissa & (0 - mantissa)) * power_of_two((int)(exponent ? exponent : 1) - 150);
}

/* A power of two of which the determinant is a multiple. */
static double unit_of_determinant(const double p[4][3]) {
    double unit = 1;
    for (int axis = 0; axis < 3; axis++) {
        double least = unit_of(p[0][axis]);
        for (int i = 1; i < 4; i++) {
            double other = unit_of(p[i][axis]);
            least = abut_min_d(other, least);
        }
        unit *= least;
    }
    return unit;
}

static abut_dd minor(const abut_dd u[3], const abut_dd v[3], int j, int k) {
    return abut_dd_sub(abut_dd_mul(u[j], v[k]), abut_dd_mul(u[k], v[j]));
}

int abut_orient_exact(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    const double p[4][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {d.x, d.y, d.z}};
    abut_dd e[3][3], sum = {0, 0};
    double size = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            e[i][k] = abut_dd_two_sum(p[i + 1][k], -p[0][k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum = abut_dd_add(sum, abut_dd_mul(minor(e[0], e[1], j, k), e[2][i]));
        size += (fabs(e[0][j].hi * e[1][k].hi) + fabs(e[0][k].hi * e[1][j].hi)) * fabs(e[2][i].hi);
    }
    /* Five operations deep, each good to 2^-98. */
    double error = size * 0x1p-94;
    if (fabs(sum.hi) > error) {
        return sum.hi > 0 ? 1 : -1;
    }
    if (fabs(sum.hi) + error < unit_of_determinant(p)) {
        return 0;
    }
    return sign_by_expansion(p);
}

bool abut_orient_collinear(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    const double p[3][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}};
    for (int j = 0; j < 3; j++) {
        int k = (j + 1) % 3;
        expansion sum = {.count = 0};
        for (int i = 0; i < 3; i++) {
            expansion_add(&sum, p[i][j] * p[(i + 1) % 3][k]);
            expansion_add(&sum, -p[i][k] * p[(i + 1) % 3][j]);
        }
        if (expansion_sign(&sum) != 0) {
            return false;
        }
    }
    return true;
}
