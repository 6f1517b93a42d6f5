/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Floats as the integers that store them, counts of bits, and rounding up and down. */
#ifndef ABUT_BASE_BITS_H
#define ABUT_BASE_BITS_H

#include "base/compiler.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t abut_bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float abut_bits_to_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* An integer with the order of the float (-0 just below +0), for radix sorts. */
static inline uint32_t abut_bits_ordered(float value) {
    uint32_t bits = abut_bits_of_float(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline float abut_bits_from_ordered(uint32_t ordered) {
    return abut_bits_to_float(ordered & 0x80000000u ? ordered & 0x7fffffffu : ~ordered);
}

/* False for NaN and both infinities. */
static inline bool abut_bits_finite(float value) {
    return (abut_bits_of_float(value) & 0x7f800000u) != 0x7f800000u;
}

/* The index of the lowest bit set; bits != 0. */
static inline uint32_t abut_bits_lowest(uint32_t bits) {
    return ABUT_LOWEST_BIT(bits);
}

/* The number of bits set: adds them in groups of two, of four and of eight bits in parallel. */
static inline uint32_t abut_bits_count(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Unlike fmax, these promise nothing about NaN and cost no call. */
static inline float abut_max_f(float a, float b) {
    return a > b ? a : b;
}

static inline float abut_min_f(float a, float b) {
    return a < b ? a : b;
}

static inline double abut_min_d(double a, double b) {
    return a < b ? a : b;
}

static inline double abut_max_d(double a, double b) {
    return a > b ? a : b;
}

/* Compares n floats, none of them NaN, lexicographically: negative, 0 if all are equal, or positive. */
static inline int abut_bits_compare_floats(const float *a, const float *b, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The largest float <= value, and never -0. `value` is finite and its magnitude below FLT_MAX. */
static inline float abut_bits_round_down(double value) {
    float f = (float)value;
    /* Whether the nearest float is above is as good as random: no branches. Zeros count as negative. */
    uint32_t bits = abut_bits_of_float(f) | (uint32_t)(f == 0) << 31;
    bits += ((double)f > value) * (2 * (bits >> 31) - 1);
    return abut_bits_to_float(bits) + 0.0f;
}

/* The smallest float >= value, and never -0. */
static inline float abut_bits_round_up(double value) {
    return -abut_bits_round_down(-value) + 0.0f;
}

/* The same for values >= 0, without a branch. */
static inline float abut_bits_round_down_positive(double value) {
    float f = (float)value;
    return abut_bits_to_float(abut_bits_of_float(f) - ((double)f > value)) + 0.0f;
}
static inline float abut_bits_round_up_positive(double value) {
    float f = (float)value;
    return abut_bits_to_float(abut_bits_of_float(f) + ((double)f < value)) + 0.0f;
}

#endif
