/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How the plane across the sweep axis is cut into columns. */
#ifndef ABUT_BROADPHASE_GRID_H
#define ABUT_BROADPHASE_GRID_H

#include "broadphase/broadphase.h"

/* A grid for n boxes, of at most cells_max columns. Any grid gives the same pairs; this one is meant to be fast for
 * boxes spread like a sample of these. */
void abut_bp_choose_grid(const abut_bp_box *box, const uint32_t *key, uint32_t n, uint32_t cells_max,
                         abut_bp_grid *grid);

/* The same with about half as many cells along each axis. False: there is only one column left. */
bool abut_bp_coarsen_grid(abut_bp_grid *grid);

/* Also of infinity. */
static inline uint32_t abut_bp_cell_of(const abut_bp_grid *grid, int k, float v) {
    float at = (v - grid->origin[k]) * grid->inverse[k], last = (float)(grid->cells[k] - 1);
    return (uint32_t)(at > 0 ? (at < last ? at : last) : 0); /* NaN where there is one cell alone */
}

static inline uint32_t abut_bp_grid_columns(const abut_bp_grid *grid) {
    return grid->cells[0] * grid->cells[1];
}

#endif
