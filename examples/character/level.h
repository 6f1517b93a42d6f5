/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rooms full of what characters have trouble with. No room has a door, and all walls, floors and ceilings are 2 cm
 * thin: who is in another room has gone through a wall. */

#ifndef EXAMPLE_LEVEL_H
#define EXAMPLE_LEVEL_H

#include <abut/abut.h>

enum { level_rooms = 5, level_movers = 3 };

typedef struct level {
    abut_world *world;
    float tangent; /* of half the angle by which all is turned about y */
    abut_hull *rock;
    abut_body_id movers[level_movers]; /* a lift, a raft that slides over the floor, a block that pushes */
} level;

/* `tangent` is that of half the angle by which the level is turned about the vertical: level axes are then not the
 * world's, and what should be flush is so up to rounding. */
abut_result level_create(level *l, float tangent);
void level_destroy(level *l);

/* Puts the movers to where they are in this frame. */
abut_result level_move(level *l, unsigned frame);

/* The inside of a room, in the level's own axes. */
abut_aabb level_room(size_t room);

/* A vector of the level in the world, and back. */
abut_vec3 level_to_world(const level *l, abut_vec3 v);
abut_vec3 level_from_world(const level *l, abut_vec3 v);

#endif
