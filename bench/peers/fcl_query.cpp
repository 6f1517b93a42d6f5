/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* FCL's dynamic tree, with collide() on what a shape's bounds touch, and distance() for the nearest. It has no rays. */

#include "fcl_shapes.h"
#include "query_peer.h"
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <map>
#include <memory>
#include <vector>

namespace {

typedef fcl::CollisionObjectd Object;
typedef std::shared_ptr<fcl::CollisionGeometryd> Geometry;

struct World {
    const query_world *from;
    std::vector<std::unique_ptr<Object>> objects;
    fcl::DynamicAABBTreeCollisionManagerd manager;
};

Geometry box_of(const abut_vec3 &half) {
    return std::make_shared<fcl::Boxd>(2.0 * fcl_vector_of(half));
}

void place(Object &object, const abut_pose &pose) {
    object.setTransform(fcl_rotation_of(pose.rotation), fcl_vector_of(pose.position));
    object.computeAABB();
}

void *create(const query_world *from) {
    World *w = new World();
    w->from = from;
    std::map<const abut_hull *, Geometry> hulls;
    std::vector<Object *> all;
    for (size_t i = 0; i < from->hull_count; ++i) {
        hulls[from->hulls[i]] = fcl_convex_of(from->hulls[i]);
    }
    for (size_t i = 0; i < from->count; ++i) {
        const abut_shape &shape = from->shapes[i];
        w->objects.emplace_back(new Object(shape.hull != nullptr ? hulls[shape.hull] : box_of(shape.half)));
        all.push_back(w->objects.back().get());
        all.back()->setUserData(reinterpret_cast<void *>(i));
        place(*all.back(), from->poses[i]);
    }
    w->manager.registerObjects(all);
    w->manager.setup();
    return w;
}

struct Overlaps {
    Object *shape;
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    query_answer answer;
};

size_t body_of(const Object *object) {
    return reinterpret_cast<uintptr_t>(object->getUserData());
}

bool collide(Object *a, Object *b, void *state) {
    Overlaps &o = *static_cast<Overlaps *>(state);
    o.result.clear();
    if (fcl::collide(a, b, o.request, o.result) > 0) {
        ++o.answer.found;
        o.answer.sum += static_cast<uint32_t>(body_of(a == o.shape ? b : a));
    }
    return false;
}

struct Bounds {
    const World *world;
    const Object *shape;
    const abut_aabb *box;
    query_answer answer;
};

bool touch(const abut_aabb &a, const abut_aabb &b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
           b.min.z <= a.max.z;
}

/* FCL's own bounds of a turned body are those of a ball round it. */
bool test_bounds(Object *a, Object *b, void *state) {
    Bounds &query = *static_cast<Bounds *>(state);
    size_t body = body_of(a == query.shape ? b : a);
    if (touch(query.world->from->bounds[body], *query.box)) {
        ++query.answer.found;
        query.answer.sum += static_cast<uint32_t>(body);
    }
    return false;
}

void overlap(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const abut_shape &shape = questions->shapes[i];
        Object object(shape.radius > 0 ? std::make_shared<fcl::Sphered>(static_cast<double>(shape.radius))
                                       : box_of(shape.half));
        place(object, questions->poses[i]);
        Overlaps o = {&object, {}, {}, {}};
        w.manager.collide(&object, &o, collide);
        answers[i] = o.answer;
    }
}

void bounds(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const abut_aabb &box = questions->boxes[i];
        const fcl::Vector3d low = fcl_vector_of(box.min), high = fcl_vector_of(box.max);
        Object object(std::make_shared<fcl::Boxd>(high - low), fcl::Matrix3d::Identity(), 0.5 * (low + high));
        Bounds query = {&w, &object, &box, {}};
        w.manager.collide(&object, &query, test_bounds);
        answers[i] = query.answer;
    }
}

struct Nearest {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
};

bool measure(Object *a, Object *b, void *state, double &least) {
    Nearest &n = *static_cast<Nearest *>(state);
    fcl::distance(a, b, n.request, n.result);
    least = n.result.min_distance;
    return least <= 0;
}

void nearest(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        Object point(std::make_shared<fcl::Sphered>(0.0));
        Nearest n;
        place(point, {questions->points[i], {0, 0, 0, 1}});
        w.manager.distance(&point, &n, measure);
        answers[i] = {1, 0, static_cast<float>(n.result.min_distance)};
    }
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

} // namespace

const query_peer query_peer_fcl = {
    "FCL",   0.002f, SIZE_MAX, false, 1, create, nullptr, nullptr, {nullptr, nullptr, overlap, bounds, nearest},
    destroy, false};
