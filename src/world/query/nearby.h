/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bodies near a box, and a shape that a question is about. */
#ifndef ABUT_WORLD_QUERY_NEARBY_H
#define ABUT_WORLD_QUERY_NEARBY_H

#include "world/query/whom.h"

/* A shape where it is asked about. */
typedef struct abut_w_probe {
    abut_collider collider;
    abut_bp_box box; /* the bounds of all bodies that it can meet touch this */
    double reach;    /* by which this is larger than its bounds, at least */
} abut_w_probe;

/* The shape as a collider; its box reaches bodies within `margin` (>= 0), and those that rounding lets touch.
 * ABUT_ERROR_ARGUMENT for an invalid shape or pose, ABUT_ERROR_LIMIT where it is valid but the pose or the bounds
 * exceed ABUT_MAX_COORDINATE. */
abut_result abut_w_probe_of(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float margin,
                            abut_w_probe *probe);

/* Gets the slots of some bodies, n of 1 to ABUT_W_QUERY_SLOTS. */
typedef void abut_w_meet(void *context, const uint32_t *slot, uint32_t n);

/* Gets the slot of a body with a mesh. */
typedef void abut_w_meet_mesh(void *context, uint32_t slot);

/* Calls `meet` with the bodies that count and whose bounds touch the closed box (its ends may be infinite), each once,
 * in any order; bodies whose bounds are near the box may be among them. If it is the box of a probe, bodies that this
 * cannot meet may be left out; else `probe` is NULL. Those with meshes go to `mesh` instead, unless that is NULL. */
void abut_w_nearby(const abut_w_whom *whom, const abut_bp_box *box, const abut_w_probe *probe, abut_w_meet *meet,
                   abut_w_meet_mesh *mesh, void *context);

/* Calls `mesh` with the bodies that have meshes, and drops them; returns how many are left. */
uint32_t abut_w_nearby_meshes(const abut_world *world, uint32_t *slot, uint32_t n, abut_w_meet_mesh *mesh,
                              void *context);

#endif
