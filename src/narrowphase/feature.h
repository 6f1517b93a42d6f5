/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Names for the features of a box and for pairs of them. A vertex is 0..7: bit k tells the end along axis k. An edge is
 * 8 + 4 k + i + 2 j: it runs along axis k, at end i of axis k + 1 and end j of axis k + 2 (counted round). A face is
 * 20 + 2 k + i: end i of axis k. */
#ifndef ABUT_NARROWPHASE_FEATURE_H
#define ABUT_NARROWPHASE_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

/* The id of a contact point: which feature of one box meets which of the other. It does not depend on which of the two
 * is called first: (x, y) and (y, x) are one id, unless `ordered` says that both could stand in one manifold. */
static inline uint32_t abut_np_feature_pair(uint32_t first, uint32_t second, bool ordered) {
    uint32_t low = first < second ? first : second, high = first < second ? second : first;
    return low | high << 8 | (ordered && first > second ? UINT32_C(1) << 16 : 0);
}

#endif
