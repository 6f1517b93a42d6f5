/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/mesh_way/descent.h"
#include "narrowphase/mesh_way/travel.h"
#include "narrowphase/patch/patch.h"

typedef struct question {
    const abut_np_cast *cast;
    const abut_collider *mesh;
    abut_np_travel travel;
    abut_d3 middle, way; /* of the shape, in the mesh's frame */
    abut_np_measure_visit *visit;
    void *context;
} question;

static double enters(const abut_np_bounds *bounds, const void *context) {
    return abut_np_travel_enters(&((const question *)context)->travel, bounds);
}

static bool is_behind(const question *q, uint32_t part, double fraction) {
    return abut_np_mesh_behind(q->mesh->mesh, part, abut_d3_along(q->middle, fraction, q->way));
}

static double meet(uint32_t part, double limit, void *context) {
    static const uint32_t first = 0;
    question *q = context;
    abut_np_triangle triangle;
    double fraction;
    abut_np_triangle_make(q->mesh, part, &triangle);
    abut_np_cast_many(q->cast, &triangle.collider, &first, 1, limit, &fraction);
    bool counts = fraction <= limit && (q->mesh->mesh->two_sided || !is_behind(q, part, fraction > 0 ? fraction : 0));
    return counts ? q->visit(part, fraction, q->context) : limit;
}

/* A point of the core, in the mesh's frame. */
static abut_d3 middle_of(const abut_np_seat *seat) {
    return abut_d3_along(seat->center, 1, abut_np_seat_out(seat, seat->middle));
}

/* Where a triangle is touched, in the mesh's frame. */
typedef struct touch {
    abut_d3 at;
    double near; /* an edge: how far from it */
    bool back;
} touch;

/* Keeps the normal within what the triangle's edges allow there. */
static touch touch_of(const question *q, const abut_np_seat *seat, uint32_t part, double fraction, abut_vec3 position,
                      abut_vec3 *normal) {
    const abut_mesh *mesh = q->mesh->mesh;
    double(*axes)[3] = (double(*)[3])seat->ground_axes;
    const abut_d3 at = abut_d3_from(position), origin = abut_d3_from(q->mesh->center);
    const abut_d3 raw = abut_d3_unrotate(axes, abut_d3_from(*normal));
    double coordinates = abut_d3_norm1(at) + abut_d3_norm1(origin);
    touch t = {.at = abut_d3_unrotate(axes, abut_d3_sub(at, origin)),
               .near = ABUT_NP_MESH_NEAR_EDGE * (seat->size + seat->radius) + 0x1p-22 * coordinates};
    t.back = is_behind(q, part, fraction);
    const abut_d3 allowed = abut_np_mesh_in_range_of_side(mesh, part, t.at, t.near, raw, &t.back);
    *normal = abut_vec3_round(abut_d3_rotate(axes, allowed));
    return t;
}

static void question_of(const abut_np_cast *cast, const abut_collider *mesh, abut_np_seat *seat, question *q) {
    abut_np_seat_of(mesh, &cast->start, 0, NULL, seat);
    *q = (question){.cast = cast,
                    .mesh = mesh,
                    .middle = middle_of(seat),
                    .way = abut_d3_unrotate(seat->ground_axes, abut_d3_load(cast->translation))};
}

static touch place(const question *q, const abut_np_seat *seat, uint32_t part, double fraction, abut_vec3 *position,
                   abut_vec3 *normal) {
    abut_np_triangle triangle;
    abut_np_triangle_make(q->mesh, part, &triangle);
    abut_np_cast_place(q->cast, &triangle.collider, fraction, position, normal);
    return touch_of(q, seat, part, fraction, *position, normal);
}

void abut_np_mesh_cast(const abut_np_cast *cast, const abut_collider *mesh, double limit, abut_np_measure_visit *visit,
                       void *context) {
    question q;
    float min[3], max[3];
    abut_np_seat seat;
    question_of(cast, mesh, &seat, &q);
    q.visit = visit, q.context = context;
    abut_np_seat_bounds(&seat, min, max);
    abut_np_travel_of(min, max, q.way, 1e-8, &q.travel);
    abut_np_slanted_of(&seat, &q.travel.box, q.travel.grown, &q.travel.slanted);
    const abut_np_descent descent = {mesh->mesh, enters, meet, &q};
    abut_np_descend(&descent, limit);
}

void abut_np_mesh_cast_place(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, double fraction,
                             abut_vec3 *position, abut_vec3 *normal) {
    question q;
    abut_np_seat seat;
    question_of(cast, mesh, &seat, &q);
    (void)place(&q, &seat, part, fraction, position, normal);
}

bool abut_np_mesh_cast_slides(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, double fraction,
                              abut_vec3 *position, abut_vec3 *normal) {
    question q;
    abut_np_seat seat;
    question_of(cast, mesh, &seat, &q);
    const touch t = place(&q, &seat, part, fraction, position, normal);
    return !abut_np_cast_leads_in(cast, *normal) &&
           abut_np_mesh_region_of(mesh->mesh, part, t.back, t.at, t.near) != ABUT_NP_MESH_BORDER;
}

/* --- at the start --- */

/* Where the shape is at a fraction of its way, rounded. */
static abut_collider moved(const abut_np_cast *cast, double fraction) {
    abut_collider there = cast->start;
    const abut_d3 way = abut_d3_load(cast->translation);
    there.center = abut_vec3_round(abut_d3_along(abut_d3_from(there.center), fraction, way));
    return there;
}

/* Of triangles that have no part so many wait until the contact, which takes much of the stack, is done. If there are
 * more, it is done again for each so many. */
enum { WAITING = 64 };

typedef struct start {
    const abut_np_cast *cast;
    abut_np_start_visit *begin;
    void *context;
    double limit;            /* as of other visitors */
    double deepest;          /* the least separation at the start */
    uint32_t found, skipped; /* of triangles without a part; those of earlier rounds */
    uint32_t part[WAITING];
} start;

/* Of what has the same normal as a neighbour that shows its points that one decides. */
static void begin_at(const abut_np_touched *t, void *context) {
    start *s = context;
    if (!abut_np_cast_leads_in(s->cast, t->normal)) {
        return;
    }
    s->deepest = t->deepest;
    if (t->shown && s->skipped == 0) {
        s->limit = s->begin(t->part, 0, t->normal, s->context);
    } else if (!t->shown && t->leans) {
        const uint32_t at = s->found++ - s->skipped;
        if (at < WAITING) {
            s->part[at] = t->part;
        }
    }
}

/* What a neighbour shows better becomes a contact of its own as the shape comes deeper. It counts where the shape is as
 * deep in the triangle as it is in the mesh at the start: where it meets it without so much of its radius. (Without a
 * radius no patch leans.) */
static ABUT_NOINLINE void begin_later(start *s, const abut_collider *mesh, uint32_t part) {
    static const double least = 0x1p-10, hair = 0x1p-20; /* of the radius: what stays, and what decides ties */
    static const uint32_t first = 0;
    const double radius = s->cast->start.radius;
    abut_np_cast thin = *s->cast;
    abut_np_triangle triangle;
    abut_vec3 position, normal;
    double fraction;
    thin.start.radius = (float)abut_max_d(radius + s->deepest - hair * radius, least * radius);
    abut_np_triangle_make(mesh, part, &triangle);
    abut_np_cast_many(&thin, &triangle.collider, &first, 1, s->limit, &fraction);
    fraction = abut_max_d(fraction, 0);
    if (fraction <= s->limit && !abut_np_mesh_cast_slides(&thin, mesh, part, fraction, &position, &normal)) {
        s->limit = s->begin(part, fraction, normal, s->context);
    }
}

void abut_np_mesh_cast_start(const abut_np_cast *cast, const abut_collider *mesh, double limit,
                             abut_np_start_visit *visit, void *context) {
    start s;
    s.cast = cast, s.begin = visit, s.context = context, s.limit = limit, s.skipped = 0;
    do {
        s.found = 0;
        abut_np_mesh_touched(mesh, &cast->start, 0, begin_at, &s);
        for (uint32_t i = s.skipped; i < s.found && i < s.skipped + WAITING && s.limit > 0; i++) {
            begin_later(&s, mesh, s.part[i - s.skipped]);
        }
        s.skipped += WAITING;
    } while (s.skipped < s.found && s.limit > 0);
}

/* Whether a contact looks at the triangle. Apart from the search for closest points, which takes much of the stack,
 * too. */
static ABUT_NOINLINE bool is_looked_at(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part) {
    abut_np_seat seat;
    abut_np_hull_room room;
    abut_np_facing facing[ABUT_NP_FACINGS];
    abut_np_normals known;
    abut_np_hull_room_begin(&room);
    abut_np_seat_of(mesh, &cast->start, 0, &room, &seat);
    abut_np_normals_begin(&known);
    return abut_np_patch_of_part(&seat, part, facing, &known, NULL);
}

bool abut_np_mesh_cast_closes(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, abut_vec3 *normal) {
    abut_np_triangle triangle;
    abut_vec3 position;
    question q;
    abut_np_seat seat;
    if (is_looked_at(cast, mesh, part)) {
        return false;
    }
    abut_np_triangle_make(mesh, part, &triangle);
    (void)abut_np_cast_closes(cast, &triangle.collider, &position, normal);
    question_of(cast, mesh, &seat, &q);
    (void)touch_of(&q, &seat, part, 0, position, normal);
    return abut_np_cast_leads_in(cast, *normal);
}

abut_vec3 abut_np_mesh_cast_shared(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part,
                                   double fraction) {
    const abut_collider there = moved(cast, fraction);
    abut_vec3 position, none;
    (void)abut_np_mesh_nearest_point(mesh, part, &there, &position, &none);
    return position;
}
