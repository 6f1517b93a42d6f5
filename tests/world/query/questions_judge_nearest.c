/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_judge.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body and how far it is. */
typedef struct far_body {
    float distance;
    uint32_t at; /* in s->body */
    abut_vec3 on_body, on_shape;
} far_body;

/* All accepted bodies, nearest first. */
typedef struct near_list {
    abut_shape shape;
    abut_pose pose;
    abut_result error;
    float max;
    size_t within, count; /* no farther than max; all */
    far_body item[SUBJECT_MOST];
} near_list;

static near_list list;
static abut_near near_out[SUBJECT_MOST + 4], fewer[SUBJECT_MOST + 4], many[ASKING_ELEMENTS * 16 + 1];
_Static_assert(sizeof(abut_near) == 48, "no padding");

/* --- brute force --- */

static int by_distance(const void *a, const void *b) {
    const far_body *x = a, *y = b;
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Writes down whom `accept` may be asked about, too, if `element` is one. */
static void measure_all(asking *a, near_list *l, size_t element, bool writes) {
    static uint32_t who[SUBJECT_MOST];
    const subject *s = a->s;
    size_t n = asking_whom(a, NULL, 0, who);
    l->count = l->within = 0;
    for (size_t i = 0; i < n && !l->error; i++) {
        const living *b = &s->body[who[i]];
        far_body f = {.at = who[i]};
        f.distance = abut_shape_distance(&l->shape, &l->pose, &b->shape, &b->pose, &f.on_shape, &f.on_body);
        if (writes && f.distance <= l->max) {
            asking_met(a, element, b->id);
        }
        if (asking_accepts(a, b->id)) {
            l->within += f.distance <= l->max;
            l->item[l->count++] = f;
        }
    }
    if (l->count > 1) {
        qsort(l->item, l->count, sizeof *l->item, by_distance);
    }
}

/* --- comparing --- */

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* From the body's point along the normal, as far as the distance, lies the point of the shape. */
static bool normal_leads_there(const abut_near *out, const far_body *f) {
    const float *n = &out->normal.x, *from = &f->on_body.x, *to = &f->on_shape.x;
    double unit[3] = {(double)n[0], (double)n[1], (double)n[2]}, gap[3], largest = 0;
    if (f->distance == 0) {
        return n[0] == 0 && n[1] == 0 && n[2] == 0;
    }
    for (int i = 0; i < 3; i++) {
        gap[i] = (double)from[i] + (double)n[i] * (double)f->distance - (double)to[i];
        largest = fmax(largest, fmax(fabs((double)from[i]), fabs((double)to[i])));
    }
    return fabs(length(unit) - 1) < 1e-6 && length(gap) <= 1e-5 * (double)f->distance + 0x1p-21 * largest;
}

static bool alike(const living *a, const living *b) {
    return bits_equal(&a->pose, &b->pose, sizeof a->pose) && bits_equal(&a->shape.half, &b->shape.half, 12) &&
           a->shape.hull == b->shape.hull && a->shape.radius == b->shape.radius;
}

/* Whether two bodies at one distance stand in the order of their ids where the doubles are equal, too. */
static bool tie_in_order(const subject *s, const far_body *before, const far_body *now) {
    bool equal = now->distance == 0 || alike(&s->body[before->at], &s->body[now->at]);
    return !equal || before->at < now->at;
}

static bool is_near(const subject *s, const abut_near *out, const far_body *f) {
    return out->distance == f->distance && out->user == s->body[f->at].user && out->part == 0 &&
           bits_equal(&out->position, &f->on_body, sizeof out->position) && normal_leads_there(out, f);
}

/* Whether these are the n nearest, where bodies of one distance may come in any order that their doubles may have. */
static bool are_nearest(const subject *s, const near_list *l, const abut_near *out, size_t n) {
    static uint32_t where[SUBJECT_SLOTS]; /* 1 + position in the list, of what was not seen yet */
    const far_body *before = NULL;
    memset(where, 0, sizeof where);
    for (size_t i = 0; i < l->count; i++) {
        where[s->body[l->item[i].at].id.index1 - 1] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t slot = out[i].body.index1 - 1, at = slot < SUBJECT_SLOTS ? where[slot] : 0;
        const far_body *f = at ? &l->item[at - 1] : NULL;
        if (!f || !abut_body_id_equal(s->body[f->at].id, out[i].body) || f->distance != l->item[i].distance ||
            !is_near(s, &out[i], f)) {
            print_error("near %zu of %zu: body %u at %a, expected %u at %a\n", i, n, out[i].body.index1,
                        (double)out[i].distance, s->body[l->item[i].at].id.index1, (double)l->item[i].distance);
            return false;
        }
        judged.near++;
        judged.at_zero += f->distance == 0;
        judged.near_ties += before && before->distance == f->distance;
        if (before && before->distance == f->distance && !tie_in_order(s, before, f)) {
            print_error("near %zu: body %u stands behind %u\n", i, s->body[f->at].id.index1,
                        s->body[before->at].id.index1);
            return false;
        }
        where[slot] = 0;
        before = f;
    }
    return true;
}

static bool untouched(const abut_near *out) {
    abut_near canary;
    memset(&canary, 0xee, sizeof canary);
    return bits_equal(&canary, out, sizeof canary);
}

/* n of at most k. */
static bool how_many(const near_list *l, size_t n, size_t k) {
    return n == (l->within < k ? l->within : k);
}

/* --- asking --- */

static float random_reach(subject *s) {
    switch (rng_below(&s->r, 5)) {
    case 0:
        return 0;
    case 1:
    case 2:
        return INFINITY;
    default:
        return subject_length(s);
    }
}

static size_t random_places(subject *s) {
    switch (rng_below(&s->r, 5)) {
    case 0:
        return 1;
    case 1:
        return rng_below(&s->r, 5);
    case 2:
        return SUBJECT_MOST;
    default:
        return 1 + rng_below(&s->r, 40);
    }
}

static size_t ask(asking *a, near_list *l, size_t k, abut_near *out) {
    subject *s = a->s;
    memset(out, 0xee, (k + 1) * sizeof *out);
    asking_open(a);
    size_t n = abut_world_nearest(s->world, &l->shape, &l->pose, l->max, a->query, out, k);
    measure_all(a, l, 0, true);
    for (size_t i = 0; i < n && i < k; i++) {
        asking_answer(a, 0, out[i].body);
    }
    asking_close(a);
    if (!how_many(l, n, k)) {
        print_error("%zu of at most %zu, expected %zu\n", n, k, l->within);
    }
    check_case(how_many(l, n, k), "nearest: how many", s->stream, s->step);
    check_case(untouched(&out[n]), "nearest: the end", s->stream, s->step);
    check_case(are_nearest(s, l, out, n), "nearest", s->stream, s->step);
    return n;
}

static void judge_one(asking *a) {
    subject *s = a->s;
    list.shape = subject_shape(s);
    list.pose = subject_pose(s);
    list.error = ABUT_OK;
    list.max = random_reach(s);
    if (rng_chance(&s->r, 0.05)) { /* nothing is near what is nowhere */
        list.error = ABUT_ERROR_ARGUMENT;
        *(rng_chance(&s->r, 0.5) ? &list.pose.position.y : &list.shape.radius) =
            rng_chance(&s->r, 0.5) ? NAN : -INFINITY;
    }
    size_t k = random_places(s), n = ask(a, &list, k, near_out);
    if (n > 0 && rng_chance(&s->r, 0.5)) { /* the nearest of them, and those no farther than one of them */
        size_t m = ask(a, &list, 1 + rng_below(&s->r, (uint32_t)n), fewer);
        check_case(bits_equal(fewer, near_out, m * sizeof *fewer), "the first of nearest", s->stream, s->step);
        list.max = near_out[rng_below(&s->r, (uint32_t)n)].distance;
        m = ask(a, &list, k, fewer);
        check_case(bits_equal(fewer, near_out, m * sizeof *fewer), "nearest within less", s->stream, s->step);
    }
}

static abut_vec3 random_point(subject *s, abut_result *error) {
    rng *r = &s->r;
    abut_vec3 p = subject_spot(s);
    *error = ABUT_OK;
    if (rng_chance(r, 0.05)) {
        *error = ABUT_ERROR_ARGUMENT;
        (&p.x)[rng_below(r, 3)] = rng_chance(r, 0.5) ? NAN : INFINITY;
    } else if (rng_chance(r, 0.04)) {
        *error = ABUT_ERROR_LIMIT;
        (&p.x)[rng_below(r, 3)] = 1.5e9f * rng_sign(r);
    }
    return p;
}

static void judge_points(asking *a) {
    subject *s = a->s;
    abut_vec3 point[ASKING_ELEMENTS];
    abut_result error[ASKING_ELEMENTS], expected = ABUT_OK;
    uint32_t counts[ASKING_ELEMENTS];
    size_t n = 1 + rng_below(&s->r, ASKING_ELEMENTS), k = rng_chance(&s->r, 0.5) ? 1 : rng_below(&s->r, 17);
    list.max = random_reach(s);
    list.shape = abut_point();
    for (size_t i = 0; i < n; i++) {
        point[i] = random_point(s, &error[i]);
        expected = error[i] && expected != ABUT_ERROR_ARGUMENT ? error[i] : expected;
    }
    memset(many, 0xee, sizeof many);
    memset(counts, 0xee, sizeof counts);
    asking_open(a);
    abut_result result = abut_world_nearest_many(s->world, point, n, list.max, a->query, many, k, counts);
    check_case(result == expected, "nearest_many: result", s->stream, s->step);
    for (size_t i = 0; i < n; i++) {
        list.pose = (abut_pose){.position = point[i]};
        list.error = error[i];
        measure_all(a, &list, i, true);
        check_case(how_many(&list, counts[i], k), "nearest_many: how many", s->stream, s->step);
        check_case(are_nearest(s, &list, many + i * k, counts[i]), "nearest_many", s->stream, s->step);
        for (size_t j = 0; j < k; j++) {
            bool written = j < counts[i];
            asking_answer(a, i, written ? many[i * k + j].body : (abut_body_id){0});
            check_case(written || untouched(&many[i * k + j]), "nearest_many: the rest", s->stream, s->step);
        }
    }
    check_case(untouched(&many[n * k]), "nearest_many: the end", s->stream, s->step);
    asking_close(a);
}

void judge_nearest(subject *s) {
    static asking a;
    subject_read(s);
    asking_begin(&a, s);
    if (rng_chance(&s->r, 0.5)) {
        judge_points(&a);
    }
    judge_one(&a);
}
