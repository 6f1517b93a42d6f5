/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where the answer is one body: position and normal. */
#include "narrowphase/cast/cast.h"

/* The unit normal at the touch, in the frame of the body. The direction of the closest points, where it is certain to
 * be that of a plane between the two; else that of the last plane that was. Where rounding decides it, it is against
 * the way. */
static abut_d3 normal_at(const abut_np_moving *m, const abut_np_nearest *s) {
    abut_d3 n = s->along, against = abut_d3_negate(m->along);
    (void)abut_d3_normalise_scaled(&against);
    if (s->overlap || s->lower < m->radii - 4 * m->slack || !(abut_d3_normalise_scaled(&n) > 0) ||
        !(abut_d3_dot(n, m->along) < 0)) {
        n = against;
        (void)abut_np_cast_stepped(m, 0, INFINITY, &n);
    }
    return n;
}

void abut_np_cast_place(const abut_np_cast *cast, const abut_collider *collider, double fraction, abut_vec3 *position,
                        abut_vec3 *normal) {
    abut_np_moving m;
    abut_np_nearest s;
    abut_np_closest closest;
    abut_np_moving_place(cast, collider, &m);
    abut_np_moving_nearest(&m, fraction, &s);
    abut_np_nearest_report(&m.cores, &s, &closest);
    const abut_d3 n = abut_d3_rotate(m.cores.axes_a, normal_at(&m, &s));
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
