/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Questions to a const world about the poses that bodies have now. */
#ifndef ABUT_WORLD_QUERY_QUERY_H
#define ABUT_WORLD_QUERY_QUERY_H

#include "world/body/body.h"

/* places.c: boxes by place, for const functions that look for bodies in some part of space. Made when first asked for:
 * see abut_bp_query_prepare. Of bodies with a flag of ABUT_W_DIRTY the broad phase does not know where they are; they
 * count only apart from their places. */
void abut_w_query_prepare(const abut_world *world);
/* What was made is out of date. */
void abut_w_query_reset(abut_world *world);
/* index.c: boxes along a curve, for culling. It outlives steps in which few bodies move; bodies without an entry that
 * counts, and those that are astray, are looked at one by one. Whether it is there; it is made if that has become worth
 * it. */
bool abut_w_index(const abut_world *world);
/* So many bodies were looked at one by one. */
void abut_w_count_scan(const abut_world *world, uint32_t bodies);
/* The body has changed, or is gone. */
void abut_w_index_remove(abut_world *world, uint32_t slot);
/* At the end of a successful step, in which so many bodies had changed. */
void abut_w_index_review(abut_world *world, size_t changed);
void abut_w_index_reset(abut_world *world);

#endif
