/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The questions as abut answers them: many in one call, or one call each. */
#ifndef ABUT_BENCH_QUERY_OURS_H
#define ABUT_BENCH_QUERY_OURS_H

#include "query_scene.h"

typedef struct query_ours {
    const query_scene *scene;
    abut_world *world;
    abut_body_id *ids;
    /* What the library writes, for as many questions as there ever are. */
    abut_hit *hits;
    uint8_t *blocked;
    abut_body_id *bodies;
    size_t *ends;
    abut_near *near;
    uint32_t *counts;
} query_ours;

enum { QUERY_COUNT_MAX = 16384, QUERY_BODIES_MAX = 64, QUERY_K_MAX = 8 };

void query_ours_create(query_ours *o, const query_scene *s);
void query_ours_destroy(query_ours *o);
void query_ours_update(void *state); /* passes all poses */

extern void (*const query_ours_batch[QUERY_TASK_COUNT])(void *state, const query_set *questions, query_answer *answers);
/* NULL where a batch is one call each anyway. */
extern void (*const query_ours_single[QUERY_TASK_COUNT])(void *state, const query_set *questions,
                                                         query_answer *answers);

#endif
