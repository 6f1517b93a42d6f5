/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The sweep itself, as many boxes at a time as there are lanes. */

#include "base/bits.h"
#include "base/lanes/lanes.h"
#include "broadphase/kernels.h"
#include <math.h>

/* Nobody has room for so many pairs, so from there on they need not be counted. */
static const size_t COUNT_MOST = SIZE_MAX / 4;

/* --- from rows to columns --- */

/* Lower and upper ends of the boxes of so many keys, by axis. */
static ABUT_INLINE void load_boxes(const abut_bp_box *box, const uint32_t *key, abut_vf min[3], abut_vf max[3]) {
    abut_vf low[4], high[4]; /* floats 0..3 and 2..5 of each row */
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

/* A box in all lanes. */
typedef struct probe {
    abut_vf end, min[2], max[2];
    uint32_t key;
} probe;

static ABUT_INLINE probe probe_of(const abut_bp_copies *c, uint32_t at) {
    return (probe){.end = abut_vf_set(c->max[0][at]),
                   .min = {abut_vf_set(c->min[1][at]), abut_vf_set(c->min[2][at])},
                   .max = {abut_vf_set(c->max[1][at]), abut_vf_set(c->max[2][at])},
                   .key = c->key[at]};
}

/* Which of the boxes from place `at` on touch the probe across the sweep axis, with a shared lower corner that is the
 * column's own. */
static ABUT_INLINE abut_mf touching(const abut_bp_copies *c, const abut_vf low[2], const probe *p, uint32_t at) {
    abut_vf min1 = abut_vf_load(c->min[1] + at), min2 = abut_vf_load(c->min[2] + at);
    abut_vf max1 = abut_vf_load(c->max[1] + at), max2 = abut_vf_load(c->max[2] + at);
    abut_mf one = abut_mf_and(abut_vf_le(min1, p->max[0]), abut_vf_le(p->min[0], max1));
    abut_mf two = abut_mf_and(abut_vf_le(min2, p->max[1]), abut_vf_le(p->min[1], max2));
    abut_mf owned =
        abut_mf_and(abut_vf_le(low[0], abut_vf_max(min1, p->min[0])), abut_vf_le(low[1], abut_vf_max(min2, p->min[1])));
    return abut_mf_and(owned, abut_mf_and(one, two));
}

static ABUT_INLINE abut_mf lanes_left(uint32_t n) {
    return abut_mf_first(n < ABUT_VF_LANES ? n : ABUT_VF_LANES);
}

/* Writes the pairs of the box at place i with those of places from .. end - 1 that begin within it; returns where the
 * next pair goes. `guarded`: what begins at `end` begins later than everything. */
static ABUT_INLINE abut_bp_pair *scan(const abut_bp_copies *c, const abut_vf low[2], uint32_t i, uint32_t from,
                                      uint32_t end, bool guarded, abut_bp_pair *to, uint64_t *tests) {
    probe p = probe_of(c, i);
    for (uint32_t j = from; j < end; j += ABUT_VF_LANES) {
        abut_mf begun = abut_vf_le(abut_vf_load(c->min[0] + j), p.end);
        begun = guarded ? begun : abut_mf_and(begun, lanes_left(end - j));
        to += abut_lanes_pairs(p.key, c->key + j, abut_mf_and(begun, touching(c, low, &p, j)), &to->low);
        uint32_t in = abut_mf_count(begun);
        *tests += in;
        if (in < ABUT_VF_LANES) {
            break;
        }
    }
    return to;
}

static ABUT_INLINE bool has_room(const abut_bp_sink *sink, uint32_t most) {
    return sink->count < sink->capacity && sink->capacity - sink->count >= most;
}

/* The same where there may be no room: pairs that fit are kept, all are counted. */
static void scan_carefully(const abut_bp_copies *c, const float corner[2], uint32_t i, uint32_t from, uint32_t end,
                           abut_bp_sink *sink) {
    enum { PART = 64 };
    const abut_vf low[2] = {abut_vf_set(corner[0]), abut_vf_set(corner[1])};
    abut_bp_pair some[PART + ABUT_VF_LANES];
    for (uint32_t j = from; j < end; j += PART) {
        uint32_t stop = end - j < PART ? end : j + PART;
        size_t n = (size_t)(scan(c, low, i, j, stop, false, some, &sink->tests) - some);
        size_t room = sink->count < sink->capacity ? sink->capacity - sink->count : 0;
        memcpy(sink->pair + (room > 0 ? sink->count : 0), some, (n < room ? n : room) * sizeof *some);
        sink->count = sink->count < COUNT_MOST ? sink->count + n : COUNT_MOST;
        if (c->min[0][stop - 1] > c->max[0][i]) {
            break;
        }
    }
}

static ABUT_INLINE void sweep(const abut_bp_column *column, abut_bp_span span, bool guarded, abut_bp_sink *sink) {
    const abut_bp_copies c = *column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    uint32_t i = span.first;
    uint64_t tests = 0;
    if (sink->count < sink->capacity) {
        abut_bp_pair *to = sink->pair + sink->count;
        const abut_bp_pair *end = sink->pair + sink->capacity;
        for (; i < span.end && end - to >= (ptrdiff_t)(span.end - i); i++) {
            to = scan(&c, low, i, i + 1, span.end, guarded, to, &tests);
        }
        sink->count = (size_t)(to - sink->pair);
    }
    sink->tests += tests;
    for (; i < span.end; i++) {
        scan_carefully(&c, column->low, i, i + 1, span.end, sink);
    }
    abut_lanes_done();
}

static void whole(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink) {
    sweep(column, span, true, sink);
}

static void within(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink) {
    sweep(column, span, false, sink);
}

/* Pairs box i of one span with those of the other from place j on. */
static ABUT_INLINE void scan_other(const abut_bp_column *column, const abut_bp_copies *c, const abut_vf low[2],
                                   uint32_t i, uint32_t j, uint32_t end, abut_bp_sink *sink) {
    if (has_room(sink, end - j)) {
        abut_bp_pair *to = sink->pair + sink->count;
        sink->count += (size_t)(scan(c, low, i, j, end, false, to, &sink->tests) - to);
    } else {
        scan_carefully(c, column->low, i, j, end, sink);
    }
}

/* Where two begin together, only that of `a` looks. */
static void between(const abut_bp_column *column, abut_bp_span a, abut_bp_span b, abut_bp_sink *sink) {
    const abut_bp_copies c = *column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    const float *begin = c.min[0];
    abut_bp_sink out = *sink;
    for (uint32_t i = a.first, j = b.first; i < a.end && j < b.end;) {
        if (begin[i] <= begin[j]) {
            scan_other(column, &c, low, i, j, b.end, &out);
            i++;
        } else {
            scan_other(column, &c, low, j, i, a.end, &out);
            j++;
        }
    }
    *sink = out;
    abut_lanes_done();
}

/* --- few boxes against many that rest --- */

/* Which of the blocks from number `at` on touch the box at place i. */
static ABUT_INLINE abut_mf blocks_touching(const abut_bp_blocks *blocks, uint32_t at, const abut_bp_copies *c,
                                           uint32_t i) {
    abut_mf all = abut_vf_le(abut_vf_load(blocks->min[0] + at), abut_vf_set(c->max[0][i]));
    all = abut_mf_and(all, abut_vf_le(abut_vf_set(c->min[0][i]), abut_vf_load(blocks->max[0] + at)));
    for (int axis = 1; axis < 3; axis++) {
        all = abut_mf_and(all, abut_vf_le(abut_vf_load(blocks->min[axis] + at), abut_vf_set(c->max[axis][i])));
        all = abut_mf_and(all, abut_vf_le(abut_vf_set(c->min[axis][i]), abut_vf_load(blocks->max[axis] + at)));
    }
    return all;
}

/* Pairs the box at place i with those of places from .. end - 1. */
static ABUT_INLINE void probe_all(const abut_bp_copies *c, const abut_vf low[2], uint32_t i, const probe *p,
                                  uint32_t from, uint32_t end, const uint8_t *role, abut_bp_sink *sink) {
    abut_vf begin = abut_vf_set(c->min[0][i]);
    uint8_t is_static = role[p->key] & ABUT_BP_STATIC;
    float last = c->max[0][i];
    sink->tests += end - from;
    for (uint32_t j = from; j < end && c->min[0][j] <= last; j += ABUT_VF_LANES) {
        abut_mf along = abut_mf_and(abut_vf_le(abut_vf_load(c->min[0] + j), p->end),
                                    abut_vf_le(begin, abut_vf_load(c->max[0] + j)));
        abut_mf hit = abut_mf_and(abut_mf_and(along, lanes_left(end - j)), touching(c, low, p, j));
        for (uint32_t bits = abut_mf_bits(hit); bits; bits &= bits - 1) {
            uint32_t other = c->key[j + ABUT_LOWEST_BIT(bits)];
            if (role[other] & ABUT_BP_RESTING && !(role[other] & is_static)) {
                abut_bp_pair *to = sink->pair + (sink->count < sink->capacity ? sink->count : sink->capacity);
                *to = p->key < other ? (abut_bp_pair){p->key, other} : (abut_bp_pair){other, p->key};
                sink->count += sink->count < COUNT_MOST;
            }
        }
    }
}

static void among(const abut_bp_column *column, abut_bp_span few, abut_bp_span many, const abut_bp_blocks *superblocks,
                  const uint8_t *role, abut_bp_sink *sink) {
    const abut_bp_copies c = *column->copies;
    const abut_vf low[2] = {abut_vf_set(column->low[0]), abut_vf_set(column->low[1])};
    uint32_t first = many.first / ABUT_BP_SUPERBLOCK, end = (many.end + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK;
    abut_bp_sink out = *sink;
    for (uint32_t i = few.first; i < few.end && many.first < many.end; i++) {
        probe p = probe_of(&c, i);
        for (uint32_t b = first; b < end; b += ABUT_VF_LANES) {
            uint32_t bits = abut_mf_bits(abut_mf_and(blocks_touching(superblocks, b, &c, i), lanes_left(end - b)));
            for (; bits; bits &= bits - 1) {
                uint32_t from = (b + ABUT_LOWEST_BIT(bits)) * ABUT_BP_SUPERBLOCK, to = from + ABUT_BP_SUPERBLOCK;
                probe_all(&c, low, i, &p, from < many.first ? many.first : from, to > many.end ? many.end : to, role,
                          &out);
            }
        }
    }
    *sink = out;
    abut_lanes_done();
}

/* --- boxes round neighbours --- */

static ABUT_INLINE abut_vf least_of(const abut_vf v[8]) {
    abut_vf a = abut_vf_min(abut_vf_min(v[0], v[1]), abut_vf_min(v[2], v[3]));
    return abut_vf_min(a, abut_vf_min(abut_vf_min(v[4], v[5]), abut_vf_min(v[6], v[7])));
}

static ABUT_INLINE abut_vf greatest_of(const abut_vf v[8]) {
    abut_vf a = abut_vf_max(abut_vf_max(v[0], v[1]), abut_vf_max(v[2], v[3]));
    return abut_vf_max(a, abut_vf_max(abut_vf_max(v[4], v[5]), abut_vf_max(v[6], v[7])));
}

/* Lane l is element k of the eight of block[l], k = 0 .. 7. */
static ABUT_INLINE void load_blocks(const float *value, const uint32_t *block, abut_vf v[8]) {
    const size_t stride = ABUT_BP_BLOCK * sizeof *value;
    abut_vf_load4(value, stride, block, v);
    abut_vf_load4(value + 4, stride, block, v + 4);
}

static void enclose(const abut_bp_blocks *boxes, uint32_t first, uint32_t n, const abut_bp_blocks *out) {
    _Static_assert(ABUT_BP_BLOCK == 8, "as many as are loaded");
    for (uint32_t k = 0; k < n; k += ABUT_VF_LANES) {
        uint32_t block[ABUT_VF_LANES];
        for (uint32_t l = 0; l < ABUT_VF_LANES; l++) {
            block[l] = first + (k + l < n ? k + l : n - 1);
        }
        for (int axis = 0; axis < 3; axis++) {
            abut_vf v[8];
            load_blocks(boxes->min[axis], block, v);
            abut_vf_store(out->min[axis] + first + k, least_of(v));
            load_blocks(boxes->max[axis], block, v);
            abut_vf_store(out->max[axis] + first + k, greatest_of(v));
        }
    }
    abut_lanes_done();
}

static void enclose_keys(const abut_bp_box *box, const uint32_t *key, uint32_t n, const abut_bp_blocks *out) {
    enum { EACH = ABUT_BP_BLOCK };
    for (uint32_t k = 0; k < n; k += ABUT_VF_LANES) {
        abut_vf min[3], max[3];
        min[0] = min[1] = min[2] = abut_vf_set(INFINITY);
        max[0] = max[1] = max[2] = abut_vf_set(-INFINITY);
        for (uint32_t i = 0; i < EACH; i++) {
            uint32_t some[ABUT_VF_LANES];
            abut_vf low[3], high[3];
            for (uint32_t l = 0; l < ABUT_VF_LANES; l++) {
                some[l] = key[(k + l < n ? k + l : n - 1) * EACH + i];
            }
            load_boxes(box, some, low, high);
            for (int axis = 0; axis < 3; axis++) {
                min[axis] = abut_vf_min(min[axis], low[axis]);
                max[axis] = abut_vf_max(max[axis], high[axis]);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            abut_vf_store(out->min[axis] + k, min[axis]);
            abut_vf_store(out->max[axis] + k, max[axis]);
        }
    }
    abut_lanes_done();
}

const abut_bp_kernels ABUT_KERNEL(abut_bp_kernels) = {.cells = cells,
                                                      .gather = gather,
                                                      .whole = whole,
                                                      .within = within,
                                                      .between = between,
                                                      .among = among,
                                                      .enclose = enclose,
                                                      .enclose_keys = enclose_keys,
                                                      .meeting = ABUT_KERNEL(abut_bp_meeting)};
