/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What warm starting asks: whether two manifolds have the same points. */
#ifndef ABUT_TESTS_SUPPORT_SAME_FEATURES_H
#define ABUT_TESTS_SUPPORT_SAME_FEATURES_H

#include <abut/contact.h>

/* Whether two manifolds name the same features, in any order. */
static inline bool same_features(const abut_manifold *x, const abut_manifold *y) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        for (uint32_t j = 0; j < y->count; j++) {
            found += x->points[i].feature == y->points[j].feature;
        }
    }
    return x->count == y->count && found == x->count;
}

#endif
