/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/tree/order.h"
#include "base/bits.h"
#include "base/compiler.h"
#include <assert.h>

/* A k-d tree (Bentley, "Multidimensional binary search trees", 1975) whose cuts are where nodes end: a range of entries
 * is cut across its widest axis, as near to its middle as a node boundary of the highest level inside it allows, until
 * it lies in one node. */

enum {
    SAMPLE = 64,
    READ_MOST = 8, /* a cut usually reads twice as many entries as it orders */
    RANGES = 64,
    RANGE_LEAST =
        4096, /* shorter ranges, and those below 1 / (RANGES / 2) of all, are not cut any more to share them */
};

/* The widest axis of entries first .. end - 1, judged by a sample. */
static int widest_axis(const abut_bp_placed *entry, uint32_t first, uint32_t end) {
    uint32_t step = (end - first) / (4 * SAMPLE) + 1;
    float low[3], high[3];
    int widest = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = entry[first].at[axis];
    }
    for (uint32_t i = first; i < end; i += step) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = entry[i].at[axis] < low[axis] ? entry[i].at[axis] : low[axis];
            high[axis] = abut_max_f(high[axis], entry[i].at[axis]);
        }
    }
    for (int axis = 1; axis < 3; axis++) {
        widest = high[axis] - low[axis] > high[widest] - low[widest] ? axis : widest;
    }
    return widest;
}

/* A coordinate near the one that entry `rank` would have if the range were sorted: that of a sample. */
static float pivot_of(const abut_bp_placed *entry, uint32_t first, uint32_t end, uint32_t rank, int axis) {
    float value[SAMPLE];
    uint32_t count = end - first, n = count >= 16 * SAMPLE ? SAMPLE : count >= SAMPLE ? 9 : 3;
    for (uint32_t i = 0; i < n; i++) {
        float v = entry[first + (uint32_t)((uint64_t)count * i / n)].at[axis];
        uint32_t at = i;
        for (; at > 0 && value[at - 1] > v; at--) {
            value[at] = value[at - 1];
        }
        value[at] = v;
    }
    return value[(uint32_t)((uint64_t)(rank - first) * n / count)];
}

/* Moves the entries below `limit` to the front, without a branch on them; returns where they end. */
static uint32_t move_below(abut_bp_placed *entry, uint32_t first, uint32_t end, int axis, float limit) {
    uint32_t to = first;
    for (uint32_t i = first; i < end; i++) {
        const abut_bp_placed moved = entry[i];
        entry[i] = entry[to];
        entry[to] = moved;
        to += moved.at[axis] < limit;
    }
    return to;
}

static uint32_t move_equal(abut_bp_placed *entry, uint32_t first, uint32_t end, int axis, float value) {
    uint32_t to = first;
    for (uint32_t i = first; i < end; i++) {
        const abut_bp_placed moved = entry[i];
        entry[i] = entry[to];
        entry[to] = moved;
        to += moved.at[axis] <= value;
    }
    return to;
}

/* Halfway between the least and the greatest coordinate, counted in floats. */
static float middle_of(const abut_bp_placed *entry, uint32_t first, uint32_t end, int axis) {
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = first; i < end; i++) {
        uint32_t at = abut_bits_ordered(entry[i].at[axis]);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return abut_bits_from_ordered(high - (high - low) / 2);
}

/* Moves entries so that none before `rank` is above one from `rank` on (Hoare, "Find", 1961). If samples are bad again
 * and again, which takes an order made to that end, the range of coordinates is halved instead: at most 32 times. */
static void cut(abut_bp_placed *entry, uint32_t first, uint32_t end, uint32_t rank, int axis) {
    uint64_t left = READ_MOST * (uint64_t)(end - first);
    while (first < rank) { /* and rank < end */
        uint32_t n = end - first;
        float pivot = left >= n ? pivot_of(entry, first, end, rank, axis) : middle_of(entry, first, end, axis);
        left -= left >= n ? n : 0;
        uint32_t middle = move_below(entry, first, end, axis, pivot);
        if (rank < middle) {
            end = middle;
        } else if (middle > first) {
            first = middle;
        } else { /* the pivot is the least */
            middle = move_equal(entry, first, end, axis, pivot);
            if (rank < middle) {
                return;
            }
            first = middle;
        }
    }
}

/* The boundary of the highest level inside the range that is nearest to its middle; 0: it lies in one node. */
static uint32_t boundary_in(uint32_t first, uint32_t end) {
    uint32_t differ = first ^ (end - 1);
    if (differ < 8) {
        return 0;
    }
    uint32_t bits = (ABUT_BIT_WIDTH(differ) - 1) / 3 * 3, size = UINT32_C(1) << bits;
    uint32_t boundary = (first + (end - first) / 2 + size / 2) >> bits << bits;
    /* The range extends by at most a node beyond the boundaries inside it: one of them is nearest to its middle. */
    assert(first < boundary && boundary < end);
    return boundary;
}

void abut_bp_order(abut_bp_placed *entry, uint32_t first, uint32_t end) {
    while (end > first) {
        uint32_t at = boundary_in(first, end);
        if (at == 0) {
            return;
        }
        cut(entry, first, end, at, widest_axis(entry, first, end));
        abut_bp_order(entry, first, at);
        first = at;
    }
}

/* --- on several workers --- */

/* Ranges that do not overlap: what becomes of one does not depend on the others. */
typedef struct range_list {
    abut_bp_placed *entry;
    uint32_t first[RANGES], end[RANGES];
    uint32_t at[RANGES]; /* where it has just been cut; 0: it was not */
    uint32_t count, longest;
} range_list;

static void cut_range(void *context, uint32_t block, uint32_t worker) {
    range_list *l = context;
    uint32_t first = l->first[block], end = l->end[block];
    (void)worker;
    l->at[block] = end - first > l->longest ? boundary_in(first, end) : 0;
    if (l->at[block] > 0) {
        cut(l->entry, first, end, l->at[block], widest_axis(l->entry, first, end));
    }
}

static void order_range(void *context, uint32_t block, uint32_t worker) {
    range_list *l = context;
    (void)worker;
    abut_bp_order(l->entry, l->first[block], l->end[block]);
}

void abut_bp_order_with(abut_bp_placed *entry, uint32_t first, uint32_t end, abut_workers *workers) {
    uint32_t n = end - first, before = 0;
    if (abut_workers_count(workers) < 2 || n < 2 * RANGE_LEAST) {
        abut_bp_order(entry, first, end);
        return;
    }
    range_list l = {.entry = entry, .first = {first}, .end = {end}, .count = 1};
    l.longest = n / (RANGES / 2) > RANGE_LEAST ? n / (RANGES / 2) : RANGE_LEAST;
    while (l.count > before && 2 * l.count <= RANGES) {
        before = l.count;
        abut_workers_loop(workers, before, cut_range, &l);
        for (uint32_t i = 0; i < before; i++) {
            if (l.at[i] > 0) {
                l.first[l.count] = l.at[i];
                l.end[l.count++] = l.end[i];
                l.end[i] = l.at[i];
            }
        }
    }
    abut_workers_loop(workers, l.count, order_range, &l);
}
