/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* NEON on AArch64: four floats, two doubles; see lanes.h. The instructions for min and max treat NaN and zeros
 * differently from what lanes.h requires, so min and max are a comparison and a selection. */
#ifndef ABUT_BASE_LANES_LANES_NEON_H
#define ABUT_BASE_LANES_LANES_NEON_H

#include <arm_neon.h>

enum { ABUT_VF_LANES = 4, ABUT_VD_LANES = 2 };

typedef float32x4_t abut_vf;
typedef float64x2_t abut_vd;
typedef uint32x4_t abut_mf;
typedef uint64x2_t abut_md;

static inline abut_vf abut_vf_set(float x) {
    return vdupq_n_f32(x);
}

static inline abut_vf abut_vf_load(const float *p) {
    return vld1q_f32(p);
}

static inline void abut_vf_store(float *p, abut_vf v) {
    vst1q_f32(p, v);
}

static inline abut_vf abut_vf_add(abut_vf a, abut_vf b) {
    return vaddq_f32(a, b);
}

static inline abut_vf abut_vf_sub(abut_vf a, abut_vf b) {
    return vsubq_f32(a, b);
}

static inline abut_vf abut_vf_mul(abut_vf a, abut_vf b) {
    return vmulq_f32(a, b);
}

static inline abut_vf abut_vf_div(abut_vf a, abut_vf b) {
    return vdivq_f32(a, b);
}

static inline abut_vf abut_vf_sqrt(abut_vf a) {
    return vsqrtq_f32(a);
}

static inline abut_vf abut_vf_abs(abut_vf a) {
    return vabsq_f32(a);
}

static inline abut_vf abut_vf_neg(abut_vf a) {
    return vnegq_f32(a);
}

static inline abut_vf abut_vf_min(abut_vf a, abut_vf b) {
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

static inline abut_vf abut_vf_max(abut_vf a, abut_vf b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline abut_mf abut_vf_lt(abut_vf a, abut_vf b) {
    return vcltq_f32(a, b);
}

static inline abut_mf abut_vf_le(abut_vf a, abut_vf b) {
    return vcleq_f32(a, b);
}

static inline abut_mf abut_vf_eq(abut_vf a, abut_vf b) {
    return vceqq_f32(a, b);
}

static inline abut_mf abut_mf_and(abut_mf m, abut_mf n) {
    return vandq_u32(m, n);
}

static inline abut_mf abut_mf_or(abut_mf m, abut_mf n) {
    return vorrq_u32(m, n);
}

static inline abut_mf abut_mf_and_not(abut_mf m, abut_mf n) {
    return vbicq_u32(m, n);
}

static inline uint32_t abut_mf_bits(abut_mf m) {
    static const uint32_t lane[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(lane)));
}

static inline abut_vf abut_vf_select(abut_mf m, abut_vf a, abut_vf b) {
    return vbslq_f32(m, a, b);
}

static inline uint32_t abut_mf_count(abut_mf m) {
    return vaddvq_u32(vshrq_n_u32(m, 31));
}

static inline abut_mf abut_mf_first(uint32_t n) {
    static const uint32_t lane[4] = {0, 1, 2, 3};
    return vcltq_u32(vld1q_u32(lane), vdupq_n_u32(n));
}

/* Each pair is written at the place that the count gives, without a branch: the next one overwrites a pair that is not
 * in the mask. */
static inline uint32_t abut_lanes_pairs(uint32_t own, const uint32_t *ids, abut_mf m, uint32_t *out) {
    uint32x4_t others = vld1q_u32(ids), self = vdupq_n_u32(own);
    uint32x4x2_t pairs = vzipq_u32(vminq_u32(self, others), vmaxq_u32(self, others));
    uint32_t bits = abut_mf_bits(m), count = 0;
    for (int l = 0; l < 4; l++) {
        uint32x4_t two = pairs.val[l >> 1];
        vst1_u32(out + 2 * count, l & 1 ? vget_high_u32(two) : vget_low_u32(two));
        count += bits >> l & 1;
    }
    return count;
}

static inline abut_vd abut_vd_set(double x) {
    return vdupq_n_f64(x);
}

static inline abut_vd abut_vd_load(const double *p) {
    return vld1q_f64(p);
}

static inline void abut_vd_store(double *p, abut_vd v) {
    vst1q_f64(p, v);
}

static inline abut_vd abut_vd_add(abut_vd a, abut_vd b) {
    return vaddq_f64(a, b);
}

static inline abut_vd abut_vd_sub(abut_vd a, abut_vd b) {
    return vsubq_f64(a, b);
}

static inline abut_vd abut_vd_mul(abut_vd a, abut_vd b) {
    return vmulq_f64(a, b);
}

static inline abut_vd abut_vd_div(abut_vd a, abut_vd b) {
    return vdivq_f64(a, b);
}

static inline abut_vd abut_vd_sqrt(abut_vd a) {
    return vsqrtq_f64(a);
}

static inline abut_vd abut_vd_abs(abut_vd a) {
    return vabsq_f64(a);
}

static inline abut_vd abut_vd_neg(abut_vd a) {
    return vnegq_f64(a);
}

static inline abut_vd abut_vd_min(abut_vd a, abut_vd b) {
    return vbslq_f64(vcltq_f64(a, b), a, b);
}

static inline abut_vd abut_vd_max(abut_vd a, abut_vd b) {
    return vbslq_f64(vcgtq_f64(a, b), a, b);
}

static inline abut_md abut_vd_lt(abut_vd a, abut_vd b) {
    return vcltq_f64(a, b);
}

static inline abut_md abut_vd_le(abut_vd a, abut_vd b) {
    return vcleq_f64(a, b);
}

static inline abut_md abut_vd_eq(abut_vd a, abut_vd b) {
    return vceqq_f64(a, b);
}

static inline abut_md abut_md_and(abut_md m, abut_md n) {
    return vandq_u64(m, n);
}

static inline abut_md abut_md_or(abut_md m, abut_md n) {
    return vorrq_u64(m, n);
}

static inline abut_md abut_md_and_not(abut_md m, abut_md n) {
    return vbicq_u64(m, n);
}

static inline uint32_t abut_md_bits(abut_md m) {
    return (uint32_t)((vgetq_lane_u64(m, 0) & 1) | (vgetq_lane_u64(m, 1) & 2));
}

static inline abut_vd abut_vd_select(abut_md m, abut_vd a, abut_vd b) {
    return vbslq_f64(m, a, b);
}

/* The first four floats of record i; records are `stride` bytes apart. */
static inline float32x4_t abut_lanes_load_4_of_1(const void *p, size_t stride, uint32_t i) {
    return vld1q_f32((const float *)(const void *)((const char *)p + stride * i));
}

static inline void abut_vf_load4(const void *p, size_t stride, const uint32_t *i, abut_vf v[4]) {
    float32x4x2_t ab = vtrnq_f32(abut_lanes_load_4_of_1(p, stride, i[0]), abut_lanes_load_4_of_1(p, stride, i[1]));
    float32x4x2_t cd = vtrnq_f32(abut_lanes_load_4_of_1(p, stride, i[2]), abut_lanes_load_4_of_1(p, stride, i[3]));
    v[0] = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    v[1] = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    v[2] = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    v[3] = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}

static inline void abut_vd_load4(const void *p, size_t stride, const uint32_t *i, abut_vd v[4]) {
    float32x4x2_t ab = vzipq_f32(abut_lanes_load_4_of_1(p, stride, i[0]), abut_lanes_load_4_of_1(p, stride, i[1]));
    v[0] = vcvt_f64_f32(vget_low_f32(ab.val[0]));
    v[1] = vcvt_high_f64_f32(ab.val[0]);
    v[2] = vcvt_f64_f32(vget_low_f32(ab.val[1]));
    v[3] = vcvt_high_f64_f32(ab.val[1]);
}

static inline abut_vd abut_vd_load_floats(const float *p) {
    return vcvt_f64_f32(vld1_f32(p));
}

static inline abut_vd abut_vd_to_float(abut_vd v) {
    return vcvt_f64_f32(vcvt_f32_f64(v));
}

static inline void abut_vf_store_bytes(uint8_t *p, abut_vf v) {
    uint16x4_t words = vmovn_u32(vcvtq_u32_f32(v));
    uint32_t bytes = vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(words, words))), 0);
    memcpy(p, &bytes, sizeof bytes);
}

static inline float abut_vf_least(abut_vf v) {
    return vminvq_f32(v);
}

static inline double abut_vd_least(abut_vd v) {
    return vminvq_f64(v);
}

static inline void abut_lanes_done(void) {
}

#endif
