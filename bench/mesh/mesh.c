/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Triangle meshes beside other libraries: bodies that slide over a terrain, rays at it, and making it. */

#include "bench.h"
#include "ground.h"
#include "groups.h"
#include <stdio.h>

typedef struct maker {
    const mesh_terrain *terrain;
    bool grid;
    const mesh_ray_peer *peer;
} maker;

static void make(void *state, uint8_t *answers) {
    (void)answers;
    const maker *m = state;
    if (m->peer != NULL) {
        void *made = m->peer->create(m->terrain);
        m->peer->destroy(made);
    } else {
        abut_mesh *mesh = ground_mesh(m->terrain, m->grid);
        abut_mesh_destroy(&mesh);
    }
}

static void hold_making(const mesh_terrain *terrain, size_t rounds, contest_list *list) {
    maker makers[METHODS_MAX];
    size_t count = 0;
    contest c = {.group = "mesh", .unit = "mesh", .units = 1, .units_max = 1};
    snprintf(c.input, sizeof c.input, "%zu triangles are made and destroyed", terrain->triangle_count);
    for (int grid = 1; grid >= 0; --grid) {
        makers[count] = (maker){.terrain = terrain, .grid = grid};
        contest_add(&c, grid ? "abut_mesh_create_grid" : "abut_mesh_create", &makers[count++], make)->silent = true;
    }
    c.references[0] = 1;
    c.reference_count = 1;
    for (const mesh_library *const *library = mesh_libraries; *library != NULL; ++library) {
        for (size_t i = 0; i < (*library)->ray_count; ++i) {
            makers[count] = (maker){.terrain = terrain, .peer = &(*library)->rays[i]};
            contest_add(&c, (*library)->rays[i].scene, &makers[count++], make)->silent = true;
        }
    }
    contest_hold(&c, rounds, list);
}

void bench_mesh(bool quick, contest_list *list) {
    mesh_terrain terrain;
    terrain_create(&terrain, quick ? 33 : 225);
    ground_hold_bodies(&terrain, quick, list);
    ground_hold_rays(&terrain, quick, list);
    hold_making(&terrain, quick ? 3 : 15, list);
    terrain_destroy(&terrain);
}
