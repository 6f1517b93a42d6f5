/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Ways to run loops side by side that are as unlike each other as the contract of abut_parallel allows.
 *
 *     schedule s = {SCHEDULE_SHUFFLED, 16, seed};
 *     world_def.parallel = schedule_parallel(&s);
 *
 * Where a block takes the next one that is free, all orders on one thread are alike but for the number of the worker
 * that does everything; only SCHEDULE_THREADS and SCHEDULE_LATE let blocks run out of order. */
#ifndef ABUT_TESTS_SUPPORT_SCHEDULES_H
#define ABUT_TESTS_SUPPORT_SCHEDULES_H

#include "base/compiler.h"
#include "support/rng.h"
#include <abut/parallel.h>

typedef enum schedule_kind {
    SCHEDULE_ASCENDING,  /* on the caller, one after another */
    SCHEDULE_DESCENDING, /* the same, the last task first */
    SCHEDULE_SHUFFLED,   /* the same, in random order */
    SCHEDULE_ONE_FIRST,  /* a random task ends on another thread before the others begin on several */
    SCHEDULE_THREADS,    /* tasks in random order on a few new threads, which pause at random */
    SCHEDULE_LATE,       /* the same, but for one task that begins when all others have ended */
    SCHEDULE_KINDS       /* how many there are. Without threads the last three run on the caller */
} schedule_kind;

/* The numbers of workers worth a test: none at all is the world without `parallel`. */
static const uint32_t schedule_workers[] = {1, 2, 3, 16, 256};
enum { SCHEDULE_WORKERS = sizeof schedule_workers / sizeof *schedule_workers };

typedef struct schedule {
    schedule_kind kind;
    uint32_t workers; /* 1 to ABUT_WORKERS_MAX */
    uint64_t seed;
    void (*prepare)(void *data); /* NULL, or called on each new thread before its tasks: other floating-point modes */
    void *data;
    abut_atomic_u32 loops; /* how many ran */
    abut_atomic_u32 tasks; /* how many tasks are promised to loops that run now */
    abut_atomic_u32 wrong; /* loops that asked for no task or too many, or for more than `workers` with others */
} schedule;

/* For abut_world_def::parallel; `s` must outlive the world. */
abut_parallel schedule_parallel(schedule *s);

/* A random kind, number of workers and seed. */
schedule schedule_random(rng *r);

/* Of the kind, to print. */
const char *schedule_name(schedule_kind kind);

#endif
