/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels over pairs of boxes: each instruction set must return the bits of the portable one, for every number of
 * pairs, stride and alignment, and read and write only inside its arrays. Prints the speed. */

#include "narrowphase/box/separation.h"
#include "narrowphase/kernels.h"
#include "support/near_touch.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 67, GUARD = 8 };

static const float margins[] = {0, 0x1p-149f, 1e-3f, 1, 1e30f};

/* Arrays of just the size they need, from malloc, so that a sanitizer sees an access outside them; boxes begin at an
 * odd multiple of 4 bytes. */
typedef struct list {
    char *memory[2];
    uint32_t *index[2], *index_memory[2];
    abut_np_box_pairs pairs;
} list;

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    assert_non_null(memory);
    return memory;
}

static list list_make(const abut_obb *a, const abut_obb *b, size_t n, size_t stride) {
    list l = {.pairs = {.stride_a = stride, .stride_b = stride, .n = n}};
    for (int side = 0; side < 2; side++) {
        l.memory[side] = allocate(4 + stride * n);
        l.index_memory[side] = allocate((n + 1) * sizeof(uint32_t));
        l.index[side] = l.index_memory[side] + 1;
        memset(l.memory[side], 0xff, 4 + stride * n);
        for (size_t k = 0; k < n; k++) {
            size_t at = side ? n - 1 - k : k;
            memcpy(l.memory[side] + 4 + stride * at, side ? &b[k] : &a[k], sizeof(abut_obb));
            l.index[side][k] = (uint32_t)at;
        }
    }
    l.pairs.a = l.memory[0] + 4, l.pairs.b = l.memory[1] + 4;
    l.pairs.index_a = l.index[0], l.pairs.index_b = l.index[1];
    return l;
}

static void list_destroy(list *l) {
    for (int side = 0; side < 2; side++) {
        free(l->memory[side]);
        free(l->index_memory[side]);
    }
}

typedef struct answers {
    uint8_t verdict[MOST + GUARD], kind[MOST + GUARD], aligned[MOST + GUARD];
    uint16_t axes[MOST + GUARD];
} answers;

static answers ask(const abut_np_box_pairs *pairs, float margin) {
    answers found;
    memset(&found, 0x77, sizeof found);
    abut_np_box_kernels_active()->float_verdicts(pairs, margin, found.verdict);
    abut_np_box_kernels_active()->float_kinds(pairs, margin, found.kind);
    abut_np_box_kernels_active()->aligned_verdicts(pairs, margin, found.aligned);
    abut_np_box_kernels_active()->double_axes(pairs, margin, found.axes);
    return found;
}

/* Indexed by the portable kernel's verdict: all verdicts must occur, or the comparison proves nothing. */
static unsigned long seen[ABUT_NP_TOUCHING_BY_FACE + 1];

/* A kind is the verdict, or ABUT_NP_TOUCHING_BY_FACE for a pair that touches. */
static bool kind_fits(uint8_t kind, uint8_t verdict, float margin) {
    return kind == verdict || (kind == ABUT_NP_TOUCHING_BY_FACE && verdict == ABUT_NP_TOUCHING && margin == 0);
}

static void compare_all_sets(const abut_obb *a, const abut_obb *b, size_t n, size_t stride, float margin) {
    list l = list_make(a, b, n, stride);
    assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
    answers expected = ask(&l.pairs, margin);
    for (size_t k = 0; k < MOST + GUARD; k++) {
        assert_true(k < n ? expected.verdict[k] <= ABUT_NP_UNDECIDED : expected.verdict[k] == 0x77);
        assert_true(k < n ? kind_fits(expected.kind[k], expected.verdict[k], margin) : expected.kind[k] == 0x77);
        assert_true(k < n ? expected.aligned[k] <= ABUT_NP_UNDECIDED : expected.aligned[k] == 0x77);
        assert_true(k < n ? expected.axes[k] <= ABUT_NP_AXES_APART : expected.axes[k] == 0x7777);
        seen[k < n ? expected.kind[k] : 0] += k < n;
    }
    for (int isa = ABUT_ISA_PORTABLE + 1; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        answers found = ask(&l.pairs, margin);
        for (size_t k = 0; k < n && memcmp(&found, &expected, sizeof found) != 0; k++) {
            if (found.verdict[k] != expected.verdict[k] || found.kind[k] != expected.kind[k] ||
                found.aligned[k] != expected.aligned[k] || found.axes[k] != expected.axes[k]) {
                fprintf(stderr,
                        "%s, pair %zu of %zu, stride %zu, margin %a: verdict %d not %d, aligned %d not %d, axes %x not "
                        "%x\n",
                        abut_isa_name((abut_isa)isa), k, n, stride, (double)margin, found.verdict[k],
                        expected.verdict[k], found.aligned[k], expected.aligned[k], found.axes[k], expected.axes[k]);
                print_obb("a", &a[k]);
                print_obb("b", &b[k]);
            }
        }
        assert_memory_equal(&found, &expected, sizeof found);
    }
    list_destroy(&l);
}

static void random_pair(rng *r, abut_obb *a, abut_obb *b) {
    near_touch pair = near_touch_pair(test_seed(), rng_u64(r) >> 20);
    *a = pair.a, *b = pair.b;
    if (rng_chance(r, 0.5)) { /* not so near */
        b->center = rng_vec3(r, -4, 4);
        a->center = rng_vec3(r, -1, 1);
        a->half = rng_vec3(r, 0, 2);
        b->half = rng_vec3(r, 0, 2);
    }
}

static void every_set_equals_the_portable_one(void **state) {
    (void)state;
    abut_obb a[MOST], b[MOST];
    for (unsigned long round = 0; round < test_count(20); round++) {
        rng r = rng_make(test_seed(), round);
        for (size_t n = 0; n <= MOST; n++) {
            for (size_t k = 0; k < n; k++) {
                random_pair(&r, &a[k], &b[k]);
            }
            float margin = margins[rng_below(&r, sizeof margins / sizeof margins[0])];
            compare_all_sets(a, b, n, sizeof(abut_obb), margin);
            compare_all_sets(a, b, n, sizeof(abut_collider), margin);
        }
    }
    for (int verdict = 0; verdict <= ABUT_NP_TOUCHING_BY_FACE; verdict++) {
        unsigned long least = verdict == ABUT_NP_TOUCHING_BY_FACE ? 500 : 20; /* most of the touches are near ones */
        assert_true(seen[verdict] > (seen[0] + seen[1] + seen[2] + seen[3]) / least);
    }
}

static void special_values_are_left_undecided(void **state) {
    (void)state;
    static const float specials[] = {NAN, INFINITY, -INFINITY, -1, -0.0f, 0, 0x1p-149f, 0x1p-100f, 0x1p+99f, 3e38f};
    enum { SPECIALS = sizeof specials / sizeof specials[0], FLOATS = sizeof(abut_obb) / sizeof(float) };
    abut_obb a[MOST], b[MOST];
    for (unsigned long round = 0; round < test_count(5); round++) {
        for (size_t which = 0; which < 2 * FLOATS * SPECIALS; which++) {
            rng r = rng_make(test_seed(), ~(which + 1000 * round));
            for (size_t k = 0; k < MOST; k++) {
                random_pair(&r, &a[k], &b[k]);
            }
            abut_obb *box = which % 2 ? &a[which % MOST] : &b[which % MOST];
            (&box->center.x)[which / 2 % FLOATS] = specials[which / 2 / FLOATS];
            abut_collider collider;
            compare_all_sets(a, b, MOST, sizeof(abut_obb), margins[rng_below(&r, 3)]);
            if (abut_collider_from_obb(box, &collider)) {
                continue;
            }
            list l = list_make(a, b, MOST, sizeof(abut_obb));
            assert_int_equal(ask(&l.pairs, 0).verdict[which % MOST], ABUT_NP_UNDECIDED);
            list_destroy(&l);
        }
    }
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    compare_all_sets(a, b, MOST, sizeof(abut_obb), 0);
    list l = list_make(a, b, 1, sizeof(abut_obb));
    assert_int_equal(ask(&l.pairs, 0).verdict[0], ABUT_NP_UNDECIDED);
    list_destroy(&l);
}

static void many_answer_as_one_by_one_on_every_set(void **state) {
    (void)state;
    enum { N = 700 };
    static abut_collider a[N], b[N];
    static uint32_t index[N];
    static uint8_t verdict[N + 1];
    for (uint32_t k = 0; k < N; k++) {
        abut_obb box_a, box_b;
        rng r = rng_make(test_seed(), k);
        random_pair(&r, &box_a, &box_b);
        assert_true(abut_collider_from_obb(&box_a, &a[k]) && abut_collider_from_obb(&box_b, &b[k]));
        index[k] = k;
    }
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        for (size_t n = 0; abut_isa_select((abut_isa)isa) == ABUT_OK && n <= N; n += n < 10 ? 1 : 69) {
            float margin = margins[n % 3];
            memset(verdict, 7, sizeof verdict);
            abut_np_box_verdicts_many(&(abut_np_box_pairs){a, b, sizeof *a, sizeof *b, index, index, n}, margin, false,
                                      verdict);
            for (size_t k = 0; k < n; k++) {
                bool apart = abut_np_box_separated(&a[k], &b[k], margin);
                assert_int_equal(verdict[k], apart ? ABUT_NP_APART : ABUT_NP_TOUCHING);
            }
            assert_int_equal(verdict[n], 7);
        }
    }
}

static double seconds(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) == TIME_UTC ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

static void print_speed(void **state) {
    (void)state;
    enum { N = 1000, RUNS = 50 };
    static abut_obb a[N], b[N];
    static uint32_t index[N];
    static uint8_t verdict[N];
    static uint16_t axes[N];
    rng r = rng_make(test_seed(), 0);
    for (uint32_t k = 0; k < N; k++) {
        a[k] = (abut_obb){rng_vec3(&r, -1, 1), rng_rotation(&r), {1, 1, 1}};
        b[k] = (abut_obb){rng_vec3(&r, -1, 1), rng_rotation(&r), {0.5f, 1, 1.5f}};
        index[k] = k;
    }
    abut_np_box_pairs pairs = {a, b, sizeof *a, sizeof *b, index, index, N};
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        double best[2] = {1, 1};
        for (int run = 0; abut_isa_select((abut_isa)isa) == ABUT_OK && run < RUNS; run++) {
            double start = seconds();
            abut_np_box_kernels_active()->float_verdicts(&pairs, 0, verdict);
            double middle = seconds();
            abut_np_box_kernels_active()->double_axes(&pairs, 0, axes);
            double end = seconds();
            best[0] = fmin(best[0], middle - start);
            best[1] = fmin(best[1], end - middle);
        }
        if (best[0] < 1) {
            printf("%-8s  verdicts %6.2f ns a pair, axes %6.2f ns\n", abut_isa_name((abut_isa)isa), best[0] / N * 1e9,
                   best[1] / N * 1e9);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_equals_the_portable_one),
        cmocka_unit_test(special_values_are_left_undecided),
        cmocka_unit_test(many_answer_as_one_by_one_on_every_set),
        cmocka_unit_test(print_speed),
    };
    return test_run(tests);
}
