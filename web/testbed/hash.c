/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "hash.h"
#include <string.h>

/* Stafford's variant 13 of MurmurHash3's finalizer, half of it a number: every bit of a number reaches every bit of the
 * hash by the time that the next two have been fed. */
void hash_u64(uint64_t *hash, uint64_t value) {
    uint64_t h = (*hash ^ value) * UINT64_C(0xBF58476D1CE4E5B9);
    *hash = h ^ h >> 29;
}

void hash_u32s(uint64_t *hash, uint32_t low, uint32_t high) {
    hash_u64(hash, (uint64_t)high << 32 | low);
}

void hash_floats(uint64_t *hash, float low, float high) {
    uint32_t bits[2];
    memcpy(&bits[0], &low, sizeof low);
    memcpy(&bits[1], &high, sizeof high);
    hash_u32s(hash, bits[0], bits[1]);
}

static void hash_manifold(uint64_t *hash, const abut_manifold *m) {
    hash_floats(hash, m->normal.x, m->normal.y);
    hash_floats(hash, m->normal.z, (float)m->count);
    for (uint32_t i = 0; i < m->count; ++i) {
        const abut_contact_point *p = &m->points[i];
        hash_floats(hash, p->position.x, p->position.y);
        hash_floats(hash, p->position.z, p->separation);
        hash_u64(hash, p->feature);
    }
}

static void hash_contact(uint64_t *hash, const abut_contact *c) {
    hash_u64(hash, abut_body_id_pack(c->a));
    hash_u64(hash, abut_body_id_pack(c->b));
    hash_u64(hash, c->user_a);
    hash_u64(hash, c->user_b);
    hash_u32s(hash, (uint32_t)c->phase, c->previous1);
    hash_manifold(hash, &c->manifold);
}

void hash_contacts(uint64_t *hash, const abut_contact *contacts, size_t count) {
    hash_u64(hash, count);
    for (size_t i = 0; i < count; ++i) {
        hash_contact(hash, &contacts[i]);
    }
}

void hash_parts(uint64_t *hash, const abut_contact_part *parts, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        hash_u32s(hash, parts[i].part, parts[i].previous1);
        hash_manifold(hash, &parts[i].manifold);
    }
}
