/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* SIMD vectors of floats and of doubles; a lane is one element. A kernel is written once on these types and compiled
 * once for each instruction set, which the build names by one ABUT_LANES_<ISA> macro. Without that macro it is compiled
 * for the portable set: plain C, one lane wide. All other sets must return its bits, and they do, because each
 * operation is the IEEE operation in every lane. A kernel alone chooses the order in which it combines lanes, so across
 * lanes it may use only operations whose result does not depend on order (min and max without zeros of both signs, any,
 * all).
 *
 * Only the lanes_<isa>.h headers name intrinsics. Every set has the types
 *
 *     abut_vf, abut_vd    ABUT_VF_LANES floats, ABUT_VD_LANES doubles
 *     abut_mf, abut_md    masks: one truth value for each of those lanes
 *
 * and these functions (the same for vd and md; a comparison with NaN is false):
 *
 *     abut_vf_set(x)                  x in every lane
 *     abut_vf_load(p)                 p[0 .. lanes - 1]; p needs no alignment
 *     abut_vf_store(p, v)
 *     abut_vf_load4(p, stride, i, v)  a transpose: lane l of v[k] is float k of the record at byte stride * i[l] of p
 *     abut_vf_load10(p, stride, i, v) the same for ten floats, such as an oriented box
 *     abut_vd_load4 load10            the same floats, converted to doubles
 *     abut_vd_load4_doubles(p, v)     lane l of v[k] is p[4 l + k]: a transpose of as many records as there are lanes
 *     abut_vd_store4_doubles(p, stride, v)
 *                                     p[stride l + k] becomes lane l of v[k], k < 4
 *     abut_vd_load_floats(p)          p[0 .. lanes - 1], converted to doubles
 *     abut_vd_store4(record, offset, v)
 *                                     float k at byte record[l] + offset becomes lane l of v[k], with +0 for -0
 *     abut_vd_to_float(v)             the nearest float to each (not for vf)
 *     abut_vd_to_float_below(v)       the largest float <= each (not for vf)
 *     abut_vf_store_bytes(p, v)       p[l] becomes lane l, a whole number in 0 .. 255 (not for vd)
 *     abut_vf_add sub mul div sqrt abs neg
 *     abut_vf_min max(a, b)           a < b ? a : b, a > b ? a : b
 *     abut_vf_lt le eq(a, b)          -> abut_mf
 *     abut_mf_and or(m, n)  abut_mf_and_not(m, n): m and not n
 *     abut_mf_bits(m)                 bit l: lane l
 *     abut_mf_count(m)                the number of lanes set (not for md)
 *     abut_mf_first(n)                the first n lanes, n in 0 .. lanes (not for md)
 *     abut_vf_select(m, a, b)         m ? a : b
 *     abut_vf_least(v)                the least lane (v has no NaN, and not zeros of both signs)
 *     abut_vd_add_where(m, a, b)      m ? a + b : a; a is not -0 (not for vf)
 *     abut_lanes_pairs(own, ids, m, out)
 *                                     for every lane l of m, in order, writes the pair {lesser, greater} of own and
 *                                     ids[l]; returns the number of pairs. Reads ids[0 .. lanes - 1] and may write as
 *                                     many pairs as there are lanes, whatever m is; neither needs alignment
 *     abut_lanes_pack(first, m, out)  writes first + l for every lane l of m, in order; returns their number. May write
 *                                     as many numbers as there are lanes, whatever m is
 *     abut_lanes_done()               every kernel ends with this call: it clears the upper halves of wide registers,
 * which would make the narrow code that follows some 200 ns slower (compilers leave it out on some paths)
 */
#ifndef ABUT_BASE_LANES_LANES_H
#define ABUT_BASE_LANES_LANES_H

#include "base/compiler.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(ABUT_LANES_AVX512)
#  include "base/lanes/lanes_avx512.h"
#elif defined(ABUT_LANES_AVX2)
#  include "base/lanes/lanes_avx2.h"
#elif defined(ABUT_LANES_SSE2)
#  include "base/lanes/lanes_sse2.h"
#elif defined(ABUT_LANES_NEON)
#  include "base/lanes/lanes_neon.h"
#elif defined(ABUT_LANES_WASM)
#  include "base/lanes/lanes_wasm.h"
#else
#  include "base/lanes/lanes_portable.h"
#endif

#if !defined(ABUT_LANES_AVX512)
static inline void abut_vf_load10(const void *p, size_t stride, const uint32_t *i, abut_vf v[10]) {
    abut_vf end[4];
    abut_vf_load4(p, stride, i, v);
    abut_vf_load4((const float *)p + 4, stride, i, v + 4);
    abut_vf_load4((const float *)p + 6, stride, i, end);
    v[8] = end[2];
    v[9] = end[3];
}
#endif

static inline void abut_vd_load10(const void *p, size_t stride, const uint32_t *i, abut_vd v[10]) {
    abut_vd end[4];
    abut_vd_load4(p, stride, i, v);
    abut_vd_load4((const float *)p + 4, stride, i, v + 4);
    abut_vd_load4((const float *)p + 6, stride, i, end);
    v[8] = end[2];
    v[9] = end[3];
}

#if !defined(ABUT_LANES_AVX512) && !defined(ABUT_LANES_AVX2)
static inline void abut_vd_load4_doubles(const double *p, abut_vd v[4]) {
    for (int k = 0; k < 4; k++) {
        double column[ABUT_VD_LANES];
        for (int l = 0; l < ABUT_VD_LANES; l++) {
            column[l] = p[4 * l + k];
        }
        v[k] = abut_vd_load(column);
    }
}

static inline void abut_vd_store4_doubles(double *p, size_t stride, const abut_vd v[4]) {
    for (int k = 0; k < 4; k++) {
        double column[ABUT_VD_LANES];
        abut_vd_store(column, v[k]);
        for (size_t l = 0; l < ABUT_VD_LANES; l++) {
            p[stride * l + (size_t)k] = column[l];
        }
    }
}
#endif

#if !defined(ABUT_LANES_AVX512)
static inline abut_vd abut_vd_add_where(abut_md m, abut_vd a, abut_vd b) {
    return abut_vd_add(a, abut_vd_select(m, b, abut_vd_set(0)));
}

static inline uint32_t abut_lanes_pack(uint32_t first, abut_mf m, uint32_t *out) {
    uint32_t bits = abut_mf_bits(m), count = 0;
    for (uint32_t l = 0; bits != 0 && l < ABUT_VF_LANES; l++) {
        out[count] = first + l;
        count += bits >> l & 1;
    }
    return count;
}
#endif

/* The distance from a float f with |f| > 2^-149 to the next one differs from 1.25 * 2^-24 |f| by less than half of that
 * distance; between denormals it is 2^-149. So f less this step rounds to the next float. */
#if !defined(ABUT_LANES_AVX512)
static inline abut_vd abut_vd_to_float_below(abut_vd v) {
    abut_vd nearest = abut_vd_to_float(abut_vd_min(v, abut_vd_set(FLT_MAX)));
    abut_vd step = abut_vd_max(abut_vd_mul(abut_vd_abs(nearest), abut_vd_set(1.25 * 0x1p-24)), abut_vd_set(0x1p-149));
    abut_md above = abut_vd_lt(v, nearest);
    return abut_vd_to_float(abut_vd_sub(nearest, abut_vd_select(above, step, abut_vd_set(0))));
}
#endif

#if !defined(ABUT_LANES_AVX512) && !defined(ABUT_LANES_AVX2) && !defined(ABUT_LANES_SSE2)
static inline void abut_vd_store4(void *const *record, size_t offset, const abut_vd v[4]) {
    double column[4][ABUT_VD_LANES];
    for (int k = 0; k < 4; k++) {
        abut_vd_store(column[k], v[k]);
    }
    for (int l = 0; l < ABUT_VD_LANES; l++) {
        const float out[4] = {(float)column[0][l] + 0.0f, (float)column[1][l] + 0.0f, (float)column[2][l] + 0.0f,
                              (float)column[3][l] + 0.0f};
        memcpy((char *)record[l] + offset, out, sizeof out);
    }
}
#endif

#endif
