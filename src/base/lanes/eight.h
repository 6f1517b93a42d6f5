/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Eight floats, whatever the width of a vector: what a node of the search tree holds of each kind. The functions mean
 * what those of abut_vf mean (lanes.h); min and max return the second operand where the first is NaN. */
#ifndef ABUT_BASE_LANES_EIGHT_H
#define ABUT_BASE_LANES_EIGHT_H

#include "base/lanes/lanes.h"

#if defined(ABUT_LANES_AVX512)

typedef struct abut_eight {
    __m256 v;
} abut_eight;

static ABUT_INLINE abut_eight abut_eight_set(float x) {
    return (abut_eight){_mm256_set1_ps(x)};
}

static ABUT_INLINE abut_eight abut_eight_load(const float *p) {
    return (abut_eight){_mm256_loadu_ps(p)};
}

static ABUT_INLINE void abut_eight_store(float *p, abut_eight a) {
    _mm256_storeu_ps(p, a.v);
}

static ABUT_INLINE uint32_t abut_eight_le(abut_eight a, abut_eight b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ));
}

static ABUT_INLINE uint32_t abut_eight_lt(abut_eight a, abut_eight b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ));
}

/* The lanes of a vector: the first eight, or fewer, from p on, the others from p + apart on. */
static ABUT_INLINE abut_vf abut_vf_load_eights(const float *p, size_t apart) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps(p + apart), 1);
}

static ABUT_INLINE abut_eight abut_eight_add(abut_eight a, abut_eight b) {
    return (abut_eight){_mm256_add_ps(a.v, b.v)};
}

static ABUT_INLINE abut_eight abut_eight_sub(abut_eight a, abut_eight b) {
    return (abut_eight){_mm256_sub_ps(a.v, b.v)};
}

static ABUT_INLINE abut_eight abut_eight_mul(abut_eight a, abut_eight b) {
    return (abut_eight){_mm256_mul_ps(a.v, b.v)};
}

static ABUT_INLINE abut_eight abut_eight_min(abut_eight a, abut_eight b) {
    return (abut_eight){_mm256_min_ps(a.v, b.v)};
}

static ABUT_INLINE abut_eight abut_eight_max(abut_eight a, abut_eight b) {
    return (abut_eight){_mm256_max_ps(a.v, b.v)};
}

#else

enum { ABUT_EIGHT_PARTS = 8 / (int)ABUT_VF_LANES };
typedef struct abut_eight {
    abut_vf v[ABUT_EIGHT_PARTS];
} abut_eight;

static ABUT_INLINE abut_eight abut_eight_set(float x) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_set(x);
    }
    return r;
}

static ABUT_INLINE abut_eight abut_eight_load(const float *p) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_load(p + k * (int)ABUT_VF_LANES);
    }
    return r;
}

static ABUT_INLINE void abut_eight_store(float *p, abut_eight a) {
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        abut_vf_store(p + k * (int)ABUT_VF_LANES, a.v[k]);
    }
}

static ABUT_INLINE uint32_t abut_eight_le(abut_eight a, abut_eight b) {
    uint32_t bits = 0;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        bits |= abut_mf_bits(abut_vf_le(a.v[k], b.v[k])) << k * (int)ABUT_VF_LANES;
    }
    return bits;
}

static ABUT_INLINE uint32_t abut_eight_lt(abut_eight a, abut_eight b) {
    uint32_t bits = 0;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        bits |= abut_mf_bits(abut_vf_lt(a.v[k], b.v[k])) << k * (int)ABUT_VF_LANES;
    }
    return bits;
}

static ABUT_INLINE abut_vf abut_vf_load_eights(const float *p, size_t apart) {
    (void)apart;
    return abut_vf_load(p);
}

static ABUT_INLINE abut_eight abut_eight_add(abut_eight a, abut_eight b) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_add(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_eight abut_eight_sub(abut_eight a, abut_eight b) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_sub(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_eight abut_eight_mul(abut_eight a, abut_eight b) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_mul(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_eight abut_eight_min(abut_eight a, abut_eight b) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_min(a.v[k], b.v[k]);
    }
    return r;
}

static ABUT_INLINE abut_eight abut_eight_max(abut_eight a, abut_eight b) {
    abut_eight r;
    for (int k = 0; k < ABUT_EIGHT_PARTS; k++) {
        r.v[k] = abut_vf_max(a.v[k], b.v[k]);
    }
    return r;
}

#endif

#endif
