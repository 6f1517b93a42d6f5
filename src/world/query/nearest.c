/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/lowest.h"
#include "world/query/nearby.h"
#include <math.h>

/* The nearest bodies: branch and bound. The tree is walked roughly from near to far, and the distance of the k-th body
 * so far bounds the rest of the walk. */

/* While bodies are collected, the position holds the bits of the distance in double, the higher ones first: distances
 * are >= 0, so their bits are in their order. */
static const abut_w_order by_distance = {
    .words = 3,
    .offset = {offsetof(abut_near, position.x), offsetof(abut_near, position.y), offsetof(abut_near, body.index1)}};

static void add_near(abut_w_lowest *near, const abut_world *world, uint32_t slot, double distance) {
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    const uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
    abut_near entry = {.body = abut_w_id(world, slot)};
    memcpy(&entry.position.x, &high, sizeof high);
    memcpy(&entry.position.y, &low, sizeof low);
    abut_w_lowest_add(near, &entry);
}

static double distance_kept(const abut_near *near) {
    uint32_t high, low;
    double distance;
    memcpy(&high, &near->position.x, sizeof high);
    memcpy(&low, &near->position.y, sizeof low);
    uint64_t bits = (uint64_t)high << 32 | low;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

/* Bodies farther than this do not matter any more. */
static double limit_of(abut_w_lowest *near, double max_distance) {
    const abut_near *last = abut_w_lowest_last(near);
    return last ? abut_min_d(max_distance, distance_kept(last)) : max_distance;
}

static void find_nearest(const abut_w_whom *whom, const abut_w_probe *probe, double max_distance, size_t element,
                         abut_w_lowest *near) {
    const abut_world *world = whom->world;
    abut_bp_walk walk;
    uint32_t slot[8];
    double distance[8], limit = max_distance;
    abut_bp_walk_begin(abut_w_tree(world), &walk);
    for (uint32_t n; (n = abut_bp_walk_near(abut_w_tree(world), &probe->box, limit, &walk, slot)) > 0;) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < n; k++) {
            slot[kept] = slot[k];
            kept += abut_w_whom_counts(whom, slot[k]);
        }
        abut_np_distance_many(&probe->collider, world->collider, slot, kept, limit, distance);
        for (uint32_t k = 0; k < kept; k++) {
            if (distance[k] <= limit && abut_w_whom_accepts(whom, slot[k], element)) {
                add_near(near, world, slot[k], distance[k]);
                limit = limit_of(near, max_distance);
            }
        }
    }
}

static abut_near near_of(const abut_world *world, const abut_w_probe *probe, uint32_t slot) {
    abut_near near = {.body = abut_w_id(world, slot), .user = world->body_user[slot]};
    double distance = abut_np_nearest_point(&probe->collider, &world->collider[slot], &near.position, &near.normal);
    near.distance = abut_np_distance_float(distance);
    return near;
}

/* Answers one element: returns how many bodies it has written. */
static size_t answer(const abut_w_whom *whom, const abut_w_probe *probe, double max_distance, size_t element,
                     abut_near *out, size_t k) {
    abut_w_lowest near = abut_w_lowest_of(out, k, sizeof *out, &by_distance);
    find_nearest(whom, probe, max_distance, element, &near);
    (void)abut_w_lowest_sort(&near);
    size_t n = abut_w_lowest_kept(&near);
    for (size_t i = 0; i < n; i++) {
        out[i] = near_of(whom->world, probe, out[i].body.index1 - 1);
    }
    return n;
}

size_t abut_world_nearest(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float max_distance,
                          const abut_query *query, abut_near *out, size_t k) {
    abut_w_whom whom;
    abut_w_probe probe;
    if (!world || !out || k == 0 || !(max_distance >= 0) || abut_w_probe_of(world, shape, pose, 0, &probe) ||
        !abut_w_whom_of(world, query, &whom)) {
        return 0;
    }
    abut_w_tree_prepare(world);
    return answer(&whom, &probe, max_distance, 0, out, k);
}

abut_result abut_world_nearest_many(const abut_world *world, const abut_vec3 *points, size_t n, float max_distance,
                                    const abut_query *query, abut_near *out, size_t k, uint32_t *counts) {
    const abut_shape point = abut_point();
    abut_w_whom whom;
    abut_w_probe probe;
    abut_result result = ABUT_OK;
    if (!world || (n > 0 && (!points || !counts || (k > 0 && !out))) || !(max_distance >= 0) ||
        !abut_w_whom_of(world, query, &whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_w_tree_prepare(world);
    for (size_t i = 0; i < n; i++) {
        const abut_pose pose = {points[i], {0, 0, 0, 1}};
        abut_result valid = abut_w_probe_of(world, &point, &pose, 0, &probe);
        result = abut_w_worse(result, valid);
        counts[i] = valid || k == 0 ? 0 : (uint32_t)answer(&whom, &probe, max_distance, i, out + i * k, k);
    }
    return result;
}
