/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Continuous collision: what shapes meet on their way.
 *
 * A *cast* moves a shape in a straight line without turning it; a *sweep* moves bodies from where they are to other
 * poses, turning them too. Both are questions: nothing moves. They are asked before poses are set, so that what is
 * fast cannot pass through what is thin between two steps.
 *
 * S is the sum of both shapes' sizes (the diagonals of their boxes, radius included) and the largest distance of their
 * centres on the way (shape.h says more); L the length of the way, of two moving bodies both added, of a sweep also the
 * angle that they turn by times their reach about the body's origin. e is 1e-9 (S + L) for casts, 1e-6 (S + L) for
 * sweeps. Let T be the fraction of the way at which two shapes truly first touch, and t <= T that at which they would
 * if one were grown by e. What truly meets is always reported, with t (1 - 2^-22) - 2^-149 <= fraction <= T: never
 * late, and early by no more than e makes it.
 *
 * What is touched at the very beginning is treated by abut_query::initial: see abut_initial in query.h and below.
 *
 * Threads, errors, batches and whom a question is put to: as in query.h. */
#ifndef ABUT_CAST_H
#define ABUT_CAST_H

#include <abut/query.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A shape that moves in a straight line without turning. A zero translation asks about the start alone. */
typedef struct abut_cast {
    abut_shape shape;       /**< no mesh */
    abut_pose from;         /**< where it begins; its bounds there lie within ABUT_MAX_COORDINATE */
    abut_vec3 translation;  /**< any finite vector */
    abut_body_id ignore[2]; /**< two more bodies that do not count, with their compounds; {0}: nobody */
} abut_cast;

/** The first body that each of n moving shapes meets.
 *
 * hits[k] is the answer to casts[k], as if asked alone: `fraction` by the law above; `position`, a point that both
 * share when they first touch, and `normal`, the unit normal of the body there, towards the shape. Bodies are ordered
 * by the fraction in double, before rounding, then by id.
 *
 * What the shape touches at its start (abut_shape_overlap), by `initial`, each body by itself. HIT: hit at 0 with a
 * zero normal. CLOSING: hit at 0 only where the way leads inward: translation . n < 0, n being the normal that
 * abut_world_collide gives, and the hit has; otherwise passed over. So what rests on a floor may leave it or slide
 * along it. (What is within 2^-49 of the way's length counts as 0: normals are rounded.) SKIP: passed over.
 *
 * Of a mesh, each triangle is met by itself, and only from its front, judged where the shape first touches it; what is
 * met from behind is passed over for the whole way. `part` is the triangle, and inner edges correct the normal as in
 * mesh.h. Where they do, CLOSING passes over a triangle that is met on the way, too, if translation . normal >= 0: the
 * shape is in the surface already, by a neighbour, and slides along it or leaves it. At the start the parts
 * of abut_world_collide decide, with their normals. A triangle that is touched there but has no part, as neighbours
 * show its contact, is never hit at 0. If a neighbour has the same normal, it is passed over, as that one decides; else
 * it is hit where the shape comes as deep in it as it is in the mesh at the start. So a bump is met where contacts show
 * it, and nothing sinks into the surface.
 *
 * ABUT_ERROR_ARGUMENT: a null pointer, an invalid query, or invalid elements (NaN, an invalid shape), of which the hits
 * have body {0} and a fraction of NaN. ABUT_ERROR_LIMIT: no error but elements that begin beyond ABUT_MAX_COORDINATE.
 * Cost: one to two microseconds for a sphere or a box among 100,000 bodies. Method: points against rounded shapes,
 * times of impact along separating axes for boxes, and for other shapes steps from one supporting plane to the next (as
 * in van den Bergen, "Ray casting against general convex objects", 2004); docs/continuous.md, docs/numerics.md. */
ABUT_API abut_result abut_world_cast_shapes(const abut_world *world, const abut_cast *casts, size_t n,
                                            const abut_query *query, abut_hit *hits);

/** All bodies that a moving shape meets, first to last: writes the first `capacity` of them to `out`, which may be NULL
 * to count, and returns how many there are; 0 for bad input. A mesh counts once, with abut_query::every_part each of
 * its triangles that is met. The first is the answer of abut_world_cast_shapes. */
ABUT_API size_t abut_world_shape_hits(const abut_world *world, const abut_cast *cast, const abut_query *query,
                                      abut_hit *out, size_t capacity);

/** What bodies meet when they move to other poses, all at the same time.
 *
 * `ids` are n different bodies without a parent. Each moves with all that is attached to it from where it is to its
 * target, by abut_pose_between before rounding, past everyone else, who stands still, and past the others of the call.
 * All go their whole way: each hit assumes that the others complete theirs. hits[k] is the first that ids[k] or a body
 * attached to it meets: `mover` is which of them, `body` what it meets, `normal` the unit normal of `body` there,
 * towards the mover. {0} and fraction 1: nothing. Pairs are those that a step lets touch (filters, compounds; never two
 * static bodies) and that the query lets pass, judged by their exact shapes whatever their detail; the world's margin
 * plays no part, and should_collide is not asked.
 *
 * What is within e at the start counts as touched there. HIT: hit at 0 with a zero normal. SKIP: passed over. CLOSING:
 * with n the normal at the start, hit where the depth along n grows by more than abut_query::allowance + e. The
 * fraction is where it had grown by the allowance, and a depth within e at the start counts as none: so what is moved
 * as far as it gets does not sink, however often, unless by the allowance. A pair that has come farther apart than e
 * counts as not touched from then on. (Of pairs that turn this is looked at after short strides: what parts for less
 * than 2^-11 of the way, or for less than it takes the smaller shape to move by 2^-9 of its size as the other one sees
 * it, may count as touching throughout.)
 *
 * Either of a pair may be a mesh: `part` is its triangle, backs and normals are as for casts, at the start, too: n is
 * then that of the triangle. CLOSING: what slides over the surface meets a triangle only where it comes deeper by more
 * than allowance + e than it was at the start, as if it had touched that triangle then. It slides if it has been within
 * e of the triangle's plane, or under it, along the normal that inner edges give, ever since the start, touched the
 * mesh then, and a neighbour of the triangle just before; its fraction is no earlier than where it meets the triangle.
 * What touches nothing of a mesh at the start is hit where it meets it, as with HIT, but for what goes straight and
 * leaves, as with casts. What touches a triangle at the start of a mesh that turns on its way is hit only where,
 * besides, it sinks by as much along n turned with the mesh, at one of 32 times on the way. Such a mesh costs, for each
 * body near it, the triangles that this one passes as it goes round in the mesh's frame: its way there, in up to 64
 * boxes.
 *
 * Changes nothing but memory: the world's poses stay. ABUT_ERROR_ARGUMENT, and nothing is written: a null pointer, an
 * invalid query, an id twice, a body with a parent; ABUT_ERROR_HANDLE: an id that names no living body. An invalid
 * target (NaN) gives body {0} and a fraction of NaN, and so does one beyond ABUT_MAX_COORDINATE (ABUT_ERROR_LIMIT);
 * such a body stands still for the others. ABUT_ERROR_MEMORY, ABUT_ERROR_CAPACITY: no room. ABUT_ERROR_BUSY inside a
 * callback other than a listener (world.h, "Callbacks"). Cost: one to two microseconds for a body that moves a little
 * among 100,000, five to eight for one that crosses 20 times its size; a pair that touches at the start and turns
 * (CLOSING) costs up to a microsecond more for each stride (above), at most 2,048 of them, where one slides over the
 * other, and next to nothing where one rides on the other; of a mesh that holds for each triangle that is touched. A
 * body that turns far among many goes its way in pieces, and costs what is near it up to the hit. Method: conservative
 * advancement (Mirtich, 1996; Zhang, Lee and Kim, 2006) along directions that turn with the shapes, with a bound of
 * third order: docs/numerics.md, "Sweeps". More than 64 bodies are swept by all workers of the world (parallel.h),
 * bodies of one compound by one of them. Each then finds its own first hit, so that pairs of movers are tested twice;
 * `accept` may be called from any of them, side by side. */
ABUT_API abut_result abut_world_sweep(abut_world *world, const abut_body_id *ids, const abut_pose *targets, size_t n,
                                      const abut_query *query, abut_hit *hits);

/** Where two moving shapes first meet, without a world: whether they do, and how; normal of b, towards a. Each moves
 * from one pose to another by abut_pose_between, before rounding. `initial` as above, without allowance. One of both
 * may be a mesh. False leaves the hit untouched; also for bad input. Body, user and mover are 0. `hit` may be NULL.
 * Cost: one to three microseconds for boxes, two to four for hulls of 24 vertices. */
ABUT_API bool abut_shape_sweep(const abut_shape *a, const abut_pose *from_a, const abut_pose *to_a, const abut_shape *b,
                               const abut_pose *from_b, const abut_pose *to_b, abut_initial initial, abut_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
