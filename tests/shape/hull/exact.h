/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Signs and volumes in whole numbers, large enough for all inputs: floats are multiples of 2^-149. It is slow and
 * simple, and shares no code with the library. */
#ifndef ABUT_TESTS_HULL_EXACT_H
#define ABUT_TESTS_HULL_EXACT_H

#include <abut/types.h>

enum { EXACT_WORDS = 24 };

/* Sign and magnitude, least word first. */
typedef struct exact {
    int sign; /* -1, 0, 1 */
    int words;
    uint32_t word[EXACT_WORDS];
} exact;

exact exact_from(float value); /* in units of 2^-149 */
exact exact_add(exact a, exact b);
exact exact_sub(exact a, exact b);
exact exact_mul(exact a, exact b);
double exact_to_double(exact a, int units); /* a * 2^(-149 * units) */

/* (b - a) x (c - a) . (d - a) in units of 2^-447. */
exact exact_volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d);

#endif
