/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/body/body.h"
#include "world/state/state.h"

void abut_w_put_filter(abut_world *world, uint32_t slot, const abut_filter *filled) {
    uint32_t *filter_plus_one = &world->filter_plus_one[slot];
    uint8_t *marks = &world->traits[slot].marks;
    bool nothing = filled->mask == ABUT_MASK_NONE && filled->group <= 0;
    *marks = (uint8_t)((*marks & ~ABUT_W_COLLIDES_WITH_NOTHING) | (nothing ? ABUT_W_COLLIDES_WITH_NOTHING : 0));
    abut_w_put_filter_class(world, slot, filled);
    if (abut_w_filter_is_default(filled)) {
        abut_w_side_table_release(&world->filters, filter_plus_one);
        return;
    }
    if (!*filter_plus_one) {
        (void)abut_w_side_table_take(&world->filters, filter_plus_one, slot);
    }
    world->filter[*filter_plus_one - 1] = *filled;
    world->flags[slot] |= ABUT_W_FILTERED;
}

/* Adds `one`, which is 1 or -1 modulo 2^32, to each count that the body is part of: none, if it is not uncommon. */
static ABUT_INLINE void count(abut_world *world, uint32_t slot, uint32_t one) {
    uint8_t marks = world->traits[slot].marks;
    if (!(marks & ABUT_W_UNCOMMON)) {
        return;
    }
    world->uncommon_count += one;
    world->non_box_count += abut_shape_of(&world->collider[slot])->is_obb ? 0 : one;
    world->mesh_count += marks & ABUT_W_MESH ? one : 0;
    world->coarse_count += marks & ABUT_W_COARSE ? one : 0;
    world->bounds_count += marks & ABUT_W_BOUNDS ? one : 0;
}

void abut_w_put_detail(abut_world *world, uint32_t slot, abut_detail detail) {
    abut_w_traits *traits = &world->traits[slot];
    const abut_collider *collider = &world->collider[slot];
    bool coarse = detail != ABUT_DETAIL_MANIFOLD, mesh = collider->type == ABUT_SHAPE_MESH;
    int marks = (coarse ? ABUT_W_COARSE : 0) | (mesh ? ABUT_W_MESH : 0);
    marks |= detail == ABUT_DETAIL_BOUNDS ? ABUT_W_BOUNDS : 0;
    marks |= coarse || !abut_shape_of(collider)->is_obb ? ABUT_W_UNCOMMON : 0;
    marks |= coarse || mesh || abut_np_uses_hint(collider, collider) ? ABUT_W_SEPARATE : 0;
    traits->marks = (uint8_t)((traits->marks & ~ABUT_W_BY_SHAPE_AND_DETAIL) | marks);
    traits->detail = (uint8_t)detail;
    count(world, slot, 1);
}

void abut_w_uncount(abut_world *world, uint32_t slot) {
    count(world, slot, UINT32_MAX);
}

abut_result abut_body_set_filter(abut_world *world, abut_body_id body, const abut_filter *filter) {
    uint32_t slot;
    abut_result result = filter ? abut_w_slot_to_change(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (result) {
        return result;
    }
    if (!abut_w_filter_valid(filter)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_filter filled = abut_w_filter_filled(filter);
    if (!world->filter_plus_one[slot] && !abut_w_filter_is_default(&filled)) {
        result = abut_w_reserve_filters(world, 1);
    }
    if (!result) {
        abut_w_put_filter(world, slot, &filled);
        world->flags[slot] |= ABUT_W_CHANGED;
        world->changed = true;
    }
    return result;
}

abut_result abut_body_get_filter(const abut_world *world, abut_body_id body, abut_filter *filter) {
    uint32_t slot;
    abut_result result = filter ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *filter = *abut_w_filter_of(world, slot);
    }
    return result;
}

abut_result abut_body_set_motion(abut_world *world, abut_body_id body, abut_motion motion) {
    uint32_t top;
    abut_result result = abut_w_slot_to_change(world, body, &top);
    if (result) {
        return result;
    }
    if ((motion != ABUT_MOVING && motion != ABUT_STATIC) || abut_w_parent_plus_one(world, top)) {
        return ABUT_ERROR_ARGUMENT;
    }
    uint32_t slot = top;
    do {
        world->traits[slot].motion = (uint8_t)motion;
        world->flags[slot] |= ABUT_W_CHANGED;
        abut_bp_activate(&world->bp, slot, motion == ABUT_STATIC);
        slot = abut_w_next_below(world, top, slot);
    } while (slot != top);
    world->changed = true;
    return ABUT_OK;
}

abut_result abut_body_get_motion(const abut_world *world, abut_body_id body, abut_motion *motion) {
    uint32_t slot;
    abut_result result = motion ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *motion = (abut_motion)world->traits[slot].motion;
    }
    return result;
}

abut_result abut_body_set_detail(abut_world *world, abut_body_id body, abut_detail detail) {
    uint32_t slot;
    abut_result result = abut_w_slot_to_change(world, body, &slot);
    if (result) {
        return result;
    }
    if ((uint32_t)detail > ABUT_DETAIL_BOUNDS) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_w_uncount(world, slot);
    abut_w_put_detail(world, slot, detail);
    world->flags[slot] |= ABUT_W_STALE | ABUT_W_CHANGED;
    abut_w_touch(world, slot);
    world->changed = true;
    return ABUT_OK;
}

abut_result abut_body_get_detail(const abut_world *world, abut_body_id body, abut_detail *detail) {
    uint32_t slot;
    abut_result result = detail ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *detail = (abut_detail)world->traits[slot].detail;
    }
    return result;
}

abut_result abut_body_set_user(abut_world *world, abut_body_id body, uint64_t user) {
    uint32_t slot;
    abut_result result = abut_w_slot_to_change(world, body, &slot);
    if (!result) {
        abut_w_take_note(world, slot); /* contacts keep the old one */
        world->body_user[slot] = user;
        world->changed = world->new_users = true;
    }
    return result;
}

abut_result abut_body_get_user(const abut_world *world, abut_body_id body, uint64_t *user) {
    uint32_t slot;
    abut_result result = user ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *user = world->body_user[slot];
    }
    return result;
}
