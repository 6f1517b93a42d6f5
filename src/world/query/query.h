/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Who is near: the layer below every query of a const world about some part of space. Current poses count.
 *
 * The broad phase knows where bodies were in the last step. Bodies that were created or changed since then are dirty:
 * it does not know where they are now. So there are several sources, and a query asks all of them:
 *
 *     abut_w_query_prepare(world);
 *     abut_w_source unchanged = abut_w_unchanged_bodies(world);
 *     for each box, ask(&unchanged, &box);
 *     if (!unchanged.is_last) {
 *         abut_w_dirty_bodies dirty;
 *         abut_w_dirty_begin(&dirty, world, 0);
 *         while (abut_w_dirty_next(&dirty, axis)) {
 *             for each box, ask(&dirty.source, &box);
 *         }
 *     }
 *
 * where asking a source is
 *
 *     abut_w_query query;
 *     uint32_t slot[ABUT_W_QUERY_SLOTS], n;
 *     abut_w_query_begin(&query, source, &filter, &box);
 *     while ((n = abut_w_query_next(&query, slot, ABUT_W_QUERY_SLOTS)) > 0) {
 *         test each body by itself;
 *     }
 *
 * Dirty bodies come up to 512 at a time, in a temporary broad phase on the stack. Gathering them costs about as much as
 * refreshing their bounds in a step; so ask for all boxes of a batch before the next group.
 *
 * Any number of threads may ask at the same time. Nothing allocates. Each body comes once; the order is that of the
 * broad phase, which is arbitrary: whoever needs an order sorts. */
#ifndef ABUT_WORLD_QUERY_QUERY_H
#define ABUT_WORLD_QUERY_QUERY_H

#include "world/body/body.h"

/* Makes the world's broad phase ready to be asked: microseconds for each thousand active bodies in the first call after
 * a change; nothing in later ones. Before abut_w_unchanged_bodies. */
void abut_w_query_prepare(const abut_world *world);
/* What was prepared is out of date. */
void abut_w_query_reset(abut_world *world);

/* --- filters --- */

/* The filter of a query, ready to be compared with bodies. */
typedef struct abut_w_query_filter {
    abut_filter filter;  /* with defaults filled in */
    bool any_filter;     /* some body has a filter that is not the default: bodies differ */
    bool default_passes; /* bodies with the default filter pass */
} abut_w_query_filter;

/* `filter` is valid; every body passes NULL. Holds until a filter or a body changes. */
abut_w_query_filter abut_w_query_filter_of(const abut_world *world, const abut_filter *filter);

static inline bool abut_w_query_passes_all(const abut_w_query_filter *filter) {
    return !filter->any_filter && filter->default_passes;
}

/* Whether a living body passes, by the body-against-body rule. */
static inline bool abut_w_query_passes(const abut_world *world, const abut_w_query_filter *filter, uint32_t slot) {
    return filter->any_filter && world->filter_plus_one[slot]
               ? abut_w_filters_pass(&filter->filter, abut_w_filter_of(world, slot))
               : filter->default_passes;
}

/* --- sources --- */

/* A broad phase that can be asked, and which body each of its keys is. */
typedef struct abut_w_source {
    const abut_world *world;
    const abut_bp *bp;
    const uint32_t *slot; /* by key; NULL: keys are slots */
    const uint8_t *flags; /* by slot: keys of dirty bodies do not count; NULL: there are none */
    bool is_last;         /* all dirty bodies are in this source or in an earlier one */
} abut_w_source;

/* The bodies that have not changed since the last step, after abut_w_query_prepare. Searches for a dirty
 * one, eight bodies at a time. */
abut_w_source abut_w_unchanged_bodies(const abut_world *world);

/* A group of dirty bodies: about 46 KB, for the stack. */
typedef struct abut_w_dirty_bodies {
    abut_w_source source;
    uint32_t next; /* slot from which on bodies have not been gathered */
    uint32_t slot[ABUT_BP_TEMPORARY_MAX];
    abut_bp_temporary temporary;
} abut_w_dirty_bodies;

/* Begins with the dirty bodies of slots >= first. */
void abut_w_dirty_begin(abut_w_dirty_bodies *dirty, const abut_world *world, uint32_t first);
/* Gathers the next group, in the order of slots. False: there are no more. Sorts them along `axis`, which pays when
 * more than some 16 boxes are asked for; -1: not at all. */
bool abut_w_dirty_next(abut_w_dirty_bodies *dirty, int axis);

/* --- queries --- */

/* Bodies of one source near one box, and how far the search has got. */
typedef struct abut_w_query {
    const abut_w_source *source;
    const abut_w_query_filter *filter;
    bool keeps_all; /* keys are slots, and all of them count and pass */
    abut_bp_query search;
} abut_w_query;

enum { ABUT_W_QUERY_SLOTS = 2 * ABUT_BP_QUERY_ROOM };

/* Looks for the bodies that pass the filter and of which the bounds, widened by the world's margin where contacts at a
 * distance are wanted, touch the closed box. min <= max, which may be infinite. `source` and `filter` must outlive the
 * query. Cost: the columns of the broad phase that the box lies in. */
static inline void abut_w_query_begin(abut_w_query *query, const abut_w_source *source,
                                      const abut_w_query_filter *filter, const abut_bp_box *box) {
    query->source = source;
    query->filter = filter;
    query->keeps_all = !source->slot && !source->flags && abut_w_query_passes_all(filter);
    abut_bp_query_begin(source->bp, box, &query->search);
}

/* The same as abut_w_query_next where some keys may not count. */
uint32_t abut_w_query_next_kept(abut_w_query *query, uint32_t *slot, uint32_t room);

/* Writes the slots of the next bodies, and returns how many; 0: there are no more. room >= ABUT_BP_QUERY_ROOM. */
static inline uint32_t abut_w_query_next(abut_w_query *query, uint32_t *slot, uint32_t room) {
    return query->keeps_all ? abut_bp_query_next(query->source->bp, &query->search, slot, room)
                            : abut_w_query_next_kept(query, slot, room);
}

#endif
