/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts with meshes: the tests of their pairs, and their parts. The parts of a block are collected in a list of the
 * world; what should_collide lets pass is copied to the new list, so that there are no gaps in that. A block that is
 * alone lets the list grow as it must. Several at a time take pieces of it, and give up when nothing is left. */
#include "base/compiler.h"
#include "world/query/lowest.h"
#include "world/state/state.h"
#include "world/step/block.h"
#include <assert.h>

/* So many pairs are handed to the narrow phase at once. */
enum { PAIRS = 16 };

typedef struct collecting {
    abut_world *world;
    abut_w_block *block;
    abut_w_part_room *room;
    uint32_t count;     /* parts of the pair, from room->first on */
    uint32_t first;     /* how many pairs were handed over before those that are now with the narrow phase */
    uint32_t now;       /* of these: the one whose parts come */
    uint8_t hit[PAIRS]; /* of each: which hit of the block it is, */
    bool turned[PAIRS]; /* and whether the mesh is the second body: normals lead from a to b, and those of the narrow
                           phase from the mesh */
    abut_result result;
} collecting;
_Static_assert(ABUT_W_BLOCK <= 256, "a hit is a byte");

static abut_result grow_list(collecting *c) {
    abut_w_parts *found = &c->world->found;
    found->count = c->room->first + c->count;
    abut_result result = abut_w_reserve_parts(c->world, found, (uint64_t)found->count + 1);
    c->room->end = found->block.capacity;
    return result;
}

/* Takes another piece of the list, into which the pair's parts move. */
static abut_result take_piece(collecting *c) {
    abut_w_parts *found = &c->world->found;
    uint32_t first = c->room->first, wanted = 2 * c->count > ABUT_W_PIECE ? 2 * c->count : ABUT_W_PIECE;
    uint32_t at = abut_atomic_load(c->room->taken) < found->block.capacity ? abut_atomic_add(c->room->taken, wanted)
                                                                           : found->block.capacity;
    if ((uint64_t)at + wanted > found->block.capacity) {
        return ABUT_ERROR_CAPACITY;
    }
    if (c->count > 0) {
        memcpy(found->part + at, found->part + first, c->count * sizeof *found->part);
    }
    c->room->first = at;
    c->room->end = at + wanted;
    return ABUT_OK;
}

static void collect(const abut_contact_part *part, void *context) {
    collecting *c = context;
    if (!c->result && c->room->first + c->count == c->room->end) {
        c->result = c->room->taken ? take_piece(c) : grow_list(c);
    }
    if (!c->result) {
        abut_contact_part *to = &c->world->found.part[c->room->first + c->count++];
        *to = *part;
        if (c->turned[c->now]) {
            abut_np_manifold_turn(&to->manifold);
        }
    }
}

/* The narrow phase finds parts in no fixed order. */
static void sort(abut_contact_part *part, uint32_t n) {
    static const abut_w_order by_part = {1, {offsetof(abut_contact_part, part)}};
    abut_w_lowest all = abut_w_lowest_of(part, n, sizeof *part, &by_part);
    all.total = n;
    (void)abut_w_lowest_sort(&all);
}
_Static_assert(sizeof(abut_contact_part) % sizeof(size_t) == 0, "as abut_w_lowest needs it");

/* All parts of a pair are there. */
static bool pair_done(uint32_t k, bool touches, void *context) {
    collecting *c = context;
    if (touches && c->turned[k]) {
        abut_np_manifold_turn(abut_w_mesh_manifold(c->block, c->first + k));
    }
    c->block->touches[c->hit[k]] = touches;
    c->block->found[c->first + k] = (abut_w_span){c->room->first, c->count};
    if (c->count > 1) {
        sort(c->world->found.part + c->room->first, c->count);
    }
    c->room->first += c->count;
    c->count = 0;
    c->now = k + 1;
    return !c->result;
}

static void find_parts(collecting *c, const abut_np_mesh_pair *pair, uint32_t n) {
    c->now = c->count = 0;
    abut_np_mesh_collide_many(pair, n, c->world->margin, collect, pair_done, c);
    c->first += n;
}

abut_result abut_w_resolve_meshes(abut_world *world, abut_w_block *block, abut_w_part_room *room) {
    collecting c = {.world = world, .block = block, .room = room};
    abut_np_mesh_pair pair[PAIRS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < block->n && block->mesh_tests > 0 && !c.result; i++) {
        const abut_w_pair of = block->hit[i].pair;
        const abut_collider *a = &world->collider[abut_w_pair_low(of)], *b = &world->collider[abut_w_pair_high(of)];
        abut_manifold none;
        if (block->touches[i] == ABUT_W_MESH_MANIFOLD) {
            c.hit[n] = (uint8_t)i;
            c.turned[n] = b->mesh != NULL;
            pair[n] = (abut_np_mesh_pair){a->mesh ? a : b, a->mesh ? b : a, abut_w_mesh_manifold(block, c.first + n)};
            memset(pair[n++].manifold, 0, sizeof none);
        } else if (block->touches[i] == ABUT_W_MESH_OVERLAP) {
            block->touches[i] = abut_w_resolve_pair(a, b, ABUT_DETAIL_OVERLAP, 0, NULL, NULL, &none);
        }
        if (n == PAIRS) {
            find_parts(&c, pair, n);
            n = 0;
        }
    }
    if (n > 0) {
        find_parts(&c, pair, n);
    }
    return c.result;
}

/* Appends n parts to the new list. */
static abut_result append(abut_world *world, abut_w_merge *merge, const abut_contact_part *part, uint32_t n) {
    abut_w_parts *to = &world->next.parts;
    abut_result result = ABUT_OK;
    if ((uint64_t)merge->parts + n > to->block.capacity) {
        to->count = merge->parts;
        result = abut_w_reserve_parts(world, to, (uint64_t)merge->parts + n);
    }
    if (!result) {
        memcpy(to->part + merge->parts, part, n * sizeof *part);
        merge->parts += n;
    }
    return result;
}

/* Looks for the triangles of n parts among those of the pair's old contact. Both lists are sorted. */
static void match(abut_contact_part *part, uint32_t n, const abut_w_parts *old, abut_w_span of) {
    uint32_t at = of.first, end = of.first + of.count;
    for (uint32_t k = 0; k < n; k++) {
        while (at < end && old->part[at].part < part[k].part) {
            at++;
        }
        part[k].previous1 = at < end && old->part[at].part == part[k].part ? at + 1 : 0;
    }
}

/* Those of a pair that was tested, and touches: there is one at least. */
static abut_result append_found(abut_world *world, abut_w_merge *merge, abut_w_span found, const abut_w_hit *hit,
                                abut_contact *contact) {
    const abut_w_contacts *old = &world->current;
    uint32_t low = abut_w_pair_low(hit->pair),
             with_mesh = world->collider[low].mesh ? low : abut_w_pair_high(hit->pair);
    abut_w_span of = {0, 0};
    assert(found.count > 0);
    abut_result result = append(world, merge, world->found.part + found.first, found.count);
    if (result) {
        return result;
    }
    if (contact->previous1 && !(world->traits[with_mesh].marks & ABUT_W_OTHER_MESH)) {
        const abut_contact *previous = &old->contact[contact->previous1 - 1];
        of = (abut_w_span){previous->part_first, previous->part_count};
    }
    contact->part_count = found.count;
    contact->part_first = merge->parts - found.count;
    match(world->next.parts.part + contact->part_first, found.count, &old->parts, of);
    return ABUT_OK;
}

/* The parts of a hit in abut_world::found, by where its manifold is; NULL: it has not been tested. */
static const abut_w_span *found_of(const abut_w_block *block, const abut_w_hit *hit) {
    uintptr_t offset = (uintptr_t)hit->manifold - (uintptr_t)block->buffer; /* wraps if it is elsewhere */
    size_t from_end = offset < sizeof block->buffer ? ABUT_W_BLOCK - 1 - offset / sizeof *block->buffer : SIZE_MAX;
    return from_end < block->mesh_manifolds ? &block->found[from_end] : NULL;
}

uint32_t abut_w_count_parts(const abut_world *world, const abut_w_block *block, const abut_w_hit *hit) {
    const abut_w_span *found = found_of(block, hit);
    const abut_w_contacts *old = &world->current;
    uintptr_t offset = (uintptr_t)hit->manifold - (uintptr_t)old->contact; /* wraps if it is elsewhere */
    if (found) {
        return found->count;
    }
    return offset < old->count * sizeof *old->contact ? old->contact[offset / sizeof *old->contact].part_count : 0;
}

abut_result abut_w_append_parts(abut_world *world, abut_w_merge *merge, const abut_w_block *block,
                                const abut_w_hit *hit, abut_contact *contact) {
    const abut_w_span *found = found_of(block, hit);
    const abut_contact *old = contact->previous1 ? &world->current.contact[contact->previous1 - 1] : NULL;
    if (found) {
        return append_found(world, merge, *found, hit, contact);
    }
    if (old && hit->manifold == &old->manifold && old->part_count > 0) { /* the last step's result */
        contact->part_count = old->part_count;
        contact->part_first = old->part_first;
        return abut_w_copy_parts(world, merge, contact, 1);
    }
    return ABUT_OK;
}

abut_result abut_w_copy_parts(abut_world *world, abut_w_merge *merge, abut_contact *contact, uint32_t n) {
    const abut_w_parts *old = &world->current.parts;
    abut_w_parts *to = &world->next.parts;
    uint32_t first = 0, count = 0, shift;
    for (uint32_t i = n; i-- > 0;) {
        first = contact[i].part_count > 0 ? contact[i].part_first : first;
        count += contact[i].part_count;
    }
    abut_result result = count > 0 ? append(world, merge, old->part + first, count) : ABUT_OK;
    if (result || count == 0) {
        return result;
    }
    shift = merge->parts - count - first; /* of indices; wraps */
    for (uint32_t i = 0; i < n; i++) {
        contact[i].part_first += contact[i].part_count > 0 ? shift : 0;
    }
    for (uint32_t k = 0; k < count; k++) {
        to->part[merge->parts - count + k].previous1 = first + k + 1;
    }
    return ABUT_OK;
}
