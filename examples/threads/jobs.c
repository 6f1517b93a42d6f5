/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Loops of a world on a job system of your own, of the kind that games have: jobs in a queue, a counter for those that
 * belong together, and whoever waits for a counter does other jobs meanwhile instead of sleeping. With fibers the
 * waiting fiber would be put aside; all else is the same. abut's jobs never wait, so one thread alone ends them, too.
 */
#include "drifting.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef struct job {
    void (*task)(void *data, uint32_t index);
    void *data;
    uint32_t index;
    atomic_uint *left; /* jobs of the same loop that have not ended */
} job;

enum { THREADS = 3, ROOM = 1024 };

typedef struct jobs {
    pthread_mutex_t mutex;
    pthread_cond_t added;
    job queue[ROOM];
    unsigned count;
    bool ended;
} jobs;

/* False: there was none. */
static bool take(jobs *j, bool wait, job *out) {
    (void)pthread_mutex_lock(&j->mutex);
    while (wait && j->count == 0 && !j->ended) {
        (void)pthread_cond_wait(&j->added, &j->mutex);
    }
    bool any = j->count > 0;
    if (any) {
        *out = j->queue[--j->count];
    }
    (void)pthread_mutex_unlock(&j->mutex);
    return any;
}

static void do_job(const job *todo) {
    todo->task(todo->data, todo->index);
    atomic_fetch_sub(todo->left, 1);
}

static void *worker(void *data) {
    for (job next; take(data, true, &next);) {
        do_job(&next);
    }
    return NULL;
}

/* The hook. What does not fit the queue runs here and now. */
static void run(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    jobs *j = user;
    atomic_uint left = count;
    uint32_t index = 0;
    (void)pthread_mutex_lock(&j->mutex);
    while (index < count && j->count < ROOM) {
        j->queue[j->count++] = (job){task, data, index++, &left};
    }
    (void)pthread_mutex_unlock(&j->mutex);
    (void)pthread_cond_broadcast(&j->added);
    while (index < count) {
        do_job(&(job){task, data, index++, &left});
    }
    while (atomic_load(&left) > 0) {
        job next;
        if (take(j, false, &next)) {
            do_job(&next);
        } else {
            (void)sched_yield();
        }
    }
}

int main(void) {
    static jobs j = {.mutex = PTHREAD_MUTEX_INITIALIZER, .added = PTHREAD_COND_INITIALIZER};
    pthread_t thread[THREADS];
    int made = 0;
    while (made < THREADS && pthread_create(&thread[made], NULL, worker, &j) == 0) {
        made++;
    }
    bool same = drifting_compare((abut_parallel){.run = run, .workers = THREADS + 1, .user = &j});
    (void)pthread_mutex_lock(&j.mutex);
    j.ended = true;
    (void)pthread_mutex_unlock(&j.mutex);
    (void)pthread_cond_broadcast(&j.added);
    for (int i = 0; i < made; i++) {
        (void)pthread_join(thread[i], NULL);
    }
    return same ? 0 : 1;
}
