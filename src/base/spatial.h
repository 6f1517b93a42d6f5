/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Vectors, quaternions and matrices in double, for arithmetic on floats that is rounded to floats once at the end. */
#ifndef ABUT_BASE_SPATIAL_H
#define ABUT_BASE_SPATIAL_H

#include "base/bits.h"
#include <abut/types.h>
#include <math.h>

typedef struct abut_d3 {
    double x[3];
} abut_d3;

typedef struct abut_dquat {
    double x, y, z, w;
} abut_dquat;

typedef struct abut_dpose {
    abut_d3 position;
    abut_dquat rotation; /* any length > 0 */
} abut_dpose;

static inline bool abut_vec3_finite(abut_vec3 v) {
    return abut_bits_finite(v.x) && abut_bits_finite(v.y) && abut_bits_finite(v.z);
}

static inline bool abut_quat_finite(abut_quat q) {
    return abut_bits_finite(q.x) && abut_bits_finite(q.y) && abut_bits_finite(q.z) && abut_bits_finite(q.w);
}

/* Whether all numbers are finite and no extent is negative. */
static inline bool abut_box_valid(const abut_obb *box) {
    return abut_vec3_finite(box->center) && abut_quat_finite(box->rotation) && abut_vec3_finite(box->half) &&
           box->half.x >= 0 && box->half.y >= 0 && box->half.z >= 0;
}

static inline bool abut_radius_valid(float radius) {
    return abut_bits_finite(radius) && radius >= 0;
}

/* A quaternion of zeros stands for the identity. */
static inline abut_quat abut_quat_or_identity(abut_quat q) {
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
        q.w = 1;
    }
    return q;
}

/* Whether R(q) only swaps and flips axes: all components that are not zero have the same magnitude, and there are not
 * three of them. Its matrix is then exact. */
static inline bool abut_quat_is_quarter_turn(abut_quat q) {
    const float part[4] = {fabsf(q.x), fabsf(q.y), fabsf(q.z), fabsf(q.w)};
    float largest = abut_max_f(abut_max_f(part[0], part[1]), abut_max_f(part[2], part[3]));
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if (part[i] != 0 && part[i] != largest) {
            return false;
        }
        count += part[i] != 0;
    }
    return count != 3;
}

static inline abut_d3 abut_d3_from(abut_vec3 v) {
    return (abut_d3){{v.x, v.y, v.z}};
}

static inline abut_d3 abut_d3_load(const double v[3]) {
    return (abut_d3){{v[0], v[1], v[2]}};
}

static inline abut_dquat abut_dquat_from(abut_quat q) {
    return (abut_dquat){q.x, q.y, q.z, q.w};
}

static inline abut_dpose abut_dpose_from(const abut_pose *pose) {
    return (abut_dpose){abut_d3_from(pose->position), abut_dquat_from(pose->rotation)};
}

static inline abut_dquat abut_dquat_multiply(abut_dquat a, abut_dquat b) {
    return (abut_dquat){
        .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

static inline abut_dquat abut_dquat_conjugate(abut_dquat q) {
    return (abut_dquat){-q.x, -q.y, -q.z, q.w};
}

/* R(q)/|q|^2, row-major: column j is where the local axis j points. Products of floats are exact in double and each
 * entry is one quotient, so quarter turns about the axes give exact zeros and ones, whatever the length of q. */
static inline void abut_dquat_matrix(abut_dquat q, double m[3][3]) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    double n = (xx + yy) + (zz + ww);
    m[0][0] = ((ww - zz) + (xx - yy)) / n;
    m[0][1] = 2 * (xy - wz) / n;
    m[0][2] = 2 * (xz + wy) / n;
    m[1][0] = 2 * (xy + wz) / n;
    m[1][1] = ((ww - xx) + (yy - zz)) / n;
    m[1][2] = 2 * (yz - wx) / n;
    m[2][0] = 2 * (xz - wy) / n;
    m[2][1] = 2 * (yz + wx) / n;
    m[2][2] = ((ww - yy) + (zz - xx)) / n;
}

/* The same with one division instead of nine, so entries may not be exact; as rotation_matrix of
 * base/lanes/vector.h. */
static inline void abut_dquat_matrix_quick(abut_dquat q, double m[3][3]) {
    double s = 2 / ((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w)), xs = q.x * s, ys = q.y * s, zs = q.z * s;
    double xx = q.x * xs, yy = q.y * ys, zz = q.z * zs, xy = q.x * ys, xz = q.x * zs, yz = q.y * zs;
    double wx = q.w * xs, wy = q.w * ys, wz = q.w * zs;
    m[0][0] = 1 - (yy + zz);
    m[0][1] = xy - wz;
    m[0][2] = xz + wy;
    m[1][0] = xy + wz;
    m[1][1] = 1 - (xx + zz);
    m[1][2] = yz - wx;
    m[2][0] = xz - wy;
    m[2][1] = yz + wx;
    m[2][2] = 1 - (xx + yy);
}

/* m v */
static inline abut_d3 abut_d3_rotate(double m[3][3], abut_d3 v) {
    abut_d3 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = m[i][0] * v.x[0] + m[i][1] * v.x[1] + m[i][2] * v.x[2];
    }
    return out;
}

/* The transpose of m times v: from the world into the frame whose axes are the columns of m. */
static inline abut_d3 abut_d3_unrotate(double m[3][3], abut_d3 v) {
    abut_d3 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = m[0][i] * v.x[0] + m[1][i] * v.x[1] + m[2][i] * v.x[2];
    }
    return out;
}

static inline double abut_d3_dot(abut_d3 a, abut_d3 b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline abut_d3 abut_d3_cross(abut_d3 a, abut_d3 b) {
    return (abut_d3){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

/* Makes v a unit vector; false, with v unchanged, if its length is 0. The square of the length must neither overflow
 * nor vanish; lengths of vectors of floats are in that range. */
static inline bool abut_d3_normalise(abut_d3 *v) {
    double length = sqrt(abut_d3_dot(*v, *v));
    for (int i = 0; i < 3 && length > 0; i++) {
        v->x[i] /= length;
    }
    return length > 0;
}

/* The same for vectors of any length; returns the length. */
static inline double abut_d3_normalise_scaled(abut_d3 *v) {
    double largest = abut_max_d(abut_max_d(fabs(v->x[0]), fabs(v->x[1])), fabs(v->x[2]));
    if (!(largest > 0)) {
        return 0;
    }
    abut_d3 scaled = {{v->x[0] / largest, v->x[1] / largest, v->x[2] / largest}};
    double length = sqrt(abut_d3_dot(scaled, scaled));
    *v = (abut_d3){{scaled.x[0] / length, scaled.x[1] / length, scaled.x[2] / length}};
    return largest * length;
}

static inline abut_d3 abut_d3_sub(abut_d3 a, abut_d3 b) {
    return (abut_d3){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static inline abut_d3 abut_d3_negate(abut_d3 v) {
    return (abut_d3){{-v.x[0], -v.x[1], -v.x[2]}};
}

/* |v|, of vectors whose squares neither overflow nor underflow */
static inline double abut_d3_length(abut_d3 v) {
    return sqrt(abut_d3_dot(v, v));
}

/* |v|_1 */
static inline double abut_d3_norm1(abut_d3 v) {
    return fabs(v.x[0]) + fabs(v.x[1]) + fabs(v.x[2]);
}

/* The index of the component of least magnitude, or of greatest; of equal ones the first. */
static inline int abut_d3_least_axis(abut_d3 v) {
    int least = fabs(v.x[1]) < fabs(v.x[0]) ? 1 : 0;
    return fabs(v.x[2]) < fabs(v.x[least]) ? 2 : least;
}

static inline int abut_d3_greatest_axis(abut_d3 v) {
    int greatest = fabs(v.x[1]) > fabs(v.x[0]) ? 1 : 0;
    return fabs(v.x[2]) > fabs(v.x[greatest]) ? 2 : greatest;
}

/* a + s b */
static inline abut_d3 abut_d3_along(abut_d3 a, double s, abut_d3 b) {
    return (abut_d3){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static inline abut_dpose abut_dpose_compose(abut_dpose outer, abut_dpose inner) {
    double m[3][3];
    abut_dquat_matrix(outer.rotation, m);
    return (abut_dpose){abut_d3_along(outer.position, 1, abut_d3_rotate(m, inner.position)),
                        abut_dquat_multiply(outer.rotation, inner.rotation)};
}

/* With +0 for -0. */
static inline abut_vec3 abut_vec3_positive_zeros(abut_vec3 v) {
    return (abut_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

/* Rounded to floats, with +0 for -0, so that equal values have equal bits. */
static inline abut_vec3 abut_vec3_round(abut_d3 v) {
    return (abut_vec3){(float)v.x[0] + 0.0f, (float)v.x[1] + 0.0f, (float)v.x[2] + 0.0f};
}

static inline double abut_dquat_norm2(abut_dquat q) {
    return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}

/* Whether a squared length is what rounding to floats may leave of a unit quaternion. */
static inline bool abut_norm2_is_rounded_unit(double norm2) {
    return fabs(norm2 - 1) <= 0x1.01p-23;
}

/* The unit quaternion nearest to q, as floats; the identity for zero.
 *
 * Floats that are a unit quaternion to within rounding are returned unchanged. Rounding leaves an error of up to 2^-24
 * in the length, and dividing by that length again could change a bit: then a rotation read from a world and set again
 * would change. */
static inline abut_quat abut_quat_normalise(abut_dquat q) {
    abut_quat given = {(float)q.x + 0.0f, (float)q.y + 0.0f, (float)q.z + 0.0f, (float)q.w + 0.0f};
    double norm2 = abut_dquat_norm2(q);
    bool floats = given.x == q.x && given.y == q.y && given.z == q.z && given.w == q.w;
    if (floats && abut_norm2_is_rounded_unit(norm2)) {
        return given;
    }
    double length = sqrt(norm2);
    if (!(length > 0)) {
        return (abut_quat){0, 0, 0, 1};
    }
    return (abut_quat){(float)(q.x / length) + 0.0f, (float)(q.y / length) + 0.0f, (float)(q.z / length) + 0.0f,
                       (float)(q.w / length) + 0.0f};
}

/* The unit quaternion nearest to a rotation, as floats, w >= 0: axis[j] is where the local axis j points. Method:
 * Shepperd, "Quaternion from rotation matrix" (1978): the largest component first. */
static inline abut_quat abut_quat_of_axes(const abut_d3 axis[3]) {
    const double *x = axis[0].x, *y = axis[1].x, *z = axis[2].x;
    double m00 = x[0], m11 = y[1], m22 = z[2];
    double d21 = y[2] - z[1], d02 = z[0] - x[2], d10 = x[1] - y[0];
    double s10 = x[1] + y[0], s20 = x[2] + z[0], s21 = y[2] + z[1];
    abut_dquat q;
    if (m00 + m11 + m22 >= 0) {
        q = (abut_dquat){d21, d02, d10, 1 + m00 + m11 + m22};
    } else if (m00 >= m11 && m00 >= m22) {
        q = (abut_dquat){1 + m00 - m11 - m22, s10, s20, d21};
    } else if (m11 >= m22) {
        q = (abut_dquat){s10, 1 + m11 - m00 - m22, s21, d02};
    } else {
        q = (abut_dquat){s20, s21, 1 + m22 - m00 - m11, d10};
    }
    double length = sqrt(abut_dquat_norm2(q));
    length = q.w < 0 ? -length : length;
    return (abut_quat){(float)(q.x / length) + 0.0f, (float)(q.y / length) + 0.0f, (float)(q.z / length) + 0.0f,
                       (float)(q.w / length) + 0.0f};
}

/* The same for floats, with a quick path where they are returned unchanged. */
static inline abut_quat abut_quat_normalise_floats(abut_quat q) {
    abut_dquat exact = abut_dquat_from(q);
    if (abut_norm2_is_rounded_unit(abut_dquat_norm2(exact))) {
        return (abut_quat){q.x + 0.0f, q.y + 0.0f, q.z + 0.0f, q.w + 0.0f};
    }
    return abut_quat_normalise(exact);
}

static inline abut_pose abut_pose_round(abut_dpose pose) {
    return (abut_pose){abut_vec3_round(pose.position), abut_quat_normalise(pose.rotation)};
}

/* A pose as bodies store it: a unit rotation, and +0 for -0. */
static inline abut_pose abut_pose_normal(const abut_pose *pose) {
    return (abut_pose){abut_vec3_positive_zeros(pose->position), abut_quat_normalise_floats(pose->rotation)};
}

#endif
