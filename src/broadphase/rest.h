/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Resting keys: when keys are put to rest, and when all of them become active again. */
#ifndef ABUT_BROADPHASE_REST_H
#define ABUT_BROADPHASE_REST_H

#include "broadphase/broadphase.h"

/* Drops resting pairs of which a key no longer rests. */
void abut_bp_drop_woken_pairs(abut_bp *bp);

/* Whether so few keys rest, compared with those that are active or have woken, that it is cheaper to make all
 * active. */
bool abut_bp_few_rest(const abut_bp *bp);

/* Called when resting did not pay: from now on, keys must stay unmoved longer before they are put to rest. */
void abut_bp_back_off(abut_bp *bp);

#endif
