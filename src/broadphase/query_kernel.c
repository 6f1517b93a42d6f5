/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A query against a span of copies: superblocks, then the blocks of those that it touches, then their copies. */

#include "broadphase/kernels.h"
#include "broadphase/wide_box.h"

enum { BLOCK = ABUT_BP_BLOCK, SUPERBLOCK = ABUT_BP_SUPERBLOCK };

/* Copies that are tested together, from a block's first copy on: a wide vector also holds those of the next block. */
enum { TOGETHER = (int)ABUT_VF_LANES > BLOCK ? (int)ABUT_VF_LANES : BLOCK };

static ABUT_INLINE abut_bp_wide_box widen(const abut_bp_box *box) {
    abut_bp_wide_box wide;
    for (int axis = 0; axis < 3; axis++) {
        wide.min[axis] = abut_vf_set(box->min[axis]);
        wide.max[axis] = abut_vf_set(box->max[axis]);
    }
    return wide;
}

/* Which of the boxes at .. end - 1, at most 32, touch the box; one bit each. */
static ABUT_INLINE uint32_t touching(float *const min[3], float *const max[3], uint32_t at, uint32_t end,
                                     const abut_bp_wide_box *box) {
    uint32_t bits = 0, n = end - at;
    for (uint32_t k = 0; k < n; k += ABUT_VF_LANES) {
        bits |= abut_mf_bits(abut_bp_touching(min, max, at + k, box)) << k;
    }
    return bits & (uint32_t)((UINT64_C(1) << n) - 1);
}

/* Writes the keys of copies from .. end - 1, at most TOGETHER, that touch the box; returns how many. */
static ABUT_INLINE uint32_t list_copies(const abut_bp *bp, const abut_bp_wide_box *box, const abut_vf low[2],
                                        uint8_t role, uint32_t from, uint32_t end, uint32_t *key) {
    uint32_t n = 0, bits = touching(bp->copies.min, bp->copies.max, from, end, box);
    if (bits) {
        uint32_t own = 0;
        for (uint32_t k = 0; k < end - from; k += ABUT_VF_LANES) {
            own |= abut_mf_bits(abut_bp_owned(&bp->copies, from + k, box, low)) << k;
        }
        for (bits &= own; bits; bits &= bits - 1) {
            key[n] = bp->copies.key[from + ABUT_LOWEST_BIT(bits)];
            n += (bp->role[key[n]] & role) != 0;
        }
    }
    return n;
}

static ABUT_INLINE uint32_t list_superblock(const abut_bp *bp, const abut_bp_wide_box *box, const abut_vf low[2],
                                            uint8_t role, abut_bp_span span, uint32_t *key) {
    const uint32_t done = (UINT32_C(1) << TOGETHER / BLOCK) - 1;
    uint32_t n = 0, first = span.first / BLOCK, end = (span.end + BLOCK - 1) / BLOCK;
    uint32_t bits = touching(bp->blocks.min, bp->blocks.max, first, end, box);
    while (bits) {
        uint32_t at = ABUT_LOWEST_BIT(bits), from = (first + at) * BLOCK, to = from + TOGETHER;
        n += list_copies(bp, box, low, role, from < span.first ? span.first : from, to > span.end ? span.end : to,
                         key + n);
        bits &= ~(done << at);
    }
    return n;
}

/* The copies of a superblock that are in the span. */
static inline abut_bp_span part_of(abut_bp_span span, uint32_t superblock) {
    uint32_t from = superblock * SUPERBLOCK, to = from + SUPERBLOCK;
    return (abut_bp_span){from < span.first ? span.first : from, to > span.end ? span.end : to};
}

uint32_t ABUT_KERNEL(abut_bp_query_span)(const abut_bp *bp, abut_bp_query *query, uint32_t *key, uint32_t room) {
    const abut_bp_wide_box box = widen(&query->box);
    const abut_vf low[2] = {abut_vf_set(query->low[0]), abut_vf_set(query->low[1])};
    const abut_bp_span span = query->left;
    uint32_t n = 0, end = (span.end + SUPERBLOCK - 1) / SUPERBLOCK;
    query->left.first = span.end;
    for (uint32_t s = span.first / SUPERBLOCK; s < end; s += ABUT_VF_LANES) {
        uint32_t left = end - s < ABUT_VF_LANES ? end - s : ABUT_VF_LANES;
        uint32_t bits = touching(bp->superblocks.min, bp->superblocks.max, s, s + left, &box);
        for (; bits; bits &= bits - 1) {
            abut_bp_span part = part_of(span, s + ABUT_LOWEST_BIT(bits));
            if (room - n < ABUT_BP_QUERY_ROOM) {
                query->left.first = part.first;
                abut_lanes_done();
                return n;
            }
            n += list_superblock(bp, &box, low, query->role, part, key + n);
        }
    }
    abut_lanes_done();
    return n;
}
