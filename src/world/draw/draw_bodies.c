/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/shape.h"
#include "world/draw/draw.h"

/* Draws the shapes of bodies, and their bounds. */

static abut_draw_item item_of(const abut_world *world, abut_draw_kind kind, uint32_t slot) {
    return (abut_draw_item){.kind = kind,
                            .body = abut_w_id(world, slot),
                            .user = world->body_user[slot],
                            .motion = (abut_motion)world->traits[slot].motion};
}

/* Corner i lies at the positive end of axis k if bit k of i is set. */
static void draw_edges(const abut_w_drawing *d, const abut_d3 corner[8], const abut_draw_item *item) {
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            if (!(i >> k & 1)) {
                abut_w_draw_line(d, corner[i], corner[i | 1 << k], item);
            }
        }
    }
}

static void draw_box(const abut_w_drawing *d, const abut_obb *box, const abut_draw_item *item) {
    if (d->to.box) {
        d->to.box(box, item, d->to.user);
        return;
    }
    const abut_d3 center = abut_d3_from(box->center);
    double m[3][3];
    abut_d3 corner[8];
    abut_dquat_matrix(abut_dquat_from(box->rotation), m);
    for (int i = 0; i < 8; i++) {
        const abut_d3 arm = {{i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                              i & 4 ? box->half.z : -box->half.z}};
        corner[i] = abut_d3_along(center, 1, abut_d3_rotate(m, arm));
    }
    draw_edges(d, corner, item);
}

/* What draw_edge needs for lines in a shape's own frame. */
typedef struct edge_drawing {
    const abut_w_drawing *to;
    const abut_draw_item *item;
    abut_d3 center;
    double m[3][3];
} edge_drawing;

static void draw_edge(abut_d3 from, abut_d3 to, void *context) {
    edge_drawing *d = context;
    from = abut_d3_along(d->center, 1, abut_d3_rotate(d->m, from));
    to = abut_d3_along(d->center, 1, abut_d3_rotate(d->m, to));
    abut_w_draw_line(d->to, from, to, d->item);
}

void abut_w_draw_shapes(const abut_w_drawing *d) {
    const abut_world *world = d->world;
    for (uint32_t slot = 0; (slot = abut_w_drawing_next(d, slot)) < world->ids.used; slot++) {
        const abut_draw_item item = item_of(world, ABUT_DRAW_SHAPE, slot);
        const abut_collider *collider = &world->collider[slot];
        const abut_shape_class *shape = abut_shape_of(collider);
        if (shape->is_obb) {
            draw_box(d, &(abut_obb){collider->center, collider->rotation, collider->half}, &item);
        } else if (d->to.line) {
            edge_drawing edges = {.to = d, .item = &item, .center = abut_d3_from(collider->center)};
            abut_dquat_matrix(abut_dquat_from(collider->rotation), edges.m);
            shape->edges(collider, draw_edge, &edges);
        }
    }
}

/* A box of floats that contains the bounds, as small as rounding allows or nearly so. */
static abut_obb box_of(const abut_aabb *bounds) {
    const float low[3] = {bounds->min.x, bounds->min.y, bounds->min.z};
    const float high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    float center[3], half[3];
    for (int k = 0; k < 3; k++) {
        center[k] = (float)(((double)low[k] + (double)high[k]) / 2);
        half[k] =
            abut_bits_round_up(abut_max_d((double)high[k] - (double)center[k], (double)center[k] - (double)low[k]));
    }
    return (abut_obb){{center[0], center[1], center[2]}, {0, 0, 0, 1}, {half[0], half[1], half[2]}};
}

void abut_w_draw_bounds(const abut_w_drawing *d) {
    const abut_world *world = d->world;
    for (uint32_t slot = 0; (slot = abut_w_drawing_next(d, slot)) < world->ids.used; slot++) {
        const abut_draw_item item = item_of(world, ABUT_DRAW_BOUNDS, slot);
        const abut_aabb bounds = abut_collider_bounds(&world->collider[slot]);
        if (d->to.box) {
            const abut_obb box = box_of(&bounds);
            d->to.box(&box, &item, d->to.user);
            continue;
        }
        abut_d3 corner[8];
        for (int i = 0; i < 8; i++) {
            corner[i] = (abut_d3){{i & 1 ? bounds.max.x : bounds.min.x, i & 2 ? bounds.max.y : bounds.min.y,
                                   i & 4 ? bounds.max.z : bounds.min.z}};
        }
        draw_edges(d, corner, &item);
    }
}
