/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Many pairs of all convex shapes, mixed or alike: each gets the result of that pair alone, bit for bit, in its own
 * place. And what a margin adds to sharp shapes, where it is known. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
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
    if (rng_chance(r, 0.3)) { /* some share their centres, or touch exactly */
        out.center = (abut_vec3){roundf(out.center.x), roundf(out.center.y), roundf(out.center.z)};
        out.rotation = rng_chance(r, 0.5) ? (abut_quat){0, 0, 0, 1} : out.rotation;
        out.radius = out.radius > 0 ? 0.5f : 0;
    }
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

static abut_collider placed(const abut_hull *hull, abut_vec3 half, abut_vec3 center) {
    abut_collider out = abut_collider_unplaced(NULL, hull, half, 0);
    out.center = center;
    out.rotation = (abut_quat){0, 0, 0, 1};
    return out;
}

/* Two cubes, face over face at exactly the margin: all four corners are within it. As boxes and as hulls, in all six
 * directions. */
static void corners_at_the_margin_count(void **state) {
    (void)state;
    const abut_vec3 half = {1, 1, 1}, none = {0, 0, 0};
    abut_vec3 corner[8];
    abut_hull *cube = NULL;
    abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, corner);
    assert_int_equal(abut_hull_create(corner, 8, NULL, &cube), ABUT_OK);
    for (int k = 0; k < 24; k++) {
        abut_vec3 at = none;
        *(&at.x + k % 3) = k & 1 ? -2.5f : 2.5f;
        const abut_hull *first = k / 6 & 1 ? cube : NULL, *second = k / 12 ? cube : NULL;
        const abut_collider a = placed(first, first ? none : half, none), b = placed(second, second ? none : half, at);
        abut_manifold m;
        assert_true(abut_np_collide(&a, &b, 0.5f, &m));
        assert_int_equal(m.count, 4);
        for (uint32_t i = 0; i < m.count; i++) {
            assert_true(m.points[i].separation == 0.5f);
        }
        assert_false(abut_np_collide(&a, &b, 0x1.fffffep-2f, &m));
    }
    abut_hull_destroy(&cube);
}

/* A point beside each corner, edge and face of a box, within the margin: the ids tell those apart, and stay when the
 * point moves a little. */
static void features_across_a_gap_differ(void **state) {
    (void)state;
    const abut_collider box = placed(NULL, (abut_vec3){1, 2, 3}, (abut_vec3){0, 0, 0});
    uint32_t feature[27];
    for (int k = 0; k < 27; k++) {
        if (k == 13) { /* the middle */
            continue;
        }
        const float x = (float)(k % 3 - 1), y = (float)(k / 3 % 3 - 1), z = (float)(k / 9 - 1);
        for (int i = 0; i < 2; i++) {
            const float far = 1.25f + 0.0625f * (float)i;
            const abut_vec3 at = {far * x + 0.01f * (float)i, 2 * far * y - 0.01f * (float)i, 3 * far * z};
            const abut_collider point = placed(NULL, (abut_vec3){0, 0, 0}, at);
            abut_manifold m;
            assert_true(abut_np_collide(&box, &point, 2, &m) && m.count == 1);
            assert_true(i == 0 || m.points[0].feature == feature[k]);
            feature[k] = m.points[0].feature;
        }
        for (int i = 0; i < k; i++) {
            assert_true(i == 13 || feature[i] != feature[k]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_pairs_are_resolved_as_each_alone),
        cmocka_unit_test(corners_at_the_margin_count),
        cmocka_unit_test(features_across_a_gap_differ),
    };
    return test_run(tests);
}
