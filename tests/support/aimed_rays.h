/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random rays at a body: through it, past it, along its faces and through its corners, from inside and from far away.
 */
#ifndef ABUT_TESTS_SUPPORT_AIMED_RAYS_H
#define ABUT_TESTS_SUPPORT_AIMED_RAYS_H

#include "support/near_round.h"
#include "support/rng.h"
#include <abut/query.h>

abut_ray aimed_ray(const round_body *body, rng *r);

/* A body of any kind and size, somewhere. */
void aimed_body(const round_hulls *hulls, uint64_t seed, uint64_t index, rng *r, round_body *out);

#endif
