/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#ifndef ABUT_BENCH_BULLET_SHAPES_H
#define ABUT_BENCH_BULLET_SHAPES_H

#include <abut/types.h>
#include <btBulletCollisionCommon.h>
#include <memory>

/* A box; with a radius a sphere, or a capsule along z. */
inline std::unique_ptr<btConvexShape> bullet_shape_of(const abut_vec3 &half, float radius) {
    if (radius == 0) {
        return std::unique_ptr<btConvexShape>(new btBoxShape(btVector3(half.x, half.y, half.z)));
    }
    if (half.z == 0) {
        return std::unique_ptr<btConvexShape>(new btSphereShape(radius));
    }
    return std::unique_ptr<btConvexShape>(new btCapsuleShapeZ(radius, 2 * half.z));
}

#endif
