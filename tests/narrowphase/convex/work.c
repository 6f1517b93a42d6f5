/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How much work a search for an axis does. Hints, samples, marks and lists change no answer, so only the work shows
 * whether they serve. The portable kernel is compiled here with counters in front of some of what it calls; it counts
 * the same on every machine, and that is pinned. */
#include "base/isa.h"
#include "base/lanes/lanes.h"
#include "narrowphase/convex/kernels.h"
#include "narrowphase/convex/made_pairs.h"
#include "narrowphase/convex/pair.h"
#include "narrowphase/kernels.h"
#include "narrowphase/tolerance.h"
#include "support/digest.h"
#include "support/test.h"
#include <math.h>

static struct { uint32_t vertices, heights, products, roots, turns, edges, indices, nearest; } work;

static abut_vd load_floats_counted(const float *p) {
    work.vertices++;
    return abut_vd_load_floats(p);
}

static abut_vf sub_counted(abut_vf a, abut_vf b) {
    work.heights++;
    return abut_vf_sub(a, b);
}

static double dot_counted(abut_d3 a, abut_d3 b) {
    work.products++;
    return abut_d3_dot(a, b);
}

static abut_d3 turned_counted(const abut_np_side *side, abut_d3 d) {
    work.turns++;
    return abut_np_turned(side, d);
}

static const abut_hull_edge *edges_counted(const abut_hull *hull) {
    work.edges++;
    return abut_hull_edges(hull);
}

static const uint16_t *indices_counted(const abut_hull *hull, uint32_t at) {
    work.indices++;
    return abut_hull_indices(hull, at);
}

static const float *plane_floats_counted(const abut_hull *hull, int k) {
    work.indices++;
    return abut_hull_plane_floats(hull, k);
}

static double sqrt_counted(double x) {
    work.roots++;
    return sqrt(x);
}

static bool nearest_counted(const abut_np_cores *cores, double limit, abut_np_nearest *out) {
    work.nearest++;
    return abut_np_distance_kernels_active()->nearest(cores, limit, out);
}

static const abut_np_distance_kernels counted_abut_np_distance_kernels = {.nearest = nearest_counted};

#define abut_vd_load_floats load_floats_counted
#define abut_vf_sub sub_counted
#define abut_d3_dot dot_counted
#define abut_np_turned turned_counted
#define abut_hull_edges edges_counted
#define abut_hull_indices indices_counted
#define abut_hull_plane_floats plane_floats_counted
#define sqrt sqrt_counted
#undef ABUT_KERNEL
#define ABUT_KERNEL(name) counted_##name

#include "narrowphase/convex/axis.c"

static void digest_work(uint64_t *digest) {
    digest_number(digest, work.vertices);
    digest_number(digest, work.heights);
    digest_number(digest, work.products);
    digest_number(digest, work.roots);
    digest_number(digest, work.turns);
    digest_number(digest, work.edges);
    digest_number(digest, work.indices);
    digest_number(digest, work.nearest);
    memset(&work, 0, sizeof work);
}

static void find_counted(const abut_np_convex_pair *pair, double margin, abut_np_hint *hint, uint64_t *digest) {
    abut_np_axis axis;
    digest_number(digest, find_axis(pair, margin, hint, &axis));
    digest_work(digest);
}

static void touch_counted(const abut_np_convex_pair *pair, abut_np_hint *hint, uint64_t *digest) {
    digest_number(digest, touch(pair, hint));
    digest_work(digest);
}

/* Without a hint, with what is left by the search before, and with any. */
static void search_counted(rng *r, const wild_pair *from, uint64_t *digest) {
    made_pair p;
    abut_np_hint hint = {{0}, {0}, {{0}}}, other = made_hint(r);
    const abut_np_convex_pair *pair = &p.ordered.pair;
    made_pair_place(from, &p);
    memset(&work, 0, sizeof work);
    touch_counted(pair, NULL, digest);
    touch_counted(pair, &hint, digest);
    touch_counted(pair, &hint, digest);
    find_counted(pair, 0, NULL, digest);
    find_counted(pair, 0, &hint, digest);
    find_counted(pair, from->size / 8, &hint, digest);
    find_counted(pair, 0, &other, digest);
    other = made_hint(r);
    touch_counted(pair, &other, digest);
}

static made_hulls hulls;

static void of_pairs(uint64_t *digest) {
    rng r = rng_make(12, 1);
    for (int k = 0; k < 4000; k++) {
        const wild_pair from = made_pair_of(&r, &hulls);
        search_counted(&r, &from, digest);
    }
}

static void of_large_hulls(uint64_t *digest) {
    rng r = rng_make(12, 2);
    for (uint32_t k = 0; k < 12; k++) {
        const wild_pair from = made_pair_of_large(&r, &hulls, k);
        search_counted(&r, &from, digest);
    }
}

/* The second shape moves a little at a time, and the hint stays. */
static void of_walks(uint64_t *digest) {
    rng r = rng_make(12, 3);
    for (int k = 0; k < 150; k++) {
        wild_pair from = made_pair_of(&r, &hulls);
        abut_np_hint hint = {{0}, {0}, {{0}}};
        for (int step = 0; step < 8; step++) {
            made_pair p;
            made_pair_place(&from, &p);
            memset(&work, 0, sizeof work);
            if (step % 2) {
                touch_counted(&p.ordered.pair, &hint, digest);
            } else {
                find_counted(&p.ordered.pair, step % 4 ? 0 : 0.25, &hint, digest);
            }
            from.pose_b.position.x += (float)(from.size / 64);
            from.pose_b.rotation.y += 0x1p-6f;
        }
    }
}

static void searches_do_no_more_work_than_they_did(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"work of pairs", of_pairs, UINT64_C(0x896f99fe8cc08187)},
        {"work of large hulls", of_large_hulls, UINT64_C(0xf2727fd745fcae2f)},
        {"work of walks", of_walks, UINT64_C(0x18098142c327a468)},
    };
    made_hulls_create(&hulls);
    const bool hold = digest_pins_hold_portably(pins, sizeof pins / sizeof *pins);
    made_hulls_destroy(&hulls);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(searches_do_no_more_work_than_they_did)};
    return test_run(tests);
}
