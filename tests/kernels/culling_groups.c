/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Groups of bounds before a frustum: every instruction set gives the bits of the portable one, and what they call
 * settled is so in double, box by box. */

#include "culling/kernels.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

enum { GROUPS = 3, PARTS = GROUPS * 8, BOXES = GROUPS * 64, SPARE = 16 };

typedef struct levels {
    float whole[6][GROUPS + SPARE], part[6][PARTS + SPARE], box[6][BOXES + SPARE];
    abut_cull_group group;
} levels;

static abut_cull_bounds bounds_at(float *column, size_t pitch) {
    return (abut_cull_bounds){{column, column + pitch, column + 2 * pitch},
                              {column + 3 * pitch, column + 4 * pitch, column + 5 * pitch}};
}

static void enclose(const float *from, float *to, bool least) {
    *to = from[0];
    for (int i = 1; i < 8; i++) {
        *to = (least ? from[i] < *to : from[i] > *to) ? from[i] : *to;
    }
}

/* Boxes in clusters here and there: some groups are settled, others not. */
static void fill(levels *l, rng *r, double scale) {
    double spread = rng_log_range(r, 0.01, 10);
    memset(l, 0, sizeof *l);
    for (int k = 0; k < BOXES; k++) {
        for (int axis = 0; axis < 3; axis++) {
            double at = scale * (rng_range(r, -spread, spread) + (k % 16 == 0 ? 0 : k / 64));
            l->box[axis][k] = (float)at;
            l->box[axis + 3][k] = (float)(at + scale * rng_range(r, 0, 0.2));
        }
    }
    for (int axis = 0; axis < 6; axis++) {
        for (int k = 0; k < PARTS; k++) {
            enclose(&l->box[axis][k * 8], &l->part[axis][k], axis < 3);
        }
        for (int k = 0; k < GROUPS; k++) {
            enclose(&l->part[axis][k * 8], &l->whole[axis][k], axis < 3);
        }
    }
    l->group = (abut_cull_group){bounds_at(l->whole[0], GROUPS + SPARE), bounds_at(l->part[0], PARTS + SPARE),
                                 bounds_at(l->box[0], BOXES + SPARE)};
}

/* The side that planes put box k on, in double. */
static abut_side side_of(const abut_frustum *f, const levels *l, size_t k) {
    abut_side side = ABUT_INSIDE;
    for (uint32_t p = 0; p < f->plane_count; p++) {
        double out = f->plane[p][3], in = f->plane[p][3];
        for (int axis = 0; axis < 3; axis++) {
            double a = f->plane[p][axis] * ((double)l->box[axis][k] - (double)f->origin[axis]);
            double b = f->plane[p][axis] * ((double)l->box[axis + 3][k] - (double)f->origin[axis]);
            out += a < b ? a : b;
            in += a < b ? b : a;
        }
        if (in < 0) {
            return ABUT_OUTSIDE;
        }
        side = out < 0 ? ABUT_INTERSECTS : side;
    }
    return side;
}

static void what_is_settled_is_so(void **state) {
    (void)state;
    unsigned long said[3] = {0};
    static levels l;
    for (uint64_t stream = 0; stream < test_count(3000); stream++) {
        rng r = rng_make(test_seed(), stream);
        double scale = rng_chance(&r, 0.5) ? 1 : rng_log_range(&r, 1e-25, 1e7);
        abut_frustum f;
        abut_pose eye = {rng_vec3(&r, -scale, scale), rng_rotation(&r)};
        assert_int_equal(abut_frustum_camera(&eye, (float)scale, (float)scale, (float)scale, (float)(scale * 10), &f),
                         ABUT_OK);
        abut_cull_view view = abut_cull_view_of(&f);
        fill(&l, &r, scale);
        for (size_t g = 0; g < GROUPS; g++) {
            uint64_t plain[2] = {0}, got[2];
            uint8_t crossed[1 + SPARE];
            for (int isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; isa++) {
                if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
                    continue;
                }
                abut_cull_planes_of_bounds(&view, &l.group.whole, g, 1, crossed);
                uint32_t planes = crossed[0] == ABUT_CULL_BEYOND ? 63 : crossed[0];
                abut_cull_sides_of_group(&view, planes, &l.group, g, &got[0], &got[1]);
                memcpy(isa == ABUT_ISA_PORTABLE ? plain : got, got, sizeof got);
                assert_memory_equal(got, plain, sizeof got);
            }
            for (size_t k = 0; k < 64; k++) {
                bool inside = plain[0] >> k & 1, undecided = plain[1] >> k & 1;
                abut_side side = side_of(&f, &l, g * 64 + k);
                assert_true(!(inside && undecided) && (!inside || side == ABUT_INSIDE));
                assert_true(inside || undecided || side == ABUT_OUTSIDE);
                said[inside ? 0 : undecided ? 1 : 2]++;
            }
        }
    }
    assert_true(said[0] > 1000 && said[1] > 1000 && said[2] > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_settled_is_so),
    };
    return test_run(tests);
}
