/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/seat.h"
#include "base/compiler.h"
#include "narrowphase/kernels.h"
#include "narrowphase/mesh/range.h"

/* The tolerance of a hull's faces: see abut_faces_make, whose usual one is a share of the extent along an axis. */
static double hollow_of(const abut_hull *hull) {
    double tolerance = hull->coplanar_tolerance > 0 ? hull->coplanar_tolerance : 0x1p-17 * (double)hull->radius;
    return hull->face_count < hull->facet_count ? tolerance : 0;
}

/* Thicker bodies would have to be very deep before something goes through them, and are not asked for that. */
static double thinness(abut_vec3 half) {
    static const float PLATE = 0.125f;
    const float least = abut_min_f(half.x, abut_min_f(half.y, half.z));
    const float most = abut_max_f(half.x, abut_max_f(half.y, half.z));
    return least <= PLATE * most ? (double)least : INFINITY;
}

static void read_core(const abut_collider *convex, abut_np_seat *seat) {
    const abut_hull *hull = convex->hull;
    const abut_vec3 half = hull ? hull->obb.half : convex->half;
    seat->hull = hull;
    seat->smallest = 0;
    seat->extent = (double)half.x + half.y + half.z;
    seat->thin = thinness(half);
    for (int k = 0; k < 3; k++) {
        double extent = (&half.x)[k];
        seat->half[k] = hull ? 0 : extent;
        seat->smallest = extent > 0 && (seat->smallest == 0 || extent < seat->smallest) ? extent : seat->smallest;
        seat->core.vertex[k] = hull ? abut_hull_coordinate(hull, k) : NULL;
    }
    seat->hollow = hull ? hollow_of(hull) : 0;
    seat->skin = 0x1p-12 * seat->smallest;
    seat->is_rod = convex->type == ABUT_SHAPE_CAPSULE;
    seat->core.vertex_count = hull ? hull->vertex_count : 0;
    seat->middle = hull ? abut_d3_from(hull->centroid) : (abut_d3){{0, 0, 0}};
    seat->size = hull ? (double)hull->radius : seat->extent;
}

void abut_np_seat_of(const abut_collider *ground, const abut_collider *convex, float margin, abut_np_hull_room *room,
                     abut_np_seat *seat) {
    const abut_dquat qg = abut_dquat_from(ground->rotation), qc = abut_dquat_from(convex->rotation);
    seat->ground = ground;
    seat->convex = convex;
    seat->mesh = ground->mesh;
    seat->kernels = abut_np_mesh_kernels_active();
    seat->few_kernels = abut_np_mesh_kernels_of_few();
    seat->patch_kernels = abut_np_patch_kernels_active();
    seat->faces_kernels = abut_np_faces_kernels_active();
    seat->room = room;
    read_core(convex, seat);
    abut_dquat_matrix(qg, seat->ground_axes);
    abut_dquat_matrix(qc, seat->world_axes);
    /* One matrix from the relative quaternion, so that it is a true rotation. */
    abut_dquat_matrix(abut_dquat_multiply(abut_dquat_conjugate(qg), qc), seat->axes);
    seat->center =
        abut_d3_unrotate(seat->ground_axes, abut_d3_sub(abut_d3_from(convex->center), abut_d3_from(ground->center)));
    seat->radius = convex->radius;
    seat->margin = margin;
    seat->reach = seat->radius + seat->margin;
}

void abut_np_seat_box(const abut_np_seat *seat, abut_d3 *center, abut_d3 axis[3], double half[3]) {
    *center = seat->center;
    for (int k = 0; k < 3; k++) {
        half[k] = seat->half[k];
        axis[k] = (abut_d3){{seat->axes[0][k], seat->axes[1][k], seat->axes[2][k]}};
    }
    if (seat->hull) {
        const abut_obb box = seat->hull->obb;
        double turn[3][3];
        abut_dquat_matrix_quick(abut_dquat_from(box.rotation), turn);
        *center = abut_d3_along(seat->center, 1, abut_np_seat_out(seat, abut_d3_from(box.center)));
        for (int k = 0; k < 3; k++) {
            half[k] = (&box.half.x)[k];
            axis[k] = abut_np_seat_out(seat, (abut_d3){{turn[0][k], turn[1][k], turn[2][k]}});
        }
    }
}

void abut_np_seat_bounds(const abut_np_seat *seat, float min[3], float max[3]) {
    abut_d3 center, axis[3];
    double half[3];
    abut_np_seat_box(seat, &center, axis, half);
    /* S of the pair with a triangle as a hull, which is placed by the mesh's origin. */
    const double size = seat->size + abut_d3_norm1(seat->center) + seat->mesh->radius;
    for (int k = 0; k < 3; k++) {
        double extent = seat->reach;
        for (int i = 0; i < 3; i++) {
            extent += fabs(axis[i].x[k]) * half[i];
        }
        extent += 0x1p-44 * (fabs(center.x[k]) + extent + size);
        min[k] = abut_bits_round_down(center.x[k] - extent);
        max[k] = abut_bits_round_up(center.x[k] + extent);
    }
}

abut_d3 abut_np_seat_lowest(const abut_np_seat *seat, abut_d3 direction, uint32_t *vertex) {
    abut_d3 at;
    *vertex = 0;
    if (seat->hull) {
        *vertex = abut_np_distance_kernels_active()->lowest(&seat->core, direction);
        for (int k = 0; k < 3; k++) {
            at.x[k] = seat->core.vertex[k][*vertex];
        }
        return at;
    }
    for (int k = 0; k < 3; k++) {
        int positive = direction.x[k] < 0; /* nobody predicts it */
        at.x[k] = seat->half[k] * (2 * positive - 1);
        *vertex |= (uint32_t)positive << k;
    }
    return at;
}

/* Seen from the back, the corners run the other way round. */
static void add_sides(const abut_np_seat *seat, uint32_t part, bool back, abut_np_facing *f) {
    static const uint32_t corner_of[2][3] = {{0, 1, 2}, {0, 2, 1}}, side_of[2][3] = {{0, 1, 2}, {2, 1, 0}};
    const uint32_t *side = &abut_mesh_sides(seat->mesh)[3 * (size_t)part];
    f->part = part;
    f->back = back;
    f->open = f->fold = 0;
    for (uint32_t k = 0; k < 3; k++) {
        f->corner_of[k] = corner_of[back][k];
        f->side_of[k] = side_of[back][k];
        f->side[k] = side[side_of[back][k]];
        abut_mesh_edge kind = abut_mesh_edge_of(f->side[k]), closed = back ? ABUT_MESH_CONVEX : ABUT_MESH_HOLLOW;
        f->open |= (uint8_t)((unsigned)((kind != ABUT_MESH_FLAT) & (kind != closed)) << k);
    }
    f->plain = f->open == 0;
}

/* Apart, because it is rarely needed. */
static ABUT_NOINLINE void find_folds(const abut_np_seat *seat, abut_np_facing *facing, uint32_t touched) {
    const abut_d3 middle = abut_d3_along(seat->center, 1, abut_np_seat_out(seat, seat->middle));
    for (; touched; touched &= touched - 1) {
        abut_np_facing *f = &facing[ABUT_LOWEST_BIT(touched)];
        for (uint32_t k = 0; k < 3; k++) {
            f->fold |= (uint8_t)(abut_np_mesh_is_fold(seat->mesh, f->back, f->side[k], middle) << k);
        }
        f->open |= f->fold;
        f->plain = f->open == 0;
    }
}

/* Whether a ridge, or a border, and a ghost meet at a corner of a triangle. */
static bool is_ridge_at_seam(const abut_mesh *mesh, const abut_np_facing *f, uint32_t k) {
    abut_np_turn t = {{f->part, f->back}, k, true};
    bool ridge = false, ghost = false;
    for (uint32_t n = 0; n < ABUT_NP_CORNER_MAX && !(ridge && ghost); n++) {
        const uint32_t side = abut_np_face_side(mesh, t.f, t.leave);
        if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
            return ghost;
        }
        ridge |= abut_np_face_is_ridge(t.f, side);
        abut_np_turn_on(&t, side);
        if (t.f.part == f->part) {
            break;
        }
        ghost |= !abut_mesh_is_solid(mesh, t.f.part);
    }
    return ridge && ghost;
}

/* In one mesh, a rounded body beyond a ridge at a corner touches a neighbour better, which shows it. At a seam that may
 * be a ghost, and then the corner's own range of normals counts. */
static ABUT_NOINLINE void find_seams(const abut_np_seat *seat, abut_np_facing *facing, uint32_t touched) {
    for (; touched; touched &= touched - 1) {
        abut_np_facing *f = &facing[ABUT_LOWEST_BIT(touched)];
        const uint32_t *vertex = &abut_mesh_indices(seat->mesh)[3 * (size_t)f->part];
        for (uint32_t k = 0; k < 3 && f->plain; k++) {
            f->plain = !abut_mesh_has_ghost_at(seat->mesh, vertex[k]) || !is_ridge_at_seam(seat->mesh, f, k);
        }
    }
}

uint32_t abut_np_facings_of(const abut_np_seat *seat, const uint32_t *part, const uint32_t *place, uint32_t n,
                            abut_np_facing *facing, abut_np_normals *known) {
    const abut_np_mesh_kernels *kernels = n <= ABUT_NP_FEW ? seat->few_kernels : seat->kernels;
    uint32_t behind = kernels->face(seat, part, place, n, facing), all = (1u << n) - 1;
    uint32_t touched = seat->mesh->two_sided ? all : all & ~behind;
    for (uint32_t t = 0; t < n; t++) {
        bool back = behind >> t & 1;
        known->part[t] = part[t];
        known->normal[t] = back ? abut_d3_negate(facing[t].in_mesh) : facing[t].in_mesh;
        if (seat->size == 0 && !abut_np_facing_is_near(seat, &facing[t])) {
            touched &= ~(1u << t);
        }
        if (touched >> t & 1) {
            facing[t].known = known;
            add_sides(seat, part[t], back, &facing[t]);
        }
    }
    if (seat->mesh->two_sided) {
        find_folds(seat, facing, touched);
    }
    if (seat->mesh->ghost_count > 0 && seat->radius > 0) {
        find_seams(seat, facing, touched);
    }
    return touched;
}

abut_d3 abut_np_facing_edge_range(const abut_np_seat *seat, const abut_np_facing *f, uint32_t side, abut_d3 normal) {
    const abut_d3 in_mesh = abut_np_seat_out(seat, normal);
    const bool back = f->back != (f->fold >> side & 1);
    return abut_np_seat_into(
        seat, abut_np_mesh_range_of_edge(seat->mesh, f->known, f->part, back, f->side_of[side], in_mesh));
}

abut_d3 abut_np_facing_corner_near(const abut_np_seat *seat, const abut_np_facing *f, uint32_t corner, double nearly,
                                   abut_d3 normal) {
    const abut_d3 in_mesh = abut_np_seat_out(seat, normal);
    const bool back = f->back != ((f->fold >> corner | f->fold >> (corner + 2) % 3) & 1);
    return abut_np_seat_into(
        seat, abut_np_mesh_range_near(seat->mesh, f->known, f->part, back, f->corner_of[corner], nearly, in_mesh));
}
