/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bullet's pair of dynamic trees, without the margin that makes it report pairs that do not overlap, and with
 * collisions deferred until all boxes are set, which is 1.5 to 4 times as fast as after each. Its cache keeps pairs
 * that have parted and drops a few in every frame, so a user who wants the current pairs has to test their boxes; that
 * is part of the frame. */

#include "broad_peer.h"
#include "bullet_pairs.h"
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

struct Space {
    const box_frame *frame;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    std::vector<btBroadphaseProxy *> proxies;
};

btVector3 vector_of(const abut_vec3 &v) {
    return btVector3(v.x, v.y, v.z);
}

/* Bullet keeps the margin in a global variable, and its worlds need it. */
struct NoMargin {
    btScalar before = gDbvtMargin;
    NoMargin() {
        gDbvtMargin = 0;
    }
    ~NoMargin() {
        gDbvtMargin = before;
    }
};

void *create(const box_frame *frame) {
    NoMargin none;
    Space *s = new Space();
    s->frame = frame;
    s->broad.m_deferedcollide = true;
    for (size_t i = 0; i < frame->count; ++i) {
        bool rests = i >= frame->mover_count && !frame->rest_pairs;
        bool debris = i >= frame->count - frame->debris;
        int group = rests    ? btBroadphaseProxy::StaticFilter
                    : debris ? btBroadphaseProxy::DebrisFilter
                             : btBroadphaseProxy::DefaultFilter;
        int mask = rests || debris ? btBroadphaseProxy::AllFilter ^ group : btBroadphaseProxy::AllFilter;
        const abut_aabb &box = frame->boxes[i];
        s->proxies.push_back(
            s->broad.createProxy(vector_of(box.min), vector_of(box.max), 0, s, group, mask, &s->dispatcher));
    }
    return s;
}

size_t run(void *state) {
    NoMargin none;
    Space &s = *static_cast<Space *>(state);
    for (size_t i = 0; i < s.frame->mover_count; ++i) {
        const abut_aabb &box = s.frame->boxes[i];
        s.broad.setAabb(s.proxies[i], vector_of(box.min), vector_of(box.max), &s.dispatcher);
    }
    s.broad.calculateOverlappingPairs(&s.dispatcher);
    const btBroadphasePairArray &cache = s.broad.getOverlappingPairCache()->getOverlappingPairArray();
    size_t pairs = 0;
    for (int i = 0; i < cache.size(); ++i) {
        const btBroadphaseProxy &a = *cache[i].m_pProxy0, &b = *cache[i].m_pProxy1;
        pairs += TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax);
    }
    return pairs;
}

void destroy(void *state) {
    Space *s = static_cast<Space *>(state);
    bullet_forget_pairs(s->broad, s->dispatcher);
    for (btBroadphaseProxy *proxy : s->proxies) {
        s->broad.destroyProxy(proxy, &s->dispatcher);
    }
    delete s;
}

} // namespace

const broad_peer broad_peer_bullet = {"Bullet btDbvtBroadphase", SIZE_MAX, true, create, run, destroy};
