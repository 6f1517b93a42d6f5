/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes in families, made with nothing but + - * / and powers of two, so that they are the same on every machine: for
 * answers that are pinned. */
#ifndef ABUT_TESTS_BROADPHASE_MADE_BOXES_H
#define ABUT_TESTS_BROADPHASE_MADE_BOXES_H

#include "broadphase/layout.h"
#include "support/rng.h"

typedef enum made_family {
    MADE_SPREAD,
    MADE_CITY,     /* on a plane */
    MADE_LATTICE,  /* that share faces, edges and corners */
    MADE_RODS,     /* as long as the world, along each axis */
    MADE_LINE,     /* along one axis */
    MADE_POINTS,   /* without extent, many of them the same */
    MADE_SIZES,    /* of 2^-10 to 2^10 */
    MADE_CLUSTERS, /* dense, and far from each other */
    MADE_CROWD,    /* most begin at the same coordinates */
    MADE_FAR,      /* near the end of what coordinates may be */
    MADE_DENORMAL, /* some 2^-130 wide */
    MADE_SAME,     /* one box */
    MADE_FAMILIES
} made_family;

abut_bp_box made_box(rng *r, made_family family, uint32_t key);

/* The same box some way off: by up to a tenth of its extent. */
abut_bp_box made_nudged(rng *r, const abut_bp_box *box);

#endif
