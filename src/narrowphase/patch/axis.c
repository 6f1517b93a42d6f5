/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/axis.h"
#include "base/compiler.h"
#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/patch/cut.h"
#include "narrowphase/patch/faces.h"
#include "narrowphase/tolerance.h"

/* A normal that differs from an allowed one by less counts as allowed: 1 - cos of 1e-7. */
static const double ALLOWED = 0x1p-47;

/* The cosine of how far the normal of a face may be from the one that stands for it. */
static const double NEARLY = 0.95;

static bool is_outer(const abut_np_facing *f, uint32_t side) {
    return abut_mesh_edge_of(f->side[side]) == ABUT_MESH_OUTER;
}

/* Whether no triangle continues the surface at any side. Then all normals are allowed, and no neighbour is hurt by one:
 * what lies outside of the core proposes them, too, as it must if the depth is to be the least. */
static bool is_alone(const abut_np_facing *f) {
    return f->open == 7 && is_outer(f, 0) && is_outer(f, 1) && is_outer(f, 2);
}

/* The corners that lie in the core, and the sides that pass through it. */
static abut_np_passage passage_of(const abut_np_seat *seat, const abut_np_facing *f) {
    abut_np_passage p;
    p.within = f->within;
    p.crossed = f->crossed;
    if (seat->hull) {
        seat->kernels->pass(seat, f, false, &p);
    }
    return p;
}

/* Whether a core that is so deep in a triangle may have gone right through what is there: a ridge or a corner of the
 * mesh need not lie in it, but may be beyond it. Those then propose normals, too. */
static bool goes_through(const abut_np_seat *seat, double depth) {
    return depth > 2 * seat->thin;
}

/* The sides beyond which the mesh goes on, as bits. */
static uint32_t inner_sides(const abut_np_facing *f) {
    uint32_t inner = 0;
    for (uint32_t k = 0; k < 3; k++) {
        inner |= (uint32_t)!is_outer(f, k) << k;
    }
    return inner;
}

/* Whether it does so all around a corner. */
static bool is_inner(const abut_np_seat *seat, const abut_np_facing *f, uint32_t corner) {
    uint32_t at;
    return abut_np_fan_at(seat->mesh, f->known, (abut_np_face){f->part, f->back}, f->corner_of[corner], &at) != NULL;
}

/* By how much a face must be better than what is there, so that the choice does not flicker. */
static double resting_of(const abut_np_seat *seat) {
    return ABUT_NP_RESTING * seat->smallest;
}

/* A corner of the triangle that faces of the core are tried against. */
typedef struct tip {
    uint32_t corner;
    bool beyond; /* it does not lie in the core, and proposes nothing if it is on a border */
} tip;

/* A face of the core, against one of the triangle's corners; no other corner is deeper behind it. */
static void try_face(const abut_np_seat *seat, const abut_np_facing *f, uint32_t face, tip t, abut_np_mesh_axis *best) {
    double offset, resting = resting_of(seat);
    const abut_d3 n = abut_np_face_normal(seat, face, &offset);
    double at = abut_d3_dot(n, f->corner[t.corner]);
    if (!(offset - at < best->depth - resting) || abut_d3_dot(n, f->normal) > 0.999 ||
        (t.beyond && !is_inner(seat, f, t.corner))) {
        return;
    }
    /* A normal that is not allowed gives way to the nearest one that is, along which it is a little farther out. */
    const abut_d3 allowed = abut_np_facing_corner_near(seat, f, t.corner, NEARLY, abut_d3_negate(n));
    double cosine = -abut_d3_dot(allowed, n), depth = (offset - at) / cosine;
    if (cosine > NEARLY && depth < best->depth - resting) {
        best->kind = ABUT_NP_OF_FACE;
        best->normal = allowed;
        best->depth = depth;
        best->face = face;
    }
}

/* The faces of a box against a corner, behind which no other corner lies deeper. Which ones are near enough nobody
 * predicts, but most are not. */
static void try_box_faces(const abut_np_seat *seat, const abut_np_facing *f, tip t, abut_np_mesh_axis *best) {
    const double depth = best->depth - resting_of(seat);
    const double *a = f->corner[t.corner].x, *b = f->corner[(t.corner + 1) % 3].x, *c = f->corner[(t.corner + 2) % 3].x;
    uint32_t near = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double at = a[axis], half = seat->half[axis];
        bool low = (half + at < depth) & (abut_max_d(b[axis], c[axis]) <= at);
        bool high = (half - at < depth) & (abut_min_d(b[axis], c[axis]) >= at);
        near |= (uint32_t)low << 2 * axis | (uint32_t)high << (2 * axis + 1);
    }
    for (; near; near &= near - 1) {
        try_face(seat, f, ABUT_LOWEST_BIT(near), t, best);
    }
}

static void try_hull_faces(const abut_np_seat *seat, const abut_np_facing *f, tip t, abut_np_mesh_axis *best) {
    for (uint32_t first = 0; first < seat->hull->face_count; first += 64) {
        const double depth = best->depth - resting_of(seat);
        for (uint64_t left = seat->faces_kernels->behind(seat, f, t.corner, depth, first); left; left &= left - 1) {
            try_face(seat, f, first + ABUT_LOWEST_BIT64(left), t, best);
        }
    }
}

/* Of corners that lie in the core, or beyond it, and where a side of the triangle allows other normals than its own. */
static void try_faces(const abut_np_seat *seat, const abut_np_facing *f, uint32_t within, uint32_t beyond,
                      abut_np_mesh_axis *best) {
    const uint32_t at_open = (f->open | f->open << 1 | f->open >> 2) & 7; /* side k runs from corner k to the next */
    for (uint32_t left = (within | beyond) & at_open; left; left &= left - 1) {
        const uint32_t k = ABUT_LOWEST_BIT(left);
        (seat->hull ? try_hull_faces : try_box_faces)(seat, f, (tip){k, beyond >> k & 1}, best);
    }
}

/* An edge of the core between two faces, or of a box, or a rod. */
typedef struct core_edge {
    abut_d3 from, to;
    uint32_t feature;
} core_edge;

/* The normals at a side of the triangle: those between its own and that of its neighbour; any at an outer side. */
typedef struct arc {
    bool any;
    abut_d3 own, other;
    abut_d3 in_mesh; /* the other in the mesh's frame */
} arc;

static arc arc_of(const abut_np_seat *seat, const abut_np_facing *f, uint32_t side) {
    const bool fold = f->fold >> side & 1;
    arc a = {.any = is_outer(f, side), .own = fold ? abut_d3_negate(f->normal) : f->normal};
    if (!a.any) {
        bool back = (f->back != fold) != abut_mesh_is_turned(f->side[side]);
        abut_d3 n = abut_np_known_normal(seat->mesh, f->known, abut_mesh_neighbour(f->side[side]));
        a.in_mesh = back ? abut_d3_negate(n) : n;
        a.other = abut_np_seat_into(seat, a.in_mesh);
    }
    return a;
}

/* A pair of edges: the normal across both, outward of the triangle's side. Faces are preferred unless the depth is
 * below `limit`. */
static void try_edges(const abut_np_seat *seat, const abut_np_facing *f, uint32_t side, const core_edge *edge,
                      double limit, abut_np_mesh_axis *best) {
    const abut_d3 a = f->corner[side], along = abut_d3_sub(f->corner[(side + 1) % 3], a);
    const abut_d3 way = abut_d3_sub(edge->to, edge->from);
    abut_d3 n = abut_d3_cross(along, way);
    double length = abut_d3_length(n), parallel = 1e-6 * f->length[side] * abut_d3_length(way);
    if (!(length > parallel)) {
        return;
    }
    double sign = abut_d3_dot(n, f->out[side]) < 0 ? -1 : 1;
    n = (abut_d3){{sign * n.x[0] / length, sign * n.x[1] / length, sign * n.x[2] / length}};
    double depth = abut_d3_dot(n, abut_d3_sub(a, edge->from));
    if (!(depth >= 0 && depth < abut_min_d(best->depth, limit)) || abut_d3_dot(n, f->normal) < -0.999) {
        return;
    }
    if (!is_outer(f, side) && 1 - abut_d3_dot(abut_np_facing_edge_range(seat, f, side, n), n) > ALLOWED) {
        return;
    }
    best->kind = ABUT_NP_OF_EDGES;
    best->normal = n;
    best->depth = depth;
    best->side = side;
    best->edge = edge->feature;
    best->from = edge->from;
    best->to = edge->to;
}

/* The edge of a box along an axis that lies lowest along a direction. */
static core_edge edge_of_box(const abut_np_seat *seat, uint32_t axis, abut_d3 direction) {
    core_edge e;
    e.feature = 8 + 4 * axis;
    for (uint32_t k = 0; k < 3; k++) {
        bool positive = direction.x[k] < 0;
        e.from.x[k] = positive ? seat->half[k] : -seat->half[k];
        e.feature += k == (axis + 1) % 3 ? positive : k == (axis + 2) % 3 ? 2 * positive : 0;
    }
    e.to = e.from;
    e.from.x[axis] = -seat->half[axis];
    e.to.x[axis] = seat->half[axis];
    return e;
}

static void try_box_edges(const abut_np_seat *seat, const abut_np_facing *f, uint32_t side, const arc *range,
                          double limit, abut_np_mesh_axis *best) {
    const abut_d3 along = abut_d3_sub(f->corner[(side + 1) % 3], f->corner[side]);
    uint32_t left = 0;
    for (uint32_t axis = 0; axis < 3; axis++) { /* some normal of the arc may be across: its ends are not on one side */
        bool spanned = (range->any) | (range->own.x[axis] * range->other.x[axis] <= 0);
        left |= (uint32_t)((seat->half[axis] > 0) & spanned) << axis;
    }
    for (; left; left &= left - 1) {
        const uint32_t axis = ABUT_LOWEST_BIT(left);
        abut_d3 unit = {{0, 0, 0}};
        unit.x[axis] = 1;
        abut_d3 n = abut_d3_cross(along, unit);
        n = abut_d3_dot(n, f->out[side]) < 0 ? abut_d3_negate(n) : n;
        const core_edge e = edge_of_box(seat, axis, n);
        try_edges(seat, f, side, &e, limit, best);
    }
}

/* Whether a direction lies between the normals of the facets beside an edge of a hull. */
static bool is_between(abut_d3 first, abut_d3 second, abut_d3 direction) {
    const abut_d3 across = abut_d3_cross(first, second);
    return abut_d3_dot(abut_d3_cross(first, direction), across) >= 0 &&
           abut_d3_dot(abut_d3_cross(direction, second), across) >= 0;
}

static abut_d3 vertex_at(const abut_np_seat *seat, uint32_t v) {
    return (abut_d3){{seat->core.vertex[0][v], seat->core.vertex[1][v], seat->core.vertex[2][v]}};
}

/* All edges of a hull from this one on, up to 64, as bits. */
static uint64_t all_from(const abut_hull *hull, uint32_t first) {
    const uint32_t n = hull->edge_count - first;
    return n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
}

static void try_hull_edges(const abut_np_seat *seat, const abut_np_facing *f, uint32_t side, const arc *range,
                           double limit, abut_np_mesh_axis *best) {
    const abut_hull *hull = seat->hull;
    const abut_hull_edge *edges = abut_hull_edges(hull);
    const abut_hull_plane *planes = abut_hull_planes(hull);
    const uint16_t *face_of = abut_hull_indices(hull, hull->face_of);
    const abut_d3 along = abut_d3_sub(f->corner[(side + 1) % 3], f->corner[side]);
    const abut_d3 between[2] = {range->own, range->other};
    for (uint32_t first = 0; first < hull->edge_count; first += 64) {
        uint64_t left = range->any ? all_from(hull, first) : seat->kernels->span(seat, first, between);
        for (; left; left &= left - 1) {
            const uint32_t i = first + ABUT_LOWEST_BIT64(left);
            if (face_of[edges[i].f[0]] == face_of[edges[i].f[1]]) {
                continue;
            }
            const core_edge e = {vertex_at(seat, edges[i].v[0]), vertex_at(seat, edges[i].v[1]),
                                 hull->vertex_count + i};
            const abut_d3 way = abut_d3_sub(e.to, e.from);
            abut_d3 n = abut_d3_cross(along, way);
            n = abut_d3_dot(n, f->out[side]) > 0 ? abut_d3_negate(n) : n; /* towards the triangle */
            if (is_between(abut_d3_load(planes[edges[i].f[0]].n), abut_d3_load(planes[edges[i].f[1]].n), n)) {
                try_edges(seat, f, side, &e, limit, best);
            }
        }
    }
}

/* The normal of the face beyond a ridge, of which `at` is a point, unless that face sees the core from its back. */
static void try_beyond(const abut_np_seat *seat, abut_d3 n, const abut_d3 *in_mesh, abut_d3 at, double limit,
                       abut_np_mesh_axis *best) {
    const double most = abut_min_d(best->depth - resting_of(seat), limit);
    uint32_t vertex;
    if (abut_d3_dot(n, abut_d3_sub(seat->middle, at)) < 0) {
        return;
    }
    double depth = abut_d3_dot(n, abut_d3_sub(at, abut_np_seat_lowest(seat, n, &vertex)));
    if (depth >= 0 && depth < most) {
        best->kind = ABUT_NP_OF_NEIGHBOUR;
        best->normal = n;
        best->in_mesh = *in_mesh;
        best->depth = depth;
    }
}

void abut_np_mesh_find_axis(const abut_np_seat *seat, const abut_np_facing *f, abut_d3 lowest,
                            const abut_np_passage *passage, abut_np_mesh_axis *axis) {
    axis->kind = ABUT_NP_OF_TRIANGLE;
    axis->normal = f->normal;
    axis->depth = f->height - abut_d3_dot(f->normal, lowest);
    if (f->open == 0) {
        return;
    }
    const abut_np_passage p = passage ? *passage : passage_of(seat, f);
    const bool alone = is_alone(f), through = goes_through(seat, axis->depth);
    /* A rod has no faces but those of the box that it is written as. */
    const uint32_t all = seat->is_rod ? 0 : 7, within = p.within | (alone ? all : 0);
    try_faces(seat, f, within, through ? all & ~within : 0, axis);
    double limit = abut_np_mesh_preferred(seat, axis->depth);
    const uint32_t sides = alone ? 7 : through ? p.crossed | inner_sides(f) : p.crossed;
    const uint32_t open = limit > 0 ? f->open : 0; /* depths of edges are >= 0 */
    for (uint32_t left = sides & open; left && axis->depth > 0; left &= left - 1) {
        const uint32_t side = ABUT_LOWEST_BIT(left);
        const arc range = arc_of(seat, f, side);
        /* No less deep than this one corner of the core; and then nothing between the two normals is. */
        const bool deep = !range.any && !(abut_d3_dot(range.other, abut_d3_sub(f->corner[side], lowest)) < limit);
        if (!deep || f->fold >> side & 1) {
            (seat->hull ? try_hull_edges : try_box_edges)(seat, f, side, &range, limit, axis);
        }
        if (!deep && !range.any) {
            try_beyond(seat, range.other, &range.in_mesh, f->corner[side], limit, axis);
        }
    }
}

/* Whether a corner lies deeper in a box than this: then no normal parts the triangle from it by less. */
static bool is_deep(const abut_np_seat *seat, const abut_np_facing *f, uint32_t within, double depth) {
    bool deep = false;
    for (uint32_t left = seat->hull ? 0 : within; left; left &= left - 1) {
        const abut_d3 at = f->corner[ABUT_LOWEST_BIT(left)];
        deep = deep || (fabs(at.x[0]) < seat->half[0] - depth && fabs(at.x[1]) < seat->half[1] - depth &&
                        fabs(at.x[2]) < seat->half[2] - depth);
    }
    return deep;
}

/* Walks around a corner as far as the face goes on in one plane. Returns whether it does so all around. */
static bool walk_flat(const abut_mesh *mesh, abut_np_turn *t) {
    const uint32_t part = t->f.part;
    for (uint32_t steps = 0; steps < ABUT_NP_CORNER_MAX; steps++) {
        const uint32_t side = abut_np_face_side(mesh, t->f, t->leave);
        if (abut_mesh_edge_of(side) != ABUT_MESH_FLAT) {
            return false;
        }
        abut_np_turn_on(t, side);
        if (t->f.part == part) {
            return true;
        }
    }
    return true;
}

/* The ridges that end the face at a corner, but for the triangle's own sides, if the triangle lies behind them. */
static void try_corner(const abut_np_seat *seat, const abut_np_facing *f, uint32_t k, double limit,
                       abut_np_mesh_axis *best) {
    const abut_d3 at = f->corner[k], first = abut_d3_sub(f->corner[(k + 1) % 3], at);
    const abut_d3 second = abut_d3_sub(f->corner[(k + 2) % 3], at);
    const uint32_t corner = f->corner_of[k];
    for (int way = 0; way < 2; way++) {
        abut_np_turn t = {{f->part, f->back}, way ? (corner + 2) % 3 : corner, way == 0};
        if (walk_flat(seat->mesh, &t)) {
            return;
        }
        const uint32_t side = abut_np_face_side(seat->mesh, t.f, t.leave);
        if (t.f.part == f->part || !abut_np_face_is_ridge(t.f, side)) {
            continue;
        }
        const abut_np_face beyond = {abut_mesh_neighbour(side), t.f.back != abut_mesh_is_turned(side)};
        const abut_d3 in_mesh = abut_np_face_normal_of(seat->mesh, f->known, beyond);
        const abut_d3 n = abut_np_seat_into(seat, in_mesh);
        if (abut_max_d(abut_d3_dot(n, first), abut_d3_dot(n, second)) <= resting_of(seat)) {
            try_beyond(seat, n, &in_mesh, at, limit, best);
        }
    }
}

void abut_np_mesh_find_beyond(const abut_np_seat *seat, const abut_np_facing *f, double depth,
                              const abut_np_passage *passage, abut_np_mesh_axis *axis) {
    const uint32_t flat = abut_np_flat_sides(f);
    const double limit = abut_np_mesh_preferred(seat, depth);
    if (limit <= 0) {
        return;
    }
    const abut_np_passage p = passage ? *passage : passage_of(seat, f);
    uint32_t left = p.within & (flat | flat << 1 | flat >> 2) & 7; /* as above */
    if (left && is_deep(seat, f, p.within, limit)) {
        return;
    }
    for (; left; left &= left - 1) {
        try_corner(seat, f, ABUT_LOWEST_BIT(left), limit, axis);
    }
}
