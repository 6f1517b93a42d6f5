/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: when and where moving shapes of every kind first touch others, alone and in mixed lists, as
 * numbers; and what the parts of this room say on the way there. */
#include "narrowphase/cast/cast.h"
#include "narrowphase/kernels.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/whole.h"
#include "support/wild.h"
#include <math.h>

enum { SCENES = 200, BODIES = 75, AIMS = 8, PAIRS = 12000 };

static wild_hulls hulls;
static whole_hulls lattice;

typedef abut_shape make_shape(rng *r, const wild_hulls *hulls, double size);

static abut_shape any_box(rng *r, const wild_hulls *all, double size) {
    (void)all;
    return (abut_shape){.half = wild_half(r, size)};
}

/* --- a pair, and the way of its first --- */

typedef struct passage {
    wild_pair pair;
    abut_collider a, b;
    abut_np_cast cast;
} passage;

/* Towards the other or away, along an axis of either, or anywhere; a third begin some way back. */
static abut_d3 direction_of(rng *r, const passage *p) {
    double m[3][3];
    abut_d3 axis = {{0, 0, 0}};
    uint32_t i;
    double across;
    const abut_d3 apart = abut_d3_sub(abut_d3_from(p->b.center), abut_d3_from(p->a.center));
    const double length = sqrt(abut_d3_dot(apart, apart));
    switch (rng_below(r, 4)) {
    case 0:
        i = rng_below(r, 3);
        axis.x[i] = (double)rng_sign(r);
        abut_dquat_matrix(abut_dquat_from(rng_chance(r, 0.5) ? p->a.rotation : p->b.rotation), m);
        return rng_chance(r, 0.3) ? axis : abut_d3_rotate(m, axis);
    case 1:
        return abut_d3_from(rng_direction(r));
    default: /* across by about as much as the sizes allow */
        axis = abut_d3_along(axis, length > 0 ? 1 / length : 1, apart);
        across = rng_chance(r, 0.2) ? 0 : wild_size(r, -3, 1);
        return abut_d3_along(axis, across, abut_d3_from(rng_direction(r)));
    }
}

static void passage_make(rng *r, make_shape *of_a, make_shape *of_b, passage *p) {
    const double size = rng_chance(r, 0.8) ? 1 : wild_size(r, -12, 12);
    const abut_shape a = of_a(r, &hulls, size), b = of_b(r, &hulls, size * wild_size(r, -3, 3));
    wild_pair_make(r, &a, &b, &p->pair);
    assert_true(abut_collider_from_shape(&p->pair.a, &p->pair.pose_a, &p->a));
    assert_true(abut_collider_from_shape(&p->pair.b, &p->pair.pose_b, &p->b));
    const abut_d3 d = direction_of(r, p), zero = {{0, 0, 0}};
    const double length = p->pair.size * (rng_chance(r, 0.1)   ? wild_size(r, 12, 40)
                                          : rng_chance(r, 0.1) ? wild_size(r, -50, -10)
                                                               : wild_size(r, -4, 3));
    if (rng_chance(r, 0.6)) {
        p->a.center = abut_vec3_round(abut_d3_along(abut_d3_from(p->a.center), -rng_unit(r) * length, d));
    }
    p->cast = abut_np_cast_of(&p->a, abut_vec3_round(abut_d3_along(zero, rng_chance(r, 0.03) ? 0 : length, d)));
}

static bool moves(const abut_np_cast *cast) {
    return abut_d3_norm1(abut_d3_load(cast->translation)) > 0;
}

static void place(const abut_np_cast *cast, const abut_collider *body, double fraction, uint64_t *digest) {
    abut_vec3 position = {0, 0, 0}, normal = {0, 0, 0};
    if (fraction <= 1 && fraction >= 0) {
        abut_np_cast_place(cast, body, fraction, &position, &normal);
    } else if (fraction == ABUT_NP_CAST_TOUCHED) {
        digest_number(digest, abut_np_cast_closes(cast, body, &position, &normal));
    }
    digest_vec3(digest, position);
    digest_vec3(digest, normal);
}

/* Without a limit that matters, and with one that is just reached, or not quite. */
static void ask(const passage *p, uint64_t *digest) {
    static const uint32_t first = 0;
    double fraction, again[3];
    abut_np_cast_many(&p->cast, &p->b, &first, 1, 1, &fraction);
    digest_double(digest, fraction);
    place(&p->cast, &p->b, fraction, digest);
    const double reached = fraction <= 1 && fraction > 0 ? fraction : 0.5;
    const double limits[] = {reached, nextafter(reached, 0), reached / 2};
    for (int k = 0; k < 3; k++) {
        abut_np_cast_many(&p->cast, &p->b, &first, 1, limits[k], &again[k]);
    }
    digest_doubles(digest, again, 3);
}

static void of_pairs(uint64_t *digest, make_shape *of_a, make_shape *of_b, uint64_t stream) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(stream, k);
        passage p;
        passage_make(&r, of_a, of_b, &p);
        ask(&p, digest);
    }
}

static void boxes(uint64_t *digest) {
    of_pairs(digest, any_box, any_box, 71);
}

static void sharp(uint64_t *digest) {
    of_pairs(digest, wild_sharp, wild_sharp, 72);
}

static void shapes(uint64_t *digest) {
    of_pairs(digest, wild_shape, wild_shape, 73);
}

/* --- lists --- */

/* Many bodies around one that moves. */
static void ask_scene(rng *r, const abut_collider *body, uint64_t *digest) {
    uint32_t index[2 * BODIES];
    double fraction[2 * BODIES];
    const uint32_t n = 1 + rng_below(r, 2 * BODIES), kind = rng_below(r, BODIES);
    const abut_shape shape = wild_shape(r, &hulls, wild_size(r, -3, 1));
    const abut_pose pose = {rng_vec3(r, -4, 4), wild_rotation(r)};
    abut_collider start;
    assert_true(abut_collider_from_shape(&shape, &pose, &start));
    const abut_np_cast cast = abut_np_cast_of(&start, rng_vec3(r, -8, 8));
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++) { /* anyone, or those of one kind alone */
        index[count] = rng_below(r, BODIES);
        count += n % 2 || body[index[count]].type == body[kind].type;
    }
    abut_np_cast_many(&cast, body, index, count, rng_chance(r, 0.6) ? 1 : rng_unit(r), fraction);
    digest_doubles(digest, fraction, count);
    for (uint32_t k = 0; k < count; k += 4) {
        place(&cast, &body[index[k]], fraction[k], digest);
    }
}

static void scenes(uint64_t *digest) {
    static abut_collider body[BODIES];
    for (uint32_t s = 0; s < SCENES; s++) {
        rng r = rng_make(74, s);
        for (uint32_t k = 0; k < BODIES; k++) {
            const abut_shape shape = wild_shape(&r, &hulls, wild_size(&r, -3, 1));
            const abut_pose pose = {rng_vec3(&r, -4, 4), wild_rotation(&r)};
            assert_true(abut_collider_from_shape(&shape, &pose, &body[k]));
        }
        for (int k = 0; k < AIMS; k++) {
            ask_scene(&r, body, digest);
        }
    }
}

/* --- parts --- */

static void mix_entry(const abut_np_cast_entry *e, uint64_t *digest) {
    digest_matrix(digest, (double(*)[3])e->m);
    digest_matrix(digest, (double(*)[3])e->r);
    digest_d3(digest, e->a);
    digest_d3(digest, e->b);
    digest_d3(digest, e->t);
    digest_d3(digest, e->v);
    digest_double(digest, e->slack);
    digest_double(digest, e->time);
    digest_number(digest, (uint64_t)e->axis);
    digest_d3(digest, e->normal);
}

/* By which axis two boxes enter, and what they share at that time and at another. */
static void entries(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(75, k);
        passage p;
        passage_make(&r, any_box, any_box, &p);
        if (moves(&p.cast)) {
            abut_np_cast_entry entry;
            abut_d3 shared = {{0, 0, 0}};
            abut_np_cast_enter_boxes(&p.cast, &p.b, &entry);
            mix_entry(&entry, digest);
            digest_number(digest, abut_np_cast_touch_boxes(&entry, k % 8 ? entry.time : rng_unit(&r), &shared));
            digest_d3(digest, shared);
        }
    }
}

static void mix_moving(const abut_np_moving *m, uint64_t *digest) {
    digest_d3(digest, m->along);
    digest_d3(digest, m->cores.offset);
    digest_d3(digest, m->cores.between);
    digest_double(digest, m->cores.size);
    const double numbers[] = {m->radii, m->slack, m->near, m->end};
    digest_doubles(digest, numbers, 4);
}

static void steps(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(76, k);
        passage p;
        abut_np_moving moving;
        abut_np_nearest nearest;
        abut_d3 plane = {{0, 0, 0}};
        passage_make(&r, wild_shape, wild_shape, &p);
        if (!moves(&p.cast)) {
            continue;
        }
        abut_np_moving_place(&p.cast, &p.b, &moving);
        mix_moving(&moving, digest);
        abut_np_moving_nearest(&moving, rng_unit(&r), &nearest);
        digest_d3(digest, nearest.point);
        digest_double(digest, nearest.lower);
        const double limit = rng_chance(&r, 0.5) ? INFINITY : rng_unit(&r);
        digest_double(digest, abut_np_cast_stepped(&moving, rng_chance(&r, 0.7) ? 0 : rng_unit(&r), limit, &plane));
        digest_d3(digest, plane);
        digest_number(digest, abut_np_cast_leads_apart(&p.cast, &moving, &p.b));
    }
}

/* What kernels say before the start is looked at: of bodies of one kind. */
static void kernels(uint64_t *digest) {
    static abut_collider body[BODIES];
    static uint32_t index[BODIES];
    for (uint32_t s = 0; s < 4 * SCENES; s++) {
        rng r = rng_make(77, s);
        double fraction[BODIES];
        passage p;
        for (uint32_t k = 0; k < BODIES; k++) {
            do {
                passage_make(&r, wild_shape, wild_shape, &p);
            } while (p.a.hull || p.b.hull);
            body[k] = p.b;
            index[k] = (7 * k) % BODIES;
        }
        const size_t n = 1 + rng_below(&r, BODIES);
        abut_np_cast_box box = {.radius = (double)p.a.radius};
        for (int i = 0; i < 3; i++) {
            box.center[i] = (double)(&p.a.center.x)[i];
            box.half[i] = (double)(&p.a.half.x)[i];
        }
        const double rotation[] = {(double)p.a.rotation.x, (double)p.a.rotation.y, (double)p.a.rotation.z,
                                   (double)p.a.rotation.w};
        for (int i = 0; i < 4; i++) {
            box.rotation[i] = rotation[i];
        }
        abut_dquat_matrix_quick(abut_dquat_from(p.a.rotation), box.axes);
        const abut_d3 along = abut_d3_unrotate(box.axes, abut_d3_load(p.cast.translation));
        for (int i = 0; i < 3; i++) {
            box.along[i] = along.x[i];
        }
        abut_np_cast_kernels_for(n)->boxes(&box, body, index, n, fraction);
        digest_doubles(digest, fraction, n);
        abut_np_cast_kernels_for(n)->rounds(&box, body, index, n, fraction);
        digest_doubles(digest, fraction, n);
    }
}

/* --- exact touches --- */

static void ask_both(passage *p, uint64_t *digest) {
    abut_np_moving moving;
    ask(p, digest);
    if (moves(&p->cast)) {
        abut_np_moving_place(&p->cast, &p->b, &moving);
        mix_moving(&moving, digest);
        digest_number(digest, abut_np_cast_leads_apart(&p->cast, &moving, &p->b));
    }
}

/* Face to face, edge along edge, past a corner or tangent, from where they touch or to there. */
static void whole_numbers(uint64_t *digest) {
    for (uint32_t k = 0; k < 2 * PAIRS; k++) {
        rng r = rng_make(78, k);
        passage p;
        const abut_shape a = whole_shape(&r, &lattice), b = whole_shape(&r, &lattice);
        const abut_pose at = whole_pose_of(&r, &a, 4), other = whole_pose_of(&r, &b, 1);
        assert_true(abut_collider_from_shape(&a, &at, &p.a) && abut_collider_from_shape(&b, &other, &p.b));
        p.cast = abut_np_cast_of(&p.a, whole_vec3(&r, 6));
        ask_both(&p, digest);
    }
}

/* What begins a hair away: inward, along, or apart, by as little, or far. */
static void hairs(uint64_t *digest) {
    for (uint32_t k = 0; k < PAIRS; k++) {
        rng r = rng_make(79, k);
        whole_hair hair;
        passage p;
        whole_hair_make(&r, &lattice, &hair);
        assert_true(abut_collider_from_shape(&hair.small, &hair.pose_small, &p.a));
        assert_true(abut_collider_from_shape(&hair.large, &hair.pose_large, &p.b));
        if (rng_chance(&r, 0.4)) {
            const abut_collider kept = p.a;
            p.a = p.b, p.b = kept;
        }
        const abut_vec3 aside = rng_chance(&r, 0.3) ? (abut_vec3){0, 0, 0} : whole_vec3(&r, 1);
        const double sign = (double)rng_sign(&r), x = rng_chance(&r, 0.2) ? 0 : sign * wild_size(&r, -60, 2);
        const double y = (double)aside.y * wild_size(&r, -30, 1), z = (double)aside.z * wild_size(&r, -30, 1);
        p.cast = abut_np_cast_of(&p.a, (abut_vec3){(float)x, (float)y, (float)z});
        ask_both(&p, digest);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"whole numbers", whole_numbers, UINT64_C(0x3ec07b332556e692)},
        {"hairs", hairs, UINT64_C(0x61798d7bcd06519f)},
        {"boxes", boxes, UINT64_C(0x9174128e23dc80f5)},
        {"sharp", sharp, UINT64_C(0x6a952f0413ee1efc)},
        {"shapes", shapes, UINT64_C(0x7582f8819079e9d2)},
        {"scenes", scenes, UINT64_C(0x2dd8c7d63891237b)},
        {"entries", entries, UINT64_C(0x89de58f6529567c3)},
        {"steps", steps, UINT64_C(0xa165bfc52dd20be8)},
        {"kernels", kernels, UINT64_C(0xf31530be069b22c3)},
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
