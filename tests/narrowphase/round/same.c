/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The same bits at any scale that is a power of two, but for lengths below the least normal float, and on every
 * instruction set. */

#include "narrowphase/round/check.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that can be asked about a pair. */
typedef struct answers {
    uint32_t overlap, touch, near;
    float distance;
    abut_vec3 on_a, on_b;
    abut_manifold contact, near_contact;
    abut_aabb bounds[2];
} answers;

static answers ask(const round_pair *p, float margin) {
    const round_body *a = &p->a, *b = &p->b;
    answers out;
    memset(&out, 0, sizeof out);
    out.overlap = abut_shape_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    out.touch = abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, 0, &out.contact);
    out.near = abut_shape_collide(&a->shape, &a->pose, &b->shape, &b->pose, margin, &out.near_contact);
    out.distance = abut_shape_distance(&a->shape, &a->pose, &b->shape, &b->pose, &out.on_a, &out.on_b);
    out.bounds[0] = abut_shape_bounds(&a->shape, &a->pose);
    out.bounds[1] = abut_shape_bounds(&b->shape, &b->pose);
    return out;
}

static void scale_vec3(abut_vec3 *v, float factor) {
    *v = (abut_vec3){v->x * factor, v->y * factor, v->z * factor};
}

static void scale_body(const round_hulls *hulls, round_body *body, float factor) {
    scale_vec3(&body->shape.half, factor);
    scale_vec3(&body->pose.position, factor);
    body->shape.radius *= factor;
    if (body->shape.hull) {
        body->shape.hull = hulls->scaled[body->hull];
    }
}

/* Of lengths below the least normal float the last bits are lost: there they need not be the same. */
static void scale_length(float *before, float after, float factor) {
    const bool tiny = fabsf(*before) < 0x1p-126f || fabsf(after) < 0x1p-126f;
    const double off = fabs((double)*before * factor - after);
    *before = tiny && off > 0 && off <= 0x1p-149 * fmax(1, factor) ? after : *before * factor;
}

static void scale_lengths(abut_vec3 *before, const abut_vec3 *after, float factor) {
    scale_length(&before->x, after->x, factor);
    scale_length(&before->y, after->y, factor);
    scale_length(&before->z, after->z, factor);
}

static void scale_manifold(abut_manifold *before, const abut_manifold *after, float factor) {
    for (int k = 0; k < 4; k++) {
        scale_lengths(&before->points[k].position, &after->points[k].position, factor);
        scale_length(&before->points[k].separation, after->points[k].separation, factor);
    }
}

static void scale_answers(answers *before, const answers *after, float factor) {
    scale_length(&before->distance, after->distance, factor);
    scale_lengths(&before->on_a, &after->on_a, factor);
    scale_lengths(&before->on_b, &after->on_b, factor);
    scale_manifold(&before->contact, &after->contact, factor);
    scale_manifold(&before->near_contact, &after->near_contact, factor);
    for (int k = 0; k < 2; k++) {
        scale_lengths(&before->bounds[k].min, &after->bounds[k].min, factor);
        scale_lengths(&before->bounds[k].max, &after->bounds[k].max, factor);
    }
}

static float random_margin(uint64_t index, const round_pair *p) {
    rng r = rng_make(test_seed() + 9, index);
    float extent = p->a.shape.radius + (float)(p->a.core->half[0] + p->b.core->half[1]);
    return rng_chance(&r, 0.1) ? 0 : extent * (float)rng_log_range(&r, 1e-4, 10);
}

static void powers_of_two_change_no_bit(void **state) {
    (void)state;
    unsigned long wrong = 0;
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < test_count(60000) && wrong < 10; i++) {
        round_pair p;
        rng r = rng_make(test_seed(), i);
        near_round_pair(hulls, test_seed() + 2, i, i & 1 ? ROUND_APART : ROUND_NEAR, &p);
        float margin = random_margin(i, &p);
        bool hull = p.a.shape.hull || p.b.shape.hull;
        float factor = ldexpf(1, hull ? ROUND_SCALE : (int)rng_below(&r, 121) - 50);
        answers before = ask(&p, margin);
        scale_body(hulls, &p.a, factor);
        scale_body(hulls, &p.b, factor);
        answers after = ask(&p, margin * factor);
        scale_answers(&before, &after, factor);
        if (memcmp(&before.bounds, &after.bounds, sizeof after.bounds) != 0 || memcmp(&before, &after, sizeof after)) {
            wrong++;
            fprintf(stderr, "seed 0x%llx pair %lu (kinds %d %d) times %g: not the same bits\n",
                    (unsigned long long)test_seed(), i, (int)p.a.kind, (int)p.b.kind, (double)factor);
        }
    }
    round_hulls_release(hulls);
    assert_int_equal(wrong, 0);
}

static void every_instruction_set_has_the_same_bits(void **state) {
    (void)state;
    unsigned long count = test_count(40000), wrong = 0;
    abut_isa active = abut_isa_active();
    answers *all = malloc(count * sizeof *all);
    assert_non_null(all);
    round_hulls *hulls = round_hulls_make(test_seed());
    int sets = 0;
    for (int isa = -1; isa <= ABUT_ISA_WASM && wrong < 10; isa++) {
        if (abut_isa_select(isa < 0 ? active : (abut_isa)isa) != ABUT_OK) {
            continue;
        }
        sets++;
        for (unsigned long i = 0; i < count && wrong < 10; i++) {
            round_pair p;
            near_round_pair(hulls, test_seed() + 3, i, i & 1 ? ROUND_APART : ROUND_NEAR, &p);
            answers now = ask(&p, random_margin(i, &p));
            if (isa < 0) {
                all[i] = now;
            } else if (memcmp(&now, &all[i], sizeof now) != 0) {
                wrong++;
                fprintf(stderr, "seed 0x%llx pair %lu (kinds %d %d): other bits with %s\n",
                        (unsigned long long)test_seed(), i, (int)p.a.kind, (int)p.b.kind, abut_isa_name((abut_isa)isa));
            }
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
    round_hulls_release(hulls);
    free(all);
    assert_true(sets >= 2);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_change_no_bit),
        cmocka_unit_test(every_instruction_set_has_the_same_bits),
    };
    return test_run(tests);
}
