/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "ode_scenes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double step_seconds = 1.0 / 60, density = 1000, friction = 0.6;
static const float margin = 0.002f; /* more than the gaps that the solver leaves */
enum { iterations = 150 };          /* QuickStep has no warm starting, so ten boxes high need more than its usual 20 */

static const abut_vec3 cube = {0.25f, 0.25f, 0.25f}, brick = {0.2f, 0.1f, 0.1f}, half_brick = {0.1f, 0.1f, 0.1f};

const char *const scene_names[SCENES] = {"tower", "wall", "prisms", "rounded", "logs", "trough", "balls"};

static void check(abut_result result) {
    if (result != ABUT_OK) {
        fprintf(stderr, "ode_stacks: %s\n", abut_result_name(result));
        exit(EXIT_FAILURE);
    }
}

double scene_clock(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* --- making things --- */

/* ODE's own geoms are boxes only; `body` may be NULL. */
static void give_shape(scene *s, dBodyID body, abut_vec3 at, abut_shape shape) {
    const abut_vec3 half = shape.half;
    if (s->bridge != NULL) {
        const abut_body_def def = {.pose.position = at, .half = half, .hull = shape.hull, .radius = shape.radius};
        check(ode_bridge_add(s->bridge, body, &def));
        return;
    }
    dGeomID geom = dCreateBox(s->space, 2 * (dReal)half.x, 2 * (dReal)half.y, 2 * (dReal)half.z);
    dGeomSetPosition(geom, (dReal)at.x, (dReal)at.y, (dReal)at.z);
    if (body != NULL) {
        dGeomSetBody(geom, body);
    }
}

static dBodyID make_body(scene *s, abut_vec3 at, const dMass *mass) {
    dBodyID body = dBodyCreate(s->dynamics);
    dBodySetMass(body, mass);
    dBodySetPosition(body, (dReal)at.x, (dReal)at.y, (dReal)at.z);
    return body;
}

static void remember(scene *s, dBodyID body) {
    memcpy(s->start[s->count], dBodyGetPosition(body), 3 * sizeof(dReal));
    memcpy(s->turned[s->count], dBodyGetQuaternion(body), 4 * sizeof(dReal));
    s->bodies[s->count++] = body;
}

static dBodyID make_box(scene *s, abut_vec3 at, abut_vec3 half) {
    dMass mass;
    dMassSetBox(&mass, density, 2 * (dReal)half.x, 2 * (dReal)half.y, 2 * (dReal)half.z);
    dBodyID body = make_body(s, at, &mass);
    give_shape(s, body, at, (abut_shape){.half = half});
    return body;
}

static void make_tower(scene *s) {
    for (int i = 0; i < 10; ++i) {
        remember(s, make_box(s, (abut_vec3){0, 0.25f + 0.5f * (float)i, 0}, cube));
    }
}

/* Ten rows of four bricks, each row half a brick beside the one below; flush, without mortar. */
static void make_wall(scene *s) {
    for (int row = 0; row < 10; ++row) {
        const float y = 0.1f + 0.2f * (float)row;
        const bool odd = row % 2 != 0;
        for (int i = 0; i < (odd ? 3 : 4); ++i) {
            remember(s, make_box(s, (abut_vec3){(odd ? -0.4f : -0.6f) + 0.4f * (float)i, y, 0}, brick));
        }
        for (int end = -1; odd && end <= 1; end += 2) {
            remember(s, make_box(s, (abut_vec3){0.7f * (float)end, y, 0}, half_brick));
        }
    }
}

/* Prisms with six sides, each turned against the one below: the common area of two of them has up to twelve corners. */
static void make_prisms(scene *s) {
    static const abut_vec2 corners[6] = {{0.5f, 0},  {0.25f, 0.4375f},   {-0.25f, 0.4375f},
                                         {-0.5f, 0}, {-0.25f, -0.4375f}, {0.25f, -0.4375f}};
    abut_vec3 points[12];
    dMass mass;
    for (int i = 0; i < 12; ++i) {
        points[i] = (abut_vec3){corners[i % 6].x, i < 6 ? -0.2f : 0.2f, corners[i % 6].y};
    }
    check(abut_hull_create(points, 12, NULL, &s->prism));
    dMassSetCylinderTotal(&mass, density * (double)abut_hull_volume(s->prism), 2, 0.45, 0.4);
    for (int i = 0; i < 10; ++i) {
        abut_vec3 at = {0, 0.2f + 0.4f * (float)i, 0};
        dQuaternion turn;
        dBodyID body = make_body(s, at, &mass);
        dQFromAxisAndAngle(turn, 0, 1, 0, 0.3 * i);
        dBodySetQuaternion(body, turn);
        give_shape(s, body, at, abut_convex(s->prism, 0));
        remember(s, body);
    }
}

/* Boxes of the tower's size with round edges. */
static void make_rounded(scene *s) {
    for (int i = 0; i < 10; ++i) {
        abut_vec3 at = {0, 0.25f + 0.5f * (float)i, 0};
        dMass mass;
        dMassSetBox(&mass, density, 0.5, 0.5, 0.5);
        dBodyID body = make_body(s, at, &mass);
        give_shape(s, body, at, (abut_shape){.half = {0.2f, 0.2f, 0.2f}, .radius = 0.05f});
        remember(s, body);
    }
}

static const float log_radius = 0.125f, log_half = 0.5f;

/* A capsule along x or z. */
static void make_log(scene *s, abut_vec3 at, bool across) {
    dMass mass;
    dMassSetCapsule(&mass, density, across ? 3 : 1, (dReal)log_radius, 2 * (dReal)log_half);
    dBodyID body = make_body(s, at, &mass);
    give_shape(s, body, at,
               (abut_shape){.half = {across ? 0 : log_half, 0, across ? log_half : 0}, .radius = log_radius});
    remember(s, body);
}

/* Ten layers of two logs each, every layer across the one below. */
static void make_logs(scene *s) {
    for (int i = 0; i < 20; ++i) {
        const float side = i % 2 == 0 ? -0.3f : 0.3f, y = log_radius * (float)(1 + i / 2 * 2);
        const bool across = i / 2 % 2 != 0;
        make_log(s, (abut_vec3){across ? side : 0, y, across ? 0 : side}, across);
    }
}

/* Logs side by side between two walls, and above each gap another one: five layers. */
static void make_trough(scene *s) {
    const float r = log_radius, high = 1.7320508f * r;
    for (int side = -1; side <= 1; side += 2) {
        give_shape(s, NULL, (abut_vec3){0, 0.75f, (float)side * (4 * r + 0.5f)},
                   (abut_shape){.half = {1, 0.75f, 0.5f}});
    }
    for (int row = 0; row < 5; ++row) {
        const int count = row % 2 != 0 ? 3 : 4;
        for (int i = 0; i < count; ++i) {
            make_log(s, (abut_vec3){0, r + high * (float)row, r * (float)(2 * i + 1 - count)}, false);
        }
    }
}

/* Balls of several sizes that roll over the ground. */
static void make_balls(scene *s) {
    for (int i = 0; i < 8; ++i) {
        const float radius = 0.125f * (float)(1 + i);
        const dReal speed = 0.25 * (1 + i);
        abut_vec3 at = {-5, radius, 2 * (float)i - 8};
        dMass mass;
        dMassSetSphere(&mass, density, (dReal)radius);
        dBodyID body = make_body(s, at, &mass);
        dBodySetLinearVel(body, speed, 0, 0);
        dBodySetAngularVel(body, 0, 0, -speed / (dReal)radius);
        give_shape(s, body, at, abut_sphere(radius));
        remember(s, body);
    }
}

void scene_create(scene *s, scene_kind kind, collider by) {
    static void (*const make[SCENES])(scene *) = {make_tower, make_wall,   make_prisms, make_rounded,
                                                  make_logs,  make_trough, make_balls};
    *s = (scene){.surface = {.mode = dContactApprox1, .mu = friction}};
    dRandSetSeed(1); /* QuickStep shuffles its rows */
    s->dynamics = dWorldCreate();
    s->joints = dJointGroupCreate(0);
    dWorldSetGravity(s->dynamics, 0, -9.81, 0);
    dWorldSetQuickStepNumIterations(s->dynamics, iterations);
    dWorldSetContactMaxCorrectingVel(s->dynamics, 1);
    if (by == BY_ABUT) {
        check(ode_bridge_create(s->dynamics, &s->surface, margin, &s->bridge));
    } else {
        s->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XZY);
    }
    give_shape(s, NULL, (abut_vec3){0, -0.5f, 0}, abut_box(20, 0.5f, 20));
    make[kind](s);
}

void scene_destroy(scene *s) {
    ode_bridge_destroy(&s->bridge);
    if (s->space != NULL) {
        dSpaceDestroy(s->space);
    }
    dJointGroupDestroy(s->joints);
    dWorldDestroy(s->dynamics);
    abut_hull_destroy(&s->prism);
}

void scene_throw_box(scene *s) {
    dBodyID box = make_box(s, (abut_vec3){0.1f, 1.25f, 2}, (abut_vec3){0.4f, 0.4f, 0.4f});
    dBodySetLinearVel(box, 0, 1, -12);
}

/* --- running --- */

/* The same as the bridge with ODE's geoms: as many points per pair, the same contact joints. */
static void collide_geoms(void *state, dGeomID g, dGeomID h) {
    enum { most = 4 };
    scene *s = state;
    dContactGeom geoms[most];
    dBodyID body = dGeomGetBody(g), other = dGeomGetBody(h);
    const int n = body != NULL || other != NULL ? dCollide(g, h, most, geoms, sizeof geoms[0]) : 0;
    for (int i = 0; i < n; ++i) {
        const dContact contact = {.surface = s->surface, .geom = geoms[(s->step + (unsigned)i) % (unsigned)n]};
        dJointAttach(dJointCreateContact(s->dynamics, s->joints, &contact), body, other);
    }
    s->touching.pairs += n > 0;
    s->touching.points += (size_t)n;
}

static void collide(scene *s) {
    s->step++;
    s->touching = (ode_bridge_counts){0};
    if (s->bridge != NULL) {
        check(ode_bridge_collide(s->bridge, step_seconds, s->joints, &s->touching));
    } else {
        dSpaceCollide(s->space, s, collide_geoms);
    }
}

void scene_run(scene *s, double seconds) {
    const int steps = (int)(seconds / step_seconds + 0.5);
    for (int i = 0; i < steps; ++i) {
        const double before = scene_clock();
        collide(s);
        s->colliding += scene_clock() - before;
        dWorldQuickStep(s->dynamics, step_seconds);
        dJointGroupEmpty(s->joints);
    }
}

static double length(const dReal v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The angle between two rotations, accurate for small ones: twice the arcsine of the relative quaternion's vector part.
 */
static double angle(const dReal *q, const dReal *r) {
    const dReal across[3] = {q[0] * r[1] - r[0] * q[1] + q[3] * r[2] - q[2] * r[3],
                             q[0] * r[2] - r[0] * q[2] + q[1] * r[3] - q[3] * r[1],
                             q[0] * r[3] - r[0] * q[3] + q[2] * r[1] - q[1] * r[2]};
    return 2 * asin(fmin(length(across), 1));
}

scene_motion scene_measure(const scene *s) {
    scene_motion m = {0};
    for (size_t i = 0; i < s->count; ++i) {
        const dReal *p = dBodyGetPosition(s->bodies[i]), *from = s->start[i];
        const dReal way[3] = {p[0] - from[0], p[1] - from[1], p[2] - from[2]};
        const double far = length(way);
        m.drift = fmax(m.drift, far);
        m.turn = fmax(m.turn, angle(s->turned[i], dBodyGetQuaternion(s->bodies[i])));
        m.speed = fmax(m.speed, length(dBodyGetLinearVel(s->bodies[i])));
        m.moved += far > 2 * (double)brick.y;
    }
    return m;
}
