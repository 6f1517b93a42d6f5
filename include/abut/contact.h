/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * What a touching pair looks like: manifolds, contacts, and who is told of them. */
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Names a body: 1 + its index, and how often that index was handed out. {0} is "no body". */
typedef struct abut_body_id {
    uint32_t index1;     /**< 1 + index; indices of the dead are handed out again */
    uint32_t generation; /**< tells those who had the same index apart */
} abut_body_id;

/** An id as one number, for hash maps and user data; unpack gives it back. */
static inline uint64_t abut_body_id_pack(abut_body_id id) {
    const uint64_t generation = id.generation; /* no cast: C++ programs may warn of C's */
    return generation << 32 | id.index1;
}

/** The id that abut_body_id_pack made this number of. */
static inline abut_body_id abut_body_id_unpack(uint64_t packed) {
    const uint64_t generation = packed >> 32;
    abut_body_id id;
    id.index1 = packed & UINT32_MAX;
    id.generation = generation & UINT32_MAX;
    return id;
}

/** Whether two ids are the same. */
static inline bool abut_body_id_equal(abut_body_id a, abut_body_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

/** One point of a manifold. */
typedef struct abut_contact_point {
    /** In the world, midway between the two surfaces; at the deepest point, as far as the depth told goes. */
    abut_vec3 position;
    float separation; /**< gap along the normal; negative where the bodies penetrate; 0 where a preferred face cannot
                           show the sign that another axis shows */
    uint32_t feature; /**< names the touching features; differs between the points of one manifold, stays the same
                           while they touch, and does not depend on which body is called a */
} abut_contact_point;

/** Where and how two bodies touch.
 *
 * `-min(separation)` is the depth along the normal: moving b by that much along it parts the bodies. It is the least
 * such depth over all axes (15 of two boxes), except that a face normal wins over an edge-edge axis that is less than 5
 * % shorter, or shorter by less than what float poses jitter by (4e-6 times the half extents of the smaller box), so
 * that resting contacts do not flicker. The deepest point is always among the points. */
typedef struct abut_manifold {
    abut_vec3 normal;             /**< unit, from a to b */
    uint32_t count;               /**< of points, 0..4 */
    abut_contact_point points[4]; /**< the first `count` of them */
} abut_manifold;

/** What a step found out about a pair. */
typedef enum abut_phase {
    ABUT_BEGIN,   /**< it touches, and did not after the last step */
    ABUT_PERSIST, /**< it still touches */
    ABUT_END      /**< it no longer touches, or may not, or one of the two is gone */
} abut_phase;
ABUT_ASSERT_ENUM(abut_phase);

/** A pair that touches, or has just ceased to. */
typedef struct abut_contact {
    abut_body_id a;   /**< the one with the lower index1, always */
    abut_body_id b;   /**< the other one */
    uint64_t user_a;  /**< user data of a, of the last step in which the pair touched; also in the END of a destroyed
                           body */
    uint64_t user_b;  /**< user data of b, likewise */
    abut_phase phase; /**< never ABUT_END in abut_world_contacts */
    abut_manifold manifold; /**< count 0 at END and below ABUT_DETAIL_MANIFOLD */
    uint32_t previous1;     /**< 1 + index of this pair in the contact list of the previous successful step; 0: none */
} abut_contact;

/** Who is told. Any function may be NULL. They are called after the step is complete, from a frozen list sorted by
 * (a.index1, b.index1). Inside them every call on the world is legal except stepping it (ABUT_ERROR_BUSY) and
 * destroying it (does nothing). */
typedef struct abut_listener {
    void (*begin)(const abut_contact *contact, void *user);   /**< once, when a pair begins to touch */
    void (*persist)(const abut_contact *contact, void *user); /**< in every later step in which it touches */
    void (*end)(const abut_contact *contact, void *user);     /**< once for every begin */
    void *user;                                               /**< yours; handed to all three */
} abut_listener;

#ifdef __cplusplus
}
#endif
#endif
