/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* SSE2: four floats, two doubles; see lanes.h. */
#ifndef ABUT_BASE_LANES_LANES_SSE2_H
#define ABUT_BASE_LANES_LANES_SSE2_H

#include <emmintrin.h>
#include <string.h>

enum { ABUT_VF_LANES = 4, ABUT_VD_LANES = 2 };

typedef __m128 abut_vf;
typedef __m128d abut_vd;
typedef __m128 abut_mf;
typedef __m128d abut_md;

static inline abut_vf abut_vf_set(float x) {
    return _mm_set1_ps(x);
}

static inline abut_vf abut_vf_load(const float *p) {
    return _mm_loadu_ps(p);
}

static inline void abut_vf_store(float *p, abut_vf v) {
    _mm_storeu_ps(p, v);
}

static inline abut_vf abut_vf_add(abut_vf a, abut_vf b) {
    return _mm_add_ps(a, b);
}

static inline abut_vf abut_vf_sub(abut_vf a, abut_vf b) {
    return _mm_sub_ps(a, b);
}

static inline abut_vf abut_vf_mul(abut_vf a, abut_vf b) {
    return _mm_mul_ps(a, b);
}

static inline abut_vf abut_vf_div(abut_vf a, abut_vf b) {
    return _mm_div_ps(a, b);
}

static inline abut_vf abut_vf_sqrt(abut_vf a) {
    return _mm_sqrt_ps(a);
}

static inline abut_vf abut_vf_abs(abut_vf a) {
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

static inline abut_vf abut_vf_neg(abut_vf a) {
    return _mm_xor_ps(a, _mm_set1_ps(-0.0f));
}

static inline abut_vf abut_vf_min(abut_vf a, abut_vf b) {
    return _mm_min_ps(a, b);
}

static inline abut_vf abut_vf_max(abut_vf a, abut_vf b) {
    return _mm_max_ps(a, b);
}

static inline abut_mf abut_vf_lt(abut_vf a, abut_vf b) {
    return _mm_cmplt_ps(a, b);
}

static inline abut_mf abut_vf_le(abut_vf a, abut_vf b) {
    return _mm_cmple_ps(a, b);
}

static inline abut_mf abut_vf_eq(abut_vf a, abut_vf b) {
    return _mm_cmpeq_ps(a, b);
}

static inline abut_mf abut_mf_and(abut_mf m, abut_mf n) {
    return _mm_and_ps(m, n);
}

static inline abut_mf abut_mf_or(abut_mf m, abut_mf n) {
    return _mm_or_ps(m, n);
}

static inline abut_mf abut_mf_and_not(abut_mf m, abut_mf n) {
    return _mm_andnot_ps(n, m);
}

static inline uint32_t abut_mf_bits(abut_mf m) {
    return (uint32_t)_mm_movemask_ps(m);
}

static inline abut_vf abut_vf_select(abut_mf m, abut_vf a, abut_vf b) {
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}

static inline uint32_t abut_mf_count(abut_mf m) {
    uint32_t bits = abut_mf_bits(m), twos = (bits & 5) + (bits >> 1 & 5);
    return (twos & 3) + (twos >> 2);
}

static inline abut_mf abut_mf_first(uint32_t n) {
    return _mm_castsi128_ps(_mm_cmpgt_epi32(_mm_set1_epi32((int)n), _mm_setr_epi32(0, 1, 2, 3)));
}

/* Writes two pairs at the place that `count` gives, without a branch: the next pair overwrites one that is not in the
 * mask. Returns the new count. */
static inline uint32_t abut_lanes_two_pairs(__m128i pairs, uint32_t bits, uint32_t *out, uint32_t count) {
    _mm_storel_epi64((__m128i *)(void *)(out + 2 * count), pairs);
    count += bits & 1;
    _mm_storel_epi64((__m128i *)(void *)(out + 2 * count), _mm_unpackhi_epi64(pairs, pairs));
    return count + (bits >> 1 & 1);
}

/* SSE2 compares only signed numbers. */
static inline uint32_t abut_lanes_pairs(uint32_t own, const uint32_t *ids, abut_mf m, uint32_t *out) {
    __m128i others = _mm_loadu_si128((const __m128i *)(const void *)ids), self = _mm_set1_epi32((int)own);
    __m128i sign = _mm_set1_epi32((int)0x80000000u);
    __m128i less = _mm_cmplt_epi32(_mm_xor_si128(self, sign), _mm_xor_si128(others, sign));
    __m128i low = _mm_or_si128(_mm_and_si128(less, self), _mm_andnot_si128(less, others));
    __m128i high = _mm_or_si128(_mm_and_si128(less, others), _mm_andnot_si128(less, self));
    uint32_t bits = abut_mf_bits(m), count = abut_lanes_two_pairs(_mm_unpacklo_epi32(low, high), bits, out, 0);
    return abut_lanes_two_pairs(_mm_unpackhi_epi32(low, high), bits >> 2, out, count);
}

static inline abut_vd abut_vd_set(double x) {
    return _mm_set1_pd(x);
}

static inline abut_vd abut_vd_load(const double *p) {
    return _mm_loadu_pd(p);
}

static inline void abut_vd_store(double *p, abut_vd v) {
    _mm_storeu_pd(p, v);
}

static inline abut_vd abut_vd_add(abut_vd a, abut_vd b) {
    return _mm_add_pd(a, b);
}

static inline abut_vd abut_vd_sub(abut_vd a, abut_vd b) {
    return _mm_sub_pd(a, b);
}

static inline abut_vd abut_vd_mul(abut_vd a, abut_vd b) {
    return _mm_mul_pd(a, b);
}

static inline abut_vd abut_vd_div(abut_vd a, abut_vd b) {
    return _mm_div_pd(a, b);
}

static inline abut_vd abut_vd_sqrt(abut_vd a) {
    return _mm_sqrt_pd(a);
}

static inline abut_vd abut_vd_abs(abut_vd a) {
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}

static inline abut_vd abut_vd_neg(abut_vd a) {
    return _mm_xor_pd(a, _mm_set1_pd(-0.0));
}

static inline abut_vd abut_vd_min(abut_vd a, abut_vd b) {
    return _mm_min_pd(a, b);
}

static inline abut_vd abut_vd_max(abut_vd a, abut_vd b) {
    return _mm_max_pd(a, b);
}

static inline abut_md abut_vd_lt(abut_vd a, abut_vd b) {
    return _mm_cmplt_pd(a, b);
}

static inline abut_md abut_vd_le(abut_vd a, abut_vd b) {
    return _mm_cmple_pd(a, b);
}

static inline abut_md abut_vd_eq(abut_vd a, abut_vd b) {
    return _mm_cmpeq_pd(a, b);
}

static inline abut_md abut_md_and(abut_md m, abut_md n) {
    return _mm_and_pd(m, n);
}

static inline abut_md abut_md_or(abut_md m, abut_md n) {
    return _mm_or_pd(m, n);
}

static inline abut_md abut_md_and_not(abut_md m, abut_md n) {
    return _mm_andnot_pd(n, m);
}

static inline uint32_t abut_md_bits(abut_md m) {
    return (uint32_t)_mm_movemask_pd(m);
}

static inline abut_vd abut_vd_select(abut_md m, abut_vd a, abut_vd b) {
    return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b));
}

/* The first four floats of record i; records are `stride` bytes apart. */
static inline __m128 abut_lanes_load_4_of_1(const void *p, size_t stride, uint32_t i) {
    return _mm_loadu_ps((const float *)(const void *)((const char *)p + stride * i));
}

static inline void abut_vf_load4(const void *p, size_t stride, const uint32_t *i, abut_vf v[4]) {
    v[0] = abut_lanes_load_4_of_1(p, stride, i[0]);
    v[1] = abut_lanes_load_4_of_1(p, stride, i[1]);
    v[2] = abut_lanes_load_4_of_1(p, stride, i[2]);
    v[3] = abut_lanes_load_4_of_1(p, stride, i[3]);
    _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
}

static inline void abut_vd_load4(const void *p, size_t stride, const uint32_t *i, abut_vd v[4]) {
    __m128 a = abut_lanes_load_4_of_1(p, stride, i[0]), b = abut_lanes_load_4_of_1(p, stride, i[1]);
    __m128 low = _mm_unpacklo_ps(a, b), high = _mm_unpackhi_ps(a, b);
    v[0] = _mm_cvtps_pd(low);
    v[1] = _mm_cvtps_pd(_mm_movehl_ps(low, low));
    v[2] = _mm_cvtps_pd(high);
    v[3] = _mm_cvtps_pd(_mm_movehl_ps(high, high));
}

static inline abut_vd abut_vd_load_floats(const float *p) {
    double two; /* not by _mm_load_sd, which needs the alignment of a double with some compilers */
    memcpy(&two, p, sizeof two);
    return _mm_cvtps_pd(_mm_castpd_ps(_mm_set_sd(two)));
}

static inline abut_vd abut_vd_to_float(abut_vd v) {
    return _mm_cvtps_pd(_mm_cvtpd_ps(v));
}

static inline void abut_vf_store_bytes(uint8_t *p, abut_vf v) {
    __m128i words = _mm_packs_epi32(_mm_cvttps_epi32(v), _mm_setzero_si128());
    int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(p, &bytes, sizeof bytes);
}

static inline void abut_vd_store4(void *const *record, size_t offset, const abut_vd v[4]) {
    __m128 zero = _mm_setzero_ps();
    __m128 xy = _mm_unpacklo_ps(_mm_cvtpd_ps(v[0]), _mm_cvtpd_ps(v[1]));
    __m128 zw = _mm_unpacklo_ps(_mm_cvtpd_ps(v[2]), _mm_cvtpd_ps(v[3]));
    _mm_storeu_ps((float *)(void *)((char *)record[0] + offset), _mm_add_ps(_mm_movelh_ps(xy, zw), zero));
    _mm_storeu_ps((float *)(void *)((char *)record[1] + offset), _mm_add_ps(_mm_movehl_ps(zw, xy), zero));
}

static inline float abut_vf_least(abut_vf v) {
    v = _mm_min_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_min_ss(v, _mm_shuffle_ps(v, v, 1)));
}

static inline double abut_vd_least(abut_vd v) {
    return _mm_cvtsd_f64(_mm_min_sd(v, _mm_unpackhi_pd(v, v)));
}

static inline void abut_lanes_done(void) {
}

#endif
