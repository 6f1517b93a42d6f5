/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Questions to a world: rays, overlaps, what lies in a box, what is nearest.
 *
 * All are exact and about the poses as they are now, whether or not a step has seen them. The exact shape of every body
 * is tested, whatever its detail; `should_collide` is never asked. A `body` in an answer is always the body whose shape
 * is meant, not the root of its compound.
 *
 * Threads: functions that take a const world may run at the same time on any number of threads, as long as no thread
 * changes the world meanwhile. They allocate nothing. What they walk is brought up to date by the first question after
 * a change, while others wait: some 40 ns for each changed body, and, where bodies have gone elsewhere, some 120 ns for
 * every body now and then. abut_world_refresh does that beforehand; answers are the same without it.
 *
 * Batches run on the world's workers (parallel.h), in blocks of 128 rays, 64 casts, 64 shapes to overlap and 32 points;
 * a batch of one block on its caller. Of calls that run at the same time one gets the workers. `accept` may then be
 * called from any of them, side by side.
 *
 * Errors: functions that return abut_result write an answer for every valid element even when another one is invalid.
 * Functions that return a count answer 0 for bad input: a null pointer where one is needed, NaN, an invalid shape, pose
 * or filter, a ray that begins or a shape that reaches beyond ABUT_MAX_COORDINATE.
 *
 * S is the size of a pair: the diagonals of both boxes, radius included, and the distance of the centres, for a ray
 * counted from its origin (shape.h: a hull or triangle far from its own frame's origin counts as if it reached there).
 */
#ifndef ABUT_QUERY_H
#define ABUT_QUERY_H

#include <abut/body.h>
#include <abut/contact.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a moving shape does with what it touches at the very beginning of its way. Rays do not ask: a body that holds
 * the origin of a ray is hit at 0, or with ABUT_INITIAL_SKIP passed over. */
typedef enum abut_initial {
    ABUT_INITIAL_CLOSING, /**< hit at 0 only where the way leads inward */
    ABUT_INITIAL_HIT,     /**< hit at 0 */
    ABUT_INITIAL_SKIP     /**< passed over */
} abut_initial;

/** A body that `accept` is asked about. */
typedef struct abut_candidate {
    abut_body_id body;  /**< the body that is met */
    uint64_t user;      /**< its user data */
    uint32_t part;      /**< triangle of a mesh, else 0 */
    abut_body_id mover; /**< sweeps: the body that moves; else {0} */
    size_t element;     /**< index of the element in a batch, else 0 */
} abut_candidate;

/** Whom a question is put to. NULL in place of a query, or all zero: every body whose mask admits any bit. */
typedef struct abut_query {
    abut_filter filter; /**< only bodies that pass count, by the body-against-body rule; here a zero category means all
                             bits, as a zero mask does */
    const abut_body_id *ignore; /**< bodies that do not count, and all bodies of their compounds, in any order. Ids that
                                     name no living body are nobody's */
    size_t ignore_count;        /**< number of ids in `ignore` */
    /** NULL, or the last word on a body that is met: false passes over it. It is asked at least about every answer,
     * never about what is not met, in no fixed order, maybe twice. It must be pure and may call only functions that
     * take a const world. */
    bool (*accept)(const abut_candidate *candidate, void *context);
    void *context;        /**< passed to accept */
    abut_initial initial; /**< what is touched at the very beginning */
    float allowance;      /**< sweeps: how much deeper than at the start is no hit yet; >= 0 */
    bool every_part;      /**< ray_hits, shape_hits: each triangle of a mesh, not just its first */
} abut_query;

/** The closed segment from `origin` to `origin + translation`; a zero translation asks about a point. */
typedef struct abut_ray {
    abut_vec3 origin;       /**< within ABUT_MAX_COORDINATE */
    abut_vec3 translation;  /**< any finite vector */
    abut_body_id ignore[2]; /**< two more bodies that do not count, with their compounds; {0}: nobody */
} abut_ray;

/** What is met on a way. */
typedef struct abut_hit {
    abut_body_id body; /**< {0}: nothing is hit; `fraction` is then 1 and all else 0. Of an invalid element, too, with a
                            fraction of NaN */
    uint64_t user;     /**< the body's user data, as it is now */
    float fraction;    /**< of the way, 0 .. 1: never later than the truth */
    abut_vec3 position; /**< where they touch first; of a ray: origin + fraction * translation, rounded once */
    abut_vec3 normal;   /**< unit normal of the body there, against the way; but HIT and SKIP let what comes through a
                             one-sided mesh from behind be hit where it begins to touch, once its middle has passed the
                             triangle, and the normal is the triangle's. Where the start is touched: zero for rays and
                             ABUT_INITIAL_HIT. Where a body that is swept only comes within e of another and leaves
                             it again, it may point along the way */
    uint32_t part;      /**< triangle of a mesh, else 0 */
    abut_body_id mover; /**< sweeps: the body that moves and meets; else {0} */
} abut_hit;

/** A body that is near. */
typedef struct abut_near {
    abut_body_id body;  /**< the body */
    uint64_t user;      /**< its user data, as it is now */
    float distance;     /**< 0 when they touch */
    abut_vec3 position; /**< closest point of the body */
    abut_vec3 normal;   /**< unit direction from it to the shape; zero when they touch */
    uint32_t part;      /**< triangle of a mesh, else 0 */
} abut_near;

/** A body that touches a shape. */
typedef struct abut_touching {
    abut_body_id body;      /**< the body */
    uint64_t user;          /**< its user data, as it is now */
    uint32_t part;          /**< triangle of a mesh, else 0 */
    abut_manifold manifold; /**< normal from the body to the shape */
} abut_touching;

/** The first body that each of n rays meets.
 *
 * A ray meets a body exactly when the closed segment and the closed body share a point. What truly meets is always
 * reported; what is reported meets the body grown by 1e-12 S. Through edges and corners, along faces, from far away,
 * with zero components: no special cases. Where a ray first meets the body itself at the fraction T, and the grown body
 * at t, t (1 - 2^-22) - 2^-149 <= fraction <= T; a ray that meets the grown body alone may be a hit, or not. Hits are
 * ordered by the fraction in double, before rounding, then by body, then by part. A triangle of a mesh is met only
 * where translation . its normal < 0 (two_sided: from either side), also at its origin.
 *
 * hits[k] is the answer to rays[k], as if asked alone. ABUT_ERROR_ARGUMENT: a null pointer, an invalid query, or
 * invalid elements (NaN, infinity). ABUT_ERROR_LIMIT: no error but origins beyond ABUT_MAX_COORDINATE. Cost: about a
 * microsecond a ray among 100,000 bodies; coherent rays, and many in one call, cost less. Method: slabs (Kay and
 * Kajiya, "Ray tracing complex scenes", 1986), clipping by planes (Cyrus and Beck, 1978), in double with a derived
 * slack (docs/numerics.md). */
ABUT_API abut_result abut_world_cast_rays(const abut_world *world, const abut_ray *rays, size_t n,
                                          const abut_query *query, abut_hit *hits);

/** Whether each of n rays meets any body, for lines of sight: blocked[k] becomes 1 exactly where abut_world_cast_rays
 * hits, else 0 (of an invalid element, too). Errors as there. Cheaper: it stops at any hit. */
ABUT_API abut_result abut_world_test_rays(const abut_world *world, const abut_ray *rays, size_t n,
                                          const abut_query *query, uint8_t *blocked);

/** All bodies that a ray meets, first to last: writes the first `capacity` of them to `out`, which may be NULL to
 * count, and returns how many there are. The first is the answer of abut_world_cast_rays. A mesh counts once, with
 * abut_query::every_part each triangle. Cost: also the logarithm of the capacity for each hit. */
ABUT_API size_t abut_world_ray_hits(const abut_world *world, const abut_ray *ray, const abut_query *query,
                                    abut_hit *out, size_t capacity);

/** All bodies that touch a shape, ascending by id: the answers of abut_shape_overlap; a mesh is one of them when it has
 * an accepted triangle that touches, with either side. Writes the first `capacity` to
 * `out`, which may be NULL to count, and returns how many there are. The shape is no mesh. Cost: about that of the
 * bodies whose bounds touch the shape's. */
ABUT_API size_t abut_world_overlaps(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                                    const abut_query *query, abut_body_id *out, size_t capacity);

/** All bodies within `margin` (a distance, >= 0, finite) of a shape, with manifolds, ascending by id: the answers of
 * abut_shape_collide from the body to the shape. Of a mesh each part that a contact of a step would have
 * (abut_world_parts) is one, ascending; backs and inner edges count as there. Writes the first `capacity` to `out`,
 * which may be NULL to count, and returns how many there are. The shape is no mesh. */
ABUT_API size_t abut_world_collide(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                                   float margin, const abut_query *query, abut_touching *out, size_t capacity);

/** All bodies whose abut_body_get_bounds touch a closed box, ascending by id. min <= max, which may be infinite. Writes
 * the first `capacity` to `out`, which may be NULL to count, and returns how many there are. */
ABUT_API size_t abut_world_in_bounds(const abut_world *world, const abut_aabb *box, const abut_query *query,
                                     abut_body_id *out, size_t capacity);

/** Up to k bodies that are nearest to a shape, no farther than max_distance (>= 0, may be INFINITY; inclusive, and
 * compared with the `distance` that is returned), nearest first: ordered by the distance in double, before rounding,
 * then by id. Of a mesh its nearest accepted triangle counts, from either side; of several the lowest. Returns how many
 * it wrote; 0 without `out`, which counts nothing here. The shape is no mesh. Distances and points as those of
 * abut_shape_distance. Method: branch and bound (Roussopoulos, Kelley and Vincent, "Nearest neighbor queries", 1995).
 */
ABUT_API size_t abut_world_nearest(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                                   float max_distance, const abut_query *query, abut_near *out, size_t k);

/** abut_world_overlaps for n shapes at n poses. The ids of element i are out[i > 0 ? ends[i - 1] : 0 .. ends[i] - 1].
 * Where `capacity` is too small: ABUT_ERROR_CAPACITY, also beside invalid elements; `ends` are then what a larger
 * capacity would give, and `out` holds what fits. Workers use all of `out` on the way, and gain most where it has room
 * for twice as many ids as there are: what does not fit the part of its block is asked twice. An invalid element has no
 * ids, and the call returns ABUT_ERROR_ARGUMENT (ABUT_ERROR_LIMIT where only limits are passed). */
ABUT_API abut_result abut_world_overlaps_many(const abut_world *world, const abut_shape *shapes, const abut_pose *poses,
                                              size_t n, const abut_query *query, abut_body_id *out, size_t capacity,
                                              size_t *ends);

/** abut_world_nearest for n points. `out` has k places for each; counts[i] of those of point i are written, from
 * out[i * k] on. An invalid point has none. Errors as for abut_world_cast_rays. */
ABUT_API abut_result abut_world_nearest_many(const abut_world *world, const abut_vec3 *points, size_t n,
                                             float max_distance, const abut_query *query, abut_near *out, size_t k,
                                             uint32_t *counts);

/** Brings what questions walk up to date, as a step does, without looking for contacts. Answers are the same without
 * it; the first question after a change is then slower. This call uses the workers of the world (parallel.h); a
 * question that finds work to do does it alone. ABUT_ERROR_BUSY inside a callback other than a listener (world.h,
 * "Callbacks"). */
ABUT_API abut_result abut_world_refresh(abut_world *world);

/** Where a ray first meets one shape, which may be a mesh, without a world: whether it does, and how. False leaves the
 * hit untouched, and is also the answer for invalid input and an origin beyond ABUT_MAX_COORDINATE; body, user and
 * mover are 0. `ignore` of the ray is not read. `hit` may be NULL. */
ABUT_API bool abut_shape_cast_ray(const abut_shape *shape, const abut_pose *pose, const abut_ray *ray, abut_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
