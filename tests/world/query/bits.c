/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what worlds of every kind of shape answer to fixed questions, and what they, their hulls and
 * their ground are as bytes, as numbers that each compiler, optimisation level and instruction set must find, on
 * machines of either order of bytes. A deliberate change of an answer changes them; the failure prints the new ones. */
#include "scenes.h"
#include "world/world_test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 200, QUESTIONS = 100, LIST = 16, CELLS = 12 };

typedef enum number { RAYS, SHAPES, NEAREST, CULLS, PLACEMENTS, PARTS, HULLS, MESHES, SNAPSHOTS, NUMBERS } number;

static const char *const name[NUMBERS] = {"rays",  "shapes", "nearest", "culls",    "placements",
                                          "parts", "hulls",  "meshes",  "snapshots"};
static const uint64_t pinned[NUMBERS] = {
    UINT64_C(0x9bda2fadb27270a7), UINT64_C(0xe78b86039c1fe781), UINT64_C(0xc9a496ad0811a9f0),
    UINT64_C(0xec60718b4bc99c32), UINT64_C(0xf3a7fb0e618cc3c6), UINT64_C(0x33ebbb694a4e2a8c),
    UINT64_C(0x04c2966803a465cd), UINT64_C(0x7b60706cea1f5684), UINT64_C(0x4e30dcf8696bec1e)};

/* --- numbers: FNV-1a --- */

/* Words of 32 bits are numbers, and so the same on machines of either order of bytes. */
static void mix(uint64_t *hash, const void *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, sizeof word);
        *hash = (*hash ^ word) * UINT64_C(1099511628211);
    }
}

static void mix_number(uint64_t *hash, uint64_t value) {
    *hash = (*hash ^ value) * UINT64_C(1099511628211);
}

static void mix_bytes(uint64_t *hash, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        mix_number(hash, ((const unsigned char *)bytes)[i]);
    }
}

/* --- fixed questions: nothing but + - * / and sqrt makes them --- */

typedef struct place {
    abut_world *world;
    const scene *s;
    rng r;
} place;

static abut_vec3 fixed_point(place *p) {
    const abut_vec3 low = p->s->low, high = p->s->high;
    return (abut_vec3){(float)rng_range(&p->r, (double)low.x, (double)high.x),
                       (float)rng_range(&p->r, (double)low.y, (double)high.y),
                       (float)rng_range(&p->r, (double)low.z, (double)high.z)};
}

static abut_pose fixed_pose(place *p) {
    const abut_vec3 q = rng_vec3(&p->r, -1, 1);
    return (abut_pose){fixed_point(p), {q.x, q.y, q.z, 0.5f}};
}

/* Points, spheres, capsules, boxes, rounded boxes, hulls. */
static abut_shape fixed_shape(place *p, size_t k) {
    abut_shape shape = {.half = rng_vec3(&p->r, 0.1, 2), .radius = k % 2 ? 0.25f : 0};
    shape.half = k % 8 < 2 ? (abut_vec3){0, 0, 0} : shape.half;
    shape.half = k % 8 == 3 ? (abut_vec3){0, 0, shape.half.z} : shape.half;
    shape.hull = k % 8 >= 6 && p->s->hull_count > 0 ? p->s->hulls[k % p->s->hull_count] : NULL;
    return shape;
}

static void mix_hits(uint64_t *hash, const abut_hit *hits, size_t n) {
    for (size_t i = 0; i < n; i++) {
        mix_number(hash, hits[i].body.index1);
        mix_number(hash, hits[i].part);
        mix(hash, &hits[i].fraction, 1);
        mix(hash, &hits[i].position, 3);
        mix(hash, &hits[i].normal, 3);
    }
}

static void ask_rays(place *p, uint64_t *hash) {
    static abut_ray rays[QUESTIONS];
    static abut_hit hits[QUESTIONS], list[LIST];
    for (size_t k = 0; k < QUESTIONS; k++) {
        const abut_vec3 from = fixed_point(p), to = fixed_point(p);
        rays[k] = (abut_ray){.origin = from, .translation = {to.x - from.x, to.y - from.y, to.z - from.z}};
    }
    assert_int_equal(abut_world_cast_rays(p->world, rays, QUESTIONS, NULL, hits), ABUT_OK);
    mix_hits(hash, hits, QUESTIONS);
    for (size_t k = 0; k < QUESTIONS; k += 5) {
        const size_t n = abut_world_ray_hits(p->world, &rays[k], NULL, list, LIST);
        mix_number(hash, n);
        mix_hits(hash, list, n < LIST ? n : LIST);
    }
}

static void ask_shapes(place *p, uint64_t *hash) {
    static abut_touching list[LIST];
    for (size_t k = 0; k < QUESTIONS; k++) {
        const abut_shape shape = fixed_shape(p, k);
        const abut_pose pose = fixed_pose(p);
        const size_t n = abut_world_collide(p->world, &shape, &pose, 0.125f, NULL, list, LIST);
        mix_number(hash, n);
        mix_number(hash, abut_world_overlaps(p->world, &shape, &pose, NULL, NULL, 0));
        for (size_t i = 0; i < n && i < LIST; i++) {
            mix_number(hash, list[i].body.index1);
            mix_number(hash, list[i].part);
            mix(hash, &list[i].manifold, sizeof list[i].manifold / 4);
        }
    }
}

static void ask_nearest(place *p, uint64_t *hash) {
    static abut_near list[LIST];
    for (size_t k = 0; k < QUESTIONS; k++) {
        const abut_shape shape = fixed_shape(p, k);
        const abut_pose pose = fixed_pose(p);
        const size_t n = abut_world_nearest(p->world, &shape, &pose, 8, NULL, list, LIST);
        for (size_t i = 0; i < n && i < LIST; i++) {
            mix_number(hash, list[i].body.index1);
            mix_number(hash, list[i].part);
            mix(hash, &list[i].distance, 1);
            mix(hash, &list[i].position, 3);
            mix(hash, &list[i].normal, 3);
        }
    }
}

static void ask_culls(place *p, uint64_t *hash) {
    static abut_visible list[2 * BODIES];
    for (size_t k = 0; k < QUESTIONS; k++) {
        const abut_pose camera = fixed_pose(p);
        const abut_obb box = {camera.position, camera.rotation, rng_vec3(&p->r, 0.1, 8)};
        abut_frustum frusta[2];
        assert_int_equal(abut_frustum_camera(&camera, 0.125f, 0.0625f, 0.25f, 20, &frusta[0]), ABUT_OK);
        assert_int_equal(abut_frustum_orthographic(&box, &frusta[1]), ABUT_OK);
        const size_t n = abut_world_cull(p->world, frusta, 2, NULL, list, sizeof list / sizeof *list);
        for (size_t i = 0; i < n; i++) {
            mix_number(hash, list[i].body.index1);
            mix_number(hash, list[i].views | (uint64_t)list[i].inside << 32);
        }
    }
}

static void ask_placements(place *p, uint64_t *hash) {
    static abut_obb2 candidates[QUESTIONS];
    static abut_placement answers[QUESTIONS];
    for (size_t k = 0; k < QUESTIONS; k++) {
        const abut_vec3 at = fixed_point(p), axis = rng_vec3(&p->r, -1, 1), half = rng_vec3(&p->r, 0.1, 2);
        candidates[k] = (abut_obb2){{at.x, at.z}, {axis.x, axis.z}, {half.x, half.z}};
    }
    const abut_placement_rules rules = {.clearance = 0.25f};
    assert_int_equal(abut_world_test_placements(p->world, candidates, QUESTIONS, &rules, answers), ABUT_OK);
    for (size_t k = 0; k < QUESTIONS; k++) {
        mix_number(hash, answers[k].blocker_count);
        mix_number(hash, answers[k].first_blocker.index1);
        mix(hash, &answers[k].push, 2);
    }
}

static void read_parts(place *p, uint64_t *hash) {
    size_t count;
    const abut_contact_part *part = abut_world_parts(p->world, &count);
    mix_number(hash, count);
    for (size_t i = 0; i < count; i++) {
        mix(hash, &part[i], sizeof part[i] / 4);
    }
}

static void read_snapshot(place *p, uint64_t *hash) {
    const size_t size = abut_world_save(p->world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(abut_world_save(p->world, bytes, size), size);
    mix_bytes(hash, bytes, size);
    const uint64_t before = abut_world_hash(p->world);
    abut_body_id first;
    abut_pose pose;
    assert_true(abut_world_bodies(p->world, &first, 1) > 0);
    assert_int_equal(abut_body_get_pose(p->world, first, &pose), ABUT_OK);
    pose.position.x += 1;
    assert_int_equal(abut_body_set_pose(p->world, first, &pose), ABUT_OK);
    assert_int_equal(abut_world_step(p->world, NULL, NULL), ABUT_OK);
    assert_true(abut_world_hash(p->world) != before);
    assert_int_equal(abut_world_restore(p->world, bytes, size, NULL), ABUT_OK);
    assert_true(abut_world_hash(p->world) == before);
    mix_number(hash, before);
    free(bytes);
}

/* Hills that cross the scene, at its lower half. */
static abut_mesh *make_hills(const scene *s) {
    float heights[CELLS + 1][CELLS + 1];
    rng r = rng_make(3, (uint64_t)s->kind);
    for (size_t k = 0; k < (CELLS + 1) * (CELLS + 1); k++) {
        heights[k / (CELLS + 1)][k % (CELLS + 1)] = (float)rng_range(&r, 0, 1);
    }
    const abut_mesh_grid_def def = {
        .heights = &heights[0][0],
        .columns = CELLS + 1,
        .rows = CELLS + 1,
        .spacing = {(s->high.x - s->low.x) / CELLS, (s->high.y - s->low.y) / 4 + 0.5f, (s->high.z - s->low.z) / CELLS}};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

static void mix_shapes(uint64_t *n, const scene *s, const abut_mesh *hills) {
    size_t size;
    const void *bytes = abut_mesh_data(hills, &size);
    mix_bytes(&n[MESHES], bytes, size);
    mix_number(&n[MESHES], abut_mesh_digest(hills));
    for (size_t i = 0; i < s->hull_count; i++) {
        bytes = abut_hull_data(s->hulls[i], &size);
        mix_bytes(&n[HULLS], bytes, size);
        mix_number(&n[HULLS], abut_hull_digest(s->hulls[i]));
    }
}

static void mix_scene(uint64_t *n, scene_kind kind) {
    static abut_body_id ids[BODIES];
    scene s;
    assert_true(scene_create(&s, kind, BODIES, 7));
    abut_mesh *hills = make_hills(&s);
    place p = {make_world(NULL), &s, rng_make(4, (uint64_t)kind)};
    assert_int_equal(abut_bodies_create(p.world, s.defs, s.count, ids), ABUT_OK);
    (void)add_body(p.world, &(abut_body_def){.mesh = hills, .pose.position = s.low, .motion = ABUT_STATIC});
    (void)step_world(p.world);
    mix_shapes(n, &s, hills);
    ask_rays(&p, &n[RAYS]);
    ask_shapes(&p, &n[SHAPES]);
    ask_nearest(&p, &n[NEAREST]);
    ask_culls(&p, &n[CULLS]);
    ask_placements(&p, &n[PLACEMENTS]);
    read_parts(&p, &n[PARTS]);
    read_snapshot(&p, &n[SNAPSHOTS]);
    abut_world_destroy(&p.world);
    abut_mesh_destroy(&hills);
    scene_destroy(&s);
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    int sets = 0;
    bool same = true;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        uint64_t n[NUMBERS] = {0};
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        mix_scene(n, SCENE_TUMBLING);
        mix_scene(n, SCENE_MIXED);
        mix_scene(n, SCENE_HULLS);
        mix_scene(n, SCENE_ROUND);
        for (int k = 0; k < NUMBERS; k++) {
            if (n[k] != pinned[k]) {
                printf("%s, %s: found 0x%016" PRIx64 "\n", abut_isa_name((abut_isa)isa), name[k], n[k]);
                same = false;
            }
        }
        sets++;
    }
    assert_true(sets > 0 && same);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
