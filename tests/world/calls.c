/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/calls.h"
#include "base/workers/fpmode.h"
#include "support/mesh_families.h"
#include <math.h>
#include <stdlib.h>

void calls_make_shapes(calls_shapes *shapes, float scale) {
    shapes->scale = scale;
    for (uint32_t k = 0; k < CALLS_SHAPES; k++) {
        static soup s;
        rng r = rng_make(77, k);
        abut_vec3 point[12];
        for (int i = 0; i < 12; i++) {
            point[i] = rng_vec3(&r, -0.7, 0.7);
            point[i] = (abut_vec3){point[i].x * scale, point[i].y * scale, point[i].z * scale};
        }
        assert_int_equal(abut_hull_create(point, 12, NULL, &shapes->hull[k]), ABUT_OK);
        soup_make(78, k, (soup_family[]){SOUP_HILLS, SOUP_FLAT, SOUP_RIDGES}[k], &s);
        soup_scale(&s, scale / 4);
        shapes->mesh[k] = soup_mesh(&s);
    }
}

void calls_free_shapes(calls_shapes *shapes) {
    for (uint32_t k = 0; k < CALLS_SHAPES; k++) {
        abut_hull_destroy(&shapes->hull[k]);
        abut_mesh_destroy(&shapes->mesh[k]);
    }
}

static const abut_hull *find_hull(uint64_t digest, void *user) {
    const calls_shapes *shapes = user;
    for (int k = 0; k < CALLS_SHAPES; k++) {
        if (abut_hull_digest(shapes->hull[k]) == digest) {
            return shapes->hull[k];
        }
    }
    return NULL;
}

static const abut_mesh *find_mesh(uint64_t digest, void *user) {
    const calls_shapes *shapes = user;
    for (int k = 0; k < CALLS_SHAPES; k++) {
        if (abut_mesh_digest(shapes->mesh[k]) == digest) {
            return shapes->mesh[k];
        }
    }
    return NULL;
}

abut_shape_finder calls_finder(calls_shapes *shapes) {
    return (abut_shape_finder){find_hull, find_mesh, shapes};
}

void calls_mix(calls *c, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        c->log = (c->log ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

static void mix_number(calls *c, uint64_t number) {
    calls_mix(c, &number, sizeof number);
}

static void mix_result(calls *c, abut_result result) {
    mix_number(c, (uint64_t)(int64_t)result);
}

/* Volatile, so that the compiler moves no multiplication to where another mode is set. */
static abut_vec3 scaled(abut_vec3 v, float scale) {
    volatile float by = scale, product[3];
    product[0] = v.x * by;
    product[1] = v.y * by;
    product[2] = v.z * by;
    return (abut_vec3){product[0], product[1], product[2]};
}

/* All numbers are drawn in the usual floating-point mode, whatever that of the call is. */
static abut_vec3 vector_in(calls *c, double low, double high) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_vec3 v = scaled(rng_vec3(&c->r, low, high), c->shapes->scale);
    abut_fpmode_leave(mode);
    return v;
}

static float length_in(calls *c, double low, double high) {
    return vector_in(c, low, high).x;
}

static abut_pose pose_in(calls *c, double extent) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_pose pose = random_pose(&c->r, extent);
    pose.position = scaled(pose.position, c->shapes->scale);
    abut_fpmode_leave(mode);
    return pose;
}

static abut_body_id any_body(calls *c) {
    return c->n > 0 && !rng_chance(&c->r, 0.02) ? c->id[rng_below(&c->r, c->n)] : (abut_body_id){9999, 3};
}

static abut_shape any_shape(calls *c, bool mesh) {
    rng *r = &c->r;
    abut_shape shape = {.half = vector_in(c, 0.1, 0.6)};
    uint32_t kind = rng_below(r, 8);
    if (kind == 0) {
        shape.half = (abut_vec3){0, 0, 0};
    } else if (kind == 1) {
        shape.hull = c->shapes->hull[rng_below(r, CALLS_SHAPES)];
    } else if (kind == 2 && mesh) {
        shape.mesh = c->shapes->mesh[rng_below(r, CALLS_SHAPES)];
    }
    if (kind == 0 || (!shape.mesh && rng_chance(r, 0.2))) {
        shape.radius = length_in(c, 0.1, 0.4);
    }
    return shape;
}

static abut_filter any_filter(rng *r) {
    abut_filter filter = {.category = rng_below(r, 3), .mask = rng_below(r, 8), .group = (int32_t)rng_below(r, 4) - 1};
    return rng_chance(r, 0.7) ? (abut_filter){0, 0, 0} : filter;
}

void calls_create(calls *c, uint32_t n) {
    for (uint32_t k = 0; k < n && c->n < c->most; k++) {
        rng *r = &c->r;
        abut_shape shape = any_shape(c, rng_chance(r, 0.3));
        abut_body_def def = {.pose = pose_in(c, c->extent), .half = shape.half, .hull = shape.hull, .mesh = shape.mesh};
        def.radius = shape.radius;
        def.motion = rng_chance(r, 0.3) ? ABUT_STATIC : ABUT_MOVING;
        def.detail = rng_chance(r, 0.8) ? ABUT_DETAIL_MANIFOLD : (abut_detail)rng_below(r, 3);
        def.filter = any_filter(r);
        def.user = rng_u64(r);
        if (rng_chance(r, 0.15)) {
            def.box = pose_in(c, 0.3);
        }
        if (rng_chance(r, 0.15) && c->n > 0) {
            def.parent = any_body(c);
            def.pose = pose_in(c, 0.7);
        }
        if (rng_chance(r, 0.02)) {
            def.half.x = NAN;
        }
        abut_body_id id;
        mix_result(c, abut_body_create(c->world, &def, &id));
        calls_mix(c, &id, sizeof id);
        if (id.index1) {
            c->id[c->n++] = id;
        }
    }
}

static void set_poses(calls *c) {
    abut_body_id id[40];
    abut_pose pose[40];
    uint32_t n = rng_below(&c->r, 40);
    for (uint32_t i = 0; i < n; i++) {
        id[i] = c->n ? c->id[rng_below(&c->r, c->n)] : any_body(c);
        pose[i] = pose_in(c, c->extent);
    }
    mix_result(c, abut_bodies_set_poses(c->world, id, pose, n));
}

static void destroy(calls *c) {
    mix_result(c, abut_body_destroy(c->world, any_body(c)));
    uint32_t left = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        if (abut_body_is_valid(c->world, c->id[i])) {
            c->id[left++] = c->id[i];
        }
    }
    c->n = left;
}

void calls_change(calls *c) {
    rng *r = &c->r;
    abut_body_id id = any_body(c);
    uint32_t kind = rng_below(r, 12);
    if (kind < 3) {
        calls_create(c, 1 + rng_below(r, 4));
    } else if (kind < 5) {
        set_poses(c);
    } else if (kind == 5) {
        destroy(c);
    } else if (kind == 6) {
        abut_shape shape = any_shape(c, true);
        abut_pose box = pose_in(c, 0.3);
        mix_result(c, abut_body_set_shape(c->world, id, &shape, rng_chance(r, 0.5) ? &box : NULL));
    } else if (kind == 7) {
        abut_filter filter = any_filter(r);
        mix_result(c, abut_body_set_filter(c->world, id, &filter));
    } else if (kind == 8) {
        mix_result(c, abut_body_set_motion(c->world, id, (abut_motion)rng_below(r, 3)));
    } else if (kind == 9) {
        mix_result(c, abut_body_set_detail(c->world, id, (abut_detail)rng_below(r, 4)));
    } else if (kind == 10) {
        mix_result(c, abut_body_set_user(c->world, id, rng_u64(r)));
    } else if (rng_chance(r, 0.3)) {
        mix_result(c, abut_world_shift(c->world, vector_in(c, -0.1, 0.1)));
    }
}

void calls_step(calls *c) {
    abut_step_report report = {0};
    size_t n = 0;
    mix_result(c, abut_world_step(c->world, NULL, &report));
    size_t counts[] = {report.bodies, report.moved, report.candidates, report.contacts, report.begun, report.ended};
    calls_mix(c, counts, sizeof counts);
    const abut_contact *contacts = abut_world_contacts(c->world, &n);
    calls_mix(c, contacts, n * sizeof *contacts);
    const abut_contact *events = abut_world_events(c->world, &n);
    calls_mix(c, events, n * sizeof *events);
    const abut_contact_part *parts = abut_world_parts(c->world, &n);
    calls_mix(c, parts, n * sizeof *parts);
    const abut_pair *pairs = abut_world_pairs(c->world, &n);
    calls_mix(c, pairs, n * sizeof *pairs);
    mix_number(c, abut_world_hash(c->world));
    mix_number(c, abut_world_body_count(c->world));
}

enum { ASKED = 48, ROOM = 128 };

static void ask_ways(calls *c) {
    static abut_ray rays[ASKED];
    static abut_cast casts[ASKED];
    static abut_hit hits[ROOM];
    uint8_t blocked[ASKED];
    const abut_query query = {.initial = (abut_initial)rng_below(&c->r, 3)};
    for (int i = 0; i < ASKED; i++) {
        abut_pose from = pose_in(c, c->extent);
        abut_vec3 along = vector_in(c, -3, 3);
        rays[i] = (abut_ray){.origin = from.position, .translation = along};
        casts[i] = (abut_cast){.shape = any_shape(c, false), .from = from, .translation = along};
    }
    mix_result(c, abut_world_cast_rays(c->world, rays, ASKED, &query, hits));
    calls_mix(c, hits, ASKED * sizeof *hits);
    mix_result(c, abut_world_test_rays(c->world, rays, ASKED, &query, blocked));
    calls_mix(c, blocked, sizeof blocked);
    mix_result(c, abut_world_cast_shapes(c->world, casts, ASKED, &query, hits));
    calls_mix(c, hits, ASKED * sizeof *hits);
    size_t n = abut_world_ray_hits(c->world, rays, &query, hits, ROOM);
    calls_mix(c, hits, (n < ROOM ? n : ROOM) * sizeof *hits);
    n = abut_world_shape_hits(c->world, casts, &query, hits, ROOM);
    calls_mix(c, hits, (n < ROOM ? n : ROOM) * sizeof *hits);
}

static void ask_shapes(calls *c) {
    static abut_body_id ids[ROOM];
    static abut_near nears[4 * ASKED];
    static abut_touching touching[ROOM];
    abut_shape shape[8];
    abut_pose pose[8];
    abut_vec3 point[ASKED];
    uint32_t counts[ASKED];
    size_t ends[8];
    for (int i = 0; i < 8; i++) {
        shape[i] = any_shape(c, false);
        pose[i] = pose_in(c, c->extent);
    }
    for (int i = 0; i < ASKED; i++) {
        point[i] = pose_in(c, c->extent).position;
    }
    size_t n = abut_world_overlaps(c->world, shape, pose, NULL, ids, ROOM);
    calls_mix(c, ids, (n < ROOM ? n : ROOM) * sizeof *ids);
    mix_result(c, abut_world_overlaps_many(c->world, shape, pose, 8, NULL, ids, ROOM, ends));
    calls_mix(c, ends, sizeof ends);
    n = abut_world_collide(c->world, shape, pose, length_in(c, 0, 0.2), NULL, touching, ROOM);
    calls_mix(c, touching, (n < ROOM ? n : ROOM) * sizeof *touching);
    n = abut_world_nearest(c->world, shape, pose, INFINITY, NULL, nears, 7);
    calls_mix(c, nears, n * sizeof *nears);
    mix_result(c, abut_world_nearest_many(c->world, point, ASKED, INFINITY, NULL, nears, 4, counts));
    for (int i = 0; i < ASKED; i++) {
        calls_mix(c, &nears[4 * i], counts[i] * sizeof *nears);
    }
    const abut_aabb box = {vector_in(c, -4, 0), vector_in(c, 0, 4)};
    n = abut_world_in_bounds(c->world, &box, NULL, ids, ROOM);
    calls_mix(c, ids, (n < ROOM ? n : ROOM) * sizeof *ids);
}

static void ask_views(calls *c) {
    static abut_visible visible[CALLS_BODIES];
    abut_frustum frustum;
    abut_placement place[8] = {{0}};
    abut_obb2 plot[8];
    const float scale = c->shapes->scale;
    abut_fpmode mode = abut_fpmode_enter(); /* a frustum takes the mode as it is */
    const abut_vec3 half = {2, 3, 1};
    const abut_obb view = {.center = {0, 0, 0}, .half = scaled(half, scale), .rotation = {0, 0, 0, 1}};
    bool made = abut_frustum_orthographic(&view, &frustum) == ABUT_OK;
    abut_fpmode_leave(mode);
    if (made) {
        size_t n = abut_world_cull(c->world, &frustum, 1, NULL, visible, CALLS_BODIES);
        calls_mix(c, visible, (n < CALLS_BODIES ? n : CALLS_BODIES) * sizeof *visible);
    }
    for (int i = 0; i < 8; i++) {
        abut_vec3 at = pose_in(c, c->extent).position;
        plot[i] = (abut_obb2){.center = {at.x, at.z}, .half = {length_in(c, 0.1, 0.5), length_in(c, 0.1, 0.5)}};
    }
    mix_result(c, abut_world_test_placements(c->world, plot, 8, NULL, place));
    for (int i = 0; i < 8; i++) {
        mix_number(c, place[i].free ? 1 : place[i].blocker_count);
        calls_mix(c, &place[i].push, sizeof place[i].push);
    }
}

void calls_ask(calls *c) {
    abut_body_id id[8];
    abut_pose target[8];
    abut_hit hits[8];
    ask_ways(c);
    ask_shapes(c);
    ask_views(c);
    uint32_t n = c->n < 8 ? c->n : 8;
    for (uint32_t i = 0; i < n; i++) {
        id[i] = c->id[i];
        target[i] = pose_in(c, c->extent);
    }
    abut_result result = abut_world_sweep(c->world, id, target, n, NULL, hits);
    mix_result(c, result);
    calls_mix(c, hits, result == ABUT_OK ? n * sizeof *hits : 0);
    for (uint32_t i = 0; i < c->n; i++) {
        abut_aabb bounds;
        abut_pose pose;
        (void)abut_body_get_bounds(c->world, c->id[i], &bounds);
        (void)abut_body_get_world_pose(c->world, c->id[i], &pose);
        calls_mix(c, &bounds, sizeof bounds);
        calls_mix(c, &pose, sizeof pose);
    }
}
