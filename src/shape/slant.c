/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/slant.h"
#include <math.h>

/* Beside bounds that are not this many times as large a slant does not pay: each node costs as much as a test. */
static const double LOOSE = 1.5;

bool abut_slant_of(const double center[3], const double *axes, const double half[3], double reach, const float low[3],
                   const float high[3], abut_slant *slant) {
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
    return LOOSE * (half[0] + reach) * (half[1] + reach) * (half[2] + reach) < volume;
}
