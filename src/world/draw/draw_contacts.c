/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/draw/draw.h"

/* Draws the contacts of the last step whose bodies both still live. */

static float largest_half(const abut_collider *collider) {
    const abut_vec3 half = abut_shape_of(collider)->local_obb(collider).half;
    return abut_max_f(abut_max_f(half.x, half.y), half.z) + collider->radius;
}

static double normal_length(const abut_w_drawing *d, uint32_t a, uint32_t b) {
    float of_a = largest_half(&d->world->collider[a]), of_b = largest_half(&d->world->collider[b]);
    return d->to.normal_length > 0 ? d->to.normal_length : 0.5 * (double)(of_a < of_b ? of_a : of_b);
}

/* `index` is that of its first point. */
static void draw_points(const abut_w_drawing *d, const abut_manifold *manifold, double length, uint32_t index,
                        abut_draw_item *item) {
    for (uint32_t i = 0; i < manifold->count; i++) {
        abut_vec3 position = manifold->points[i].position;
        abut_d3 from = abut_d3_from(position);
        item->index = index + i;
        if (d->to.point) {
            d->to.point(position, item, d->to.user);
        }
        abut_w_draw_line(d, from, abut_d3_along(from, length, abut_d3_from(manifold->normal)), item);
    }
}

/* Of a contact with a mesh: those of its parts. */
static void draw_all_points(const abut_w_drawing *d, double length, abut_draw_item *item) {
    const abut_contact *c = item->contact;
    if (c->part_count == 0) {
        draw_points(d, &c->manifold, length, 0, item);
        return;
    }
    const abut_contact_part *part = abut_world_parts(d->world, NULL) + c->part_first;
    uint32_t index = 0;
    for (uint32_t k = 0; k < c->part_count; k++) {
        draw_points(d, &part[k].manifold, length, index, item);
        index += part[k].manifold.count;
    }
}

void abut_w_draw_contacts(const abut_w_drawing *d) {
    size_t count;
    const abut_contact *contact = abut_world_contacts(d->world, &count);
    for (size_t k = 0; k < count; k++) {
        const abut_contact *c = &contact[k];
        uint32_t a, b;
        if (abut_w_slot(d->world, c->a, &a) || abut_w_slot(d->world, c->b, &b) ||
            !abut_w_query_passes(d->world, &d->filter, a) || !abut_w_query_passes(d->world, &d->filter, b)) {
            continue;
        }
        abut_draw_item item = {.kind = ABUT_DRAW_CONTACT,
                               .body = c->a,
                               .other = c->b,
                               .user = c->user_a,
                               .user_other = c->user_b,
                               .contact = c};
        if (c->manifold.count > 0) {
            draw_all_points(d, normal_length(d, a, b), &item);
        } else {
            abut_w_draw_line(d, abut_w_draw_center(d->world, a), abut_w_draw_center(d->world, b), &item);
        }
    }
}
