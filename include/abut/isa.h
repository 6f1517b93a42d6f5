/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * The instruction set that kernels use. No answer depends on it. */
#ifndef ABUT_ISA_H
#define ABUT_ISA_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Instruction sets. A build has the portable kernels, unless it was made without them
 * (-Dportable=false), and those of its processor family. */
typedef enum abut_isa {
    ABUT_ISA_PORTABLE, /**< plain C */
    ABUT_ISA_SSE2,     /**< every x86-64 processor */
    ABUT_ISA_AVX2,     /**< x86-64 */
    ABUT_ISA_AVX512,   /**< x86-64 with AVX-512 F and DQ */
    ABUT_ISA_NEON,     /**< AArch64 */
    ABUT_ISA_WASM      /**< WebAssembly with 128-bit SIMD */
} abut_isa;
ABUT_ASSERT_ENUM(abut_isa);

/** The instruction set in use: initially the best one that both this build and this processor have. Any thread. */
ABUT_API abut_isa abut_isa_active(void);

/** Selects an instruction set for the whole process, for tests. Call it only while no other call of the library runs.
 * ABUT_ERROR_ARGUMENT if this build or this processor does not have it. */
ABUT_API abut_result abut_isa_select(abut_isa isa);

/** The name of an instruction set in lower case ("portable"), or "unknown". A static string. */
ABUT_API const char *abut_isa_name(abut_isa isa);

#ifdef __cplusplus
}
#endif
#endif
