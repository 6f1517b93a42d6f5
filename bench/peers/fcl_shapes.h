/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#ifndef ABUT_BENCH_FCL_SHAPES_H
#define ABUT_BENCH_FCL_SHAPES_H

#include <abut/hull.h>
#include <fcl/geometry/shape/convex.h>
#include <memory>
#include <vector>

inline fcl::Vector3d fcl_vector_of(const abut_vec3 &v) {
    return fcl::Vector3d(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
}

inline fcl::Quaterniond fcl_rotation_of(const abut_quat &q) {
    return fcl::Quaterniond(static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
                            static_cast<double>(q.z));
}

inline std::shared_ptr<fcl::CollisionGeometryd> fcl_convex_of(const abut_hull *hull) {
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    size_t point_count = abut_hull_vertex_count(hull), face_count = abut_hull_face_count(hull);
    for (size_t i = 0; i < point_count; ++i) {
        points->push_back(fcl_vector_of(abut_hull_vertices(hull)[i]));
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

#endif
