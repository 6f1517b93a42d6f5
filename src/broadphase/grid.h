/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How the plane across the sweep axis is cut into columns. */
#ifndef ABUT_BROADPHASE_GRID_H
#define ABUT_BROADPHASE_GRID_H

#include "broadphase/broadphase.h"

/* Chooses a grid of at most cells_max columns for the boxes of n keys. Every grid gives the same pairs; this one is
 * chosen for speed, from a sample of the boxes. */
void abut_bp_choose_grid(const abut_bp_box *box, const uint32_t *key, uint32_t n, uint32_t cells_max,
                         abut_bp_grid *grid);

/* Halves the number of cells along each axis. There must be several columns. */
void abut_bp_coarsen_grid(abut_bp_grid *grid);

static inline uint32_t abut_bp_grid_columns(const abut_bp_grid *grid) {
    return grid->cells[0] * grid->cells[1];
}

#endif
