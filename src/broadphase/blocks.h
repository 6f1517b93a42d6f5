/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes round copies that lie side by side. */
#ifndef ABUT_BROADPHASE_BLOCKS_H
#define ABUT_BROADPHASE_BLOCKS_H

#include "broadphase/resting.h"

/* Makes the blocks and superblocks of these places, of which the first is a superblock's first. */
void abut_bp_enclose_copies(const abut_bp *bp, abut_bp_span places);

#endif
