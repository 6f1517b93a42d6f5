/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * How a touching pair is described: manifolds, contacts, and the listener that receives them. */
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Names a body. {0} is "no body". */
typedef struct abut_body_id {
    uint32_t index1;     /**< 1 + index; indices of destroyed bodies are reused */
    uint32_t generation; /**< differs between bodies that had the same index */
} abut_body_id;

/** An id as one number, for hash maps and user data; abut_body_id_unpack is the inverse. */
static inline uint64_t abut_body_id_pack(abut_body_id id) {
    const uint64_t generation = id.generation; /* no cast: C++ programs may warn of C's */
    return generation << 32 | id.index1;
}

/** The id from which abut_body_id_pack made this number. */
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
    /** In the world, midway between the two surfaces along the normal (with a radius: the grown surfaces; of a core
     * that is tilted, points beside the deepest are those of its corners, so they lie inside its radius r by r (1 - cos
     * tilt), and their separation is larger than the gap there); where an edge lies on a face to within 1 degree, along
     * that of the face. */
    abut_vec3 position;
    float separation; /**< gap along the normal, a length; negative where the bodies penetrate. The sign is certain at
                           the deepest point: where rounding, or the preference for a face, would make it wrong, this is
                           0 */
    uint32_t feature; /**< names the pair of touching features. Differs between the points of one manifold, stays the
                           same while these features touch, and does not depend on which body is a */
} abut_contact_point;

/** Where and how two bodies touch.
 *
 * `-min(separation)` is the depth along the normal: moving b by it along the normal separates the bodies (those in
 * contact with a mesh: from the triangles that they touch, and it may bring them to others). It is the
 * least depth over all axes (15 for two boxes), except that a face normal is preferred to an edge-edge axis whose depth
 * is less than 5 % smaller (of boxes, 5 % of the face's depth; of hulls, of the edges'), or smaller by less than 2^-10
 * of the least positive half extent of the two (of hulls: of their OBBs), so that resting contacts do not flicker. A
 * hull's face is not preferred where what meets its plane lies farther beside it than the bodies are deep. The deepest
 * point is always among the points, or one that is less deep by up to half the depth, but no more than 2^-10 of the
 * half extents of the smaller body (or 2^-16 of them, if that is more than half the depth, and of bodies that are
 * deeper than 2^-7 of them): where there are more than four, those are kept that a pair at rest keeps from step to
 * step, also as it sags and tilts under a soft solver. If the deepest is left out, the separations of all four are
 * lowered alike by what is missing, so that the depth is exact. Where the deepest corner lies beside the preferred
 * face, and was clipped away, the deepest of the points that are left gets the depth along the normal.
 *
 * Bodies within a margin that do not overlap have the normal along their closest points, and their deepest point lies
 * midway between these; where faces face each other it may be another that is as deep to within that 2^-16, with
 * the distance as its separation (less than 1e-6 of the size apart: as if they overlapped). Bodies with a radius: see
 * abut_shape_collide. */
typedef struct abut_manifold {
    abut_vec3 normal;             /**< unit, from a to b */
    uint32_t count;               /**< of points, 0..4 */
    abut_contact_point points[4]; /**< the first `count` of them */
} abut_manifold;

/** How deep the bodies penetrate along the normal: `-min(separation)`. Negative: the gap of bodies within a margin. 0
 * for a manifold without points. */
static inline float abut_manifold_depth(const abut_manifold *manifold) {
    float depth = manifold->count > 0 ? -manifold->points[0].separation : 0;
    for (uint32_t i = 1; i < manifold->count; ++i) {
        depth = -manifold->points[i].separation > depth ? -manifold->points[i].separation : depth;
    }
    return depth;
}

/** What a step reports about a pair. */
typedef enum abut_phase {
    ABUT_BEGIN,   /**< it touches, and did not in the previous step */
    ABUT_PERSIST, /**< it touches, and did in the previous step */
    ABUT_END      /**< it touched in the previous step and no longer does, or a filter or a destroyed body ended it */
} abut_phase;
ABUT_ASSERT_ENUM(abut_phase);

/** A pair that touches, or no longer does. */
typedef struct abut_contact {
    abut_body_id a;         /**< the body with the lower index1 */
    abut_body_id b;         /**< the other body */
    uint64_t user_a;        /**< user data of a as of the last step in which the pair touched, also at the END that a
                                 destroyed body causes */
    uint64_t user_b;        /**< user data of b, likewise */
    abut_phase phase;       /**< never ABUT_END in abut_world_contacts */
    abut_manifold manifold; /**< all zero at ABUT_END, and for pairs coarser than ABUT_DETAIL_MANIFOLD */
    uint32_t previous1;  /**< 1 + the index of this pair in the contact list of the previous successful step; 0: none */
    uint32_t part_count; /**< of a pair with a mesh: how many of its triangles touch; see abut_world_parts. 0 for all
                              others, at ABUT_END, and for pairs coarser than ABUT_DETAIL_MANIFOLD */
    uint32_t part_first; /**< index of the first of them in the list of abut_world_parts; 0 if there are none */
} abut_contact;

/** The body that `body` touches: the contact's other one; {0} if the contact is not one of `body`. (Contacts of a
 * compound name the part that touches.) */
static inline abut_body_id abut_contact_other(const abut_contact *contact, abut_body_id body) {
    const abut_body_id nobody = {0, 0};
    if (abut_body_id_equal(contact->a, body)) {
        return contact->b;
    }
    return abut_body_id_equal(contact->b, body) ? contact->a : nobody;
}

/** Where one triangle of a mesh touches the other body. A solver reads these; the contact's own `manifold` is that of
 * the deepest part together with the best points of parts whose normals agree with it. */
typedef struct abut_contact_part {
    uint32_t part;      /**< number of the triangle */
    uint32_t previous1; /**< 1 + the index of the same pair's same triangle in the list of the previous successful step;
                             0: none. A body that rolls over a flat edge has its contact in another part: match by
                             position */
    abut_manifold manifold; /**< normal from a to b of the contact */
} abut_contact_part;

/** Functions that abut_world_step calls for each event. Any of them may be NULL: you rarely need `persist`, as you can
 * read abut_world_contacts instead. They are called on the caller's thread after the step is complete, in the order
 * (a.index1, b.index1); the contact is valid during the call. Inside them every call on the world is allowed except
 * abut_world_step and _restore (ABUT_ERROR_BUSY), and abut_world_destroy (does nothing). They must return, not jump or
 * throw. */
typedef struct abut_listener {
    void (*begin)(const abut_contact *contact, void *user);   /**< once, when a pair begins to touch */
    void (*persist)(const abut_contact *contact, void *user); /**< in every later step in which it still touches */
    void (*end)(const abut_contact *contact, void *user);     /**< once for every begin */
    void *user;                                               /**< yours; passed to all three */
} abut_listener;

#ifdef __cplusplus
}
#endif
#endif
