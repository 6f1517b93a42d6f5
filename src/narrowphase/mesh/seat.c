/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/seat.h"
#include "narrowphase/kernels.h"
#include "narrowphase/mesh/range.h"

static void read_core(const abut_collider *convex, abut_np_seat *seat) {
    const abut_hull *hull = convex->hull;
    const abut_vec3 half = hull ? hull->obb.half : convex->half;
    seat->hull = hull;
    seat->smallest = 0;
    for (int k = 0; k < 3; k++) {
        double extent = (&half.x)[k];
        seat->half[k] = hull ? 0 : extent;
        seat->smallest = extent > 0 && (seat->smallest == 0 || extent < seat->smallest) ? extent : seat->smallest;
        seat->core.vertex[k] = hull ? abut_hull_coordinate(hull, k) : NULL;
    }
    seat->skin = 0x1p-12 * seat->smallest;
    seat->is_rod = convex->type == ABUT_SHAPE_CAPSULE;
    seat->core.vertex_count = hull ? hull->vertex_count : 0;
    seat->middle = hull ? abut_d3_from(hull->centroid) : (abut_d3){{0, 0, 0}};
    seat->size = hull ? (double)hull->radius : (double)half.x + half.y + half.z;
}

void abut_np_seat_of(const abut_collider *ground, const abut_collider *convex, float margin, abut_np_seat *seat) {
    const abut_dquat qg = abut_dquat_from(ground->rotation), qc = abut_dquat_from(convex->rotation);
    seat->ground = ground;
    seat->convex = convex;
    seat->mesh = ground->mesh;
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

/* The half axes of a box around the core, and its centre, in the mesh's frame. */
static abut_d3 half_axes(const abut_np_seat *seat, abut_d3 axis[3]) {
    if (!seat->hull) {
        for (int k = 0; k < 3; k++) {
            abut_d3 half = {{0, 0, 0}};
            half.x[k] = seat->half[k];
            axis[k] = abut_np_seat_out(seat, half);
        }
        return seat->center;
    }
    const abut_obb box = seat->hull->obb;
    double turn[3][3];
    abut_dquat_matrix_quick(abut_dquat_from(box.rotation), turn);
    for (int k = 0; k < 3; k++) {
        double half = (&box.half.x)[k];
        axis[k] = abut_np_seat_out(seat, (abut_d3){{half * turn[0][k], half * turn[1][k], half * turn[2][k]}});
    }
    return abut_d3_along(seat->center, 1, abut_np_seat_out(seat, abut_d3_from(box.center)));
}

void abut_np_seat_bounds(const abut_np_seat *seat, float min[3], float max[3]) {
    abut_d3 axis[3];
    const abut_d3 center = half_axes(seat, axis);
    for (int k = 0; k < 3; k++) {
        double extent = fabs(axis[0].x[k]) + fabs(axis[1].x[k]) + fabs(axis[2].x[k]) + seat->reach;
        extent += 0x1p-44 * (fabs(center.x[k]) + extent + seat->size + abut_d3_norm1(seat->center));
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
        bool positive = direction.x[k] < 0;
        at.x[k] = positive ? seat->half[k] : -seat->half[k];
        *vertex |= (uint32_t)positive << k;
    }
    return at;
}

static void read_corners(const abut_mesh *mesh, uint32_t part, uint32_t place, abut_d3 corner[3]) {
    if (place == ABUT_MESH_NONE) {
        for (uint32_t k = 0; k < 3; k++) {
            corner[k] = abut_mesh_corner(mesh, part, k);
        }
        return;
    }
    const abut_mesh_leaf *leaf = &abut_mesh_leaves(mesh)[place / ABUT_MESH_LEAF];
    for (uint32_t k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            corner[k].x[i] = leaf->corner[k][i][place % ABUT_MESH_LEAF];
        }
    }
}

/* Corners, and the normal of the front. */
static void place_corners(const abut_np_seat *seat, uint32_t part, uint32_t place, abut_np_facing *f) {
    abut_d3 corner[3];
    read_corners(seat->mesh, part, place, corner);
    f->part = part;
    f->in_mesh = abut_np_normal_across(corner[0], corner[1], corner[2]);
    f->size = seat->size + seat->radius;
    for (uint32_t k = 0; k < 3; k++) {
        const abut_d3 at = abut_d3_sub(corner[k], seat->center);
        f->corner[k] = abut_np_seat_into(seat, at);
        f->corner_of[k] = f->side_of[k] = k;
        f->size = abut_max_d(f->size, seat->size + seat->radius + abut_d3_norm1(at));
    }
}

static void turn_over(abut_np_facing *f) {
    const abut_d3 second = f->corner[1];
    f->corner[1] = f->corner[2];
    f->corner[2] = second;
    f->corner_of[1] = 2, f->corner_of[2] = 1;
    f->side_of[0] = 2, f->side_of[2] = 0;
    f->in_mesh = abut_d3_negate(f->in_mesh);
    f->normal = abut_d3_negate(f->normal);
}

static void add_sides(const abut_np_seat *seat, abut_np_facing *f) {
    const uint32_t *side = &abut_mesh_sides(seat->mesh)[3 * (size_t)f->part];
    f->plain = true;
    for (uint32_t k = 0; k < 3; k++) {
        const abut_d3 along = abut_d3_sub(f->corner[(k + 1) % 3], f->corner[k]);
        f->side[k] = side[f->side_of[k]];
        f->out[k] = abut_d3_cross(along, f->normal);
        f->outline[k] = abut_d3_dot(f->out[k], f->corner[k]);
        f->length[k] = abut_d3_length(along);
        abut_mesh_edge kind = abut_mesh_edge_of(f->side[k]);
        f->plain = f->plain && (kind == ABUT_MESH_FLAT || kind == (f->back ? ABUT_MESH_CONVEX : ABUT_MESH_HOLLOW));
    }
}

bool abut_np_facing_of(const abut_np_seat *seat, uint32_t part, uint32_t place, abut_np_facing *f) {
    place_corners(seat, part, place, f);
    f->normal = abut_np_seat_into(seat, f->in_mesh);
    const abut_d3 from = abut_d3_sub(seat->middle, f->corner[0]);
    f->back = abut_d3_dot(f->normal, from) < -ABUT_NP_MESH_BEHIND * abut_d3_norm1(from);
    if (f->back && !seat->mesh->two_sided) {
        return false;
    }
    if (f->back) {
        turn_over(f);
    }
    f->height = abut_d3_dot(f->normal, f->corner[0]);
    add_sides(seat, f);
    return true;
}

abut_d3 abut_np_facing_edge_range(const abut_np_seat *seat, const abut_np_facing *f, uint32_t side, abut_d3 normal) {
    const abut_d3 in_mesh = abut_np_seat_out(seat, normal);
    return abut_np_seat_into(seat, abut_np_mesh_range_of_edge(seat->mesh, f->part, f->back, f->side_of[side], in_mesh));
}

abut_d3 abut_np_facing_corner_range(const abut_np_seat *seat, const abut_np_facing *f, uint32_t corner,
                                    abut_d3 normal) {
    const abut_d3 in_mesh = abut_np_seat_out(seat, normal);
    return abut_np_seat_into(seat,
                             abut_np_mesh_range_of_corner(seat->mesh, f->part, f->back, f->corner_of[corner], in_mesh));
}
