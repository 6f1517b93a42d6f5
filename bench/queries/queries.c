/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Questions to a world beside other libraries: rays, lines of sight, overlaps, bounds, what is nearest, and rays into a
 * world in which all has just moved. */

#include "arena.h"
#include "groups.h"
#include "rare.h"
#include <math.h>
#include <string.h>

#define SHORT_RAYS "rays of 2 units"

static void hold_all(arena *a, bool quick) {
    const size_t many = quick ? 256 : 4096, some = quick ? 64 : 1024;
    const query_scene *s = &a->scene;
    arena_hold(a, "rays across the world", QUERY_FIRST, query_rays_across(s, many), AT_REST);
    arena_hold(a, "rays of a camera", QUERY_FIRST, query_rays_of_camera(s, quick ? 16 : 128), AT_REST);
    arena_hold(a, SHORT_RAYS, QUERY_FIRST, query_rays_of_length(s, many, 2.0f), AT_REST);
    arena_hold(a, "lines of sight across the world", QUERY_SIGHT, query_rays_across(s, many), AT_REST);
    arena_hold(a, "lines of sight of 20 units", QUERY_SIGHT, query_rays_of_length(s, many, 20.0f), AT_REST);
    arena_hold(a, "overlaps of a box, about 10", QUERY_OVERLAP, query_shapes(s, some, abut_box(2.64f, 3.3f, 3.96f)),
               AT_REST);
    arena_hold(a, "overlaps of a sphere, about 10", QUERY_OVERLAP, query_shapes(s, some, abut_sphere(4.2f)), AT_REST);
    arena_hold(a, "in bounds, about 10", QUERY_BOUNDS, query_boxes(s, some, 3.2f), AT_REST);
    arena_hold(a, "nearest body to a point", QUERY_NEAREST, query_points(s, some, 1), AT_REST);
    arena_hold(a, "nearest 8 bodies to a point", QUERY_NEAREST, query_points(s, some, QUERY_K_MAX), AT_REST);
    arena_hold(a, "all moved, then 1,024 rays (ms)", QUERY_FIRST, query_rays_across(s, some), MOVED);
    arena_hold(a, "the same, coarse trees (ms)", QUERY_FIRST, query_rays_across(s, some), MOVED_QUICKLY);
    rare_hold(a, 1000, query_points(s, quick ? 64 : 256, 1));
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
        arena_create(&a, &(arena_setup){"queries", QUERY_FIRST, QUERY_NEAREST, bodies, mixed, rounds}, list);
        hold_all(&a, quick);
        arena_destroy(&a);
        if (!mixed) {
            note_growth(&g, list, bodies);
        }
    }
    write_growth(&g, list);
}
