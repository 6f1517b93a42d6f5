/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* ODE: geoms that are placed once, and dCollide on pairs of them. */

#include "peers.h"
#include <ode/ode.h>
#include <stdlib.h>

enum { contacts_max = 8 };

typedef struct ode_state {
    dGeomID *geoms;
    size_t geom_count, pair_count;
    body_pair *pairs;
} ode_state;

static void update(void *state, const pair_set *set) {
    ode_state *s = state;
    for (size_t i = 0; i < set->body_count; ++i) {
        const abut_pose *p = &set->poses[i];
        const dQuaternion q = {(dReal)p->rotation.w, (dReal)p->rotation.x, (dReal)p->rotation.y, (dReal)p->rotation.z};
        dGeomSetPosition(s->geoms[i], (dReal)p->position.x, (dReal)p->position.y, (dReal)p->position.z);
        dGeomSetQuaternion(s->geoms[i], q);
    }
    body_pair *pairs = realloc(s->pairs, (set->pair_count + 1) * sizeof *pairs);
    if (pairs == NULL) {
        abort();
    }
    for (size_t i = 0; i < set->pair_count; ++i) {
        pairs[i] = set->pairs[i];
    }
    s->pairs = pairs;
    s->pair_count = set->pair_count;
}

static void *create(const pair_set *set) {
    ode_state *s = calloc(1, sizeof *s);
    if (s == NULL || (s->geoms = calloc(set->body_count, sizeof(dGeomID))) == NULL) {
        abort();
    }
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    s->geom_count = set->body_count;
    for (size_t i = 0; i < set->body_count; ++i) {
        const abut_vec3 *half = &set->halves[i];
        s->geoms[i] = dCreateBox(NULL, 2 * (dReal)half->x, 2 * (dReal)half->y, 2 * (dReal)half->z);
    }
    update(s, set);
    return s;
}

static void destroy(void *state) {
    ode_state *s = state;
    for (size_t i = 0; i < s->geom_count; ++i) {
        dGeomDestroy(s->geoms[i]);
    }
    free(s->geoms);
    free(s->pairs);
    free(s);
    dCloseODE();
}

static void collide(const ode_state *s, uint8_t *answers, int most) {
    dContactGeom contacts[contacts_max];
    for (size_t i = 0; i < s->pair_count; ++i) {
        dGeomID a = s->geoms[s->pairs[i].a], b = s->geoms[s->pairs[i].b];
        answers[i] = dCollide(a, b, most, contacts, sizeof contacts[0]) > 0;
    }
}

static void run_4(void *state, uint8_t *answers) {
    collide(state, answers, 4);
}

static void run_8(void *state, uint8_t *answers) {
    collide(state, answers, contacts_max);
}

static const peer peers[] = {
    {"ODE dCollide, 4 points", PEER_BOX_MANIFOLD, create, update, run_4, destroy},
    {"ODE dCollide, 8 points", PEER_BOX_MANIFOLD, create, update, run_8, destroy},
};

const peer_library peer_ode = {peers, sizeof peers / sizeof peers[0], NULL, 0};
