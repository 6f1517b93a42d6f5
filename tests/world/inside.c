/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/inside.h"
#include "shape/shape.h"
#include "world/state/state.h"
#include "world/step/block.h"

#define digest_array(digest, array, n) digest_words(digest, array, (n) * sizeof *(array))

static void digest_numbers(uint64_t *digest, const uint64_t *number, size_t n) {
    for (size_t k = 0; k < n; k++) {
        digest_number(digest, number[k]);
    }
}

void digest_contact(uint64_t *digest, const abut_contact *c) {
    const uint64_t numbers[] = {c->a.index1, c->a.generation,    c->b.index1,  c->b.generation, c->user_a,
                                c->user_b,   (uint64_t)c->phase, c->previous1, c->part_count,   c->part_first};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_manifold(digest, &c->manifold);
}

/* --- bodies --- */

static void digest_side(uint64_t *digest, const abut_w_side_table *side) {
    const uint64_t numbers[] = {side->used, side->live, side->first_free_plus_one, side->block.capacity};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_array(digest, side->owner, side->used);
}

static void digest_body(uint64_t *digest, const abut_world *world, uint32_t slot) {
    const abut_collider *c = &world->collider[slot];
    const abut_w_traits *traits = &world->traits[slot];
    const uint64_t numbers[] = {world->flags[slot], traits->motion,         traits->detail,
                                traits->marks,      world->body_user[slot], c->type};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_vec3(digest, c->center);
    digest_words(digest, &c->rotation, sizeof c->rotation);
    digest_vec3(digest, c->half);
    digest_words(digest, &c->radius, sizeof c->radius);
    if (world->attachment_plus_one[slot] > 0) {
        const abut_w_attachment *a = &world->attachment[world->attachment_plus_one[slot] - 1];
        digest_words(digest, &a->pose, sizeof a->pose);
        digest_words(digest, &a->box, sizeof a->box);
        digest_words(digest, &a->hierarchy, sizeof a->hierarchy);
    }
    if (world->filter_plus_one[slot] > 0) {
        const abut_filter *f = &world->filter[world->filter_plus_one[slot] - 1];
        digest_numbers(digest, (uint64_t[]){f->category, f->mask, (uint32_t)f->group}, 3);
    }
}

static void digest_bodies(uint64_t *digest, const abut_world *world) {
    const abut_idpool *ids = &world->ids;
    const uint64_t numbers[] = {ids->used, ids->first_free_plus_one, ids->free_count, ids->live_count,
                                world->body_block.capacity};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_array(digest, ids->generation, ids->used);
    digest_array(digest, ids->link, ids->used);
    digest_array(digest, world->attachment_plus_one, ids->used);
    digest_array(digest, world->filter_plus_one, ids->used);
    digest_side(digest, &world->attachments);
    digest_side(digest, &world->filters);
    for (uint32_t slot = 0; slot < ids->used; slot++) {
        if (abut_idpool_is_live(ids, slot)) {
            digest_body(digest, world, slot);
        } else {
            digest_number(digest, (uint64_t)world->flags[slot] << 8 | world->traits[slot].marks);
        }
    }
}

static void digest_counts(uint64_t *digest, const abut_world *world) {
    const uint64_t numbers[] = {world->changed,    world->had_destroy,     world->new_users,
                                world->new_meshes, world->non_box_count,   world->uncommon_count,
                                world->mesh_count, world->coarse_count,    world->bounds_count,
                                world->candidates, world->blocks,          world->moved_blocks,
                                world->resting,    world->phases_pending,  world->contacts_pending,
                                world->most_used,  (uint64_t)world->state, world->fixed,
                                world->body_limit, world->pair_limit,      world->pair_capacity};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_double(digest, world->extent);
    digest_words(digest, &world->margin, sizeof world->margin);
    digest_vec3(digest, world->up);
    digest_number(digest, abut_once_is_made(&world->tree_made));
    digest_number(digest, abut_once_is_made(&world->by_b_made));
    digest_number(digest, abut_once_is_made(&world->ids_made));
    digest_number(digest, abut_once_is_made(&world->contacts_made));
    digest_number(digest, abut_once_is_made(&world->events_made));
}

/* --- lists --- */

static void digest_parts(uint64_t *digest, const abut_w_parts *parts) {
    digest_number(digest, parts->block.capacity);
    digest_number(digest, parts->count);
    for (uint32_t k = 0; k < parts->count; k++) {
        digest_number(digest, (uint64_t)parts->part[k].part << 32 | parts->part[k].previous1);
        digest_manifold(digest, &parts->part[k].manifold);
    }
}

static void digest_list(uint64_t *digest, const abut_w_contacts *list, uint32_t count) {
    const uint64_t numbers[] = {list->keys.capacity, list->places.capacity, list->block.capacity, list->direct};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_number(digest, list->parts.block.capacity);
    for (uint32_t k = 0; k < count; k++) {
        digest_number(digest, list->pair[k].order);
    }
    if (!list->direct) {
        digest_array(digest, list->at, count);
        digest_array(digest, list->previous1, count);
    }
}

static void digest_current(uint64_t *digest, const abut_world *world) {
    const abut_w_contacts *list = &world->current;
    digest_numbers(digest, (uint64_t[]){list->count, list->stored, list->ordered}, 3);
    digest_list(digest, list, list->count);
    digest_parts(digest, &list->parts);
    for (uint32_t k = 0; k < list->count; k++) {
        abut_contact c;
        abut_w_contact_of(world, k, &c);
        digest_contact(digest, &c);
    }
}

static void digest_events(uint64_t *digest, const abut_world *world) {
    const abut_w_events *events = &world->events;
    const uint64_t numbers[] = {events->ends.capacity, events->block.capacity, events->end_count, events->event != NULL,
                                world->index.block.capacity};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    for (uint32_t k = 0; k < events->end_count; k++) {
        digest_contact(digest, &events->end[k]);
    }
    if (abut_once_is_made(&world->by_b_made)) {
        digest_array(digest, world->index.by_b, world->current.count);
    }
    if (abut_once_is_made(&world->ids_made)) {
        digest_array(digest, world->index.ids, world->current.count);
    }
}

/* --- caches --- */

static void digest_hints(uint64_t *digest, const abut_world *world) {
    digest_number(digest, world->hints.block.capacity);
    digest_number(digest, world->next_hints.block.capacity);
    digest_number(digest, world->hints.count);
    for (uint32_t k = 0; k < world->hints.count; k++) {
        digest_number(digest, world->hints.entry[k].pair.order);
    }
}

static void digest_broad_phase(uint64_t *digest, const abut_bp *bp, uint32_t slots) {
    const uint64_t numbers[] = {bp->key_end,       bp->copy_capacity, bp->resting_copies, bp->active_copies,
                                bp->active_count,  bp->resting_count, bp->woken,          bp->woken_seen,
                                bp->back_off,      bp->quiet_finds,   bp->rest_cost,      bp->pool_capacity,
                                bp->resting_pairs, bp->active_pairs,  bp->tests,          bp->tree.count,
                                bp->tree.levels,   bp->tree.ordered,  bp->tree.written,   abut_bp_bytes(bp)};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_bytes(digest, bp->role, slots);
    digest_array(digest, bp->apart, ABUT_BP_CLASSES);
    digest_bytes(digest, bp->tree.touched, slots);
    digest_array(digest, bp->tree.key, bp->tree.count);
    digest_double(digest, bp->tree.spread);
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (abut_bp_is_present(bp, slot)) {
            digest_words(digest, &bp->box[slot], sizeof bp->box[slot]);
        }
    }
}

/* What the last block of candidates on its way has left. */
static void digest_block(uint64_t *digest, const abut_w_block *block) {
    const uint64_t numbers[] = {block->n,          block->moved,          block->moved_boxes,
                                block->mesh_tests, block->mesh_manifolds, block->stride,
                                block->hints,      block->hint != NULL};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    for (int detail = 0; detail < ABUT_W_DETAILS; detail++) {
        const abut_w_tests *test = &block->test[detail];
        digest_number(digest, test->n);
        digest_array(digest, test->a, test->n);
        digest_array(digest, test->b, test->n);
    }
}

static void digest_blocks(uint64_t *digest, const abut_world *world) {
    if (world->single.in_flight) {
        digest_block(digest, world->single.in_flight);
    }
    for (uint32_t k = 0; k < world->waves.block.capacity; k += 7) {
        digest_block(digest, &world->waves.room[k].block);
    }
}

static void digest_rooms(uint64_t *digest, const abut_world *world) {
    const uint64_t numbers[] = {world->single.block.capacity, world->waves.block.capacity,
                                world->found.block.capacity,  world->sweep.marks.capacity,
                                world->sweep.block.capacity,  abut_bp_bytes(&world->sweep.bp)};
    digest_numbers(digest, numbers, sizeof numbers / sizeof *numbers);
    for (uint32_t k = 0; k < ABUT_BP_CLASSES; k++) {
        const abut_w_filter_class *of = &world->filter_class[k];
        digest_number(digest, of->bodies);
        if (of->bodies > 0) {
            digest_numbers(digest, (uint64_t[]){of->filter.category, of->filter.mask, (uint32_t)of->filter.group}, 3);
        }
    }
}

void digest_inside(uint64_t *digest, const abut_world *world) {
    digest_bodies(digest, world);
    digest_counts(digest, world);
    digest_current(digest, world);
    digest_list(digest, &world->next, 0);
    digest_events(digest, world);
    digest_hints(digest, world);
    digest_broad_phase(digest, &world->bp, world->ids.used);
    digest_rooms(digest, world);
    digest_blocks(digest, world);
}
