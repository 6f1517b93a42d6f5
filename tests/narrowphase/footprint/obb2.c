/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_obb2_overlap against the exact oracle, on rectangles that nearly or exactly touch. */

#include "support/ground_oracle.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/footprint.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

/* How the axes of a pair are chosen. */
enum { AXES_RANDOM, AXES_SAME, AXES_SCALED, AXES_ACROSS, AXES_ALIGNED, AXES_345, AXES_45, AXES_NEARLY, AXES_FAMILIES };

typedef struct rectangles {
    abut_obb2 a, b;
    int family;
} rectangles;

static abut_vec2 random_axis(rng *r) {
    double angle = rng_range(r, 0, 6.283185307179586), length = rng_chance(r, 0.5) ? 1 : rng_log_range(r, 1e-12, 1e12);
    return (abut_vec2){(float)(cos(angle) * length), (float)(sin(angle) * length)};
}

static abut_vec2 rational_axis(rng *r, float x, float y) {
    float k = (float)(1 + rng_below(r, 9)) * rng_sign(r);
    return rng_chance(r, 0.5) ? (abut_vec2){x * k, y * k} : (abut_vec2){-y * k, x * k};
}

static void make_axes(rng *r, rectangles *p) {
    p->family = (int)rng_below(r, AXES_FAMILIES);
    abut_vec2 a = random_axis(r), b = random_axis(r);
    float k = ldexpf(rng_sign(r), (int)rng_below(r, 21) - 10);
    switch (p->family) {
    case AXES_SAME:
        b = a;
        break;
    case AXES_SCALED:
        b = (abut_vec2){a.x * k, a.y * k};
        break;
    case AXES_ACROSS:
        b = (abut_vec2){-a.y * k, a.x * k};
        break;
    case AXES_ALIGNED:
        a = rational_axis(r, 1, 0), b = rng_chance(r, 0.2) ? (abut_vec2){0, 0} : rational_axis(r, 1, 0);
        break;
    case AXES_345:
        a = rational_axis(r, 3, 4), b = rational_axis(r, rng_chance(r, 0.5) ? 3 : -3, 4);
        break;
    case AXES_45:
        a = rational_axis(r, 1, 1), b = rational_axis(r, rng_chance(r, 0.5) ? 1 : 0, 1);
        break;
    case AXES_NEARLY: {
        float turn = (float)rng_log_range(r, 1e-9, 1e-2) * rng_sign(r);
        b = (abut_vec2){a.x - turn * a.y, a.y + turn * a.x};
        break;
    }
    default:
        break;
    }
    p->a.axis = a;
    p->b.axis = b;
}

static float random_half(rng *r, double scale) {
    return rng_chance(r, 0.1) ? 0 : (float)(scale * (rng_chance(r, 0.2) ? rng_log_range(r, 1e-4, 1) : rng_unit(r)));
}

static void unit_of(abut_vec2 axis, double u[2]) {
    double length = hypot(axis.x, axis.y);
    u[0] = length > 0 ? axis.x / length : 1;
    u[1] = length > 0 ? axis.y / length : 0;
}

/* The half extent along the unit vector n. */
static double radius(const abut_obb2 *o, const double n[2]) {
    double u[2];
    unit_of(o->axis, u);
    return o->half.x * fabs(u[0] * n[0] + u[1] * n[1]) + o->half.y * fabs(u[0] * n[1] - u[1] * n[0]);
}

/* Moves b away along one of the four normals until the gap is about `gap`. Then b's half extent along that normal, if
 * it has one, is set to make the gap exact, to within the floats near it: b is often thin, and the gap that accurate.
 */
static void bring_together(rng *r, rectangles *p, double scale) {
    double n[2], v[2], gap = 0, fine = rng_log_range(r, 1e-12, 1) * scale;
    bool of_b = rng_chance(r, 0.7), second = rng_chance(r, 0.5);
    if (rng_chance(r, 0.8)) {
        gap = (double)rng_sign(r) * scale * rng_log_range(r, 1e-16, 1e-2);
    }
    unit_of(of_b ? p->b.axis : p->a.axis, n);
    if (second) {
        double x = n[0];
        n[0] = -n[1];
        n[1] = x;
    }
    unit_of(p->b.axis, v);
    float *absorbing = fabs(n[0] * v[0] + n[1] * v[1]) > 0.999   ? &p->b.half.x
                       : fabs(n[0] * v[1] - n[1] * v[0]) > 0.999 ? &p->b.half.y
                                                                 : NULL;
    if (absorbing && rng_chance(r, 0.7)) {
        *absorbing = (float)fine;
    } else {
        absorbing = NULL;
    }
    double sense = (double)rng_sign(r), aside = rng_range(r, -1, 1) * scale;
    double away = radius(&p->a, n) + radius(&p->b, n) + gap;
    p->b.center.x = (float)(p->a.center.x + sense * away * n[0] - aside * n[1]);
    p->b.center.y = (float)(p->a.center.y + sense * away * n[1] + aside * n[0]);
    if (absorbing) {
        double along =
            fabs(((double)p->b.center.x - p->a.center.x) * n[0] + ((double)p->b.center.y - p->a.center.y) * n[1]);
        *absorbing = (float)fmax(0, along - radius(&p->a, n) - gap);
    }
}

/* Small integers and rational axes: touching is exact, and near misses are as small as floats allow. */
static void make_lattice_pair(rng *r, rectangles *p, float unit) {
    static const float axis[4][3] = {{1, 0, 1}, {3, 4, 5}, {5, 12, 13}, {1, 1, 1}};
    const float *chosen = axis[rng_below(r, 4)];
    float x = chosen[0], y = chosen[1], pitch = chosen[2] * unit;
    int i = (int)rng_below(r, 9) - 4, j = (int)rng_below(r, 9) - 4, ha = (int)rng_below(r, 4),
        hb = (int)rng_below(r, 4);
    p->a.axis = rational_axis(r, x, y);
    p->b.axis = rational_axis(r, x, y);
    p->a.center = (abut_vec2){pitch * (float)rng_below(r, 100), pitch * (float)rng_below(r, 100)};
    p->b.center = (abut_vec2){p->a.center.x + unit * ((float)i * x - (float)j * y),
                              p->a.center.y + unit * ((float)i * y + (float)j * x)};
    p->a.half = (abut_vec2){pitch * (float)ha, pitch * (float)rng_below(r, 3)};
    p->b.half = (abut_vec2){pitch * (float)hb, pitch * (float)rng_below(r, 3)};
    if (rng_chance(r, 0.3)) {
        p->b.half.x = p->b.half.x == 0 ? ldexpf(pitch, -(int)rng_below(r, 60))
                                       : nextafterf(p->b.half.x, rng_chance(r, 0.5) ? 0 : FLT_MAX);
    }
}

static rectangles rectangles_make(uint64_t index) {
    rng r = rng_make(test_seed(), index);
    rectangles p = {.family = -1};
    if (rng_chance(&r, 0.2)) {
        make_lattice_pair(&r, &p, ldexpf((float)(1 + rng_below(&r, 15)), (int)rng_below(&r, 20) - 12));
        return p;
    }
    double scale = rng_log_range(&r, 1e-4, 1e5);
    make_axes(&r, &p);
    p.a.half = (abut_vec2){random_half(&r, scale), random_half(&r, scale)};
    p.b.half = (abut_vec2){random_half(&r, scale), random_half(&r, scale)};
    if (rng_chance(&r, 0.5)) {
        double far = scale * rng_log_range(&r, 1e-3, 1e2);
        p.a.center = (abut_vec2){(float)rng_range(&r, -far, far), (float)rng_range(&r, -far, far)};
    }
    bring_together(&r, &p, scale);
    return p;
}

static bool expected(const ground_truth *truth, abut_touch touch) {
    return touch == ABUT_TOUCH_IS_FREE ? truth->gap < 0 : truth->gap <= 0;
}

static void report(uint64_t index, const char *what, const rectangles *p, const ground_truth *truth) {
    fprintf(stderr, "seed 0x%llx pair %llu: %s; gap %g of %g\n", (unsigned long long)test_seed(),
            (unsigned long long)index, what, truth->gap, truth->size);
    const abut_obb2 *both[2] = {&p->a, &p->b};
    for (int i = 0; i < 2; i++) {
        const abut_obb2 *o = both[i];
        fprintf(stderr, "    {{%a, %a}, {%a, %a}, {%a, %a}}\n", o->center.x, o->center.y, o->axis.x, o->axis.y,
                o->half.x, o->half.y);
    }
}

/* How many pairs of each class there were; without them the run proves nothing. */
typedef struct tally {
    unsigned long overlapping, touching, apart, beyond_float, beyond_double, families[AXES_FAMILIES + 1];
} tally;

static void count(tally *t, const rectangles *p, const ground_truth *truth) {
    double near = fabs(truth->gap);
    t->overlapping += truth->gap < 0;
    t->touching += truth->gap == 0;
    t->apart += truth->gap > 0;
    t->beyond_float += near > 0 && near < 1e-8;
    t->beyond_double += near > 0 && near < 1e-15;
    t->families[p->family + 1]++;
}

static void assert_tally(const tally *t, unsigned long pairs) {
    printf("%lu pairs: %lu overlap, %lu exactly touch, %lu are apart; %lu within 1e-8, %lu within 1e-15 of touching\n",
           pairs, t->overlapping, t->touching, t->apart, t->beyond_float, t->beyond_double);
    assert_true(t->overlapping > pairs / 4);
    assert_true(t->touching > pairs / 50);
    assert_true(t->apart > pairs / 4);
    assert_true(t->beyond_float > pairs / 10);
    assert_true(t->beyond_double > pairs / 300);
    for (int i = 0; i <= AXES_FAMILIES; i++) {
        assert_true(t->families[i] > pairs / 25);
    }
}

static void near_touch_pairs_are_judged_exactly(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(300000), wrong = 0;
    tally t = {0};
    for (unsigned long i = 0; i < pairs && wrong < 10; i++) {
        rectangles p = rectangles_make(i);
        ground_truth truth = ground_rectangles(&p.a, &p.b);
        count(&t, &p, &truth);
        for (int rule = 0; rule < 2; rule++) {
            abut_touch touch = rule ? ABUT_TOUCH_IS_FREE : ABUT_TOUCH_IS_OVERLAP;
            bool answer = abut_obb2_overlap(&p.a, &p.b, touch);
            if (answer != expected(&truth, touch)) {
                wrong++;
                report(i, rule ? "wrong by the open rule" : "wrong by the closed rule", &p, &truth);
            }
            if (answer != abut_obb2_overlap(&p.b, &p.a, touch)) {
                wrong++;
                report(i, "the answer changes when a and b are swapped", &p, &truth);
            }
        }
    }
    assert_int_equal(wrong, 0);
    assert_tally(&t, pairs);
}

/* The usual test of four axes in floats. */
static bool textbook_overlap(const abut_obb2 *a, const abut_obb2 *b) {
    const abut_obb2 *both[2] = {a, b};
    for (int i = 0; i < 4; i++) {
        const abut_obb2 *of = both[i / 2], *other = both[1 - i / 2];
        float of_length = sqrtf(of->axis.x * of->axis.x + of->axis.y * of->axis.y);
        float other_length = sqrtf(other->axis.x * other->axis.x + other->axis.y * other->axis.y);
        float x = of->axis.x / of_length, y = of->axis.y / of_length;
        float nx = i % 2 ? -y : x, ny = i % 2 ? x : y, own = i % 2 ? of->half.y : of->half.x;
        float ox = other->axis.x / other_length, oy = other->axis.y / other_length;
        float along = fabsf((other->center.x - of->center.x) * nx + (other->center.y - of->center.y) * ny);
        if (along > own + other->half.x * fabsf(nx * ox + ny * oy) + other->half.y * fabsf(nx * oy - ny * ox)) {
            return false;
        }
    }
    return true;
}

static void the_judge_finds_textbook_floats_wrong(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long pairs = test_count(50000), wrong = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        rectangles p = rectangles_make(i);
        ground_truth truth = ground_rectangles(&p.a, &p.b);
        wrong += textbook_overlap(&p.a, &p.b) != expected(&truth, ABUT_TOUCH_IS_OVERLAP);
    }
    printf("of %lu pairs textbook floats get %lu wrong\n", pairs, wrong);
    assert_true(wrong > pairs / 50);
}

/* Cells of a grid: a cell overlaps itself and touches its neighbours. */
static void check_grid(abut_vec2 axis, float step_x, float step_y, abut_vec2 half, abut_vec2 origin) {
    for (int k = 0; k < 81; k++) {
        int i = k % 9 - 4, j = k / 9 - 4;
        abut_obb2 a = {origin, axis, half}, b = a;
        b.center.x += (float)i * step_x - (float)j * step_y;
        b.center.y += (float)i * step_y + (float)j * step_x;
        bool same = i == 0 && j == 0, near = i * i <= 1 && j * j <= 1;
        assert_int_equal(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE), same);
        assert_int_equal(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP), near);
        b.axis = (abut_vec2){-axis.y * 2, axis.x * 2};
        assert_int_equal(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE), same);
        assert_int_equal(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP), near);
    }
}

static void rectangles_of_a_grid_may_share_their_borders(void **state) {
    (void)state;
    for (int shift = -20; shift <= 20; shift++) {
        float k = ldexpf(1, shift);
        check_grid((abut_vec2){0, 0}, 2 * k, 0, (abut_vec2){k, k}, (abut_vec2){0, 0});
        check_grid((abut_vec2){7, 0}, 0.8125f * k, 0, (abut_vec2){0.40625f * k, 0.40625f * k},
                   (abut_vec2){1000 * k, -333 * k});
        check_grid((abut_vec2){0, -3}, 0, -0.7f * k, (abut_vec2){0.35f * k, 0.35f * k}, (abut_vec2){0, 0});
        check_grid((abut_vec2){3, 4}, 3 * k, 4 * k, (abut_vec2){2.5f * k, 2.5f * k}, (abut_vec2){17 * k, 4 * k});
        check_grid((abut_vec2){0.6f * 5, 0.8f * 5}, 3 * k, 4 * k, (abut_vec2){2.5f * k, 2.5f * k}, (abut_vec2){0, 0});
        check_grid((abut_vec2){-36, 15}, -12 * k, 5 * k, (abut_vec2){6.5f * k, 6.5f * k}, (abut_vec2){0, 16 * k});
    }
}

/* Corners that meet corners and sides at 45 degrees, where all other lengths are irrational. */
static void diamonds_touch_at_their_corners_and_sides(void **state) {
    (void)state;
    /* A diamond around a square: the square's corner (1, 1) lies on the line x + y = 2, the diamond's side. */
    abut_obb2 square = {{0, 0}, {1, 0}, {1, 1}}, diamond = {{4, 4}, {1, 1}, {0, 3}};
    assert_true(abut_obb2_overlap(&square, &diamond, ABUT_TOUCH_IS_OVERLAP) == false);
    /* A wall of zero thickness along x + y = 2 */
    diamond = (abut_obb2){{1, 1}, {-1, 1}, {3, 0}};
    assert_true(abut_obb2_overlap(&square, &diamond, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&square, &diamond, ABUT_TOUCH_IS_FREE));
    diamond.center.x = nextafterf(1, 2);
    assert_false(abut_obb2_overlap(&square, &diamond, ABUT_TOUCH_IS_OVERLAP));
    diamond.center.x = nextafterf(1, 0);
    assert_true(abut_obb2_overlap(&square, &diamond, ABUT_TOUCH_IS_FREE));
    /* Equal diamonds side by side along the diagonal, at twice their half extent, which is irrational: floats cannot
     * touch. */
    abut_obb2 other = {{2, 2}, {5, 5}, {1.41421354f, 1.41421354f}}, own = {{0, 0}, {1, 1}, {1.41421354f, 1.41421354f}};
    assert_false(abut_obb2_overlap(&own, &other, ABUT_TOUCH_IS_OVERLAP));
    other.half.x = 1.41421366f;
    assert_true(abut_obb2_overlap(&own, &other, ABUT_TOUCH_IS_FREE));
}

static void walls_without_thickness_block_unless_a_line_parts_them(void **state) {
    (void)state;
    const abut_obb2 house = {{0, 0}, {3, 4}, {2, 1}}, wall = {{0, 0}, {4, -1}, {10, 0}},
                    point = {{0, 0}, {0, 0}, {0, 0}};
    assert_true(abut_obb2_overlap(&house, &wall, ABUT_TOUCH_IS_FREE));
    assert_true(abut_obb2_overlap(&house, &point, ABUT_TOUCH_IS_FREE));
    assert_true(abut_obb2_overlap(&wall, &point, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&wall, &point, ABUT_TOUCH_IS_FREE));
    assert_true(abut_obb2_overlap(&point, &point, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&point, &point, ABUT_TOUCH_IS_FREE));
    /* Crossing walls block each other, those in one line do not. */
    abut_obb2 crossing = {{1, 0}, {1, 1}, {0, 10}}, same_line = {{4, -1}, {-8, 2}, {10, 0}};
    assert_true(abut_obb2_overlap(&wall, &crossing, ABUT_TOUCH_IS_FREE));
    assert_true(abut_obb2_overlap(&wall, &same_line, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&wall, &same_line, ABUT_TOUCH_IS_FREE));
    same_line.center.y = nextafterf(-1, 0);
    assert_false(abut_obb2_overlap(&wall, &same_line, ABUT_TOUCH_IS_OVERLAP));
}

static abut_obb2 scaled(const abut_obb2 *o, int shift, int axis_shift) {
    return (abut_obb2){{ldexpf(o->center.x, shift), ldexpf(o->center.y, shift)},
                       {ldexpf(o->axis.x, axis_shift), ldexpf(o->axis.y, axis_shift)},
                       {ldexpf(o->half.x, shift), ldexpf(o->half.y, shift)}};
}

static bool is_normal_range(const abut_obb2 *o) {
    const float v[4] = {o->center.x, o->center.y, o->half.x, o->half.y};
    for (int i = 0; i < 4; i++) {
        if (v[i] != 0 && (fabsf(v[i]) < 1e-15f || fabsf(v[i]) > 1e15f)) {
            return false;
        }
    }
    return true;
}

static void powers_of_two_change_nothing(void **state) {
    (void)state;
    unsigned long scaled_count = 0;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rectangles p = rectangles_make(i);
        if (!is_normal_range(&p.a) || !is_normal_range(&p.b)) {
            continue;
        }
        scaled_count++;
        for (int k = 0; k < 6; k++) {
            static const int shift[6] = {-70, -30, 1, 30, 70, 0};
            abut_obb2 a = scaled(&p.a, shift[k], k * 7 - 20), b = scaled(&p.b, shift[k], 20 - k * 7);
            for (int rule = 0; rule < 2; rule++) {
                assert_int_equal(abut_obb2_overlap(&a, &b, (abut_touch)rule),
                                 abut_obb2_overlap(&p.a, &p.b, (abut_touch)rule));
            }
        }
    }
    assert_true(scaled_count > test_count(20000) / 2);
}

static void the_ends_of_the_floats_are_no_trouble(void **state) {
    (void)state;
    float tiny = 0x1p-149f;
    abut_obb2 a = {{0, 0}, {tiny, tiny}, {FLT_MAX, FLT_MAX}},
              b = {{FLT_MAX, FLT_MAX}, {FLT_MAX, -FLT_MAX}, {tiny, tiny}};
    assert_false(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP)); /* sqrt 2 FLT_MAX away */
    b.half.y = FLT_MAX;
    assert_true(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE));
    a = (abut_obb2){{0, 0}, {3 * tiny, 4 * tiny}, {5 * tiny, 5 * tiny}};
    b = (abut_obb2){{6 * tiny, 8 * tiny}, {FLT_MAX * 0.75f, FLT_MAX}, {5 * tiny, 0}};
    b.axis = (abut_vec2){0x1.8p+126f, 0x1p+127f};
    assert_true(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE));
    b.half.x = 6 * tiny;
    assert_true(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE));
    b.half.x = 4 * tiny;
    assert_false(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP));
    a = (abut_obb2){{-FLT_MAX, 0}, {1, 0}, {FLT_MAX, 1}}, b = (abut_obb2){{FLT_MAX, 0}, {0, 1}, {1, FLT_MAX}};
    assert_true(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE));
    b.center.x = nextafterf(FLT_MAX, 0);
    assert_true(abut_obb2_overlap(&a, &b, ABUT_TOUCH_IS_FREE));
}

static void invalid_input_overlaps_nothing(void **state) {
    (void)state;
    const abut_obb2 valid = {{0, 0}, {1, 0}, {1, 1}};
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    assert_true(abut_obb2_overlap(&valid, &valid, ABUT_TOUCH_IS_FREE));
    assert_false(abut_obb2_overlap(NULL, &valid, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&valid, NULL, ABUT_TOUCH_IS_OVERLAP));
    assert_false(abut_obb2_overlap(&valid, &valid, (abut_touch)2));
    assert_false(abut_obb2_overlap(&valid, &valid, (abut_touch)-1));
    for (int i = 0; i < 20; i++) {
        abut_obb2 broken = valid;
        float *number[6] = {&broken.center.x, &broken.center.y, &broken.axis.x,
                            &broken.axis.y,   &broken.half.x,   &broken.half.y};
        *number[i < 18 ? i / 3 : i - 14] = i < 18 ? bad[i % 3] : -0x1p-149f;
        assert_false(abut_obb2_overlap(&valid, &broken, ABUT_TOUCH_IS_OVERLAP));
        assert_false(abut_obb2_overlap(&broken, &valid, ABUT_TOUCH_IS_FREE));
    }
    const abut_obb2 negative_zero = {{-0.0f, 0}, {-0.0f, -0.0f}, {-0.0f, 1}};
    assert_true(abut_obb2_overlap(&valid, &negative_zero, ABUT_TOUCH_IS_FREE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_touch_pairs_are_judged_exactly),
        cmocka_unit_test(the_judge_finds_textbook_floats_wrong),
        cmocka_unit_test(rectangles_of_a_grid_may_share_their_borders),
        cmocka_unit_test(diamonds_touch_at_their_corners_and_sides),
        cmocka_unit_test(walls_without_thickness_block_unless_a_line_parts_them),
        cmocka_unit_test(powers_of_two_change_nothing),
        cmocka_unit_test(the_ends_of_the_floats_are_no_trouble),
        cmocka_unit_test(invalid_input_overlaps_nothing),
    };
    return test_run(tests);
}
