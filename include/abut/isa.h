/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * The instruction set that the kernels run on. The answers do not depend on it. */
#ifndef ABUT_ISA_H
#define ABUT_ISA_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What kernels are compiled for; a build has the portable ones and those of its processor family. */
typedef enum abut_isa {
    ABUT_ISA_PORTABLE, /**< plain C */
    ABUT_ISA_SSE2,     /**< every x86-64 processor */
    ABUT_ISA_AVX2,     /**< x86-64 */
    ABUT_ISA_AVX512,   /**< x86-64 with AVX-512 F and DQ */
    ABUT_ISA_NEON,     /**< AArch64 */
    ABUT_ISA_WASM      /**< WebAssembly with 128-bit SIMD */
} abut_isa;
ABUT_ASSERT_ENUM(abut_isa);

/** The instruction set in use: at first the best one that this build has and this processor runs. */
ABUT_API abut_isa abut_isa_active(void);

/** Forces an instruction set for the whole process, for tests; call it only while nothing else runs. One that this
 * build or this processor does not have is ABUT_ERROR_ARGUMENT. */
ABUT_API abut_result abut_isa_select(abut_isa isa);

/** Its name in lower case ("portable"), or "unknown". Static storage. */
ABUT_API const char *abut_isa_name(abut_isa isa);

#ifdef __cplusplus
}
#endif
#endif
