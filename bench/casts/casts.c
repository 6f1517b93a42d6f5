/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Continuous collision beside other libraries: shapes cast into worlds, single pairs that move and turn, and bodies of
 * a world that move to other poses. */

#include "groups.h"
#include "queries/arena.h"
#include "sweep_pairs.h"

static const float length = 20.0f;

/* The shapes that are cast; all are about a unit wide. */
static void hold_casts(arena *a, bool quick) {
    const size_t many = quick ? 64 : 1024;
    const query_scene *s = &a->scene;
    const abut_shape sphere = abut_sphere(0.5f), box = abut_box(0.4f, 0.5f, 0.6f), capsule = abut_capsule(0.4f, 0.3f);
    arena_hold(a, "sphere, 20 units", QUERY_CAST, query_casts(s, many, sphere, length), AT_REST);
    arena_hold(a, "box, 20 units", QUERY_CAST, query_casts(s, many, box, length), AT_REST);
    arena_hold(a, "capsule, 20 units", QUERY_CAST, query_casts(s, many, capsule, length), AT_REST);
    if (s->world.hull_count > 0) {
        const abut_shape hull = abut_convex(s->hulls[QUERY_HULLS / 2], 0.0f);
        arena_hold(a, "hull of 24, 20 units", QUERY_CAST, query_casts(s, many, hull, length), AT_REST);
    }
    arena_hold(a, "sphere, 2 units", QUERY_CAST, query_casts(s, many, sphere, 0.1f * length), AT_REST);
    arena_hold(a, "all that a sphere meets, 20 units", QUERY_CAST_ALL, query_casts(s, many, sphere, length), AT_REST);
    arena_hold(a, "all that a box meets, 20 units", QUERY_CAST_ALL, query_casts(s, many, box, length), AT_REST);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Few that move fast, and many that move a little. Bullet does not know that others move at the same time, which only
 * matters to few. */
static void hold_sweeps(arena *a) {
    const query_scene *s = &a->scene;
    size_t fast = s->world.count < 10000 ? 8 : least(1000, s->world.count / 100),
           slow = least(10000, s->world.count / 2);
    arena_hold(a, "fast movers, straight", QUERY_SWEEP, query_sweeps(s, fast, length, 0.0f), AT_REST);
    arena_hold(a, "fast movers, turning", QUERY_SWEEP, query_sweeps(s, fast, length, 0.5f), AT_REST);
    arena_hold(a, "slow movers, straight", QUERY_SWEEP, query_sweeps(s, slow, 0.1f, 0.0f), AT_REST);
    arena_hold(a, "slow movers, turning", QUERY_SWEEP, query_sweeps(s, slow, 0.1f, 0.05f), AT_REST);
}

static void hold_world(const arena_setup *setup, bool quick, contest_list *list) {
    arena a;
    arena_create(&a, setup, list);
    hold_casts(&a, quick);
    hold_sweeps(&a);
    arena_destroy(&a);
}

void bench_casts(bool quick, contest_list *list) {
    static const size_t full[] = {10000, 100000}, few[] = {500};
    const size_t sizes = quick ? 1 : 2;
    for (size_t i = 0; i < 2 * sizes; ++i) {
        const arena_setup setup = {.group = "casts",
                                   .first = QUERY_CAST,
                                   .last = QUERY_SWEEP,
                                   .bodies = (quick ? few : full)[i % sizes],
                                   .mixed = i >= sizes,
                                   .rounds = quick ? 3 : 11};
        hold_world(&setup, quick, list);
    }
    sweep_pairs_hold(quick, list);
}
