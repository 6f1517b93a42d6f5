/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "world/world.h"
#include <string.h>

bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b) {
    const abut_w_traits *ta = &world->traits[a], *tb = &world->traits[b];
    if (ta->motion == ABUT_STATIC && tb->motion == ABUT_STATIC) {
        return false;
    }
    if (!((world->flags[a] | world->flags[b]) &
          ABUT_W_PICKY)) { /* most bodies are not, and then nothing else need be loaded */
        return true;
    }
    if (abut_w_root_of(world, a) == abut_w_root_of(world, b)) {
        return false;
    }
    const abut_filter *fa = abut_w_filter_of(world, a), *fb = abut_w_filter_of(world, b);
    if (fa->group == fb->group && fa->group != 0) {
        return fa->group > 0;
    }
    return (fa->category & fb->mask) != 0 && (fb->category & fa->mask) != 0;
}

static bool bounds_touch(const abut_np_row *a, const abut_np_row *b) {
    abut_aabb p = abut_np_bounds(a), q = abut_np_bounds(b);
    return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y && p.min.z <= q.max.z &&
           q.min.z <= p.max.z;
}

/* The coarser of the two. */
static uint8_t pair_detail(const abut_world *world, uint32_t a, uint32_t b) {
    uint8_t detail_a = world->traits[a].detail, detail_b = world->traits[b].detail;
    return detail_a > detail_b ? detail_a : detail_b;
}

bool abut_w_touch(const abut_world *world, uint32_t a, uint32_t b, abut_manifold *manifold) {
    const abut_np_row *row_a = &world->row[a], *row_b = &world->row[b];
    memset(manifold, 0, sizeof *manifold);
    switch (pair_detail(world, a, b)) {
    case ABUT_DETAIL_MANIFOLD:
        return abut_np_collide(row_a, row_b, world->margin, manifold);
    case ABUT_DETAIL_OVERLAP:
        return abut_np_overlap(row_a, row_b);
    default:
        return bounds_touch(row_a, row_b);
    }
}

abut_result abut_w_find_candidates(abut_world *world, uint32_t *count) {
    abut_bp *bp = &world->bp;
    bp->key_end = world->ids.used;
    for (size_t rows; rows = abut_bp_find(bp), abut_bp_pool_for(rows) > bp->pool_capacity;) {
        abut_result result = abut_w_reserve_pairs(world, rows);
        if (result) {
            return result;
        }
    }
    *count = (uint32_t)bp->active_rows;
    return ABUT_OK;
}

static bool asked(abut_world *world, const abut_contact *c) {
    if (!world->should_collide) {
        return true;
    }
    world->state = ABUT_W_ASKING;
    bool yes = world->should_collide(c->a, c->user_a, c->b, c->user_b, world->user);
    world->state = ABUT_W_IDLE;
    return yes;
}

/* Candidates are resolved a block at a time, in three lists by detail. */
enum { BLOCK = 128, AHEAD = 16, DETAILS = ABUT_DETAIL_BOUNDS + 1 };

typedef struct pair_list {
    uint32_t a[BLOCK], b[BLOCK];
    abut_np_hint *hint[BLOCK];
    uint8_t hit[BLOCK];
    size_t n;
} pair_list;

typedef struct pair_block {
    abut_bp_pair pair[BLOCK]; /* those that may touch */
    uint32_t known1[BLOCK];   /* 1 + where last step's contacts have it, if that still stands; 0: must look */
    uint8_t detail[BLOCK], place[BLOCK]; /* then list[detail[i]] has pair i at place[i] */
    uint32_t n;
    pair_list list[DETAILS];
    abut_manifold manifold[BLOCK]; /* of list[ABUT_DETAIL_MANIFOLD] */
} pair_block;

/* Where last step's contacts have a pair, + 1, or 0. Asked of pairs in ascending order; *from is where it got to. */
static uint32_t find_contact(const abut_w_contacts *last, uint32_t low, uint32_t high, uint32_t *from) {
    const abut_contact *c = last->contact;
    uint32_t i = *from;
    while (i < last->count && (c[i].a.index1 < low + 1 || (c[i].a.index1 == low + 1 && c[i].b.index1 < high + 1))) {
        i++;
    }
    *from = i;
    return i < last->count && c[i].a.index1 == low + 1 && c[i].b.index1 == high + 1 ? i + 1 : 0;
}

static void list_pair(const abut_world *world, abut_bp_pair pair, abut_np_hint *hint, pair_block *block) {
    uint8_t detail = pair_detail(world, pair.low, pair.high);
    pair_list *list = &block->list[detail];
    list->a[list->n] = pair.low;
    list->b[list->n] = pair.high;
    list->hint[list->n] = hint;
    block->detail[block->n] = detail;
    block->place[block->n] = (uint8_t)list->n++;
}

/* Where the walks along last step's lists are. */
typedef struct last_step {
    uint32_t contact, hint;
} last_step;

static abut_np_hint *hint_of(abut_world *world, abut_bp_pair pair, last_step *last) {
    bool hull = world->row[pair.low].shape == ABUT_NP_HULL || world->row[pair.high].shape == ABUT_NP_HULL;
    return hull ? abut_w_take_hint(world, pair.low, pair.high, &last->hint) : NULL;
}

/* Two bodies at rest touch or do not as in the last step; only whom should_collide turned away is not known. */
static void list_pairs(abut_world *world, const abut_bp_pair *pair, uint32_t n, last_step *last, pair_block *block) {
    bool hints = abut_w_reserve_hints(world, n);
    block->n = 0;
    for (int detail = 0; detail < DETAILS; detail++) {
        block->list[detail].n = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = pair[i].low, high = pair[i].high, known1 = 0;
        /* Higher bodies lie anywhere, the lower ones one after the other. */
        ABUT_PREFETCH(&world->row[pair[i + AHEAD < n ? i + AHEAD : i].high]);
        if (!abut_w_may_touch(world, low, high)) {
            continue;
        }
        abut_np_hint *hint = hints ? hint_of(world, pair[i], last) : NULL;
        if (!((world->flags[low] | world->flags[high]) & ABUT_W_NEW)) {
            known1 = find_contact(&world->current, low, high, &last->contact);
            if (known1 == 0 && !world->should_collide) {
                continue;
            }
        }
        if (known1 == 0) {
            list_pair(world, pair[i], hint, block);
        }
        block->known1[block->n] = known1;
        block->pair[block->n++] = pair[i];
    }
}

static void touch_block(const abut_world *world, pair_block *block) {
    abut_np_pairs pairs[DETAILS];
    for (int detail = 0; detail < DETAILS; detail++) {
        const pair_list *list = &block->list[detail];
        pairs[detail] =
            (abut_np_pairs){.row = world->row, .a = list->a, .b = list->b, .hint = list->hint, .n = list->n};
    }
    abut_np_collide_many(&pairs[ABUT_DETAIL_MANIFOLD], world->margin, block->manifold,
                         block->list[ABUT_DETAIL_MANIFOLD].hit);
    abut_np_overlap_many(&pairs[ABUT_DETAIL_OVERLAP], block->list[ABUT_DETAIL_OVERLAP].hit);
    pair_list *bounds = &block->list[ABUT_DETAIL_BOUNDS];
    for (size_t k = 0; k < bounds->n; k++) {
        bounds->hit[k] = bounds_touch(&world->row[bounds->a[k]], &world->row[bounds->b[k]]);
    }
}

/* Appends what touches, in the order of the candidates. */
static abut_result append_block(abut_world *world, const pair_block *block) {
    static const abut_manifold none;
    abut_w_contacts *next = &world->next;
    uint8_t touching[BLOCK];
    uint32_t n = 0;
    for (uint32_t i = 0; i < block->n; i++) { /* first, because no processor guesses this */
        touching[n] = (uint8_t)i;
        n += block->known1[i] != 0 || block->list[block->detail[i]].hit[block->place[i]];
    }
    for (uint32_t t = 0; t < n; t++) {
        abut_result result = abut_w_reserve_contacts(world, next, (uint64_t)next->count + 1);
        if (result) {
            return result;
        }
        uint32_t i = touching[t], low = block->pair[i].low, high = block->pair[i].high;
        abut_contact *c = &next->contact[next->count];
        c->a = abut_w_id(world, low);
        c->b = abut_w_id(world, high);
        c->user_a = world->body_user[low];
        c->user_b = world->body_user[high];
        if (block->known1[i]) {
            c->manifold = world->current.contact[block->known1[i] - 1].manifold;
        } else {
            c->manifold = block->detail[i] == ABUT_DETAIL_MANIFOLD ? block->manifold[block->place[i]] : none;
        }
        next->count += asked(world, c);
    }
    return ABUT_OK;
}

abut_result abut_w_resolve(abut_world *world, uint32_t candidate_count) {
    pair_block block;
    last_step last = {0, 0};
    world->next.count = 0;
    abut_w_begin_hints(world);
    for (uint32_t first = 0; first < candidate_count; first += BLOCK) {
        uint32_t n = candidate_count - first < BLOCK ? candidate_count - first : BLOCK;
        list_pairs(world, &abut_bp_active_rows(&world->bp)[first], n, &last, &block);
        touch_block(world, &block);
        abut_result result = append_block(world, &block);
        if (result) {
            return result;
        }
    }
    return ABUT_OK;
}
