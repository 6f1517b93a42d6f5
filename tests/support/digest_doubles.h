/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Doubles in digests. Zeros of either sign are the same there, and so are all NaN: which of them comes out is not said
 * of numbers that never leave the library. */
#ifndef ABUT_TESTS_SUPPORT_DIGEST_DOUBLES_H
#define ABUT_TESTS_SUPPORT_DIGEST_DOUBLES_H

#include "base/spatial.h"
#include "support/digest.h"

void digest_double(uint64_t *digest, double value);
void digest_doubles(uint64_t *digest, const double *value, size_t n);
void digest_d3(uint64_t *digest, abut_d3 v);
void digest_matrix(uint64_t *digest, double m[3][3]);

#endif
