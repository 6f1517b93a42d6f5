/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/travel.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/patch/patch.h"

typedef struct question {
    const abut_np_way *a, *b, *mesh, *convex; /* a and b in some order */
    abut_initial initial;
    float allowance;
    bool turns; /* the mesh turns: all triangles are asked */
    abut_np_travel travel;
    abut_np_met_visit *visit;
    void *context;
} question;

static double enters(const abut_np_bounds *bounds, const void *context) {
    const question *q = context;
    return q->turns ? 0 : abut_np_travel_enters(&q->travel, bounds);
}

/* The collider of a shape at some time of its way. */
typedef struct placed {
    abut_d3 center;
    double axes[3][3];
} placed;

static void place_at(const abut_np_way *way, double time, placed *out) {
    const abut_dquat frame = abut_turn_at(&way->turn, time);
    double of_frame[3][3];
    abut_dquat_matrix_quick(frame, of_frame);
    abut_dquat_matrix_quick(abut_dquat_multiply(frame, way->turned), out->axes);
    const abut_d3 origin = abut_d3_along(way->from, time, way->translation);
    out->center = abut_d3_along(origin, 1, abut_d3_rotate(of_frame, way->local));
}

static abut_d3 out_of(placed *p, abut_d3 at) {
    return abut_d3_along(p->center, 1, abut_d3_rotate(p->axes, at));
}

static abut_d3 into(placed *p, abut_d3 at) {
    return abut_d3_unrotate(p->axes, abut_d3_sub(at, p->center));
}

static bool is_behind(const question *q, uint32_t part, double time) {
    placed convex, mesh;
    const abut_hull *hull = q->convex->shape.hull;
    const abut_d3 middle = hull ? abut_d3_from(hull->centroid) : (abut_d3){{0, 0, 0}};
    place_at(q->convex, time, &convex);
    place_at(q->mesh, time, &mesh);
    return abut_np_mesh_behind(q->mesh->shape.mesh, part, into(&mesh, out_of(&convex, middle)));
}

/* Keeps the normal within what the triangle's edges allow. */
static void correct(const question *q, uint32_t part, abut_np_met *met) {
    const abut_mesh *mesh = q->mesh->shape.mesh;
    const abut_vec3 n = met->normal;
    placed m;
    if (n.x == 0 && n.y == 0 && n.z == 0) {
        return;
    }
    place_at(q->mesh, met->fraction, &m);
    double sign = q->b == q->mesh ? 1 : -1; /* it is b's, towards a */
    const abut_d3 at = abut_d3_from(met->position), raw = abut_d3_unrotate(m.axes, abut_d3_from(n));
    double near = ABUT_NP_MESH_NEAR_EDGE * abut_shape_of(&q->convex->shape)->extent(&q->convex->shape) +
                  0x1p-22 * (abut_d3_norm1(at) + abut_d3_norm1(m.center));
    const abut_d3 from_mesh = {{sign * raw.x[0], sign * raw.x[1], sign * raw.x[2]}};
    abut_d3 to = abut_d3_rotate(
        m.axes, abut_np_mesh_in_range(mesh, part, is_behind(q, part, met->fraction), into(&m, at), near, from_mesh));
    met->normal =
        abut_vec3_positive_zeros(abut_vec3_round((abut_d3){{sign * to.x[0], sign * to.x[1], sign * to.x[2]}}));
}

/* How high the core is over the triangle along a normal of the mesh's frame, at some time. */
static double height_at(const question *q, const abut_np_triangle *triangle, abut_d3 normal, double time) {
    placed convex, mesh;
    place_at(q->convex, time, &convex);
    place_at(q->mesh, time, &mesh);
    const abut_d3 n = abut_d3_rotate(mesh.axes, normal);
    const abut_shape_class *shape = abut_shape_of(&q->convex->shape);
    const abut_d3 low =
        out_of(&convex, shape->support(&q->convex->shape, abut_d3_unrotate(convex.axes, abut_d3_negate(n))));
    double most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const abut_d3 corner = {{triangle->coordinate[0][k], triangle->coordinate[1][k], triangle->coordinate[2][k]}};
        most = abut_max_d(most, abut_d3_dot(n, abut_d3_sub(out_of(&mesh, corner), mesh.center)));
    }
    return abut_d3_dot(n, abut_d3_sub(low, mesh.center)) - most;
}

/* What touches at the start closes in along the normal that a step gives there, which inner edges may have corrected.
 * Whether it does is looked at in strides. */
static bool closes(const question *q, uint32_t part, const abut_np_triangle *triangle) {
    enum { STRIDES = 32 };
    placed convex, mesh;
    abut_collider body = q->convex->shape, ground = q->mesh->shape;
    abut_np_seat seat;
    abut_np_patch patch;
    place_at(q->convex, 0, &convex);
    place_at(q->mesh, 0, &mesh);
    const abut_dquat qb = abut_dquat_multiply(abut_turn_at(&q->convex->turn, 0), q->convex->turned);
    const abut_dquat qm = abut_dquat_multiply(abut_turn_at(&q->mesh->turn, 0), q->mesh->turned);
    body.center = abut_vec3_round(convex.center);
    ground.center = abut_vec3_round(mesh.center);
    body.rotation = (abut_quat){(float)qb.x, (float)qb.y, (float)qb.z, (float)qb.w};
    ground.rotation = (abut_quat){(float)qm.x, (float)qm.y, (float)qm.z, (float)qm.w};
    float margin = (float)(1e-6 * (abut_shape_of(&body)->extent(&body) + triangle->hull.obb.half.x +
                                   triangle->hull.obb.half.y + triangle->hull.obb.half.z));
    abut_np_seat_of(&ground, &body, margin, &seat);
    if (!abut_np_patch_of_part(&seat, part, &patch)) {
        return true;
    }
    double height = height_at(q, triangle, patch.in_mesh, 0), enough = (double)q->allowance + 4 * (double)margin;
    for (int i = 1; i <= STRIDES; i++) {
        if (height - height_at(q, triangle, patch.in_mesh, (double)i / STRIDES) > enough) {
            return true;
        }
    }
    return false;
}

static double meet(uint32_t part, double limit, void *context) {
    question *q = context;
    abut_np_triangle triangle;
    abut_np_met met, start;
    abut_np_way way = *q->mesh;
    abut_np_triangle_make(&q->mesh->shape, part, &triangle);
    way.shape = triangle.collider;
    way.reach = abut_d3_length(way.local) + triangle.hull.radius;
    const abut_np_way *a = q->a == q->mesh ? &way : q->a, *b = q->b == q->mesh ? &way : q->b;
    if (!abut_np_sweep(a, b, q->initial, q->allowance, limit, &met) ||
        (!q->mesh->shape.mesh->two_sided && is_behind(q, part, met.fraction))) {
        return limit;
    }
    bool closing = q->initial == ABUT_INITIAL_CLOSING && abut_np_sweep(a, b, ABUT_INITIAL_HIT, 0, 0, &start);
    if (closing && (!closes(q, part, &triangle) || (!q->mesh->shape.mesh->two_sided && is_behind(q, part, 0)))) {
        return limit;
    }
    correct(q, part, &met);
    return q->visit(part, &met, q->context);
}

/* The box around the convex shape, as the mesh sees it, which only moves in a straight line. */
static void see_from_mesh(question *q) {
    abut_np_line line;
    placed mesh;
    float min[3], max[3];
    abut_np_way_line(q->convex, q->mesh->shape.mesh->radius, &line);
    place_at(q->mesh, 0, &mesh);
    const abut_d3 at = into(&mesh, abut_d3_load(line.origin));
    const abut_d3 way = abut_d3_unrotate(mesh.axes, abut_d3_sub(abut_d3_load(line.translation), q->mesh->translation));
    for (int k = 0; k < 3; k++) {
        double half = fabs(mesh.axes[0][k]) * line.half[0] + fabs(mesh.axes[1][k]) * line.half[1] +
                      fabs(mesh.axes[2][k]) * line.half[2];
        min[k] = abut_bits_round_down(at.x[k] - half);
        max[k] = abut_bits_round_up(at.x[k] + half);
    }
    abut_np_travel_of(min, max, way, 1e-6, &q->travel);
}

void abut_np_mesh_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                        abut_np_met_visit *visit, void *context) {
    bool first = a->shape.type == ABUT_SHAPE_MESH;
    question q = {.a = a,
                  .b = b,
                  .mesh = first ? a : b,
                  .convex = first ? b : a,
                  .initial = initial,
                  .allowance = allowance,
                  .visit = visit,
                  .context = context};
    q.turns = q.mesh->turn.angle > 0;
    if (!q.turns) {
        see_from_mesh(&q);
    }
    const abut_np_descent descent = {q.mesh->shape.mesh, enters, meet, &q};
    abut_np_descend(&descent, limit);
}
