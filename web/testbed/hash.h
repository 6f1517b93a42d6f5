/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A hash of numbers only: no padding, no pointers. */
#ifndef ABUT_WEB_HASH_H
#define ABUT_WEB_HASH_H

#include <abut/abut.h>

void hash_u64(uint64_t *hash, uint64_t value);
void hash_u32s(uint64_t *hash, uint32_t low, uint32_t high);
void hash_floats(uint64_t *hash, float low, float high); /* their bits */
void hash_contacts(uint64_t *hash, const abut_contact *contacts, size_t count);
void hash_parts(uint64_t *hash, const abut_contact_part *parts, size_t count);

#endif
