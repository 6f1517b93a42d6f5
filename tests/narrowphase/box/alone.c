/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A pair alone takes a path of its own through the manifold kernel, with the edges of one face in lanes: its manifold
 * has every bit that it has among others, with every instruction set, also by the functions for one pair, and for -0 in
 * place of +0. */
#include "narrowphase/box/box.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/box/single.h"
#include "narrowphase/kernels.h"
#include "support/lattice.h"
#include "support/print.h"
#include "support/test.h"
#include <abut/isa.h>
#include <abut/obb.h>
#include <stdio.h>
#include <string.h>

/* Boxes that are not turned, side by side: their faces end at the same place, nearly at the same, or elsewhere. */
static void lay_side_by_side(rng *r, wild_pair *pair) {
    const float *a = &pair->a.half.x, *b = &pair->b.half.x;
    float *at = &pair->pose_b.position.x;
    const uint32_t axis = rng_below(r, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const float flush = rng_chance(r, 0.5) ? a[i] - b[i] : a[i] + b[i];
        const float off = rng_chance(r, 0.5) ? flush * (float)(1 + rng_range(r, -2e-6, 2e-6)) : flush;
        at[i] = i == axis ? a[i] + b[i] : rng_chance(r, 0.7) ? off : (float)rng_range(r, -1, 1) * (a[i] + b[i]);
        at[i] = rng_chance(r, 0.5) ? -at[i] : at[i];
        at[i] *= rng_chance(r, 0.3) ? 0.99f : 1;
    }
    pair->pose_a.position = (abut_vec3){0, 0, 0};
    pair->pose_a.rotation = (abut_quat){0, 0, 0, rng_chance(r, 0.5) ? 1.0f : 0.0f};
    pair->pose_b.rotation = (abut_quat){0, 0, 0, 1};
}

/* Of any shape and of whole numbers; two that lie deep in each other, whose faces have many points; and two side by
 * side. */
static wild_pair make_pair(rng *r, uint32_t kind) {
    const double size = wild_size(r, -12, 12), other = size * wild_size(r, -2, 2);
    abut_shape x = {.half = wild_half(r, size)}, y = {.half = wild_half(r, other)};
    wild_pair pair;
    if (kind == 0) {
        x = lattice_box(r);
        y = lattice_box(r);
        lattice_pair_make(r, &x, &y, &pair);
        return pair;
    }
    if (kind == 1) {
        x.half = rng_vec3(r, 0.2, 1);
        y.half = rng_vec3(r, 0.2, 1);
    }
    wild_pair_make(r, &x, &y, &pair);
    if (kind == 3) {
        lay_side_by_side(r, &pair);
    }
    if (kind == 1) {
        pair.pose_b.position = pair.pose_a.position;
        pair.pose_b.position.x += (float)rng_range(r, -0.8, 0.8);
        pair.pose_b.position.y += (float)rng_range(r, -0.8, 0.8);
    }
    return pair;
}

static abut_obb obb_of(const abut_shape *shape, const abut_pose *pose) {
    return (abut_obb){pose->position, pose->rotation, shape->half};
}

static float with_negative_zero(float x) {
    return x == 0 ? -0.0f : x;
}

static abut_vec3 with_negative_zeros(abut_vec3 v) {
    return (abut_vec3){with_negative_zero(v.x), with_negative_zero(v.y), with_negative_zero(v.z)};
}

/* The manifold of the first of n pairs: that one alone, or among others that are as they may be. */
static abut_manifold first_of(const abut_collider *a, const abut_collider *b, uint32_t n, float margin, bool by_face) {
    static const uint32_t index[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    abut_manifold m[9];
    memset(m, 0xa5, sizeof m);
    const abut_np_box_pairs pairs = {a, b, sizeof *a, sizeof *b, index, index, n};
    const abut_np_manifold_output to = {m, sizeof *m, index};
    abut_np_box_kernels_active()->manifolds(&pairs, margin, by_face, &to);
    return m[0];
}

static bool same(const abut_manifold *x, const abut_manifold *y) {
    return memcmp(x, y, sizeof *x) == 0;
}

/* Of these boxes and of those with -0 for +0. */
static bool call_agrees(const abut_obb *a, const abut_obb *b, const abut_manifold *expected) {
    abut_manifold m[2];
    abut_obb x = *a, y = *b;
    memset(m, 0xa5, sizeof m);
    x.center = with_negative_zeros(a->center), x.half = with_negative_zeros(a->half);
    y.center = with_negative_zeros(b->center), y.half = with_negative_zeros(b->half);
    return abut_obb_collide(a, b, 0, &m[0]) && abut_obb_collide(&x, &y, 0, &m[1]) && same(&m[0], expected) &&
           same(&m[1], expected);
}

/* Pair 1 is the other one in the lanes. Where pairs touch by their faces, both do. */
static const char *fault_of(const abut_obb a[2], const abut_obb b[2], float margin) {
    abut_collider x[2], y[2];
    bool by_face = margin == 0;
    for (int k = 0; k < 2; k++) {
        if (!abut_collider_from_obb(&a[k], &x[k]) || !abut_collider_from_obb(&b[k], &y[k]) ||
            abut_np_box_separated(&x[k], &y[k], margin)) {
            return NULL;
        }
        by_face = by_face && abut_np_box_single_verdict(&a[k], &b[k], true) == ABUT_NP_TOUCHING_BY_FACE;
    }
    const abut_manifold among = first_of(x, y, 2, margin, by_face), alone = first_of(x, y, 1, margin, by_face);
    abut_manifold single;
    memset(&single, 0xa5, sizeof single);
    if (!same(&among, &alone)) {
        return "alone and among others";
    }
    if (!abut_np_box_collide(&x[0], &y[0], margin, NULL, &single) || !same(&single, &among)) {
        return "by the function of the table";
    }
    return margin > 0 || call_agrees(&a[0], &b[0], &among) ? NULL : "by the public function";
}

static void a_pair_alone_has_the_bits_that_it_has_among_others(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(60000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_obb a[2], b[2];
        for (int k = 0; k < 2; k++) {
            const wild_pair pair = make_pair(&r, rng_below(&r, 4));
            a[k] = obb_of(&pair.a, &pair.pose_a);
            b[k] = obb_of(&pair.b, &pair.pose_b);
        }
        const float margin = rng_chance(&r, 0.7) ? 0 : (float)wild_size(&r, -12, 4);
        for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
            const char *fault = abut_isa_select((abut_isa)isa) == ABUT_OK ? fault_of(a, b, margin) : NULL;
            if (fault) {
                printf("case %lu, %s, margin %a: %s\n", i, abut_isa_name((abut_isa)isa), (double)margin, fault);
                print_obb("a", &a[0]);
                print_obb("b", &b[0]);
                fail();
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pair_alone_has_the_bits_that_it_has_among_others)};
    return test_run(tests);
}
