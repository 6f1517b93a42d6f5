/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A world as every library has it, and contests of questions to it. Every library is asked all questions once; how many
 * of its answers differ from ours stands in the table. */
#ifndef ABUT_BENCH_ARENA_H
#define ABUT_BENCH_ARENA_H

#include "contest.h"
#include "query_ours.h"

enum { ENTRANTS_MAX = 12 };

typedef enum arena_motion {
    AT_REST,
    MOVED,
    MOVED_QUICKLY
} arena_motion; /* before the questions, by `update` or
                   update_quickly */

typedef struct arena_setup {
    const char *group;
    query_task first, last; /* tasks that will be asked: only peers that can do one of them are made */
    size_t bodies;
    bool mixed; /* as for query_scene_create */
    size_t rounds;
} arena_setup;

typedef struct arena_peer {
    const query_peer *peer;
    void *state;
} arena_peer;

typedef struct arena {
    arena_setup setup;
    query_scene scene;
    query_ours ours;
    size_t peer_count;
    arena_peer peers[ENTRANTS_MAX];
    char input[CONTEST_NAME_SIZE];
    contest_list *list;
} arena;

void arena_create(arena *a, const arena_setup *setup, contest_list *list);
void arena_destroy(arena *a);

/* Everybody who can answers the questions. Frees them. */
void arena_hold(arena *a, const char *row, query_task task, query_set questions, arena_motion moved);

#endif
