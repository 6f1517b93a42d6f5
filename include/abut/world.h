/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * The world: bodies in, a step, contacts out.
 *
 * Threads: any number of threads may call `const` functions on one world while no other call runs on it. Different
 * worlds share nothing. `const` functions never allocate and always see the current poses.
 *
 * The contacts of a step are a pure function of the current poses, shapes, filters and ids. They do not depend on
 * history, insertion order, number of workers, compiler or instruction set.
 *
 * Floating-point mode: steps, questions, creation (also of hulls and meshes) and restoring round to nearest and keep
 * denormals, whatever mode they find, and restore that mode when they return. Callbacks run in the mode of the library
 * and must leave it as it is. All other functions without a world take the mode as it is; what they promise holds where
 * it rounds to nearest and keeps denormals.
 *
 * Callbacks: inside should_collide, a listener, `accept` of abut_world_sweep and a shape finder, calls that are not
 * allowed there return ABUT_ERROR_BUSY (abut_world_destroy: does nothing). Inside `accept` of other questions and the
 * callbacks of abut_world_draw only `const` calls are allowed, inside an allocator none, which is not checked. All must
 * return: leaving one by longjmp or a C++ exception leaves the world unusable. docs/errors.md has a table. */
#ifndef ABUT_WORLD_H
#define ABUT_WORLD_H

#include <abut/body.h>
#include <abut/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Settings of a new world. Zero means default for every field. */
typedef struct abut_world_def {
    abut_allocator allocator; /**< zero: malloc and free. It must work until abut_world_destroy */
    uint32_t body_capacity;   /**< bodies to reserve memory for, at most 2^28 - 1 (more: ABUT_ERROR_MEMORY) */
    uint32_t pair_capacity; /**< candidates to reserve memory for: pairs whose bounds touch (widened by the margin), as
                                 abut_step_report counts them. Allow several per body. While bodies and
                                 candidates stay within both capacities no step allocates. Parts of contacts with
                                 meshes (abut_world_parts) have room for the same number: one per triangle touched,
                                 also of pairs that should_collide refuses */
    bool fixed_capacity;    /**< never allocate after abut_world_create: a call that needs more room returns
                                 ABUT_ERROR_CAPACITY, also a step with more than pair_capacity parts */
    float contact_margin;   /**< >= 0, a length. Pairs at ABUT_DETAIL_MANIFOLD are in contact when the Euclidean
                                 distance of the two bodies is at most this; 0: when they touch */
    abut_vec3 up; /**< normal of the ground plane of footprints, of any length; zero: +Y. Placements can be tested only
                       if it points along an axis of the world, in either direction */
    /** Optional custom filter. Every step calls it once for each pair that would touch; a has the lower index. Return
     * false to leave the pair out. Within a step the answer for a pair must not change. It may make only `const` calls
     * on the world. Queries do not call it. */
    bool (*should_collide)(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user);
    void *user;             /**< yours; passed to should_collide */
    abut_parallel parallel; /**< threads that the world may use: see parallel.h. Zero: none. should_collide and
                                 abut_query::accept may then be called from any of them, side by side */
} abut_world_def;

/** Makes a world. `def` may be NULL: all defaults. On error *world is NULL: ABUT_ERROR_ARGUMENT for a null `world`, a
 * margin that is negative or not finite, an `up` that is not finite, one allocator function without the other, or
 * abut_parallel::run with no workers or more than ABUT_WORKERS_MAX;
 * ABUT_ERROR_MEMORY; ABUT_ERROR_ARITHMETIC (types.h). Reserves about 250 bytes per body of body_capacity (580 with
 * fixed_capacity: any body may be attached, filtered and swept) and 800 per pair of pair_capacity (1,110 with
 * fixed_capacity, because there may be meshes; in other worlds the first body with a mesh reserves the rest). If
 * pair_capacity is not 0, another 46 KB, and with workers 1.8 MB for each, at most 15 MB in all; else the first step,
 * or the first large one, reserves that. */
ABUT_API abut_result abut_world_create(const abut_world_def *def, abut_world **world);

/** Frees the world and sets *world to NULL. Does nothing if `world` or *world is NULL, and inside a callback of the
 * same world ("Callbacks" above). Reports no END events. */
ABUT_API void abut_world_destroy(abut_world **world);

/** The number of living bodies; 0 for NULL. O(1). */
ABUT_API size_t abut_world_body_count(const abut_world *world);

/** Writes up to `capacity` ids of living bodies, ascending by index. Always returns the number of all living bodies.
 * `out` may be NULL. O(bodies). */
ABUT_API size_t abut_world_bodies(const abut_world *world, abut_body_id *out, size_t capacity);

/** Statistics of a step. Seconds are wall-clock time; no answer depends on them. */
typedef struct abut_step_report {
    size_t bodies;         /**< living */
    size_t moved;          /**< bodies created, or whose pose or shape was set, since the last step */
    size_t candidates;     /**< pairs whose bounds touch (widened by the margin), without those that filters keep apart.
                                Some of these may count where more than 30 different filters, or more than 16 with a
                                negative group, are or were in use at a time.
                                Pairs of one compound count, and pairs that should_collide refuses */
    size_t contacts;       /**< pairs that touch */
    size_t begun;          /**< pairs that touch now and did not touch after the last step */
    size_t ended;          /**< pairs that touched after the last step and no longer do */
    double seconds_bounds; /**< recomputing the bounds of bodies that changed */
    double seconds_broad;  /**< finding candidates, and caching bodies at rest */
    double seconds_narrow; /**< resolving candidates, and deciding what begins, persists and ends */
    double seconds_events; /**< calling the listener: mostly its own time */
    size_t sweep_tests;    /**< pairs of bounds compared to find the candidates; two resting bodies are not compared */
    size_t second_stage;   /**< candidates that single precision could not decide; every pair with a hull counts,
                                and every pair of rounded boxes with each other or with boxes; no pair with a mesh does */
    size_t bytes;          /**< memory of the world: `reserved` of abut_world_memory */
} abut_step_report;

/** Finds what touches now, then calls the listener. `listener` and `report` may be NULL. ABUT_ERROR_MEMORY and
 * ABUT_ERROR_CAPACITY leave the world, its contact list and its event list as they were. ABUT_ERROR_BUSY inside a
 * callback of the same world ("Callbacks" above).
 *
 * Cost: bodies that changed are sorted and swept, against each other and against bodies at rest; their candidates are
 * resolved; for contacts of bodies at rest a few bytes are copied. Bodies that did not change for some steps are cached
 * as resting: sorted once more and then left alone. A step before which nothing was changed takes the same time however
 * many bodies and contacts there are, unless the world has should_collide (every step calls it) or the listener has
 * `persist`. */
ABUT_API abut_result abut_world_step(abut_world *world, const abut_listener *listener, abut_step_report *report);

/** The pairs that touched in the last step, sorted by (a, b). `count` may be NULL. The list lives until the next
 * successful step: creating, destroying and changing bodies and failed steps leave it alone. NULL when it is empty.
 * O(1), but the first call after some steps costs O(contacts), because those steps do not write the list: those in
 * which few manifolds are new, and the first before which nothing was changed. */
ABUT_API const abut_contact *abut_world_contacts(const abut_world *world, size_t *count);

/** A pair of bodies. */
typedef struct abut_pair {
    abut_body_id a; /**< the body with the lower index1 */
    abut_body_id b; /**< the other body */
} abut_pair;

/** The pairs of abut_world_contacts, without all else: far less memory to write and to read, most of all at details
 * ABUT_DETAIL_BOUNDS and ABUT_DETAIL_OVERLAP. `count` may be NULL. The list lives as long as that of
 * abut_world_contacts. NULL when it is empty. O(1), except the first call after a step before which something was
 * changed, which costs O(contacts). */
ABUT_API const abut_pair *abut_world_pairs(const abut_world *world, size_t *count);

/** Where the bodies of all contacts with meshes touch: those of contact c are [c.part_first, c.part_first +
 * c.part_count), ascending by part. `count` may be NULL. The list lives as long as that of abut_world_contacts. NULL
 * when it is empty. O(1), except as for abut_world_contacts. */
ABUT_API const abut_contact_part *abut_world_parts(const abut_world *world, size_t *count);

/** The events of the last step (begins, persists and ends), sorted by (a.index1, b.index1). If a body has reused an
 * index, the end of the old pair comes before the begin of the new one. `count` may be NULL. The list lives as long as
 * that of abut_world_contacts, and is the same list if no contact ended. Otherwise the first call after the step costs
 * O(contacts): it makes the list, in memory that the step has reserved. */
ABUT_API const abut_contact *abut_world_events(const abut_world *world, size_t *count);

/** Writes the contacts of a body: up to `capacity` indices into abut_world_contacts, ascending. Always returns the
 * number of all its contacts; 0 for an id that names no living body. `indices` may be NULL. O(log contacts + result);
 * the first call after a step before which something was changed costs O(contacts + bodies): it makes an index, in
 * memory that the step has reserved. */
ABUT_API size_t abut_body_contacts(const abut_world *world, abut_body_id body, uint32_t *indices, size_t capacity);

/** Moves the origin of the world to `by`: subtracts it from the position of every body without a parent, in double,
 * rounded once. Contacts go on: what touched and still does after rounding persists. The lists of the last step keep
 * old coordinates until the next step. ABUT_ERROR_ARGUMENT for NULL or a `by` that is not finite; ABUT_ERROR_LIMIT if a
 * coordinate of a bound would exceed ABUT_MAX_COORDINATE; ABUT_ERROR_BUSY inside a callback of the same world
 * other than a listener. On error nothing changes. O(bodies), counting the most that ever lived at a time. */
ABUT_API abut_result abut_world_shift(abut_world *world, abut_vec3 by);

/** The bytes that the world holds from its allocator (`reserved`), and how many of them store a body, a candidate, a
 * contact or the like (`in_use`, to within the padding of arrays). Either pointer may be NULL. Both are 0 for a NULL
 * world. O(1). */
ABUT_API void abut_world_memory(const abut_world *world, size_t *in_use, size_t *reserved);

/** A hash of the state: the same ids, poses, shapes, filters, motions, details and parents give the same hash on every
 * machine. History, user data and contacts are not part of it. 0 for NULL. O(bodies), counting the
 * most that ever lived at a time. */
ABUT_API uint64_t abut_world_hash(const abut_world *world);

/** Checks every invariant, by brute force where necessary (O(bodies^2)): ids, compounds, composed poses, bounds, the
 * order of the contact list and, if nothing was changed since the last step, that the list is complete. For tests and
 * bug reports. Returns ABUT_ERROR_FORMAT if something is wrong: a bug in the library, or a stray write. */
ABUT_API abut_result abut_world_validate(const abut_world *world);

#ifdef __cplusplus
}
#endif
#endif
