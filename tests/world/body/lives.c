/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Long-lived worlds of every family: most bodies rest, few wake, many are created and destroyed at once. At every step
 * the contacts are those of brute force and of a fresh world; and a world of fixed capacity needs exactly as many pairs
 * as there are candidates. */

#include "scenes.h"
#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <stdlib.h>

enum { FRAMES = 24 };

/* What a life is; the same plan gives the same life. */
typedef struct plan {
    scene_kind kind;
    uint32_t n;
    abut_detail detail;
    float margin;
    uint64_t stream;
} plan;

/* What happened in a life, by frame. */
typedef struct record {
    size_t candidates[FRAMES], most, contacts, persisted;
    uint64_t hash[FRAMES];
} record;

typedef struct life {
    plan what;
    scene s;
    rng r;
    abut_world *world;
    failing_allocator books;
    abut_body_id *id; /* by index in the scene; {0}: not in the world */
    bool *is_static;
    int frame;
} life;

static void begin(life *l, const plan *what, uint32_t pair_capacity) {
    *l = (life){.what = *what, .r = rng_make(test_seed(), what->stream)};
    assert_true(scene_create(&l->s, what->kind, what->n, rng_u64(&l->r)));
    l->id = calloc(what->n, sizeof *l->id);
    l->is_static = calloc(what->n, sizeof *l->is_static);
    assert_true(l->id && l->is_static);
    l->world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&l->books),
                                            .contact_margin = what->margin,
                                            .fixed_capacity = pair_capacity > 0,
                                            .body_capacity = pair_capacity > 0 ? what->n : 0,
                                            .pair_capacity = pair_capacity});
}

static void end(life *l) {
    abut_world_destroy(&l->world);
    assert_true(failing_allocator_clean(&l->books));
    scene_destroy(&l->s);
    free(l->id);
    free(l->is_static);
}

/* --- what happens --- */

static bool lives(const life *l, uint32_t i) {
    return l->id[i].index1 != 0;
}

static abut_body_def def_of(const life *l, uint32_t i) {
    abut_body_def def = l->s.defs[i];
    def.pose = l->s.poses[i];
    def.detail = l->what.detail;
    def.motion = l->is_static[i] ? ABUT_STATIC : ABUT_MOVING;
    return def;
}

/* Many at once. */
static void bring(life *l, double share) {
    uint32_t n = l->what.n, count = 0;
    abut_body_def *defs = calloc(n, sizeof *defs); /* count may be 0 */
    abut_body_id *ids = malloc(n * sizeof *ids);
    uint32_t *who = malloc(n * sizeof *who);
    assert_true(defs && ids && who);
    for (uint32_t i = 0; i < n; i++) {
        if (!lives(l, i) && rng_chance(&l->r, share)) {
            l->is_static[i] =
                rng_chance(&l->r, l->what.kind % 2 ? 0.3 : 0.9); /* 0.9: nearly all pairs are of two static bodies */
            defs[count] = def_of(l, i);
            who[count++] = i;
        }
    }
    assert_int_equal(abut_bodies_create(l->world, defs, count, ids), ABUT_OK);
    for (uint32_t k = 0; k < count; k++) {
        l->id[who[k]] = ids[k];
    }
    free(defs);
    free(ids);
    free(who);
}

static void take(life *l, double share) {
    for (uint32_t i = 0; i < l->what.n; i++) {
        if (lives(l, i) && rng_chance(&l->r, share)) {
            assert_int_equal(abut_body_destroy(l->world, l->id[i]), ABUT_OK);
            l->id[i] = id_of(0, 0);
        }
    }
}

/* Moves a body a little, or to where another one is, or changes its motion. */
static void wake(life *l, double share) {
    for (uint32_t i = 0; i < l->what.n; i++) {
        if (!lives(l, i) || !rng_chance(&l->r, share)) {
            continue;
        }
        abut_pose *pose = &l->s.poses[i];
        if (rng_chance(&l->r, 0.1)) {
            l->is_static[i] = !l->is_static[i];
            abut_motion motion = l->is_static[i] ? ABUT_STATIC : ABUT_MOVING;
            assert_int_equal(abut_body_set_motion(l->world, l->id[i], motion), ABUT_OK);
        } else if (rng_chance(&l->r, 0.1)) {
            *pose = l->s.poses[rng_below(&l->r, l->what.n)];
        } else {
            pose->position.x += (float)rng_range(&l->r, -0.3, 0.3);
            pose->position.z += (float)rng_range(&l->r, -0.3, 0.3);
        }
        assert_int_equal(abut_body_set_pose(l->world, l->id[i], pose), ABUT_OK);
    }
}

static void move_all(life *l) {
    scene_advance(&l->s);
    wake(l, 1);
}

static void happen(life *l) {
    if (l->frame == 0) {
        bring(l, 0.6);
        return;
    }
    switch (l->frame % 12) {
    case 3:
    case 4:
    case 9:
        wake(l, 0.01);
        break;
    case 5:
        wake(l, 0.3);
        break;
    case 6:
        bring(l, 0.5);
        break;
    case 8:
        take(l, 0.3);
        break;
    case 10:
        move_all(l);
        break;
    case 11:
        take(l, 0.2);
        bring(l, 0.2);
        break;
    default:
        break; /* nothing: bodies may come to rest */
    }
}

/* --- what must be --- */

static size_t list_models(const life *l, model_body *models) {
    size_t count = 0;
    for (uint32_t i = 0; i < l->what.n; i++) {
        if (lives(l, i)) {
            models[count++] = (model_body){l->id[i], l->s.defs[i].half, i, l->s.defs[i].hull, l->s.defs[i].radius};
        }
    }
    return count;
}

static int by_slot(const void *left, const void *right) {
    const model_body *p = left, *q = right;
    return (p->id.index1 > q->id.index1) - (p->id.index1 < q->id.index1);
}

/* A fresh world with the same bodies in the order of their slots: its contacts are the same pairs in the same order. */
static void check_fresh_world(const life *l, model_body *models, size_t n) {
    qsort(models, n, sizeof *models, by_slot);
    abut_world *fresh = make_world(&(abut_world_def){.contact_margin = l->what.margin});
    for (size_t k = 0; k < n; k++) {
        abut_body_def def = def_of(l, models[k].root);
        (void)add_body(fresh, &def);
    }
    (void)step_world(fresh);
    size_t count, fresh_count;
    abut_contact *mine = copy_without_history(l->world, &count), *theirs = copy_without_history(fresh, &fresh_count);
    for (size_t k = 0; k < count && k < fresh_count; k++) {
        theirs[k].a = mine[k].a; /* user data identifies the body */
        theirs[k].b = mine[k].b;
    }
    check_case(count == fresh_count && bits_equal(mine, theirs, count * sizeof *mine), "fresh", l->what.stream,
               (unsigned long)l->frame);
    free(mine);
    free(theirs);
    abut_world_destroy(&fresh);
}

static void check_frame(life *l, const abut_step_report *report, record *out) {
    model_body *models = malloc((l->what.n + 1) * sizeof *models);
    assert_non_null(models);
    size_t n = list_models(l, models);
    body_now *bodies = read_bodies(l->world, models, n);
    pair_list pairs = brute_pairs(bodies, n, l->what.margin);
    check_case(contacts_are(l->world, bodies, &pairs, l->what.margin), scene_name(l->what.kind), l->what.stream,
               (unsigned long)l->frame);
    assert_int_equal(report->contacts, pairs.count);
    assert_int_equal(report->bodies, n);
    out->contacts += pairs.count;
    out->persisted += count_events(l->world, ABUT_PERSIST);
    free_pairs(&pairs);
    free(bodies);
    check_fresh_world(l, models, n);
    free(models);
}

/* --- lives --- */

static record live(const plan *what) {
    life l;
    record out = {.most = 0};
    begin(&l, what, 0);
    for (; l.frame < FRAMES; l.frame++) {
        abut_step_report report;
        happen(&l);
        assert_int_equal(abut_world_step(l.world, NULL, &report), ABUT_OK);
        out.candidates[l.frame] = report.candidates;
        out.most = report.candidates > out.most ? report.candidates : out.most;
        out.hash[l.frame] = abut_world_hash(l.world);
        check_frame(&l, &report, &out);
    }
    assert_int_equal(abut_world_validate(l.world), ABUT_OK);
    end(&l);
    return out;
}

/* The same life in a world with room for exactly that many pairs. */
static void relive(const plan *what, const record *known, size_t pairs) {
    life l;
    bool failed = false;
    begin(&l, what, (uint32_t)pairs);
    size_t calls = l.books.calls;
    for (; l.frame < FRAMES && !failed; l.frame++) {
        happen(&l);
        failed = known->candidates[l.frame] > pairs;
        for (int again = 0; again < 2; again++) {
            picture before = picture_take(l.world);
            abut_result result = abut_world_step(l.world, NULL, NULL);
            check_case(result == (failed ? ABUT_ERROR_CAPACITY : ABUT_OK), abut_result_name(result), what->stream,
                       (unsigned long)l.frame);
            check_case(failed ? picture_matches(&before, l.world) : abut_world_hash(l.world) == known->hash[l.frame],
                       "another world", what->stream, (unsigned long)l.frame);
            picture_free(&before);
        }
    }
    assert_int_equal(l.books.calls, calls);
    assert_true(failed == (pairs < known->most));
    end(&l);
}

static void live_in_every_family(abut_detail detail, float margin, uint64_t stream) {
    record sum = {.most = 0};
    for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
        rng r = rng_make(test_seed(), stream + (uint64_t)kind);
        plan what = {(scene_kind)kind, 300 + rng_below(&r, kind % 4 == 0 ? 1700 : 500), detail, margin,
                     stream + (uint64_t)kind};
        what.n = kind == SCENE_COINCIDENT ? 120 : what.n;
        record known = live(&what);
        assert_true(known.most > 1);
        relive(&what, &known, known.most);
        relive(&what, &known, known.most - 1);
        sum.contacts += known.contacts;
        sum.persisted += known.persisted;
    }
    assert_true(sum.persisted > 10000 && sum.contacts > sum.persisted + 10000);
}

static void bounds_of_every_family_come_rest_and_go(void **state) {
    (void)state;
    live_in_every_family(ABUT_DETAIL_BOUNDS, 0, 0);
}

static void manifolds_of_every_family_come_rest_and_go(void **state) {
    (void)state;
    live_in_every_family(ABUT_DETAIL_MANIFOLD, 0, 100);
}

static void margins_of_every_family_come_rest_and_go(void **state) {
    (void)state;
    live_in_every_family(ABUT_DETAIL_MANIFOLD, 0.125f, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_of_every_family_come_rest_and_go),
        cmocka_unit_test(manifolds_of_every_family_come_rest_and_go),
        cmocka_unit_test(margins_of_every_family_come_rest_and_go),
    };
    return test_run(tests);
}
