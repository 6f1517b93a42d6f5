/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which bodies touch a shape. */
#include "base/compiler.h"
#include "base/workers/fpmode.h"
#include "world/query/blocks.h"
#include "world/query/lowest.h"
#include "world/query/nearby.h"

static const abut_w_order by_id = {1, {offsetof(abut_body_id, index1)}};

typedef struct question {
    const abut_w_whom *whom;
    const abut_collider *shape;
    size_t element;
    abut_w_lowest ids;
} question;

static void test(void *context, const uint32_t *slot, uint32_t n) {
    static const uint32_t shape[ABUT_W_QUERY_SLOTS];
    question *q = context;
    const abut_world *world = q->whom->world;
    uint8_t hit[ABUT_W_QUERY_SLOTS];
    const abut_np_pairs pairs = {.collider = world->collider, .other = q->shape, .a = slot, .b = shape, .n = n};
    for (uint32_t k = 0; k < n; k++) {
        ABUT_PREFETCH(&world->collider[slot[k]]);
    }
    abut_np_overlap_many(&pairs, hit);
    for (uint32_t k = 0; k < n; k++) {
        if (hit[k] && abut_w_whom_accepts(q->whom, slot[k], q->element)) {
            const abut_body_id id = abut_w_id(world, slot[k]);
            abut_w_lowest_add(&q->ids, &id);
        }
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
        abut_w_nearby(whom, &probe.box, &probe, test, test_mesh, &q);
        *count = abut_w_lowest_sort(&q.ids);
    }
    return result;
}

static size_t overlaps_one(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                           const abut_query *query, abut_body_id *out, size_t capacity) {
    abut_w_whom whom;
    size_t count = 0;
    if (world && abut_w_whom_of(world, query, &whom)) {
        (void)find(&whom, shape, pose, 0, out, capacity, &count);
    }
    return count;
}

size_t abut_world_overlaps(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                           const abut_query *query, abut_body_id *out, size_t capacity) {
    abut_fpmode mode = abut_fpmode_enter();
    size_t count = overlaps_one(world, shape, pose, query, out, capacity);
    abut_fpmode_leave(mode);
    return count;
}

/* --- batches --- */

/* A block is worth some 100 microseconds. */
enum { SHAPES_AT_ONCE = 64 };

/* A call about many shapes. In blocks it goes like this: the caller's array is cut into a part for each block, which
 * writes its ids there. Where those of a block are too many it only counts them. Then all numbers are known, ids are
 * moved to where they belong, and what was only counted is asked again. */
typedef struct survey {
    const abut_w_whom *whom;
    const abut_shape *shapes;
    const abut_pose *poses;
    size_t n;
    abut_body_id *out;
    size_t capacity;
    size_t *ends; /* while blocks are being answered: how many ids each element has */
} survey;

/* Answers elements one after the other; ends[k] becomes the end of element k after `total`. */
static abut_result answer_in_order(const survey *s, size_t first, size_t end, size_t total) {
    abut_result worst = ABUT_OK;
    for (size_t k = first; k < end; k++) {
        size_t count, room = total < s->capacity ? s->capacity - total : 0;
        abut_result result =
            find(s->whom, &s->shapes[k], &s->poses[k], k, room > 0 ? s->out + total : NULL, room, &count);
        worst = abut_w_worse(worst, result);
        s->ends[k] = total += count;
    }
    return worst;
}

static size_t end_of(const survey *s, size_t first) {
    return s->n - first < SHAPES_AT_ONCE ? s->n : first + SHAPES_AT_ONCE;
}

/* The part of the array of a block that begins with this element, or with n: where it begins. */
static size_t part_of(const survey *s, size_t first) {
    size_t parts = abut_workers_blocks(s->n, SHAPES_AT_ONCE), each = s->capacity / parts;
    return first / SHAPES_AT_ONCE * each;
}

static size_t part_size(const survey *s, size_t first) {
    return part_of(s, first + SHAPES_AT_ONCE) - part_of(s, first);
}

/* Answers a block in its part of the array. */
static abut_result answer_apart(const void *context, size_t first, size_t end) {
    const survey *s = context;
    survey own = *s;
    own.capacity = part_of(s, first) + part_size(s, first);
    abut_result worst = answer_in_order(&own, first, end, part_of(s, first));
    for (size_t k = end - 1; k > first; k--) {
        s->ends[k] -= s->ends[k - 1];
    }
    s->ends[first] -= part_of(s, first);
    return worst;
}

/* Where the ids of a block begin, and how many there are, once `ends` are ends. */
static size_t begin_of(const survey *s, size_t first) {
    return first > 0 ? s->ends[first - 1] : 0;
}

static size_t count_of(const survey *s, size_t first) {
    return s->ends[end_of(s, first) - 1] - begin_of(s, first);
}

/* Answers a block that had too many ids for its part. */
static abut_result answer_again(const void *context, size_t first, size_t end) {
    const survey *s = context;
    size_t begin = begin_of(s, first);
    bool fitted = count_of(s, first) <= part_size(s, first);
    for (size_t k = first; k < end && !fitted && begin < s->capacity; k++) {
        size_t count, mine = s->ends[k] - begin, room = s->capacity - begin;
        (void)find(s->whom, &s->shapes[k], &s->poses[k], k, s->out + begin, mine < room ? mine : room, &count);
        begin = s->ends[k];
    }
    return ABUT_OK;
}

/* Moves the ids of the blocks that fitted their parts: first all down, so that they follow each other, then each up to
 * where it belongs, the last first. */
static void move_parts(const survey *s) {
    size_t packed = 0, last = (s->n - 1) / SHAPES_AT_ONCE * SHAPES_AT_ONCE;
    for (size_t first = 0; first <= last; first += SHAPES_AT_ONCE) {
        size_t count = count_of(s, first);
        if (count > 0 && count <= part_size(s, first)) {
            memmove(s->out + packed, s->out + part_of(s, first), count * sizeof *s->out);
            packed += count;
        }
    }
    for (size_t first = last + SHAPES_AT_ONCE; first > 0;) {
        first -= SHAPES_AT_ONCE;
        size_t count = count_of(s, first), to = begin_of(s, first);
        if (count > 0 && count <= part_size(s, first)) {
            packed -= count;
            size_t room = to < s->capacity ? s->capacity - to : 0;
            memmove(s->out + (room > 0 ? to : 0), s->out + packed, (count < room ? count : room) * sizeof *s->out);
        }
    }
}

static abut_result answer_in_blocks(const survey *s) {
    const abut_world *world = s->whom->world;
    abut_result worst = abut_w_in_blocks(world, s->n, SHAPES_AT_ONCE, answer_apart, s);
    for (size_t k = 1; k < s->n; k++) {
        s->ends[k] += s->ends[k - 1];
    }
    if (s->capacity > 0) {
        move_parts(s);
        (void)abut_w_in_blocks(world, s->n, SHAPES_AT_ONCE, answer_again, s);
    }
    return worst;
}

static abut_result overlaps_many(const abut_world *world, const abut_shape *shapes, const abut_pose *poses, size_t n,
                                 const abut_query *query, abut_body_id *out, size_t capacity, size_t *ends) {
    abut_w_whom whom;
    if (!world || (n > 0 && (!shapes || !poses || !ends)) || (capacity > 0 && !out) ||
        !abut_w_whom_of(world, query, &whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_w_tree_prepare(world);
    const survey s = {&whom, shapes, poses, n, out, capacity, ends};
    abut_result worst =
        abut_w_has_blocks(world, n, SHAPES_AT_ONCE) ? answer_in_blocks(&s) : answer_in_order(&s, 0, n, 0);
    return n > 0 && ends[n - 1] > capacity ? ABUT_ERROR_CAPACITY : worst;
}

abut_result abut_world_overlaps_many(const abut_world *world, const abut_shape *shapes, const abut_pose *poses,
                                     size_t n, const abut_query *query, abut_body_id *out, size_t capacity,
                                     size_t *ends) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = overlaps_many(world, shapes, poses, n, query, out, capacity, ends);
    abut_fpmode_leave(mode);
    return result;
}
