/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/clouds.h"
#include "base/spatial.h"

static const char *const names[CLOUD_FAMILIES] = {
    "ball",         "sphere",        "lattice",  "lattice surface", "nearly flat", "clusters",      "turned box",
    "turned grids", "turned prisms", "cylinder", "slivers",         "tiny",        "far and small", "any exponent",
};

const char *cloud_family(uint64_t index) {
    return names[index % CLOUD_FAMILIES];
}

abut_vec3 cloud_place(abut_vec3 p, abut_quat q, abut_vec3 v) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(q), m);
    return abut_vec3_round(abut_d3_along(abut_d3_from(p), 1, abut_d3_rotate(m, abut_d3_from(v))));
}

static abut_vec3 lattice_point(rng *r, uint32_t size, bool surface) {
    abut_vec3 v = {(float)rng_below(r, size + 1), (float)rng_below(r, size + 1), (float)rng_below(r, size + 1)};
    if (surface) {
        *(&v.x + rng_below(r, 3)) = rng_chance(r, 0.5) ? 0 : (float)size;
    }
    return v;
}

static abut_vec3 scaled(abut_vec3 v, float x, float y, float z) {
    return (abut_vec3){v.x * x, v.y * y, v.z * z};
}

static abut_vec3 any_exponent(rng *r) {
    return (abut_vec3){(float)rng_log_range(r, 1e-40, 1e9) * rng_sign(r),
                       (float)rng_log_range(r, 1e-40, 1e9) * rng_sign(r),
                       (float)rng_log_range(r, 1e-40, 1e9) * rng_sign(r)};
}

/* A point of a prism or a cylinder of `sides` sides: two rings. */
static abut_vec3 ring(rng *r, uint32_t sides) {
    double angle = 6.283185307179586 * rng_below(r, sides) / sides;
    return (abut_vec3){(float)cos(angle), (float)sin(angle), rng_sign(r)};
}

static abut_vec3 point_of(uint64_t family, rng *r, uint32_t size, abut_quat q, abut_vec3 at) {
    const abut_vec3 zero = {0, 0, 0};
    switch (family) {
    case 0:
        return rng_vec3(r, -1, 1);
    case 1:
        return rng_direction(r);
    case 2:
        return lattice_point(r, size, false);
    case 3:
        return lattice_point(r, size, true);
    case 4:
        return scaled(rng_vec3(r, -1, 1), 1, 1, 1e-7f);
    case 5:
        return cloud_place(lattice_point(r, 2, false), q, scaled(rng_vec3(r, -1, 1), 1e-6f, 1e-6f, 1e-6f));
    case 6:
        return cloud_place(at, q, scaled(lattice_point(r, 1, false), 3, 2, 1));
    case 7:
        return cloud_place(at, q, lattice_point(r, size, true));
    case 8:
        return cloud_place(at, q, ring(r, 3 + size));
    case 9:
        return ring(r, 8 + 4 * size);
    case 10:
        return cloud_place(zero, q, scaled(rng_vec3(r, -1, 1), 1, 1e-4f, 1e-6f));
    case 11:
        return scaled(rng_vec3(r, -1, 1), 1e-38f, 1e-38f, 1e-38f);
    case 12:
        return cloud_place((abut_vec3){3100.25f, -785.5f, 1005}, q, scaled(rng_direction(r), 0.01f, 0.01f, 0.01f));
    default:
        return any_exponent(r);
    }
}

uint32_t cloud_make(uint64_t seed, uint64_t index, abut_vec3 *points) {
    rng r = rng_make(seed, index);
    uint32_t n = rng_chance(&r, 0.1) ? CLOUD_MAX : 4 + rng_below(&r, 60), size = 1 + rng_below(&r, 6);
    abut_quat q = rng_rotation(&r);
    abut_vec3 at = rng_vec3(&r, -2, 2);
    for (uint32_t i = 0; i < n; i++) {
        points[i] = i > 0 && rng_chance(&r, 0.05) ? points[rng_below(&r, i)]
                                                  : point_of(index % CLOUD_FAMILIES, &r, size, q, at);
    }
    return n;
}
