/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Values as C initialisers in hexadecimal floats, which lose nothing: paste them into a test to replay a failure. */
#ifndef ABUT_TESTS_SUPPORT_PRINT_H
#define ABUT_TESTS_SUPPORT_PRINT_H

#include <abut/obb.h>

/* To stderr. */
void print_obb(const char *name, const abut_obb *box);
void print_manifold(const char *name, const abut_manifold *manifold);

#endif
