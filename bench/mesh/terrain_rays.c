/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include "ground.h"
#include "scene_rng.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAY_METHODS = 6 };
static const float none = 2.0f, error = 1e-4f; /* of a fraction */

typedef struct caster {
    const abut_ray *rays;
    size_t n;
    const mesh_ray_peer *peer; /* NULL: ours */
    void *state;
    abut_mesh *mesh;
    abut_world *world;
    abut_hit *hits;
    float *fractions;
    const float *right; /* the judge's */
    double seconds;
    size_t yes, differ;
} caster;

static void create_ours(caster *r, const mesh_terrain *terrain) {
    abut_body_id ground;
    bench_check(abut_world_create(NULL, &r->world), "abut_world_create");
    r->mesh = ground_mesh(terrain, false);
    const abut_body_def def = {.mesh = r->mesh, .motion = ABUT_STATIC};
    bench_check(abut_body_create(r->world, &def, &ground), "abut_body_create");
    bench_check(abut_world_refresh(r->world), "abut_world_refresh");
    r->hits = bench_alloc(r->n, sizeof *r->hits);
}

static void run(void *state, uint8_t *answers) {
    (void)answers;
    caster *r = state;
    double start = bench_now();
    if (r->peer != NULL) {
        r->peer->cast(r->state, r->rays, r->n, r->fractions);
    } else {
        bench_check(abut_world_cast_rays(r->world, r->rays, r->n, NULL, r->hits), "abut_world_cast_rays");
    }
    r->seconds = bench_now() - start;
    r->yes = r->differ = 0;
    for (size_t i = 0; i < r->n; ++i) {
        if (r->peer == NULL) {
            r->fractions[i] = r->hits[i].body.index1 ? r->hits[i].fraction : none;
        }
        r->yes += r->fractions[i] != none;
        r->differ += fabsf(r->fractions[i] - r->right[i]) > error;
    }
}

static void destroy(void *state) {
    caster *r = state;
    if (r->peer != NULL) {
        r->peer->destroy(r->state);
    } else {
        abut_world_destroy(&r->world);
        abut_mesh_destroy(&r->mesh);
        free(r->hits);
    }
    free(r->fractions);
}

static void enter(contest *c, caster casters[RAY_METHODS], const caster *like, const mesh_terrain *terrain,
                  const mesh_ray_peer *peer) {
    if (c->method_count == RAY_METHODS) {
        bench_fail("too many methods that cast rays at a terrain");
    }
    caster *r = &casters[c->method_count];
    *r = *like;
    r->peer = peer;
    r->fractions = bench_alloc(r->n, sizeof *r->fractions);
    r->right = casters[0].fractions;
    if (peer != NULL) {
        r->state = peer->create(terrain);
    } else {
        create_ours(r, terrain);
    }
    contest_method *m = contest_add(c, peer != NULL ? peer->name : "abut_world_cast_rays", r, run);
    m->destroy = destroy;
    m->seconds = &r->seconds;
    m->yes = &r->yes;
    m->differ = &r->differ;
}

typedef enum ray_kind { RAYS_DOWN, RAYS_FLAT, RAYS_ANY } ray_kind;

static abut_ray *make_rays(const mesh_terrain *t, ray_kind kind, size_t n) {
    abut_ray *rays = bench_alloc(n, sizeof *rays);
    float room = (float)(t->side - 1);
    uint64_t rng = 9;
    for (size_t i = 0; i < n; ++i) {
        float x = scene_rng_range(&rng, 0.0f, room), z = scene_rng_range(&rng, 0.0f, room);
        float x2 = scene_rng_range(&rng, 0.0f, room), z2 = scene_rng_range(&rng, 0.0f, room);
        float up = scene_rng_range(&rng, 0.2f, 3.0f);
        float y = (float)terrain_height((double)x, (double)z) + up;
        rays[i].origin = (abut_vec3){x, y, z};
        rays[i].translation = kind == RAYS_DOWN   ? (abut_vec3){0.1f * up, -1.5f * up, 0.05f * up}
                              : kind == RAYS_FLAT ? (abut_vec3){x2 - x, -0.3f * up, z2 - z}
                                                  : (abut_vec3){0.1f * (x2 - x), -2.0f * up, 0.1f * (z2 - z)};
    }
    return rays;
}

static void hold(const char *input, const mesh_terrain *terrain, ray_kind kind, bool quick, contest_list *list) {
    caster casters[RAY_METHODS];
    const size_t n = quick ? 256 : 8192;
    abut_ray *rays = make_rays(terrain, kind, n);
    contest c = {.group = "mesh", .unit = "ray", .units = n, .units_max = n};
    const caster like = {.rays = rays, .n = n};
    snprintf(c.input, sizeof c.input, "rays at %zu triangles, %s", terrain->triangle_count, input);
    enter(&c, casters, &like, terrain, NULL);
    contest_refer(&c);
    for (const mesh_library *const *library = mesh_libraries; *library != NULL; ++library) {
        for (size_t i = 0; i < (*library)->ray_count; ++i) {
            enter(&c, casters, &like, terrain, &(*library)->rays[i]);
        }
    }
    contest_hold(&c, quick ? 3 : 15, list);
    free(rays);
}

void ground_hold_rays(const mesh_terrain *terrain, bool quick, contest_list *list) {
    hold("short, down", terrain, RAYS_DOWN, quick, list);
    hold("slanting", terrain, RAYS_ANY, quick, list);
    hold("long and flat", terrain, RAYS_FLAT, quick, list);
}
