/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A model kept beside a world: what was created, what it is now, which bodies touch. Random calls, legal and
 * illegal, go to both. */
#ifndef ABUT_TESTS_WORLD_LEDGER_H
#define ABUT_TESTS_WORLD_LEDGER_H

#include "world/world_test.h"

enum { LEDGER_MOST = 90, LEDGER_PAIRS = LEDGER_MOST * (LEDGER_MOST - 1) / 2, LEDGER_HULLS = 12 };

typedef struct ledger_body {
    bool alive;
    abut_body_id id;
    abut_vec3 half;
    const abut_hull *hull;          /* NULL: a box */
    uint32_t parent_plus_one, root; /* indices into ledger.body */
    abut_pose pose;
    abut_filter filter;
    abut_motion motion;
    abut_detail detail;
    uint64_t user;
} ledger_body;

/* How often the interesting things happened. */
typedef struct ledger_counts {
    size_t begun, persisted, ended, ended_by_destruction, reused, vetoed, asked;
    size_t calls, illegal, inside, busy, hulls;
} ledger_counts;

typedef struct ledger {
    abut_world *world;
    float margin;
    bool asks;  /* the world has should_collide */
    bool quiet; /* few calls from callbacks */
    rng r;
    abut_hull *hull[LEDGER_HULLS]; /* those that no body uses are replaced now and then */
    ledger_body body[LEDGER_MOST];
    size_t live, peak;
    uint32_t generation[LEDGER_MOST + 1]; /* by index1: the latest seen */
    abut_contact open[LEDGER_PAIRS];      /* the contacts of the last step */
    size_t open_count;
    abut_contact reported[3 * LEDGER_PAIRS];
    size_t reported_count;
    pair_list touching; /* within a step: what should be asked for, and how often it was */
    uint8_t asked[LEDGER_PAIRS];
    uint64_t stream;
    unsigned long step;
    ledger_counts counts;
} ledger;

/* `l` is zero; free it with ledger_close. */
void ledger_open(ledger *l, uint64_t stream, float margin, bool asks);
void ledger_close(ledger *l);

/* A hull may be destroyed after its last body, even while lists still name that body. */
void ledger_replace_unused_hulls(ledger *l);

/* One random call, legal or not, to the world and the model; what it returns is checked. */
void ledger_call(ledger *l, bool inside_callback);
/* One step: contacts, events, callbacks and phases are checked. */
void ledger_step(ledger *l);
/* All getters against the model, and abut_world_validate. */
void ledger_check(const ledger *l);

/* The pure rule that the ledger's should_collide follows. */
bool ledger_allows(uint64_t user_a, uint64_t user_b);

/* Fails the test when `ok` is false and says where in the run. */
#define ledger_expect(l, ok, what) check_case(ok, what, (l)->stream, (l)->step)

#endif
