/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Portable: one lane, plain C; see lanes.h. */
#ifndef ABUT_BASE_LANES_LANES_PORTABLE_H
#define ABUT_BASE_LANES_LANES_PORTABLE_H

#include <math.h>
#include <string.h>

enum { ABUT_VF_LANES = 1, ABUT_VD_LANES = 1 };

typedef float abut_vf;
typedef double abut_vd;
typedef bool abut_mf;
typedef bool abut_md;

static inline abut_vf abut_vf_set(float x) {
    return x;
}

static inline abut_vf abut_vf_load(const float *p) {
    return *p;
}

static inline void abut_vf_store(float *p, abut_vf v) {
    *p = v;
}

static inline abut_vf abut_vf_add(abut_vf a, abut_vf b) {
    return a + b;
}

static inline abut_vf abut_vf_sub(abut_vf a, abut_vf b) {
    return a - b;
}

static inline abut_vf abut_vf_mul(abut_vf a, abut_vf b) {
    return a * b;
}

static inline abut_vf abut_vf_div(abut_vf a, abut_vf b) {
    return a / b;
}

static inline abut_vf abut_vf_sqrt(abut_vf a) {
    return sqrtf(a);
}

static inline abut_vf abut_vf_abs(abut_vf a) {
    return fabsf(a);
}

static inline abut_vf abut_vf_neg(abut_vf a) {
    return -a;
}

static inline abut_vf abut_vf_min(abut_vf a, abut_vf b) {
    return a < b ? a : b;
}

static inline abut_vf abut_vf_max(abut_vf a, abut_vf b) {
    return a > b ? a : b;
}

static inline abut_mf abut_vf_lt(abut_vf a, abut_vf b) {
    return a < b;
}

static inline abut_mf abut_vf_le(abut_vf a, abut_vf b) {
    return a <= b;
}

static inline abut_mf abut_vf_eq(abut_vf a, abut_vf b) {
    return a == b;
}

static inline abut_mf abut_mf_and(abut_mf m, abut_mf n) {
    return m && n;
}

static inline abut_mf abut_mf_or(abut_mf m, abut_mf n) {
    return m || n;
}

static inline abut_mf abut_mf_and_not(abut_mf m, abut_mf n) {
    return m && !n;
}

static inline uint32_t abut_mf_bits(abut_mf m) {
    return m;
}

static inline abut_vf abut_vf_select(abut_mf m, abut_vf a, abut_vf b) {
    return m ? a : b;
}

static inline uint32_t abut_mf_count(abut_mf m) {
    return m;
}

static inline abut_mf abut_mf_first(uint32_t n) {
    return n > 0;
}

static inline uint32_t abut_lanes_pairs(uint32_t own, const uint32_t *ids, abut_mf m, uint32_t *out) {
    out[0] = own < *ids ? own : *ids;
    out[1] = own < *ids ? *ids : own;
    return m;
}

static inline void abut_vf_store_bytes(uint8_t *p, abut_vf v) {
    *p = (uint8_t)v;
}

static inline float abut_vf_least(abut_vf v) {
    return v;
}

static inline abut_vd abut_vd_set(double x) {
    return x;
}

static inline abut_vd abut_vd_load(const double *p) {
    return *p;
}

static inline void abut_vd_store(double *p, abut_vd v) {
    *p = v;
}

static inline abut_vd abut_vd_add(abut_vd a, abut_vd b) {
    return a + b;
}

static inline abut_vd abut_vd_sub(abut_vd a, abut_vd b) {
    return a - b;
}

static inline abut_vd abut_vd_mul(abut_vd a, abut_vd b) {
    return a * b;
}

static inline abut_vd abut_vd_div(abut_vd a, abut_vd b) {
    return a / b;
}

static inline abut_vd abut_vd_sqrt(abut_vd a) {
    return sqrt(a);
}

static inline abut_vd abut_vd_abs(abut_vd a) {
    return fabs(a);
}

static inline abut_vd abut_vd_neg(abut_vd a) {
    return -a;
}

static inline abut_vd abut_vd_min(abut_vd a, abut_vd b) {
    return a < b ? a : b;
}

static inline abut_vd abut_vd_max(abut_vd a, abut_vd b) {
    return a > b ? a : b;
}

static inline abut_md abut_vd_lt(abut_vd a, abut_vd b) {
    return a < b;
}

static inline abut_md abut_vd_le(abut_vd a, abut_vd b) {
    return a <= b;
}

static inline abut_md abut_vd_eq(abut_vd a, abut_vd b) {
    return a == b;
}

static inline abut_md abut_md_and(abut_md m, abut_md n) {
    return m && n;
}

static inline abut_md abut_md_or(abut_md m, abut_md n) {
    return m || n;
}

static inline abut_md abut_md_and_not(abut_md m, abut_md n) {
    return m && !n;
}

static inline uint32_t abut_md_bits(abut_md m) {
    return m;
}

/* With bit operations instead of a branch, which no predictor guesses well. */
static inline abut_vd abut_vd_select(abut_md m, abut_vd a, abut_vd b) {
    uint64_t x, y, mask = 0 - (uint64_t)m;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = (x & mask) | (y & ~mask);
    memcpy(&a, &x, sizeof x);
    return a;
}

static inline double abut_vd_least(abut_vd v) {
    return v;
}

static inline void abut_vf_load4(const void *p, size_t stride, const uint32_t *i, abut_vf v[4]) {
    memcpy(v, (const char *)p + stride * i[0], 4 * sizeof *v);
}

static inline void abut_vd_load4(const void *p, size_t stride, const uint32_t *i, abut_vd v[4]) {
    float record[4];
    abut_vf_load4(p, stride, i, record);
    for (int k = 0; k < 4; k++) {
        v[k] = record[k];
    }
}

static inline abut_vd abut_vd_load_floats(const float *p) {
    return *p;
}

static inline abut_vd abut_vd_to_float(abut_vd v) {
    return (float)v;
}

static inline void abut_lanes_done(void) {
}

#endif
