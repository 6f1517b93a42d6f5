/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts of single pairs, on every instruction set, judged by the oracle of casts: some hundred of each hard family.
 * A million by hand: ABUT_TEST_SCALE=300. */

#include "narrowphase/narrowphase.h"
#include "support/move_families.h"
#include "support/test.h"
#include <abut/isa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3, ISAS = ABUT_ISA_WASM + 1, RING = 9, FACTOR = 1 << 9 };

typedef struct tally {
    unsigned long met, near, at_start, unsure, faults;
} tally;

typedef struct answer {
    double fraction;
    abut_vec3 position, normal;
    bool closes;
} answer;

static round_hulls *hulls;
static move_case *made;
static abut_collider ring[RING]; /* bodies of the last cases; the first is this one's */

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed());
    made = malloc(sizeof *made);
    memset(ring, 0, sizeof ring);
    return made ? 0 : 1;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    free(made);
    return 0;
}

static answer ask(const abut_np_cast *cast, const abut_collider *body, double limit) {
    const uint32_t index = 0;
    answer out;
    memset(&out, 0, sizeof out);
    abut_np_cast_many(cast, body, &index, 1, limit, &out.fraction);
    if (out.fraction < 0) {
        out.closes = abut_np_cast_closes(cast, body, &out.position, &out.normal);
    } else if (out.fraction <= 1) {
        abut_np_cast_place(cast, body, out.fraction, &out.position, &out.normal);
    }
    return out;
}

static bool same(const answer *a, const answer *b) {
    return memcmp(&a->fraction, &b->fraction, sizeof a->fraction) == 0 && a->closes == b->closes &&
           memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
}

/* NULL, or the instruction set that answers otherwise. */
static const char *differs(const abut_np_cast *cast, const answer *first) {
    abut_isa active = abut_isa_active();
    const char *fault = NULL;
    for (int isa = 0; isa < ISAS; isa++) {
        if (abut_isa_select((abut_isa)isa) == ABUT_OK) {
            answer other = ask(cast, &ring[0], 1);
            fault = same(&other, first) ? fault : abut_isa_name((abut_isa)isa);
        }
    }
    assert_int_equal(abut_isa_select(active), ABUT_OK);
    return fault;
}

/* Neither the limit nor what else is in the call changes an answer. */
static const char *depends(const abut_np_cast *cast, const answer *first) {
    uint32_t index[RING], n = 0;
    double fraction[RING];
    for (uint32_t i = RING; i-- > 0;) {
        index[n] = i;
        n += i == 0 || ring[i].type > 0 || ring[i].half.x > 0;
    }
    abut_np_cast_many(cast, ring, index, n, 1, fraction);
    if (memcmp(&fraction[n - 1], &first->fraction, sizeof fraction[0]) != 0) {
        return "not the same in a batch";
    }
    if (first->fraction >= 0 && first->fraction <= 1) {
        answer at = ask(cast, &ring[0], first->fraction), sooner = ask(cast, &ring[0], first->fraction / 2);
        if (!same(&at, first) || !(sooner.fraction == INFINITY || same(&sooner, first))) {
            return "the limit changes the answer";
        }
    }
    return NULL;
}

static abut_vec3 scaled(abut_vec3 v, float factor) {
    return (abut_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static bool is_exact(abut_vec3 v) {
    const float *x = &v.x;
    for (int k = 0; k < 3; k++) {
        if (x[k] != 0 && !(fabsf(x[k]) > 1e-25f && fabsf(x[k]) < 1e25f)) {
            return false;
        }
    }
    return true;
}

static bool scale_collider(abut_collider *c, float factor) {
    bool exact = is_exact(c->center) && is_exact(c->half) && is_exact((abut_vec3){c->radius, 0, 0}) && !c->hull;
    c->center = scaled(c->center, factor);
    c->half = scaled(c->half, factor);
    c->radius *= factor;
    return exact;
}

/* Scaling all lengths by a power of two scales the position by it and changes no other bit. */
static bool is_scaled(const abut_np_cast *cast, const answer *first) {
    abut_np_cast c = *cast;
    abut_collider body = ring[0];
    bool small = fmaxf(fabsf(body.center.x), fmaxf(fabsf(body.center.y), fabsf(body.center.z))) < 1;
    float factor = small ? FACTOR : 1.0f / FACTOR;
    if (!scale_collider(&c.start, factor) || !scale_collider(&body, factor) || !is_exact(made->way) ||
        !is_exact(first->position)) {
        return true;
    }
    for (int k = 0; k < 3; k++) {
        c.translation[k] *= (double)factor;
    }
    answer other = ask(&c, &body, 1), expected = *first;
    expected.position = scaled(first->position, factor);
    return same(&other, &expected);
}

static bool near_point(abut_vec3 a, abut_vec3 b, double slack) {
    const float *p = &a.x, *q = &b.x;
    for (int k = 0; k < 3; k++) {
        if (!(fabs((double)p[k] - q[k]) <= slack + 0x1p-22 * fabs((double)p[k]))) {
            return false;
        }
    }
    return true;
}

/* Of what is touched at the start. */
static const char *start_fault(const abut_np_cast *cast, const cast_truth *truth, const answer *first) {
    abut_manifold m;
    double along = 0;
    if (!abut_np_collide(&ring[0], &cast->start, 0, &m)) {
        return "touched, but does not collide";
    }
    if (memcmp(&m.normal, &first->normal, sizeof m.normal) != 0) {
        return "not the normal of collide";
    }
    const float *n = &m.normal.x;
    quad exact = 0, terms = 0;
    for (int k = 0; k < 3; k++) {
        quad part = (quad)n[k] * cast->translation[k];
        along += n[k] * cast->translation[k];
        exact += part;
        terms += quad_abs(part);
    }
    if (quad_abs(exact) > terms * (quad)1e-14 && first->closes != (along < 0)) {
        return first->closes ? "closes though the way leads outward" : "does not close though the way leads inward";
    }
    abut_vec3 shared;
    abut_shape_distance(&made->pair.a.shape, &made->a.pose, &made->pair.b.shape, &made->b.pose, &shared, NULL);
    return near_point(shared, first->position, truth->e) ? NULL : "not the point of distance";
}

static const char *fault_of(const cast_truth *truth, tally *t) {
    abut_collider start;
    assert_true(abut_collider_from_shape(&made->pair.a.shape, &made->a.pose, &start));
    memmove(ring + 1, ring, sizeof ring - sizeof ring[0]);
    assert_true(abut_collider_from_shape(&made->pair.b.shape, &made->b.pose, &ring[0]));
    abut_np_cast cast = abut_np_cast_of(&start, made->way);
    answer first = ask(&cast, &ring[0], 1);
    t->met += truth->meets;
    t->near += truth->near_meets && !truth->meets;
    t->at_start += first.fraction < 0;
    t->unsure += !truth->sure;
    if (abut_np_overlap(&start, &ring[0]) != (first.fraction < 0)) {
        return "not what overlap says";
    }
    const char *fault = truth->sure ? cast_fraction_fault(truth, first.fraction) : NULL;
    if (!fault && first.fraction >= 0 && first.fraction <= 1) {
        fault = cast_place_fault(truth, &made->a, made->way, &made->b, first.fraction, first.position, first.normal);
    }
    fault = fault ? fault : first.fraction < 0 ? start_fault(&cast, truth, &first) : NULL;
    fault = fault ? fault : made->exact && truth->meets && !(first.fraction <= 1) ? "missed, exactly" : NULL;
    fault = fault ? fault : differs(&cast, &first);
    fault = fault ? fault : depends(&cast, &first);
    fault = fault ? fault : is_scaled(&cast, &first) ? NULL : "not the same when scaled";
    if (fault && t->faults < SHOWN) {
        const float *w = &made->way.x, *p = &first.position.x, *n = &first.normal.x;
        fprintf(stderr, "fraction %a, position {%a, %a, %a}, normal {%a, %a, %a}; way {%a, %a, %a}\n", first.fraction,
                (double)p[0], (double)p[1], (double)p[2], (double)n[0], (double)n[1], (double)n[2], (double)w[0],
                (double)w[1], (double)w[2]);
    }
    return fault;
}

static void judge(move_family family, uint64_t index, tally *t) {
    move_cast_case(hulls, family, test_seed(), index, made);
    cast_truth truth = cast_oracle(&made->a, made->way, &made->b);
    const char *fault = fault_of(&truth, t);
    if (fault && t->faults++ < SHOWN) {
        fprintf(stderr, "%s %llu, kinds %d and %d: %s\n", move_family_names[family], (unsigned long long)index,
                (int)made->pair.a.kind, (int)made->pair.b.kind, fault);
        fprintf(stderr, "truth: meets %d at %.17g, grown %d at %.17g, apart %g, approach %g, S %g, L %g\n", truth.meets,
                (double)truth.first, truth.near_meets, (double)truth.near_first, (double)truth.apart,
                (double)truth.approach, truth.size, truth.length);
        grown_core_print("a", &made->a);
        grown_core_print("b", &made->b);
    }
}

static void every_family_keeps_the_law(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long faults = 0, unsure = 0, count = test_count(300);
    for (int family = 0; family < MOVE_FAMILIES; family++) {
        tally t = {0, 0, 0, 0, 0};
        unsigned long n = family == MOVE_FINE ? count / 10 + 1 : count;
        for (unsigned long i = 0; i < n; i++) {
            judge((move_family)family, i, &t);
        }
        printf("%s: %lu casts, %lu meet, %lu within e only, %lu at the start, %lu unsure, %lu faults\n",
               move_family_names[family], n, t.met, t.near, t.at_start, t.unsure, t.faults);
        fflush(stdout);
        faults += t.faults;
        unsure += t.unsure;
    }
    assert_int_equal(faults, 0);
    assert_true(unsure <= 3 + count / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_family_keeps_the_law, make_hulls, release_hulls),
    };
    return test_run(tests);
}
