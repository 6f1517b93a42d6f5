/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/query.h"

abut_w_query_filter abut_w_query_filter_of(const abut_world *world, const abut_filter *filter) {
    abut_w_query_filter f = {.default_passes = true, .classes = UINT32_MAX};
    if (filter) {
        f.filter = abut_w_query_filled(filter);
        f.any_filter = world->filters.live > 0;
        f.default_passes = abut_w_filters_pass(&f.filter, &abut_w_default_filter);
        f.classes = abut_w_query_passes_all(&f) ? UINT32_MAX : abut_w_classes_passing(world, &f.filter);
    }
    return f;
}

void abut_w_query_begin(abut_w_query *query, const abut_world *world, const abut_w_query_filter *filter,
                        const abut_bp_box *box) {
    query->world = world;
    query->filter = filter;
    query->box = *box;
    abut_bp_walk_begin(abut_w_tree(world), &query->walk);
    query->walk.classes = filter->classes;
}

static uint32_t keep_bodies(const abut_w_query *query, uint32_t *slot, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t body = slot[i];
        slot[kept] = body;
        kept += abut_w_query_passes(query->world, query->filter, body);
    }
    return kept;
}

uint32_t abut_w_query_next(abut_w_query *query, uint32_t *slot, uint32_t room) {
    uint32_t n, kept = 0;
    bool all = abut_w_query_passes_all(query->filter);
    while (kept == 0 &&
           (n = abut_bp_walk_box(abut_w_tree(query->world), &query->box, NULL, &query->walk, slot, room)) > 0) {
        kept = all ? n : keep_bodies(query, slot, n);
    }
    return kept;
}
