/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/body/body.h"

/* The rules of filters; nothing here changes a world. */

const abut_filter abut_w_default_filter = {.category = 1, .mask = UINT64_MAX};

bool abut_w_filter_valid(const abut_filter *filter) {
    return (filter->category & ABUT_MASK_NONE) == 0;
}

abut_filter abut_w_filter_filled(const abut_filter *filter) {
    return (abut_filter){filter->category ? filter->category : 1, filter->mask ? filter->mask : UINT64_MAX,
                         filter->group};
}

bool abut_w_filter_is_default(const abut_filter *filled) {
    return filled->category == 1 && filled->mask == UINT64_MAX && filled->group == 0;
}

const abut_filter *abut_w_filter_of(const abut_world *world, uint32_t slot) {
    uint32_t filter_plus_one = world->filter_plus_one[slot];
    return filter_plus_one ? &world->filter[filter_plus_one - 1] : &abut_w_default_filter;
}

bool abut_w_filters_pass(const abut_filter *a, const abut_filter *b) {
    if (a->group == b->group && a->group != 0) {
        return a->group > 0;
    }
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

abut_filter abut_w_query_filled(const abut_filter *filter) {
    return (abut_filter){filter->category ? filter->category : ~ABUT_MASK_NONE,
                         filter->mask ? filter->mask : UINT64_MAX, filter->group};
}
