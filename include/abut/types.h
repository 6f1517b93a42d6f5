/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Plain values that all other headers use: vectors, poses, boxes, results, the allocator.
 *
 * The unit of length is yours to choose. Coordinates are right-handed. A quaternion's w is its real part; an all-zero
 * quaternion is read as the identity. */
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
    float x; /**< a length, like all coordinates */
    float y; /**< perpendicular to x */
} abut_vec2;

/** A point or a vector in space. */
typedef struct abut_vec3 {
    float x; /**< a length, like all coordinates */
    float y; /**< perpendicular to x */
    float z; /**< along x cross y */
} abut_vec3;

/** A rotation. Its length does not matter: its matrix is exactly R(q)/|q|^2, and all zero means the identity. */
typedef struct abut_quat {
    float x; /**< axis.x sin(angle / 2) */
    float y; /**< axis.y sin(angle / 2) */
    float z; /**< axis.z sin(angle / 2) */
    float w; /**< cos(angle / 2) */
} abut_quat;

/** A rigid motion from a local frame to the world: world = R(rotation) * local + position. */
typedef struct abut_pose {
    abut_vec3 position; /**< the local origin, in the world */
    abut_quat rotation; /**< from local directions to the world's */
} abut_pose;

/** An axis-aligned box. It is closed: its faces belong to it. */
typedef struct abut_aabb {
    abut_vec3 min; /**< lowest corner */
    abut_vec3 max; /**< highest corner; min <= max in each coordinate */
} abut_aabb;

/** An oriented box: half extents along its own axes, which `rotation` turns into the world. */
typedef struct abut_obb {
    abut_vec3 center;   /**< in the world */
    abut_quat rotation; /**< from its own axes to the world's */
    abut_vec3 half;     /**< half extents, >= 0 */
} abut_obb;

/** The result of a call that can fail. On any error the world is exactly as it was. */
typedef enum abut_result {
    ABUT_OK = 0,              /**< success */
    ABUT_ERROR_ARGUMENT = -1, /**< a null pointer, NaN, infinity, negative extent, unknown enum value ... */
    ABUT_ERROR_HANDLE = -2,   /**< an id that names no living body of this world, or a shape that a snapshot names and
                                 nobody has */
    ABUT_ERROR_MEMORY = -3,   /**< the allocator returned NULL */
    ABUT_ERROR_CAPACITY = -4, /**< a fixed_capacity world is full, or the array of abut_world_overlaps_many too short */
    ABUT_ERROR_BUSY = -5,     /**< the call is not allowed inside this callback */
    ABUT_ERROR_DEGENERATE = -6, /**< the input spans no volume */
    ABUT_ERROR_FORMAT = -7,     /**< inconsistent bytes or state */
    ABUT_ERROR_LIMIT = -8,      /**< a coordinate beyond ABUT_MAX_COORDINATE, or a count beyond its limit */
    ABUT_ERROR_ARITHMETIC = -9  /**< the library was compiled with a part of fast-math; from calls that make or load a
                                   world, a hull or a mesh */
} abut_result;
ABUT_ASSERT_ENUM(abut_result);

/** The name of a result as in this header ("ABUT_OK"), or "unknown abut_result". A static string. */
ABUT_API const char *abut_result_name(abut_result result);

/** The library's version, "major.minor.patch". A static string. */
ABUT_API const char *abut_version(void);

/** Functions that provide memory. All zero: malloc and free.
 *
 * `align` is a power of two, at most 64. `alloc` returns NULL if there is no memory; the call in progress then returns
 * ABUT_ERROR_MEMORY, with nothing changed. `release` gets the size and alignment that `alloc` got. Set both functions
 * or neither. They are called on the thread of the call that needs them, and never by functions that take a const
 * world. They may call nothing on the world that asks, and must be safe on several threads where worlds, hulls or
 * meshes on several threads share them. */
typedef struct abut_allocator {
    void *(*alloc)(size_t size, size_t align, void *user);           /**< returns `size` > 0 bytes, or NULL */
    void (*release)(void *p, size_t size, size_t align, void *user); /**< frees what `alloc` returned */
    void *user;                                                      /**< yours; passed to both */
} abut_allocator;

/** The largest coordinate, in magnitude, that a body's bounds may have. */
#define ABUT_MAX_COORDINATE 1e9f

#ifdef __cplusplus
}
#endif
#endif
