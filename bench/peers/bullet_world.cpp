/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet's btCollisionWorld with two changes: only the boxes of moving bodies are refreshed, and pairs are searched
 * once all boxes are set, which is up to twice as fast where everything moves. */

#include "bullet_pairs.h"
#include "bullet_shapes.h"
#include "world_peer.h"
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

struct World {
    const body_frame *frame;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    btCollisionWorld world{&dispatcher, &broad, &configuration}; /* last: it releases the objects first */
};

btTransform transform_of(const abut_pose &pose) {
    const abut_quat &q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), btVector3(pose.position.x, pose.position.y, pose.position.z));
}

void add(World &w, size_t i) {
    bool moves = i < w.frame->mover_count;
    w.shapes.push_back(bullet_shape_of(w.frame->halves[i], w.frame->radii[i]));
    w.objects.emplace_back(new btCollisionObject());
    btCollisionObject &object = *w.objects.back();
    object.setCollisionShape(w.shapes.back().get());
    object.setWorldTransform(transform_of(w.frame->poses[i]));
    object.setCollisionFlags(moves ? 0 : btCollisionObject::CF_STATIC_OBJECT);
    if (moves) {
        w.world.addCollisionObject(&object);
    } else {
        object.setActivationState(ISLAND_SLEEPING);
        w.world.addCollisionObject(&object, btBroadphaseProxy::StaticFilter,
                                   btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
    }
}

void *create(const body_frame *frame) {
    World *w = new World();
    w->frame = frame;
    w->broad.m_deferedcollide = true;
    w->world.setForceUpdateAllAabbs(false);
    for (size_t i = 0; i < frame->count; ++i) {
        add(*w, i);
    }
    return w;
}

world_count run(void *state) {
    World &w = *static_cast<World *>(state);
    world_count found = {};
    for (size_t i = 0; i < w.frame->mover_count; ++i) {
        w.objects[i]->setWorldTransform(transform_of(w.frame->poses[i]));
    }
    w.world.performDiscreteCollisionDetection();
    for (int i = 0; i < w.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold &manifold = *w.dispatcher.getManifoldByIndexInternal(i);
        size_t before = found.points;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            btScalar distance = manifold.getContactPoint(k).getDistance();
            found.points += distance <= 0;
            found.depth -= static_cast<double>(distance);
        }
        found.pairs += found.points > before;
    }
    return found;
}

void destroy(void *state) {
    World *w = static_cast<World *>(state);
    bullet_forget_pairs(w->broad, w->dispatcher);
    for (const std::unique_ptr<btCollisionObject> &object : w->objects) {
        w->world.removeCollisionObject(object.get());
    }
    delete w;
}

} // namespace

const world_peer world_peer_bullet = {"Bullet btCollisionWorld", create, run, destroy};
