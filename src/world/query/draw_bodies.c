/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/shape.h"
#include "world/query/draw.h"

/* Shapes and bounds. */

static abut_draw_item item_of(const abut_world *world, abut_draw_kind kind, uint32_t slot) {
    return (abut_draw_item){.kind = kind,
                            .body = abut_w_id(world, slot),
                            .user = world->body_user[slot],
                            .motion = (abut_motion)world->traits[slot].motion};
}

/* Corner i has the positive end of axis k where bit k of i is set. */
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

/* An edge lies in two faces, and leads up in one of them. */
static void draw_hull(const abut_w_drawing *d, const abut_collider *collider, const abut_draw_item *item) {
    const abut_hull *hull = collider->hull;
    const abut_hull_polygon *face = abut_hull_faces(hull);
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    const abut_d3 center = abut_d3_from(collider->center);
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(collider->rotation), m);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint16_t *loop = abut_hull_indices(hull, hull->loop) + face[f].first;
        for (uint32_t i = 0; i < face[f].count; i++) {
            uint16_t from = loop[i], to = loop[i + 1 < face[f].count ? i + 1 : 0];
            if (from < to) {
                abut_d3 p = abut_d3_rotate(m, abut_d3_from(vertex[from]));
                abut_d3 q = abut_d3_rotate(m, abut_d3_from(vertex[to]));
                abut_w_draw_line(d, abut_d3_along(center, 1, p), abut_d3_along(center, 1, q), item);
            }
        }
    }
}

void abut_w_draw_shapes(const abut_w_drawing *d) {
    const abut_world *world = d->world;
    for (uint32_t slot = 0; (slot = abut_w_drawing_next(d, slot)) < world->ids.used; slot++) {
        const abut_draw_item item = item_of(world, ABUT_DRAW_SHAPE, slot);
        const abut_collider *collider = &world->collider[slot];
        if (!collider->hull) {
            draw_box(d, &(abut_obb){collider->center, collider->rotation, collider->half}, &item);
        } else if (d->to.line) {
            draw_hull(d, collider, &item);
        }
    }
}

/* A box whose faces pass through those of the bounds, or beyond them by a rounding. */
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
