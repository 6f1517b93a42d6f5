/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The unit normals of triangles, however thin these are. */
#ifndef ABUT_NARROWPHASE_MESH_NORMAL_H
#define ABUT_NARROWPHASE_MESH_NORMAL_H

#include "narrowphase/narrowphase.h"

/* A cross product is good to 4u of the product of both lengths: to 2^-31 where the square of the sine is more than
 * this. Of thinner triangles the exact normal is rounded. */
static const double ABUT_NP_NORMAL_THIN = 0x1p-40;

/* Component i of twice the area vector: the sum of these six, each the exact product of two floats. */
void abut_np_area_terms(const abut_d3 corner[3], int i, double term[6]);

/* Of a triangle with area whose corners are floats: good to a few u, and quicker, good to 2^-31. */
abut_d3 abut_np_normal_exact(const abut_d3 corner[3]);
abut_d3 abut_np_normal_across(const abut_d3 corner[3]);

/* The same of a mesh's triangle. */
abut_d3 abut_np_mesh_normal(const abut_mesh *mesh, uint32_t part);

#endif
