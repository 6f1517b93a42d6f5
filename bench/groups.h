/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The groups of contests, and their shared parts. */
#ifndef ABUT_BENCH_GROUPS_H
#define ABUT_BENCH_GROUPS_H

#include "bench.h"
#include "contest.h"
#include "inputs.h"
#include "peers/peers.h"
#include "scenes.h"

typedef struct bench_size {
    size_t pairs;  /* in a run; few enough to stay in the caches */
    size_t bodies; /* in a world */
    size_t rounds;
} bench_size;

void bench_pairs(const bench_size *size, contest_list *list);
void bench_bounds(const bench_size *size, contest_list *list);
void bench_manifolds(const bench_size *size, contest_list *list);
void bench_hulls(const bench_size *size, contest_list *list);
void bench_hull_build(const bench_size *size, contest_list *list);
void bench_round(const bench_size *size, bool quick, contest_list *list);

/* Those of whole frames: `quick` makes the scenes small. */
void bench_broad(bool quick, contest_list *list);
void bench_worlds(bool quick, contest_list *list);
void bench_round_worlds(bool quick, contest_list *list); /* a part of bench_round */
void bench_rest(bool quick, contest_list *list);
void bench_growth(bool quick, contest_list *list);
void bench_placements(bool quick, contest_list *list);
void bench_queries(bool quick, contest_list *list);
void bench_casts(bool quick, contest_list *list);
void bench_mesh(bool quick, contest_list *list);
void bench_snapshots(bool quick, contest_list *list);
void bench_threads(bool quick, contest_list *list);

/* Each folder is a recorded scene with its cameras: cull_scenes.h. */
void bench_culling(bool quick, const char *const *folders, size_t folder_count, contest_list *list);

/* --- peers in a contest --- */

/* The peers that were added, so that new poses can be passed to them. */
typedef struct peer_entry {
    const peer *peer;
    void *state;
} peer_entry;

typedef struct peer_entries {
    size_t count;
    peer_entry entries[METHODS_MAX];
} peer_entries;

/* Adds every peer that does the task; `added` may be NULL. */
void bench_add_peers(contest *c, peer_task task, const pair_set *set, peer_entries *added);

/* --- our step in a contest, and the peers on the same pairs that the step resolves --- */

typedef struct step_input {
    scene_kind kind;       /* as tumbling, but of any shapes */
    const hull_set *hulls; /* every body gets one of these; NULL: the scene's own shapes */
    bool moving;           /* false: every frame sets the poses again to the same values */
} step_input;

void bench_step(contest *c, const bench_size *size, const step_input *input, contest_list *list);

#endif
