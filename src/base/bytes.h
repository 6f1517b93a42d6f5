/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Numbers in saved bytes: little-endian on every machine. */
#ifndef ABUT_BASE_BYTES_H
#define ABUT_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether the machine stores the least byte of a number first. Compilers know the answer. */
static inline bool abut_bytes_little_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Reverses the bytes of every number in `rows` rows that follow each other: between little-endian and the other order,
 * both ways. `widths` has a digit for each number of a row: its size in bytes. */
void abut_bytes_reverse(void *bytes, size_t rows, const char *widths);

/* Reads a little-endian number at any address. */
static inline uint64_t abut_bytes_u64(const void *bytes) {
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    if (!abut_bytes_little_endian()) {
        abut_bytes_reverse(&number, 1, "8");
    }
    return number;
}

#endif
