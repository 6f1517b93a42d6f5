/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "scene_hulls.h"
#include "scene_rng.h"
#include <math.h>

enum { points_max = 64 };

typedef struct cloud {
    abut_vec3 point[points_max];
    size_t count;
} cloud;

static void add(cloud *c, float x, float y, float z) {
    c->point[c->count++] = (abut_vec3){x, y, z};
}

static abut_vec3 random_half(uint64_t *rng) {
    return scene_rng_vec3(rng, (abut_vec3){0.25f, 0.25f, 0.25f}, (abut_vec3){0.75f, 0.75f, 0.75f});
}

/* Every corner is cut along each axis and bulges a little in between. */
static void make_rounded_box(cloud *c, uint64_t *rng) {
    abut_vec3 half = random_half(rng);
    float r = scene_rng_range(rng, 0.02f, 0.2f), bulge = 0.4f * r;
    for (unsigned corner = 0; corner < 8; ++corner) {
        float x = corner & 1 ? 1.0f : -1.0f, y = corner & 2 ? 1.0f : -1.0f, z = corner & 4 ? 1.0f : -1.0f;
        add(c, x * half.x, y * (half.y - r), z * (half.z - r));
        add(c, x * (half.x - r), y * half.y, z * (half.z - r));
        add(c, x * (half.x - r), y * (half.y - r), z * half.z);
        add(c, x * (half.x - bulge), y * (half.y - bulge), z * (half.z - bulge));
    }
}

static void make_prism(cloud *c, uint64_t *rng) {
    abut_vec3 half = random_half(rng);
    uint32_t corners = 3 + scene_rng_below(rng, 10);
    for (uint32_t i = 0; i < corners;) {
        float x = scene_rng_range(rng, -1.0f, 1.0f), y = scene_rng_range(rng, -1.0f, 1.0f), square = x * x + y * y;
        if (square <= 1.0f && square >= 0.01f) {
            float length = sqrtf(square);
            add(c, half.x * (x / length), half.y * (y / length), -half.z);
            add(c, half.x * (x / length), half.y * (y / length), half.z);
            ++i;
        }
    }
}

static void make_ellipsoid(cloud *c, uint64_t *rng) {
    abut_vec3 half = random_half(rng), low = {-1.0f, -1.0f, -1.0f}, high = {1.0f, 1.0f, 1.0f};
    uint32_t count = 8 + scene_rng_below(rng, points_max - 8 + 1);
    while (c->count < count) {
        abut_vec3 v = scene_rng_vec3(rng, low, high);
        float square = v.x * v.x + v.y * v.y + v.z * v.z;
        if (square <= 1.0f && square >= 0.01f) {
            float length = sqrtf(square);
            add(c, half.x * (v.x / length), half.y * (v.y / length), half.z * (v.z / length));
        }
    }
}

abut_hull *scene_hull_create(uint64_t *rng, size_t index) {
    static void (*const make[])(cloud * c, uint64_t * rng) = {make_rounded_box, make_prism, make_ellipsoid};
    for (;;) {
        cloud c = {.count = 0};
        make[index % (sizeof make / sizeof make[0])](&c, rng);
        abut_vec3 off = scene_rng_vec3(rng, (abut_vec3){-0.25f, -0.25f, -0.25f}, (abut_vec3){0.25f, 0.25f, 0.25f});
        for (size_t i = 0; i < c.count; ++i) {
            c.point[i] = (abut_vec3){c.point[i].x + off.x, c.point[i].y + off.y, c.point[i].z + off.z};
        }
        abut_hull *hull = NULL;
        if (abut_hull_create(c.point, c.count, NULL, &hull) != ABUT_ERROR_DEGENERATE) {
            return hull;
        }
    }
}
