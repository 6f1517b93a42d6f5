/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Polygons cut by planes, on every instruction set: convex ones keep the area that a plain loop computes, and what is
 * not convex leaves no more corners than there is room for. */

#include "narrowphase/kernels.h"
#include "narrowphase/patch/cut.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

typedef void test_on(const abut_np_patch_kernels *kernels);

static void on_each_isa(test_on *test) {
    abut_isa active = abut_isa_active();
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            test(abut_np_patch_kernels_active());
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
}

/* In the plane y = 0. */
static void put(abut_np_cut_face *f, uint32_t i, double x, double z) {
    f->at[0][i] = x;
    f->at[1][i] = 0;
    f->at[2][i] = z;
    f->corner[i] = (abut_np_cut_corner){i, (uint16_t)i, false, ABUT_NP_TRIANGLE_FACE};
}

static double area_of(const abut_np_cut_face *f) {
    double twice = 0;
    for (uint32_t i = 1; i + 1 < f->count; i++) {
        const abut_d3 a = abut_d3_sub(abut_np_cut_at(f, i), abut_np_cut_at(f, 0));
        const abut_d3 b = abut_d3_sub(abut_np_cut_at(f, i + 1), abut_np_cut_at(f, 0));
        twice += a.x[0] * b.x[2] - a.x[2] * b.x[0];
    }
    return twice / 2;
}

/* The area of the part of a ring that all cuts leave, by columns along z. */
static double area_by_columns(const abut_np_cut_face *f, const abut_np_cut *cuts, uint32_t n) {
    enum { COLUMNS = 4000 };
    double sum = 0;
    for (int c = 0; c < COLUMNS; c++) {
        double x = -1 + (2 * c + 1.0) / COLUMNS, low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < f->count; i++) {
            uint32_t k = i + 1 < f->count ? i + 1 : 0;
            double a = f->at[0][i] - x, b = f->at[0][k] - x;
            if (a * b < 0) {
                double z = f->at[2][i] + a / (a - b) * (f->at[2][k] - f->at[2][i]);
                low = fmin(low, z);
                high = fmax(high, z);
            }
        }
        for (uint32_t k = 0; k < n; k++) {
            double at = (cuts[k].offset - cuts[k].normal.x[0] * x) / cuts[k].normal.x[2];
            high = cuts[k].normal.x[2] > 0 ? fmin(high, at) : high;
            low = cuts[k].normal.x[2] < 0 ? fmax(low, at) : low;
        }
        sum += high > low ? (high - low) * 2 / COLUMNS : 0;
    }
    return sum;
}

static void cut_rings(const abut_np_patch_kernels *kernels) {
    for (unsigned long i = 0; i < test_count(200); i++) {
        static abut_np_cut_face outline;
        rng r = rng_make(test_seed(), i);
        abut_np_cut cuts[3];
        uint32_t count = 3 + rng_below(&r, ABUT_NP_CUT_SIDES - 2);
        for (uint32_t k = 0; k < 3; k++) {
            double angle = rng_range(&r, 0, 6.28);
            cuts[k] = (abut_np_cut){{{cos(angle), 0, sin(angle)}}, rng_range(&r, -0.3, 0.9), 0, (uint16_t)k, true};
        }
        outline.count = count;
        for (uint32_t k = 0; k < count; k++) {
            double angle = 6.283185307179586 * k / count;
            put(&outline, k, cos(angle), sin(angle));
        }
        double area = area_by_columns(&outline, cuts, 3);
        kernels->cut(cuts, 3, &outline);
        assert_true(outline.count <= count + 3);
        assert_true(fabs(area_of(&outline) - area) < 2e-3);
        for (uint32_t k = 0; k < outline.count; k++) {
            for (uint32_t c = 0; c < 3; c++) {
                assert_true(abut_d3_dot(cuts[c].normal, abut_np_cut_at(&outline, k)) <= cuts[c].offset + 1e-12);
            }
        }
    }
}

static void convex_polygons_keep_their_area(void **state) {
    (void)state;
    on_each_isa(cut_rings);
}

/* Whether corner i stays, of three zigzags: what there is room for ends in different places. */
static bool is_below(uint32_t zigzag, uint32_t i) {
    i %= ABUT_NP_CUT_SIDES;
    return zigzag < 2 ? i % 2 == zigzag : i < 2 || i % 2 == 0;
}

/* Each way across the plane adds a corner, so that there are more than before. */
static void cut_zigzags(const abut_np_patch_kernels *kernels) {
    const abut_np_cut above = {{{0, 0, 1}}, 0, 0, 0, true};
    for (uint32_t zigzag = 0; zigzag < 3; zigzag++) {
        static abut_np_cut_face outline[2]; /* the last one must stay as it is */
        double wanted[2 * ABUT_NP_CUT_SIDES][2];
        uint32_t n = 0;
        memset(outline, 0x5a, sizeof outline);
        outline[0].count = ABUT_NP_CUT_SIDES;
        for (uint32_t i = 0; i < ABUT_NP_CUT_SIDES; i++) {
            bool below = is_below(zigzag, i);
            put(&outline[0], i, i, below ? -1 : 1);
            if (below) {
                wanted[n][0] = i;
                wanted[n++][1] = -1;
            }
            if (below != is_below(zigzag, i + 1)) {
                wanted[n][0] = i + 1 < ABUT_NP_CUT_SIDES ? i + 0.5 : i / 2.0;
                wanted[n++][1] = 0;
            }
        }
        assert_true(n >= ABUT_NP_CUT_MAX);
        kernels->cut(&above, 1, outline);
        assert_int_equal(outline[0].count, ABUT_NP_CUT_MAX - 1);
        for (uint32_t i = 0; i < ABUT_NP_CUT_MAX - 1; i++) {
            assert_true(outline[0].at[0][i] == wanted[i][0] && outline[0].at[2][i] == wanted[i][1]);
        }
        for (size_t i = 0; i < sizeof outline[1]; i++) {
            assert_int_equal(((const unsigned char *)&outline[1])[i], 0x5a);
        }
    }
}

static void there_are_no_more_corners_than_room(void **state) {
    (void)state;
    on_each_isa(cut_zigzags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_polygons_keep_their_area),
        cmocka_unit_test(there_are_no_more_corners_than_room),
    };
    return test_run(tests);
}
