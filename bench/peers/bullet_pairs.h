/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#ifndef ABUT_BENCH_BULLET_PAIRS_H
#define ABUT_BENCH_BULLET_PAIRS_H

#include <btBulletCollisionCommon.h>

/* Before the proxies go: each looks through all pairs for its own, which is quadratic unless there are none left. */
inline void bullet_forget_pairs(btBroadphaseInterface &broad, btDispatcher &dispatcher) {
    btOverlappingPairCache &cache = *broad.getOverlappingPairCache();
    while (cache.getNumOverlappingPairs() > 0) {
        const btBroadphasePair last = cache.getOverlappingPairArray()[cache.getNumOverlappingPairs() - 1];
        cache.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, &dispatcher);
    }
}

#endif
