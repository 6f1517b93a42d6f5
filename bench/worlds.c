/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whole frames: set all poses, find every contact with its points, read them. Every library has its own tolerances, so
 * the others find other pairs; the table shows how many. */

#include "groups.h"
#include "stepper.h"
#include "world_scenes.h"
#include <stdio.h>

typedef struct peer_world {
    const world_peer *peer;
    void *state;
    world_count found;
} peer_world;

static void advance(contest *c, void *user) {
    (void)c;
    world_scene_advance(user);
}

static void run_world(void *state, uint8_t *answers) {
    (void)answers;
    peer_world *w = state;
    w->found = w->peer->run(w->state);
}

static void destroy_world(void *state) {
    peer_world *w = state;
    w->peer->destroy(w->state);
}

static void hold(const char *group, world_kind kind, size_t count, size_t rounds, contest_list *list) {
    world_scene s;
    stepper ours;
    peer_world worlds[METHODS_MAX];
    world_scene_create(&s, kind, count);
    stepper_create(&ours, &s.scene, NULL);
    ours.reads = true; /* as the others do */
    contest c = contest_of_frames(group, advance, &s);
    snprintf(c.input, sizeof c.input, "%s, %zu %s", world_scene_name(kind), s.scene.count,
             kind < WORLD_SPHERES ? "boxes" : "bodies");
    contest_add(&c, "abut", &ours, stepper_run)->found = &ours.contacts;
    contest_refer(&c);
    for (size_t i = 0; world_peers[i] != NULL; ++i) {
        worlds[i] = (peer_world){.peer = world_peers[i], .state = world_peers[i]->create(&s.frame)};
        contest_method *m = contest_add(&c, world_peers[i]->name, &worlds[i], run_world);
        m->destroy = destroy_world;
        m->found = &worlds[i].found.pairs;
        m->may_differ = true;
    }
    contest_hold(&c, rounds, list);
    if (kind == WORLD_BRICKS && ours.contacts != BRICK_TOUCHES) {
        bench_fail("not every brick touches those that it should");
    }
    stepper_destroy(&ours);
    world_scene_destroy(&s);
}

void bench_worlds(bool quick, contest_list *list) {
    size_t rounds = quick ? 3 : 21;
    hold("frames", WORLD_TUMBLING, quick ? 2000 : 10000, rounds, list);
    hold("frames", WORLD_PILE, quick ? 1000 : 8000, rounds, list);
    hold("frames", WORLD_WALLS, quick ? 1600 : 8000, rounds, list);
    if (quick) {
        return;
    }
    hold("frames", WORLD_TUMBLING, 50000, 11, list);
    hold("frames", WORLD_BRICKS, BRICK_COUNT, rounds, list);
    hold("frames", WORLD_BRICKS_REST, BRICK_COUNT, rounds, list);
}

void bench_round_worlds(bool quick, contest_list *list) {
    static const world_kind kinds[] = {WORLD_SPHERES, WORLD_CAPSULES, WORLD_ROUND};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        hold("round", kinds[i], quick ? 1000 : 10000, quick ? 3 : 21, list);
        if (!quick) {
            hold("round", kinds[i], 50000, 7, list);
        }
    }
}
