/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The data of a world, and what all sub-rooms share. No other room uses both the broad phase and the narrow phase.
 *
 * A body's slot is the index in its id. So an array that is sorted by slot has the order that the public headers
 * promise, and no table stands between a handle and its data. Slots of destroyed bodies are skipped and reused.
 *
 * An index named ..._plus_one is 0 where there is none. */
#ifndef ABUT_WORLD_WORLD_H
#define ABUT_WORLD_WORLD_H

#include "base/block.h"
#include "base/idpool.h"
#include "base/once.h"
#include "base/workers/workers.h"
#include "broadphase/broadphase.h"
#include "narrowphase/narrowphase.h"
#include <abut/world.h>

/* Whether a callback may be running, inside which some calls are refused. */
typedef enum abut_w_state {
    ABUT_W_IDLE,
    ABUT_W_FROZEN,     /* should_collide, a sweep's `accept` or a shape finder: nothing may change the world */
    ABUT_W_DISPATCHING /* a listener: bodies may be changed */
} abut_w_state;

/* Flags of a body. "Changed" always means: since the last successful step. */
enum {
    ABUT_W_MOVED = 1,  /* created, or a pose or shape was set, even an equal one; for the step's report */
    ABUT_W_STALE = 2,  /* its bounds must be recomputed */
    ABUT_W_STAGED = 4, /* during set_poses: has its new pose, and the old one is saved. A plain body: its last pose was
                          checked */
    ABUT_W_TOP = 8,    /* during set_poses: staged, and no ancestor is. A plain body: its last pose exceeds the limit */
    ABUT_W_BOXED = 16, /* its box is shifted or turned in the body's frame */
    ABUT_W_FILTERED = 32, /* attached, or has or had a filter other than the default: abut_w_may_touch must decide */
    ABUT_W_CHANGED = 64,  /* created, or a bit changed of its pose, shape, filter, motion or detail. A pair of bodies
                             without this flag touches if and only if it did in the last step */
    ABUT_W_CREATED = 128  /* created: contacts of the last step with this slot belong to an earlier body */
};

/* The broad phase does not know the current bounds of bodies with one of these flags: they are dirty. */
enum { ABUT_W_DIRTY = ABUT_W_STALE | ABUT_W_CHANGED };

enum {
    ABUT_W_COLLIDES_WITH_NOTHING = 1, /* its filter admits no body */
    ABUT_W_UNCOMMON = 2,              /* not a box without radius, or its detail is not ABUT_DETAIL_MANIFOLD */
    ABUT_W_SEPARATE = 4,              /* uncommon: uses hints, is a mesh, or its detail is not ABUT_DETAIL_MANIFOLD. Its
                                         pairs are listed one at a time */
    ABUT_W_MESH = 8,                  /* its shape is a mesh */
    ABUT_W_OTHER_MESH = 16,           /* and was given another mesh, or made, since the last step: parts of
                                         its contacts have no previous ones */
    ABUT_W_COARSE = 32,               /* its detail is not ABUT_DETAIL_MANIFOLD: none of its contacts has a manifold */
    ABUT_W_BOUNDS = 64                /* its detail is ABUT_DETAIL_BOUNDS */
};

/* Marks that say again what shape and detail are. */
enum { ABUT_W_BY_SHAPE_AND_DETAIL = ABUT_W_UNCOMMON | ABUT_W_SEPARATE | ABUT_W_MESH | ABUT_W_COARSE | ABUT_W_BOUNDS };

typedef struct abut_w_traits {
    uint8_t motion, detail; /* abut_motion, abut_detail */
    uint8_t marks;          /* ABUT_W_COLLIDES_WITH_NOTHING ... */
} abut_w_traits;

/* A body's neighbours in its compound, by slot. */
typedef struct abut_w_hierarchy {
    uint32_t parent_plus_one, first_child_plus_one, next_sibling_plus_one, previous_sibling_plus_one;
    uint32_t root; /* slot of the topmost ancestor; its own slot for a body without a parent */
} abut_w_hierarchy;

/* Extra data of a body that is attached, has other bodies attached to it, or whose box is shifted or turned. Bodies
 * without it are plain: their collider holds their whole pose. */
typedef struct abut_w_attachment {
    abut_pose pose;  /* as set: relative to the parent */
    abut_pose box;   /* of the shape in the body's frame; the identity with a hull or mesh */
    abut_pose saved; /* during set_poses: the old pose */
    abut_w_hierarchy hierarchy;
    bool shifted; /* during set_poses: a bit of its collider has changed */
} abut_w_attachment;

/* A table of data that few bodies have (side_table.c). Released entries are reused. The block also holds the data
 * itself, as columns that world/state/storage.c lists. */
typedef struct abut_w_side_table {
    abut_block block;
    uint32_t *owner; /* by entry, < used: the owner's slot; in a free entry, the next free entry plus one */
    uint32_t used, live, first_free_plus_one;
} abut_w_side_table;

/* Bodies whose filters are equal, or nearly: see body/filter_class.c. */
typedef struct abut_w_filter_class {
    abut_filter filter; /* if any body has this class */
    uint32_t bodies;
} abut_w_filter_class;

/* A pair of bodies as one number. Pairs are ordered by lower slot, then by higher slot: the order of candidates,
 * contacts and hints. */
typedef struct abut_w_pair {
    uint64_t order; /* lower slot in the upper 32 bits */
} abut_w_pair;

static inline abut_w_pair abut_w_pair_of(uint32_t low, uint32_t high) {
    return (abut_w_pair){(uint64_t)low << 32 | high};
}

static inline uint32_t abut_w_pair_low(abut_w_pair pair) {
    return (uint32_t)(pair.order >> 32);
}

static inline uint32_t abut_w_pair_high(abut_w_pair pair) {
    return (uint32_t)pair.order;
}

/* Parts of contacts, in the order of their contacts, and of one contact ascending by triangle. */
typedef struct abut_w_parts {
    abut_block block;
    abut_contact_part *part;
    uint32_t count;
} abut_w_parts;

/* Where the contact of a pair is stored, if nowhere: it has no manifold, and is made of ids and user data. */
#define ABUT_W_NOT_STORED UINT32_MAX

/* A sorted list of contacts. Their pairs are in order; the contacts themselves may be written in any order, and be put
 * in order only for those who ask (contact_order.c). Contacts have a block of their own: callers hold pointers to them
 * while bodies are created and the body block moves. */
typedef struct abut_w_contacts {
    abut_block keys, places, block;
    abut_w_pair *pair;     /* of each contact: all that a walk along the list reads. Sorted */
    uint32_t *at;          /* not `direct`: of each contact, where it is stored in `contact`, or ABUT_W_NOT_STORED */
    uint32_t *previous1;   /* not `direct`: of each contact. Both are columns of `places` */
    abut_contact *contact; /* of `block`; stored contacts that are not in order have neither phase nor previous1. Once
                              they are, it may be that of the other list's block, until abut_w_exchange_blocks */
    uint32_t count;
    uint32_t stored;    /* contacts beyond this one are free */
    bool direct;        /* each contact is stored at its own index */
    bool ordered;       /* contact[0 .. count - 1] can be shown to callers: `direct`, or made for them */
    bool old_users;     /* not `ordered`: stored contacts may have user data of before the step */
    abut_w_parts parts; /* of all its contacts with meshes */
} abut_w_contacts;

/* A body that has been destroyed, or got other user data, since the last step: contacts of that step that are made
 * later say what it was in it. There is room for one of so many bodies. */
enum { ABUT_W_BODIES_EACH_NOTE = 16 };
typedef struct abut_w_note {
    uint64_t user;
    uint32_t generation, slot;
} abut_w_note;

/* The events of the last step, where they are not just its contacts. */
typedef struct abut_w_events {
    abut_block ends, block;
    abut_contact *end;   /* the ENDs alone, sorted by pair. Column of `ends` */
    abut_contact *room;  /* column of `block`, which only worlds have whose events have been read */
    abut_contact *event; /* contacts and ENDs, sorted, made when first asked for: in `room`, or where the next step
                            writes its contacts, until abut_w_exchange_blocks. NULL: not made */
    uint32_t end_count;
} abut_w_events;

/* What is made of the list of the last step when first asked for. */
typedef struct abut_w_index {
    abut_block block;
    uint32_t *by_b;  /* indices of contacts, sorted by (b, a) */
    abut_pair *ids;  /* of each contact */
    uint32_t *ended; /* during a step, in which should_collide may read the others: indices of contacts that ended */
} abut_w_index;

/* What the narrow phase found in the last step for a pair with a hull. It shortens the next search and changes no
 * answer. */
typedef struct abut_w_hint {
    abut_w_pair pair;
    abut_np_hint hint;
} abut_w_hint;

/* Sorted by pair: hints of the resolved candidates with a hull, or of as many as there was memory for. */
typedef struct abut_w_hints {
    abut_block block;
    abut_w_hint *entry;
    uint32_t count;
} abut_w_hints;

/* Memory for the one block of candidates that is in flight where they pass one at a time: see step/one_by_one.c. It is
 * too large for small stacks. */
typedef struct abut_w_single {
    abut_block block;
    struct abut_w_block *in_flight;
} abut_w_single;

/* Memory for many blocks of candidates at a time: see step/waves.c. Only worlds with workers have it. */
typedef struct abut_w_waves {
    abut_block block;
    struct abut_w_room *room;   /* by share, and in it by block */
    struct abut_w_share *share; /* by share: there are no more than rooms */
    abut_bp_pair *pair;         /* candidates of a wave, if they are not all in one list of the broad phase */
    uint32_t *first;            /* by block of a wave, with one element more: its first candidate */
    uint32_t *room_of;          /* by block of a wave */
} abut_w_waves;

/* A body on its way in a sweep. */
typedef struct abut_w_moving {
    uint32_t slot;
    uint32_t element;     /* of the call: that of its root */
    abut_bp_mover bounds; /* hold it on its way */
} abut_w_moving;

/* The memory of sweeps. Nothing in it outlives a call, and all marks are 0 between calls. */
typedef struct abut_w_sweep {
    abut_block marks, block;
    uint32_t *moving_plus_one; /* by slot: index into `moving`. Column of `marks` */
    abut_w_moving *moving;
    double *first; /* by element: the least fraction so far; INFINITY: none */
    abut_bp bp;    /* where they pass; keys are indices into `moving` */
} abut_w_sweep;

struct abut_world {
    /* --- Settings: as given to abut_world_create. --- */
    abut_allocator allocator;
    float margin;
    abut_vec3 up;
    bool (*should_collide)(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user);
    void *user;
    bool fixed;                      /* never allocate */
    uint32_t body_limit, pair_limit; /* largest counts ever allowed */
    uint32_t pair_capacity;          /* steps with at most this many candidates allocate nothing */
    abut_workers workers;            /* const calls use them, too */

    /* --- State: what a snapshot would hold. --- */

    /* By slot, < ids.used; valid for living bodies. Columns of body_block; the broad phase has its own arrays by slot
     * (bp.box, bp.role). */
    abut_block body_block;
    abut_idpool ids;
    abut_collider *collider; /* the shape in the world */
    uint64_t *body_user;
    uint32_t *attachment_plus_one; /* index into attachment; 0: a plain body */
    uint32_t *filter_plus_one;     /* index into filter; 0: the default filter */
    uint8_t *flags;                /* ABUT_W_MOVED ...; 0 for slots without a body */
    abut_w_traits *traits;

    /* By entry of the side table, < used; valid for entries in use. */
    abut_w_side_table attachments, filters;
    abut_w_attachment *attachment;
    abut_filter *filter; /* defaults filled in */

    /* What has happened since the last successful step. */
    bool changed;     /* something that contacts may depend on was set */
    bool had_destroy; /* a body was destroyed */
    bool new_users;   /* user data was set */
    bool new_meshes;  /* bodies may have ABUT_W_OTHER_MESH */

    /* Counts and bounds over living bodies. */
    uint32_t non_box_count;  /* bodies of another shape than a box */
    uint32_t uncommon_count; /* bodies with ABUT_W_UNCOMMON */
    uint32_t mesh_count;     /* bodies with ABUT_W_MESH */
    uint32_t coarse_count;   /* bodies with ABUT_W_COARSE */
    uint32_t bounds_count;   /* bodies with ABUT_W_BOUNDS */
    double extent;           /* no less than abut_shape_class::extent of any body; never shrinks, except to 0 when there
                                are no bodies */

    /* --- Lists: what the last successful step reported. --- */
    abut_w_contacts current;
    abut_w_events events;
    abut_w_index index;          /* of `current` */
    size_t candidates;           /* how many there were */
    size_t blocks, moved_blocks; /* of candidates that it classified; blocks that took the fast path for moved bodies */
    bool resting;                /* it reported only PERSISTs of contacts that kept their indices, without parts */
    bool phases_pending;         /* if `resting`: contacts get their phases only when first read */
    bool contacts_pending;       /* the first who reads contacts must call abut_w_make_contacts; all others may */

    /* Columns of body_block. Once contacts are made, nobody needs notes. */
    abut_w_note *note;        /* < note_count */
    uint32_t *noted_plus_one; /* by slot: index into note */
    uint32_t note_count;

    /* --- Caches: may be dropped at any time, and change no answer. --- */

    /* Keys are slots. Boxes are bounds, widened by the margin where contacts at a distance are wanted. */
    abut_bp bp;
    abut_w_filter_class filter_class[ABUT_BP_CLASSES]; /* the first is that of the default filter, and not counted */
    uint32_t most_used;  /* ids.used before a restore let it fall: bp may know keys below this */
    abut_once tree_made; /* bp.tree is up to date: see world/query/tree.h */
    abut_lock scratch;   /* held by the const function that is using the scratch memory of bp */

    abut_w_sweep sweep;

    bool hinted; /* bodies whose pairs get hints may live, or have: abut_w_reserve_all_hints was called */
    abut_w_hints hints, next_hints; /* of the last successful step; of the running step */
    abut_w_contacts next;           /* filled by a step, then swapped with current */
    abut_w_parts found;             /* during a step: parts of the blocks in flight */
    abut_w_single single;
    abut_w_waves waves;
    abut_once by_b_made, ids_made;        /* index.by_b; index.ids */
    abut_once contacts_made, events_made; /* current.contact, if contacts_pending; events.event */

    abut_w_state state;
};

/* Notes that a body has come or gone, or that its bounds may have changed. */
static inline void abut_w_touch(abut_world *world, uint32_t slot) {
    abut_bp_tree_touch(&world->bp, slot);
    abut_once_reset(&world->tree_made);
}

/* All keys that the broad phase and the tree know are below this. */
static inline uint32_t abut_w_key_end(const abut_world *world) {
    return world->ids.used > world->most_used ? world->ids.used : world->most_used;
}

static inline abut_body_id abut_w_id(const abut_world *world, uint32_t slot) {
    return (abut_body_id){slot + 1, world->ids.generation[slot]};
}

static inline bool abut_w_is_mesh(const abut_world *world, uint32_t slot) {
    return (world->traits[slot].marks & ABUT_W_MESH) != 0;
}

#endif
