/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "stone.h"
#include "mesh.h"
#include "palette.h"
#include "vec.h"

/* Steiner's formula for a box. For a hull, its size is what counts. */
static float volume_of(const stone *st) {
    const abut_vec3 h = st->shape.half;
    const float r = st->shape.radius, pi = 3.14159265f;
    if (st->hull != NULL) {
        float grown = 1 + r / sqrtf(st->reach);
        return abut_hull_volume(st->hull) * grown * grown * grown;
    }
    return 8 * h.x * h.y * h.z + 8 * r * (h.x * h.y + h.y * h.z + h.z * h.x) + 2 * pi * r * r * (h.x + h.y + h.z) +
           4 * pi / 3 * r * r * r;
}

abut_result stone_finish(stage *s, stone *st) {
    bool is_hull = st->hull != NULL;
    float r = st->shape.radius;
    abut_vec3 half = is_hull ? abut_hull_obb(st->hull).half : st->shape.half;
    st->reach = vec_dot(half, half) / 3;
    st->centre = is_hull ? abut_hull_centroid(st->hull) : vec(0, 0, 0);
    st->volume = volume_of(st);
    half = vec_add(half, vec(r, r, r));
    st->reach = vec_dot(half, half) / 3;
    st->mesh = is_hull || r > 0 ? (uint32_t)s->meshes.count : 0;
    if (r > 0) {
        return mesh_add_round(s, &st->shape, &st->drawn);
    }
    return is_hull ? mesh_add_hull(s, st->hull) : ABUT_OK;
}

abut_result stone_add(stage *s, heap *h, const stone *st, abut_vec3 at, abut_quat rotation) {
    heap_body *body = &h->bodies[s->count];
    *body = (heap_body){.centre = st->centre, .at = at};
    body->inverse_mass = 1 / st->volume;
    body->inverse_inertia = body->inverse_mass / (0.6f * st->reach);
    const abut_pose pose = {vec_sub(at, quat_turn(rotation, st->centre)), rotation};
    const abut_body_def def = {.pose = pose, .half = st->shape.half, .hull = st->hull, .radius = st->shape.radius};
    abut_result result = stage_add(s, def, st->mesh, palette_sky);
    if (result == ABUT_OK && st->drawn != NULL) {
        stage_show_as(s, st->drawn);
    }
    return result;
}

void stone_forget(stone *st) {
    abut_hull_destroy(&st->hull);
    abut_hull_destroy(&st->drawn);
    *st = (stone){.hull = NULL};
}
