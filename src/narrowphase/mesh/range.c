/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which normals a contact with a triangle may have: docs/meshes.md, "No bumps". */
#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/normal.h"

abut_d3 abut_np_mesh_normal(const abut_mesh *mesh, uint32_t part) {
    const abut_d3 corner[3] = {abut_mesh_corner(mesh, part, 0), abut_mesh_corner(mesh, part, 1),
                               abut_mesh_corner(mesh, part, 2)};
    return abut_np_normal_across(corner);
}

bool abut_np_mesh_behind(const abut_mesh *mesh, uint32_t part, abut_d3 middle) {
    const abut_d3 from = abut_d3_sub(middle, abut_mesh_corner(mesh, part, 0));
    return abut_d3_dot(abut_np_mesh_normal(mesh, part), from) < -ABUT_NP_MESH_BEHIND * abut_d3_norm1(from);
}

/* A triangle and the side of it that is touched. */
typedef struct face {
    uint32_t part;
    bool back;
} face;

static uint32_t side_of(const abut_mesh *mesh, face f, uint32_t k) {
    return abut_mesh_sides(mesh)[3 * (size_t)f.part + k];
}

abut_d3 abut_np_known_normal(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part) {
    for (uint32_t i = 0; known && i < known->count; i++) {
        if (known->part[i] == part) {
            return known->normal[i];
        }
    }
    return abut_np_mesh_normal(mesh, part);
}

static abut_d3 normal_of(const abut_mesh *mesh, const abut_np_normals *known, face f) {
    const abut_d3 n = abut_np_known_normal(mesh, known, f.part);
    return f.back ? abut_d3_negate(n) : n;
}

/* The face beyond a side, seen from the same side of the surface. */
static face beyond(face f, uint32_t side) {
    return (face){abut_mesh_neighbour(side), f.back != abut_mesh_is_turned(side)};
}

/* A ridge between two faces: from the back, what is hollow is one. */
static bool is_ridge(face f, uint32_t side) {
    return abut_mesh_edge_of(side) == (f.back ? ABUT_MESH_HOLLOW : ABUT_MESH_CONVEX);
}

/* The point of the arc between two unit normals that is nearest to a third. */
static abut_d3 onto_arc(abut_d3 from, abut_d3 to, abut_d3 normal) {
    abut_d3 across = abut_d3_cross(from, to);
    if (!abut_d3_normalise(&across)) {
        return from;
    }
    abut_d3 in_plane = abut_d3_along(normal, -abut_d3_dot(normal, across), across);
    bool after = abut_d3_dot(abut_d3_cross(from, in_plane), across) > 0;
    bool before = abut_d3_dot(abut_d3_cross(in_plane, to), across) > 0;
    if (after && before && abut_d3_normalise(&in_plane)) {
        return in_plane;
    }
    return abut_d3_dot(from, normal) >= abut_d3_dot(to, normal) ? from : to;
}

abut_d3 abut_np_mesh_range_of_edge(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part, bool back,
                                   uint32_t k, abut_d3 normal) {
    const face f = {part, back};
    uint32_t side = side_of(mesh, f, k);
    if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
        return normal;
    }
    const abut_d3 own = normal_of(mesh, known, f);
    return is_ridge(f, side) ? onto_arc(own, normal_of(mesh, known, beyond(f, side)), normal) : own;
}

/* A walk around a corner, from face to face: over which side it leaves the next one, and whether that begins there. */
typedef struct turn {
    face f;
    uint32_t leave;
    bool begins;
} turn;

/* Beyond a side; the corner is then an end of that side's other name, and of one more side, over which the walk goes
 * on. Neighbours run along their side in opposite directions, unless one of them is turned. */
static void turn_on(turn *t, uint32_t side) {
    uint32_t beside = abut_mesh_side_of_neighbour(side);
    bool at_begin = t->begins == abut_mesh_is_turned(side);
    t->f = beyond(t->f, side);
    t->leave = (beside + (at_begin ? 2 : 1)) % 3;
    t->begins = !at_begin;
}

/* Whether a walk around a corner comes back to where it began: false if a side at the corner is outer, or there are too
 * many faces. `ridge`: whether it crosses one. */
static bool closes(const abut_mesh *mesh, turn t, bool *ridge) {
    const uint32_t part = t.f.part;
    *ridge = false;
    for (uint32_t count = 0; count < ABUT_NP_CORNER_MAX; count++) {
        uint32_t side = side_of(mesh, t.f, t.leave);
        if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER) {
            return false;
        }
        *ridge |= is_ridge(t.f, side);
        turn_on(&t, side);
        if (t.f.part == part) {
            return true;
        }
    }
    return false;
}

uint32_t abut_np_mesh_around(const abut_mesh *mesh, uint32_t part, uint32_t k, uint32_t *out) {
    uint32_t count = 0, side;
    for (int way = 0; way < 2; way++) { /* the other way, too, if the first ends at an outer side */
        turn t = {{part, false}, way ? (k + 2) % 3 : k, way == 0};
        while (count < ABUT_NP_AROUND_MAX &&
               (side = side_of(mesh, t.f, t.leave), abut_mesh_edge_of(side)) != ABUT_MESH_OUTER) {
            turn_on(&t, side);
            if (t.f.part == part) {
                return count;
            }
            out[count++] = t.f.part;
        }
    }
    return count;
}

static double volume(abut_d3 a, abut_d3 b, abut_d3 c) {
    return abut_d3_dot(a, abut_d3_cross(b, c));
}

/* Whether the normal is a combination of a and b and c. */
static bool in_cone(abut_d3 a, abut_d3 b, abut_d3 c, abut_d3 normal) {
    double sign = volume(a, b, c) < 0 ? -1 : 1;
    return sign * volume(normal, b, c) > 0 && sign * volume(a, normal, c) > 0 && sign * volume(a, b, normal) > 0;
}

/* Goes on to the next face around a corner; its normal. */
static abut_d3 next_normal(const abut_mesh *mesh, const abut_np_normals *known, turn *t) {
    turn_on(t, side_of(mesh, t->f, t->leave));
    return normal_of(mesh, known, t->f);
}

/* Whether the normal lies between those around a corner. */
static bool in_fan(const abut_mesh *mesh, const abut_np_normals *known, turn t, abut_d3 own, abut_d3 normal) {
    const uint32_t part = t.f.part;
    abut_d3 now = next_normal(mesh, known, &t);
    bool in = false;
    while (t.f.part != part && !in) {
        const abut_d3 next = next_normal(mesh, known, &t);
        in = t.f.part != part && in_cone(own, now, next, normal);
        now = next;
    }
    return in;
}

abut_d3 abut_np_mesh_range_of_corner(const abut_mesh *mesh, const abut_np_normals *known, uint32_t part, bool back,
                                     uint32_t k, abut_d3 normal) {
    turn t = {{part, back}, k, true};
    bool ridge;
    if (!closes(mesh, t, &ridge)) {
        return normal;
    }
    const abut_d3 own = normal_of(mesh, known, t.f);
    double most = abut_d3_dot(own, normal);
    if (!ridge) { /* as at a side that is none */
        return own;
    }
    if (most > 0 && in_fan(mesh, known, t, own, normal)) {
        return normal;
    }
    abut_d3 now = own, best = own;
    for (bool last = false; !last;) {
        ridge = is_ridge(t.f, side_of(mesh, t.f, t.leave));
        const abut_d3 next = next_normal(mesh, known, &t);
        const abut_d3 on = ridge ? onto_arc(now, next, normal) : now;
        double along = abut_d3_dot(on, normal);
        if (along > most + ABUT_NP_MESH_BEHIND) { /* ties go to the triangle itself, whatever rounding does */
            best = on, most = along;
        }
        last = t.f.part == part;
        now = next;
    }
    return best;
}

/* By how far a point lies inside a side of the triangle; only its projection counts. */
static double inside(const abut_mesh *mesh, uint32_t part, uint32_t k, abut_d3 normal, abut_d3 point) {
    const abut_d3 a = abut_mesh_corner(mesh, part, k);
    abut_d3 in = abut_d3_cross(normal, abut_d3_sub(abut_mesh_corner(mesh, part, (k + 1) % 3), a));
    (void)abut_d3_normalise_scaled(&in);
    return abut_d3_dot(in, abut_d3_sub(point, a));
}

abut_d3 abut_np_mesh_in_range(const abut_mesh *mesh, uint32_t part, bool back, abut_d3 point, double near,
                              abut_d3 normal) {
    const abut_d3 front = abut_np_mesh_normal(mesh, part);
    uint32_t on = 0;
    for (uint32_t k = 0; k < 3; k++) {
        on |= (uint32_t)(inside(mesh, part, k, front, point) <= near) << k;
    }
    if (on == 0) {
        return back ? abut_d3_negate(front) : front;
    }
    if (on == 1 || on == 2 || on == 4) {
        return abut_np_mesh_range_of_edge(mesh, NULL, part, back, on == 4 ? 2 : on - 1, normal);
    }
    /* Sides 0 and 1 meet in corner 1, sides 1 and 2 in corner 2, sides 2 and 0 in corner 0. */
    return abut_np_mesh_range_of_corner(mesh, NULL, part, back, on == 3 ? 1 : on == 6 ? 2 : 0, normal);
}
