/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two doubles in one register, for code that has a single pair of shapes: one of each, or two ends of one. It is
 * compiled for the instruction set of the rest of the library. The functions mean what those of abut_vd mean (lanes.h).
 */
#ifndef ABUT_BASE_LANES_TWO_H
#define ABUT_BASE_LANES_TWO_H

#include "base/compiler.h"
#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64) || defined(_M_AMD64)

#  include <emmintrin.h>

typedef __m128d abut_two;

static inline abut_two abut_two_of(double first, double second) {
    return _mm_set_pd(second, first);
}

static inline abut_two abut_two_of_floats(float first, float second) {
    return _mm_cvtps_pd(_mm_unpacklo_ps(_mm_set_ss(first), _mm_set_ss(second)));
}

static inline abut_two abut_two_set(double x) {
    return _mm_set1_pd(x);
}

static inline double abut_two_first(abut_two a) {
    return _mm_cvtsd_f64(a);
}

/* The first, or the second, in both places. */
static inline abut_two abut_two_firsts(abut_two a) {
    return _mm_unpacklo_pd(a, a);
}

static inline abut_two abut_two_seconds(abut_two a) {
    return _mm_unpackhi_pd(a, a);
}

static inline void abut_two_store(double *p, abut_two a) {
    _mm_storeu_pd(p, a);
}

static inline abut_two abut_two_add(abut_two a, abut_two b) {
    return _mm_add_pd(a, b);
}

static inline abut_two abut_two_sub(abut_two a, abut_two b) {
    return _mm_sub_pd(a, b);
}

static inline abut_two abut_two_mul(abut_two a, abut_two b) {
    return _mm_mul_pd(a, b);
}

static inline abut_two abut_two_div(abut_two a, abut_two b) {
    return _mm_div_pd(a, b);
}

static inline abut_two abut_two_min(abut_two a, abut_two b) {
    return _mm_min_pd(a, b);
}

static inline abut_two abut_two_max(abut_two a, abut_two b) {
    return _mm_max_pd(a, b);
}

/* Bit l: they are equal in place l. */
static inline uint32_t abut_two_equal(abut_two a, abut_two b) {
    return (uint32_t)_mm_movemask_pd(_mm_cmpeq_pd(a, b));
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

#  include <arm_neon.h>

typedef float64x2_t abut_two;

static inline abut_two abut_two_of(double first, double second) {
    const double both[2] = {first, second};
    return vld1q_f64(both);
}

static inline abut_two abut_two_of_floats(float first, float second) {
    return abut_two_of(first, second);
}

static inline abut_two abut_two_set(double x) {
    return vdupq_n_f64(x);
}

static inline double abut_two_first(abut_two a) {
    return vgetq_lane_f64(a, 0);
}

static inline abut_two abut_two_firsts(abut_two a) {
    return vdupq_laneq_f64(a, 0);
}

static inline abut_two abut_two_seconds(abut_two a) {
    return vdupq_laneq_f64(a, 1);
}

static inline void abut_two_store(double *p, abut_two a) {
    vst1q_f64(p, a);
}

static inline abut_two abut_two_add(abut_two a, abut_two b) {
    return vaddq_f64(a, b);
}

static inline abut_two abut_two_sub(abut_two a, abut_two b) {
    return vsubq_f64(a, b);
}

static inline abut_two abut_two_mul(abut_two a, abut_two b) {
    return vmulq_f64(a, b);
}

static inline abut_two abut_two_div(abut_two a, abut_two b) {
    return vdivq_f64(a, b);
}

static inline abut_two abut_two_min(abut_two a, abut_two b) {
    return vbslq_f64(vcltq_f64(a, b), a, b);
}

static inline abut_two abut_two_max(abut_two a, abut_two b) {
    return vbslq_f64(vcgtq_f64(a, b), a, b);
}

static inline uint32_t abut_two_equal(abut_two a, abut_two b) {
    const uint64x2_t m = vceqq_f64(a, b);
    return (uint32_t)((vgetq_lane_u64(m, 0) & 1) | (vgetq_lane_u64(m, 1) & 2));
}

#else

typedef struct abut_two {
    double x[2];
} abut_two;

static inline abut_two abut_two_of(double first, double second) {
    return (abut_two){{first, second}};
}

static inline abut_two abut_two_of_floats(float first, float second) {
    return (abut_two){{first, second}};
}

static inline abut_two abut_two_set(double x) {
    return (abut_two){{x, x}};
}

static inline double abut_two_first(abut_two a) {
    return a.x[0];
}

static inline abut_two abut_two_firsts(abut_two a) {
    return abut_two_set(a.x[0]);
}

static inline abut_two abut_two_seconds(abut_two a) {
    return abut_two_set(a.x[1]);
}

static inline void abut_two_store(double *p, abut_two a) {
    p[0] = a.x[0], p[1] = a.x[1];
}

static inline abut_two abut_two_add(abut_two a, abut_two b) {
    return (abut_two){{a.x[0] + b.x[0], a.x[1] + b.x[1]}};
}

static inline abut_two abut_two_sub(abut_two a, abut_two b) {
    return (abut_two){{a.x[0] - b.x[0], a.x[1] - b.x[1]}};
}

static inline abut_two abut_two_mul(abut_two a, abut_two b) {
    return (abut_two){{a.x[0] * b.x[0], a.x[1] * b.x[1]}};
}

static inline abut_two abut_two_div(abut_two a, abut_two b) {
    return (abut_two){{a.x[0] / b.x[0], a.x[1] / b.x[1]}};
}

static inline abut_two abut_two_min(abut_two a, abut_two b) {
    return (abut_two){{a.x[0] < b.x[0] ? a.x[0] : b.x[0], a.x[1] < b.x[1] ? a.x[1] : b.x[1]}};
}

static inline abut_two abut_two_max(abut_two a, abut_two b) {
    return (abut_two){{a.x[0] > b.x[0] ? a.x[0] : b.x[0], a.x[1] > b.x[1] ? a.x[1] : b.x[1]}};
}

static inline uint32_t abut_two_equal(abut_two a, abut_two b) {
    return (uint32_t)(a.x[0] == b.x[0]) | (uint32_t)(a.x[1] == b.x[1]) << 1;
}

#endif

#endif
