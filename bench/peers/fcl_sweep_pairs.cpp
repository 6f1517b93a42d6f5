/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* FCL's continuousCollide(). By default it looks at ten poses and does not turn anything (CCDM_TRANS). Its conservative
 * advancement stops when a step is less than 1e-4 of the way, whatever toc_err says; for a tolerance as small as ours
 * the last row repeats its loop around its own steps. Turning motions are passed as such, because CCDM_LINEAR makes
 * them round a point that FCL 0.7 leaves undefined. */

#include "fcl_shapes.h"
#include "sweep_peer.h"
#include <fcl/geometry/shape/box.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>
#include <fcl/narrowphase/detail/traversal/distance/shape_conservative_advancement_traversal_node.h>
#include <fcl/narrowphase/distance.h>
#include <memory>
#include <vector>

namespace {

typedef fcl::Transform3d Transform;
typedef fcl::ContinuousCollisionRequestd Request;

struct Body {
    std::shared_ptr<fcl::CollisionGeometryd> shape;
    Transform from, to;
};

typedef fcl::InterpMotion<double> Turning;

struct Pairs {
    std::vector<Body> a, b;
    bool boxes;
};

Turning motion_of(const Body &body) {
    return Turning(body.from.linear(), body.from.translation(), body.to.linear(), body.to.translation(),
                   fcl::Vector3d::Zero());
}

Transform transform_of(const abut_pose &pose) {
    Transform t = Transform::Identity();
    t.linear() = fcl_rotation_of(pose.rotation).toRotationMatrix();
    t.translation() = fcl_vector_of(pose.position);
    return t;
}

Body body_of(const sweep_body &body) {
    Body b = {nullptr, transform_of(body.from), transform_of(body.to)};
    if (body.shape.hull != nullptr) {
        b.shape = fcl_convex_of(body.shape.hull);
    } else {
        b.shape = std::make_shared<fcl::Boxd>(2.0 * fcl_vector_of(body.shape.half));
    }
    b.shape->computeLocalAABB();
    return b;
}

void *create(const sweep_set *set) {
    Pairs *s = new Pairs();
    for (size_t i = 0; i < set->count; ++i) {
        s->a.push_back(body_of(set->a[i]));
        s->b.push_back(body_of(set->b[i]));
    }
    s->boxes = set->count == 0 || set->a[0].shape.hull == nullptr;
    return s;
}

void run_default(void *state, float *fractions) {
    const Pairs &s = *static_cast<const Pairs *>(state);
    for (size_t i = 0; i < s.a.size(); ++i) {
        const Body &a = s.a[i], &b = s.b[i];
        fcl::ContinuousCollisionResultd result;
        double fraction =
            fcl::continuousCollide(a.shape.get(), a.from, a.to, b.shape.get(), b.from, b.to, Request(), result);
        fractions[i] = result.is_collide ? static_cast<float>(fraction) : SWEEP_NONE;
    }
}

void run_turning(void *state, float *fractions, const Request &request) {
    const Pairs &s = *static_cast<const Pairs *>(state);
    for (size_t i = 0; i < s.a.size(); ++i) {
        const Turning a = motion_of(s.a[i]), b = motion_of(s.b[i]);
        fcl::ContinuousCollisionResultd result;
        double fraction = fcl::continuousCollide(s.a[i].shape.get(), &a, s.b[i].shape.get(), &b, request, result);
        fractions[i] = result.is_collide ? static_cast<float>(fraction) : SWEEP_NONE;
    }
}

void run_samples(void *state, float *fractions) {
    run_turning(state, fractions, Request());
}

void run_advancement(void *state, float *fractions) {
    run_turning(state, fractions,
                Request(10, 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, fcl::CCDC_CONSERVATIVE_ADVANCEMENT));
}

void run_advancement_indep(void *state, float *fractions) {
    run_turning(state, fractions,
                Request(10, 1e-4, fcl::CCDM_LINEAR, fcl::GST_INDEP, fcl::CCDC_CONSERVATIVE_ADVANCEMENT));
}

typedef fcl::detail::GJKSolver_libccdd Solver;

/* Conservative advancement with steps down to 1e-6 of the way. */
template <class Shape> float advance(const Body &a, const Body &b, const Solver &solver) {
    const double least_step = 1e-6;
    const Turning motion_a = motion_of(a), motion_b = motion_of(b);
    fcl::detail::ShapeConservativeAdvancementTraversalNode<Shape, Shape, Solver> node;
    fcl::detail::initialize(node, static_cast<const Shape &>(*a.shape), a.from, static_cast<const Shape &>(*b.shape),
                            b.from, &solver);
    node.motion1 = &motion_a;
    node.motion2 = &motion_b;
    for (;;) {
        motion_a.getCurrentTransform(node.tf1);
        motion_b.getCurrentTransform(node.tf2);
        node.delta_t = 1;
        node.min_distance = std::numeric_limits<double>::max();
        fcl::detail::distanceRecurse<double>(&node, 0, 0, nullptr);
        if (node.delta_t <= least_step) {
            return static_cast<float>(node.toc);
        }
        node.toc += node.delta_t;
        if (node.toc > 1) {
            return SWEEP_NONE;
        }
        motion_a.integrate(node.toc);
        motion_b.integrate(node.toc);
    }
}

void run_closer(void *state, float *fractions) {
    const Pairs &s = *static_cast<const Pairs *>(state);
    const Solver solver;
    for (size_t i = 0; i < s.a.size(); ++i) {
        fractions[i] =
            s.boxes ? advance<fcl::Boxd>(s.a[i], s.b[i], solver) : advance<fcl::Convexd>(s.a[i], s.b[i], solver);
    }
}

void destroy(void *state) {
    delete static_cast<Pairs *>(state);
}

const sweep_peer peers[] = {
    {"FCL defaults (10 samples, no turning)", create, run_default, destroy},
    {"FCL 10 samples, turning", create, run_samples, destroy},
    {"FCL advancement 1e-4, libccd", create, run_advancement, destroy},
    {"FCL advancement 1e-4, GST_INDEP", create, run_advancement_indep, destroy},
    {"FCL advancement 1e-6, libccd", create, run_closer, destroy},
};

} // namespace

const sweep_library sweep_library_fcl = {peers, sizeof peers / sizeof peers[0]};
