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

/* The planes that boxes may cross: with all others they are inside. */
typedef struct crossed {
    uint32_t plane[6], count;
} crossed;

/* What is certain of a register full of boxes. */
typedef struct verdict {
    abut_mf inside, outside;
} verdict;

static ABUT_INLINE verdict decide(const abut_cull_view *view, const crossed *planes, const abut_cull_bounds *of,
                                  size_t at) {
    lanes c[3], half[3], in = abut_vf_set(INFINITY), out = in; /* the least depths: of the farthest corner each way */
    lanes size = load(view, of, at, c, half), slack = scaled(SLACK, size);
    for (uint32_t k = 0; k < planes->count; k++) {
        uint32_t p = planes->plane[k];
        const float *n = view->normal[p], *s = view->size[p];
        lanes along = sum3(scaled(n[0], c[0]), scaled(n[1], c[1]), scaled(n[2], c[2]));
        lanes radius = sum3(scaled(s[0], half[0]), scaled(s[1], half[1]), scaled(s[2], half[2]));
        out = abut_vf_min(out, abut_vf_sub(abut_vf_add(along, abut_vf_set(view->low[p])), radius));
        in = abut_vf_min(in, abut_vf_add(abut_vf_add(along, abut_vf_set(view->high[p])), radius));
    }
    abut_mf sure = abut_mf_and(abut_vf_lt(abut_vf_set(SMALLEST), size), abut_vf_lt(size, abut_vf_set(LARGEST)));
    return (verdict){abut_mf_and(sure, abut_vf_lt(slack, out)), abut_mf_and(sure, abut_vf_lt(in, abut_vf_neg(slack)))};
}

static ABUT_INLINE crossed all_planes(const abut_cull_view *view) {
    return (crossed){{0, 1, 2, 3, 4, 5}, view->plane_count};
}

void ABUT_CULL_BOUNDS(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                      uint8_t *side) {
    const crossed planes = all_planes(view);
    for (size_t k = 0; k < n; k += ABUT_VF_LANES) {
        verdict v = decide(view, &planes, bounds, first + k);
        lanes seen = abut_vf_select(v.inside, abut_vf_set(ABUT_INSIDE), abut_vf_set(ABUT_CULL_UNDECIDED));
        abut_vf_store_bytes(side + k, abut_vf_select(v.outside, abut_vf_set(ABUT_OUTSIDE), seen));
    }
    abut_lanes_done();
}

/* The planes that are crossed, or nearly, by box `at`. */
static ABUT_INLINE crossed planes_across(const abut_cull_view *view, const abut_cull_bounds *of, size_t at) {
    crossed planes = {.count = 0};
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const crossed one = {{p}, 1};
        planes.plane[planes.count] = p;
        planes.count += !(abut_mf_bits(decide(view, &one, of, at).inside) & 1);
    }
    return planes;
}

/* All that lies in a box which is settled is settled; and what lies within a plane only has the others to cross. */
void ABUT_CULL_GROUP(const abut_cull_view *view, const abut_cull_group *of, size_t group, uint64_t *inside,
                     uint64_t *undecided) {
    enum { WHOLE = 8, FIRST = (1 << (ABUT_VF_LANES > WHOLE ? ABUT_VF_LANES / WHOLE : 1)) - 1 };
    const crossed planes = planes_across(view, &of->whole, group);
    uint32_t part_in = 0, part_out = 0;
    for (uint32_t k = 0; k < WHOLE; k += ABUT_VF_LANES) {
        verdict v = decide(view, &planes, &of->parts, group * WHOLE + k);
        part_in |= abut_mf_bits(v.inside) << k;
        part_out |= abut_mf_bits(v.outside) << k;
    }
    uint64_t in = 0, out = 0;
    for (uint32_t k = 0; k < WHOLE * WHOLE; k += ABUT_VF_LANES) {
        uint32_t parts = (uint32_t)FIRST << k / WHOLE;
        uint64_t all = (UINT64_C(1) << (ABUT_VF_LANES - 1) << 1) - 1;
        if ((part_out & parts) == parts) {
            out |= all << k;
        } else if ((part_in & parts) == parts) {
            in |= all << k;
        } else {
            verdict v = decide(view, &planes, &of->bounds, group * WHOLE * WHOLE + k);
            in |= (uint64_t)abut_mf_bits(v.inside) << k;
            out |= (uint64_t)abut_mf_bits(v.outside) << k;
        }
    }
    *inside = in;
    *undecided = ~(in | out);
    abut_lanes_done();
}
