/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Triangles of an STL file, binary or text. Tests read real models with it: what is written against the format is
 * refused or read in some way, but never read beyond. */
#ifndef ABUT_TESTS_SUPPORT_STL_H
#define ABUT_TESTS_SUPPORT_STL_H

#include <abut/types.h>

/* Three corners a triangle, to be freed; NULL: not an STL file, or out of memory. `text` has a zero byte after its
 * `size` bytes. */
abut_vec3 *stl_parse(const char *text, size_t size, size_t *triangles);

#endif
