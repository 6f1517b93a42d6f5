/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The memory of a world. */
#ifndef ABUT_WORLD_STATE_STATE_H
#define ABUT_WORLD_STATE_STATE_H

#include "world/world.h"

/* store.c: room in the world's blocks. ABUT_ERROR_CAPACITY or ABUT_ERROR_MEMORY leave everything as it was. */
abut_result abut_w_reserve_bodies(abut_world *world, uint64_t count);
/* For so many more entries than are in use. There are never more than bodies. */
abut_result abut_w_reserve_attachments(abut_world *world, uint64_t more);
abut_result abut_w_reserve_filters(abut_world *world, uint64_t more);
abut_result abut_w_reserve_pairs(abut_world *world, uint64_t count);
abut_result abut_w_reserve_contacts(abut_world *world, abut_w_contacts *list, uint64_t count);
/* Contacts, and twice the ENDs. */
abut_result abut_w_reserve_events(abut_world *world, uint64_t count);
bool abut_w_reserve_hint_list(abut_world *world, abut_w_hints *list, uint64_t count);
/* Both lists of hints for as many candidates as the world was created for: before its first body with a shape that uses
 * hints, so that worlds without one do not pay for them. */
abut_result abut_w_reserve_all_hints(abut_world *world);
void abut_w_release(abut_world *world);

/* memory.c: bytes of all blocks and of the struct. */
size_t abut_w_reserved(const abut_world *world);

#endif
