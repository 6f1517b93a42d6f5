/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/fixture.h"
#include <stdlib.h>
#include <string.h>

static void *room(fixture *f, size_t bytes) {
    void *p = calloc(1, bytes);
    assert_non_null(p);
    f->memory[f->memory_count++] = p;
    return p;
}

void set_up(fixture *f, uint32_t keys, size_t pool) {
    set_up_narrow(f, keys, keys + keys / 2 + ABUT_BP_SLACK, pool);
}

void set_up_narrow(fixture *f, uint32_t keys, uint32_t copy_capacity, size_t pool) {
    memset(f, 0, sizeof *f);
    abut_bp *bp = &f->bp;
    size_t copies = (size_t)copy_capacity + ABUT_BP_SLACK;
    f->capacity = bp->key_end = keys;
    f->moved = room(f, keys);
    f->kind = room(f, keys);
    bp->box = room(f, keys * sizeof *bp->box);
    bp->role = room(f, keys);
    bp->active = room(f, keys * sizeof *bp->active);
    for (int axis = 0; axis < 3; axis++) {
        bp->copies.min[axis] = room(f, copies * sizeof(float));
        bp->copies.max[axis] = room(f, copies * sizeof(float));
        bp->superblocks.min[axis] = room(f, (copies / 64 + ABUT_BP_SLACK) * sizeof(float));
        bp->superblocks.max[axis] = room(f, (copies / 64 + ABUT_BP_SLACK) * sizeof(float));
    }
    bp->copies.key = room(f, copies * sizeof(uint32_t));
    bp->order = room(f, copies * sizeof *bp->order);
    bp->scratch = room(f, keys * sizeof *bp->scratch);
    bp->resting_start = room(f, copy_capacity);
    bp->active_start = room(f, copy_capacity);
    bp->copy_capacity = copy_capacity;
    bp->pool = room(f, pool * sizeof *bp->pool);
    bp->pool_capacity = pool;
}

void tear_down(fixture *f) {
    while (f->memory_count > 0) {
        free(f->memory[--f->memory_count]);
    }
}

void activate(fixture *f, uint32_t key, bool is_static) {
    abut_bp_activate(&f->bp, key, is_static);
    f->kind[key] = is_static ? ABUT_BP_ACTIVE | ABUT_BP_STATIC : ABUT_BP_ACTIVE;
    f->moved[key] = 1;
}

void take_out(fixture *f, uint32_t key) {
    abut_bp_remove(&f->bp, key);
    f->kind[key] = ABUT_BP_ABSENT;
    f->moved[key] = 0;
}

bool touch(const fixture *f, uint32_t a, uint32_t b) {
    const abut_bp_box *p = &f->bp.box[a], *q = &f->bp.box[b];
    bool yes = f->kind[a] && f->kind[b] && !(f->kind[a] & f->kind[b] & ABUT_BP_STATIC);
    yes = yes && !abut_bp_are_apart(&f->bp, abut_bp_class_of(&f->bp, a), abut_bp_class_of(&f->bp, b));
    for (int axis = 0; axis < 3; axis++) {
        yes = yes && p->min[axis] <= q->max[axis] && q->min[axis] <= p->max[axis];
    }
    return yes;
}

/* Both lists together are what brute force finds, in the same order. */
static size_t compare_with_brute_force(const fixture *f) {
    const abut_bp *bp = &f->bp;
    const abut_bp_pair_list active = abut_bp_active_pairs(bp), resting = abut_bp_resting_pairs(bp);
    size_t i = 0, j = 0;
    for (uint32_t a = 0; a < bp->key_end; a++) {
        for (uint32_t b = a + 1; b < bp->key_end; b++) {
            if (!touch(f, a, b)) {
                continue;
            }
            bool rests = bp->role[a] & bp->role[b] & ABUT_BP_RESTING;
            assert_true(rests ? j < resting.count : i < active.count);
            abut_bp_pair pair = rests ? resting.pair[j++] : active.pair[i++];
            assert_int_equal(pair.low, a);
            assert_int_equal(pair.high, b);
        }
    }
    assert_int_equal(i, active.count);
    assert_int_equal(j, resting.count);
    return i + j;
}

size_t find(fixture *f) {
    abut_bp *bp = &f->bp;
    const size_t room = bp->pool_capacity, pairs = abut_bp_find(bp, f->capacity, NULL);
    assert_true(abut_bp_pool_for(pairs) <= room);
    assert_int_equal(pairs, bp->resting_pairs + bp->active_pairs);
    (void)compare_with_brute_force(f);
    bp->pool_capacity = (size_t)abut_bp_pool_for(pairs);
    assert_int_equal(abut_bp_find(bp, f->capacity, NULL), pairs);
    assert_int_equal(compare_with_brute_force(f), pairs);
    bp->pool_capacity = room;
    return pairs;
}

void end_of_step(fixture *f) {
    abut_bp_put_to_rest(&f->bp, f->moved, 1);
    memset(f->moved, 0, f->capacity);
}
