/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/fan.h"
#include "base/compiler.h"
#include "narrowphase/mesh/normal.h"

abut_d3 abut_np_known_normal(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part) {
    uint32_t found = 0;
    for (uint32_t i = 0; known && i < ABUT_NP_NORMALS; i++) { /* to the end: nobody predicts where it is */
        found |= (uint32_t)(known->part[i] == part) << i;
    }
    return found ? known->normal[ABUT_LOWEST_BIT(found)] : abut_np_mesh_normal(mesh, part);
}

abut_d3 abut_np_face_normal_of(const abut_mesh *mesh, const abut_np_normals *known, abut_np_face f) {
    const abut_d3 n = abut_np_known_normal(mesh, known, f.part);
    return f.back ? abut_d3_negate(n) : n;
}

static const abut_np_fan *find(const abut_np_normals *known, uint32_t vertex, abut_np_face f, uint32_t *at) {
    for (uint32_t i = 0; i < known->fan_count; i++) {
        const abut_np_fan *fan = &known->fan[i];
        for (*at = 0; fan->vertex == vertex && *at < fan->count; ++*at) {
            if (known->face[fan->first + *at] == abut_np_face_pack(f)) {
                return fan;
            }
        }
    }
    return NULL;
}

/* The room of a fan that may have as many faces as any. */
static abut_np_fan *room_for(abut_np_normals *known) {
    if (known->fan_count == ABUT_NP_FANS || known->face_count + ABUT_NP_CORNER_MAX > ABUT_NP_FAN_FACES) {
        known->fan_count = known->face_count = 0;
    }
    return &known->fan[known->fan_count];
}

/* Walks around; false if there is no way around. The sides seen from the other faces of the fan lead the same way
 * unless some face is turned. */
static bool walk(const abut_mesh *mesh, abut_np_normals *known, abut_np_turn t, abut_np_fan *fan) {
    const uint32_t part = t.f.part;
    const abut_d3 first = abut_np_face_normal_of(mesh, known, t.f);
    fan->count = 0;
    fan->ridge = false;
    fan->together = 1;
    while (fan->count < ABUT_NP_CORNER_MAX) {
        uint32_t side = abut_np_face_side(mesh, t.f, t.leave), i = fan->first + fan->count++;
        if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
            return false;
        }
        known->face[i] = abut_np_face_pack(t.f);
        const abut_d3 normal = fan->count > 1 ? abut_np_face_normal_of(mesh, known, t.f) : first;
        fan->together = abut_min_d(fan->together, abut_d3_dot(normal, first));
        if (i < ABUT_NP_FAN_NORMALS) {
            known->face_normal[i] = normal;
        }
        known->ridge[i] = abut_np_face_is_ridge(t.f, side);
        fan->ridge |= known->ridge[i];
        fan->vertex = abut_mesh_is_turned(side) ? ABUT_MESH_NONE : fan->vertex;
        abut_np_turn_on(&t, side);
        if (t.f.part == part) {
            return true;
        }
    }
    return false;
}

const abut_np_fan *abut_np_fan_at(const abut_mesh *mesh, abut_np_normals *known, abut_np_face f, uint32_t k,
                                  uint32_t *at) {
    const uint32_t vertex = abut_mesh_indices(mesh)[3 * (size_t)f.part + k];
    const abut_np_fan *found = find(known, vertex, f, at);
    if (found) {
        return found;
    }
    abut_np_fan *fan = room_for(known);
    *fan = (abut_np_fan){.vertex = vertex, .first = known->face_count};
    *at = 0;
    if (!walk(mesh, known, (abut_np_turn){f, k, true}, fan)) {
        return NULL;
    }
    known->fan_count++;
    known->face_count += fan->count;
    return fan;
}
