/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/mesh_way/travel.h"
#include "narrowphase/patch/patch.h"

typedef struct question {
    const abut_np_way *a, *b, *mesh, *convex; /* a and b in some order */
    abut_initial initial;
    float allowance;
    bool turns; /* the mesh turns */
    double limit;
    union {
        abut_np_travel travel;
        abut_np_orbit orbit; /* if it does */
    };
    abut_np_met_visit *visit;
    void *context;
    double depth; /* CLOSING: of the shape in what it touches of the mesh at the start; below 0: nothing */
} question;

/* A mesh that turns is gone through in the order of its tree, not by time (a sixth faster), so that the order in which
 * `accept` is asked does not depend on how finely the way is divided. */
static double enters(const abut_np_bounds *bounds, const void *context) {
    const question *q = context;
    if (q->turns) {
        return abut_np_orbit_enters(&q->orbit, bounds) <= q->limit ? 0 : INFINITY;
    }
    return abut_np_travel_enters(&q->travel, bounds);
}

static void place_at(const abut_np_way *way, double time, abut_np_placed *out) {
    abut_np_placed_of(way, time, (abut_d3){{0, 0, 0}}, out);
}

static abut_d3 out_of(abut_np_placed *p, abut_d3 at) {
    return abut_d3_along(p->center, 1, abut_d3_rotate(p->axes, at));
}

static abut_d3 into(abut_np_placed *p, abut_d3 at) {
    return abut_d3_unrotate(p->axes, abut_d3_sub(at, p->center));
}

static bool is_behind(const question *q, uint32_t part, double time) {
    abut_np_placed convex, mesh;
    const abut_hull *hull = q->convex->shape.hull;
    const abut_d3 middle = hull ? abut_d3_from(hull->centroid) : (abut_d3){{0, 0, 0}};
    place_at(q->convex, time, &convex);
    place_at(q->mesh, time, &mesh);
    return abut_np_mesh_behind(q->mesh->shape.mesh, part, into(&mesh, out_of(&convex, middle)));
}

/* Where the triangle is met, in the mesh's frame. */
typedef struct touch {
    abut_np_placed mesh;
    abut_d3 at, normal; /* away from the mesh */
    double near, sign;  /* an edge: how far from it; the normal of the world is b's, towards a */
    bool back;
} touch;

static touch touch_of(const question *q, uint32_t part, const abut_np_met *met) {
    const abut_mesh *ground = q->mesh->shape.mesh;
    touch t = {.sign = q->b == q->mesh ? 1 : -1};
    const abut_d3 at = abut_d3_from(met->position);
    place_at(q->mesh, met->fraction, &t.mesh);
    const abut_d3 raw = abut_d3_unrotate(t.mesh.axes, abut_d3_from(met->normal));
    t.at = into(&t.mesh, at);
    t.near = ABUT_NP_MESH_NEAR_EDGE * abut_shape_of(&q->convex->shape)->extent(&q->convex->shape) +
             0x1p-22 * (abut_d3_norm1(at) + abut_d3_norm1(t.mesh.center));
    const abut_d3 away = {{t.sign * raw.x[0], t.sign * raw.x[1], t.sign * raw.x[2]}};
    t.back = is_behind(q, part, met->fraction);
    t.normal = abut_np_mesh_in_range_of_side(ground, part, t.at, t.near, away, &t.back);
    return t;
}

/* The normal of b, in the world. */
static abut_d3 normal_of(const touch *t) {
    const abut_d3 to = abut_d3_rotate((double(*)[3])t->mesh.axes, t->normal);
    return (abut_d3){{t->sign * to.x[0], t->sign * to.x[1], t->sign * to.x[2]}};
}

static void set_normal(touch *t, abut_np_met *met) {
    met->normal = abut_vec3_positive_zeros(abut_vec3_round(normal_of(t)));
}

/* How high the core is over the triangle along a normal of the mesh's frame, at some time. */
static double height_at(const question *q, const abut_np_triangle *triangle, abut_d3 normal, double time) {
    abut_np_placed convex, mesh;
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

/* Whether the shape comes lower over a triangle that turns, along a normal that turns with it, which is looked at in
 * strides: where a triangle is large, its far end may rise while it sinks below the shape. */
static bool sinks(const question *q, const abut_np_triangle *triangle, abut_d3 normal, double enough) {
    enum { STRIDES = 32 };
    const double height = height_at(q, triangle, normal, 0);
    for (int i = 1; i <= STRIDES; i++) {
        if (height - height_at(q, triangle, normal, (double)i / STRIDES) > enough) {
            return true;
        }
    }
    return false;
}

/* The triangle as a step sees it at the start; within this distance it touches there. Returns false where rounding
 * decides that it does not. */
static bool step_sees(const question *q, uint32_t part, float margin, abut_np_patch *patch) {
    abut_np_placed convex, mesh;
    abut_collider body = q->convex->shape, ground = q->mesh->shape;
    abut_np_seat seat;
    abut_np_hull_room room;
    abut_np_facing facing[ABUT_NP_FACINGS];
    abut_np_normals known;
    place_at(q->convex, 0, &convex);
    place_at(q->mesh, 0, &mesh);
    const abut_dquat qb = abut_dquat_multiply(abut_turn_at(&q->convex->turn, 0), q->convex->turned);
    const abut_dquat qm = abut_dquat_multiply(abut_turn_at(&q->mesh->turn, 0), q->mesh->turned);
    body.center = abut_vec3_round(convex.center);
    ground.center = abut_vec3_round(mesh.center);
    body.rotation = (abut_quat){(float)qb.x, (float)qb.y, (float)qb.z, (float)qb.w};
    ground.rotation = (abut_quat){(float)qm.x, (float)qm.y, (float)qm.z, (float)qm.w};
    abut_np_hull_room_begin(&room);
    abut_np_seat_of(&ground, &body, margin, &room, &seat);
    abut_np_normals_begin(&known);
    return abut_np_patch_of_part(&seat, part, facing, &known, patch);
}

/* A triangle on the way of the mesh, and both ways in their order. */
typedef struct met_part {
    abut_np_triangle triangle;
    abut_np_way way;
    const abut_np_way *a, *b;
} met_part;

static void part_of(const question *q, uint32_t part, met_part *out) {
    abut_np_triangle_make(&q->mesh->shape, part, &out->triangle);
    out->way = *q->mesh;
    out->way.shape = out->triangle.collider;
    out->way.reach = abut_d3_length(out->way.local) + out->triangle.hull.radius;
    out->a = q->a == q->mesh ? &out->way : q->a;
    out->b = q->b == q->mesh ? &out->way : q->b;
}

/* What touches at the start closes in along the normal that a step gives there, which inner edges may have corrected,
 * and which the triangle alone would not have. */
static bool close_in(const question *q, const abut_np_way *a, const abut_np_way *b, const abut_np_triangle *triangle,
                     uint32_t part, double limit, abut_np_met *met) {
    const float margin = (float)(2 * abut_np_sweep_tolerance(a, b)); /* and what placing rounds */
    abut_np_patch patch;
    abut_np_placed mesh;
    if (!step_sees(q, part, margin, &patch)) {
        if (!abut_np_sweep(a, b, ABUT_INITIAL_CLOSING, q->allowance, limit, met)) {
            return false;
        }
        touch t = touch_of(q, part, met);
        set_normal(&t, met);
        return true;
    }
    place_at(q->mesh, 0, &mesh);
    const abut_d3 normal = abut_d3_rotate(mesh.axes, patch.in_mesh);
    return abut_np_sweep_along(a, b, q->b == q->mesh ? normal : abut_d3_negate(normal), q->allowance, limit, met) &&
           (!q->turns || sinks(q, triangle, patch.in_mesh, (double)q->allowance + 4 * (double)margin));
}

/* Whether a triangle is touched at some time, from its front. */
static bool is_touched(const question *q, uint32_t part, double time, met_part *p) {
    part_of(q, part, p);
    return (q->mesh->shape.mesh->two_sided || !is_behind(q, part, time)) && abut_np_sweep_touch_at(p->a, p->b, time);
}

/* Whether one that has a corner in common with this one is. */
static bool is_neighbour_touched(const question *q, uint32_t part, double time) {
    uint32_t around[ABUT_NP_CORNER_MAX];
    met_part p;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t count = abut_np_mesh_around(q->mesh->shape.mesh, part, k, around);
        for (uint32_t i = 0; i < count; i++) {
            if (is_touched(q, around[i], time, &p)) {
                return true;
            }
        }
    }
    return false;
}

static double deepen(uint32_t part, double limit, void *context) {
    question *q = context;
    abut_np_patch patch;
    met_part p;
    if (is_touched(q, part, 0, &p)) {
        q->depth = abut_max_d(q->depth, 0);
        if (step_sees(q, part, (float)(2 * abut_np_sweep_tolerance(p.a, p.b)), &patch)) {
            abut_np_placed mesh;
            place_at(q->mesh, 0, &mesh);
            const abut_d3 normal = abut_d3_rotate(mesh.axes, patch.in_mesh);
            const double gap = abut_np_sweep_gap(p.a, p.b, q->b == q->mesh ? normal : abut_d3_negate(normal), 0);
            q->depth = abut_max_d(q->depth, -gap);
        }
    }
    return limit;
}

/* How deep the shape is in the mesh at the start; below 0 if it does not touch it. Who has not touched a mesh with
 * ghosts may come from the one next to it, as deep as it likes. */
static void find_depth(question *q) {
    const abut_mesh *mesh = q->mesh->shape.mesh;
    const abut_np_descent descent = {mesh, enters, deepen, q};
    abut_np_descend(&descent, 0);
    q->depth = q->depth < 0 && mesh->ghost_count > 0 ? INFINITY : q->depth;
}

/* Whether a triangle that is met from outside is met by who slides over the surface: who was never above its plane, and
 * touched the mesh at the start and a neighbour just before, or goes straight and leaves. If so, *level is the gap that
 * counts as a hit: as deep as at the start, along this normal and in all; but on a ridge, and for who comes up through
 * backs, as deep as it is. */
static bool slides(question *q, const abut_np_way *a, const abut_np_way *b, uint32_t part, const touch *t, double time,
                   double *level) {
    const abut_np_mesh_region region = abut_np_mesh_region_of(q->mesh->shape.mesh, part, t->back, t->at, t->near);
    const abut_d3 normal = normal_of(t);
    if (region == ABUT_NP_MESH_BORDER || !abut_np_sweep_together(a, b, normal, time)) {
        return false;
    }
    const double first = abut_np_sweep_gap(a, b, normal, 0), now = abut_np_sweep_gap(a, b, normal, time);
    const bool leaves = now >= first && !(q->convex->turn.angle > 0) && !q->turns;
    if (!leaves && (!is_neighbour_touched(q, part, abut_np_sweep_before(a, b, time)) || q->depth < 0)) {
        return false;
    }
    const double depth = q->depth;
    const double lowest = depth < 0 || region == ABUT_NP_MESH_RIDGE ? now : abut_min_d(now, -depth);
    *level = abut_max_d(first, lowest) - q->allowance;
    return true;
}

/* Who slides over a mesh is in it already when its next triangle is met: what counts is whether it comes deeper. Where
 * shapes part and meet again, that is asked again. False: it does not count. */
static bool slide(question *q, const abut_np_way *a, const abut_np_way *b, uint32_t part, double limit, touch *t,
                  abut_np_met *met) {
    enum { MEETINGS_MAX = 16 };
    double before = -1, level;
    for (int k = 0; k < MEETINGS_MAX && !met->deeper && met->fraction > before; k++) {
        before = met->fraction;
        if (!slides(q, a, b, part, t, before, &level)) {
            return true;
        }
        if (!abut_np_sweep_slide(a, b, normal_of(t), level, limit, met)) {
            return false;
        }
        if (met->fraction > before) {
            *t = touch_of(q, part, met);
        }
    }
    return true;
}

/* What to make of a triangle that is met from outside: whether it counts, and its normal, within what its edges allow.
 */
static bool decide(question *q, const abut_np_way *a, const abut_np_way *b, uint32_t part, double limit,
                   abut_np_met *met) {
    const abut_vec3 n = met->normal;
    if (met->deeper || (n.x == 0 && n.y == 0 && n.z == 0)) {
        return true;
    }
    touch t = touch_of(q, part, met);
    if (q->initial == ABUT_INITIAL_CLOSING && !slide(q, a, b, part, limit, &t, met)) {
        return false;
    }
    if (!met->deeper) {
        set_normal(&t, met);
    }
    return met->deeper || !t.back || q->mesh->shape.mesh->two_sided;
}

static double meet(uint32_t part, double limit, void *context) {
    question *q = context;
    abut_np_met met;
    met_part p;
    const bool closing = q->initial == ABUT_INITIAL_CLOSING, one_sided = !q->mesh->shape.mesh->two_sided;
    part_of(q, part, &p);
    if (!abut_np_sweep(p.a, p.b, closing ? ABUT_INITIAL_HIT : q->initial, 0, limit, &met)) {
        return limit;
    }
    if (one_sided && is_behind(q, part, met.fraction)) {
        return limit;
    }
    if (closing && met.fraction == 0) {
        /* on which side it is counts where it begins to touch: not where it has come deeper */
        if (!close_in(q, p.a, p.b, &p.triangle, part, limit, &met)) {
            return limit;
        }
    }
    if (!decide(q, p.a, p.b, part, limit, &met)) {
        return limit;
    }
    q->limit = q->visit(part, &met, q->context);
    return q->limit;
}

/* The box around the convex shape, as the mesh sees it, which only moves in a straight line. */
static void see_from_mesh(question *q) {
    abut_np_line line;
    abut_np_placed mesh;
    float min[3], max[3];
    abut_np_way_line(q->convex, q->mesh->shape.mesh->radius, 0, 1, &line);
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
                  .context = context,
                  .depth = -1,
                  .limit = limit};
    q.turns = q.mesh->turn.angle > 0;
    if (q.turns) {
        abut_np_orbit_of(q.mesh, q.convex, &q.orbit);
    } else {
        see_from_mesh(&q);
    }
    if (initial == ABUT_INITIAL_CLOSING) {
        find_depth(&q);
    }
    const abut_np_descent descent = {q.mesh->shape.mesh, enters, meet, &q};
    abut_np_descend(&descent, limit);
}
