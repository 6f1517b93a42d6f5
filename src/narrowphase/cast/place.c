/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where the answer is one body: position and normal. */
#include "narrowphase/cast/cast.h"
#include "narrowphase/round/round.h"

/* Cores that no search can tell from touching, not even at the start. */
static abut_d3 normal_at_start(const abut_np_cast *cast, const abut_collider *collider) {
    abut_d3 against = abut_d3_negate(abut_d3_load(cast->translation));
    abut_manifold m;
    float margin = abut_bits_round_up(0x1p-30 * abut_np_size_of(&cast->start, collider));
    if (abut_np_collide(collider, &cast->start, margin, &m)) {
        return abut_d3_from(m.normal);
    }
    (void)abut_d3_normalise_scaled(&against);
    return against;
}

/* The unit normal at the touch, in the world. The direction of the closest points, where it is certain to be that of a
 * plane between the two and leads against the way; else that of the last plane that does, if there is one. */
static abut_d3 normal_at(const abut_np_cast *cast, const abut_collider *collider, const abut_np_moving *m,
                         const abut_np_nearest *s) {
    abut_d3 n = s->along, plane = {{0, 0, 0}};
    bool certain = !s->overlap && s->lower >= m->radii - 4 * m->slack && abut_d3_normalise_scaled(&n) > 0;
    if (!certain || !(abut_d3_dot(n, m->along) < 0)) {
        (void)abut_np_cast_stepped(m, 0, INFINITY, &plane);
    }
    if (abut_d3_norm1(plane) > 0) {
        n = plane;
    } else if (!certain) {
        return normal_at_start(cast, collider);
    }
    return abut_d3_rotate((double(*)[3])m->cores.axes_a, n);
}

void abut_np_cast_place(const abut_np_cast *cast, const abut_collider *collider, double fraction, abut_vec3 *position,
                        abut_vec3 *normal) {
    abut_np_moving m;
    abut_np_nearest s;
    abut_np_closest closest;
    abut_np_moving_place(cast, collider, &m);
    abut_np_moving_nearest(&m, fraction, &s);
    abut_np_nearest_report(&m.cores, &s, &closest);
    abut_d3 n;
    bool boxes = cast->start.type == ABUT_SHAPE_BOX && collider->type == ABUT_SHAPE_BOX;
    if (!boxes || !abut_np_cast_normal_of_boxes(cast, collider, &n)) {
        n = normal_at(cast, collider, &m, &s);
    }
    const abut_d3 on_body = abut_d3_along(closest.on_a, collider->radius, n);
    const abut_d3 on_shape = abut_d3_along(closest.on_b, -(double)cast->start.radius, n);
    const abut_d3 middle = abut_d3_along(on_body, 0.5, abut_d3_sub(on_shape, on_body));
    *position = abut_vec3_round(abut_d3_along(abut_d3_from(collider->center), 1, middle));
    *normal = abut_vec3_round(n);
}

bool abut_np_cast_closes(const abut_np_cast *cast, const abut_collider *collider, abut_vec3 *position,
                         abut_vec3 *normal) {
    abut_manifold m;
    abut_vec3 none;
    (void)abut_np_nearest_point(&cast->start, collider, position, &none);
    *normal = (abut_vec3){0, 0, 0};
    if (abut_np_collide(collider, &cast->start, 0, &m)) {
        *normal = m.normal;
    }
    return abut_d3_dot(abut_d3_load(cast->translation), abut_d3_from(*normal)) < 0;
}
