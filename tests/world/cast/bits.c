/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what fixed casts and sweeps meet in every scene, as numbers that each compiler, optimisation
 * level and instruction set must find. A deliberate change of what a hit is changes them; the failure prints the new
 * ones. */
#include "scenes.h"
#include "world/world_test.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 200, CASTS = 150, FRAMES = 3 };

typedef struct numbers {
    uint64_t casts, sweeps;
} numbers;

static const numbers pinned = {UINT64_C(0x17a176c18ce206fb), UINT64_C(0xc0f1816e8d387712)};

/* FNV-1a over 32-bit words, which are numbers and so the same on machines of either byte order. */
static uint64_t mix(uint64_t hash, const void *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, sizeof word);
        hash = (hash ^ word) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t mix_hits(uint64_t hash, const abut_hit *hits, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint32_t bodies[2] = {hits[i].body.index1, hits[i].mover.index1};
        hash = mix(hash, bodies, 2);
        hash = mix(hash, &hits[i].fraction, 1);
        hash = mix(hash, &hits[i].position, 3);
        hash = mix(hash, &hits[i].normal, 3);
    }
    return hash;
}

/* --- fixed questions: nothing but + - * / and sqrt makes them --- */

static abut_pose fixed_pose(rng *r, abut_vec3 low, abut_vec3 high) {
    const abut_vec3 q = rng_vec3(r, -1, 1);
    return (abut_pose){.position = {(float)rng_range(r, (double)low.x, (double)high.x),
                                    (float)rng_range(r, (double)low.y, (double)high.y),
                                    (float)rng_range(r, (double)low.z, (double)high.z)},
                       .rotation = {q.x, q.y, q.z, 0.5f}};
}

/* Points, spheres, capsules, boxes, rounded boxes, hulls with and without a radius. */
static abut_shape fixed_shape(rng *r, const scene *s, size_t k) {
    abut_shape shape = {.half = rng_vec3(r, 0.05, 1)};
    if (k % 6 < 3) {
        shape.half = k % 6 < 2 ? (abut_vec3){0, 0, 0} : (abut_vec3){0, 0, shape.half.z};
    }
    if (k % 6 == 5) {
        shape.hull = s->hulls[rng_below(r, (uint32_t)s->hull_count)];
    }
    if (k % 6 == 1 || k % 6 == 2 || k % 6 == 4 || k % 12 == 5) {
        shape.radius = 0.25f;
    }
    return shape;
}

static uint64_t mix_casts(uint64_t hash, const abut_world *world, const scene *s, const scene *hulls) {
    static abut_cast casts[CASTS];
    static abut_hit hits[CASTS], list[8];
    rng r = rng_make(1, (uint64_t)s->kind);
    for (size_t k = 0; k < CASTS; k++) {
        const abut_pose to = fixed_pose(&r, s->low, s->high);
        casts[k] = (abut_cast){.shape = fixed_shape(&r, hulls, k), .from = fixed_pose(&r, s->low, s->high)};
        const abut_vec3 from = casts[k].from.position;
        const float times = k % 5 ? 1 : 50;
        casts[k].translation = (abut_vec3){(to.position.x - from.x) * times, (to.position.y - from.y) * times,
                                           (to.position.z - from.z) * times};
    }
    for (int initial = ABUT_INITIAL_CLOSING; initial <= ABUT_INITIAL_SKIP; initial++) {
        const abut_query query = {.initial = (abut_initial)initial};
        assert_int_equal(abut_world_cast_shapes(world, casts, CASTS, &query, hits), ABUT_OK);
        hash = mix_hits(hash, hits, CASTS);
        for (size_t k = 0; k < CASTS; k += 15) {
            const size_t n = abut_world_shape_hits(world, &casts[k], &query, list, 8);
            hash = mix_hits(hash ^ n, list, n < 8 ? n : 8);
        }
    }
    return hash;
}

static uint64_t mix_sweeps(uint64_t hash, abut_world *world, const abut_body_id *ids, const scene *s) {
    static abut_pose targets[BODIES];
    static abut_hit hits[BODIES];
    rng r = rng_make(2, (uint64_t)s->kind);
    assert_true(s->mover_count <= BODIES);
    for (size_t k = 0; k < s->mover_count; k++) {
        targets[k] = k % 4 ? s->poses[k] : fixed_pose(&r, s->low, s->high);
    }
    for (int initial = ABUT_INITIAL_CLOSING; initial <= ABUT_INITIAL_SKIP; initial++) {
        const abut_query query = {.initial = (abut_initial)initial, .allowance = 0.015625f};
        assert_int_equal(abut_world_sweep(world, ids, targets, s->mover_count, &query, hits), ABUT_OK);
        hash = mix_hits(hash, hits, s->mover_count);
    }
    return hash;
}

static void mix_scene(numbers *n, scene_kind kind, const scene *hulls) {
    static abut_body_id ids[BODIES];
    scene s;
    assert_true(scene_create(&s, kind, BODIES, 7));
    abut_world *world = make_world(NULL);
    assert_int_equal(abut_bodies_create(world, s.defs, s.count, ids), ABUT_OK);
    n->casts = mix_casts(n->casts, world, &s, hulls);
    for (int frame = 0; frame < FRAMES; frame++) {
        scene_advance(&s);
    }
    n->sweeps = mix_sweeps(n->sweeps, world, ids, &s);
    abut_world_destroy(&world);
    scene_destroy(&s);
}

static void hits_have_the_same_bits_everywhere(void **state) {
    (void)state;
    int sets = 0;
    bool same = true;
    scene hulls;
    assert_true(scene_create(&hulls, SCENE_HULLS, 32, 3));
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        numbers n = {UINT64_C(14695981039346656037), UINT64_C(14695981039346656037)};
        for (int kind = 0; kind < SCENE_KIND_COUNT; kind++) {
            mix_scene(&n, (scene_kind)kind, &hulls);
        }
        if (n.casts != pinned.casts || n.sweeps != pinned.sweeps) {
            printf("%s: found 0x%016" PRIx64 ", 0x%016" PRIx64 "\n", abut_isa_name((abut_isa)isa), n.casts, n.sweeps);
            same = false;
        }
        sets++;
    }
    assert_true(sets > 0 && same);
    scene_destroy(&hulls);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hits_have_the_same_bits_everywhere)};
    return test_run(tests);
}
