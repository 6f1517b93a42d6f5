/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Names for the features of a box and for pairs of them. */
#ifndef ABUT_NARROWPHASE_FEATURE_H
#define ABUT_NARROWPHASE_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

/* Signs are 0 or 1: the negative or positive end along an axis. */

/* 0..7. Bit k of `signs`: the end along axis k. */
static inline uint32_t abut_np_feature_vertex(uint32_t signs) {
    return signs;
}

/* 8..19: the edge along `axis` of which `signs` (as for a vertex; bit `axis` is ignored) names the place. */
static inline uint32_t abut_np_feature_edge(int axis, uint32_t signs) {
    return 8 + 4 * (uint32_t)axis + (signs >> (axis + 1) % 3 & 1) + 2 * (signs >> (axis + 2) % 3 & 1);
}

/* 20..25 */
static inline uint32_t abut_np_feature_face(int axis, uint32_t sign) {
    return 20 + 2 * (uint32_t)axis + sign;
}

/* The id of a contact point: which feature of one box meets which of the other. It does not depend on which of the two
 * is called first: (x, y) and (y, x) are one id, unless `ordered` says that both could stand in one manifold. */
static inline uint32_t abut_np_feature_pair(uint32_t first, uint32_t second, bool ordered) {
    uint32_t low = first < second ? first : second, high = first < second ? second : first;
    return low | high << 8 | (ordered && first > second ? UINT32_C(1) << 16 : 0);
}

#endif
