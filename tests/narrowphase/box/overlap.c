/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_obb_overlap against the exact oracle on pairs that nearly touch. Two deliberately wrong box tests must fail the
 * same check, because a test that cannot fail proves nothing. */

#include "support/near_touch.h"
#include "support/oracle.h"
#include "support/print.h"
#include "support/test.h"
#include <abut/isa.h>
#include <abut/obb.h>
#include <math.h>
#include <stdio.h>

typedef enum judgement { RIGHT, MISSED, INVENTED } judgement;

/* What the library promises: never false for boxes that touch, never true for a gap beyond 1e-12 of their size. */
static judgement judge(bool answer, const oracle_gap *truth) {
    if (truth->touch && !answer) {
        return MISSED;
    }
    return truth->gap > 1e-12 && answer ? INVENTED : RIGHT;
}

/* How many pairs of each class the generator made: without them the run proves nothing. */
typedef struct tally {
    unsigned long touching, apart, exact, deep;
    unsigned long close;              /* a gap or depth below 1e-7 */
    unsigned long just_apart;         /* a gap from 1e-12 to 1e-9: the answer must be no */
    unsigned long edge_only;          /* apart by at least 1e-12, but no face axis shows it */
    unsigned long parallel_edge_only; /* the same where the edges are less than 1e-3 from parallel */
    unsigned long hidden;             /* the same where the axis shows the gap with less than 1e-14: beyond double */
    unsigned long kinds[NEAR_TOUCH_KINDS];
} tally;

static void count(tally *t, const near_touch *pair, const oracle_gap *truth) {
    t->touching += truth->touch;
    t->apart += !truth->touch;
    t->exact += pair->exact;
    t->deep += truth->gap < -1e-3;
    t->close += fabs(truth->gap) < 1e-7;
    t->just_apart += truth->gap > 1e-12 && truth->gap < 1e-9;
    if (truth->face <= 0 && truth->gap > 1e-12) {
        t->edge_only++;
        t->parallel_edge_only += truth->slope < 1e-3;
        t->hidden += truth->slope < 1e-3 && truth->gap * truth->slope < 1e-14;
    }
    t->kinds[pair->kind]++;
}

static void assert_tally(const tally *t, unsigned long pairs) {
    printf(
        "%lu pairs: %lu touching (%lu exactly), %lu apart, %lu closer than 1e-7, %lu apart by 1e-12..1e-9, %lu by an "
        "edge axis only, %lu of them nearly parallel, %lu beyond double\n",
        pairs, t->touching, t->exact, t->apart, t->close, t->just_apart, t->edge_only, t->parallel_edge_only,
        t->hidden);
    assert_true(t->touching > pairs / 4);
    assert_true(t->apart > pairs / 4);
    assert_true(t->exact > pairs / 5);
    assert_true(t->deep > pairs / 100);
    assert_true(t->close > pairs / 4);
    assert_true(t->just_apart > pairs / 50);
    assert_true(t->edge_only > pairs / 20);
    assert_true(t->parallel_edge_only > pairs / 1000);
    assert_true(t->hidden > pairs / 2000);
    for (int kind = 0; kind < NEAR_TOUCH_KINDS; kind++) {
        assert_true(t->kinds[kind] > pairs / 50);
    }
}

static void report(const char *what, unsigned long index, const near_touch *pair, const oracle_gap *truth) {
    fprintf(stderr, "seed 0x%llx pair %lu: %s; gap %g (face %g, edge %g, slope %g, size %g)\n",
            (unsigned long long)test_seed(), index, what, truth->gap, truth->face, truth->edge, truth->slope,
            truth->size);
    print_obb("a", &pair->a);
    print_obb("b", &pair->b);
}

/* The last pairs, and the answers of the function for one pair. */
typedef struct batch {
    abut_obb a[500], b[500];
    uint8_t answer[500];
    size_t count;
} batch;

/* The number of pairs for which abut_obb_overlap_many answers differently, over all instruction sets of this machine.
 */
static unsigned long batch_differences(const batch *all, unsigned long first) {
    uint8_t overlap[500];
    unsigned long wrong = 0;
    abut_isa best = abut_isa_active();
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        abut_obb_overlap_many(all->a, all->b, all->count, overlap);
        for (size_t k = 0; k < all->count; k++) {
            if (overlap[k] != all->answer[k] && wrong++ < 3) {
                fprintf(stderr, "seed 0x%llx pair %lu: %s answers %d\n", (unsigned long long)test_seed(),
                        first + (unsigned long)k, abut_isa_name((abut_isa)isa), overlap[k]);
                print_obb("a", &all->a[k]);
                print_obb("b", &all->b[k]);
            }
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
    return wrong;
}

static void near_touch_pairs_have_the_exact_answer(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(1000000), wrong = 0;
    tally t = {0};
    static batch last;
    for (unsigned long i = 0; i < pairs && wrong < 10; i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        oracle_gap truth = oracle_obb_pair(&pair.a, &pair.b);
        count(&t, &pair, &truth);
        bool answer = abut_obb_overlap(&pair.a, &pair.b);
        last.a[last.count] = pair.a, last.b[last.count] = pair.b;
        last.answer[last.count++] = answer;
        if (last.count == sizeof last.answer || i + 1 == pairs) {
            wrong += batch_differences(&last, i + 1 - (unsigned long)last.count);
            last.count = 0;
        }
        judgement j = judge(answer, &truth);
        if (j != RIGHT) {
            wrong++;
            report(j == MISSED ? "overlap missed" : "overlap invented", i, &pair, &truth);
        }
        if (abut_obb_overlap(&pair.b, &pair.a) != answer) {
            wrong++;
            report("the answer changes when a and b are swapped", i, &pair, &truth);
        }
        if (pair.exact && !truth.touch) {
            wrong++;
            report("the generator's exact pair does not touch", i, &pair, &truth);
        }
    }
    assert_int_equal(wrong, 0);
    assert_tally(&t, pairs);
}

typedef struct float_matrix {
    float m[3][3];
} float_matrix;

static float_matrix matrix_of(abut_quat q) {
    float n = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(n > 0)) {
        return (float_matrix){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    }
    float s = 2 / n;
    return (float_matrix){
        {{1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.w * q.z), s * (q.x * q.z + q.w * q.y)},
         {s * (q.x * q.y + q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.w * q.x)},
         {s * (q.x * q.z - q.w * q.y), s * (q.y * q.z + q.w * q.x), 1 - s * (q.x * q.x + q.y * q.y)}}};
}

/* The textbook's 15 axes in floats; `epsilon` is added to every |r|, as many codes do against parallel edges. */
static bool textbook_overlap(const abut_obb *box_a, const abut_obb *box_b, float epsilon) {
    float_matrix ma = matrix_of(box_a->rotation), mb = matrix_of(box_b->rotation);
    const float *a = &box_a->half.x, *b = &box_b->half.x;
    float d[3] = {box_b->center.x - box_a->center.x, box_b->center.y - box_a->center.y,
                  box_b->center.z - box_a->center.z};
    float r[3][3], f[3][3], t[3];
    for (int i = 0; i < 3; i++) {
        t[i] = ma.m[0][i] * d[0] + ma.m[1][i] * d[1] + ma.m[2][i] * d[2];
        for (int j = 0; j < 3; j++) {
            r[i][j] = ma.m[0][i] * mb.m[0][j] + ma.m[1][i] * mb.m[1][j] + ma.m[2][i] * mb.m[2][j];
            f[i][j] = fabsf(r[i][j]) + epsilon;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (fabsf(t[i]) > a[i] + b[0] * f[i][0] + b[1] * f[i][1] + b[2] * f[i][2] ||
            fabsf(t[0] * r[0][i] + t[1] * r[1][i] + t[2] * r[2][i]) >
                b[i] + a[0] * f[0][i] + a[1] * f[1][i] + a[2] * f[2][i]) {
            return false;
        }
    }
    for (int e = 0; e < 9; e++) {
        int i = e / 3, j = e % 3, k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
        if (fabsf(t[l] * r[k][j] - t[k] * r[l][j]) >
            a[k] * f[l][j] + a[l] * f[k][j] + b[m] * f[i][n] + b[n] * f[i][m]) {
            return false;
        }
    }
    return true;
}

static void textbook_floats_fail_the_exact_check(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(50000), found[2][3] = {{0}};
    for (unsigned long i = 0; i < pairs; i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        oracle_gap truth = oracle_obb_pair(&pair.a, &pair.b);
        found[0][judge(textbook_overlap(&pair.a, &pair.b, 0), &truth)]++;
        found[1][judge(textbook_overlap(&pair.a, &pair.b, 1e-6f), &truth)]++;
    }
    for (int i = 0; i < 2; i++) {
        printf("of %lu pairs textbook floats %s miss %lu and invent %lu\n", pairs, i ? "+ 1e-6" : "", found[i][MISSED],
               found[i][INVENTED]);
    }
    assert_true(found[0][MISSED] > pairs / 100);
    assert_true(found[0][INVENTED] > pairs / 100);
    assert_true(found[1][MISSED] > 0);
    assert_true(found[1][INVENTED] > pairs / 100);
}

static void many_pairs_answer_as_one_by_one(void **state) {
    (void)state;
    enum { N = 257 };
    static abut_obb a[N], b[N];
    uint8_t overlap[N + 1];
    size_t expected = 0;
    for (size_t i = 0; i < N; i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        a[i] = pair.a;
        b[i] = pair.b;
        expected += abut_obb_overlap(&a[i], &b[i]);
    }
    overlap[N] = 77;
    assert_int_equal(abut_obb_overlap_many(a, b, N, overlap), expected);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(overlap[i], abut_obb_overlap(&a[i], &b[i]) ? 1 : 0);
    }
    assert_int_equal(overlap[N], 77);
    assert_int_equal(abut_obb_overlap_many(a, b, 0, overlap), 0);
    assert_int_equal(abut_obb_overlap_many(NULL, NULL, 0, NULL), 0);
    assert_int_equal(abut_obb_overlap_many(NULL, b, N, overlap), 0);
    assert_int_equal(abut_obb_overlap_many(a, NULL, N, overlap), 0);
    assert_int_equal(abut_obb_overlap_many(a, b, N, NULL), 0);
    a[3].half.x = NAN;
    abut_obb_overlap_many(a, b, N, overlap);
    assert_int_equal(overlap[3], 0);
}

static void a_box_overlaps_itself_and_a_point_its_box(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(10000); i++) {
        near_touch pair = near_touch_pair(test_seed(), i);
        assert_true(abut_obb_overlap(&pair.a, &pair.a));
        abut_obb point = {.center = pair.a.center};
        assert_true(abut_obb_overlap(&point, &pair.a));
        assert_true(abut_obb_overlap(&point, &point));
        point.rotation = pair.b.rotation;
        assert_true(abut_obb_overlap(&pair.a, &point));
    }
    abut_obb zero = {.half = {0, 0, 0}};
    abut_obb apart = {.center = {0x1p-149f, 0, 0}};
    assert_true(abut_obb_overlap(&zero, &zero));
    assert_false(abut_obb_overlap(&zero, &apart));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_touch_pairs_have_the_exact_answer),
        cmocka_unit_test(textbook_floats_fail_the_exact_check),
        cmocka_unit_test(many_pairs_answer_as_one_by_one),
        cmocka_unit_test(a_box_overlaps_itself_and_a_point_its_box),
    };
    return test_run(tests);
}
