/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "kernels/lanes_kernel.h"

#include "base/lanes/eight.h"
#include "base/lanes/lanes.h"

static abut_mf mask_of(uint32_t set) {
    float lane[ABUT_VF_LANES];
    for (uint32_t l = 0; l < ABUT_VF_LANES; l++) {
        lane[l] = set >> l & 1 ? 1.0f : 0.0f;
    }
    return abut_vf_lt(abut_vf_set(0), abut_vf_load(lane));
}

static uint32_t count(uint32_t set) {
    uint32_t found = abut_mf_count(mask_of(set));
    abut_lanes_done();
    return found;
}

static uint32_t first(uint32_t n) {
    uint32_t bits = abut_mf_bits(abut_mf_first(n));
    abut_lanes_done();
    return bits;
}

static uint32_t pairs(uint32_t own, const uint32_t *ids, uint32_t set, uint32_t *out) {
    uint32_t found = abut_lanes_pairs(own, ids, mask_of(set), out);
    abut_lanes_done();
    return found;
}

static uint32_t pack(uint32_t from, uint32_t set, uint32_t *out) {
    uint32_t found = abut_lanes_pack(from, mask_of(set), out);
    abut_lanes_done();
    return found;
}

static uint32_t sweep(uint32_t own, const uint32_t *ids, const float *x, float bound, uint32_t n, uint32_t *out) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i += ABUT_VF_LANES) {
        abut_mf below = abut_vf_lt(abut_vf_load(x + i), abut_vf_set(bound));
        found += abut_lanes_pairs(own, ids + i, below, out + 2 * (size_t)found);
    }
    abut_lanes_done();
    return found;
}

static uint32_t transpose(const double *records, double *columns) {
    abut_vd v[4];
    abut_vd_load4_doubles(records, v);
    for (int k = 0; k < 4; k++) {
        abut_vd_store(columns + k * ABUT_VD_LANES, v[k]);
    }
    abut_lanes_done();
    return ABUT_VD_LANES;
}

static void scatter(const double *columns, size_t stride, double *records) {
    abut_vd v[4];
    for (int k = 0; k < 4; k++) {
        v[k] = abut_vd_load(columns + k * ABUT_VD_LANES);
    }
    abut_vd_store4_doubles(records, stride, v);
    abut_lanes_done();
}

static uint32_t eights(const float *a, const float *b, float out[6][8]) {
    const abut_eight x = abut_eight_load(a), y = abut_eight_load(b);
    const abut_eight made[6] = {abut_eight_set(*a),   abut_eight_add(x, y), abut_eight_sub(x, y),
                                abut_eight_mul(x, y), abut_eight_min(x, y), abut_eight_max(x, y)};
    for (int k = 0; k < 6; k++) {
        abut_eight_store(out[k], made[k]);
    }
    uint32_t bits = abut_eight_le(x, y) | abut_eight_lt(x, y) << 8;
    abut_lanes_done();
    return bits;
}

static void last_sums(const double *a, const double *b, const float *c, const float *d, double sums[2]) {
    double wide[ABUT_VD_LANES];
    float narrow[ABUT_VF_LANES];
    abut_vd_store(wide, abut_vd_add(abut_vd_load(a), abut_vd_load(b)));
    abut_vf_store(narrow, abut_vf_add(abut_vf_load(c), abut_vf_load(d)));
    abut_lanes_done();
    sums[0] = wide[ABUT_VD_LANES - 1];
    sums[1] = narrow[ABUT_VF_LANES - 1];
}

const lanes_kernel ABUT_KERNEL(lanes_kernel) = {ABUT_VF_LANES, count,     first,   pairs,  pack,
                                                sweep,         transpose, scatter, eights, last_sums};
