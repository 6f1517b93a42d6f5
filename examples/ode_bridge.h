/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut as the collision layer of an ODE world. Once for a body: ode_bridge_add. In every step:
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
    size_t kept; /* points that were there in the step before, too */
} ode_bridge_counts;

/* margin: how far apart bodies may be and still be told of, so that none falls for a step because rounding or the
 * solver left a gap. A few millimetres for bodies of a metre. */
abut_result ode_bridge_create(dWorldID dynamics, const dSurfaceParameters *surface, float margin, ode_bridge **bridge);
void ode_bridge_destroy(ode_bridge **bridge);

/* Gives a body a shape, about its centre of mass; its pose is ODE's. Without a body (NULL): something that never moves,
 * where def->pose says. */
abut_result ode_bridge_add(ode_bridge *bridge, dBodyID body, const abut_body_def *def);

/* Finds what touches now and makes contact joints of it. */
abut_result ode_bridge_collide(ode_bridge *bridge, double seconds, dJointGroupID joints, ode_bridge_counts *counts);

#endif
