/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Placements against every body one by one: worlds of all kinds, with bodies that rest, move, come and go, asked at any
 * time. */

#include "narrowphase/narrowphase.h"
#include "world/body/body.h"
#include "world/world_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 700, HULLS = 12, BATCH = 24, IGNORED = 40 };

typedef enum family { CITY, LATTICE, TILTED, CROWD, FAR_AWAY, MIXED_SIZES, FAMILY_COUNT } family;

typedef struct scene {
    abut_world *world;
    family kind;
    int ground[2], up;
    rng r;
    abut_hull *hull[HULLS];
    abut_body_id id[2 * MOST]; /* some of them dead */
    size_t count;
    size_t blocked, free, ignored; /* counted */
} scene;

/* --- brute force --- */

static bool ignores(const abut_world *world, const abut_placement_rules *rules, abut_body_id id) {
    uint32_t slot;
    for (size_t i = 0; i < rules->ignore_count; i++) {
        if (abut_w_slot(world, rules->ignore[i], &slot) == ABUT_OK &&
            abut_w_root_of(world, slot) == abut_w_root_of(world, id.index1 - 1)) {
            return true;
        }
    }
    return false;
}

static bool counts(const abut_world *world, abut_body_id id, const abut_placement_rules *rules) {
    abut_filter f, q = rules->filter;
    assert_int_equal(abut_body_get_filter(world, id, &f), ABUT_OK);
    if (q.group != 0 && q.group == f.group) {
        return q.group > 0 && !ignores(world, rules, id);
    }
    uint64_t category = q.category ? q.category : ~ABUT_MASK_NONE, mask = q.mask ? q.mask : UINT64_MAX;
    return (category & f.mask) && (f.category & mask) && !ignores(world, rules, id);
}

static abut_placement brute_force(const scene *s, const abut_obb2 *candidate, const abut_placement_rules *rules) {
    abut_placement p = {.free = true};
    abut_body_id id[2 * MOST];
    abut_np_footprint footprint;
    size_t n = abut_world_bodies(s->world, id, 2 * MOST);
    assert_true(n <= 2 * MOST);
    assert_true(abut_np_footprint_of(candidate, rules->clearance, rules->touch, s->ground, &footprint));
    for (size_t i = 0; i < n; i++) { /* ascending by index */
        const abut_collider *collider = &s->world->collider[id[i].index1 - 1];
        if (abut_np_footprint_meets(&footprint, collider) && counts(s->world, id[i], rules)) {
            p.first_blocker = p.free ? id[i] : p.first_blocker;
            p.push = p.free ? abut_np_footprint_translation(&footprint, collider) : p.push;
            p.free = false;
            p.blocker_count++;
        }
    }
    return p;
}

static bool same(const abut_placement *a, const abut_placement *b) {
    return a->free == b->free && a->blocker_count == b->blocker_count &&
           abut_body_id_equal(a->first_blocker, b->first_blocker) && bits_equal(&a->push, &b->push, sizeof a->push);
}

/* --- scenes --- */

static double size_of_scene(family kind) {
    return kind == CITY || kind == MIXED_SIZES ? 60 : kind == FAR_AWAY ? 500 : 12;
}

static abut_body_def random_def(scene *s) {
    rng *r = &s->r;
    double size = size_of_scene(s->kind);
    abut_body_def def = random_box(r, size);
    float *at = &def.pose.position.x;
    if (s->kind == CITY || s->kind == LATTICE) { /* upright, turned or not */
        double angle = s->kind == CITY && rng_chance(r, 0.7) ? rng_range(r, 0, 3) : 0;
        float *q = &def.pose.rotation.x;
        def.pose.rotation = (abut_quat){0, 0, 0, (float)cos(angle)};
        q[s->up] = (float)sin(angle);
        at[s->up] = 0.5f;
    }
    if (s->kind == LATTICE) {
        def.half = (abut_vec3){0.5f, 0.5f, 0.5f};
        at[s->ground[0]] = (float)rng_below(r, 12);
        at[s->ground[1]] = (float)rng_below(r, 12);
    } else if (s->kind == FAR_AWAY) {
        at[s->ground[0]] += 9e8f;
        def.half = (abut_vec3){60, 70, 80};
    } else if (s->kind == MIXED_SIZES) {
        float scale = (float)rng_log_range(r, 1e-3, 40);
        def.half = (abut_vec3){def.half.x * scale, def.half.y * scale, def.half.z * scale};
    } else if (s->kind != CITY && rng_chance(r, 0.3)) {
        def.hull = s->hull[rng_below(r, HULLS)];
    } else if (rng_chance(r, 0.2)) {
        def.box = random_pose(r, 1);
    }
    if (rng_chance(r, 0.3)) {
        def.radius = s->kind == LATTICE ? (float)rng_below(r, 2) : (float)rng_log_range(r, 1e-3, 2);
        def.half = rng_chance(r, 0.5) ? (abut_vec3){0, rng_chance(r, 0.5) ? 0 : def.half.y, 0} : def.half;
    }
    def.motion = rng_chance(r, 0.5) ? ABUT_STATIC : ABUT_MOVING;
    def.detail = (abut_detail)rng_below(r, 3);
    if (rng_chance(r, 0.2)) {
        def.filter = (abut_filter){UINT64_C(1) << rng_below(r, 4), 15 & rng_u64(r), (int32_t)rng_below(r, 5) - 2};
    }
    return def;
}

static abut_body_id any_body(scene *s) {
    return s->id[rng_below(&s->r, (uint32_t)s->count)];
}

static void add_some(scene *s, size_t n) {
    for (size_t i = 0; i < n && s->count < 2 * MOST; i++) {
        abut_body_def def = random_def(s);
        if (s->count > 0 && rng_chance(&s->r, 0.15)) {
            abut_body_id parent = any_body(s);
            if (abut_body_is_valid(s->world, parent)) {
                def.parent = parent;
                def.pose = random_pose(&s->r, 2);
            }
        }
        if (abut_body_create(s->world, &def, &s->id[s->count]) == ABUT_OK) {
            s->count++;
        }
    }
}

static void make_hulls(scene *s) {
    for (int i = 0; i < HULLS; i++) {
        abut_vec3 points[16];
        for (int k = 0; k < 16; k++) {
            points[k] = rng_vec3(&s->r, -1, 1);
        }
        assert_int_equal(abut_hull_create(points, 16, NULL, &s->hull[i]), ABUT_OK);
    }
}

static void begin(scene *s, family kind, uint64_t stream) {
    *s = (scene){.kind = kind, .r = rng_make(test_seed(), stream)};
    s->up = (int)rng_below(&s->r, 3);
    s->ground[0] = s->up == 0 ? 1 : 0;
    s->ground[1] = s->up == 2 ? 1 : 2;
    abut_world_def def = {.contact_margin = rng_chance(&s->r, 0.5) ? 0.3f : 0};
    (&def.up.x)[s->up] = (float)rng_log_range(&s->r, 1e-3, 1e3) * rng_sign(&s->r);
    if (rng_chance(&s->r, 0.2)) { /* some steps fail */
        def.fixed_capacity = true;
        def.body_capacity = 2 * MOST;
        def.pair_capacity = 600;
    }
    s->world = make_world(&def);
    make_hulls(s);
}

static void end(scene *s) {
    abut_world_destroy(&s->world);
    for (int i = 0; i < HULLS; i++) {
        abut_hull_destroy(&s->hull[i]);
    }
}

static void move_share(scene *s, double share) {
    for (size_t i = 0; i < s->count; i++) {
        if (rng_chance(&s->r, share) && abut_body_is_valid(s->world, s->id[i])) {
            abut_body_def def = random_def(s);
            abut_result result = abut_body_set_pose(s->world, s->id[i], &def.pose);
            assert_true(result == ABUT_OK || result == ABUT_ERROR_LIMIT);
        }
    }
}

/* One thing that may happen to a world. */
static void stir(scene *s) {
    abut_body_id id = any_body(s);
    abut_body_def def = random_def(s);
    switch (rng_below(&s->r, 9)) {
    case 0:
        (void)abut_body_destroy(s->world, id);
        break;
    case 1:
        add_some(s, 1);
        break;
    case 2:
        add_some(s, rng_below(&s->r, 100));
        break;
    case 3:
        move_share(s, rng_chance(&s->r, 0.3) ? 1 : 0.03);
        break;
    case 4:
        (void)abut_body_set_filter(s->world, id, &def.filter);
        break;
    case 5:
        (void)abut_body_set_motion(s->world, id, def.motion);
        (void)abut_body_set_detail(s->world, id, def.detail);
        break;
    default: /* after several steps bodies rest */
        for (uint32_t i = rng_below(&s->r, 4); i > 0; i--) {
            abut_result result = abut_world_step(s->world, NULL, NULL);
            assert_true(result == ABUT_OK || result == ABUT_ERROR_CAPACITY);
            move_share(s, i > 1 ? 0.01 : 0);
        }
        break;
    }
}

/* --- queries --- */

static abut_obb2 random_candidate(scene *s) {
    rng *r = &s->r;
    double size = size_of_scene(s->kind);
    abut_obb2 c = {{(float)rng_range(r, -size, size), (float)rng_range(r, -size, size)},
                   {(float)rng_range(r, -1, 1), (float)rng_range(r, -1, 1)},
                   {(float)rng_log_range(r, 0.01, 2), (float)rng_log_range(r, 0.01, 2)}};
    abut_body_id id = any_body(s);
    if (abut_body_is_valid(s->world, id) && rng_chance(r, 0.7)) {
        const float *at = &s->world->collider[id.index1 - 1].center.x;
        c.center = (abut_vec2){at[s->ground[0]], at[s->ground[1]]};
        c.center.x += rng_chance(r, 0.5) ? (float)rng_range(r, -2, 2) : (float)rng_below(r, 3);
    }
    if (s->kind == LATTICE && rng_chance(r, 0.8)) {
        c.center = (abut_vec2){(float)rng_below(r, 13), (float)rng_below(r, 13)};
        c.axis = (abut_vec2){(float)rng_below(r, 2), 0};
        c.half = (abut_vec2){0.5f, 0.5f};
    }
    if (rng_chance(r, 0.1)) {
        c.half.x = 0;
    } else if (rng_chance(r, 0.05)) {
        c.half.y = (float)rng_log_range(r, 1, 1e9);
    }
    return c;
}

static abut_placement_rules random_rules(scene *s, abut_body_id ignored[IGNORED]) {
    rng *r = &s->r;
    abut_placement_rules rules = {.touch = rng_chance(r, 0.5) ? ABUT_TOUCH_IS_FREE : ABUT_TOUCH_IS_OVERLAP};
    rules.clearance = rng_chance(r, 0.3) ? (float)rng_range(r, 0, 1) : 0;
    if (rng_chance(r, 0.4)) {
        rules.filter = (abut_filter){15 & rng_u64(r), 15 & rng_u64(r), (int32_t)rng_below(r, 5) - 2};
    }
    if (rng_chance(r, 0.4)) {
        rules.ignore = ignored;
        for (uint32_t i = rng_below(r, IGNORED); i > 0; i--) {
            ignored[rules.ignore_count++] = any_body(s); /* living or not */
        }
    }
    return rules;
}

/* A batch gives the answers of brute force; so do the same candidates in another order, and one by one. */
static void ask(scene *s) {
    abut_obb2 candidate[BATCH], turned[BATCH];
    abut_placement out[BATCH], other[BATCH];
    abut_body_id ignored[IGNORED];
    const abut_placement_rules rules = random_rules(s, ignored);
    for (size_t k = 0; k < BATCH; k++) {
        candidate[k] = turned[BATCH - 1 - k] = random_candidate(s);
    }
    assert_int_equal(abut_world_test_placements(s->world, candidate, BATCH, &rules, out), ABUT_OK);
    assert_int_equal(abut_world_test_placements(s->world, turned, BATCH, &rules, other), ABUT_OK);
    for (size_t k = 0; k < BATCH; k++) {
        abut_placement expected = brute_force(s, &candidate[k], &rules), alone;
        if (!same(&out[k], &expected)) {
            printf("%zu blockers, first %u; expected %zu, first %u\n", out[k].blocker_count,
                   out[k].first_blocker.index1, expected.blocker_count, expected.first_blocker.index1);
        }
        assert_true(same(&out[k], &expected));
        assert_true(same(&other[BATCH - 1 - k], &expected));
        if (k % 8 == 0) {
            assert_int_equal(abut_world_test_placements(s->world, &candidate[k], 1, &rules, &alone), ABUT_OK);
            assert_true(same(&alone, &expected));
        }
        s->free += expected.free;
        s->blocked += !expected.free;
        s->ignored += !expected.free && rules.ignore_count > 0;
    }
}

static void placements_are_those_of_brute_force(void **state) {
    (void)state;
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        size_t blocked = 0, free = 0, ignored = 0;
        for (unsigned long round = 0; round < test_count(5); round++) {
            scene s;
            begin(&s, (family)kind, (uint64_t)kind * 1000 + round);
            add_some(&s, 1 + rng_below(&s.r, MOST));
            ask(&s); /* before any step */
            for (int i = 0; i < 40; i++) {
                stir(&s);
                ask(&s);
            }
            blocked += s.blocked;
            free += s.free;
            ignored += s.ignored;
            end(&s);
        }
        assert_true(blocked > 0 && free > 0 && ignored > 0);
    }
}

/* More candidates than one batch holds, while most bodies are dirty. */
static void large_batches_are_those_of_single_questions(void **state) {
    (void)state;
    enum { N = 2500 };
    static abut_obb2 candidate[N];
    static abut_placement out[N];
    size_t clear = 0;
    for (int moved = 0; moved < 3; moved++) {
        scene s;
        begin(&s, CITY, 77 + (uint64_t)moved);
        add_some(&s, MOST);
        (void)abut_world_step(s.world, NULL, NULL);
        move_share(&s, moved * 0.5);
        for (size_t k = 0; k < N; k++) {
            candidate[k] = random_candidate(&s);
        }
        assert_int_equal(abut_world_test_placements(s.world, candidate, N, NULL, out), ABUT_OK);
        for (size_t k = 0; k < N; k++) {
            abut_placement alone;
            assert_int_equal(abut_world_test_placements(s.world, &candidate[k], 1, NULL, &alone), ABUT_OK);
            assert_true(same(&alone, &out[k]));
            clear += out[k].free;
        }
        end(&s);
    }
    assert_true(clear > N / 2 && clear < 3 * N - N / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placements_are_those_of_brute_force),
        cmocka_unit_test(large_batches_are_those_of_single_questions),
    };
    return test_run(tests);
}
