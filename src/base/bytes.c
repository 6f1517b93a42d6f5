/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bytes.h"

void abut_bytes_reverse(void *bytes, size_t rows, const char *widths) {
    unsigned char *at = bytes;
    for (size_t row = 0; row < rows; row++) {
        for (const char *width = widths; *width; width++) {
            size_t size = (size_t)(*width - '0');
            for (size_t i = 0; i < size / 2; i++) {
                unsigned char byte = at[i];
                at[i] = at[size - 1 - i];
                at[size - 1 - i] = byte;
            }
            at += size;
        }
    }
}
