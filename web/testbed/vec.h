/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Vectors and rotations of the scenes: only + - * / and square roots, so the same bits everywhere. */
#ifndef ABUT_WEB_VEC_H
#define ABUT_WEB_VEC_H

#include <abut/types.h>
#include <math.h>

static inline abut_vec3 vec(float x, float y, float z) {
    return (abut_vec3){x, y, z};
}

static inline abut_vec3 vec_add(abut_vec3 a, abut_vec3 b) {
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline abut_vec3 vec_sub(abut_vec3 a, abut_vec3 b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline abut_vec3 vec_scale(abut_vec3 a, float s) {
    return vec(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline abut_vec3 vec_along(abut_vec3 a, float s, abut_vec3 b) {
    return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline float vec_dot(abut_vec3 a, abut_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline abut_vec3 vec_cross(abut_vec3 a, abut_vec3 b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float vec_length(abut_vec3 a) {
    return sqrtf(vec_dot(a, a));
}

/* Two directions perpendicular to a unit vector. */
static inline void vec_across(abut_vec3 n, abut_vec3 across[2]) {
    abut_vec3 other = n.x * n.x < 0.5f ? vec(1, 0, 0) : vec(0, 1, 0);
    across[0] = vec_cross(n, other);
    across[0] = vec_scale(across[0], 1 / vec_length(across[0]));
    across[1] = vec_cross(n, across[0]);
}

static const abut_quat quat_none = {0, 0, 0, 1};

static inline abut_quat quat_multiply(abut_quat a, abut_quat b) {
    return (abut_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline abut_quat quat_unit(abut_quat q) {
    float s = 1 / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (abut_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline abut_quat quat_conjugate(abut_quat q) {
    return (abut_quat){-q.x, -q.y, -q.z, q.w};
}

/* R(q) v; q of unit length */
static inline abut_vec3 quat_turn(abut_quat q, abut_vec3 v) {
    abut_vec3 u = vec(q.x, q.y, q.z), t = vec_scale(vec_cross(u, v), 2);
    return vec_add(vec_along(v, q.w, t), vec_cross(u, t));
}

/* A rotation vector in degrees, at most about 130, as a unit quaternion: its Pade approximant of the tangent of half
 * the angle is off by less than 1 %. */
static inline abut_quat quat_degrees(abut_vec3 v) {
    abut_vec3 h = vec_scale(v, 0.5f * 0.01745329252f);
    float square = vec_dot(h, h);
    h = vec_scale(h, (15 - square) / (15 - 6 * square));
    return quat_unit((abut_quat){h.x, h.y, h.z, 1});
}

/* The point of the body's frame in the world. */
static inline abut_vec3 pose_point(const abut_pose *pose, abut_vec3 local) {
    return vec_add(pose->position, quat_turn(pose->rotation, local));
}

#endif
