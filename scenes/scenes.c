/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "scenes.h"
#include "scene_hulls.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

static const float speed_max = 0.05f;     /* per axis and frame */
static const float half_turn_max = 0.02f; /* per axis and frame */
enum { cluster_count = 20, hull_count_max = 96 };

/* By bisection: libm's cbrt may differ in the last bit from machine to machine. */
static float cube_root(double x) {
    double low = 0.0, high = 1e9;
    for (int i = 0; i < 96; ++i) {
        double middle = 0.5 * (low + high);
        if (middle * middle * middle < x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (float)high;
}

static void set_walls(scene *s, float width_x, float width_y, float width_z) {
    s->high = (abut_vec3){0.5f * width_x, 0.5f * width_y, 0.5f * width_z};
    s->low = (abut_vec3){-s->high.x, -s->high.y, -s->high.z};
}

static abut_vec3 random_half(uint64_t *rng, float scale) {
    float low = 0.25f * scale, high = 0.75f * scale;
    return scene_rng_vec3(rng, (abut_vec3){low, low, low}, (abut_vec3){high, high, high});
}

static abut_pose random_pose(uint64_t *rng, abut_vec3 low, abut_vec3 high) {
    abut_pose pose;
    pose.position = scene_rng_vec3(rng, low, high);
    pose.rotation = scene_rng_rotation(rng);
    return pose;
}

/* --- one builder per kind: fills in defs and returns the number of movers --- */

static void fill_cube(scene *s) {
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].half = random_half(&s->rng, 1.0f);
        s->defs[i].pose = random_pose(&s->rng, s->low, s->high);
    }
    s->mover_count = s->count;
}

static void make_tumbling(scene *s) {
    float side = cube_root(4.0 * (double)s->count);
    set_walls(s, side, side, side);
    fill_cube(s);
}

static void make_city(scene *s) {
    float side = sqrtf(0.875f * (float)s->count);
    set_walls(s, side, 4.0f, side);
    s->low.y = 0.0f;
    s->high.y = 4.0f;
    fill_cube(s);
    s->mover_count = (s->count + 9) / 10;
    for (size_t i = s->mover_count; i < s->count; ++i) {
        s->defs[i].motion = ABUT_STATIC;
    }
}

static void make_mixed(scene *s) {
    float side = cube_root(132.0 * (double)s->count);
    set_walls(s, side, side, side);
    fill_cube(s);
    for (size_t i = 0; i < s->count; i += 100) {
        abut_vec3 *half = &s->defs[i].half;
        *half = (abut_vec3){50.0f * half->x, 50.0f * half->y, 50.0f * half->z};
    }
}

/* The standard deviation of a cloud is a tenth of the tumbling cube's side: about four times as dense in its middle. */
static void make_clusters(scene *s) {
    float side = cube_root(4.0 * (double)s->count), spread = 0.1f * side;
    set_walls(s, 4.0f * side, 4.0f * side, 4.0f * side);
    abut_vec3 middle[cluster_count];
    for (size_t i = 0; i < cluster_count; ++i) {
        middle[i] = scene_rng_vec3(&s->rng, s->low, s->high);
    }
    fill_cube(s);
    for (size_t i = 0; i < s->count; ++i) {
        abut_vec3 from = middle[i % cluster_count], *p = &s->defs[i].pose.position;
        p->x = from.x + spread * scene_rng_bell(&s->rng);
        p->y = from.y + spread * scene_rng_bell(&s->rng);
        p->z = from.z + spread * scene_rng_bell(&s->rng);
    }
    set_walls(s, 8.0f * side, 8.0f * side, 8.0f * side); /* wide enough for bodies outside the cube */
}

static void make_flat(scene *s) {
    float side = sqrtf(2.0f * (float)s->count);
    set_walls(s, side, 0.0f, side);
    fill_cube(s);
    for (size_t i = 0; i < s->count; ++i) {
        float y = scene_rng_range(&s->rng, -1.0f, 1.0f);
        s->defs[i].half.y = 0.0f;
        s->defs[i].pose.position.y = 0.0f;
        s->defs[i].pose.rotation = (abut_quat){0.0f, y, 0.0f, sqrtf(1.0f - y * y)};
    }
    s->mover_count = 0;
}

static void make_tower(scene *s) {
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].half = (abut_vec3){0.5f, 0.5f, 0.5f};
        s->defs[i].pose.position.y = (float)i + 0.5f;
    }
}

static void make_line(scene *s) {
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].half = random_half(&s->rng, 1.0f);
        s->defs[i].pose.position.x = (float)i;
        s->defs[i].pose.rotation = scene_rng_rotation(&s->rng);
    }
}

static void make_coincident(scene *s) {
    abut_vec3 half = random_half(&s->rng, 1.0f);
    abut_pose pose = random_pose(&s->rng, (abut_vec3){-1.0f, -1.0f, -1.0f}, (abut_vec3){1.0f, 1.0f, 1.0f});
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].half = half;
        s->defs[i].pose = pose;
    }
}

static void make_lattice(scene *s) {
    size_t width = 1;
    while (width * width * width < s->count) {
        ++width;
    }
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].half = (abut_vec3){0.5f, 0.5f, 0.5f};
        s->defs[i].pose.position =
            (abut_vec3){(float)(i % width), (float)(i / width % width), (float)(i / (width * width))};
    }
}

static void make_huge(scene *s) {
    float side = cube_root(4.0 * (double)s->count);
    set_walls(s, side, side, side);
    fill_cube(s);
    for (size_t i = 0; i < s->count; ++i) {
        s->defs[i].half = random_half(&s->rng, 0.125f);
    }
    s->defs[0].half = (abut_vec3){side, side, side};
    s->mover_count = 0;
}

/* Every decade has its own cube, as wide as its boxes need, and all cubes have the same centre: most small boxes are
 * inside some larger ones. */
static void make_six_decades(scene *s) {
    static const float sizes[6] = {1e-3f, 1e-2f, 1e-1f, 1.0f, 1e1f, 1e2f};
    float room = cube_root((double)s->count);
    for (size_t i = 0; i < s->count; ++i) {
        float size = sizes[i % 6] * scene_rng_range(&s->rng, 1.0f, 10.0f);
        float high = 5.0f * sizes[i % 6] * room;
        s->defs[i].half =
            scene_rng_vec3(&s->rng, (abut_vec3){0.5f * size, 0.5f * size, 0.5f * size}, (abut_vec3){size, size, size});
        s->defs[i].pose = random_pose(&s->rng, (abut_vec3){-high, -high, -high}, (abut_vec3){high, high, high});
    }
}

static void make_hulls(scene *s) {
    make_tumbling(s);
    size_t wanted = s->count < hull_count_max ? s->count : hull_count_max;
    s->hulls = calloc(wanted, sizeof *s->hulls);
    while (s->hulls != NULL && s->hull_count < wanted) {
        abut_hull *hull = scene_hull_create(&s->rng, s->hull_count);
        if (hull == NULL) {
            return;
        }
        s->hulls[s->hull_count++] = hull;
    }
    for (size_t i = 0; i < s->count && s->hull_count == wanted; ++i) {
        bool box = i % 8 == 7;
        s->defs[i].hull = box ? NULL : s->hulls[i % wanted];
        s->defs[i].half = box ? s->defs[i].half : (abut_vec3){0.0f, 0.0f, 0.0f};
    }
}

/* --- shapes with a radius --- */

static void make_sphere(scene *s, size_t i) {
    s->defs[i].half = (abut_vec3){0.0f, 0.0f, 0.0f};
    s->defs[i].radius = scene_rng_range(&s->rng, 0.25f, 0.75f);
}

static void make_capsule(scene *s, size_t i) {
    s->defs[i].half = (abut_vec3){0.0f, 0.0f, scene_rng_range(&s->rng, 0.25f, 0.75f)};
    s->defs[i].radius = scene_rng_range(&s->rng, 0.125f, 0.375f);
}

static void make_spheres(scene *s) {
    make_tumbling(s);
    for (size_t i = 0; i < s->count; ++i) {
        make_sphere(s, i);
    }
}

static void make_capsules(scene *s) {
    make_tumbling(s);
    for (size_t i = 0; i < s->count; ++i) {
        make_capsule(s, i);
    }
}

static void make_round(scene *s) {
    make_tumbling(s);
    for (size_t i = 0; i < s->count; ++i) {
        if (i % 3 != 0) {
            (i % 3 == 1 ? make_sphere : make_capsule)(s, i);
        }
    }
}

static const struct {
    const char *name;
    void (*make)(scene *s);
} kinds[] = {
    [SCENE_TUMBLING] = {"tumbling", make_tumbling},
    [SCENE_TELEPORT] = {"teleport", make_tumbling},
    [SCENE_CITY] = {"city", make_city},
    [SCENE_MIXED] = {"mixed", make_mixed},
    [SCENE_CLUSTERS] = {"clusters", make_clusters},
    [SCENE_FLAT] = {"flat", make_flat},
    [SCENE_TOWER] = {"tower", make_tower},
    [SCENE_LINE] = {"line", make_line},
    [SCENE_COINCIDENT] = {"coincident", make_coincident},
    [SCENE_LATTICE] = {"lattice", make_lattice},
    [SCENE_HUGE] = {"huge", make_huge},
    [SCENE_SIX_DECADES] = {"six_decades", make_six_decades},
    [SCENE_HULLS] = {"hulls", make_hulls},
    [SCENE_SPHERES] = {"spheres", make_spheres},
    [SCENE_CAPSULES] = {"capsules", make_capsules},
    [SCENE_ROUND] = {"round", make_round},
};
_Static_assert(sizeof kinds / sizeof kinds[0] == SCENE_KIND_COUNT, "a row per kind");

/* --- life and motion --- */

static void start_moving(scene *s) {
    const abut_vec3 fast = {speed_max, speed_max, speed_max}, wide = {half_turn_max, half_turn_max, half_turn_max};
    for (size_t i = 0; i < s->mover_count; ++i) {
        s->spins[i].velocity = scene_rng_vec3(&s->rng, (abut_vec3){-fast.x, -fast.y, -fast.z}, fast);
        s->spins[i].turn = scene_rng_vec3(&s->rng, (abut_vec3){-wide.x, -wide.y, -wide.z}, wide);
    }
}

bool scene_create(scene *s, scene_kind kind, size_t n, uint64_t seed) {
    *s = (scene){0};
    if ((unsigned)kind >= SCENE_KIND_COUNT || n == 0 || (uint64_t)n > UINT64_C(1000000000000)) {
        return false;
    }
    s->kind = kind;
    s->count = n;
    s->rng = seed;
    s->defs = calloc(n, sizeof *s->defs);
    s->poses = calloc(n, sizeof *s->poses);
    s->spins = calloc(n, sizeof *s->spins);
    if (s->defs == NULL || s->poses == NULL || s->spins == NULL) {
        scene_destroy(s);
        return false;
    }
    for (size_t i = 0; i < n; ++i) {
        s->defs[i].pose.rotation.w = 1.0f;
        s->defs[i].user = i;
    }
    kinds[kind].make(s);
    if (kind == SCENE_HULLS && s->defs[0].hull == NULL) {
        scene_destroy(s);
        return false;
    }
    start_moving(s);
    for (size_t i = 0; i < n; ++i) {
        s->poses[i] = s->defs[i].pose;
    }
    return true;
}

void scene_destroy(scene *s) {
    free(s->defs);
    free(s->poses);
    free(s->spins);
    for (size_t i = 0; i < s->hull_count; ++i) {
        abut_hull_destroy(&s->hulls[i]);
    }
    free(s->hulls);
    *s = (scene){0};
}

const char *scene_name(scene_kind kind) {
    return (unsigned)kind < SCENE_KIND_COUNT ? kinds[kind].name : "unknown";
}

/* Moves a coordinate and reflects it at the walls. */
static void drift(float *at, float *velocity, float low, float high) {
    float next = *at + *velocity;
    if ((next < low && *velocity < 0.0f) || (next > high && *velocity > 0.0f)) {
        *velocity = -*velocity;
        next = *at + *velocity;
    }
    *at = next;
}

/* One step of q' = w q / 2, normalised: no sine or cosine needed. */
static abut_quat turned(abut_quat q, abut_vec3 w) {
    abut_quat r;
    r.x = q.x + (w.x * q.w + w.y * q.z - w.z * q.y);
    r.y = q.y + (w.y * q.w + w.z * q.x - w.x * q.z);
    r.z = q.z + (w.z * q.w + w.x * q.y - w.y * q.x);
    r.w = q.w - (w.x * q.x + w.y * q.y + w.z * q.z);
    float scale = 1.0f / sqrtf(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    return (abut_quat){r.x * scale, r.y * scale, r.z * scale, r.w * scale};
}

void scene_advance(scene *s) {
    ++s->frame;
    for (size_t i = 0; i < s->mover_count; ++i) {
        abut_pose *pose = &s->poses[i];
        if (s->kind == SCENE_TELEPORT) {
            *pose = random_pose(&s->rng, s->low, s->high);
            continue;
        }
        scene_spin *spin = &s->spins[i];
        drift(&pose->position.x, &spin->velocity.x, s->low.x, s->high.x);
        drift(&pose->position.y, &spin->velocity.y, s->low.y, s->high.y);
        drift(&pose->position.z, &spin->velocity.z, s->low.z, s->high.z);
        pose->rotation = turned(pose->rotation, spin->turn);
    }
}
