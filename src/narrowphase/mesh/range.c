/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which normals a contact with a triangle may have: docs/meshes.md, "No bumps". */
#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/normal.h"

bool abut_np_mesh_behind(const abut_mesh *mesh, uint32_t part, abut_d3 middle) {
    const abut_d3 from = abut_d3_sub(middle, abut_mesh_corner(mesh, part, 0));
    return abut_d3_dot(abut_np_mesh_normal(mesh, part), from) < -ABUT_NP_MESH_BEHIND * abut_d3_norm1(from);
}

/* The point of the arc between two unit normals that is nearest to a third. */
static abut_d3 onto_arc(abut_d3 from, abut_d3 to, abut_d3 normal) {
    const abut_d3 across = abut_d3_cross(from, to);
    bool after = abut_d3_dot(abut_d3_cross(from, normal), across) > 0;
    bool before = abut_d3_dot(abut_d3_cross(normal, to), across) > 0;
    if (after & before) { /* nobody predicts it */
        abut_d3 in_plane = abut_d3_along(normal, -abut_d3_dot(normal, across) / abut_d3_dot(across, across), across);
        if (abut_d3_normalise(&in_plane)) {
            return in_plane;
        }
    }
    return abut_d3_dot(from, normal) >= abut_d3_dot(to, normal) ? from : to;
}

abut_d3 abut_np_mesh_range_of_edge(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part, bool back,
                                   uint32_t k, abut_d3 normal) {
    const abut_np_face f = {part, back};
    uint32_t side = abut_np_face_side(mesh, f, k);
    if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
        return normal;
    }
    const abut_d3 own = abut_np_face_normal_of(mesh, known, f);
    /* The face beyond the side, seen from the same side of the surface. */
    const abut_np_face beyond = {abut_mesh_neighbour(side), back != abut_mesh_is_turned(side)};
    return abut_np_face_is_ridge(f, side) ? onto_arc(own, abut_np_face_normal_of(mesh, known, beyond), normal) : own;
}

bool abut_np_mesh_is_fold(const abut_mesh *mesh, bool back, uint32_t side, abut_d3 middle) {
    if (abut_mesh_edge_of(side) != (back ? ABUT_MESH_CONVEX : ABUT_MESH_HOLLOW)) {
        return false;
    }
    const uint32_t beyond = abut_mesh_neighbour(side);
    const abut_d3 at = abut_mesh_corner(mesh, beyond, 0);
    const abut_d3 across = abut_d3_cross(abut_d3_sub(abut_mesh_corner(mesh, beyond, 1), at),
                                         abut_d3_sub(abut_mesh_corner(mesh, beyond, 2), at));
    const double height = abut_d3_dot(across, abut_d3_sub(middle, at));
    return back == abut_mesh_is_turned(side) ? height < 0 : height > 0;
}

uint32_t abut_np_around_next(const abut_mesh *mesh, abut_np_around *around) {
    abut_np_turn *t = &around->turn;
    uint32_t side = abut_np_face_side(mesh, t->f, t->leave);
    if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER && !around->other_way) { /* the first way ends here */
        around->other_way = true;
        *t = (abut_np_turn){{around->part, false}, (around->k + 2) % 3, false};
        side = abut_np_face_side(mesh, t->f, t->leave);
    }
    if (around->left == 0 || abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
        return ABUT_MESH_NONE;
    }
    around->left--;
    abut_np_turn_on(t, side);
    return t->f.part == around->part ? ABUT_MESH_NONE : t->f.part;
}

uint32_t abut_np_mesh_around(const abut_mesh *mesh, uint32_t part, uint32_t k, uint32_t *out) {
    uint32_t count = 0;
    abut_np_around around = abut_np_around_begin(part, k);
    for (uint32_t next; (next = abut_np_around_next(mesh, &around)) != ABUT_MESH_NONE;) {
        out[count++] = next;
    }
    return count;
}

/* A corner's fan, and where it is kept. */
typedef struct fan {
    const abut_mesh *mesh;
    const abut_np_normals *known;
    const abut_np_fan *fan;
} fan;

/* Face i and those after it, around and around. */
static uint32_t face_at(const fan *f, uint32_t i) {
    return f->fan->first + (i < f->fan->count ? i : i - f->fan->count);
}

static abut_d3 normal_at(const fan *f, uint32_t i) {
    return abut_np_fan_normal(f->mesh, f->known, face_at(f, i));
}

/* Unit normals are known no better than to some 2^-52. What is below this of their products may be rounding alone, and
 * counts as 0: along a straight ridge all normals lie in one plane, around a tip often two opposite ones and a third.
 */
static const double IN_PLANE = 0x1p-46;

/* Whether the normal is a combination of three others, which span a corner, not a plane. */
static bool in_corner(abut_d3 normal, abut_d3 own, abut_d3 now, abut_d3 next) {
    const abut_d3 across = abut_d3_cross(now, next);
    const double turn = abut_d3_dot(own, across), inward = abut_d3_dot(normal, across);
    return fabs(turn) > IN_PLANE && turn * inward > 0 && turn * abut_d3_dot(abut_d3_cross(own, normal), next) > 0;
}

/* Whether the normal lies between those around a corner, of which `at` is the triangle's own: whether it is a
 * combination of that and of two neighbours, which lie on both sides of the plane through it and the triangle's own; or
 * of that and of one in that plane, where the others go from one side to the other. */
static bool in_fan(const fan *f, uint32_t at, abut_d3 normal) {
    const abut_d3 own = normal_at(f, at), aside = abut_d3_cross(own, normal);
    abut_d3 now = own;
    double side = 0; /* of `now` */
    bool in = false, in_plane = false, between = false;
    for (uint32_t i = 1; i < f->fan->count && !in; i++) {
        const abut_d3 next = normal_at(f, at + i);
        const double next_side = abut_d3_dot(next, aside);
        if (fabs(next_side) <= IN_PLANE) {
            in_plane = true;
            between |=
                abut_d3_dot(abut_d3_cross(own, next), aside) > 0 && abut_d3_dot(abut_d3_cross(normal, next), aside) > 0;
        } else {
            in = side * next_side < 0 && (in_plane ? between : in_corner(normal, own, now, next));
            in_plane = between = false;
            now = next, side = next_side;
        }
    }
    return in;
}

/* The normal nearest to this one among those between two faces that are neighbours around the corner. */
static abut_d3 nearest_in(const fan *f, uint32_t at, abut_d3 normal) {
    abut_d3 now = normal_at(f, at), best = now;
    double most = abut_d3_dot(now, normal);
    for (uint32_t i = 0; i < f->fan->count; i++) {
        const abut_d3 next = normal_at(f, at + i + 1);
        const abut_d3 on = f->known->ridge[face_at(f, at + i)] ? onto_arc(now, next, normal) : now;
        double along = abut_d3_dot(on, normal);
        if (along > most + ABUT_NP_MESH_BEHIND) { /* ties go to the triangle itself, whatever rounding does */
            best = on, most = along;
        }
        now = next;
    }
    return best;
}

/* Whether no combination of the normals around a corner has a cosine of `nearly` with this one. Weights that add up to
 * 1 give no more than the largest cosine of theirs, and a length that is no less than what they have along one of them.
 */
static bool is_far(const fan *f, double nearly, abut_d3 normal) {
    double most = nearly > 0 ? -1 : 1;
    for (uint32_t i = 0; i < f->fan->count; i++) {
        most = abut_max_d(most, abut_d3_dot(normal_at(f, i), normal));
    }
    return most < (nearly - 0x1p-20) * f->fan->together;
}

abut_d3 abut_np_mesh_range_near(const abut_mesh *mesh, abut_np_normals *known, uint32_t part, bool back, uint32_t k,
                                double nearly, abut_d3 normal) {
    uint32_t at;
    const fan f = {mesh, known, abut_np_fan_at(mesh, known, (abut_np_face){part, back}, k, &at)};
    if (!f.fan) {
        return normal;
    }
    const abut_d3 own = normal_at(&f, at);
    if (!f.fan->ridge || is_far(&f, nearly, normal)) { /* as at a side that is none */
        return own;
    }
    return in_fan(&f, at, normal) ? normal : nearest_in(&f, at, normal);
}

/* By how far a point lies inside a side of the triangle; only its projection counts. */
static double inside(const abut_mesh *mesh, uint32_t part, uint32_t k, abut_d3 normal, abut_d3 point) {
    const abut_d3 a = abut_mesh_corner(mesh, part, k);
    abut_d3 in = abut_d3_cross(normal, abut_d3_sub(abut_mesh_corner(mesh, part, (k + 1) % 3), a));
    (void)abut_d3_normalise_scaled(&in);
    return abut_d3_dot(in, abut_d3_sub(point, a));
}

/* Of a triangle so thin that a point is near more than one side: the two sides of a corner that it is near, too, or
 * else the nearest side. */
static uint32_t sides_of_thin(const abut_mesh *mesh, uint32_t part, abut_d3 point, double near, const double in[3]) {
    enum { ANGLE = 64 }; /* at a corner whose angle has this cotangent the point is so many times as far from it */
    uint32_t nearest = 0, least = 0;
    double square = INFINITY;
    for (uint32_t k = 0; k < 3; k++) {
        const abut_d3 away = abut_d3_sub(point, abut_mesh_corner(mesh, part, k));
        const double now = abut_d3_dot(away, away);
        nearest = now < square ? k : nearest;
        square = abut_min_d(now, square);
        least = in[k] < in[least] ? k : least;
    }
    return square <= ANGLE * near * (ANGLE * near) ? 1u << nearest | 1u << (nearest + 2) % 3 : 1u << least;
}

/* The sides of the triangle that a point is on, one bit each: none, one, or two. */
static uint32_t sides_at(const abut_mesh *mesh, uint32_t part, abut_d3 point, double near) {
    const abut_d3 front = abut_np_mesh_normal(mesh, part);
    double in[3];
    uint32_t on = 0;
    for (uint32_t k = 0; k < 3; k++) {
        in[k] = inside(mesh, part, k, front, point);
        on |= (uint32_t)(in[k] <= near) << k;
    }
    return on & (on - 1) ? sides_of_thin(mesh, part, point, near, in) : on;
}

abut_d3 abut_np_mesh_in_range(const abut_mesh *mesh, uint32_t part, bool back, abut_d3 point, double near,
                              abut_d3 normal) {
    abut_np_normals known;
    uint32_t on = sides_at(mesh, part, point, near);
    if (on == 0) {
        const abut_d3 front = abut_np_mesh_normal(mesh, part);
        return back ? abut_d3_negate(front) : front;
    }
    if (abut_np_is_one_side(on)) {
        return abut_np_mesh_range_of_edge(mesh, NULL, part, back, abut_np_side_of(on), normal);
    }
    abut_np_normals_begin(&known);
    return abut_np_mesh_range_of_corner(mesh, &known, part, back, abut_np_corner_of(on), normal);
}

abut_np_mesh_region abut_np_mesh_region_of(const abut_mesh *mesh, uint32_t part, bool back, abut_d3 point,
                                           double near) {
    const abut_np_face face = {part, back};
    abut_np_normals known;
    uint32_t on = sides_at(mesh, part, point, near), at;
    if (on == 0) {
        return ABUT_NP_MESH_EVEN;
    }
    if (abut_np_is_one_side(on)) {
        const uint32_t side = abut_np_face_side(mesh, face, abut_np_side_of(on));
        return abut_mesh_edge_of(side) == ABUT_MESH_OUTER ? ABUT_NP_MESH_BORDER
               : abut_np_face_is_ridge(face, side)        ? ABUT_NP_MESH_RIDGE
                                                          : ABUT_NP_MESH_EVEN;
    }
    abut_np_normals_begin(&known);
    const abut_np_fan *around = abut_np_fan_at(mesh, &known, face, abut_np_corner_of(on), &at);
    return !around ? ABUT_NP_MESH_BORDER : around->ridge ? ABUT_NP_MESH_RIDGE : ABUT_NP_MESH_EVEN;
}

abut_d3 abut_np_mesh_in_range_of_side(const abut_mesh *mesh, uint32_t part, abut_d3 point, double near, abut_d3 normal,
                                      bool *back) {
    const abut_d3 here = abut_np_mesh_in_range(mesh, part, *back, point, near, normal);
    if (!mesh->two_sided || abut_np_mesh_region_of(mesh, part, !*back, point, near) != ABUT_NP_MESH_RIDGE) {
        return here;
    }
    const abut_d3 there = abut_np_mesh_in_range(mesh, part, !*back, point, near, normal);
    const bool nearer = abut_d3_dot(there, normal) > abut_d3_dot(here, normal);
    *back = *back != nearer;
    return nearer ? there : here;
}
