/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "embree_common.h"

static RTCRay ray_of(const abut_ray &from) {
    RTCRay ray = {};
    ray.org_x = from.origin.x;
    ray.org_y = from.origin.y;
    ray.org_z = from.origin.z;
    ray.dir_x = from.translation.x;
    ray.dir_y = from.translation.y;
    ray.dir_z = from.translation.z;
    ray.tfar = 1.0f;
    ray.mask = 0xffffffffu;
    return ray;
}

static RTCIntersectContext context_of(const query_set *questions) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = questions->coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    return context;
}

void embree_first(RTCScene scene, const query_set *questions, query_answer *answers) {
    RTCIntersectContext context = context_of(questions);
    for (size_t i = 0; i < questions->count; ++i) {
        RTCRayHit hit;
        hit.ray = ray_of(questions->rays[i]);
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &context, &hit);
        answers[i] = {hit.hit.geomID != RTC_INVALID_GEOMETRY_ID, 0, hit.ray.tfar};
    }
}

void embree_sight(RTCScene scene, const query_set *questions, query_answer *answers) {
    RTCIntersectContext context = context_of(questions);
    for (size_t i = 0; i < questions->count; ++i) {
        RTCRay ray = ray_of(questions->rays[i]);
        rtcOccluded1(scene, &context, &ray);
        answers[i] = {ray.tfar < 0.0f, 0, 0.0f};
    }
}

bool EmbreeNearest::offer(RTCPointQuery &query, uint32_t body, float distance) {
    size_t place = 0;
    while (place < bodies.size() && bodies[place] != body) {
        ++place;
    }
    if (distance > query.radius || (place < bodies.size() && distance >= distances[place])) {
        return false;
    }
    if (place == bodies.size() && place < k) {
        bodies.push_back(body);
        distances.push_back(distance);
    } else if (place == bodies.size()) {
        --place; /* the farthest is no longer one of them */
    }
    for (; place > 0 && distances[place - 1] > distance; --place) {
        bodies[place] = bodies[place - 1];
        distances[place] = distances[place - 1];
    }
    bodies[place] = body;
    distances[place] = distance;
    if (bodies.size() < k) {
        return false;
    }
    query.radius = distances.back();
    return true;
}

void embree_nearest(RTCScene scene, const void *of, RTCPointQueryFunction function, const query_set *questions,
                    query_answer *answers) {
    EmbreeNearest nearest(questions->k, of);
    for (size_t i = 0; i < questions->count; ++i) {
        const abut_vec3 &point = questions->points[i];
        RTCPointQuery query = {point.x, point.y, point.z, 0.0f, HUGE_VALF};
        RTCPointQueryContext context;
        rtcInitPointQueryContext(&context);
        nearest.bodies.clear();
        nearest.distances.clear();
        rtcPointQuery(scene, &query, &context, function, &nearest);
        answers[i] = {static_cast<uint32_t>(nearest.bodies.size()), 0,
                      nearest.bodies.empty() ? 0.0f : nearest.distances.back()};
    }
}
