/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/query/lowest.h"
#include "world/query/whom.h"
#include <math.h>

/* Rays. Each walks the tree, roughly front to back; the bodies of a node whose boxes it meets are tested exactly, and
 * what it has met so far shortens the rest of its walk. */

typedef struct call {
    abut_w_whom whom;
    bool skips_start; /* bodies that hold the origin are passed over */
} call;

/* A ray of a batch. */
typedef struct shot {
    abut_np_ray exact;
    abut_bp_ray ray;
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

static void aim(const call *c, const abut_ray *ray, size_t element, shot *s) {
    s->exact = abut_np_ray_of(ray);
    s->ray = abut_bp_ray_of(abut_w_tree(c->whom.world), ray->origin, ray->translation);
    s->ignored = abut_w_two_of(c->whom.world, ray->ignore);
    s->element = element;
}

/* Drops bodies that do not count; returns how many are left. */
static uint32_t keep_counting(const call *c, uint32_t *slot, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t body = slot[k];
        slot[kept] = body;
        kept += abut_w_whom_counts(&c->whom, body);
    }
    return kept;
}

/* Whether a body that is met is an answer. */
static inline bool is_answer(const call *c, const shot *s, uint32_t slot, double fraction) {
    return !(fraction == 0 && c->skips_start) && !abut_w_two_hold(&s->ignored, c->whom.world, slot) &&
           abut_w_whom_accepts(&c->whom, slot, s->element);
}

/* The next bodies that the ray meets, up to eight, in any order, and where. Returns how many were tested, some of which
 * have a fraction over `limit`; 0 ends the search. */
static uint32_t next_met(const call *c, const shot *s, double limit, abut_bp_walk *walk, uint32_t slot[8],
                         double fraction[8]) {
    const abut_world *world = c->whom.world;
    uint32_t n;
    do {
        n = abut_bp_walk_ray(abut_w_tree(world), &s->ray, limit, walk, slot);
    } while (n > 0 && !c->whom.everybody && (n = keep_counting(c, slot, n)) == 0 && walk->count > 0);
    if (n > 0) {
        abut_np_cast_ray_many(&s->exact, world->collider, slot, n, limit, fraction);
    }
    return n;
}

/* --- the first --- */

typedef struct first_met {
    double fraction; /* INFINITY: nothing is met */
    uint32_t slot;
} first_met;

static first_met find_first(const call *c, const shot *s) {
    first_met first = {INFINITY, UINT32_MAX};
    abut_bp_walk walk;
    uint32_t slot[8];
    double fraction[8], limit = 1;
    abut_bp_walk_begin(abut_w_tree(c->whom.world), &walk);
    for (uint32_t n; (n = next_met(c, s, limit, &walk, slot, fraction)) > 0;) {
        for (uint32_t k = 0; k < n; k++) {
            bool earlier = fraction[k] < first.fraction || (fraction[k] == first.fraction && slot[k] < first.slot);
            if (fraction[k] <= limit && earlier && is_answer(c, s, slot[k], fraction[k])) {
                first = (first_met){fraction[k], slot[k]};
                limit = fraction[k];
            }
        }
    }
    return first;
}

static abut_hit hit_of(const abut_world *world, const shot *s, uint32_t slot, double fraction) {
    abut_hit hit = {.body = abut_w_id(world, slot), .user = world->body_user[slot]};
    hit.fraction = abut_np_ray_fraction(fraction);
    hit.position = abut_np_ray_position(&s->exact, hit.fraction);
    hit.normal = abut_np_ray_normal(&s->exact, &world->collider[slot], fraction);
    return hit;
}

static abut_hit cast_one(const call *c, const shot *s) {
    first_met first = find_first(c, s);
    return first.slot == UINT32_MAX ? (abut_hit){.fraction = 1} : hit_of(c->whom.world, s, first.slot, first.fraction);
}

/* Prepares ray i of a batch; if it is invalid, its error goes into *result. */
static bool aim_next(const call *c, const abut_ray *rays, size_t i, shot *s, abut_result *result) {
    abut_result valid = check_ray(&rays[i]);
    if (valid) {
        *result = abut_w_worse(*result, valid);
        return false;
    }
    aim(c, &rays[i], i, s);
    return true;
}

abut_result abut_world_cast_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 abut_hit *hits) {
    call c;
    shot s;
    abut_result result = n > 0 && (!rays || !hits) ? ABUT_ERROR_ARGUMENT : begin(world, query, &c);
    if (result) {
        return result;
    }
    for (size_t i = 0; i < n; i++) {
        hits[i] = aim_next(&c, rays, i, &s, &result) ? cast_one(&c, &s) : (abut_hit){.fraction = NAN};
    }
    return result;
}

/* --- any --- */

static bool meets_any(const call *c, const shot *s) {
    abut_bp_walk walk;
    uint32_t slot[8];
    double fraction[8];
    abut_bp_walk_begin(abut_w_tree(c->whom.world), &walk);
    for (uint32_t n; (n = next_met(c, s, 1, &walk, slot, fraction)) > 0;) {
        for (uint32_t k = 0; k < n; k++) {
            if (fraction[k] <= 1 && is_answer(c, s, slot[k], fraction[k])) {
                return true;
            }
        }
    }
    return false;
}

abut_result abut_world_test_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 uint8_t *blocked) {
    call c;
    shot s;
    abut_result result = n > 0 && (!rays || !blocked) ? ABUT_ERROR_ARGUMENT : begin(world, query, &c);
    if (result) {
        return result;
    }
    for (size_t i = 0; i < n; i++) {
        blocked[i] = aim_next(&c, rays, i, &s, &result) && meets_any(&c, &s);
    }
    return result;
}

/* --- all --- */

/* While hits are collected, the position holds the bits of the fraction in double, the higher ones first: the numbers
 * are >= 0, so their bits are in their order. */
static const abut_w_order by_fraction = {
    .words = 3,
    .offset = {offsetof(abut_hit, position.x), offsetof(abut_hit, position.y), offsetof(abut_hit, body.index1)}};

static void add_hit(abut_w_lowest *hits, const abut_world *world, uint32_t slot, double fraction) {
    uint64_t bits;
    memcpy(&bits, &fraction, sizeof bits);
    const uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
    abut_hit hit = {.body = abut_w_id(world, slot)};
    memcpy(&hit.position.x, &high, sizeof high);
    memcpy(&hit.position.y, &low, sizeof low);
    abut_w_lowest_add(hits, &hit);
}

static double fraction_kept(const abut_hit *hit) {
    uint32_t high, low;
    double fraction;
    memcpy(&high, &hit->position.x, sizeof high);
    memcpy(&low, &hit->position.y, sizeof low);
    uint64_t bits = (uint64_t)high << 32 | low;
    memcpy(&fraction, &bits, sizeof fraction);
    return fraction;
}

static size_t find_all(const call *c, const shot *s, abut_w_lowest *hits) {
    abut_bp_walk walk;
    uint32_t slot[8];
    double fraction[8];
    abut_bp_walk_begin(abut_w_tree(c->whom.world), &walk);
    for (uint32_t n; (n = next_met(c, s, 1, &walk, slot, fraction)) > 0;) {
        for (uint32_t k = 0; k < n; k++) {
            if (fraction[k] <= 1 && is_answer(c, s, slot[k], fraction[k])) {
                add_hit(hits, c->whom.world, slot[k], fraction[k]);
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
    aim(&c, ray, 0, &s);
    size_t total = find_all(&c, &s, &hits);
    for (size_t i = 0, n = abut_w_lowest_kept(&hits); i < n; i++) {
        out[i] = hit_of(world, &s, out[i].body.index1 - 1, fraction_kept(&out[i]));
    }
    return total;
}
