/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes along the world's axes against the planes of a frustum, in
 * float: only what is certain is said. docs/numerics.md, "Culling", derives the constant. */
#include "base/lanes.h"
#include "culling/kernels.h"
#include <math.h>

typedef abut_vf lanes;

/* SLACK times the size bounds the rounding of distances from planes, but for that of d, which the view has. */
static const float SLACK = 32 * 0x1p-24f;

/* Other sizes could lose bits to the denormal range, or overflow. */
static const float SMALLEST = 0x1p-60f, LARGEST = 0x1p+60f;

static inline lanes sum3(lanes a, lanes b, lanes c) {
    return abut_vf_add(abut_vf_add(a, b), c);
}

static inline lanes scaled(float n, lanes x) {
    return abut_vf_mul(abut_vf_set(n), x);
}

/* Centres counted from the view's origin, and half sizes. Returns the sizes |c|_1 + |half|_1. */
static ABUT_INLINE lanes load(const abut_cull_view *view, const abut_cull_bounds *of, size_t at, lanes c[3],
                              lanes half[3]) {
    lanes size[3];
    for (int i = 0; i < 3; i++) {
        lanes origin = abut_vf_set(view->origin[i]);
        lanes min = abut_vf_sub(abut_vf_load(of->min[i] + at), origin);
        lanes max = abut_vf_sub(abut_vf_load(of->max[i] + at), origin);
        c[i] = scaled(0.5f, abut_vf_add(min, max));
        half[i] = scaled(0.5f, abut_vf_sub(max, min));
        size[i] = abut_vf_add(abut_vf_abs(c[i]), half[i]);
    }
    return sum3(size[0], size[1], size[2]);
}

/* A register full of boxes before a plane: the depths of the corners farthest out, at least, and farthest in, at most.
 */
static ABUT_INLINE void measure(const abut_cull_view *view, uint32_t p, const lanes c[3], const lanes half[3],
                                lanes *out, lanes *in) {
    const float *n = view->normal[p], *s = view->size[p];
    lanes along = sum3(scaled(n[0], c[0]), scaled(n[1], c[1]), scaled(n[2], c[2]));
    lanes radius = sum3(scaled(s[0], half[0]), scaled(s[1], half[1]), scaled(s[2], half[2]));
    *out = abut_vf_sub(abut_vf_add(along, abut_vf_set(view->low[p])), radius);
    *in = abut_vf_add(abut_vf_add(along, abut_vf_set(view->high[p])), radius);
}

static ABUT_INLINE abut_mf in_range(lanes size) {
    return abut_mf_and(abut_vf_lt(abut_vf_set(SMALLEST), size), abut_vf_lt(size, abut_vf_set(LARGEST)));
}

/* Crossed planes are added up, as the numbers that their bits are. */
static ABUT_INLINE void find_crossed(const abut_cull_view *view, const abut_cull_bounds *of, size_t at,
                                     uint8_t *crossed) {
    lanes c[3], half[3], least = abut_vf_set(INFINITY), sum = abut_vf_set(0);
    lanes size = load(view, of, at, c, half), slack = scaled(SLACK, size);
    for (uint32_t p = 0; p < view->plane_count; p++) {
        lanes out, in;
        measure(view, p, c, half, &out, &in);
        least = abut_vf_min(least, in);
        sum = abut_vf_add(sum, abut_vf_select(abut_vf_lt(slack, out), abut_vf_set(0), abut_vf_set((float)(1u << p))));
    }
    sum = abut_vf_select(abut_vf_lt(least, abut_vf_neg(slack)), abut_vf_set(ABUT_CULL_BEYOND), sum);
    lanes all = abut_vf_set((float)((1u << view->plane_count) - 1));
    abut_vf_store_bytes(crossed, abut_vf_select(in_range(size), sum, all));
}

void ABUT_CULL_BOUNDS(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                      uint8_t *crossed) {
    for (size_t k = 0; k < n; k += ABUT_VF_LANES) {
        find_crossed(view, bounds, first + k, crossed + k);
    }
    abut_lanes_done();
}

/* --- groups --- */

/* Bit by bit: what is certain. */
typedef struct verdict {
    uint64_t inside, outside;
} verdict;

/* What is known of all boxes of a group: the planes that some may cross, and what distances may be rounded by. */
typedef struct scope {
    float normal[6][3], size[6][3], low[6], high[6]; /* as in the view, but for what decide does */
    uint32_t count;
    float slack;
} scope;

static ABUT_INLINE scope scope_of(const abut_cull_view *view, uint32_t crossed, const abut_cull_bounds *of, size_t at) {
    scope all;
    all.count = 0;
    float size = 0;
    for (; crossed; crossed &= crossed - 1) {
        uint32_t p = ABUT_LOWEST_BIT(crossed), k = all.count++;
        for (int i = 0; i < 3; i++) {
            all.normal[k][i] = 0.5f * view->normal[p][i];
            all.size[k][i] = 0.5f * view->size[p][i];
        }
        all.low[k] = view->low[p];
        all.high[k] = view->high[p];
    }
    for (int i = 0; i < 3; i++) {
        float min = fabsf(of->min[i][at] - view->origin[i]), max = fabsf(of->max[i][at] - view->origin[i]);
        size += min < max ? max : min;
    }
    all.slack = SMALLEST < size && size < LARGEST ? SLACK * size : INFINITY;
    return all;
}

/* Sizes and places are twice what they are, and normals half. */
static ABUT_INLINE verdict decide(const abut_cull_view *view, const scope *known, const abut_cull_bounds *of,
                                  size_t at) {
    lanes middle[3], width[3], nearest = abut_vf_set(INFINITY), farthest = nearest;
    for (int i = 0; i < 3; i++) {
        lanes min = abut_vf_sub(abut_vf_load(of->min[i] + at), abut_vf_set(view->origin[i]));
        lanes max = abut_vf_sub(abut_vf_load(of->max[i] + at), abut_vf_set(view->origin[i]));
        middle[i] = abut_vf_add(min, max);
        width[i] = abut_vf_sub(max, min);
    }
    for (uint32_t k = 0; k < known->count; k++) {
        const float *n = known->normal[k], *s = known->size[k];
        lanes along = sum3(scaled(n[0], middle[0]), scaled(n[1], middle[1]), scaled(n[2], middle[2]));
        lanes radius = sum3(scaled(s[0], width[0]), scaled(s[1], width[1]), scaled(s[2], width[2]));
        nearest = abut_vf_min(nearest, abut_vf_sub(abut_vf_add(along, abut_vf_set(known->low[k])), radius));
        farthest = abut_vf_min(farthest, abut_vf_add(abut_vf_add(along, abut_vf_set(known->high[k])), radius));
    }
    return (verdict){abut_mf_bits(abut_vf_lt(abut_vf_set(known->slack), nearest)),
                     abut_mf_bits(abut_vf_lt(farthest, abut_vf_set(-known->slack)))};
}

/* Eight bits, each eight times. */
static ABUT_INLINE uint64_t eightfold(uint64_t bits) {
    uint64_t apart = (bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201));
    apart = (apart + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    return apart * 255;
}

/* All that lies in a part which is settled is settled. Where a register holds no more than a part, those are skipped.
 */
void ABUT_CULL_GROUP(const abut_cull_view *view, uint32_t crossed, const abut_cull_group *of, size_t group,
                     uint64_t *inside, uint64_t *undecided) {
    enum { PARTS = 8, BOXES = 64, LANES = ABUT_VF_LANES, FULL = LANES < PARTS ? LANES : PARTS };
    const uint64_t all = (UINT64_C(1) << FULL) - 1;
    const scope known = scope_of(view, crossed, &of->whole, group);
    verdict part = {0, 0}, box;
    for (uint32_t k = 0; k < PARTS; k += LANES) {
        verdict v = decide(view, &known, &of->parts, group * PARTS + k);
        part.inside |= v.inside << k;
        part.outside |= v.outside << k;
    }
    box = (verdict){eightfold(part.inside & 255), eightfold(part.outside & 255)};
    for (uint32_t k = 0; k < BOXES; k += LANES) {
        if (LANES > FULL || ((box.inside | box.outside) >> k & all) != all) {
            verdict v = decide(view, &known, &of->bounds, group * BOXES + k);
            box.inside |= v.inside << k;
            box.outside |= v.outside << k;
        }
    }
    *inside = box.inside;
    *undecided = ~(box.inside | box.outside);
    abut_lanes_done();
}
