/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Double-double arithmetic: a number is the unevaluated sum of two doubles, about 106 bits. It decides the few
 * questions that double cannot. Error-free transformations after Dekker (1971) and Knuth; the bounds are those of
 * Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic"
 * (2017): the relative error of each operation here is at most 2^-98. It uses no fused multiply-add, so that every
 * machine computes the same bits. */
#ifndef ABUT_BASE_DD_H
#define ABUT_BASE_DD_H

#include "base/compiler.h"
#include <math.h>

typedef struct abut_dd {
    double hi, lo;
} abut_dd;

static inline abut_dd abut_dd_from(double value) {
    return (abut_dd){value, 0};
}

static inline abut_dd abut_dd_two_sum(double a, double b) {
    double s = a + b;
    double t = s - a;
    return (abut_dd){s, (a - (s - t)) + (b - t)};
}

/* The exact sum; requires |a| >= |b| or a == 0. */
static inline abut_dd abut_dd_fast_sum(double a, double b) {
    double s = a + b;
    return (abut_dd){s, b - (s - a)};
}

/* Dekker's split of each factor into 26-bit halves whose products are exact. */
static inline abut_dd abut_dd_two_product(double a, double b) {
    double ta = 134217729.0 * a, tb = 134217729.0 * b;
    double ah = ta - (ta - a), bh = tb - (tb - b);
    double al = a - ah, bl = b - bh;
    double p = a * b;
    return (abut_dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline abut_dd abut_dd_add(abut_dd a, abut_dd b) {
    abut_dd s = abut_dd_two_sum(a.hi, b.hi), t = abut_dd_two_sum(a.lo, b.lo);
    abut_dd v = abut_dd_fast_sum(s.hi, s.lo + t.hi);
    return abut_dd_fast_sum(v.hi, t.lo + v.lo);
}

/* The sum of n >= 2 numbers as two doubles; *error becomes a bound on what these leave out, 0 if the result is exact.
 * Overwrites `x`. Method: distillation, as in Ogita, Rump and Oishi, "Accurate sum and dot product" (2005). */
static inline abut_dd abut_dd_distil(double *x, int n, double *error) {
    int moved = 1;
    for (int pass = 1; pass < n && moved; pass++) {
        moved = 0;
        for (int i = 1; i < n; i++) {
            abut_dd s = abut_dd_two_sum(x[i], x[i - 1]);
            moved |= s.hi != x[i];
            x[i] = s.hi;
            x[i - 1] = s.lo;
        }
    }
    *error = 0;
    for (int i = 0; i < n - 2; i++) {
        *error += 2 * fabs(x[i]); /* twice, because these sums are rounded, too */
    }
    return (abut_dd){x[n - 1], x[n - 2]};
}

static inline abut_dd abut_dd_negate(abut_dd a) {
    return (abut_dd){-a.hi, -a.lo};
}

static inline abut_dd abut_dd_sub(abut_dd a, abut_dd b) {
    return abut_dd_add(a, abut_dd_negate(b));
}

static inline abut_dd abut_dd_mul(abut_dd a, abut_dd b) {
    abut_dd p = abut_dd_two_product(a.hi, b.hi);
    return abut_dd_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline abut_dd abut_dd_scaled(abut_dd a, double factor) {
    return abut_dd_mul(a, abut_dd_from(factor));
}

/* (a + b) + (c + d), where both inner sums are exact. */
static inline abut_dd abut_dd_sum4(double a, double b, double c, double d) {
    return abut_dd_add(abut_dd_two_sum(a, b), abut_dd_two_sum(c, d));
}

static inline abut_dd abut_dd_abs(abut_dd a) {
    return a.hi < 0 ? abut_dd_negate(a) : a; /* lo is 0 where hi is */
}

/* Quotient and square root refine the double result by Newton steps. `b` and `a` are above 0. */
static inline abut_dd abut_dd_div(abut_dd a, abut_dd b) {
    double q = a.hi / b.hi;
    abut_dd rest = abut_dd_sub(a, abut_dd_mul(b, abut_dd_from(q)));
    double q2 = rest.hi / b.hi;
    rest = abut_dd_sub(rest, abut_dd_mul(b, abut_dd_from(q2)));
    return abut_dd_add(abut_dd_fast_sum(q, q2), abut_dd_from(rest.hi / b.hi));
}

static inline abut_dd abut_dd_sqrt(abut_dd a) {
    if (!(a.hi > 0)) {
        return abut_dd_from(0);
    }
    double root = sqrt(a.hi);
    abut_dd rest = abut_dd_sub(a, abut_dd_two_product(root, root));
    abut_dd sum = abut_dd_fast_sum(root, rest.hi / (2 * root));
    rest = abut_dd_sub(a, abut_dd_mul(sum, sum));
    return abut_dd_add(sum, abut_dd_from(rest.hi / (2 * root)));
}

#endif
