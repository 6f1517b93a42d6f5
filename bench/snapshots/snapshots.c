/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Saving and restoring worlds, beside copying the same bytes. */

#include "bench.h"
#include "groups.h"
#include "stepper.h"
#include <abut/snapshot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    scene scene;
    stepper stepper;
    size_t size;
    void *bytes, *other;
    uint64_t rng;
    size_t changes; /* bodies that move before a restore */
    double seconds; /* of a restore alone */
    double stepping;
} state;

static void state_create(state *s, size_t boxes, size_t changes) {
    *s = (state){.changes = changes};
    if (!scene_create(&s->scene, SCENE_TUMBLING, boxes, 1)) {
        bench_fail("out of memory");
    }
    stepper_create(&s->stepper, &s->scene, NULL);
    stepper_run(&s->stepper, NULL);
    for (int i = 0; i < 40; ++i) { /* bodies rest */
        bench_check(abut_world_step(s->stepper.world, NULL, NULL), "abut_world_step");
    }
    s->size = abut_world_save(s->stepper.world, NULL, 0);
    s->bytes = bench_alloc(s->size, 1);
    s->other = bench_alloc(s->size, 1);
    (void)abut_world_save(s->stepper.world, s->bytes, s->size);
    memcpy(s->other, s->bytes, s->size);
}

static void state_destroy(state *s) {
    stepper_destroy(&s->stepper);
    scene_destroy(&s->scene);
    free(s->bytes);
    free(s->other);
}

static void copy(void *user, uint8_t *answers) {
    (void)answers;
    state *s = user;
    memcpy(s->other, s->bytes, s->size);
}

static void save(void *user, uint8_t *answers) {
    (void)answers;
    state *s = user;
    if (abut_world_save(s->stepper.world, s->bytes, s->size) != s->size) {
        bench_fail("the snapshot has another size");
    }
}

/* Moves some bodies a little, and steps. */
static void stray(state *s) {
    for (size_t i = 0; i < s->changes; ++i) {
        size_t body = (i * 7919 + 13) % s->scene.count;
        abut_pose pose = s->scene.poses[body];
        pose.position.x += 0.01f;
        bench_check(abut_body_set_pose(s->stepper.world, s->stepper.ids[body], &pose), "abut_body_set_pose");
    }
    bench_check(abut_world_step(s->stepper.world, NULL, NULL), "abut_world_step");
}

/* The time that is counted is that of the restore, and in `stepping` of the step after it. */
static void restore(void *user, uint8_t *answers) {
    (void)answers;
    state *s = user;
    stray(s);
    double start = bench_now();
    bench_check(abut_world_restore(s->stepper.world, s->bytes, s->size, NULL), "abut_world_restore");
    double restored = bench_now();
    bench_check(abut_world_step(s->stepper.world, NULL, NULL), "abut_world_step");
    s->seconds = restored - start;
    s->stepping = bench_now() - restored;
    bench_check(abut_world_restore(s->stepper.world, s->bytes, s->size, NULL), "abut_world_restore");
}

static void hold(size_t boxes, size_t changes, size_t rounds, contest_list *list) {
    state s;
    state_create(&s, boxes, changes);
    contest c = {.group = "snapshots", .unit = "snapshot", .units = 1, .units_max = 1};
    snprintf(c.input, sizeof c.input, "%zu boxes, %zu bytes, %zu move before a restore", boxes, s.size, changes);
    contest_add(&c, "memcpy of the bytes", &s, copy)->silent = true;
    contest_refer(&c);
    contest_add(&c, "abut_world_save", &s, save)->silent = true;
    contest_method *m = contest_add(&c, "abut_world_restore", &s, restore);
    m->silent = true;
    m->seconds = &s.seconds;
    m = contest_add(&c, "the step after it", &s, NULL);
    m->silent = true;
    m->seconds = &s.stepping;
    contest_hold(&c, rounds, list);
    state_destroy(&s);
}

void bench_snapshots(bool quick, contest_list *list) {
    const size_t boxes[] = {1000, 10000, 100000};
    size_t sizes = quick ? 1 : 3, rounds = quick ? 3 : 31;
    hold(2000, 10, rounds, list);
    for (size_t i = 0; i < sizes; ++i) {
        hold(boxes[i], boxes[i] / 100, rounds, list);
    }
}
