/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Up to which angle a face counts as lying along what touches it. */
#ifndef ABUT_NARROWPHASE_ALONG_H
#define ABUT_NARROWPHASE_ALONG_H

/* The cosine between the normal of the face and that of the contact: of 2 degrees across a gap, and of 1 degree where
 * edges overlap. Solvers leave tilts of some thousandths. */
static const double ABUT_NP_ALONG = 0x1.ffb0278bf0567p-1;
static const double ABUT_NP_EDGE_ALONG = 0x1.ffec097f5af8ap-1;

/* A face of the first shape is used unless one of the second lies along better by this: the choice must not flicker. */
static const double ABUT_NP_ALONG_BETTER = 0x1p-20;

#endif
