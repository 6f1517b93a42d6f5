/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frustum culling of other libraries, over boxes that do not move. */
#ifndef ABUT_BENCH_CULL_PEER_H
#define ABUT_BENCH_CULL_PEER_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cull_peer {
    const char *name;
    void *(*create)(const abut_aabb *boxes, size_t count);
    /* Inside is where plane[k] . (p, 1) >= 0. Writes the indices that it keeps, in any order, and returns their number.
     */
    size_t (*run)(void *state, const float plane[6][4], uint32_t *visible);
    void (*destroy)(void *state);
} cull_peer;

extern const cull_peer cull_peer_bullet;

/* Those that this was built with, NULL at the end. */
extern const cull_peer *const cull_peers[];

#ifdef __cplusplus
}
#endif
#endif
