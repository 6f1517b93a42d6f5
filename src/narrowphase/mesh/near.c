/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How far triangles are from a convex shape: branch and bound in the mesh's tree, by the distance of boxes in the
 * mesh's frame. Children are visited from near to far (Roussopoulos, Kelley and Vincent, "Nearest neighbor queries",
 * 1995). */
#include "narrowphase/mesh/seat.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/round/measure.h"

/* A distance that is reported may be below the truth by a millionth of it and 1e-12 S. */
static const double NEARER = 1 - 0x1p-19, SLACK = 0x1p-38;

/* Nodes and leaves to visit; level 0: leaves, else one more than that of the nodes. */
typedef struct branch {
    double least; /* no triangle there is nearer */
    uint32_t level, index;
} branch;

enum { BRANCHES = ABUT_MESH_LEVELS * ABUT_MESH_WIDE + 1 };

typedef struct search {
    const abut_collider *ground, *convex;
    const abut_mesh *mesh;
    float min[3], max[3]; /* a box around the shape */
    double limit, slack;
    branch branch[BRANCHES]; /* a stack */
    uint32_t n;
    abut_np_measure_visit *visit;
    void *context;
} search;

static bool is_beyond(const search *s, double least) {
    return least * NEARER - s->slack > s->limit;
}

/* A gap of two intervals, or 0; squared. */
static double gap2(double low, double high, double other_low, double other_high) {
    double gap = abut_max_d(abut_max_d(low - other_high, other_low - high), 0);
    return gap * gap;
}

/* Puts the children that are not too far on the stack, the nearest on top. */
static void open_node(search *s, uint32_t level, uint32_t index) {
    const abut_mesh_node *node = abut_mesh_nodes(s->mesh, level) + index;
    uint32_t first = s->n;
    for (uint32_t k = 0; k < ABUT_MESH_WIDE; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += gap2(node->min[i][k], node->max[i][k], s->min[i], s->max[i]);
        }
        double least = sqrt(sum);
        if (node->min[0][k] > node->max[0][k] || is_beyond(s, least)) {
            continue;
        }
        uint32_t at = s->n++;
        for (; at > first && s->branch[at - 1].least < least; at--) {
            s->branch[at] = s->branch[at - 1];
        }
        s->branch[at] = (branch){least, level, ABUT_MESH_WIDE * index + k};
    }
}

static double box_distance(const search *s, const abut_mesh_leaf *leaf, uint32_t lane) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double a = leaf->corner[0][i][lane], b = leaf->corner[1][i][lane], c = leaf->corner[2][i][lane];
        sum += gap2(abut_min_d(abut_min_d(a, b), c), abut_max_d(abut_max_d(a, b), c), s->min[i], s->max[i]);
    }
    return sqrt(sum);
}

static void measure_leaf(search *s, uint32_t index) {
    static const uint32_t one[1];
    const abut_mesh_leaf *leaf = abut_mesh_leaves(s->mesh) + index;
    abut_np_triangle triangle;
    for (uint32_t lane = 0; lane < ABUT_MESH_LEAF; lane++) {
        if (leaf->number[lane] == ABUT_MESH_NONE || is_beyond(s, box_distance(s, leaf, lane))) {
            continue;
        }
        double distance;
        abut_np_triangle_make(s->ground, leaf->number[lane], &triangle);
        abut_np_distance_many(s->convex, &triangle.collider, one, 1, s->limit, &distance);
        if (distance <= s->limit) {
            s->limit = s->visit(leaf->number[lane], distance, s->context);
        }
    }
}

void abut_np_mesh_near(const abut_collider *mesh, const abut_collider *convex, double limit,
                       abut_np_measure_visit *visit, void *context) {
    search s = {.ground = mesh, .convex = convex, .mesh = mesh->mesh, .limit = limit, .visit = visit};
    abut_np_seat seat;
    s.context = context;
    abut_np_seat_of(mesh, convex, 0, &seat);
    abut_np_seat_bounds(&seat, s.min, s.max);
    s.slack = SLACK * (mesh->mesh->radius + seat.size + seat.radius + abut_d3_norm1(seat.center));
    open_node(&s, s.mesh->levels - 1, 0);
    while (s.n > 0) {
        const branch b = s.branch[--s.n];
        if (is_beyond(&s, b.least)) {
            continue;
        }
        if (b.level == 0) {
            measure_leaf(&s, b.index);
        } else {
            open_node(&s, b.level - 1, b.index);
        }
    }
}

double abut_np_mesh_nearest_point(const abut_collider *mesh, uint32_t part, const abut_collider *convex,
                                  abut_vec3 *position, abut_vec3 *normal) {
    abut_np_triangle triangle;
    abut_np_triangle_make(mesh, part, &triangle);
    return abut_np_nearest_point(convex, &triangle.collider, position, normal);
}

/* The nearest triangle so far, the lowest of several. */
typedef struct nearest {
    double distance;
    uint32_t part;
} nearest;

static double keep_nearest(uint32_t part, double distance, void *context) {
    nearest *best = context;
    if (distance < best->distance || (distance == best->distance && part < best->part)) {
        *best = (nearest){distance, part};
    }
    return best->distance;
}

double abut_np_mesh_distance(const abut_collider *mesh, const abut_collider *convex, abut_vec3 *on_mesh,
                             abut_vec3 *on_convex) {
    nearest best = {INFINITY, ABUT_MESH_NONE};
    abut_np_triangle triangle;
    abut_np_measured measured;
    abut_np_mesh_near(mesh, convex, INFINITY, keep_nearest, &best);
    abut_np_triangle_make(mesh, best.part, &triangle);
    (void)abut_np_measure(&triangle.collider, convex, INFINITY, &measured);
    *on_mesh = abut_vec3_round(measured.on[0]);
    *on_convex = abut_vec3_round(measured.on[1]);
    return measured.distance;
}
