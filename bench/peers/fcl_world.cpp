/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* FCL's dynamic tree, and collide() with contacts on each pair it finds. Static bodies have a tree of their own. */

#include "world_peer.h"
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/collision.h>
#include <memory>
#include <vector>

namespace {

typedef fcl::CollisionObjectd Object;
typedef fcl::DynamicAABBTreeCollisionManagerd Manager;

struct World {
    const body_frame *frame;
    std::vector<std::unique_ptr<Object>> objects;
    Manager movers, others;
    fcl::CollisionRequestd request{4, true};
    fcl::CollisionResultd result;
    world_count found;
};

void place(Object &object, const abut_pose &pose) {
    const abut_quat &q = pose.rotation;
    object.setTransform(fcl::Quaterniond(static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
                                         static_cast<double>(q.z)),
                        fcl::Vector3d(static_cast<double>(pose.position.x), static_cast<double>(pose.position.y),
                                      static_cast<double>(pose.position.z)));
    object.computeAABB();
}

std::shared_ptr<fcl::CollisionGeometryd> shape_of(const abut_vec3 &half, float radius) {
    const fcl::Vector3d size =
        2.0 * fcl::Vector3d(static_cast<double>(half.x), static_cast<double>(half.y), static_cast<double>(half.z));
    if (radius == 0) {
        return std::make_shared<fcl::Boxd>(size);
    }
    if (half.z == 0) {
        return std::make_shared<fcl::Sphered>(static_cast<double>(radius));
    }
    return std::make_shared<fcl::Capsuled>(static_cast<double>(radius), size.z());
}

void *create(const body_frame *frame) {
    World *w = new World();
    w->frame = frame;
    std::vector<Object *> moving, resting;
    for (size_t i = 0; i < frame->count; ++i) {
        w->objects.emplace_back(new Object(shape_of(frame->halves[i], frame->radii[i])));
        place(*w->objects.back(), frame->poses[i]);
        (i < frame->mover_count ? moving : resting).push_back(w->objects.back().get());
    }
    w->movers.registerObjects(moving);
    w->others.registerObjects(resting);
    w->movers.setup();
    w->others.setup();
    return w;
}

bool collide(Object *a, Object *b, void *state) {
    World &w = *static_cast<World *>(state);
    w.result.clear();
    size_t points = fcl::collide(a, b, w.request, w.result);
    w.found.pairs += points > 0;
    w.found.points += points;
    for (size_t i = 0; i < points; ++i) {
        w.found.depth += w.result.getContact(i).penetration_depth;
    }
    return false;
}

world_count run(void *state) {
    World &w = *static_cast<World *>(state);
    w.found = {};
    for (size_t i = 0; i < w.frame->mover_count; ++i) {
        place(*w.objects[i], w.frame->poses[i]);
    }
    w.movers.update();
    w.movers.collide(&w, collide);
    if (!w.others.empty()) {
        w.movers.collide(&w.others, &w, collide);
    }
    return w.found;
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

} // namespace

const world_peer world_peer_fcl = {"FCL dynamic tree + collide", create, run, destroy};
