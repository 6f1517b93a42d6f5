/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/crowd.h"
#include <string.h>

/* A crowded column is split at a plane across one of the two other axes: into the boxes below, those above and those
 * that straddle it. No box below touches one above. The parts replace the span, one after the other, each in the order
 * of the sweep axis. */

enum {
    CROWD = 512,           /* a span is crowded if it has at least this many boxes */
    COMPARISONS_MAX = 192, /* and each is compared with more than this many others, on average */
    PROBES = 16,           /* boxes from which this average is estimated */
    SAMPLE = 64            /* boxes from which a plane is chosen */
};

/* Estimates how many others the sweep compares a box with. */
static uint32_t mean_comparisons(const abut_bp_copies *c, abut_bp_span span) {
    uint64_t sum = 0;
    uint32_t n = span.end - span.first;
    for (uint32_t k = 0; k < PROBES; k++) {
        uint32_t i = span.first + (uint32_t)((uint64_t)k * n / PROBES), low = i + 1, high = span.end;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (c->min[0][middle] <= c->max[0][i]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        sum += low - i - 1;
    }
    return (uint32_t)(sum / PROBES);
}

static void sort_floats(float *value, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        float v = value[i];
        uint32_t at = i;
        for (; at > 0 && value[at - 1] > v; at--) {
            value[at] = value[at - 1];
        }
        value[at] = v;
    }
}

/* Sets *plane to the median of the lower ends of a sample; returns how many boxes of the sample straddle it. */
static uint32_t choose_plane(const abut_bp_copies *c, abut_bp_span span, int axis, float *plane) {
    float low[SAMPLE];
    uint32_t n = span.end - span.first, straddling = 0;
    for (uint32_t k = 0; k < SAMPLE; k++) {
        low[k] = c->min[axis][span.first + (uint32_t)((uint64_t)k * n / SAMPLE)];
    }
    sort_floats(low, SAMPLE);
    *plane = low[SAMPLE / 2];
    for (uint32_t k = 0; k < SAMPLE; k++) {
        uint32_t at = span.first + (uint32_t)((uint64_t)k * n / SAMPLE);
        straddling += c->min[axis][at] < *plane && c->max[axis][at] >= *plane;
    }
    return straddling;
}

typedef struct parts {
    abut_bp_span below, straddling, above;
} parts;

/* Element k becomes the old element from[k]; elements have four bytes. */
static void permute(void *elements, const uint32_t *from, void *spare, uint32_t n) {
    enum { SIZE = sizeof(uint32_t) };
    _Static_assert(sizeof(float) == SIZE, "floats and keys are moved alike");
    char *to = spare;
    const char *in = elements;
    for (size_t k = 0; k < n; k++) {
        memcpy(to + k * SIZE, in + (size_t)from[k] * SIZE, SIZE);
    }
    memcpy(elements, to, (size_t)n * SIZE);
}

/* 0: below the plane, 1: straddles it, 2: above. */
static inline int side_of(const abut_bp_copies *c, int axis, float plane, uint32_t i) {
    return c->max[axis][i] < plane ? 0 : c->min[axis][i] < plane ? 1 : 2;
}

static parts count_parts(const abut_bp_copies *c, abut_bp_span span, int axis, float plane) {
    uint32_t count[3] = {0};
    for (uint32_t i = span.first; i < span.end; i++) {
        count[side_of(c, axis, plane, i)]++;
    }
    uint32_t one = span.first + count[0], two = one + count[1];
    return (parts){{span.first, one}, {one, two}, {two, span.end}};
}

/* Reorders the span's copies. The new order and the spare memory are in the scratch memory. */
static void partition(abut_bp *bp, abut_bp_span span, int axis, float plane, const parts *to) {
    const abut_bp_copies *c = &bp->copies;
    uint32_t n = span.end - span.first;
    uint32_t at[3] = {0, to->straddling.first - span.first, to->above.first - span.first};
    uint32_t *from = (uint32_t *)(void *)bp->scratch;
    for (uint32_t i = span.first; i < span.end; i++) {
        from[at[side_of(c, axis, plane, i)]++] = i - span.first;
    }
    void *spare = from + n;
    for (int k = 0; k < 3; k++) {
        permute(c->min[k] + span.first, from, spare, n);
        permute(c->max[k] + span.first, from, spare, n);
    }
    permute(c->key + span.first, from, spare, n);
}

/* False: there is no plane that helps, and nothing has changed. */
static bool split(abut_bp *bp, abut_bp_span span, parts *out) {
    float plane[2];
    uint32_t straddling[2] = {choose_plane(&bp->copies, span, 1, &plane[0]),
                              choose_plane(&bp->copies, span, 2, &plane[1])};
    int k = straddling[1] < straddling[0];
    if (straddling[k] > SAMPLE / 3) {
        return false;
    }
    *out = count_parts(&bp->copies, span, k + 1, plane[k]);
    uint32_t n = span.end - span.first, most = n - n / 8;
    if (out->below.end - out->below.first > most || out->straddling.end - out->straddling.first > most ||
        out->above.end - out->above.first > most) {
        return false;
    }
    partition(bp, span, k + 1, plane[k], out);
    return true;
}

static bool is_crowded(const abut_bp *bp, abut_bp_span span) {
    return span.end - span.first >= CROWD && mean_comparisons(&bp->copies, span) > COMPARISONS_MAX;
}

static void sweep_span(abut_bp *bp, const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink) {
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    parts part;
    if (!is_crowded(bp, span) || !split(bp, span, &part)) {
        kernels->sweep_part(column, span, sink);
        return;
    }
    kernels->cross(column, part.straddling, part.below, sink); /* first, because sweeping a part may reorder it */
    kernels->cross(column, part.straddling, part.above, sink);
    sweep_span(bp, column, part.below, sink);
    sweep_span(bp, column, part.straddling, sink);
    sweep_span(bp, column, part.above, sink);
}

void abut_bp_sweep_column(abut_bp *bp, const abut_bp_column *column, abut_bp_span span, bool whole,
                          abut_bp_sink *sink) {
    if (whole && !is_crowded(bp, span)) {
        abut_bp_kernels_active()->sweep(column, span, sink);
    } else {
        sweep_span(bp, column, span, sink);
    }
}
