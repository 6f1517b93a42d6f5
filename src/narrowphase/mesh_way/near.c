/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/triangle.h"
#include "narrowphase/mesh_way/descent.h"
#include "narrowphase/mesh_way/travel.h"
#include "narrowphase/tolerance.h"

typedef struct question {
    const abut_collider *mesh, *convex;
    abut_np_bounds box; /* of the shape, in the mesh's frame */
    abut_np_slanted slanted;
    abut_np_measure_visit *visit;
    void *context;
} question;

static double square_of(double gap) {
    return gap > 0 ? gap * gap : 0;
}

/* How far a box is from the slanted one along the axes of that, squared. */
static double apart(const question *q, const abut_np_bounds *bounds) {
    double low, high, sum = 0;
    for (int k = 0; k < 3; k++) {
        abut_np_slanted_span(&q->slanted, k, bounds, &low, &high);
        sum += square_of(abut_max_d(low, -high));
    }
    return sum;
}

/* The distance of two boxes, less what rounding may have added. */
static double distance_of(const abut_np_bounds *bounds, const void *context) {
    const question *q = context;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += square_of(abut_max_d(bounds->min[i] - q->box.max[i], q->box.min[i] - bounds->max[i]));
    }
    return sqrt(q->slanted.holds ? abut_max_d(sum, apart(q, bounds)) : sum) * (1 - 0x1p-40);
}

static double measure_triangle(uint32_t part, double limit, void *context) {
    static const uint32_t first = 0;
    question *q = context;
    abut_np_triangle triangle;
    double distance;
    abut_np_triangle_make(q->mesh, part, &triangle);
    abut_np_distance_many(q->convex, &triangle.collider, &first, 1, limit, &distance);
    return distance <= limit ? q->visit(part, distance, q->context) : limit;
}

void abut_np_mesh_near(const abut_collider *mesh, const abut_collider *convex, double limit,
                       abut_np_measure_visit *visit, void *context) {
    question q = {.mesh = mesh, .convex = convex, .visit = visit, .context = context};
    float min[3], max[3];
    abut_np_seat seat;
    abut_np_seat_of(mesh, convex, 0, NULL, &seat);
    abut_np_seat_bounds(&seat, min, max);
    for (int i = 0; i < 3; i++) {
        q.box.min[i] = min[i], q.box.max[i] = max[i];
    }
    /* Above what rounding does to distances, so that no triangle is passed by that could be the nearest. */
    double slack = 0x1p-38 * (seat.size + seat.radius + abut_d3_norm1(seat.center) + mesh->mesh->radius);
    abut_np_slanted_of(&seat, &q.box, slack, &q.slanted);
    const abut_np_descent descent = {mesh->mesh, distance_of, measure_triangle, &q};
    abut_np_descend(&descent, limit);
}

double abut_np_mesh_nearest_point(const abut_collider *mesh, uint32_t part, const abut_collider *convex,
                                  abut_vec3 *position, abut_vec3 *normal) {
    abut_np_triangle triangle;
    abut_np_triangle_make(mesh, part, &triangle);
    return abut_np_nearest_point(convex, &triangle.collider, position, normal);
}
