/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/grid.h"
#include "base/bits.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* A column should be wide enough that, along its length, a box has about as many others beside it as one vector
 * comparison takes; narrower columns only make more copies. That depends on the density of boxes, which is measured on
 * a sample and where the boxes are: what counts is how close neighbours are, not how large the world is. */

enum {
    SAMPLE_MAX = 1024,
    SAMPLE_SHARE = 8,   /* the sample is 1 / SAMPLE_SHARE of the boxes, within these limits */
    SAMPLED_FROM = 256, /* of fewer boxes, the sample is all */
    BINS = 16,          /* per axis, to measure density */
    TAIL = 64           /* at each end, 1 / TAIL of the sample counts as outliers */
};

static const double NEIGHBOURS = 12; /* wanted beside a box, in its column and along its length */
static const double WIDTHS_MIN = 5;  /* a column is at least this many boxes wide; narrower ones make too many copies */

typedef struct sample {
    uint32_t n;
    float middle[3][SAMPLE_MAX];
    double extent[3];       /* mean width of the boxes */
    double low[3], high[3]; /* of the middles, without the outermost of them */
    double places[3];       /* of so many pairs of boxes one is within a mean width of each other: as if all boxes stood
                               in that many places along the axis, wherever those are */
} sample;

/* All pairs of sorted middles, over those within a width of each other. */
static double places_of(const float *value, const abut_radix_item *item, uint32_t n, double width) {
    double near = 1; /* at least one */
    for (uint32_t i = 0, first = 0; i < n; i++) {
        while ((double)value[item[i].value] - (double)value[item[first].value] > width) {
            first++;
        }
        near += i - first;
    }
    return 0.5 * n * n / near;
}

static void measure(sample *s, int axis) {
    abut_radix_item item[SAMPLE_MAX], spare[SAMPLE_MAX];
    const float *value = s->middle[axis];
    for (uint32_t i = 0; i < s->n; i++) {
        item[i] = (abut_radix_item){abut_bits_ordered(value[i]), i};
    }
    abut_radix_sort(item, spare, s->n);
    s->low[axis] = (double)value[item[s->n / TAIL].value];
    s->high[axis] = (double)value[item[s->n - 1 - s->n / TAIL].value];
    s->places[axis] = places_of(value, item, s->n, s->extent[axis]);
}

/* The position in 0 .. n - 1 of box i of the sample. Positions are scattered, because boxes are often created in some
 * spatial order. */
static uint32_t sample_position(uint32_t i, uint32_t n) {
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)((z >> 32) * n >> 32);
}

static void take_sample(const abut_bp_box *box, const uint32_t *key, uint32_t n, sample *s) {
    uint32_t wanted = n / SAMPLE_SHARE;
    s->n = wanted < SAMPLED_FROM ? (n < SAMPLED_FROM ? n : SAMPLED_FROM) : wanted;
    s->n = s->n < SAMPLE_MAX ? s->n : SAMPLE_MAX;
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0;
        for (uint32_t i = 0; i < s->n; i++) {
            const abut_bp_box *b = &box[key[sample_position(i, n)]];
            double low = (double)b->min[axis], high = (double)b->max[axis];
            s->middle[axis][i] = (float)(low + (high - low) / 2);
            sum += high - low;
        }
        s->extent[axis] = sum / s->n;
        measure(s, axis);
    }
}

/* The number of boxes per unit of volume around a box, on average: estimated from the number of pairs in the sample
 * that share a bin. A bin is at least as wide as the mean box. All bins are as wide as the places of boxes would be
 * side by side; what lies beyond the last begins with the first again. */
static double density_of(const sample *s, uint32_t n) {
    uint16_t count[BINS * BINS * BINS];
    uint16_t bin[SAMPLE_MAX];
    double volume = 1;
    memset(count, 0, sizeof count);
    memset(bin, 0, sizeof bin);
    for (int axis = 0; axis < 3; axis++) {
        double range = s->high[axis] - s->low[axis], side_by_side = 2 * s->places[axis] * s->extent[axis];
        range = side_by_side > 0 ? abut_min_d(range, side_by_side) : range;
        double width = abut_max_d(range / BINS, s->extent[axis]);
        width = width > 0 ? width : 1;
        volume *= width;
        for (uint32_t i = 0; i < s->n; i++) {
            double at = ((double)s->middle[axis][i] - s->low[axis]) / width;
            bin[i] = (uint16_t)(bin[i] * BINS + (at > 0 && at < 0x1p60 ? (uint64_t)at % BINS : 0));
        }
    }
    double shared = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        shared += 2.0 * count[bin[i]]++;
    }
    return shared * n / ((double)s->n * (s->n > 1 ? s->n - 1 : 1) * volume);
}

/* The axis along which the fewest boxes lie beside each other: not that on which they are farthest apart, which may be
 * two heights far from each other. */
static int sweep_axis(const sample *s) {
    int best = 0;
    for (int axis = 1; axis < 3; axis++) {
        best = s->places[axis] > s->places[best] ? axis : best;
    }
    return best;
}

static uint32_t cell_count(double range, double width) {
    double count = width > 0 ? ceil(range / width) : 1;
    return count < 1 ? 1 : count > ABUT_BP_CELLS_MAX ? ABUT_BP_CELLS_MAX : (uint32_t)count;
}

/* The cell that v lies in along axis k; one of several. */
static uint32_t cell_of(const abut_bp_grid *grid, int k, float v) {
    float at = (v - grid->origin[k]) * grid->inverse[k], last = (float)(grid->cells[k] - 1);
    return (uint32_t)(at > 0 ? (at < last ? at : last) : 0);
}

/* Finds the least float of each cell by bisection: because of rounding in cell_of it need not be origin + cell
 * / inverse. */
static void find_lows(abut_bp_grid *grid, int k) {
    grid->low[k][0] = -INFINITY;
    for (uint32_t cell = 1; cell < grid->cells[k]; cell++) {
        uint32_t below = abut_bits_ordered(-FLT_MAX), above = abut_bits_ordered(FLT_MAX);
        while (above - below > 1) {
            uint32_t middle = below + (above - below) / 2;
            if (cell_of(grid, k, abut_bits_from_ordered(middle)) < cell) {
                below = middle;
            } else {
                above = middle;
            }
        }
        grid->low[k][cell] = abut_bits_from_ordered(above);
    }
}

static void set_cells(abut_bp_grid *grid, int k, double low, double range, uint32_t cells) {
    grid->cells[k] = cells;
    grid->origin[k] = (float)low;
    grid->inverse[k] = range > 0 ? (float)(cells / range) : 0;
    if (!abut_bits_finite(grid->inverse[k]) || cells == 1) { /* there is one cell, or the range is too small to be
                                                                divided */
        grid->cells[k] = 1;
        grid->inverse[k] = 0;
    }
    find_lows(grid, k);
}

void abut_bp_choose_grid(const abut_bp_box *box, const uint32_t *key, uint32_t n, uint32_t cells_max,
                         abut_bp_grid *grid) {
    sample s;
    double range[2], width[2], extent[2];
    uint32_t cells[2] = {1, 1};
    *grid = (abut_bp_grid){.cells = {1, 1}, .low = {{-INFINITY}, {-INFINITY}}};
    if (n == 0) {
        return;
    }
    take_sample(box, key, n, &s);
    grid->axis = sweep_axis(&s);
    int one = (grid->axis + 1) % 3, two = (grid->axis + 2) % 3;
    const int axis[2] = {one, two};
    for (int k = 0; k < 2; k++) {
        range[k] = s.high[axis[k]] - s.low[axis[k]];
        extent[k] = abut_max_d(s.extent[axis[k]], range[k] / 1e6);
    }
    double density = density_of(&s, n) * s.extent[grid->axis];
    double area = density > 0 ? NEIGHBOURS / density : INFINITY; /* of a column and the boxes that extend into it */
    for (int k = 0; k < 2; k++) {
        double widths = sqrt(area / (extent[0] * extent[1])) - 1;
        width[k] = abut_max_d(widths, WIDTHS_MIN) * extent[k];
    }
    for (int k = 0; k < 2; k++) { /* where one cell is all, columns are wider along the other axis */
        int other = 1 - k;
        if (width[k] >= range[k]) {
            double wide = area / (range[k] + extent[k]) - extent[other];
            width[other] = abut_max_d(wide, WIDTHS_MIN * extent[other]);
        }
    }
    for (int k = 0; k < 2; k++) {
        cells[k] = cell_count(range[k], width[k]);
    }
    while ((uint64_t)cells[0] * cells[1] > cells_max) {
        /* where boxes have few places, many cells are empty */
        int k = cells[0] * s.places[two] > cells[1] * s.places[one] ? 0 : 1;
        k = cells[k] > 1 ? k : 1 - k;
        cells[k] = (cells[k] + 1) / 2;
    }
    for (int k = 0; k < 2; k++) {
        set_cells(grid, k, s.low[axis[k]], range[k], cells[k]);
    }
}

void abut_bp_coarsen_grid(abut_bp_grid *grid) {
    assert(abut_bp_grid_columns(grid) > 1);
    for (int k = 0; k < 2; k++) {
        uint32_t cells = (grid->cells[k] + 1) / 2;
        if (cells < grid->cells[k]) {
            set_cells(grid, k, (double)grid->origin[k], grid->cells[k] / (double)grid->inverse[k], cells);
        }
    }
}
