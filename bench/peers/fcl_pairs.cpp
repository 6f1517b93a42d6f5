/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* FCL's distance() of two shapes, which is libccd's GJK, followed by a search for the closest points. */

#include "peers.h"
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/distance.h>
#include <memory>
#include <vector>

namespace {

struct Bodies {
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    std::vector<body_pair> pairs;
};

fcl::Vector3d vector_of(const abut_vec3 &v) {
    return fcl::Vector3d(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
}

std::shared_ptr<fcl::CollisionGeometryd> convex_of(const abut_hull *hull) {
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    size_t point_count = abut_hull_vertex_count(hull), face_count = abut_hull_face_count(hull);
    for (size_t i = 0; i < point_count; ++i) {
        points->push_back(vector_of(abut_hull_vertices(hull)[i]));
    }
    std::vector<uint32_t> corners(point_count);
    for (size_t i = 0; i < face_count; ++i) {
        size_t n = abut_hull_face(hull, i, corners.data(), corners.size(), nullptr);
        faces->push_back(static_cast<int>(n));
        for (size_t k = 0; k < n; ++k) {
            faces->push_back(static_cast<int>(corners[k]));
        }
    }
    return std::make_shared<fcl::Convexd>(points, static_cast<int>(face_count), faces);
}

void update(void *state, const pair_set *set) {
    Bodies &s = *static_cast<Bodies *>(state);
    for (size_t i = 0; i < set->body_count; ++i) {
        const abut_quat &q = set->poses[i].rotation;
        s.objects[i]->setTransform(fcl::Quaterniond(static_cast<double>(q.w), static_cast<double>(q.x),
                                                    static_cast<double>(q.y), static_cast<double>(q.z)),
                                   vector_of(set->poses[i].position));
    }
    s.pairs.assign(set->pairs, set->pairs + set->pair_count);
}

void *create(const pair_set *set) {
    Bodies *s = new Bodies();
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> hulls;
    for (size_t i = 0; set->hulls != nullptr && i < set->hulls->count; ++i) {
        hulls.push_back(convex_of(set->hulls->shapes[i]));
    }
    for (size_t i = 0; i < set->body_count; ++i) {
        s->objects.emplace_back(new fcl::CollisionObjectd(
            set->hulls != nullptr ? hulls[set->shapes[i]]
                                  : std::make_shared<fcl::Boxd>(2.0 * vector_of(set->halves[i]))));
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
