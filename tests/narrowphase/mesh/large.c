/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that float a hair above a mesh, which may be much larger than they are: overlaps say what distances say. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>

/* Two triangles, one of them large, in a plane `gap` below y = 0. */
static abut_mesh *ground_of(rng *r, float gap) {
    const float far = (float)rng_log_range(r, 1, 140);
    const abut_vec3 vertex[4] = {{-far, -gap, -far}, {-far, -gap, far}, {far, -gap, -far}, {far, -gap, far}};
    static const uint32_t index[6] = {0, 1, 2, 2, 1, 3};
    const abut_mesh_def def = {.vertices = vertex, .vertex_count = 4, .indices = index, .triangle_count = 2};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* Its lowest point is the origin of its frame, but for `height`, exactly. */
static abut_shape random_shape(rng *r, const abut_hull *cube, float *height) {
    const float radius = (1 + (float)rng_below(r, 64)) / 64, half = (1 + (float)rng_below(r, 64)) / 64;
    switch (rng_below(r, 4)) {
    case 0:
        *height = radius;
        return abut_sphere(radius);
    case 1:
        *height = radius + half;
        return abut_capsule(half, radius);
    case 2:
        *height = radius + half;
        return (abut_shape){.half = {half, half, half}, .radius = radius};
    default:
        *height = radius + 1;
        return abut_convex(cube, radius);
    }
}

static void overlaps_are_where_the_distance_is_0(void **state) {
    (void)state;
    unsigned long touching = 0, apart = 0;
    abut_vec3 corner[8];
    abut_hull *cube;
    abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, corner);
    assert_int_equal(abut_hull_create(corner, 8, NULL, &cube), ABUT_OK);
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_mesh *mesh = ground_of(&r, (float)rng_log_range(&r, 1e-15, 1e-10));
        float height;
        const abut_shape body = random_shape(&r, cube, &height), surface = {.mesh = mesh};
        const float aside = rng_chance(&r, 0.5) ? 0 : (float)rng_below(&r, 64) / 64;
        const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}}, over = {{aside, height, -aside}, {0, 0, 0, 1}};
        bool overlap = abut_shape_overlap(&body, &over, &surface, &here);
        float distance = abut_shape_distance(&body, &over, &surface, &here, NULL, NULL);
        assert_true(overlap == (distance == 0));
        touching += overlap;
        apart += !overlap;
        abut_mesh_destroy(&mesh);
    }
    abut_hull_destroy(&cube);
    printf("%lu touch, %lu do not\n", touching, apart);
    assert_true(touching > 100 && apart > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlaps_are_where_the_distance_is_0)};
    return test_run(tests);
}
