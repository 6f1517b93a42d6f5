/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "query_scene.h"
#include "bench.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

enum { seed = 1, fewest_vertices = 16 };
static const float filled = 0.02f;
static const float cell_side = 2.7f; /* longer than the diagonal of any body */

/* --- the bodies --- */

static abut_quat unit(abut_quat q) {
    float scale = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (abut_quat){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

static void make_hulls(query_scene *s, uint64_t *rng) {
    for (size_t i = 0; i < QUERY_HULLS; ++i) {
        hull_set *set = &s->hull_sets[i / QUERY_HULLS_EACH];
        if (i % QUERY_HULLS_EACH == 0) {
            *set = hull_set_create(rng, QUERY_HULLS_EACH, fewest_vertices + i / QUERY_HULLS_EACH);
        }
        s->hulls[i] = set->shapes[i % QUERY_HULLS_EACH];
    }
    s->world.hull_count = QUERY_HULLS;
    s->world.hulls = s->hulls;
}

/* Returns the volume of all. */
static double make_shapes(query_scene *s, uint64_t *rng, bool mixed) {
    double volume = 0.0;
    for (size_t i = 0; i < s->world.count; ++i) {
        if (mixed && i % 2 == 1) {
            s->shapes[i] = abut_convex(s->hulls[scene_rng_below(rng, QUERY_HULLS)], 0.0f);
            volume += (double)abut_hull_volume(s->shapes[i].hull);
        } else {
            abut_vec3 half = scene_rng_vec3(rng, (abut_vec3){0.25f, 0.25f, 0.25f}, (abut_vec3){0.75f, 0.75f, 0.75f});
            s->shapes[i] = abut_box(half.x, half.y, half.z);
            volume += 8.0 * (double)half.x * (double)half.y * (double)half.z;
        }
    }
    return volume;
}

static void place(query_scene *s, uint64_t *rng) {
    for (size_t i = 0; i < s->world.count; ++i) {
        abut_vec3 p = scene_rng_vec3(rng, (abut_vec3){0.0f, 0.0f, 0.0f}, (abut_vec3){s->side, s->side, s->side});
        abut_vec3 by = scene_rng_vec3(rng, (abut_vec3){-0.05f, -0.05f, -0.05f}, (abut_vec3){0.05f, 0.05f, 0.05f});
        abut_quat q = unit(scene_rng_rotation(rng));
        s->poses[i] = (abut_pose){p, q};
        s->other_poses[i] = (abut_pose){{p.x + by.x, p.y + by.y, p.z + by.z},
                                        unit((abut_quat){q.x + by.x, q.y + by.y, q.z + by.z, q.w})};
        s->bounds[i] = abut_shape_bounds(&s->shapes[i], &s->poses[i]);
        s->other_bounds[i] = abut_shape_bounds(&s->shapes[i], &s->other_poses[i]);
        s->defs[i] =
            (abut_body_def){.pose = s->poses[i], .half = s->shapes[i].half, .hull = s->shapes[i].hull, .user = i};
    }
}

static size_t cell_of(const query_scene *s, abut_vec3 p) {
    size_t x = (size_t)(p.x / cell_side), y = (size_t)(p.y / cell_side), z = (size_t)(p.z / cell_side);
    return (z * s->cells + y) * s->cells + x;
}

static void fill_grid(query_scene *s) {
    s->cells = (size_t)(s->side / cell_side) + 1;
    size_t count = s->cells * s->cells * s->cells;
    s->cell_starts = bench_alloc(count + 2, sizeof *s->cell_starts);
    s->cell_bodies = bench_alloc(s->world.count, sizeof *s->cell_bodies);
    for (size_t i = 0; i < s->world.count; ++i) {
        ++s->cell_starts[cell_of(s, s->poses[i].position) + 2];
    }
    for (size_t i = 2; i < count + 2; ++i) {
        s->cell_starts[i] += s->cell_starts[i - 1];
    }
    for (size_t i = 0; i < s->world.count; ++i) {
        s->cell_bodies[s->cell_starts[cell_of(s, s->poses[i].position) + 1]++] = (uint32_t)i;
    }
}

void query_scene_create(query_scene *s, size_t count, bool mixed) {
    uint64_t rng = seed;
    *s = (query_scene){.world = {.count = count}};
    s->defs = bench_alloc(count, sizeof *s->defs);
    s->shapes = bench_alloc(count, sizeof *s->shapes);
    s->poses = bench_alloc(count, sizeof *s->poses);
    s->other_poses = bench_alloc(count, sizeof *s->other_poses);
    s->bounds = bench_alloc(count, sizeof *s->bounds);
    s->other_bounds = bench_alloc(count, sizeof *s->other_bounds);
    if (mixed) {
        make_hulls(s, &rng);
    }
    s->side = (float)cbrt(make_shapes(s, &rng, mixed) / (double)filled);
    place(s, &rng);
    fill_grid(s);
    s->world.shapes = s->shapes;
    s->world.poses = s->poses;
    s->world.bounds = s->bounds;
}

void query_scene_move(query_scene *s) {
    for (size_t i = 0; i < s->world.count; ++i) {
        abut_pose pose = s->poses[i];
        abut_aabb bounds = s->bounds[i];
        s->poses[i] = s->other_poses[i];
        s->bounds[i] = s->other_bounds[i];
        s->other_poses[i] = pose;
        s->other_bounds[i] = bounds;
    }
}

void query_scene_destroy(query_scene *s) {
    for (size_t i = 0; i < QUERY_HULL_SIZES; ++i) {
        hull_set_destroy(&s->hull_sets[i]);
    }
    free(s->defs);
    free(s->shapes);
    free(s->poses);
    free(s->other_poses);
    free(s->bounds);
    free(s->other_bounds);
    free(s->cell_starts);
    free(s->cell_bodies);
    *s = (query_scene){0};
}

/* --- places that touch no body --- */

typedef struct place_of {
    const abut_shape *shape;
    const abut_pose *pose;
    size_t self; /* a body that does not count; SIZE_MAX: all do */
} place_of;

/* Now, and after they have moved. */
static bool touches(const query_scene *s, size_t body, const place_of *at) {
    const abut_shape *shape = &s->shapes[body];
    return body != at->self && (abut_shape_overlap(shape, &s->poses[body], at->shape, at->pose) ||
                                abut_shape_overlap(shape, &s->other_poses[body], at->shape, at->pose));
}

static bool cell_touches(const query_scene *s, size_t x, size_t y, size_t z, const place_of *at) {
    size_t cell = (z * s->cells + y) * s->cells + x;
    for (uint32_t i = s->cell_starts[cell]; i < s->cell_starts[cell + 1]; ++i) {
        if (touches(s, s->cell_bodies[i], at)) {
            return true;
        }
    }
    return false;
}

/* The shape is no larger than the bodies. */
static bool is_free(const query_scene *s, const place_of *place) {
    abut_vec3 p = place->pose->position;
    size_t at[3] = {(size_t)(p.x / cell_side), (size_t)(p.y / cell_side), (size_t)(p.z / cell_side)};
    for (int i = 0; i < 27; ++i) {
        size_t x = at[0] + (size_t)(i % 3), y = at[1] + (size_t)(i / 3 % 3), z = at[2] + (size_t)(i / 9);
        /* One too many; 0 stands for outside. */
        bool inside = x > 0 && y > 0 && z > 0 && x <= s->cells && y <= s->cells && z <= s->cells;
        if (inside && cell_touches(s, x - 1, y - 1, z - 1, place)) {
            return false;
        }
    }
    return true;
}

static abut_vec3 free_position(const query_scene *s, uint64_t *rng, const abut_shape *shape, abut_quat rotation) {
    abut_pose at = {.rotation = rotation};
    do {
        at.position = scene_rng_vec3(rng, (abut_vec3){0.0f, 0.0f, 0.0f}, (abut_vec3){s->side, s->side, s->side});
    } while (!is_free(s, &(place_of){shape, &at, SIZE_MAX}));
    return at.position;
}

static abut_vec3 free_point(const query_scene *s, uint64_t *rng) {
    const abut_shape point = abut_point();
    return free_position(s, rng, &point, (abut_quat){0.0f, 0.0f, 0.0f, 1.0f});
}

/* --- questions --- */

/* A point on a face of the cube, a little outside. */
static abut_vec3 on_face(const query_scene *s, uint64_t *rng, uint32_t face) {
    const float away = 1.5f;
    float p[3];
    for (uint32_t k = 0; k < 3; ++k) {
        p[k] = scene_rng_range(rng, 0.0f, s->side);
    }
    p[face / 2] = face % 2 == 0 ? -away : s->side + away;
    return (abut_vec3){p[0], p[1], p[2]};
}

query_set query_rays_across(const query_scene *s, size_t count) {
    uint64_t rng = seed + 1;
    abut_ray *rays = bench_alloc(count, sizeof *rays);
    for (size_t i = 0; i < count; ++i) {
        uint32_t face = scene_rng_below(&rng, 6);
        abut_vec3 from = on_face(s, &rng, face), to = on_face(s, &rng, (face + 1 + scene_rng_below(&rng, 5)) % 6);
        rays[i] = (abut_ray){.origin = from, .translation = {to.x - from.x, to.y - from.y, to.z - from.z}};
    }
    return (query_set){.count = count, .rays = rays};
}

/* From outside the middle of a face, at a field of view of 60 degrees; row after row. */
query_set query_rays_of_camera(const query_scene *s, size_t width) {
    const float tangent = 0.57735f, reach = 1.5f * s->side;
    abut_ray *rays = bench_alloc(width * width, sizeof *rays);
    for (size_t i = 0; i < width * width; ++i) {
        float x = 2.0f * ((float)(i % width) + 0.5f) / (float)width - 1.0f;
        float y = 1.0f - 2.0f * ((float)(i / width) + 0.5f) / (float)width;
        rays[i].origin = (abut_vec3){0.5f * s->side, 0.5f * s->side, s->side + 1.5f};
        rays[i].translation = (abut_vec3){reach * tangent * x, reach * tangent * y, -reach};
    }
    return (query_set){.count = width * width, .coherent = true, .rays = rays};
}

query_set query_rays_of_length(const query_scene *s, size_t count, float length) {
    uint64_t rng = seed + 2;
    abut_ray *rays = bench_alloc(count, sizeof *rays);
    for (size_t i = 0; i < count; ++i) {
        abut_vec3 way;
        random_on_sphere(&rng, &way, 1);
        rays[i].origin = free_point(s, &rng);
        rays[i].translation = (abut_vec3){length * way.x, length * way.y, length * way.z};
    }
    return (query_set){.count = count, .rays = rays};
}

/* Shapes and boxes lie inside the cube, if it is large enough. */
static abut_vec3 inner_point(const query_scene *s, uint64_t *rng) {
    float margin = 5.0f < 0.25f * s->side ? 5.0f : 0.25f * s->side, high = s->side - margin;
    return scene_rng_vec3(rng, (abut_vec3){margin, margin, margin}, (abut_vec3){high, high, high});
}

query_set query_shapes(const query_scene *s, size_t count, abut_shape shape) {
    uint64_t rng = seed + 3;
    abut_shape *shapes = bench_alloc(count, sizeof *shapes);
    abut_pose *poses = bench_alloc(count, sizeof *poses);
    for (size_t i = 0; i < count; ++i) {
        shapes[i] = shape;
        poses[i].position = inner_point(s, &rng);
        poses[i].rotation = unit(scene_rng_rotation(&rng));
    }
    return (query_set){.count = count, .shapes = shapes, .poses = poses};
}

query_set query_boxes(const query_scene *s, size_t count, float half) {
    uint64_t rng = seed + 4;
    abut_aabb *boxes = bench_alloc(count, sizeof *boxes);
    for (size_t i = 0; i < count; ++i) {
        abut_vec3 p = inner_point(s, &rng);
        boxes[i] = (abut_aabb){{p.x - half, p.y - half, p.z - half}, {p.x + half, p.y + half, p.z + half}};
    }
    return (query_set){.count = count, .boxes = boxes};
}

query_set query_points(const query_scene *s, size_t count, size_t k) {
    uint64_t rng = seed + 5;
    abut_vec3 *points = bench_alloc(count, sizeof *points);
    for (size_t i = 0; i < count; ++i) {
        points[i] = free_point(s, &rng);
    }
    return (query_set){.count = count, .points = points, .k = k};
}

query_set query_casts(const query_scene *s, size_t count, abut_shape shape, float length) {
    uint64_t rng = seed + 6;
    abut_cast *casts = bench_alloc(count, sizeof *casts);
    for (size_t i = 0; i < count; ++i) {
        abut_vec3 way;
        abut_quat rotation = unit(scene_rng_rotation(&rng));
        random_on_sphere(&rng, &way, 1);
        casts[i].shape = shape;
        casts[i].from = (abut_pose){free_position(s, &rng, &shape, rotation), rotation};
        casts[i].translation = (abut_vec3){length * way.x, length * way.y, length * way.z};
    }
    return (query_set){.count = count, .casts = casts};
}

/* The pose at this distance in a random direction; `turn`: half the largest change of a quaternion's coordinate. */
static abut_pose away_from(abut_pose from, uint64_t *rng, float length, float turn) {
    abut_vec3 way, by;
    random_on_sphere(rng, &way, 1);
    by = scene_rng_vec3(rng, (abut_vec3){-turn, -turn, -turn}, (abut_vec3){turn, turn, turn});
    abut_quat q = from.rotation;
    from.position.x += length * way.x;
    from.position.y += length * way.y;
    from.position.z += length * way.z;
    from.rotation = turn > 0.0f ? unit((abut_quat){q.x + by.x, q.y + by.y, q.z + by.z, q.w}) : q;
    return from;
}

query_set query_sweeps(const query_scene *s, size_t count, float length, float turn) {
    uint64_t rng = seed + 7;
    uint32_t *movers = bench_alloc(count, sizeof *movers);
    abut_pose *targets = bench_alloc(count, sizeof *targets);
    size_t found = 0;
    for (size_t i = 0; i < s->world.count && found < count; ++i) {
        if (is_free(s, &(place_of){&s->shapes[i], &s->poses[i], i})) {
            movers[found] = (uint32_t)i;
            targets[found++] = away_from(s->poses[i], &rng, length, turn);
        }
    }
    return (query_set){.count = found, .movers = movers, .targets = targets, .turning = turn > 0.0f};
}

void query_set_destroy(query_set *set) {
    free((void *)set->rays);
    free((void *)set->shapes);
    free((void *)set->poses);
    free((void *)set->boxes);
    free((void *)set->points);
    free((void *)set->casts);
    free((void *)set->movers);
    free((void *)set->targets);
    *set = (query_set){0};
}
