/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A block of candidates on its way through a step:
 *
 *     candidates.c   finds them and hands them out in ascending order
 *     classify.c     applies filters; decides what each pair needs: nothing, the last step's result, or a test
 *     parts.c        runs the tests of pairs with a mesh, whose parts go into a list of the world
 *     resolve.c      runs all other tests: plain data in, plain data out, it does not see the world
 *     merge.c        appends pairs that touch to the new contacts; decides what begins, persists and ends
 *
 * Blocks come in ascending order, and one is in flight at a time. Classifying and merging walk along the lists of the
 * last step; resolving writes only to the block and its hints. */
#ifndef ABUT_WORLD_STEP_BLOCK_H
#define ABUT_WORLD_STEP_BLOCK_H

#include "world/step/step.h"

enum { ABUT_W_BLOCK = 256, ABUT_W_DETAILS = ABUT_DETAIL_BOUNDS + 1 };

/* Whether a hit touches, besides 0 and 1: that is for parts.c to find out. */
enum { ABUT_W_MESH_MANIFOLD = 2, ABUT_W_MESH_OVERLAP = 3 };

/* A pair that touches, or that may touch until its test has run. */
typedef struct abut_w_hit {
    abut_w_pair pair;
    const abut_manifold *manifold;
} abut_w_hit;

/* Pairs that need the same test, by k < n. */
typedef struct abut_w_tests {
    uint32_t a[ABUT_W_BLOCK], b[ABUT_W_BLOCK]; /* indices of colliders: slots, a < b */
    abut_np_hint *hint[ABUT_W_BLOCK];          /* NULL: none */
    uint16_t index[ABUT_W_BLOCK];              /* of the pair in the block's hits */
    uint8_t touches[ABUT_W_BLOCK];             /* the answer, 0 or 1 */
    size_t n;
} abut_w_tests;

/* Some of the parts in a list. */
typedef struct abut_w_span {
    uint32_t first, count;
} abut_w_span;

typedef struct abut_w_block {
    abut_w_hit hit[ABUT_W_BLOCK];      /* pairs that may touch; after abut_w_resolve only those that do. Ascending */
    uint8_t touches[ABUT_W_BLOCK];     /* by hit: whether it touches; until its test has run 1, or as above */
    uint32_t n;                        /* hits */
    abut_w_tests test[ABUT_W_DETAILS]; /* by the detail of the pair; those of pairs with a mesh are not listed */
    bool moved;                        /* every pair is a manifold test without a hint; then abut_w_resolve lists the
                                          hits */
    bool moved_boxes;                  /* `moved`, and of two boxes without radius */
    uint32_t mesh_tests;               /* pairs with a mesh that need a test */
    uint32_t mesh_manifolds;           /* of those, how many need a manifold */
    abut_manifold *manifold;           /* where manifolds go: `buffer`, or, only if moved_boxes, the list of contacts */
    size_t stride;                     /* bytes from one manifold to the next. Only hits get one */
    abut_manifold buffer[ABUT_W_BLOCK]; /* those of pairs with a mesh from its end on backwards */
    abut_w_span found[ABUT_W_BLOCK];    /* of those, k < mesh_manifolds: parts in abut_world::found */
    abut_w_hint *hint;                  /* room for one of each candidate; NULL: pairs get none */
    uint32_t hints;                     /* of them in use */
} abut_w_block;

/* --- candidates.c --- */

/* Finds all candidates, and makes room for them. */
abut_result abut_w_find_candidates(abut_world *world);

/* A walk along the candidates; zero at first. */
typedef struct abut_w_candidates {
    size_t active, resting; /* pairs with an active body, and pairs of two resting bodies, that were handed out */
} abut_w_candidates;

/* How many there are. Pairs of two resting bodies are included only in a world with should_collide, which must be asked
 * about them. */
size_t abut_w_candidate_count(const abut_world *world);
/* Sets *pairs to the next candidates, at most `most`; returns how many, 0 at the end. `merged` has room for `most`, and
 * may be where they are. */
uint32_t abut_w_next_candidates(const abut_world *world, abut_w_candidates *walk, uint32_t most, abut_bp_pair *merged,
                                const abut_bp_pair **pairs);

/* --- hints.c: hints are optional. A world of fixed capacity has none, nor has one without memory for them. --- */

/* Starts the hints of a step. */
void abut_w_begin_hints(abut_world *world);
/* Makes room for `count` more; returns where they go. NULL: pairs get no hints. */
abut_w_hint *abut_w_reserve_hints(abut_world *world, uint32_t count);
/* Adds a hint for this candidate to the block, copied from the last step's if there was one, else all zero. Candidates
 * must come in ascending order; there is room. *from is the position in the last step's list. */
abut_np_hint *abut_w_take_hint(const abut_world *world, abut_w_pair pair, uint32_t *from, abut_w_block *block);
/* The hints of this step become those of the last step. */
void abut_w_swap_hints(abut_world *world);

/* --- classify.c --- */

/* That of hits which have none. */
extern const abut_manifold abut_w_no_manifold;

/* Positions in the last step's lists; all zero at the start. */
typedef struct abut_w_last {
    uint32_t contact, hint;
} abut_w_last;

/* Fills the block from the next n candidates, n <= ABUT_W_BLOCK: applies filters, and lists the tests that are
 * needed. block->hint is set. */
void abut_w_classify(const abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_last *last,
                     abut_w_block *block);

/* --- merging --- */

/* A walk along the contacts of the last step, and where the new ones go. */
typedef struct abut_w_merge {
    uint32_t passed, end; /* contacts of the last step: those that have been passed; the walk ends before this one */
    uint32_t ended;       /* of the last step, written to index.ended */
    uint32_t persisting;  /* of the last step, how many persist */
    uint32_t contacts, parts; /* written to the new lists */
    uint32_t copied;          /* of those contacts: of two resting bodies, which are no candidates */
    uint32_t stored;          /* if only keys are written: where the next contact with a new manifold is stored */
} abut_w_merge;

/* --- parts.c: pairs with a mesh --- */

/* Where the k-th manifold of a pair with a mesh is. */
static inline abut_manifold *abut_w_mesh_manifold(abut_w_block *block, uint32_t k) {
    return &block->buffer[ABUT_W_BLOCK - 1 - k];
}
/* Where the parts of the next pair go: the elements first .. end - 1 of abut_world::found. */
typedef struct abut_w_part_room {
    abut_atomic_u32 *taken; /* elements that others have; NULL: there are no others, and the list may grow */
    uint32_t first, end;
} abut_w_part_room;
/* Elements that one of several takes at a time, or more. */
enum { ABUT_W_PIECE = 64 };
/* Runs the tests of the block's pairs with a mesh; comes before abut_w_resolve. Cost: that of the narrow phase, and a
 * sort of each pair's parts. On an error some tests have not run. */
abut_result abut_w_resolve_meshes(abut_world *world, abut_w_block *block, abut_w_part_room *room);
/* How many parts the hit has. */
uint32_t abut_w_count_parts(const abut_world *world, const abut_w_block *block, const abut_w_hit *hit);
/* Appends the parts of a new contact, all else of which is written. */
abut_result abut_w_append_parts(abut_world *world, abut_w_merge *merge, const abut_w_block *block,
                                const abut_w_hit *hit, abut_contact *contact);
/* Appends the parts of n new contacts that are copies of consecutive old ones. */
abut_result abut_w_copy_parts(abut_world *world, abut_w_merge *merge, abut_contact *contact, uint32_t n);

/* --- resolve.c: where a step decides whether pairs touch --- */

/* Runs the block's tests (by the pair table in narrowphase/pairs.c) and leaves only pairs that touch. Adds to
 * *second_stage the number of pairs that single precision could not decide. */
void abut_w_resolve(const abut_collider *collider, float margin, abut_w_block *block, size_t *second_stage);

/* --- merge.c: decides begin, persist and end from the new contacts and those of the last step. Hits come in ascending
 * order. --- */

/* Before the first block. Decides whether contacts are written in order, or only keys: world->next.direct. */
void abut_w_merge_begin(abut_world *world, abut_w_merge *merge);
/* Chooses where the block's manifolds are written: straight into the list of contacts if no other contact can come
 * between them, which saves a copy. */
void abut_w_merge_choose_output(const abut_world *world, const abut_w_merge *merge, abut_w_block *block);
/* Leaves only hits that should_collide lets pass; all, if there is none. */
void abut_w_merge_filter(const abut_world *world, abut_w_block *block);
/* Makes room for what will be written up to `end`. `done`: how many candidates have been resolved up to there, to
 * estimate the room that the others need. */
abut_result abut_w_merge_reserve(abut_world *world, const abut_w_merge *merge, const abut_w_merge *end, size_t done);
/* Appends the block's hits, and before each the contacts of two resting bodies that persist. */
abut_result abut_w_merge_block(abut_world *world, abut_w_merge *merge, const abut_w_block *block);
/* The same, and then the rest of the old contacts up to merge->end. There must be room for all; then it may run at the
 * same time as others that write elsewhere. */
void abut_w_merge_all(abut_world *world, abut_w_merge *merge, const abut_w_block *block);
/* What abut_w_merge_all would add to a merge at the same place whose counts are 0. */
abut_w_merge abut_w_merge_count(const abut_world *world, abut_w_merge at, const abut_w_block *block);
/* Called after the last block. Reserves room for ENDs, which may fail, and then swaps the lists; nothing can fail
 * afterwards. */
abut_result abut_w_merge_end(abut_world *world, abut_w_merge *merge, abut_step_report *report);
/* Passes the contacts of the last step that come before `limit`: each is copied, if its bodies rest, or has ended.
 * Makes room for `ahead` contacts more. */
abut_result abut_w_merge_pass(abut_world *world, abut_w_merge *merge, abut_w_pair limit, uint32_t ahead);
/* Appends the keys of the next n contacts of the last step, which persist unchanged. There is room. */
void abut_w_copy_keys(abut_world *world, abut_w_merge *merge, uint32_t n);

/* --- bounds_only.c: a step in which every candidate is a contact without a manifold --- */

/* Whether this step, after abut_w_merge_begin, is one. */
bool abut_w_bounds_suffice(const abut_world *world);
/* Writes the keys of all candidates, without looking at a body. */
abut_result abut_w_make_keys(abut_world *world, abut_w_merge *merge);

/* --- one_by_one.c --- */

/* Turns n candidates into contacts, block by block. `done`: how many candidates were resolved before, grows by n. */
abut_result abut_w_make_contacts_of(abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_last *last,
                                    abut_w_merge *merge, size_t *done, size_t *second_stage);

/* --- waves.c: many blocks side by side --- */

/* Fewer candidates are not worth it: a block of them takes some 50 microseconds. */
enum { ABUT_W_WAVE_LEAST = 256, ABUT_W_WAVE_LEAST_WITH_MESHES = 32, ABUT_W_ROOMS = 256 };

/* The blocks that one task of a wave has taken, in the order of the candidates. */
typedef struct abut_w_share {
    uint32_t blocks;
    abut_w_part_room parts;
} abut_w_share;

/* A block in a wave, with all that belongs to it. */
typedef struct abut_w_room {
    abut_w_block block;
    abut_w_hint hint[ABUT_W_BLOCK];
    abut_w_merge merge, adds; /* where it is merged; what it adds */
    uint32_t hint_at;         /* where its hints go */
    size_t second_stage;
    bool unfinished; /* there was no room for its parts */
} abut_w_room;

/* Rooms for each of so many workers: enough that a wave is long compared with the time in which the last of them ends.
 */
static inline uint32_t abut_w_rooms_each(uint32_t workers) {
    enum { EACH_MOST = 32 };
    uint32_t each = (ABUT_W_ROOMS + workers - 1) / workers;
    return each < EACH_MOST ? each : EACH_MOST;
}

/* Whether it pays, and there is room. */
bool abut_w_waves_pay(abut_world *world);
/* Turns all candidates into contacts, as a walk block by block does. */
abut_result abut_w_make_waves(abut_world *world, abut_w_merge *merge, size_t *second_stage);

#endif
