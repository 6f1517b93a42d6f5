/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/whole.h"
#include "support/test.h"
#include "support/wild.h"
#include <math.h>

/* --- hulls --- */

static abut_vec3 corner_of(rng *r, int k, uint32_t i) {
    const float sign = i % 2 ? 1 : -1;
    if (k == 0) {
        return (abut_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    }
    if (k == 1) {
        return (abut_vec3){i / 2 == 0 ? 2 * sign : 0, i / 2 == 1 ? 2 * sign : 0, i / 2 == 2 ? 2 * sign : 0};
    }
    return whole_vec3(r, 2);
}

/* Kinds repeat after six: then they are far off. */
void whole_hulls_create(whole_hulls *hulls) {
    rng r = rng_make(111, 0);
    for (int k = 0; k < WHOLE_HULLS; k++) {
        abut_vec3 point[16], far = {0, 0, 0};
        abut_result result;
        if (k >= 6) {
            far = (abut_vec3){ldexpf(1, 2 * k - 8), -ldexpf(3, 2 * k - 9), 16};
        }
        do {
            const uint32_t n = k % 6 == 0 ? 8 : k % 6 == 1 ? 6 : 4 + rng_below(&r, 12);
            for (uint32_t i = 0; i < n; i++) {
                const abut_vec3 at = corner_of(&r, k % 6, i);
                point[i] = (abut_vec3){at.x + far.x, at.y + far.y, at.z + far.z};
            }
            result = abut_hull_create(point, n, NULL, &hulls->hull[k]);
        } while (result == ABUT_ERROR_DEGENERATE);
        assert_int_equal(result, ABUT_OK);
    }
}

void whole_hulls_destroy(whole_hulls *hulls) {
    for (int k = 0; k < WHOLE_HULLS; k++) {
        abut_hull_destroy(&hulls->hull[k]);
    }
}

/* --- whole numbers --- */

static float number(rng *r, uint32_t most) {
    return rng_chance(r, 0.3) ? 0 : (float)rng_below(r, 2 * most + 1) - (float)most;
}

abut_vec3 whole_vec3(rng *r, uint32_t most) {
    const float x = number(r, most), y = number(r, most), z = number(r, most);
    return (abut_vec3){x, y, z};
}

abut_shape whole_shape(rng *r, const whole_hulls *hulls) {
    const float radius = rng_chance(r, 0.5) ? 0 : (float)rng_below(r, 5) / 2;
    const abut_vec3 half = whole_vec3(r, 2);
    if (rng_chance(r, 0.3)) {
        return abut_convex(hulls->hull[rng_below(r, WHOLE_HULLS)], radius);
    }
    if (rng_chance(r, 0.3)) {
        return rng_chance(r, 0.5) ? abut_sphere(radius) : abut_capsule(fabsf(half.y), radius);
    }
    return (abut_shape){.half = {fabsf(half.x), fabsf(half.y), fabsf(half.z)}, .radius = radius};
}

abut_pose whole_pose(rng *r, uint32_t most) {
    float q[4] = {0, 0, 0, 1};
    if (rng_chance(r, 0.4)) {
        const uint32_t axis = rng_below(r, 3);
        q[axis] = rng_sign(r);
        q[3] = rng_chance(r, 0.7) ? 1 : 0;
    }
    return (abut_pose){whole_vec3(r, most), {q[0], q[1], q[2], q[3]}};
}

abut_pose whole_pose_of(rng *r, const abut_shape *shape, uint32_t most) {
    abut_pose pose = whole_pose(r, most);
    if (shape->hull) {
        pose.position = (abut_vec3){0, 0, 0};
        const abut_aabb box = abut_shape_bounds(shape, &pose);
        const abut_vec3 at = whole_vec3(r, most);
        pose.position =
            (abut_vec3){at.x - floorf((box.min.x + box.max.x) / 2), at.y - floorf((box.min.y + box.max.y) / 2),
                        at.z - floorf((box.min.z + box.max.z) / 2)};
    }
    return pose;
}

/* --- hairs --- */

/* Ends at the plane x = 0: boxes and hulls turned about x only, rounded ones with what radius is left. */
static void large_of(rng *r, const whole_hulls *hulls, whole_hair *out) {
    const float about = rng_chance(r, 0.5) ? 0 : (float)rng_unit(r), radius = rng_chance(r, 0.5) ? 0 : 0.5F;
    const float half_y = (float)rng_below(r, 3), half_z = (float)rng_below(r, 3);
    const abut_vec3 half = {1, half_y, half_z};
    out->large = (abut_shape){.half = half, .radius = radius};
    if (rng_chance(r, 0.3)) {
        out->large = abut_convex(hulls->hull[rng_below(r, 2)], radius);
    } else if (rng_chance(r, 0.3)) {
        out->large = abut_sphere(1);
    }
    out->pose_large = (abut_pose){{0, 0, 0}, {about, 0, 0, 1}};
    const abut_aabb box = abut_shape_bounds(&out->large, &out->pose_large);
    out->pose_large.position.x = -(out->large.hull == hulls->hull[1] ? 2 + radius : fminf(box.max.x, 1 + radius));
}

void whole_hair_make(rng *r, const whole_hulls *hulls, whole_hair *out) {
    const double mantissa = 1 + rng_unit(r);
    const float size = (float)ldexp(mantissa, -40 - (int)rng_below(r, 16));
    large_of(r, hulls, out);
    out->hair = rng_range(r, -1, 1);
    out->hair = ldexp(out->hair, -40 - (int)rng_below(r, 14));
    out->small = (abut_shape){.half = {size, size * (float)rng_below(r, 2), size}};
    if (rng_chance(r, 0.5)) {
        out->small = rng_chance(r, 0.5) ? abut_sphere(size) : abut_capsule(size, size);
    }
    out->small.radius = rng_chance(r, 0.3) ? size : out->small.radius;
    out->pose_small = (abut_pose){{0, 0, 0}, {0, 0, 0, 1}};
    const float reach = abut_shape_bounds(&out->small, &out->pose_small).max.x;
    const float aside = rng_chance(r, 0.5) ? 0 : (float)rng_range(r, -1, 1);
    out->pose_small.position = (abut_vec3){reach + (float)out->hair, aside, rng_chance(r, 0.5) ? 0 : -aside / 2};
}
