/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet's dynamic tree, built from the top down, whose boxes are tested against the six planes. */

#include "cull_peer.h"

/* A switch of Bullet's has no default, and gcc cannot see that it needs none. */
#if defined(__GNUC__) && !defined(__clang__)
#  pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace {

btVector3 vector_of(const abut_vec3 &v) {
    return btVector3(v.x, v.y, v.z);
}

void *create(const abut_aabb *boxes, size_t count) {
    btDbvt *tree = new btDbvt();
    for (size_t i = 0; i < count; ++i) {
        btDbvtNode *leaf =
            tree->insert(btDbvtVolume::FromMM(vector_of(boxes[i].min), vector_of(boxes[i].max)), nullptr);
        leaf->dataAsInt = static_cast<int>(i);
    }
    tree->optimizeTopDown();
    return tree;
}

struct List : btDbvt::ICollide {
    uint32_t *end;
    void Process(const btDbvtNode *leaf) override {
        *end++ = static_cast<uint32_t>(leaf->dataAsInt);
    }
};

size_t run(void *state, const float plane[6][4], uint32_t *visible) {
    btVector3 normals[6];
    btScalar offsets[6];
    for (int k = 0; k < 6; ++k) {
        normals[k] = btVector3(plane[k][0], plane[k][1], plane[k][2]);
        offsets[k] = plane[k][3];
    }
    const btDbvt *tree = static_cast<btDbvt *>(state);
    List list;
    list.end = visible;
    btDbvt::collideKDOP(tree->m_root, normals, offsets, 6, list);
    return static_cast<size_t>(list.end - visible);
}

void destroy(void *state) {
    delete static_cast<btDbvt *>(state);
}

} // namespace

const cull_peer cull_peer_bullet = {"Bullet btDbvt::collideKDOP", create, run, destroy};
