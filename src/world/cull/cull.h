/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One call of abut_world_cull, and its parts: cull_tree.c walks down the search tree; it tests single bodies with
 * cull_sides.c and collects the visible ones with visible.c; cull_wide.c does so side by side. This is the call that
 * needs the most stack, for bits and for what is open. */
#ifndef ABUT_WORLD_CULL_CULL_H
#define ABUT_WORLD_CULL_CULL_H

#include "culling/culling.h"
#include "world/cull/visible.h"
#include "world/query/query.h"

enum {
    ABUT_W_VIEWS = 32,
    ABUT_W_CULL_BATCH = 512 /* bodies tested by one call of a kernel, at most */
};

/* What a call did, as a measure of its cost. */
typedef struct abut_w_cull_work {
    uint32_t tested; /* bodies tested against a frustum's planes and axes, not only by a box and a sphere around them;
                        counted for each view */
} abut_w_cull_work;

/* abut_world_cull for valid arguments. */
size_t abut_w_cull(const abut_world *world, const abut_frustum *frusta, size_t count, const abut_filter *filter,
                   abut_visible *out, size_t capacity, abut_w_cull_work *work);

typedef struct abut_w_culling {
    const abut_world *world;
    uint32_t count; /* views */
    abut_cull_view view[ABUT_W_VIEWS];
    abut_w_query_filter filter;
    bool all_bodies; /* every entry of the tree is that of a body */
    bool whole;      /* and all of them are in the window */
    abut_w_cull_work *work;
    abut_w_visible visible;
} abut_w_culling;

/* Begins a window of slots: see abut_w_visible_begin. */
static inline void abut_w_cull_begin(abut_w_culling *c, uint32_t first, uint32_t end) {
    abut_w_visible_begin(&c->visible, first, end);
    c->whole = c->all_bodies && first == 0 && end == c->world->ids.used;
}

/* Whether a slot that has an entry in the tree has a body. */
static inline bool abut_w_culling_is_body(const abut_w_culling *c, uint32_t slot) {
    return c->all_bodies || abut_bp_is_present(&c->world->bp, slot);
}

/* cull_sides.c: what there is among n living bodies beside boxes, which are their own OBBs. */
enum { ABUT_W_CULL_HULLS = 1 /* or meshes */, ABUT_W_CULL_ROUNDED = 2 };
unsigned abut_w_cull_kinds(const abut_world *world, const uint32_t *slot, uint32_t n);

/* The sides of n <= ABUT_W_CULL_BATCH living bodies for view v: side[k] and crossed[k] belong to slot[k]; see
 * abut_cull_sides_of_views. */
void abut_w_cull_sides(const abut_w_culling *c, uint32_t v, const uint32_t *slot, uint32_t n, const uint8_t *crossed,
                       uint8_t *side);

/* cull_tree.c: marks the bodies of the window that are visible; logs them. */
void abut_w_cull_one_view(abut_w_culling *c);
void abut_w_cull_several_views(abut_w_culling *c);

enum { ABUT_W_CULL_SUPERBLOCK = 64 }; /* entries of the tree */

/* The same of entries in superblocks first .. end - 1, for several views, but the bodies are listed instead. The list
 * has room for all; nothing else is written. */
void abut_w_cull_part(const abut_w_culling *c, uint32_t first, uint32_t end, abut_w_visible_list *list);

/* cull_wide.c: whether a call is worth several workers, and there are any. */
bool abut_w_cull_is_wide(const abut_w_culling *c);

/* Culls a window on several workers. False, and only `out` has changed: `out` has too little room for that. */
bool abut_w_cull_wide(abut_w_culling *c, uint32_t first, uint32_t end, abut_visible *out, size_t room, size_t *count);

#endif
