/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What rests: the columns and rows of settled keys. */
#ifndef ABUT_BROADPHASE_RESTING_H
#define ABUT_BROADPHASE_RESTING_H

#include "broadphase/broadphase.h"

/* Writes the keys of that role, ascending; returns how many there are. */
uint32_t abut_bp_list_role(const abut_bp *bp, uint8_t role, uint32_t *key);

/* Drops the rows of keys that are settled no more. */
void abut_bp_forget_woken(abut_bp *bp);

/* So many keys have woken or come that it is better to begin anew. */
bool abut_bp_is_restless(const abut_bp *bp);

/* After that: settling takes more rest than before. */
void abut_bp_lose_patience(abut_bp *bp);

/* Room for the starts of columns. */
uint32_t abut_bp_columns_max(const abut_bp *bp);

#endif
