/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Tests the operations on lanes that are not arithmetic, for each instruction set that this processor runs, and prints
 * their speed. */

#include "kernels/lanes_kernel.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const lanes_kernel *const kernels[] = {ABUT_KERNEL_TABLE_LIST(lanes_kernel)};

/* NULL: not in this build, or not supported by this processor. */
static const lanes_kernel *usable(int isa) {
    return abut_isa_select((abut_isa)isa) == ABUT_OK ? kernels[isa] : NULL;
}

static uint32_t ones(uint32_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* The first may be no number: then the second is the lesser, and the greater. */
static void check_eights(const lanes_kernel *k, rng *r) {
    static const float special[] = {0, 1, -1, INFINITY, -INFINITY, 0x1p-149f, 3e38f};
    float a[8], b[8], out[6][8];
    for (int l = 0; l < 8; l++) {
        a[l] = rng_chance(r, 0.3) ? special[rng_below(r, 7)] : (float)rng_range(r, -9, 9);
        b[l] = rng_chance(r, 0.2) ? a[l] : rng_chance(r, 0.3) ? special[rng_below(r, 7)] : (float)rng_range(r, -9, 9);
        a[l] = rng_chance(r, 0.1) ? NAN : a[l];
    }
    const uint32_t bits = k->eights(a, b, out);
    for (int l = 0; l < 8; l++) {
        const float expected[6] = {
            a[0], a[l] + b[l], a[l] - b[l], a[l] * b[l], a[l] < b[l] ? a[l] : b[l], a[l] > b[l] ? a[l] : b[l]};
        for (int i = 0; i < 6; i++) {
            assert_true(out[i][l] == expected[i] || (isnan(out[i][l]) && isnan(expected[i])));
        }
        assert_int_equal(bits >> l & 1, a[l] <= b[l]);
        assert_int_equal(bits >> (l + 8) & 1, a[l] < b[l]);
    }
    assert_int_equal(bits >> 16, 0);
}

static void eights_are_eight_floats(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const lanes_kernel *k = usable(isa);
        for (unsigned long i = 0; k && i < test_count(1000); i++) {
            rng r = rng_make(test_seed(), i);
            check_eights(k, &r);
        }
    }
}

static void masks_are_made_and_counted(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const lanes_kernel *k = usable(isa);
        for (uint32_t n = 0; k && n <= k->lanes; n++) {
            assert_true(k->first(n) == (UINT32_C(1) << n) - 1);
        }
        for (uint32_t set = 0; k && set < UINT32_C(1) << k->lanes; set++) {
            assert_true(k->count(set) == ones(set));
        }
    }
}

/* The arrays come from malloc with the exact size, so that a sanitizer sees an access outside of them, and start at
 * every multiple of 4 bytes. */
static void check_pairs(const lanes_kernel *k, uint32_t set, rng *r) {
    static const uint32_t owns[] = {0, 1, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX};
    uint32_t shift = rng_below(r, 16), n = k->lanes, own = (uint32_t)rng_u64(r);
    own = rng_chance(r, 0.5) ? owns[rng_below(r, sizeof owns / sizeof owns[0])] : own;
    uint32_t *id_memory = malloc((shift + n) * sizeof(uint32_t)), *ids = id_memory + shift;
    uint32_t *out_memory = malloc((shift + 2 * n) * sizeof(uint32_t)), *out = out_memory + shift;
    assert_true(id_memory && out_memory);
    for (uint32_t l = 0; l < n; l++) {
        ids[l] = rng_chance(r, 0.5) ? (uint32_t)rng_u64(r) : rng_chance(r, 0.5) ? own + 1 : own - 1;
    }
    uint32_t found = k->pairs(own, ids, set, out), at = 0;
    for (uint32_t l = 0; l < n; l++) {
        if (set >> l & 1) {
            assert_true(out[2 * at] == (own < ids[l] ? own : ids[l]) &&
                        out[2 * at + 1] == (own < ids[l] ? ids[l] : own));
            at++;
        }
    }
    assert_true(found == at);
    free(id_memory);
    free(out_memory);
}

static void check_pack(const lanes_kernel *k, uint32_t set, rng *r) {
    uint32_t shift = rng_below(r, 16), first = (uint32_t)rng_u64(r), at = 0;
    uint32_t *memory = malloc((shift + k->lanes) * sizeof(uint32_t)), *out = memory + shift;
    assert_non_null(memory);
    uint32_t found = k->pack(first, set, out);
    for (uint32_t l = 0; l < k->lanes; l++) {
        if (set >> l & 1) {
            assert_true(out[at] == first + l);
            at++;
        }
    }
    assert_true(found == at);
    free(memory);
}

static void pairs_and_packed_numbers_are_those_of_the_set_lanes(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const lanes_kernel *k = usable(isa);
        for (unsigned long round = 0; k && round < test_count(10); round++) {
            rng r = rng_make(test_seed(), round);
            for (uint32_t set = 0; set<UINT32_C(1) << k->lanes; set += k->lanes> 8 ? 1 + rng_below(&r, 20) : 1) {
                check_pairs(k, set, &r);
                check_pack(k, set, &r);
            }
            check_pairs(k, (UINT32_C(1) << k->lanes) - 1, &r);
            check_pack(k, (UINT32_C(1) << k->lanes) - 1, &r);
        }
    }
}

static void records_are_transposed(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const lanes_kernel *k = usable(isa);
        double records[32], columns[32];
        for (int i = 0; i < 32; i++) {
            records[i] = i;
        }
        uint32_t lanes = k ? k->transpose(records, columns) : 0;
        for (uint32_t i = 0; i < 4 * lanes; i++) {
            assert_true(columns[i % 4 * lanes + i / 4] == i);
        }
        for (size_t stride = 4; k && stride < 8; stride++) {
            double again[8 * 8];
            for (int i = 0; i < 64; i++) {
                again[i] = -1;
            }
            k->scatter(columns, stride, again);
            for (uint32_t i = 0; i < 64; i++) {
                const bool is_record = i < lanes * stride && i % stride < 4;
                assert_true(again[i] == (is_record ? records[4 * (i / stride) + i % stride] : -1));
            }
        }
    }
}

/* A compiler may take them from a register instead: not from one whose upper half it has let be cleared. */
static void what_was_stored_outlives_the_clearing(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const lanes_kernel *k = usable(isa);
        double a[8], b[8], sums[2] = {0, 0};
        float c[16], d[16];
        for (int i = 0; i < 16; i++) {
            a[i % 8] = i % 8 + 1, b[i % 8] = 100 * (i % 8 + 1);
            c[i] = (float)(i + 1), d[i] = 100 * (float)(i + 1);
        }
        if (k) {
            k->last_sums(a, b, c, d, sums);
            assert_true(sums[0] == 101 * ((k->lanes + 1) / 2));
            assert_true(sums[1] == 101 * k->lanes);
        }
    }
}

static double seconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static void print_speed(void **state) {
    (void)state;
    enum { N = 1024, RUNS = 20, TIMES = 50 };
    static uint32_t ids[N], out[2 * N];
    static float x[N];
    static const float chances[] = {0.03f, 0.3f};
    rng r = rng_make(test_seed(), 0);
    for (uint32_t i = 0; i < N; i++) {
        ids[i] = (uint32_t)rng_u64(&r);
        x[i] = (float)rng_below(&r, 1000) * 1e-3f;
    }
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        const lanes_kernel *k = usable(isa);
        double best[2] = {1, 1};
        for (int run = 0; k && run < 2 * RUNS; run++) {
            double start = seconds();
            for (int times = 0; times < TIMES; times++) {
                k->sweep(1u << 31, ids, x, chances[run % 2], N, out);
            }
            best[run % 2] = fmin(best[run % 2], (seconds() - start) / TIMES);
        }
        if (k) {
            printf("%-8s  pairs of a block of %2u: %5.2f ns if 3 of 100 overlap, %5.2f ns if 30 do\n",
                   abut_isa_name((abut_isa)isa), k->lanes, best[0] / N * k->lanes * 1e9, best[1] / N * k->lanes * 1e9);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eights_are_eight_floats),
        cmocka_unit_test(masks_are_made_and_counted),
        cmocka_unit_test(pairs_and_packed_numbers_are_those_of_the_set_lanes),
        cmocka_unit_test(records_are_transposed),
        cmocka_unit_test(what_was_stored_outlives_the_clearing),
        cmocka_unit_test(print_speed),
    };
    return test_run(tests);
}
