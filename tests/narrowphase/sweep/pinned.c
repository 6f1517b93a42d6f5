/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: when and where two shapes of every kind first meet on their ways, as numbers; and what the
 * parts of this room say on the way there. */
#include "narrowphase/sweep/sweep.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/whole.h"
#include "support/wild.h"
#include <abut/cast.h>
#include <math.h>

enum { PAIRS = 8000 };

static wild_hulls hulls;
static whole_hulls lattice;

/* --- ways --- */

typedef struct passage {
    wild_pair pair;
    abut_pose to_a, to_b;
    abut_np_way a, b;
} passage;

/* None, about one of its own axes, a little, or any. */
static abut_quat turned(rng *r, abut_quat q) {
    const float by = (float)wild_size(r, -16, 2), length = (float)wild_size(r, -2, 2);
    const abut_vec3 axis = rng_direction(r);
    switch (rng_below(r, 5)) {
    case 0:
        return q;
    case 1:
        return (abut_quat){-q.x, -q.y, -q.z, -q.w};
    case 2: /* q (by, 0, 0, 1) */
        return (abut_quat){q.x + by * q.w, q.y + by * q.z, q.z - by * q.y, q.w - by * q.x};
    case 3:
        return rng_rotation(r);
    default:
        return (abut_quat){length * (q.x + by * axis.x), length * (q.y + by * axis.y), length * (q.z + by * axis.z),
                           length * q.w};
    }
}

/* Towards the other or away, or anywhere; by nothing, by a little, or through it. */
static abut_pose target_of(rng *r, const abut_pose *from, const abut_pose *other, double size) {
    const abut_d3 at = abut_d3_from(from->position), apart = abut_d3_sub(abut_d3_from(other->position), at);
    const double sign = (double)rng_sign(r), towards = rng_chance(r, 0.6) ? sign * wild_size(r, -4, 2) : 0;
    const double aside = rng_chance(r, 0.5) ? 0 : size * wild_size(r, -12, 3);
    abut_d3 to = abut_d3_along(at, towards, apart);
    to = rng_chance(r, 0.1) ? at : abut_d3_along(to, aside, abut_d3_from(rng_direction(r)));
    return (abut_pose){abut_vec3_round(to), turned(r, from->rotation)};
}

/* The collider of a shape at a pose, and its way; some are carried by a frame. */
static void way_make(rng *r, const abut_shape *shape, const abut_pose *from, const abut_pose *to, double size,
                     abut_np_way *way) {
    abut_collider first, last;
    assert_true(abut_collider_from_shape(shape, from, &first) && abut_collider_from_shape(shape, to, &last));
    const abut_pose begin = {first.center, first.rotation}, end = {last.center, last.rotation};
    const abut_pose local = {rng_vec3(r, -size, size), rng_chance(r, 0.5) ? (abut_quat){0, 0, 0, 1} : wild_rotation(r)};
    const abut_dpose inside = abut_dpose_from(&local);
    if (rng_chance(r, 0.1)) {
        abut_np_way_still(&first, way);
    } else {
        abut_np_way_of(&first, rng_chance(r, 0.3) ? &inside : NULL, &begin, &end, way);
    }
}

static void passage_make(rng *r, passage *p) {
    const double size = rng_chance(r, 0.8) ? 1 : wild_size(r, -12, 12);
    const abut_shape a = wild_shape(r, &hulls, size), b = wild_shape(r, &hulls, size * wild_size(r, -3, 3));
    wild_pair_make(r, &a, &b, &p->pair);
    p->to_a = target_of(r, &p->pair.pose_a, &p->pair.pose_b, p->pair.size);
    p->to_b = rng_chance(r, 0.3) ? p->pair.pose_b : target_of(r, &p->pair.pose_b, &p->pair.pose_a, p->pair.size);
    way_make(r, &p->pair.a, &p->pair.pose_a, &p->to_a, p->pair.size, &p->a);
    way_make(r, &p->pair.b, &p->pair.pose_b, &p->to_b, p->pair.size, &p->b);
}

/* --- answers --- */

static void mix_met(bool any, const abut_np_met *met, uint64_t *digest) {
    digest_number(digest, any);
    if (any) {
        digest_double(digest, met->fraction);
        digest_vec3(digest, met->position);
        digest_vec3(digest, met->normal);
    }
}

static void sweep(rng *r, const passage *p, uint64_t *digest) {
    const abut_initial initial = (abut_initial)rng_below(r, 3);
    const float allowance = rng_chance(r, 0.5) ? 0 : (float)(p->pair.size * wild_size(r, -20, -1));
    abut_np_met met = {.fraction = 1};
    const bool any = abut_np_sweep(&p->a, &p->b, initial, allowance, 1, &met);
    mix_met(any, &met, digest);
    const double limits[] = {met.fraction, nextafter(met.fraction, -1), rng_unit(r)};
    for (int k = 0; k < 3 && any; k++) {
        abut_np_met again;
        mix_met(abut_np_sweep(&p->a, &p->b, initial, allowance, limits[k], &again), &again, digest);
    }
}

static void sweeps(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(81, k);
        passage p;
        passage_make(&r, &p);
        sweep(&r, &p, digest);
    }
}

static void calls(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(82, k);
        passage p;
        abut_hit hit = {.part = 0};
        passage_make(&r, &p);
        const int initial = k % 200 == 7 ? 3 : (int)(k % 3);
        p.to_b.position.y = k % 200 == 8 ? NAN : k % 200 == 9 ? INFINITY : p.to_b.position.y;
        p.to_a.rotation = k % 200 == 10 ? (abut_quat){0, 0, 0, 0} : p.to_a.rotation;
        p.pair.a.radius = k % 200 == 11 ? -1 : p.pair.a.radius;
        p.pair.b.half.z = k % 200 == 12 ? NAN : p.pair.b.half.z;
        digest_number(digest, abut_shape_sweep(&p.pair.a, &p.pair.pose_a, &p.to_a, &p.pair.b, &p.pair.pose_b, &p.to_b,
                                               (abut_initial)initial, k % 50 == 3 ? NULL : &hit));
        digest_words(digest, &hit.fraction, sizeof hit.fraction);
        digest_vec3(digest, hit.position);
        digest_vec3(digest, hit.normal);
        digest_number(digest, hit.part);
    }
}

/* --- parts: ways and couples --- */

static void mix_way(const abut_np_way *w, uint64_t *digest) {
    digest_d3(digest, w->from);
    digest_d3(digest, w->translation);
    digest_d3(digest, w->local);
    digest_d3(digest, w->turn.axis);
    const double numbers[] = {w->turn.from.x, w->turn.from.y, w->turn.from.z, w->turn.from.w, w->turn.angle, w->angle,
                              w->turned.x,    w->turned.y,    w->turned.z,    w->turned.w,    w->reach};
    digest_doubles(digest, numbers, sizeof numbers / sizeof *numbers);
}

static void mix_line(const abut_np_way *w, double extent, uint64_t *digest) {
    abut_np_line line;
    abut_np_way_line(w, extent, 0, 1, &line);
    digest_doubles(digest, line.origin, 3);
    digest_doubles(digest, line.translation, 3);
    digest_doubles(digest, line.half, 3);
}

static void mix_couple(const abut_np_couple *c, uint64_t *digest) {
    digest_d3(digest, c->apart);
    digest_d3(digest, c->velocity);
    digest_d3(digest, c->spin[0]);
    digest_d3(digest, c->spin[1]);
    const double numbers[] = {c->travel, c->turned, c->smaller, c->radii, c->tolerance};
    digest_doubles(digest, numbers, sizeof numbers / sizeof *numbers);
}

static void mix_instant(const abut_np_instant *i, uint64_t *digest) {
    digest_double(digest, i->time);
    for (int k = 0; k < 2; k++) {
        digest_matrix(digest, (double(*)[3])i->axes[k]);
        digest_d3(digest, i->arm[k]);
    }
}

static void couples(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(83, k);
        passage p;
        abut_np_couple couple;
        abut_np_instant instant;
        double begin = 0, end = 0;
        passage_make(&r, &p);
        mix_way(&p.a, digest);
        mix_line(&p.a, rng_chance(&r, 0.5) ? 0 : p.pair.size, digest);
        abut_np_couple_of(&p.a, &p.b, &couple);
        mix_couple(&couple, digest);
        const bool any = abut_np_couple_times(&couple, &begin, &end);
        digest_number(digest, any);
        if (any) {
            digest_double(digest, begin);
            digest_double(digest, end);
        }
        abut_np_instant_begin(&couple, rng_unit(&r), &instant);
        mix_instant(&instant, digest);
        digest_d3(digest, abut_np_couple_middles(&couple, &instant));
        abut_np_instant_move(&couple, rng_unit(&r), &instant);
        mix_instant(&instant, digest);
        digest_number(digest, abut_np_first_step(&couple, 1, &instant));
        mix_instant(&instant, digest);
    }
}

/* --- parts: fronts and gaps --- */

static void mix_front(const abut_np_front *f, uint64_t *digest) {
    const double numbers[] = {f->apart, f->rate, f->square, f->twist};
    digest_doubles(digest, numbers, 4);
    for (int i = 0; i < 2; i++) {
        digest_d3(digest, f->along[i]);
        digest_d3(digest, f->tilt[i]);
        digest_d3(digest, f->bend[i]);
        digest_d3(digest, f->first[i]);
        digest_number(digest, f->still[i]);
    }
}

static void mix_spans(rng *r, const abut_np_front *f, uint64_t *digest) {
    const double gap = abut_np_front_gap(f), tolerance = f->couple->tolerance;
    const double levels[] = {0, gap - tolerance * wild_size(r, -8, 12), gap, gap / 2};
    mix_front(f, digest);
    digest_double(digest, gap);
    for (int k = 0; k < 4; k++) {
        digest_double(digest, abut_np_front_span(f, levels[k], k % 2 ? 1 : rng_unit(r)));
    }
}

static void mix_gap(const abut_np_gap *gap, uint64_t *digest) {
    digest_double(digest, gap->distance);
    digest_d3(digest, gap->direction);
    digest_number(digest, gap->nearest.count);
    digest_number(digest, gap->nearest.overlap);
    digest_d3(digest, gap->nearest.point);
    digest_double(digest, gap->nearest.lower);
    for (uint32_t k = 0; k < gap->nearest.count; k++) {
        digest_number(digest, (uint64_t)gap->nearest.corner[k].of_a << 16 | gap->nearest.corner[k].of_b);
    }
}

static void mix_fronts(rng *r, const passage *p, uint64_t *digest) {
    abut_np_couple couple;
    abut_np_instant instant;
    abut_np_gap gap;
    abut_np_couple_of(&p->a, &p->b, &couple);
    abut_np_instant_begin(&couple, rng_chance(r, 0.5) ? 0 : rng_unit(r), &instant);
    if (!abut_np_gap_at(&couple, &instant, rng_chance(r, 0.8) ? INFINITY : p->pair.size / 8, false, &gap)) {
        digest_number(digest, 0);
        return;
    }
    mix_gap(&gap, digest);
    digest_vec3(digest, abut_np_point_at(&couple, &instant, &gap));
    const abut_d3 spin = abut_np_gap_spin(&couple, &instant, &gap), any = abut_d3_from(rng_direction(r));
    const abut_d3 still = {{0, 0, 0}}, axis = {{1, 0, 0}};
    digest_d3(digest, spin);
    const abut_d3 towards = rng_chance(r, 0.5) ? any : axis, turn = couple.spin[rng_below(r, 2)];
    const abut_np_front fronts[] = {
        abut_np_front_of(&couple, &instant, gap.direction, spin),
        abut_np_front_of(&couple, &instant, gap.direction, still),
        abut_np_front_of(&couple, &instant, towards, turn),
    };
    for (int k = 0; k < 3; k++) {
        mix_spans(r, &fronts[k], digest);
    }
    if (gap.nearest.count < 4) { /* on from the corners that were found, a little later */
        abut_np_instant_move(&couple, fmin(1, instant.time + wild_size(r, -12, -2)), &instant);
        digest_number(digest, abut_np_gap_at(&couple, &instant, INFINITY, true, &gap));
        mix_gap(&gap, digest);
    }
}

static void fronts(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(84, k);
        passage p;
        passage_make(&r, &p);
        mix_fronts(&r, &p, digest);
    }
}

/* What touches at the start, grown or as it is, however far apart it is: closing in is asked of all. */
static void closing(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(85, k);
        passage p;
        abut_np_couple couple;
        abut_np_instant start;
        abut_np_gap gap;
        abut_np_met met;
        passage_make(&r, &p);
        abut_np_couple_of(&p.a, &p.b, &couple);
        abut_np_instant_begin(&couple, 0, &start);
        (void)abut_np_gap_at(&couple, &start, INFINITY, false, &gap);
        if (gap.distance <= p.pair.size / 64) {
            const float allowance = rng_chance(&r, 0.4) ? 0 : (float)(p.pair.size * wild_size(&r, -20, -2));
            const double end = rng_chance(&r, 0.8) ? 1 : rng_unit(&r), limit = rng_chance(&r, 0.8) ? 1 : rng_unit(&r);
            const bool any = abut_np_close_in(&couple, &start, &gap, NULL, allowance, end, limit, &met);
            mix_met(any, &met, digest);
        }
    }
}

/* --- exact touches --- */

/* From where they touch or to there, with half turns and quarter turns, and what rolls about its own middle. */
static void whole_numbers(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(86, k);
        passage p = {.pair = {.size = 1}};
        p.pair.a = whole_shape(&r, &lattice), p.pair.b = whole_shape(&r, &lattice);
        p.pair.pose_a = whole_pose_of(&r, &p.pair.a, 4), p.pair.pose_b = whole_pose_of(&r, &p.pair.b, 1);
        p.to_a = whole_pose_of(&r, &p.pair.a, 4), p.to_b = p.pair.pose_b;
        if (rng_chance(&r, 0.5)) {
            p.to_a.rotation = p.pair.pose_a.rotation;
        }
        if (rng_chance(&r, 0.3)) {
            p.to_b = whole_pose_of(&r, &p.pair.b, 1);
        }
        way_make(&r, &p.pair.a, &p.pair.pose_a, &p.to_a, 1, &p.a);
        way_make(&r, &p.pair.b, &p.pair.pose_b, &p.to_b, 1, &p.b);
        sweep(&r, &p, digest);
        mix_fronts(&r, &p, digest);
    }
}

/* What touches by a hair, or by about the tolerance: closing in by about as much as is allowed, or passed over. */
static void hairs(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(87, k);
        whole_hair hair;
        passage p = {.pair = {.size = 1}};
        abut_np_met met;
        whole_hair_make(&r, &lattice, &hair);
        p.pair.a = hair.small, p.pair.b = hair.large;
        p.pair.a.half.z = rng_chance(&r, 0.5) ? 1 : p.pair.a.half.z;
        p.pair.pose_a = p.to_a = hair.pose_small, p.pair.pose_b = p.to_b = hair.pose_large;
        const double sign = (double)rng_sign(&r);
        p.pair.pose_a.position.x += rng_chance(&r, 0.5) ? 0 : (float)(sign * wild_size(&r, -24, -14));
        const float allowance = rng_chance(&r, 0.4) ? 0 : (float)wild_size(&r, -22, -10);
        const double onward = wild_size(&r, -24, -8);
        p.to_a.position.x += (float)(rng_chance(&r, 0.5) ? onward : -onward);
        p.to_a.position.y += rng_chance(&r, 0.5) ? 0 : rng_sign(&r);
        p.to_b.rotation = rng_chance(&r, 0.5) ? p.to_b.rotation : turned(&r, p.to_b.rotation);
        way_make(&r, &p.pair.a, &p.pair.pose_a, &p.to_a, 0x1p-30, &p.a);
        way_make(&r, &p.pair.b, &p.pair.pose_b, &p.to_b, 0x1p-30, &p.b);
        mix_met(abut_np_sweep(&p.a, &p.b, (abut_initial)(k % 3), allowance, 1, &met), &met, digest);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"whole numbers", whole_numbers, UINT64_C(0x81fe44fcf9792d3a)},
        {"hairs", hairs, UINT64_C(0x1a6196aad5a81161)},
        {"sweeps", sweeps, UINT64_C(0x736a9816e318af96)},
        {"calls", calls, UINT64_C(0xab822892ddc07200)},
        {"couples", couples, UINT64_C(0x3b316f247fb9d08e)},
        {"fronts", fronts, UINT64_C(0xcf5f77ecff61cf17)},
        {"closing", closing, UINT64_C(0xd9779bd7e8d5b3eb)},
    };
    wild_hulls_create(&hulls);
    whole_hulls_create(&lattice);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    whole_hulls_destroy(&lattice);
    wild_hulls_destroy(&hulls);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
