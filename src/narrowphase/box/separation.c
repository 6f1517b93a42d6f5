/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/box/separation.h"

abut_np_verdict abut_np_box_float_verdict(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_box_pairs pair = abut_np_box_list_of_one(a, b);
    uint8_t verdict;
    ABUT_KERNEL(abut_np_box_float_verdicts)(&pair, margin, &verdict);
    return (abut_np_verdict)verdict;
}

abut_np_axes abut_np_box_double_axes(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_box_pairs pair = abut_np_box_list_of_one(a, b);
    uint16_t axes;
    ABUT_KERNEL(abut_np_box_double_axes)(&pair, margin, &axes);
    return axes;
}

abut_np_verdict abut_np_box_aligned_verdict(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_box_pairs pair = abut_np_box_list_of_one(a, b);
    uint8_t verdict;
    ABUT_KERNEL(abut_np_box_aligned_verdicts)(&pair, margin, &verdict);
    return (abut_np_verdict)verdict;
}

bool abut_np_box_separated_exactly(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes axes) {
    if (axes && axes != ABUT_NP_AXES_APART) {
        axes = abut_np_box_shared_axes(a, b, margin, axes);
    }
    return axes == ABUT_NP_AXES_APART || (axes && abut_np_box_separated_dd(a, b, margin, axes));
}

bool abut_np_box_separated_after_float(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_verdict verdict = abut_np_box_aligned_verdict(a, b, margin);
    if (verdict != ABUT_NP_UNDECIDED) {
        return verdict == ABUT_NP_APART;
    }
    return abut_np_box_separated_exactly(a, b, margin, abut_np_box_double_axes(a, b, margin));
}

bool abut_np_box_separated(const abut_collider *a, const abut_collider *b, float margin) {
    abut_np_verdict verdict = abut_np_box_float_verdict(a, b, margin);
    return verdict == ABUT_NP_UNDECIDED ? abut_np_box_separated_after_float(a, b, margin) : verdict == ABUT_NP_APART;
}
