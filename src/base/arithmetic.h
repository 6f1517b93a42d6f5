/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whether the compiler left arithmetic what IEEE 754 says it is. compiler.h refuses what compilers tell of their
 * options; some tell nothing, and what follows from such arithmetic are loops that never end. */
#ifndef ABUT_BASE_ARITHMETIC_H
#define ABUT_BASE_ARITHMETIC_H

#include <stdbool.h>

/* Some nanoseconds, in the mode of fpmode.h. */
bool abut_arithmetic_is_exact(void);

#endif
