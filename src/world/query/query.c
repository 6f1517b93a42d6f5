/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/query.h"
#include "world/step/step.h"

/* Where the broad phase has copies of a body. A body without a flag of ABUT_W_DIRTY took part in the last find,
 * successful or not, and its box has not changed since. If it rests, its copies are in the resting columns. If it is
 * active, they are in the columns of that find; or there are none, because afterwards keys were put to rest or all were
 * made active: then abut_bp_query_prepare makes them. */

void abut_w_query_prepare(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* const to the caller, but queries are prepared on demand */
    if (abut_once_begin(&own->query_prepared)) {
        abut_lock_take(&own->scratch);
        abut_bp_query_prepare(&own->bp);
        abut_lock_release(&own->scratch);
        abut_once_end(&own->query_prepared);
    }
}

void abut_w_query_reset(abut_world *world) {
    abut_once_reset(&world->query_prepared);
}

abut_w_query_filter abut_w_query_filter_of(const abut_world *world, const abut_filter *filter) {
    static const abut_filter default_filter = {.category = 1, .mask = UINT64_MAX};
    abut_w_query_filter f = {.default_passes = true};
    if (filter) {
        f.filter = abut_w_query_filled(filter);
        f.any_filter = world->filters.live > 0;
        f.default_passes = abut_w_filters_pass(&f.filter, &default_filter);
    }
    return f;
}

static bool is_any_dirty(const abut_world *world, uint32_t first) {
    uint32_t end = world->ids.used;
    return world->changed && abut_w_next_dirty(world, first, end) < end;
}

abut_w_source abut_w_unchanged_bodies(const abut_world *world) {
    bool any_dirty = is_any_dirty(world, 0);
    return (abut_w_source){
        .world = world, .bp = &world->bp, .flags = any_dirty ? world->flags : NULL, .is_last = !any_dirty};
}

void abut_w_dirty_begin(abut_w_dirty_bodies *dirty, const abut_world *world, uint32_t first) {
    dirty->source = (abut_w_source){.world = world, .bp = &dirty->temporary.bp, .slot = dirty->slot};
    dirty->next = first;
}

bool abut_w_dirty_next(abut_w_dirty_bodies *dirty, int axis) {
    const abut_world *world = dirty->source.world;
    uint32_t n = 0, at = dirty->next, end = world->ids.used;
    for (; n < ABUT_BP_TEMPORARY_MAX && at < end && (at = abut_w_next_dirty(world, at, end)) < end; at++) {
        dirty->slot[n++] = at;
    }
    dirty->next = at;
    dirty->source.is_last = at >= end || !is_any_dirty(world, at);
    if (n > 0) {
        abut_w_bounds_of(world, dirty->slot, n, dirty->temporary.box);
        abut_bp_temporary_prepare(&dirty->temporary, n, axis);
    }
    return n > 0;
}

/* Turns n keys into the slots of those bodies that are not dirty (unless the source holds dirty bodies) and pass the
 * filter, in place. Returns how many. */
static uint32_t keep_bodies(const abut_w_query *query, uint32_t *slot, uint32_t n) {
    const abut_w_source *source = query->source;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t body = source->slot ? source->slot[slot[i]] : slot[i];
        slot[kept] = body;
        kept += !(source->flags && source->flags[body] & ABUT_W_DIRTY) &&
                abut_w_query_passes(source->world, query->filter, body);
    }
    return kept;
}

uint32_t abut_w_query_next_kept(abut_w_query *query, uint32_t *slot, uint32_t room) {
    uint32_t n, kept = 0;
    while (kept == 0 && (n = abut_bp_query_next(query->source->bp, &query->search, slot, room)) > 0) {
        kept = keep_bodies(query, slot, n);
    }
    return kept;
}
