/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/cast/cast.h"

abut_np_cast abut_np_cast_of(const abut_collider *start, abut_vec3 translation) {
    return (abut_np_cast){*start, {translation.x, translation.y, translation.z}};
}

static bool stands_still(const abut_np_cast *cast) {
    return cast->translation[0] == 0 && cast->translation[1] == 0 && cast->translation[2] == 0;
}

/* The direction of the closest points is good enough to know that a way so far off it leads apart. */
static const double CLEARLY = 0x1p-10;

/* Shapes that do not touch, but are too near each other for the search to see a gap. */
static bool leads_apart(const abut_np_cast *cast, const abut_collider *collider) {
    const abut_d3 way = abut_d3_load(cast->translation);
    abut_vec3 position, n;
    (void)abut_np_nearest_point(&cast->start, collider, &position, &n);
    return abut_d3_dot(abut_d3_from(n), way) > CLEARLY * abut_d3_norm1(way);
}

static double cast_at(const abut_np_cast *cast, const abut_collider *collider, double limit) {
    abut_np_moving moving;
    if (abut_np_overlap(&cast->start, collider)) {
        return ABUT_NP_CAST_TOUCHED;
    }
    if (stands_still(cast)) {
        return INFINITY;
    }
    abut_np_moving_place(cast, collider, &moving);
    double fraction = abut_np_cast_stepped(&moving, 0, limit, NULL);
    return fraction == 0 && leads_apart(cast, collider) ? INFINITY : fraction;
}

void abut_np_cast_many(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                       double limit, double *fraction) {
    for (size_t k = 0; k < n; k++) {
        fraction[k] = cast_at(cast, &collider[index[k]], limit);
    }
}
