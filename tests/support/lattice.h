/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes and pairs of whole numbers, for answers that are pinned: faces lie flush, edges are parallel, corners meet,
 * and two axes or two points are exactly as good, so that the rules for ties and for exact touches decide. Made with
 * nothing but + - * /. */
#ifndef ABUT_TESTS_SUPPORT_LATTICE_H
#define ABUT_TESTS_SUPPORT_LATTICE_H

#include "support/wild.h"

enum { LATTICE_HULLS = 9 };

/* A cube, an octahedron, a pyramid, a wedge, a tetrahedron, a prism of eight sides, one of 48 sides, whose faces have
 * more corners than are used, a slab whose corners are cut off, and a prism of the outline of a house. */
typedef struct lattice_hulls {
    abut_hull *hull[LATTICE_HULLS];
} lattice_hulls;
void lattice_hulls_create(lattice_hulls *hulls);
void lattice_hulls_destroy(lattice_hulls *hulls);

abut_quat lattice_rotation(rng *r); /* of whole numbers, most of them quarter turns; of any length */
abut_shape lattice_box(rng *r);     /* half extents 0 to 4 */
abut_shape lattice_sharp(rng *r, const lattice_hulls *hulls);
abut_shape lattice_shape(rng *r, const lattice_hulls *hulls); /* with radii, too */

/* Their centres are a multiple of a half apart along each axis, at most 6. */
void lattice_pair_make(rng *r, const abut_shape *a, const abut_shape *b, wild_pair *out);

#endif
