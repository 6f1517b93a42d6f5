/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Every BEGIN has its END, whatever is called and from anywhere: random calls against a model. */

#include "ledger.h"
#include <stdlib.h>

/* Calls come before one step in `every`: in between the bodies rest. */
static void run(uint64_t stream, float margin, bool asks, uint32_t every, unsigned long steps, ledger_counts *sum) {
    ledger *l = calloc(1, sizeof *l);
    assert_non_null(l);
    ledger_open(l, stream, margin, asks);
    l->quiet = every > 1;
    while (l->step < steps) {
        for (uint32_t calls = rng_below(&l->r, every) == 0 ? rng_below(&l->r, 12) : 0; calls > 0; calls--) {
            ledger_call(l, false);
        }
        if (rng_chance(&l->r, 0.1)) {
            ledger_check(l);
        }
        ledger_step(l);
        if (l->step % 16 == 0) {
            ledger_check(l);
        }
    }
    ledger_check(l);
    ledger_expect(l, l->counts.begun == l->counts.ended + l->open_count, "begins and ends do not balance");
    const size_t *from = (const size_t *)(const void *)&l->counts;
    size_t *to = (size_t *)(void *)sum;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) {
        to[i] += from[i];
    }
    ledger_close(l);
    free(l);
}

static void assert_eventful(const ledger_counts *c, bool asks) {
    assert_true(c->begun > 1000 && c->persisted > 1000 && c->ended > 1000 && c->ended_by_destruction > 100);
    assert_true(c->reused > 100 && c->illegal > 100 && c->inside > 100 && c->busy > 10);
    assert_true(c->hulls > 100);
    assert_true(asks ? c->asked > 1000 && c->vetoed > 100 : c->asked == 0);
}

static void every_begin_has_one_end(void **state) {
    (void)state;
    ledger_counts counts = {0};
    for (uint64_t stream = 0; stream < 4; stream++) {
        run(stream, 0, false, 1, test_count(1500), &counts);
    }
    assert_eventful(&counts, false);
}

static void every_begin_has_one_end_with_a_margin(void **state) {
    (void)state;
    ledger_counts counts = {0};
    for (uint64_t stream = 100; stream < 102; stream++) {
        run(stream, 0.25f, false, 1, test_count(1500), &counts);
    }
    assert_eventful(&counts, false);
}

static void every_begin_has_one_end_when_the_caller_has_the_last_word(void **state) {
    (void)state;
    ledger_counts counts = {0};
    for (uint64_t stream = 200; stream < 204; stream++) {
        run(stream, stream % 2 == 0 ? 0 : 0.1f, true, 1, test_count(1500), &counts);
    }
    assert_eventful(&counts, true);
}

/* The calls from callbacks are few enough for most bodies to rest. */
static void every_begin_has_one_end_among_bodies_that_rest(void **state) {
    (void)state;
    ledger_counts counts = {0};
    for (uint64_t stream = 300; stream < 304; stream++) {
        run(stream, stream % 2 == 0 ? 0 : 0.1f, stream >= 302, 8, test_count(3000), &counts);
    }
    assert_true(counts.begun > 20 && counts.persisted > 200 && counts.ended > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_begin_has_one_end),
        cmocka_unit_test(every_begin_has_one_end_with_a_margin),
        cmocka_unit_test(every_begin_has_one_end_when_the_caller_has_the_last_word),
        cmocka_unit_test(every_begin_has_one_end_among_bodies_that_rest),
    };
    return test_run(tests);
}
