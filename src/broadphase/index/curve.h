/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hilbert's curve through a cube of cells (Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck",
 * 1891; in three dimensions as in Skilling, "Programming the Hilbert curve", 2004): cells that follow each other share
 * a face. */
#ifndef ABUT_BROADPHASE_CURVE_H
#define ABUT_BROADPHASE_CURVE_H

#include <stdint.h>

enum {
    ABUT_BP_CURVE_STATES = 24, /* orientations of the curve in a cube */
    ABUT_BP_CURVE_BITS = 8     /* of each coordinate of a cell */
};

/* Tables that handle two levels of cubes per step: some 4 KB, made when needed. */
typedef struct abut_bp_curve {
    uint32_t spread[1 << ABUT_BP_CURVE_BITS]; /* each bit becomes the lowest of three */
    uint16_t step[ABUT_BP_CURVE_STATES][64];  /* by state and six bits of the cell: 64 times the next state, plus six
                                                 bits of the number */
} abut_bp_curve;

void abut_bp_curve_make(abut_bp_curve *curve);

/* The position of a cell along the curve, < 2^24; coordinates are < 2^8. */
static inline uint32_t abut_bp_curve_at(const abut_bp_curve *curve, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t cell = curve->spread[x] << 2 | curve->spread[y] << 1 | curve->spread[z];
    uint32_t state = 0, number = 0;
    for (int shift = 18; shift >= 0; shift -= 6) {
        uint32_t step = curve->step[state][cell >> shift & 63];
        number = number << 6 | (step & 63);
        state = step >> 6;
    }
    return number;
}

#endif
