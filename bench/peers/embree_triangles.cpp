/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Embree, with the bodies as triangles. */

#include "embree_common.h"
#include "triangles.h"

namespace {

struct World : EmbreeScene {
    const query_world *from;
    WorldTriangles triangles;
    explicit World(const query_world *of) : EmbreeScene(RTC_GEOMETRY_TYPE_TRIANGLE), from(of), triangles(of) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, triangles.corners.data(), 0,
                                   3 * sizeof(uint32_t), triangles.bodies.size());
        triangles.vertices.push_back({0, 0, 0}); /* Embree reads 16 bytes of the last one */
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, triangles.vertices.data(), 0,
                                   sizeof(abut_vec3), triangles.vertices.size() - 1);
        build();
    }
};

void *create(const query_world *from) {
    return new World(from);
}

void move(World &w, RTCBuildQuality quality) {
    w.triangles.place(w.from);
    rtcUpdateGeometryBuffer(w.geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    w.rebuild(quality);
}

void update(void *state) {
    move(*static_cast<World *>(state), RTC_BUILD_QUALITY_MEDIUM);
}

void update_quickly(void *state) {
    move(*static_cast<World *>(state), RTC_BUILD_QUALITY_LOW);
}

void first(void *state, const query_set *questions, query_answer *answers) {
    embree_first(static_cast<World *>(state)->scene, questions, answers);
}

void sight(void *state, const query_set *questions, query_answer *answers) {
    embree_sight(static_cast<World *>(state)->scene, questions, answers);
}

/* --- nearest --- */

abut_vec3 minus(const abut_vec3 &a, const abut_vec3 &b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

abut_vec3 along(const abut_vec3 &from, const abut_vec3 &way, float t) {
    return {from.x + t * way.x, from.y + t * way.y, from.z + t * way.z};
}

float dot(const abut_vec3 &a, const abut_vec3 &b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The closest point by the regions of Ericson, "Real-time collision detection" (2005). */
abut_vec3 closest(const abut_vec3 &p, const abut_vec3 &a, const abut_vec3 &b, const abut_vec3 &c) {
    const abut_vec3 ab = minus(b, a), ac = minus(c, a), bc = minus(c, b);
    const float a1 = dot(ab, minus(p, a)), a2 = dot(ac, minus(p, a));
    const float b1 = dot(ab, minus(p, b)), b2 = dot(ac, minus(p, b));
    const float c1 = dot(ab, minus(p, c)), c2 = dot(ac, minus(p, c));
    if (a1 <= 0 && a2 <= 0) {
        return a;
    }
    if (b1 >= 0 && b2 <= b1) {
        return b;
    }
    if (c2 >= 0 && c1 <= c2) {
        return c;
    }
    const float on_ab = a1 * b2 - b1 * a2, on_ac = c1 * a2 - a1 * c2, on_bc = b1 * c2 - c1 * b2;
    if (on_ab <= 0 && a1 >= 0 && b1 <= 0) {
        return along(a, ab, a1 / (a1 - b1));
    }
    if (on_ac <= 0 && a2 >= 0 && c2 <= 0) {
        return along(a, ac, a2 / (a2 - c2));
    }
    if (on_bc <= 0 && b2 >= b1 && c1 >= c2) {
        return along(b, bc, (b2 - b1) / ((b2 - b1) + (c1 - c2)));
    }
    const float scale = 1.0f / (on_ab + on_ac + on_bc);
    return along(along(a, ab, on_ac * scale), ac, on_ab * scale);
}

bool offer(RTCPointQueryFunctionArguments *args) {
    EmbreeNearest &nearest = *static_cast<EmbreeNearest *>(args->userPtr);
    const WorldTriangles &triangles = static_cast<const World *>(nearest.from)->triangles;
    const uint32_t *corner = &triangles.corners[3 * args->primID];
    const abut_vec3 p = {args->query->x, args->query->y, args->query->z};
    const abut_vec3 way = minus(
        p, closest(p, triangles.vertices[corner[0]], triangles.vertices[corner[1]], triangles.vertices[corner[2]]));
    return nearest.offer(*args->query, triangles.bodies[args->primID], std::sqrt(dot(way, way)));
}

void nearest(void *state, const query_set *questions, query_answer *answers) {
    embree_nearest(static_cast<World *>(state)->scene, state, offer, questions, answers);
}

void destroy(void *state) {
    delete static_cast<World *>(state);
}

} // namespace

const query_peer query_peer_embree_triangles = {"Embree triangles",
                                                0.002f,
                                                SIZE_MAX,
                                                false,
                                                SIZE_MAX,
                                                create,
                                                update,
                                                update_quickly,
                                                {first, sight, nullptr, nullptr, nearest},
                                                destroy,
                                                false};
