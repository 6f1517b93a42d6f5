/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "triangles.h"
#include <map>

BodyFrame::BodyFrame(const abut_pose &pose) : origin(pose.position) {
    const abut_quat &q = pose.rotation;
    const float matrix[9] = {
        1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w),     2 * (q.x * q.z - q.y * q.w),
        2 * (q.x * q.y - q.z * q.w),     1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w),
        2 * (q.x * q.z + q.y * q.w),     2 * (q.y * q.z - q.x * q.w),     1 - 2 * (q.x * q.x + q.y * q.y)};
    for (int i = 0; i < 9; ++i) {
        axis[i / 3][i % 3] = matrix[i];
    }
}

/* Corner k of a box has the signs of the bits of k. */
static std::vector<uint32_t> corners_of_box() {
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    std::vector<uint32_t> corners;
    for (const uint32_t(&face)[4] : faces) {
        corners.insert(corners.end(), {face[0], face[1], face[2], face[0], face[2], face[3]});
    }
    return corners;
}

static std::vector<uint32_t> corners_of_hull(const abut_hull *hull) {
    std::vector<uint32_t> corners, face(abut_hull_vertex_count(hull));
    for (size_t i = 0; i < abut_hull_face_count(hull); ++i) {
        size_t n = abut_hull_face(hull, i, face.data(), face.size(), nullptr);
        for (size_t k = 2; k < n; ++k) {
            corners.insert(corners.end(), {face[0], face[k - 1], face[k]});
        }
    }
    return corners;
}

static size_t vertex_count_of(const abut_shape &shape) {
    return shape.hull != nullptr ? abut_hull_vertex_count(shape.hull) : 8;
}

WorldTriangles::WorldTriangles(const query_world *world) {
    std::map<const abut_hull *, std::vector<uint32_t>> shapes = {{nullptr, corners_of_box()}};
    for (size_t i = 0; i < world->hull_count; ++i) {
        shapes[world->hulls[i]] = corners_of_hull(world->hulls[i]);
    }
    uint32_t start = 0;
    for (size_t i = 0; i < world->count; ++i) {
        const std::vector<uint32_t> &of = shapes[world->shapes[i].hull];
        for (uint32_t corner : of) {
            corners.push_back(start + corner);
        }
        bodies.insert(bodies.end(), of.size() / 3, static_cast<uint32_t>(i));
        start += static_cast<uint32_t>(vertex_count_of(world->shapes[i]));
    }
    vertices.resize(start);
    place(world);
}

void WorldTriangles::place(const query_world *world) {
    abut_vec3 *to = vertices.data();
    for (size_t i = 0; i < world->count; ++i) {
        const abut_shape &shape = world->shapes[i];
        const BodyFrame frame(world->poses[i]);
        for (size_t k = 0; k < vertex_count_of(shape); ++k) {
            const abut_vec3 half = shape.half;
            *to++ = frame.placed(shape.hull != nullptr
                                     ? abut_hull_vertices(shape.hull)[k]
                                     : abut_vec3{(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                                                 (k & 4) != 0 ? half.z : -half.z});
        }
    }
}
