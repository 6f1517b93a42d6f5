/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what each stage of the box test says, and lists of pairs. A stage may leave a pair to the next
 * one, which then says the same; so what the last one says shows little of the others. */
#include "narrowphase/box/box.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/box/single.h"
#include "narrowphase/kernels.h"
#include "support/digest.h"
#include "support/lattice.h"
#include "support/test.h"
#include "support/wild.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 3000, LIST = 600 };

/* Box b is moved by a few units of the last place of one coordinate, or grown by that: it touches by a little. Where
 * that is 0, by less than any rounded arithmetic shows. */
static void nudge(rng *r, abut_obb *b) {
    const bool moved = rng_chance(r, 0.5);
    float *x = (moved ? &b->center.x : &b->half.x) + rng_below(r, 3);
    if (*x == 0) {
        *x = moved ? 0x1p-60f * rng_sign(r) : 0x1p-60f;
        return;
    }
    for (uint32_t k = rng_below(r, 4); k > 0; k--) {
        *x = nextafterf(*x, rng_chance(r, 0.5) ? 1e30f : 0);
    }
}

static abut_obb obb_of(const abut_shape *shape, const abut_pose *pose) {
    return (abut_obb){pose->position, pose->rotation, shape->half};
}

/* A third of whole numbers, nudged or not. */
static void make_pair(rng *r, abut_obb *a, abut_obb *b) {
    wild_pair p;
    const uint32_t kind = rng_below(r, 3);
    if (kind) {
        const double size = wild_size(r, -12, 12), other = size * wild_size(r, -2, 2);
        const abut_shape x = {.half = wild_half(r, size)}, y = {.half = wild_half(r, other)};
        wild_pair_make(r, &x, &y, &p);
    } else {
        const abut_shape x = lattice_box(r), y = lattice_box(r);
        lattice_pair_make(r, &x, &y, &p);
    }
    *a = obb_of(&p.a, &p.pose_a);
    *b = obb_of(&p.b, &p.pose_b);
    if (kind < 2 && rng_chance(r, 0.5)) {
        nudge(r, b);
    }
}

/* A box that is not valid, or nearly not, in one number: sizes and lengths beyond what floats can square. */
static void spoil(rng *r, abut_obb *box) {
    static const float numbers[] = {NAN, INFINITY, -1, -0.0f, 1e30f, 1e-30f, 0x1p+60f, 0x1p-62f, 3e38f, 1e-42f};
    float *x = &box->center.x + rng_below(r, 10);
    *x = numbers[rng_below(r, sizeof numbers / sizeof *numbers)];
    if (rng_chance(r, 0.3)) {
        const float scale = (float)wild_size(r, -30, 30);
        box->rotation.x *= scale, box->rotation.y *= scale, box->rotation.z *= scale, box->rotation.w *= scale;
    }
}

static void digest_stages(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes some,
                          uint64_t *digest) {
    const abut_np_axes axes = abut_np_box_double_axes(a, b, margin);
    digest_number(digest, abut_np_box_float_verdict(a, b, margin));
    digest_number(digest, abut_np_box_aligned_verdict(a, b, margin));
    digest_number(digest, axes);
    digest_number(digest, abut_np_box_shared_axes(a, b, margin, ABUT_NP_AXES_ALL));
    digest_number(digest, abut_np_box_shared_axes(a, b, margin, some));
    digest_number(digest, abut_np_box_separated_exactly(a, b, margin, axes));
    digest_number(digest, abut_np_box_separated_after_float(a, b, margin));
    digest_number(digest, abut_np_box_separated(a, b, margin));
    for (int k = 0; k < 15; k++) {
        digest_number(digest, abut_np_box_separated_dd(a, b, (double)margin, UINT32_C(1) << k));
    }
}

static void stages(uint64_t *digest) {
    rng r = rng_make(2, 1);
    for (int k = 0; k < PAIRS; k++) {
        abut_obb a, b;
        abut_collider x, y;
        make_pair(&r, &a, &b);
        if (rng_chance(&r, 0.1)) {
            spoil(&r, &b);
        }
        digest_number(digest, abut_np_box_single_verdict(&a, &b, false));
        digest_number(digest, abut_np_box_single_verdict(&a, &b, true));
        if (!abut_collider_from_obb(&a, &x) || !abut_collider_from_obb(&b, &y)) {
            continue;
        }
        const float apart = abut_np_distance_float(0x1p-20 + rng_unit(&r)) * (a.half.x + b.half.x);
        const abut_np_axes some = rng_below(&r, ABUT_NP_AXES_ALL + 1);
        digest_stages(&x, &y, 0, some, digest);
        digest_stages(&x, &y, apart, some, digest);
        digest_stages(&x, &y, 1, some, digest);
    }
}

/* Gaps about as wide as the last stage lets pass: 2^-93 of the size. Both boxes lie along the x axis, and are turned or
 * not. */
static void slacks(uint64_t *digest) {
    static const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, -1}, {1, 0, 0, 1}};
    static const abut_vec3 halves[] = {{0.5f, 0, 0}, {0.5f, 0.5f, 0}, {0.5f, 0, 2}, {0.5f, 1, 1}};
    for (int k = 0; k < 5 * 4 * 4 * 48; k++) {
        const abut_vec3 half_a = halves[k / 5 % 4], half_b = halves[k / 20 % 4];
        const float gap = ldexpf((float)(k / 80) / 8, -92), margin = k % 3 ? 0 : 0.5f;
        abut_collider a, b;
        if (!abut_collider_from_obb(&(abut_obb){{-gap, 0, 0}, {0, 0, 0, 1}, half_a}, &a) ||
            !abut_collider_from_obb(&(abut_obb){{1 + margin, 0, 0}, turns[k % 5], half_b}, &b)) {
            abort();
        }
        digest_number(digest, abut_np_box_shared_axes(&a, &b, margin, ABUT_NP_AXES_ALL));
        digest_number(digest, abut_np_box_shared_axes(&b, &a, margin, ABUT_NP_AXES_ALL));
        digest_number(digest, abut_np_box_aligned_verdict(&a, &b, margin));
        digest_number(digest, abut_np_box_separated_dd(&a, &b, (double)margin, ABUT_NP_AXES_ALL));
        digest_number(digest, abut_np_box_separated_dd(&b, &a, (double)margin, ABUT_NP_AXES_ALL));
    }
}

/* Plates of which the gap, or the overlap, along one axis is just the slack of the float stage, 2^-18 of their size. */
static void just_slack(uint64_t *digest) {
    const float wide = 0x1p+18f - 5;
    for (int k = 0; k < 3 * 2 * 7; k++) {
        abut_obb a = {.rotation = {0, 0, 0, 1}}, b = a;
        float *half_a = &a.half.x, *half_b = &b.half.x;
        const int axis = k % 3;
        half_a[(axis + 1) % 3] = half_b[(axis + 1) % 3] = wide;
        half_a[(axis + 2) % 3] = half_b[(axis + 2) % 3] = 4;
        half_a[axis] = half_b[axis] = k / 3 % 2 ? 1.0f : 0.0f;
        (&b.center.x)[axis] = (k / 3 % 2 ? 0 : 2) + (float)(k / 6 - 3) * 0x1p-20f;
        digest_number(digest, abut_np_box_single_verdict(&a, &b, true));
        digest_number(digest, abut_np_box_single_verdict(&b, &a, false));
    }
}

/* Each number of two boxes that overlap, one at a time. */
static void refusals(uint64_t *digest) {
    static const float numbers[] = {NAN, INFINITY, -1, -0x1p-30f, -0.0f, 0x1p+61f, 0x1p-22f, 0x1p+22f, 3e38f, 1e-42f};
    const uint32_t index = 0;
    for (int k = 0; k < 20; k++) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            abut_obb box[2] = {{{0, 0, 0}, {0.5f, 0.25f, 0.5f, 1}, {1, 2, 3}},
                               {{0.5f, 0, 0}, {0.25f, -0.5f, 1, 1}, {2, 1, 1}}};
            uint8_t verdict;
            abut_manifold m = {0};
            (&box[k / 10].center.x)[k % 10] = numbers[i];
            const abut_np_box_pairs pair = {&box[0], &box[1], sizeof *box, sizeof *box, &index, &index, 1};
            abut_np_box_kernels_active()->float_verdicts(&pair, 0, &verdict);
            digest_number(digest, verdict);
            abut_np_box_kernels_active()->float_kinds(&pair, 0, &verdict);
            digest_number(digest, verdict);
            digest_number(digest, abut_np_box_single_verdict(&box[0], &box[1], true));
            digest_number(digest, abut_obb_overlap(&box[0], &box[1]));
            digest_number(digest, abut_obb_collide(&box[0], &box[1], i % 2 ? 0 : 1, &m));
            digest_words(digest, &m, sizeof m);
        }
    }
}

/* Boxes and pairs of them, for lists. Of `near` pairs more touch. */
typedef struct box_list {
    abut_obb a[LIST], b[LIST];
    abut_collider first[LIST], second[LIST];
    uint32_t index_a[LIST], index_b[LIST], where[LIST];
} box_list;

static void make_list(rng *r, box_list *list) {
    for (uint32_t k = 0; k < LIST; k++) {
        make_pair(r, &list->a[k], &list->b[k]);
        if (!abut_collider_from_obb(&list->a[k], &list->first[k]) ||
            !abut_collider_from_obb(&list->b[k], &list->second[k])) {
            abort();
        }
        list->index_a[k] = list->index_b[k] = (k * 7) % LIST;
        list->where[k] = LIST - 1 - k;
    }
}

static size_t length_of(uint32_t k) {
    static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 127, 128, 129, 255, 256, 257, 511, 600};
    return lengths[k % (sizeof lengths / sizeof *lengths)];
}
enum { LENGTHS = 21 };

/* What lies beyond the end of a list stays as it is. */
static void digest_verdicts(uint8_t verdict[LIST], uint64_t *digest) {
    digest_bytes(digest, verdict, LIST);
    memset(verdict, 7, LIST);
}

static void verdicts_of_lists(const box_list *list, uint64_t *digest) {
    const abut_np_box_kernels *kernels = abut_np_box_kernels_active();
    for (uint32_t k = 0; k < 2 * LENGTHS; k++) {
        const size_t n = length_of(k), stride = sizeof list->first[0];
        const float margin = k < LENGTHS ? 0 : 0.75f;
        const abut_np_box_pairs pairs = {list->first, list->second, stride, stride, list->index_a, list->index_b, n};
        uint8_t verdict[LIST];
        uint16_t axes[LIST];
        memset(verdict, 7, sizeof verdict);
        memset(axes, 7, sizeof axes);
        kernels->float_verdicts(&pairs, margin, verdict);
        digest_verdicts(verdict, digest);
        kernels->float_kinds(&pairs, margin, verdict);
        digest_verdicts(verdict, digest);
        kernels->aligned_verdicts(&pairs, margin, verdict);
        digest_verdicts(verdict, digest);
        kernels->double_axes(&pairs, margin, axes);
        for (size_t i = 0; i < LIST; i++) {
            digest_number(digest, axes[i]);
        }
        digest_number(digest, abut_np_box_verdicts_many(&pairs, margin, k % 2 == 0, verdict));
        digest_verdicts(verdict, digest);
    }
}

static void verdicts(uint64_t *digest) {
    static box_list list;
    rng r = rng_make(2, 2);
    for (int k = 0; k < 4; k++) {
        make_list(&r, &list);
        verdicts_of_lists(&list, digest);
    }
}

/* Every byte of a list of results, and those beyond its end. */
static void digest_list(const abut_manifold *m, const uint8_t *hit, size_t n, uint64_t *digest) {
    digest_bytes(digest, hit, n);
    digest_words(digest, m, n * sizeof *m);
}

static void results_of_lists(const box_list *list, float margin, size_t n, uint64_t *digest) {
    static abut_manifold m[LIST], packed[2 * LIST];
    uint8_t hit[LIST];
    size_t second_stage = 3;
    const abut_np_pairs pairs = {.collider = list->first,
                                 .other = list->second,
                                 .a = list->index_a,
                                 .b = list->index_b,
                                 .n = n,
                                 .second_stage = &second_stage};
    memset(hit, 7, sizeof hit);
    memset(m, 0, sizeof m);
    memset(packed, 0, sizeof packed);
    abut_np_box_collide_many(&pairs, margin, list->where, m, hit);
    digest_list(m, hit, LIST, digest);
    abut_np_collide_boxes(&pairs, margin, packed, 2 * sizeof *packed, hit);
    digest_list(packed, hit, LIST, digest);
    abut_np_box_overlap_many(&pairs, list->where, hit);
    digest_bytes(digest, hit, LIST);
    digest_number(digest, second_stage);
}

static void results(uint64_t *digest) {
    static box_list list;
    static const float margins[] = {0, 0.5f, 1, 1e-3f, 64};
    rng r = rng_make(2, 3);
    for (uint32_t k = 0; k < LENGTHS; k++) {
        if (k % 7 == 0) {
            make_list(&r, &list);
        }
        results_of_lists(&list, margins[k % 5], length_of(k), digest);
    }
}

/* The public functions, of boxes of which some are not valid. */
static void calls(uint64_t *digest) {
    static box_list list;
    rng r = rng_make(2, 4);
    uint8_t overlap[LIST];
    for (uint32_t k = 0; k < 2 * LENGTHS; k++) {
        make_list(&r, &list);
        for (uint32_t i = 0; i < LIST; i += 1 + rng_below(&r, 20)) {
            spoil(&r, i % 2 ? &list.a[i] : &list.b[i]);
        }
        memset(overlap, 7, sizeof overlap);
        digest_number(digest, abut_obb_overlap_many(list.a, list.b, length_of(k), overlap));
        digest_bytes(digest, overlap, LIST);
        for (uint32_t i = 0; i < 64; i++) {
            abut_manifold m = {0};
            const float margin = i % 4 ? 0 : i % 8 ? 2 : -1;
            digest_number(digest, abut_obb_overlap(&list.a[i], &list.b[i]));
            digest_number(digest, abut_obb_collide(&list.a[i], &list.b[i], margin, &m));
            digest_words(digest, &m, sizeof m);
        }
    }
}

/* Manifolds of pairs without a gap over the margin, by the kernel. */
static void manifolds(uint64_t *digest) {
    rng r = rng_make(2, 5);
    for (int k = 0; k < 2 * PAIRS; k++) {
        abut_obb a, b;
        abut_collider x, y;
        make_pair(&r, &a, &b);
        const float margin = rng_chance(&r, 0.5) ? 0 : (float)wild_size(&r, -12, 4);
        if (!abut_collider_from_obb(&a, &x) || !abut_collider_from_obb(&b, &y) ||
            abut_np_box_separated(&x, &y, margin)) {
            continue;
        }
        static const uint32_t first = 0;
        abut_manifold m = {0};
        const abut_np_box_pairs pair = {.a = &x, .b = &y, .index_a = &first, .index_b = &first, .n = 1};
        const abut_np_manifold_output to = {&m, 0, &first};
        const bool by_face = margin == 0 && abut_np_box_single_verdict(&a, &b, true) == ABUT_NP_TOUCHING_BY_FACE;
        abut_np_box_kernels_active()->manifolds(&pair, margin, by_face, &to);
        digest_words(digest, &m, sizeof m);
        digest_number(digest, abut_np_box_gap_by_face(&x, &y, &m, -abut_manifold_depth(&m)));
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"stages", stages, UINT64_C(0x7a8beb5eef269c16)},
        {"slacks", slacks, UINT64_C(0x6439d60663a59588)},
        {"just slack", just_slack, UINT64_C(0x4dc309d865514f0c)},
        {"refusals", refusals, UINT64_C(0x30dc8238daaea329)},
        {"verdicts", verdicts, UINT64_C(0x99dc139a262d81ed)},
        {"results", results, UINT64_C(0x247788c3a7778c10)},
        {"calls", calls, UINT64_C(0x7b826ade1215c264)},
        {"manifolds", manifolds, UINT64_C(0x21ce848d36a0d013)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
