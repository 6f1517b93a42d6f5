/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/kernels.h"
#include <abut/isa.h>

/* The build defines ABUT_HAVE_... for each instruction set that it compiled the kernels for. */

#if defined(ABUT_HAVE_SSE2)
extern const abut_np_box_kernels abut_np_box_kernels_sse2;
extern const abut_np_convex_kernels abut_np_convex_kernels_sse2;
#endif
#if defined(ABUT_HAVE_AVX2)
extern const abut_np_box_kernels abut_np_box_kernels_avx2;
extern const abut_np_convex_kernels abut_np_convex_kernels_avx2;
#endif
#if defined(ABUT_HAVE_AVX512)
extern const abut_np_box_kernels abut_np_box_kernels_avx512;
extern const abut_np_convex_kernels abut_np_convex_kernels_avx512;
#endif
#if defined(ABUT_HAVE_NEON)
extern const abut_np_box_kernels abut_np_box_kernels_neon;
extern const abut_np_convex_kernels abut_np_convex_kernels_neon;
#endif
#if defined(ABUT_HAVE_WASM)
extern const abut_np_box_kernels abut_np_box_kernels_wasm;
extern const abut_np_convex_kernels abut_np_convex_kernels_wasm;
#endif

static const abut_np_box_kernels *const obb_kernels[] = {
#if !defined(ABUT_NO_PORTABLE)
    [ABUT_ISA_PORTABLE] = &abut_np_box_kernels_portable,
#endif
#if defined(ABUT_HAVE_SSE2)
    [ABUT_ISA_SSE2] = &abut_np_box_kernels_sse2,
#endif
#if defined(ABUT_HAVE_AVX2)
    [ABUT_ISA_AVX2] = &abut_np_box_kernels_avx2,
#endif
#if defined(ABUT_HAVE_AVX512)
    [ABUT_ISA_AVX512] = &abut_np_box_kernels_avx512,
#endif
#if defined(ABUT_HAVE_NEON)
    [ABUT_ISA_NEON] = &abut_np_box_kernels_neon,
#endif
#if defined(ABUT_HAVE_WASM)
    [ABUT_ISA_WASM] = &abut_np_box_kernels_wasm,
#endif
};

static const abut_np_convex_kernels *const polytope_kernels[] = {
#if !defined(ABUT_NO_PORTABLE)
    [ABUT_ISA_PORTABLE] = &abut_np_convex_kernels_portable,
#endif
#if defined(ABUT_HAVE_SSE2)
    [ABUT_ISA_SSE2] = &abut_np_convex_kernels_sse2,
#endif
#if defined(ABUT_HAVE_AVX2)
    [ABUT_ISA_AVX2] = &abut_np_convex_kernels_avx2,
#endif
#if defined(ABUT_HAVE_AVX512)
    [ABUT_ISA_AVX512] = &abut_np_convex_kernels_avx512,
#endif
#if defined(ABUT_HAVE_NEON)
    [ABUT_ISA_NEON] = &abut_np_convex_kernels_neon,
#endif
#if defined(ABUT_HAVE_WASM)
    [ABUT_ISA_WASM] = &abut_np_convex_kernels_wasm,
#endif
};

const abut_np_box_kernels *abut_np_box_kernels_active(void) {
    return obb_kernels[abut_isa_active()];
}

const abut_np_convex_kernels *abut_np_convex_kernels_active(void) {
    return polytope_kernels[abut_isa_active()];
}
