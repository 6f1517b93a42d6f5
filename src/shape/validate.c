/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Self-checks of colliders: the answers of the shape table about one shape must agree with each other. */
#include "shape/collider.h"
#include "shape/table.h"

bool abut_collider_valid(const abut_collider *collider) {
    return collider->type < ABUT_SHAPE_TYPES && abut_shape_of(collider)->valid(collider);
}

/* The bounds, and the collider's matrix. */
typedef struct placed_bounds {
    double low[3], high[3], center[3], m[3][3], radius;
} placed_bounds;

/* Coordinate i of a local point in the world. */
static double coordinate(const placed_bounds *b, int i, abut_d3 local) {
    return b->center[i] + (b->m[i][0] * local.x[0] + b->m[i][1] * local.x[1] + b->m[i][2] * local.x[2]);
}

/* Whether the bounds contain the ball about a point of the core, to within rounding. */
static bool contain(const placed_bounds *b, abut_d3 local) {
    bool yes = true;
    for (int i = 0; i < 3; i++) {
        double rounding = 0x1p-48 * (fabs(b->center[i]) + abut_d3_norm1(local) + b->radius),
               x = coordinate(b, i, local);
        yes = yes && b->low[i] <= x - b->radius + rounding && b->high[i] >= x + b->radius - rounding;
    }
    return yes;
}

/* Whether the bounds end where the shape does, but for the rounding to floats and that of their computation, which is
 * less than twice as much. */
static bool are_tight(const placed_bounds *b, const abut_collider *collider) {
    const abut_shape_class *shape = abut_shape_of(collider);
    double size = shape->extent(collider);
    bool yes = true;
    for (int i = 0; i < 3; i++) {
        const abut_d3 up = {{b->m[i][0], b->m[i][1], b->m[i][2]}}, down = abut_d3_negate(up);
        double rounding = 0x1p-21 * (fabs(b->center[i]) + size) + 0x1p-140;
        yes = yes && b->high[i] <= coordinate(b, i, shape->support(collider, up)) + b->radius + rounding;
        yes = yes && b->low[i] >= coordinate(b, i, shape->support(collider, down)) - b->radius - rounding;
    }
    return yes;
}

bool abut_collider_bounds_valid(const abut_collider *collider) {
    const abut_shape_class *shape = abut_shape_of(collider);
    const abut_aabb bounds = abut_collider_bounds(collider);
    placed_bounds b = {.low = {bounds.min.x, bounds.min.y, bounds.min.z},
                       .high = {bounds.max.x, bounds.max.y, bounds.max.z},
                       .center = {collider->center.x, collider->center.y, collider->center.z},
                       .radius = collider->radius};
    abut_dquat_matrix(abut_dquat_from(collider->rotation), b.m);
    bool valid = are_tight(&b, collider);
    for (uint32_t i = 0; valid && i < shape->corner_count(collider); i++) {
        const abut_d3 corner = shape->corner(collider, i);
        valid = contain(&b, corner) && sqrt(abut_d3_dot(corner, corner)) <= shape->extent(collider) * (1 + 0x1p-50);
    }
    return valid;
}
