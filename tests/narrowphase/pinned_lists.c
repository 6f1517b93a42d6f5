/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: lists of pairs as a world hands them over, with and without hints, as numbers. */
#include "narrowphase/narrowphase.h"
#include "support/digest.h"
#include "support/lattice.h"
#include "support/test.h"
#include "support/wild.h"
#include <stdlib.h>
#include <string.h>

enum { LIST = 700 };

static wild_hulls hulls;
static lattice_hulls lattice;

static wild_pair pair_of(rng *r) {
    const double size = wild_size(r, -12, 12);
    const abut_shape a = wild_shape(r, &hulls, size), b = wild_shape(r, &hulls, size * wild_size(r, -2, 2));
    wild_pair p;
    wild_pair_make(r, &a, &b, &p);
    return p;
}

typedef struct pair_list {
    abut_collider a[LIST], b[LIST];
    uint32_t index_a[LIST], index_b[LIST];
    abut_np_hint hint[LIST], *hints[LIST];
    size_t second_stage;
} pair_list;

/* Of all kinds; of boxes; or of all kinds, one after another, so that most blocks are of a few. */
static void make_list(rng *r, int kind, pair_list *list) {
    memset(list, 0, sizeof *list);
    for (uint32_t k = 0; k < LIST; k++) {
        abut_shape a = lattice_shape(r, &lattice), b = lattice_shape(r, &lattice);
        wild_pair p;
        if (kind == 1 || (kind == 2 && k < 300)) {
            a = lattice_box(r), b = lattice_box(r);
        }
        lattice_pair_make(r, &a, &b, &p);
        if (k % 3 == 0 && kind != 1) {
            p = pair_of(r);
        }
        if (!abut_collider_from_shape(&p.a, &p.pose_a, &list->a[k]) ||
            !abut_collider_from_shape(&p.b, &p.pose_b, &list->b[k])) {
            abort();
        }
        list->index_a[k] = list->index_b[k] = (k * 11) % LIST;
        list->hints[k] = k % 4 ? &list->hint[k] : NULL;
    }
}

static void digest_list(pair_list *list, size_t n, float margin, bool hints, uint64_t *digest) {
    static abut_manifold m[LIST];
    uint8_t hit[LIST];
    const abut_np_pairs pairs = {.collider = list->a,
                                 .other = list->b,
                                 .a = list->index_a,
                                 .b = list->index_b,
                                 .hint = hints ? list->hints : NULL,
                                 .n = n,
                                 .second_stage = hints ? &list->second_stage : NULL};
    memset(hit, 7, sizeof hit);
    abut_np_overlap_many(&pairs, hit);
    digest_bytes(digest, hit, LIST);
    memset(hit, 7, sizeof hit);
    abut_np_collide_many(&pairs, margin, m, hit);
    digest_bytes(digest, hit, LIST);
    for (size_t k = 0; k < n; k++) {
        if (hit[k]) {
            digest_words(digest, &m[k], sizeof m[k]);
        }
    }
    digest_number(digest, list->second_stage);
}

/* Twice, the second time with the hints that the first one leaves. */
static void lists(uint64_t *digest) {
    static pair_list list;
    static const size_t lengths[] = {LIST, 1, 2, 17, 255, 256, 257, 512, 513, LIST, 0};
    static const float margins[] = {0, 1, 0.25f};
    rng r = rng_make(1, 7);
    for (uint32_t k = 0; k < 11; k++) {
        make_list(&r, (int)(k % 3), &list);
        digest_list(&list, lengths[k], margins[k % 3], k % 2 == 0, digest);
        digest_list(&list, lengths[k], margins[k / 3 % 3], k % 4 != 3, digest);
    }
}

/* One by one, with what is asked of a pair. */
static void singles(uint64_t *digest) {
    static pair_list list;
    rng r = rng_make(1, 8);
    make_list(&r, 0, &list);
    for (uint32_t k = 0; k < LIST; k++) {
        abut_manifold m = {0};
        digest_number(digest, abut_np_uses_hint(&list.a[k], &list.b[k]));
        digest_number(digest, abut_np_overlap(&list.b[k], &list.a[k]));
        digest_number(digest, abut_np_collide(&list.b[k], &list.a[k], 1, &m));
        digest_words(digest, &m, sizeof m);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"lists", lists, UINT64_C(0xd6f1ad4d5d645c01)},
        {"singles", singles, UINT64_C(0x06aefca04b485b4f)},
    };
    wild_hulls_create(&hulls);
    lattice_hulls_create(&lattice);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    lattice_hulls_destroy(&lattice);
    wild_hulls_destroy(&hulls);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
