/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes around consecutive copies. */
#ifndef ABUT_BROADPHASE_BLOCKS_H
#define ABUT_BROADPHASE_BLOCKS_H

#include "broadphase/broadphase.h"

/* Makes the blocks and superblocks of these copies. span.first is a multiple of ABUT_BP_SUPERBLOCK. */
void abut_bp_enclose_copies(const abut_bp *bp, abut_bp_span span);

#endif
