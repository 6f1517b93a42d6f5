/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "terrain.h"
#include "bench.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

double terrain_height(double x, double z) {
    return 2 * sin(0.15 * x) * cos(0.11 * z) + 0.3 * sin(0.9 * x + 0.7 * z);
}

void terrain_create(mesh_terrain *t, uint32_t side) {
    float *heights = bench_alloc((size_t)side * side, sizeof *heights);
    abut_vec3 *vertices = bench_alloc((size_t)side * side, sizeof *vertices);
    uint32_t *indices = bench_alloc(6 * (size_t)(side - 1) * (side - 1), sizeof *indices);
    *t = (mesh_terrain){.side = side, .heights = heights, .vertices = vertices, .indices = indices};
    for (uint32_t j = 0; j < side; ++j) {
        for (uint32_t i = 0; i < side; ++i) {
            float height = (float)terrain_height(i, j);
            heights[j * side + i] = height;
            vertices[j * side + i] = (abut_vec3){(float)i, height, (float)j};
            t->lowest = fminf(t->lowest, height);
            t->highest = fmaxf(t->highest, height);
        }
    }
    for (uint32_t j = 0; j + 1 < side; ++j) {
        for (uint32_t i = 0; i + 1 < side; ++i) {
            uint32_t a = j * side + i, b = a + side;
            const uint32_t corners[6] = {a, b, a + 1, a + 1, b, b + 1};
            for (int k = 0; k < 6; ++k) {
                indices[3 * t->triangle_count + (size_t)k] = corners[k];
            }
            t->triangle_count += 2;
        }
    }
}

void terrain_destroy(mesh_terrain *t) {
    free((void *)t->heights);
    free((void *)t->vertices);
    free((void *)t->indices);
}

static void put(slide *s, size_t i) {
    abut_vec3 *p = &s->poses[i].position;
    p->y = (float)terrain_height((double)p->x, (double)p->z) + s->lift[i];
}

/* ODE takes a quaternion as it is: one that is not a unit gives it a body of another size. */
static abut_quat unit(abut_quat q) {
    float scale = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (abut_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

void slide_create(slide *s, const mesh_terrain *terrain, const mesh_bodies *bodies, uint64_t seed) {
    const abut_shape shape = {.half = bodies->half, .hull = bodies->hull, .radius = bodies->radius};
    float room = (float)(terrain->side - 1) - 8.0f;
    *s = (slide){.bodies = *bodies,
                 .terrain = terrain,
                 .poses = bench_alloc(bodies->count, sizeof *s->poses),
                 .lift = bench_alloc(bodies->count, sizeof *s->lift),
                 .way = bench_alloc(2 * bodies->count, sizeof *s->way)};
    for (size_t i = 0; i < bodies->count; ++i) {
        abut_pose *p = &s->poses[i];
        p->rotation = (abut_quat){scene_rng_range(&seed, -0.15f, 0.15f), scene_rng_range(&seed, -1.0f, 1.0f),
                                  scene_rng_range(&seed, -0.15f, 0.15f), scene_rng_range(&seed, -1.0f, 1.0f)};
        p->rotation = unit(p->rotation);
        s->lift[i] = -0.8f * abut_shape_bounds(&shape, p).min.y - 0.05f;
        p->position = (abut_vec3){4.0f + room * scene_rng_range(&seed, 0.0f, 1.0f), 0.0f,
                                  4.0f + room * scene_rng_range(&seed, 0.0f, 1.0f)};
        s->way[2 * i] = scene_rng_range(&seed, -0.05f, 0.05f);
        s->way[2 * i + 1] = scene_rng_range(&seed, -0.05f, 0.05f);
        put(s, i);
    }
}

void slide_advance(slide *s) {
    float most = (float)(s->terrain->side - 1) - 4.0f;
    for (size_t i = 0; i < s->bodies.count; ++i) {
        float *at[2] = {&s->poses[i].position.x, &s->poses[i].position.z};
        for (size_t k = 0; k < 2; ++k) {
            float *way = &s->way[2 * i + k];
            *way = (*at[k] + *way < 4.0f || *at[k] + *way > most) ? -*way : *way;
            *at[k] += *way;
        }
        put(s, i);
    }
}

void slide_destroy(slide *s) {
    free(s->poses);
    free(s->lift);
    free(s->way);
}
