/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/aimed_rays.h"
#include "base/spatial.h"
#include "shape/shape.h"
#include <math.h>

/* A corner of the core, the middle of two, or a point among four; in the body's frame. */
static abut_d3 point_of_core(const abut_collider *c, rng *r) {
    const abut_shape_class *shape = abut_shape_of(c);
    uint32_t count = shape->corner_count(c), of = UINT32_C(1) << rng_below(r, 3);
    abut_d3 point = {{0, 0, 0}};
    for (uint32_t i = 0; i < of; i++) {
        point = abut_d3_along(point, 1.0 / of, shape->corner(c, rng_below(r, count)));
    }
    return point;
}

/* Any, or along the axes of the world or of the body. */
static abut_d3 direction(double m[3][3], rng *r) {
    abut_d3 d = abut_d3_from(rng_direction(r));
    uint32_t kind = rng_below(r, 4), axis = rng_below(r, 3);
    if (kind == 1) {
        d = (abut_d3){{axis == 0, axis == 1, axis == 2}};
    } else if (kind == 2) {
        d.x[axis] = 0;
        d = abut_d3_rotate(m, d);
    } else if (kind == 3) {
        d = (abut_d3){{m[0][axis], m[1][axis], m[2][axis]}};
    }
    (void)abut_d3_normalise(&d);
    return d;
}

abut_ray aimed_ray(const round_body *body, rng *r) {
    static const double from[] = {0, 0.5, 3, 100, 1e6}, length[] = {0, 1e-3, 1, 2, 1e3, 1e30};
    abut_collider c;
    double m[3][3];
    abut_ray ray = {.origin = {0, 0, 0}};
    if (!abut_collider_from_shape(&body->shape, &body->pose, &c)) {
        return ray;
    }
    abut_dquat_matrix(abut_dquat_from(c.rotation), m);
    const abut_d3 d = direction(m, r), across = abut_d3_cross(d, abut_d3_from(rng_direction(r)));
    abut_d3 at = abut_d3_rotate(m, point_of_core(&c, r));
    double size = abut_shape_of(&c)->extent(&c) + c.radius, away = size * from[rng_below(r, 5)];
    double beside =
        rng_chance(r, 0.5) ? c.radius * (1 + rng_range(r, -1e-15, 1e-15)) : rng_range(r, 0, 2 * (double)c.radius);
    at = abut_d3_along(at, rng_chance(r, 0.5) ? 0 : beside, across);
    const abut_d3 start = abut_d3_along(abut_d3_along(abut_d3_from(c.center), 1, at), -away, d);
    double far = (away + size) * length[rng_below(r, 6)];
    ray.origin = abut_vec3_round(start);
    ray.translation = (abut_vec3){(float)(d.x[0] * far), (float)(d.x[1] * far), (float)(d.x[2] * far)};
    return ray;
}

void aimed_body(const round_hulls *hulls, uint64_t seed, uint64_t index, rng *r, round_body *out) {
    near_round_body(hulls, seed, index, (round_kind)rng_below(r, ROUND_KINDS), rng_log_range(r, 1e-3, 1e3), out);
    if (rng_chance(r, 0.7)) {
        float away = (float)rng_log_range(r, 1e-2, 1e4);
        out->pose.position = rng_vec3(r, -away, away);
    }
    if (rng_chance(r, 0.3)) {
        const abut_quat turn[3] = {{0, 0, 0, 1}, {0.5f, 0.5f, -0.5f, 0.5f}, {0, 0.70710678f, 0, 0.70710678f}};
        out->pose.rotation = turn[rng_below(r, 3)];
    }
}
