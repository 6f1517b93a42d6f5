/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/crowd.h"
#include "base/bits.h"
#include "base/compiler.h"
#include <math.h>
#include <string.h>

/* A crowded column is split at a plane across one of the two other axes: into the boxes below, those above and those
 * that straddle it. No box below touches one above. The parts replace the span, one after the other, each in the order
 * of the sweep axis.
 *
 * Boxes that are long along the sweep axis have no place on it, and planes across other axes may leave all those
 * astride that are long there. So long boxes are taken out first and swept along other axes, against each other and
 * against the others. */

enum {
    CROWD = 512,           /* a span is crowded if it has at least this many boxes */
    COMPARISONS_MAX = 192, /* and each is compared with more than this many others, on average */
    PROBES = 16,           /* boxes from which this average is estimated */
    SAMPLE = 64,           /* boxes from which a plane is chosen */
    PAIRS = 32             /* the square of this is a sample of pairs */
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

/* Copy k of the span becomes its old copy from[k]. `from` is at the start of the scratch memory, with as much spare
 * memory behind it. */
static void reorder(abut_bp *bp, abut_bp_span span, const uint32_t *from) {
    const abut_bp_copies *c = &bp->copies;
    uint32_t n = span.end - span.first, *spare = (uint32_t *)(void *)bp->scratch + n;
    for (int k = 0; k < 3; k++) {
        permute(c->min[k] + span.first, from, spare, n);
        permute(c->max[k] + span.first, from, spare, n);
    }
    permute(c->key + span.first, from, spare, n);
}

static void partition(abut_bp *bp, abut_bp_span span, int axis, float plane, const parts *to) {
    uint32_t at[3] = {0, to->straddling.first - span.first, to->above.first - span.first};
    uint32_t *from = (uint32_t *)(void *)bp->scratch;
    for (uint32_t i = span.first; i < span.end; i++) {
        from[at[side_of(&bp->copies, axis, plane, i)]++] = i - span.first;
    }
    reorder(bp, span, from);
}

/* False: there is no plane that helps, and nothing has changed. */
static ABUT_NOINLINE bool split(abut_bp *bp, abut_bp_span span, parts *out) {
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

/* --- along other axes --- */

/* Sorts a span by lower ends along an axis. */
static void sort_along(abut_bp *bp, abut_bp_span span, int axis) {
    enum { DIGITS = 256, PASSES = 4, WIDTH = 8 };
    uint32_t n = span.end - span.first, *from = (uint32_t *)(void *)bp->scratch, *to = from + n;
    const float *low = bp->copies.min[axis] + span.first;
    for (uint32_t i = 0; i < n; i++) {
        from[i] = i;
    }
    for (uint32_t shift = 0; shift < PASSES * WIDTH; shift += WIDTH) {
        uint32_t start[DIGITS] = {0};
        for (uint32_t i = 0; i < n; i++) {
            start[abut_bits_ordered(low[i]) >> shift & (DIGITS - 1)]++;
        }
        (void)abut_radix_starts(start, DIGITS);
        for (uint32_t i = 0; i < n; i++) {
            to[start[abut_bits_ordered(low[from[i]]) >> shift & (DIGITS - 1)]++] = from[i];
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    reorder(bp, span, from); /* an even number of passes: `from` is at the start again */
}

/* Of a sample of pairs of a box of `a` and one of `b`, how many overlap along an axis. */
static uint32_t overlaps(const abut_bp_copies *c, abut_bp_span a, abut_bp_span b, int axis) {
    uint32_t count = 0, stride_a = a.end - a.first, stride_b = b.end - b.first;
    for (uint64_t k = 0; k < PAIRS; k++) {
        for (uint64_t l = 0; l < PAIRS; l++) {
            uint32_t i = a.first + (uint32_t)(k * stride_a / PAIRS), j = b.first + (uint32_t)(l * stride_b / PAIRS);
            count += c->min[axis][i] <= c->max[axis][j] && c->min[axis][j] <= c->max[axis][i];
        }
    }
    return count;
}

/* The length from which a box counts as long: half of what the middle half of the span, which is sorted along the axis,
 * extends over. */
static float long_from(const abut_bp_copies *c, abut_bp_span span, int axis) {
    const float *low = c->min[axis] + span.first;
    uint32_t n = span.end - span.first;
    return (low[n - 1 - n / 4] - low[n / 4]) / 2;
}

/* Moves the long boxes of a span behind the others; both keep their order. Returns the first long one. */
static uint32_t part_long(abut_bp *bp, abut_bp_span span, int axis, float length) {
    const abut_bp_copies *c = &bp->copies;
    uint32_t *from = (uint32_t *)(void *)bp->scratch, at[2] = {0};
    for (uint32_t i = span.first; i < span.end; i++) {
        at[1] += c->max[axis][i] - c->min[axis][i] < length;
    }
    uint32_t first_long = span.first + at[1];
    for (uint32_t i = span.first; i < span.end; i++) {
        from[at[c->max[axis][i] - c->min[axis][i] >= length]++] = i - span.first;
    }
    reorder(bp, span, from);
    return first_long;
}

static float low_of(const abut_bp_column *column, int axis) {
    return axis == 0 ? -INFINITY : column->low[axis - 1];
}

/* The first box of a span, sorted along an axis, that does not begin below the column. */
static uint32_t first_inside(const abut_bp_column *column, abut_bp_span span, int axis) {
    uint32_t i = span.first;
    while (i < span.end && column->copies->min[axis][i] < low_of(column, axis)) {
        i++;
    }
    return i;
}

/* Finds the pairs of two spans, or within one if b is NULL, by sweeping along any axis. Kernels do not ask whether the
 * column owns a pair along the axis that they sweep along; it does unless both boxes begin below it. */
static void sweep_along(abut_bp *bp, const abut_bp_column *column, int axis, abut_bp_span a, const abut_bp_span *b,
                        abut_bp_sink *sink) {
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    int one = (axis + 1) % 3, two = (axis + 2) % 3;
    const abut_bp_copies *c = &bp->copies;
    abut_bp_copies turned_copies = {
        {c->min[axis], c->min[one], c->min[two]}, {c->max[axis], c->max[one], c->max[two]}, c->key};
    abut_bp_column turned = *column;
    turned.copies = &turned_copies;
    turned.low[0] = low_of(column, one);
    turned.low[1] = low_of(column, two);
    sort_along(bp, a, axis);
    uint32_t inside = first_inside(column, a, axis);
    abut_bp_span a_below = {a.first, inside}, a_inside = {inside, a.end};
    if (!b) {
        kernels->cross(&turned, a_below, a_inside, sink);
        kernels->sweep_part(&turned, a_inside, sink);
        return;
    }
    sort_along(bp, *b, axis);
    inside = first_inside(column, *b, axis);
    abut_bp_span b_below = {b->first, inside}, b_inside = {inside, b->end};
    kernels->cross(&turned, a_below, b_inside, sink);
    kernels->cross(&turned, a_inside, b_below, sink);
    kernels->cross(&turned, a_inside, b_inside, sink);
}

/* Finds the pairs of boxes that are long along the sweep axis with others, along the two other axes: those of the boxes
 * that are short along the better axis, and the rest. */
static ABUT_NOINLINE void cross_long(abut_bp *bp, const abut_bp_column *column, abut_bp_span longs, abut_bp_span others,
                                     abut_bp_sink *sink) {
    int axis = overlaps(&bp->copies, longs, others, 2) < overlaps(&bp->copies, longs, others, 1) ? 2 : 1;
    sort_along(bp, longs, axis);
    uint32_t middle = part_long(bp, others, axis, long_from(&bp->copies, longs, axis));
    abut_bp_span part[2] = {{others.first, middle}, {middle, others.end}};
    for (int k = 0; k < 2; k++) {
        if (part[k].first < part[k].end) {
            sweep_along(bp, column, k == 0 ? axis : 3 - axis, longs, &part[k], sink);
        }
    }
}

/* Finds the pairs of long boxes with each other. */
static ABUT_NOINLINE void sweep_long(abut_bp *bp, const abut_bp_column *column, abut_bp_span longs,
                                     abut_bp_sink *sink) {
    int axis = overlaps(&bp->copies, longs, longs, 2) < overlaps(&bp->copies, longs, longs, 1) ? 2 : 1;
    sweep_along(bp, column, axis, longs, NULL, sink);
}

/* Moves the boxes of a span that are long along the sweep axis behind the others: parts `straddling` and `below`.
 * False: they are few, or boxes overlap along the other axes just as much, and nothing has changed. */
static ABUT_NOINLINE bool take_long(abut_bp *bp, abut_bp_span span, parts *out) {
    const abut_bp_copies *c = &bp->copies;
    float length = long_from(c, span, 0);
    uint32_t count = 0, n = span.end - span.first;
    for (uint32_t i = span.first; i < span.end; i++) {
        count += c->max[0][i] - c->min[0][i] >= length;
    }
    uint32_t one = overlaps(c, span, span, 1), two = overlaps(c, span, span, 2), least = one < two ? one : two;
    if (count < n / 8 || least > PAIRS * PAIRS * 2 / 3) {
        return false;
    }
    uint32_t middle = part_long(bp, span, 0, length);
    out->below = (abut_bp_span){span.first, middle};
    out->straddling = (abut_bp_span){middle, span.end};
    return true;
}

/* What it calls is not inlined: as it calls itself, its own frame should be small. Each part has at most 7/8 of the
 * boxes.
 */
static void sweep_span(abut_bp *bp, const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink) {
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    parts part;
    bool crowded = is_crowded(bp, span);
    if (crowded && take_long(bp, span, &part)) {
        sweep_span(bp, column, part.below, sink);
        cross_long(bp, column, part.straddling, part.below, sink);
        sweep_long(bp, column, part.straddling, sink);
        return;
    }
    if (!crowded || !split(bp, span, &part)) {
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
