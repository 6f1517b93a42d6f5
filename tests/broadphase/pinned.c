/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the broad phase finds, and how: pairs, grids, columns, who rests and since when, how many boxes are compared, as
 * numbers. Other tests judge the pairs; whether all else is as it should be shows only in time and memory, so nothing
 * in it may change unnoticed. */
#include "broadphase/broadphase.h"
#include "broadphase/columns.h"
#include "broadphase/crowd.h"
#include "broadphase/grid.h"
#include "broadphase/groups.h"
#include "broadphase/keys.h"
#include "broadphase/made_boxes.h"
#include "support/digest.h"
#include "support/failing_allocator.h"
#include "support/schedules.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>

static failing_allocator books;
static abut_allocator plain;

#define digest_array(digest, array, n) digest_words(digest, array, (n) * sizeof *(array))

/* --- all that a broad phase holds --- */

static void digest_grid(uint64_t *digest, const abut_bp_grid *grid) {
    digest_number(digest, (uint64_t)grid->axis);
    for (int k = 0; k < 2; k++) {
        digest_words(digest, &grid->origin[k], sizeof grid->origin[k]);
        digest_words(digest, &grid->inverse[k], sizeof grid->inverse[k]);
        digest_number(digest, grid->cells[k]);
        digest_array(digest, grid->low[k], grid->cells[k]);
    }
}

static void digest_copies(uint64_t *digest, const abut_bp *bp, uint32_t first, uint32_t n) {
    for (int axis = 0; axis < 3; axis++) {
        digest_array(digest, bp->copies.min[axis] + first, n);
        digest_array(digest, bp->copies.max[axis] + first, n);
    }
    digest_array(digest, bp->copies.key + first, n);
}

static void digest_resting(uint64_t *digest, const abut_bp *bp) {
    const uint32_t columns = abut_bp_grid_columns(&bp->grid), superblocks = (bp->resting_copies + 63) / 64;
    if (bp->resting_copies == 0) {
        return;
    }
    digest_array(digest, bp->resting_start, columns + 1);
    digest_array(digest, bp->order, bp->resting_copies);
    digest_copies(digest, bp, 0, bp->resting_copies);
    for (int axis = 0; axis < 3; axis++) {
        digest_array(digest, bp->superblocks.min[axis], superblocks);
        digest_array(digest, bp->superblocks.max[axis], superblocks);
    }
}

/* Active columns are gathered at the same copies, one after the other: the last one is still there. */
static void digest_active(uint64_t *digest, const abut_bp *bp) {
    const uint32_t first = (bp->resting_copies + 63) / 64 * 64, columns = abut_bp_grid_columns(&bp->grid);
    digest_array(digest, bp->active, bp->active_count);
    if (bp->active_copies == 0) {
        return;
    }
    digest_array(digest, bp->active_start, columns + 1);
    digest_array(digest, bp->order + first, bp->active_copies);
    for (uint32_t c = columns; c > 0; c--) {
        const uint32_t n = bp->active_start[c] - bp->active_start[c - 1];
        if (n > 0) {
            digest_copies(digest, bp, first, n);
            break;
        }
    }
}

static void digest_numbers(uint64_t *digest, const abut_bp *bp) {
    const uint64_t numbers[] = {bp->key_end,
                                bp->copy_capacity,
                                bp->resting_copies,
                                bp->active_copies,
                                bp->active_count,
                                bp->resting_count,
                                bp->woken,
                                bp->woken_seen,
                                bp->back_off,
                                bp->quiet_finds,
                                bp->rest_cost,
                                bp->pool_capacity,
                                bp->resting_pairs,
                                bp->active_pairs,
                                bp->tests,
                                abut_bp_bytes(bp),
                                abut_bp_used_bytes(bp, bp->key_end)};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        digest_number(digest, numbers[k]);
    }
}

static void digest_bp(uint64_t *digest, const abut_bp *bp) {
    const abut_bp_pair_list active = abut_bp_active_pairs(bp), resting = abut_bp_resting_pairs(bp);
    digest_numbers(digest, bp);
    digest_bytes(digest, bp->role, bp->key_end);
    digest_grid(digest, &bp->grid);
    digest_resting(digest, bp);
    digest_active(digest, bp);
    digest_array(digest, bp->scratch, bp->storage.keys.capacity);
    digest_array(digest, active.pair, active.count);
    digest_array(digest, resting.pair, resting.count);
}

/* --- lives --- */

enum { KEYS_MOST = 9600 };

typedef struct life {
    abut_bp bp;
    rng r;
    made_family family;
    uint32_t keys;
    bool classes; /* keys have some, and some are apart */
    uint8_t moved[KEYS_MOST];
    abut_workers workers;
} life;

static void wake(life *l, uint32_t key) {
    abut_bp_activate(&l->bp, key, l->bp.role[key] & ABUT_BP_STATIC);
    l->moved[key] = 1;
}

static void add(life *l, uint32_t n) {
    abut_bp *bp = &l->bp;
    n = l->keys + n > KEYS_MOST ? KEYS_MOST - l->keys : n;
    if (l->keys + n > bp->storage.keys.capacity) {
        assert_int_equal(abut_bp_reserve(bp, &plain, l->keys + n), ABUT_OK);
    }
    for (uint32_t end = l->keys + n; l->keys < end; l->keys++) {
        abut_bp_add(bp, l->keys, rng_chance(&l->r, 0.25));
        bp->box[l->keys] = made_box(&l->r, l->family, l->keys);
        l->moved[l->keys] = 1;
        if (l->classes && rng_chance(&l->r, 0.5)) {
            abut_bp_set_class(bp, l->keys, rng_below(&l->r, ABUT_BP_CLASSES));
        }
    }
}

/* A share of the keys goes, moves a little or comes back. */
static void change(life *l, double share) {
    abut_bp *bp = &l->bp;
    for (uint32_t key = 0; key < l->keys; key++) {
        if (!rng_chance(&l->r, share)) {
            continue;
        }
        if (!abut_bp_is_present(bp, key)) {
            abut_bp_add(bp, key, rng_chance(&l->r, 0.25));
            bp->box[key] = made_box(&l->r, l->family, key);
            l->moved[key] = 1;
        } else if (rng_chance(&l->r, 0.1)) {
            abut_bp_remove(bp, key);
        } else {
            wake(l, key);
            bp->box[key] = made_nudged(&l->r, &bp->box[key]);
        }
    }
}

/* Pairs of classes are set apart or together; their keys must become active. */
static void set_apart(life *l) {
    abut_bp *bp = &l->bp;
    const uint32_t a = rng_below(&l->r, ABUT_BP_CLASSES);
    const uint32_t b = rng_below(&l->r, ABUT_BP_CLASSES);
    abut_bp_set_apart(bp, a, b, rng_chance(&l->r, 0.8));
    abut_bp_set_apart(bp, 0, b, rng_chance(&l->r, 0.5));
    for (uint32_t key = 0; key < l->keys; key++) {
        const uint32_t class = abut_bp_class_of(bp, key);
        if (abut_bp_is_present(bp, key) && (class == 0 || class == a || class == b)) {
            wake(l, key);
        }
    }
}

/* A find; a second one where there was too little room for the pairs. */
static void find(life *l, uint64_t *digest) {
    abut_bp *bp = &l->bp;
    size_t pairs = abut_bp_find(bp, l->keys, &l->workers);
    digest_number(digest, pairs);
    if (!abut_bp_has_room(bp, pairs)) {
        digest_numbers(digest, bp);
        assert_int_equal(abut_bp_reserve_pairs(bp, &plain, pairs + pairs / 4), ABUT_OK);
        digest_number(digest, abut_bp_find(bp, l->keys, &l->workers));
    }
    digest_bp(digest, bp);
    abut_bp_put_to_rest(bp, l->moved, 1);
    memset(l->moved, 0, sizeof l->moved);
    digest_bp(digest, bp);
}

static void live(uint64_t *digest, made_family family, uint32_t keys, uint32_t finds, uint32_t workers) {
    static const double shares[] = {0, 0, 0.003, 0, 0.02, 0, 0.2, 0, 0, 0, 0, 0.8};
    life *l = calloc(1, sizeof *l);
    assert_non_null(l);
    schedule s = {.kind = workers > 3 ? SCHEDULE_ASCENDING : SCHEDULE_DESCENDING, .workers = workers};
    l->r = rng_make(11, family);
    l->family = family;
    l->classes = family % 3 == 1;
    if (workers > 0) {
        l->workers.parallel = schedule_parallel(&s);
    }
    add(l, keys);
    for (uint32_t k = 0; k < finds; k++) {
        find(l, digest);
        change(l, shares[rng_below(&l->r, sizeof shares / sizeof *shares)]);
        if (rng_chance(&l->r, 0.15)) {
            add(l, 1 + rng_below(&l->r, rng_chance(&l->r, 0.2) ? keys / 2 : 9));
        }
        if (l->classes && rng_chance(&l->r, 0.3)) {
            set_apart(l);
        }
    }
    abut_bp_release(&l->bp, &plain);
    free(l);
}

static void few_keys(uint64_t *digest) {
    for (int family = 0; family < MADE_FAMILIES; family++) {
        live(digest, (made_family)family, 1 + 7 * (uint32_t)family, 20, 0);
        live(digest, (made_family)family, 120, 30, 0);
    }
}

static void many_keys(uint64_t *digest) {
    for (int family = 0; family < MADE_SAME; family++) {
        live(digest, (made_family)family, 900, 12, 0);
    }
    live(digest, MADE_SPREAD, 3500, 6, 0);
    live(digest, MADE_CITY, 3500, 6, 0);
}

/* On the caller alone, by its first or its last task, whose memory is elsewhere. Of boxes in a line one column has all,
 * which is too large for the memory of one of several. */
static void side_by_side(uint64_t *digest) {
    static const made_family families[] = {MADE_SPREAD, MADE_LINE, MADE_SIZES, MADE_CLUSTERS};
    enum { FAMILIES = sizeof families / sizeof *families };
    for (uint32_t k = 0; k < FAMILIES; k++) {
        live(digest, families[k], k < 2 ? 9400 : 3900, 3, 2 + k);
    }
}

/* --- parts of it --- */

static void grids(uint64_t *digest) {
    static const uint32_t counts[] = {0, 1, 2, 3, 63, 64, 65, 128, 255, 256, 257, 1000, 2047, 2048, 2049, 3999, 9000};
    static abut_bp_box box[KEYS_MOST];
    static uint32_t key[KEYS_MOST];
    for (int family = 0; family < MADE_FAMILIES; family++) {
        rng r = rng_make(12, (uint64_t)family);
        for (uint32_t k = 0; k < KEYS_MOST; k++) {
            box[k] = made_box(&r, (made_family)family, k);
            key[k] = KEYS_MOST - 1 - k;
        }
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            abut_bp_grid grid;
            abut_bp_choose_grid(box, key, counts[k], k % 3 == 0 ? 1 + rng_below(&r, 40) : 100000, &grid);
            digest_grid(digest, &grid);
            while (abut_bp_grid_columns(&grid) > 1) {
                abut_bp_coarsen_grid(&grid);
                digest_grid(digest, &grid);
            }
        }
    }
}

static void digest_groups(uint64_t *digest, const abut_bp *bp) {
    abut_bp_groups groups;
    abut_bp_choose_groups(bp, &groups);
    digest_number(digest, groups.count);
    digest_bytes(digest, groups.of_kind, sizeof groups.of_kind);
    for (uint32_t k = 0; k < groups.count; k++) {
        digest_bytes(digest, groups.relation[k], groups.count);
    }
    digest_number(digest, groups.any_idle);
}

/* Absent, active or resting, static or not, of few or many classes. */
static uint8_t make_role(rng *r, uint32_t classes) {
    static const uint8_t roles[] = {ABUT_BP_ABSENT, ABUT_BP_ACTIVE, ABUT_BP_RESTING, ABUT_BP_ACTIVE | ABUT_BP_STATIC,
                                    ABUT_BP_RESTING | ABUT_BP_STATIC};
    const uint8_t role = roles[rng_below(r, sizeof roles)];
    const uint32_t class = rng_chance(r, 0.5) ? rng_below(r, classes) : 0;
    return role == ABUT_BP_ABSENT ? role : (uint8_t)(role + ABUT_BP_CLASS * class);
}

/* No, some or nearly all pairs of classes are apart. */
static void set_some_apart(rng *r, abut_bp *bp, uint32_t classes, uint32_t pairs) {
    for (uint32_t k = 0; k < pairs; k++) {
        const uint32_t a = rng_below(r, classes);
        const uint32_t b = rng_below(r, classes);
        abut_bp_set_apart(bp, a, b, true);
    }
}

static void roles(uint64_t *digest) {
    enum { MOST = 300, ROUNDS = 400 };
    static uint8_t role[MOST];
    static uint32_t key[MOST];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        rng r = rng_make(13, round);
        abut_bp bp = {.role = role, .key_end = round < 40 ? round : rng_below(&r, MOST)};
        const uint32_t classes = 1 + rng_below(&r, ABUT_BP_CLASSES);
        const uint8_t common = make_role(&r, classes);
        for (uint32_t k = 0; k < bp.key_end; k++) {
            role[k] = round % 5 == 4 || rng_chance(&r, 0.2) ? common : make_role(&r, classes);
        }
        set_some_apart(&r, &bp, classes, round % 4 * 40);
        digest_groups(digest, &bp);
        digest_number(digest, abut_bp_any_static(&bp));
        for (uint8_t bit = ABUT_BP_ACTIVE; bit <= ABUT_BP_STATIC; bit = (uint8_t)(bit * 2)) {
            const uint32_t n = abut_bp_keys_with(&bp, bit, key);
            digest_number(digest, n);
            digest_array(digest, key, n);
        }
    }
}

static int compare(const void *a, const void *b) {
    const abut_bp_pair *p = a, *q = b;
    return p->low != q->low ? (p->low < q->low ? -1 : 1) : (p->high > q->high) - (p->high < q->high);
}

/* At most `count` pairs of near or any keys below `end`, no two of them the same, in any order; returns how many. */
static uint32_t make_pairs(rng *r, uint32_t count, uint32_t end, bool near, abut_bp_pair *pair) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t low = rng_below(r, end - 1), left = end - 1 - low;
        pair[i] = (abut_bp_pair){low, low + 1 + rng_below(r, near && left > 9 ? 9 : left)};
    }
    qsort(pair, count, sizeof *pair, compare);
    for (uint32_t i = 0; i < count; i++) {
        const bool same = n > 0 && compare(&pair[n - 1], &pair[i]) == 0;
        pair[n] = same ? pair[n] : pair[i];
        n += !same;
    }
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t other = rng_below(r, i);
        const abut_bp_pair swap = pair[i - 1];
        pair[i - 1] = pair[other];
        pair[other] = swap;
    }
    return n;
}

/* What the sort leaves in its spare memory shows the way that it took. */
static void sorts(uint64_t *digest) {
    static const uint32_t counts[] = {0, 1, 2, 19, 20, 21, 64, 500, 3000, 30000};
    static const uint32_t ends[] = {2, 30, 150, 300, 1000, 4096, 40000, UINT32_C(1) << 20, UINT32_MAX};
    enum { MOST = 30000, COUNTS = sizeof counts / sizeof *counts, ENDS = sizeof ends / sizeof *ends };
    static abut_bp_pair pair[MOST], spare[MOST];
    for (uint32_t k = 0; k < COUNTS * ENDS * 2; k++) {
        rng r = rng_make(14, k);
        const uint32_t end = ends[k / 2 / COUNTS], n = make_pairs(&r, counts[k / 2 % COUNTS], end, k % 2, pair);
        memset(spare, 0, sizeof spare);
        abut_bp_sort_pairs(pair, spare, n, end);
        digest_array(digest, pair, n);
        digest_array(digest, spare, n);
    }
}

/* Two keys that go into one bucket have many pairs with keys near each other, which come in descending order: insertion
 * gives up. */
static void near_sorts(uint64_t *digest) {
    enum { END = 20000, HIGHS = 1500, COUNT = 4 * END + HIGHS };
    static abut_bp_pair pair[COUNT], spare[COUNT];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t n = 0;
        for (uint32_t i = HIGHS; i > 0; i--) {
            pair[n++] = (abut_bp_pair){i % 2 ? 100 * k + 20 : 1900, 2000 + i / 2};
        }
        for (uint32_t i = 0; n < COUNT; i++) { /* none of them twice, and none of the hub */
            const uint32_t low = 5000 + i % 9000;
            pair[n++] = (abut_bp_pair){low, low + 1 + i / 9000 * 7};
        }
        memset(spare, 0, sizeof spare);
        abut_bp_sort_pairs(pair, spare, n, END);
        digest_array(digest, pair, n);
        digest_array(digest, spare, n);
    }
}

/* --- crowded columns --- */

/* Changes boxes that are in the order of the sweep axis. */
typedef void change_box(abut_bp_box *box, uint32_t i, uint32_t n);

/* A third is long. */
static void lengthen(abut_bp_box *box, uint32_t i, uint32_t n) {
    (void)n;
    box->max[0] += i % 3 == 1 ? 40 : 0;
}

/* Each touches many others along the sweep axis, and hardly any across it: either axis is as good to split along. */
static void flatten(abut_bp_box *box, uint32_t i, uint32_t n) {
    (void)i, (void)n;
    box->max[0] = box->min[0] + 4;
    box->max[1] = box->min[1] + 0x1p-10f;
    box->max[2] = box->min[2] + 0x1p-10f;
}

/* The same of boxes of which some straddle where the column is split. */
static void shorten(abut_bp_box *box, uint32_t i, uint32_t n) {
    (void)i, (void)n;
    box->max[0] = box->min[0] + 4;
}

/* As many pairs of a sample overlap across the axis as just do not, or just do, forbid to take out the long ones: of 32
 * boxes 26 do, or 27. */
static void overlap_just(abut_bp_box *box, uint32_t i, uint32_t n, uint32_t together) {
    const uint32_t sampled = i * 32 / n;
    const float at = sampled < together ? 0 : 10 * (float)sampled;
    box->max[0] = box->min[0] + 40;
    for (int axis = 1; axis < 3; axis++) {
        box->min[axis] = at;
        box->max[axis] = at + 1 + (float)(i % 7);
    }
}

static void overlap_less(abut_bp_box *box, uint32_t i, uint32_t n) {
    overlap_just(box, i, n, 26);
}

static void overlap_more(abut_bp_box *box, uint32_t i, uint32_t n) {
    overlap_just(box, i, n, 27);
}

/* Copies in the order of the sweep axis, and what their spans find, in which order. */
static void sweep_crowd(uint64_t *digest, made_family family, change_box *changed, uint32_t n, size_t room) {
    static abut_bp_pair pair[1 << 18];
    abut_bp bp = {0};
    abut_bp_groups groups;
    rng r = rng_make(15, (uint64_t)family);
    assert_int_equal(abut_bp_reserve(&bp, &plain, n), ABUT_OK);
    for (uint32_t key = 0; key < n; key++) {
        abut_bp_add(&bp, key, key % 4 == 0);
        bp.box[key] = made_box(&r, family, key);
        bp.order[key] = (abut_radix_item){abut_bits_ordered(bp.box[key].min[0]), key};
    }
    abut_radix_sort(bp.order, bp.scratch, n);
    for (uint32_t i = 0; i < n; i++) {
        changed(&bp.box[bp.order[i].value], i, n);
    }
    bp.key_end = n;
    bp.grid = (abut_bp_grid){.axis = 0, .cells = {1, 1}, .low = {{-INFINITY}, {-INFINITY}}};
    bp.grid.low[0][0] = family % 2 ? 0 : -INFINITY;
    abut_bp_choose_groups(&bp, &groups);
    for (int k = 0; k < 3; k++) { /* all at once; as parts; those that may make pairs */
        abut_bp_column column = abut_bp_column_of(&bp, 0);
        abut_bp_sink sink = {.pair = pair, .capacity = room};
        column.ask = k == 2;
        abut_bp_sort_column(&bp, 0, n, 0);
        abut_bp_sweep_column(&bp, &column, (abut_bp_span){k == 1 ? n / 8 : 0, n}, k == 0, &sink);
        digest_number(digest, sink.count);
        digest_number(digest, sink.tests);
        digest_array(digest, pair, sink.count < room ? sink.count : 0);
        digest_copies(digest, &bp, 0, n);
    }
    abut_bp_release(&bp, &plain);
}

static void crowds(uint64_t *digest) {
    static const made_family families[] = {MADE_CROWD, MADE_RODS, MADE_SPREAD, MADE_CITY, MADE_CLUSTERS, MADE_SIZES};
    for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
        sweep_crowd(digest, families[k], lengthen, 511 + (uint32_t)k % 3, (1 << 18) - ABUT_BP_SLACK);
        sweep_crowd(digest, families[k], lengthen, 1200, (1 << 18) - ABUT_BP_SLACK);
        sweep_crowd(digest, families[k], lengthen, 1200, 3000);
        sweep_crowd(digest, families[k], shorten, 1500, (1 << 18) - ABUT_BP_SLACK);
        sweep_crowd(digest, families[k], flatten, 1500, (1 << 18) - ABUT_BP_SLACK);
        sweep_crowd(digest, families[k], overlap_less, 640, (1 << 18) - ABUT_BP_SLACK);
        sweep_crowd(digest, families[k], overlap_more, 640, (1 << 18) - ABUT_BP_SLACK);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"few keys", few_keys, UINT64_C(0x3a02f3a5d0ff4758)},
        {"many keys", many_keys, UINT64_C(0xc2286d5269a6eacd)},
        {"side by side", side_by_side, UINT64_C(0xb24093769cd2ec45)},
        {"grids", grids, UINT64_C(0x9381eeebcb741119)},
        {"roles", roles, UINT64_C(0x7bfaad3880bf9417)},
        {"sorts", sorts, UINT64_C(0x37094e60a53d60be)},
        {"near sorts", near_sorts, UINT64_C(0x3d84bee93f310632)},
        {"crowds", crowds, UINT64_C(0x67dc5b8f27f87cf9)},
    };
    plain = failing_allocator_of(&books);
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
    assert_true(failing_allocator_clean(&books));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
