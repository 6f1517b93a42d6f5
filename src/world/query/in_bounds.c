/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which bodies have bounds that touch a box. In a world with a margin the tree knows wider bounds, so those of the
 * shapes decide. */
#include "base/workers/fpmode.h"
#include "world/query/lowest.h"
#include "world/query/nearby.h"

enum { AT_ONCE = 64 };

static const abut_w_order by_id = {1, {offsetof(abut_body_id, index1)}};

typedef struct question {
    const abut_w_whom *whom;
    const abut_bp_box *box;
    abut_w_lowest ids;
} question;

static bool touch(const abut_bp_box *box, const float bounds[6]) {
    return box->min[0] <= bounds[3] && bounds[0] <= box->max[0] && box->min[1] <= bounds[4] &&
           bounds[1] <= box->max[1] && box->min[2] <= bounds[5] && bounds[2] <= box->max[2];
}

static void add(question *q, uint32_t slot) {
    if (abut_w_whom_accepts(q->whom, slot, 0)) {
        const abut_body_id id = abut_w_id(q->whom->world, slot);
        abut_w_lowest_add(&q->ids, &id);
    }
}

static void test_some(question *q, const uint32_t *slot, uint32_t n) {
    const abut_world *world = q->whom->world;
    abut_collider collider[AT_ONCE];
    uint32_t index[AT_ONCE];
    float bounds[AT_ONCE][6];
    uint32_t last = 0;
    do {
        collider[last] = world->collider[slot[last]];
        index[last] = last;
    } while (++last < n);
    abut_collider_bounds_many(collider, index, n, 0, bounds);
    for (uint32_t k = 0; k < n; k++) {
        if (touch(q->box, bounds[k])) {
            add(q, slot[k]);
        }
    }
}

static void add_all(void *context, const uint32_t *slot, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        add(context, slot[k]);
    }
}

static void test(void *context, const uint32_t *slot, uint32_t n) {
    for (uint32_t k = 0; k < n; k += AT_ONCE) {
        test_some(context, slot + k, n - k < AT_ONCE ? n - k : AT_ONCE);
    }
}

/* False for NaN, too. */
static bool box_of(const abut_aabb *bounds, abut_bp_box *box) {
    bool valid = true;
    for (int k = 0; k < 3; k++) {
        box->min[k] = (&bounds->min.x)[k];
        box->max[k] = (&bounds->max.x)[k];
        valid = valid && box->min[k] <= box->max[k];
    }
    return valid;
}

static size_t bodies_in_bounds(const abut_world *world, const abut_aabb *bounds, const abut_query *query,
                               abut_body_id *out, size_t capacity) {
    abut_w_whom whom;
    abut_bp_box box;
    if (!world || !bounds || !box_of(bounds, &box) || !abut_w_whom_of(world, query, &whom)) {
        return 0;
    }
    question q = {&whom, &box, abut_w_lowest_of(out, capacity, sizeof *out, &by_id)};
    abut_w_nearby(&whom, &box, NULL, world->margin > 0 ? test : add_all, NULL, &q);
    return abut_w_lowest_sort(&q.ids);
}

size_t abut_world_in_bounds(const abut_world *world, const abut_aabb *bounds, const abut_query *query,
                            abut_body_id *out, size_t capacity) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t count = bodies_in_bounds(world, bounds, query, out, capacity);
    abut_fpmode_leave(mode);
    return count;
}
