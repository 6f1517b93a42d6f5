/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where bodies touch a shape. */
#include "base/bits.h"
#include "base/compiler.h"
#include "base/workers/fpmode.h"
#include "world/query/lowest.h"
#include "world/query/nearby.h"
#include <string.h>

enum { AT_ONCE = 64 };

static const abut_w_order by_part = {
    2, {offsetof(abut_touching, body) + offsetof(abut_body_id, index1), offsetof(abut_touching, part)}};

typedef struct question {
    const abut_w_whom *whom;
    const abut_collider *shape;
    float margin;
    abut_w_lowest found;
} question;

/* Of a manifold that is not known, `manifold` is NULL. */
static void add(question *q, uint32_t slot, const abut_manifold *manifold) {
    const abut_world *world = q->whom->world;
    abut_touching touching;
    memset(&touching, 0, sizeof touching);
    touching.body = abut_w_id(world, slot);
    if (abut_w_lowest_wants(&q->found, &touching)) {
        touching.user = world->body_user[slot];
        if (manifold) {
            touching.manifold = *manifold;
        } else {
            (void)abut_np_collide(&world->collider[slot], q->shape, q->margin, &touching.manifold);
        }
    }
    abut_w_lowest_add(&q->found, &touching);
}

static void test_some(question *q, const uint32_t *slot, uint32_t n) {
    static const uint32_t shape[AT_ONCE];
    abut_manifold manifold[AT_ONCE];
    uint8_t hit[AT_ONCE];
    const abut_np_pairs pairs = {
        .collider = q->whom->world->collider, .other = q->shape, .a = slot, .b = shape, .n = n};
    bool few_wanted = q->margin == 0 && q->found.total >= q->found.capacity;
    if (few_wanted) {
        abut_np_overlap_many(&pairs, hit);
    } else {
        abut_np_collide_many(&pairs, q->margin, manifold, hit);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (hit[k] && abut_w_whom_accepts(q->whom, slot[k], 0)) {
            add(q, slot[k], few_wanted ? NULL : &manifold[k]);
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
    question *q;
    uint32_t slot;
} mesh_question;

static void add_part(const abut_contact_part *part, void *context) {
    const mesh_question *m = context;
    const abut_world *world = m->q->whom->world;
    if (abut_w_whom_accepts_part(m->q->whom, m->slot, part->part, 0)) {
        abut_touching touching;
        memset(&touching, 0, sizeof touching);
        touching.body = abut_w_id(world, m->slot);
        touching.user = world->body_user[m->slot];
        touching.part = part->part;
        touching.manifold = part->manifold;
        abut_w_lowest_add(&m->q->found, &touching);
    }
}

/* Normals of parts lead from the mesh to the shape. */
static void test_mesh(void *context, uint32_t slot) {
    question *q = context;
    mesh_question m = {q, slot};
    (void)abut_np_mesh_collide(&q->whom->world->collider[slot], q->shape, q->margin, add_part, &m, NULL);
}

static size_t collide_shape(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float margin,
                            const abut_query *query, abut_touching *out, size_t capacity) {
    abut_w_whom whom;
    abut_w_probe probe;
    if (!world || !(margin >= 0) || !abut_bits_finite(margin) || !abut_w_whom_of(world, query, &whom) ||
        abut_w_probe_of(world, shape, pose, margin, &probe)) {
        return 0;
    }
    question q = {&whom, &probe.collider, margin, abut_w_lowest_of(out, capacity, sizeof *out, &by_part)};
    abut_w_nearby(&whom, &probe.box, &probe, test, test_mesh, &q);
    return abut_w_lowest_sort(&q.found);
}

size_t abut_world_collide(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float margin,
                          const abut_query *query, abut_touching *out, size_t capacity) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t count = collide_shape(world, shape, pose, margin, query, out, capacity);
    abut_fpmode_leave(mode);
    return count;
}
