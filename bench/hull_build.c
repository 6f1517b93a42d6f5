/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Making hulls from point clouds. A method's answer is whether its hull has as many vertices as ours. */

#include "groups.h"
#include "scene_rng.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct cloud_set {
    size_t count, size;
    abut_vec3 *points; /* [cloud * size + point] */
    size_t *vertices;  /* per cloud, of our hull */
} cloud_set;

typedef struct build_method {
    const cloud_set *clouds;
    const peer_builder *builder;
} build_method;

static size_t build_ours(const abut_vec3 *points, size_t n) {
    abut_hull *hull;
    bench_check(abut_hull_create(points, n, NULL, &hull), "abut_hull_create");
    size_t vertices = abut_hull_vertex_count(hull);
    abut_hull_destroy(&hull);
    return vertices;
}

static const peer_builder ours = {"abut_hull_create", build_ours};

static void run_builder(void *state, uint8_t *answers) {
    const build_method *m = state;
    const cloud_set *c = m->clouds;
    for (size_t i = 0; i < c->count; ++i) {
        answers[i] = m->builder->build(c->points + i * c->size, c->size) == c->vertices[i];
    }
}

static void fill_cube(uint64_t *rng, abut_vec3 *points, size_t n) {
    const abut_vec3 low = {-1.0f, -1.0f, -1.0f}, high = {1.0f, 1.0f, 1.0f};
    for (size_t i = 0; i < n; ++i) {
        points[i] = scene_rng_vec3(rng, low, high);
    }
}

static void add_builder(contest *c, build_method *m, const cloud_set *clouds, const peer_builder *builder) {
    *m = (build_method){clouds, builder};
    contest_add(c, builder->name, m, run_builder);
}

static void hold(const char *input, void (*fill)(uint64_t *rng, abut_vec3 *points, size_t n), size_t points,
                 const bench_size *size, contest_list *list) {
    uint64_t rng = 19;
    cloud_set clouds = {.count = 1 + size->pairs / 2 / points, .size = points};
    build_method methods[METHODS_MAX];
    clouds.points = bench_alloc(clouds.count * points, sizeof *clouds.points);
    clouds.vertices = bench_alloc(clouds.count, sizeof *clouds.vertices);
    fill(&rng, clouds.points, clouds.count * points);
    for (size_t i = 0; i < clouds.count; ++i) {
        clouds.vertices[i] = build_ours(clouds.points + i * points, points);
    }
    contest c = {.group = "build", .unit = "hull", .units = clouds.count, .units_max = clouds.count};
    snprintf(c.input, sizeof c.input, "%zu points %s", points, input);
    add_builder(&c, &methods[0], &clouds, &ours);
    contest_refer(&c);
    for (const peer_library *const *library = peer_libraries; *library != NULL; ++library) {
        for (size_t i = 0; i < (*library)->builder_count && c.method_count < METHODS_MAX; ++i) {
            add_builder(&c, &methods[c.method_count], &clouds, &(*library)->builders[i]);
        }
    }
    contest_hold(&c, size->rounds, list);
    free(clouds.points);
    free(clouds.vertices);
}

void bench_hull_build(const bench_size *size, contest_list *list) {
    static const size_t points[] = {8, 16, 32, 64, 256, 1000};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
        hold("on a sphere", random_on_sphere, points[i], size, list);
        hold("in a cube", fill_cube, points[i], size, list);
    }
}
