/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/whom.h"
#include "base/bits.h"
#include <string.h>

static bool query_valid(const abut_query *q) {
    return abut_w_filter_valid(&q->filter) && (q->ignore || q->ignore_count == 0) &&
           (uint32_t)q->initial <= ABUT_INITIAL_SKIP && q->allowance >= 0 && abut_bits_finite(q->allowance);
}

/* The root of the body that an id names, plus one; 0: none. */
static uint32_t root_plus_one(const abut_world *world, abut_body_id id) {
    return abut_idpool_names(&world->ids, id.index1, id.generation) ? abut_w_root_of(world, id.index1 - 1) + 1 : 0;
}

/* Its upper bits are the best: Knuth, "The Art of Computer Programming", volume 3, 6.4, multiplicative hashing. */
static uint32_t hash(uint32_t root_plus_one) {
    return root_plus_one * UINT32_C(2654435769);
}

/* --- a hash table: open addressing, at most half full --- */

/* Where a root is, or where its search ends. */
static uint32_t place_of(const abut_w_whom *whom, uint32_t root_plus_one) {
    uint32_t mask = (UINT32_C(1) << (32 - whom->shift)) - 1, at = hash(root_plus_one) >> whom->shift;
    while (whom->table[at] != 0 && whom->table[at] != root_plus_one) {
        at = (at + 1) & mask;
    }
    return at;
}

static void fill_table(abut_w_whom *whom) {
    const abut_query *q = whom->query;
    whom->bloom = false;
    whom->shift = 31;
    while ((UINT32_C(1) << (32 - whom->shift)) < 2 * q->ignore_count) {
        whom->shift--;
    }
    memset(whom->table, 0, sizeof *whom->table << (32 - whom->shift));
    for (size_t k = 0; k < q->ignore_count; k++) {
        uint32_t root = root_plus_one(whom->world, q->ignore[k]);
        if (root) {
            whom->table[place_of(whom, root)] = root;
        }
    }
}

/* --- a Bloom filter: two bits for each root --- */

enum { BLOOM_SHIFT = 32 - 14 };
_Static_assert(1 << (32 - BLOOM_SHIFT) == ABUT_W_WHOM_PLACES * 32, "a bit for each hash");

/* Two numbers of bits. */
static void bloom_bits(uint32_t root_plus_one, uint32_t bit[2]) {
    uint32_t h = hash(root_plus_one);
    bit[0] = h >> BLOOM_SHIFT;
    bit[1] = hash(h ^ h >> 15) >> BLOOM_SHIFT;
}

static void fill_bloom(abut_w_whom *whom) {
    uint32_t bit[2];
    whom->bloom = true;
    whom->shift = BLOOM_SHIFT;
    memset(whom->table, 0, sizeof whom->table);
    for (size_t k = 0; k < whom->query->ignore_count; k++) {
        uint32_t root = root_plus_one(whom->world, whom->query->ignore[k]);
        bloom_bits(root, bit);
        for (int i = 0; i < 2 && root; i++) {
            whom->table[bit[i] / 32] |= UINT32_C(1) << bit[i] % 32;
        }
    }
}

/* Looks through the list. Ids of other indices need no look at the world if there are no compounds. */
static bool is_listed(const abut_w_whom *whom, uint32_t root) {
    const abut_query *q = whom->query;
    for (size_t k = 0; k < q->ignore_count; k++) {
        if ((whom->compounds || q->ignore[k].index1 == root) && root_plus_one(whom->world, q->ignore[k]) == root) {
            return true;
        }
    }
    return false;
}

static bool is_in_bloom(const abut_w_whom *whom, uint32_t root_plus_one) {
    uint32_t bit[2];
    bloom_bits(root_plus_one, bit);
    return (whom->table[bit[0] / 32] >> bit[0] % 32 & whom->table[bit[1] / 32] >> bit[1] % 32 & 1) != 0;
}

/* --- the query --- */

bool abut_w_whom_of(const abut_world *world, const abut_query *query, abut_w_whom *whom) {
    static const abut_query everybody = {.ignore_count = 0};
    whom->world = world;
    whom->query = query ? query : &everybody;
    if (!query_valid(whom->query)) {
        return false;
    }
    size_t count = whom->query->ignore_count;
    whom->filter = abut_w_query_filter_of(world, &whom->query->filter);
    whom->everybody = count == 0 && abut_w_query_passes_all(&whom->filter);
    whom->compounds = world->attachments.live > 0;
    whom->shift = 32;
    if (count > ABUT_W_WHOM_PLACES / 2) {
        fill_bloom(whom);
    } else if (count > 0) {
        fill_table(whom);
    }
    return true;
}

static bool is_ignored(const abut_w_whom *whom, uint32_t slot) {
    if (whom->shift == 32) {
        return false;
    }
    uint32_t root = 1 + (whom->compounds ? abut_w_root_of(whom->world, slot) : slot);
    return whom->bloom ? is_in_bloom(whom, root) && is_listed(whom, root) : whom->table[place_of(whom, root)] != 0;
}

bool abut_w_whom_picks(const abut_w_whom *whom, uint32_t slot) {
    return abut_w_query_passes(whom->world, &whom->filter, slot) && !is_ignored(whom, slot);
}

uint32_t abut_w_whom_drop(const abut_w_whom *whom, uint32_t *slot, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t body = slot[k];
        slot[kept] = body;
        kept += abut_w_whom_picks(whom, body);
    }
    return kept;
}

bool abut_w_whom_asks(const abut_w_whom *whom, uint32_t slot, uint32_t part, abut_body_id mover, size_t element) {
    const abut_candidate candidate = {.body = abut_w_id(whom->world, slot),
                                      .user = whom->world->body_user[slot],
                                      .part = part,
                                      .mover = mover,
                                      .element = element};
    return whom->query->accept(&candidate, whom->query->context);
}

abut_w_two abut_w_two_of(const abut_world *world, const abut_body_id ids[2]) {
    return (abut_w_two){{root_plus_one(world, ids[0]), root_plus_one(world, ids[1])}};
}
