/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet's btCollisionWorld: rayTest with the callbacks that come with it, contactTest, convexSweepTest, and the tree
 * of its broad phase for bounds. Margins are 0, so that all answer about the same shapes. Pairs are never searched. Its
 * rays stop as soon as they are within 0.01 of a shape, its sweeps within 0.001. A body's sweep meets the others where
 * they are: it knows nothing of bodies that move at the same time. */

#include "query_peer.h"
#include <btBulletCollisionCommon.h>
#include <map>
#include <memory>
#include <vector>

namespace {

struct World {
    const query_world *from;
    std::map<const abut_hull *, btCollisionShape *> hulls; /* they are shared */
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    btCollisionWorld world{&dispatcher, &broad, &configuration}; /* last: it releases the objects first */
    btDbvt bounds; /* of the same bounds as the others, which those of the objects are not */
};

btVector3 vector_of(const abut_vec3 &v) {
    return btVector3(v.x, v.y, v.z);
}

btVector3 end_of(const abut_ray &ray) {
    return vector_of(ray.origin) + vector_of(ray.translation);
}

btTransform transform_of(const abut_pose &pose) {
    const abut_quat &q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), vector_of(pose.position));
}

btCollisionShape *box_of(const abut_vec3 &half) {
    btBoxShape *box = new btBoxShape(vector_of(half));
    box->setMargin(0);
    return box;
}

btCollisionShape *hull_of(const abut_hull *hull) {
    btConvexHullShape *shape = new btConvexHullShape();
    for (size_t i = 0; i < abut_hull_vertex_count(hull); ++i) {
        shape->addPoint(vector_of(abut_hull_vertices(hull)[i]), false);
    }
    shape->setMargin(0);
    shape->recalcLocalAabb();
    return shape;
}

btCollisionShape *shape_of(World &w, const abut_shape &shape) {
    if (shape.hull != nullptr && w.hulls.count(shape.hull) != 0) {
        return w.hulls[shape.hull];
    }
    w.shapes.emplace_back(shape.hull != nullptr ? hull_of(shape.hull) : box_of(shape.half));
    if (shape.hull != nullptr) {
        w.hulls[shape.hull] = w.shapes.back().get();
    }
    return w.shapes.back().get();
}

void fill_bounds(World &w) {
    w.bounds.clear();
    for (size_t i = 0; i < w.from->count; ++i) {
        const abut_aabb &box = w.from->bounds[i];
        w.bounds.insert(btDbvtVolume::FromMM(vector_of(box.min), vector_of(box.max)), nullptr)->dataAsInt =
            static_cast<int>(i);
    }
    w.bounds.optimizeTopDown();
}

void *create(const query_world *from) {
    World *w = new World();
    w->from = from;
    w->broad.m_deferedcollide = true;
    for (size_t i = 0; i < from->count; ++i) {
        w->objects.emplace_back(new btCollisionObject());
        btCollisionObject &object = *w->objects.back();
        object.setCollisionShape(shape_of(*w, from->shapes[i]));
        object.setWorldTransform(transform_of(from->poses[i]));
        object.setUserIndex(static_cast<int>(i));
        w->world.addCollisionObject(&object);
    }
    fill_bounds(*w);
    return w;
}

void update(void *state) {
    World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < w.from->count; ++i) {
        w.objects[i]->setWorldTransform(transform_of(w.from->poses[i]));
    }
    w.world.updateAabbs();
}

void first(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        btVector3 from = vector_of(questions->rays[i].origin), to = end_of(questions->rays[i]);
        btCollisionWorld::ClosestRayResultCallback hit(from, to);
        w.world.rayTest(from, to, hit);
        answers[i] = {hit.hasHit(), 0, hit.hasHit() ? static_cast<float>(hit.m_closestHitFraction) : 1.0f};
    }
}

/* Bullet has no such question; a fraction of 0 keeps it from looking further. */
struct AnyHit : btCollisionWorld::RayResultCallback {
    btScalar addSingleResult(btCollisionWorld::LocalRayResult &result, bool) override {
        m_collisionObject = result.m_collisionObject;
        return m_closestHitFraction = 0;
    }
};

void sight(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        AnyHit hit;
        w.world.rayTest(vector_of(questions->rays[i].origin), end_of(questions->rays[i]), hit);
        answers[i] = {hit.hasHit(), 0, 0.0f};
    }
}

struct Touching : btCollisionWorld::ContactResultCallback {
    const btCollisionObject *shape, *last = nullptr;
    query_answer answer = {0, 0, 0.0f};
    explicit Touching(const btCollisionObject *of) : shape(of) {
    }
    /* Once for each point; those of one body follow each other. */
    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                             const btCollisionObjectWrapper *b, int, int) override {
        const btCollisionObject *other =
            a->getCollisionObject() == shape ? b->getCollisionObject() : a->getCollisionObject();
        if (point.getDistance() <= 0 && other != last) {
            ++answer.found;
            answer.sum += static_cast<uint32_t>(other->getUserIndex());
            last = other;
        }
        return 0;
    }
};

void overlap(void *state, const query_set *questions, query_answer *answers) {
    World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const abut_shape &shape = questions->shapes[i];
        btBoxShape box(vector_of(shape.half));
        btSphereShape sphere(shape.radius);
        btCollisionObject object;
        box.setMargin(0);
        object.setCollisionShape(shape.radius > 0 ? static_cast<btCollisionShape *>(&sphere) : &box);
        object.setWorldTransform(transform_of(questions->poses[i]));
        Touching touching(&object);
        w.world.contactTest(&object, touching);
        answers[i] = touching.answer;
    }
}

struct Counted : btDbvt::ICollide {
    query_answer answer = {0, 0, 0.0f};
    void Process(const btDbvtNode *leaf) override {
        ++answer.found;
        answer.sum += static_cast<uint32_t>(leaf->dataAsInt);
    }
};

void bounds(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const abut_aabb &box = questions->boxes[i];
        Counted counted;
        w.bounds.collideTV(w.bounds.m_root, btDbvtVolume::FromMM(vector_of(box.min), vector_of(box.max)), counted);
        answers[i] = counted.answer;
    }
}

/* --- shapes and bodies that move --- */

/* A shape that is asked about: along y if it is a capsule, as Bullet's are. */
struct Moving {
    btBoxShape box;
    btSphereShape sphere;
    btCapsuleShape capsule;
    const btConvexShape *shape;
    Moving(const World &w, const abut_shape &of)
        : box(vector_of(of.half)), sphere(of.radius), capsule(of.radius, 2 * of.half.y), shape(&box) {
        box.setMargin(0);
        if (of.hull != nullptr) {
            shape = static_cast<const btConvexShape *>(w.hulls.at(of.hull));
        } else if (of.radius > 0) {
            shape = of.half.y > 0 ? static_cast<const btConvexShape *>(&capsule) : &sphere;
        }
    }
};

btTransform moved(const abut_cast &cast) {
    btTransform to = transform_of(cast.from);
    to.setOrigin(to.getOrigin() + vector_of(cast.translation));
    return to;
}

void cast(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const Moving moving(w, questions->casts[i].shape);
        const btTransform from = transform_of(questions->casts[i].from), to = moved(questions->casts[i]);
        btCollisionWorld::ClosestConvexResultCallback hit(from.getOrigin(), to.getOrigin());
        w.world.convexSweepTest(moving.shape, from, to, hit);
        answers[i] = {hit.hasHit(), 0, hit.hasHit() ? static_cast<float>(hit.m_closestHitFraction) : 1.0f};
    }
}

/* Once for each body, because all are convex. */
struct AllMet : btCollisionWorld::ConvexResultCallback {
    query_answer answer = {0, 0, 0.0f};
    btScalar addSingleResult(btCollisionWorld::LocalConvexResult &result, bool) override {
        ++answer.found;
        answer.sum += static_cast<uint32_t>(result.m_hitCollisionObject->getUserIndex());
        return m_closestHitFraction;
    }
};

void cast_all(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const Moving moving(w, questions->casts[i].shape);
        AllMet met;
        w.world.convexSweepTest(moving.shape, transform_of(questions->casts[i].from), moved(questions->casts[i]), met);
        answers[i] = met.answer;
    }
}

struct OtherMet : btCollisionWorld::ClosestConvexResultCallback {
    const btCollisionObject *self;
    OtherMet(const btCollisionObject *of, const btVector3 &to)
        : ClosestConvexResultCallback(of->getWorldTransform().getOrigin(), to), self(of) {
    }
    bool needsCollision(btBroadphaseProxy *proxy) const override {
        return proxy->m_clientObject != self && ClosestConvexResultCallback::needsCollision(proxy);
    }
};

void sweep(void *state, const query_set *questions, query_answer *answers) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < questions->count; ++i) {
        const btCollisionObject &body = *w.objects[questions->movers[i]];
        const btTransform to = transform_of(questions->targets[i]);
        OtherMet hit(&body, to.getOrigin());
        w.world.convexSweepTest(static_cast<const btConvexShape *>(body.getCollisionShape()), body.getWorldTransform(),
                                to, hit);
        answers[i] = {hit.hasHit(), 0, hit.hasHit() ? static_cast<float>(hit.m_closestHitFraction) : 1.0f};
    }
}

void destroy(void *state) {
    World *w = static_cast<World *>(state);
    for (size_t i = w->objects.size(); i-- > 0;) {
        w->world.removeCollisionObject(w->objects[i].get());
    }
    delete w;
}

} // namespace

const query_peer query_peer_bullet = {
    "Bullet", 0.02f,   SIZE_MAX,
    false,    0,       create,
    update,   nullptr, {first, sight, overlap, bounds, nullptr, cast, cast_all, sweep},
    destroy,  false};
