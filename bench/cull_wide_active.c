/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "cull_loops.h"
#include <abut/isa.h>

extern const cull_wide cull_wide_4, cull_wide_8, cull_wide_16;

const cull_wide *cull_wide_active(void) {
    switch (abut_isa_active()) {
#ifdef CULL_HAVE_16
    case ABUT_ISA_AVX512:
        return &cull_wide_16;
#endif
#ifdef CULL_HAVE_8
    case ABUT_ISA_AVX2:
        return &cull_wide_8;
#endif
#ifdef CULL_HAVE_4
    default:
        return &cull_wide_4;
#else
    default:
        return NULL;
#endif
    }
}
