/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The filter of a query, and which bodies that pass it are near a box at their current poses. Questions that a caller
 * may put to some bodies only use whom.h instead.
 *
 *     abut_w_tree_prepare(world);
 *     ...
 *     abut_w_query query;
 *     uint32_t slot[SLOTS], n;
 *     abut_w_query_begin(&query, world, &filter, &box);
 *     while ((n = abut_w_query_next(&query, slot, SLOTS)) > 0) {
 *         test the exact shape of each body;
 *     }
 *
 * Any number of threads may ask at the same time. Nothing allocates. Each body comes once per box, in an arbitrary
 * order: a caller that needs an order must sort. */
#ifndef ABUT_WORLD_QUERY_QUERY_H
#define ABUT_WORLD_QUERY_QUERY_H

#include "world/body/body.h"
#include "world/query/tree.h"

/* --- filters --- */

/* The filter of a query, ready to be compared with bodies. */
typedef struct abut_w_query_filter {
    abut_filter filter;  /* with defaults filled in */
    bool any_filter;     /* some body has a filter other than the default */
    bool default_passes; /* bodies with the default filter pass */
    uint32_t classes;    /* bits: of other classes no body passes */
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

/* --- queries --- */

/* The search for bodies near one box, and how far it has come. */
typedef struct abut_w_query {
    const abut_world *world;
    const abut_w_query_filter *filter;
    abut_bp_box box;
    abut_bp_walk walk;
} abut_w_query;

/* Room for so many slots is enough to be fast. */
enum { ABUT_W_QUERY_SLOTS = 128 };

/* Begins to look for the bodies that pass the filter and whose bounds touch the closed box. Bounds are widened where
 * the world reports contacts at a distance. min <= max, which may be infinite. The tree is prepared; `filter` must
 * outlive the query. */
void abut_w_query_begin(abut_w_query *query, const abut_world *world, const abut_w_query_filter *filter,
                        const abut_bp_box *box);

/* Writes the slots of the next bodies, and returns how many; 0 ends the search. `room` is that of abut_bp_walk_box. */
uint32_t abut_w_query_next(abut_w_query *query, uint32_t *slot, uint32_t room);

#endif
