/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: the contacts of every scene, as numbers (of boxes, of hulls, of shapes with a radius) that
 * each compiler, optimisation level and instruction set must find. A deliberate change of what a contact is changes the
 * number; the failure prints the new one. */
#include "scenes.h"
#include "world/world_test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct number {
    scene_kind first, end;
    uint64_t expected;
} number;

static const number pinned[] = {
    {SCENE_TUMBLING, SCENE_BOX_KIND_COUNT, UINT64_C(0x89daf1560557533e)},
    {SCENE_BOX_KIND_COUNT, SCENE_SHARP_KIND_COUNT, UINT64_C(0x8f4ac163b1afe073)},
    {SCENE_SHARP_KIND_COUNT, SCENE_KIND_COUNT, UINT64_C(0xf9c038c5156522a5)},
};

/* FNV-1a over 32-bit words, which are numbers and so the same on machines of either byte order. */
static uint64_t mix(uint64_t hash, const void *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, sizeof word);
        hash = (hash ^ word) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t mix_contact(uint64_t hash, const abut_contact *c) {
    const uint64_t numbers[] = {c->a.index1, c->b.index1, (uint64_t)c->phase, c->previous1, c->manifold.count};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hash = (hash ^ numbers[i]) * UINT64_C(1099511628211);
    }
    hash = mix(hash, &c->manifold.normal, 3);
    return mix(hash, c->manifold.points, sizeof c->manifold.points / 4);
}

static uint64_t mix_scene(uint64_t hash, scene_kind kind, float margin) {
    enum { BODIES = 400, FRAMES = 8 };
    scene s;
    assert_true(scene_create(&s, kind, BODIES, 7));
    abut_world *world = make_world(&(abut_world_def){.contact_margin = margin});
    abut_body_id *ids = calloc(s.count, sizeof *ids);
    assert_non_null(ids);
    assert_int_equal(abut_bodies_create(world, s.defs, s.count, ids), ABUT_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        scene_advance(&s);
        assert_int_equal(abut_bodies_set_poses(world, ids, s.poses, s.mover_count), ABUT_OK);
        step_world(world);
        size_t count;
        const abut_contact *contacts = contacts_of(world, &count);
        for (size_t i = 0; i < count; i++) {
            hash = mix_contact(hash, &contacts[i]);
        }
    }
    hash ^= abut_world_hash(world);
    free(ids);
    abut_world_destroy(&world);
    scene_destroy(&s);
    return hash;
}

static uint64_t all_scenes(const number *n) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int kind = (int)n->first; kind < (int)n->end; kind++) {
        hash = mix_scene(hash, (scene_kind)kind, 0);
        hash = mix_scene(hash, (scene_kind)kind, 0.03125f);
    }
    return hash;
}

static void contacts_have_the_same_bits_everywhere(void **state) {
    (void)state;
    int sets = 0;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
            uint64_t hash = all_scenes(&pinned[i]);
            if (hash != pinned[i].expected) {
                printf("%s, number %zu: found 0x%016" PRIx64 "\n", abut_isa_name((abut_isa)isa), i, hash);
            }
            assert_true(hash == pinned[i].expected);
        }
        sets++;
    }
    assert_true(sets > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_have_the_same_bits_everywhere)};
    return test_run(tests);
}
