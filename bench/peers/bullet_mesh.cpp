/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet: a collision world with one static terrain, as a bounding volume hierarchy of triangles or as a heightfield.
 */

#include "bullet_shapes.h"
#include "mesh_peer.h"
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <vector>

namespace {

struct Terrain {
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btCollisionShape> shape;
    btCollisionObject object;

    explicit Terrain(const mesh_terrain &t, bool grid) {
        const int side = static_cast<int>(t.side);
        btTransform place = btTransform::getIdentity();
        if (grid) {
            shape.reset(
                new btHeightfieldTerrainShape(side, side, t.heights, 1, t.lowest, t.highest, 1, PHY_FLOAT, false));
            const btScalar middle = static_cast<btScalar>(t.side - 1) / 2;
            place.setOrigin(btVector3(middle, (t.lowest + t.highest) / 2, middle));
        } else {
            triangles.reset(new btTriangleIndexVertexArray(
                static_cast<int>(t.triangle_count), const_cast<int *>(reinterpret_cast<const int *>(t.indices)),
                3 * sizeof(int), side * side, const_cast<btScalar *>(&t.vertices->x), sizeof(abut_vec3)));
            shape.reset(new btBvhTriangleMeshShape(triangles.get(), true));
        }
        object.setCollisionShape(shape.get());
        object.setWorldTransform(place);
        object.setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
    }
};

struct World {
    Terrain terrain;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::unique_ptr<btConvexShape> shape;
    std::vector<btCollisionObject> bodies;

    World(const mesh_terrain &t, const mesh_bodies &b, bool grid) : terrain(t, grid), bodies(b.count) {
        if (b.hull != nullptr) {
            std::vector<abut_vec3> v(abut_hull_vertex_count(b.hull));
            for (size_t i = 0; i < v.size(); ++i) {
                v[i] = abut_hull_vertices(b.hull)[i];
            }
            shape.reset(new btConvexHullShape(&v[0].x, static_cast<int>(v.size()), sizeof(abut_vec3)));
        } else {
            shape = bullet_shape_of(b.half, b.radius);
        }
        world.addCollisionObject(&terrain.object, 1, 2);
        for (btCollisionObject &body : bodies) {
            body.setCollisionShape(shape.get());
            world.addCollisionObject(&body, 2, 1);
        }
    }
    ~World() {
        for (btCollisionObject &body : bodies) {
            world.removeCollisionObject(&body);
        }
        world.removeCollisionObject(&terrain.object);
    }
};

template <bool grid> void *create(const mesh_terrain *terrain, const mesh_bodies *bodies) {
    return new World(*terrain, *bodies, grid);
}

size_t frame(void *state, const abut_pose *poses, size_t *points) {
    World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < w.bodies.size(); ++i) {
        const abut_pose &p = poses[i];
        w.bodies[i].setWorldTransform(
            btTransform(btQuaternion(p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w).normalized(),
                        btVector3(p.position.x, p.position.y, p.position.z)));
    }
    w.world.performDiscreteCollisionDetection();
    size_t touching = 0;
    *points = 0;
    for (int i = 0; i < w.dispatcher.getNumManifolds(); ++i) {
        const int n = w.dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        touching += n > 0;
        *points += static_cast<size_t>(n);
    }
    return touching;
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

void *create_rays(const mesh_terrain *terrain) {
    const mesh_bodies none = {};
    return new World(*terrain, none, false);
}

void cast(void *state, const abut_ray *rays, size_t n, float *fractions) {
    const World &w = *static_cast<World *>(state);
    for (size_t i = 0; i < n; ++i) {
        const btVector3 from(rays[i].origin.x, rays[i].origin.y, rays[i].origin.z);
        const btVector3 to = from + btVector3(rays[i].translation.x, rays[i].translation.y, rays[i].translation.z);
        btCollisionWorld::ClosestRayResultCallback result(from, to);
        result.m_flags |= btTriangleRaycastCallback::kF_FilterBackfaces;
        result.m_collisionFilterGroup = 2;
        w.world.rayTest(from, to, result);
        fractions[i] = result.hasHit() ? result.m_closestHitFraction : 2;
    }
}

const mesh_peer peers[] = {{"Bullet bvh", true, false, create<false>, frame, destroy},
                           {"Bullet heightfield", true, true, create<true>, frame, destroy}};
const mesh_ray_peer ray_peers[] = {{"Bullet rayTest", "Bullet bvh, in a world", create_rays, cast, destroy}};

} // namespace

const mesh_library mesh_library_bullet = {peers, sizeof peers / sizeof peers[0], ray_peers, 1};
