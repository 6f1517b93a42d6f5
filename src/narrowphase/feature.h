/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The numbers of a box's features, and the ids of pairs of features. Axes are counted cyclically, and end 0 of an axis
 * is the negative one. A vertex is 0..7: bit k is its end of axis k. An edge is 8 + 4 k + i + 2 j: it is parallel to
 * axis k, at end i of axis k + 1 and end j of axis k + 2. A face is 20 + 2 k + i: end i of axis k. */
#ifndef ABUT_NARROWPHASE_FEATURE_H
#define ABUT_NARROWPHASE_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

/* The id of a contact point: which feature of one box touches which feature of the other. The order of the boxes does
 * not matter: (x, y) and (y, x) have the same id, unless `ordered` says that both may occur in one manifold. */
static inline uint32_t abut_np_feature_pair(uint32_t first, uint32_t second, bool ordered) {
    uint32_t low = first < second ? first : second, high = first < second ? second : first;
    return low | high << 8 | (ordered && first > second ? UINT32_C(1) << 16 : 0);
}

/* The feature of a box on its own axes: each axis counts for 1, 3 or 9, negative at its lower end, and for nothing
 * where the feature runs along it. 0, inside, is none. */
static inline uint32_t abut_np_feature_of_box(int32_t ends) {
    static const uint8_t feature[27] = {0,  8,  1,  12, 24, 14, 2, 9,  3,  16, 22, 17, 20, 0,
                                        21, 18, 23, 19, 4,  10, 5, 13, 25, 15, 6,  11, 7};
    return feature[13 + ends];
}

#endif
