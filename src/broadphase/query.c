/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/columns.h"
#include "broadphase/grid.h"
#include <math.h>

/* Only the columns that the box lies in are looked at: in each the settled places, then the active ones. A key that has
 * copies in several of them counts in the one that holds the lower corner of what its box shares with the query's. */

void abut_bp_query_begin(const abut_bp *bp, const abut_bp_box *box, abut_bp_query *query) {
    int axis = bp->grid.axis;
    *query = (abut_bp_query){.role = ABUT_BP_ABSENT};
    for (int k = 0; k < 3; k++) {
        query->box.min[k] = box->min[(axis + k) % 3];
        query->box.max[k] = box->max[(axis + k) % 3];
    }
    bool columns = bp->resting_copies > 0 || (bp->active_copies > 0 && !bp->active_listed);
    for (int k = 0; k < 2 && columns; k++) {
        query->cell[k] = query->first[k] = abut_bp_cell_of(&bp->grid, k, query->box.min[1 + k]);
        query->last[k] = abut_bp_cell_of(&bp->grid, k, query->box.max[1 + k]);
    }
    query->columns = columns;
}

static abut_bp_span settled_in(const abut_bp *bp, uint32_t column) {
    if (bp->resting_copies == 0) {
        return (abut_bp_span){0, 0};
    }
    return (abut_bp_span){bp->resting_start[column], bp->resting_start[column + 1]};
}

static abut_bp_span active_in(const abut_bp *bp, uint32_t column) {
    if (bp->active_copies == 0 || bp->active_listed) {
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

/* The places to look at next, some of them. False: there are none. */
static bool to_next_span(const abut_bp *bp, abut_bp_query *query) {
    while (query->columns) {
        uint32_t column = query->cell[0] * bp->grid.cells[1] + query->cell[1];
        query->low[0] = bp->grid.low[0][query->cell[0]];
        query->low[1] = bp->grid.low[1][query->cell[1]];
        if (query->role != ABUT_BP_RESTING) {
            query->role = ABUT_BP_RESTING;
            query->left = settled_in(bp, column);
        } else {
            query->role = ABUT_BP_ACTIVE;
            query->left = active_in(bp, column);
            to_next_column(query);
        }
        if (query->left.first < query->left.end) {
            return true;
        }
    }
    bool listed = bp->active_listed && !query->listed;
    query->listed = true;
    query->role = ABUT_BP_ACTIVE;
    query->low[0] = query->low[1] = -INFINITY;
    query->left = listed ? abut_bp_active_copies(bp) : (abut_bp_span){0, 0};
    return query->left.first < query->left.end;
}

uint32_t abut_bp_query_next(const abut_bp *bp, abut_bp_query *query, uint32_t *key, uint32_t room) {
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    uint32_t n = 0;
    while (room - n >= ABUT_BP_QUERY_ROOM && (query->left.first < query->left.end || to_next_span(bp, query))) {
        n += kernels->meeting(bp, query, key + n, room - n);
    }
    return n;
}
