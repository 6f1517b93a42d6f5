/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One pair of boxes, as fast as one pair alone can be decided: see single.c. */
#ifndef ABUT_NARROWPHASE_BOX_SINGLE_H
#define ABUT_NARROWPHASE_BOX_SINGLE_H

#include "narrowphase/box/separation.h"

/* The float stage: whether some axis shows a gap, certain, or ABUT_NP_UNDECIDED. Boxes that are not valid are
 * undecided. With `kinds` it may be ABUT_NP_TOUCHING_BY_FACE. Each of both is an abut_obb or an abut_collider, which
 * begins like one. */
abut_np_verdict abut_np_box_single_verdict(const void *a, const void *b, bool kinds);

/* The same for two boxes that are not turned at all, with their manifold where they touch. Others are
 * undecided, and so are plates and rods. Boxes that are not finite are apart or undecided. */
abut_np_verdict abut_np_box_unturned_collide(const void *a, const void *b, abut_manifold *manifold);

#endif
