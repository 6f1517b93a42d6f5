/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: the axis that a search finds, by which features, and the hint that it leaves, whatever the
 * hint that it gets; boxes as hulls; faces that are clipped; and points. Other tests judge depths and gaps, for which
 * many axes and features are right. */
#include "narrowphase/convex/clip.h"
#include "narrowphase/convex/convex.h"
#include "narrowphase/convex/made_pairs.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/convex/ordered.h"
#include "narrowphase/kernels.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include <abut/hull.h>
#include <math.h>
#include <stdlib.h>

enum { PAIRS = 2500 };

static made_hulls hulls;

/* Which of several features that decide a pair a hint names depends on how many are looked at at once, so hints are
 * pinned for the portable instruction set alone. */
static bool with_hints;

static void digest_hint(uint64_t *digest, const abut_np_hint *hint) {
    for (int i = 0; with_hints && i < 2; i++) {
        digest_number(digest, hint->facet_plus_one[i]);
        digest_number(digest, hint->edge_plus_one[i]);
        for (int k = 0; k < ABUT_NP_HINT_VERTICES; k++) {
            digest_number(digest, hint->vertex_plus_one[i][k]);
        }
    }
}

static void digest_axis(uint64_t *digest, const abut_np_axis *axis) {
    digest_double(digest, axis->separation);
    digest_d3(digest, axis->normal);
    digest_number(digest, axis->kind);
    digest_number(digest, axis->of_a);
    digest_number(digest, axis->of_b);
}

static void digest_points(uint64_t *digest, const abut_np_points *points) {
    digest_d3(digest, points->normal);
    digest_number(digest, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        digest_d3(digest, points->point[i].position);
        digest_double(digest, points->point[i].separation);
        digest_number(digest, points->point[i].feature);
    }
}

static void find(const abut_np_convex_pair *pair, double margin, abut_np_hint *hint, uint64_t *digest) {
    abut_np_axis axis = {.separation = 1};
    digest_number(digest, abut_np_convex_kernels_active()->find_axis(pair, margin, hint, &axis));
    digest_axis(digest, &axis);
    if (hint) {
        digest_hint(digest, hint);
    }
}

/* Without a hint, with one that knows nothing, with what that leaves, with any; and a yes or no before and after. */
static void search(rng *r, const abut_np_convex_pair *pair, double size, uint64_t *digest) {
    const abut_np_convex_kernels *kernels = abut_np_convex_kernels_active();
    abut_np_hint hint = {{0}, {0}, {{0}}}, other = made_hint(r);
    digest_number(digest, kernels->touch(pair, NULL));
    digest_number(digest, kernels->touch(pair, &hint));
    digest_hint(digest, &hint);
    find(pair, 0, NULL, digest);
    find(pair, 0, &hint, digest);
    find(pair, size / 8, &hint, digest);
    find(pair, 0, &hint, digest);
    digest_number(digest, kernels->touch(pair, &hint));
    digest_hint(digest, &hint);
    digest_number(digest, kernels->touch(pair, &other));
    digest_hint(digest, &other);
    other = made_hint(r);
    find(pair, rng_chance(r, 0.5) ? 0 : size, &other, digest);
}

static void searches(uint64_t *digest) {
    rng r = rng_make(3, 1);
    for (int k = 0; k < PAIRS; k++) {
        made_pair p;
        const wild_pair from = made_pair_of(&r, &hulls);
        made_pair_place(&from, &p);
        search(&r, &p.ordered.pair, from.size, digest);
    }
}

/* One that keeps its hint while the second shape moves a little at a time. */
static void walks(uint64_t *digest) {
    rng r = rng_make(3, 2);
    for (int k = 0; k < PAIRS / 10; k++) {
        wild_pair from = made_pair_of(&r, &hulls);
        abut_np_hint hint = {{0}, {0}, {{0}}};
        for (int step = 0; step < 10; step++) {
            made_pair p;
            abut_manifold m = {0};
            made_pair_place(&from, &p);
            digest_number(digest, abut_np_convex_overlap(&p.a, &p.b, &hint));
            digest_hint(digest, &hint);
            digest_number(digest, abut_np_convex_collide(&p.a, &p.b, step % 2 ? 0 : 0.25f, &hint, &m));
            digest_hint(digest, &hint);
            digest_words(digest, &m, sizeof m);
            from.pose_b.position.x += (float)(from.size / 64);
            from.pose_b.rotation.y += 0x1p-6f;
        }
    }
}

/* Hulls with more facets than are searched at a time. */
static void of_large_hulls(uint64_t *digest) {
    rng r = rng_make(3, 3);
    for (uint32_t k = 0; k < 4; k++) {
        made_pair p;
        const wild_pair from = made_pair_of_large(&r, &hulls, k);
        made_pair_place(&from, &p);
        search(&r, &p.ordered.pair, from.size, digest);
    }
}

static void digest_pair(uint64_t *digest, const abut_np_ordered_pair *o) {
    digest_number(digest, o->swapped);
    digest_doubles(digest, &o->pair.axes_a[0][0], 9);
    digest_double(digest, o->pair.size);
    for (int i = 0; i < 2; i++) {
        digest_doubles(digest, &o->pair.side[i].turn[0][0], 9);
        digest_d3(digest, o->pair.side[i].origin);
    }
}

static void digest_box_as_hull(uint64_t *digest, const abut_np_box_as_hull *box) {
    digest_words(digest, box->coordinate, sizeof box->coordinate);
    digest_words(digest, box->plane_floats, sizeof box->plane_floats);
    for (int f = 0; f < 6; f++) {
        digest_doubles(digest, box->plane[f].n, 3);
        digest_double(digest, box->plane[f].w);
        digest_double(digest, box->faces[f].plane.w);
        digest_number(digest, box->faces[f].first);
        digest_number(digest, box->faces[f].count);
        digest_number(digest, box->face_of[f]);
        digest_number(digest, box->facet_edges_first[f + 1]);
    }
    for (int k = 0; k < 9; k++) {
        digest_number(digest, box->vertex_edges_first[k]);
    }
    const uint32_t counts[] = {box->hull.vertex_count,   box->hull.facet_count,     box->hull.edge_count,
                               box->hull.face_count,     box->hull.face_edge_count, box->hull.loop_count,
                               box->facet_edges_first[0]};
    digest_words(digest, counts, sizeof counts);
    for (int k = 0; k < 24; k++) {
        digest_number(digest, box->loop[k]);
        digest_number(digest, box->sides[k]);
        digest_number(digest, box->facet_edges[k]);
        digest_number(digest, box->vertex_edges[k]);
        digest_number(digest, box->edges[k / 2].v[k % 2]);
        digest_number(digest, box->edges[k / 2].f[k % 2]);
    }
    digest_words(digest, &box->hull.radius, sizeof box->hull.radius);
    digest_vec3(digest, box->hull.obb.half);
    digest_number(digest, abut_np_box_as_hull_is_flat(&box->hull));
}

/* At all places of a grid, whose ends and middles are exact. */
static void features_of_box(const abut_hull *hull, uint64_t *digest) {
    const abut_vec3 half = hull->obb.half;
    for (int k = 0; k < 125; k++) {
        const abut_d3 p = {{(k % 5 - 2) * (double)half.x / 2, (k / 5 % 5 - 2) * (double)half.y / 2,
                            (k / 25 - 2) * (double)half.z / 2}};
        const int flat = (half.x == 0) + (half.y == 0) + (half.z == 0);
        const bool inside = k % 5 % 4 != 0 && k / 5 % 5 % 4 != 0 && k / 25 % 4 != 0;
        for (int n = 0; n < 3 && (flat > 0 || !inside); n++) {
            const double near = n * 0.25 * (double)fmaxf(half.x, half.y);
            digest_number(digest, flat > 0 ? abut_np_box_as_hull_feature_at(hull, p, near) : 0);
        }
    }
}

static void boxes(uint64_t *digest) {
    rng r = rng_make(3, 4);
    for (int k = 0; k < 200; k++) {
        const abut_shape shape = k % 2 ? lattice_box(&r) : (abut_shape){.half = wild_half(&r, wild_size(&r, -60, 60))};
        abut_np_box_as_hull box;
        abut_np_box_as_hull_make(shape.half, &box);
        digest_box_as_hull(digest, &box);
        features_of_box(&box.hull, digest);
    }
}

static void digest_overlay(uint64_t *digest, const abut_np_overlay *o) {
    digest_number(digest, o->count);
    for (uint32_t i = 0; i < o->count; i++) {
        digest_d3(digest, o->point[i]);
        digest_number(digest, o->on_reference[i]);
        digest_number(digest, o->on_incident[i]);
    }
}

/* Any face by any other: that of deeper corners, of plates, with more corners than are used. */
static void clips(uint64_t *digest) {
    rng r = rng_make(3, 5);
    for (int k = 0; k < 4 * PAIRS; k++) {
        made_pair p;
        abut_np_overlay o;
        const wild_pair from = made_pair_of(&r, &hulls);
        made_pair_place(&from, &p);
        const abut_np_side *side = &p.ordered.pair.side[k % 2];
        const uint32_t reference = rng_below(&r, side->own->face_count),
                       incident = rng_below(&r, side->other->face_count);
        const abut_hull_polygon *face = &abut_hull_faces(side->other)[incident];
        const uint32_t deepest =
            abut_hull_indices(side->other, side->other->loop)[face->first + rng_below(&r, face->count)];
        const abut_np_plane_frame frame = abut_np_face_frame(side->own, reference);
        digest_d3(digest, frame.origin);
        for (int i = 0; i < 3; i++) {
            digest_d3(digest, frame.axis[i]);
        }
        abut_np_convex_clip(side, reference, incident, deepest, k % 3 ? 0x1p-20 * from.size : 0, &frame, &o);
        digest_overlay(digest, &o);
    }
}

/* Points along the axis that was found, and along one whose depth does not count. */
static void points(uint64_t *digest) {
    rng r = rng_make(3, 6);
    for (int k = 0; k < 3 * PAIRS; k++) {
        made_pair p;
        abut_np_axis axis;
        abut_np_points found = {.count = 0};
        const wild_pair from = made_pair_of(&r, &hulls);
        const double margin = k % 4 ? 0 : from.size / 4;
        made_pair_place(&from, &p);
        const abut_collider *const *c = p.ordered.collider;
        digest_pair(digest, &p.ordered);
        if (!abut_np_convex_kernels_active()->find_axis(&p.ordered.pair, margin, NULL, &axis)) {
            continue;
        }
        abut_np_convex_points(&p.ordered.pair, c[0], c[1], margin, &axis, &found);
        digest_points(digest, &found);
        if (axis.kind != ABUT_NP_EDGES) {
            axis.separation = -INFINITY;
            abut_np_convex_points(&p.ordered.pair, c[0], c[1], from.size, &axis, &found);
            digest_points(digest, &found);
        }
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"searches", searches, UINT64_C(0x0881d3abea11ff52)},
        {"walks", walks, UINT64_C(0x0f0cd9a8f9215875)},
        {"large hulls", of_large_hulls, UINT64_C(0x96e577b7d482488d)},
        {"boxes", boxes, UINT64_C(0x66d27dd40946ac9b)},
        {"clips", clips, UINT64_C(0x69beb05d9a31292e)},
        {"points", points, UINT64_C(0x30c153c57d3f5091)},
    };
    with_hints = false;
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

static void portable_searches_leave_the_same_hints(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"hints of searches", searches, UINT64_C(0xe61b5d12f756f22b)},
        {"hints of walks", walks, UINT64_C(0x811293a09a35a3e2)},
        {"hints of large hulls", of_large_hulls, UINT64_C(0xef13425e7a0a5a60)},
    };
    with_hints = true;
    assert_true(digest_pins_hold_portably(pins, sizeof pins / sizeof *pins));
}

static int create(void **state) {
    (void)state;
    made_hulls_create(&hulls);
    return 0;
}

static int destroy(void **state) {
    (void)state;
    made_hulls_destroy(&hulls);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_have_the_same_bits_everywhere),
        cmocka_unit_test(portable_searches_leave_the_same_hints),
    };
    test_begin();
    return cmocka_run_group_tests(tests, create, destroy);
}
