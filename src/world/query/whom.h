/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whom a question is put to: an abut_query, ready to be compared with bodies. A body counts when it passes the filter
 * and is not in a compound that is to be ignored; when the question meets it, `accept` has the last word. */
#ifndef ABUT_WORLD_QUERY_WHOM_H
#define ABUT_WORLD_QUERY_WHOM_H

#include "world/query/query.h"
#include <abut/query.h>

/* Lists of at most half as many ids as there are PLACES become a hash table of the roots of the compounds. Longer ones
 * become a Bloom filter of as many bits as the same memory has (Bloom, "Space/time trade-offs in hash coding with
 * allowable errors", 1970), and what passes it is looked for in the list. */
enum { ABUT_W_WHOM_PLACES = 512 };

/* About 2 KB, for the stack; most of it is read only if bodies are ignored. */
typedef struct abut_w_whom {
    const abut_world *world;
    const abut_query *query;            /* all zero if the caller gave none */
    abut_w_query_filter filter;         /* of the query */
    bool everybody;                     /* all pass the filter, and none is ignored */
    bool compounds;                     /* there are bodies with another root than themselves */
    uint32_t shift;                     /* a hash, shifted by this, is a place in the table; 32: nobody is ignored */
    bool bloom;                         /* the table is a Bloom filter */
    uint32_t table[ABUT_W_WHOM_PLACES]; /* slots of roots plus one, at their place or after it; 0 ends a search */
} abut_w_whom;

/* False, and *whom is undefined, if the query is invalid. NULL stands for a query that is all zero. The query must
 * outlive *whom, and the world must not change meanwhile. Cost: some nanoseconds for each id to be ignored. */
bool abut_w_whom_of(const abut_world *world, const abut_query *query, abut_w_whom *whom);

/* abut_w_whom_counts, unless everybody does. */
bool abut_w_whom_picks(const abut_w_whom *whom, uint32_t slot);

/* Whether a living body counts. */
static inline bool abut_w_whom_counts(const abut_w_whom *whom, uint32_t slot) {
    return whom->everybody || abut_w_whom_picks(whom, slot);
}

/* Drops bodies that do not count; returns how many are left. */
uint32_t abut_w_whom_drop(const abut_w_whom *whom, uint32_t *slot, uint32_t n);

static inline uint32_t abut_w_whom_keep(const abut_w_whom *whom, uint32_t *slot, uint32_t n) {
    return whom->everybody ? n : abut_w_whom_drop(whom, slot, n);
}

/* Asks `accept`, which there is. */
bool abut_w_whom_asks(const abut_w_whom *whom, uint32_t slot, uint32_t part, abut_body_id mover, size_t element);

/* Whether a body that counts and is met, or this triangle of its mesh, is accepted; in a sweep: by this mover. */
static inline bool abut_w_whom_accepts_of(const abut_w_whom *whom, uint32_t slot, uint32_t part, abut_body_id mover,
                                          size_t element) {
    return !whom->query->accept || abut_w_whom_asks(whom, slot, part, mover, element);
}

static inline bool abut_w_whom_accepts_part(const abut_w_whom *whom, uint32_t slot, uint32_t part, size_t element) {
    return abut_w_whom_accepts_of(whom, slot, part, (abut_body_id){0}, element);
}

static inline bool abut_w_whom_accepts(const abut_w_whom *whom, uint32_t slot, size_t element) {
    return abut_w_whom_accepts_part(whom, slot, 0, element);
}

/* Of the results of two elements of a batch, the one to return: a wrong argument goes before a limit. */
static inline abut_result abut_w_worse(abut_result a, abut_result b) {
    return a == ABUT_ERROR_ARGUMENT || b == ABUT_OK ? a : b;
}

/* Two more compounds that do not count: slots of their roots, plus one; 0 for nobody. */
typedef struct abut_w_two {
    uint32_t root_plus_one[2];
} abut_w_two;

/* Of ids that name no living body: nobody. */
abut_w_two abut_w_two_of(const abut_world *world, const abut_body_id ids[2]);

static inline bool abut_w_two_hold(const abut_w_two *two, const abut_world *world, uint32_t slot) {
    if ((two->root_plus_one[0] | two->root_plus_one[1]) == 0) {
        return false;
    }
    uint32_t root_plus_one = abut_w_root_of(world, slot) + 1;
    return root_plus_one == two->root_plus_one[0] || root_plus_one == two->root_plus_one[1];
}

#endif
