/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which kernels are picked for a number of bodies, or for a pair of boxes, whose faces have four edges: the narrowest
 * that take all at once, of those that the instruction set in use allows. And for a pair of hulls: eight lanes where
 * both have few vertices. */
#include "narrowphase/kernels.h"
#include "support/test.h"
#include <abut/isa.h>

enum { MOST = 40 };

static size_t lanes_for_rays(size_t n) {
    return abut_np_ray_kernels_for(n)->lanes;
}

static size_t lanes_for_casts(size_t n) {
    return abut_np_cast_kernels_for(n)->lanes;
}

/* Those for n take as many, or no others take more; what is as wide as they are takes them; and one body needs the
 * narrowest of all. */
static void check(size_t (*lanes_for)(size_t n), bool portable) {
    const size_t widest = lanes_for(MOST);
    for (size_t n = 1; n < MOST; n++) {
        const size_t lanes = lanes_for(n);
        assert_true(lanes >= n || lanes == widest);
        assert_true(lanes <= widest);
        assert_int_equal(lanes_for(lanes), lanes);
        assert_true(lanes_for(n - 1) <= lanes);
    }
    assert_true(!portable || lanes_for(1) == 1);
}

static void the_narrowest_that_take_all_are_picked(void **state) {
    (void)state;
    const bool portable = abut_isa_select(ABUT_ISA_PORTABLE) == ABUT_OK;
    size_t rays_before = 0, casts_before = 0;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            check(lanes_for_rays, portable);
            check(lanes_for_casts, portable);
            const uint32_t most = abut_np_box_kernels_active()->lanes, edges = abut_np_box_kernels_of_one()->lanes;
            assert_int_equal(edges, most < 4 ? most : 4);
            /* Sets come in the order of preference. */
            const size_t rays = lanes_for_rays(MOST), casts = lanes_for_casts(MOST);
            assert_true(rays >= rays_before && casts >= casts_before);
            assert_true((rays > 1) == (isa != ABUT_ISA_PORTABLE) && (casts > 1) == (isa != ABUT_ISA_PORTABLE));
            rays_before = rays;
            casts_before = casts;
        }
    }
    assert_true(rays_before > 0 && casts_before > 0);
}

static void hulls_of_few_vertices_take_eight_lanes(void **state) {
    (void)state;
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            const uint32_t most = abut_np_convex_kernels_active()->lanes, few = most < 8 ? most : 8;
            assert_int_equal(abut_np_convex_kernels_for(4, 4)->lanes, few);
            assert_int_equal(abut_np_convex_kernels_for(12, 12)->lanes, few);
            assert_ptr_equal(abut_np_convex_kernels_for(13, 4), abut_np_convex_kernels_active());
            assert_ptr_equal(abut_np_convex_kernels_for(4, 13), abut_np_convex_kernels_active());
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_narrowest_that_take_all_are_picked),
                                       cmocka_unit_test(hulls_of_few_vertices_take_eight_lanes)};
    return test_run(tests);
}
