/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kinematic character: a capsule that walks, slides along walls, climbs steps, refuses steep slopes, stays on the
 * ground downhill, jumps, rides on what moves and gets out of what has moved into it. It only asks questions of a
 * world: docs/character.md explains each rule. Units are metres and seconds, y is up. */

#ifndef EXAMPLE_CHARACTER_H
#define EXAMPLE_CHARACTER_H

#include <abut/abut.h>

/* How often each rule applied. */
typedef struct character_counts {
    size_t casts, steps, slopes, snaps, jumps, landings, wedges, rides, pushes;
} character_counts;

typedef struct character {
    const abut_world *world;
    abut_body_id body;       /* its own body in the world, which its questions ignore; {0}: none */
    const abut_query *query; /* what is solid for it; NULL: everything. It is yours; `initial` stays zero */
    abut_shape capsule;      /* upright */
    float step_height;       /* climbs edges up to this height above its foot */
    float least_up;          /* ground has a normal whose y is at least this: the cosine of the steepest slope */
    float jump_speed;        /* upwards */
    float gravity;           /* downwards */
    abut_vec3 position;      /* of the capsule's middle; set it to teleport */
    float rising;            /* vertical speed while in the air; set it to throw the character up or down */
    bool on_ground;          /* it may walk, climb and jump */
    abut_body_id ground;     /* what it stands on; {0}: nothing in particular */
    abut_vec3 ground_at;     /* where that body was after the last move */
    character_counts counts; /* for you to read */
} character;

/* A character of common size and habits: 1.8 high, 0.6 wide, slopes up to 45.6 degrees, steps up to 0.35. */
character character_at(const abut_world *world, abut_vec3 position);

/* One frame: tries to walk at this horizontal velocity (its y is ignored), and jumps if it can and `jump` says so. */
void character_move(character *c, abut_vec3 velocity, bool jump, float seconds);

/* How deep the character may be in something before it counts as in the way: it is pushed out from there on. */
float character_skin(const character *c);

#endif
