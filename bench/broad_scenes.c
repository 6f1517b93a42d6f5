/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broad_scenes.h"
#include "bench.h"
#include <stdlib.h>

enum { seed = 1, few = 100 };

static const struct {
    const char *name;
    scene_kind kind;
} kinds[] = {
    [BROAD_UNIFORM] = {"a uniform", SCENE_TUMBLING},
    [BROAD_CITY] = {"b city, 10 % move", SCENE_CITY},
    [BROAD_MIXED] = {"c mixed sizes", SCENE_MIXED},
    [BROAD_CLUSTERS] = {"d clusters", SCENE_CLUSTERS},
    [BROAD_TELEPORT] = {"e teleport", SCENE_TELEPORT},
    [BROAD_FEW_MOVING] = {"f 1 % move, 99 % are static", SCENE_TUMBLING},
    [BROAD_MOST_RESTING] = {"g 1 % move, 99 % rest", SCENE_TUMBLING},
    [BROAD_RODS] = {"h rods as long as the world", SCENE_TUMBLING},
    [BROAD_DEBRIS] = {"i a heap of debris, 2 % others", SCENE_TUMBLING},
    [BROAD_ONLY_DEBRIS] = {"j a heap of debris", SCENE_TUMBLING},
};

/* Boxes [first, end) from the poses; without a rotation they are the bodies' bounds, which broad.c checks. */
static void refresh(broad_scene *s, size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) {
        s->scene.poses[i].rotation = (abut_quat){0.0f, 0.0f, 0.0f, 1.0f};
        s->boxes[i] =
            abut_obb_bounds(&(abut_obb){s->scene.poses[i].position, s->scene.poses[i].rotation, s->scene.defs[i].half});
    }
}

static bool is_heap(broad_kind kind) {
    return kind == BROAD_DEBRIS || kind == BROAD_ONLY_DEBRIS;
}

/* The last bodies become debris, and all of them move closer together. */
static size_t make_heap(scene *s, broad_kind kind) {
    enum { others = 50 };
    const uint64_t of_debris = 2;
    const float scale = 0.4f;
    size_t debris = s->count - (kind == BROAD_DEBRIS ? s->count / others : 0);
    for (size_t i = 0; i < s->count; ++i) {
        abut_vec3 *p = &s->poses[i].position;
        *p = (abut_vec3){scale * p->x, scale * p->y, scale * p->z};
        if (i >= s->count - debris) {
            s->defs[i].filter = (abut_filter){.category = of_debris, .mask = ~of_debris};
        }
    }
    s->low = (abut_vec3){scale * s->low.x, scale * s->low.y, scale * s->low.z};
    s->high = (abut_vec3){scale * s->high.x, scale * s->high.y, scale * s->high.z};
    return debris;
}

static void make_rods(scene *s) {
    for (size_t i = 0; i < s->count; ++i) {
        float thin = 0.007f * s->high.x, length = s->high.x;
        abut_vec3 *half = &s->defs[i].half, *at = &s->poses[i].position;
        *half = (abut_vec3){thin, thin, thin};
        *(i % 3 == 0 ? &half->x : i % 3 == 1 ? &half->y : &half->z) = length;
        *(i % 3 == 0 ? &at->x : i % 3 == 1 ? &at->y : &at->z) = 0.0f;
    }
}

void broad_scene_create(broad_scene *s, broad_kind kind, size_t count) {
    *s = (broad_scene){0};
    if (!scene_create(&s->scene, kinds[kind].kind, count, seed)) {
        bench_fail("no memory for the scene");
    }
    if (kind == BROAD_FEW_MOVING || kind == BROAD_MOST_RESTING) {
        s->scene.mover_count = (count + few - 1) / few;
    }
    size_t debris = is_heap(kind) ? make_heap(&s->scene, kind) : 0;
    if (kind == BROAD_RODS) {
        make_rods(&s->scene);
    }
    s->boxes = bench_alloc(count, sizeof *s->boxes);
    refresh(s, 0, count);
    for (size_t i = 0; i < count; ++i) {
        abut_body_def *def = &s->scene.defs[i];
        def->pose = s->scene.poses[i];
        if (kind == BROAD_FEW_MOVING && i >= s->scene.mover_count) {
            def->motion = ABUT_STATIC;
        }
    }
    s->frame = (box_frame){.count = count,
                           .mover_count = s->scene.mover_count,
                           .rest_pairs = kind == BROAD_MOST_RESTING,
                           .teleport = kind == BROAD_TELEPORT,
                           .debris = debris,
                           .boxes = s->boxes};
}

void broad_scene_advance(broad_scene *s) {
    scene_advance(&s->scene);
    refresh(s, 0, s->scene.mover_count);
}

void broad_scene_destroy(broad_scene *s) {
    scene_destroy(&s->scene);
    free(s->boxes);
    *s = (broad_scene){0};
}

const char *broad_scene_name(broad_kind kind) {
    return kinds[kind].name;
}
