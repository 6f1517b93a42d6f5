/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/arc.h"

/* Arcs are halved until they are short: this needs no sine, so every machine draws the same bits. */
void abut_shape_arc(abut_d3 center, double radius, abut_d3 from, abut_d3 to, abut_shape_edge *visit, void *context) {
    enum { DEEPEST = 6 };
    const double cos_15 = 0.9659258262890683;
    abut_d3 ahead[DEEPEST + 1] = {to}; /* ends of the halves that are still to be drawn, the nearest last */
    int depth[DEEPEST + 1] = {0}, last = 0;
    const abut_d3 difference = abut_d3_sub(to, from);
    if (abut_d3_dot(difference, difference) < 0x1p-40) {
        return;
    }
    while (last >= 0) {
        const abut_d3 end = ahead[last];
        abut_d3 middle = abut_d3_along(from, 1, end);
        if (abut_d3_dot(from, end) < cos_15 && depth[last] < DEEPEST && abut_d3_normalise(&middle)) {
            depth[last]++;
            ahead[last + 1] = middle;
            depth[last + 1] = depth[last];
            last++;
            continue;
        }
        visit(abut_d3_along(center, radius, from), abut_d3_along(center, radius, end), context);
        from = end;
        last--;
    }
}
