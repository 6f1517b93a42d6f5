/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* FCL's distance() of two shapes, which is libccd's GJK, followed by a search for the closest points. */

#include "fcl_shapes.h"
#include "peers.h"
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/distance.h>
#include <memory>
#include <vector>

namespace {

struct Bodies {
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<body_pair> pairs;
};

void update(void *state, const pair_set *set) {
    Bodies &s = *static_cast<Bodies *>(state);
    for (size_t i = 0; i < set->body_count; ++i) {
        s.objects[i]->setTransform(fcl_rotation_of(set->poses[i].rotation), fcl_vector_of(set->poses[i].position));
    }
    s.pairs.assign(set->pairs, set->pairs + set->pair_count);
}

void *create(const pair_set *set) {
    Bodies *s = new Bodies();
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> hulls;
    for (size_t i = 0; set->hulls != nullptr && i < set->hulls->count; ++i) {
        hulls.push_back(fcl_convex_of(set->hulls->shapes[i]));
    }
    for (size_t i = 0; i < set->body_count; ++i) {
        s->objects.emplace_back(new fcl::CollisionObjectd(
            set->hulls != nullptr ? hulls[set->shapes[i]]
                                  : std::make_shared<fcl::Boxd>(2.0 * fcl_vector_of(set->halves[i]))));
    }
    update(s, set);
    return s;
}

void run(void *state, uint8_t *answers) {
    const Bodies &s = *static_cast<const Bodies *>(state);
    const fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    for (size_t i = 0; i < s.pairs.size(); ++i) {
        result.clear();
        answers[i] =
            fcl::distance(s.objects[s.pairs[i].a].get(), s.objects[s.pairs[i].b].get(), request, result) > FAR_GAP;
    }
}

void destroy(void *state) {
    delete static_cast<Bodies *>(state);
}

const peer peers[] = {{"FCL distance (libccd's GJK)", PEER_DISTANCE, create, update, run, destroy}};

} // namespace

const peer_library peer_fcl = {peers, sizeof peers / sizeof peers[0], nullptr, 0};
