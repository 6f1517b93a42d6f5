/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "culling/culling.h"
#include "world/draw/draw.h"

/* Draws the edges of the caller's frusta. */

/* The diagonal of the bounds around all bodies; 1 in an empty world. */
static double size_of(const abut_world *world) {
    abut_d3 low = {{INFINITY, INFINITY, INFINITY}}, high = {{-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (!abut_idpool_is_live(&world->ids, slot)) {
            continue;
        }
        const abut_aabb bounds = abut_collider_bounds(&world->collider[slot]);
        abut_d3 least = abut_d3_from(bounds.min), most = abut_d3_from(bounds.max);
        for (int k = 0; k < 3; k++) {
            low.x[k] = least.x[k] < low.x[k] ? least.x[k] : low.x[k];
            high.x[k] = abut_max_d(high.x[k], most.x[k]);
        }
    }
    abut_d3 diagonal = abut_d3_sub(high, low);
    return world->ids.live_count > 0 ? sqrt(abut_d3_dot(diagonal, diagonal)) : 1;
}

/* The depth at which infinite frusta are cut off. */
static double depth_of(const abut_w_drawing *d) {
    double deepest = 0;
    bool any_infinite = false;
    for (size_t i = 0; i < d->to.frustum_count; i++) {
        double depth = abut_cull_depth(&d->to.frusta[i]);
        any_infinite = any_infinite || depth == INFINITY;
        deepest = depth < INFINITY ? abut_max_d(deepest, depth) : deepest;
    }
    if (d->to.frustum_length > 0 || !any_infinite) {
        return d->to.frustum_length;
    }
    return deepest > 0 ? deepest : size_of(d->world);
}

void abut_w_draw_frusta(const abut_w_drawing *d) {
    double depth = depth_of(d);
    for (size_t i = 0; i < d->to.frustum_count; i++) {
        const abut_frustum *frustum = &d->to.frusta[i];
        const abut_d3 origin = {{frustum->origin[0], frustum->origin[1], frustum->origin[2]}};
        const abut_draw_item item = {.kind = ABUT_DRAW_FRUSTUM, .index = (uint32_t)i};
        abut_cull_edge edge[ABUT_CULL_EDGES];
        uint32_t n = abut_cull_edges(frustum, depth, edge);
        for (uint32_t k = 0; k < n; k++) {
            abut_w_draw_line(d, abut_d3_along(edge[k].from, 1, origin), abut_d3_along(edge[k].to, 1, origin), &item);
        }
    }
}
