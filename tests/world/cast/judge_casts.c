/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"
#include "world/cast/judge.h"
#include "world/query/questions_hits.h"
#include <math.h>

cast_tally judged_casts;
static hit_case cases[ASKING_ELEMENTS];

/* --- casts --- */

/* Where a body is, or so that it touches one exactly or nearly. */
static void begin_beside(subject *s, abut_cast *cast) {
    const living *b = &s->body[rng_below(&s->r, (uint32_t)s->count)];
    cast->shape = b->shape;
    cast->from = b->pose;
    if (rng_chance(&s->r, 0.7)) {
        uint32_t axis = rng_below(&s->r, 3);
        float width = (&b->bounds.max.x)[axis] - (&b->bounds.min.x)[axis];
        float *at = &(&cast->from.position.x)[axis];
        *at += rng_sign(&s->r) * width;
        *at = rng_chance(&s->r, 0.5) ? *at : nextafterf(*at, rng_chance(&s->r, 0.5) ? INFINITY : -INFINITY);
    }
}

static abut_cast random_cast(subject *s) {
    rng *r = &s->r;
    const abut_ray ray = random_ray(s);
    abut_cast cast = {.shape = subject_shape(s), .from = subject_pose(s), .translation = ray.translation};
    if (rng_chance(r, 0.6)) {
        cast.from.position = ray.origin;
    }
    if (s->count > 0 && rng_chance(r, 0.25)) {
        begin_beside(s, &cast);
    }
    for (int i = 0; i < 2; i++) {
        cast.ignore[i] = rng_chance(r, 0.2) ? subject_any(s) : (abut_body_id){0};
    }
    return cast;
}

static void spoil(rng *r, abut_cast *cast) {
    const float bad = rng_chance(r, 0.5) ? NAN : rng_sign(r) * INFINITY;
    const uint32_t axis = rng_below(r, 3);
    switch (rng_below(r, 8)) {
    case 0:
        (&cast->from.position.x)[axis] = bad;
        break;
    case 1:
        (&cast->from.rotation.x)[axis] = bad;
        break;
    case 2:
        (&cast->translation.x)[axis] = bad;
        break;
    case 3:
        cast->shape.radius = rng_chance(r, 0.5) ? bad : -1;
        break;
    case 4:
        (&cast->shape.half.x)[axis] = rng_chance(r, 0.5) ? bad : -1;
        break;
    default: /* a limit */
        (&cast->from.position.x)[axis] = rng_sign(r) * (float)rng_log_range(r, 1e9 + 64, 1e12);
        break;
    }
}

static bool finite(abut_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool within(abut_vec3 v) {
    return fabsf(v.x) <= ABUT_MAX_COORDINATE && fabsf(v.y) <= ABUT_MAX_COORDINATE && fabsf(v.z) <= ABUT_MAX_COORDINATE;
}

static abut_result error_of(const abut_cast *cast) {
    const abut_aabb bounds = abut_shape_bounds(&cast->shape, &cast->from);
    if (!finite(cast->translation) || isnan(bounds.min.x)) {
        return ABUT_ERROR_ARGUMENT;
    }
    return within(cast->from.position) && within(bounds.min) && within(bounds.max) ? ABUT_OK : ABUT_ERROR_LIMIT;
}

/* --- brute force --- */

static bool is_zero(abut_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Whether the shape meets the body, and where. */
static bool meet(const abut_np_cast *cast, const abut_collider *body, abut_initial initial, met_hit *m) {
    static const uint32_t first = 0;
    double fraction;
    abut_np_cast_many(cast, body, &first, 1, 1, &fraction);
    bool touched = abut_np_overlap(&cast->start, body);
    assert_true(touched == (fraction == ABUT_NP_CAST_TOUCHED) && (touched || fraction >= 0));
    if (touched) {
        bool closes = abut_np_cast_closes(cast, body, &m->hit.position, &m->hit.normal);
        m->hit.fraction = 0;
        m->fraction = 0;
        if (initial == ABUT_INITIAL_HIT) {
            m->hit.normal = (abut_vec3){0, 0, 0};
        }
        return initial == ABUT_INITIAL_HIT || (initial == ABUT_INITIAL_CLOSING && closes);
    }
    if (!(fraction <= 1)) {
        return false;
    }
    abut_np_cast_place(cast, body, fraction, &m->hit.position, &m->hit.normal);
    m->hit.fraction = abut_np_ray_fraction(fraction);
    m->fraction = fraction;
    return true;
}

static void meet_all(const asking *a, hit_case *c) {
    static uint32_t who[SUBJECT_MOST];
    const subject *s = a->s;
    c->met = c->count = 0;
    c->error = error_of(&c->cast);
    if (c->error) {
        return;
    }
    size_t n = asking_whom(a, c->cast.ignore, 2, who);
    abut_collider start, body;
    assert_true(abut_collider_from_shape(&c->cast.shape, &c->cast.from, &start));
    const abut_np_cast cast = abut_np_cast_of(&start, c->cast.translation);
    for (size_t i = 0; i < n; i++) {
        const living *b = &s->body[who[i]];
        met_hit m = {.hit = {.body = b->id, .user = b->user}, .at = who[i], .accepted = asking_accepts(a, b->id)};
        assert_true(abut_collider_from_shape(&b->shape, &b->pose, &body));
        if (meet(&cast, &body, a->query ? a->query->initial : ABUT_INITIAL_CLOSING, &m)) {
            c->count += m.accepted;
            c->list[c->met++] = m;
        }
    }
    hit_case_sort(c);
}

/* --- comparing --- */

static bool is_list(const subject *s, const hit_case *c, const abut_hit *out, size_t n) {
    (void)s;
    for (size_t i = 0; i < n; i++) {
        const met_hit *m = &c->list[i];
        if (!bits_equal(&m->hit, &out[i], sizeof out[i])) {
            print_error("hit %zu of %zu: body %u at %a, expected %u at %a\n", i, c->count, out[i].body.index1,
                        (double)out[i].fraction, m->hit.body.index1, m->fraction);
            return false;
        }
        judged_casts.ties += i > 0 && m->fraction == m[-1].fraction;
        judged_casts.touched += is_zero(m->hit.normal);
        judged_casts.closing += m->fraction == 0 && !is_zero(m->hit.normal);
    }
    return true;
}

static size_t ask_list(const asking *a, const hit_case *c, abut_hit *out, size_t capacity) {
    return abut_world_shape_hits(a->s->world, &c->cast, a->query, out, capacity);
}

static const list_call shape_hits = {ask_list, is_list};

/* --- asking --- */

static void ask_batch(asking *a, const abut_cast *cast, size_t n, abut_hit *hit) {
    subject *s = a->s;
    memset(hit, 0xee, n * sizeof *hit);
    asking_open(a);
    abut_result result = abut_world_cast_shapes(s->world, cast, n, a->query, hit);
    for (size_t k = 0; k < n; k++) {
        asking_answer(a, k, hit[k].body);
        hit_case_note(a, &cases[k], k);
    }
    asking_close(a);
    check_case(result == hit_case_worst(cases, n), "casts: result", s->stream, s->step);
}

static void judge_alone(asking *a, const hit_case *c, const abut_hit *hit) {
    subject *s = a->s;
    abut_hit alone;
    memset(&alone, 0xee, sizeof alone);
    asking_open(a);
    abut_result result = abut_world_cast_shapes(s->world, &c->cast, 1, a->query, &alone);
    asking_answer(a, 0, alone.body);
    hit_case_note(a, c, 0);
    asking_close(a);
    check_case(result == c->error, "a cast alone: result", s->stream, s->step);
    bool same = c->error ? hit_case_is_first(c, &alone, NULL) : bits_equal(&alone, hit, sizeof alone);
    check_case(same, "a cast alone is another", s->stream, s->step);
}

void judge_casts(subject *s) {
    static asking a;
    abut_cast cast[ASKING_ELEMENTS];
    abut_hit hit[ASKING_ELEMENTS], first;
    subject_read(s);
    asking_begin(&a, s);
    size_t n = 1 + rng_below(&s->r, rng_chance(&s->r, 0.5) ? ASKING_ELEMENTS : 3);
    for (size_t k = 0; k < n; k++) {
        cases[k].cast = random_cast(s);
        if (rng_chance(&s->r, 0.05)) {
            spoil(&s->r, &cases[k].cast);
        }
        meet_all(&a, &cases[k]);
        cast[k] = cases[k].cast;
    }
    if (rng_chance(&s->r, 0.4)) {
        hit_case_judge_list(&a, &cases[0], &shape_hits, &first);
    }
    ask_batch(&a, cast, n, hit);
    for (size_t k = 0; k < n; k++) {
        const hit_case *c = &cases[k];
        hit_case_judge_list(&a, c, &shape_hits, &first);
        check_case(hit_case_is_first(c, &hit[k], &first), "cast_shapes is not the first of shape_hits", s->stream,
                   s->step);
        judged_casts.hits += c->count > 0;
        judged_casts.misses += c->count == 0 && !c->error;
        judged_casts.errors += c->error != ABUT_OK;
        if (rng_chance(&s->r, 0.3)) {
            judge_alone(&a, c, &hit[k]);
        }
    }
}
