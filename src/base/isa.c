/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include <abut/isa.h>

abut_isa abut_isa_active(void) {
    return ABUT_ISA_PORTABLE;
}

abut_result abut_isa_select(abut_isa isa) {
    return isa == ABUT_ISA_PORTABLE ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}

const char *abut_isa_name(abut_isa isa) {
    static const char *const names[] = {"portable", "sse2", "avx2", "avx512", "neon", "wasm"};
    _Static_assert(sizeof names / sizeof names[0] == ABUT_ISA_WASM + 1, "one name per instruction set");
    unsigned int index = (unsigned int)isa;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown";
}
