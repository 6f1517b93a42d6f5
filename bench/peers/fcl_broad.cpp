/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* FCL's dynamic tree. Boxes that never move have a tree of their own where their pairs do not count. */

#include "broad_peer.h"
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <memory>
#include <vector>

namespace {

typedef float Scalar; /* a quarter faster than double */
typedef fcl::DynamicAABBTreeCollisionManager<Scalar> Manager;

/* Uses the given box, instead of computing one from a shape and a pose. */
struct Object : fcl::CollisionObject<Scalar> {
    using fcl::CollisionObject<Scalar>::CollisionObject;
    void set(const abut_aabb &box) {
        aabb.min_ << static_cast<Scalar>(box.min.x), static_cast<Scalar>(box.min.y), static_cast<Scalar>(box.min.z);
        aabb.max_ << static_cast<Scalar>(box.max.x), static_cast<Scalar>(box.max.y), static_cast<Scalar>(box.max.z);
    }
};

struct Space {
    const box_frame *frame;
    std::vector<std::unique_ptr<Object>> objects;
    std::vector<fcl::CollisionObject<Scalar> *> moving, resting;
    Manager movers, others;
};

void *create(const box_frame *frame) {
    Space *s = new Space();
    auto unit = std::make_shared<fcl::Box<Scalar>>(1, 1, 1);
    s->frame = frame;
    for (size_t i = 0; i < frame->count; ++i) {
        s->objects.emplace_back(new Object(unit));
        s->objects.back()->set(frame->boxes[i]);
        (i < frame->mover_count ? s->moving : s->resting).push_back(s->objects.back().get());
    }
    s->movers.tree_init_level = frame->teleport ? 1 : 0; /* whichever builds the tree faster */
    s->movers.registerObjects(s->moving);
    (frame->rest_pairs ? s->movers : s->others).registerObjects(s->resting);
    s->movers.setup();
    s->others.setup();
    return s;
}

bool count(fcl::CollisionObject<Scalar> *, fcl::CollisionObject<Scalar> *, void *pairs) {
    ++*static_cast<size_t *>(pairs);
    return false;
}

/* Where all boxes are new, refitting the tree is the fastest; where they jumped, a new tree is. */
void hand_over(Space &s) {
    for (size_t i = 0; i < s.frame->mover_count; ++i) {
        s.objects[i]->set(s.frame->boxes[i]);
    }
    if (s.frame->teleport) {
        s.movers.clear();
        s.movers.registerObjects(s.moving);
        s.movers.setup();
    } else if (s.movers.size() == s.frame->mover_count) {
        s.movers.update();
    } else {
        s.movers.update(s.moving);
    }
}

size_t run(void *state) {
    Space &s = *static_cast<Space *>(state);
    size_t pairs = 0;
    hand_over(s);
    s.movers.collide(&pairs, count);
    if (!s.others.empty()) {
        s.movers.collide(&s.others, &pairs, count);
    }
    return pairs;
}

void destroy(void *state) {
    delete static_cast<Space *>(state);
}

} // namespace

const broad_peer broad_peer_fcl = {"FCL dynamic tree", SIZE_MAX, false, create, run, destroy};
