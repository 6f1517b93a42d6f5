/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Lanes: as many floats or doubles as one register holds, with the same operation done to each. A kernel is written
 * once on these types and compiled once for each instruction set, which the build names by one ABUT_LANES_... macro;
 * without any it is the portable set, one lane wide, which is the plain C version that all others must equal bit for
 * bit. That they do follows from each operation being the IEEE one, lane by lane; only the order in which lanes are put
 * together is left to a kernel, which may therefore use only operations for which order does not matter across lanes
 * (min, max without zeros of both signs, any, all).
 *
 * This header and the lanes_*.h it picks from are the only ones that name intrinsics. All sets have the types
 *
 *     abut_vf, abut_vd    ABUT_VF_LANES floats, ABUT_VD_LANES doubles
 *     abut_mf, abut_md    as many truth values
 *
 * and these functions (for vd and md likewise; a comparison with NaN is false):
 *
 *     abut_vf_set(x)                  x in every lane
 *     abut_vf_load(p)                 from p[0 .. lanes - 1]; p needs no alignment
 *     abut_vf_store(p, v)
 *     abut_vf_load4(p, stride, i, v)  lane l of v[k] is the float k beyond byte stride * i[l] from p: rows to columns
 *     abut_vd_load4(p, stride, i, v)  the same floats, as doubles
 *     abut_vd_load_floats(p)          p[0 .. lanes - 1], as doubles
 *     abut_vf_add sub mul div sqrt abs neg
 *     abut_vf_min max(a, b)           a < b ? a : b, a > b ? a : b
 *     abut_vf_lt le eq(a, b)          -> abut_mf
 *     abut_mf_and or(m, n)  abut_mf_and_not(m, n): m and not n
 *     abut_mf_bits(m)                 bit l: lane l
 *     abut_vf_select(m, a, b)         m ? a : b
 *     abut_vf_least(v)                the least of all lanes (v has no NaN, and not zeros of both signs)
 *     abut_lanes_done()               the last thing that a kernel does: what is left in wide registers would make the
 *                                     narrow code after it some 200 ns slower (compilers forget it on some paths)
 */
#ifndef ABUT_BASE_LANES_H
#define ABUT_BASE_LANES_H

#include "base/compiler.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(ABUT_LANES_AVX512)
#  include "base/lanes_avx512.h"
#elif defined(ABUT_LANES_AVX2)
#  include "base/lanes_avx2.h"
#elif defined(ABUT_LANES_SSE2)
#  include "base/lanes_sse2.h"
#elif defined(ABUT_LANES_NEON)
#  include "base/lanes_neon.h"
#elif defined(ABUT_LANES_WASM)
#  include "base/lanes_wasm.h"
#else
#  include "base/lanes_portable.h"
#endif

#endif
