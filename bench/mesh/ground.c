/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "ground.h"
#include "bench.h"
#include "inputs.h"
#include <stdio.h>
#include <stdlib.h>

enum { GROUND_METHODS = 8 };

abut_mesh *ground_mesh(const mesh_terrain *t, bool grid) {
    abut_mesh *mesh = NULL;
    if (grid) {
        const abut_mesh_grid_def def = {
            .heights = t->heights, .columns = t->side, .rows = t->side, .spacing = {1.0f, 1.0f, 1.0f}};
        bench_check(abut_mesh_create_grid(&def, &mesh), "abut_mesh_create_grid");
    } else {
        const abut_mesh_def def = {.vertices = t->vertices,
                                   .vertex_count = (size_t)t->side * t->side,
                                   .indices = t->indices,
                                   .triangle_count = t->triangle_count};
        bench_check(abut_mesh_create(&def, &mesh), "abut_mesh_create");
    }
    return mesh;
}

/* What moves between two of our steps. */
typedef enum ground_motion { ALL_MOVE, GROUND_MOVES, NONE_MOVES } ground_motion;

/* One method: ours, or a peer's. */
typedef struct walker {
    slide *slide;
    ground_motion motion;
    const mesh_peer *peer; /* NULL: ours */
    void *state;           /* the peer's */
    abut_mesh *mesh;
    abut_world *world;
    abut_body_id ground, *ids;
    size_t touching, points;
    size_t frames;
} walker;

static void create_ours(walker *w, bool grid) {
    const mesh_bodies *b = &w->slide->bodies;
    bench_check(abut_world_create(NULL, &w->world), "abut_world_create");
    w->mesh = ground_mesh(w->slide->terrain, grid);
    w->ids = bench_alloc(b->count, sizeof *w->ids);
    const abut_motion motion = w->motion == GROUND_MOVES ? ABUT_MOVING : ABUT_STATIC;
    bench_check(abut_body_create(w->world, &(abut_body_def){.mesh = w->mesh, .motion = motion}, &w->ground),
                "abut_body_create");
    for (size_t i = 0; i < b->count; ++i) {
        const abut_body_def def = {.pose = w->slide->poses[i],
                                   .half = b->half,
                                   .hull = b->hull,
                                   .radius = b->radius,
                                   .filter = {.group = -1}}; /* only the ground is measured */
        bench_check(abut_body_create(w->world, &def, &w->ids[i]), "abut_body_create");
    }
}

static void step(walker *w) {
    size_t parts;
    if (w->motion == ALL_MOVE) {
        bench_check(abut_bodies_set_poses(w->world, w->ids, w->slide->poses, w->slide->bodies.count),
                    "abut_bodies_set_poses");
    } else if (w->motion == GROUND_MOVES) {
        const abut_pose pose = {.position = {0.0f, w->frames % 2 ? 0.01f : 0.0f, 0.0f}, .rotation.w = 1.0f};
        bench_check(abut_body_set_pose(w->world, w->ground, &pose), "abut_body_set_pose");
    }
    w->frames++;
    bench_check(abut_world_step(w->world, NULL, NULL), "abut_world_step");
    const abut_contact_part *part = abut_world_parts(w->world, &parts);
    w->points = 0;
    for (size_t i = 0; i < parts; ++i) {
        w->points += part[i].manifold.count;
    }
    (void)abut_world_contacts(w->world, &w->touching);
}

static void run(void *state, uint8_t *answers) {
    (void)answers;
    walker *w = state;
    if (w->peer != NULL) {
        w->touching = w->peer->frame(w->state, w->slide->poses, &w->points);
    } else {
        step(w);
    }
}

static void destroy(void *state) {
    walker *w = state;
    if (w->peer != NULL) {
        w->peer->destroy(w->state);
        return;
    }
    abut_world_destroy(&w->world);
    abut_mesh_destroy(&w->mesh);
    free(w->ids);
}

static void enter(contest *c, walker *w, const char *name) {
    contest_method *m = contest_add(c, name, w, run);
    m->destroy = destroy;
    m->found = &w->points;
    m->may_differ = true; /* each library has its own choice of points */
}

static void advance(contest *c, void *user) {
    (void)c;
    slide_advance(user);
}

static void hold(const char *input, const mesh_terrain *terrain, const mesh_bodies *bodies, size_t rounds,
                 contest_list *list) {
    walker walkers[GROUND_METHODS] = {{.slide = NULL}};
    slide s;
    slide_create(&s, terrain, bodies, 7);
    contest c = contest_of_frames("mesh", advance, &s);
    c.counted = "points";
    snprintf(c.input, sizeof c.input, "%zu %s slide over %zu triangles", bodies->count, input, terrain->triangle_count);
    for (int grid = 1; grid >= 0; --grid) {
        walker *w = &walkers[c.method_count];
        *w = (walker){.slide = &s};
        create_ours(w, grid);
        enter(&c, w, grid ? "abut, grid" : "abut, triangles");
        if (grid) {
            contest_refer(&c);
        }
    }
    for (const mesh_library *const *library = mesh_libraries; *library != NULL; ++library) {
        for (size_t i = 0; i < (*library)->peer_count; ++i) {
            const mesh_peer *peer = &(*library)->peers[i];
            if ((bodies->hull == NULL || peer->hulls) && c.method_count < GROUND_METHODS) {
                walker *w = &walkers[c.method_count];
                *w = (walker){.slide = &s, .peer = peer, .state = peer->create(terrain, bodies)};
                enter(&c, w, peer->name);
            }
        }
    }
    contest_hold(&c, rounds, list);
    slide_destroy(&s);
}

/* Ours alone: nothing moves, or only the ground does. */
static void hold_rest(const mesh_terrain *terrain, size_t count, size_t rounds, contest_list *list) {
    walker walkers[3];
    slide s;
    slide_create(&s, terrain, &(mesh_bodies){.count = count, .half = {0.5f, 0.4f, 0.45f}}, 7);
    contest c = contest_of_frames("mesh", NULL, NULL);
    c.counted = "points";
    snprintf(c.input, sizeof c.input, "%zu boxes on %zu triangles", count, terrain->triangle_count);
    static const char *const names[] = {"all poses set to what they were", "the ground moves", "nothing set"};
    for (int i = 0; i < 3; ++i) {
        walkers[i] = (walker){.slide = &s, .motion = (ground_motion)i};
        create_ours(&walkers[i], true);
        enter(&c, &walkers[i], names[i]);
        if (i == 0) {
            contest_refer(&c);
        }
    }
    contest_hold(&c, rounds, list);
    slide_destroy(&s);
}

void ground_hold_bodies(const mesh_terrain *terrain, bool quick, contest_list *list) {
    const size_t count = quick ? 100 : 5000, rounds = quick ? 3 : 15;
    uint64_t rng = 5;
    hull_set hulls = hull_set_create(&rng, 1, 24);
    const mesh_bodies boxes = {.count = count, .half = {0.5f, 0.4f, 0.45f}},
                      large = {.count = count / 5, .half = {2.0f, 0.5f, 1.5f}},
                      capsules = {.count = count, .half = {0.0f, 0.0f, 0.4f}, .radius = 0.4f},
                      spheres = {.count = count, .radius = 0.4f}, stones = {.count = count, .hull = hulls.shapes[0]};
    hold("boxes", terrain, &boxes, rounds, list);
    hold("large boxes", terrain, &large, rounds, list);
    hold("capsules", terrain, &capsules, rounds, list);
    hold("spheres", terrain, &spheres, rounds, list);
    hold("hulls of 24", terrain, &stones, rounds, list);
    hold_rest(terrain, quick ? 100 : 500, rounds, list);
    hull_set_destroy(&hulls);
}
