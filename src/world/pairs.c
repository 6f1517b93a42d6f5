/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "world/world.h"
#include <string.h>

bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b) {
    if (world->kin[a].root == world->kin[b].root ||
        (world->traits[a].motion == ABUT_STATIC && world->traits[b].motion == ABUT_STATIC)) {
        return false;
    }
    const abut_filter *fa = &world->filter[a], *fb = &world->filter[b];
    if (fa->group == fb->group && fa->group != 0) {
        return fa->group > 0;
    }
    return (fa->category & fb->mask) != 0 && (fb->category & fa->mask) != 0;
}

static bool bounds_touch(const abut_np_row *a, const abut_np_row *b) {
    abut_aabb p = abut_np_bounds(a), q = abut_np_bounds(b);
    return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y && p.min.z <= q.max.z &&
           q.min.z <= p.max.z;
}

bool abut_w_touch(const abut_world *world, uint32_t a, uint32_t b, abut_manifold *manifold) {
    const abut_np_row *row_a = &world->row[a], *row_b = &world->row[b];
    uint8_t detail_a = world->traits[a].detail, detail_b = world->traits[b].detail;
    memset(manifold, 0, sizeof *manifold);
    switch (detail_a > detail_b ? detail_a : detail_b) {
    case ABUT_DETAIL_MANIFOLD:
        return abut_np_collide(row_a, row_b, world->margin, manifold);
    case ABUT_DETAIL_OVERLAP:
        return abut_np_overlap(row_a, row_b);
    default:
        return bounds_touch(row_a, row_b);
    }
}

/* How far each of two bounds must be widened, in margins, so that every pair without a gap over the margin on its own
 * axes is a candidate: half the square root of 3. Gaps of at most m over all axes of a box pair leave at most sqrt(3) m
 * along any other (docs/numerics.md). */
static const double REACH = 0.8661;

void abut_w_refresh_reach(abut_world *world) {
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        abut_w_traits *traits = &world->traits[slot];
        if (!abut_idpool_is_live(&world->ids, slot) || !(traits->flags & ABUT_W_STALE)) {
            continue;
        }
        abut_aabb bounds = abut_np_bounds(&world->row[slot]);
        double more = traits->detail == ABUT_DETAIL_MANIFOLD ? REACH * (double)world->margin : 0;
        const float low[3] = {bounds.min.x, bounds.min.y, bounds.min.z};
        const float high[3] = {bounds.max.x, bounds.max.y, bounds.max.z};
        for (int axis = 0; axis < 3; axis++) {
            world->reach.min[axis][slot] = abut_bits_round_down(low[axis] - more);
            world->reach.max[axis][slot] = abut_bits_round_up(high[axis] + more);
        }
        traits->flags &= (uint8_t)~ABUT_W_STALE;
    }
}

/* The keys of the broad phase: slots of moving bodies, then of static ones. */
static abut_bp_input list_bodies(abut_world *world) {
    abut_bp_input input = {.boxes = world->reach, .moving = world->keys};
    for (int motion = ABUT_MOVING; motion <= ABUT_STATIC; motion++) {
        uint32_t *count = motion == ABUT_MOVING ? &input.moving_count : &input.resting_count;
        uint32_t *keys = world->keys + input.moving_count;
        for (uint32_t slot = 0; slot < world->ids.used; slot++) {
            if (abut_idpool_is_live(&world->ids, slot) && world->traits[slot].motion == motion) {
                keys[(*count)++] = slot;
            }
        }
        input.resting = keys;
    }
    return input;
}

abut_result abut_w_find_candidates(abut_world *world, uint32_t *count) {
    abut_bp_input input = list_bodies(world);
    size_t found = abut_bp_sweep(&input, &world->sweep, &world->candidates);
    while (found > world->candidates.capacity) {
        abut_result result = abut_w_reserve_pairs(world, found);
        if (result) {
            return result;
        }
        found = abut_bp_sweep(&input, &world->sweep, &world->candidates);
    }
    abut_bp_sort_pairs(&world->candidates, found, world->start, world->ids.used);
    *count = (uint32_t)found;
    return ABUT_OK;
}

static bool asked(abut_world *world, const abut_contact *c) {
    if (!world->should_collide) {
        return true;
    }
    world->state = ABUT_W_ASKING;
    bool yes = world->should_collide(c->a, c->user_a, c->b, c->user_b, world->user);
    world->state = ABUT_W_IDLE;
    return yes;
}

abut_result abut_w_resolve(abut_world *world, uint32_t candidate_count) {
    abut_w_contacts *next = &world->next;
    next->count = 0;
    for (uint32_t i = 0; i < candidate_count; i++) {
        abut_bp_pair pair = world->candidates.pair[i];
        if (!abut_w_may_touch(world, pair.low, pair.high)) {
            continue;
        }
        abut_result result = abut_w_reserve_contacts(world, next, (uint64_t)next->count + 1);
        if (result) {
            return result;
        }
        abut_contact *c = &next->contact[next->count];
        if (!abut_w_touch(world, pair.low, pair.high, &c->manifold)) {
            continue;
        }
        c->a = abut_w_id(world, pair.low);
        c->b = abut_w_id(world, pair.high);
        c->user_a = world->body_user[pair.low];
        c->user_b = world->body_user[pair.high];
        next->count += asked(world, c);
    }
    return ABUT_OK;
}
