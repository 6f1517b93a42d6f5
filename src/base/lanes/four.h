/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Four doubles, whatever the width of a vector: a leaf of a mesh's search tree has so many triangles. The functions
 * mean what those of abut_vd mean (lanes.h); comparisons give bit l for lane l. */
#ifndef ABUT_BASE_LANES_FOUR_H
#define ABUT_BASE_LANES_FOUR_H

#include "base/lanes/lanes.h"

#if defined(ABUT_LANES_AVX512)

typedef struct abut_four {
    __m256d v;
} abut_four;

static ABUT_INLINE abut_four abut_four_set(double x) {
    return (abut_four){_mm256_set1_pd(x)};
}

static ABUT_INLINE abut_four abut_four_load_floats(const float *p) {
    return (abut_four){_mm256_cvtps_pd(_mm_loadu_ps(p))};
}

static ABUT_INLINE void abut_four_store(double *p, abut_four a) {
    _mm256_storeu_pd(p, a.v);
}

static ABUT_INLINE abut_four abut_four_add(abut_four a, abut_four b) {
    return (abut_four){_mm256_add_pd(a.v, b.v)};
}

static ABUT_INLINE abut_four abut_four_sub(abut_four a, abut_four b) {
    return (abut_four){_mm256_sub_pd(a.v, b.v)};
}

static ABUT_INLINE abut_four abut_four_mul(abut_four a, abut_four b) {
    return (abut_four){_mm256_mul_pd(a.v, b.v)};
}

static ABUT_INLINE abut_four abut_four_div(abut_four a, abut_four b) {
    return (abut_four){_mm256_div_pd(a.v, b.v)};
}

static ABUT_INLINE abut_four abut_four_min(abut_four a, abut_four b) {
    return (abut_four){_mm256_min_pd(a.v, b.v)};
}

static ABUT_INLINE abut_four abut_four_max(abut_four a, abut_four b) {
    return (abut_four){_mm256_max_pd(a.v, b.v)};
}

static ABUT_INLINE abut_four abut_four_abs(abut_four a) {
    return (abut_four){_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)};
}

static ABUT_INLINE uint32_t abut_four_lt(abut_four a, abut_four b) {
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ));
}

static ABUT_INLINE uint32_t abut_four_le(abut_four a, abut_four b) {
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ));
}

#else

enum { ABUT_FOUR_PARTS = 4 / (int)ABUT_VD_LANES };
typedef struct abut_four {
    abut_vd v[ABUT_FOUR_PARTS];
} abut_four;

static ABUT_INLINE abut_four abut_four_set(double x) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_set(x);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_load_floats(const float *p) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_load_floats(p + k * (int)ABUT_VD_LANES);
    }
    return r;
}

static ABUT_INLINE void abut_four_store(double *p, abut_four a) {
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        abut_vd_store(p + k * (int)ABUT_VD_LANES, a.v[k]);
    }
}

static ABUT_INLINE abut_four abut_four_add(abut_four a, abut_four b) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_add(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_sub(abut_four a, abut_four b) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_sub(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_mul(abut_four a, abut_four b) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_mul(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_div(abut_four a, abut_four b) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_div(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_min(abut_four a, abut_four b) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_min(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_max(abut_four a, abut_four b) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_max(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_four abut_four_abs(abut_four a) {
    abut_four r;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        r.v[k] = abut_vd_abs(a.v[k]);
    }
    return r;
}

static ABUT_INLINE uint32_t abut_four_lt(abut_four a, abut_four b) {
    uint32_t bits = 0;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        bits |= abut_md_bits(abut_vd_lt(a.v[k], b.v[k])) << k * (int)ABUT_VD_LANES;
    }
    return bits;
}

static ABUT_INLINE uint32_t abut_four_le(abut_four a, abut_four b) {
    uint32_t bits = 0;
    for (int k = 0; k < ABUT_FOUR_PARTS; k++) {
        bits |= abut_md_bits(abut_vd_le(a.v[k], b.v[k])) << k * (int)ABUT_VD_LANES;
    }
    return bits;
}

#endif

#endif
