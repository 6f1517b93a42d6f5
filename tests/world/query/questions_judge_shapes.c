/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_judge.h"
#include <math.h>
#include <string.h>

/* A shape to ask with. */
typedef struct shape_case {
    abut_shape shape;
    abut_pose pose;
    float margin;
    abut_result error;         /* of the shape alone */
    size_t count;              /* of accepted bodies that it touches */
    uint32_t at[SUBJECT_MOST]; /* in s->body, accepted or not, ascending */
    size_t met;
} shape_case;

static shape_case cases[ASKING_ELEMENTS];
static abut_body_id ids[ASKING_ELEMENTS * SUBJECT_MOST + 4];
static abut_touching touching[SUBJECT_MOST + 4];
static const abut_body_id canary = {0xeeeeeeee, 0xeeeeeeee};

/* --- brute force --- */

static void note(const asking *a, shape_case *c, uint32_t at) {
    c->count += asking_accepts(a, a->s->body[at].id);
    c->at[c->met++] = at;
}

static void overlap_all(const asking *a, shape_case *c) {
    static uint32_t who[SUBJECT_MOST];
    size_t n = asking_whom(a, NULL, 0, who);
    c->met = c->count = 0;
    for (size_t i = 0; i < n && !c->error; i++) {
        const living *b = &a->s->body[who[i]];
        if (abut_shape_overlap(&b->shape, &b->pose, &c->shape, &c->pose)) {
            note(a, c, who[i]);
        }
    }
}

static void collide_all(const asking *a, shape_case *c) {
    static uint32_t who[SUBJECT_MOST];
    abut_manifold m;
    size_t n = asking_whom(a, NULL, 0, who);
    c->met = c->count = 0;
    for (size_t i = 0; i < n && !c->error; i++) {
        const living *b = &a->s->body[who[i]];
        if (abut_shape_collide(&b->shape, &b->pose, &c->shape, &c->pose, c->margin, &m)) {
            note(a, c, who[i]);
        }
    }
}

static void bound_all(const asking *a, const abut_aabb *box, shape_case *c) {
    static uint32_t who[SUBJECT_MOST];
    size_t n = asking_whom(a, NULL, 0, who);
    c->met = c->count = 0;
    for (size_t i = 0; i < n && !c->error; i++) {
        const abut_aabb *b = &a->s->body[who[i]].bounds;
        if (b->min.x <= box->max.x && b->max.x >= box->min.x && b->min.y <= box->max.y && b->max.y >= box->min.y &&
            b->min.z <= box->max.z && b->max.z >= box->min.z) {
            note(a, c, who[i]);
        }
    }
}

/* --- comparing --- */

static void note_met(asking *a, const shape_case *c, size_t element) {
    for (size_t i = 0; i < c->met; i++) {
        asking_met(a, element, a->s->body[c->at[i]].id);
    }
}

/* Whether these are the first `room` of the accepted bodies that are met, and nothing behind them was written. */
static bool are_met(const asking *a, const shape_case *c, const abut_body_id *out, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < c->met && n < room; i++) {
        abut_body_id id = a->s->body[c->at[i]].id;
        if (!asking_accepts(a, id)) {
            continue;
        }
        if (!abut_body_id_equal(id, out[n])) {
            print_error("answer %zu of %zu: body %u, expected %u\n", n, c->count, out[n].index1, id.index1);
            return false;
        }
        n++;
    }
    return true;
}

static size_t less(size_t a, size_t b) {
    return a < b ? a : b;
}

static void clear_ids(size_t n) {
    for (size_t i = 0; i < n; i++) {
        ids[i] = canary;
    }
}

typedef enum question { OVERLAPS, IN_BOUNDS } question;

/* One of the questions that answer with ids: counted, then into too little room, or more than enough. */
static void judge_ids(asking *a, question what, const shape_case *c, const abut_aabb *box) {
    subject *s = a->s;
    const size_t room[3] = {0, rng_below(&s->r, (uint32_t)c->count + 2), c->count + 1};
    for (int round = 0; round < 3; round++) {
        abut_body_id *out = round == 0 ? NULL : ids;
        clear_ids(room[round] + 1);
        asking_open(a);
        size_t n = what == OVERLAPS ? abut_world_overlaps(s->world, &c->shape, &c->pose, a->query, out, room[round])
                                    : abut_world_in_bounds(s->world, box, a->query, out, room[round]);
        note_met(a, c, 0);
        for (size_t i = 0; i < less(n, room[round]); i++) {
            asking_answer(a, 0, ids[i]);
        }
        asking_close(a);
        if (n != c->count) {
            print_error("%zu, expected %zu\n", n, c->count);
        }
        check_case(n == c->count, what == OVERLAPS ? "overlaps: how many" : "in_bounds: how many", s->stream, s->step);
        *(what == OVERLAPS ? &judged.touching : &judged.in_bounds) += n;
        bool right = are_met(a, c, ids, room[round]) && abut_body_id_equal(ids[less(n, room[round])], canary);
        check_case(right, what == OVERLAPS ? "overlaps" : "in_bounds", s->stream, s->step);
    }
}

static bool is_contact(const subject *s, const shape_case *c, const living *b, const abut_touching *t) {
    abut_manifold m;
    (void)s;
    return abut_body_id_equal(b->id, t->body) && t->user == b->user && t->part == 0 &&
           abut_shape_collide(&b->shape, &b->pose, &c->shape, &c->pose, c->margin, &m) &&
           m.count == t->manifold.count && bits_equal(&m.normal, &t->manifold.normal, sizeof m.normal) &&
           bits_equal(m.points, t->manifold.points, m.count * sizeof m.points[0]);
}

static bool are_contacts(const asking *a, const shape_case *c, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < c->met && n < room; i++) {
        const living *b = &a->s->body[c->at[i]];
        if (!asking_accepts(a, b->id)) {
            continue;
        }
        if (!is_contact(a->s, c, b, &touching[n])) {
            print_error("contact %zu of %zu: body %u, expected %u\n", n, c->count, touching[n].body.index1,
                        b->id.index1);
            return false;
        }
        n++;
    }
    return true;
}

static void judge_contacts(asking *a, const shape_case *c) {
    subject *s = a->s;
    const size_t room[3] = {0, rng_below(&s->r, (uint32_t)c->count + 2), c->count + 1};
    for (int round = 0; round < 3; round++) {
        size_t k = room[round];
        abut_touching *out = round == 0 ? NULL : touching;
        memset(touching, 0xee, (k + 1) * sizeof *touching);
        asking_open(a);
        size_t n = abut_world_collide(s->world, &c->shape, &c->pose, c->margin, a->query, out, k);
        note_met(a, c, 0);
        for (size_t i = 0; i < less(n, k); i++) {
            asking_answer(a, 0, touching[i].body);
        }
        asking_close(a);
        if (n != c->count) {
            print_error("%zu, expected %zu\n", n, c->count);
        }
        check_case(n == c->count, "collide: how many", s->stream, s->step);
        judged.contacts += n;
        check_case(are_contacts(a, c, k), "collide", s->stream, s->step);
        check_case(abut_body_id_equal(touching[less(n, k)].body, canary), "collide: the end", s->stream, s->step);
    }
}

/* --- many --- */

static abut_result worst(size_t n) {
    abut_result result = ABUT_OK;
    for (size_t k = 0; k < n && result != ABUT_ERROR_ARGUMENT; k++) {
        result = cases[k].error ? cases[k].error : result;
    }
    return result;
}

static void judge_many(asking *a, size_t n, size_t capacity, size_t total) {
    subject *s = a->s;
    abut_shape shape[ASKING_ELEMENTS];
    abut_pose pose[ASKING_ELEMENTS];
    size_t ends[ASKING_ELEMENTS], begin = 0;
    for (size_t k = 0; k < n; k++) {
        shape[k] = cases[k].shape;
        pose[k] = cases[k].pose;
    }
    clear_ids(capacity + 1);
    asking_open(a);
    abut_result result = abut_world_overlaps_many(s->world, shape, pose, n, a->query, ids, capacity, ends),
                w = worst(n);
    for (size_t k = 0; k < n; k++) {
        note_met(a, &cases[k], k);
        for (size_t i = k ? ends[k - 1] : 0; i < ends[k] && i < capacity; i++) {
            asking_answer(a, k, ids[i]);
        }
    }
    asking_close(a);
    if (capacity < total) {
        check_case(result == ABUT_ERROR_CAPACITY || (w && result == w), "overlaps_many: result", s->stream, s->step);
    } else {
        check_case(result == w, "overlaps_many: result", s->stream, s->step);
    }
    for (size_t k = 0; k < n; k++) {
        check_case(ends[k] == begin + cases[k].count, "overlaps_many: ends", s->stream, s->step);
        size_t room = begin < capacity ? less(capacity - begin, cases[k].count) : 0;
        check_case(are_met(a, &cases[k], ids + begin, room), "overlaps_many", s->stream, s->step);
        begin = ends[k];
    }
    check_case(abut_body_id_equal(ids[less(begin, capacity)], canary), "overlaps_many: the end", s->stream, s->step);
}

/* --- asking --- */

static void spoil(rng *r, shape_case *c) {
    c->error = ABUT_ERROR_ARGUMENT;
    switch (rng_below(r, 5)) {
    case 0:
        c->shape.radius = -1;
        break;
    case 1:
        c->shape.radius = NAN;
        break;
    case 2:
        c->pose.rotation.z = INFINITY;
        break;
    case 3:
        c->pose.position.x = NAN;
        break;
    default:
        c->shape = abut_point();
        c->pose = (abut_pose){.position = {0, 0, rng_sign(r) * 1.5e9f}};
        c->error = ABUT_ERROR_LIMIT;
        break;
    }
}

static void judge_shape(asking *a, shape_case *c) {
    subject *s = a->s;
    if (rng_chance(&s->r, 0.5)) {
        c->margin = rng_chance(&s->r, 0.4) ? 0 : subject_length(s) * (rng_chance(&s->r, 0.8) ? 0.05f : 1);
        collide_all(a, c);
        judge_contacts(a, c);
    } else {
        overlap_all(a, c);
        judge_ids(a, OVERLAPS, c, NULL);
    }
}

static void judge_bounds(asking *a) {
    subject *s = a->s;
    shape_case *c = &cases[0];
    abut_vec3 p = subject_spot(s), q = rng_chance(&s->r, 0.2) ? p : subject_spot(s);
    abut_aabb box = {{fminf(p.x, q.x), fminf(p.y, q.y), fminf(p.z, q.z)},
                     {fmaxf(p.x, q.x), fmaxf(p.y, q.y), fmaxf(p.z, q.z)}};
    for (int i = 0; i < 3; i++) {
        if (rng_chance(&s->r, 0.1)) {
            (&box.min.x)[i] = -INFINITY;
        }
        if (rng_chance(&s->r, 0.1)) {
            (&box.max.x)[i] = INFINITY;
        }
    }
    c->error = ABUT_OK;
    if (rng_chance(&s->r, 0.03)) { /* the other way round, or none */
        c->error = ABUT_ERROR_ARGUMENT;
        float low = box.min.y;
        box.min.y = rng_chance(&s->r, 0.5) ? NAN : low + fabsf(low) + s->scale;
        box.max.y = low;
    }
    bound_all(a, &box, c);
    judge_ids(a, IN_BOUNDS, c, &box);
}

void judge_shapes(subject *s) {
    static asking a;
    subject_read(s);
    asking_begin(&a, s);
    size_t n = 1 + rng_below(&s->r, rng_chance(&s->r, 0.5) ? ASKING_ELEMENTS : 3), total = 0;
    uint32_t first = rng_below(&s->r, 3);
    if (first == 0) {
        judge_bounds(&a);
    }
    for (size_t k = 0; k < n; k++) {
        shape_case *c = &cases[k];
        c->shape = subject_shape(s);
        c->pose = subject_pose(s);
        c->error = ABUT_OK;
        if (rng_chance(&s->r, 0.05)) {
            spoil(&s->r, c);
        }
        if (first == 1) {
            judge_shape(&a, c);
        }
        overlap_all(&a, c);
        total += c->count;
    }
    judge_many(&a, n, total + 1, total);
    judge_many(&a, n, rng_below(&s->r, (uint32_t)total + 1), total);
    for (size_t k = 0; k < n && first == 2; k++) {
        judge_shape(&a, &cases[k]);
    }
    judge_bounds(&a);
}
