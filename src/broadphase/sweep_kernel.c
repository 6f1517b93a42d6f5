/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The loops of the sweep (sweep.c) and those around it, a vector of boxes at a time. */

#include "base/bits.h"
#include "broadphase/kernels.h"
#include "broadphase/wide_box.h"
#include <math.h>

/* There is never room for this many pairs, so counting stops here. */
static const size_t COUNT_MOST = SIZE_MAX / 4;

/* --- from boxes by key to copies --- */

/* Loads a vector of boxes, one key per lane: their lower and upper ends, by axis. */
static ABUT_INLINE void load_boxes(const abut_bp_box *box, const uint32_t *key, abut_vf min[3], abut_vf max[3]) {
    abut_vf low[4], high[4]; /* floats 0..3 and 2..5 of each box */
    abut_vf_load4(box, sizeof *box, key, low);
    abut_vf_load4(&box->min[2], sizeof *box, key, high);
    min[0] = low[0], min[1] = low[1], min[2] = low[2];
    max[0] = low[3], max[1] = high[2], max[2] = high[3];
}

static ABUT_INLINE abut_vf cell_of(const abut_bp_grid *grid, int k, abut_vf v) {
    abut_vf at = abut_vf_mul(abut_vf_sub(v, abut_vf_set(grid->origin[k])), abut_vf_set(grid->inverse[k]));
    return abut_vf_min(abut_vf_max(at, abut_vf_set(0)), abut_vf_set((float)(grid->cells[k] - 1)));
}

static void cells(const abut_bp_box *box, const uint32_t *key, uint32_t n, const abut_bp_grid *grid,
                  uint8_t *const cell[4]) {
    int one = (grid->axis + 1) % 3, two = (grid->axis + 2) % 3;
    for (uint32_t k = 0; k < n; k += ABUT_VF_LANES) {
        abut_vf min[3], max[3];
        uint32_t last[ABUT_VF_LANES];
        const uint32_t *from = key + k;
        if (n - k < ABUT_VF_LANES) {
            for (uint32_t l = 0; l < ABUT_VF_LANES; l++) {
                last[l] = key[k + l < n ? k + l : n - 1];
            }
            from = last;
        }
        load_boxes(box, from, min, max);
        abut_vf_store_bytes(cell[0] + k, cell_of(grid, 0, min[one]));
        abut_vf_store_bytes(cell[1] + k, cell_of(grid, 0, max[one]));
        abut_vf_store_bytes(cell[2] + k, cell_of(grid, 1, min[two]));
        abut_vf_store_bytes(cell[3] + k, cell_of(grid, 1, max[two]));
    }
    abut_lanes_done();
}

static void gather(const abut_bp_box *box, const abut_radix_item *order, uint32_t n, int axis, uint32_t first,
                   const abut_bp_copies *copies) {
    enum { AHEAD = 32 };
    uint32_t *key = copies->key + first;
    for (uint32_t k = 0; k < n; k++) {
        key[k] = order[k].value;
    }
    for (uint32_t k = n; k < n + ABUT_VF_LANES; k++) {
        key[k] = key[n - 1];
    }
    for (uint32_t k = 0; k < n; k += ABUT_VF_LANES) {
        abut_vf min[3], max[3];
        for (uint32_t l = 0; l < ABUT_VF_LANES && k + AHEAD + l < n; l++) {
            ABUT_PREFETCH(&box[key[k + AHEAD + l]]);
        }
        load_boxes(box, key + k, min, max);
        for (int i = 0; i < 3; i++) {
            int from = (axis + i) % 3;
            abut_vf_store(copies->min[i] + first + k, min[from]);
            abut_vf_store(copies->max[i] + first + k, max[from]);
        }
    }
    abut_vf_store(copies->min[0] + first + n, abut_vf_set(INFINITY));
    abut_lanes_done();
}

/* --- one box against those that follow it --- */

/* Which of the copies at, at + 1, ... touch the box across the sweep axis and make a pair that the column owns, by
 * lane. */
static ABUT_INLINE abut_mf touching_across(const abut_bp_copies *c, const abut_vf low[2], const abut_bp_wide_box *box,
                                           uint32_t at) {
    abut_mf across =
        abut_mf_and(abut_bp_overlapping(c->min, c->max, at, box, 1), abut_bp_overlapping(c->min, c->max, at, box, 2));
    return abut_mf_and(abut_bp_owned(c, at, box, low), across);
}

static ABUT_INLINE abut_mf lanes_left(uint32_t n) {
    return abut_mf_first(n < ABUT_VF_LANES ? n : ABUT_VF_LANES);
}

/* Leaves only those of the first n pairs whose keys make a pair; returns how many. */
static ABUT_INLINE uint32_t keep_asked(const abut_bp_who *who, abut_bp_pair *pair, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        pair[kept] = pair[k];
        kept += abut_bp_may_pair(who, pair[k].low, pair[k].high);
    }
    return kept;
}

/* Writes the pairs of box i with those of the boxes from .. end - 1 that begin within it along the sweep axis; returns
 * where the next pair goes. `guarded`: the element at `end` begins after every box, so that the loop needs no check for
 * the end. `who`: NULL, or whom to ask which keys make a pair. */
static ABUT_INLINE abut_bp_pair *scan(const abut_bp_copies *c, const abut_vf low[2], uint32_t i, uint32_t from,
                                      uint32_t end, bool guarded, const abut_bp_who *who, abut_bp_pair *to,
                                      uint64_t *tests) {
    const abut_bp_wide_box box = abut_bp_wide_copy(c, i);
    uint32_t key = c->key[i];
    for (uint32_t j = from; j < end; j += ABUT_VF_LANES) {
        abut_mf begun = abut_vf_le(abut_vf_load(c->min[0] + j), box.max[0]);
        begun = guarded ? begun : abut_mf_and(begun, lanes_left(end - j));
        uint32_t n = abut_lanes_pairs(key, c->key + j, abut_mf_and(begun, touching_across(c, low, &box, j)), &to->low);
        to += who ? keep_asked(who, to, n) : n;
        uint32_t begun_count = abut_mf_count(begun);
        *tests += begun_count;
        if (begun_count < ABUT_VF_LANES) {
            break;
        }
    }
    return to;
}

static ABUT_INLINE bool has_room(const abut_bp_sink *sink, uint32_t most) {
    return sink->count < sink->capacity && sink->capacity - sink->count >= most;
}

/* The same if there may be no room: writes the pairs that fit, and counts all. */
static void scan_checked(const abut_bp_column *column, uint32_t i, uint32_t from, uint32_t end, const abut_bp_who *who,
                         abut_bp_sink *sink) {
    enum { PART = 64 };
    const abut_bp_copies *c = column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    abut_bp_pair some[PART + ABUT_VF_LANES];
    for (uint32_t j = from; j < end; j += PART) {
        uint32_t stop = end - j < PART ? end : j + PART;
        size_t n = (size_t)(scan(c, low, i, j, stop, false, who, some, &sink->tests) - some);
        size_t room = sink->count < sink->capacity ? sink->capacity - sink->count : 0;
        memcpy(sink->pair + (room > 0 ? sink->count : 0), some, (n < room ? n : room) * sizeof *some);
        sink->count = sink->count < COUNT_MOST ? sink->count + n : COUNT_MOST;
        if (c->min[0][stop - 1] > c->max[0][i]) {
            break;
        }
    }
}

static ABUT_INLINE void sweep_span(const abut_bp_column *column, abut_bp_span span, bool guarded,
                                   const abut_bp_who *who, abut_bp_sink *sink) {
    const abut_bp_copies c = *column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    uint32_t i = span.first;
    uint64_t tests = 0;
    if (sink->count < sink->capacity) {
        abut_bp_pair *to = sink->pair + sink->count;
        const abut_bp_pair *end = sink->pair + sink->capacity;
        for (; i < span.end && end - to >= (ptrdiff_t)(span.end - i); i++) {
            to = scan(&c, low, i, i + 1, span.end, guarded, who, to, &tests);
        }
        sink->count = (size_t)(to - sink->pair);
    }
    sink->tests += tests;
    for (; i < span.end; i++) {
        scan_checked(column, i, i + 1, span.end, who, sink);
    }
    abut_lanes_done();
}

static void sweep(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink) {
    sweep_span(column, span, true, NULL, sink);
}

static void sweep_part(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink) {
    if (column->ask) {
        sweep_span(column, span, false, &column->who, sink);
    } else {
        sweep_span(column, span, false, NULL, sink);
    }
}

/* Finds the pairs of box i of one span with boxes j .. end - 1 of the other. */
static ABUT_INLINE void scan_other(const abut_bp_column *column, const abut_bp_copies *c, const abut_vf low[2],
                                   uint32_t i, uint32_t j, uint32_t end, const abut_bp_who *who, abut_bp_sink *sink) {
    if (has_room(sink, end - j)) {
        abut_bp_pair *to = sink->pair + sink->count;
        sink->count += (size_t)(scan(c, low, i, j, end, false, who, to, &sink->tests) - to);
    } else {
        scan_checked(column, i, j, end, who, sink);
    }
}

/* If two boxes begin at the same coordinate, only the one of `a` scans, so their pair is found once. */
static ABUT_INLINE void cross_spans(const abut_bp_column *column, abut_bp_span a, abut_bp_span b,
                                    const abut_bp_who *who, abut_bp_sink *sink) {
    const abut_bp_copies c = *column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    const float *begin = c.min[0];
    abut_bp_sink out = *sink;
    for (uint32_t i = a.first, j = b.first; i < a.end && j < b.end;) {
        if (begin[i] <= begin[j]) {
            scan_other(column, &c, low, i, j, b.end, who, &out);
            i++;
        } else {
            scan_other(column, &c, low, j, i, a.end, who, &out);
            j++;
        }
    }
    *sink = out;
    abut_lanes_done();
}

static void cross(const abut_bp_column *column, abut_bp_span a, abut_bp_span b, abut_bp_sink *sink) {
    if (column->ask) {
        cross_spans(column, a, b, &column->who, sink);
    } else {
        cross_spans(column, a, b, NULL, sink);
    }
}

/* --- active boxes against resting ones --- */

/* Pairs of box i with boxes from .. end - 1. */
static ABUT_INLINE void scan_resting(const abut_bp_copies *c, const abut_vf low[2], uint32_t i,
                                     const abut_bp_wide_box *box, uint32_t from, uint32_t end, const abut_bp_who *who,
                                     abut_bp_sink *sink) {
    uint32_t key = c->key[i];
    float last = c->max[0][i];
    sink->tests += end - from;
    for (uint32_t j = from; j < end && c->min[0][j] <= last; j += ABUT_VF_LANES) {
        abut_mf along = abut_bp_overlapping(c->min, c->max, j, box, 0);
        abut_mf hit = abut_mf_and(abut_mf_and(along, lanes_left(end - j)), touching_across(c, low, box, j));
        for (uint32_t bits = abut_mf_bits(hit); bits; bits &= bits - 1) {
            uint32_t other = c->key[j + ABUT_LOWEST_BIT(bits)];
            if (who->role[other] & ABUT_BP_RESTING && abut_bp_may_pair(who, key, other)) {
                abut_bp_pair *to = sink->pair + (sink->count < sink->capacity ? sink->count : sink->capacity);
                *to = key < other ? (abut_bp_pair){key, other} : (abut_bp_pair){other, key};
                sink->count += sink->count < COUNT_MOST;
            }
        }
    }
}

static void cross_resting(const abut_bp_column *column, abut_bp_span active, abut_bp_span resting,
                          const abut_bp_superblocks *superblocks, abut_bp_sink *sink) {
    enum { EACH = ABUT_BP_SUPERBLOCK };
    const abut_bp_copies c = *column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    uint32_t first = resting.first / EACH, end = (resting.end + EACH - 1) / EACH;
    abut_bp_sink out = *sink;
    for (uint32_t i = active.first; i < active.end && resting.first < resting.end; i++) {
        const abut_bp_wide_box box = abut_bp_wide_copy(&c, i);
        for (uint32_t b = first; b < end; b += ABUT_VF_LANES) {
            abut_mf touching = abut_bp_touching(superblocks->min, superblocks->max, b, &box);
            uint32_t bits = abut_mf_bits(abut_mf_and(touching, lanes_left(end - b)));
            for (; bits; bits &= bits - 1) {
                uint32_t from = (b + ABUT_LOWEST_BIT(bits)) * EACH, to = from + EACH;
                scan_resting(&c, low, i, &box, from < resting.first ? resting.first : from,
                             to > resting.end ? resting.end : to, &column->who, &out);
            }
        }
    }
    *sink = out;
    abut_lanes_done();
}

/* --- superblocks --- */

static ABUT_INLINE abut_vf least_of(const abut_vf v[8]) {
    abut_vf a = abut_vf_min(abut_vf_min(v[0], v[1]), abut_vf_min(v[2], v[3]));
    return abut_vf_min(a, abut_vf_min(abut_vf_min(v[4], v[5]), abut_vf_min(v[6], v[7])));
}

static ABUT_INLINE abut_vf greatest_of(const abut_vf v[8]) {
    abut_vf a = abut_vf_max(abut_vf_max(v[0], v[1]), abut_vf_max(v[2], v[3]));
    return abut_vf_max(a, abut_vf_max(abut_vf_max(v[4], v[5]), abut_vf_max(v[6], v[7])));
}

/* Lane l of v[k] becomes element `from` + k of superblock[l]. */
static ABUT_INLINE void load_eight(const float *value, uint32_t from, const uint32_t *superblock, abut_vf v[8]) {
    const size_t stride = ABUT_BP_SUPERBLOCK * sizeof *value;
    abut_vf_load4(value + from, stride, superblock, v);
    abut_vf_load4(value + from + 4, stride, superblock, v + 4);
}

static void enclose(const abut_bp_copies *copies, uint32_t n, const abut_bp_superblocks *superblocks) {
    for (uint32_t k = 0; k < n; k += ABUT_VF_LANES) {
        uint32_t superblock[ABUT_VF_LANES];
        for (uint32_t l = 0; l < ABUT_VF_LANES; l++) {
            superblock[l] = k + l < n ? k + l : n - 1;
        }
        for (int axis = 0; axis < 3; axis++) {
            abut_vf min = abut_vf_set(INFINITY), max = abut_vf_set(-INFINITY), v[8];
            for (uint32_t from = 0; from < ABUT_BP_SUPERBLOCK; from += 8) {
                load_eight(copies->min[axis], from, superblock, v);
                min = abut_vf_min(least_of(v), min);
                load_eight(copies->max[axis], from, superblock, v);
                max = abut_vf_max(greatest_of(v), max);
            }
            abut_vf_store(superblocks->min[axis] + k, min);
            abut_vf_store(superblocks->max[axis] + k, max);
        }
    }
    abut_lanes_done();
}

const abut_bp_kernels ABUT_KERNEL(abut_bp_kernels) = {.cells = cells,
                                                      .gather = gather,
                                                      .sweep = sweep,
                                                      .sweep_part = sweep_part,
                                                      .cross = cross,
                                                      .cross_resting = cross_resting,
                                                      .enclose = enclose};
