/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bytes of snapshots of every kind of world, what restoring them leaves in worlds that were alike or quite
 * different, and which damaged bytes are refused, as numbers. */
#include "base/bytes.h"
#include "support/test.h"
#include "world/inside.h"
#include "world/snapshot/format.h"
#include "world/story.h"
#include <stdlib.h>
#include <string.h>

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 3},
    {.extent = 2.5,
     .round = 0.2,
     .hulls = 0.3,
     .meshes = 0.08,
     .filtered = 0.4,
     .attached = 0.4,
     .coarse = 0.2,
     .bounds_only = 0.4},
    {.extent = 3, .filtered = 0.8},
    {.extent = 3, .attached = 0.8},
    {.extent = 3, .coarse = 1, .bounds_only = 1},
    {.extent = 2.5, .hulls = 0.5, .round = 0.5},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct saved {
    unsigned char *bytes;
    size_t size;
} saved;

static saved save(const abut_world *world) {
    saved s = {.size = abut_world_save(world, NULL, 0)};
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(abut_world_save(world, s.bytes, s.size), s.size);
    return s;
}

static abut_result restore(uint64_t *digest, abut_world *world, const saved *s, bool found) {
    const abut_shape_finder finder = story_finder(&shapes);
    const abut_result result = abut_world_restore(world, s->bytes, s->size, found ? &finder : NULL);
    digest_number(digest, (uint64_t)(int64_t)result);
    return result;
}

/* --- lives --- */

static void pass(story *s) {
    for (uint32_t calls = rng_below(&s->r, 10); calls > 0; calls--) {
        story_change(s);
    }
    for (uint32_t steps = rng_below(&s->r, 4); steps > 0; steps--) {
        story_step(s);
    }
}

/* The world goes back, another one becomes alike, and both go on. */
static void go_back(story *s, abut_world *other, const saved *old) {
    const bool found = rng_chance(&s->r, 0.5);
    const abut_world *own = s->world;
    if (restore(s->digest, s->world, old, found) == ABUT_OK) {
        digest_inside(s->digest, s->world);
    }
    (void)restore(s->digest, other, old, !found);
    digest_inside(s->digest, other);
    s->world = other;
    story_step(s);
    story_read(s);
    s->world = (abut_world *)own;
    story_step(s);
    story_read(s);
}

/* Ids that no longer live, or live again, after a restore. */
static void list_ids(story *s) {
    const size_t n = abut_world_bodies(s->world, s->id, STORY_BODIES);
    s->n = (uint32_t)(n < STORY_BODIES ? n : STORY_BODIES);
}

static void live(uint64_t *digest, const abut_world_def *def, uint32_t kind, uint32_t bodies) {
    static story s;
    abut_world *other;
    const abut_world_def plain = {.contact_margin = 0.125f};
    story_begin(&s, def, &shapes, &kinds[kind], kind, digest);
    assert_int_equal(abut_world_create(kind % 2 ? def : &plain, &other), ABUT_OK);
    story_create(&s, bodies);
    for (uint32_t round = 0; round < 12; round++) {
        pass(&s);
        saved old = save(s.world);
        digest_bytes(digest, old.bytes, old.size);
        pass(&s);
        go_back(&s, other, &old);
        list_ids(&s);
        free(old.bytes);
    }
    abut_world_destroy(&other);
    story_end(&s);
}

static void lives(uint64_t *digest) {
    const abut_world_def defs[] = {{.contact_margin = 0},
                                   {.contact_margin = 0.125f},
                                   {.fixed_capacity = true, .body_capacity = 80, .pair_capacity = 900},
                                   {.body_capacity = 3, .up = {1, 0, 0}}};
    for (uint32_t k = 0; k < 2 * KINDS; k++) {
        live(digest, &defs[k % 4], k % KINDS, k < KINDS ? 45 : 6);
    }
}

/* --- worlds with too little room --- */

static void too_small(uint64_t *digest) {
    static story s;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        story_begin(&s, NULL, &shapes, &kinds[kind], 50 + kind, digest);
        story_create(&s, 30);
        story_step(&s);
        saved old = save(s.world);
        for (uint32_t bodies = 0; bodies < 40; bodies += 3) {
            abut_world *small;
            const abut_world_def def = {.fixed_capacity = true, .body_capacity = bodies, .pair_capacity = 12 * bodies};
            assert_int_equal(abut_world_create(&def, &small), ABUT_OK);
            (void)restore(digest, small, &old, true);
            digest_inside(digest, small);
            abut_world_destroy(&small);
        }
        free(old.bytes);
        story_end(&s);
    }
}

/* --- damage --- */

/* A damaged header is given the checksum that belongs to it. */
static void sign_header(unsigned char *bytes) {
    abut_w_snap_header header;
    memcpy(&header, bytes, sizeof header);
    if (!abut_bytes_little_endian()) {
        abut_w_snap_reverse_header(&header);
    }
    header.checksum = abut_w_snap_checksum(&header);
    if (!abut_bytes_little_endian()) {
        abut_w_snap_reverse_header(&header);
    }
    memcpy(bytes, &header, sizeof header);
}

/* The words that stand in place of one. */
enum { OTHERS = 6 };
static void list_others(uint32_t word, uint32_t next, uint32_t other[OTHERS]) {
    const uint32_t all[OTHERS] = {word + 1, word - 1, 0, word ^ UINT32_C(0x80000000), UINT32_C(0x7fc00000), next};
    memcpy(other, all, sizeof all);
}

static uint32_t word_at(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(unsigned char *bytes, uint32_t word) {
    for (int k = 0; k < 4; k++) {
        bytes[k] = (unsigned char)(word >> 8 * k);
    }
}

/* Restores the damaged bytes, and the right ones again where these are accepted. */
static void try_damage(uint64_t *digest, abut_world *world, const saved *damaged, const saved *right) {
    if (restore(digest, world, damaged, false) == ABUT_OK) {
        digest_inside(digest, world);
        assert_int_equal(restore(digest, world, right, true), ABUT_OK);
    }
}

static void damage_words(uint64_t *digest, abut_world *world, const saved *right) {
    saved damaged = {malloc(right->size), right->size};
    assert_non_null(damaged.bytes);
    memcpy(damaged.bytes, right->bytes, right->size);
    for (size_t at = 0; at + 8 <= right->size; at += 4) {
        uint32_t other[OTHERS];
        list_others(word_at(right->bytes + at), word_at(right->bytes + at + 4), other);
        for (int k = 0; k < OTHERS; k++) {
            put_word(damaged.bytes + at, other[k]);
            if (at < sizeof(abut_w_snap_header)) {
                sign_header(damaged.bytes);
            }
            try_damage(digest, world, &damaged, right);
        }
        put_word(damaged.bytes + at, word_at(right->bytes + at));
        memcpy(damaged.bytes, right->bytes, sizeof(abut_w_snap_header));
    }
    free(damaged.bytes);
}

/* Of bytes: flags, motions, details. */
static void damage_bodies(uint64_t *digest, abut_world *world, const saved *right, uint32_t slots) {
    abut_w_snap_header header = {.slots = slots};
    const size_t first = (size_t)abut_w_snap_layout_of(&header).at[ABUT_W_SNAP_BODIES];
    saved damaged = {malloc(right->size), right->size};
    assert_non_null(damaged.bytes);
    memcpy(damaged.bytes, right->bytes, right->size);
    for (size_t at = first; at < first + slots * sizeof(abut_w_snap_body); at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            damaged.bytes[at] = (unsigned char)(right->bytes[at] ^ 1u << bit);
            try_damage(digest, world, &damaged, right);
        }
        damaged.bytes[at] = right->bytes[at];
    }
    free(damaged.bytes);
}

static void damages(uint64_t *digest) {
    static story s;
    const story_kind few[] = {
        {.extent = 1.2, .round = 0.2, .hulls = 0.2, .meshes = 0.15, .filtered = 0.3, .attached = 0.5},
        {.extent = 1.2, .attached = 0.9},
        {.extent = 1.2, .filtered = 0.5},
    };
    for (uint32_t k = 0; k < 3; k++) {
        story_begin(&s, NULL, &shapes, &few[k], 60 + k, digest);
        story_create(&s, 9);
        story_step(&s);
        story_move(&s, 0.5);
        story_change(&s);
        story_step(&s);
        story_change(&s);
        saved right = save(s.world);
        damage_words(digest, s.world, &right);
        damage_bodies(digest, s.world, &right, s.world->ids.used);
        free(right.bytes);
        story_end(&s);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"lives", lives, UINT64_C(0x8d108533f5788ca3)},
        {"too small", too_small, UINT64_C(0x87a9998f6d276264)},
        {"damages", damages, UINT64_C(0xe80fdb4b87606a82)},
    };
    story_shapes_make(&shapes);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    story_shapes_free(&shapes);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
