/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "arena.h"
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { few = 8 };                      /* answers that may differ whatever their share */
static const double run_seconds = 0.1; /* slow methods answer only as many questions as fit */

/* A method of one contest. */
typedef struct entrant {
    const char *name;
    void *state;
    void (*update)(void *state); /* before the questions, and timed with them; or NULL */
    void (*ask)(void *state, const query_set *questions, query_answer *answers);
    const query_world *world;
    const query_set *questions;
    bool may_differ;
    float error; /* how far its distances may be from the judge's */
    const struct entrant *judge;
    query_answer *answers;
    size_t asked, yes, differ;
    double seconds; /* of a run, as if all were asked */
    bool judged;
} entrant;

/* --- a method --- */

/* The way of what moves, of which answers are fractions; false: they are distances. */
static bool way_of(const query_world *world, const query_set *questions, size_t i, abut_vec3 *way) {
    if (questions->rays != NULL) {
        *way = questions->rays[i].translation;
    } else if (questions->casts != NULL) {
        *way = questions->casts[i].translation;
    } else if (questions->movers != NULL) {
        abut_vec3 from = world->poses[questions->movers[i]].position, to = questions->targets[i].position;
        *way = (abut_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
    } else {
        return false;
    }
    return true;
}

/* `error` is a distance. */
static float tolerance_of(const entrant *e, size_t i) {
    abut_vec3 way;
    bool moves = way_of(e->world, e->questions, i, &way);
    return moves ? e->error / sqrtf(way.x * way.x + way.y * way.y + way.z * way.z) : e->error;
}

/* Some peers miss what they graze, but who does less than the others cannot be compared with them. */
static void judge(entrant *e) {
    e->judged = true;
    for (size_t i = 0; i < e->questions->count; ++i) {
        const query_answer *answer = &e->answers[i], *right = &e->judge->answers[i];
        e->yes += answer->found > 0;
        e->differ += answer->found != right->found || answer->sum != right->sum ||
                     fabsf(answer->value - right->value) > tolerance_of(e, i);
    }
    if (e->differ > few + e->questions->count / 10 && !e->may_differ) {
        fprintf(stderr, "abut-bench: %zu answers of %s differ\n", e->differ, e->name);
        bench_fail("they must agree");
    }
}

static void run_entrant(void *state, uint8_t *answers) {
    (void)answers;
    entrant *e = state;
    query_set some = *e->questions;
    some.count = e->asked;
    if (e->update == NULL) {
        e->ask(e->state, &some, e->answers); /* not timed: the caches are as the method before has left them */
    }
    double start = bench_now();
    if (e->update != NULL) {
        e->update(e->state);
    }
    double updated = bench_now();
    e->ask(e->state, &some, e->answers);
    double answered = bench_now(), asking = (answered - updated) / (double)e->asked;
    e->seconds = updated - start + asking * (double)e->questions->count;
    if (!e->judged) {
        judge(e);
        double fit = run_seconds / asking;
        e->asked = fit < (double)e->asked ? (size_t)fit + 1 : e->asked;
    }
}

static void destroy_entrant(void *state) {
    entrant *e = state;
    free(e->answers);
}

/* --- a contest --- */

typedef struct round_of {
    contest c;
    entrant entrants[ENTRANTS_MAX];
} round_of;

static void enter(round_of *r, const char *name, entrant e) {
    entrant *to = &r->entrants[r->c.method_count];
    *to = e;
    to->name = name;
    to->judge = &r->entrants[0];
    to->asked = e.questions->count;
    to->answers = bench_alloc(e.questions->count, sizeof *to->answers);
    contest_method *m = contest_add(&r->c, name, to, run_entrant);
    m->destroy = destroy_entrant;
    m->seconds = &to->seconds;
    m->yes = &to->yes;
    m->differ = &to->differ;
    if (r->c.reference_count == 0) {
        contest_refer(&r->c);
    }
}

static void enter_ours(round_of *r, arena *a, query_task task, const query_set *questions, arena_motion moved) {
    entrant e = {.state = &a->ours,
                 .ask = query_ours_batch[task],
                 .world = &a->scene.world,
                 .questions = questions,
                 .error = 0.002f};
    e.update = moved ? query_ours_update : NULL;
    enter(r, "abut", e);
    if (query_ours_single[task] != NULL && !moved) {
        e.ask = query_ours_single[task];
        enter(r, "abut, one a call", e);
    }
}

static bool can(const query_peer *p, const arena *a, query_task task, const query_set *questions, arena_motion moved) {
    return p->ask[task] != NULL && (moved != MOVED || p->update != NULL) &&
           (moved != MOVED_QUICKLY || p->update_quickly != NULL) &&
           (task != QUERY_NEAREST || (questions->k <= p->k_max && (!p->boxes_only || a->scene.world.hull_count == 0)));
}

static void move(contest *c, void *user) {
    (void)c;
    query_scene_move(&((arena *)user)->scene);
}

void arena_hold(arena *a, const char *row, query_task task, query_set questions, arena_motion moved) {
    round_of r = {.c = {.group = a->setup.group, .row = row, .unit = moved ? "frame" : "question", .user = a}};
    r.c.next = moved ? move : NULL;
    r.c.units = r.c.units_max = moved ? 1 : questions.count;
    snprintf(r.c.input, sizeof r.c.input, "%s", a->input);
    enter_ours(&r, a, task, &questions, moved);
    for (size_t i = 0; i < a->peer_count; ++i) {
        const query_peer *p = a->peers[i].peer;
        if (can(p, a, task, &questions, moved)) {
            entrant e = {.state = a->peers[i].state,
                         .ask = p->ask[task],
                         .world = &a->scene.world,
                         .questions = &questions,
                         .may_differ = p->may_differ,
                         .error = p->error};
            e.update = moved == MOVED ? p->update : moved == MOVED_QUICKLY ? p->update_quickly : NULL;
            enter(&r, p->name, e);
        }
    }
    contest_hold(&r.c, a->setup.rounds, a->list);
    query_set_destroy(&questions);
}

/* --- worlds --- */

static bool takes_part(const query_peer *p, const arena_setup *setup) {
    bool does_one = false;
    for (size_t task = setup->first; task <= (size_t)setup->last; ++task) {
        does_one = does_one || p->ask[task] != NULL;
    }
    return does_one && setup->bodies <= p->count_max;
}

void arena_create(arena *a, const arena_setup *setup, contest_list *list) {
    *a = (arena){.setup = *setup, .list = list};
    snprintf(a->input, sizeof a->input, setup->mixed ? "%zu bodies, half of them hulls" : "%zu boxes", setup->bodies);
    fprintf(stderr, "abut-bench: %s, %s: building\n", setup->group, a->input);
    query_scene_create(&a->scene, setup->bodies, setup->mixed);
    query_ours_create(&a->ours, &a->scene);
    for (size_t i = 0; query_peers[i] != NULL; ++i) {
        if (takes_part(query_peers[i], setup)) {
            a->peers[a->peer_count++] = (arena_peer){query_peers[i], query_peers[i]->create(&a->scene.world)};
        }
    }
}

void arena_destroy(arena *a) {
    for (size_t i = 0; i < a->peer_count; ++i) {
        a->peers[i].peer->destroy(a->peers[i].state);
    }
    query_ours_destroy(&a->ours);
    query_scene_destroy(&a->scene);
}
