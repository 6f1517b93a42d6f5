/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet: its detectors alone, and its collision algorithms as btCollisionDispatcher calls them. Margins are 0, so that
 * shapes have the size that was asked for. */

#include "bullet_shapes.h"
#include "peers.h"
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btShapeHull.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <LinearMath/btConvexHullComputer.h>
#include <algorithm>
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

btVector3 vector_of(const abut_vec3 &v) {
    return btVector3(v.x, v.y, v.z);
}

btTransform transform_of(const abut_pose &pose) {
    const abut_quat &q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), vector_of(pose.position));
}

std::unique_ptr<btConvexHullShape> hull_of(const abut_vec3 *points, size_t n) {
    std::unique_ptr<btConvexHullShape> hull(new btConvexHullShape());
    for (size_t i = 0; i < n; ++i) {
        hull->addPoint(vector_of(points[i]), false);
    }
    hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
}

/* Whether any point found is at negative distance. */
struct Touch : btDiscreteCollisionDetectorInterface::Result {
    bool found = false;
    void setShapeIdentifiersA(int, int) override {
    }
    void setShapeIdentifiersB(int, int) override {
    }
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar depth) override {
        found = found || depth <= 0;
    }
};

/* --- bodies --- */

struct Bodies {
    std::vector<std::unique_ptr<btConvexShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<body_pair> pairs;

    explicit Bodies(const pair_set *set) {
        for (size_t i = 0; set->hulls != nullptr && i < set->hulls->count; ++i) {
            shapes.push_back(hull_of(set->hulls->points + i * set->hulls->vertices, set->hulls->vertices));
        }
        for (size_t i = 0; set->hulls == nullptr && i < set->body_count; ++i) {
            float radius = set->radii != nullptr ? set->radii[i] : 0;
            shapes.push_back(bullet_shape_of(set->halves[i], radius));
            if (radius == 0) {
                shapes.back()->setMargin(0);
            }
        }
        for (size_t i = 0; i < set->body_count; ++i) {
            objects.emplace_back(new btCollisionObject());
            objects[i]->setCollisionShape(shapes[set->hulls != nullptr ? set->shapes[i] : i].get());
        }
        pose(set);
    }
    void pose(const pair_set *set) {
        for (size_t i = 0; i < set->body_count; ++i) {
            objects[i]->setWorldTransform(transform_of(set->poses[i]));
        }
        pairs.assign(set->pairs, set->pairs + set->pair_count);
    }
};

void update_bodies(void *state, const pair_set *set) {
    static_cast<Bodies *>(state)->pose(set);
}

void *create_bodies(const pair_set *set) {
    return new Bodies(set);
}

void destroy_bodies(void *state) {
    delete static_cast<Bodies *>(state);
}

/* --- detectors alone: one pair, no manifold --- */

void run_box_detector(void *state, uint8_t *answers) {
    const Bodies &s = *static_cast<const Bodies *>(state);
    for (size_t i = 0; i < s.pairs.size(); ++i) {
        const btCollisionObject &a = *s.objects[s.pairs[i].a], &b = *s.objects[s.pairs[i].b];
        btBoxBoxDetector detector(static_cast<const btBoxShape *>(a.getCollisionShape()),
                                  static_cast<const btBoxShape *>(b.getCollisionShape()));
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA = a.getWorldTransform();
        input.m_transformB = b.getWorldTransform();
        Touch touch;
        detector.getClosestPoints(input, touch, nullptr);
        answers[i] = touch.found;
    }
}

void run_gjk(void *state, uint8_t *answers) {
    const Bodies &s = *static_cast<const Bodies *>(state);
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    for (size_t i = 0; i < s.pairs.size(); ++i) {
        const btCollisionObject &a = *s.objects[s.pairs[i].a], &b = *s.objects[s.pairs[i].b];
        btGjkPairDetector detector(static_cast<const btConvexShape *>(a.getCollisionShape()),
                                   static_cast<const btConvexShape *>(b.getCollisionShape()), &simplex, &depth);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA = a.getWorldTransform();
        input.m_transformB = b.getWorldTransform();
        input.m_maximumDistanceSquared = 0; /* the first separating axis suffices */
        Touch touch;
        detector.getClosestPoints(input, touch, nullptr);
        answers[i] = touch.found;
    }
}

/* The distance of shapes that are apart, with the closest points. */
struct Gap : btDiscreteCollisionDetectorInterface::Result {
    btScalar distance = 0;
    void setShapeIdentifiersA(int, int) override {
    }
    void setShapeIdentifiersB(int, int) override {
    }
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar depth) override {
        distance = depth;
    }
};

void run_pair_gap(void *state, uint8_t *answers) {
    const Bodies &s = *static_cast<const Bodies *>(state);
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    for (size_t i = 0; i < s.pairs.size(); ++i) {
        const btCollisionObject &a = *s.objects[s.pairs[i].a], &b = *s.objects[s.pairs[i].b];
        btGjkPairDetector detector(static_cast<const btConvexShape *>(a.getCollisionShape()),
                                   static_cast<const btConvexShape *>(b.getCollisionShape()), &simplex, &depth);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        input.m_transformA = a.getWorldTransform();
        input.m_transformB = b.getWorldTransform();
        Gap gap;
        detector.getClosestPoints(input, gap, nullptr);
        answers[i] = gap.distance > FAR_GAP;
    }
}

void run_solver_gap(void *state, uint8_t *answers) {
    const Bodies &s = *static_cast<const Bodies *>(state);
    for (size_t i = 0; i < s.pairs.size(); ++i) {
        const btCollisionObject &a = *s.objects[s.pairs[i].a], &b = *s.objects[s.pairs[i].b];
        const btTransform &pose_a = a.getWorldTransform(), &pose_b = b.getWorldTransform();
        btGjkEpaSolver2::sResults results;
        btGjkEpaSolver2::Distance(static_cast<const btConvexShape *>(a.getCollisionShape()), pose_a,
                                  static_cast<const btConvexShape *>(b.getCollisionShape()), pose_b,
                                  pose_b.getOrigin() - pose_a.getOrigin(), results);
        answers[i] = results.distance > FAR_GAP;
    }
}

/* GJK without penetration depth. */
void run_distance(void *state, uint8_t *answers) {
    const Bodies &s = *static_cast<const Bodies *>(state);
    for (size_t i = 0; i < s.pairs.size(); ++i) {
        const btCollisionObject &a = *s.objects[s.pairs[i].a], &b = *s.objects[s.pairs[i].b];
        const btTransform &pose_a = a.getWorldTransform(), &pose_b = b.getWorldTransform();
        btGjkEpaSolver2::sResults results;
        answers[i] = !btGjkEpaSolver2::Distance(static_cast<const btConvexShape *>(a.getCollisionShape()), pose_a,
                                                static_cast<const btConvexShape *>(b.getCollisionShape()), pose_b,
                                                pose_b.getOrigin() - pose_a.getOrigin(), results);
    }
}

/* --- algorithms: what a btCollisionWorld runs on every pair whose bounds overlap --- */

bool touches(const btPersistentManifold *manifold) {
    for (int i = 0; manifold != nullptr && i < manifold->getNumContacts(); ++i) {
        if (manifold->getContactPoint(i).getDistance() <= 0) {
            return true;
        }
    }
    return false;
}

btDefaultCollisionConstructionInfo room_for(size_t pairs) {
    btDefaultCollisionConstructionInfo info;
    int count = static_cast<int>(std::max<size_t>(pairs + pairs / 2, 4096));
    info.m_defaultMaxPersistentManifoldPoolSize = count;
    info.m_defaultMaxCollisionAlgorithmPoolSize = count;
    return info;
}

struct Algorithms {
    Bodies bodies;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDispatcherInfo dispatcher_info;
    std::vector<btCollisionAlgorithm *> kept; /* per pair; null: not made yet */

    explicit Algorithms(const pair_set *set) : bodies(set), configuration(room_for(set->pair_count)) {
        kept.assign(bodies.pairs.size(), nullptr);
    }
    ~Algorithms() {
        for (btCollisionAlgorithm *algorithm : kept) {
            drop(algorithm);
        }
    }
    void drop(btCollisionAlgorithm *algorithm) {
        if (algorithm != nullptr) {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
    }
    uint8_t collide(body_pair pair, btCollisionAlgorithm *&algorithm) {
        const btCollisionObject &a = *bodies.objects[pair.a], &b = *bodies.objects[pair.b];
        btCollisionObjectWrapper wrap_a(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
        btCollisionObjectWrapper wrap_b(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
        if (algorithm == nullptr) {
            algorithm = dispatcher.findAlgorithm(&wrap_a, &wrap_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        }
        btManifoldResult result(&wrap_a, &wrap_b);
        algorithm->processCollision(&wrap_a, &wrap_b, dispatcher_info, &result);
        return touches(result.getPersistentManifold());
    }
};

bool before(const body_pair &x, const body_pair &y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

/* The algorithm of a pair, and with it its manifold, lives as long as the pair. */
void update_algorithms(void *state, const pair_set *set) {
    Algorithms &s = *static_cast<Algorithms *>(state);
    std::vector<body_pair> old_pairs = s.bodies.pairs;
    std::vector<btCollisionAlgorithm *> old = s.kept;
    s.bodies.pose(set);
    s.kept.assign(s.bodies.pairs.size(), nullptr);
    size_t next = 0;
    for (size_t i = 0; i < old.size(); ++i) {
        while (next < s.bodies.pairs.size() && before(s.bodies.pairs[next], old_pairs[i])) {
            ++next;
        }
        bool lives = next < s.bodies.pairs.size() && !before(old_pairs[i], s.bodies.pairs[next]);
        if (lives) {
            s.kept[next] = old[i];
        } else {
            s.drop(old[i]);
        }
    }
}

void *create_algorithms(const pair_set *set) {
    return new Algorithms(set);
}

/* With faces and edges at hand Bullet clips faces against each other instead of adding one point a frame. */
void *create_clipping(const pair_set *set) {
    Algorithms *s = new Algorithms(set);
    for (const std::unique_ptr<btConvexShape> &shape : s->bodies.shapes) {
        static_cast<btPolyhedralConvexShape *>(shape.get())->initializePolyhedralFeatures();
    }
    return s;
}

void destroy_algorithms(void *state) {
    delete static_cast<Algorithms *>(state);
}

void run_fresh(void *state, uint8_t *answers) {
    Algorithms &s = *static_cast<Algorithms *>(state);
    for (size_t i = 0; i < s.bodies.pairs.size(); ++i) {
        btCollisionAlgorithm *algorithm = nullptr;
        answers[i] = s.collide(s.bodies.pairs[i], algorithm);
        s.drop(algorithm);
    }
}

void run_kept(void *state, uint8_t *answers) {
    Algorithms &s = *static_cast<Algorithms *>(state);
    for (size_t i = 0; i < s.bodies.pairs.size(); ++i) {
        answers[i] = s.collide(s.bodies.pairs[i], s.kept[i]);
    }
}

/* --- hull building --- */

size_t build_computer(const abut_vec3 *points, size_t n) {
    btConvexHullComputer computer;
    computer.compute(&points[0].x, sizeof points[0], static_cast<int>(n), 0, 0);
    return static_cast<size_t>(computer.vertices.size());
}

/* At most 42 vertices, whatever the points are. */
size_t build_shape_hull(const abut_vec3 *points, size_t n) {
    std::unique_ptr<btConvexHullShape> shape = hull_of(points, n);
    btShapeHull hull(shape.get());
    hull.buildHull(0);
    return static_cast<size_t>(hull.numVertices());
}

const peer peers[] = {
    {"Bullet btBoxBoxDetector", PEER_BOX_MANIFOLD, create_bodies, update_bodies, run_box_detector, destroy_bodies},
    {"Bullet box-box, fresh manifold", PEER_BOX_MANIFOLD, create_algorithms, update_algorithms, run_fresh,
     destroy_algorithms},
    {"Bullet box-box, kept manifold", PEER_BOX_MANIFOLD, create_algorithms, update_algorithms, run_kept,
     destroy_algorithms},
    {"Bullet btGjkPairDetector", PEER_HULL_OVERLAP, create_bodies, update_bodies, run_gjk, destroy_bodies},
    {"Bullet btGjkEpaSolver2::Distance", PEER_HULL_OVERLAP, create_bodies, update_bodies, run_distance, destroy_bodies},
    {"Bullet convex, fresh (1 point)", PEER_HULL_MANIFOLD, create_algorithms, update_algorithms, run_fresh,
     destroy_algorithms},
    {"Bullet convex, kept (1 new point)", PEER_HULL_MANIFOLD, create_algorithms, update_algorithms, run_kept,
     destroy_algorithms},
    {"Bullet convex, fresh, clipped faces", PEER_HULL_MANIFOLD, create_clipping, update_algorithms, run_fresh,
     destroy_algorithms},
    {"Bullet algorithms, fresh manifold", PEER_ROUND_MANIFOLD, create_algorithms, update_algorithms, run_fresh,
     destroy_algorithms},
    {"Bullet algorithms, kept manifold", PEER_ROUND_MANIFOLD, create_algorithms, update_algorithms, run_kept,
     destroy_algorithms},
    {"Bullet btGjkPairDetector", PEER_DISTANCE, create_bodies, update_bodies, run_pair_gap, destroy_bodies},
    {"Bullet btGjkEpaSolver2::Distance", PEER_DISTANCE, create_bodies, update_bodies, run_solver_gap, destroy_bodies},
};

const peer_builder builders[] = {
    {"Bullet btConvexHullComputer", build_computer},
    {"Bullet btShapeHull (<= 42 vertices)", build_shape_hull},
};

} // namespace

const peer_library peer_bullet = {peers, sizeof peers / sizeof peers[0], builders,
                                  sizeof builders / sizeof builders[0]};
