/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes that do not touch, but are too near each other for a search to see a gap: whether the way leads apart. */
#include "narrowphase/box/separation.h"
#include "narrowphase/cast/cast.h"
#include "narrowphase/round/round.h"

/* The direction of the closest points is good enough to know that a way so far off it leads apart, where the cores are
 * well apart; where they are not, its error is what rounding does to their distance, a share of the slack. */
static const double CLEARLY = 0x1p-21, NOISE = 0x1p-4;

/* An axis opens if it does so by this share of its length and the way's, far above rounding. */
static const double OPENS = 0x1p-40;

static bool opens(abut_d3 n, abut_d3 apart, abut_d3 way) {
    double length = abut_d3_norm1(n), side = abut_d3_dot(n, apart), along = abut_d3_dot(n, way);
    return fabs(side) > OPENS * length * abut_d3_norm1(apart) &&
           (side > 0 ? -along : along) > OPENS * length * abut_d3_norm1(way);
}

/* Two boxes never touch if an axis that shows a gap opens. Those that open are asked in double-double: a gap that this
 * does not see, either, counts as none. */
static bool boxes_lead_apart(const abut_np_cast *cast, const abut_collider *collider) {
    const abut_d3 way = abut_d3_load(cast->translation);
    const abut_d3 apart = abut_d3_sub(abut_d3_from(collider->center), abut_d3_from(cast->start.center));
    double m[2][3][3];
    abut_d3 axis[2][3];
    abut_np_axes open = 0;
    abut_dquat_matrix(abut_dquat_from(cast->start.rotation), m[0]);
    abut_dquat_matrix(abut_dquat_from(collider->rotation), m[1]);
    for (int k = 0; k < 3; k++) {
        for (int box = 0; box < 2; box++) {
            axis[box][k] = (abut_d3){{m[box][0][k], m[box][1][k], m[box][2][k]}};
            open |= (abut_np_axes)opens(axis[box][k], apart, way) << (3 * box + k);
        }
    }
    for (int e = 0; e < 9; e++) {
        const abut_d3 n = abut_d3_cross(axis[0][e / 3], axis[1][e % 3]);
        /* The cross product of nearly parallel edges has no direction to rely on. */
        open |= (abut_np_axes)(abut_d3_norm1(n) > 0x1p-10 && opens(n, apart, way)) << (6 + e);
    }
    return open && abut_np_box_separated_dd(&cast->start, collider, 0, open);
}

bool abut_np_cast_leads_apart(const abut_np_cast *cast, const abut_np_moving *moving, const abut_collider *collider) {
    const abut_d3 way = abut_d3_load(cast->translation);
    abut_vec3 position, n;
    if (cast->start.type == ABUT_SHAPE_BOX && collider->type == ABUT_SHAPE_BOX) {
        return boxes_lead_apart(cast, collider);
    }
    double cores = abut_np_nearest_point(&cast->start, collider, &position, &n) + moving->radii;
    return abut_d3_dot(abut_d3_from(n), way) > (CLEARLY + NOISE * moving->slack / cores) * abut_d3_norm1(way);
}
