/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for pairs of boxes. */
#include "narrowphase/box/separation.h"
#include "narrowphase/box/single.h"
#include "narrowphase/kernels.h"
#include "narrowphase/narrowphase.h"

/* Pairs are processed in blocks of this size. */
enum { BLOCK = 128 };

/* Whether boxes overlap which the float stage left open. */
static ABUT_NOINLINE bool overlap_exactly(const abut_obb *a, const abut_obb *b) {
    abut_collider collider_a, collider_b;
    return abut_collider_from_obb(a, &collider_a) && abut_collider_from_obb(b, &collider_b) &&
           !abut_np_box_separated_after_float(&collider_a, &collider_b, 0);
}

bool abut_obb_overlap(const abut_obb *a, const abut_obb *b) {
    abut_np_verdict verdict = a && b ? abut_np_box_single_verdict(a, b, false) : ABUT_NP_UNDECIDED;
    return verdict == ABUT_NP_UNDECIDED ? overlap_exactly(a, b) : verdict == ABUT_NP_TOUCHING;
}

/* At most BLOCK pairs; index[k] is k. The kernel leaves pairs with an invalid box undecided. */
static size_t overlap_block(const abut_obb *a, const abut_obb *b, const uint32_t *index, size_t n, uint8_t *overlap) {
    abut_collider collider_a[BLOCK], collider_b[BLOCK];
    uint8_t at[BLOCK], verdict[BLOCK];
    size_t count = 0;
    abut_np_box_pairs all = {a, b, sizeof *a, sizeof *b, index, index, n};
    abut_np_box_pairs undecided = {collider_a, collider_b, sizeof *collider_a, sizeof *collider_b, index, index, 0};
    abut_np_box_kernels_active()->float_verdicts(&all, 0, overlap);
    for (size_t k = 0; k < n; k++) {
        if (overlap[k] == ABUT_NP_UNDECIDED) {
            overlap[k] = 0;
            at[undecided.n] = (uint8_t)k;
            undecided.n += abut_collider_from_obb(&a[k], &collider_a[undecided.n]) &&
                           abut_collider_from_obb(&b[k], &collider_b[undecided.n]);
        }
        count += overlap[k];
    }
    abut_np_box_verdicts_many(&undecided, 0, false, verdict);
    for (size_t k = 0; k < undecided.n; k++) {
        overlap[at[k]] = verdict[k] != ABUT_NP_APART;
        count += overlap[at[k]];
    }
    return count;
}

size_t abut_obb_overlap_many(const abut_obb *a, const abut_obb *b, size_t n, uint8_t *overlap) {
    uint32_t index[BLOCK];
    size_t count = 0;
    if (!a || !b || !overlap) {
        return 0;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        index[i] = i;
    }
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t part = n - done < BLOCK ? n - done : BLOCK;
        count += overlap_block(a + done, b + done, index, part, overlap + done);
    }
    return count;
}

static bool collide_across_gap(const abut_obb *a, const abut_obb *b, float margin, abut_manifold *manifold) {
    abut_collider collider_a, collider_b;
    return abut_collider_from_obb(a, &collider_a) && abut_collider_from_obb(b, &collider_b) &&
           abut_np_collide(&collider_a, &collider_b, margin, manifold);
}

/* The manifold of two boxes that touch: of abut_obb or of abut_collider, which begins like one. The former may have -0,
 * which changes nothing: the kernels divide by no coordinate and look at no sign of a zero, and they store +0. */
static void write_manifold(const void *a, const void *b, bool by_face, abut_manifold *manifold) {
    const abut_np_box_pairs pair = abut_np_box_list_of_one(a, b);
    const abut_np_manifold_output to = {manifold, 0, pair.index_a};
    abut_np_box_kernels_of_one()->manifolds(&pair, 0, by_face, &to);
}

/* For pairs that the float stage left open, and rotations of unusual length. */
static ABUT_NOINLINE bool collide_carefully(const abut_obb *a, const abut_obb *b, abut_manifold *manifold) {
    abut_collider collider_a, collider_b;
    if (!abut_collider_from_obb(a, &collider_a) || !abut_collider_from_obb(b, &collider_b) ||
        abut_np_box_separated_after_float(&collider_a, &collider_b, 0)) {
        return false;
    }
    write_manifold(&collider_a, &collider_b, false, manifold);
    return true;
}

bool abut_obb_collide(const abut_obb *a, const abut_obb *b, float margin, abut_manifold *manifold) {
    if (!a || !b || !manifold || !(margin >= 0) || !abut_bits_finite(margin)) {
        return false;
    }
    if (margin > 0) {
        return collide_across_gap(a, b, margin, manifold);
    }
    abut_np_verdict verdict = ABUT_NP_UNDECIDED;
    if (ABUT_NP_SINGLE) {
        verdict = abut_np_box_unturned_collide(a, b, manifold);
    }
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict != ABUT_NP_APART;
    }
    verdict = abut_np_box_single_verdict(a, b, true);
    if (verdict == ABUT_NP_APART) {
        return false;
    }
    if (verdict == ABUT_NP_UNDECIDED || !abut_collider_keeps(a->rotation) || !abut_collider_keeps(b->rotation)) {
        return collide_carefully(a, b, manifold);
    }
    write_manifold(a, b, verdict == ABUT_NP_TOUCHING_BY_FACE, manifold);
    return true;
}
