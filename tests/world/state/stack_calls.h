/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Every public call, in the order of a world's life, for the tests of how much stack calls need. */
#ifndef ABUT_TESTS_WORLD_STATE_STACK_CALLS_H
#define ABUT_TESTS_WORLD_STATE_STACK_CALLS_H

#include "scenes.h"
#include <abut/abut.h>

enum {
    STACK_BODIES = 700, /* at most */
    STACK_VIEWS = 32,
    STACK_POINTS = 500,
    STACK_BATCH = 300,
    STACK_CALLS = 71,
};

/* What the calls work on. Results are not judged here: other tests do that. */
typedef struct stack_subject {
    scene scene;
    abut_world *world;
    abut_body_id ids[STACK_BODIES];
    abut_frustum frusta[STACK_VIEWS];
    abut_visible visible[STACK_BODIES * 2];
    uint32_t indices[STACK_BODIES * 2];
    abut_obb2 candidates[STACK_BATCH];
    abut_placement placements[STACK_BATCH];
    abut_vec3 points[STACK_POINTS];
    abut_hull *hull, *copy;
    abut_mesh *mesh, *mesh_copy;
    abut_obb boxes[STACK_BATCH], other_boxes[STACK_BATCH];
    abut_pose poses[STACK_BODIES];
    abut_aabb bounds[STACK_BODIES];
    uint8_t overlap[STACK_BATCH];
    abut_manifold manifold;
    abut_step_report report;
    abut_body_id found[STACK_BODIES];
    abut_touching touching[STACK_BODIES];
    abut_near near[50];
    size_t sink;
} stack_subject;

/* Makes a scene of n bodies of this kind, and what else calls need; there is no world yet. */
void stack_prepare(stack_subject *s, scene_kind kind, size_t n);

/* A call may stand at several moments of the life. The first does nothing. */
typedef struct stack_call {
    const char *name;
    void (*run)(stack_subject *s);
} stack_call;
extern const stack_call stack_calls[STACK_CALLS];

#endif
