/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include <string.h>

/* The list of contacts that callers see, made when first asked for. A step that writes few manifolds (most of its
 * contacts are those of resting bodies, or have none) only writes keys: which pairs touch, and where each contact is
 * stored. Most callers of such worlds read pairs, or hear of what begins and ends. */

/* Bodies and the first notes change places. */
static void exchange_notes(abut_world *world, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        abut_w_note *note = &world->note[i], old = *note;
        note->generation = world->ids.generation[old.slot];
        note->user = world->body_user[old.slot];
        world->ids.generation[old.slot] = old.generation;
        world->body_user[old.slot] = old.user;
    }
}

void abut_w_drop_notes(abut_world *world) {
    for (uint32_t i = 0; i < world->note_count; i++) {
        world->noted_plus_one[world->note[i].slot] = 0;
    }
    world->note_count = 0;
}

/* If there is no room, makes the contacts. Nobody else uses the world now: so bodies can be what they were meanwhile,
 * which is faster than to look for notes. Of a body that was created since the step no contact says anything. */
void abut_w_take_note(abut_world *world, uint32_t slot) {
    if (world->current.ordered || world->flags[slot] & ABUT_W_CREATED || world->noted_plus_one[slot]) {
        return;
    }
    if (world->note_count < world->ids.used / ABUT_W_BODIES_EACH_NOTE) {
        world->note[world->note_count] = (abut_w_note){world->body_user[slot], world->ids.generation[slot], slot};
        world->noted_plus_one[slot] = ++world->note_count;
        return;
    }
    uint32_t count = world->note_count;
    exchange_notes(world, count);
    abut_w_drop_notes(world);
    abut_w_make_contacts(world);
    exchange_notes(world, count);
}

/* What a contact without a manifold says, if there is no note of its bodies. */
static void write_plain(const abut_world *world, abut_w_pair pair, abut_contact *contact) {
    uint32_t low = abut_w_pair_low(pair), high = abut_w_pair_high(pair);
    *contact = (abut_contact){.a = abut_w_id(world, low),
                              .b = abut_w_id(world, high),
                              .user_a = world->body_user[low],
                              .user_b = world->body_user[high]};
}

/* Writes what contacts of the last step say of the body that was in a slot. */
static void recall_body(const abut_world *world, uint32_t slot, abut_body_id *id, uint64_t *user) {
    uint32_t note_plus_one = world->noted_plus_one[slot];
    *user = world->body_user[slot];
    if (note_plus_one) {
        id->generation = world->note[note_plus_one - 1].generation;
        *user = world->note[note_plus_one - 1].user;
    }
}

/* Apart, since it is seldom needed: inlined, it would make all other contacts dearer. */
static ABUT_NOINLINE void recall(const abut_world *world, abut_w_pair pair, abut_contact *contact) {
    recall_body(world, abut_w_pair_low(pair), &contact->a, &contact->user_a);
    recall_body(world, abut_w_pair_high(pair), &contact->b, &contact->user_b);
}

/* One of a list that is not in order. */
static void write_contact(const abut_world *world, uint32_t index, abut_contact *contact) {
    const abut_w_contacts *list = &world->current;
    bool stored = list->at[index] != ABUT_W_NOT_STORED;
    if (stored) {
        *contact = list->contact[list->at[index]];
    } else {
        write_plain(world, list->pair[index], contact);
    }
    contact->previous1 = list->previous1[index];
    contact->phase = contact->previous1 ? ABUT_PERSIST : ABUT_BEGIN;
    if (stored ? list->old_users : world->note_count > 0) {
        recall(world, list->pair[index], contact);
    }
}

void abut_w_contact_of(const abut_world *world, uint32_t index, abut_contact *contact) {
    if (world->current.ordered) {
        *contact = world->current.contact[index];
    } else {
        write_contact(world, index, contact);
    }
}

/* Writes the contacts in order: where nothing is stored that they need, or into the memory of the next step's list. */
static void order_contacts(abut_world *world) {
    enum { AHEAD = 8 };
    abut_w_contacts *list = &world->current, *spare = &world->next;
    abut_contact *to = list->stored > 0 ? spare->contact : list->contact;
    for (uint32_t i = 0; i < list->count; i++) {
        if (i + AHEAD < list->count) {
            uint32_t ahead = list->at[i + AHEAD];
            if (ahead != ABUT_W_NOT_STORED) {
                ABUT_PREFETCH(&list->contact[ahead]);
                ABUT_PREFETCH((const char *)&list->contact[ahead] + 64);
            } else {
                ABUT_PREFETCH(&world->ids.generation[abut_w_pair_high(list->pair[i + AHEAD])]);
                ABUT_PREFETCH(&world->body_user[abut_w_pair_high(list->pair[i + AHEAD])]);
            }
            ABUT_PREFETCH_TO_WRITE(&to[i + AHEAD]);
            ABUT_PREFETCH_TO_WRITE((char *)&to[i + AHEAD] + 64);
        }
        write_contact(world, i, &to[i]);
    }
    list->contact = to;
    list->ordered = true;
    list->old_users = false;
}

const abut_block *abut_w_spare_block(const abut_world *world) {
    bool exchanged = world->current.contact == world->next.contact;
    return exchanged ? &world->current.block : &world->next.block;
}

static void exchange(abut_block *a, abut_block *b) {
    abut_block old = *a;
    *a = *b;
    *b = old;
}

/* Functions on const worlds have only written pointers: others may be reading the blocks, which tell how much memory
 * the world has. */
void abut_w_exchange_blocks(abut_world *world) {
    abut_w_contacts *list = &world->current, *spare = &world->next;
    abut_w_events *events = &world->events;
    spare->count = spare->stored = 0;
    if (list->ordered) {
        list->direct = true;
        list->stored = list->count;
    }
    if (abut_w_spare_block(world) == &list->block) {
        exchange(&list->block, &spare->block);
        spare->contact = spare->block.memory;
    }
    if (events->event && events->event == spare->contact) {
        exchange(&events->block, &spare->block);
        spare->contact = spare->block.memory;
        events->room = events->block.memory;
    }
}

/* All contacts persist at the same indices. */
static void write_phases(const abut_world *world) {
    const abut_w_contacts *list = &world->current;
    for (uint32_t i = 0; i < list->count; i++) {
        list->contact[i].phase = ABUT_PERSIST;
        list->contact[i].previous1 = i + 1;
    }
    for (uint32_t i = 0; i < list->parts.count; i++) {
        list->parts.part[i].previous1 = i + 1;
    }
}

void abut_w_make_contacts(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* const to the caller, but lists are made on demand */
    if (!world->contacts_pending || !abut_once_begin(&own->contacts_made)) {
        return;
    }
    if (!world->current.ordered) {
        order_contacts(own);
    }
    if (world->phases_pending) {
        write_phases(world);
    }
    abut_once_end(&own->contacts_made);
}
