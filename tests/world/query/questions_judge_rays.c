/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/questions_hits.h"
#include <math.h>
#include <string.h>

static hit_case cases[ASKING_ELEMENTS];

/* --- rays --- */

static abut_vec3 along_axis(rng *r, double length) {
    abut_vec3 v = {0, 0, 0};
    (&v.x)[rng_below(r, 3)] = rng_sign(r) * (float)length;
    if (rng_chance(r, 0.2)) { /* through edges */
        (&v.x)[rng_below(r, 3)] = rng_sign(r) * (float)length;
    }
    return v;
}

static abut_vec3 difference(abut_vec3 to, abut_vec3 from, float times) {
    return (abut_vec3){(to.x - from.x) * times, (to.y - from.y) * times, (to.z - from.z) * times};
}

static abut_ray from_afar(subject *s, abut_vec3 to) {
    abut_vec3 d = rng_direction(&s->r);
    float far = s->scale * (float)rng_log_range(&s->r, 1e2, 1e5);
    abut_ray ray = {.origin = {to.x + d.x * far, to.y + d.y * far, to.z + d.z * far}};
    float *at = &ray.origin.x;
    for (int i = 0; i < 3; i++) {
        at[i] = fminf(fmaxf(at[i], -ABUT_MAX_COORDINATE), ABUT_MAX_COORDINATE);
    }
    ray.translation = difference(to, ray.origin, 2);
    return ray;
}

/* Along an axis from far away, past the edge of the bounds of a body or through it by a few units in the last place. */
static abut_ray grazing(subject *s, abut_vec3 corner) {
    rng *r = &s->r;
    uint32_t axis = rng_below(r, 3), other = (axis + 1 + rng_below(r, 2)) % 3;
    abut_ray ray = {.origin = corner};
    float *at = &ray.origin.x, *way = &ray.translation.x;
    for (uint32_t i = rng_below(r, 4); i > 0; i--) {
        at[other] = nextafterf(at[other], rng_chance(r, 0.6) ? INFINITY : -INFINITY);
    }
    float far = s->scale * (float)rng_log_range(r, 1, 1e8);
    at[axis] = fmaxf(at[axis] - far, -ABUT_MAX_COORDINATE);
    way[axis] = 2 * far;
    if (rng_chance(r, 0.3)) {
        way[other] = far * (float)rng_range(r, -1e-9, 1e-9);
    }
    return ray;
}

abut_ray random_ray(subject *s) {
    rng *r = &s->r;
    abut_vec3 from = subject_spot(s), to = subject_spot(s);
    abut_ray ray = {.origin = from, .translation = difference(to, from, 1)};
    switch (rng_below(r, 10)) {
    case 0:
        ray.translation = along_axis(r, subject_length(s));
        break;
    case 1: /* a point */
        ray.translation = (abut_vec3){0, rng_chance(r, 0.5) ? -0.0f : 0, 0};
        break;
    case 2:
        ray = from_afar(s, to);
        break;
    case 3: /* without an end */
        ray.translation = rng_direction(r);
        ray.translation = difference(ray.translation, (abut_vec3){0, 0, 0}, 1e38f);
        break;
    case 4:
        ray.translation = along_axis(r, rng_chance(r, 0.5) ? 3.4e38 : 1e-42);
        break;
    case 5: /* to and through */
        ray.translation = difference(to, from, (float)rng_range(r, 0.5, 2));
        break;
    case 6:
        ray = grazing(s, to);
        break;
    default:
        break;
    }
    for (int i = 0; i < 2; i++) {
        ray.ignore[i] = rng_chance(r, 0.2) ? subject_any(s) : (abut_body_id){0};
    }
    return ray;
}

static void spoil(rng *r, hit_case *c) {
    float *at = rng_chance(r, 0.5) ? &c->ray.origin.x : &c->ray.translation.x;
    c->error = ABUT_ERROR_ARGUMENT;
    at[rng_below(r, 3)] = rng_chance(r, 0.5) ? NAN : rng_sign(r) * INFINITY;
    if (rng_chance(r, 0.4)) {
        c->ray.origin = (abut_vec3){0, rng_sign(r) * 1.5e9f, 0};
        c->ray.translation = (abut_vec3){1, 2, 3};
        c->error = ABUT_ERROR_LIMIT;
    }
}

/* --- brute force --- */

static bool is_zero(abut_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static void meet_all(const asking *a, hit_case *c) {
    static uint32_t who[SUBJECT_MOST];
    const subject *s = a->s;
    size_t n = asking_whom(a, c->ray.ignore, 2, who);
    c->met = c->count = 0;
    for (size_t i = 0; i < n && !c->error; i++) {
        const living *b = &s->body[who[i]];
        met_hit m = {.at = who[i], .accepted = asking_accepts(a, b->id)};
        memset(&m.hit, 0xee, sizeof m.hit);
        if (!abut_shape_cast_ray(&b->shape, &b->pose, &c->ray, &m.hit)) {
            continue;
        }
        assert_true(m.hit.body.index1 == 0 && m.hit.user == 0 && m.hit.mover.index1 == 0 && m.hit.part == 0);
        if (a->query && a->query->initial == ABUT_INITIAL_SKIP && is_zero(m.hit.normal)) {
            continue; /* it holds the origin */
        }
        m.hit.body = b->id;
        m.hit.user = b->user;
        m.fraction = (double)m.hit.fraction;
        c->count += m.accepted;
        c->list[c->met++] = m;
    }
    hit_case_sort(c);
}

/* --- comparing --- */

static bool alike(const living *a, const living *b) {
    return bits_equal(&a->pose, &b->pose, sizeof a->pose) && bits_equal(&a->shape.half, &b->shape.half, 12) &&
           a->shape.hull == b->shape.hull && a->shape.radius == b->shape.radius;
}

/* Whether bodies that are met at one fraction stand in the order of their ids where the doubles are equal, too. */
static bool tie_in_order(const subject *s, const met_hit *before, const met_hit *now) {
    bool equal =
        (is_zero(before->hit.normal) && is_zero(now->hit.normal)) || alike(&s->body[before->at], &s->body[now->at]);
    return !equal || before->hit.body.index1 < now->hit.body.index1;
}

/* Whether `out` is the sorted list, where bodies of one fraction may come in any order that their doubles may have. */
static bool is_list(const subject *s, const hit_case *c, const abut_hit *out, size_t n) {
    static uint32_t where[SUBJECT_SLOTS]; /* 1 + position in the list, of what was not seen yet */
    memset(where, 0, sizeof where);
    for (size_t i = 0; i < c->count; i++) {
        where[c->list[i].hit.body.index1 - 1] = (uint32_t)i + 1;
    }
    const met_hit *before = NULL;
    for (size_t i = 0; i < n; i++) {
        uint32_t slot = out[i].body.index1 - 1;
        uint32_t at = slot < SUBJECT_SLOTS ? where[slot] : 0;
        const met_hit *m = at ? &c->list[at - 1] : NULL;
        if (!m || !bits_equal(&m->hit, &out[i], sizeof out[i]) || out[i].fraction != c->list[i].hit.fraction) {
            print_error("hit %zu of %zu: body %u at %a, expected %u at %a\n", i, c->count, out[i].body.index1,
                        (double)out[i].fraction, c->list[i].hit.body.index1, (double)c->list[i].hit.fraction);
            return false;
        }
        judged.ties += before && before->hit.fraction == m->hit.fraction;
        judged.held += is_zero(m->hit.normal);
        if (before && before->hit.fraction == m->hit.fraction && !tie_in_order(s, before, m)) {
            print_error("hits %zu: bodies %u and %u in the wrong order\n", i, before->hit.body.index1,
                        m->hit.body.index1);
            return false;
        }
        where[slot] = 0;
        before = m;
    }
    return true;
}

static size_t ask_list(const asking *a, const hit_case *c, abut_hit *out, size_t capacity) {
    return abut_world_ray_hits(a->s->world, &c->ray, a->query, out, capacity);
}

static const list_call ray_hits = {ask_list, is_list};

/* --- asking --- */

/* Both questions for the first hit, about all rays. */
static void ask_batch(asking *a, const abut_ray *ray, size_t n, abut_hit *hit, uint8_t *blocked) {
    subject *s = a->s;
    const abut_result expected = hit_case_worst(cases, n);
    bool lines_first = rng_chance(&s->r, 0.5);
    for (int round = 0; round < 2; round++) {
        abut_result result;
        asking_open(a);
        if ((round == 0) == lines_first) {
            result = abut_world_test_rays(s->world, ray, n, a->query, blocked);
        } else {
            result = abut_world_cast_rays(s->world, ray, n, a->query, hit);
            for (size_t k = 0; k < n; k++) {
                asking_answer(a, k, hit[k].body);
            }
        }
        for (size_t k = 0; k < n; k++) {
            hit_case_note(a, &cases[k], k);
        }
        asking_close(a);
        check_case(result == expected, "rays: result", s->stream, s->step);
    }
}

static void judge_alone(asking *a, const hit_case *c, const abut_hit *hit) {
    subject *s = a->s;
    abut_hit alone;
    uint8_t blocked = 0xee;
    memset(&alone, 0xee, sizeof alone);
    asking_open(a);
    abut_result result = abut_world_cast_rays(s->world, &c->ray, 1, a->query, &alone);
    result = abut_world_test_rays(s->world, &c->ray, 1, a->query, &blocked) == result ? result : ABUT_ERROR_FORMAT;
    hit_case_note(a, c, 0);
    a->calls = 0;
    for (size_t i = 0; i < SUBJECT_SLOTS; i++) { /* asked by both */
        a->asked[0][i] = (uint8_t)((a->asked[0][i] + 1) / 2);
    }
    asking_close(a);
    check_case(result == c->error, "a ray alone: result", s->stream, s->step);
    bool same = c->error ? hit_case_is_first(c, &alone, NULL) : bits_equal(&alone, hit, sizeof alone);
    check_case(same, "a ray alone is another", s->stream, s->step);
    check_case(blocked == (!c->error && c->count > 0), "a line of sight alone is another", s->stream, s->step);
}

void judge_rays(subject *s) {
    static asking a;
    abut_ray ray[ASKING_ELEMENTS];
    abut_hit hit[ASKING_ELEMENTS];
    uint8_t blocked[ASKING_ELEMENTS];
    abut_hit first;
    subject_read(s);
    asking_begin(&a, s);
    size_t n = 1 + rng_below(&s->r, rng_chance(&s->r, 0.5) ? ASKING_ELEMENTS : 3);
    for (size_t k = 0; k < n; k++) {
        cases[k].ray = random_ray(s);
        cases[k].error = ABUT_OK;
        if (rng_chance(&s->r, 0.05)) {
            spoil(&s->r, &cases[k]);
        }
        meet_all(&a, &cases[k]);
        ray[k] = cases[k].ray;
    }
    bool batch_first = rng_chance(&s->r, 0.6);
    if (!batch_first) {
        hit_case_judge_list(&a, &cases[0], &ray_hits, &first);
    }
    memset(hit, 0xee, sizeof hit);
    memset(blocked, 0xee, sizeof blocked);
    ask_batch(&a, ray, n, hit, blocked);
    for (size_t k = 0; k < n; k++) {
        const hit_case *c = &cases[k];
        hit_case_judge_list(&a, c, &ray_hits, &first);
        check_case(hit_case_is_first(c, &hit[k], &first), "cast_rays is not the first of ray_hits", s->stream, s->step);
        check_case(blocked[k] == (c->count > 0), "test_rays", s->stream, s->step);
        judged.hits += c->count > 0;
        judged.misses += c->count == 0;
        if (rng_chance(&s->r, 0.3)) {
            judge_alone(&a, c, &hit[k]);
        }
    }
}
