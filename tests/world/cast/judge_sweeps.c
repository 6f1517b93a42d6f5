/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/cast/sweep_pairs.h"
#include <math.h>
#include <stdlib.h>

enum { MOVERS = 40, BOOK = 1 << 16 };

/* A call of abut_world_sweep, and what `accept` was asked during it. */
typedef struct sweep_case {
    asking a;
    size_t n;
    abut_body_id ids[MOVERS];
    abut_pose targets[MOVERS];
    abut_result error[MOVERS];
    abut_hit expected[MOVERS], hits[MOVERS + 1];
    sweep_met met[BOOK]; /* by those who count, accepted or not */
    size_t met_count;
    sweep_met asked[BOOK];
    size_t asked_count, wrong;
} sweep_case;

static sweep_case the;

/* --- the last word --- */

static bool accepts(const sweep_case *c, uint32_t mover1, uint32_t body1) {
    rng r = rng_make(c->a.salt + mover1, body1);
    return !c->a.salt || rng_chance(&r, 0.6);
}

static bool accept(const abut_candidate *candidate, void *context) {
    sweep_case *c = context;
    uint64_t user = 0;
    c->wrong += candidate->element >= c->n || candidate->part != 0 ||
                !abut_body_is_valid(c->a.s->world, candidate->mover) ||
                abut_body_get_user(c->a.s->world, candidate->body, &user) != ABUT_OK || user != candidate->user;
    if (c->asked_count < BOOK) {
        c->asked[c->asked_count++] = (sweep_met){.element = (uint32_t)candidate->element,
                                                 .mover = candidate->mover.index1 - 1,
                                                 .body = candidate->body.index1 - 1};
    }
    return accepts(c, candidate->mover.index1, candidate->body.index1);
}

static int by_pair(const void *a, const void *b) {
    const sweep_met *x = a, *y = b;
    const uint32_t p[3] = {x->element, x->mover, x->body}, q[3] = {y->element, y->mover, y->body};
    for (int i = 0; i < 3; i++) {
        if (p[i] != q[i]) {
            return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

/* No pair that does not meet, none three times, and every answer. */
static void check_books(sweep_case *c) {
    const subject *s = c->a.s;
    if (!c->a.salt || c->met_count > BOOK || c->asked_count == BOOK) {
        return;
    }
    check_case(c->wrong == 0, "accept is asked about a wrong candidate", s->stream, s->step);
    qsort(c->met, c->met_count, sizeof *c->met, by_pair);
    qsort(c->asked, c->asked_count, sizeof *c->asked, by_pair);
    for (size_t i = 0; i < c->asked_count; i++) {
        const sweep_met *m = &c->asked[i];
        check_case(c->met_count && bsearch(m, c->met, c->met_count, sizeof *m, by_pair),
                   "accept is asked about a pair that does not meet", s->stream, s->step);
        check_case(i < 2 || by_pair(m, m - 2) != 0, "accept is asked three times", s->stream, s->step);
    }
    for (size_t k = 0; k < c->n; k++) {
        const abut_hit *h = &c->hits[k];
        const sweep_met m = {.element = (uint32_t)k, .mover = h->mover.index1 - 1, .body = h->body.index1 - 1};
        check_case(h->body.index1 == 0 || (c->asked_count && bsearch(&m, c->asked, c->asked_count, sizeof m, by_pair)),
                   "accept is not asked about an answer", s->stream, s->step);
    }
}

/* --- a call --- */

static abut_pose random_target(subject *s, abut_body_id id) {
    rng *r = &s->r;
    abut_pose now;
    assert_int_equal(abut_body_get_pose(s->world, id, &now), ABUT_OK);
    const abut_vec3 spot = subject_spot(s), away = rng_vec3(r, -2, 2);
    const float further = rng_chance(r, 0.3) ? (float)rng_range(r, 0.5, 3) : 1;
    uint32_t way = rng_below(r, 8);
    if (way == 0) { /* it stays */
        return now;
    }
    if (way < 4) {
        now.position.x += (spot.x - now.position.x) * further;
        now.position.y += (spot.y - now.position.y) * further;
        now.position.z += (spot.z - now.position.z) * further;
    } else if (way < 7) {
        now.position.x += away.x * s->scale;
        now.position.y += away.y * s->scale;
        now.position.z += away.z * s->scale;
    }
    if (rng_chance(r, 0.6)) {
        now.rotation = rng_rotation(r);
    } else if (rng_chance(r, 0.3)) {
        now.rotation = (abut_quat){-now.rotation.x, -now.rotation.y, -now.rotation.z, -now.rotation.w};
    } else if (rng_chance(r, 0.2)) {
        now.rotation = (abut_quat){0, 0, 0, 0};
    }
    if (rng_chance(r, 0.3)) {
        abut_quat *q = &now.rotation;
        *q = (abut_quat){q->x * 3, q->y * 3, q->z * 3, q->w * 3};
    }
    return now;
}

static void spoil(rng *r, abut_pose *target) {
    uint32_t way = rng_below(r, 3), axis = rng_below(r, 3);
    const float bad = rng_chance(r, 0.5) ? NAN : rng_sign(r) * INFINITY;
    if (way == 0) {
        (&target->position.x)[axis] = bad;
    } else if (way == 1) {
        (&target->rotation.y)[axis] = bad;
    } else {
        (&target->position.x)[axis] = rng_sign(r) * (float)rng_log_range(r, 1e9 + 64, 1e12);
    }
}

static void choose(sweep_case *c) {
    subject *s = c->a.s;
    rng *r = &s->r;
    uint32_t wanted = rng_chance(r, 0.3) ? rng_below(r, MOVERS + 1) : rng_below(r, 6);
    c->n = 0;
    for (uint32_t i = 0; i < wanted && s->count > 0; i++) {
        const abut_body_id id = s->body[rng_below(r, (uint32_t)s->count)].root;
        bool twice = false;
        for (size_t k = 0; k < c->n; k++) {
            twice = twice || abut_body_id_equal(c->ids[k], id);
        }
        if (!twice) {
            c->targets[c->n] = random_target(s, id);
            if (rng_chance(r, 0.04)) {
                spoil(r, &c->targets[c->n]);
            }
            c->ids[c->n++] = id;
        }
    }
}

/* --- brute force --- */

static bool is_before(const sweep_met *x, const sweep_met *y) {
    if (x->met.fraction != y->met.fraction) {
        return x->met.fraction < y->met.fraction;
    }
    return x->body != y->body ? x->body < y->body : x->mover < y->mover;
}

static void judge_pairs(sweep_case *c, sweep_pairs *p) {
    static sweep_met first[MOVERS];
    static const abut_query everybody;
    const abut_query *query = c->a.query ? c->a.query : &everybody;
    for (size_t k = 0; k < c->n; k++) {
        first[k] = (sweep_met){.met.fraction = INFINITY};
    }
    c->met_count = 0;
    sweep_met m;
    while (sweep_pairs_next(p, query->initial, query->allowance, &m)) {
        if (c->met_count < BOOK) {
            c->met[c->met_count] = m;
        }
        c->met_count++;
        if (accepts(c, m.mover + 1, m.body + 1)) {
            judged_casts.ties += m.met.fraction == first[m.element].met.fraction;
            first[m.element] = is_before(&m, &first[m.element]) ? m : first[m.element];
        }
    }
    for (size_t k = 0; k < c->n; k++) {
        c->expected[k] = c->error[k] ? (abut_hit){.fraction = NAN} : (abut_hit){.fraction = 1};
        if (first[k].met.fraction <= 1) {
            c->expected[k] = sweep_hit(p, &first[k]);
        }
    }
}

static void count(const sweep_case *c) {
    cast_tally *t = &judged_casts;
    for (size_t k = 0; k < c->n; k++) {
        const abut_hit *h = &c->expected[k];
        bool hit = h->body.index1 != 0;
        t->hits += hit;
        t->misses += !hit && !c->error[k];
        t->errors += c->error[k] != ABUT_OK;
        t->touched += hit && h->normal.x == 0 && h->normal.y == 0 && h->normal.z == 0;
        t->closing += hit && h->fraction == 0;
        t->attached += hit && !abut_body_id_equal(h->mover, c->ids[k]);
        for (size_t j = 0; j < c->n; j++) {
            t->both += hit && abut_body_id_equal(h->body, c->ids[j]);
        }
    }
}

/* --- asking --- */

static bool untouched(const abut_hit *hits, size_t n) {
    const unsigned char *at = (const unsigned char *)hits;
    for (size_t i = 0; i < n * sizeof *hits; i++) {
        if (at[i] != 0xee) {
            return false;
        }
    }
    return true;
}

static bool same(const abut_hit *a, const abut_hit *b) {
    abut_hit x = *a, y = *b;
    if (isnan(x.fraction) && isnan(y.fraction)) {
        x.fraction = y.fraction = 0;
    }
    return bits_equal(&x, &y, sizeof x);
}

static abut_result ask(sweep_case *c) {
    subject *s = c->a.s;
    memset(c->hits, 0xee, sizeof c->hits);
    c->asked_count = c->wrong = 0;
    uint64_t hash = abut_world_hash(s->world);
    size_t live = s->books.live_blocks;
    picture before = {0};
    bool look = rng_chance(&s->r, 0.05);
    if (look) {
        before = picture_take(s->world);
    }
    abut_result result = abut_world_sweep(s->world, c->ids, c->targets, c->n, c->a.query, c->hits);
    check_case(abut_world_hash(s->world) == hash, "a sweep changes the hash", s->stream, s->step);
    if (look) {
        picture_close(&before, s->world);
    }
    if (result == ABUT_ERROR_MEMORY || result == ABUT_ERROR_CAPACITY) {
        check_case(untouched(c->hits, MOVERS + 1), "a sweep without room writes", s->stream, s->step);
        check_case(s->books.live_blocks == live || result == ABUT_ERROR_MEMORY, "a sweep without room leaks", s->stream,
                   s->step);
    }
    check_case(untouched(&c->hits[c->n], 1), "a sweep writes beyond its end", s->stream, s->step);
    return result;
}

static void compare(sweep_case *c) {
    const subject *s = c->a.s;
    for (size_t k = 0; k < c->n; k++) {
        const abut_hit *x = &c->hits[k], *y = &c->expected[k];
        if (!same(x, y)) {
            print_error("element %zu of %zu: %u meets %u at %a (normal %a %a %a), expected %u, %u at %a (%a %a %a)\n",
                        k, c->n, x->mover.index1, x->body.index1, (double)x->fraction, (double)x->normal.x,
                        (double)x->normal.y, (double)x->normal.z, y->mover.index1, y->body.index1, (double)y->fraction,
                        (double)y->normal.x, (double)y->normal.y, (double)y->normal.z);
        }
        check_case(same(x, y), "a sweep", s->stream, s->step);
    }
}

/* The same call with its bodies in another order. */
static void shuffle(sweep_case *c) {
    for (size_t k = c->n; k > 1; k--) {
        const size_t j = rng_below(&c->a.s->r, (uint32_t)k), i = k - 1;
        const abut_body_id id = c->ids[i];
        const abut_pose target = c->targets[i];
        const abut_hit hit = c->expected[i];
        c->ids[i] = c->ids[j], c->targets[i] = c->targets[j], c->expected[i] = c->expected[j];
        c->ids[j] = id, c->targets[j] = target, c->expected[j] = hit;
    }
}

static abut_result worst(const sweep_case *c) {
    abut_result result = ABUT_OK;
    for (size_t k = 0; k < c->n; k++) {
        result = c->error[k] == ABUT_ERROR_ARGUMENT || result == ABUT_OK ? c->error[k] : result;
        if (result == ABUT_ERROR_ARGUMENT) {
            break;
        }
    }
    return result;
}

void judge_sweeps(subject *s) {
    sweep_case *c = &the;
    subject_read(s);
    asking_begin(&c->a, s);
    if (c->a.salt) {
        c->a.filled.accept = accept;
        c->a.filled.context = c;
    }
    if (rng_chance(&s->r, 0.3)) {
        c->a.filled.allowance = subject_length(s) * 0.01f;
    }
    choose(c);
    if (rng_chance(&s->r, 0.2)) { /* the first call, or a later one, finds no memory */
        failing_allocator_fail_once(&s->books, 1 + rng_below(&s->r, 3));
        size_t failed = s->books.failed;
        abut_result result = ask(c);
        check_case((result == ABUT_ERROR_MEMORY) == (s->books.failed > failed), "a sweep without memory", s->stream,
                   s->step);
        judged_casts.failed += result == ABUT_ERROR_MEMORY;
        failing_allocator_fail_never(&s->books);
    }
    sweep_pairs *p = sweep_pairs_begin(&c->a, c->ids, c->targets, c->n, c->error);
    judge_pairs(c, p);
    abut_result result = ask(c);
    if (s->fixed && result == ABUT_ERROR_CAPACITY) {
        judged_casts.full++;
        return;
    }
    check_case(result == worst(c), "sweeps: result", s->stream, s->step);
    compare(c);
    check_books(c);
    count(c);
    if (c->n > 1 && rng_chance(&s->r, 0.3)) {
        shuffle(c);
        check_case(ask(c) == result, "sweeps in another order: result", s->stream, s->step);
        compare(c);
    }
}
