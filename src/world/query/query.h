/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which bodies are near a box: the basis of every query of a const world about some part of space. Current poses count.
 *
 * The broad phase knows where bodies were in the last step. Bodies that were created or changed since then are dirty:
 * the broad phase does not know where they are now. So there are several sources, and a caller asks all of them:
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
 * where ask(source, box) is
 *
 *     abut_w_query query;
 *     uint32_t slot[ABUT_W_QUERY_SLOTS], n;
 *     abut_w_query_begin(&query, source, &filter, &box);
 *     while ((n = abut_w_query_next(&query, slot, ABUT_W_QUERY_SLOTS)) > 0) {
 *         test the exact shape of each body;
 *     }
 *
 * Dirty bodies come in groups of up to 512, in a temporary broad phase on the stack. Gathering a group costs about as
 * much as refreshing its bounds in a step; so ask for all boxes of a batch before the next group.
 *
 * Any number of threads may ask at the same time. Nothing allocates. Each body comes once per box, in the order of the
 * broad phase, which is arbitrary: a caller that needs an order must sort. */
#ifndef ABUT_WORLD_QUERY_QUERY_H
#define ABUT_WORLD_QUERY_QUERY_H

#include "world/body/body.h"

/* Prepares the world's broad phase for queries. Must come before abut_w_unchanged_bodies. The first call after a change
 * takes microseconds per thousand active bodies; later ones cost nothing. */
void abut_w_query_prepare(const abut_world *world);
/* Marks what was prepared as out of date. */
void abut_w_query_reset(abut_world *world);

/* --- filters --- */

/* The filter of a query, ready to be compared with bodies. */
typedef struct abut_w_query_filter {
    abut_filter filter;  /* with defaults filled in */
    bool any_filter;     /* some body has a filter other than the default */
    bool default_passes; /* bodies with the default filter pass */
} abut_w_query_filter;

/* `filter` must be valid; NULL lets every body pass. The result is valid until a filter or a body changes. */
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

/* A broad phase that answers queries, and the bodies that its keys stand for. */
typedef struct abut_w_source {
    const abut_world *world;
    const abut_bp *bp;
    const uint32_t *slot; /* by key; NULL: keys are slots */
    const uint8_t *flags; /* by slot: skip dirty bodies; NULL: this source has none to skip */
    bool is_last;         /* all dirty bodies are in this source or in an earlier one */
} abut_w_source;

/* The bodies that have not changed since the last step. Reads the flags of bodies, eight at a time, up to the first
 * dirty one. */
abut_w_source abut_w_unchanged_bodies(const abut_world *world);

/* A group of dirty bodies: about 46 KB, for the stack. */
typedef struct abut_w_dirty_bodies {
    abut_w_source source;
    uint32_t next; /* bodies in slots below this have been gathered */
    uint32_t slot[ABUT_BP_TEMPORARY_MAX];
    abut_bp_temporary temporary;
} abut_w_dirty_bodies;

/* Begins with the dirty bodies of slots >= first. */
void abut_w_dirty_begin(abut_w_dirty_bodies *dirty, const abut_world *world, uint32_t first);
/* Gathers the next group, in the order of slots. False: there are no more dirty bodies. Sorts the group along `axis`,
 * which pays for more than about 16 boxes; -1: does not sort. */
bool abut_w_dirty_next(abut_w_dirty_bodies *dirty, int axis);

/* --- queries --- */

/* The search for bodies of one source near one box, and how far it has come. */
typedef struct abut_w_query {
    const abut_w_source *source;
    const abut_w_query_filter *filter;
    bool keeps_all; /* keys are slots, none is dirty, and all pass */
    abut_bp_query search;
} abut_w_query;

enum { ABUT_W_QUERY_SLOTS = 2 * ABUT_BP_QUERY_ROOM };

/* Begins to look for the bodies that pass the filter and whose bounds touch the closed box. Bounds are those of the
 * broad phase: widened where the world reports contacts at a distance. min <= max, which may be infinite. `source` and
 * `filter` must outlive the query. Cost: that of searching the columns of the broad phase that the box overlaps. */
static inline void abut_w_query_begin(abut_w_query *query, const abut_w_source *source,
                                      const abut_w_query_filter *filter, const abut_bp_box *box) {
    query->source = source;
    query->filter = filter;
    query->keeps_all = !source->slot && !source->flags && abut_w_query_passes_all(filter);
    abut_bp_query_begin(source->bp, box, &query->search);
}

/* abut_w_query_next where keys must be filtered. */
uint32_t abut_w_query_next_kept(abut_w_query *query, uint32_t *slot, uint32_t room);

/* Writes the slots of the next bodies, and returns how many; 0 ends the search. room >= ABUT_BP_QUERY_ROOM. */
static inline uint32_t abut_w_query_next(abut_w_query *query, uint32_t *slot, uint32_t room) {
    return query->keeps_all ? abut_bp_query_next(query->source->bp, &query->search, slot, room)
                            : abut_w_query_next_kept(query, slot, room);
}

#endif
