/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet's btContinuousConvexCollision, which convexSweepTest uses: conservative advancement until shapes are within
 * 0.001. Its turning motion is that of constant angular velocity. Margins are 0. */

#include "sweep_peer.h"
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

struct Body {
    std::unique_ptr<btConvexShape> shape;
    btTransform from, to;
};

struct Pairs {
    std::vector<Body> a, b;
};

btVector3 vector_of(const abut_vec3 &v) {
    return btVector3(v.x, v.y, v.z);
}

btTransform transform_of(const abut_pose &pose) {
    const abut_quat &q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), vector_of(pose.position));
}

std::unique_ptr<btConvexShape> shape_of(const abut_shape &shape) {
    if (shape.hull == nullptr) {
        std::unique_ptr<btConvexShape> box(new btBoxShape(vector_of(shape.half)));
        box->setMargin(0);
        return box;
    }
    std::unique_ptr<btConvexHullShape> hull(new btConvexHullShape());
    for (size_t i = 0; i < abut_hull_vertex_count(shape.hull); ++i) {
        hull->addPoint(vector_of(abut_hull_vertices(shape.hull)[i]), false);
    }
    hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
}

Body body_of(const sweep_body &body) {
    return {shape_of(body.shape), transform_of(body.from), transform_of(body.to)};
}

void *create(const sweep_set *set) {
    Pairs *s = new Pairs();
    for (size_t i = 0; i < set->count; ++i) {
        s->a.push_back(body_of(set->a[i]));
        s->b.push_back(body_of(set->b[i]));
    }
    return s;
}

void run(void *state, float *fractions) {
    const Pairs &s = *static_cast<const Pairs *>(state);
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    for (size_t i = 0; i < s.a.size(); ++i) {
        const Body &a = s.a[i], &b = s.b[i];
        btContinuousConvexCollision pair(a.shape.get(), b.shape.get(), &simplex, &depth);
        btConvexCast::CastResult result;
        result.m_fraction = 1;
        result.m_allowedPenetration = 0;
        bool meets = pair.calcTimeOfImpact(a.from, a.to, b.from, b.to, result) && result.m_fraction < 1;
        fractions[i] = meets ? static_cast<float>(result.m_fraction) : SWEEP_NONE;
    }
}

void destroy(void *state) {
    delete static_cast<Pairs *>(state);
}

const sweep_peer peers[] = {{"Bullet btContinuousConvexCollision", create, run, destroy}};

} // namespace

const sweep_library sweep_library_bullet = {peers, sizeof peers / sizeof peers[0]};
