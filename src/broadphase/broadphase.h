/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The broad phase: boxes in, sorted candidate pairs out. It does not know shapes, poses, bodies or the world. To find
 * your way: candidates.c has one find, top to bottom; it calls columns.c, sweep.c and pair_sort.c.
 *
 * Sweep and prune (Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE", 1995) without its endpoint lists: the plane across the
 * sweep axis is cut into columns, and each column is sorted and swept from scratch (Terdiman's box pruning does this
 * with one column). A pair counts only in the column that holds the lower corner of the intersection of its two boxes,
 * so each pair is found once, without a table of pairs.
 *
 * A key is active or resting. Active boxes are sorted and swept in every call. Resting boxes keep their sorted columns
 * and their pairs, so the cost of a call follows the active ones. Which keys rest changes no answer. Boxes are closed:
 * sharing a point counts. A key has a class; the owner says which classes are apart and make no pairs. Classes that
 * many keys have are held apart in each column, so that they are not compared (groups.c). */
#ifndef ABUT_BROADPHASE_BROADPHASE_H
#define ABUT_BROADPHASE_BROADPHASE_H

#include "base/bits.h"
#include "base/workers/workers.h"
#include "broadphase/layout.h"
#include "broadphase/tree/tree.h"

/* --- memory --- */

/* Makes room for keys 0 .. keys - 1, at most ABUT_BP_TREE_KEYS_MAX. Keys keep their boxes. Resting keys become active,
 * and the tree must be made anew. ABUT_ERROR_MEMORY changes no later answer; memory reserved before the failure stays
 * reserved. Capacities never shrink. */
abut_result abut_bp_reserve(abut_bp *bp, const abut_allocator *allocator, uint32_t keys);

/* Makes room for this many pairs. Keeps the pairs of two resting keys and drops the other pairs found. */
abut_result abut_bp_reserve_pairs(abut_bp *bp, const abut_allocator *allocator, uint64_t pairs);

void abut_bp_release(abut_bp *bp, const abut_allocator *allocator);

/* The bytes reserved; and the bytes in use by `keys` keys, by copies, the tree and pairs. */
size_t abut_bp_bytes(const abut_bp *bp);
size_t abut_bp_used_bytes(const abut_bp *bp, uint32_t keys);

/* --- keys --- */

/* Keys have stopped resting. */
static inline void abut_bp_count_woken(abut_bp *bp, uint32_t keys) {
    bp->resting_count -= keys;
    bp->woken += keys;
}

/* Makes a key active, because it is new or its box changes. Its box may be written from now on. O(1). Returns whether
 * it was resting, for abut_bp_count_woken: several threads may call this, for different keys. */
static inline bool abut_bp_activate_uncounted(abut_bp *bp, uint32_t key, bool is_static) {
    bool rested = bp->role[key] & ABUT_BP_RESTING;
    uint32_t class_bits = bp->role[key] & ~(uint32_t)(ABUT_BP_CLASS - 1);
    bp->role[key] = (uint8_t)(class_bits | (is_static ? ABUT_BP_ACTIVE | ABUT_BP_STATIC : ABUT_BP_ACTIVE));
    return rested;
}

static inline void abut_bp_activate(abut_bp *bp, uint32_t key, bool is_static) {
    abut_bp_count_woken(bp, abut_bp_activate_uncounted(bp, key, is_static));
}

static inline void abut_bp_remove(abut_bp *bp, uint32_t key) {
    bool rested = bp->role[key] & ABUT_BP_RESTING;
    bp->resting_count -= rested;
    bp->woken += rested;
    bp->role[key] = ABUT_BP_ABSENT;
}

/* A new key: active, of class 0, with a box of zeros. O(1). */
static inline void abut_bp_add(abut_bp *bp, uint32_t key, bool is_static) {
    bp->role[key] = ABUT_BP_ABSENT;
    bp->box[key] = (abut_bp_box){{0}, {0}};
    abut_bp_activate(bp, key, is_static);
}

/* The class of a present key, 0 .. ABUT_BP_CLASSES - 1. */
static inline uint32_t abut_bp_class_of(const abut_bp *bp, uint32_t key) {
    return bp->role[key] / ABUT_BP_CLASS;
}

/* Before the next find the key must become active, if that changes which keys it is apart from. */
static inline void abut_bp_set_class(abut_bp *bp, uint32_t key, uint32_t new_class) {
    bp->role[key] = (uint8_t)(bp->role[key] % ABUT_BP_CLASS + new_class * ABUT_BP_CLASS);
}

/* Says whether keys of two classes make no pairs; at first all do. Keys of these classes must become active. */
static inline void abut_bp_set_apart(abut_bp *bp, uint32_t a, uint32_t b, bool apart) {
    uint32_t bit_a = (uint32_t)1 << a, bit_b = (uint32_t)1 << b;
    bp->apart[a] = apart ? bp->apart[a] | bit_b : bp->apart[a] & ~bit_b;
    bp->apart[b] = apart ? bp->apart[b] | bit_a : bp->apart[b] & ~bit_a;
}

static inline bool abut_bp_are_apart(const abut_bp *bp, uint32_t a, uint32_t b) {
    return bp->apart[a] >> b & 1;
}

/* Bits of the classes that a present key makes pairs with. */
static inline uint32_t abut_bp_classes_with(const abut_bp *bp, uint32_t key) {
    return ~bp->apart[abut_bp_class_of(bp, key)];
}

/* Boxes by key. Only those of active keys may be written. */
static inline abut_bp_box *abut_bp_boxes(abut_bp *bp) {
    return bp->box;
}

static inline const abut_bp_box *abut_bp_box_of(const abut_bp *bp, uint32_t key) {
    return &bp->box[key];
}

/* A bit, which is set where both rest. */
static inline uint8_t abut_bp_both_resting(const abut_bp *bp, uint32_t a, uint32_t b) {
    return bp->role[a] & bp->role[b] & ABUT_BP_RESTING;
}

/* Whether any of the keys key .. key + 7 rests. There must be room for all eight. */
static inline bool abut_bp_any_of_eight_resting(const abut_bp *bp, uint32_t key) {
    uint64_t roles;
    memcpy(&roles, bp->role + key, sizeof roles);
    return (roles & UINT64_C(0x0101010101010101) * ABUT_BP_RESTING) != 0;
}

static inline bool abut_bp_is_static(const abut_bp *bp, uint32_t key) {
    return bp->role[key] & ABUT_BP_STATIC;
}

static inline bool abut_bp_is_present(const abut_bp *bp, uint32_t key) {
    return bp->role[key] != ABUT_BP_ABSENT;
}

/* Scratch memory that the owner may use between calls: one item per key that there is room for. */
static inline abut_radix_item *abut_bp_scratch(const abut_bp *bp) {
    return bp->scratch;
}

/* Makes all resting keys active and drops their pairs. */
void abut_bp_activate_all(abut_bp *bp);

/* --- pairs --- */

/* Elements that the pool must have for this many pairs: sorting needs as many again. */
static inline uint64_t abut_bp_pool_for(uint64_t pairs) {
    return 2 * pairs + ABUT_BP_SLACK;
}

/* Whether there is room for this many pairs. */
static inline bool abut_bp_has_room(const abut_bp *bp, uint64_t pairs) {
    return abut_bp_pool_for(pairs) <= bp->pool_capacity;
}

/* Finds every pair of touching boxes, each once, except pairs of two static keys and of two classes that are apart. All
 * keys are below key_end. Returns how many pairs there are, resting and active ones together. If there is no room for
 * them (abut_bp_has_room), the lists of pairs are incomplete: reserve room and call again. Cost: O(active log active +
 * pairs) for usual input, plus reading the role of every key. `workers` may be NULL. */
size_t abut_bp_find(abut_bp *bp, uint32_t key_end, abut_workers *workers);

/* A list of pairs, sorted by (low, high). */
typedef struct abut_bp_pair_list {
    const abut_bp_pair *pair;
    size_t count;
} abut_bp_pair_list;

/* Pairs with at least one active key, and pairs of two resting keys, as of the last find. */
static inline abut_bp_pair_list abut_bp_active_pairs(const abut_bp *bp) {
    return (abut_bp_pair_list){bp->pool + bp->resting_pairs, bp->active_pairs};
}

static inline abut_bp_pair_list abut_bp_resting_pairs(const abut_bp *bp) {
    return (abut_bp_pair_list){bp->pool, bp->resting_pairs};
}

static inline size_t abut_bp_pair_count(const abut_bp *bp) {
    return bp->resting_pairs + bp->active_pairs;
}

/* How many pairs of boxes the last find compared. */
static inline uint64_t abut_bp_tests(const abut_bp *bp) {
    return bp->tests;
}

/* Called after a find: puts active keys to rest, together with their pairs, if that is likely to pay. A key may rest if
 * flags[key] & changed is 0, which means that its box has not changed since the previous find. */
void abut_bp_put_to_rest(abut_bp *bp, const uint8_t *flags, uint8_t changed);

/* Sorts pairs, no two of them the same, by (low, high), the canonical order. `spare` has room for `count` pairs; all
 * keys are below key_end; count < 2^32. */
void abut_bp_sort_pairs(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end);
/* The same on several workers, with the scratch memory of `bp`; all keys are below bp->key_end. */
void abut_bp_sort_pairs_with(const abut_bp *bp, abut_bp_pair *pairs, abut_bp_pair *spare, size_t count,
                             abut_workers *workers);

#endif
