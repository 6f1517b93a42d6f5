/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/state/state.h"
#include <string.h>

/* The list of contacts that callers see, made when first asked for. A step that writes few manifolds (most of its
 * contacts are those of resting bodies, or have none) only writes keys: which pairs touch, and where each contact is
 * stored. Most callers of such worlds read pairs, or hear of what begins and ends. */

/* What a contact without a manifold says. Until its list is made, bodies keep their ids and user data: what changes
 * those makes the list before. */
static void write_plain(const abut_world *world, abut_w_pair pair, abut_contact *contact) {
    uint32_t low = abut_w_pair_low(pair), high = abut_w_pair_high(pair);
    *contact = (abut_contact){.a = abut_w_id(world, low),
                              .b = abut_w_id(world, high),
                              .user_a = world->body_user[low],
                              .user_b = world->body_user[high]};
}

void abut_w_contact_of(const abut_world *world, uint32_t index, abut_contact *contact) {
    const abut_w_contacts *list = &world->current;
    if (list->ordered) {
        *contact = list->contact[index];
        return;
    }
    if (list->at[index] == ABUT_W_NOT_STORED) {
        write_plain(world, list->pair[index], contact);
    } else {
        *contact = list->contact[list->at[index]];
    }
    contact->previous1 = list->previous1[index];
    contact->phase = contact->previous1 ? ABUT_PERSIST : ABUT_BEGIN;
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
        abut_w_contact_of(world, i, &to[i]);
    }
    list->contact = to;
    list->ordered = true;
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
