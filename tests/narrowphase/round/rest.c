/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies at rest on a face, overlapping it a little or a little above it within the margin: boxes, plates and hulls,
 * sharp or rounded, at any yaw and over the border of the face, too. They have all the points that the two faces share,
 * keep them while they jitter, and the deepest point is as deep as the lowest point of one face over the other. The
 * truth is one polygon clipped by another, and its heights. */

#include "support/rng.h"
#include "support/same_features.h"
#include "support/test.h"
#include <abut/hull.h>
#include <abut/shape.h>
#include <math.h>
#include <stdio.h>

enum { KINDS = 6, CORNERS = 12 };

/* What lies below, and what lies on it. Both are boxes with these half extents, as boxes or as hulls. */
typedef struct resting {
    abut_shape shape;
    double half[3]; /* of the core */
} resting;

static abut_hull *box_hull(const double half[3]) {
    abut_vec3 p[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        p[i] = (abut_vec3){(float)(i & 1 ? half[0] : -half[0]), (float)(i & 2 ? half[1] : -half[1]),
                           (float)(i & 4 ? half[2] : -half[2])};
    }
    assert_int_equal(abut_hull_create(p, 8, NULL, &hull), ABUT_OK);
    return hull;
}

/* Kinds: box, box with a radius, plate, plate with a radius, hull, hull with a radius. Its hull must be destroyed. */
static resting made(rng *r, int kind) {
    resting out = {.half = {0.3 + rng_unit(r), 0.3 + rng_unit(r), 0.3 + rng_unit(r)}};
    out.half[1] = kind / 2 == 1 ? 0 : out.half[1];
    for (int k = 0; k < 3; k++) {
        out.half[k] = (double)(float)out.half[k];
    }
    out.shape.half = (abut_vec3){(float)out.half[0], (float)out.half[1], (float)out.half[2]};
    out.shape.radius = kind % 2 ? 0.1f : 0;
    out.shape.hull = kind / 2 == 2 ? box_hull(out.half) : NULL;
    return out;
}

static void destroy(resting *body) {
    abut_hull *hull = (abut_hull *)(uintptr_t)body->shape.hull;
    abut_hull_destroy(&hull);
}

/* A polygon over the plane y = 0; its heights are y. */
typedef struct outline {
    double p[CORNERS][3];
    int count;
} outline;

static void turned(const abut_pose *pose, const double v[3], double out[3]) {
    const abut_quat q = pose->rotation;
    const double u[3] = {q.x, q.y, q.z}, w = q.w, n = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + w * w;
    const float *at = &pose->position.x;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        double uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2], square = w * w - (n - w * w);
        out[i] = (square * v[i] + 2 * uv * u[i] + 2 * w * (u[k] * v[l] - u[l] * v[k])) / n + (double)at[i];
    }
}

/* The part with sign p[axis] <= limit (Sutherland and Hodgman). */
static outline cut(const outline *in, int axis, double sign, double limit) {
    outline out = {.count = 0};
    for (int i = 0; i < in->count; i++) {
        const double *p = in->p[i], *q = in->p[(i + 1) % in->count];
        double a = sign * p[axis] - limit, b = sign * q[axis] - limit;
        for (int k = 0; k < 3; k++) {
            out.p[out.count][k] = p[k];
        }
        out.count += a <= 0;
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
            for (int k = 0; k < 3; k++) {
                out.p[out.count][k] = p[k] + (q[k] - p[k]) * a / (a - b);
            }
            out.count++;
        }
    }
    return out;
}

/* The bottom of what lies on top, over the top face of what lies below (at the origin, upright). */
static outline shared_of(const resting *below, const resting *above, const abut_pose *pose) {
    outline out = {.count = 4};
    for (int i = 0; i < 4; i++) {
        const double v[3] = {i == 0 || i == 3 ? above->half[0] : -above->half[0], -above->half[1],
                             i < 2 ? above->half[2] : -above->half[2]};
        turned(pose, v, out.p[i]);
    }
    for (int side = 0; side < 4; side++) {
        out = cut(&out, side & 2, side & 1 ? 1 : -1, below->half[side & 2]);
    }
    return out;
}

/* The least height of the polygon over the grown top, less the radius above. */
static double lowest_of(const outline *o, const resting *below, const resting *above) {
    double least = INFINITY;
    for (int i = 0; i < o->count; i++) {
        least = fmin(least, o->p[i][1]);
    }
    return least - below->half[1] - (double)below->shape.radius - (double)above->shape.radius;
}

/* Whether the polygon has four corners or more, none near another. */
static bool is_plain(const outline *o) {
    for (int i = 0; i < o->count; i++) {
        for (int k = 0; k < i; k++) {
            if (hypot(o->p[i][0] - o->p[k][0], o->p[i][2] - o->p[k][2]) < 1e-2) {
                return false;
            }
        }
    }
    return o->count >= 4;
}

static abut_pose pose_of(rng *r, const resting *below, const resting *above, double gap) {
    const double yaw = rng_range(r, -3, 3), reach = 0.8;
    const float height =
        (float)(below->half[1] + above->half[1] + (double)below->shape.radius + (double)above->shape.radius + gap);
    return (abut_pose){{(float)rng_range(r, -reach * below->half[0], reach * below->half[0]), height,
                        (float)rng_range(r, -reach * below->half[2], reach * below->half[2])},
                       {0, (float)sin(yaw / 2), 0, (float)cos(yaw / 2)}};
}

/* The pose, turned by about 2 * `tilt` radians about a level axis, and lifted by up to `lift`. */
static abut_pose tilted(rng *r, abut_pose pose, double tilt, double lift) {
    const double toward = rng_range(r, -3.2, 3.2), x = tilt * cos(toward), z = tilt * sin(toward);
    const double y = pose.rotation.y, w = pose.rotation.w;
    pose.rotation = (abut_quat){(float)(x * w - z * y), (float)y, (float)(z * w + x * y), (float)w};
    pose.position.y += (float)rng_range(r, -lift, lift);
    return pose;
}

static double deepest_of(const abut_manifold *m) {
    double least = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        least = fmin(least, (double)m->points[i].separation);
    }
    return least;
}

/* Each pair of kinds, overlapping or across a gap. Two sharp plates do not overlap where they lie flat. */
typedef bool check(rng *r, const resting *below, const resting *above, double gap);

/* Of each pair of kinds so many of a thousand may fail. */
static void for_each_pair(unsigned long count, double gap, unsigned long of_thousand, check *call) {
    for (int kind = 0; kind < KINDS * KINDS; kind++) {
        unsigned long wrong = 0;
        for (unsigned long i = 0; i < count; i++) {
            rng r = rng_make(test_seed() + (uint64_t)kind, i);
            resting below = made(&r, kind / KINDS), above = made(&r, kind % KINDS);
            const bool plates = below.half[1] == 0 && above.half[1] == 0;
            const bool sharp = below.shape.radius == 0 && above.shape.radius == 0;
            if (gap > 0 || !plates || !sharp) {
                wrong += !call(&r, &below, &above, gap);
            }
            destroy(&below);
            destroy(&above);
        }
        assert_true(1000 * wrong <= of_thousand * count);
    }
}

/* How deep the deepest point may not be: 2^-16 of the half extents of the smaller body, and rounding. */
static double slack_of(const resting *a, const resting *b) {
    const double x = a->half[0] + a->half[1] + a->half[2], y = b->half[0] + b->half[1] + b->half[2];
    return 0x1p-16 * fmin(x, y) + 1e-6;
}

static abut_manifold contact_of(const resting *below, const resting *above, const abut_pose *pose) {
    static const abut_pose origin = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_manifold m = {.count = 0};
    assert_true(abut_shape_collide(&below->shape, &origin, &above->shape, pose, 0.02f, &m));
    return m;
}

/* Whether the separation of the deepest point is the distance, whichever point that is. */
static bool is_distance(const resting *below, const resting *above, const abut_pose *pose, const abut_manifold *m) {
    static const abut_pose origin = {{0, 0, 0}, {0, 0, 0, 1}};
    const double d = (double)abut_shape_distance(&below->shape, &origin, &above->shape, pose, NULL, NULL);
    return fabs(deepest_of(m) - d) <= 1e-6 * d;
}

static bool report(const resting *below, const resting *above, double gap, const char *fault) {
    fprintf(stderr, "%s: radii %g %g, hulls %d %d, half heights %g %g, gap %g\n", fault, (double)below->shape.radius,
            (double)above->shape.radius, below->shape.hull != NULL, above->shape.hull != NULL, below->half[1],
            above->half[1], gap);
    return false;
}

/* Float-size jitter. A choice among points may be that close, but rarely. */
static bool keeps_its_features(rng *r, const resting *below, const resting *above, double gap) {
    const abut_pose pose = pose_of(r, below, above, gap);
    const outline shared = shared_of(below, above, &pose);
    if (!is_plain(&shared)) {
        return true;
    }
    abut_pose at = tilted(r, pose, 0, 0);
    const abut_manifold first = contact_of(below, above, &at);
    for (int k = 0; k < 4; k++) {
        at = tilted(r, pose, 3e-7, 3e-7);
        const abut_manifold m = contact_of(below, above, &at);
        assert_true(gap < 0 || is_distance(below, above, &at, &m));
        if (!same_features(&first, &m)) {
            return report(below, above, gap, "features change");
        }
    }
    return true;
}

static void features_stay_while_bodies_jitter(void **state) {
    (void)state;
    for_each_pair(test_count(200), -0.005, 5, keeps_its_features);
    for_each_pair(test_count(200), 0.005, 5, keeps_its_features);
}

/* Tilts up to those that a solver leaves. */
static bool has_all_points(rng *r, const resting *below, const resting *above, double gap) {
    const abut_pose pose = tilted(r, pose_of(r, below, above, gap), rng_log_range(r, 1e-8, 2e-4), 0);
    const outline shared = shared_of(below, above, &pose);
    if (!is_plain(&shared)) {
        return true;
    }
    const abut_manifold m = contact_of(below, above, &pose);
    const double off = deepest_of(&m) - lowest_of(&shared, below, above), slack = slack_of(below, above);
    /* Of more corners three are kept where the two outermost ones have all others on one side. */
    if (m.count != 4 && (m.count != 3 || shared.count == 4)) {
        return report(below, above, gap, "points are missing");
    }
    if (gap > 0 && !is_distance(below, above, &pose, &m)) {
        return report(below, above, gap, "the depth is not the distance");
    }
    /* Sharp bodies that overlap have the depth along the normal: that of a corner beside the face, too. */
    const bool sharp = below->shape.radius == 0 && above->shape.radius == 0;
    const double beside = sharp && gap < 0 ? 4e-4 * 2 * (above->half[0] + above->half[2]) : 0;
    if (off > slack || off < -slack - beside) {
        return report(below, above, gap, "the depth is wrong");
    }
    return true;
}

static void tilted_faces_have_all_points(void **state) {
    (void)state;
    for_each_pair(test_count(200), -0.005, 0, has_all_points);
    for_each_pair(test_count(200), 0.005, 0, has_all_points);
}

/* Sharp rods, and plates on their edges, on a box: lines that coincide compete for their names, which stay between a
 * touch and a gap, too. */
static void lines_keep_their_features(void **state) {
    (void)state;
    const unsigned long count = test_count(1000);
    unsigned long wrong = 0, differ = 0;
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed() + 99, i);
        const resting below = made(&r, 0);
        resting above = made(&r, 0);
        above.half[0] = 0;
        above.half[1] = i % 2 ? 0 : above.half[1];
        above.shape.half = (abut_vec3){0, (float)above.half[1], (float)above.half[2]};
        const abut_pose pose = pose_of(&r, &below, &above, 0.005);
        abut_pose at = pose;
        const abut_manifold first = contact_of(&below, &above, &at);
        at = tilted(&r, pose, 1e-7, 1e-7);
        const abut_manifold second = contact_of(&below, &above, &at);
        at = pose;
        at.position.y -= 0.00501f;
        const abut_manifold touch = contact_of(&below, &above, &at);
        wrong += !same_features(&first, &second);
        differ += touch.normal.y > 0.9f && !same_features(&first, &touch);
    }
    assert_true(200 * wrong <= count);
    assert_true(200 * differ <= count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_stay_while_bodies_jitter),
        cmocka_unit_test(tilted_faces_have_all_points),
        cmocka_unit_test(lines_keep_their_features),
    };
    return test_run(tests);
}
