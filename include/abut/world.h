/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * The world: bodies in, a step, contacts out.
 *
 * Threads: `const` functions may run side by side on one world while no other call runs on it. Worlds are independent
 * of each other. `const` functions never allocate and always see the current poses.
 *
 * The contacts of a step are a pure function of the current poses, shapes, filters and ids: not of history, insertion
 * order, compiler or instruction set. */
#ifndef ABUT_WORLD_H
#define ABUT_WORLD_H

#include <abut/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to make a world. Zero means default, everywhere. */
typedef struct abut_world_def {
    abut_allocator allocator; /**< zero: malloc and free; kept until abut_world_destroy */
    uint32_t body_capacity;   /**< bodies to make room for up front */
    uint32_t pair_capacity;   /**< pairs to make room for: candidates (bounds within reach), and so contacts */
    bool fixed_capacity;      /**< never allocate after create; what does not fit is ABUT_ERROR_CAPACITY */
    float contact_margin;     /**< >= 0. Pairs at ABUT_DETAIL_MANIFOLD also report contacts up to this gap */
    abut_vec3 up;             /**< normal of the ground plane that footprints live on, any length; zero: +Y. Placements
                                   can be tested only where it lies along an axis of the world, either way */
    /** Optional last word, asked once in every step for every pair that would touch; a is the lower index. It must be
     * pure during a step; only `const` calls are legal inside. Never asked by queries. */
    bool (*should_collide)(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user);
    void *user; /**< yours; handed to should_collide */
} abut_world_def;

/** Makes a world. `def` may be NULL. On error *world is NULL. */
ABUT_API abut_result abut_world_create(const abut_world_def *def, abut_world **world);

/** Frees it and sets *world to NULL. NULL, or NULL inside, is fine. No ENDs are told. Inside one of its own callbacks
 * it does nothing. */
ABUT_API void abut_world_destroy(abut_world **world);

/** How many bodies live; 0 for NULL. O(1). */
ABUT_API size_t abut_world_body_count(const abut_world *world);

/** Writes up to `capacity` ids of living bodies, ascending by index; returns how many there are. */
ABUT_API size_t abut_world_bodies(const abut_world *world, abut_body_id *out, size_t capacity);

/** What a step did. Seconds are wall-clock time; nothing depends on them. */
typedef struct abut_step_report {
    size_t bodies;         /**< living */
    size_t moved;          /**< made or moved since the last step */
    size_t candidates;     /**< pairs of bounds within reach, before filters */
    size_t contacts;       /**< pairs that touch */
    size_t begun;          /**< pairs that touch and did not after the last step */
    size_t ended;          /**< pairs that did and no longer do */
    double seconds_bounds; /**< refreshing bounds of what changed */
    double seconds_broad;  /**< finding candidates, and settling what rests */
    double seconds_narrow; /**< resolving them; what begins, goes on and ends */
    double seconds_events; /**< telling the listener: mostly the caller's own time */
    size_t sweep_tests;    /**< pairs of bounds compared to find the candidates; those of two that rest are not */
    size_t second_stage;   /**< candidates that single precision could not decide; all those with a hull */
    size_t bytes;          /**< memory of the world, as abut_world_memory says: reserved */
} abut_step_report;

/** Finds what touches now, then tells the listener. Both pointers may be NULL. ABUT_ERROR_MEMORY or ABUT_ERROR_CAPACITY
 * leave the world, its contact list and its event list as they were; ABUT_ERROR_BUSY inside any callback of the same
 * world.
 *
 * Cost: what changed is sorted and swept, against itself and against what rests; its candidates are resolved; contacts
 * of bodies at rest are copied. After some steps in which most bodies rested, these are sorted once more and then left
 * alone. A step before which nothing was changed costs the same however many bodies and contacts there are, unless the
 * world has should_collide (which is asked in every step) or the listener hears of persisting contacts. */
ABUT_API abut_result abut_world_step(abut_world *world, const abut_listener *listener, abut_step_report *report);

/** Touching as of the last step, sorted by (a, b); `count` may be NULL. Lives until the next successful step, through
 * creates, destroys, sets and failed steps. NULL when there is none. O(1), but the first call after the first step
 * before which nothing was changed costs O(contacts): it marks them as persisting. */
ABUT_API const abut_contact *abut_world_contacts(const abut_world *world, size_t *count);

/** What the listeners were told in the last step, sorted by (a.index1, b.index1), an end before a begin on reused
 * indices. Same lifetime. Where none ended it is the list of contacts, at its cost. The first call after a step in
 * which some ended costs O(contacts): it makes the list, in memory that the step has reserved. */
ABUT_API const abut_contact *abut_world_events(const abut_world *world, size_t *count);

/** Indices into abut_world_contacts of the contacts that involve the body, ascending; writes up to `capacity`, returns
 * how many there are. O(log contacts + result); the first call after a step before which something was changed costs
 * O(contacts + bodies): it makes an index, in memory that the step has reserved. */
ABUT_API size_t abut_body_contacts(const abut_world *world, abut_body_id body, uint32_t *indices, size_t capacity);

/** Bytes that the world has from its allocator (reserved), and those of them that hold a body, a candidate, a contact
 * or the like (in_use; to within the padding of arrays). Either pointer may be NULL; without a world both are 0. O(1).
 */
ABUT_API void abut_world_memory(const abut_world *world, size_t *in_use, size_t *reserved);

/** A number for the canonical state: the same bodies, poses, shapes, filters and ids give the same hash, on every
 * machine; history, user data and contacts do not enter. O(bodies). */
ABUT_API uint64_t abut_world_hash(const abut_world *world);

/** Checks every invariant, by brute force where it must (O(bodies^2)): ids, compounds, composed poses, bounds, the
 * order of the contact list, and, when nothing was changed since the last step, that the list is complete. For tests
 * and bug reports. ABUT_ERROR_FORMAT when something is wrong, which is a bug in the library or a stray write. */
ABUT_API abut_result abut_world_validate(const abut_world *world);

#ifdef __cplusplus
}
#endif
#endif
