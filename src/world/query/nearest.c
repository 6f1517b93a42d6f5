/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "base/workers/fpmode.h"
#include "world/query/blocks.h"
#include "world/query/lowest.h"
#include "world/query/nearby.h"
#include <math.h>

/* The nearest bodies: branch and bound. The tree is walked roughly from near to far, and the distance of the k-th body
 * so far bounds the rest of the walk. */

/* The nearest so far. A few are kept in order here; more are kept in the caller's array, where the position holds the
 * distance in double. */
enum { FEW = 16 };
typedef struct ranking {
    size_t k, count;    /* at most how many are wanted; how many there are, if they are few */
    float max_distance; /* compared with distances as callers see them */
    double limit;       /* bodies farther than this do not matter any more */
    double distance[FEW];
    uint32_t slot[FEW], part[FEW];
    abut_w_lowest many;
} ranking;

static const abut_w_order by_distance = {
    .words = 3,
    .offset = {offsetof(abut_near, position.x), offsetof(abut_near, position.y), offsetof(abut_near, body.index1)}};

static void add_few(ranking *r, uint32_t slot, uint32_t part, double distance) {
    size_t at = r->count < r->k ? r->count++ : r->k;
    for (; at > 0 && (distance < r->distance[at - 1] || (distance == r->distance[at - 1] && slot < r->slot[at - 1]));
         at--) {
        if (at < r->k) {
            r->distance[at] = r->distance[at - 1];
            r->slot[at] = r->slot[at - 1];
            r->part[at] = r->part[at - 1];
        }
    }
    if (at < r->k) {
        r->distance[at] = distance;
        r->slot[at] = slot;
        r->part[at] = part;
    }
    r->limit = r->count == r->k ? abut_min_d(r->limit, r->distance[r->k - 1]) : r->limit;
}

static void add_to_many(ranking *r, uint32_t slot, uint32_t part, double distance) {
    abut_near entry = {.body = {.index1 = slot + 1}, .part = part};
    abut_w_order_put(distance, &entry.position.x, &entry.position.y);
    abut_w_lowest_add(&r->many, &entry);
    const abut_near *last = abut_w_lowest_last(&r->many);
    r->limit = last ? abut_min_d(r->limit, abut_w_order_get(&last->position.x, &last->position.y)) : r->limit;
}

static void add(ranking *r, uint32_t slot, uint32_t part, double distance) {
    (r->k <= FEW ? add_few : add_to_many)(r, slot, part, distance);
}

/* What is asked about bodies with meshes; of each only its nearest triangle counts. */
typedef struct mesh_question {
    const abut_w_whom *whom;
    const abut_w_probe *probe;
    size_t element;
    ranking *r;
    uint32_t slot, part; /* the triangle */
    double distance;     /* INFINITY: none so far */
} mesh_question;

static double measure_triangle(uint32_t part, double distance, void *context) {
    mesh_question *m = context;
    /* It is at most as far as the last limit that was returned. */
    bool nearer = distance < m->distance || part < m->part;
    if (nearer && abut_np_distance_float(distance) <= m->r->max_distance &&
        abut_w_whom_accepts_part(m->whom, m->slot, part, m->element)) {
        m->distance = distance;
        m->part = part;
    }
    return abut_min_d(m->distance, m->r->limit);
}

static void measure_mesh(void *context, uint32_t slot) {
    mesh_question *m = context;
    m->slot = slot;
    m->distance = INFINITY;
    m->part = 0;
    abut_np_mesh_near(&m->whom->world->collider[slot], &m->probe->collider, m->r->limit, measure_triangle, m);
    if (m->distance < INFINITY) {
        add(m->r, slot, m->part, m->distance);
    }
}

static void find_nearest(const abut_w_whom *whom, const abut_w_probe *probe, size_t element, ranking *r) {
    const abut_world *world = whom->world;
    mesh_question meshes = {.whom = whom, .probe = probe, .element = element, .r = r};
    abut_bp_vicinity v;
    double distance[ABUT_BP_FOUND_MAX];
    abut_bp_vicinity_begin(abut_w_tree(world), &probe->box, &v);
    abut_bp_vicinity_limit(&v, r->limit);
    v.found.fetch = world->collider;
    v.found.fetch_stride = sizeof *world->collider;
    v.walk.classes = whom->filter.classes;
    while (abut_bp_look(abut_w_tree(world), &v), v.found.n > 0) {
        uint32_t *slot = v.found.key, kept = abut_w_whom_keep(whom, slot, v.found.n);
        kept = world->mesh_count > 0 ? abut_w_nearby_meshes(world, slot, kept, measure_mesh, &meshes) : kept;
        abut_np_distance_many(&probe->collider, world->collider, slot, kept, r->limit, distance);
        for (uint32_t k = 0; k < kept; k++) {
            if (distance[k] <= r->limit && abut_np_distance_float(distance[k]) <= r->max_distance &&
                abut_w_whom_accepts(whom, slot[k], element)) {
                add(r, slot[k], 0, distance[k]);
            }
        }
        abut_bp_vicinity_limit(&v, r->limit);
    }
}

static abut_near near_of(const abut_world *world, const abut_w_probe *probe, uint32_t slot, uint32_t part) {
    const abut_collider *body = &world->collider[slot], *shape = &probe->collider;
    abut_near near = {.body = abut_w_id(world, slot), .user = world->body_user[slot], .part = part};
    double distance = body->mesh ? abut_np_mesh_nearest_point(body, part, shape, &near.position, &near.normal)
                                 : abut_np_nearest_point(shape, body, &near.position, &near.normal);
    near.distance = abut_np_distance_float(distance);
    return near;
}

/* Writes the slots and parts of the nearest, in order, as far as the array has room; returns how many. */
static size_t list_slots(ranking *r, abut_near *out) {
    if (r->k > FEW) {
        (void)abut_w_lowest_sort(&r->many);
        return abut_w_lowest_kept(&r->many);
    }
    for (size_t i = 0; i < r->count; i++) {
        out[i].body.index1 = r->slot[i] + 1;
        out[i].part = r->part[i];
    }
    return r->count;
}

/* Answers one element: returns how many bodies it has written. */
static size_t answer(const abut_w_whom *whom, const abut_w_probe *probe, float max_distance, size_t element,
                     abut_near *out, size_t k) {
    ranking r;
    r.k = k;
    r.count = 0;
    r.max_distance = max_distance;
    r.limit = max_distance * (1 + 0x1p-23) + 0x1p-149; /* above all that rounds to it */
    r.many = abut_w_lowest_of(out, k, sizeof *out, &by_distance);
    find_nearest(whom, probe, element, &r);
    size_t n = list_slots(&r, out);
    for (size_t i = 0; i < n; i++) {
        ABUT_PREFETCH(&whom->world->ids.generation[out[i].body.index1 - 1]);
        ABUT_PREFETCH(&whom->world->body_user[out[i].body.index1 - 1]);
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = near_of(whom->world, probe, out[i].body.index1 - 1, out[i].part);
    }
    return n;
}

static size_t nearest_to_shape(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                               float max_distance, const abut_query *query, abut_near *out, size_t k) {
    abut_w_whom whom;
    abut_w_probe probe;
    if (!world || !out || k == 0 || !(max_distance >= 0) || abut_w_probe_of(world, shape, pose, 0, &probe) ||
        !abut_w_whom_of(world, query, &whom)) {
        return 0;
    }
    abut_w_tree_prepare(world);
    return answer(&whom, &probe, max_distance, 0, out, k);
}

size_t abut_world_nearest(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float max_distance,
                          const abut_query *query, abut_near *out, size_t k) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t count = nearest_to_shape(world, shape, pose, max_distance, query, out, k);
    abut_fpmode_leave(mode);
    return count;
}

/* A block is worth some 100 microseconds. */
enum { POINTS_AT_ONCE = 32 };

/* A call about many points. */
typedef struct survey {
    const abut_w_whom *whom;
    const abut_vec3 *points;
    float max_distance;
    abut_near *out;
    size_t k;
    uint32_t *counts;
} survey;

static abut_result answer_points(const void *context, size_t first, size_t end) {
    const survey *s = context;
    const abut_shape point = abut_point();
    abut_w_probe probe;
    abut_result result = ABUT_OK;
    for (size_t i = first; i < end; i++) {
        const abut_pose pose = {s->points[i], {0, 0, 0, 1}};
        abut_result valid = abut_w_probe_of(s->whom->world, &point, &pose, 0, &probe);
        bool asked = !valid && s->k > 0;
        result = abut_w_worse(result, valid);
        s->counts[i] = asked ? (uint32_t)answer(s->whom, &probe, s->max_distance, i, s->out + i * s->k, s->k) : 0;
    }
    return result;
}

static abut_result nearest_to_points(const abut_world *world, const abut_vec3 *points, size_t n, float max_distance,
                                     const abut_query *query, abut_near *out, size_t k, uint32_t *counts) {
    abut_w_whom whom;
    if (!world || (n > 0 && (!points || !counts || (k > 0 && !out))) || !(max_distance >= 0) ||
        !abut_w_whom_of(world, query, &whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_w_tree_prepare(world);
    const survey s = {&whom, points, max_distance, out, k, counts};
    return abut_w_in_blocks(world, n, POINTS_AT_ONCE, answer_points, &s);
}

abut_result abut_world_nearest_many(const abut_world *world, const abut_vec3 *points, size_t n, float max_distance,
                                    const abut_query *query, abut_near *out, size_t k, uint32_t *counts) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = nearest_to_points(world, points, n, max_distance, query, out, k, counts);
    abut_fpmode_leave(mode);
    return result;
}
