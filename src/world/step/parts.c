/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts with meshes: the tests of their pairs, and their parts. The parts of a block are collected in a list of the
 * world, whose memory grows as it must; what should_collide lets pass is copied to the new list, so that there are no
 * gaps in that. */
#include "world/query/lowest.h"
#include "world/state/state.h"
#include "world/step/block.h"

typedef struct collecting {
    abut_world *world;
    abut_result result;
} collecting;

static void collect(const abut_contact_part *part, void *context) {
    collecting *c = context;
    abut_w_parts *found = &c->world->found;
    c->result = c->result ? c->result : abut_w_reserve_parts(c->world, found, (uint64_t)found->count + 1);
    if (!c->result) {
        found->part[found->count++] = *part;
    }
}

/* The narrow phase finds parts in no fixed order. */
static void sort(abut_contact_part *part, uint32_t n) {
    static const abut_w_order by_part = {1, {offsetof(abut_contact_part, part)}};
    abut_w_lowest all = abut_w_lowest_of(part, n, sizeof *part, &by_part);
    all.total = n;
    (void)abut_w_lowest_sort(&all);
}
_Static_assert(sizeof(abut_contact_part) % sizeof(uint64_t) == 0, "as abut_w_lowest needs it");

static abut_result find_parts(abut_world *world, abut_w_block *block) {
    abut_w_tests *test = &block->test[ABUT_W_MESH_MANIFOLD];
    collecting c = {world, ABUT_OK};
    for (size_t k = 0; k < test->n && !c.result; k++) {
        uint32_t first = world->found.count;
        test->touches[k] =
            abut_w_resolve_pair(&world->collider[test->a[k]], &world->collider[test->b[k]], ABUT_DETAIL_MANIFOLD,
                                world->margin, collect, &c, abut_w_mesh_manifold(block, k));
        block->found[k] = (abut_w_span){first, world->found.count - first};
        if (block->found[k].count > 1) {
            sort(world->found.part + first, block->found[k].count);
        }
    }
    return c.result;
}

abut_result abut_w_resolve_meshes(abut_world *world, abut_w_block *block) {
    abut_w_tests *overlaps = &block->test[ABUT_W_MESH_OVERLAP];
    abut_manifold none;
    world->found.count = 0;
    for (size_t k = 0; k < overlaps->n; k++) {
        overlaps->touches[k] = abut_w_resolve_pair(&world->collider[overlaps->a[k]], &world->collider[overlaps->b[k]],
                                                   ABUT_DETAIL_OVERLAP, 0, NULL, NULL, &none);
    }
    return block->test[ABUT_W_MESH_MANIFOLD].n > 0 ? find_parts(world, block) : ABUT_OK;
}

/* Appends n parts to the new list. */
static abut_result append(abut_world *world, const abut_contact_part *part, uint32_t n) {
    abut_w_parts *to = &world->next.parts;
    abut_result result = abut_w_reserve_parts(world, to, (uint64_t)to->count + n);
    if (!result) {
        memcpy(to->part + to->count, part, n * sizeof *part);
        to->count += n;
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

/* Those of a pair that was tested. */
static abut_result append_found(abut_world *world, abut_w_span found, const abut_w_hit *hit, abut_contact *contact) {
    const abut_w_contacts *old = &world->current;
    uint8_t marks = world->traits[abut_w_pair_low(hit->pair)].marks | world->traits[abut_w_pair_high(hit->pair)].marks;
    abut_w_span of = {0, 0};
    abut_result result = found.count > 0 ? append(world, world->found.part + found.first, found.count) : ABUT_OK;
    if (result || found.count == 0) {
        return result;
    }
    if (contact->previous1 && !(marks & ABUT_W_OTHER_MESH)) {
        const abut_contact *previous = &old->contact[contact->previous1 - 1];
        of = (abut_w_span){previous->part_first, previous->part_count};
    }
    contact->part_count = found.count;
    contact->part_first = world->next.parts.count - found.count;
    match(world->next.parts.part + contact->part_first, found.count, &old->parts, of);
    return ABUT_OK;
}

abut_result abut_w_append_parts(abut_world *world, const abut_w_block *block, size_t *test, const abut_w_hit *hit,
                                abut_contact *contact) {
    const abut_w_tests *tests = &block->test[ABUT_W_MESH_MANIFOLD];
    while (*test < tests->n && abut_w_pair_of(tests->a[*test], tests->b[*test]).order < hit->pair.order) {
        ++*test;
    }
    if (*test < tests->n && abut_w_pair_of(tests->a[*test], tests->b[*test]).order == hit->pair.order) {
        return append_found(world, block->found[*test], hit, contact);
    }
    const abut_contact *old = contact->previous1 ? &world->current.contact[contact->previous1 - 1] : NULL;
    if (old && hit->manifold == &old->manifold && old->part_count > 0) { /* the last step's result */
        contact->part_count = old->part_count;
        contact->part_first = old->part_first;
        return abut_w_copy_parts(world, contact, 1);
    }
    return ABUT_OK;
}

abut_result abut_w_copy_parts(abut_world *world, abut_contact *contact, uint32_t n) {
    const abut_w_parts *old = &world->current.parts;
    abut_w_parts *to = &world->next.parts;
    uint32_t first = 0, count = 0, shift;
    for (uint32_t i = n; i-- > 0;) {
        first = contact[i].part_count > 0 ? contact[i].part_first : first;
        count += contact[i].part_count;
    }
    abut_result result = count > 0 ? append(world, old->part + first, count) : ABUT_OK;
    if (result || count == 0) {
        return result;
    }
    shift = to->count - count - first; /* of indices; wraps */
    for (uint32_t i = 0; i < n; i++) {
        contact[i].part_first += contact[i].part_count > 0 ? shift : 0;
    }
    for (uint32_t k = 0; k < count; k++) {
        to->part[to->count - count + k].previous1 = first + k + 1;
    }
    return ABUT_OK;
}
