/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All that a world holds, as numbers: its bodies, its lists and how they are stored, what it remembers of the last
 * step, who rests in its broad phase, for how much it has room. What callers see of a world does not show whether it
 * took the long way. */
#ifndef ABUT_TESTS_WORLD_INSIDE_H
#define ABUT_TESTS_WORLD_INSIDE_H

#include "support/digest.h"
#include <abut/world.h>

/* Changes nothing, also no list that is made on demand. */
void digest_inside(uint64_t *digest, const abut_world *world);

/* A contact, all of it. */
void digest_contact(uint64_t *digest, const abut_contact *contact);

#endif
