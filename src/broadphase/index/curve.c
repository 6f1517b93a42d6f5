/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/index/curve.h"

/* By state and octant (4 x + 2 y + z): 8 times the state inside the octant, plus the octant's position along the curve.
 * The table is equivalent to Skilling's exchanges and inversions of bits, and state 0 is where his method begins. */
static const uint8_t octants[ABUT_BP_CURVE_STATES][8] = {
    {8, 17, 27, 2, 39, 46, 52, 5},
    {56, 71, 73, 86, 91, 20, 10, 13},
    {48, 1, 103, 110, 115, 18, 12, 21},
    {126, 129, 29, 26, 79, 80, 140, 3},
    {148, 43, 37, 34, 127, 128, 78, 81},
    {156, 45, 35, 42, 31, 6, 160, 105},
    {72, 87, 139, 4, 57, 70, 50, 53},
    {0, 171, 111, 76, 49, 58, 102, 61},
    {180, 143, 83, 184, 69, 54, 66, 97},
    {16, 123, 9, 74, 47, 60, 38, 77},
    {132, 95, 85, 14, 67, 144, 82, 33},
    {142, 55, 185, 96, 93, 116, 90, 11},
    {188, 107, 175, 176, 101, 98, 62, 65},
    {164, 109, 119, 22, 99, 106, 152, 41},
    {174, 177, 63, 64, 117, 114, 92, 19},
    {30, 125, 161, 122, 7, 172, 104, 75},
    {130, 25, 133, 166, 179, 136, 84, 191},
    {94, 15, 141, 28, 145, 32, 138, 51},
    {146, 155, 149, 36, 137, 24, 190, 167},
    {154, 157, 147, 44, 169, 182, 120, 135},
    {162, 165, 121, 134, 187, 108, 168, 183},
    {118, 173, 23, 124, 153, 170, 40, 59},
    {178, 113, 131, 88, 181, 158, 68, 151},
    {186, 163, 89, 112, 189, 100, 150, 159},
};

void abut_bp_curve_make(abut_bp_curve *curve) {
    for (uint32_t x = 0; x < 1 << ABUT_BP_CURVE_BITS; x++) {
        curve->spread[x] = 0;
        for (uint32_t bit = 0; bit < ABUT_BP_CURVE_BITS; bit++) {
            curve->spread[x] |= (x >> bit & 1) << 3 * bit;
        }
    }
    for (uint32_t state = 0; state < ABUT_BP_CURVE_STATES; state++) {
        for (uint32_t both = 0; both < 64; both++) {
            uint32_t outer = octants[state][both >> 3], inner = octants[outer >> 3][both & 7];
            curve->step[state][both] = (uint16_t)((inner & ~7u) << 3 | (outer & 7) << 3 | (inner & 7));
        }
    }
}
