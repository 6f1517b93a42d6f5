/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for two shapes. */
#include "base/lanes/xyz.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/round/measure.h"
#include "narrowphase/round/single.h"

static bool found_one(uint32_t part, void *context) {
    (void)part;
    *(bool *)context = true;
    return false;
}

/* False, too, where they are very long. */
static inline bool are_finite(const abut_quat *a, const abut_quat *b) {
    abut_xyz p = abut_xyz_load(&a->x), q = abut_xyz_load(&b->x);
    return abut_xyz_first(abut_xyz_sum_of_four(abut_xyz_add(abut_xyz_mul(p, p), abut_xyz_mul(q, q)))) <= FLT_MAX;
}

/* Spheres and capsules. ABUT_NP_ROUND_CORES: the colliders must decide. */
static inline abut_np_round_verdict of_rods(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                            const abut_pose *pose_b, double margin, abut_manifold *manifold) {
    abut_np_rod x, y;
    if (!ABUT_NP_SINGLE || !a || !pose_a || !b || !pose_b) {
        return ABUT_NP_ROUND_CORES;
    }
    if (!abut_np_is_sphere(a) || !abut_np_is_sphere(b)) {
        bool rods = abut_np_rod_of_shape(a, pose_a, &x) && abut_np_rod_of_shape(b, pose_b, &y);
        return rods ? abut_np_rods_collide(&x, &y, margin, manifold) : ABUT_NP_ROUND_CORES;
    }
    if (!are_finite(&pose_a->rotation, &pose_b->rotation)) {
        return ABUT_NP_ROUND_CORES;
    }
    return abut_np_spheres_collide(&pose_a->position, a->radius, &pose_b->position, b->radius, margin, manifold)
               ? ABUT_NP_ROUND_TOUCHING
               : ABUT_NP_ROUND_APART;
}

/* Of any shapes. */
static ABUT_NOINLINE bool overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                  const abut_pose *pose_b) {
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

bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b) {
    const abut_np_round_verdict verdict = of_rods(a, pose_a, b, pose_b, 0, NULL);
    return verdict == ABUT_NP_ROUND_CORES ? overlap(a, pose_a, b, pose_b) : verdict == ABUT_NP_ROUND_TOUCHING;
}

static ABUT_NOINLINE bool collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                  const abut_pose *pose_b, float margin, abut_manifold *manifold) {
    abut_collider x, y;
    return abut_collider_from_shape(a, pose_a, &x) && abut_collider_from_shape(b, pose_b, &y) &&
           abut_np_collide(&x, &y, margin, manifold);
}

bool abut_shape_collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                        float margin, abut_manifold *manifold) {
    if (!manifold || !(margin >= 0) || !abut_bits_finite(margin)) {
        return false;
    }
    const abut_np_round_verdict verdict = of_rods(a, pose_a, b, pose_b, (double)margin, manifold);
    return verdict == ABUT_NP_ROUND_CORES ? collide(a, pose_a, b, pose_b, margin, manifold)
                                          : verdict == ABUT_NP_ROUND_TOUCHING;
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
