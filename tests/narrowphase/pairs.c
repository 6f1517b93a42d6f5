/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Many pairs of mixed shapes: each gets the result of that pair alone, bit for bit, in its own place. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <string.h>

enum { POINTS = 12, HULLS = 5, BODIES = 60, MOST = 700 };

typedef struct scene {
    abut_hull *hull[HULLS];
    abut_collider collider[BODIES];
    uint32_t a[MOST], b[MOST];
    abut_np_hint hint[MOST], *hint_of[MOST];
    size_t n;
} scene;

static void make_hulls(rng *r, scene *s) {
    for (int i = 0; i < HULLS; i++) {
        abut_vec3 point[POINTS];
        for (int k = 0; k < POINTS; k++) {
            point[k] = rng_direction(r);
        }
        assert_int_equal(abut_hull_create(point, POINTS, NULL, &s->hull[i]), ABUT_OK);
    }
}

/* Between blocks of boxes alone and blocks of hulls alone, of any length. */
static void make_pairs(rng *r, scene *s) {
    double boxes = rng_below(r, 5) / 4.0;
    for (int i = 0; i < BODIES; i++) {
        const abut_hull *hull = rng_chance(r, boxes) ? NULL : s->hull[rng_below(r, HULLS)];
        s->collider[i] = abut_collider_unplaced(NULL, hull, rng_vec3(r, 0.2, 1), 0);
        s->collider[i].center = rng_vec3(r, -1.5, 1.5);
        s->collider[i].rotation = rng_rotation(r);
    }
    s->n = rng_below(r, MOST + 1);
    for (size_t k = 0; k < s->n; k++) {
        s->a[k] = rng_below(r, BODIES);
        s->b[k] = (s->a[k] + 1 + rng_below(r, BODIES - 1)) % BODIES;
        s->hint[k] = (abut_np_hint){{0}, {0}, {{0}}};
        s->hint_of[k] = rng_chance(r, 0.5) ? &s->hint[k] : NULL;
    }
}

static void mixed_pairs_are_resolved_as_each_alone(void **state) {
    (void)state;
    static scene s;
    static abut_manifold manifold[MOST];
    size_t hits = 0, misses = 0;
    rng r = rng_make(test_seed(), 0);
    make_hulls(&r, &s);
    for (unsigned long i = 0; i < test_count(60); i++) {
        uint8_t hit[MOST + 1], overlap[MOST + 1];
        size_t convex = 0, counted = 0;
        float margin = rng_chance(&r, 0.5) ? 0 : 0.1f;
        make_pairs(&r, &s);
        abut_np_pairs pairs = {.collider = s.collider, .other = s.collider, .a = s.a, .b = s.b, .n = s.n};
        hit[s.n] = overlap[s.n] = 77;
        abut_np_overlap_many(&pairs, overlap);
        pairs.hint = s.hint_of;
        pairs.second_stage = &counted;
        abut_np_collide_many(&pairs, margin, manifold, hit);
        assert_true(hit[s.n] == 77 && overlap[s.n] == 77);
        for (size_t k = 0; k < s.n; k++) {
            const abut_collider *a = &s.collider[s.a[k]], *b = &s.collider[s.b[k]];
            abut_manifold alone;
            assert_int_equal(overlap[k], abut_np_overlap(a, b));
            assert_int_equal(hit[k], abut_np_collide(a, b, margin, &alone));
            assert_true(!hit[k] || memcmp(&alone, &manifold[k], sizeof alone) == 0);
            convex += abut_np_uses_hint(a, b);
            hits += hit[k];
            misses += !hit[k];
        }
        assert_true(counted >= convex);
    }
    assert_true(hits > 100 && misses > 100);
    for (int i = 0; i < HULLS; i++) {
        abut_hull_destroy(&s.hull[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_pairs_are_resolved_as_each_alone),
    };
    return test_run(tests);
}
