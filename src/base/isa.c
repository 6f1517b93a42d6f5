/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/isa.h"

#include "base/compiler.h"

/* The instruction set that abut_isa_select was last given, plus one; 0: none yet. */
static unsigned int selected_plus_one;

/* Whether this build has the set and this processor runs it. */
static bool usable(unsigned int isa) {
#define RUNS(unused, ISA, isa)                                                                                         \
  case ABUT_ISA_##ISA:                                                                                                 \
    return ABUT_CPU_HAS_##ISA;
    switch (isa) {
        ABUT_ISA_LIST(RUNS, )
    default:
        return false;
    }
#undef RUNS
}

/* Asking the processor is a few loads and tests, so the answer is not kept: only abut_isa_select writes anything here.
 */
abut_isa abut_isa_active(void) {
    if (selected_plus_one) {
        return (abut_isa)(selected_plus_one - 1);
    }
    unsigned int best = 0;
#define BETTER(unused, ISA, isa) best = ABUT_CPU_HAS_##ISA ? ABUT_ISA_##ISA : best;
    ABUT_ISA_LIST(BETTER, )
#undef BETTER
    return (abut_isa)best;
}

abut_result abut_isa_select(abut_isa isa) {
    if (!usable((unsigned int)isa)) {
        return ABUT_ERROR_ARGUMENT;
    }
    selected_plus_one = (unsigned int)isa + 1;
    return ABUT_OK;
}

const char *abut_isa_name(abut_isa isa) {
    static const char *const names[] = {"portable", "sse2", "avx2", "avx512", "neon", "wasm"};
    _Static_assert(sizeof names / sizeof names[0] == ABUT_ISA_WASM + 1, "one name per instruction set");
    unsigned int index = (unsigned int)isa;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}
