/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_cast_ray gives the same bits at any scale that is a power of two. */

#include "support/aimed_rays.h"
#include "support/test.h"
#include <float.h>
#include <math.h>
#include <string.h>

static abut_vec3 scaled(abut_vec3 v, float factor) {
    return (abut_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static float greatest(abut_vec3 v) {
    return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fabsf(v.z));
}

static void powers_of_two_change_no_bit(void **state) {
    (void)state;
    round_hulls *hulls = round_hulls_make(test_seed());
    const float factor = 1 << ROUND_SCALE;
    unsigned long hits = 0, count = test_count(60000);
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        round_body body;
        abut_hit hit, large;
        aimed_body(hulls, test_seed() + 1, i, &r, &body);
        abut_ray ray = aimed_ray(&body, &r);
        memset(&hit, 0, sizeof hit);
        memset(&large, 0, sizeof large);
        if (greatest(ray.origin) * factor > ABUT_MAX_COORDINATE || greatest(ray.translation) > FLT_MAX / factor) {
            continue;
        }
        bool met = abut_shape_cast_ray(&body.shape, &body.pose, &ray, &hit);
        body.shape.half = scaled(body.shape.half, factor);
        body.shape.radius *= factor;
        body.shape.hull = body.shape.hull ? hulls->scaled[body.hull] : NULL;
        body.pose.position = scaled(body.pose.position, factor);
        ray.origin = scaled(ray.origin, factor);
        ray.translation = scaled(ray.translation, factor);
        bool also = abut_shape_cast_ray(&body.shape, &body.pose, &ray, &large);
        assert_true(also == met);
        hit.position = scaled(hit.position, factor);
        assert_memory_equal(&hit, &large, sizeof hit);
        hits += met;
    }
    assert_true(hits > count / 4 && hits < count - count / 8);
    round_hulls_release(hulls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_change_no_bit),
    };
    return test_run(tests);
}
