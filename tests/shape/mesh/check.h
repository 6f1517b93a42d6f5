/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Judges a mesh against what it was made from, by brute force with integers. */
#ifndef ABUT_TESTS_MESH_CHECK_H
#define ABUT_TESTS_MESH_CHECK_H

#include "shape/mesh/mesh.h"
#include "shape/mesh/soups.h"

/* Whether triangle t of the soup has area. */
bool check_has_area(const mesh_soup *soup, size_t t);

/* What side k of triangle t must be. */
uint32_t check_side(const mesh_soup *soup, uint32_t t, uint32_t k);

/* Each fails the test, naming what is wrong: header, vertices, corners and bits; the sides; the search tree. */
void check_content(const abut_mesh *mesh, const mesh_soup *soup);
void check_sides(const abut_mesh *mesh, const mesh_soup *soup);
void check_tree(const abut_mesh *mesh);

#endif
