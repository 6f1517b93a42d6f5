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
    abut_block copy_block, block_block, superblock_block, index_block, pair_block;
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

/* A pair as one number; pairs and numbers have one order. */
static inline uint64_t abut_w_key(uint32_t low, uint32_t high) {
    return (uint64_t)low << 32 | high;
}

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
void abut_w_release(abut_world *world);

/* side.c: takes an entry, for which there is room; *entry_plus_one is 0 before, or 0 after. */
uint32_t abut_w_side_table_take(abut_w_side_table *side, uint32_t *entry_plus_one, uint32_t slot);
void abut_w_side_table_release(abut_w_side_table *side, uint32_t *entry_plus_one);
/* The free list holds each free entry once, and the counts agree. */
bool abut_w_side_table_valid(const abut_w_side_table *side);
/* Whether the entry is one, and this slot's; 0 is. */
bool abut_w_side_table_owns(const abut_w_side_table *side, uint32_t entry_plus_one, uint32_t slot);

/* compound.c: where bodies stand, and who belongs to whom. */
typedef struct abut_w_frame {
    abut_pose pose;
    const abut_pose *box;  /* NULL: in the middle of the body's frame */
    abut_vec3 half;        /* all zero with a hull */
    const abut_hull *hull; /* NULL: a box */
    uint32_t parent_plus_one;
} abut_w_frame;

/* How far the shape reaches from its own middle. */
double abut_w_extent(const abut_w_frame *frame);
/* The row of a body so placed, composed in double and rounded once; ABUT_ERROR_LIMIT when it passes the limit. */
abut_result abut_w_place(const abut_world *world, const abut_w_frame *frame, abut_collider *collider);
/* The frame of a living body. */
abut_w_frame abut_w_frame_of(const abut_world *world, uint32_t slot);
/* As set: relative to the parent. */
abut_pose abut_w_pose_of(const abut_world *world, uint32_t slot);
abut_pose abut_w_world_pose(const abut_world *world, uint32_t slot);
const abut_pose *abut_w_box_of(const abut_world *world, uint32_t slot);
/* Of a plain body: all zero, but root. */
abut_w_hierarchy abut_w_hierarchy_of(const abut_world *world, uint32_t slot);
static inline uint32_t abut_w_parent_plus_one(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy.parent_plus_one : 0;
}
static inline uint32_t abut_w_root_of(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy.root : slot;
}
/* Gives a new body in a slot, and its parent, the attachments that this frame calls for; there is room for them. */
void abut_w_attach(abut_world *world, uint32_t slot, const abut_w_frame *frame);
/* Takes a body without children out of its compound, and attachments from it and its parent where they are plain then.
 */
void abut_w_detach(abut_world *world, uint32_t slot);
/* The slot after `slot` in the compound below `top`, parents before children; `top` itself after the last. */
uint32_t abut_w_next_below(const abut_world *world, uint32_t top, uint32_t slot);

/* handle.c: the one place where an id becomes a slot. */
abut_result abut_w_slot(const abut_world *world, abut_body_id body, uint32_t *slot);
/* The same for calls that change the world, which should_collide may not make. */
abut_result abut_w_slot_to_change(const abut_world *world, abut_body_id body, uint32_t *slot);

/* ABUT_OK when all n ids name living bodies. */
abut_result abut_w_all_living(const abut_world *world, const abut_body_id *ids, size_t n);
static inline abut_body_id abut_w_id(const abut_world *world, uint32_t slot) {
    return (abut_body_id){slot + 1, world->ids.generation[slot]};
}
/* property.c */
bool abut_w_filter_valid(const abut_filter *filter);
abut_filter abut_w_filter_filled(const abut_filter *filter);
/* A pair of bodies with default filters may touch. */
bool abut_w_filter_is_default(const abut_filter *filled);
/* Of a living body, defaults filled in. */
const abut_filter *abut_w_filter_of(const abut_world *world, uint32_t slot);
/* Whether two filters, filled in, let each other pass: of two bodies, or of a body and a query. */
bool abut_w_filters_pass(const abut_filter *a, const abut_filter *b);
/* Stores a filter, filled in; there is room for it. */
void abut_w_put_filter(abut_world *world, uint32_t slot, const abut_filter *filled);
/* Of a query: a zero category is every bit that a body may have. */
abut_filter abut_w_query_filled(const abut_filter *filter);

/* pairs.c: which pairs touch. */
bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b);
/* Whether they do, and at manifold detail where; otherwise the manifold is all zero. */
bool abut_w_touch(const abut_world *world, uint32_t a, uint32_t b, abut_manifold *manifold);
/* Boxes of bodies that moved; those with a changed bit become active. Returns which flags there are. */
uint8_t abut_w_refresh_bounds(abut_world *world);
/* Boxes of n bodies as they are now, wherever the broad phase saw them last. */
void abut_w_bounds_of(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box);
abut_result abut_w_find_candidates(abut_world *world);
/* Fills world->next with the candidates that touch, and with what goes on as it was. */
abut_result abut_w_resolve(abut_world *world, abut_step_report *report);

/* places.c: boxes by place, for const functions that look for bodies in some part of space. Made when first asked for:
 * see abut_bp_query_prepare. Of bodies with a flag of ABUT_W_DIRTY the broad phase does not know where they are; they
 * count only apart from their places. */
enum { ABUT_W_DIRTY = ABUT_W_STALE | ABUT_W_CHANGED };
void abut_w_query_prepare(const abut_world *world);
/* What was made is out of date. */
void abut_w_query_reset(abut_world *world);
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

/* index.c: boxes along a curve, for culling. It outlives steps in which few bodies move; bodies without an entry that
 * counts, and those that are astray, are looked at one by one. Whether it is there; it is made if that has become worth
 * it. */
bool abut_w_index(const abut_world *world);
/* So many bodies were looked at one by one. */
void abut_w_count_scan(const abut_world *world, uint32_t bodies);
/* The body has changed, or is gone. */
void abut_w_index_remove(abut_world *world, uint32_t slot);
/* At the end of a successful step, in which so many bodies had changed. */
void abut_w_index_review(abut_world *world, size_t changed);
void abut_w_index_reset(abut_world *world);

/* rest_box.c: the rest box of a hull in the world, composed in double. It contains the exact one, and is that where
 * floats can say so. */
abut_obb abut_w_hull_obb(const abut_collider *collider);
/* How far the rest box may stick out of the hull, wherever that is; but for the rounding of coordinates, which is below
 * ABUT_W_STRETCH times them: that is 2^-24 of them a few times over. */
double abut_w_obb_excess(const abut_hull *hull);
#define ABUT_W_STRETCH 0x1p-18

/* hints.c: hints are a luxury. Without room for them, and in worlds of fixed capacity, there are none. */
void abut_w_begin_hints(abut_world *world);
/* Makes room for `count` more. False when there is none. */
bool abut_w_reserve_hints(abut_world *world, uint32_t count);
/* The hint of a candidate, taken over from the last step; candidates come in ascending order. *from is where the last
 * step's list is. There is room. */
abut_np_hint *abut_w_take_hint(abut_world *world, uint32_t low, uint32_t high, uint32_t *from);
void abut_w_keep_hints(abut_world *world);

/* merge.c: begin, persist and end, from this list and the last. Contacts are appended to `next` in ascending order. */
typedef struct abut_w_merge {
    uint32_t old;   /* so far have the last contacts been walked along */
    uint32_t ended; /* of which so many have ended */
    uint32_t persisting;
} abut_w_merge;

/* Two bodies that touch. */
typedef struct abut_w_hit {
    uint32_t low, high;
    const abut_manifold *manifold;
} abut_w_hit;

/* Appends those that should_collide lets pass, and before each what goes on between bodies at rest. */
abut_result abut_w_append(abut_world *world, abut_w_merge *merge, const abut_w_hit *hit, uint32_t n);
/* After the last ones. Swaps the lists; nothing can fail afterwards. */
abut_result abut_w_close(abut_world *world, abut_w_merge *merge, abut_step_report *report);
/* Instead, when all is as it was in the last step. */
void abut_w_persist(abut_world *world);
/* What that owes, when the contacts are asked for. */
void abut_w_make_phases(const abut_world *world);

/* events.c: telling of them. */
void abut_w_dispatch(abut_world *world, const abut_listener *listener, const abut_step_report *report);

/* contacts.c: makes current.by_b. */
void abut_w_index_by_b(const abut_world *world);

/* memory.c: bytes of all blocks and of the struct. */
size_t abut_w_reserved(const abut_world *world);

#endif
