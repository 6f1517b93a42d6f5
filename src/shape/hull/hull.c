/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/hull.h"
#include "base/arithmetic.h"
#include "base/bits.h"
#include "base/dd.h"
#include "base/memory.h"
#include "base/workers/fpmode.h"
#include "shape/hull/assemble.h"
#include "shape/hull/simplify.h"

static bool is_valid_def(const abut_hull_def *def) {
    return (def->max_vertices == 0 || def->max_vertices >= 4) && def->coplanar_tolerance >= 0 &&
           abut_bits_finite(def->coplanar_tolerance);
}

static abut_result make_hull(const abut_vec3 *points, size_t n, const abut_hull_def *def,
                             const abut_allocator *allocator, abut_hull **hull) {
    abut_arena arena;
    abut_polyhedron polyhedron;
    abut_result result = abut_arena_begin(&arena, allocator, abut_polyhedron_scratch(n));
    if (result != ABUT_OK) {
        return result;
    }
    result = abut_polyhedron_make(&polyhedron, points, n, &arena.pieces);
    if (result == ABUT_OK && def->max_vertices != 0) {
        uint32_t most = def->max_vertices < ABUT_HULL_MAX_VERTICES ? def->max_vertices : ABUT_HULL_MAX_VERTICES;
        result = polyhedron.vertex_count > most ? abut_simplify(&polyhedron, most) : ABUT_OK;
    }
    if (result == ABUT_OK) {
        result = abut_hull_assemble(&polyhedron, def->coplanar_tolerance + 0.0f, allocator, hull);
    }
    abut_polyhedron_release(&polyhedron);
    abut_arena_end(&arena);
    return result;
}

static abut_result create_hull(const abut_vec3 *points, size_t n, const abut_hull_def *def, abut_hull **hull) {
    static const abut_hull_def none = {0};
    abut_allocator allocator;
    def = def ? def : &none;
    if (!hull) {
        return ABUT_ERROR_ARGUMENT;
    }
    *hull = NULL;
    if (!abut_arithmetic_is_exact()) {
        return ABUT_ERROR_ARITHMETIC;
    }
    if (!is_valid_def(def) || !abut_memory_init(&allocator, &def->allocator)) {
        return ABUT_ERROR_ARGUMENT;
    }
    return make_hull(points, n, def, &allocator, hull);
}

abut_result abut_hull_create(const abut_vec3 *points, size_t n, const abut_hull_def *def, abut_hull **hull) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = create_hull(points, n, def, hull);
    abut_fpmode_leave(mode);
    return result;
}

const void *abut_hull_data(const abut_hull *hull, size_t *size) {
    if (size) {
        *size = hull ? hull->size : 0;
    }
    return hull ? abut_hull_bytes(hull) : NULL;
}

uint64_t abut_hull_digest(const abut_hull *hull) {
    return hull ? hull->digest : 0;
}

void abut_hull_destroy(abut_hull **hull) {
    if (!hull || !*hull) {
        return;
    }
    abut_hull_prefix *prefix = (abut_hull_prefix *)(void *)*hull - 1;
    abut_allocator allocator = prefix->of.allocator;
    abut_memory_release(&allocator, prefix, prefix->of.bytes);
    *hull = NULL;
}

size_t abut_hull_vertex_count(const abut_hull *hull) {
    return hull ? hull->vertex_count : 0;
}

size_t abut_hull_face_count(const abut_hull *hull) {
    return hull ? hull->face_count : 0;
}

size_t abut_hull_edge_count(const abut_hull *hull) {
    return hull ? hull->face_edge_count : 0;
}

const abut_vec3 *abut_hull_vertices(const abut_hull *hull) {
    return hull ? abut_hull_at(hull, hull->vertices) : NULL;
}

/* n . p, rounded up where it is not a double. Products of floats are exact. */
static double height_of(const float n[3], abut_vec3 p) {
    abut_dd two = abut_dd_two_sum((double)n[0] * (double)p.x, (double)n[1] * (double)p.y);
    abut_dd three = abut_dd_two_sum(two.hi, (double)n[2] * (double)p.z);
    if (two.lo == 0 && three.lo == 0) {
        return three.hi;
    }
    double rest = two.lo + three.lo, sum = three.hi + rest;
    return sum + ((fabs(sum) + fabs(rest)) * 0x1p-52 + DBL_MIN);
}

/* Rounding the normal to floats turns the plane a little, so another vertex may be the highest. */
static void round_plane(const abut_hull *hull, const abut_hull_plane *plane, float out[4]) {
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    double highest = -INFINITY;
    for (int k = 0; k < 3; k++) {
        out[k] = (float)plane->n[k] + 0.0f;
    }
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        highest = abut_max_d(highest, height_of(out, vertex[i]));
    }
    out[3] = abut_bits_round_up(highest);
}

size_t abut_hull_face(const abut_hull *hull, size_t face, uint32_t *vertices, size_t capacity, float plane[4]) {
    if (face >= abut_hull_face_count(hull)) {
        return 0;
    }
    const abut_hull_polygon *polygon = &abut_hull_faces(hull)[face];
    const uint16_t *loop = abut_hull_indices(hull, hull->loop) + polygon->first;
    for (uint32_t i = 0; vertices && i < polygon->count && i < capacity; i++) {
        vertices[i] = loop[i];
    }
    if (plane) {
        round_plane(hull, &polygon->plane, plane);
    }
    return polygon->count;
}

float abut_hull_volume(const abut_hull *hull) {
    return hull ? hull->volume : 0;
}

abut_vec3 abut_hull_centroid(const abut_hull *hull) {
    return hull ? hull->centroid : (abut_vec3){NAN, NAN, NAN};
}

abut_obb abut_hull_obb(const abut_hull *hull) {
    const abut_vec3 none = {NAN, NAN, NAN};
    return hull ? hull->obb : (abut_obb){none, {NAN, NAN, NAN, NAN}, none};
}
