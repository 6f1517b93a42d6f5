/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Eight boxes of a tree against a slant. */
#ifndef ABUT_BASE_LANES_SLANT_H
#define ABUT_BASE_LANES_SLANT_H

#include "base/lanes/eight.h"
#include "base/slant.h"

/* Which boxes, as far as they lie in a walk's box, may come within all reaches of the slant. All is doubled: middles
 * and extents need no halves. Boxes that do not touch the walk's box give anything. */
static ABUT_NOINLINE uint32_t abut_slant_crosses(const float (*min)[8], const float (*max)[8], const float low[3],
                                                 const float high[3], const abut_slant *slant) {
    abut_eight middle[3], extent[3];
    uint32_t bits = 0xff;
    for (int axis = 0; axis < 3; axis++) {
        const abut_eight center = abut_eight_set(slant->center[axis]);
        const abut_eight from = abut_eight_max(abut_eight_load(min[axis]), abut_eight_set(low[axis]));
        const abut_eight to = abut_eight_min(abut_eight_load(max[axis]), abut_eight_set(high[axis]));
        middle[axis] = abut_eight_add(abut_eight_sub(from, center), abut_eight_sub(to, center));
        extent[axis] = abut_eight_sub(to, from);
    }
    for (int k = 0; k < 3; k++) {
        abut_eight way = abut_eight_set(0), reach = abut_eight_set(slant->reach[k]);
        for (int axis = 0; axis < 3; axis++) {
            const float along = slant->axis[k][axis];
            way = abut_eight_add(way, abut_eight_mul(middle[axis], abut_eight_set(along)));
            reach = abut_eight_add(reach, abut_eight_mul(extent[axis], abut_eight_set(along < 0 ? -along : along)));
        }
        bits &= abut_eight_le(way, reach) & abut_eight_le(abut_eight_sub(abut_eight_set(0), way), reach);
    }
    return bits;
}

#endif
