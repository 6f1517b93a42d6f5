/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include <abut/isa.h>

#include "base/compiler.h"

/* The build defines ABUT_HAVE_... for each instruction set that it compiled the kernels for, and ABUT_NO_PORTABLE if it
 * left out those in plain C. */

#if defined(ABUT_HAVE_SSE2)
static bool sse2_runs(void) {
    return ABUT_CPU_HAS_SSE2;
}
#endif

#if defined(ABUT_HAVE_AVX2)
static bool avx2_runs(void) {
    return ABUT_CPU_HAS_AVX2;
}
#endif

#if defined(ABUT_HAVE_AVX512)
static bool avx512_runs(void) {
    return ABUT_CPU_HAS_AVX512;
}
#endif

#if !defined(ABUT_NO_PORTABLE) || defined(ABUT_HAVE_NEON) || defined(ABUT_HAVE_WASM)
static bool always_runs(void) {
    return true;
}
#endif

/* NULL: not in this build. In rising order of preference. */
static bool (*const runs[])(void) = {
#if !defined(ABUT_NO_PORTABLE)
    [ABUT_ISA_PORTABLE] = always_runs,
#endif
#if defined(ABUT_HAVE_SSE2)
    [ABUT_ISA_SSE2] = sse2_runs,
#endif
#if defined(ABUT_HAVE_AVX2)
    [ABUT_ISA_AVX2] = avx2_runs,
#endif
#if defined(ABUT_HAVE_AVX512)
    [ABUT_ISA_AVX512] = avx512_runs,
#endif
#if defined(ABUT_HAVE_NEON)
    [ABUT_ISA_NEON] = always_runs,
#endif
#if defined(ABUT_HAVE_WASM)
    [ABUT_ISA_WASM] = always_runs,
#endif
};

enum { COUNT = sizeof runs / sizeof runs[0] };

/* 1 + what abut_isa_select was given last, 0: nothing yet. */
static unsigned int selected1;

static bool usable(unsigned int isa) {
    return isa < COUNT && runs[isa] && runs[isa]();
}

/* Asking the processor is a load and a test, so the answer is not kept: nothing here is written but by select. */
abut_isa abut_isa_active(void) {
    if (selected1) {
        return (abut_isa)(selected1 - 1);
    }
    unsigned int best = COUNT - 1;
    while (!usable(best)) {
        best--;
    }
    return (abut_isa)best;
}

abut_result abut_isa_select(abut_isa isa) {
    if (!usable((unsigned int)isa)) {
        return ABUT_ERROR_ARGUMENT;
    }
    selected1 = (unsigned int)isa + 1;
    return ABUT_OK;
}

const char *abut_isa_name(abut_isa isa) {
    static const char *const names[] = {"portable", "sse2", "avx2", "avx512", "neon", "wasm"};
    _Static_assert(sizeof names / sizeof names[0] == ABUT_ISA_WASM + 1, "one name per instruction set");
    unsigned int index = (unsigned int)isa;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}
