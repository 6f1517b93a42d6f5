/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/angle.h"
#include "base/dd.h"

/* A quarter turn, as two doubles. */
static const abut_dd QUARTER = {1.5707963267948966, 6.123233995736766e-17};

/* The angle of so many quarters and a rest of at most an eighth of a turn either way. */
static abut_angle quarters_and(uint32_t quarters, double rest) {
    const double half = abut_sine(rest / 2), sine = abut_sine(rest), cosine = 1 - 2 * half * half;
    switch (quarters & 3) {
    case 0:
        return (abut_angle){sine, cosine};
    case 1:
        return (abut_angle){cosine, -sine};
    case 2:
        return (abut_angle){-sine, -cosine};
    default:
        return (abut_angle){-cosine, sine};
    }
}

/* The quarters are subtracted in double-double, so that many turns cost no accuracy (after Cody and Waite, "Software
 * manual for the elementary functions", 1980). */
abut_angle abut_angle_of_radians(double radians) {
    const double quarters = floor(radians / QUARTER.hi + 0.5);
    const abut_dd rest = abut_dd_sub(abut_dd_from(radians), abut_dd_scaled(QUARTER, quarters));
    return quarters_and((uint32_t)((int64_t)quarters & 3), rest.hi + rest.lo);
}

abut_angle abut_angle_of_part(uint32_t part, uint32_t whole) {
    const uint32_t quarters = (8 * part + whole) / (2 * whole);
    const double rest = 4.0 * part - (double)quarters * whole;
    return quarters_and(quarters, rest / whole * QUARTER.hi);
}
