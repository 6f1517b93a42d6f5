/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random triangles whose coordinates are small integers times a power of two, so that a judge may compute with
 * integers: many corners coincide, and many edges are flat, folded, or belong to several triangles. */
#ifndef ABUT_TESTS_MESH_SOUPS_H
#define ABUT_TESTS_MESH_SOUPS_H

#include "support/rng.h"
#include <abut/mesh.h>

enum { SOUP_VERTICES = 120, SOUP_TRIANGLES = 200 };

typedef struct mesh_soup {
    int place[SOUP_VERTICES][3]; /* the integers, at most 2^15 */
    float unit;                  /* what they are multiplied by */
    abut_vec3 vertex[SOUP_VERTICES];
    uint32_t index[3 * SOUP_TRIANGLES];
    abut_mesh_def def; /* refers to these arrays */
} mesh_soup;

void mesh_soup_make(uint64_t seed, uint64_t stream, mesh_soup *soup);

#endif
