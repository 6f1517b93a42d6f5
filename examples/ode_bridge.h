/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut as the collision layer of an ODE world. Once per body: ode_bridge_add. In every step:
 *
 *     ode_bridge_collide(bridge, seconds, joints, &counts);
 *     dWorldQuickStep(dynamics, seconds);
 *     dJointGroupEmpty(joints);
 */
#ifndef ODE_BRIDGE_H
#define ODE_BRIDGE_H

#include <abut/abut.h>
#include <ode/ode.h>

typedef struct ode_bridge ode_bridge;

/* What touches in a step. */
typedef struct ode_bridge_counts {
    size_t pairs, points;
    size_t parts; /* triangles of meshes */
    size_t kept;  /* points that existed in the step before as well */
} ode_bridge_counts;

/* margin: the largest gap at which contacts are still reported, so that no body falls for one step because rounding or
 * the solver left a gap. A few millimetres for bodies of a metre. */
abut_result ode_bridge_create(dWorldID dynamics, const dSurfaceParameters *surface, float margin, ode_bridge **bridge);
void ode_bridge_destroy(ode_bridge **bridge);

/* Gives a body a shape, about its centre of mass; its pose is ODE's. Without a body (NULL): a static shape at
 * def->pose. */
abut_result ode_bridge_add(ode_bridge *bridge, dBodyID body, const abut_body_def *def);

/* Finds the current contacts and makes contact joints of them. */
abut_result ode_bridge_collide(ode_bridge *bridge, double seconds, dJointGroupID joints, ode_bridge_counts *counts);

#endif
