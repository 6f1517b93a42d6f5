/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/columns.h"
#include "base/bits.h"
#include "broadphase/grid.h"
#include <string.h>

uint32_t abut_bp_columns_max(const abut_bp *bp) {
    return bp->copy_capacity / (uint32_t)sizeof(uint32_t) - 1;
}

/* The first and last cell of each box along both axes. They are stored where the keys of copies will be, because that
 * memory is not in use yet. */
typedef struct cells {
    uint8_t *first[2], *last[2];
} cells;

static cells cells_at(abut_bp *bp, uint32_t first, uint32_t n) {
    size_t stride = (size_t)n + ABUT_BP_SLACK / 4;
    uint8_t *at = (uint8_t *)(bp->copies.key + first);
    return (cells){{at, at + 2 * stride}, {at + stride, at + 3 * stride}};
}

/* The columns that a box overlaps: the first and the last. Usually they are one column, or two neighbours. */
typedef struct column_range {
    uint32_t from, to;
    bool any_between; /* there may be others between them */
} column_range;

static inline column_range columns_of(const cells *c, uint32_t k, uint32_t stride) {
    column_range e = {c->first[0][k] * stride + c->first[1][k], c->last[0][k] * stride + c->last[1][k], false};
    e.any_between = (e.to - e.from > 1) & (e.to - e.from != stride);
    return e;
}

static inline bool is_between(column_range e, uint32_t column) {
    return column != e.from && column != e.to;
}

static uint64_t count_copies(const cells *c, uint32_t n, uint32_t stride, uint32_t *count) {
    uint64_t copies = n;
    for (uint32_t k = 0; k < n; k++) {
        column_range e = columns_of(c, k, stride);
        count[e.from]++;
        count[e.to] += e.from != e.to;
        copies += e.from != e.to;
        for (uint32_t i = c->first[0][k]; e.any_between && i <= c->last[0][k]; i++) {
            for (uint32_t j = c->first[1][k]; j <= c->last[1][k]; j++) {
                bool between = is_between(e, i * stride + j);
                count[i * stride + j] += between;
                copies += between;
            }
        }
    }
    return copies;
}

static void scatter(const cells *c, const abut_bp *bp, const uint32_t *key, uint32_t n, uint32_t *start,
                    abut_radix_item *order) {
    uint32_t stride = bp->grid.cells[1];
    for (uint32_t k = 0; k < n; k++) {
        abut_radix_item item = {abut_bits_ordered(bp->box[key[k]].min[bp->grid.axis]), key[k]};
        column_range e = columns_of(c, k, stride);
        order[start[e.from]++] = item;
        if (e.from == e.to) {
            continue;
        }
        order[start[e.to]++] = item;
        for (uint32_t i = c->first[0][k]; e.any_between && i <= c->last[0][k]; i++) {
            for (uint32_t j = c->first[1][k]; j <= c->last[1][k]; j++) {
                if (is_between(e, i * stride + j)) {
                    order[start[i * stride + j]++] = item;
                }
            }
        }
    }
}

uint64_t abut_bp_distribute(abut_bp *bp, const uint32_t *key, uint32_t n, uint32_t first, uint32_t room,
                            uint32_t *start) {
    cells c = cells_at(bp, first, n);
    uint32_t stride = bp->grid.cells[1], columns = abut_bp_grid_columns(&bp->grid);
    memset(start, 0, (columns + 1) * sizeof *start);
    abut_bp_kernels_active()->cells(bp->box, key, n, &bp->grid,
                                    (uint8_t *const[4]){c.first[0], c.last[0], c.first[1], c.last[1]});
    uint64_t copies = count_copies(&c, n, stride, start);
    if (copies > room) {
        return copies;
    }
    start[columns] = abut_radix_starts(start, columns);
    scatter(&c, bp, key, n, start, bp->order + first);
    memmove(start + 1, start, columns * sizeof *start); /* scattering moved each start to that of the next column */
    start[0] = 0;
    return copies;
}

void abut_bp_sort_column(abut_bp *bp, uint32_t from, uint32_t n, uint32_t at) {
    if (n > 0) {
        abut_radix_sort(bp->order + from, bp->scratch, n);
        abut_bp_kernels_active()->gather(bp->box, bp->order + from, n, bp->grid.axis, at, &bp->copies);
    }
}

/* Moves the keys of each group together, group by group; within a group keys keep their order. The sort keys, which
 * are no longer needed, hold the groups meanwhile. Sets the ends of the groups, counted from the first item. */
static void partition(const abut_bp *bp, abut_radix_item *item, uint32_t n, const abut_bp_groups *groups,
                      uint32_t end[ABUT_BP_GROUPS_MOST]) {
    uint32_t at[ABUT_BP_GROUPS_MOST] = {0};
    for (uint32_t k = 0; k < n; k++) {
        item[k].key = groups->of_kind[abut_bp_kind_of(bp->role[item[k].value])];
        at[item[k].key]++;
    }
    for (uint32_t g = 0, sum = 0; g < groups->count; g++) {
        sum += at[g];
        at[g] = sum - at[g];
        end[g] = sum;
    }
    for (uint32_t k = 0; k < n; k++) {
        bp->scratch[at[item[k].key]++] = item[k];
    }
    memcpy(item, bp->scratch, n * sizeof *item);
}

void abut_bp_sort_column_by_group(abut_bp *bp, uint32_t from, uint32_t n, uint32_t at, const abut_bp_groups *groups,
                                  uint32_t end[ABUT_BP_GROUPS_MOST]) {
    abut_radix_sort(bp->order + from, bp->scratch, n);
    partition(bp, bp->order + from, n, groups, end);
    abut_bp_kernels_active()->gather(bp->box, bp->order + from, n, bp->grid.axis, at, &bp->copies);
}

abut_bp_column abut_bp_column_of(const abut_bp *bp, uint32_t c) {
    const abut_bp_grid *grid = &bp->grid;
    return (abut_bp_column){.copies = &bp->copies,
                            .low = {grid->low[0][c / grid->cells[1]], grid->low[1][c % grid->cells[1]]},
                            .who = {bp->role, bp->apart}};
}
