/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/step/block.h"

bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b) {
    const abut_w_traits *ta = &world->traits[a], *tb = &world->traits[b];
    if ((ta->motion == ABUT_STATIC && tb->motion == ABUT_STATIC) || ta->marks & tb->marks & ABUT_W_MESH) {
        return false;
    }
    if (!((world->flags[a] | world->flags[b]) & ABUT_W_FILTERED)) { /* most pairs end here, with little memory read */
        return true;
    }
    if (abut_w_root_of(world, a) == abut_w_root_of(world, b)) {
        return false;
    }
    return abut_w_filters_pass(abut_w_filter_of(world, a), abut_w_filter_of(world, b));
}

const abut_manifold abut_w_no_manifold;

/* The usual block: every pair is a manifold test of two bodies of which one has changed, without filters and hints.
 * Lists all pairs as tests. Returns false if a pair is of another kind; then the list is to be discarded. */
static bool list_moved(const abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_block *block) {
    const uint8_t *flags = world->flags;
    const abut_w_traits *traits = world->traits;
    bool any_uncommon = world->uncommon_count > 0;
    uint8_t marks = 0;
    abut_w_tests *test = &block->test[ABUT_DETAIL_MANIFOLD];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = pair[i].low, high = pair[i].high;
        uint8_t either_flags = flags[low] | flags[high];
        if (any_uncommon) {
            marks |= traits[low].marks | traits[high].marks;
        }
        if ((either_flags & (ABUT_W_FILTERED | ABUT_W_CHANGED)) != ABUT_W_CHANGED || marks & ABUT_W_SEPARATE) {
            return false;
        }
        test->a[i] = low;
        test->b[i] = high;
        ABUT_PREFETCH(&world->collider[high]); /* lower ones are consecutive in memory */
    }
    test->n = n;
    block->moved_boxes = !(marks & ABUT_W_UNCOMMON);
    return true;
}

/* The index of a pair among the last step's contacts, plus one; 0 if it was not a contact. Pairs must come in ascending
 * order. Strides double until they pass the pair: there may be many contacts of resting bodies in between. */
static uint32_t find_contact(const abut_w_contacts *list, abut_w_pair pair, abut_w_last *last) {
    uint32_t low = last->contact;
    uint64_t step = 1;
    for (; step <= list->count - low && list->pair[low + step - 1].order < pair.order; step *= 2) {
        low += (uint32_t)step;
    }
    uint32_t high = step <= list->count - low ? low + (uint32_t)step - 1 : list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool is_below = list->pair[middle].order < pair.order;
        low = is_below ? middle + 1 : low;
        high = is_below ? high : middle;
    }
    last->contact = low;
    return last->contact < list->count && list->pair[last->contact].order == pair.order ? last->contact + 1 : 0;
}

static const abut_manifold *manifold_of(const abut_w_contacts *list, uint32_t index) {
    uint32_t at = list->direct ? index : list->at[index];
    return at == ABUT_W_NOT_STORED ? &abut_w_no_manifold : &list->contact[at].manifold;
}

static abut_np_hint *hint_of(const abut_world *world, uint32_t low, uint32_t high, abut_w_last *last,
                             abut_w_block *block) {
    bool used = abut_np_uses_hint(&world->collider[low], &world->collider[high]);
    return used ? abut_w_take_hint(world, abut_w_pair_of(low, high), &last->hint, block) : NULL;
}

/* Lists a test of the pair that becomes the block's next hit. Returns where its manifold will be. */
static const abut_manifold *list_test(const abut_world *world, uint32_t low, uint32_t high, abut_detail detail,
                                      abut_np_hint *hint, abut_w_block *block) {
    abut_w_tests *test = &block->test[detail];
    ABUT_PREFETCH(&world->collider[high]);
    test->a[test->n] = low;
    test->b[test->n] = high;
    test->hint[test->n] = hint;
    test->index[test->n] = (uint16_t)block->n;
    return detail == ABUT_DETAIL_MANIFOLD ? &block->buffer[test->n++] : (test->n++, &abut_w_no_manifold);
}

/* The same for a pair with a mesh; *touches is that of the hit. */
static const abut_manifold *note_mesh_test(abut_detail detail, abut_w_block *block, uint8_t *touches) {
    bool manifold = detail == ABUT_DETAIL_MANIFOLD;
    *touches = manifold ? ABUT_W_MESH_MANIFOLD : ABUT_W_MESH_OVERLAP;
    block->mesh_tests++;
    return manifold ? abut_w_mesh_manifold(block, block->mesh_manifolds++) : &abut_w_no_manifold;
}

/* Lists pairs of any kind. A pair of bodies without a changed bit has the result of the last step, except that a pair
 * missing from the last contacts may have touched and been refused by should_collide. At ABUT_DETAIL_BOUNDS every
 * candidate touches, unless the margin has widened its boxes. */
static void list_pairs(const abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_last *last,
                       abut_w_block *block) {
    const uint8_t *flags = world->flags;
    const abut_w_traits *traits = world->traits;
    bool hints = block->hint != NULL, widened = world->margin > 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t low = pair[i].low, high = pair[i].high;
        uint8_t either_flags = flags[low] | flags[high], either_marks = traits[low].marks | traits[high].marks;
        if (either_flags & ABUT_W_FILTERED &&
            (either_marks & ABUT_W_COLLIDES_WITH_NOTHING || !abut_w_may_touch(world, low, high))) {
            continue;
        }
        if (traits[low].marks & traits[high].marks & ABUT_W_MESH) {
            continue;
        }
        abut_detail detail = abut_w_pair_detail(traits[low].detail, traits[high].detail);
        abut_w_pair id = abut_w_pair_of(low, high);
        abut_np_hint *hint = hints && detail != ABUT_DETAIL_BOUNDS ? hint_of(world, low, high, last, block) : NULL;
        uint32_t known_plus_one = either_flags & ABUT_W_CHANGED ? 0 : find_contact(&world->current, id, last);
        const abut_manifold *manifold = &abut_w_no_manifold;
        uint8_t touches = 1;
        if (known_plus_one) {
            manifold = manifold_of(&world->current, known_plus_one - 1);
        } else if (!(either_flags & ABUT_W_CHANGED) && !world->should_collide) {
            continue;
        } else if (detail != ABUT_DETAIL_BOUNDS || widened) {
            bool mesh = either_marks & ABUT_W_MESH && detail != ABUT_DETAIL_BOUNDS;
            manifold =
                mesh ? note_mesh_test(detail, block, &touches) : list_test(world, low, high, detail, hint, block);
        }
        ABUT_PREFETCH(&world->ids.generation[high]); /* for the contact; lower ones are consecutive */
        ABUT_PREFETCH(&world->body_user[high]);
        block->touches[block->n] = touches;
        block->hit[block->n++] = (abut_w_hit){id, manifold};
    }
}

void abut_w_classify(const abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_last *last,
                     abut_w_block *block) {
    block->n = block->hints = 0;
    block->manifold = block->buffer;
    block->stride = sizeof *block->buffer;
    block->moved_boxes = false;
    block->mesh_tests = block->mesh_manifolds = 0;
    block->moved = list_moved(world, pair, n, block);
    if (!block->moved) {
        for (int detail = 0; detail < ABUT_W_DETAILS; detail++) {
            block->test[detail].n = 0;
        }
        list_pairs(world, pair, n, last, block);
    }
}
