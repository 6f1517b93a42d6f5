/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hints make the search for an axis shorter and change no bit of its result, whatever they contain; and every
 * instruction set gives the same result. */

#include "narrowphase/convex/box_as_hull.h"
#include "narrowphase/convex/pairs.h"
#include "narrowphase/kernels.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct found {
    bool contact, touch;
    abut_np_axis axis; /* zero without contact */
} found;

static found find(const abut_np_convex_pair *pair, double margin, const abut_np_hint *given, abut_np_hint *left) {
    const abut_np_convex_kernels *kernels = abut_np_convex_kernels_active();
    found out;
    abut_np_hint first = given ? *given : (abut_np_hint){.facet_plus_one = {0}}, second = first;
    memset(&out, 0, sizeof out);
    abut_np_axis axis = {.kind = ABUT_NP_EDGES};
    out.contact = kernels->find_axis(pair, margin, given ? &first : NULL, &axis);
    out.touch = kernels->touch(pair, given ? &second : NULL);
    if (out.contact) { /* member by member: padding has no defined bytes */
        out.axis.separation = axis.separation;
        out.axis.normal = axis.normal;
        out.axis.kind = axis.kind;
        out.axis.of_a = axis.of_a;
        out.axis.of_b = axis.of_b;
    }
    if (left) {
        *left = first;
    }
    return out;
}

static bool equal(const found *a, const found *b) {
    return a->contact == b->contact && a->touch == b->touch && memcmp(&a->axis.normal, &b->axis.normal, 24) == 0 &&
           memcmp(&a->axis.separation, &b->axis.separation, 8) == 0 && a->axis.kind == b->axis.kind &&
           a->axis.of_a == b->axis.of_a && a->axis.of_b == b->axis.of_b;
}

/* A pair as the kernels take it. */
typedef struct kernel_pair {
    hull_pair made;
    abut_collider collider[2];
    abut_np_box_as_hull box;
    abut_np_convex_pair pair;
    double margin;
} kernel_pair;

static void kernel_pair_make(unsigned long index, kernel_pair *k) {
    rng r = rng_make(test_seed(), index + (UINT64_C(1) << 32));
    hull_pair_make(test_seed(), index, &k->made);
    const abut_hull *a = k->made.hull[0];
    if (a) {
        assert_true(abut_collider_from_hull(a, &k->made.a.pose, &k->collider[0]));
    } else {
        assert_true(abut_collider_from_obb(&k->made.a.box, &k->collider[0]));
        abut_np_box_as_hull_make(k->collider[0].half, &k->box);
        a = &k->box.hull;
    }
    assert_true(abut_collider_from_hull(k->made.hull[1], &k->made.b.pose, &k->collider[1]));
    abut_np_convex_pair_build(&k->collider[0], a, &k->collider[1], k->made.hull[1], &k->pair);
    k->margin = rng_chance(&r, 0.5) ? 0 : k->pair.size * rng_log_range(&r, 1e-9, 1);
}

static uint16_t any_number(rng *r, uint32_t count) {
    switch (rng_below(r, 4)) {
    case 0:
        return (uint16_t)(1 + rng_below(r, count));
    case 1:
        return (uint16_t)rng_below(r, 65536);
    case 2:
        return (uint16_t)(count + rng_below(r, 3));
    default:
        return 0;
    }
}

static abut_np_hint garbage(rng *r, const abut_np_convex_pair *pair) {
    abut_np_hint hint;
    for (int k = 0; k < 2; k++) {
        const abut_hull *own = pair->side[k].own, *other = pair->side[k].other;
        hint.facet_plus_one[k] = any_number(r, own->facet_count);
        hint.edge_plus_one[k] = any_number(r, own->edge_count);
        for (int i = 0; i < ABUT_NP_HINT_VERTICES; i++) {
            hint.vertex_plus_one[k][i] = any_number(r, other->vertex_count);
        }
    }
    return hint;
}

static void check(const kernel_pair *k, unsigned long index, const abut_np_hint *hint, const char *of, found expected) {
    found now = find(&k->pair, k->margin, hint, NULL);
    if (!equal(&now, &expected)) {
        hull_truth truth = hull_truth_of(&k->made.made.a, &k->made.a.pose, &k->made.made.b, &k->made.b.pose);
        fprintf(stderr, "hint: facets %u %u, edges %u %u, vertices %u %u; contact %d %d, touch %d %d, margin %a\n",
                hint->facet_plus_one[0], hint->facet_plus_one[1], hint->edge_plus_one[0], hint->edge_plus_one[1],
                hint->vertex_plus_one[0][0], hint->vertex_plus_one[1][0], expected.contact, now.contact, expected.touch,
                now.touch, k->margin);
        hull_pair_report(index, of, &k->made, &truth);
        fail();
    }
}

/* The most by which a face may lie deeper than the edges that show a gap, or just touch, and still be preferred:
 * 2^-10 of the least positive half extent, and 32 * 2^-24 of the half extents of the smaller hull for each of two
 * preferences (docs/numerics.md, "Hulls"). */
static double most_preferred(const abut_np_convex_pair *pair) {
    double least = INFINITY, small = INFINITY;
    for (int s = 0; s < 2; s++) {
        const float *half = &pair->side[s].own->obb.half.x;
        for (int i = 0; i < 3; i++) {
            least = half[i] > 0 ? fmin(least, (double)half[i]) : least;
        }
        small = fmin(small, (double)half[0] + half[1] + half[2]);
    }
    return 0x1p-10 * least + 2 * (32 * 0x1p-24) * small;
}

/* The separation is that along the normal, from a to b; or 0 where preference left another sign: the normal is then
 * that of a face which shows a little depth, and another axis shows none. */
static bool separation_is_along_normal(const kernel_pair *k, const found *f) {
    hull_placed placed = hull_place(&k->made.made.a, &k->made.a.pose, &k->made.made.b, &k->made.b.pose);
    double n[3], slack = 1e-13 * k->pair.size;
    for (int i = 0; i < 3; i++) {
        const double *m = k->pair.axes_a[i];
        n[i] = m[0] * f->axis.normal.x[0] + m[1] * f->axis.normal.x[1] + m[2] * f->axis.normal.x[2];
    }
    double along = hull_separation(&placed, n), preferred = f->axis.separation == 0 ? most_preferred(&k->pair) : 0;
    return along <= f->axis.separation + slack && along >= f->axis.separation - preferred - slack;
}

static void hints_change_nothing(void **state) {
    (void)state;
    abut_np_hint last = {.facet_plus_one = {0}};
    unsigned long contacts = 0, edges = 0, pairs = test_count(5000);
    for (unsigned long i = 0; i < pairs; i++) {
        kernel_pair k;
        rng r = rng_make(test_seed(), i);
        abut_np_hint own;
        const abut_np_hint none = {.facet_plus_one = {0}};
        kernel_pair_make(i, &k);
        found cold = find(&k.pair, k.margin, NULL, NULL), empty = find(&k.pair, k.margin, &none, &own);
        assert_true(equal(&cold, &empty));
        assert_true(!cold.contact || separation_is_along_normal(&k, &cold));
        check(&k, i, &own, "with the pair's own hint", cold);
        check(&k, i, &last, "with the hint of another pair", cold);
        for (int n = 0; n < 12; n++) {
            abut_np_hint hint = garbage(&r, &k.pair);
            check(&k, i, &hint, "with garbage for a hint", cold);
        }
        k.collider[1].center.x += (float)(1e-3 * k.pair.size); /* and at another position */
        abut_np_convex_pair_build(&k.collider[0], k.pair.side[0].own, &k.collider[1], k.pair.side[1].own, &k.pair);
        cold = find(&k.pair, k.margin, NULL, NULL);
        check(&k, i, &own, "with the hint of another pose", cold);
        contacts += cold.contact;
        edges += cold.contact && cold.axis.kind == ABUT_NP_EDGES;
        last = own;
        hull_pair_release(&k.made);
    }
    printf("%lu pairs, %lu in contact, %lu by edges\n", pairs, contacts, edges);
    assert_true(contacts > pairs / 4 && edges > pairs / 100 && contacts < 9 * pairs / 10);
}

static bool names(const uint16_t *vertex_plus_one, uint16_t vertex) {
    bool named = false;
    for (int i = 0; i < ABUT_NP_HINT_VERTICES; i++) {
        named = named || vertex_plus_one[i] == vertex;
    }
    return named;
}

/* How far the vertex of the other hull lies along a direction of the side's own frame. */
static double height_of(const abut_np_side *side, abut_d3 n, uint32_t vertex) {
    return abut_d3_dot(n, abut_np_point_back(side, abut_np_vertex(side->other, vertex)));
}

/* Whether one of the vertices named lies lowest along a direction, to within rounding. */
static bool names_lowest(const abut_np_side *side, abut_d3 n, const uint16_t *vertex_plus_one, double size) {
    double least = INFINITY, named = INFINITY;
    for (uint32_t v = 0; v < side->other->vertex_count; v++) {
        least = fmin(least, height_of(side, n, v));
    }
    for (int i = 0; i < ABUT_NP_HINT_VERTICES; i++) {
        named = vertex_plus_one[i] ? fmin(named, height_of(side, n, vertex_plus_one[i] - 1U)) : named;
    }
    return named <= least + 1e-12 * size;
}

/* Whether nothing that a search took up is lost, so that what it began with must be there still: the other hull has too
 * many vertices to take up all, and the hint has room left. */
static bool shows_all(const abut_np_side *side, const uint16_t *vertex_plus_one) {
    return side->other->vertex_count > 16 && names(vertex_plus_one, 0);
}

/* A search begins with the vertices that its hint names, and with those that meet its facets; without a hint, with
 * those that are nearest along the axis between the centres. The hint that it leaves names them again. */
static void hints_are_taken_up(void **state) {
    (void)state;
    unsigned long given = 0, met = 0, central = 0;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        kernel_pair k;
        rng r = rng_make(test_seed() + 3, i);
        const abut_np_hint none = {.facet_plus_one = {0}};
        abut_np_hint hint = none, left;
        uint16_t vertex[2];
        abut_d3 normal[2];
        kernel_pair_make(i, &k);
        const int place = (int)rng_below(&r, ABUT_NP_HINT_VERTICES);
        for (int s = 0; s < 2; s++) {
            const abut_np_side *side = &k.pair.side[s];
            const uint32_t last = side->other->vertex_count, facet = rng_below(&r, side->own->facet_count);
            vertex[s] = (uint16_t)(rng_chance(&r, 0.2) ? last : 1 + rng_below(&r, last));
            normal[s] = abut_d3_load(abut_hull_planes(side->own)[facet].n);
            hint.vertex_plus_one[s][place] = vertex[s];
            hint.facet_plus_one[s] = (uint16_t)(facet + 1);
        }
        (void)find(&k.pair, k.margin, &hint, &left);
        bool served = memcmp(&left, &hint, sizeof hint) == 0; /* it showed a gap, and was kept as it was */
        for (int s = 0; s < 2 && !served; s++) {
            const abut_np_side *side = &k.pair.side[s];
            if (shows_all(side, left.vertex_plus_one[s])) {
                assert_true(names(left.vertex_plus_one[s], vertex[s]));
                assert_true(names_lowest(side, normal[s], left.vertex_plus_one[s], k.pair.size));
                given++;
            }
        }
        (void)find(&k.pair, k.margin, &none, &left);
        bool by_centers = memcmp(&left, &none, sizeof none) == 0;
        for (int s = 0; s < 2 && !by_centers; s++) {
            const abut_np_side *side = &k.pair.side[s];
            const abut_d3 to = abut_np_point_back(side, abut_d3_from(side->other->centroid));
            if (shows_all(side, left.vertex_plus_one[s])) {
                const abut_d3 n = abut_d3_sub(to, abut_d3_from(side->own->centroid));
                assert_true(names_lowest(side, n, left.vertex_plus_one[s], k.pair.size * k.pair.size));
                central++;
            }
        }
        met += !served;
        hull_pair_release(&k.made);
    }
    printf("%lu hints, %lu sides that show theirs, %lu that show the axis between the centres\n", met, given, central);
    assert_true(given > 0 && central > 0);
}

/* Two cubes, corner to corner: only the axis between their centres shows the gap, or that it is over the margin. It is
 * measured first without a hint, and last with one. */
static void gaps_between_corners_are_seen_with_any_hint(void **state) {
    (void)state;
    static const struct {
        float along_each_axis;
        double margin;
        bool contact;
    } given[] = {{0, 0, true}, {0x1.6p-45f, 0, false}, {0.0577f, 0.1, true}, {0.0578f, 0.1, false}};
    abut_hull *hull[2];
    for (int side = 0; side < 2; side++) {
        abut_vec3 corner[8];
        float end = side ? 2 : -2;
        for (int i = 0; i < 8; i++) {
            corner[i] = (abut_vec3){i & 1 ? end : 0, i & 2 ? end : 0, i & 4 ? end : 0};
        }
        assert_int_equal(abut_hull_create(corner, 8, NULL, &hull[side]), ABUT_OK);
    }
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        float x = given[i].along_each_axis;
        abut_collider a, b;
        abut_np_convex_pair pair;
        assert_true(abut_collider_from_hull(hull[0], &(abut_pose){{0, 0, 0}, {0, 0, 0, 1}}, &a));
        assert_true(abut_collider_from_hull(hull[1], &(abut_pose){{x, x, x}, {0, 0, 0, 1}}, &b));
        abut_np_convex_pair_build(&a, hull[0], &b, hull[1], &pair);
        const abut_np_hint hint = {.vertex_plus_one = {{1}, {1}}};
        found cold = find(&pair, given[i].margin, NULL, NULL), warm = find(&pair, given[i].margin, &hint, NULL);
        assert_int_equal(cold.contact, given[i].contact);
        assert_int_equal(cold.touch, x == 0);
        assert_true(equal(&warm, &cold));
    }
    abut_hull_destroy(&hull[0]);
    abut_hull_destroy(&hull[1]);
}

static void instruction_sets_agree(void **state) {
    (void)state;
    abut_isa before = abut_isa_active();
    unsigned long sets = 0;
    for (unsigned long i = 0; i < test_count(4000); i++) {
        kernel_pair k;
        kernel_pair_make(i, &k);
        abut_manifold m[2];
        memset(m, 0, sizeof m);
        assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
        found expected = find(&k.pair, k.margin, NULL, NULL);
        bool contact = hull_body_collide(&k.made.a, &k.made.b, (float)k.margin, &m[0]);
        for (int isa = ABUT_ISA_SSE2; isa <= ABUT_ISA_WASM; isa++) {
            if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
                continue;
            }
            sets |= 1UL << isa;
            found now = find(&k.pair, k.margin, NULL, NULL);
            memset(&m[1], 0, sizeof m[1]);
            bool also = hull_body_collide(&k.made.a, &k.made.b, (float)k.margin, &m[1]);
            if (!equal(&now, &expected) || also != contact || memcmp(&m[0], &m[1], sizeof m[0]) != 0) {
                fail_msg("pair %lu of seed 0x%llx: %s answers otherwise than portable", i,
                         (unsigned long long)test_seed(), abut_isa_name((abut_isa)isa));
            }
        }
        hull_pair_release(&k.made);
    }
    assert_int_equal(abut_isa_select(before), ABUT_OK);
    printf("instruction sets beside portable: %lx\n", sets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_change_nothing),
        cmocka_unit_test(hints_are_taken_up),
        cmocka_unit_test(gaps_between_corners_are_seen_with_any_hint),
        cmocka_unit_test(instruction_sets_agree),
    };
    return test_run(tests);
}
