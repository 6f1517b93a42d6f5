/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A toy solver that lets bodies fall and come to rest on the world's contacts. It is not real physics: every body has
 * the same inertia about all axes, and nothing is tuned. */
#ifndef ABUT_WEB_HEAP_H
#define ABUT_WEB_HEAP_H

#include "stage.h"

typedef struct heap_body {
    abut_vec3 centre;                    /* of mass, in its own frame */
    float inverse_mass, inverse_inertia; /* 0: it never moves */
    abut_vec3 velocity, spin;
    abut_vec3 at;          /* the centre in the world */
    uint32_t still_frames; /* frames in which it has hardly moved */
} heap_body;

/* The solver's data of a contact point. */
typedef struct heap_point {
    uint32_t a, b, feature;
    abut_vec3 place;                  /* in the world */
    abut_vec3 arm_a, arm_b, along[3]; /* from the centres; the normal and two directions across it */
    float mass[3], impulse[3];        /* along each of them */
    float gap;
} heap_point;

typedef struct heap_points {
    heap_point *points;
    uint32_t *first; /* of each contact, and one past the end */
    size_t point_capacity, contact_capacity, contact_count;
} heap_points;

typedef struct heap {
    heap_body *bodies; /* indexed by the user data of the world's bodies; owned by the caller */
    heap_points now, before;
} heap;

/* Moves the bodies by a frame of 1/60 s, given the world's contacts of the last step: velocities, then s->bodies. */
abut_result heap_move(heap *h, stage *s);
/* A body of the stage was put somewhere, and moves on from there. */
void heap_take(heap *h, const stage *s, size_t body, abut_vec3 velocity);
/* What the next frame depends on, of so many bodies. */
void heap_keep(heap *h, past_walk *w, size_t bodies);
/* Frees the points, not the bodies. */
void heap_forget(heap *h);

#endif
