/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where the answer is one body: position and normal. */
#include "narrowphase/cast/cast.h"
#include "narrowphase/round/round.h"

/* In the world's axes. */
typedef struct spot {
    abut_d3 from_body; /* a point that both share, from the centre of the body */
    abut_d3 normal;    /* a unit vector, from the body towards the shape */
} spot;

/* So far before the start, in sizes of the pair, shapes that come nearer are apart, and their closest points have a
 * direction. It turns no plane by more than rounding turns a normal. */
static const double BEFORE = 0x1p-24;

/* The direction of the closest points a little before the start; false where the shapes overlap there. */
static bool normal_before(const abut_np_moving *m, double size, abut_d3 *normal) {
    abut_np_nearest s;
    abut_np_moving_nearest(m, -BEFORE * size / abut_d3_norm1(m->along), &s);
    *normal = s.along;
    (void)abut_d3_normalise_scaled(normal);
    return !s.overlap;
}

/* Cores that no search can tell from touching, not even at the start. Where several normals separate the shapes, as at
 * corners, that of a contact may lead along the way. Should they not collide, the normal is against the way. */
static abut_d3 normal_at_start(const abut_np_cast *cast, const abut_collider *collider, const abut_np_moving *m) {
    const double size = abut_np_size_of(&cast->start, collider);
    abut_d3 against = abut_d3_negate(abut_d3_load(cast->translation)), before;
    (void)abut_d3_normalise_scaled(&against);
    abut_manifold contact = {.normal = abut_vec3_round(against)};
    (void)abut_np_collide(collider, &cast->start, abut_bits_round_up(0x1p-30 * size), &contact);
    const abut_d3 n = abut_d3_from(contact.normal);
    if (abut_d3_dot(n, against) < 0 && normal_before(m, size, &before)) {
        return abut_d3_rotate((double(*)[3])m->cores.axes_a, before);
    }
    return n;
}

/* The unit normal at the touch, in the world. The direction of the closest points, if there is one, where it leads
 * against the way: it is that of a plane between the two, as no answer is late. Else that of the last plane that does,
 * if there is one. */
static abut_d3 normal_at(const abut_np_cast *cast, const abut_collider *collider, const abut_np_moving *m,
                         const abut_np_nearest *s) {
    abut_d3 n = s->along, plane = {{0, 0, 0}};
    bool certain = !s->overlap && abut_d3_normalise_scaled(&n) > 0;
    if (!certain || !(abut_d3_dot(n, m->along) < 0)) {
        (void)abut_np_cast_stepped(m, 0, INFINITY, &plane);
    }
    if (abut_d3_norm1(plane) > 0) {
        n = plane;
    } else if (!certain) {
        return normal_at_start(cast, collider, m);
    }
    return abut_d3_rotate((double(*)[3])m->cores.axes_a, n);
}

/* A point that both share, from the centre of the body: midway between the closest points. `n` is their direction only
 * where the cores overlap: where shapes graze, it is that of a plane between them, a little off. */
static abut_d3 shared_point(const abut_np_cast *cast, const abut_collider *collider, const abut_np_moving *m,
                            const abut_np_nearest *s, abut_d3 n) {
    abut_np_closest closest;
    abut_np_nearest_report(&m->cores, s, &closest);
    const abut_d3 along = closest.overlap ? n : closest.normal;
    const abut_d3 on_body = abut_d3_along(closest.on_a, collider->radius, along);
    const abut_d3 on_shape = abut_d3_along(closest.on_b, -(double)cast->start.radius, along);
    return abut_d3_along(on_body, 0.5, abut_d3_sub(on_shape, on_body));
}

static void place_any(const abut_np_cast *cast, const abut_collider *collider, double fraction, spot *out) {
    abut_np_moving m;
    abut_np_nearest s;
    abut_np_moving_place(cast, collider, &m);
    abut_np_moving_nearest(&m, fraction, &s);
    out->normal = normal_at(cast, collider, &m, &s);
    out->from_body = shared_point(cast, collider, &m, &s, out->normal);
}

static void place_boxes(const abut_np_cast *cast, const abut_collider *collider, double fraction, spot *out) {
    abut_np_cast_entry entry;
    abut_np_cast_enter_boxes(cast, collider, &entry);
    out->normal = abut_d3_rotate(entry.m, entry.normal);
    if (!abut_np_cast_touch_boxes(&entry, fraction, &out->from_body)) {
        abut_np_moving m;
        abut_np_nearest s;
        abut_np_moving_place(cast, collider, &m);
        abut_np_moving_nearest(&m, fraction, &s);
        out->from_body = shared_point(cast, collider, &m, &s, out->normal);
    }
}

/* A sphere at a box with any radius; false where the direction between the cores is not certain. */
static bool place_sphere(const abut_np_cast *cast, const abut_collider *collider, double fraction, spot *out) {
    double axes[3][3];
    const abut_d3 apart = abut_d3_sub(abut_d3_from(cast->start.center), abut_d3_from(collider->center));
    const abut_d3 way = abut_d3_load(cast->translation), half = abut_d3_from(collider->half);
    abut_dquat_matrix_quick(abut_dquat_from(collider->rotation), axes);
    const abut_d3 center = abut_d3_unrotate(axes, abut_d3_along(apart, fraction, way));
    abut_d3 on, n;
    for (int k = 0; k < 3; k++) {
        on.x[k] = abut_max_d(-half.x[k], abut_min_d(center.x[k], half.x[k]));
        n.x[k] = center.x[k] - on.x[k];
    }
    double distance = abut_d3_normalise_scaled(&n), a = collider->radius, b = cast->start.radius;
    on = abut_d3_along(on, a + (distance - a - b) / 2, n);
    out->normal = abut_d3_rotate(axes, n);
    out->from_body = abut_d3_rotate(axes, on);
    return distance > 0x1p-24 * (abut_d3_norm1(apart) + abut_d3_norm1(half)) && abut_d3_dot(out->normal, way) < 0;
}

void abut_np_cast_place(const abut_np_cast *cast, const abut_collider *collider, double fraction, abut_vec3 *position,
                        abut_vec3 *normal) {
    spot found;
    bool sphere = cast->start.type == ABUT_SHAPE_SPHERE && !collider->hull;
    if (cast->start.type == ABUT_SHAPE_BOX && collider->type == ABUT_SHAPE_BOX) {
        place_boxes(cast, collider, fraction, &found);
    } else if (!sphere || !place_sphere(cast, collider, fraction, &found)) {
        place_any(cast, collider, fraction, &found);
    }
    *position = abut_vec3_round(abut_d3_along(abut_d3_from(collider->center), 1, found.from_body));
    *normal = abut_vec3_round(found.normal);
}

bool abut_np_cast_closes(const abut_np_cast *cast, const abut_collider *collider, abut_vec3 *position,
                         abut_vec3 *normal) {
    abut_manifold m = {.normal = {0, 0, 0}};
    abut_vec3 none;
    (void)abut_np_nearest_point(&cast->start, collider, position, &none);
    (void)abut_np_collide(collider, &cast->start, 0, &m);
    *normal = m.normal;
    return abut_np_cast_leads_in(cast, m.normal);
}
