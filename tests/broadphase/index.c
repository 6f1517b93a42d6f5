/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The index has each listed key once, in blocks that contain its box, and blocks are small. */
#include "broadphase/fixture.h"
#include "support/rng.h"
#include <abut/isa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum family { SPREAD, FLAT, HUGE_AND_TINY, COINCIDENT, FAR_APART, POINTS, FAMILIES } family;

static void make_box(rng *r, family kind, uint32_t i, abut_bp_box *box) {
    for (int axis = 0; axis < 3; axis++) {
        double center = rng_range(r, -50, 50), half = rng_range(r, 0.1, 0.5);
        center = kind == FLAT && axis == 1 ? 0 : center;
        center = kind == COINCIDENT ? 1 : center;
        center = kind == POINTS ? (double)(i % 3) : center;
        half = kind == POINTS ? 0 : half;
        half = kind == HUGE_AND_TINY && i % 50 == 7 ? half * 100 : half;
        center += kind == FAR_APART && i % 100 == 3 ? (i % 200 == 3 ? 9e8 : -9e8) : 0;
        half = kind == FAR_APART ? half * 100 : half;
        box->min[axis] = (float)(center - half);
        box->max[axis] = (float)(center + half);
    }
}

static bool contains(const abut_bp_blocks *blocks, uint32_t at, const abut_bp_box *box) {
    bool yes = true;
    for (int axis = 0; axis < 3; axis++) {
        yes = yes && blocks->min[axis][at] <= box->min[axis] && blocks->max[axis][at] >= box->max[axis];
    }
    return yes;
}

/* The sum of the lengths of the sides. */
static double girth(const abut_bp_blocks *blocks, uint32_t at) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += (double)blocks->max[axis][at] - (double)blocks->min[axis][at];
    }
    return sum;
}

static void check_entries(const fixture *f, const uint8_t *flags, uint8_t without) {
    const abut_bp_index *index = &f->bp.index;
    uint8_t *entries = calloc(1, f->capacity);
    uint32_t count = 0;
    assert_non_null(entries);
    for (uint32_t k = 0; k < index->count; k++) {
        uint32_t key = index->key[k];
        assert_true(key < f->capacity);
        assert_int_equal(entries[key]++, 0);
        assert_true(contains(&index->blocks, k / ABUT_BP_BLOCK, &f->bp.box[key]));
        assert_true(contains(&index->superblocks, k / ABUT_BP_SUPERBLOCK, &f->bp.box[key]));
    }
    for (uint32_t k = index->count; k % ABUT_BP_SUPERBLOCK != 0; k++) {
        assert_int_equal(index->key[k], index->key[index->count - 1]);
    }
    for (uint32_t key = 0; key < f->capacity; key++) {
        bool wanted = f->kind[key] != ABUT_BP_ABSENT && !(flags[key] & without);
        assert_int_equal(entries[key], wanted);
        assert_int_equal(abut_bp_index_lists(&f->bp, key), wanted);
        count += wanted;
    }
    assert_int_equal(index->count, count);
    assert_int_equal(index->listed_count, count);
    free(entries);
}

static void drop_some(fixture *f, rng *r) {
    abut_bp_index *index = &f->bp.index;
    for (int k = 0; k < 5; k++) {
        uint32_t key = rng_below(r, f->capacity), before = index->listed_count;
        bool listed = abut_bp_index_lists(&f->bp, key);
        abut_bp_index_drop(&f->bp, key);
        assert_false(abut_bp_index_lists(&f->bp, key));
        assert_int_equal(index->listed_count, before - listed);
    }
}

static void keys_are_listed_once(void **state) {
    (void)state;
    for (unsigned long round = 0; round < test_count(60); round++) {
        rng r = rng_make(test_seed(), round);
        family kind = (family)(round % FAMILIES);
        uint32_t n = 1 + rng_below(&r, round % 4 == 3 ? 6000 : 200);
        fixture f;
        set_up(&f, n, 2 * ABUT_BP_SLACK);
        uint8_t *flags = calloc(1, n);
        assert_non_null(flags);
        for (int again = 0; again < 3; again++) {
            for (uint32_t key = 0; key < n; key++) {
                make_box(&r, kind, key, &f.bp.box[key]);
                flags[key] = (uint8_t)rng_below(&r, 4);
                if (rng_chance(&r, 0.8)) {
                    activate(&f, key, rng_chance(&r, 0.5));
                } else {
                    take_out(&f, key);
                }
            }
            uint8_t without = again == 2 ? 3 : 1;
            abut_bp_index_make(&f.bp, flags, without);
            check_entries(&f, flags, without);
            drop_some(&f, &r);
        }
        free(flags);
        tear_down(&f);
    }
}

static void keys_are_listed_under_every_instruction_set(void **state) {
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            keys_are_listed_once(state);
        }
    }
}

/* Also with some boxes that are large, or far away from all others. */
static void blocks_are_small(void **state) {
    (void)state;
    enum { N = 8000, FEW = 40 };
    rng r = rng_make(test_seed(), 0);
    static const uint8_t flags[N];
    fixture f;
    set_up(&f, N, 2 * ABUT_BP_SLACK);
    for (int odd = 0; odd < 3; odd++) {
        for (uint32_t key = 0; key < N; key++) {
            make_box(&r, SPREAD, key, &f.bp.box[key]);
            for (int axis = 0; axis < 3 && key % (N / FEW) == 0; axis++) {
                f.bp.box[key].min[axis] -= odd == 1 ? 50.0f : 0.0f;
                f.bp.box[key].min[axis] += odd == 2 ? 1e8f : 0.0f;
                f.bp.box[key].max[axis] += odd == 2 ? 1e8f : 0.0f;
            }
            activate(&f, key, false);
        }
        abut_bp_index_make(&f.bp, flags, 1);
        uint32_t near = 0;
        for (uint32_t block = 0; block < N / ABUT_BP_BLOCK; block++) {
            near += girth(&f.bp.index.blocks, block) < 3 * 20; /* a cube with room for eight has 3 * 10 */
        }
        printf("%u of %d blocks are small\n", near, N / ABUT_BP_BLOCK);
        assert_true(near >= N / ABUT_BP_BLOCK * 9 / 10);
    }
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_listed_under_every_instruction_set),
        cmocka_unit_test(blocks_are_small),
    };
    return test_run(tests);
}
