/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/flights.h"
#include "world/query/lowest.h"
#include "world/query/whom.h"
#include <math.h>

/* Rays. Each walks the tree, roughly front to back; the bodies of a node whose boxes it meets are tested exactly, and
 * what it has met so far shortens the rest of its walk. */

typedef struct call {
    abut_w_whom whom;
    bool skips_start; /* bodies that hold the origin are passed over */
} call;

/* A ray that is being answered. */
typedef struct shot {
    abut_np_ray exact;
    abut_w_two ignored;
    size_t element;
} shot;

static bool is_within_limit(const abut_ray *ray) {
    const float *origin = &ray->origin.x;
    return fabsf(origin[0]) <= ABUT_MAX_COORDINATE && fabsf(origin[1]) <= ABUT_MAX_COORDINATE &&
           fabsf(origin[2]) <= ABUT_MAX_COORDINATE;
}

static abut_result check_ray(const abut_ray *ray) {
    return !abut_np_ray_valid(ray) ? ABUT_ERROR_ARGUMENT : is_within_limit(ray) ? ABUT_OK : ABUT_ERROR_LIMIT;
}

static abut_result begin(const abut_world *world, const abut_query *query, call *c) {
    if (!world || !abut_w_whom_of(world, query, &c->whom)) {
        return ABUT_ERROR_ARGUMENT;
    }
    c->skips_start = query && query->initial == ABUT_INITIAL_SKIP;
    abut_w_tree_prepare(world);
    return ABUT_OK;
}

static void aim(const call *c, const abut_ray *ray, size_t element, shot *s, abut_bp_flight *flight) {
    s->exact = abut_np_ray_of(ray);
    abut_bp_flight_begin(abut_w_tree(c->whom.world), ray->origin, ray->translation, flight);
    flight->found.fetch = c->whom.world->collider;
    flight->found.fetch_stride = sizeof *c->whom.world->collider;
    s->ignored = abut_w_two_of(c->whom.world, ray->ignore);
    s->element = element;
}

/* Whether a body that is met is an answer. */
static inline bool is_answer(const call *c, const shot *s, uint32_t slot, double fraction) {
    return !(fraction == 0 && c->skips_start) && !abut_w_two_hold(&s->ignored, c->whom.world, slot) &&
           abut_w_whom_accepts(&c->whom, slot, s->element);
}

/* Tests the bodies that a flight has found: those that count stay in flight->found.key, with where the ray meets them.
 */
static uint32_t meet(const call *c, const shot *s, double limit, abut_bp_flight *flight,
                     double fraction[ABUT_BP_FOUND_MAX]) {
    uint32_t n = abut_w_whom_keep(&c->whom, flight->found.key, flight->found.n);
    abut_np_cast_ray_many(&s->exact, c->whom.world->collider, flight->found.key, n, limit, fraction);
    return n;
}

/* --- batches --- */

/* What a ray has met so far. */
typedef struct first_met {
    double fraction; /* INFINITY: nothing */
    uint32_t slot;
} first_met;

typedef struct batch {
    const call *c;
    const abut_ray *rays;
    size_t n, next; /* rays; the next one to begin with */
    bool any;       /* any answer will do */
    abut_hit *hits;
    uint8_t *blocked;
    abut_result result;
    shot shot[ABUT_W_FLIGHTS];
    first_met first[ABUT_W_FLIGHTS];
    abut_w_flights flights;
} batch;

static bool meet_first(void *context, uint32_t place) {
    batch *b = context;
    const call *c = b->c;
    const shot *s = &b->shot[place];
    first_met *first = &b->first[place];
    abut_bp_flight *flight = &b->flights.flight[place];
    double fraction[ABUT_BP_FOUND_MAX], limit = abut_min_d(first->fraction, 1);
    uint32_t n = meet(c, s, limit, flight, fraction);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t slot = flight->found.key[k];
        bool earlier = fraction[k] < first->fraction || (fraction[k] == first->fraction && slot < first->slot);
        if (fraction[k] <= 1 && earlier && is_answer(c, s, slot, fraction[k])) {
            *first = (first_met){fraction[k], slot};
            ABUT_PREFETCH(&c->whom.world->ids.generation[slot]);
            ABUT_PREFETCH(&c->whom.world->body_user[slot]);
            abut_bp_flight_shorten(flight, fraction[k]);
        }
    }
    return b->any && first->slot != UINT32_MAX;
}

static abut_hit hit_of(const abut_world *world, const shot *s, uint32_t slot, double fraction) {
    abut_hit hit = {.body = abut_w_id(world, slot), .user = world->body_user[slot]};
    hit.fraction = abut_np_ray_fraction(fraction);
    hit.position = abut_np_ray_position(&s->exact, hit.fraction);
    hit.normal = abut_np_ray_normal(&s->exact, &world->collider[slot], fraction);
    return hit;
}

/* Writes the answer to an invalid ray. */
static void refuse(batch *b, size_t element) {
    if (b->any) {
        b->blocked[element] = 0;
    } else {
        b->hits[element] = (abut_hit){.fraction = NAN};
    }
}

static void answer(void *context, uint32_t place) {
    const batch *b = context;
    const shot *s = &b->shot[place];
    const first_met *first = &b->first[place];
    bool met = first->slot != UINT32_MAX;
    if (b->any) {
        b->blocked[s->element] = met;
    } else if (met) {
        b->hits[s->element] = hit_of(b->c->whom.world, s, first->slot, first->fraction);
    } else {
        b->hits[s->element] = (abut_hit){.fraction = 1};
    }
}

/* Begins with the next valid ray. */
static bool begin_next(void *context, uint32_t place) {
    batch *b = context;
    for (; b->next < b->n; b->next++) {
        const abut_ray *ray = &b->rays[b->next];
        abut_result valid = check_ray(ray);
        if (!valid) {
            aim(b->c, ray, b->next++, &b->shot[place], &b->flights.flight[place]);
            b->first[place] = (first_met){INFINITY, UINT32_MAX};
            return true;
        }
        refuse(b, b->next);
        b->result = abut_w_worse(b->result, valid);
    }
    return false;
}

/* Either `hits` or `blocked`. */
static abut_result ask(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query, abut_hit *hits,
                       uint8_t *blocked) {
    call c;
    batch b;
    abut_result result = n > 0 && (!rays || (!hits && !blocked)) ? ABUT_ERROR_ARGUMENT : begin(world, query, &c);
    if (result) {
        return result;
    }
    b.c = &c, b.rays = rays, b.n = n, b.hits = hits, b.blocked = blocked;
    b.any = blocked != NULL, b.next = 0, b.result = ABUT_OK;
    abut_w_fly_all(abut_w_tree(world), &b.flights, (abut_w_pilot){begin_next, meet_first, answer}, &b);
    return b.result;
}

abut_result abut_world_cast_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 abut_hit *hits) {
    return ask(world, rays, n, query, hits, NULL);
}

abut_result abut_world_test_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 uint8_t *blocked) {
    return ask(world, rays, n, query, NULL, blocked);
}

/* --- all --- */

/* While hits are collected, the position holds the fraction in double. */
static const abut_w_order by_fraction = {
    .words = 3,
    .offset = {offsetof(abut_hit, position.x), offsetof(abut_hit, position.y), offsetof(abut_hit, body.index1)}};

static void add_hit(abut_w_lowest *hits, uint32_t slot, double fraction) {
    abut_hit hit = {.body = {.index1 = slot + 1}};
    abut_w_order_put(fraction, &hit.position.x, &hit.position.y);
    abut_w_lowest_add(hits, &hit);
}

static size_t find_all(const call *c, const shot *s, abut_bp_flight *flight, abut_w_lowest *hits) {
    double fraction[ABUT_BP_FOUND_MAX];
    while (abut_bp_fly(abut_w_tree(c->whom.world), flight), flight->found.n > 0) {
        uint32_t n = meet(c, s, 1, flight, fraction);
        for (uint32_t k = 0; k < n; k++) {
            if (fraction[k] <= 1 && is_answer(c, s, flight->found.key[k], fraction[k])) {
                add_hit(hits, flight->found.key[k], fraction[k]);
            }
        }
    }
    return abut_w_lowest_sort(hits);
}

size_t abut_world_ray_hits(const abut_world *world, const abut_ray *ray, const abut_query *query, abut_hit *out,
                           size_t capacity) {
    call c;
    shot s;
    abut_w_lowest hits = abut_w_lowest_of(out, capacity, sizeof *out, &by_fraction);
    if (!ray || check_ray(ray) || begin(world, query, &c)) {
        return 0;
    }
    abut_bp_flight flight;
    aim(&c, ray, 0, &s, &flight);
    size_t total = find_all(&c, &s, &flight, &hits);
    for (size_t i = 0, n = abut_w_lowest_kept(&hits); i < n; i++) {
        double fraction = abut_w_order_get(&out[i].position.x, &out[i].position.y);
        out[i] = hit_of(world, &s, out[i].body.index1 - 1, fraction);
    }
    return total;
}
