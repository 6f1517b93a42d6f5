/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "world/body/body.h"
#include "world/query/query.h"
#include <abut/placement.h>
#include <math.h>
#include <string.h>

/* Each candidate asks the broad phase who is near it, up and down without end. It does not know where bodies astray
 * are: some of them at a time become a broad phase of their own, which all candidates ask as well. */

typedef struct call {
    const abut_world *world;
    const abut_obb2 *candidate;
    size_t n;
    abut_placement *out;
    int up, ground[2];
    abut_touch touch;
    float clearance;
    abut_filter filter;  /* filled in */
    bool default_passes; /* bodies whose filter is the default count */
    bool any_filter;     /* there are others */
    bool any_dirty;
    const abut_body_id *ignored;
    size_t ignored_count;
} call;

/* The axis that `up` lies along, either way, or -1. */
static int axis_of(abut_vec3 up) {
    if ((up.x != 0) + (up.y != 0) + (up.z != 0) != 1) {
        return -1;
    }
    return up.x != 0 ? 0 : up.y != 0 ? 1 : 2;
}

static bool rules_valid(const abut_placement_rules *rules) {
    return (uint32_t)rules->touch <= ABUT_TOUCH_IS_FREE && abut_bits_finite(rules->clearance) &&
           rules->clearance >= 0 && abut_w_filter_valid(&rules->filter) && (rules->ignore || rules->ignore_count == 0);
}

static abut_np_footprint plot_of(const call *c, size_t k) {
    abut_np_footprint plot = {0}; /* gcc cannot know that all are valid */
    (void)abut_np_footprint_of(&c->candidate[k], c->clearance, c->touch, c->ground, &plot);
    return plot;
}

static abut_result begin(const abut_world *world, const abut_placement_rules *rules, call *c) {
    static const int ground[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    c->up = axis_of(world->up);
    if (c->up < 0 || !rules_valid(rules)) {
        return ABUT_ERROR_ARGUMENT;
    }
    memcpy(c->ground, ground[c->up], sizeof c->ground);
    c->touch = rules->touch;
    c->clearance = rules->clearance;
    c->filter = abut_w_query_filled(&rules->filter);
    c->default_passes = abut_w_filters_pass(&c->filter, &(abut_filter){.category = 1, .mask = UINT64_MAX});
    for (size_t k = 0; k < c->n; k++) {
        if (!abut_np_rectangle_valid(&c->candidate[k])) {
            return ABUT_ERROR_ARGUMENT;
        }
    }
    c->any_filter = world->filters.live > 0;
    c->any_dirty = world->changed && abut_w_next_dirty(world, 0, world->ids.used) < world->ids.used;
    c->ignored = rules->ignore;
    c->ignored_count = rules->ignore_count;
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < c->ignored_count && !result; i++) {
        uint32_t slot;
        result = abut_w_slot(world, c->ignored[i], &slot);
    }
    return result;
}

static bool passes(const call *c, uint32_t slot) {
    return c->any_filter && c->world->filter_plus_one[slot]
               ? abut_w_filters_pass(&c->filter, abut_w_filter_of(c->world, slot))
               : c->default_passes;
}

static void count(const call *c, uint32_t slot, abut_placement *out) {
    if (out->free || slot + 1 < out->first_blocker.index1) {
        out->first_blocker = abut_w_id(c->world, slot);
    }
    out->free = false;
    out->blocker_count++;
}

/* Pairs of a candidate and a body whose bounds touch, to be tested together. */
enum { PLOTS = 64, PAIRS = 256 };
typedef struct batch {
    size_t first;
    uint32_t plots, pairs;
    abut_np_footprint plot[PLOTS]; /* of candidates first .. first + plots - 1 */
    uint32_t which[PAIRS], slot[PAIRS];
    uint8_t hit[PAIRS];
} batch;

/* Takes the hits of ignored bodies back: one walk along their list for all pairs, which a table finds by slot. */
static void drop_ignored(const call *c, batch *b) {
    enum { HEADS = 512 };
    uint16_t head_plus_one[HEADS] = {0}, next1[PAIRS]; /* 1 + number of a pair; 0: the last */
    for (uint32_t i = 0; i < b->pairs; i++) {
        uint16_t *head = &head_plus_one[b->slot[i] % HEADS];
        next1[i] = *head;
        *head = (uint16_t)(i + 1);
    }
    for (size_t k = 0; k < c->ignored_count && b->pairs > 0; k++) {
        uint32_t slot = c->ignored[k].index1 - 1;
        for (uint32_t i1 = head_plus_one[slot % HEADS]; i1; i1 = next1[i1 - 1]) {
            b->hit[i1 - 1] &= b->slot[i1 - 1] != slot;
        }
    }
}

static void test_pairs(const call *c, batch *b) {
    const abut_np_footprint_pairs pairs = {b->plot, c->world->collider, b->which, b->slot, b->pairs};
    abut_np_footprint_meets_many(&pairs, b->hit);
    if (c->ignored_count > 0) {
        drop_ignored(c, b);
    }
    for (uint32_t i = 0; i < b->pairs; i++) {
        if (b->hit[i]) {
            count(c, b->slot[i], &c->out[b->first + b->which[i]]);
        }
    }
    b->pairs = 0;
}

static void add_pair(const call *c, batch *b, uint32_t which, uint32_t slot) {
    ABUT_PREFETCH(&c->world->collider[slot]);
    b->which[b->pairs] = which;
    b->slot[b->pairs++] = slot;
    if (b->pairs == PAIRS) {
        test_pairs(c, b);
    }
}

/* A broad phase, and what the keys stand for. */
typedef struct place {
    const abut_bp *bp;
    const uint32_t *slot;  /* by key; NULL: keys are slots */
    const uint8_t *astray; /* flags by key, of which ABUT_W_DIRTY says that it does not count; or NULL */
    bool last;             /* then all blockers are known */
} place;

/* Pairs the last candidate of the batch with those near it. */
static void pair_last(const call *c, batch *b, const place *where) {
    enum { ROOM = 2 * ABUT_BP_QUERY_ROOM };
    abut_bp_box box;
    abut_bp_query query;
    uint32_t key[ROOM];
    float min[2], max[2];
    abut_np_footprint_bounds(&b->plot[b->plots - 1], min, max);
    box.min[c->up] = -INFINITY;
    box.max[c->up] = INFINITY;
    for (int k = 0; k < 2; k++) {
        box.min[c->ground[k]] = min[k];
        box.max[c->ground[k]] = max[k];
    }
    abut_bp_query_begin(where->bp, &box, &query);
    for (uint32_t n; (n = abut_bp_query_next(where->bp, &query, key, ROOM)) > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t slot = where->slot ? where->slot[key[i]] : key[i];
            if (passes(c, slot) && !(where->astray && where->astray[slot] & ABUT_W_DIRTY)) {
                add_pair(c, b, b->plots - 1, slot);
            }
        }
    }
}

static void push_out(const call *c, const abut_np_footprint *plot, abut_placement *out) {
    if (!out->free) {
        out->push = abut_np_footprint_translation(plot, &c->world->collider[out->first_blocker.index1 - 1]);
    }
}

/* Counts for every candidate those that are in its way. */
static void test_all(const call *c, const place *where) {
    batch b;
    b.pairs = 0;
    for (b.first = 0; b.first < c->n; b.first += b.plots) {
        for (b.plots = 0; b.plots < PLOTS && b.first + b.plots < c->n;) {
            b.plot[b.plots] = plot_of(c, b.first + b.plots);
            b.plots++;
            pair_last(c, &b, where);
        }
        test_pairs(c, &b);
        for (uint32_t k = 0; k < b.plots && where->last; k++) {
            push_out(c, &b.plot[k], &c->out[b.first + k]);
        }
    }
}

/* --- bodies astray --- */

/* So many candidates ask that it pays to sort bodies for them. */
enum { MANY = 16 };

/* As many as fit, from *from on; *from becomes where the next ones are. Returns how many there are. */
static uint32_t gather_astray(const abut_world *world, uint32_t *from, abut_bp_temporary *few,
                              uint32_t slot[ABUT_BP_TEMPORARY_MAX]) {
    enum { TOGETHER = 64 };
    abut_collider collider[TOGETHER];
    uint32_t index[TOGETHER], n = 0, end = world->ids.used;
    for (uint32_t done = 0; n < ABUT_BP_TEMPORARY_MAX && *from < end; done = n) {
        for (; n - done < TOGETHER && (*from = abut_w_next_dirty(world, *from, end)) < end; n++, (*from)++) {
            slot[n] = *from;
            collider[n - done] = world->collider[*from];
            index[n - done] = n - done;
        }
        abut_collider_bounds_many(collider, index, n - done, 0, (float(*)[6])(void *)&few->box[done]);
    }
    return n;
}

static void test_astray(const call *c) {
    abut_bp_temporary few;
    uint32_t slot[ABUT_BP_TEMPORARY_MAX], from = 0;
    place where = {.bp = &few.bp, .slot = slot};
    while (!where.last) {
        uint32_t n = gather_astray(c->world, &from, &few, slot);
        where.last = abut_w_next_dirty(c->world, from, c->world->ids.used) == c->world->ids.used;
        abut_bp_temporary_prepare(&few, n, c->n < MANY ? -1 : c->ground[0]);
        test_all(c, &where);
    }
}

abut_result abut_world_test_placements(const abut_world *world, const abut_obb2 *candidates, size_t n,
                                       const abut_placement_rules *rules, abut_placement *out) {
    static const abut_placement_rules none = {.ignore_count = 0};
    if (!world || (n > 0 && (!candidates || !out))) {
        return ABUT_ERROR_ARGUMENT;
    }
    call c;
    c.world = world;
    c.candidate = candidates;
    c.n = n;
    c.out = out;
    abut_result result = begin(world, rules ? rules : &none, &c);
    if (result || n == 0) {
        return result;
    }
    abut_w_query_prepare(world);
    const place where = {.bp = &world->bp, .astray = c.any_dirty ? world->flags : NULL, .last = !c.any_dirty};
    for (size_t k = 0; k < n; k++) {
        out[k] = (abut_placement){.free = true};
    }
    test_all(&c, &where);
    if (c.any_dirty) {
        test_astray(&c);
    }
    return ABUT_OK;
}
