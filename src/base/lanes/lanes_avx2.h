/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* AVX2: eight floats, four doubles; see lanes.h. */
#ifndef ABUT_BASE_LANES_LANES_AVX2_H
#define ABUT_BASE_LANES_LANES_AVX2_H

#include <immintrin.h>

enum { ABUT_VF_LANES = 8, ABUT_VD_LANES = 4 };

typedef __m256 abut_vf;
typedef __m256d abut_vd;
typedef __m256 abut_mf;
typedef __m256d abut_md;

static inline abut_vf abut_vf_set(float x) {
    return _mm256_set1_ps(x);
}

static inline abut_vf abut_vf_load(const float *p) {
    return _mm256_loadu_ps(p);
}

static inline void abut_vf_store(float *p, abut_vf v) {
    _mm256_storeu_ps(p, v);
}

static inline abut_vf abut_vf_add(abut_vf a, abut_vf b) {
    return _mm256_add_ps(a, b);
}

static inline abut_vf abut_vf_sub(abut_vf a, abut_vf b) {
    return _mm256_sub_ps(a, b);
}

static inline abut_vf abut_vf_mul(abut_vf a, abut_vf b) {
    return _mm256_mul_ps(a, b);
}

static inline abut_vf abut_vf_div(abut_vf a, abut_vf b) {
    return _mm256_div_ps(a, b);
}

static inline abut_vf abut_vf_sqrt(abut_vf a) {
    return _mm256_sqrt_ps(a);
}

static inline abut_vf abut_vf_abs(abut_vf a) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

static inline abut_vf abut_vf_neg(abut_vf a) {
    return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f));
}

static inline abut_vf abut_vf_min(abut_vf a, abut_vf b) {
    return _mm256_min_ps(a, b);
}

static inline abut_vf abut_vf_max(abut_vf a, abut_vf b) {
    return _mm256_max_ps(a, b);
}

static inline abut_mf abut_vf_lt(abut_vf a, abut_vf b) {
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline abut_mf abut_vf_le(abut_vf a, abut_vf b) {
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}

static inline abut_mf abut_vf_eq(abut_vf a, abut_vf b) {
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}

static inline abut_mf abut_mf_and(abut_mf m, abut_mf n) {
    return _mm256_and_ps(m, n);
}

static inline abut_mf abut_mf_or(abut_mf m, abut_mf n) {
    return _mm256_or_ps(m, n);
}

static inline abut_mf abut_mf_and_not(abut_mf m, abut_mf n) {
    return _mm256_andnot_ps(n, m);
}

static inline uint32_t abut_mf_bits(abut_mf m) {
    return (uint32_t)_mm256_movemask_ps(m);
}

static inline abut_vf abut_vf_select(abut_mf m, abut_vf a, abut_vf b) {
    return _mm256_blendv_ps(b, a, m);
}

static inline uint32_t abut_mf_count(abut_mf m) {
    return (uint32_t)_mm_popcnt_u32(abut_mf_bits(m));
}

static inline abut_mf abut_mf_first(uint32_t n) {
    __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), lane));
}

/* Writes two pairs at the place that `count` gives, without a branch: the next pair overwrites one that is not in the
 * mask. Returns the new count. */
static inline uint32_t abut_lanes_two_pairs(__m128i pairs, uint32_t bits, uint32_t *out, uint32_t count) {
    _mm_storel_epi64((__m128i *)(void *)(out + 2 * count), pairs);
    count += bits & 1;
    _mm_storel_epi64((__m128i *)(void *)(out + 2 * count), _mm_unpackhi_epi64(pairs, pairs));
    return count + (bits >> 1 & 1);
}

static inline uint32_t abut_lanes_pairs(uint32_t own, const uint32_t *ids, abut_mf m, uint32_t *out) {
    __m256i others = _mm256_loadu_si256((const __m256i *)(const void *)ids), self = _mm256_set1_epi32((int)own);
    __m256i low = _mm256_min_epu32(self, others), high = _mm256_max_epu32(self, others);
    __m256i front = _mm256_unpacklo_epi32(low, high), back = _mm256_unpackhi_epi32(low, high); /* of each half */
    uint32_t bits = abut_mf_bits(m);
    uint32_t count = abut_lanes_two_pairs(_mm256_castsi256_si128(front), bits, out, 0);
    count = abut_lanes_two_pairs(_mm256_castsi256_si128(back), bits >> 2, out, count);
    count = abut_lanes_two_pairs(_mm256_extracti128_si256(front, 1), bits >> 4, out, count);
    return abut_lanes_two_pairs(_mm256_extracti128_si256(back, 1), bits >> 6, out, count);
}

static inline abut_vd abut_vd_set(double x) {
    return _mm256_set1_pd(x);
}

static inline abut_vd abut_vd_load(const double *p) {
    return _mm256_loadu_pd(p);
}

static inline void abut_vd_store(double *p, abut_vd v) {
    _mm256_storeu_pd(p, v);
}

static inline abut_vd abut_vd_add(abut_vd a, abut_vd b) {
    return _mm256_add_pd(a, b);
}

static inline abut_vd abut_vd_sub(abut_vd a, abut_vd b) {
    return _mm256_sub_pd(a, b);
}

static inline abut_vd abut_vd_mul(abut_vd a, abut_vd b) {
    return _mm256_mul_pd(a, b);
}

static inline abut_vd abut_vd_div(abut_vd a, abut_vd b) {
    return _mm256_div_pd(a, b);
}

static inline abut_vd abut_vd_sqrt(abut_vd a) {
    return _mm256_sqrt_pd(a);
}

static inline abut_vd abut_vd_abs(abut_vd a) {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

static inline abut_vd abut_vd_neg(abut_vd a) {
    return _mm256_xor_pd(a, _mm256_set1_pd(-0.0));
}

static inline abut_vd abut_vd_min(abut_vd a, abut_vd b) {
    return _mm256_min_pd(a, b);
}

static inline abut_vd abut_vd_max(abut_vd a, abut_vd b) {
    return _mm256_max_pd(a, b);
}

static inline abut_md abut_vd_lt(abut_vd a, abut_vd b) {
    return _mm256_cmp_pd(a, b, _CMP_LT_OQ);
}

static inline abut_md abut_vd_le(abut_vd a, abut_vd b) {
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
}

static inline abut_md abut_vd_eq(abut_vd a, abut_vd b) {
    return _mm256_cmp_pd(a, b, _CMP_EQ_OQ);
}

static inline abut_md abut_md_and(abut_md m, abut_md n) {
    return _mm256_and_pd(m, n);
}

static inline abut_md abut_md_or(abut_md m, abut_md n) {
    return _mm256_or_pd(m, n);
}

static inline abut_md abut_md_and_not(abut_md m, abut_md n) {
    return _mm256_andnot_pd(n, m);
}

static inline uint32_t abut_md_bits(abut_md m) {
    return (uint32_t)_mm256_movemask_pd(m);
}

/* Without blendv, for which gcc 12 compares every mask with zero once more. */
static inline abut_vd abut_vd_select(abut_md m, abut_vd a, abut_vd b) {
    return _mm256_or_pd(_mm256_and_pd(m, a), _mm256_andnot_pd(m, b));
}

/* The first four floats of record i; records are `stride` bytes apart. */
static inline __m128 abut_lanes_load_4_of_1(const void *p, size_t stride, uint32_t i) {
    return _mm_loadu_ps((const float *)(const void *)((const char *)p + stride * i));
}

/* Those of records i and j, one in each half of the register. */
static inline __m256 abut_lanes_load_4_of_2(const void *p, size_t stride, uint32_t i, uint32_t j) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(abut_lanes_load_4_of_1(p, stride, i)),
                                abut_lanes_load_4_of_1(p, stride, j), 1);
}

static inline void abut_vf_load4(const void *p, size_t stride, const uint32_t *i, abut_vf v[4]) {
    __m256 a = abut_lanes_load_4_of_2(p, stride, i[0], i[4]), b = abut_lanes_load_4_of_2(p, stride, i[1], i[5]);
    __m256 c = abut_lanes_load_4_of_2(p, stride, i[2], i[6]), d = abut_lanes_load_4_of_2(p, stride, i[3], i[7]);
    __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    v[0] = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
    v[1] = _mm256_shuffle_ps(ab_low, cd_low, 0xee);
    v[2] = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
    v[3] = _mm256_shuffle_ps(ab_high, cd_high, 0xee);
}

static inline void abut_vd_load4(const void *p, size_t stride, const uint32_t *i, abut_vd v[4]) {
    __m128 a = abut_lanes_load_4_of_1(p, stride, i[0]), b = abut_lanes_load_4_of_1(p, stride, i[1]);
    __m128 c = abut_lanes_load_4_of_1(p, stride, i[2]), d = abut_lanes_load_4_of_1(p, stride, i[3]);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    v[0] = _mm256_cvtps_pd(a);
    v[1] = _mm256_cvtps_pd(b);
    v[2] = _mm256_cvtps_pd(c);
    v[3] = _mm256_cvtps_pd(d);
}

static inline void abut_vd_load4_doubles(const double *p, abut_vd v[4]) {
    __m256d a = _mm256_loadu_pd(p), b = _mm256_loadu_pd(p + 4), c = _mm256_loadu_pd(p + 8), d = _mm256_loadu_pd(p + 12);
    __m256d ab_low = _mm256_unpacklo_pd(a, b), ab_high = _mm256_unpackhi_pd(a, b);
    __m256d cd_low = _mm256_unpacklo_pd(c, d), cd_high = _mm256_unpackhi_pd(c, d);
    v[0] = _mm256_permute2f128_pd(ab_low, cd_low, 0x20);
    v[1] = _mm256_permute2f128_pd(ab_high, cd_high, 0x20);
    v[2] = _mm256_permute2f128_pd(ab_low, cd_low, 0x31);
    v[3] = _mm256_permute2f128_pd(ab_high, cd_high, 0x31);
}

static inline void abut_vd_store4_doubles(double *p, size_t stride, const abut_vd v[4]) {
    __m256d ab_low = _mm256_unpacklo_pd(v[0], v[1]), ab_high = _mm256_unpackhi_pd(v[0], v[1]);
    __m256d cd_low = _mm256_unpacklo_pd(v[2], v[3]), cd_high = _mm256_unpackhi_pd(v[2], v[3]);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(ab_low, cd_low, 0x20));
    _mm256_storeu_pd(p + stride, _mm256_permute2f128_pd(ab_high, cd_high, 0x20));
    _mm256_storeu_pd(p + 2 * stride, _mm256_permute2f128_pd(ab_low, cd_low, 0x31));
    _mm256_storeu_pd(p + 3 * stride, _mm256_permute2f128_pd(ab_high, cd_high, 0x31));
}

static inline abut_vd abut_vd_load_floats(const float *p) {
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}

static inline abut_vd abut_vd_to_float(abut_vd v) {
    return _mm256_cvtps_pd(_mm256_cvtpd_ps(v));
}

static inline void abut_vf_store_bytes(uint8_t *p, abut_vf v) {
    __m256i i = _mm256_cvttps_epi32(v);
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(i), _mm256_extracti128_si256(i, 1));
    _mm_storel_epi64((__m128i *)(void *)p, _mm_packus_epi16(words, words));
}

static inline void abut_vd_store4(void *const *record, size_t offset, const abut_vd v[4]) {
    __m128 zero = _mm_setzero_ps(), column[4];
    for (int k = 0; k < 4; k++) {
        column[k] = _mm_add_ps(_mm256_cvtpd_ps(v[k]), zero);
    }
    _MM_TRANSPOSE4_PS(column[0], column[1], column[2], column[3]);
    for (int l = 0; l < 4; l++) {
        _mm_storeu_ps((float *)(void *)((char *)record[l] + offset), column[l]);
    }
}

static inline float abut_vf_least(abut_vf v) {
    __m128 w = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    w = _mm_min_ps(w, _mm_movehl_ps(w, w));
    return _mm_cvtss_f32(_mm_min_ss(w, _mm_shuffle_ps(w, w, 1)));
}

static inline double abut_vd_least(abut_vd v) {
    __m128d w = _mm_min_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_min_sd(w, _mm_unpackhi_pd(w, w)));
}

static inline void abut_lanes_done(void) {
    ABUT_CLEAR_WIDE();
}

#endif
