/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The narrow phase of a step, per candidate. Peers get the same pairs: a second world of the same bodies,
 * at ABUT_DETAIL_BOUNDS, lists every pair of bounds that touch. */

#include "groups.h"
#include "scene_rng.h"
#include <stdlib.h>

typedef struct step_state {
    scene scene;
    abut_world *world, *bounds;
    abut_body_id *ids, *bounds_ids;
    pair_set set;
    size_t pair_capacity;
    double seconds; /* of the narrow phase of the last step */
    bool moving;
    peer_entries peers;
} step_state;

static void make_world(abut_world **world, const scene *s, abut_body_id *ids) {
    bench_check(abut_world_create(NULL, world), "abut_world_create");
    bench_check(abut_bodies_create(*world, s->defs, s->count, ids), "abut_bodies_create");
}

static void use_hulls(step_state *s, const hull_set *hulls) {
    uint64_t rng = 3;
    s->set.hulls = hulls;
    s->set.shapes = bench_alloc(s->scene.count, sizeof *s->set.shapes);
    for (size_t i = 0; i < s->scene.count; ++i) {
        s->set.shapes[i] = scene_rng_below(&rng, (uint32_t)hulls->count);
        s->scene.defs[i].half = (abut_vec3){0};
        s->scene.defs[i].hull = hulls->shapes[s->set.shapes[i]];
    }
}

static void use_own(step_state *s) {
    s->set.halves = bench_alloc(s->scene.count, sizeof *s->set.halves);
    s->set.radii = bench_alloc(s->scene.count, sizeof *s->set.radii);
    for (size_t i = 0; i < s->scene.count; ++i) {
        s->set.halves[i] = s->scene.defs[i].half;
        s->set.radii[i] = s->scene.defs[i].radius;
    }
}

/* Ids of a world without gaps: index1 is 1 + the index in the scene. */
static void list_candidates(step_state *s) {
    size_t n;
    bench_check(abut_world_step(s->bounds, NULL, NULL), "abut_world_step");
    const abut_contact *contacts = abut_world_contacts(s->bounds, &n);
    if (n > s->pair_capacity) {
        s->pair_capacity = 2 * n;
        free(s->set.pairs);
        s->set.pairs = bench_alloc(s->pair_capacity, sizeof *s->set.pairs);
    }
    for (size_t i = 0; i < n; ++i) {
        s->set.pairs[i] = (body_pair){contacts[i].a.index1 - 1, contacts[i].b.index1 - 1};
    }
    s->set.pair_count = n;
}

/* The next frame, for the worlds and the peers. */
static void advance(contest *c, void *user) {
    step_state *s = user;
    if (s->moving) {
        scene_advance(&s->scene);
    }
    bench_check(abut_bodies_set_poses(s->world, s->ids, s->scene.poses, s->scene.count), "abut_bodies_set_poses");
    bench_check(abut_bodies_set_poses(s->bounds, s->bounds_ids, s->scene.poses, s->scene.count),
                "abut_bodies_set_poses");
    list_candidates(s);
    for (size_t i = 0; i < s->peers.count; ++i) {
        s->peers.entries[i].peer->update(s->peers.entries[i].state, &s->set);
    }
    c->units = s->set.pair_count;
    if (c->units > c->units_max) {
        bench_fail("more candidates than there is room for");
    }
}

/* Both lists ascend; the pairs that touch are a subset of the candidates. */
static void run_step(void *state, uint8_t *answers) {
    step_state *s = state;
    abut_step_report report;
    bench_check(abut_world_step(s->world, NULL, &report), "abut_world_step");
    s->seconds = report.seconds_narrow;
    if (report.candidates != s->set.pair_count) {
        bench_fail("the step had other candidates than a world of bounds");
    }
    size_t n, next = 0;
    const abut_contact *contacts = abut_world_contacts(s->world, &n);
    for (size_t i = 0; i < s->set.pair_count; ++i) {
        body_pair pair = s->set.pairs[i];
        answers[i] = next < n && contacts[next].a.index1 - 1 == pair.a && contacts[next].b.index1 - 1 == pair.b;
        next += answers[i];
    }
}

static void create(step_state *s, size_t bodies, const step_input *input) {
    *s = (step_state){.moving = input->moving};
    if (!scene_create(&s->scene, input->kind, bodies, 1)) {
        bench_fail("no memory for the scene");
    }
    s->ids = bench_alloc(bodies, sizeof *s->ids);
    s->bounds_ids = bench_alloc(bodies, sizeof *s->bounds_ids);
    if (input->hulls != NULL) {
        use_hulls(s, input->hulls);
    } else {
        use_own(s);
    }
    s->set.body_count = bodies;
    s->set.poses = s->scene.poses;
    make_world(&s->world, &s->scene, s->ids);
    for (size_t i = 0; i < bodies; ++i) {
        s->scene.defs[i].detail = ABUT_DETAIL_BOUNDS;
    }
    make_world(&s->bounds, &s->scene, s->bounds_ids);
    list_candidates(s);
}

static void destroy(step_state *s) {
    abut_world_destroy(&s->world);
    abut_world_destroy(&s->bounds);
    free(s->ids);
    free(s->bounds_ids);
    s->set.poses = NULL; /* the scene's */
    pair_set_destroy(&s->set);
    scene_destroy(&s->scene);
}

void bench_step(contest *c, const bench_size *size, const step_input *input, contest_list *list) {
    step_state s;
    create(&s, size->bodies, input);
    c->units = s.set.pair_count;
    c->units_max = 2 * s.set.pair_count + 64; /* the scene keeps its density, so their number hardly changes */
    c->next = advance;
    c->user = &s;
    contest_add(c, "abut_world_step, narrow phase", &s, run_step)->seconds = &s.seconds;
    contest_refer(c);
    peer_task task = input->kind == SCENE_TUMBLING ? PEER_BOX_MANIFOLD : PEER_ROUND_MANIFOLD;
    bench_add_peers(c, input->hulls != NULL ? PEER_HULL_MANIFOLD : task, &s.set, &s.peers);
    contest_hold(c, size->rounds, list);
    destroy(&s);
}
