/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which corners of a polygon become points of a patch. */
#ifndef ABUT_NARROWPHASE_PATCH_SPREAD_H
#define ABUT_NARROWPHASE_PATCH_SPREAD_H

#include "narrowphase/patch/cut.h"

/* As bits: the corners whose separation is at most `limit`. If these are more than a patch has room for, those of them
 * that lie outermost across the normal, and one that is as deep as any, nearly: then the separations of all these are
 * lowered alike, as deep.h says. extent: of the core. */
uint64_t abut_np_spread_of(const abut_np_cut_face *face, double *separation, double limit, abut_d3 normal,
                           double extent);

#endif
