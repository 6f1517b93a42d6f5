/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Queries against brute force: while keys rest, move, come and go, with columns and without. */
#include "broadphase/fixture.h"
#include "support/rng.h"
#include <abut/isa.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum family {
    SPREAD,
    CITY,
    LATTICE,
    HUGE_AND_TINY,
    RODS,
    POINTS,
    DECADES,
    COINCIDENT,
    FAR,
    FAMILY_COUNT
} family;

static const char *const names[FAMILY_COUNT] = {"spread",  "city",       "lattice", "huge and tiny", "rods", "points",
                                                "decades", "coincident", "far"};

static void set(double v[3], double x, double y, double z) {
    v[0] = x, v[1] = y, v[2] = z;
}

static void make_box(rng *r, family kind, uint32_t i, abut_bp_box *box) {
    double size = rng_log_range(r, 1e-3, 1e3), center[3], half[3];
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = rng_range(r, -10, 10);
        half[axis] = rng_range(r, 0.2, 1);
    }
    switch (kind) {
    case CITY:
        set(center, rng_range(r, -40, 40), half[1], rng_range(r, -40, 40));
        break;
    case LATTICE:
        set(center, i % 10, i / 10 % 10, (double)(i / 100));
        set(half, 0.5, 0.5, 0.5);
        break;
    case HUGE_AND_TINY:
        size = i % 97 == 7 ? 100 : 0.02;
        set(half, half[0] * size, half[1] * size, half[2] * size);
        break;
    case RODS:
        set(half, i % 2 ? 8 : 0.001, i % 2 ? 0.001 : 8, 0.001);
        break;
    case POINTS:
        set(center, rng_below(r, 5), rng_below(r, 5), rng_below(r, 5));
        set(half, 0, 0, 0);
        break;
    case DECADES:
        set(center, center[0] * size, center[1] * size, center[2] * size);
        set(half, half[0] * size, half[1] * size, half[2] * size);
        break;
    case COINCIDENT:
        set(center, 1, 1, 1);
        set(half, 1, 1, 1);
        break;
    case FAR:
        center[i % 3] += i % 2 ? 9e8 : -9e8;
        set(half, 50, 50, 50);
        break;
    default:
        break;
    }
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = (float)(center[axis] - half[axis]);
        box->max[axis] = (float)(center[axis] + half[axis]);
    }
}

/* A box like one of the fixture's, beside one, a corner of one, around two, or any; maybe infinite along some axes. */
static abut_bp_box random_box(rng *r, const fixture *f, family kind) {
    abut_bp_box box = f->bp.box[rng_below(r, f->capacity)], other = f->bp.box[rng_below(r, f->capacity)];
    uint32_t what = rng_below(r, 5);
    for (int axis = 0; axis < 3; axis++) {
        float width = box.max[axis] - box.min[axis];
        if (what == 0 && axis == 1) { /* it touches, or just does not */
            box.min[axis] = rng_chance(r, 0.5) ? box.max[axis] : nextafterf(box.max[axis], INFINITY);
            box.max[axis] = box.min[axis] + width;
        } else if (what == 1) {
            box.max[axis] = box.min[axis];
        } else if (what == 2) {
            box.min[axis] = fminf(box.min[axis], other.min[axis]);
            box.max[axis] = fmaxf(box.max[axis], other.max[axis]);
        }
    }
    if (what == 3) {
        make_box(r, kind, rng_below(r, f->capacity), &box);
    }
    uint32_t open = rng_chance(r, 0.5) ? rng_below(r, 8) : 0;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = open >> axis & 1 ? -INFINITY : box.min[axis];
        box.max[axis] = open >> axis & 1 ? INFINITY : box.max[axis];
    }
    return box;
}

static bool touches(const abut_bp_box *p, const abut_bp_box *q) {
    bool yes = true;
    for (int axis = 0; axis < 3; axis++) {
        yes = yes && p->min[axis] <= q->max[axis] && q->min[axis] <= p->max[axis];
    }
    return yes;
}

/* The query must report each key of brute force once. Returns how many there are. */
static size_t query_all(const fixture *f, const abut_bp_box *box, uint32_t room) {
    const abut_bp *bp = &f->bp;
    uint32_t *key = malloc(room * sizeof *key);
    uint8_t *reported = calloc(1, f->capacity);
    assert_true(key && reported);
    abut_bp_query query;
    abut_bp_query_begin(bp, box, &query);
    size_t found = 0;
    for (uint32_t n; (n = abut_bp_query_next(bp, &query, key, room)) > 0;) {
        assert_true(n <= room);
        for (uint32_t k = 0; k < n; k++) {
            assert_true(key[k] < bp->key_end);
            assert_int_equal(reported[key[k]]++, 0);
        }
        found += n;
    }
    assert_int_equal(abut_bp_query_next(bp, &query, key, room), 0);
    for (uint32_t k = 0; k < bp->key_end; k++) {
        assert_int_equal(reported[k], f->kind[k] && touches(&bp->box[k], box));
    }
    free(key);
    free(reported);
    return found;
}

static size_t query_some(fixture *f, rng *r, family kind, uint32_t queries) {
    size_t found = 0;
    abut_bp_query_prepare(&f->bp);
    for (uint32_t k = 0; k < queries; k++) {
        abut_bp_box box = random_box(r, f, kind);
        found += query_all(f, &box, ABUT_BP_QUERY_ROOM + rng_below(r, 3) * 100);
    }
    return found;
}

/* How often there were results, resting copies, active copies in columns, and both kinds. */
typedef struct seen {
    size_t found, resting, columns, both;
} seen;

static void note(const abut_bp *bp, seen *s) {
    bool active = bp->active_copies > 0;
    s->resting += bp->resting_copies > 0;
    s->columns += active && !bp->active_ungridded;
    s->both += bp->resting_copies > 0 && active;
}

/* In each frame some keys move, come and go; queries are made before keys are put to rest and after. */
static void live(fixture *f, rng *r, family kind, double share, seen *s) {
    for (uint32_t frame = 0; frame < 12; frame++) {
        for (uint32_t key = 0; key < f->capacity; key++) {
            if (frame == 0 || rng_range(r, 0, 1) < (frame % 5 == 4 ? 1 - share : share)) {
                activate(f, key, frame ? f->kind[key] & ABUT_BP_STATIC : key % 2);
                make_box(r, kind, key, &f->bp.box[key]);
            }
        }
        if (frame % 3 == 1) {
            take_out(f, rng_below(r, f->capacity));
        }
        (void)abut_bp_find(&f->bp, f->capacity);
        s->found += query_some(f, r, kind, 8);
        note(&f->bp, s);
        (void)abut_bp_find(&f->bp, f->capacity);
        end_of_step(f);
        take_out(f, rng_below(r, f->capacity));
        s->found += query_some(f, r, kind, 8);
        note(&f->bp, s);
        if (frame == 9) {
            abut_bp_activate_all(&f->bp);
            s->found += query_some(f, r, kind, 8);
            note(&f->bp, s);
        }
    }
}

static void keys_are_those_of_brute_force(void **state) {
    (void)state;
    const double shares[] = {0, 0.02, 0.3};
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        seen s = {0};
        for (unsigned long round = 0; round < 3 || round < test_count(4); round++) { /* each share once */
            rng r = rng_make(test_seed(), (uint64_t)kind * 10000 + round);
            uint32_t n = 1 + rng_below(&r, round % 4 == 3 ? 1500 : 300);
            fixture f;
            set_up(&f, n, (size_t)n * 3000 + ABUT_BP_SLACK);
            live(&f, &r, (family)kind, shares[round % 3], &s);
            tear_down(&f);
        }
        if (s.found == 0 || s.resting == 0 || s.columns == 0 || s.both == 0) {
            fail_msg("family %s: found %zu, resting %zu, columns %zu, both %zu", names[kind], s.found, s.resting,
                     s.columns, s.both);
        }
    }
}

static void keys_are_the_same_under_every_instruction_set(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            keys_are_those_of_brute_force(state);
        }
    }
}

/* Small boxes rest in many columns; so many large ones move that there is no room for all their copies. */
static void keys_without_columns_are_found(void **state) {
    (void)state;
    enum { N = 3000, LARGE = 400 };
    fixture f;
    rng r = rng_make(test_seed(), 0);
    int ungridded = 0;
    set_up(&f, N, (size_t)N * 1000);
    for (int step = 0; step < 4; step++) {
        for (uint32_t key = 0; key < (step == 0 ? N : LARGE); key++) {
            activate(&f, key, false);
            make_box(&r, SPREAD, key, &f.bp.box[key]);
            for (int axis = 0; axis < 3 && key < LARGE; axis++) {
                f.bp.box[key].min[axis] -= 100;
                f.bp.box[key].max[axis] += (float)key;
            }
        }
        (void)abut_bp_find(&f.bp, f.capacity);
        end_of_step(&f);
        assert_true(query_some(&f, &r, SPREAD, 30) > 0);
        ungridded += f.bp.resting_count > 0 && f.bp.active_ungridded;
    }
    assert_true(ungridded > 0);
    tear_down(&f);
}

/* On the stack, with boxes sorted along an axis or not. */
static void temporary_broad_phases_can_be_queried(void **state) {
    (void)state;
    abut_bp_temporary temporary;
    size_t found = 0;
    for (uint32_t round = 0; round < 60; round++) {
        rng r = rng_make(test_seed(), round);
        uint32_t n = round < 20    ? round
                     : round == 20 ? ABUT_BP_TEMPORARY_MAX
                                   : rng_below(&r, ABUT_BP_TEMPORARY_MAX + 1);
        fixture f = {.capacity = n + 1};
        uint8_t kind[ABUT_BP_TEMPORARY_MAX + 1];
        for (uint32_t key = 0; key < n; key++) {
            make_box(&r, (family)(round % FAMILY_COUNT), key, &temporary.box[key]);
            kind[key] = ABUT_BP_ACTIVE;
        }
        abut_bp_temporary_prepare(&temporary, n, (int)(round % 4) - 1);
        f.bp = temporary.bp;
        f.kind = kind;
        for (int k = 0; k < 20; k++) {
            abut_bp_box box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            if (k > 0) {
                make_box(&r, (family)(round % FAMILY_COUNT), rng_below(&r, n + 1), &box);
            }
            found += query_all(&f, &box, ABUT_BP_QUERY_ROOM);
        }
    }
    assert_true(found > 10000);
}

static void an_empty_broad_phase_has_no_keys(void **state) {
    (void)state;
    fixture f;
    set_up(&f, 8, 1000);
    const abut_bp_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    abut_bp_query_prepare(&f.bp);
    assert_int_equal(query_all(&f, &all, ABUT_BP_QUERY_ROOM), 0);
    (void)abut_bp_find(&f.bp, f.capacity);
    abut_bp_query_prepare(&f.bp);
    assert_int_equal(query_all(&f, &all, ABUT_BP_QUERY_ROOM), 0);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_the_same_under_every_instruction_set),
        cmocka_unit_test(keys_without_columns_are_found),
        cmocka_unit_test(temporary_broad_phases_can_be_queried),
        cmocka_unit_test(an_empty_broad_phase_has_no_keys),
    };
    return test_run(tests);
}
