/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Operations on lanes as a kernel table: lanes_kernel.c is compiled once for each instruction set. */
#ifndef ABUT_TESTS_KERNELS_LANES_KERNEL_H
#define ABUT_TESTS_KERNELS_LANES_KERNEL_H

#include "base/isa.h"
#include <stddef.h>
#include <stdint.h>

typedef struct lanes_kernel {
    uint32_t lanes;
    /* `set`: the bits of a mask. */
    uint32_t (*count)(uint32_t set);
    uint32_t (*first)(uint32_t n); /* as bits */
    uint32_t (*pairs)(uint32_t own, const uint32_t *ids, uint32_t set, uint32_t *out);
    uint32_t (*pack)(uint32_t first, uint32_t set, uint32_t *out);
    /* Writes the pairs of own and all ids whose x is below the bound, as a sweep does; n is a multiple of lanes. */
    uint32_t (*sweep)(uint32_t own, const uint32_t *ids, const float *x, float bound, uint32_t n, uint32_t *out);
    /* Transposes as many records of four doubles as there are lanes of them, and returns how many. */
    uint32_t (*transpose)(const double *records, double *columns);
    /* Writes such columns as records, each `stride` doubles after the one before it. */
    void (*scatter)(const double *columns, size_t stride, double *records);
    /* Eight floats of each. By operation: a0 eight times, a + b, a - b, a b, the lesser, the greater. Bits: where a <=
     * b, and above them where a < b. */
    uint32_t (*eights)(const float *a, const float *b, float out[6][8]);
    /* Adds as many doubles as there are lanes of them, and as many floats, and reads the sums of the last lanes from
     * memory after the registers have been cleared. */
    void (*last_sums)(const double *a, const double *b, const float *c, const float *d, double sums[2]);
} lanes_kernel;

ABUT_KERNEL_TABLES(lanes_kernel)

#endif
