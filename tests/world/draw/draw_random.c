/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The candidates that debug draw shows, compared with a test of every pair, in worlds of all kinds, at any time; and
 * after a step, with the contacts that it reported. */

#include "draw_log.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1300, MOST_IN_ONE_PLACE = 300 };

/* Where bodies are. */
typedef enum family { SCATTERED, CROWD, ONE_PLACE, MIXED_SIZES, LATTICE, FAMILIES } family;

typedef struct life {
    abut_world *world;
    rng r;
    uint64_t stream;
    unsigned long step;
    family kind;
    double extent;
    float margin;
    bool plain; /* no filters, nothing attached: all pairs of touching bounds may touch */
    abut_hull *hull;
    model_body body[MOST]; /* some of them dead */
    size_t count;
    size_t pairs, most; /* counted */
} life;

static abut_body_def some_body(life *l) {
    rng *r = &l->r;
    abut_body_def def = random_box(r, l->extent);
    if (l->kind == ONE_PLACE) {
        def.pose.position = (abut_vec3){1, 2, 3};
    } else if (l->kind == LATTICE) { /* bounds that touch to the bit */
        def.half = (abut_vec3){0.5f, 0.5f, 0.5f};
        def.pose = pose_at((float)rng_below(r, 9), (float)rng_below(r, 9), (float)rng_below(r, 9));
    } else if (l->kind == MIXED_SIZES) {
        float size = (float)rng_log_range(r, 1e-3, 20);
        def.half = (abut_vec3){def.half.x * size, def.half.y * size, def.half.z * size};
    }
    def.hull = rng_chance(r, 0.2) ? l->hull : NULL;
    def.radius = l->kind != LATTICE && rng_chance(r, 0.2) ? (float)rng_range(r, 0, 0.5) : 0;
    def.box = rng_chance(r, 0.1) ? random_pose(r, 1) : (abut_pose){.rotation = {0, 0, 0, 1}};
    def.motion = rng_chance(r, 0.3) ? ABUT_STATIC : ABUT_MOVING;
    def.detail = rng_chance(r, 0.3) ? (abut_detail)rng_below(r, 3) : ABUT_DETAIL_MANIFOLD;
    if (!l->plain && rng_chance(r, 0.2)) {
        def.filter = (abut_filter){UINT64_C(1) << rng_below(r, 3), 1 + rng_below(r, 7), (int32_t)rng_below(r, 5) - 2};
    }
    return def;
}

static void drop_dead(life *l) {
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++) {
        l->body[n] = l->body[i];
        n += abut_body_is_valid(l->world, l->body[i].id);
    }
    l->count = n;
}

static void add_some(life *l, uint32_t n) {
    for (uint32_t i = 0; i < n && l->count < MOST; i++) {
        abut_body_def def = some_body(l);
        model_body *body = &l->body[l->count];
        body->root = UINT32_MAX;
        if (!l->plain && l->count > 0 && rng_chance(&l->r, 0.1)) {
            const model_body *parent = &l->body[rng_below(&l->r, (uint32_t)l->count)];
            def.parent = parent->id;
            body->root = parent->root;
            def.pose = random_pose(&l->r, 2);
        }
        body->id = add_body(l->world, &def);
        body->root = body->root == UINT32_MAX ? body->id.index1 : body->root;
        body->hull = def.hull;
        body->half = def.half;
        l->count++;
    }
}

static void stir(life *l, uint32_t n) {
    for (uint32_t i = 0; i < n && l->count > 0; i++) {
        const model_body *body = &l->body[rng_below(&l->r, (uint32_t)l->count)];
        abut_body_def def = some_body(l);
        if (body->root != body->id.index1) {
            def.pose = random_pose(&l->r, 2);
        }
        switch (rng_below(&l->r, 10)) {
        case 0:
            assert_int_equal(abut_body_destroy(l->world, body->id), ABUT_OK);
            drop_dead(l);
            break;
        case 1:
            (void)abut_body_set_motion(l->world, body->id, def.motion);
            break;
        case 2:
            assert_int_equal(abut_body_set_filter(l->world, body->id, &def.filter), ABUT_OK);
            break;
        case 3:
            assert_int_equal(abut_body_set_detail(l->world, body->id, def.detail), ABUT_OK);
            break;
        default:
            assert_int_equal(abut_body_set_pose(l->world, body->id, &def.pose), ABUT_OK);
        }
    }
}

/* --- the oracle --- */

static int by_index(const void *a, const void *b) {
    uint32_t x = ((const body_now *)a)->id.index1, y = ((const body_now *)b)->id.index1;
    return (x > y) - (x < y);
}

/* How far apart the bounds are along the axis where they are farthest; negative where they overlap. */
static double gap_of(const abut_aabb *a, const abut_aabb *b) {
    double gap = -1e30;
    for (int k = 0; k < 3; k++) {
        double up = (double)(&b->min.x)[k] - (double)(&a->max.x)[k];
        double down = (double)(&a->min.x)[k] - (double)(&b->max.x)[k];
        gap = up > gap ? up : gap;
        gap = down > gap ? down : gap;
    }
    return gap;
}

/* 1: a candidate, 0: none, -1: it may be, by a rounding of the margin. */
static int verdict(const life *l, const abut_filter *filter, const body_now *a, const body_now *b) {
    const body_now query = {.filter = *filter, .root = UINT32_MAX};
    const body_now plain_a = {.filter = a->filter, .root = 1}, plain_b = {.filter = b->filter, .root = 1};
    if (!may_touch(a, b) || !may_touch(&query, &plain_a) || !may_touch(&query, &plain_b)) {
        return 0;
    }
    int widened = (a->detail == ABUT_DETAIL_MANIFOLD) + (b->detail == ABUT_DETAIL_MANIFOLD);
    double gap = gap_of(&a->bounds, &b->bounds), most = widened * 0.8661 * (double)l->margin;
    if (most == 0) {
        return gap <= 0;
    }
    return gap <= most ? 1 : gap > most + 1e-4 ? 0 : -1;
}

static bool is_pair(const mark *m, const body_now *a, const body_now *b) {
    return abut_body_id_equal(m->item.body, a->id) && abut_body_id_equal(m->item.other, b->id);
}

static bool joins_centres(const mark *m, const body_now *a, const body_now *b) {
    for (int k = 0; k < 3; k++) {
        float from = (float)(((double)(&a->bounds.min.x)[k] + (double)(&a->bounds.max.x)[k]) / 2);
        float to = (float)(((double)(&b->bounds.min.x)[k] + (double)(&b->bounds.max.x)[k]) / 2);
        if ((&m->from.x)[k] != from || (&m->to.x)[k] != to) {
            return false;
        }
    }
    return m->type == MARK_LINE && m->item.kind == ABUT_DRAW_CANDIDATE && m->item.user == a->user &&
           m->item.user_other == b->user;
}

/* Field by field: bytes between fields may be anything. */
static bool is_same_line(const mark *m, const mark *n) {
    return m->type == n->type && m->item.kind == n->item.kind && abut_body_id_equal(m->item.body, n->item.body) &&
           abut_body_id_equal(m->item.other, n->item.other) && m->item.user == n->item.user &&
           m->item.user_other == n->item.user_other && m->item.motion == n->item.motion &&
           bits_equal(&m->from, &n->from, sizeof m->from) && bits_equal(&m->to, &n->to, sizeof m->to);
}

static draw_log draw_candidates(const life *l, const abut_filter *filter) {
    draw_log log = {.count = 0};
    log_draw(l->world, &(abut_draw){.line = any_line, .kinds = CANDIDATES, .filter = filter}, &log);
    return log;
}

/* The lines are the pairs, in order. Returns how many there are. */
static size_t compare(const life *l, const abut_filter *filter, const draw_log *log) {
    const abut_filter everybody = {.category = ~ABUT_MASK_NONE, .mask = UINT64_MAX};
    body_now *body = read_bodies(l->world, l->body, l->count);
    qsort(body, l->count, sizeof *body, by_index);
    size_t at = 0;
    for (size_t i = 0; i < l->count; i++) {
        for (size_t j = i + 1; j < l->count; j++) {
            int expected = verdict(l, filter ? filter : &everybody, &body[i], &body[j]);
            bool drawn = at < log->count && is_pair(&log->mark[at], &body[i], &body[j]);
            check_case(expected < 0 || drawn == expected, "drawn or not", l->stream, l->step);
            check_case(!drawn || joins_centres(&log->mark[at], &body[i], &body[j]), "line", l->stream, l->step);
            at += drawn;
        }
    }
    check_case(at == log->count, "no others", l->stream, l->step);
    free(body);
    return at;
}

static void compare_with_filter(life *l) {
    const abut_filter filter = {.category = 1 + rng_below(&l->r, 7), .mask = 1 + rng_below(&l->r, 7)};
    draw_log log = draw_candidates(l, &filter);
    (void)compare(l, &filter, &log);
    log_free(&log);
}

static void live(life *l, unsigned long steps) {
    for (l->step = 0; l->step < steps; l->step++) {
        size_t before = l->count;
        uint32_t first = l->kind == ONE_PLACE ? MOST_IN_ONE_PLACE : MOST;
        add_some(l, rng_below(&l->r, l->step == 0 ? first : 20));
        stir(l, rng_chance(&l->r, 0.3) ? 0 : rng_chance(&l->r, 0.2) ? (uint32_t)before : rng_below(&l->r, 40));
        draw_log now = draw_candidates(l, NULL);
        size_t pairs = compare(l, NULL, &now);
        abut_step_report report;
        assert_int_equal(abut_world_step(l->world, NULL, &report), ABUT_OK);
        draw_log then = draw_candidates(l, NULL);
        check_case(then.count == now.count, "as many after the step", l->stream, l->step);
        check_case(l->plain ? report.candidates == pairs : report.candidates >= pairs, "as reported", l->stream,
                   l->step);
        for (size_t i = 0; i < then.count; i++) {
            check_case(is_same_line(&then.mark[i], &now.mark[i]), "a line", l->stream, l->step);
        }
        compare_with_filter(l);
        l->pairs += pairs;
        l->most = pairs > l->most ? pairs : l->most;
        log_free(&now);
        log_free(&then);
    }
}

static void candidates_are_drawn_as_every_pair_says(void **state) {
    (void)state;
    static life l;
    size_t pairs = 0, most = 0;
    const abut_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    for (unsigned long i = 0; i < test_count(20); i++) {
        static const double extent[FAMILIES] = {60, 10, 1, 40, 1};
        l = (life){.r = rng_make(test_seed(), i), .stream = i, .kind = (family)(i % FAMILIES)};
        l.plain = rng_chance(&l.r, 0.5);
        l.margin = rng_chance(&l.r, 0.5) ? 0 : 0.25f;
        l.extent = extent[l.kind];
        l.world = make_world(&(abut_world_def){.contact_margin = l.margin});
        assert_int_equal(abut_hull_create(points, 5, NULL, &l.hull), ABUT_OK);
        live(&l, 4);
        pairs += l.pairs;
        most = l.most > most ? l.most : most;
        abut_world_destroy(&l.world);
        abut_hull_destroy(&l.hull);
    }
    printf("%zu pairs, at most %zu at a time\n", pairs, most);
    assert_true(pairs > 1000 || test_count(20) < FAMILIES); /* the first family is a sparse one */
}

/* More pairs with one lower body than are looked for at a time, found in another order than they are drawn in. */
static void a_body_may_have_any_number_of_candidates(void **state) {
    (void)state;
    enum { OTHERS = 2600, STRIDE = 1117 }; /* a prime: every place is taken once */
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.half = {2 * OTHERS, 1, 1}});
    for (uint32_t k = 0; k < OTHERS; k++) {
        (void)add_cube(world, (float)(k * STRIDE % OTHERS), 0, 0, 0.25f);
    }
    draw_log log = {.count = 0};
    log_draw(world, &(abut_draw){.line = any_line, .kinds = CANDIDATES}, &log);
    assert_int_equal(log.count, OTHERS);
    for (uint32_t k = 0; k < OTHERS; k++) {
        const mark *m = &log.mark[k];
        assert_int_equal(m->item.body.index1, 1);
        assert_int_equal(m->item.other.index1, k + 2);
        assert_true(m->to.x == (float)(k * STRIDE % OTHERS));
    }
    log_free(&log);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_drawn_as_every_pair_says),
        cmocka_unit_test(a_body_may_have_any_number_of_candidates),
    };
    return test_run(tests);
}
