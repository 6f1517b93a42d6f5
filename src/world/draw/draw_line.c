/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/draw/draw.h"

/* What all kinds of drawing share: lines, and the centre of a body. */

/* With the lengths that the caller may give, coordinates can exceed the largest float. */
static double within_floats(double value) {
    const double largest = FLT_MAX;
    return value > largest ? largest : value < -largest ? -largest : value;
}

static abut_vec3 rounded(abut_d3 v) {
    return abut_vec3_round((abut_d3){{within_floats(v.x[0]), within_floats(v.x[1]), within_floats(v.x[2])}});
}

void abut_w_draw_line(const abut_w_drawing *d, abut_d3 from, abut_d3 to, const abut_draw_item *item) {
    if (d->to.line) {
        d->to.line(rounded(from), rounded(to), item, d->to.user);
    }
}

abut_d3 abut_w_draw_center(const abut_world *world, uint32_t slot) {
    const abut_aabb bounds = abut_collider_bounds(&world->collider[slot]);
    abut_d3 low = abut_d3_from(bounds.min), high = abut_d3_from(bounds.max);
    return (abut_d3){{(low.x[0] + high.x[0]) / 2, (low.x[1] + high.x[1]) / 2, (low.x[2] + high.x[2]) / 2}};
}
