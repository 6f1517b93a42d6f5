/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rays and casts in batches: some are on their way down the tree at the same time, and while the bodies that one has
 * found are being fetched, the others go on. */
#ifndef ABUT_WORLD_QUERY_FLIGHTS_H
#define ABUT_WORLD_QUERY_FLIGHTS_H

#include "base/compiler.h"
#include "world/query/tree.h"

enum { ABUT_W_FLIGHTS = 8 };

/* What the caller knows of each is kept in arrays by place, too. */
typedef struct abut_w_flights {
    uint32_t under_way, place[ABUT_W_FLIGHTS]; /* the places that are in use */
    abut_bp_flight flight[ABUT_W_FLIGHTS];
} abut_w_flights;

/* Moves meshes behind other bodies; returns how many those are. */
static ABUT_NOINLINE uint32_t abut_w_part_meshes(const abut_world *world, uint32_t *slot, uint32_t n) {
    uint32_t convex = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = slot[k];
        if (!abut_w_is_mesh(world, at)) {
            slot[k] = slot[convex];
            slot[convex++] = at;
        }
    }
    return convex;
}

/* How flights of one kind begin and end; constants, so that all is inlined. */
typedef struct abut_w_pilot {
    bool (*begin)(void *context, uint32_t place);  /* flies the next one, in this place; false: there is none */
    bool (*meet)(void *context, uint32_t place);   /* tests the bodies that it has found; true: no more matter */
    void (*answer)(void *context, uint32_t place); /* it has ended */
    /* May be NULL. Asked after `meet`, and then again in each turn until it says false: it tests the bodies still. */
    bool (*stay)(void *context, uint32_t place);
} abut_w_pilot;

/* Flies all, until there is no next one. */
static ABUT_INLINE void abut_w_fly_all(const abut_bp_tree *tree, abut_w_flights *f, abut_w_pilot pilot, void *context) {
    uint32_t stays = 0; /* bits of places */
    for (f->under_way = 0; f->under_way < ABUT_W_FLIGHTS && pilot.begin(context, f->under_way); f->under_way++) {
        f->place[f->under_way] = f->under_way;
    }
    while (f->under_way > 0) {
        for (uint32_t k = f->under_way; k-- > 0;) {
            uint32_t place = f->place[k];
            abut_bp_flight *flight = &f->flight[place];
            bool stayed = pilot.stay && stays >> place & 1;
            bool over = !stayed && (flight->found.n == 0 || pilot.meet(context, place));
            if (pilot.stay && !over && pilot.stay(context, place)) {
                stays |= 1u << place;
                continue;
            }
            stays &= ~(1u << place);
            if (over) {
                pilot.answer(context, place);
                if (!pilot.begin(context, place)) {
                    f->place[k] = f->place[--f->under_way];
                }
            } else {
                abut_bp_fly(tree, flight);
            }
        }
    }
}

#endif
