/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for two shapes. */
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/round/measure.h"

static bool found_one(uint32_t part, void *context) {
    (void)part;
    *(bool *)context = true;
    return false;
}

bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b) {
    abut_collider x, y;
    if (!abut_collider_from_shape(a, pose_a, &x) || !abut_collider_from_shape_or_mesh(b, pose_b, &y)) {
        return false;
    }
    if (y.type == ABUT_SHAPE_MESH) {
        bool found = false;
        abut_np_mesh_overlaps(&y, &x, found_one, &found);
        return found;
    }
    return abut_np_overlap(&x, &y);
}

bool abut_shape_collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                        float margin, abut_manifold *manifold) {
    abut_collider x, y;
    return manifold && margin >= 0 && abut_bits_finite(margin) && abut_collider_from_shape(a, pose_a, &x) &&
           abut_collider_from_shape(b, pose_b, &y) && abut_np_collide(&x, &y, margin, manifold);
}

/* The nearest triangle; the lowest of several. */
typedef struct nearest {
    double distance;
    uint32_t part;
} nearest;

/* The best distance so far is the limit: no other is larger. */
static double take_nearer(uint32_t part, double distance, void *context) {
    nearest *best = context;
    if (distance < best->distance || part < best->part) {
        *best = (nearest){distance, part};
    }
    return best->distance;
}

static double measure_mesh(const abut_collider *x, const abut_collider *mesh, abut_d3 on[2]) {
    nearest best = {INFINITY, UINT32_MAX};
    abut_np_measured measured;
    abut_np_mesh_near(mesh, x, INFINITY, take_nearer, &best);
    abut_np_triangle triangle;
    abut_np_triangle_make(mesh, best.part, &triangle);
    (void)abut_np_measure(x, &triangle.collider, INFINITY, &measured);
    on[0] = measured.on[0], on[1] = measured.on[1];
    return measured.distance;
}

float abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                          abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_collider x, y;
    abut_np_measured measured;
    if (!abut_collider_from_shape(a, pose_a, &x) || !abut_collider_from_shape_or_mesh(b, pose_b, &y)) {
        return NAN;
    }
    if (y.type == ABUT_SHAPE_MESH) {
        measured.distance = measure_mesh(&x, &y, measured.on);
    } else {
        (void)abut_np_measure(&x, &y, INFINITY, &measured);
    }
    if (on_a) {
        *on_a = abut_vec3_round(measured.on[0]);
    }
    if (on_b) {
        *on_b = abut_vec3_round(measured.on[1]);
    }
    return abut_np_distance_float(measured.distance);
}

abut_aabb abut_shape_bounds(const abut_shape *shape, const abut_pose *pose) {
    abut_collider collider;
    if (!abut_collider_from_shape_or_mesh(shape, pose, &collider)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_collider_bounds(&collider);
}
