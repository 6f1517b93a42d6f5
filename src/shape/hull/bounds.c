/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/accurate.h"
#include "shape/hull/hull.h"

enum { LANES = 8 };
_Static_assert(ABUT_HULL_PAD % LANES == 0, "vertices are read in whole groups");

/* The least and greatest of row . v over all vertices v. LANES independent minima, so that the compiler can use SIMD.
 */
static void extent(const abut_hull *hull, const double row[3], double *least, double *greatest) {
    const float *x = abut_hull_at(hull, hull->coordinate[0]);
    const float *y = abut_hull_at(hull, hull->coordinate[1]);
    const float *z = abut_hull_at(hull, hull->coordinate[2]);
    double low[LANES], high[LANES];
    for (int k = 0; k < LANES; k++) {
        low[k] = high[k] = row[0] * x[k] + row[1] * y[k] + row[2] * z[k];
    }
    for (uint32_t i = LANES; i < hull->vertex_count; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            double value = row[0] * x[i + (uint32_t)k] + row[1] * y[i + (uint32_t)k] + row[2] * z[i + (uint32_t)k];
            low[k] = value < low[k] ? value : low[k];
            high[k] = value > high[k] ? value : high[k];
        }
    }
    for (int k = 1; k < LANES; k++) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[k] > high[0] ? high[k] : high[0];
    }
    *least = low[0];
    *greatest = high[0];
}

abut_aabb abut_hull_bounds(const abut_hull *hull, abut_vec3 position, abut_quat rotation, float radius) {
    double m[3][3];
    abut_quat q = abut_accurate_quat_in_range(abut_quat_or_identity(rotation));
    abut_accurate_matrix(abut_dquat_from(q), m);
    /* The entries are good to 2^-51 of themselves; three products and two sums round. */
    double error = abut_quat_is_quarter_turn(q) ? 0 : 0x1p-49 * hull->radius;
    const float *origin = &position.x;
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        double least, greatest, size = fabs(m[i][0]) + fabs(m[i][1]) + fabs(m[i][2]);
        extent(hull, m[i], &least, &greatest);
        abut_dd below = abut_dd_two_sum(least, -(double)radius), above = abut_dd_two_sum(greatest, radius);
        low[i] = abut_accurate_lower_end(origin[i], below.hi, error * size + fabs(below.lo));
        high[i] = 0.0f - abut_accurate_lower_end(-origin[i], -above.hi, error * size + fabs(above.lo));
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static bool is_valid(const abut_hull *hull, const abut_pose *pose) {
    return hull && pose && abut_vec3_finite(pose->position) && abut_quat_finite(pose->rotation);
}

static abut_aabb invalid(void) {
    return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
}

abut_aabb abut_hull_bounds_tight(const abut_hull *hull, const abut_pose *pose) {
    return is_valid(hull, pose) ? abut_hull_bounds(hull, pose->position, pose->rotation, 0) : invalid();
}

/* The centre and half extent of the box along one axis of the world, without the position. `row` is the axis' row of
 * the pose's matrix. Returns the sum of the magnitudes, for the error. */
static double box_extent(const abut_obb *box, double local[3][3], const double row[3], double *center, double *size) {
    const double c[3] = {box->center.x, box->center.y, box->center.z}, h[3] = {box->half.x, box->half.y, box->half.z};
    double magnitude = 0;
    *center = *size = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            sum += row[j] * local[j][k];
            magnitude += fabs(row[j] * local[j][k]) * h[k];
        }
        *size += fabs(sum) * h[k];
        *center += row[k] * c[k];
        magnitude += fabs(row[k] * c[k]);
    }
    return magnitude;
}

abut_aabb abut_hull_bounds_fast(const abut_hull *hull, const abut_pose *pose) {
    if (!is_valid(hull, pose)) {
        return invalid();
    }
    double m[3][3], local[3][3];
    float low[3], high[3];
    const abut_obb *box = &hull->obb;
    const float *origin = &pose->position.x;
    abut_quat q = abut_accurate_quat_in_range(abut_quat_or_identity(pose->rotation));
    abut_accurate_matrix(abut_dquat_from(q), m);
    abut_accurate_matrix(abut_dquat_from(box->rotation), local);
    bool exact = abut_quat_is_quarter_turn(q) && abut_quat_is_quarter_turn(box->rotation);
    for (int i = 0; i < 3; i++) {
        double center, size, error = box_extent(box, local, m[i], &center, &size) * (exact ? 0 : 0x1p-48);
        abut_dd least = abut_dd_two_sum(center, -size), greatest = abut_dd_two_sum(center, size);
        low[i] = abut_accurate_lower_end(origin[i], least.hi, error + fabs(least.lo));
        high[i] = 0.0f - abut_accurate_lower_end(-origin[i], -greatest.hi, error + fabs(greatest.lo));
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}
