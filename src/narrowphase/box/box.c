/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Box against box: one pair, and blocks of pairs that are first decided and then get their manifolds. */
#include "narrowphase/box/box.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/box/single.h"
#include "narrowphase/kernels.h"

/* Never ABUT_NP_UNDECIDED. */
static abut_np_verdict verdict_of(const abut_collider *a, const abut_collider *b, float margin, bool kinds) {
    abut_np_verdict verdict =
        margin > 0 ? abut_np_box_float_verdict(a, b, margin) : abut_np_box_single_verdict(a, b, kinds);
    if (verdict == ABUT_NP_UNDECIDED) {
        return abut_np_box_separated_after_float(a, b, margin) ? ABUT_NP_APART : ABUT_NP_TOUCHING;
    }
    return verdict;
}

bool abut_np_box_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    (void)hint;
    return verdict_of(a, b, 0, false) != ABUT_NP_APART;
}

/* Pairs are processed in blocks of this size: for overlaps, and for manifolds. */
enum { BLOCK = 128, MANIFOLD_BLOCK = 256 };

/* Pairs first .. first + n - 1. */
static abut_np_box_pairs part_of(const abut_np_pairs *pairs, size_t first, size_t n) {
    return (abut_np_box_pairs){pairs->collider,
                               pairs->other,
                               sizeof *pairs->collider,
                               sizeof *pairs->collider,
                               pairs->a + first,
                               pairs->b + first,
                               n};
}

static void count(const abut_np_pairs *pairs, size_t second_stage) {
    if (pairs->second_stage) {
        *pairs->second_stage += second_stage;
    }
}

void abut_np_box_overlap_many(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit) {
    uint8_t verdict[BLOCK];
    for (size_t first = 0; first < pairs->n; first += BLOCK) {
        size_t n = pairs->n - first < BLOCK ? pairs->n - first : BLOCK;
        abut_np_box_pairs block = part_of(pairs, first, n);
        count(pairs, abut_np_box_verdicts_many(&block, 0, false, verdict));
        for (size_t k = 0; k < n; k++) {
            hit[where[first + k]] = verdict[k] != ABUT_NP_APART;
        }
    }
}

/* Where manifolds are written: to the element of their pair or, if `packed`, one after the other. */
typedef struct manifold_list {
    abut_np_manifold_output to;
    bool packed;
    uint32_t count; /* so far */
} manifold_list;

/* Pairs that touch. Those whose manifold is certain to be one of faces fill the list from the front, the others from
 * the back, so that a register full of pairs does not do the work of both kinds. */
typedef struct kind_list {
    uint32_t a[MANIFOLD_BLOCK], b[MANIFOLD_BLOCK], where[MANIFOLD_BLOCK];
    size_t front, back; /* the number of those at the front; where those at the back begin */
} kind_list;

static void split_by_kind(const abut_np_pairs *of, size_t first, size_t n, manifold_list *out, const uint8_t *verdict,
                          kind_list *list) {
    const uint32_t *where = out->to.where;
    bool packed = out->packed;
    uint32_t count = out->count;
    size_t front = 0, back = n;
    for (size_t k = 0; k < n; k++) { /* without a branch, which would be mispredicted */
        size_t to = verdict[k] == ABUT_NP_TOUCHING ? back - 1 : front;
        list->a[to] = of->a[first + k];
        list->b[to] = of->b[first + k];
        list->where[to] = packed ? count : where[first + k];
        count += verdict[k] != ABUT_NP_APART;
        front += verdict[k] == ABUT_NP_TOUCHING_BY_FACE;
        back -= verdict[k] == ABUT_NP_TOUCHING;
    }
    list->front = front;
    list->back = back;
    out->count = count;
}

static void write_hits(size_t first, size_t n, const uint32_t *where, const uint8_t *verdict, uint8_t *hit) {
    for (size_t k = 0; k < n; k++) {
        hit[where ? where[first + k] : first + k] = verdict[k] != ABUT_NP_APART;
    }
}

static void collide(const abut_np_pairs *pairs, float margin, manifold_list *out, uint8_t *hit) {
    const abut_np_box_kernels *kernels = abut_np_box_kernels_active();
    kind_list list;
    uint8_t verdict[MANIFOLD_BLOCK];
    for (size_t first = 0; first < pairs->n; first += MANIFOLD_BLOCK) {
        size_t n = pairs->n - first < MANIFOLD_BLOCK ? pairs->n - first : MANIFOLD_BLOCK;
        abut_np_box_pairs block = part_of(pairs, first, n);
        count(pairs, abut_np_box_verdicts_many(&block, margin, true, verdict));
        write_hits(first, n, out->to.where, verdict, hit);
        split_by_kind(pairs, first, n, out, verdict, &list);
        abut_np_manifold_output to = {out->to.first, out->to.stride, list.where};
        block.index_a = list.a, block.index_b = list.b, block.n = list.front;
        kernels->manifolds(&block, margin, true, &to);
        block.index_a += list.back, block.index_b += list.back, block.n = n - list.back, to.where += list.back;
        kernels->manifolds(&block, margin, false, &to);
    }
}

void abut_np_box_collide_many(const abut_np_pairs *pairs, float margin, const uint32_t *where, abut_manifold *manifold,
                              uint8_t *hit) {
    manifold_list out = {.to = {manifold, sizeof *manifold, where}};
    collide(pairs, margin, &out, hit);
}

void abut_np_box_collide_packed(const abut_np_pairs *pairs, float margin, abut_manifold *first, size_t stride,
                                uint8_t *hit) {
    manifold_list out = {.to = {first, stride, NULL}, .packed = true};
    collide(pairs, margin, &out, hit);
}

bool abut_np_box_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                         abut_manifold *manifold) {
    (void)hint;
    abut_np_verdict verdict = ABUT_NP_UNDECIDED;
    if (ABUT_NP_SINGLE && margin == 0) {
        verdict = abut_np_box_unturned_collide(a, b, manifold);
    }
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict != ABUT_NP_APART;
    }
    verdict = verdict_of(a, b, margin, true);
    if (verdict == ABUT_NP_APART) {
        return false;
    }
    const abut_np_box_pairs pair = abut_np_box_list_of_one(a, b);
    const abut_np_manifold_output to = {manifold, 0, pair.index_a};
    abut_np_box_kernels_of_one()->manifolds(&pair, margin, verdict == ABUT_NP_TOUCHING_BY_FACE, &to);
    return true;
}
