/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#ifndef ABUT_BENCH_ODE_SHAPES_H
#define ABUT_BENCH_ODE_SHAPES_H

#include <abut/types.h>
#include <ode/ode.h>

/* A box; with a radius a sphere, or a capsule along z. */
static inline dGeomID ode_geom_of(dSpaceID space, const abut_vec3 *half, float radius) {
    if (radius == 0.0f) {
        return dCreateBox(space, 2 * (dReal)half->x, 2 * (dReal)half->y, 2 * (dReal)half->z);
    }
    return half->z == 0.0f ? dCreateSphere(space, (dReal)radius)
                           : dCreateCapsule(space, (dReal)radius, 2 * (dReal)half->z);
}

#endif
