/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "cull_scenes.h"
#include "bench.h"
#include "scene_rng.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { seed = 1, players = 4, cascades = 4, cubes = 2 };

/* 60 degrees high, 16 : 9. */
static const float half_height = 0.57735027f, half_width = 1.0264f;

static const struct {
    const char *name;
    float far_part;  /* how far the camera sees, relative to the map's side */
    float low, high; /* half extents */
    bool sorted, large;
    float width; /* of the map, relative to that of other scenes; 0: 1 */
    float back;  /* how far the camera stands back, in sides of the map */
} kinds[] = {
    [CULL_GAME] = {"game, 5 % visible", 0.22f, 0.25f, 0.75f, false, false, 0.0f, 0.0f},
    [CULL_GAME_SORTED] = {"game, 5 % visible, sorted", 0.22f, 0.25f, 0.75f, true, false, 0.0f, 0.0f},
    [CULL_GAME_FAR] = {"game, 20 % visible", 0.44f, 0.25f, 0.75f, false, false, 0.0f, 0.0f},
    [CULL_LARGE] = {"large objects", 0.44f, 2.0f, 30.0f, false, true, 0.0f, 0.0f},
    [CULL_SHORT] = {"a short frustum", 0.03f, 0.5f, 10.0f, false, true, 0.0f, 0.0f},
    [CULL_CORNERS] = {"short frustum, quarter visible", 0.3f, 1.0f, 10.0f, false, true, 0.06f, 0.0f},
    [CULL_ALL] = {"everything visible", 4.0f, 0.25f, 0.75f, false, false, 0.0f, 2.0f},
    [CULL_NOTHING] = {"nothing visible", 1.0f, 0.25f, 0.75f, false, false, 0.0f, -2.0f},
};

/* --- generated scenes --- */

/* Most values are near the lower end of the range. */
static float mostly_small(uint64_t *rng, float low, float high) {
    float x = scene_rng_unit(rng);
    return low + (high - low) * x * x;
}

static abut_obb random_box(uint64_t *rng, cull_kind kind, float side) {
    float low = kinds[kind].low, high = kinds[kind].high, end = 0.5f * side;
    abut_obb box = {.center = scene_rng_vec3(rng, (abut_vec3){-end, 0.0f, -end}, (abut_vec3){end, 8.0f, end})};
    box.rotation = scene_rng_rotation(rng);
    if (kinds[kind].large) {
        box.half = (abut_vec3){mostly_small(rng, low, high), mostly_small(rng, low, high), low};
    } else {
        box.half = scene_rng_vec3(rng, (abut_vec3){low, low, low}, (abut_vec3){high, high, high});
    }
    return box;
}

/* Interleaves the bits of x and z (Morton 1966), for squares one unit wide. */
static uint32_t place_of(const abut_obb *box) {
    uint32_t x = (uint32_t)(box->center.x + 32768.0f), z = (uint32_t)(box->center.z + 32768.0f), place = 0;
    for (uint32_t bit = 0; bit < 16; ++bit) {
        place |= (x >> bit & 1) << 2 * bit | (z >> bit & 1) << (2 * bit + 1);
    }
    return place;
}

static int compare_places(const void *a, const void *b) {
    uint32_t x = place_of(a), y = place_of(b);
    return (x > y) - (x < y);
}

cull_view cull_scene_view(float back, float far) {
    return cull_view_of_camera(&(cull_camera){.eye = {-0.6f * back, 1.7f, -0.8f * back},
                                              .direction = {0.6f, 0.0f, 0.8f},
                                              .half_width = half_width,
                                              .half_height = half_height,
                                              .near_distance = far / 2000.0f,
                                              .far_distance = far});
}

void cull_scene_create(cull_scene *s, cull_kind kind, size_t count) {
    uint64_t rng = seed;
    const float width = kinds[kind].width > 0.0f ? kinds[kind].width : 1.0f;
    *s = (cull_scene){.count = count, .view_count = 1, .side = 2.0f * width * sqrtf((float)count)};
    snprintf(s->name, sizeof s->name, "%s", kinds[kind].name);
    s->boxes = bench_alloc(count, sizeof *s->boxes);
    s->views = bench_alloc(1, sizeof *s->views);
    for (size_t i = 0; i < count; ++i) {
        s->boxes[i] = random_box(&rng, kind, s->side);
    }
    if (kinds[kind].sorted) {
        qsort(s->boxes, count, sizeof *s->boxes, compare_places);
    }
    s->views[0] = cull_scene_view(kinds[kind].back * s->side, kinds[kind].far_part * s->side);
}

void cull_scene_destroy(cull_scene *s) {
    free(s->boxes);
    free(s->views);
    *s = (cull_scene){0};
}

/* --- many views --- */

static abut_frustum *add_player(const cull_scene *s, abut_vec3 eye, abut_vec3 direction, abut_frustum *out) {
    float far = kinds[CULL_GAME].far_part * s->side, size = 0.02f * s->side;
    *out++ = cull_view_of_camera(&(cull_camera){eye, direction, half_width, half_height, far / 2000.0f, far}).frustum;
    for (int k = 0; k < cascades; ++k, size *= 2.0f) {
        const abut_obb light = {.center = {eye.x + direction.x * size, eye.y, eye.z + direction.z * size},
                                .rotation = {0.5f, 0.0f, 0.25f, 1.0f},
                                .half = {size, size, s->side}};
        bench_check(abut_frustum_orthographic(&light, out++), "abut_frustum_orthographic");
    }
    return out;
}

static abut_frustum *add_cube(const cull_scene *s, abut_vec3 eye, abut_frustum *out) {
    static const abut_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    float far = 0.05f * s->side;
    for (int face = 0; face < 6; ++face) {
        float sign = face % 2 == 0 ? 1.0f : -1.0f;
        abut_vec3 left = axes[(face / 2 + 1) % 3], up = axes[(face / 2 + 2) % 3], ahead = axes[face / 2];
        left = (abut_vec3){sign * left.x, sign * left.y, sign * left.z};
        ahead = (abut_vec3){sign * ahead.x, sign * ahead.y, sign * ahead.z};
        float near = far / 1000.0f;
        bench_check(abut_frustum_perspective(eye, left, up, ahead, near, near, near, far, out++),
                    "abut_frustum_perspective");
    }
    return out;
}

void cull_scene_many_views(const cull_scene *s, abut_frustum frusta[CULL_MANY_VIEWS]) {
    static const abut_vec3 directions[players] = {{0.6f, 0, 0.8f}, {-0.8f, 0, 0.6f}, {-0.6f, 0, -0.8f}, {1, 0, 0}};
    abut_frustum *out = frusta;
    for (int k = 0; k < players; ++k) {
        float x = 0.125f * s->side * (float)(k % 2), z = 0.125f * s->side * (float)(k / 2);
        out = add_player(s, (abut_vec3){x, 1.7f, z}, directions[k], out);
    }
    for (int k = 0; k < cubes; ++k) {
        out = add_cube(s, (abut_vec3){0.25f * s->side * (float)k, 3.0f, -0.1f * s->side}, out);
    }
    if (out != frusta + CULL_MANY_VIEWS) {
        bench_fail("not as many views as there should be");
    }
}
