/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Questions to a world beside other libraries: rays, lines of sight, overlaps, bounds, what is nearest, and rays into a
 * world in which all has just moved. Every library is asked all questions once; how many of its answers differ from
 * ours stands in the table. */

#include "groups.h"
#include "query_ours.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRANTS_MAX = 12 };
typedef enum motion { AT_REST, MOVED, MOVED_QUICKLY } motion; /* before the questions, by `update` or update_quickly */
static const double run_seconds = 0.1;                        /* slow methods answer only as many questions as fit */

/* A method of one contest. */
typedef struct entrant {
    const char *name;
    void *state;
    void (*update)(void *state); /* before the questions, and timed with them; or NULL */
    void (*ask)(void *state, const query_set *questions, query_answer *answers);
    const query_set *questions;
    float error; /* how far its distances may be from the judge's */
    const struct entrant *judge;
    query_answer *answers;
    size_t asked, yes, differ;
    double seconds; /* of a run, as if all were asked */
    bool judged;
} entrant;

typedef struct peer_world {
    const query_peer *peer;
    void *state;
} peer_world;

/* One world with everybody in it. */
typedef struct arena {
    query_scene scene;
    query_ours ours;
    size_t peer_count;
    peer_world peers[ENTRANTS_MAX];
    char input[CONTEST_NAME_SIZE];
    size_t rounds;
    contest_list *list;
} arena;

/* --- a method --- */

/* `error` is a distance, and the answer to a ray a fraction. */
static float tolerance_of(const query_set *questions, size_t i, float error) {
    if (questions->rays == NULL) {
        return error;
    }
    abut_vec3 way = questions->rays[i].translation;
    return error / sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
}

/* Some peers miss what they graze, but who does less than the others cannot be compared with them. */
static void judge(entrant *e) {
    e->judged = true;
    for (size_t i = 0; i < e->questions->count; ++i) {
        const query_answer *answer = &e->answers[i], *right = &e->judge->answers[i];
        e->yes += answer->found > 0;
        e->differ += answer->found != right->found || answer->sum != right->sum ||
                     fabsf(answer->value - right->value) > tolerance_of(e->questions, i, e->error);
    }
    if (e->differ > e->questions->count / 10) {
        fprintf(stderr, "abut-bench: queries: %zu answers of %s differ\n", e->differ, e->name);
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

static void enter_ours(round_of *r, arena *a, query_task task, const query_set *questions, motion moved) {
    entrant e = {.state = &a->ours, .ask = query_ours_batch[task], .questions = questions, .error = 0.002f};
    e.update = moved ? query_ours_update : NULL;
    enter(r, "abut", e);
    if (query_ours_single[task] != NULL && !moved) {
        e.ask = query_ours_single[task];
        enter(r, "abut, one a call", e);
    }
}

static bool can(const query_peer *p, const arena *a, query_task task, const query_set *questions, motion moved) {
    return p->ask[task] != NULL && (moved != MOVED || p->update != NULL) &&
           (moved != MOVED_QUICKLY || p->update_quickly != NULL) &&
           (task != QUERY_NEAREST || (questions->k <= p->k_max && (!p->boxes_only || a->scene.world.hull_count == 0)));
}

static void move(contest *c, void *user) {
    (void)c;
    query_scene_move(&((arena *)user)->scene);
}

/* Frees the questions. */
static void hold(arena *a, const char *row, query_task task, query_set questions, motion moved) {
    round_of r = {.c = {.group = "queries", .row = row, .unit = moved ? "frame" : "question", .user = a}};
    r.c.next = moved ? move : NULL;
    r.c.units = r.c.units_max = moved ? 1 : questions.count;
    snprintf(r.c.input, sizeof r.c.input, "%s", a->input);
    enter_ours(&r, a, task, &questions, moved);
    for (size_t i = 0; i < a->peer_count; ++i) {
        const query_peer *p = a->peers[i].peer;
        if (can(p, a, task, &questions, moved)) {
            entrant e = {.state = a->peers[i].state, .ask = p->ask[task], .questions = &questions, .error = p->error};
            e.update = moved == MOVED ? p->update : moved == MOVED_QUICKLY ? p->update_quickly : NULL;
            enter(&r, p->name, e);
        }
    }
    if (r.c.method_count > 0) {
        contest_hold(&r.c, a->rounds, a->list);
    }
    query_set_destroy(&questions);
}

/* --- worlds --- */

static void arena_create(arena *a, size_t bodies, bool mixed, size_t rounds, contest_list *list) {
    *a = (arena){.rounds = rounds, .list = list};
    snprintf(a->input, sizeof a->input, mixed ? "%zu bodies, half of them hulls" : "%zu boxes", bodies);
    fprintf(stderr, "abut-bench: queries, %s: building\n", a->input);
    query_scene_create(&a->scene, bodies, mixed);
    query_ours_create(&a->ours, &a->scene);
    for (size_t i = 0; query_peers[i] != NULL; ++i) {
        if (bodies <= query_peers[i]->count_max) {
            a->peers[a->peer_count++] = (peer_world){query_peers[i], query_peers[i]->create(&a->scene.world)};
        }
    }
}

static void arena_destroy(arena *a) {
    for (size_t i = 0; i < a->peer_count; ++i) {
        a->peers[i].peer->destroy(a->peers[i].state);
    }
    query_ours_destroy(&a->ours);
    query_scene_destroy(&a->scene);
}

#define SHORT_RAYS "rays of 2 units"

static void hold_all(arena *a, bool quick) {
    const size_t many = quick ? 256 : 4096, some = quick ? 64 : 1024;
    const query_scene *s = &a->scene;
    hold(a, "rays across the world", QUERY_FIRST, query_rays_across(s, many), AT_REST);
    hold(a, "rays of a camera", QUERY_FIRST, query_rays_of_camera(s, quick ? 16 : 128), AT_REST);
    hold(a, SHORT_RAYS, QUERY_FIRST, query_rays_of_length(s, many, 2.0f), AT_REST);
    hold(a, "lines of sight across the world", QUERY_SIGHT, query_rays_across(s, many), AT_REST);
    hold(a, "lines of sight of 20 units", QUERY_SIGHT, query_rays_of_length(s, many, 20.0f), AT_REST);
    hold(a, "overlaps of a box, about 10", QUERY_OVERLAP, query_shapes(s, some, abut_box(2.64f, 3.3f, 3.96f)), AT_REST);
    hold(a, "overlaps of a sphere, about 10", QUERY_OVERLAP, query_shapes(s, some, abut_sphere(4.2f)), AT_REST);
    hold(a, "in bounds, about 10", QUERY_BOUNDS, query_boxes(s, some, 3.2f), AT_REST);
    hold(a, "nearest body to a point", QUERY_NEAREST, query_points(s, some, 1), AT_REST);
    hold(a, "nearest 8 bodies to a point", QUERY_NEAREST, query_points(s, some, QUERY_K_MAX), AT_REST);
    hold(a, "all moved, then 1,024 rays (ms)", QUERY_FIRST, query_rays_across(s, some), MOVED);
    hold(a, "the same, coarse trees (ms)", QUERY_FIRST, query_rays_across(s, some), MOVED_QUICKLY);
}

/* --- growth --- */

/* The results of short rays, in worlds of several sizes. */
typedef struct growth {
    size_t count, bodies[4], results[4]; /* results: in the list */
} growth;

/* The slope of log time over log bodies. */
static double exponent_of(const growth *g, const contest_list *list, const char *method) {
    double n = 0.0, x1 = 0.0, y1 = 0.0, xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < g->count; ++i) {
        const contest_result *r = &list->results[g->results[i]];
        for (size_t k = 0; k < r->row_count; ++k) {
            if (strcmp(r->rows[k].name, method) == 0) {
                double x = log((double)g->bodies[i]), y = log(r->rows[k].nanoseconds);
                n += 1.0;
                x1 += x;
                y1 += y;
                xx += x * x;
                xy += x * y;
            }
        }
    }
    return n > 1.0 ? (n * xy - x1 * y1) / (n * xx - x1 * x1) : 0.0;
}

/* Remembers the last results of short rays, which are those of a world of that size. */
static void note_growth(growth *g, const contest_list *list, size_t bodies) {
    for (size_t i = list->count; i-- > 0;) {
        if (list->results[i].row != NULL && strcmp(list->results[i].row, SHORT_RAYS) == 0) {
            g->bodies[g->count] = bodies;
            g->results[g->count++] = i;
            return;
        }
    }
}

static void write_growth(const growth *g, contest_list *list) {
    for (size_t k = 0; g->count > 0 && k < list->results[g->results[g->count - 1]].row_count; ++k) {
        contest_row *row = &list->results[g->results[g->count - 1]].rows[k];
        row->exponent = exponent_of(g, list, row->name);
    }
}

void bench_queries(bool quick, contest_list *list) {
    static const size_t full[] = {10000, 100000, 1000000}, few[] = {500, 1000, 2000};
    growth g = {0};
    for (size_t i = 0; i < 6; ++i) {
        size_t bodies = (quick ? few : full)[i % 3], rounds = quick ? 3 : bodies > 100000 ? 5 : 11;
        bool mixed = i >= 3;
        arena a;
        arena_create(&a, bodies, mixed, rounds, list);
        hold_all(&a, quick);
        arena_destroy(&a);
        if (!mixed) {
            note_growth(&g, list, bodies);
        }
    }
    write_growth(&g, list);
}
