/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "sweep_pairs.h"
#include "bench.h"
#include "sweep_inputs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWEEPERS_MAX = 10 };
static const float error = 0.01f; /* of a fraction; FCL stops at steps of 1e-4, Bullet at 0.001 units */

typedef struct sweeper {
    const sweep_set *set;
    const sweep_peer *peer; /* NULL: ours */
    void *state;            /* the peer's */
    float *fractions;       /* per pair */
    const float *right;     /* the judge's */
    double seconds;
    size_t yes, differ;
} sweeper;

static void sweep_ours(const sweep_set *set, float *fractions) {
    for (size_t i = 0; i < set->count; ++i) {
        const sweep_body *a = &set->a[i], *b = &set->b[i];
        abut_hit hit;
        bool meets =
            abut_shape_sweep(&a->shape, &a->from, &a->to, &b->shape, &b->from, &b->to, ABUT_INITIAL_CLOSING, &hit);
        fractions[i] = meets ? hit.fraction : SWEEP_NONE;
    }
}

static void run(void *state, uint8_t *answers) {
    (void)answers;
    sweeper *s = state;
    double start = bench_now();
    if (s->peer != NULL) {
        s->peer->run(s->state, s->fractions);
    } else {
        sweep_ours(s->set, s->fractions);
    }
    s->seconds = bench_now() - start;
    s->yes = s->differ = 0;
    for (size_t i = 0; i < s->set->count; ++i) {
        s->yes += s->fractions[i] != SWEEP_NONE;
        s->differ += fabsf(s->fractions[i] - s->right[i]) > error;
    }
}

static void destroy(void *state) {
    sweeper *s = state;
    if (s->peer != NULL) {
        s->peer->destroy(s->state);
    }
    free(s->fractions);
}

static void enter(contest *c, sweeper sweepers[SWEEPERS_MAX], const sweep_set *set, const sweep_peer *peer) {
    if (c->method_count == SWEEPERS_MAX) {
        bench_fail("too many methods that sweep pairs");
    }
    sweeper *s = &sweepers[c->method_count];
    *s = (sweeper){.set = set, .peer = peer, .fractions = bench_alloc(set->count, sizeof *s->fractions)};
    s->state = peer != NULL ? peer->create(set) : NULL;
    s->right = sweepers[0].fractions;
    contest_method *m = contest_add(c, peer != NULL ? peer->name : "abut_shape_sweep", s, run);
    m->destroy = destroy;
    m->seconds = &s->seconds;
    m->yes = &s->yes;
    m->differ = &s->differ;
}

static void hold(const char *input, const sweep_set *set, size_t rounds, contest_list *list) {
    sweeper sweepers[SWEEPERS_MAX];
    contest c = {.group = "casts", .unit = "pair", .units = set->count, .units_max = set->count};
    snprintf(c.input, sizeof c.input, "%s", input);
    enter(&c, sweepers, set, NULL);
    contest_refer(&c);
    for (const sweep_library *const *library = sweep_libraries; *library != NULL; ++library) {
        for (size_t i = 0; i < (*library)->peer_count; ++i) {
            enter(&c, sweepers, set, &(*library)->peers[i]);
        }
    }
    contest_hold(&c, rounds, list);
}

void sweep_pairs_hold(bool quick, contest_list *list) {
    static const struct {
        const char *input;
        bool hulls, meet;
    } cases[] = {{"swept boxes that meet", false, true},
                 {"swept boxes that miss by 0.1 to 0.5", false, false},
                 {"swept hulls of 24 that meet", true, true},
                 {"swept hulls of 24 that miss by 0.1 to 0.5", true, false}};
    uint64_t rng = 11;
    hull_set hulls = hull_set_create(&rng, 64, 24);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sweep_set set = sweep_set_create(12, quick ? 32 : 512, cases[i].hulls ? &hulls : NULL, cases[i].meet);
        hold(cases[i].input, &set, quick ? 3 : 11, list);
        sweep_set_destroy(&set);
    }
    hull_set_destroy(&hulls);
}
