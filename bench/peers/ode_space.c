/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* ODE's sweep and prune space: alone, on geoms of a class whose boxes are given; and with dCollide, on its shapes. */

#include "broad_peer.h"
#include "ode_shapes.h"
#include "world_peer.h"
#include <stdlib.h>

enum { contacts_max = 8, moving_bit = 1, resting_bit = 2 };

typedef struct ode_space {
    const box_frame *boxes;   /* of a broad phase */
    const body_frame *bodies; /* of a world */
    dSpaceID space;
    dGeomID *geoms;
    int contacts; /* at most so many per pair */
    world_count found;
} ode_space;

static void *room(size_t count, size_t size) {
    void *p = calloc(count > 0 ? count : 1, size);
    if (p == NULL) {
        abort();
    }
    return p;
}

static ode_space *create_space(size_t count) {
    ode_space *s = room(1, sizeof *s);
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    s->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XZY);
    s->geoms = room(count, sizeof(dGeomID));
    return s;
}

/* The space destroys its geoms. */
static void destroy(void *state) {
    ode_space *s = state;
    dSpaceDestroy(s->space);
    free(s->geoms);
    free(s);
    dCloseODE();
}

static void set_rests(dGeomID geom, bool rests) {
    dGeomSetCategoryBits(geom, rests ? resting_bit : moving_bit);
    dGeomSetCollideBits(geom, rests ? moving_bit : moving_bit | resting_bit);
}

/* --- the broad phase --- */

static void bounds_of(dGeomID geom, dReal bounds[6]) {
    const abut_aabb *box = *(const abut_aabb *const *)dGeomGetClassData(geom);
    bounds[0] = (dReal)box->min.x;
    bounds[1] = (dReal)box->max.x;
    bounds[2] = (dReal)box->min.y;
    bounds[3] = (dReal)box->max.y;
    bounds[4] = (dReal)box->min.z;
    bounds[5] = (dReal)box->max.z;
}

/* A class must have this function; these geoms are never collided. */
static dColliderFn *no_collider(int number) {
    (void)number;
    return NULL;
}

/* dCloseODE removes classes, so every space must create its own. */
static int given_box_class(void) {
    const dGeomClass given = {.bytes = (int)sizeof(const abut_aabb *), .collider = no_collider, .aabb = bounds_of};
    return dCreateGeomClass(&given);
}

static void place_box(dGeomID geom, const abut_aabb *box) {
    dGeomSetPosition(geom, ((dReal)box->min.x + (dReal)box->max.x) / 2, ((dReal)box->min.y + (dReal)box->max.y) / 2,
                     ((dReal)box->min.z + (dReal)box->max.z) / 2);
}

static void *create_broad(const box_frame *frame) {
    ode_space *s = create_space(frame->count);
    s->boxes = frame;
    int given_box = given_box_class();
    for (size_t i = 0; i < frame->count; ++i) {
        s->geoms[i] = dCreateGeom(given_box);
        *(const abut_aabb **)dGeomGetClassData(s->geoms[i]) = &frame->boxes[i];
        place_box(s->geoms[i], &frame->boxes[i]);
        set_rests(s->geoms[i], i >= frame->mover_count && !frame->rest_pairs);
        dSpaceAdd(s->space, s->geoms[i]);
    }
    return s;
}

static void count(void *state, dGeomID a, dGeomID b) {
    (void)a, (void)b;
    ++((ode_space *)state)->found.pairs;
}

static size_t run_broad(void *state) {
    ode_space *s = state;
    s->found = (world_count){0};
    for (size_t i = 0; i < s->boxes->mover_count; ++i) {
        place_box(s->geoms[i], &s->boxes->boxes[i]);
    }
    dSpaceCollide(s->space, s, count);
    return s->found.pairs;
}

const broad_peer broad_peer_ode = {"ODE sweep and prune", 10000, false, create_broad, run_broad, destroy};

/* --- worlds --- */

static void place_body(dGeomID geom, const abut_pose *pose) {
    const abut_quat *r = &pose->rotation;
    const dQuaternion q = {(dReal)r->w, (dReal)r->x, (dReal)r->y, (dReal)r->z};
    dGeomSetPosition(geom, (dReal)pose->position.x, (dReal)pose->position.y, (dReal)pose->position.z);
    dGeomSetQuaternion(geom, q);
}

static ode_space *create_world(const body_frame *frame, int contacts) {
    ode_space *s = create_space(frame->count);
    s->bodies = frame;
    s->contacts = contacts;
    for (size_t i = 0; i < frame->count; ++i) {
        s->geoms[i] = ode_geom_of(s->space, &frame->halves[i], frame->radii[i]);
        place_body(s->geoms[i], &frame->poses[i]);
        set_rests(s->geoms[i], i >= frame->mover_count);
    }
    return s;
}

static void *create_world_4(const body_frame *frame) {
    return create_world(frame, 4);
}

static void *create_world_8(const body_frame *frame) {
    return create_world(frame, contacts_max);
}

static void collide(void *state, dGeomID a, dGeomID b) {
    ode_space *s = state;
    dContactGeom contacts[contacts_max];
    int n = dCollide(a, b, s->contacts, contacts, sizeof contacts[0]);
    s->found.pairs += n > 0;
    s->found.points += (size_t)n;
    for (int i = 0; i < n; ++i) {
        s->found.depth += (double)contacts[i].depth;
    }
}

static world_count run_world(void *state) {
    ode_space *s = state;
    s->found = (world_count){0};
    for (size_t i = 0; i < s->bodies->mover_count; ++i) {
        place_body(s->geoms[i], &s->bodies->poses[i]);
    }
    dSpaceCollide(s->space, s, collide);
    return s->found;
}

const world_peer world_peer_ode_4 = {"ODE sweep and prune + dCollide, 4", create_world_4, run_world, destroy};
const world_peer world_peer_ode_8 = {"ODE sweep and prune + dCollide, 8", create_world_8, run_world, destroy};
