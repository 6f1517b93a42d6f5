/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_arc: lines in a row, on the circle, of at most 15 degrees; none for no turn, and an end where rounding
 * leaves no way to go. */

#include "shape/arc.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

enum { MOST = 64 };
static const abut_d3 center = {{1, -2, 3}};
static const double radius = 0.5;

typedef struct lines {
    uint32_t count;
    abut_d3 from[MOST], to[MOST];
} lines;

static void keep(abut_d3 from, abut_d3 to, void *context) {
    lines *l = context;
    assert_true(l->count < MOST);
    l->from[l->count] = from;
    l->to[l->count++] = to;
}

static bool is_at(abut_d3 place, abut_d3 direction) {
    return abut_d3_norm1(abut_d3_sub(place, abut_d3_along(center, radius, direction))) <= 0x1p-48;
}

/* From the one direction to the other, each line from where the last one ended, all ends on the sphere. */
static void draw(abut_d3 from, abut_d3 to, lines *l) {
    l->count = 0;
    abut_shape_arc(center, radius, from, to, keep, l);
    for (uint32_t i = 0; i < l->count; i++) {
        assert_true(i == 0 ? is_at(l->from[0], from) : memcmp(&l->from[i], &l->to[i - 1], sizeof l->to[i]) == 0);
        assert_true(fabs(abut_d3_length(abut_d3_sub(l->to[i], center)) - radius) <= 0x1p-48);
    }
    assert_true(l->count == 0 || is_at(l->to[l->count - 1], to));
}

static void a_quarter_is_eight_lines(void **state) {
    (void)state;
    lines l;
    draw((abut_d3){{1, 0, 0}}, (abut_d3){{0, 1, 0}}, &l);
    assert_int_equal(l.count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        const double angle = acos(-1) / 16 * (i + 1);
        assert_true(is_at(l.to[i], (abut_d3){{cos(angle), sin(angle), 0}}));
    }
}

static void lines_turn_by_at_most_15_degrees(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        lines l;
        rng r = rng_make(test_seed(), i);
        abut_d3 from = abut_d3_from(rng_direction(&r)), to = abut_d3_from(rng_direction(&r));
        (void)abut_d3_normalise(&from);
        (void)abut_d3_normalise(&to);
        const double angle = acos(abut_d3_dot(from, to));
        if (angle > 3) {
            continue;
        }
        draw(from, to, &l);
        assert_true(l.count > 0);
        for (uint32_t k = 0; k < l.count; k++) { /* all by as much */
            const double chord = abut_d3_length(abut_d3_sub(l.to[k], l.from[k])) / radius;
            assert_true(chord <= 2 * sin(acos(-1) / 24) * (1 + 1e-9));
            assert_true(fabs(2 * asin(chord / 2) - angle / l.count) < 1e-9);
        }
    }
}

static void no_turn_is_no_line(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        lines l;
        abut_d3 to = {{1, k ? 0x1p-19 : 0x1p-21, 0}};
        (void)abut_d3_normalise(&to);
        draw((abut_d3){{1, 0, 0}}, to, &l);
        assert_int_equal(l.count, k);
    }
}

/* Half a turn leads in no direction, and rounding may make one up: plates thinner than their digits have such edges. */
static void half_a_turn_ends(void **state) {
    (void)state;
    lines l;
    const abut_d3 n = {{1, 0, 0}}, nearly = {{-1 + 0x1p-53, 0, 0}};
    draw(n, abut_d3_negate(n), &l);
    assert_int_equal(l.count, 1);
    draw(n, nearly, &l); /* the middle of both is the first */
    assert_true(l.count > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_is_eight_lines),
        cmocka_unit_test(lines_turn_by_at_most_15_degrees),
        cmocka_unit_test(no_turn_is_no_line),
        cmocka_unit_test(half_a_turn_ends),
    };
    return test_run(tests);
}
