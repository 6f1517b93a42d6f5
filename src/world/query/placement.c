/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "base/workers/fpmode.h"
#include "world/body/body.h"
#include "world/query/blocks.h"
#include "world/query/query.h"
#include <abut/placement.h>
#include <math.h>
#include <string.h>

/* Placement tests: for each candidate a query (query.h) with a box that is infinite up and down finds the bodies near
 * it. The pairs found are tested together, up to 256 at a time. */

typedef struct call {
    const abut_world *world;
    const abut_obb2 *candidate;
    size_t n;
    abut_placement *out;
    int up, ground[2]; /* axes of the world */
    abut_touch touch;
    float clearance;
    abut_w_query_filter filter;
    const abut_body_id *ignored;
    size_t ignored_count;
} call;

/* The axis that `up` lies along, in either direction; -1 if none. */
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

static abut_np_footprint footprint_of(const call *c, size_t k) {
    abut_np_footprint plot = {0}; /* gcc cannot know that all are valid */
    (void)abut_np_footprint_of(&c->candidate[k], c->clearance, c->touch, c->ground, &plot);
    return plot;
}

/* Checks all arguments, and fills in the rest of the call. */
static abut_result begin(const abut_world *world, const abut_placement_rules *rules, call *c) {
    static const int ground[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    c->up = axis_of(world->up);
    if (c->up < 0 || !rules_valid(rules)) {
        return ABUT_ERROR_ARGUMENT;
    }
    memcpy(c->ground, ground[c->up], sizeof c->ground);
    c->touch = rules->touch;
    c->clearance = rules->clearance;
    c->filter = abut_w_query_filter_of(world, &rules->filter);
    for (size_t k = 0; k < c->n; k++) {
        if (!abut_np_rectangle_valid(&c->candidate[k])) {
            return ABUT_ERROR_ARGUMENT;
        }
    }
    c->ignored = rules->ignore;
    c->ignored_count = rules->ignore_count;
    return ABUT_OK;
}

/* Records that the body in this slot is in the way of a candidate. */
static void add_blocker(const call *c, uint32_t slot, abut_placement *out) {
    if (out->free || slot + 1 < out->first_blocker.index1) {
        out->first_blocker = abut_w_id(c->world, slot);
    }
    out->free = false;
    out->blocker_count++;
}

/* A batch of candidates, and pairs of a candidate and a body whose bounds touch. */
enum { PLOTS = 64, PAIRS = 256 };
/* Candidates of a block, which is worth some 100 microseconds. */
enum { CANDIDATES_AT_ONCE = 2 * PLOTS };
typedef struct batch {
    size_t first;
    uint32_t plots, pairs;
    abut_np_footprint plot[PLOTS]; /* candidates first .. first + plots - 1, as footprints */
    uint32_t plot_index[PAIRS], slot[PAIRS];
    uint8_t hit[PAIRS];
} batch;

/* Removes the hits of ignored compounds. Walks once along the list of ignored bodies, which may be long; a hash table
 * finds the hits on each compound. Ids that name no living body are few, and are looked at last. */
static void drop_ignored(const call *c, batch *b) {
    enum { HEADS = 512 };
    const abut_world *world = c->world;
    uint16_t head_plus_one[HEADS] = {0}, next_plus_one[PAIRS]; /* pairs; 0: the last */
    uint32_t root[PAIRS];
    bool any = false, has_compounds = world->attachments.live > 0;
    for (uint32_t i = 0; i < b->pairs; i++) {
        if (b->hit[i]) {
            root[i] = abut_w_root_of(world, b->slot[i]);
            uint16_t *head = &head_plus_one[root[i] % HEADS];
            next_plus_one[i] = *head;
            *head = (uint16_t)(i + 1);
            any = true;
        }
    }
    for (size_t k = 0; k < c->ignored_count && any; k++) {
        const abut_body_id id = c->ignored[k];
        uint32_t slot = id.index1 - 1;
        uint32_t ignored_root = has_compounds && slot < world->ids.used ? abut_w_root_of(world, slot) : slot;
        for (uint32_t i = head_plus_one[ignored_root % HEADS]; i > 0; i = next_plus_one[i - 1]) {
            if (root[i - 1] == ignored_root && abut_idpool_names(&world->ids, id.index1, id.generation)) {
                b->hit[i - 1] = 0;
            }
        }
    }
}

static void test_pairs(const call *c, batch *b) {
    const abut_np_footprint_pairs pairs = {b->plot, c->world->collider, b->plot_index, b->slot, b->pairs};
    abut_np_footprint_meets_many(&pairs, b->hit);
    if (c->ignored_count > 0) {
        drop_ignored(c, b);
    }
    for (uint32_t i = 0; i < b->pairs; i++) {
        if (b->hit[i]) {
            add_blocker(c, b->slot[i], &c->out[b->first + b->plot_index[i]]);
        }
    }
    b->pairs = 0;
}

static void add_pair(const call *c, batch *b, uint32_t plot_index, uint32_t slot) {
    ABUT_PREFETCH(&c->world->collider[slot]);
    b->plot_index[b->pairs] = plot_index;
    b->slot[b->pairs++] = slot;
    if (b->pairs == PAIRS) {
        test_pairs(c, b);
    }
}

/* Adds pairs of the last candidate of the batch with the bodies near it. */
static void pair_last(const call *c, batch *b) {
    abut_bp_box box;
    abut_w_query query;
    uint32_t slot[ABUT_W_QUERY_SLOTS];
    float min[2], max[2];
    abut_np_footprint_bounds(&b->plot[b->plots - 1], min, max);
    box.min[c->up] = -INFINITY;
    box.max[c->up] = INFINITY;
    for (int k = 0; k < 2; k++) {
        box.min[c->ground[k]] = min[k];
        box.max[c->ground[k]] = max[k];
    }
    abut_w_query_begin(&query, c->world, &c->filter, &box);
    for (uint32_t n; (n = abut_w_query_next(&query, slot, ABUT_W_QUERY_SLOTS)) > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            if (c->world->mesh_count == 0 || !abut_w_is_mesh(c->world, slot[i])) { /* meshes cast no shadow */
                add_pair(c, b, b->plots - 1, slot[i]);
            }
        }
    }
}

/* Called when all blockers of the candidate are known. */
static void set_translation(const call *c, const abut_np_footprint *plot, abut_placement *out) {
    if (!out->free) {
        out->push = abut_np_footprint_translation(plot, &c->world->collider[out->first_blocker.index1 - 1]);
    }
}

static abut_result test_candidates(const void *context, size_t first, size_t end) {
    const call *c = context;
    batch b;
    b.pairs = 0;
    for (b.first = first; b.first < end; b.first += b.plots) {
        for (b.plots = 0; b.plots < PLOTS && b.first + b.plots < end;) {
            c->out[b.first + b.plots] = (abut_placement){.free = true};
            b.plot[b.plots] = footprint_of(c, b.first + b.plots);
            b.plots++;
            pair_last(c, &b);
        }
        test_pairs(c, &b);
        for (uint32_t k = 0; k < b.plots; k++) {
            set_translation(c, &b.plot[k], &c->out[b.first + k]);
        }
    }
    return ABUT_OK;
}

static abut_result test_placements(const abut_world *world, const abut_obb2 *candidates, size_t n,
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
    abut_w_tree_prepare(world);
    return abut_w_in_blocks(world, n, CANDIDATES_AT_ONCE, test_candidates, &c);
}

abut_result abut_world_test_placements(const abut_world *world, const abut_obb2 *candidates, size_t n,
                                       const abut_placement_rules *rules, abut_placement *out) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = test_placements(world, candidates, n, rules, out);
    abut_fpmode_leave(mode);
    return result;
}
