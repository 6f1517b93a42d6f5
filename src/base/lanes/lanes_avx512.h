/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* AVX-512 (F, DQ): sixteen floats, eight doubles; see lanes.h. */
#ifndef ABUT_BASE_LANES_LANES_AVX512_H
#define ABUT_BASE_LANES_LANES_AVX512_H

#include <immintrin.h>

enum { ABUT_VF_LANES = 16, ABUT_VD_LANES = 8 };

typedef __m512 abut_vf;
typedef __m512d abut_vd;
typedef __mmask16 abut_mf;
typedef __mmask8 abut_md;

static inline abut_vf abut_vf_set(float x) {
    return _mm512_set1_ps(x);
}

static inline abut_vf abut_vf_load(const float *p) {
    return _mm512_loadu_ps(p);
}

static inline void abut_vf_store(float *p, abut_vf v) {
    _mm512_storeu_ps(p, v);
}

static inline abut_vf abut_vf_add(abut_vf a, abut_vf b) {
    return _mm512_add_ps(a, b);
}

static inline abut_vf abut_vf_sub(abut_vf a, abut_vf b) {
    return _mm512_sub_ps(a, b);
}

static inline abut_vf abut_vf_mul(abut_vf a, abut_vf b) {
    return _mm512_mul_ps(a, b);
}

static inline abut_vf abut_vf_div(abut_vf a, abut_vf b) {
    return _mm512_div_ps(a, b);
}

static inline abut_vf abut_vf_sqrt(abut_vf a) {
    return _mm512_sqrt_ps(a);
}

static inline abut_vf abut_vf_abs(abut_vf a) {
    return _mm512_abs_ps(a);
}

static inline abut_vf abut_vf_neg(abut_vf a) {
    return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f));
}

static inline abut_vf abut_vf_min(abut_vf a, abut_vf b) {
    return _mm512_min_ps(a, b);
}

static inline abut_vf abut_vf_max(abut_vf a, abut_vf b) {
    return _mm512_max_ps(a, b);
}

static inline abut_mf abut_vf_lt(abut_vf a, abut_vf b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline abut_mf abut_vf_le(abut_vf a, abut_vf b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}

static inline abut_mf abut_vf_eq(abut_vf a, abut_vf b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline abut_mf abut_mf_and(abut_mf m, abut_mf n) {
    return (__mmask16)(m & n);
}

static inline abut_mf abut_mf_or(abut_mf m, abut_mf n) {
    return (__mmask16)(m | n);
}

static inline abut_mf abut_mf_and_not(abut_mf m, abut_mf n) {
    return (__mmask16)(m & ~n);
}

static inline uint32_t abut_mf_bits(abut_mf m) {
    return m;
}

static inline abut_vf abut_vf_select(abut_mf m, abut_vf a, abut_vf b) {
    return _mm512_mask_blend_ps(m, b, a);
}

static inline uint32_t abut_mf_count(abut_mf m) {
    return (uint32_t)_mm_popcnt_u32(m);
}

static inline abut_mf abut_mf_first(uint32_t n) {
    return (__mmask16)((1u << n) - 1);
}

static inline uint32_t abut_lanes_pairs(uint32_t own, const uint32_t *ids, abut_mf m, uint32_t *out) {
    const __m512i front = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i back = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    /* Compresses in a register: compressing to memory is slow on some processors. */
    __m512i others = _mm512_maskz_compress_epi32(m, _mm512_loadu_si512(ids)), self = _mm512_set1_epi32((int)own);
    __m512i low = _mm512_min_epu32(self, others), high = _mm512_max_epu32(self, others);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(low, front, high));
    _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32(low, back, high));
    return abut_mf_count(m);
}

static inline uint32_t abut_lanes_pack(uint32_t first, abut_mf m, uint32_t *out) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i numbers = _mm512_add_epi32(_mm512_set1_epi32((int)first), lane);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(m, numbers));
    return abut_mf_count(m);
}

static inline abut_vd abut_vd_set(double x) {
    return _mm512_set1_pd(x);
}

static inline abut_vd abut_vd_load(const double *p) {
    return _mm512_loadu_pd(p);
}

static inline void abut_vd_store(double *p, abut_vd v) {
    _mm512_storeu_pd(p, v);
}

static inline abut_vd abut_vd_add(abut_vd a, abut_vd b) {
    return _mm512_add_pd(a, b);
}

static inline abut_vd abut_vd_sub(abut_vd a, abut_vd b) {
    return _mm512_sub_pd(a, b);
}

static inline abut_vd abut_vd_mul(abut_vd a, abut_vd b) {
    return _mm512_mul_pd(a, b);
}

static inline abut_vd abut_vd_div(abut_vd a, abut_vd b) {
    return _mm512_div_pd(a, b);
}

static inline abut_vd abut_vd_sqrt(abut_vd a) {
    return _mm512_sqrt_pd(a);
}

static inline abut_vd abut_vd_abs(abut_vd a) {
    return _mm512_abs_pd(a);
}

static inline abut_vd abut_vd_neg(abut_vd a) {
    return _mm512_xor_pd(a, _mm512_set1_pd(-0.0));
}

static inline abut_vd abut_vd_min(abut_vd a, abut_vd b) {
    return _mm512_min_pd(a, b);
}

static inline abut_vd abut_vd_max(abut_vd a, abut_vd b) {
    return _mm512_max_pd(a, b);
}

static inline abut_md abut_vd_lt(abut_vd a, abut_vd b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}

static inline abut_md abut_vd_le(abut_vd a, abut_vd b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}

static inline abut_md abut_vd_eq(abut_vd a, abut_vd b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}

static inline abut_md abut_md_and(abut_md m, abut_md n) {
    return _kand_mask8(m, n);
}

static inline abut_md abut_md_or(abut_md m, abut_md n) {
    return _kor_mask8(m, n);
}

static inline abut_md abut_md_and_not(abut_md m, abut_md n) {
    return _kandn_mask8(n, m);
}

static inline uint32_t abut_md_bits(abut_md m) {
    return m;
}

static inline abut_vd abut_vd_select(abut_md m, abut_vd a, abut_vd b) {
    return _mm512_mask_blend_pd(m, b, a);
}

static inline abut_vd abut_vd_add_where(abut_md m, abut_vd a, abut_vd b) {
    return _mm512_mask_add_pd(a, m, a, b);
}

/* The first four floats of record i; records are `stride` bytes apart. */
static inline __m128 abut_lanes_load_4_of_1(const void *p, size_t stride, uint32_t i) {
    return _mm_loadu_ps((const float *)(const void *)((const char *)p + stride * i));
}

/* Those of records a, b, c and d, one in each quarter of the register. */
static inline __m512 abut_lanes_load_4_of_4(const void *p, size_t stride, uint32_t a, uint32_t b, uint32_t c,
                                            uint32_t d) {
    __m512 v = _mm512_castps128_ps512(abut_lanes_load_4_of_1(p, stride, a));
    v = _mm512_insertf32x4(v, abut_lanes_load_4_of_1(p, stride, b), 1);
    v = _mm512_insertf32x4(v, abut_lanes_load_4_of_1(p, stride, c), 2);
    return _mm512_insertf32x4(v, abut_lanes_load_4_of_1(p, stride, d), 3);
}

static inline void abut_vf_load4(const void *p, size_t stride, const uint32_t *i, abut_vf v[4]) {
    __m512 a = abut_lanes_load_4_of_4(p, stride, i[0], i[4], i[8], i[12]);
    __m512 b = abut_lanes_load_4_of_4(p, stride, i[1], i[5], i[9], i[13]);
    __m512 c = abut_lanes_load_4_of_4(p, stride, i[2], i[6], i[10], i[14]);
    __m512 d = abut_lanes_load_4_of_4(p, stride, i[3], i[7], i[11], i[15]);
    __m512 ab_low = _mm512_unpacklo_ps(a, b), ab_high = _mm512_unpackhi_ps(a, b);
    __m512 cd_low = _mm512_unpacklo_ps(c, d), cd_high = _mm512_unpackhi_ps(c, d);
    v[0] = _mm512_shuffle_ps(ab_low, cd_low, 0x44);
    v[1] = _mm512_shuffle_ps(ab_low, cd_low, 0xee);
    v[2] = _mm512_shuffle_ps(ab_high, cd_high, 0x44);
    v[3] = _mm512_shuffle_ps(ab_high, cd_high, 0xee);
}

/* One column of four records in each quarter of the register, from the interleaved records a, b and c, d: the first of
 * their two columns, or the second (`high`). */
static inline __m512 abut_lanes_column(__m512 ab, __m512 cd, bool high) {
    return high ? _mm512_shuffle_ps(ab, cd, 0xee) : _mm512_shuffle_ps(ab, cd, 0x44);
}

/* The first eight floats of two records, one in each half of the register. */
static inline __m512 abut_lanes_load_8_of_2(const char *low, const char *high) {
    __m512 v = _mm512_castps256_ps512(_mm256_loadu_ps((const float *)(const void *)low));
    return _mm512_insertf32x8(v, _mm256_loadu_ps((const float *)(const void *)high), 1);
}

/* Transposes record by record, so that at most four addresses are live at once. */
static inline void abut_vf_load10(const void *p, size_t stride, const uint32_t *i, abut_vf v[10]) {
    __m512 low[4], high[4], end[4]; /* floats 0..7 of records r, r + 4 | r + 8, r + 12; floats 6..9 of all four */
    for (int r = 0; r < 4; r++) {
        const char *record0 = (const char *)p + stride * i[r], *record1 = (const char *)p + stride * i[r + 4];
        const char *record2 = (const char *)p + stride * i[r + 8], *record3 = (const char *)p + stride * i[r + 12];
        low[r] = abut_lanes_load_8_of_2(record0, record1);
        high[r] = abut_lanes_load_8_of_2(record2, record3);
        __m512 e = _mm512_castps128_ps512(_mm_loadu_ps((const float *)(const void *)(record0 + 24)));
        e = _mm512_insertf32x4(e, _mm_loadu_ps((const float *)(const void *)(record1 + 24)), 1);
        e = _mm512_insertf32x4(e, _mm_loadu_ps((const float *)(const void *)(record2 + 24)), 2);
        end[r] = _mm512_insertf32x4(e, _mm_loadu_ps((const float *)(const void *)(record3 + 24)), 3);
    }
    __m512 low_ab = _mm512_unpacklo_ps(low[0], low[1]), low_cd = _mm512_unpacklo_ps(low[2], low[3]);
    __m512 high_ab = _mm512_unpacklo_ps(high[0], high[1]), high_cd = _mm512_unpacklo_ps(high[2], high[3]);
    for (int k = 0; k < 4; k++) {
        if (k == 2) {
            low_ab = _mm512_unpackhi_ps(low[0], low[1]), low_cd = _mm512_unpackhi_ps(low[2], low[3]);
            high_ab = _mm512_unpackhi_ps(high[0], high[1]), high_cd = _mm512_unpackhi_ps(high[2], high[3]);
        }
        __m512 x = abut_lanes_column(low_ab, low_cd, k & 1), y = abut_lanes_column(high_ab, high_cd, k & 1);
        v[k] = _mm512_shuffle_f32x4(x, y, 0x88);
        v[k + 4] = _mm512_shuffle_f32x4(x, y, 0xdd);
    }
    __m512 end_ab = _mm512_unpackhi_ps(end[0], end[1]), end_cd = _mm512_unpackhi_ps(end[2], end[3]);
    v[8] = abut_lanes_column(end_ab, end_cd, false);
    v[9] = abut_lanes_column(end_ab, end_cd, true);
}

/* Those of records a and b, one in each half. */
static inline __m256 abut_lanes_load_4_of_2(const void *p, size_t stride, uint32_t a, uint32_t b) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(abut_lanes_load_4_of_1(p, stride, a)),
                                abut_lanes_load_4_of_1(p, stride, b), 1);
}

static inline void abut_vd_load4(const void *p, size_t stride, const uint32_t *i, abut_vd v[4]) {
    __m256 a = abut_lanes_load_4_of_2(p, stride, i[0], i[4]), b = abut_lanes_load_4_of_2(p, stride, i[1], i[5]);
    __m256 c = abut_lanes_load_4_of_2(p, stride, i[2], i[6]), d = abut_lanes_load_4_of_2(p, stride, i[3], i[7]);
    __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    v[0] = _mm512_cvtps_pd(_mm256_shuffle_ps(ab_low, cd_low, 0x44));
    v[1] = _mm512_cvtps_pd(_mm256_shuffle_ps(ab_low, cd_low, 0xee));
    v[2] = _mm512_cvtps_pd(_mm256_shuffle_ps(ab_high, cd_high, 0x44));
    v[3] = _mm512_cvtps_pd(_mm256_shuffle_ps(ab_high, cd_high, 0xee));
}

static inline void abut_vd_load4_doubles(const double *p, abut_vd v[4]) {
    const __m512i front = _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13),
                  back = _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15);
    __m512d a = _mm512_loadu_pd(p), b = _mm512_loadu_pd(p + 8), c = _mm512_loadu_pd(p + 16),
            d = _mm512_loadu_pd(p + 24);
    __m512d ab_low = _mm512_unpacklo_pd(a, b), ab_high = _mm512_unpackhi_pd(a, b);
    __m512d cd_low = _mm512_unpacklo_pd(c, d), cd_high = _mm512_unpackhi_pd(c, d);
    v[0] = _mm512_permutex2var_pd(ab_low, front, cd_low);
    v[1] = _mm512_permutex2var_pd(ab_high, front, cd_high);
    v[2] = _mm512_permutex2var_pd(ab_low, back, cd_low);
    v[3] = _mm512_permutex2var_pd(ab_high, back, cd_high);
}

static inline void abut_vd_store4_doubles(double *p, size_t stride, const abut_vd v[4]) {
    /* Four numbers of one record, beside those of the record two lanes on. */
    const __m512i front = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  back = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d ab_low = _mm512_unpacklo_pd(v[0], v[1]), ab_high = _mm512_unpackhi_pd(v[0], v[1]);
    __m512d cd_low = _mm512_unpacklo_pd(v[2], v[3]), cd_high = _mm512_unpackhi_pd(v[2], v[3]);
    const __m512d pair[4] = {
        _mm512_permutex2var_pd(ab_low, front, cd_low), _mm512_permutex2var_pd(ab_high, front, cd_high),
        _mm512_permutex2var_pd(ab_low, back, cd_low), _mm512_permutex2var_pd(ab_high, back, cd_high)};
    for (size_t k = 0; k < 4; k++) {
        double *to = p + stride * (k % 2 + 4 * (k / 2));
        _mm256_storeu_pd(to, _mm512_castpd512_pd256(pair[k]));
        _mm256_storeu_pd(to + 2 * stride, _mm512_extractf64x4_pd(pair[k], 1));
    }
}

static inline abut_vd abut_vd_load_floats(const float *p) {
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}

static inline abut_vd abut_vd_to_float(abut_vd v) {
    return _mm512_cvtps_pd(_mm512_cvtpd_ps(v));
}

static inline abut_vd abut_vd_to_float_below(abut_vd v) {
    return _mm512_cvtps_pd(_mm512_cvt_roundpd_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}

static inline void abut_vf_store_bytes(uint8_t *p, abut_vf v) {
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(v)));
}

static inline void abut_vd_store4(void *const *record, size_t offset, const abut_vd v[4]) {
    __m256 zero = _mm256_setzero_ps(), out[4];
    __m256 x = _mm256_add_ps(_mm512_cvtpd_ps(v[0]), zero), y = _mm256_add_ps(_mm512_cvtpd_ps(v[1]), zero);
    __m256 z = _mm256_add_ps(_mm512_cvtpd_ps(v[2]), zero), w = _mm256_add_ps(_mm512_cvtpd_ps(v[3]), zero);
    __m256 xy_low = _mm256_unpacklo_ps(x, y), xy_high = _mm256_unpackhi_ps(x, y);
    __m256 zw_low = _mm256_unpacklo_ps(z, w), zw_high = _mm256_unpackhi_ps(z, w);
    out[0] = _mm256_shuffle_ps(xy_low, zw_low, 0x44);
    out[1] = _mm256_shuffle_ps(xy_low, zw_low, 0xee);
    out[2] = _mm256_shuffle_ps(xy_high, zw_high, 0x44);
    out[3] = _mm256_shuffle_ps(xy_high, zw_high, 0xee);
    for (int l = 0; l < 4; l++) {
        _mm_storeu_ps((float *)(void *)((char *)record[l] + offset), _mm256_castps256_ps128(out[l]));
        _mm_storeu_ps((float *)(void *)((char *)record[l + 4] + offset), _mm256_extractf128_ps(out[l], 1));
    }
}

static inline float abut_vf_least(abut_vf v) {
    return _mm512_reduce_min_ps(v);
}

static inline double abut_vd_least(abut_vd v) {
    return _mm512_reduce_min_pd(v);
}

static inline void abut_lanes_done(void) {
    ABUT_CLEAR_WIDE();
}

#endif
