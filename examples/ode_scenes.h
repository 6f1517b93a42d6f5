/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Things to stack, and the two ways to collide them: abut through the bridge, and ODE's own geoms. Lengths are metres.
 */
#ifndef ODE_SCENES_H
#define ODE_SCENES_H

#include "ode_bridge.h"

typedef enum collider { BY_ABUT, BY_ODE } collider;

typedef enum scene_kind { TOWER, WALL, PRISMS, ROUNDED, LOGS, TROUGH, BALLS, SCENES } scene_kind;

enum { scene_room = 64 };

typedef struct scene {
    dWorldID dynamics;
    dJointGroupID joints;
    ode_bridge *bridge; /* of BY_ABUT */
    dSpaceID space;     /* of BY_ODE */
    dSurfaceParameters surface;
    abut_hull *prism;
    dBodyID bodies[scene_room]; /* what is stacked */
    dVector3 start[scene_room];
    dQuaternion turned[scene_room]; /* at the start */
    size_t count;
    unsigned step;
    ode_bridge_counts touching; /* in the last step; BY_ODE no point is known to be kept */
    double colliding;           /* seconds, since the scene was made */
} scene;

extern const char *const scene_names[SCENES];

/* Only the first two are for both: ODE's own collider finds one point on prisms, and has no rounded boxes. */
void scene_create(scene *s, scene_kind kind, collider by);
void scene_destroy(scene *s);

void scene_throw_box(scene *s);

void scene_run(scene *s, double seconds);

/* The largest distance of a body from its first place, the largest angle by which one turned, and the largest speed. */
typedef struct scene_motion {
    double drift, turn, speed;
    size_t moved; /* bodies that are more than a brick's thickness from where they were */
} scene_motion;

scene_motion scene_measure(const scene *s);

/* Seconds of processor time. */
double scene_clock(void);

#endif
