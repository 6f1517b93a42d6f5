/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The parts of this room.
 *
 * - cast.c: many colliders, sorted by type; what is near the start.
 * - boxes.c: a kernel: a box at boxes, by times along separating axes.
 * - apart.c: what begins a hair away from a body.
 * - points.c: spheres, as rays of their centres.
 * - apart.c: what begins a hair away from a body.
 * - stepped.c: any two shapes, from one supporting plane to the next.
 * - place.c: where the answer is one body: position and normal.
 * - place_boxes.c: the same for two boxes. */
#ifndef ABUT_NARROWPHASE_CAST_CAST_H
#define ABUT_NARROWPHASE_CAST_CAST_H

#include "narrowphase/cast/kernels.h"
#include "narrowphase/distance/cores.h"
#include "narrowphase/distance/kernels.h"
#include "narrowphase/narrowphase.h"

/* The moving shape in the frame of a body. */
typedef struct abut_np_moving {
    abut_np_cores cores; /* a: the body, b: the moving shape, at its start */
    abut_d3 along;       /* the translation */
    double radii;
    double slack; /* bounds what rounding does to a distance, beside the error of the search for it */
    double near;  /* cores that are no farther apart than this count as met */
    double end;   /* the shapes do not touch after this fraction; at most 1 */
} abut_np_moving;

void abut_np_moving_place(const abut_np_cast *cast, const abut_collider *collider, abut_np_moving *out);

/* The same of a way in the frame of the body that ends where the moving shape is. */
void abut_np_moving_place_at_end(const abut_collider *moving, abut_d3 along, const abut_collider *collider,
                                 abut_np_moving *out);

/* The closest points of the cores at a fraction. */
void abut_np_moving_nearest(const abut_np_moving *m, double fraction, abut_np_nearest *out);

/* The fraction at which the shapes first touch, if they do not before `from`; INFINITY: never, or certainly after
 * `limit`. What cannot be told from touching counts as touching. `plane`, unless NULL, becomes the unit normal of the
 * last plane, in the frame of the body, that was seen between the two, towards the moving shape; it stays as it is
 * where there is none. */
double abut_np_cast_stepped(const abut_np_moving *m, double from, double limit, abut_d3 *plane);

/* A moving box and another in its frame, and how they enter their touch. */
typedef struct abut_np_cast_entry {
    double m[3][3]; /* column j: axis j of the moving box in the world */
    double r[3][3]; /* column j: axis j of the other */
    abut_d3 a, b;   /* half extents */
    abut_d3 t, v;   /* the centre of the other; the translation of the moving box */
    double slack;
    double time;    /* of the latest entry */
    int axis;       /* faces 0 to 2 of the moving box, 3 to 5 of the other, 6 + 3 i + j edges i x j */
    abut_d3 normal; /* a unit vector along it, from the other towards the moving box */
} abut_np_cast_entry;

/* The way is not zero. */
void abut_np_cast_enter_boxes(const abut_np_cast *cast, const abut_collider *body, abut_np_cast_entry *p);

/* A point that both share then, from the centre of the other in the world's axes; false where a few tries find none. */
bool abut_np_cast_touch_boxes(abut_np_cast_entry *p, double fraction, abut_d3 *from_body);

/* Casts where one shape is a sphere: the moving one (point_at), or the bodies. As abut_np_cast_many for colliders of
 * one type, but 0 where it is open whether they touch at the start. */
void abut_np_cast_point_at_spheres(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                   size_t n, double limit, double *fraction);
void abut_np_cast_point_at_boxes(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                 size_t n, double limit, double *fraction);
void abut_np_cast_point_at_hulls(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                 size_t n, double limit, double *fraction);
void abut_np_cast_box_at_points(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                size_t n, double limit, double *fraction);
void abut_np_cast_hull_at_points(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                 size_t n, double limit, double *fraction);

/* Of shapes that do not touch, but so nearly that no search shows a gap: whether the way certainly does not make them
 * touch. */
bool abut_np_cast_leads_apart(const abut_np_cast *cast, const abut_np_moving *moving, const abut_collider *collider);

#endif
