/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "broadphase/index/curve.h"
#include "broadphase/kernels.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Keys are sorted by the rough size of their boxes, so that a large box does not enlarge blocks of small ones; keys of
 * similar size are in the order of Hilbert's curve. Entries never change: when the box of a key changes, the key's
 * entry becomes invalid. */

enum {
    SIZE_CLASSES = 4,
    DIGIT_BITS = 12, /* bits; the number to sort by has two digits */
    SAMPLE = 128,    /* keys from which the scale is chosen */
    TAIL = 32        /* at each end, 1 / TAIL of the sample is left out */
};
static const uint32_t NONE = UINT32_MAX; /* instead of a number: this key is not listed */

/* How a box becomes the number that its key is sorted by. */
typedef struct scale {
    abut_bp_curve curve;
    float low[3], inverse;         /* of the sum of both ends, which is twice the middle */
    float large[SIZE_CLASSES - 1]; /* limits between classes of size */
} scale;

static float quantile(const float *value, uint32_t n, uint32_t at) {
    abut_radix_item item[SAMPLE], spare[SAMPLE];
    for (uint32_t i = 0; i < n; i++) {
        item[i] = (abut_radix_item){abut_bits_ordered(value[i]), i};
    }
    abut_radix_sort(item, spare, n);
    return value[item[at].value];
}

static float size_of(const abut_bp_box *box) {
    float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
    return abut_max_f(abut_max_f(x, y), z);
}

/* Writes the keys of a sample; returns how many. They are scattered, because boxes are often created in some spatial
 * order. A key may come twice. */
static uint32_t take_sample(const abut_bp *bp, const uint32_t *number, uint32_t *key) {
    uint32_t n = 0, turn = 0;
    for (uint32_t i = 0; i < SAMPLE; i++, turn += 0x9e3779b9u) {
        uint32_t at = (uint32_t)((uint64_t)turn * bp->key_end >> 32);
        key[n] = at;
        n += number[at] != NONE;
    }
    return n;
}

/* A few boxes far away from all others must not make the others share one cell, so the outermost boxes of the sample
 * are left out. */
static void choose_scale(const abut_bp *bp, const uint32_t *number, scale *s) {
    uint32_t key[SAMPLE], n = take_sample(bp, number, key);
    float value[SAMPLE], widest = 0;
    memset(s->low, 0, sizeof s->low);
    for (int axis = 0; axis < 3 && n > 0; axis++) {
        for (uint32_t i = 0; i < n; i++) {
            value[i] = bp->box[key[i]].min[axis] + bp->box[key[i]].max[axis];
        }
        float low = quantile(value, n, n / TAIL), high = quantile(value, n, n - 1 - n / TAIL);
        float more = (high - low) * (2.0f / TAIL);
        s->low[axis] = low - more;
        widest = abut_max_f(widest, high - low + 2 * more);
    }
    for (uint32_t i = 0; i < n; i++) {
        value[i] = size_of(&bp->box[key[i]]);
    }
    float middle = n > 0 ? quantile(value, n, n / 2) : 0;
    for (int k = 0; k < SIZE_CLASSES - 1; k++) {
        s->large[k] = middle * (float)(2 << k);
    }
    s->inverse = widest > 0x1p-60f ? (float)(1 << ABUT_BP_CURVE_BITS) / widest : 0;
}

static inline uint32_t cell_of(const scale *s, int axis, const abut_bp_box *box) {
    float at = (box->min[axis] + box->max[axis] - s->low[axis]) * s->inverse, last = (1 << ABUT_BP_CURVE_BITS) - 1;
    at = at > 0 ? at : 0;
    return (uint32_t)(int32_t)(at < last ? at : last);
}

static inline uint32_t number_of(const scale *s, const abut_bp_box *box) {
    uint32_t at = abut_bp_curve_at(&s->curve, cell_of(s, 0, box), cell_of(s, 1, box), cell_of(s, 2, box));
    float size = size_of(box);
    uint32_t sizes = (uint32_t)(size > s->large[0]) + (size > s->large[1]) + (size > s->large[2]);
    return sizes << (2 * DIGIT_BITS - 2) | at >> 2;
}

/* Replaces the numbers, which are by key, by the keys in the order of their numbers: a radix sort through the scratch
 * memory. `table` has the counts of both digits. */
static void sort_keys(const abut_bp *bp, uint32_t table[2][1 << DIGIT_BITS], uint32_t *number) {
    uint32_t mask = (1 << DIGIT_BITS) - 1, n = bp->index.count;
    abut_radix_item *spare = bp->scratch;
    (void)abut_radix_starts(table[0], (size_t)1 << DIGIT_BITS);
    (void)abut_radix_starts(table[1], (size_t)1 << DIGIT_BITS);
    for (uint32_t key = 0; key < bp->key_end; key++) {
        if (number[key] != NONE) {
            spare[table[0][number[key] & mask]++] = (abut_radix_item){number[key], key};
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        number[table[1][spare[i].key >> DIGIT_BITS]++] = spare[i].value;
    }
}

/* Decides which keys are listed: sets their numbers to 0, and those of others to NONE. */
static void choose_listed(abut_bp *bp, const uint8_t *flags, uint8_t without, uint32_t *number) {
    abut_bp_index *index = &bp->index;
    memset(index->listed, 0, ((size_t)bp->key_end + 63) / 64 * sizeof *index->listed);
    index->count = 0;
    for (uint32_t key = 0; key < bp->key_end; key++) {
        bool listed = bp->role[key] != ABUT_BP_ABSENT && !(flags[key] & without);
        number[key] = listed ? 0 : NONE;
        index->listed[key / 64] |= (uint64_t)listed << key % 64;
        index->count += listed;
    }
    index->listed_count = index->count;
}

/* Repeats the last key to the end of its superblock. */
static void repeat_last(abut_bp_index *index) {
    uint32_t end = (index->count + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK * ABUT_BP_SUPERBLOCK;
    for (uint32_t i = index->count; i < end; i++) {
        index->key[i] = index->key[index->count - 1];
    }
}

void abut_bp_index_make(abut_bp *bp, const uint8_t *flags, uint8_t without) {
    abut_bp_index *index = &bp->index;
    uint32_t *number = index->key;
    uint32_t table[2][1 << DIGIT_BITS], mask = (1 << DIGIT_BITS) - 1;
    scale s;
    choose_listed(bp, flags, without, number);
    if (index->count == 0) {
        return;
    }
    choose_scale(bp, number, &s);
    abut_bp_curve_make(&s.curve);
    memset(table, 0, sizeof table);
    for (uint32_t key = 0; key < bp->key_end; key++) {
        if (number[key] != NONE) {
            uint32_t value = number[key] = number_of(&s, &bp->box[key]);
            table[0][value & mask]++;
            table[1][value >> DIGIT_BITS]++;
        }
    }
    sort_keys(bp, table, number);
    repeat_last(index);
    uint32_t supers = (index->count + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK;
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    kernels->enclose_keys(bp->box, index->key, supers * (ABUT_BP_SUPERBLOCK / ABUT_BP_BLOCK), &index->blocks);
    kernels->enclose(&index->blocks, 0, supers, &index->superblocks);
}

void abut_bp_index_enclose(abut_bp *bp, uint32_t entry, const abut_bp_box *box) {
    const abut_bp_blocks *around[2] = {&bp->index.blocks, &bp->index.superblocks};
    const uint32_t at[2] = {entry / ABUT_BP_BLOCK, entry / ABUT_BP_SUPERBLOCK};
    for (int k = 0; k < 2; k++) {
        for (int axis = 0; axis < 3; axis++) {
            float *min = &around[k]->min[axis][at[k]], *max = &around[k]->max[axis][at[k]];
            *min = box->min[axis] < *min ? box->min[axis] : *min;
            *max = abut_max_f(box->max[axis], *max);
        }
    }
}
