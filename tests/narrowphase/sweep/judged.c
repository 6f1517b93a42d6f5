/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sweeps of single pairs, judged by the oracle of sweeps: some of each hard family. 200,000 by hand:
 * ABUT_TEST_SCALE=250. */

#include "narrowphase/narrowphase.h"
#include "support/move_families.h"
#include "support/sweep_oracle.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, ISAS = ABUT_ISA_WASM + 1 };

typedef struct tally {
    unsigned long met, near, at_start, deeper, unsure, faults, steps;
} tally;

typedef struct judged {
    quad_way a, b;
    sweep_truth truth;
    abut_initial initial;
    float allowance;
} judged;

static round_hulls *hulls;
static move_case *made;

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed());
    made = malloc(sizeof *made);
    return made ? 0 : 1;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    free(made);
    return 0;
}

static bool sweep(abut_initial initial, abut_hit *hit) {
    memset(hit, 0x5a, sizeof *hit);
    return abut_shape_sweep(&made->pair.a.shape, &made->a.pose, &made->to[0], &made->pair.b.shape, &made->b.pose,
                            &made->to[1], initial, hit);
}

static const char *differs(abut_initial initial, bool reported, const abut_hit *hit) {
    abut_isa active = abut_isa_active();
    abut_hit other;
    const char *fault = NULL;
    for (int isa = 0; isa < ISAS; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            bool same = sweep(initial, &other) == reported && memcmp(&other, hit, sizeof other) == 0;
            fault = same ? fault : abut_isa_name((abut_isa)isa);
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
    return fault;
}

static bool is_zero(abut_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Normal from b to a at the start, as abut_shape_collide gives it. */
static bool start_normal(double e, double out[3]) {
    abut_manifold m;
    float margin = nextafterf((float)e, INFINITY); /* no denormal becomes 0 */
    if (!abut_shape_collide(&made->pair.b.shape, &made->b.pose, &made->pair.a.shape, &made->a.pose, margin, &m)) {
        return false;
    }
    out[0] = m.normal.x;
    out[1] = m.normal.y;
    out[2] = m.normal.z;
    return true;
}

/* Whether the pair is as deep along the normal of a hit as along that of the start, where rounding decides between the
 * two: both sides of a plate, say, or nearly parallel edges, whose normals turn a lot when the poses are normalised. */
static bool is_as_deep(const judged *j, const double n[3], const double other[3]) {
    quad deep = separation_along(&j->a.body, &j->a.start, &j->b.body, &j->b.start, n);
    quad same = separation_along(&j->a.body, &j->a.start, &j->b.body, &j->b.start, other);
    return quad_abs(deep - same) <= (quad)j->truth.e;
}

static const char *closing_fault(const judged *j, double allowance, double fraction, abut_vec3 position,
                                 abut_vec3 normal, tally *t) {
    double n[3];
    if (!start_normal(j->truth.e, n)) {
        return "within e, but does not collide with that margin";
    }
    const double hit[3] = {normal.x, normal.y, normal.z};
    bool deeper, same = fraction <= 1 && is_as_deep(j, n, hit);
    const char *fault = sweep_closing_fault(&j->truth, &j->a, &j->b, n, allowance, fraction, &deeper);
    if (same && (fault || !deeper)) {
        bool deeper_there;
        const char *other = sweep_closing_fault(&j->truth, &j->a, &j->b, hit, allowance, fraction, &deeper_there);
        deeper = !other ? deeper_there : deeper;
        fault = fault && other ? fault : NULL;
    }
    t->deeper += deeper && !fault;
    if (fault || !(fraction <= 1) || (deeper && same)) {
        return fault;
    }
    return sweep_place_fault(&j->truth, &j->a, &j->b, fraction, position, normal);
}

/* Hit at 0 with a zero normal. */
static const char *start_fault(const judged *j, abut_vec3 at) {
    double rounding = (fabs((double)at.x) + fabs((double)at.y) + fabs((double)at.z)) * 0x1p-24;
    quad off = (quad)(j->truth.e + rounding + 0x1p-148);
    if (!j->truth.near_touched) {
        return "a touch at the start is invented";
    }
    if (j->initial != ABUT_INITIAL_HIT) {
        return "a zero normal";
    }
    return outside_of(&j->a.body, &j->a.start, at) <= off && outside_of(&j->b.body, &j->b.start, at) <= off
               ? NULL
               : "the position is not shared";
}

static const char *fault_of(const judged *j, bool reported, const abut_hit *hit, tally *t) {
    double fraction = reported ? (double)hit->fraction : INFINITY;
    const sweep_truth *truth = &j->truth;
    if (reported && (hit->body.index1 || hit->mover.index1 || hit->user || hit->part)) {
        return "not empty";
    }
    bool at_start = reported && hit->fraction == 0 && is_zero(hit->normal);
    t->at_start += at_start;
    if (at_start) {
        return start_fault(j, hit->position);
    }
    if (truth->touched && j->initial == ABUT_INITIAL_HIT) {
        return "a touch at the start is missed";
    }
    if (truth->near_touched && j->initial == ABUT_INITIAL_SKIP && !reported) {
        return NULL;
    }
    if (truth->touched && j->initial == ABUT_INITIAL_SKIP) {
        return "not passed over";
    }
    if (truth->near_touched && j->initial == ABUT_INITIAL_CLOSING) {
        return closing_fault(j, 0, fraction, hit->position, hit->normal, t);
    }
    const char *fault = sweep_fraction_fault(truth, fraction);
    return fault || !reported ? fault : sweep_place_fault(truth, &j->a, &j->b, fraction, hit->position, hit->normal);
}

/* The box that a way's line carries holds the shape all along. */
static const char *line_fault(const quad_way *way, const abut_np_way *given, double extent) {
    abut_np_line line;
    abut_np_way_line(given, extent, 0, 1, &line);
    for (int i = 0; i <= 16; i++) {
        quad_pose at = quad_way_at(way, (quad)i / 16);
        for (uint32_t v = 0; v < way->body.core->count; v++) {
            const abut_vec3 *p = &way->body.core->point[v];
            for (int k = 0; k < 3; k++) {
                quad x = at.at[k] + at.m[k][0] * p->x + at.m[k][1] * p->y + at.m[k][2] * p->z;
                quad off = quad_abs(x - line.origin[k] - (quad)i / 16 * line.translation[k]);
                if (off + way->body.radius > (quad)line.half[k]) {
                    return "the line does not hold the shape";
                }
            }
        }
    }
    return NULL;
}

/* With an allowance, and in double. */
static const char *allowance_fault(const judged *j, abut_hit *hit, bool *answered, tally *t) {
    abut_collider a, b;
    abut_np_way p, q;
    abut_np_met met;
    assert_true(abut_collider_from_shape(&made->pair.a.shape, &made->a.pose, &a));
    assert_true(abut_collider_from_shape(&made->pair.b.shape, &made->b.pose, &b));
    abut_np_way_of(&a, NULL, &made->a.pose, &made->to[0], &p);
    abut_np_way_of(&b, NULL, &made->b.pose, &made->to[1], &q);
    memset(&met, 0, sizeof met);
    bool reported = abut_np_sweep(&p, &q, ABUT_INITIAL_CLOSING, made->allowance, 1, &met);
    double fraction = reported ? met.fraction : INFINITY;
    *answered = reported;
    const char *fault = line_fault(&j->a, &p, grown_diagonal(&j->b.body));
    fault = fault ? fault : line_fault(&j->b, &q, grown_diagonal(&j->a.body));
    if (fault) {
        return fault;
    }
    hit->fraction = (float)met.fraction;
    hit->position = met.position;
    hit->normal = met.normal;
    if (j->truth.near_touched) {
        return closing_fault(j, (double)made->allowance, fraction, met.position, met.normal, t);
    }
    abut_np_met again;
    memset(&again, 0, sizeof again);
    if (reported && (!abut_np_sweep(&p, &q, ABUT_INITIAL_CLOSING, made->allowance, met.fraction, &again) ||
                     memcmp(&again.fraction, &met.fraction, sizeof met.fraction) != 0 ||
                     memcmp(&again.normal, &met.normal, sizeof met.normal) != 0)) {
        return "the limit changes the answer";
    }
    return sweep_fraction_fault(&j->truth, fraction);
}

static bool is_unit(abut_quat q) {
    return fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-6f;
}

static void print_pose(const char *name, const abut_pose *p) {
    fprintf(stderr, "%s: {%a, %a, %a}, turned {%a, %a, %a, %a}\n", name, (double)p->position.x, (double)p->position.y,
            (double)p->position.z, (double)p->rotation.x, (double)p->rotation.y, (double)p->rotation.z,
            (double)p->rotation.w);
}

static void show(move_family family, uint64_t index, const char *fault, const judged *j, bool reported,
                 const abut_hit *hit) {
    const sweep_truth *t = &j->truth;
    fprintf(stderr, "%s %llu, kinds %d and %d, initial %d, allowance %g: %s\n", move_family_names[family],
            (unsigned long long)index, (int)made->pair.a.kind, (int)made->pair.b.kind, (int)j->initial,
            (double)j->allowance, fault);
    fprintf(stderr, "truth: meets %d at %.17g, grown %d at %.17g, apart %g, S %g, L %g, e %g, angles %g %g\n", t->meets,
            t->first, t->near_meets, t->near_first, t->apart, t->size, t->length, t->e, (double)j->a.angle,
            (double)j->b.angle);
    if (reported) {
        const float *p = &hit->position.x, *n = &hit->normal.x;
        fprintf(stderr, "answer: fraction %.9g, position {%g, %g, %g}, normal {%g, %g, %g}\n", (double)hit->fraction,
                (double)p[0], (double)p[1], (double)p[2], (double)n[0], (double)n[1], (double)n[2]);
    }
    grown_core_print("a", &made->a);
    print_pose("to", &made->to[0]);
    grown_core_print("b", &made->b);
    print_pose("to", &made->to[1]);
}

static void judge(move_family family, uint64_t index, tally *t) {
    judged j;
    abut_hit hit;
    move_sweep_case(hulls, family, test_seed(), index, made);
    j.a = quad_way_of(&made->a, &made->to[0]);
    j.b = quad_way_of(&made->b, &made->to[1]);
    j.truth = sweep_oracle(&j.a, &j.b);
    j.initial = (abut_initial)(index % 3);
    j.allowance = 0;
    bool reported = sweep(j.initial, &hit);
    t->met += j.truth.meets;
    t->near += j.truth.near_meets && !j.truth.meets;
    t->unsure += !j.truth.sure;
    t->steps += j.truth.steps;
    if (!j.truth.sure) {
        return;
    }
    const char *fault = fault_of(&j, reported, &hit, t);
    fault = fault ? fault : index % 8 == 0 ? differs(j.initial, reported, &hit) : NULL;
    if (!fault && is_unit(made->a.pose.rotation) && is_unit(made->b.pose.rotation) && is_unit(made->to[0].rotation) &&
        is_unit(made->to[1].rotation)) {
        j.initial = ABUT_INITIAL_CLOSING;
        j.allowance = made->allowance;
        fault = allowance_fault(&j, &hit, &reported, t);
    }
    if (fault && t->faults++ < SHOWN) {
        show(family, index, fault, &j, reported, &hit);
    }
}

static void every_family_keeps_the_law(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long faults = 0, unsure = 0, count = test_count(100);
    for (int family = 0; family < MOVE_FAMILIES; family++) {
        tally t = {0, 0, 0, 0, 0, 0, 0};
        if (family == MOVE_WHOLE) {
            continue; /* of casts */
        }
        for (unsigned long i = 0; i < count; i++) {
            judge((move_family)family, i, &t);
        }
        printf("%s: %lu sweeps, %lu meet, %lu within e only, %lu at the start, %lu deeper, %lu unsure, %lu steps, %lu "
               "faults\n",
               move_family_names[family], count, t.met, t.near, t.at_start, t.deeper, t.unsure, t.steps, t.faults);
        fflush(stdout);
        faults += t.faults;
        unsure += t.unsure;
    }
    assert_int_equal(faults, 0);
    assert_true(unsure <= 3 + count / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_family_keeps_the_law, make_hulls, release_hulls),
    };
    return test_run(tests);
}
