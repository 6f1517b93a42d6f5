/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Walks of the tree with a slant, under every instruction set: entries of which a point lies in the walk's box and
 * within all reaches are found, once; others only if they touch the box, and few of those. */
#include "base/spatial.h"
#include "broadphase/tree/home.h"
#include "support/quad.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

typedef struct question {
    abut_bp_box box;
    abut_slant slant;
} question;

static size_t walk(const home *h, const question *q, const abut_slant *slant, bool found[HOME_MOST]) {
    uint32_t key[24];
    size_t total = 0;
    abut_bp_walk walk;
    memset(found, 0, HOME_MOST * sizeof *found);
    abut_bp_walk_begin(&h->bp.tree, &walk);
    for (uint32_t n; (n = abut_bp_walk_box(&h->bp.tree, &q->box, slant, &walk, key, 24)) > 0; total += n) {
        for (uint32_t k = 0; k < n; k++) {
            assert_true(key[k] < h->keys && h->present[key[k]] && !found[key[k]]);
            found[key[k]] = true;
        }
    }
    return total;
}

/* Around two entries or around none, with directions that are turned by any angle, and reaches of any size. */
static question random_question(rng *r, const home *h) {
    question q = {.box = h->box[rng_below(r, h->keys)]};
    const abut_bp_box other = h->box[rng_below(r, h->keys)];
    const abut_quat turn = rng_rotation(r);
    double m[3][3], extents = 0;
    for (int axis = 0; axis < 3; axis++) {
        q.box.min[axis] = fminf(q.box.min[axis], other.min[axis]);
        q.box.max[axis] = fmaxf(q.box.max[axis], other.max[axis]);
        q.slant.center[axis] = q.box.min[axis] + (q.box.max[axis] - q.box.min[axis]) * (float)rng_range(r, 0.3, 0.7);
        extents += (double)q.box.max[axis] - q.box.min[axis];
    }
    abut_dquat_matrix(abut_dquat_from(turn), m);
    for (int k = 0; k < 3; k++) {
        double reach = rng_chance(r, 0.2) ? 0 : extents * rng_log_range(r, 1e-6, 1);
        q.slant.reach[k] = (float)(2 * reach + 0x1p-16 * extents + 0x1p-120);
        for (int axis = 0; axis < 3; axis++) {
            q.slant.axis[k][axis] = (float)m[axis][k];
        }
    }
    return q;
}

/* Whether a point is within all reaches, less what rounding may take. */
static bool is_within(const question *q, const quad point[3]) {
    quad extents = 0;
    bool yes = true;
    for (int axis = 0; axis < 3; axis++) {
        extents += (quad)q->box.max[axis] - q->box.min[axis];
    }
    for (int k = 0; k < 3; k++) {
        quad way = 0;
        for (int axis = 0; axis < 3; axis++) {
            way += q->slant.axis[k][axis] * (point[axis] - q->slant.center[axis]);
        }
        way = way < 0 ? -way : way;
        yes = yes && 2 * way <= q->slant.reach[k] - extents * 0x1p-16 - 0x1p-120;
    }
    return yes;
}

/* A point of an entry and of the walk's box: any, or as near to a point within the reaches as there is one in both.
 * False: there is none. */
static bool point_in_both(rng *r, const question *q, const abut_bp_box *entry, quad point[3]) {
    quad inside[3];
    bool any = rng_chance(r, 0.3);
    for (int axis = 0; axis < 3; axis++) {
        inside[axis] = q->slant.center[axis];
    }
    for (int k = 0; k < 3; k++) {
        quad along = q->slant.reach[k] / 2 * rng_range(r, -1, 1);
        for (int axis = 0; axis < 3; axis++) {
            inside[axis] += along * q->slant.axis[k][axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        quad low = fmaxf(entry->min[axis], q->box.min[axis]), high = fminf(entry->max[axis], q->box.max[axis]);
        if (low > high) {
            return false;
        }
        point[axis] = any ? low + (high - low) * rng_unit(r) : inside[axis];
        point[axis] = point[axis] < low ? low : point[axis] > high ? high : point[axis];
    }
    return true;
}

static void check(rng *r, const home *h, const question *q, const bool *found, const bool *touching) {
    for (uint32_t key = 0; key < h->keys; key++) {
        quad point[3] = {0};
        assert_true(touching[key] || !found[key]);
        for (int k = 0; k < 6 && touching[key] && !found[key]; k++) {
            assert_true(point_in_both(r, q, &h->box[key], point));
            assert_false(is_within(q, point));
        }
    }
}

static void what_a_slant_holds_is_found(void **state) {
    (void)state;
    static bool touching[HOME_MOST], found[HOME_MOST], other[HOME_MOST];
    const abut_isa best = abut_isa_active();
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        size_t touched = 0, met = 0;
        for (unsigned long round = 0; round < 6 || round < test_count(30); round++) {
            rng r = rng_make(test_seed(), (uint64_t)kind * 10000 + round);
            home *h = home_make((family)kind);
            home_add(h, &r, 1 + rng_below(&r, 1000));
            home_update(h);
            for (int k = 0; k < 30; k++) {
                const question q = random_question(&r, h);
                touched += walk(h, &q, NULL, touching);
                met += walk(h, &q, &q.slant, found);
                check(&r, h, &q, found, touching);
                for (int isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; isa++) {
                    if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
                        (void)walk(h, &q, &q.slant, other);
                        assert_memory_equal(other, found, sizeof found);
                    }
                }
                assert_int_equal(abut_isa_select(best), ABUT_OK);
            }
            home_release(h);
        }
        bool one_place = kind == COINCIDENT || kind == DENORMAL;
        assert_true(one_place || met * 2 < touched);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_slant_holds_is_found)};
    return test_run(tests);
}
