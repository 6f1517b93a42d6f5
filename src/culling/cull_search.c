/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Looks for what decides boxes that are near corners and edges of a
 * frustum, in float: a point that is certainly in both, or a plane that certainly separates them. It answers only where
 * the answer is certain; docs/numerics.md, "Culling", derives the constants. */
#include "culling/arms.h"
#include "culling/kernels.h"
#include <math.h>

enum { LANES = ABUT_VF_LANES };

/* What the planes do to a point c + v of the box: each pushes it along its normal by what it lacks to be behind it. */
typedef struct push {
    vf depth;  /* the least behind a plane: a lower bound, to within ABUT_CULL_SLACK */
    vf by[3];  /* the sum of pushes, */
    vf sum;    /* of their lengths, */
    vf square; /* and of the squares of those */
} push;

static ABUT_INLINE push push_of(const abut_cull_view *view, const vf c[3], const vf v[3]) {
    const vf at[3] = {sum(c[0], v[0]), sum(c[1], v[1]), sum(c[2], v[2])};
    vf zero = constant(0);
    push x = {constant(INFINITY), {zero, zero, zero}, zero, zero};
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const vf n[3] = {constant(view->normal[p][0]), constant(view->normal[p][1]), constant(view->normal[p][2])};
        vf along = dot(n, at), lack = larger(zero, minus(constant(-view->high[p]), along));
        x.depth = smaller(x.depth, sum(along, constant(view->low[p])));
        x.sum = sum(x.sum, lack);
        x.square = sum(x.square, times(lack, lack));
        for (int i = 0; i < 3; i++) {
            x.by[i] = sum(x.by[i], times(n[i], lack));
        }
    }
    return x;
}

/* Moves the point v of the core by the radius at most, along `way`. */
static ABUT_INLINE void approach(const abut_cull_arms *x, const vf way[3], vf v[3]) {
    vf length = root(sum(dot(way, way), constant(0x1p-126f)));
    vf share = smaller(constant(1), times(quotient(x->radius, length), constant(1 - 0x1p-20f)));
    for (int i = 0; i < 3; i++) {
        v[i] = sum(v[i], times(way[i], share));
    }
}

typedef struct verdicts {
    mf found, apart;
} verdicts;

/* No point of the frustum is in front of a plane, so along the sum of the pushes on any point, which are `p`, none is
 * as far back as the squares say. The box is outside if all of it is farther back, by more than `least`: then the last
 * stage finds a gap, too. */
static ABUT_INLINE void judge(const abut_cull_arms *x, bool rounded, const push *p, const vf v[3], vf slack, vf least,
                              mf fit, verdicts *k) {
    vf reach = sum3(absolute(dot(x->arm[0], p->by)), absolute(dot(x->arm[1], p->by)), absolute(dot(x->arm[2], p->by)));
    if (rounded) {
        reach = sum(reach, times(x->radius, root(dot(p->by, p->by))));
    }
    vf gap = minus(sum(times(p->square, constant(1 - 0x1p-18f)), dot(p->by, v)), reach);
    k->found = either(k->found, less(slack, p->depth));
    k->apart = either(k->apart, both(fit, less(times(least, p->sum), gap)));
}

/* Moves a point of the box by the pushes on it and back to the box, again and again: first by twice as much, which
 * takes it well into the frustum if there is room, then with momentum, without which it creeps along edges. The sum of
 * arms with any shares in -1 .. 1 is in the box, so rounding the shares is harmless. */
static ABUT_INLINE verdicts look(const abut_cull_view *view, const vf c[3], const abut_cull_arms *x, bool rounded,
                                 uint32_t turns, uint32_t all) {
    vf zero = constant(0), one = constant(1), v[3] = {zero, zero, zero}, inverse[3];
    vf share[3] = {zero, zero, zero}, last[3] = {zero, zero, zero};
    vf size = sum(norm1(c), x->half), slack = times(constant(ABUT_CULL_SLACK), size);
    vf vague = sum(times(constant(view->vague), size), constant(view->vague_extent));
    vf least = sum(times(constant(4), slack), vague);
    mf fit = in_range(size, 0x1p-40f, 0x1p+60f);
    verdicts k = {abut_mf_first(0), abut_mf_first(0)};
    for (int j = 0; j < 3; j++) {
        inverse[j] = quotient(one, sum(times(x->extent[j], x->extent[j]), constant(0x1p-126f)));
    }
    push p = push_of(view, c, v);
    for (uint32_t turn = 0; turn < turns && (bits_of(either(k.found, k.apart)) & all) != all; turn++) {
        vf step = constant(turn < 2 ? 2 : 0.8f), momentum = constant(turn < 2 ? 0 : 0.8f);
        vf way[3];
        for (int j = 0; j < 3; j++) {
            vf to = sum(share[j], times(step, times(dot(x->arm[j], p.by), inverse[j])));
            to = smaller(one, larger(negated(one), to));
            share[j] = sum(to, times(momentum, minus(to, last[j])));
            share[j] = smaller(one, larger(negated(one), share[j]));
            last[j] = to;
        }
        for (int i = 0; i < 3; i++) {
            way[i] = sum(v[i], times(step, p.by[i]));
            v[i] = sum3(times(x->arm[0][i], share[0]), times(x->arm[1][i], share[1]), times(x->arm[2][i], share[2]));
            way[i] = minus(way[i], v[i]);
        }
        if (rounded) {
            approach(x, way, v);
        }
        p = push_of(view, c, v);
        judge(x, rounded, &p, v, slack, least, fit, &k);
    }
    return k;
}

void ABUT_KERNEL(abut_cull_search)(const abut_cull_view *view, const abut_cull_boxes *of, uint32_t turns,
                                   uint8_t *side) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        uint8_t bytes[LANES];
        size_t left = of->n - k;
        abut_cull_arms x;
        abut_cull_load_arms(of, padded(of->index + k, left, LANES, last), of->rounded, &x);
        const vf c[3] = {minus(x.center[0], constant(view->origin[0])), minus(x.center[1], constant(view->origin[1])),
                         minus(x.center[2], constant(view->origin[2]))};
        uint32_t all = bits_of(abut_mf_first((uint32_t)(left < LANES ? left : LANES)));
        verdicts found = look(view, c, &x, of->rounded, turns, all);
        vf out = choose(found.found, constant(ABUT_INTERSECTS), constant(ABUT_CULL_CUT));
        abut_vf_store_bytes(bytes, choose(found.apart, constant(ABUT_OUTSIDE), out));
        memcpy(side + k, bytes, left < LANES ? left : LANES);
    }
    abut_lanes_done();
}
