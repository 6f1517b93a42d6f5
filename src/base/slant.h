/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A box that is not parallel to the axes: walks of trees pass by what it does not come near. Three directions of about
 * length 1, and how far something reaches from a point along each, both ways. */
#ifndef ABUT_BASE_SLANT_H
#define ABUT_BASE_SLANT_H

#include <math.h>
#include <stdbool.h>

typedef struct abut_slant {
    float center[3], axis[3][3];
    float reach[3]; /* doubled; some of it for rounding */
} abut_slant;

/* Beside bounds that are not this many times as large a slant does not pay: each node costs as much as a test. */
#define ABUT_SLANT_LOOSE 1.5

/* Around a box that three axes (the columns of a matrix, row-major) and half extents describe, and what is within
 * `reach` of it; low and high are the bounds of that, rounded outward. False, and none is made, where they fit as well,
 * nearly. */
static inline bool abut_slant_of(const double center[3], const double *axes, const double half[3], double reach,
                                 const float low[3], const float high[3], abut_slant *slant) {
    double more = reach, extents = 0, volume = 1;
    for (int i = 0; i < 3; i++) {
        double extent = (double)high[i] - low[i];
        slant->center[i] = (float)center[i];
        more += fabs(slant->center[i] - center[i]);
        extents += extent;
        volume *= extent / 2;
    }
    for (int k = 0; k < 3; k++) {
        slant->reach[k] = (float)(2 * (half[k] + more) + 0x1p-16 * extents + 0x1p-120);
        for (int i = 0; i < 3; i++) {
            slant->axis[k][i] = (float)axes[3 * i + k];
        }
    }
    return ABUT_SLANT_LOOSE * (half[0] + reach) * (half[1] + reach) * (half[2] + reach) < volume;
}

#endif
