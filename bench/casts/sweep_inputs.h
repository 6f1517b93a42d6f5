/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of boxes or hulls that move and turn: towards each other from 2 to 3.5 units away, by a radian or less. */
#ifndef ABUT_BENCH_SWEEP_INPUTS_H
#define ABUT_BENCH_SWEEP_INPUTS_H

#include "inputs.h"
#include "peers/sweep_peer.h"

/* `hulls`: NULL for boxes. `meet`: all meet on their way; otherwise none does, but all come within half a unit. */
sweep_set sweep_set_create(uint64_t seed, size_t pairs, const hull_set *hulls, bool meet);
void sweep_set_destroy(sweep_set *set);

#endif
