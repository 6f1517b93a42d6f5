/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* nanoflann's k-d tree: the nearest centres, which is a simpler question than that for the nearest bodies. */

#include "query_peer.h"
#include <cmath>
#include <nanoflann.hpp>
#include <vector>

namespace {

struct Centres {
    const query_world *from;
    size_t kdtree_get_point_count() const {
        return from->count;
    }
    float kdtree_get_pt(size_t i, size_t axis) const {
        const abut_vec3 &p = from->poses[i].position;
        return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    }
    template <class Box> bool kdtree_get_bbox(Box &) const {
        return false;
    }
};

typedef nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Centres>, Centres, 3, uint32_t> Index;

struct Tree {
    Centres centres;
    Index index{3, centres};
    explicit Tree(const query_world *from) : centres{from} {
        index.buildIndex();
    }
};

void *create(const query_world *from) {
    return new Tree(from);
}

void nearest(void *state, const query_set *questions, query_answer *answers) {
    const Tree &tree = *static_cast<Tree *>(state);
    std::vector<uint32_t> bodies(questions->k);
    std::vector<float> squares(questions->k);
    for (size_t i = 0; i < questions->count; ++i) {
        const float point[3] = {questions->points[i].x, questions->points[i].y, questions->points[i].z};
        size_t found = tree.index.knnSearch(point, questions->k, bodies.data(), squares.data());
        answers[i] = {static_cast<uint32_t>(found), 0, found > 0 ? std::sqrt(squares[found - 1]) : 0.0f};
    }
}

void destroy(void *state) {
    delete static_cast<Tree *>(state);
}

} // namespace

const query_peer query_peer_nanoflann = {"nanoflann", HUGE_VALF, SIZE_MAX,
                                         false,       SIZE_MAX,  create,
                                         nullptr,     nullptr,   {nullptr, nullptr, nullptr, nullptr, nearest},
                                         destroy,     false};
