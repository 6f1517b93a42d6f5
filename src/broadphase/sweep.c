/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "broadphase/broadphase.h"

/* One list of boxes in order of their lower end along the sweep axis, as a view into the scratch arrays. */
typedef struct list {
    const abut_radix_row *order; /* value: the key */
    const float *min[3], *max[3];
    uint32_t count;
} list;

typedef struct sink {
    abut_bp_pair *pair;
    size_t capacity, count;
} sink;

/* The axis along which box centres vary most: fewest overlaps to look at. Any choice gives the same pairs. */
static int choose_axis(const abut_bp_input *in) {
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0, squares = 0, n = (double)in->moving_count + in->resting_count;
        for (uint32_t i = 0; i < in->moving_count + in->resting_count; i++) {
            uint32_t key = i < in->moving_count ? in->moving[i] : in->resting[i - in->moving_count];
            double middle = ((double)in->boxes.min[axis][key] + (double)in->boxes.max[axis][key]) / 2;
            sum += middle;
            squares += middle * middle;
        }
        double variance = n > 0 ? squares / n - sum / n * (sum / n) : 0;
        if (variance > most) {
            most = variance;
            best = axis;
        }
    }
    return best;
}

/* Sorts one key list and gathers its boxes; the sweep axis comes first in the views. */
static list sort_list(const abut_bp_input *in, const uint32_t *keys, uint32_t count, uint32_t offset, int axis,
                      const abut_bp_scratch *scratch) {
    abut_radix_row *order = scratch->order + offset;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (abut_radix_row){abut_bits_ordered(in->boxes.min[axis][keys[i]]), keys[i]};
    }
    abut_radix_sort(order, scratch->spare, count);
    list out = {.order = order, .count = count};
    for (int k = 0; k < 3; k++) {
        const float *min = in->boxes.min[(axis + k) % 3], *max = in->boxes.max[(axis + k) % 3];
        float *sorted_min = scratch->sorted.min[k] + offset, *sorted_max = scratch->sorted.max[k] + offset;
        for (uint32_t i = 0; i < count; i++) {
            sorted_min[i] = min[order[i].value];
            sorted_max[i] = max[order[i].value];
        }
        out.min[k] = sorted_min;
        out.max[k] = sorted_max;
    }
    return out;
}

static void emit(sink *out, uint32_t a, uint32_t b) {
    if (out->count < out->capacity) {
        out->pair[out->count] = a < b ? (abut_bp_pair){a, b} : (abut_bp_pair){b, a};
    }
    out->count += out->count < SIZE_MAX;
}

enum { BATCH = 16 };

/* Whether boxes j .. j + BATCH - 1 touch box i on all three axes, as 0 or 1 each; returns whether any does. No
 * branches, so that compilers turn it into a few wide comparisons. */
static bool test_batch(const list *from, uint32_t i, const list *in, uint32_t j, int32_t hit[BATCH]) {
    float end = from->max[0][i];
    float min1 = from->min[1][i], max1 = from->max[1][i], min2 = from->min[2][i], max2 = from->max[2][i];
    const float *begins = in->min[0] + j, *low1 = in->min[1] + j, *high1 = in->max[1] + j;
    const float *low2 = in->min[2] + j, *high2 = in->max[2] + j;
    int32_t any = 0;
    for (int k = 0; k < BATCH; k++) {
        hit[k] = (begins[k] <= end) & (low1[k] <= max1) & (min1 <= high1[k]) & (low2[k] <= max2) & (min2 <= high2[k]);
    }
    for (int k = 0; k < BATCH; k++) {
        any |= hit[k];
    }
    return any != 0;
}

/* Pairs box i of `from` with the boxes of `in`, from index j on, whose lower end lies within it. */
static void scan(const list *from, uint32_t i, const list *in, uint32_t j, sink *out) {
    float end = from->max[0][i];
    float min1 = from->min[1][i], max1 = from->max[1][i], min2 = from->min[2][i], max2 = from->max[2][i];
    uint32_t key = from->order[i].value;
    int32_t hit[BATCH];
    for (; j + BATCH <= in->count && in->min[0][j] <= end; j += BATCH) {
        if (!test_batch(from, i, in, j, hit)) {
            continue;
        }
        for (uint32_t k = 0; k < BATCH; k++) {
            if (hit[k]) {
                emit(out, key, in->order[j + k].value);
            }
        }
    }
    for (; j < in->count && in->min[0][j] <= end; j++) {
        if (in->min[1][j] <= max1 && min1 <= in->max[1][j] && in->min[2][j] <= max2 && min2 <= in->max[2][j]) {
            emit(out, key, in->order[j].value);
        }
    }
}

/* A box of one list against those of the other that begin no earlier; where both begin together, only `first` looks. */
static void sweep_two(const list *first, const list *second, sink *out) {
    uint32_t i = 0, j = 0;
    while (i < first->count && j < second->count) {
        if (first->min[0][i] <= second->min[0][j]) {
            scan(first, i, second, j, out);
            i++;
        } else {
            scan(second, j, first, i, out);
            j++;
        }
    }
}

size_t abut_bp_sweep(const abut_bp_input *input, abut_bp_scratch *scratch, abut_bp_pairs *pairs) {
    int axis = choose_axis(input);
    list moving = sort_list(input, input->moving, input->moving_count, 0, axis, scratch);
    list resting = sort_list(input, input->resting, input->resting_count, input->moving_count, axis, scratch);
    sink out = {pairs->pair, pairs->capacity, 0};
    for (uint32_t i = 0; i < moving.count; i++) {
        scan(&moving, i, &moving, i + 1, &out);
    }
    sweep_two(&moving, &resting, &out);
    return out.count;
}
