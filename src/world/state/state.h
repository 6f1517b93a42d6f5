/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The memory of a world and its size. Hash and validation (hash.c, validate.c) are public functions without internal
 * callers. */
#ifndef ABUT_WORLD_STATE_STATE_H
#define ABUT_WORLD_STATE_STATE_H

#include "world/world.h"

/* --- storage.c: on ABUT_ERROR_CAPACITY and ABUT_ERROR_MEMORY nothing has changed --- */

/* Room for `count` slots. */
abut_result abut_w_reserve_bodies(abut_world *world, uint64_t count);
/* Room for `more` entries in addition to those in use. There are never more entries than bodies. */
abut_result abut_w_reserve_attachments(abut_world *world, uint64_t more);
abut_result abut_w_reserve_filters(abut_world *world, uint64_t more);
/* Room for `count` candidates. */
abut_result abut_w_reserve_pairs(abut_world *world, uint64_t count);
/* Room for `count` keys of contacts, for where as many contacts are stored, and for that many contacts. */
abut_result abut_w_reserve_keys(abut_world *world, abut_w_contacts *list, uint64_t count);
abut_result abut_w_reserve_places(abut_world *world, abut_w_contacts *list, uint64_t count);
abut_result abut_w_reserve_contacts(abut_world *world, abut_w_contacts *list, uint64_t count);
/* Room for `count` parts. In a world of fixed capacity each list has room for pair_capacity of them, from the start. */
abut_result abut_w_reserve_parts(abut_world *world, abut_w_parts *list, uint64_t count);
/* Room for a part of every candidate within pair_capacity, in all lists; and for what workers leave of the pieces that
 * they take, so that few steps must resolve pairs again. Called before the first body with a mesh is created, so that
 * other worlds do not pay for parts. */
abut_result abut_w_reserve_all_parts(abut_world *world);
/* Room for a list of so many events in a block of its own. Such a list that was made there is lost. */
abut_result abut_w_reserve_events(abut_world *world, uint64_t count);
/* Room for what is made of a list of so many contacts on demand: of the ENDs alone, and of the list of events, in its
 * own block or in that of `spare`, the list whose memory nobody will need then. Callers may hold pointers to what
 * moves, so this is the last that may fail. */
abut_result abut_w_reserve_index(abut_world *world, abut_w_contacts *spare, uint64_t contacts, uint64_t ends);
/* False if there is no memory. */
bool abut_w_reserve_hint_list(abut_world *world, abut_w_hints *list, uint64_t count);
/* Room for a hint of every candidate within pair_capacity, in both lists. Called before the first body with a shape
 * that uses hints is created, so that other worlds do not pay for hints. */
abut_result abut_w_reserve_all_hints(abut_world *world);
/* What a step needs whose blocks of candidates pass one at a time. */
abut_result abut_w_reserve_single(abut_world *world);
/* What the world's workers need in a step; nothing if it has none. */
abut_result abut_w_reserve_waves(abut_world *world);
/* Room for a sweep of `count` bodies, and for their boxes if there is more than one compound. */
abut_result abut_w_reserve_sweep(abut_world *world, uint64_t count, bool several);

/* --- contact_order.c --- */

/* Makes the contacts of `current` as callers see them, if contacts_pending and nobody has done so since the last step.
 * Any number of threads may call it. */
void abut_w_make_contacts(const abut_world *world);
/* Notes what contacts of the last step say of a body whose id or user data will change. */
void abut_w_take_note(abut_world *world, uint32_t slot);
/* Comes when there is a new list. */
void abut_w_drop_notes(abut_world *world);
/* The block of contacts that the lists above do not use once they have been made. */
const abut_block *abut_w_spare_block(const abut_world *world);
/* Gives every list the block in which it was made on demand. Comes before all that writes to world->next. */
void abut_w_exchange_blocks(abut_world *world);
/* One of them, whether they have been made or not; but not while another thread may make them. */
void abut_w_contact_of(const abut_world *world, uint32_t index, abut_contact *contact);

/* --- memory.c --- */

/* The bytes of all blocks and of the struct. */
size_t abut_w_reserved(const abut_world *world);
/* Releases all blocks, but not the struct. */
void abut_w_release(abut_world *world);

#endif
