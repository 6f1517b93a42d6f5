/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "world/world.h"
#include <abut/placement.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Each candidate asks the broad phase who is near it, up and down without end. Bodies astray, of which that does not
 * know where they are, ask in turn which candidates are near them: a chunk of candidates at a time, so that a body is
 * looked at once for many of them. */

/* --- bodies that do not count --- */

/* By the lowest bits of index1: 1 + where the first such id is in the list; 0: there is none. */
enum { BUCKETS_MOST = 2048 };
typedef struct ignored {
    const abut_body_id *id;
    size_t count;
    uint32_t mask;
    uint32_t first1[BUCKETS_MOST];
} ignored;

static abut_result list_ignored(const abut_world *world, const abut_placement_rules *rules, ignored *list) {
    list->id = rules->ignore;
    list->count = rules->ignore_count;
    list->mask = 0;
    while (list->mask < BUCKETS_MOST - 1 && list->mask < 4 * list->count) {
        list->mask = 2 * list->mask + 1;
    }
    memset(list->first1, 0, ((size_t)list->mask + 1) * sizeof *list->first1);
    for (size_t i = list->count; i-- > 0;) {
        uint32_t slot;
        abut_result result = abut_w_slot(world, list->id[i], &slot);
        if (result) {
            return result;
        }
        list->first1[list->id[i].index1 & list->mask] = i < UINT32_MAX ? (uint32_t)i + 1 : 1;
    }
    return ABUT_OK;
}

static bool is_ignored(const ignored *list, uint32_t slot) {
    size_t first1 = list->first1[(slot + 1) & list->mask];
    for (size_t i = first1 - 1; first1 && i < list->count; i++) {
        if (list->id[i].index1 == slot + 1) {
            return true;
        }
    }
    return false;
}

/* --- a call --- */

typedef struct call {
    const abut_world *world;
    const abut_obb2 *candidate;
    abut_placement *out;
    int up, ground[2];
    abut_touch touch;
    float clearance;
    abut_filter filter;  /* filled in */
    bool default_passes; /* bodies whose filter is the default count */
    bool any_filter;     /* there are others */
    bool any_astray;
    ignored ignored;
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

static bool candidate_valid(const abut_obb2 *r) {
    return abut_bits_finite(r->center.x) && abut_bits_finite(r->center.y) && abut_bits_finite(r->axis.x) &&
           abut_bits_finite(r->axis.y) && abut_bits_finite(r->half.x) && abut_bits_finite(r->half.y) &&
           r->half.x >= 0 && r->half.y >= 0;
}

static abut_np_footprint plot_of(const call *c, size_t k) {
    abut_np_footprint plot;
    (void)abut_np_footprint_of(&c->candidate[k], c->clearance, c->touch, c->ground, &plot); /* all are valid */
    return plot;
}

/* A little too large, and quicker than abut_np_footprint_bounds. */
static void bounds_of(const abut_np_footprint *plot, float min[2], float max[2]) {
    const double center[2] = {plot->rectangle.center.x, plot->rectangle.center.y}, most = FLT_MAX;
    double x = fabs(plot->axis[0]), y = fabs(plot->axis[1]);
    const double reach[2] = {x * plot->half[0] + y * plot->half[1], y * plot->half[0] + x * plot->half[1]};
    for (int i = 0; i < 2; i++) { /* twice what rounding to float takes */
        double wide = reach[i] + ((fabs(center[i]) + reach[i]) * 0x1p-23 + 0x1p-148);
        double low = center[i] - wide, high = center[i] + wide;
        min[i] = (float)(low > -most ? low : -most);
        max[i] = (float)(high < most ? high : most);
    }
}

static abut_result begin(const abut_world *world, size_t n, const abut_placement_rules *rules, call *c) {
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
    for (size_t k = 0; k < n; k++) {
        if (!candidate_valid(&c->candidate[k])) {
            return ABUT_ERROR_ARGUMENT;
        }
    }
    c->any_filter = world->filters.live > 0;
    c->any_astray = world->changed && abut_w_next_astray(world, 0, world->ids.used) < world->ids.used;
    return list_ignored(world, rules, &c->ignored);
}

static bool passes(const call *c, uint32_t slot) {
    return c->any_filter && c->world->filter1[slot] ? abut_w_filters_pass(&c->filter, abut_w_filter_of(c->world, slot))
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

static void test_pairs(const call *c, batch *b) {
    const abut_np_footprint_pairs pairs = {b->plot, c->world->row, b->which, b->slot, b->pairs};
    abut_np_footprint_meets_many(&pairs, b->hit);
    for (uint32_t i = 0; i < b->pairs; i++) {
        if (b->hit[i] && !is_ignored(&c->ignored, b->slot[i])) {
            count(c, b->slot[i], &c->out[b->first + b->which[i]]);
        }
    }
    b->pairs = 0;
}

static void add_pair(const call *c, batch *b, uint32_t which, uint32_t slot) {
    ABUT_PREFETCH(&c->world->row[slot]);
    b->which[b->pairs] = which;
    b->slot[b->pairs++] = slot;
    if (b->pairs == PAIRS) {
        test_pairs(c, b);
    }
}

/* Pairs the last candidate of the batch with all bodies that are not astray. */
static void pair_with_placed(const call *c, batch *b, const float min[2], const float max[2]) {
    enum { ROOM = 2 * ABUT_BP_QUERY_ROOM };
    const abut_world *world = c->world;
    abut_bp_box box;
    abut_bp_query query;
    uint32_t slot[ROOM];
    box.min[c->up] = -INFINITY;
    box.max[c->up] = INFINITY;
    for (int k = 0; k < 2; k++) {
        box.min[c->ground[k]] = min[k];
        box.max[c->ground[k]] = max[k];
    }
    abut_bp_query_begin(&world->bp, &box, &query);
    for (uint32_t n; (n = abut_bp_query_next(&world->bp, &query, slot, ROOM)) > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            if (passes(c, slot[i]) && !(c->any_astray && world->flags[slot[i]] & ABUT_W_ASTRAY)) {
                add_pair(c, b, b->plots - 1, slot[i]);
            }
        }
    }
}

static void push_out(const call *c, const abut_np_footprint *plot, abut_placement *out) {
    if (!out->free) {
        out->push = abut_np_footprint_push(plot, &c->world->row[out->first_blocker.index1 - 1]);
    }
}

/* --- bodies astray --- */

enum { CHUNK = 1024, BODIES = 64 };

/* Candidates that follow each other. */
typedef struct chunk {
    size_t first;
    uint32_t n;
    float min[2][CHUNK], max[2][CHUNK]; /* their bounds */
    abut_radix_row order[CHUNK];        /* by min[0] */
    float reach[CHUNK];                 /* by rank: the greatest max[0] up to there */
} chunk;

static void put_in_order(chunk *some) {
    abut_radix_row spare[CHUNK];
    for (uint32_t k = 0; k < some->n; k++) {
        some->order[k] = (abut_radix_row){abut_bits_ordered(some->min[0][k] + 0.0f), k};
    }
    abut_radix_sort(some->order, spare, some->n);
    for (uint32_t rank = 0; rank < some->n; rank++) {
        float max = some->max[0][some->order[rank].value];
        some->reach[rank] = rank > 0 && some->reach[rank - 1] > max ? some->reach[rank - 1] : max;
    }
}

/* So many candidates begin at or before x; zeros of both signs are one. */
static uint32_t begun_at(const chunk *some, float x) {
    uint32_t key = abut_bits_ordered(x + 0.0f), low = 0, high = some->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (some->order[middle].key <= key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void meet_one_astray(const call *c, const chunk *some, uint32_t slot, const float box[6]) {
    if (!passes(c, slot)) {
        return;
    }
    float min[2] = {box[c->ground[0]], box[c->ground[1]]}, max[2] = {box[3 + c->ground[0]], box[3 + c->ground[1]]};
    for (uint32_t rank = begun_at(some, max[0]); rank > 0 && some->reach[rank - 1] >= min[0]; rank--) {
        uint32_t k = some->order[rank - 1].value;
        if (some->max[0][k] >= min[0] && some->min[1][k] <= max[1] && some->max[1][k] >= min[1]) {
            abut_np_footprint plot = plot_of(c, some->first + k);
            if (abut_np_footprint_meets(&plot, &c->world->row[slot]) && !is_ignored(&c->ignored, slot)) {
                count(c, slot, &c->out[some->first + k]);
            }
        }
    }
}

/* Bodies astray are gathered, so that their bounds are made many at once. */
typedef struct gathered {
    uint32_t n, slot[BODIES], index[BODIES];
    abut_np_row row[BODIES];
    float box[BODIES][6];
} gathered;

static void meet_gathered(const call *c, const chunk *some, gathered *bodies) {
    abut_np_bounds_many(bodies->row, bodies->index, bodies->n, 0, bodies->box);
    for (uint32_t i = 0; i < bodies->n; i++) {
        meet_one_astray(c, some, bodies->slot[i], bodies->box[i]);
    }
    bodies->n = 0;
}

static void meet_astray(const call *c, chunk *some) {
    const abut_world *world = c->world;
    uint32_t slot = 0, end = world->ids.used;
    gathered bodies;
    bodies.n = 0;
    put_in_order(some);
    for (; (slot = abut_w_next_astray(world, slot, end)) < end; slot++) {
        bodies.slot[bodies.n] = slot;
        bodies.index[bodies.n] = bodies.n;
        bodies.row[bodies.n++] = world->row[slot];
        if (bodies.n == BODIES) {
            meet_gathered(c, some, &bodies);
        }
    }
    meet_gathered(c, some, &bodies);
}

static void test_batch(const call *c, chunk *some, batch *b) {
    b->pairs = 0;
    for (b->plots = 0; b->plots < PLOTS && b->first + b->plots < some->first + some->n;) {
        size_t k = b->first + b->plots;
        float min[2], max[2];
        abut_np_footprint *plot = &b->plot[b->plots++];
        c->out[k] = (abut_placement){.free = true};
        *plot = plot_of(c, k);
        bounds_of(plot, min, max);
        pair_with_placed(c, b, min, max);
        for (int i = 0; i < 2; i++) {
            some->min[i][k - some->first] = min[i];
            some->max[i][k - some->first] = max[i];
        }
    }
    test_pairs(c, b);
    for (uint32_t i = 0; i < b->plots && !c->any_astray; i++) {
        push_out(c, &b->plot[i], &c->out[b->first + i]);
    }
}

static void test_chunk(const call *c, chunk *some) {
    batch b;
    for (b.first = some->first; b.first < some->first + some->n; b.first += b.plots) {
        test_batch(c, some, &b);
    }
    if (c->any_astray) {
        meet_astray(c, some);
        for (uint32_t k = 0; k < some->n; k++) {
            abut_np_footprint plot = plot_of(c, some->first + k);
            push_out(c, &plot, &c->out[some->first + k]);
        }
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
    c.out = out;
    abut_result result = begin(world, n, rules ? rules : &none, &c);
    if (result || n == 0) {
        return result;
    }
    abut_w_enclose(world);
    chunk some;
    for (some.first = 0; some.first < n; some.first += some.n) {
        some.n = n - some.first < CHUNK ? (uint32_t)(n - some.first) : CHUNK;
        test_chunk(&c, &some);
    }
    return ABUT_OK;
}
