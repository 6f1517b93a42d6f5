/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/blocks.h"
#include "broadphase/columns.h"
#include "broadphase/grid.h"
#include "broadphase/keys.h"
#include <math.h>

/* A query searches only the columns that its box overlaps: in each, the resting copies and then the active ones. A key
 * with copies in several of them is reported in one only, the column that holds the lower corner of the intersection of
 * the two boxes. */

/* --- preparing --- */

/* Lists one copy per key, in the order of keys: used if copies in columns would need too much room. */
static void list_ungridded(const abut_bp *bp, uint32_t first, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        bp->order[first + k].value = bp->active[k];
    }
}

static void sort_columns(const abut_bp *bp, uint32_t first) {
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        uint32_t from = bp->active_start[c], n = bp->active_start[c + 1] - from;
        if (n > 1) {
            abut_radix_sort(bp->order + first + from, bp->scratch, n);
        }
    }
}

/* Makes copies of active keys if they have none: after keys were put to rest, and after all keys were made active. */
static void distribute_active(abut_bp *bp, uint32_t first) {
    uint32_t n = abut_bp_keys_with(bp, ABUT_BP_ACTIVE, bp->active);
    uint32_t room = bp->copy_capacity > first ? bp->copy_capacity - first : 0;
    if (n == 0) {
        return;
    }
    if (bp->resting_copies == 0) {
        abut_bp_choose_grid(bp->box, bp->active, n, abut_bp_columns_max(bp), &bp->grid);
    }
    uint64_t copies = abut_bp_distribute(bp, bp->active, n, first, room, bp->active_start);
    bp->active_ungridded = copies > room;
    bp->active_copies = bp->active_ungridded ? n : (uint32_t)copies;
    if (bp->active_ungridded) {
        list_ungridded(bp, first, n);
    } else {
        sort_columns(bp, first);
    }
}

void abut_bp_query_prepare(abut_bp *bp) {
    uint32_t first = abut_bp_active_copies(bp).first;
    if (bp->active_copies == 0) {
        distribute_active(bp, first);
    }
    if (bp->active_copies > 0) {
        abut_bp_kernels_active()->gather(bp->box, bp->order + first, bp->active_copies, bp->grid.axis, first,
                                         &bp->copies);
    }
    abut_bp_enclose_copies(bp, abut_bp_active_copies(bp));
}

/* --- searching --- */

void abut_bp_query_begin(const abut_bp *bp, const abut_bp_box *box, abut_bp_query *query) {
    int axis = bp->grid.axis;
    *query = (abut_bp_query){.role = ABUT_BP_ABSENT};
    for (int k = 0; k < 3; k++) {
        query->box.min[k] = box->min[(axis + k) % 3];
        query->box.max[k] = box->max[(axis + k) % 3];
    }
    bool columns = bp->resting_copies > 0 || (bp->active_copies > 0 && !bp->active_ungridded);
    for (int k = 0; k < 2 && columns; k++) {
        query->cell[k] = query->first[k] = abut_bp_cell_of(&bp->grid, k, query->box.min[1 + k]);
        query->last[k] = abut_bp_cell_of(&bp->grid, k, query->box.max[1 + k]);
    }
    query->columns = columns;
}

static abut_bp_span resting_in(const abut_bp *bp, uint32_t column) {
    if (bp->resting_copies == 0) {
        return (abut_bp_span){0, 0};
    }
    return (abut_bp_span){bp->resting_start[column], bp->resting_start[column + 1]};
}

static abut_bp_span active_in(const abut_bp *bp, uint32_t column) {
    if (bp->active_copies == 0 || bp->active_ungridded) {
        return (abut_bp_span){0, 0};
    }
    uint32_t first = abut_bp_active_copies(bp).first;
    return (abut_bp_span){first + bp->active_start[column], first + bp->active_start[column + 1]};
}

static void to_next_column(abut_bp_query *query) {
    query->cell[1]++;
    if (query->cell[1] > query->last[1]) {
        query->cell[1] = query->first[1];
        query->cell[0]++;
        query->columns = query->cell[0] <= query->last[0];
    }
}

/* Sets the span that is searched next. False: there is none. */
static bool to_next_span(const abut_bp *bp, abut_bp_query *query) {
    while (query->columns) {
        uint32_t column = query->cell[0] * bp->grid.cells[1] + query->cell[1];
        query->low[0] = bp->grid.low[0][query->cell[0]];
        query->low[1] = bp->grid.low[1][query->cell[1]];
        if (query->role != ABUT_BP_RESTING) {
            query->role = ABUT_BP_RESTING;
            query->left = resting_in(bp, column);
        } else {
            query->role = ABUT_BP_ACTIVE;
            query->left = active_in(bp, column);
            to_next_column(query);
        }
        if (query->left.first < query->left.end) {
            return true;
        }
    }
    bool ungridded = bp->active_ungridded && !query->ungridded_done;
    query->ungridded_done = true;
    query->role = ABUT_BP_ACTIVE;
    query->low[0] = query->low[1] = -INFINITY;
    query->left = ungridded ? abut_bp_active_copies(bp) : (abut_bp_span){0, 0};
    return query->left.first < query->left.end;
}

uint32_t abut_bp_query_next(const abut_bp *bp, abut_bp_query *query, uint32_t *key, uint32_t room) {
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    uint32_t n = 0;
    while (room - n >= ABUT_BP_QUERY_ROOM && (query->left.first < query->left.end || to_next_span(bp, query))) {
        n += kernels->query(bp, query, key + n, room - n);
    }
    return n;
}
