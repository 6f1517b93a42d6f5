/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Plain values that every other header speaks in: vectors, poses, boxes, results, the allocator.
 *
 * Units of length are the caller's own. Coordinates are right-handed. A quaternion's w is its real part; an all-zero
 * quaternion reads as the identity. */
#ifndef ABUT_TYPES_H
#define ABUT_TYPES_H

#include <abut/export.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A point or a vector on the ground. */
typedef struct abut_vec2 {
    float x; /**< in units of length, like all coordinates */
    float y; /**< across x */
} abut_vec2;

/** A point or a vector in space. */
typedef struct abut_vec3 {
    float x; /**< in units of length, like all coordinates */
    float y; /**< across x */
    float z; /**< x cross y */
} abut_vec3;

/** A rotation. The rotation matrix it stands for is R(q)/|q|^2, exactly, whatever its length. */
typedef struct abut_quat {
    float x; /**< axis.x sin(angle / 2) */
    float y; /**< axis.y sin(angle / 2) */
    float z; /**< axis.z sin(angle / 2) */
    float w; /**< cos(angle / 2) */
} abut_quat;

/** World from local: world = R(rotation) * local + position. */
typedef struct abut_pose {
    abut_vec3 position; /**< where the local origin is in the world */
    abut_quat rotation; /**< from local directions to the world's */
} abut_pose;

/** An axis-aligned box, closed: its faces belong to it. */
typedef struct abut_aabb {
    abut_vec3 min; /**< lowest corner */
    abut_vec3 max; /**< highest corner; min <= max in each coordinate */
} abut_aabb;

/** An oriented box: half extents >= 0 along its own axes, which `rotation` carries into the world. */
typedef struct abut_obb {
    abut_vec3 center;   /**< its middle, in the world */
    abut_quat rotation; /**< from its own axes to the world's */
    abut_vec3 half;     /**< half extents, >= 0 */
} abut_obb;

/** What a call that can fail returns. On any error the world is exactly as it was. */
typedef enum abut_result {
    ABUT_OK = 0,                /**< done */
    ABUT_ERROR_ARGUMENT = -1,   /**< a null pointer, NaN, infinity, negative extent, unknown enum value ... */
    ABUT_ERROR_HANDLE = -2,     /**< an id that names no living body of this world */
    ABUT_ERROR_MEMORY = -3,     /**< the allocator returned NULL */
    ABUT_ERROR_CAPACITY = -4,   /**< a fixed_capacity world is full */
    ABUT_ERROR_BUSY = -5,       /**< not allowed inside this callback */
    ABUT_ERROR_DEGENERATE = -6, /**< the input spans no volume */
    ABUT_ERROR_FORMAT = -7,     /**< bytes or state that contradict themselves */
    ABUT_ERROR_LIMIT = -8       /**< beyond ABUT_MAX_COORDINATE */
} abut_result;
ABUT_ASSERT_ENUM(abut_result);

/** The name of a result as it stands in this header ("ABUT_OK"), or "unknown abut_result". Static storage. */
ABUT_API const char *abut_result_name(abut_result result);

/** The library's version, "major.minor.patch". Static storage. */
ABUT_API const char *abut_version(void);

/** Where memory comes from. Zero-initialised: malloc and free.
 *
 * `align` is a power of two, at most 64. `alloc` returns NULL when it cannot serve; the call in progress then fails
 * with ABUT_ERROR_MEMORY and nothing has changed. `release` gets the size and alignment that `alloc` was asked for. Set
 * both functions or neither. They are called on the caller's thread and never by `const` functions. */
typedef struct abut_allocator {
    void *(*alloc)(size_t size, size_t align, void *user);           /**< `size` bytes, more than 0, or NULL */
    void (*release)(void *p, size_t size, size_t align, void *user); /**< takes back what `alloc` gave */
    void *user;                                                      /**< yours; handed to both */
} abut_allocator;

/** Largest |coordinate| + extent of a body. */
#define ABUT_MAX_COORDINATE 1e9f

#ifdef __cplusplus
}
#endif
#endif
