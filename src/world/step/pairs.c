/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "world/body/body.h"
#include "world/query/query.h"
#include "world/state/state.h"
#include "world/step/step.h"
#include <string.h>

bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b) {
    const abut_w_traits *ta = &world->traits[a], *tb = &world->traits[b];
    if (ta->motion == ABUT_STATIC && tb->motion == ABUT_STATIC) {
        return false;
    }
    if (!((world->flags[a] | world->flags[b]) & ABUT_W_FILTERED)) { /* most are not, and nothing else need be loaded */
        return true;
    }
    if (abut_w_root_of(world, a) == abut_w_root_of(world, b)) {
        return false;
    }
    return abut_w_filters_pass(abut_w_filter_of(world, a), abut_w_filter_of(world, b));
}

static bool bounds_touch(const abut_collider *a, const abut_collider *b) {
    abut_aabb p = abut_collider_bounds(a), q = abut_collider_bounds(b);
    return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y && p.min.z <= q.max.z &&
           q.min.z <= p.max.z;
}

static uint8_t coarser(uint8_t detail_a, uint8_t detail_b) {
    return detail_a > detail_b ? detail_a : detail_b;
}

bool abut_w_touch(const abut_world *world, uint32_t a, uint32_t b, abut_manifold *manifold) {
    const abut_collider *collider_a = &world->collider[a], *collider_b = &world->collider[b];
    memset(manifold, 0, sizeof *manifold);
    switch (coarser(world->traits[a].detail, world->traits[b].detail)) {
    case ABUT_DETAIL_MANIFOLD:
        return abut_np_collide(collider_a, collider_b, world->margin, manifold);
    case ABUT_DETAIL_OVERLAP:
        return abut_np_overlap(collider_a, collider_b);
    default:
        return bounds_touch(collider_a, collider_b);
    }
}

abut_result abut_w_find_candidates(abut_world *world) {
    abut_bp *bp = &world->bp;
    abut_w_query_reset(world);
    for (size_t pairs; pairs = abut_bp_find(bp, world->ids.used), !abut_bp_has_room(bp, pairs);) {
        abut_result result = abut_w_reserve_pairs(world, pairs);
        if (result) {
            return result;
        }
    }
    return ABUT_OK;
}

/* Candidates are resolved a block at a time; those that need the narrow phase in two lists, by detail. */
enum { BLOCK = 256, LISTS = ABUT_DETAIL_OVERLAP + 1 };

typedef struct pair_list {
    uint32_t a[BLOCK], b[BLOCK];
    abut_np_hint *hint[BLOCK];
    uint16_t at[BLOCK]; /* which pair of the block it is */
    uint8_t hit[BLOCK];
    size_t n;
} pair_list;

typedef struct pair_block {
    abut_w_hit pair[BLOCK]; /* those that may touch; then those that do */
    uint8_t hit[BLOCK];     /* whether they do */
    uint32_t n;
    pair_list list[LISTS];
    abut_manifold manifold[BLOCK]; /* of list[ABUT_DETAIL_MANIFOLD] */
} pair_block;

/* Where the walks along last step's lists are. */
typedef struct last_step {
    uint32_t contact, hint;
} last_step;

static const abut_manifold no_manifold;

/* Where last step's contacts have a pair, + 1, or 0. Asked of pairs in ascending order. */
static uint32_t find_contact(const abut_w_contacts *list, abut_bp_pair pair, last_step *last) {
    uint64_t key = abut_w_key(pair.low, pair.high);
    while (last->contact < list->count && list->key[last->contact] < key) {
        last->contact++;
    }
    return last->contact < list->count && list->key[last->contact] == key ? last->contact + 1 : 0;
}

static abut_np_hint *hint_of(abut_world *world, abut_bp_pair pair, last_step *last) {
    return abut_np_uses_hint(&world->collider[pair.low], &world->collider[pair.high])
               ? abut_w_take_hint(world, pair.low, pair.high, &last->hint)
               : NULL;
}

/* Pair `at` of the block must be looked at closely. Returns where its manifold will be. */
static const abut_manifold *list_pair(const abut_world *world, abut_bp_pair pair, uint8_t detail, abut_np_hint *hint,
                                      pair_block *block) {
    pair_list *list = &block->list[detail];
    ABUT_PREFETCH(&world->collider[pair.high]);
    list->a[list->n] = pair.low;
    list->b[list->n] = pair.high;
    list->hint[list->n] = hint;
    list->at[list->n] = (uint16_t)block->n;
    return detail == ABUT_DETAIL_MANIFOLD ? &block->manifold[list->n++] : (list->n++, &no_manifold);
}

/* Two bodies without a changed bit touch or do not as in the last step; only whom should_collide turned away is not
 * known. Boxes of the broad phase are the bounds, except where the margin widens them. */
static void list_pairs(abut_world *world, const abut_bp_pair *pair, uint32_t n, last_step *last, pair_block *block) {
    const uint8_t *flags = world->flags;
    const abut_w_traits *traits = world->traits;
    bool hints = abut_w_reserve_hints(world, n), widened = world->margin > 0;
    block->n = 0;
    block->list[ABUT_DETAIL_MANIFOLD].n = block->list[ABUT_DETAIL_OVERLAP].n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = pair[i].low, high = pair[i].high;
        uint8_t any = flags[low] | flags[high], detail = coarser(traits[low].detail, traits[high].detail);
        if (any & ABUT_W_FILTERED && (traits[low].collides_with_nothing | traits[high].collides_with_nothing ||
                                      !abut_w_may_touch(world, low, high))) {
            continue;
        }
        abut_np_hint *hint = hints && detail != ABUT_DETAIL_BOUNDS ? hint_of(world, pair[i], last) : NULL;
        uint32_t known_plus_one = any & ABUT_W_CHANGED ? 0 : find_contact(&world->current, pair[i], last);
        const abut_manifold *manifold = &no_manifold;
        uint8_t hit = 1;
        if (known_plus_one) {
            manifold = &world->current.contact[known_plus_one - 1].manifold;
        } else if (!(any & ABUT_W_CHANGED) && !world->should_collide) {
            continue;
        } else if (detail != ABUT_DETAIL_BOUNDS) {
            manifold = list_pair(world, pair[i], detail, hint, block);
        } else if (widened) {
            hit = bounds_touch(&world->collider[low], &world->collider[high]);
        }
        ABUT_PREFETCH(&world->ids.generation[high]); /* for the contact; the lower ones follow each other */
        ABUT_PREFETCH(&world->body_user[high]);
        block->hit[block->n] = hit;
        block->pair[block->n++] = (abut_w_hit){low, high, manifold};
    }
}

/* Where the manifolds of the next n pairs are made: in the list of contacts itself if nothing can come between. What is
 * carried over is in contact, and so among the settled rows. */
static abut_manifold *place_of_manifolds(const abut_world *world, uint32_t n, pair_block *block, size_t *stride) {
    const abut_w_contacts *next = &world->next;
    if (!world->should_collide && abut_bp_resting_pairs(&world->bp).count == 0 &&
        next->block.capacity - next->count >= n) {
        *stride = sizeof *next->contact;
        return &next->contact[next->count].manifold;
    }
    *stride = sizeof *block->manifold;
    return block->manifold;
}

/* The usual block: boxes that moved, and that ask for manifolds. Returns whether it is one. */
static bool touch_boxes(const abut_world *world, const abut_bp_pair *pair, uint32_t n, pair_block *block,
                        size_t *second_stage) {
    const uint8_t *flags = world->flags;
    const abut_w_traits *traits = world->traits;
    bool details = world->has_details;
    pair_list *list = &block->list[ABUT_DETAIL_MANIFOLD];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = pair[i].low, high = pair[i].high;
        uint8_t any = flags[low] | flags[high];
        if ((any & (ABUT_W_FILTERED | ABUT_W_CHANGED)) != ABUT_W_CHANGED ||
            (details && (traits[low].detail | traits[high].detail) != ABUT_DETAIL_MANIFOLD)) {
            return false;
        }
        list->a[i] = low;
        list->b[i] = high;
        ABUT_PREFETCH(&world->collider[high]); /* the lower ones follow each other */
    }
    const abut_np_pairs pairs = {
        .collider = world->collider, .a = list->a, .b = list->b, .n = n, .second_stage = second_stage};
    size_t stride;
    abut_manifold *manifold = place_of_manifolds(world, n, block, &stride);
    abut_np_collide_boxes(&pairs, world->margin, manifold, stride, list->hit);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) { /* without a branch, because no processor guesses this */
        const char *at = (const char *)manifold + kept * stride;
        block->pair[kept] = (abut_w_hit){list->a[i], list->b[i], (const abut_manifold *)(const void *)at};
        kept += list->hit[i];
    }
    block->n = kept;
    return true;
}

/* The narrow phase of what was listed. */
static void touch_block(const abut_world *world, pair_block *block, size_t *second_stage) {
    abut_np_pairs pairs[LISTS];
    for (int detail = 0; detail < LISTS; detail++) {
        const pair_list *list = &block->list[detail];
        pairs[detail] = (abut_np_pairs){.collider = world->collider,
                                        .a = list->a,
                                        .b = list->b,
                                        .hint = list->hint,
                                        .n = list->n,
                                        .second_stage = second_stage};
    }
    pair_list *manifolds = &block->list[ABUT_DETAIL_MANIFOLD], *overlaps = &block->list[ABUT_DETAIL_OVERLAP];
    if (manifolds->n > 0) {
        abut_np_collide_many(&pairs[ABUT_DETAIL_MANIFOLD], world->margin, block->manifold, manifolds->hit);
    }
    if (overlaps->n > 0) {
        abut_np_overlap_many(&pairs[ABUT_DETAIL_OVERLAP], overlaps->hit);
    }
    for (int detail = 0; detail < LISTS; detail++) {
        const pair_list *list = &block->list[detail];
        for (size_t k = 0; k < list->n; k++) {
            block->hit[list->at[k]] = list->hit[k];
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->n; i++) { /* without a branch, because no processor guesses this */
        block->pair[kept] = block->pair[i];
        kept += block->hit[i];
    }
    block->n = kept;
}

/* Where the walk along the rows is. */
typedef struct row_walk {
    size_t active, settled;
    bool all; /* those of bodies at rest, too */
    abut_bp_pair merged[BLOCK];
} row_walk;

static bool stands_before(abut_bp_pair p, abut_bp_pair q) {
    return p.low < q.low || (p.low == q.low && p.high < q.high);
}

/* The next rows, at most BLOCK; returns how many. */
static uint32_t next_rows(const abut_bp *bp, row_walk *w, const abut_bp_pair **rows) {
    const abut_bp_pair_list active = abut_bp_active_pairs(bp), resting = abut_bp_resting_pairs(bp);
    size_t resting_pairs = w->all ? resting.count : 0;
    uint32_t n = 0;
    if (w->settled == resting_pairs) {
        size_t left = active.count - w->active;
        n = left < BLOCK ? (uint32_t)left : BLOCK;
        *rows = active.pair + w->active;
        w->active += n;
        return n;
    }
    *rows = w->merged;
    while (n < BLOCK && (w->settled < resting_pairs || w->active < active.count)) {
        bool rests = w->settled < resting_pairs &&
                     (w->active == active.count || stands_before(resting.pair[w->settled], active.pair[w->active]));
        w->merged[n++] = rests ? resting.pair[w->settled++] : active.pair[w->active++];
    }
    return n;
}

/* Where contacts run out of room, as many are made room for as there will be if the rest of the candidates touch as
 * often: a list that grows by and by is copied and cleared several times. */
static abut_result foresee(abut_world *world, uint32_t more, size_t done) {
    uint64_t count = (uint64_t)world->next.count + more, all = abut_bp_pair_count(&world->bp);
    if (count <= world->next.block.capacity || world->fixed || done >= all) {
        return ABUT_OK;
    }
    uint64_t expected = count + (uint64_t)((double)count * (double)(all - done) / (double)done);
    return abut_w_reserve_contacts(world, &world->next, expected + expected / 16);
}

abut_result abut_w_resolve(abut_world *world, abut_step_report *report) {
    pair_block block;
    row_walk rows = {.all = world->should_collide != NULL};
    last_step last = {0, 0};
    abut_w_merge merge = {0, 0, 0};
    abut_result result = ABUT_OK;
    world->next.count = 0;
    abut_w_begin_hints(world);
    const abut_bp_pair *pair;
    size_t done = 0;
    for (uint32_t n; !result && (n = next_rows(&world->bp, &rows, &pair)) > 0; done += n) {
        if (world->has_hulls || !touch_boxes(world, pair, n, &block, &report->second_stage)) {
            list_pairs(world, pair, n, &last, &block);
            touch_block(world, &block, &report->second_stage);
        }
        result = foresee(world, block.n, done + n);
        result = result ? result : abut_w_append(world, &merge, block.pair, block.n);
    }
    return result ? result : abut_w_close(world, &merge, report);
}
