/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which keys have a role. */
#ifndef ABUT_BROADPHASE_KEYS_H
#define ABUT_BROADPHASE_KEYS_H

#include "broadphase/broadphase.h"

/* Writes the keys with this role, ascending; returns how many there are. */
uint32_t abut_bp_keys_with(const abut_bp *bp, uint8_t role, uint32_t *key);

/* Whether any key is static. */
bool abut_bp_any_static(const abut_bp *bp);

#endif
