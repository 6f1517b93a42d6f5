/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/arithmetic.h"
#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "world/state/state.h"

/* The most pairs that 32-bit indices plus one can number, and the most bodies: counting sorts need a key more. */
static const uint32_t MOST_PAIRS = UINT32_MAX - 2, MOST_BODIES = ABUT_BP_TREE_KEYS_MAX - 1;

static abut_result check_def(const abut_world_def *def) {
    bool valid = abut_bits_finite(def->contact_margin) && def->contact_margin >= 0 && abut_vec3_finite(def->up);
    uint32_t workers = def->parallel.workers;
    valid = valid && (!def->parallel.run || (workers > 0 && workers <= ABUT_WORKERS_MAX));
    if (!valid) {
        return ABUT_ERROR_ARGUMENT;
    }
    return def->body_capacity <= MOST_BODIES && def->pair_capacity <= MOST_PAIRS ? ABUT_OK : ABUT_ERROR_MEMORY;
}

/* Makes room for the given capacities, and for the most that a step within them can fill: every candidate may touch in
 * one step, and in the next all these contacts may end while as many others begin. In a fixed world every body may also
 * be attached, have a filter, and be swept, and there may be meshes; in other worlds the call that needs such room
 * makes it. Hints: see abut_w_reserve_all_hints. */
static abut_result reserve_all(abut_world *world, const abut_world_def *def) {
    abut_result result = abut_w_reserve_bodies(world, def->body_capacity);
    result = result ? result : abut_w_reserve_pairs(world, def->pair_capacity);
    abut_w_contacts *const lists[] = {&world->current, &world->next};
    for (int k = 0; k < 2 && !result; k++) {
        result = abut_w_reserve_keys(world, lists[k], def->pair_capacity);
        result = result ? result : abut_w_reserve_places(world, lists[k], def->pair_capacity);
        result = result ? result : abut_w_reserve_contacts(world, lists[k], def->pair_capacity);
    }
    result = result ? result : abut_w_reserve_events(world, 2 * (uint64_t)def->pair_capacity);
    result = result ? result : abut_w_reserve_index(world, &world->next, def->pair_capacity, def->pair_capacity);
    if (def->pair_capacity > 0) {
        result = result ? result : abut_w_reserve_single(world);
        result = result ? result : abut_w_reserve_waves(world);
    }
    if (world->fixed) {
        result = result ? result : abut_w_reserve_attachments(world, def->body_capacity);
        result = result ? result : abut_w_reserve_filters(world, def->body_capacity);
        result = result ? result : abut_w_reserve_sweep(world, def->body_capacity, true);
        result = result ? result : abut_w_reserve_all_parts(world);
    }
    return result;
}

static abut_result create_world(const abut_world_def *def, abut_world **world) {
    if (!world) {
        return ABUT_ERROR_ARGUMENT;
    }
    *world = NULL;
    if (!abut_arithmetic_is_exact()) {
        return ABUT_ERROR_ARITHMETIC;
    }
    const abut_world_def zero = {0};
    def = def ? def : &zero;
    abut_allocator allocator;
    if (!abut_memory_init(&allocator, &def->allocator)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_result result = check_def(def);
    if (result) {
        return result;
    }
    abut_world *made = abut_memory_alloc(&allocator, sizeof *made);
    if (!made) {
        return ABUT_ERROR_MEMORY;
    }
    bool up_given = def->up.x != 0 || def->up.y != 0 || def->up.z != 0;
    *made = (abut_world){
        .allocator = allocator,
        .margin = def->contact_margin + 0.0f,
        .up = up_given ? def->up : (abut_vec3){0, 1, 0},
        .should_collide = def->should_collide,
        .user = def->user,
        .fixed = def->fixed_capacity,
        .pair_capacity = def->pair_capacity,
        .workers = {.parallel = def->parallel},
        .body_limit = def->fixed_capacity ? def->body_capacity : MOST_BODIES,
        .pair_limit = def->fixed_capacity ? def->pair_capacity : MOST_PAIRS,
    };
    result = reserve_all(made, def);
    if (result) {
        abut_w_release(made);
        abut_memory_release(&allocator, made, sizeof *made);
        return result;
    }
    *world = made;
    return ABUT_OK;
}

abut_result abut_world_create(const abut_world_def *def, abut_world **world) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = create_world(def, world);
    abut_fpmode_leave(mode);
    return result;
}

void abut_world_destroy(abut_world **world) {
    if (!world || !*world || (*world)->state != ABUT_W_IDLE) {
        return;
    }
    abut_allocator allocator = (*world)->allocator;
    abut_w_release(*world);
    abut_memory_release(&allocator, *world, sizeof **world);
    *world = NULL;
}
