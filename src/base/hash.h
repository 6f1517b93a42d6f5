/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* 64-bit hashes of numbers. */
#ifndef ABUT_BASE_HASH_H
#define ABUT_BASE_HASH_H

#include "base/bits.h"

/* One multiply-xorshift round (the finaliser of Steele, Lea and Flood, "SplitMix", 2014); a hash is a chain of them.
 * Values enter as numbers, not as memory, so the byte order of the machine does not matter. */
static inline uint64_t abut_hash_mix(uint64_t hash, uint64_t value) {
    uint64_t z = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t abut_hash_floats(uint64_t hash, const float *values, int count) {
    for (int i = 0; i < count; i++) {
        hash = abut_hash_mix(hash, abut_bits_of_float(values[i]));
    }
    return hash;
}

#endif
