/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "drifting.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES = 3000, FRAMES = 60 };

typedef struct drift {
    abut_world *world;
    abut_body_id ids[BOXES];
    abut_pose poses[BOXES];
    abut_body_def boxes[BOXES];
    uint32_t seed;
} drift;

/* From 0 to 1: the same numbers on every machine. */
static float next(drift *d) {
    d->seed = d->seed * 1664525u + 1013904223u;
    return (float)(d->seed >> 8) * (1.0f / 16777216);
}

static bool begin(drift *d, abut_parallel parallel) {
    const abut_world_def def = {.parallel = parallel};
    d->seed = 1;
    for (int i = 0; i < BOXES; i++) {
        d->poses[i] = (abut_pose){{22 * next(d), 22 * next(d), 22 * next(d)}, {next(d), next(d), next(d), 1}};
        d->boxes[i].pose = d->poses[i];
        d->boxes[i].half = (abut_vec3){0.5f, 0.4f, 0.3f};
    }
    return abut_world_create(&def, &d->world) == ABUT_OK &&
           abut_bodies_create(d->world, d->boxes, BOXES, d->ids) == ABUT_OK;
}

static bool advance(drift *d) {
    for (int i = 0; i < BOXES; i++) {
        d->poses[i].position.x += 0.1f * (next(d) - 0.5f);
        d->poses[i].position.y += 0.1f * (next(d) - 0.5f);
    }
    return abut_bodies_set_poses(d->world, d->ids, d->poses, BOXES) == ABUT_OK &&
           abut_world_step(d->world, NULL, NULL) == ABUT_OK;
}

bool drifting_compare(abut_parallel parallel) {
    drift *d = calloc(2, sizeof *d);
    size_t contacts = 0;
    bool same = d && begin(&d[0], (abut_parallel){0}) && begin(&d[1], parallel);
    for (int frame = 0; frame < FRAMES && same; frame++) {
        size_t n, m;
        same = advance(&d[0]) && advance(&d[1]);
        const abut_contact *a = abut_world_contacts(d[0].world, &n), *b = abut_world_contacts(d[1].world, &m);
        same = same && n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
        contacts += n;
    }
    printf("%d frames, %zu contacts\n", FRAMES, contacts);
    printf("the same bits with and without workers: %s\n", same ? "yes" : "no");
    for (int k = 0; k < 2 && d; k++) {
        abut_world_destroy(&d[k].world);
    }
    free(d);
    return same;
}
