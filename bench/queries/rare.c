/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is nearest among few bodies of many: by a filter, or by a loop over a list of them that the caller keeps. */
#include "rare.h"
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RARE = 2 }; /* the category of those who count */

typedef struct seeker {
    query_ours *ours;
    const query_set *points;
    const abut_body_id *listed;
    size_t listed_count;
    float *distances;
    const float *right; /* the judge's */
    size_t yes, differ;
} seeker;

static void by_filter(void *state, uint8_t *answers) {
    seeker *s = state;
    query_ours *o = s->ours;
    const abut_query query = {.filter.mask = RARE};
    (void)answers;
    bench_check(
        abut_world_nearest_many(o->world, s->points->points, s->points->count, INFINITY, &query, o->near, 1, o->counts),
        "abut_world_nearest_many");
    s->yes = 0;
    for (size_t i = 0; i < s->points->count; ++i) {
        s->distances[i] = o->counts[i] > 0 ? o->near[i].distance : INFINITY;
        s->yes += o->counts[i];
    }
}

static void by_list(void *state, uint8_t *answers) {
    seeker *s = state;
    const query_scene *from = s->ours->scene;
    const abut_shape point = abut_point();
    (void)answers;
    s->yes = s->differ = 0;
    for (size_t i = 0; i < s->points->count; ++i) {
        const abut_pose at = {s->points->points[i], {0.0f, 0.0f, 0.0f, 1.0f}};
        s->distances[i] = INFINITY;
        for (size_t k = 0; k < s->listed_count; ++k) {
            size_t body = s->listed[k].index1 - 1;
            float distance = abut_shape_distance(&point, &at, &from->shapes[body], &from->poses[body], NULL, NULL);
            s->distances[i] = fminf(s->distances[i], distance);
        }
        s->yes += s->distances[i] < INFINITY;
        s->differ += fabsf(s->distances[i] - s->right[i]) > 1e-4f;
    }
}

static void set_filters(query_ours *o, size_t every, abut_filter filter) {
    for (size_t i = 0; i < o->scene->world.count; i += every) {
        bench_check(abut_body_set_filter(o->world, o->ids[i], &filter), "abut_body_set_filter");
    }
    bench_check(abut_world_refresh(o->world), "abut_world_refresh");
}

static void enter(contest *c, const char *name, seeker *s, void (*run)(void *state, uint8_t *answers)) {
    s->distances = bench_alloc(s->points->count, sizeof *s->distances);
    contest_method *m = contest_add(c, name, s, run);
    m->yes = &s->yes;
    m->differ = &s->differ;
}

void rare_hold(arena *a, size_t every, query_set points) {
    query_ours *o = &a->ours;
    const size_t bodies = o->scene->world.count, n = (bodies + every - 1) / every;
    abut_body_id *listed = bench_alloc(n, sizeof *listed);
    for (size_t i = 0; i < n; ++i) {
        listed[i] = o->ids[i * every];
    }
    contest c = {.group = a->setup.group, .unit = "question"};
    c.units = c.units_max = points.count;
    snprintf(c.input, sizeof c.input, "%.64s, the nearest of every %zuth", a->input, every);
    seeker ours = {.ours = o, .points = &points}, plain = ours;
    plain.listed = listed;
    plain.listed_count = n;
    enter(&c, "abut", &ours, by_filter);
    contest_refer(&c);
    plain.right = ours.distances;
    enter(&c, "a loop over those", &plain, by_list);
    set_filters(o, every, (abut_filter){.category = RARE});
    contest_hold(&c, a->setup.rounds, a->list);
    set_filters(o, every, (abut_filter){.category = 0});
    free(ours.distances);
    free(plain.distances);
    free(listed);
    query_set_destroy(&points);
}
