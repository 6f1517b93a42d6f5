/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/schedules.h"
#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#  include <sched.h>
#endif

enum { THREADS = 4 };

/* Tasks `order[0 .. count - 1]` of one loop; the next one is taken by whoever is free. */
typedef struct queue {
    schedule *schedule;
    void (*task)(void *data, uint32_t index);
    void *data;
    const uint8_t *order;
    uint32_t count;
    abut_atomic_u32 next;
    uint64_t seed;
} queue;

static void shuffle(rng *r, uint8_t *order, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = rng_below(r, i);
        uint8_t other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

static uint32_t drain(queue *q, rng *r, bool pauses) {
    uint32_t done = 0;
    for (uint32_t i; (i = abut_atomic_add(&q->next, 1)) < q->count; done++) {
#ifdef ABUT_TEST_THREADS
        for (uint32_t pause = pauses ? rng_below(r, 4) : 0; pause; pause--) {
            sched_yield();
        }
        for (uint32_t spin = pauses ? rng_below(r, 2000) : 0; spin; spin--) {
            ABUT_PAUSE();
        }
#else
        (void)r;
        (void)pauses;
#endif
        q->task(q->data, q->order[i]);
    }
    return done;
}

#ifdef ABUT_TEST_THREADS

static abut_atomic_u32 threads_made; /* gives each thread a stream of its own */

static void *thread(void *context) {
    queue *q = context;
    if (q->schedule->prepare) {
        q->schedule->prepare(q->schedule->data);
    }
    rng r = rng_make(q->seed, abut_atomic_add(&threads_made, 1));
    (void)drain(q, &r, true);
    return NULL;
}

/* Does all tasks on up to `most` new threads; what could not be made, the caller does. */
static void run_threads(queue *q, uint32_t most) {
    pthread_t made[THREADS];
    uint32_t n = 0;
    while (n < most && n < q->count && pthread_create(&made[n], NULL, thread, q) == 0) {
        n++;
    }
    if (n == 0) {
        (void)drain(q, NULL, false);
    }
    while (n) {
        pthread_join(made[--n], NULL);
    }
}

#else

static void run_threads(queue *q, uint32_t most) {
    (void)most;
    (void)drain(q, NULL, false);
}

#endif

static void run_order(schedule *s, queue q, uint32_t first, uint32_t count) {
    q.order += first;
    q.count = count;
    if (count) {
        bool threads = s->kind >= SCHEDULE_ONE_FIRST;
        if (threads) {
            run_threads(&q, count == 1 ? 1 : THREADS);
        } else {
            (void)drain(&q, NULL, false);
        }
    }
}

static void run(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    schedule *s = user;
    uint32_t loop = abut_atomic_add(&s->loops, 1);
    if (count == 0 || count > ABUT_WORKERS_MAX || abut_atomic_add(&s->tasks, count) + count > s->workers) {
        (void)abut_atomic_add(&s->wrong, 1);
    }
    rng r = rng_make(s->seed, loop);
    uint8_t order[ABUT_WORKERS_MAX];
    for (uint32_t i = 0; i < count && i < ABUT_WORKERS_MAX; i++) {
        order[i] = (uint8_t)(s->kind == SCHEDULE_DESCENDING ? count - 1 - i : i);
    }
    if (s->kind >= SCHEDULE_SHUFFLED) {
        shuffle(&r, order, count);
    }
    queue q = {.schedule = s, .task = task, .data = data, .order = order, .seed = rng_u64(&r)};
    uint32_t first = s->kind == SCHEDULE_ONE_FIRST ? 1 : s->kind == SCHEDULE_LATE ? count - 1 : count;
    run_order(s, q, 0, first);
    run_order(s, q, first, count - first);
    (void)abut_atomic_add(&s->tasks, 0 - count);
}

abut_parallel schedule_parallel(schedule *s) {
    return (abut_parallel){.run = run, .workers = s->workers, .user = s};
}

schedule schedule_random(rng *r) {
    return (schedule){.kind = (schedule_kind)rng_below(r, SCHEDULE_KINDS),
                      .workers = schedule_workers[rng_below(r, SCHEDULE_WORKERS)],
                      .seed = rng_u64(r)};
}

const char *schedule_name(schedule_kind kind) {
    static const char *const names[SCHEDULE_KINDS] = {"ascending", "descending", "shuffled",
                                                      "one first", "threads",    "late"};
    return names[kind];
}
