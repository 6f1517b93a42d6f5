/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes for tests of the world, and what a world says of their contacts. */
#ifndef ABUT_TESTS_WORLD_GROUNDS_H
#define ABUT_TESTS_WORLD_GROUNDS_H

#include "world/world_test.h"

/* A square of cells x cells squares with this side, two triangles each, its middle at the origin; its front is up.
 * Heights lie between 0 and `rough`. */
abut_mesh *make_ground(uint32_t cells, float side, float rough, uint64_t stream);

/* A static body with a mesh; its origin is there. */
abut_body_id add_ground(abut_world *world, const abut_mesh *mesh, float x, float y, float z);

/* The parts of the last step. */
const abut_contact_part *parts_of(const abut_world *world, size_t *count);

/* The contacts and parts of a step, copied. */
typedef struct step_lists {
    abut_contact *contact;
    abut_contact_part *part;
    size_t contacts, parts;
} step_lists;
step_lists lists_take(const abut_world *world);
void lists_free(step_lists *lists);

/* Whether both are the same in every bit. */
bool lists_equal(const step_lists *a, const step_lists *b);

/* Whether the contacts and parts follow from those of the step before, given what the public headers say of part_first,
 * part_count, phase and previous1. `others`: a body whose mesh became another one meanwhile, or {0}. */
bool lists_follow(const step_lists *before, const step_lists *now, abut_body_id other);

/* Whether the parts of a contact are what abut_world_collide says of the convex body's shape where it is now. */
bool parts_are_collided(const abut_world *world, const abut_contact *contact, float margin);

#endif
