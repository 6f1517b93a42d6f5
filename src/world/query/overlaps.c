/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which bodies touch a shape. */
#include "base/compiler.h"
#include "world/query/lowest.h"
#include "world/query/nearby.h"

enum { AT_ONCE = 128 };

static const abut_w_order by_id = {1, {offsetof(abut_body_id, index1)}};

typedef struct question {
    const abut_w_whom *whom;
    const abut_collider *shape;
    size_t element;
    abut_w_lowest ids;
} question;

static void test_some(question *q, const uint32_t *slot, uint32_t n) {
    static const uint32_t shape[AT_ONCE];
    const abut_world *world = q->whom->world;
    uint8_t hit[AT_ONCE];
    const abut_np_pairs pairs = {.collider = world->collider, .other = q->shape, .a = slot, .b = shape, .n = n};
    abut_np_overlap_many(&pairs, hit);
    for (uint32_t k = 0; k < n; k++) {
        if (hit[k] && abut_w_whom_accepts(q->whom, slot[k], q->element)) {
            const abut_body_id id = abut_w_id(world, slot[k]);
            abut_w_lowest_add(&q->ids, &id);
        }
    }
}

static void test(void *context, const uint32_t *slot, uint32_t n) {
    question *q = context;
    for (uint32_t k = 0; k < n; k++) {
        ABUT_PREFETCH(&q->whom->world->collider[slot[k]]);
    }
    for (uint32_t k = 0; k < n; k += AT_ONCE) {
        test_some(q, slot + k, n - k < AT_ONCE ? n - k : AT_ONCE);
    }
}

typedef struct mesh_question {
    const question *q;
    uint32_t slot;
    bool accepted;
} mesh_question;

static bool meet_triangle(uint32_t part, void *context) {
    mesh_question *m = context;
    m->accepted = abut_w_whom_accepts_part(m->q->whom, m->slot, part, m->q->element);
    return !m->accepted;
}

static void test_mesh(void *context, uint32_t slot) {
    question *q = context;
    const abut_world *world = q->whom->world;
    mesh_question m = {q, slot, false};
    abut_np_mesh_overlaps(&world->collider[slot], q->shape, meet_triangle, &m);
    if (m.accepted) {
        const abut_body_id id = abut_w_id(world, slot);
        abut_w_lowest_add(&q->ids, &id);
    }
}

/* Writes the first ids to `out`, which may be NULL, and how many there are to *count. */
static abut_result find(const abut_w_whom *whom, const abut_shape *shape, const abut_pose *pose, size_t element,
                        abut_body_id *out, size_t capacity, size_t *count) {
    abut_w_probe probe;
    abut_result result = abut_w_probe_of(whom->world, shape, pose, 0, &probe);
    *count = 0;
    if (!result) {
        question q = {whom, &probe.collider, element, abut_w_lowest_of(out, capacity, sizeof *out, &by_id)};
        abut_w_nearby(whom, &probe.box, test, test_mesh, &q);
        *count = abut_w_lowest_sort(&q.ids);
    }
    return result;
}

size_t abut_world_overlaps(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                           const abut_query *query, abut_body_id *out, size_t capacity) {
    abut_w_whom whom;
    size_t count = 0;
    if (world && abut_w_whom_of(world, query, &whom)) {
        (void)find(&whom, shape, pose, 0, out, capacity, &count);
    }
    return count;
}

abut_result abut_world_overlaps_many(const abut_world *world, const abut_shape *shapes, const abut_pose *poses,
                                     size_t n, const abut_query *query, abut_body_id *out, size_t capacity,
                                     size_t *ends) {
    abut_w_whom whom;
    abut_result worst = ABUT_OK;
    size_t total = 0;
    if (!world || (n > 0 && (!shapes || !poses || !ends)) || (capacity > 0 && !out) ||
        !abut_w_whom_of(world, query, &whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    for (size_t k = 0; k < n; k++) {
        size_t count, room = total < capacity ? capacity - total : 0;
        abut_result result = find(&whom, &shapes[k], &poses[k], k, room > 0 ? out + total : NULL, room, &count);
        worst = abut_w_worse(worst, result);
        ends[k] = total += count;
    }
    return worst || total <= capacity ? worst : ABUT_ERROR_CAPACITY;
}
