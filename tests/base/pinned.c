/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: ids, sorts, blocks and accurate arithmetic, as numbers. What other tests judge leaves room
 * (how an order is reached, a sum to within its rounding); nothing in it may change unnoticed. */
#include "base/accurate.h"
#include "base/block.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/idpool.h"
#include "base/radix.h"
#include "base/workers/wait.h"
#include "support/digest.h"
#include "support/test.h"
#include "support/wild.h"
#include <math.h>

/* The order in which numbers are drawn must not be left to the compiler. */
static double signed_size(rng *r, int low, int high) {
    const double sign = (double)rng_sign(r);
    return sign * wild_size(r, low, high);
}

/* --- ids --- */

enum { ROOM = 96 };

static void digest_pool(uint64_t *digest, const abut_idpool *pool) {
    const uint32_t counts[] = {pool->used, pool->first_free_plus_one, pool->free_count, pool->live_count};
    digest_words(digest, counts, sizeof counts);
    digest_words(digest, pool->generation, 4 * (size_t)pool->used);
    digest_words(digest, pool->link, 4 * (size_t)pool->used);
    digest_number(digest, abut_idpool_validate(pool));
    digest_number(digest, abut_idpool_needed(pool, 3));
}

/* One number of a pool changed: whether its check sees it. */
static void digest_damage(uint64_t *digest, rng *r, abut_idpool *pool) {
    uint32_t *const numbers[] = {&pool->used, &pool->first_free_plus_one, &pool->free_count, &pool->live_count};
    const uint32_t which = rng_below(r, 6), index = rng_below(r, pool->used);
    uint32_t *number = which < 4 ? numbers[which] : which == 4 ? &pool->generation[index] : &pool->link[index];
    const uint32_t before = *number, kind = rng_below(r, 4);
    *number = kind == 0 ? before + 1 : kind == 1 ? 0 : kind == 2 ? rng_below(r, pool->used + 2) : UINT32_MAX;
    if (which > 0 || *number <= before) { /* no more than there is room for */
        digest_number(digest, abut_idpool_validate(pool));
    }
    *number = before;
}

static void ids(uint64_t *digest) {
    uint32_t generation[ROOM], link[ROOM];
    for (uint32_t life = 0; life < 30; life++) {
        rng r = rng_make(71, life);
        abut_idpool pool = {.generation = generation, .link = link};
        memset(generation, 0x55, sizeof generation);
        memset(link, 0x55, sizeof link);
        for (uint32_t step = 0; step < 200; step++) {
            const uint32_t index = rng_below(&r, ROOM);
            if (abut_idpool_is_live(&pool, index)) {
                pool.generation[index] = rng_chance(&r, 0.05) ? UINT32_MAX : pool.generation[index];
                abut_idpool_release(&pool, index);
            } else if (abut_idpool_needed(&pool, 1) <= ROOM) {
                digest_number(digest, abut_idpool_take(&pool));
            }
            digest_pool(digest, &pool);
            for (int k = 0; k < 8 && pool.used > 0; k++) {
                digest_damage(digest, &r, &pool);
            }
            digest_number(digest, abut_idpool_names(&pool, index + 1, 1 + rng_below(&r, 3)));
        }
    }
}

/* --- sorts --- */

enum { MOST = 9000 };

static uint32_t key_of(rng *r, uint32_t kind, uint32_t n) {
    uint32_t wide;
    switch (kind) {
    case 0:
        return (uint32_t)rng_u64(r);
    case 1:
        return rng_below(r, n + 1);
    case 2:
        return 77;
    case 3:
        return 1000 + rng_below(r, 200);
    case 4:
        return abut_bits_ordered((float)signed_size(r, -3, 3));
    case 5:
        return rng_below(r, n + 1) == 0 ? UINT32_MAX : rng_below(r, 64);
    case 6:
        return (uint32_t)1 << rng_below(r, 32);
    default:
        wide = (uint32_t)rng_u64(r);
        return wide >> rng_below(r, 32);
    }
}

/* With what is left in the spare array: which ways a sort goes, and in which steps. */
static void sorts(uint64_t *digest) {
    static abut_radix_item item[MOST], spare[MOST];
    static const uint32_t sizes[] = {0, 1, 2, 15, 16, 17, 31, 33, 64, 100, 255, 256, 257, 1024, 4095, 4096, 4097, MOST};
    for (uint32_t k = 0; k < 8 * 18; k++) {
        rng r = rng_make(72, k);
        const uint32_t n = sizes[k % 18];
        memset(spare, 0, sizeof spare);
        for (uint32_t i = 0; i < n; i++) {
            item[i] = (abut_radix_item){key_of(&r, k / 18, n), i};
        }
        abut_radix_sort(item, spare, n);
        digest_words(digest, item, n * sizeof *item);
        digest_words(digest, spare, n * sizeof *spare);
    }
    for (uint32_t k = 0; k < 4000;
         k++) { /* a few crowded keys of any number of bits: insertion at its limit, and beyond */
        rng r = rng_make(79, k);
        const uint32_t n = 17 + rng_below(&r, 60), most = UINT32_MAX >> k % 32, crowd = 1 + rng_below(&r, 64);
        memset(spare, 0, sizeof *spare * n);
        for (uint32_t i = 0; i < n; i++) {
            item[i] = (abut_radix_item){i == 0 ? most : rng_below(&r, crowd) * (k % 3 ? 1 : 61), i};
        }
        abut_radix_sort(item, spare, n);
        digest_words(digest, item, n * sizeof *item);
        digest_words(digest, spare, n * sizeof *spare);
    }
    for (uint32_t k = 0; k < 200; k++) {
        rng r = rng_make(73, k);
        uint32_t table[32];
        for (uint32_t i = 0; i < 32; i++) {
            table[i] = rng_below(&r, 5);
        }
        digest_number(digest, abut_radix_starts(table, k % 33));
        digest_words(digest, table, sizeof table);
    }
}

/* --- blocks --- */

typedef struct owner {
    abut_block block;
    uint8_t *bytes;
    uint64_t *words;
    uint32_t *halves;
} owner;

static const abut_column columns[] = {
    ABUT_COLUMN(owner, bytes),
    ABUT_COLUMN(owner, words),
    ABUT_COLUMN(owner, halves),
};

static void blocks(uint64_t *digest) {
    abut_allocator allocator = {0};
    assert_true(abut_memory_init(&allocator, &allocator));
    for (uint32_t life = 0; life < 40; life++) {
        rng r = rng_make(74, life);
        owner o = {.bytes = NULL};
        uint32_t used = 0;
        for (uint32_t step = 0; step < 12; step++) {
            const uint32_t wanted = rng_below(&r, 60) * (step + 1);
            digest_number(digest, abut_block_grown(o.block.capacity, wanted));
            digest_number(digest, (uint64_t)abut_block_reserve(&o.block, &o, columns, 3, &allocator, used, wanted));
            digest_number(digest, o.block.capacity);
            digest_number(digest, o.block.bytes);
            digest_number(digest, (uint64_t)((char *)o.words - (char *)o.bytes));
            digest_number(digest, (uint64_t)((char *)o.halves - (char *)o.bytes));
            digest_number(digest, o.block.memory == o.bytes);
            for (; used < o.block.capacity && rng_chance(&r, 0.97); used++) {
                o.bytes[used] = (uint8_t)rng_u64(&r);
                o.words[used] = rng_u64(&r);
                o.halves[used] = (uint32_t)rng_u64(&r);
            }
            for (uint32_t i = 0; i < o.block.capacity; i++) {
                digest_number(digest, o.bytes[i] ^ o.words[i]);
                digest_number(digest, o.halves[i]);
            }
        }
        abut_block_release(&o.block, &allocator);
        digest_number(digest, o.block.memory == NULL);
        digest_number(digest, o.block.bytes + o.block.capacity);
    }
}

static void growth(uint64_t *digest) {
    for (uint32_t k = 0; k < 400; k++) {
        rng r = rng_make(75, k);
        const uint32_t wide = (uint32_t)rng_u64(&r), capacity = wide >> rng_below(&r, 32),
                       needed = (uint32_t)rng_u64(&r) >> k % 32;
        digest_number(digest, abut_block_grown(capacity, needed));
        digest_number(digest, abut_block_grown(capacity, UINT32_MAX - k));
    }
}

/* --- bytes and hashes --- */

static void bytes_and_hashes(uint64_t *digest) {
    static const char *const widths[] = {"1", "2", "4", "8", "24", "888844", "1248", ""};
    for (uint32_t k = 0; k < 64; k++) {
        unsigned char bytes[256];
        for (uint32_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (unsigned char)(i * 7 + k);
        }
        abut_bytes_reverse(bytes, k / 8 % 7, widths[k % 8]);
        digest_bytes(digest, bytes, sizeof bytes);
        digest_number(digest, abut_bytes_u64(bytes + k));
    }
    rng r = rng_make(76, 0);
    for (uint32_t k = 0; k < 1000; k++) {
        const float values[] = {(float)signed_size(&r, -100, 100), -0.0f, (float)k};
        const uint64_t hash = rng_u64(&r);
        digest_number(digest, abut_hash_mix(hash, k));
        digest_number(digest, abut_hash_floats(hash, values, (int)(k % 4)));
        digest_number(digest, abut_bits_count(hash & hash >> k % 64));
    }
}

/* --- arithmetic --- */

static void digest_dd(uint64_t *digest, abut_dd x) {
    digest_double(digest, x.hi);
    digest_double(digest, x.lo);
}

static abut_dd any_dd(rng *r) {
    const double hi = signed_size(r, -60, 60);
    return abut_dd_two_sum(hi, hi * signed_size(r, -70, -53));
}

static void pairs_of_doubles(uint64_t *digest) {
    rng r = rng_make(77, 0);
    for (uint32_t k = 0; k < 20000; k++) {
        const abut_dd a = any_dd(&r), other = any_dd(&r);
        const abut_dd b = k % 3 ? other : (abut_dd){-a.hi, other.lo};
        double term[9] = {0}, error;
        for (int i = 0; i < 9; i++) {
            term[i] = rng_chance(&r, 0.3) ? -term[i > 0 ? i - 1 : 0] * (i > 0) : signed_size(&r, -80, 80);
        }
        digest_dd(digest, abut_dd_add(a, b));
        digest_dd(digest, abut_dd_sub(a, b));
        digest_dd(digest, abut_dd_mul(a, b));
        digest_dd(digest, abut_dd_scaled(a, b.hi));
        digest_dd(digest, abut_dd_sum4(a.hi, b.hi, a.lo, b.lo));
        digest_dd(digest, abut_dd_div(abut_dd_abs(a), abut_dd_abs(other)));
        digest_dd(digest, abut_dd_sqrt(a));
        digest_dd(digest, abut_dd_distil(term, 2 + (int)(k % 8), &error));
        digest_double(digest, error);
    }
}

static void rotations(uint64_t *digest) {
    rng r = rng_make(78, 0);
    for (uint32_t k = 0; k < 20000; k++) {
        abut_quat q = wild_rotation(&r);
        const float by = rng_chance(&r, 0.3) ? (float)signed_size(&r, -100, 100) : 1;
        q = (abut_quat){q.x * by, q.y * by, q.z * by, q.w * by};
        const abut_quat near_one = abut_accurate_quat_in_range(q);
        double m[3][3];
        digest_floats(digest, &near_one.x, 4);
        abut_accurate_matrix(abut_dquat_from(near_one), m);
        digest_doubles(digest, m[0], 9);
        abut_dquat_matrix_quick(abut_dquat_from(near_one), m);
        digest_doubles(digest, m[0], 9);
        digest_number(digest, abut_quat_is_quarter_turn(near_one));
        const double center = signed_size(&r, -30, 30),
                     offset = rng_chance(&r, 0.2) ? -center : signed_size(&r, -30, 30),
                     error = rng_chance(&r, 0.4) ? 0 : wild_size(&r, -80, 0);
        digest_float(digest, abut_accurate_lower_end(center, offset, error));
        digest_double(digest, abut_accurate_balance(center, offset, center * (1 + 0x1p-40), offset));
        const double x[3] = {center, offset, error};
        const abut_d3 axes[3] = {abut_d3_load(m[0]), abut_d3_load(m[1]), abut_d3_load(m[2])};
        const abut_quat back = abut_quat_of_axes(axes), unit = abut_quat_normalise_floats(near_one);
        digest_floats(digest, &back.x, 4);
        digest_floats(digest, &unit.x, 4);
        digest_number(digest, (uint64_t)abut_d3_least_axis(abut_d3_load(x)));
        digest_number(digest, (uint64_t)abut_d3_greatest_axis(abut_d3_load(x)));
    }
}

/* Waits count their turns, up to where they yield. */
static void waits(uint64_t *digest) {
    uint32_t turns = 0;
    for (int k = 0; k < 300; k++) {
        abut_wait(&turns);
        digest_number(digest, turns);
    }
}

static void the_base_answers_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"ids", ids, UINT64_C(0x032c6b12492aa332)},
        {"sorts", sorts, UINT64_C(0xf7d29c1c64d2329c)},
        {"blocks", blocks, UINT64_C(0xa09329bffce44cd1)},
        {"growth", growth, UINT64_C(0xba8ad5f5ca986b11)},
        {"bytes and hashes", bytes_and_hashes, UINT64_C(0x2b07414549934859)},
        {"pairs of doubles", pairs_of_doubles, UINT64_C(0x394530090720b7df)},
        {"rotations", rotations, UINT64_C(0x3da4b2c7ce40fb6c)},
        {"waits", waits, UINT64_C(0xd4f8640b92822e80)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_base_answers_the_same_everywhere)};
    return test_run(tests);
}
