/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/travel.h"

void abut_np_travel_of(const float min[3], const float max[3], abut_d3 way, double share, abut_np_travel *travel) {
    double size = abut_d3_norm1(way);
    travel->share = share;
    for (int i = 0; i < 3; i++) {
        size += fabs((double)min[i]) + fabs((double)max[i]);
    }
    for (int i = 0; i < 3; i++) {
        travel->box.min[i] = min[i] - share * size;
        travel->box.max[i] = max[i] + share * size;
        travel->way[i] = way.x[i];
    }
}

double abut_np_travel_enters(const abut_np_travel *t, const abut_np_bounds *bounds) {
    double enter = 0, leave = 1, more = 0;
    for (int i = 0; i < 3; i++) {
        more += t->share * (bounds->max[i] - bounds->min[i]);
    }
    for (int i = 0; i < 3; i++) {
        double low = bounds->min[i] - more - t->box.max[i], high = bounds->max[i] + more - t->box.min[i];
        double way = t->way[i];
        if (way < 0 || way > 0) {
            double p = low / way, q = high / way;
            enter = abut_max_d(enter, abut_min_d(p, q));
            leave = abut_min_d(leave, abut_max_d(p, q));
        } else if (low > 0 || high < 0) {
            return INFINITY;
        }
    }
    return enter <= leave + 0x1p-40 ? enter * (1 - 0x1p-40) : INFINITY;
}
