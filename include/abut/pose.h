/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Rotations from an axis and an angle or from a matrix, and matrices of poses.
 *
 * All are pure, run on any thread and give the same bits on every machine, which sinf, cosf and arithmetic compiled
 * into your program need not. Matrices are column-major, as renderers have them: matrix[0..2] is where local x points,
 * matrix[12..14] the position. */
#ifndef ABUT_POSE_H
#define ABUT_POSE_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The rotation by `radians` about an axis of any length but 0: counter-clockwise seen from where the axis points. A
 * unit quaternion, each component rounded once from a value good to 2^-48. Angles may be many turns, up to 2^40 in
 * magnitude. NaN in all components for an axis of zeros, NaN, infinity or a larger angle. */
ABUT_API abut_quat abut_quat_from_axis_angle(abut_vec3 axis, float radians);

/** The rotation in a model matrix, a unit quaternion with w >= 0. The lengths of the first three columns (scales) play
 * no part, nor does the rest of the matrix; columns that are not quite perpendicular give the rotation that keeps the
 * first one's direction and the second one's side. The pose of such a matrix is {{m[12], m[13], m[14]},
 * abut_quat_from_matrix(m)}. NaN in all components for NULL, NaN, infinity, a mirrored matrix and one of fewer than
 * three dimensions. For a box under any matrix see abut_obb_from_matrix. Method: Shepperd, "Quaternion from rotation
 * matrix", 1978. */
ABUT_API abut_quat abut_quat_from_matrix(const float matrix[16]);

/** The matrix that moves as the pose does: rotation and position, last row 0 0 0 1. The quaternion may have any length.
 * Does nothing if either pointer is NULL. NaN in, NaN out. */
ABUT_API void abut_pose_to_matrix(const abut_pose *pose, float matrix[16]);

#ifdef __cplusplus
}
#endif
#endif
