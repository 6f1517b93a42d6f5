/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Three floats x, y, z in one register, for code that has a single pair and cannot fill registers with others. It is
 * compiled for the instruction set of the rest of the library. The fourth lane may hold anything, also NaN: no function
 * lets it into the others, but for those that say so. */
#ifndef ABUT_BASE_LANES_XYZ_H
#define ABUT_BASE_LANES_XYZ_H

#include "base/compiler.h"
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) || defined(_M_X64) || defined(_M_AMD64)

#  include <emmintrin.h>

typedef __m128 abut_xyz;

#  define ABUT_XYZ_SHUFFLE(v, i, j, k, l) _mm_shuffle_ps(v, v, _MM_SHUFFLE(l, k, j, i))

/* p[0 .. 3] */
static inline abut_xyz abut_xyz_load(const float *p) {
    return _mm_loadu_ps(p);
}

static inline abut_xyz abut_xyz_set(float x) {
    return _mm_set1_ps(x);
}

static inline abut_xyz abut_xyz_add(abut_xyz a, abut_xyz b) {
    return _mm_add_ps(a, b);
}

static inline abut_xyz abut_xyz_sub(abut_xyz a, abut_xyz b) {
    return _mm_sub_ps(a, b);
}

static inline abut_xyz abut_xyz_mul(abut_xyz a, abut_xyz b) {
    return _mm_mul_ps(a, b);
}

static inline abut_xyz abut_xyz_div(abut_xyz a, abut_xyz b) {
    return _mm_div_ps(a, b);
}

/* a > b ? a : b */
static inline abut_xyz abut_xyz_max(abut_xyz a, abut_xyz b) {
    return _mm_max_ps(a, b);
}

static inline abut_xyz abut_xyz_abs(abut_xyz a) {
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

/* a < b ? x : y */
static inline abut_xyz abut_xyz_choose_less(abut_xyz a, abut_xyz b, abut_xyz x, abut_xyz y) {
    __m128 m = _mm_cmplt_ps(a, b);
    return _mm_or_ps(_mm_and_ps(m, x), _mm_andnot_ps(m, y));
}

static inline float abut_xyz_first(abut_xyz a) {
    return _mm_cvtss_f32(a);
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

#  include <arm_neon.h>

typedef float32x4_t abut_xyz;

/* Lane by lane: compilers find the few instructions that this takes. */
static ABUT_INLINE abut_xyz abut_xyz_lanes(float a, float b, float c, float d) {
    const float lanes[4] = {a, b, c, d};
    return vld1q_f32(lanes);
}

#  define ABUT_XYZ_SHUFFLE(v, i, j, k, l)                                                                              \
    abut_xyz_lanes(vgetq_lane_f32(v, i), vgetq_lane_f32(v, j), vgetq_lane_f32(v, k), vgetq_lane_f32(v, l))

static inline abut_xyz abut_xyz_load(const float *p) {
    return vld1q_f32(p);
}

static inline abut_xyz abut_xyz_set(float x) {
    return vdupq_n_f32(x);
}

static inline abut_xyz abut_xyz_add(abut_xyz a, abut_xyz b) {
    return vaddq_f32(a, b);
}

static inline abut_xyz abut_xyz_sub(abut_xyz a, abut_xyz b) {
    return vsubq_f32(a, b);
}

static inline abut_xyz abut_xyz_mul(abut_xyz a, abut_xyz b) {
    return vmulq_f32(a, b);
}

static inline abut_xyz abut_xyz_div(abut_xyz a, abut_xyz b) {
    return vdivq_f32(a, b);
}

static inline abut_xyz abut_xyz_max(abut_xyz a, abut_xyz b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline abut_xyz abut_xyz_abs(abut_xyz a) {
    return vabsq_f32(a);
}

static inline abut_xyz abut_xyz_choose_less(abut_xyz a, abut_xyz b, abut_xyz x, abut_xyz y) {
    return vbslq_f32(vcltq_f32(a, b), x, y);
}

static inline float abut_xyz_first(abut_xyz a) {
    return vgetq_lane_f32(a, 0);
}

#elif defined(__wasm_simd128__)

#  include <wasm_simd128.h>

typedef v128_t abut_xyz;

#  define ABUT_XYZ_SHUFFLE(v, i, j, k, l) wasm_i32x4_shuffle(v, v, i, j, k, l)

static inline abut_xyz abut_xyz_load(const float *p) {
    return wasm_v128_load(p);
}

static inline abut_xyz abut_xyz_set(float x) {
    return wasm_f32x4_splat(x);
}

static inline abut_xyz abut_xyz_add(abut_xyz a, abut_xyz b) {
    return wasm_f32x4_add(a, b);
}

static inline abut_xyz abut_xyz_sub(abut_xyz a, abut_xyz b) {
    return wasm_f32x4_sub(a, b);
}

static inline abut_xyz abut_xyz_mul(abut_xyz a, abut_xyz b) {
    return wasm_f32x4_mul(a, b);
}

static inline abut_xyz abut_xyz_div(abut_xyz a, abut_xyz b) {
    return wasm_f32x4_div(a, b);
}

static inline abut_xyz abut_xyz_max(abut_xyz a, abut_xyz b) {
    return wasm_f32x4_pmax(b, a);
}

static inline abut_xyz abut_xyz_abs(abut_xyz a) {
    return wasm_f32x4_abs(a);
}

static inline abut_xyz abut_xyz_choose_less(abut_xyz a, abut_xyz b, abut_xyz x, abut_xyz y) {
    return wasm_v128_bitselect(x, y, wasm_f32x4_lt(a, b));
}

static inline float abut_xyz_first(abut_xyz a) {
    return wasm_f32x4_extract_lane(a, 0);
}

#else

typedef struct abut_xyz {
    float v[4];
} abut_xyz;

static inline abut_xyz abut_xyz_load(const float *p) {
    return (abut_xyz){{p[0], p[1], p[2], p[3]}};
}

static inline abut_xyz abut_xyz_shuffled(abut_xyz a, int i, int j, int k, int l) {
    return (abut_xyz){{a.v[i], a.v[j], a.v[k], a.v[l]}};
}

#  define ABUT_XYZ_SHUFFLE(a, i, j, k, l) abut_xyz_shuffled(a, i, j, k, l)

static inline abut_xyz abut_xyz_set(float x) {
    return (abut_xyz){{x, x, x, x}};
}

/* The fourth lane is needed where all four are added up. */
#  define ABUT_XYZ_OPERATION(name, expression)                                                                         \
    static inline abut_xyz name(abut_xyz a, abut_xyz b) {                                                              \
      abut_xyz r;                                                                                                      \
      for (int k = 0; k < 4; k++) {                                                                                    \
        r.v[k] = expression;                                                                                           \
      }                                                                                                                \
      return r;                                                                                                        \
    }
ABUT_XYZ_OPERATION(abut_xyz_add, a.v[k] + b.v[k])
ABUT_XYZ_OPERATION(abut_xyz_sub, a.v[k] - b.v[k])
ABUT_XYZ_OPERATION(abut_xyz_mul, a.v[k] * b.v[k])
ABUT_XYZ_OPERATION(abut_xyz_div, a.v[k] / b.v[k])
ABUT_XYZ_OPERATION(abut_xyz_max, a.v[k] > b.v[k] ? a.v[k] : b.v[k])
#  undef ABUT_XYZ_OPERATION

static inline abut_xyz abut_xyz_abs(abut_xyz a) {
    for (int k = 0; k < 4; k++) {
        a.v[k] = a.v[k] < 0 ? -a.v[k] : a.v[k];
    }
    return a;
}

static inline abut_xyz abut_xyz_choose_less(abut_xyz a, abut_xyz b, abut_xyz x, abut_xyz y) {
    abut_xyz r;
    for (int k = 0; k < 4; k++) {
        r.v[k] = a.v[k] < b.v[k] ? x.v[k] : y.v[k];
    }
    return r;
}

static inline float abut_xyz_first(abut_xyz a) {
    return a.v[0];
}

#endif

/* (y, z, x) and (z, x, y). */
static inline abut_xyz abut_xyz_next(abut_xyz a) {
    return ABUT_XYZ_SHUFFLE(a, 1, 2, 0, 3);
}

static inline abut_xyz abut_xyz_after(abut_xyz a) {
    return ABUT_XYZ_SHUFFLE(a, 2, 0, 1, 3);
}

/* The fourth lane in all lanes; the last three in the first three. */
static inline abut_xyz abut_xyz_fourth(abut_xyz a) {
    return ABUT_XYZ_SHUFFLE(a, 3, 3, 3, 3);
}

static inline abut_xyz abut_xyz_last_three(abut_xyz a) {
    return ABUT_XYZ_SHUFFLE(a, 1, 2, 3, 0);
}

/* In the first three lanes x + y + z. */
static inline abut_xyz abut_xyz_sum(abut_xyz a) {
    return abut_xyz_add(abut_xyz_add(a, abut_xyz_next(a)), abut_xyz_after(a));
}

/* In all lanes the sum of all four. */
static inline abut_xyz abut_xyz_sum_of_four(abut_xyz a) {
    abut_xyz pairs = abut_xyz_add(a, ABUT_XYZ_SHUFFLE(a, 1, 0, 3, 2));
    return abut_xyz_add(pairs, ABUT_XYZ_SHUFFLE(pairs, 2, 3, 0, 1));
}

/* The largest of x, y and z. */
static inline float abut_xyz_largest(abut_xyz a) {
    return abut_xyz_first(abut_xyz_max(abut_xyz_max(a, abut_xyz_next(a)), abut_xyz_after(a)));
}

#endif
