/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The world's state, and what its files share. This is the only room that knows broad phase and narrow phase.
 *
 * A body's slot is the index of its id: what is sorted by slot is sorted as the contract wants it, and no table stands
 * between a handle and its data. Slots of dead bodies are skipped. */
#ifndef ABUT_WORLD_WORLD_H
#define ABUT_WORLD_WORLD_H

#include "base/block.h"
#include "base/idpool.h"
#include "base/once.h"
#include "broadphase/broadphase.h"
#include "narrowphase/narrowphase.h"
#include <abut/world.h>
#include <string.h>

/* Who is calling us back, and so which calls are refused. */
typedef enum abut_w_state { ABUT_W_IDLE, ABUT_W_FILTERING, ABUT_W_DISPATCHING } abut_w_state;

enum {
    ABUT_W_MOVED = 1,  /* made or moved since the last successful step */
    ABUT_W_STALE = 2,  /* its reach must be computed anew */
    ABUT_W_STAGED = 4, /* within set_poses: it has its new pose, and the old one is saved; or it is plain, and seen */
    ABUT_W_TOP = 8,    /* within set_poses: staged, and nothing above it is; or it is plain, and would pass the limit */
    ABUT_W_BOXED = 16, /* its box is shifted or turned in the body's frame */
    ABUT_W_FILTERED = 32, /* it is attached, or has or had a filter that is not the default: who may touch it depends */
    ABUT_W_CHANGED = 64,  /* since the last successful step it was made, or a bit changed of where it is or whom it may
                         touch how; two bodies without this touch as they did then */
    ABUT_W_CREATED = 128  /* made since then: what the last contacts say of this slot is said of another body */
};

typedef struct abut_w_traits {
    uint8_t motion, detail;
    uint8_t collides_with_nothing; /* its filter lets it touch nobody */
} abut_w_traits;

/* A body's place in its compound: 1 + slot, 0 for none; root is a slot. */
typedef struct abut_w_hierarchy {
    uint32_t parent_plus_one, first_child_plus_one, next_sibling_plus_one, previous_sibling_plus_one, root;
} abut_w_hierarchy;

/* What a body has that does not stand alone in the world with its shape in the middle: one that is attached, has
 * something attached to it, or whose box is shifted or turned. The others are plain: their row says it all. */
typedef struct abut_w_attachment {
    abut_pose pose;  /* as set: relative to the parent */
    abut_pose box;   /* of the shape in the body's frame; the identity with a hull */
    abut_pose saved; /* within set_poses: the old pose */
    abut_w_hierarchy hierarchy;
    bool shifted; /* within set_poses: a bit of its row has changed */
} abut_w_attachment;

/* A table of what few bodies have (side.c). Entries are given back and reused; the columns beside owner are its own
 * user's. */
typedef struct abut_w_side_table {
    abut_block block;
    uint32_t *owner; /* by entry, < used: the slot whose it is; of a free one 1 + the next free entry, 0 for none */
    uint32_t used, live, first_free_plus_one;
} abut_w_side_table;

/* A sorted list of contacts. Lists live in blocks of their own: the caller holds pointers to them while bodies are made
 * and the body block moves. */
typedef struct abut_w_contacts {
    abut_block block;
    abut_contact *contact; /* sorted by (a, b) */
    uint64_t *key;         /* abut_w_key of each: what a walk along the list reads */
    uint32_t *by_b;        /* indices into contact, sorted by (b, a); made when first asked for */
    uint32_t *ended;       /* within a step: indices of those of `current` that do not go on */
    uint32_t count;
} abut_w_contacts;

/* What the last step told, where it is not just its contacts. */
typedef struct abut_w_events {
    abut_block block;
    abut_contact *event; /* contacts and ENDs, sorted; made when first asked for. Behind them the ENDs alone */
    uint32_t end_count;
} abut_w_events;

/* What the search of a pair with a hull in it found the last time: it makes the next one shorter and changes nothing.
 */
typedef struct abut_w_hint {
    uint32_t low, high; /* slots */
    abut_np_hint hint;
} abut_w_hint;

/* Sorted by (low, high): candidates with a hull in them that were resolved; all, or those there was memory for. */
typedef struct abut_w_hints {
    abut_block block;
    abut_w_hint *entry;
    uint32_t count;
} abut_w_hints;

struct abut_world {
    abut_allocator allocator;
    float margin;
    abut_vec3 up;
    bool (*should_collide)(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user);
    void *user;
    bool fixed;                      /* never allocate */
    uint32_t body_limit, pair_limit; /* most there may ever be */
    abut_w_state state;
    bool changed;        /* since the last successful step, in a way that the contact list may depend on */
    bool had_destroy;    /* since then a body was destroyed */
    bool new_users;      /* since then user data was set */
    bool resting;        /* the last step told nothing but PERSISTs of contacts that kept their indices */
    bool phases_pending; /* and the contacts do not say so before they are asked for */
    double obb_excess;   /* no hull's rest box sticks out farther from it; 0 while there are no bodies */
    double extent;       /* no body's shape reaches further from its own middle; 0 while there are none */

    /* By slot, < ids.used; valid for living bodies. Columns of body_block. */
    abut_block body_block;
    abut_idpool ids;
    abut_collider *collider; /* the shape in the world */
    uint64_t *body_user;
    uint32_t *attachment_plus_one; /* 1 + entry of attachments; 0: a plain body */
    uint32_t *filter_plus_one;     /* 1 + entry of filters; 0: the default */
    uint8_t *flags;                /* ABUT_W_MOVED ...; 0 also where no body lives */
    abut_w_traits *traits;

    /* By entry, < used; valid for those in use. */
    abut_w_side_table attachments, filters;
    abut_w_attachment *attachment;
    abut_filter *filter; /* defaults filled in */

    /* Keys are slots. Boxes are bounds, widened by the margin where contacts at a distance are wanted. */
    abut_bp bp;
    abut_once query_prepared; /* of bp: see abut_w_query_prepare */
    abut_once index_made;     /* of bp: see index.c */
    abut_lock scratch;        /* bp.spare is his who has it, among const functions */
    abut_atomic_u32 scan_cost;

    abut_w_hints hints, next_hints; /* of the last successful step, of this one */
    bool has_hulls;                 /* or had one */
    bool has_details;               /* or had a body of another detail than ABUT_DETAIL_MANIFOLD */

    abut_w_contacts current, next; /* next: built by a step, then swapped in */
    abut_w_events events;
    abut_once by_b_made, events_made; /* of current, of events */
    abut_once phases_made;            /* of current, if phases_pending */
    size_t candidates;                /* of the last successful step */
};

static inline abut_body_id abut_w_id(const abut_world *world, uint32_t slot) {
    return (abut_body_id){slot + 1, world->ids.generation[slot]};
}

/* A pair as one number; pairs and numbers have one order. */
static inline uint64_t abut_w_key(uint32_t low, uint32_t high) {
    return (uint64_t)low << 32 | high;
}

/* Of bodies with one of these flags the broad phase does not know where they are now. */
enum { ABUT_W_DIRTY = ABUT_W_STALE | ABUT_W_CHANGED };

/* The first of slot .. end - 1 that is astray, or `end`. Most bodies of most worlds are not: eight are passed over at
 * once. */
static inline uint32_t abut_w_next_dirty(const abut_world *world, uint32_t slot, uint32_t end) {
    static const uint64_t astray = UINT64_C(0x0101010101010101) * ABUT_W_DIRTY;
    const uint8_t *flags = world->flags;
    uint64_t eight = 0;
    while (end - slot >= 8 && (memcpy(&eight, flags + slot, sizeof eight), (eight & astray) == 0)) {
        slot += 8;
    }
    while (slot < end && !(flags[slot] & ABUT_W_DIRTY)) {
        slot++;
    }
    return slot;
}

#endif
