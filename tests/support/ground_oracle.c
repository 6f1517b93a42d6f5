/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/ground_oracle.h"
#include "support/quad.h"
#include <math.h>

enum { MAX_POINTS = 64 };

typedef struct q2 {
    quad x, y;
} q2;

bool ground_oracle_available(void) {
    return QUAD_AVAILABLE;
}

static q2 unit_of(q2 v) {
    quad length2 = v.x * v.x + v.y * v.y;
    quad length = quad_sqrt(length2, sqrt((double)length2));
    return (q2){v.x / length, v.y / length};
}

static q2 axis_of(const abut_obb2 *r) {
    return r->axis.x == 0 && r->axis.y == 0 ? (q2){1, 0} : unit_of((q2){r->axis.x, r->axis.y});
}

static quad dot(q2 a, q2 b) {
    return a.x * b.x + a.y * b.y;
}

static q2 across(q2 v) {
    return (q2){-v.y, v.x};
}

static quad radius(q2 axis, quad half_x, quad half_y, q2 normal) {
    return half_x * quad_abs(dot(axis, normal)) + half_y * quad_abs(dot(across(axis), normal));
}

static double measured(quad gap, quad size) {
    double relative = size > 0 ? (double)(gap / size) : 0;
    return fabs(relative) < 1e-29 ? 0 : relative;
}

ground_truth ground_rectangles(const abut_obb2 *a, const abut_obb2 *b) {
    q2 u = axis_of(a), v = axis_of(b);
    q2 d = {(quad)b->center.x - a->center.x, (quad)b->center.y - a->center.y};
    const q2 normal[4] = {u, across(u), v, across(v)};
    quad size = quad_abs(d.x) + quad_abs(d.y) + a->half.x + a->half.y + b->half.x + b->half.y, most = 0;
    for (int i = 0; i < 4; i++) {
        quad gap = quad_abs(dot(d, normal[i])) - radius(u, a->half.x, a->half.y, normal[i]) -
                   radius(v, b->half.x, b->half.y, normal[i]);
        most = i == 0 || gap > most ? gap : most;
    }
    return (ground_truth){measured(most, size), (double)size};
}

/* The data for measuring the shadow. */
typedef struct shadow {
    quad row[2][3];       /* of R(q) */
    q2 axis, half;        /* of the rectangle */
    q2 point[MAX_POINTS]; /* relative to its centre */
    uint32_t count;
} shadow;

static void rotation_rows(abut_quat q, const int ground[2], quad row[2][3]) {
    quad x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    const quad m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            row[i][k] = m[ground[i]][k] / n;
        }
    }
}

static q2 project(const shadow *s, quad x, quad y, quad z) {
    return (q2){s->row[0][0] * x + s->row[0][1] * y + s->row[0][2] * z,
                s->row[1][0] * x + s->row[1][1] * y + s->row[1][2] * z};
}

static quad gap_along(const shadow *s, q2 normal) {
    quad low = 0, high = 0, reach = radius(s->axis, s->half.x, s->half.y, normal);
    for (uint32_t i = 0; i < s->count; i++) {
        quad along = dot(s->point[i], normal);
        low = i == 0 || along < low ? along : low;
        high = i == 0 || along > high ? along : high;
    }
    return low - reach > -high - reach ? low - reach : -high - reach;
}

static quad least(quad a, quad b) {
    return a < b ? a : b;
}

static quad square(q2 a) {
    return dot(a, a);
}

/* The squared distance of a point from the segment from a to a + side. */
static quad square_from_segment(q2 point, q2 a, q2 side) {
    q2 to = {point.x - a.x, point.y - a.y};
    quad length2 = square(side), along = dot(to, side);
    if (!(along > 0) || length2 == 0) {
        return square(to);
    }
    quad t = along < length2 ? along / length2 : 1;
    return square((q2){to.x - t * side.x, to.y - t * side.y});
}

static q2 rectangle_corner(const shadow *s, int i) {
    q2 y = across(s->axis);
    quad along = i & 1 ? s->half.x : -s->half.x, beside = i & 2 ? s->half.y : -s->half.y;
    return (q2){along * s->axis.x + beside * y.x, along * s->axis.y + beside * y.y};
}

/* The distance where the two share no point. `side` is the exact difference of two points of the shadow. */
static void keep_nearest(const shadow *s, q2 point, q2 side, quad *nearest2) {
    for (int i = 0; i < 4; i++) {
        q2 corner = rectangle_corner(s, i), next = rectangle_corner(s, (int[]){1, 3, 0, 2}[i]);
        q2 edge = {next.x - corner.x, next.y - corner.y};
        *nearest2 = least(*nearest2, square_from_segment(corner, point, side));
        *nearest2 = least(*nearest2, square_from_segment(point, corner, edge));
    }
}

static q2 side_of(const shadow *s, const abut_vec3 *from, const abut_vec3 *to) {
    return project(s, (quad)to->x - from->x, (quad)to->y - from->y, (quad)to->z - from->z);
}

/* The largest separation over all lines. */
static quad largest_gap(const shadow *s, const abut_vec3 *points) {
    quad first = gap_along(s, s->axis), second = gap_along(s, across(s->axis)), most = first > second ? first : second;
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            q2 side = side_of(s, &points[j], &points[i]);
            if (side.x != 0 || side.y != 0) {
                quad gap = gap_along(s, unit_of(across(side)));
                most = gap > most ? gap : most;
            }
        }
    }
    return most;
}

static quad distance_of(const shadow *s, const abut_vec3 *points) {
    quad nearest2 = square((q2){s->point[0].x - rectangle_corner(s, 0).x, s->point[0].y - rectangle_corner(s, 0).y});
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            keep_nearest(s, s->point[i], side_of(s, &points[i], &points[j]), &nearest2);
        }
    }
    return quad_sqrt(nearest2, sqrt((double)nearest2));
}

ground_truth ground_shadow(const abut_obb2 *r, float clearance, float radius_of_disc, const abut_vec3 *points,
                           uint32_t n, const abut_pose *pose, const int ground[2]) {
    shadow s = {.axis = axis_of(r), .half = {r->half.x, r->half.y}, .count = n};
    const float *position = &pose->position.x;
    q2 d = {(quad)position[ground[0]] - r->center.x, (quad)position[ground[1]] - r->center.y};
    quad grow = (quad)clearance + radius_of_disc, far = 0;
    rotation_rows(pose->rotation, ground, s.row);
    for (uint32_t i = 0; i < n; i++) {
        q2 p = project(&s, points[i].x, points[i].y, points[i].z);
        s.point[i] = (q2){d.x + p.x, d.y + p.y};
        quad own = quad_abs((quad)points[i].x) + quad_abs((quad)points[i].y) + quad_abs((quad)points[i].z);
        far = own > far ? own : far;
    }
    quad size = quad_abs(d.x) + quad_abs(d.y) + s.half.x + s.half.y + far + grow, gap = largest_gap(&s, points);
    if (gap > 0 && grow > 0) {
        gap = distance_of(&s, points);
    }
    return (ground_truth){measured(gap - grow, size), (double)size};
}
