/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/keys.h"

/* Roles are read eight at a time, because usually all eight are the same. */

static const uint64_t EACH = UINT64_C(0x0101010101010101);

uint32_t abut_bp_keys_with(const abut_bp *bp, uint8_t role, uint32_t *key) {
    uint32_t n = 0, k = 0;
    for (; k + 8 <= bp->key_end; k += 8) {
        uint64_t eight;
        memcpy(&eight, bp->role + k, sizeof eight);
        eight &= EACH * role;
        if (eight == 0) {
            continue;
        }
        if (eight == EACH * role) {
            for (uint32_t i = 0; i < 8; i++) {
                key[n + i] = k + i;
            }
            n += 8;
            continue;
        }
        for (uint32_t i = k; i < k + 8; i++) {
            key[n] = i;
            n += (bp->role[i] & role) != 0;
        }
    }
    for (; k < bp->key_end; k++) {
        key[n] = k;
        n += (bp->role[k] & role) != 0;
    }
    return n;
}

bool abut_bp_any_static(const abut_bp *bp) {
    uint64_t all = 0, eight;
    uint32_t key = 0;
    for (; key + 8 <= bp->key_end; key += 8) {
        memcpy(&eight, bp->role + key, sizeof eight);
        all |= eight;
    }
    for (; key < bp->key_end; key++) {
        all |= bp->role[key];
    }
    return (all & EACH * ABUT_BP_STATIC) != 0;
}
