/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "peers.h"

const peer_library *const peer_libraries[] = {
#ifdef BENCH_BULLET
    &peer_bullet,
#endif
#ifdef BENCH_ODE
    &peer_ode,
#endif
#ifdef BENCH_CCD
    &peer_ccd,
#endif
    NULL};
