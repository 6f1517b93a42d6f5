/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* WebAssembly's 128-bit vectors: four floats, two doubles; see lanes.h. All of them are v128_t. */
#ifndef ABUT_BASE_LANES_LANES_WASM_H
#define ABUT_BASE_LANES_LANES_WASM_H

#include <wasm_simd128.h>

enum { ABUT_VF_LANES = 4, ABUT_VD_LANES = 2 };

typedef v128_t abut_vf;
typedef v128_t abut_vd;
typedef v128_t abut_mf;
typedef v128_t abut_md;

static inline abut_vf abut_vf_set(float x) {
    return wasm_f32x4_splat(x);
}

static inline abut_vf abut_vf_load(const float *p) {
    return wasm_v128_load(p);
}

static inline void abut_vf_store(float *p, abut_vf v) {
    wasm_v128_store(p, v);
}

static inline abut_vf abut_vf_add(abut_vf a, abut_vf b) {
    return wasm_f32x4_add(a, b);
}

static inline abut_vf abut_vf_sub(abut_vf a, abut_vf b) {
    return wasm_f32x4_sub(a, b);
}

static inline abut_vf abut_vf_mul(abut_vf a, abut_vf b) {
    return wasm_f32x4_mul(a, b);
}

static inline abut_vf abut_vf_div(abut_vf a, abut_vf b) {
    return wasm_f32x4_div(a, b);
}

static inline abut_vf abut_vf_sqrt(abut_vf a) {
    return wasm_f32x4_sqrt(a);
}

static inline abut_vf abut_vf_abs(abut_vf a) {
    return wasm_f32x4_abs(a);
}

static inline abut_vf abut_vf_neg(abut_vf a) {
    return wasm_f32x4_neg(a);
}

/* pmin(x, y) is y < x ? y : x, pmax(x, y) is x < y ? y : x. */
static inline abut_vf abut_vf_min(abut_vf a, abut_vf b) {
    return wasm_f32x4_pmin(b, a);
}

static inline abut_vf abut_vf_max(abut_vf a, abut_vf b) {
    return wasm_f32x4_pmax(b, a);
}

static inline abut_mf abut_vf_lt(abut_vf a, abut_vf b) {
    return wasm_f32x4_lt(a, b);
}

static inline abut_mf abut_vf_le(abut_vf a, abut_vf b) {
    return wasm_f32x4_le(a, b);
}

static inline abut_mf abut_vf_eq(abut_vf a, abut_vf b) {
    return wasm_f32x4_eq(a, b);
}

static inline abut_mf abut_mf_and(abut_mf m, abut_mf n) {
    return wasm_v128_and(m, n);
}

static inline abut_mf abut_mf_or(abut_mf m, abut_mf n) {
    return wasm_v128_or(m, n);
}

static inline abut_mf abut_mf_and_not(abut_mf m, abut_mf n) {
    return wasm_v128_andnot(m, n);
}

static inline uint32_t abut_mf_bits(abut_mf m) {
    return (uint32_t)wasm_i32x4_bitmask(m);
}

static inline abut_vf abut_vf_select(abut_mf m, abut_vf a, abut_vf b) {
    return wasm_v128_bitselect(a, b, m);
}

static inline uint32_t abut_mf_count(abut_mf m) {
    return (uint32_t)__builtin_popcount(abut_mf_bits(m));
}

static inline abut_mf abut_mf_first(uint32_t n) {
    return wasm_i32x4_lt(wasm_i32x4_make(0, 1, 2, 3), wasm_i32x4_splat((int32_t)n));
}

/* Each pair is written at the place that the count gives, without a branch: the next one overwrites a pair that is not
 * in the mask. */
static inline uint32_t abut_lanes_pairs(uint32_t own, const uint32_t *ids, abut_mf m, uint32_t *out) {
    v128_t others = wasm_v128_load(ids), self = wasm_i32x4_splat((int32_t)own);
    v128_t low = wasm_u32x4_min(self, others), high = wasm_u32x4_max(self, others);
    v128_t front = wasm_i32x4_shuffle(low, high, 0, 4, 1, 5), back = wasm_i32x4_shuffle(low, high, 2, 6, 3, 7);
    uint32_t bits = abut_mf_bits(m), count = 0;
    for (int l = 0; l < 4; l++) {
        v128_t two = l & 2 ? back : front;
        int64_t pair = l & 1 ? wasm_i64x2_extract_lane(two, 1) : wasm_i64x2_extract_lane(two, 0);
        memcpy(out + 2 * count, &pair, sizeof pair);
        count += bits >> l & 1;
    }
    return count;
}

static inline abut_vd abut_vd_set(double x) {
    return wasm_f64x2_splat(x);
}

static inline abut_vd abut_vd_load(const double *p) {
    return wasm_v128_load(p);
}

static inline void abut_vd_store(double *p, abut_vd v) {
    wasm_v128_store(p, v);
}

static inline abut_vd abut_vd_add(abut_vd a, abut_vd b) {
    return wasm_f64x2_add(a, b);
}

static inline abut_vd abut_vd_sub(abut_vd a, abut_vd b) {
    return wasm_f64x2_sub(a, b);
}

static inline abut_vd abut_vd_mul(abut_vd a, abut_vd b) {
    return wasm_f64x2_mul(a, b);
}

static inline abut_vd abut_vd_div(abut_vd a, abut_vd b) {
    return wasm_f64x2_div(a, b);
}

static inline abut_vd abut_vd_sqrt(abut_vd a) {
    return wasm_f64x2_sqrt(a);
}

static inline abut_vd abut_vd_abs(abut_vd a) {
    return wasm_f64x2_abs(a);
}

static inline abut_vd abut_vd_neg(abut_vd a) {
    return wasm_f64x2_neg(a);
}

static inline abut_vd abut_vd_min(abut_vd a, abut_vd b) {
    return wasm_f64x2_pmin(b, a);
}

static inline abut_vd abut_vd_max(abut_vd a, abut_vd b) {
    return wasm_f64x2_pmax(b, a);
}

static inline abut_md abut_vd_lt(abut_vd a, abut_vd b) {
    return wasm_f64x2_lt(a, b);
}

static inline abut_md abut_vd_le(abut_vd a, abut_vd b) {
    return wasm_f64x2_le(a, b);
}

static inline abut_md abut_vd_eq(abut_vd a, abut_vd b) {
    return wasm_f64x2_eq(a, b);
}

static inline abut_md abut_md_and(abut_md m, abut_md n) {
    return wasm_v128_and(m, n);
}

static inline abut_md abut_md_or(abut_md m, abut_md n) {
    return wasm_v128_or(m, n);
}

static inline abut_md abut_md_and_not(abut_md m, abut_md n) {
    return wasm_v128_andnot(m, n);
}

static inline uint32_t abut_md_bits(abut_md m) {
    return (uint32_t)wasm_i64x2_bitmask(m);
}

static inline abut_vd abut_vd_select(abut_md m, abut_vd a, abut_vd b) {
    return wasm_v128_bitselect(a, b, m);
}

/* The first four floats of record i; records are `stride` bytes apart. */
static inline v128_t abut_lanes_load_4_of_1(const void *p, size_t stride, uint32_t i) {
    return wasm_v128_load((const char *)p + stride * i);
}

static inline void abut_vf_load4(const void *p, size_t stride, const uint32_t *i, abut_vf v[4]) {
    v128_t a = abut_lanes_load_4_of_1(p, stride, i[0]), b = abut_lanes_load_4_of_1(p, stride, i[1]);
    v128_t c = abut_lanes_load_4_of_1(p, stride, i[2]), d = abut_lanes_load_4_of_1(p, stride, i[3]);
    v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    v[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
    v[1] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
    v[2] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
    v[3] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
}

static inline void abut_vd_load4(const void *p, size_t stride, const uint32_t *i, abut_vd v[4]) {
    v128_t a = abut_lanes_load_4_of_1(p, stride, i[0]), b = abut_lanes_load_4_of_1(p, stride, i[1]);
    v128_t low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    v[0] = wasm_f64x2_promote_low_f32x4(low);
    v[1] = wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(low, low, 1, 1));
    v[2] = wasm_f64x2_promote_low_f32x4(high);
    v[3] = wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle(high, high, 1, 1));
}

static inline abut_vd abut_vd_load_floats(const float *p) {
    return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(p));
}

static inline abut_vd abut_vd_to_float(abut_vd v) {
    return wasm_f64x2_promote_low_f32x4(wasm_f32x4_demote_f64x2_zero(v));
}

static inline void abut_vf_store_bytes(uint8_t *p, abut_vf v) {
    v128_t words = wasm_i16x8_narrow_i32x4(wasm_i32x4_trunc_sat_f32x4(v), wasm_i32x4_const(0, 0, 0, 0));
    int32_t bytes = wasm_i32x4_extract_lane(wasm_u8x16_narrow_i16x8(words, words), 0);
    memcpy(p, &bytes, sizeof bytes);
}

static inline float abut_vf_least(abut_vf v) {
    v = abut_vf_min(v, wasm_i64x2_shuffle(v, v, 1, 0));
    return wasm_f32x4_extract_lane(abut_vf_min(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2)), 0);
}

static inline double abut_vd_least(abut_vd v) {
    return wasm_f64x2_extract_lane(abut_vd_min(v, wasm_i64x2_shuffle(v, v, 1, 0)), 0);
}

static inline void abut_lanes_done(void) {
}

#endif
