/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Two worlds that make the same random calls after one was restored from the other answer alike, to the bit; and
 * damaged snapshots are refused, or make a world on which all calls do no harm. */
#include "support/schedules.h"
#include "world/calls.h"
#include "world/snapshot/format.h"
#include <stdlib.h>

static calls a, b; /* large */

static void begin(calls *c, uint64_t stream, const calls_shapes *shapes, const abut_world_def *def) {
    *c = (calls){.shapes = shapes, .r = rng_make(test_seed(), stream), .most = 150, .extent = 2};
    c->world = make_world(def);
}

static void live(calls *c, uint32_t calls_made) {
    for (uint32_t i = 0; i < calls_made; i++) {
        uint32_t kind = rng_below(&c->r, 10);
        (kind < 7 ? calls_change : kind < 9 ? calls_step : calls_ask)(c);
    }
}

static unsigned char *save(const abut_world *world, size_t *size) {
    *size = abut_world_save(world, NULL, 0);
    assert_true(*size > 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(abut_world_save(world, bytes, *size - 1), *size);
    assert_int_equal(abut_world_save(world, bytes, *size), *size);
    return bytes;
}

static void check_same_bytes(uint64_t stream, unsigned long step) {
    size_t size_a, size_b;
    unsigned char *of_a = save(a.world, &size_a), *of_b = save(b.world, &size_b);
    check_case(size_a == size_b && bits_equal(of_a, of_b, size_a), "the worlds have other bytes", stream, step);
    free(of_a);
    free(of_b);
}

/* b becomes what a is, and goes on as a does. */
static void follow(uint64_t stream, unsigned long step, calls_shapes *shapes) {
    size_t size;
    const abut_shape_finder finder = calls_finder(shapes);
    unsigned char *bytes = save(a.world, &size);
    picture before = picture_take(b.world);
    abut_result result = abut_world_restore(b.world, bytes, size, NULL);
    if (result) {
        assert_int_equal(result, ABUT_ERROR_HANDLE); /* it has not all of the shapes */
        picture_close(&before, b.world);
        result = abut_world_restore(b.world, bytes, size, &finder);
    } else {
        picture_free(&before);
    }
    check_case(result == ABUT_OK, "a snapshot is refused", stream, step);
    free(bytes);
    check_same_bytes(stream, step);
    abut_world *world = b.world;
    b = a;
    b.world = world;
    assert_int_equal(abut_world_validate(b.world), ABUT_OK);
}

static void a_restored_world_goes_on_as_the_saved_one(void **state) {
    (void)state;
    calls_shapes shapes;
    calls_make_shapes(&shapes, 1);
    for (uint64_t k = 0; k < test_count(60); k++) {
        rng r = rng_make(test_seed(), ~k);
        schedule s = schedule_random(&r);
        abut_world_def def = {.contact_margin = k % 3 ? 0 : 0.03f};
        begin(&a, k, &shapes, &def);
        def.parallel = k % 2 ? schedule_parallel(&s) : def.parallel;
        def.fixed_capacity = k % 5 == 4;
        def.body_capacity = def.fixed_capacity ? 1000 : 0;
        def.pair_capacity = def.fixed_capacity ? 50000 : 0;
        def.contact_margin = k % 7 ? def.contact_margin : 0.5f; /* the snapshot's counts */
        begin(&b, k + 1000000, &shapes, &def);
        live(&b, rng_chance(&r, 0.3) ? 0 : rng_below(&r, 60));
        for (unsigned long round = 0; round < 3; round++) {
            live(&a, rng_below(&r, 60));
            follow(k, round, &shapes);
            for (uint32_t more = rng_below(&r, 20); more > 0; more--) {
                live(&a, 1);
                live(&b, 1);
                check_case(a.log == b.log, "an answer differs", k, round);
            }
            check_same_bytes(k, round);
        }
        abut_world_destroy(&a.world);
        abut_world_destroy(&b.world);
    }
    calls_free_shapes(&shapes);
}

/* --- damage --- */

static void damage(rng *r, unsigned char *bytes, size_t size) {
    static const uint32_t odd[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x3f800000};
    for (uint32_t more = 1 + rng_below(r, 3); more > 0; more--) {
        size_t head = rng_chance(r, 0.4) && size > 256 ? 256 : size, at = rng_below(r, (uint32_t)head);
        uint32_t word = odd[rng_below(r, sizeof odd / sizeof *odd)], kind = rng_below(r, 4);
        at = kind && at + 4 <= size ? at / 4 * 4 : at;
        if (kind == 0 || at + 4 > size) {
            bytes[at] ^= (unsigned char)(1u << rng_below(r, 8));
        } else if (kind == 1) {
            memcpy(bytes + at, &word, 4);
        } else {
            uint32_t old;
            memcpy(&old, bytes + at, 4);
            old += kind == 2 ? 1 : UINT32_MAX;
            memcpy(bytes + at, &old, 4);
        }
    }
}

/* So that damage gets past the checksum of the header. */
static void repair(unsigned char *bytes, size_t size) {
    abut_w_snap_header header;
    if (size >= sizeof header) {
        memcpy(&header, bytes, sizeof header);
        header.checksum = abut_w_snap_checksum(&header);
        memcpy(bytes, &header, sizeof header);
    }
}

/* Restores damaged bytes, at the end of a block of their own so that sanitizers see what is read beyond. */
static bool survive(const unsigned char *bytes, size_t size, rng *r, const abut_shape_finder *finder) {
    size_t cut = rng_chance(r, 0.1) ? rng_below(r, (uint32_t)size) : size;
    unsigned char *copy = malloc(cut + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, cut);
    if (cut == size) {
        damage(r, copy, size);
    }
    if (rng_chance(r, 0.9)) {
        repair(copy, cut);
    }
    picture before = picture_take(b.world);
    abut_result result = abut_world_restore(b.world, copy, cut, finder);
    free(copy);
    if (result) {
        picture_close(&before, b.world);
        return false;
    }
    picture_free(&before);
    (void)abut_world_validate(b.world); /* contacts may be lies that only a search among all pairs would show */
    return true;
}

/* Has every pair looked at again. */
static void touch_all(calls *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        abut_filter filter;
        assert_int_equal(abut_body_get_filter(c->world, c->id[i], &filter), ABUT_OK);
        assert_int_equal(abut_body_set_filter(c->world, c->id[i], &filter), ABUT_OK);
    }
}

static void damaged_snapshots_do_no_harm(void **state) {
    (void)state;
    calls_shapes shapes;
    calls_make_shapes(&shapes, 1);
    const abut_shape_finder finder = calls_finder(&shapes);
    unsigned long accepted = 0, tried = 0, all = test_count(20000);
    for (unsigned long k = 0, each = 200; k * each < all; k++) {
        size_t size;
        rng r = rng_make(test_seed(), ~k);
        begin(&a, k, &shapes, NULL);
        a.most = 12;
        live(&a, 25);
        calls_step(&a);
        live(&a, k % 2 ? 6 : 0);
        unsigned char *bytes = save(a.world, &size);
        begin(&b, k, &shapes, NULL);
        for (unsigned long i = 0; i < each; i++, tried++) {
            if (survive(bytes, size, &r, &finder)) {
                accepted++;
                b.n = (uint32_t)abut_world_bodies(b.world, b.id, b.most);
                b.n = b.n < b.most ? b.n : b.most;
                live(&b, 3);
                calls_step(&b);
                touch_all(&b);
                calls_step(&b);
                assert_int_equal(abut_world_validate(b.world), ABUT_OK);
            }
        }
        free(bytes);
        abut_world_destroy(&a.world);
        abut_world_destroy(&b.world);
    }
    print_message("%lu of %lu damaged snapshots were accepted\n", accepted, tried);
    assert_true(accepted > tried / 50 && accepted < tried / 2);
    calls_free_shapes(&shapes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_world_goes_on_as_the_saved_one),
        cmocka_unit_test(damaged_snapshots_do_no_harm),
    };
    return test_run(tests);
}
