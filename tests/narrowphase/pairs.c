/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Many pairs of all convex shapes, mixed or alike: each gets the result of that pair alone, bit for bit, in its own
 * place. */

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

static abut_collider made_collider(rng *r, const scene *s, uint32_t type) {
    bool has_hull = type == ABUT_SHAPE_HULL || type == ABUT_SHAPE_ROUND_HULL;
    const abut_hull *hull = has_hull ? s->hull[rng_below(r, HULLS)] : NULL;
    abut_vec3 half = rng_vec3(r, 0.2, 1);
    if (type == ABUT_SHAPE_SPHERE || type == ABUT_SHAPE_CAPSULE) {
        half = (abut_vec3){type == ABUT_SHAPE_SPHERE ? 0 : half.x, 0, 0};
    }
    float radius = type == ABUT_SHAPE_BOX || type == ABUT_SHAPE_HULL ? 0 : (float)rng_range(r, 0.1, 0.5);
    abut_collider out = abut_collider_unplaced(NULL, hull, half, radius);
    assert_int_equal(out.type, type);
    out.center = rng_vec3(r, -1.5, 1.5);
    out.rotation = rng_rotation(r);
    return out;
}

/* Between blocks of boxes alone and blocks without them, of any length. Body k has type k % ABUT_SHAPE_CONVEX_TYPES
 * unless it is one of the boxes. Of pairs that are alike the first bodies have one type and the second ones another:
 * they fill whole blocks. */
static void make_pairs(rng *r, scene *s, bool alike) {
    enum { TYPES = ABUT_SHAPE_CONVEX_TYPES };
    double boxes = alike ? 0 : rng_below(r, 5) / 4.0;
    uint32_t first = rng_below(r, TYPES), second = rng_below(r, TYPES);
    for (uint32_t i = 0; i < BODIES; i++) {
        s->collider[i] = made_collider(r, s, rng_chance(r, boxes) ? ABUT_SHAPE_BOX : i % TYPES);
    }
    s->n = alike ? MOST : rng_below(r, MOST + 1);
    for (size_t k = 0; k < s->n; k++) {
        s->a[k] = rng_below(r, BODIES);
        s->b[k] = (s->a[k] + 1 + rng_below(r, BODIES - 1)) % BODIES;
        s->a[k] = alike ? s->a[k] / TYPES * TYPES + first : s->a[k];
        s->b[k] = alike ? s->b[k] / TYPES * TYPES + second : s->b[k];
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
        make_pairs(&r, &s, i % 2 != 0);
        abut_np_pairs pairs = {.collider = s.collider, .other = s.collider, .a = s.a, .b = s.b, .n = s.n};
        memset(hit, 77, sizeof hit);
        memset(overlap, 77, sizeof overlap);
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
