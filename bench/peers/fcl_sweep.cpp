/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts and sweeps among FCL's bodies. FCL has no broad phase for what moves (BroadPhaseContinuousCollisionManager is
 * an interface), so its dynamic tree holds the bounds of whole ways, and continuousCollide() is called for each pair
 * whose bounds overlap: conservative advancement that stops at steps of 1e-4 of the way, or, as a library that answers
 * a simpler question, the defaults: ten samples without turning. On long ways the advancement passes through some of
 * what it should meet, more often boxes than spheres, with either of FCL's GJKs. Motions are passed as such, because
 * CCDM_LINEAR makes them round a point that FCL 0.7 leaves undefined. */

#include "fcl_shapes.h"
#include "query_peer.h"
#include <algorithm>
#include <cmath>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/math/motion/translation_motion.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <map>
#include <memory>
#include <vector>

namespace {

typedef fcl::CollisionObject<double> Object;
typedef fcl::Transform3d Transform;
typedef fcl::ContinuousCollisionRequestd Request;
typedef std::shared_ptr<fcl::CollisionGeometryd> Geometry;

Transform transform_of(const abut_pose &pose) {
    Transform t = Transform::Identity();
    t.linear() = fcl_rotation_of(pose.rotation).toRotationMatrix();
    t.translation() = fcl_vector_of(pose.position);
    return t;
}

/* A thing of the tree, whose bounds are those of its way. */
struct Moving : Object {
    Transform from, to;
    Moving(const Geometry &shape, const Transform &at) : Object(shape, at), from(at), to(at) {
    }
    void bound(const abut_aabb &box) {
        aabb.min_ = fcl_vector_of(box.min);
        aabb.max_ = fcl_vector_of(box.max);
    }
};

struct World {
    const query_world *from;
    Request request;
    bool turns; /* or it only ever translates */
    std::map<const abut_hull *, Geometry> hulls;
    std::vector<std::unique_ptr<Moving>> bodies;
    std::vector<uint32_t> moving; /* bodies whose bounds are those of a way */
    fcl::DynamicAABBTreeCollisionManagerd manager;
};

Geometry geometry_of(const World &w, const abut_shape &shape) {
    if (shape.hull != nullptr) {
        return w.hulls.at(shape.hull);
    }
    double radius = static_cast<double>(shape.radius);
    if (radius == 0) {
        return std::make_shared<fcl::Boxd>(2.0 * fcl_vector_of(shape.half));
    }
    if (shape.half.y > 0) {
        return std::make_shared<fcl::Capsuled>(radius, 2.0 * static_cast<double>(shape.half.y));
    }
    return std::make_shared<fcl::Sphered>(radius);
}

void *create_with(const query_world *from, const Request &request) {
    World *w = new World();
    std::vector<Object *> all;
    w->from = from;
    w->request = request;
    w->turns = request.ccd_motion_type != fcl::CCDM_TRANS;
    for (size_t i = 0; i < from->hull_count; ++i) {
        w->hulls[from->hulls[i]] = fcl_convex_of(from->hulls[i]);
    }
    for (size_t i = 0; i < from->count; ++i) {
        w->bodies.emplace_back(new Moving(geometry_of(*w, from->shapes[i]), transform_of(from->poses[i])));
        w->bodies[i]->setUserData(reinterpret_cast<void *>(i));
        w->bodies[i]->bound(from->bounds[i]);
        all.push_back(w->bodies[i].get());
    }
    w->manager.registerObjects(all);
    w->manager.setup();
    return w;
}

void *create(const query_world *from) {
    return create_with(from, Request(10, 1e-4, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, fcl::CCDC_CONSERVATIVE_ADVANCEMENT));
}

void *create_samples(const query_world *from) {
    return create_with(from, Request());
}

/* --- what one meets --- */

/* Calls continuousCollide with the motions of both. */
double collide_as(const Moving &a, const Moving &b, const Request &request, bool turning,
                  fcl::ContinuousCollisionResultd &result) {
    const fcl::CollisionGeometryd *shape_a = a.collisionGeometry().get(), *shape_b = b.collisionGeometry().get();
    if (turning) {
        const fcl::Vector3d centre = fcl::Vector3d::Zero();
        const fcl::InterpMotion<double> from(a.from.linear(), a.from.translation(), a.to.linear(), a.to.translation(),
                                             centre),
            other(b.from.linear(), b.from.translation(), b.to.linear(), b.to.translation(), centre);
        return fcl::continuousCollide(shape_a, &from, shape_b, &other, request, result);
    }
    const fcl::TranslationMotion<double> from(a.from, a.to), other(b.from, b.to);
    return fcl::continuousCollide(shape_a, &from, shape_b, &other, request, result);
}

struct Met {
    const World *world;
    Moving *mover;
    bool turning;
    query_answer answer;
    double least;
};

bool meet(Object *a, Object *b, void *state) {
    Met &met = *static_cast<Met *>(state);
    Moving *other = static_cast<Moving *>(a == met.mover ? b : a);
    if (other == met.mover) {
        return false;
    }
    fcl::ContinuousCollisionResultd result;
    double fraction = collide_as(*met.mover, *other, met.world->request, met.turning, result);
    if (result.is_collide) {
        ++met.answer.found;
        met.answer.sum += static_cast<uint32_t>(reinterpret_cast<uintptr_t>(other->getUserData()));
        met.least = std::min(met.least, fraction);
    }
    return false;
}

Met meet_all(const World &w, Moving *mover, bool turning) {
    Met met = {&w, mover, turning, {0, 0, 0.0f}, 1.0};
    w.manager.collide(mover, &met, meet);
    return met;
}

query_answer first_of(const Met &met) {
    return {met.answer.found > 0, 0, static_cast<float>(met.least)};
}

abut_aabb both(const abut_aabb &a, const abut_aabb &b) {
    return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
            {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
}

/* --- sweeps --- */

/* Bounds of a ball round the origin that holds the shape, which turns about its origin. */
abut_aabb ball_of(const abut_shape &shape, const abut_vec3 &p) {
    const abut_pose middle = {{0, 0, 0}, {0, 0, 0, 1}};
    const abut_aabb box = abut_shape_bounds(&shape, &middle);
    float x = std::max(-box.min.x, box.max.x), y = std::max(-box.min.y, box.max.y), z = std::max(-box.min.z, box.max.z);
    float r = std::sqrt(x * x + y * y + z * z);
    return {{p.x - r, p.y - r, p.z - r}, {p.x + r, p.y + r, p.z + r}};
}

abut_aabb way_bounds(const World &w, uint32_t body, const abut_pose &to, bool turning) {
    const abut_shape &shape = w.from->shapes[body];
    return turning ? both(ball_of(shape, w.from->poses[body].position), ball_of(shape, to.position))
                   : both(w.from->bounds[body], abut_shape_bounds(&shape, &to));
}

/* Everybody rests, except the movers of the questions. */
void set_ways(World &w, const query_set *questions) {
    std::vector<Object *> changed;
    for (uint32_t body : w.moving) {
        w.bodies[body]->to = w.bodies[body]->from;
        w.bodies[body]->bound(w.from->bounds[body]);
        changed.push_back(w.bodies[body].get());
    }
    w.moving.clear();
    for (size_t i = 0; questions->movers != nullptr && i < questions->count; ++i) {
        const uint32_t body = questions->movers[i];
        w.bodies[body]->to = transform_of(questions->targets[i]);
        w.bodies[body]->bound(way_bounds(w, body, questions->targets[i], questions->turning));
        w.moving.push_back(body);
        changed.push_back(w.bodies[body].get());
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    if (!changed.empty()) {
        w.manager.update(changed);
    }
}

void sweep(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    set_ways(w, questions);
    for (size_t i = 0; i < questions->count; ++i) {
        answers[i] = first_of(meet_all(w, w.bodies[questions->movers[i]].get(), w.turns && questions->turning));
    }
}

/* --- casts --- */

/* FCL's capsules lie along z. */
Transform start_of(const abut_cast &cast) {
    Transform t = transform_of(cast.from);
    if (cast.shape.radius > 0 && cast.shape.half.y > 0) {
        t.linear() = t.linear() * Eigen::AngleAxisd(std::acos(0.0), fcl::Vector3d::UnitX()).toRotationMatrix();
    }
    return t;
}

Met cast_one(const World &w, const abut_cast &cast) {
    Moving mover(geometry_of(w, cast.shape), start_of(cast));
    const abut_pose end = {{cast.from.position.x + cast.translation.x, cast.from.position.y + cast.translation.y,
                            cast.from.position.z + cast.translation.z},
                           cast.from.rotation};
    mover.to.translation() = fcl_vector_of(end.position);
    mover.bound(both(abut_shape_bounds(&cast.shape, &cast.from), abut_shape_bounds(&cast.shape, &end)));
    return meet_all(w, &mover, false);
}

void cast(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    set_ways(w, questions);
    for (size_t i = 0; i < questions->count; ++i) {
        answers[i] = first_of(cast_one(w, questions->casts[i]));
    }
}

void cast_all(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    set_ways(w, questions);
    for (size_t i = 0; i < questions->count; ++i) {
        answers[i] = cast_one(w, questions->casts[i]).answer;
    }
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

} // namespace

const query_peer query_peer_fcl_sweep = {"FCL, advancement",
                                         0.01f,
                                         SIZE_MAX,
                                         false,
                                         0,
                                         create,
                                         nullptr,
                                         nullptr,
                                         {nullptr, nullptr, nullptr, nullptr, nullptr, cast, cast_all, sweep},
                                         destroy,
                                         true};
const query_peer query_peer_fcl_samples = {"FCL, 10 samples",
                                           HUGE_VALF,
                                           SIZE_MAX,
                                           false,
                                           0,
                                           create_samples,
                                           nullptr,
                                           nullptr,
                                           {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, sweep},
                                           destroy,
                                           true};
