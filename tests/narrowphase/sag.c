/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that sag into what they stand on, as soft solvers let them, and tilt by a part of that: with more than four
 * corners in contact the same four are kept, the depth is exact, and no separation is farther off than numerics.md
 * says. The oracle cuts the polygon of the lower face in double. */

#include "support/rng.h"
#include "support/same_features.h"
#include "support/test.h"
#include <abut/mesh.h>
#include <abut/query.h>
#include <abut/shape.h>
#include <abut/world.h>
#include <math.h>
#include <stdio.h>

enum { CORNERS = 40, SIDES_MAX = 32 };

typedef struct corner {
    double x, z, height; /* height: over the ground, which is at y = 0 */
} corner;

typedef struct polygon {
    corner at[CORNERS];
    int count;
} polygon;

/* What stands: a prism, or a box with four sides, from y = -1 to 1 with the radius; and what it stands on. */
typedef enum ground_kind { ON_BOX, ON_HULL, ON_TRIANGLE, GROUNDS } ground_kind;
typedef struct scene {
    int sides;
    double across; /* of its corners from its axis */
    double radius;
    abut_shape shape;
    abut_hull *hull;
    ground_kind kind;
    double ground_half; /* of its square: a small one is turned against the box on it */
    abut_shape ground;
    abut_hull *ground_hull;
    abut_mesh *mesh;
    abut_world *world;
} scene;

static void rotate(const abut_quat *q, const double p[3], double out[3]) {
    const double x = q->x, y = q->y, z = q->z, w = q->w, n = x * x + y * y + z * z + w * w;
    const double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++) {
        out[i] = (m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2]) / n;
    }
}

/* Keeps what lies within x sx + z sz <= half. */
static void cut(polygon *p, double sx, double sz, double half) {
    polygon out = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        const corner *a = &p->at[i], *b = &p->at[(i + 1) % p->count];
        const double u = a->x * sx + a->z * sz - half, v = b->x * sx + b->z * sz - half, t = u / (u - v);
        if (u <= 0) {
            out.at[out.count++] = *a;
        }
        if ((u <= 0) != (v <= 0)) {
            out.at[out.count++] =
                (corner){a->x + t * (b->x - a->x), a->z + t * (b->z - a->z), a->height + t * (b->height - a->height)};
        }
    }
    *p = out;
}

/* Where the corners of the lower face are. */
static polygon face_of(const scene *s, const abut_pose *pose) {
    polygon p = {.count = s->sides};
    for (int i = 0; i < s->sides; i++) {
        const double angle = 6.283185307179586 * (i + (s->hull ? 0 : 0.5)) / s->sides;
        double to[3], from[3] = {(double)(float)(s->across * cos(angle)), -(1 - s->radius),
                                 (double)(float)(s->across * sin(angle))};
        rotate(&pose->rotation, from, to);
        p.at[i] = (corner){to[0] + pose->position.x, to[2] + pose->position.z, to[1] + pose->position.y - s->radius};
    }
    return p;
}

/* Those of what it shares with the ground, seen from above. */
static polygon corners_of(const scene *s, const abut_pose *pose) {
    polygon p = face_of(s, pose);
    const double half = s->ground_half;
    cut(&p, 1, 0, half), cut(&p, -1, 0, half), cut(&p, 0, 1, half), cut(&p, 0, -1, half);
    return p;
}

static double lowest_of(const polygon *p) {
    double lowest = INFINITY;
    for (int i = 0; i < p->count; i++) {
        lowest = fmin(lowest, p->at[i].height);
    }
    return lowest;
}

/* A sharp box may be the deepest at a corner beside the box below. */
static bool hangs_over(const scene *s) {
    return s->sides == 4 && s->radius == 0;
}

/* The height of the lowest corner. Where some hang over: of all, or the ground's highest corner under the face, if that
 * is more. */
static double separation_of(const scene *s, const abut_pose *pose) {
    const polygon face = hangs_over(s) ? face_of(s, pose) : corners_of(s, pose);
    const double up[3] = {0, 1, 0};
    double n[3], over = hangs_over(s) ? INFINITY : -INFINITY;
    rotate(&pose->rotation, up, n);
    for (int i = 0; i < 4; i++) {
        const double x = (i & 1 ? 1 : -1) * s->ground_half, z = (i & 2 ? 1 : -1) * s->ground_half;
        const double along = n[0] * (pose->position.x - x) + n[1] * pose->position.y + n[2] * (pose->position.z - z);
        over = fmin(over, along - 1);
    }
    return fmax(lowest_of(&face), over);
}

/* The square of twice the tilt: heights along one normal or the other differ by so much. */
static double tilt2(const abut_pose *pose) {
    return 4 * ((double)pose->rotation.x * pose->rotation.x + (double)pose->rotation.z * pose->rotation.z);
}

static abut_hull *prism(int sides, double across, double half) {
    abut_vec3 points[2 * SIDES_MAX];
    abut_hull *hull;
    for (int i = 0; i < sides; i++) {
        const double angle = 6.283185307179586 * i / sides;
        const float x = (float)(across * cos(angle)), z = (float)(across * sin(angle));
        points[i] = (abut_vec3){x, (float)half, z};
        points[sides + i] = (abut_vec3){x, (float)-half, z};
    }
    assert_int_equal(abut_hull_create(points, 2 * (size_t)sides, NULL, &hull), ABUT_OK);
    return hull;
}

static void make_ground(scene *s) {
    const float h = (float)s->ground_half;
    if (s->kind == ON_TRIANGLE) {
        const abut_vec3 at[3] = {{-50, 0, -40}, {3, 0, 60}, {50, 0, -45}};
        const uint32_t index[3] = {0, 1, 2};
        const abut_mesh_def def = {.vertices = at, .vertex_count = 3, .indices = index, .triangle_count = 1};
        assert_int_equal(abut_mesh_create(&def, &s->mesh), ABUT_OK);
        assert_int_equal(abut_world_create(NULL, &s->world), ABUT_OK);
        abut_body_def body = {.mesh = s->mesh, .motion = ABUT_STATIC, .pose.rotation.w = 1};
        abut_body_id id;
        assert_int_equal(abut_body_create(s->world, &body, &id), ABUT_OK);
    } else if (s->kind == ON_HULL) {
        abut_vec3 p[8];
        for (int i = 0; i < 8; i++) {
            p[i] = (abut_vec3){i & 1 ? h : -h, i & 2 ? 1.f : -1.f, i & 4 ? h : -h};
        }
        assert_int_equal(abut_hull_create(p, 8, NULL, &s->ground_hull), ABUT_OK);
        s->ground = abut_convex(s->ground_hull, 0);
    } else {
        s->ground = abut_box(h, 1, h);
    }
}

static scene make_scene(int sides, double radius, ground_kind kind) {
    scene s = {.sides = sides, .radius = radius, .kind = kind, .ground_half = 20, .across = 1 - radius};
    if (sides == 4) { /* its faces are as far from its axis */
        s.ground_half = 1;
        s.across = sqrt(2) * (1 - radius);
        const float half = (float)(1 - radius);
        s.shape = abut_box(half, half, half);
        s.shape.radius = (float)radius;
    } else {
        s.hull = prism(sides, s.across, 1 - radius);
        s.shape = abut_convex(s.hull, (float)radius);
    }
    make_ground(&s);
    return s;
}

static void destroy_scene(scene *s) {
    abut_world_destroy(&s->world);
    abut_mesh_destroy(&s->mesh);
    abut_hull_destroy(&s->ground_hull);
    abut_hull_destroy(&s->hull);
}

static void collide(const scene *s, const abut_pose *pose, abut_manifold *m) {
    static const abut_pose below = {{0, -1, 0}, {0, 0, 0, 1}};
    abut_touching touching[2];
    if (s->kind == ON_TRIANGLE) {
        assert_int_equal(abut_world_collide(s->world, &s->shape, pose, 0.01f, NULL, touching, 2), 1);
        *m = touching[0].manifold;
    } else {
        assert_true(abut_shape_collide(&s->ground, &below, &s->shape, pose, 0.01f, m));
    }
}

/* Turned about the vertical by `yaw`, then tilted by a small angle about the axis at `about` in the plane. */
static abut_pose posed(double x, double y, double z, double yaw, double tilt, double about) {
    const double s = sin(yaw / 2), c = cos(yaw / 2), u = tilt / 2 * cos(about), v = tilt / 2 * sin(about);
    return (abut_pose){{(float)x, (float)y, (float)z},
                       {(float)(u * c - v * s), (float)s, (float)(v * c + u * s), (float)c}};
}

/* By how much separations may be lowered, as numerics.md says; on a mesh twice, the second time by an eighth of that.
 */
static double most_lowered(const scene *s, double depth) {
    const double core = 3 * (1 - s->radius), once = fmax(0x1p-16 * core, fmin(0.5 * depth, 0x1p-10 * core));
    return (s->kind == ON_TRIANGLE ? 1.125 : 1) * once + 4e-6;
}

/* By how much a point is lower than the corner at which it is. */
static double lowered_by(const polygon *p, const abut_contact_point *at) {
    double by = INFINITY;
    for (int i = 0; i < p->count; i++) {
        const double u = p->at[i].x - (double)at->position.x, v = p->at[i].z - (double)at->position.z;
        by = u * u + v * v < 1e-8 ? p->at[i].height - (double)at->separation : by;
    }
    return by;
}

/* Checks the manifold by the oracle. Returns by how much its points are lowered: all alike, but that the deepest point
 * has the depth of a corner beside the ground, if that is deeper. */
static double assert_exact(const scene *s, const abut_pose *pose, const abut_manifold *m) {
    const polygon p = corners_of(s, pose);
    const double depth = (double)abut_manifold_depth(m), near = 4e-6 + tilt2(pose);
    double least = INFINITY, most = -INFINITY;
    assert_true(fabs(separation_of(s, pose) + depth) < (s->sides == 4 ? 1e-5 : 2e-6));
    for (uint32_t k = 0; k < m->count; k++) {
        const abut_contact_point *at = &m->points[k];
        const double by = lowered_by(&p, at);
        const bool beside = hangs_over(s) && (double)at->separation <= -depth;
        assert_true(by > -near && (beside || by < most_lowered(s, depth)));
        const double middle = ((double)at->separation + by) / 2; /* of the corner and the ground */
        assert_true(fabs((double)at->position.y - middle) < fabs(by) / 2 + near);
        least = beside ? least : fmin(least, by);
        most = beside ? most : fmax(most, by);
    }
    assert_true(most - least < 2 * near);
    return most;
}

/* Of points with the same feature: how far their separations differ. (A corner beside the ground may be the deepest.)
 */
static double jump(const scene *s, const abut_manifold *x, const abut_manifold *y) {
    double most = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        for (uint32_t j = 0; j < y->count; j++) {
            const double u = (double)x->points[i].separation, v = (double)y->points[j].separation;
            const bool beside =
                hangs_over(s) && (u <= -(double)abut_manifold_depth(x) || v <= -(double)abut_manifold_depth(y));
            const bool same = !beside && x->points[i].feature == y->points[j].feature;
            most = same ? fmax(most, fabs(u - v)) : most;
        }
    }
    return most;
}

/* A sagging body, tilted in every direction in turn, by a part of the sag. Returns the most that points were lowered,
 * as a share of the depth. */
static double turn_about(const scene *s, rng *r) {
    const double sag = exp(rng_range(r, log(1e-4), log(1.5e-2))), tilt = fmin(0.3 * sag, 6e-4), reach = s->across;
    const double yaw = s->sides == 4 ? rng_range(r, 0.3, 1.2) : rng_range(r, -3, 3);
    const double x = s->sides == 4 ? 0.003 : rng_range(r, -0.3, 0.3), z = s->sides == 4 ? -0.002 : rng_range(r, -1, 1);
    const abut_pose level = posed(x, 1 - sag, z, yaw, 0, 0);
    const int steps = 64;
    abut_manifold first, before = {.count = 0}, m;
    double most = 0;
    collide(s, &level, &first);
    assert_int_equal(first.count, 4);
    assert_exact(s, &level, &first);
    for (int i = 0; i <= steps; i++) {
        const abut_pose pose = posed(x, 1 - sag, z, yaw, tilt, 6.283185307179586 * i / steps);
        collide(s, &pose, &m);
        assert_true(same_features(&first, &m));
        most = fmax(most, assert_exact(s, &pose, &m) / sag);
        assert_true(i == 0 || jump(s, &before, &m) < 2.5 * tilt * reach * 6.3 / steps + 1e-6);
        before = m;
    }
    return most;
}

static void sagging_bodies_keep_their_points_as_they_tilt(void **state) {
    static const int sides[] = {4, 5, 6, 7, 12, 16, 32};
    (void)state;
    double most = 0;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        for (int k = 0; k < 2 * GROUNDS; k++) {
            scene s = make_scene(sides[i], k & 1 ? 0.0625 : 0, (ground_kind)(k / 2));
            rng r = rng_make(test_seed(), (uint64_t)(i * 100 + (size_t)k));
            for (unsigned long n = 0; n < test_count(20) && (sides[i] > 4 || s.kind != ON_TRIANGLE); n++) {
                most = fmax(most, turn_about(&s, &r));
            }
            destroy_scene(&s);
        }
    }
    printf("points were lowered by up to %.3f of the sag\n", most);
    assert_true(most > 0.1); /* something was */
}

/* Where a body tilts by more than it sags, or does not touch at all, its lowest corner is among the four, or one that
 * is as low to within 2^-16. */
static void what_tilts_more_has_its_lowest_corner(void **state) {
    static const int sides[] = {5, 6, 7};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        for (int kind = 0; kind < GROUNDS; kind++) {
            scene s = make_scene(sides[i], 0, (ground_kind)kind);
            for (unsigned long n = 0; n < test_count(200); n++) {
                rng r = rng_make(test_seed() + i, n);
                const double tilt = rng_range(&r, 1e-3, 3e-3), gap = rng_range(&r, -0.2, 0.9) * tilt;
                const abut_pose pose =
                    posed(0.1, 1 + tilt + gap, 0.2, rng_range(&r, -3, 3), tilt, rng_range(&r, -3, 3));
                abut_manifold m;
                collide(&s, &pose, &m);
                assert_true(m.count == 4);
                const double lowered = assert_exact(&s, &pose, &m);
                assert_true(gap <= 0 || lowered < 0x1p-16 * 3 + 4e-6 + tilt2(&pose));
            }
            destroy_scene(&s);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sagging_bodies_keep_their_points_as_they_tilt),
        cmocka_unit_test(what_tilts_more_has_its_lowest_corner),
    };
    return test_run(tests);
}
