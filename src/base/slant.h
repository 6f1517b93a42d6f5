/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A box that is not parallel to the axes: walks of trees pass by what it does not come near. Three directions of about
 * length 1, and how far something reaches from a point along each, both ways. */
#ifndef ABUT_BASE_SLANT_H
#define ABUT_BASE_SLANT_H

typedef struct abut_slant {
    float center[3], axis[3][3];
    float reach[3]; /* doubled; some of it for rounding */
} abut_slant;

#endif
