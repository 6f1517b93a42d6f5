/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the kernels of bounds share: how the bounds of a register full of colliders are rounded and stored. */
#ifndef ABUT_SHAPE_ENDS_H
#define ABUT_SHAPE_ENDS_H

#include "base/lanes/quarter_turn.h"
#include "base/lanes/vector_double.h"
#include "shape/kernels.h"

enum { LANES = ABUT_VD_LANES };

/* The bounds of a register full of colliders. */
typedef struct ends {
    vd low[3], high[3];
} ends;

/* abut_accurate_balance in each lane: (p - q) + (r - s), accurate to 2^-52 of itself however much cancels. */
static ABUT_INLINE vd balance(vd p, vd q, vd r, vd s) {
    abut_vd_exact_sum a = abut_vd_two_sum(p, negated(q)), b = abut_vd_two_sum(r, negated(s));
    abut_vd_exact_sum high = abut_vd_two_sum(a.hi, b.hi), low = abut_vd_two_sum(a.lo, b.lo);
    vd c = sum(high.lo, low.hi), v = sum(high.hi, c), rest = minus(c, minus(v, high.hi));
    return sum(v, sum(low.lo, rest));
}

static inline vd float_above(vd v) {
    return negated(abut_vd_to_float_below(negated(v)));
}

/* Stores six floats per collider, as two overlapping stores of four. */
static ABUT_INLINE void store_ends(const ends *e, double more, void *const *out) {
    vd v[6] = {e->low[0], e->low[1], e->low[2], e->high[0], e->high[1], e->high[2]};
    for (int i = 0; more > 0 && i < 3; i++) {
        v[i] = abut_vd_to_float_below(minus(abut_vd_to_float(v[i]), constant(more)));
        v[i + 3] = float_above(sum(abut_vd_to_float(v[i + 3]), constant(more)));
    }
    abut_vd_store4(out, 0, v);
    abut_vd_store4(out, 2 * sizeof(float), v + 2);
}

/* The input and output of one register full of colliders. */
typedef struct block {
    const abut_collider *collider;
    const abut_obb *obb; /* NULL, or boxes instead of colliders */
    const uint32_t *at;
    double more;
    float (*box)[6];
} block;

static ABUT_INLINE void store_block(const block *of, const ends *e) {
    void *out[LANES];
    for (size_t l = 0; l < LANES; l++) {
        out[l] = of->box[of->at[l]];
    }
    store_ends(e, of->more, out);
}

#endif
