/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: all that meshes of every kind answer to bodies that stand beside them or move, as numbers.
 * What other tests judge leaves room (points, normals, fractions within a tolerance); nothing in it may change
 * unnoticed. */
#include "narrowphase/narrowphase.h"
#include "support/digest.h"
#include "support/test.h"
#include "support/wild_ground.h"
#include <abut/cast.h>
#include <math.h>

enum { STANDS = 64, MOVES = 48, NO_PART = 0xfffffff };

static wild_hulls hulls;
static wild_ground ground[WILD_GROUNDS];

/* What a visitor hears goes into the digest, in whatever order it comes; `first` shrinks the limit. */
typedef struct ear {
    uint64_t *digest;
    double limit;
    bool first;
    uint32_t part, count; /* the last, and how many */
    double measure;
} ear;

static ear ear_of(uint64_t *digest, bool first) {
    return (ear){.digest = digest, .limit = INFINITY, .first = first, .part = NO_PART};
}

static double hear(uint32_t part, double measure, void *context) {
    ear *e = context;
    digest_number(e->digest, part);
    digest_double(e->digest, measure);
    e->part = part, e->measure = measure, e->count++;
    e->limit = e->first ? fmin(e->limit, measure) : e->limit;
    return e->limit;
}

/* --- standing --- */

static void hear_part(const abut_contact_part *part, void *context) {
    ear *e = context;
    e->count++;
    digest_number(e->digest, part->part);
    digest_number(e->digest, part->previous1);
    digest_manifold(e->digest, &part->manifold);
}

static void collide(const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    const float margins[] = {0, (float)(s->size / 16), (float)s->size};
    for (size_t k = 0; k < sizeof margins / sizeof *margins; k++) {
        ear e = ear_of(digest, false);
        abut_manifold m = {0};
        digest_number(digest, abut_np_mesh_touches(&g->collider, &s->collider, margins[k]));
        digest_number(digest, abut_np_mesh_collide(&g->collider, &s->collider, margins[k], hear_part, &e, &m));
        digest_manifold(digest, &m);
        abut_np_manifold_turn(&m);
        digest_manifold(digest, &m);
        digest_number(digest, e.count);
    }
}

static bool hear_overlap(uint32_t part, void *context) {
    ear *e = context;
    digest_number(e->digest, part);
    return !(e->first && ++e->count == 3);
}

static void overlap(const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    for (int first = 0; first < 2; first++) {
        ear e = ear_of(digest, first);
        abut_np_mesh_overlaps(&g->collider, &s->collider, hear_overlap, &e);
    }
}

static void measure(const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    for (int first = 0; first < 2; first++) {
        ear e = ear_of(digest, first);
        abut_np_mesh_near(&g->collider, &s->collider, first ? INFINITY : s->size / 4, hear, &e);
        if (e.part != NO_PART) {
            abut_vec3 position, normal;
            digest_double(digest, abut_np_mesh_nearest_point(&g->collider, e.part, &s->collider, &position, &normal));
            digest_vec3(digest, position);
            digest_vec3(digest, normal);
            ear again = ear_of(digest, false); /* a limit that is just reached */
            abut_np_mesh_near(&g->collider, &s->collider, first ? e.limit : e.measure, hear, &again);
        }
    }
}

typedef void ask_stand(const wild_ground *g, const wild_stand *s, uint64_t *digest);

static void of_stands(uint64_t *digest, ask_stand *ask, uint64_t stream) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(stream, k);
        for (int i = 0; i < STANDS; i++) {
            wild_stand s;
            wild_ground_stand(&r, &ground[k], &hulls, &s);
            ask(&ground[k], &s, digest);
        }
    }
}

static void contacts(uint64_t *digest) {
    of_stands(digest, collide, 31);
}

static void overlaps(uint64_t *digest) {
    of_stands(digest, overlap, 32);
}

static void distances(uint64_t *digest) {
    of_stands(digest, measure, 33);
}

/* --- on the way --- */

/* Mostly against the triangle that the body is near, some along it, some nowhere. */
static abut_vec3 way_of(rng *r, const wild_ground *g, const wild_stand *s) {
    const abut_vec3 aside = rng_direction(r);
    const abut_d3 n = wild_ground_turn(g, wild_ground_normal(g, s->part));
    const double down = rng_chance(r, 0.7) ? -s->size * wild_size(r, -6, 5) : 0;
    const double along = rng_chance(r, 0.2) ? 0 : s->size * wild_size(r, -8, 4);
    const bool still = rng_chance(r, 0.04);
    return still ? (abut_vec3){0, 0, 0}
                 : abut_vec3_round(
                       abut_d3_along(abut_d3_along((abut_d3){{0, 0, 0}}, down, n), along, abut_d3_from(aside)));
}

/* A third begin some way above the ground. */
static void lift(rng *r, const wild_ground *g, wild_stand *s) {
    if (rng_chance(r, 0.5)) {
        const abut_d3 n = wild_ground_turn(g, wild_ground_normal(g, s->part));
        s->pose.position = abut_vec3_round(abut_d3_along(abut_d3_from(s->pose.position), 2 * s->size * rng_unit(r), n));
        s->collider.center = s->pose.position;
    }
}

static double hear_cast(uint32_t part, double fraction, void *context) {
    (void)hear(part, fraction, context);
    return fmin(((const ear *)context)->limit, 1);
}

static double hear_start(uint32_t part, double fraction, abut_vec3 normal, void *context) {
    digest_number(context, part);
    digest_double(context, fraction);
    digest_vec3(context, normal);
    return 1;
}

static void place(const abut_np_cast *cast, const wild_ground *g, const ear *e, uint64_t *digest) {
    abut_vec3 position = {0, 0, 0}, normal = {0, 0, 0};
    if (e->part == NO_PART) {
        return;
    }
    if (e->measure >= 0) {
        abut_np_mesh_cast_place(cast, &g->collider, e->part, e->measure, &position, &normal);
    } else {
        abut_np_mesh_cast_start(cast, &g->collider, 1, hear_start, digest);
        digest_number(digest, abut_np_mesh_cast_closes(cast, &g->collider, e->part, &normal));
        position = abut_np_mesh_cast_shared(cast, &g->collider, e->part, 0);
    }
    digest_vec3(digest, position);
    digest_vec3(digest, normal);
}

static void casts(uint64_t *digest) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(34, k);
        for (int i = 0; i < MOVES; i++) {
            wild_stand s;
            wild_ground_stand(&r, &ground[k], &hulls, &s);
            lift(&r, &ground[k], &s);
            const abut_np_cast cast = abut_np_cast_of(&s.collider, way_of(&r, &ground[k], &s));
            for (int first = 0; first < 2; first++) {
                ear e = ear_of(digest, first);
                abut_np_mesh_cast(&cast, &ground[k].collider, first ? 1 : rng_unit(&r), hear_cast, &e);
                place(&cast, &ground[k], &e, digest);
            }
        }
    }
}

static double hear_met(uint32_t part, const abut_np_met *met, void *context) {
    (void)hear_cast(part, met->fraction, context);
    digest_vec3(((const ear *)context)->digest, met->position);
    digest_vec3(((const ear *)context)->digest, met->normal);
    return fmin(((const ear *)context)->limit, 1);
}

static abut_quat turned(rng *r, abut_quat q) {
    const float by = (float)wild_size(r, -12, 1);
    const abut_vec3 axis = rng_direction(r);
    return rng_chance(r, 0.3) ? q
                              : (abut_quat){q.x + by * axis.x, q.y + by * axis.y, q.z + by * axis.z, q.w + by * axis.x};
}

/* The body, and of some the ground, which then has to be small: it costs all of its triangles. */
static void move(rng *r, const wild_ground *g, const wild_stand *s, bool of_ground, abut_pose to[2]) {
    const abut_vec3 way = way_of(r, g, s), aside = way_of(r, g, s);
    const abut_vec3 p = s->pose.position, q = g->pose.position;
    to[0] = (abut_pose){{p.x + way.x, p.y + way.y, p.z + way.z}, turned(r, s->pose.rotation)};
    to[1] = g->pose;
    if (of_ground) {
        to[1].position = (abut_vec3){q.x + aside.x / 4, q.y + aside.y / 4, q.z + aside.z / 4};
        to[1].rotation = g->soup.triangle_count < 80 ? turned(r, g->pose.rotation) : to[1].rotation;
    }
}

static void mix_hit(uint64_t *digest, bool met, const abut_hit *hit) {
    digest_number(digest, met);
    digest_number(digest, hit->part);
    digest_words(digest, &hit->fraction, sizeof hit->fraction);
    digest_vec3(digest, hit->position);
    digest_vec3(digest, hit->normal);
}

static void sweep(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    static const abut_dpose aside = {{{0.25, -0.125, 0.5}}, {0.5, 0, 0, 0.75}};
    const abut_initial initial = (abut_initial)rng_below(r, 3);
    const float allowance = rng_chance(r, 0.5) ? 0 : (float)(s->size * wild_size(r, -10, -1));
    const abut_shape mesh = {.mesh = g->mesh};
    const bool first = rng_chance(r, 0.5);
    abut_pose to[2];
    abut_np_way body, floor_;
    abut_np_line line;
    abut_hit hit = {.part = 0};
    ear e = ear_of(digest, rng_chance(r, 0.5));
    move(r, g, s, rng_chance(r, 0.3), to);
    const abut_pose from[2] = {{s->collider.center, s->collider.rotation}, {g->collider.center, g->collider.rotation}};
    abut_np_way_of(&s->collider, rng_chance(r, 0.3) ? &aside : NULL, &from[0], &to[0], &body);
    abut_np_way_of(&g->collider, NULL, &from[1], &to[1], &floor_);
    abut_np_way_line(&body, g->mesh->radius, 0, 1, &line);
    digest_doubles(digest, line.origin, 3);
    digest_doubles(digest, line.half, 3);
    abut_np_mesh_sweep(first ? &floor_ : &body, first ? &body : &floor_, initial, allowance, 1, hear_met, &e);
    const bool met = first ? abut_shape_sweep(&mesh, &g->pose, &to[1], &s->shape, &s->pose, &to[0], initial, &hit)
                           : abut_shape_sweep(&s->shape, &s->pose, &to[0], &mesh, &g->pose, &to[1], initial, &hit);
    mix_hit(digest, met, &hit);
}

static void sweeps(uint64_t *digest) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(35, k);
        for (int i = 0; i < MOVES; i++) {
            wild_stand s;
            wild_ground_stand(&r, &ground[k], &hulls, &s);
            lift(&r, &ground[k], &s);
            sweep(&r, &ground[k], &s, digest);
        }
    }
}

/* What stands on the ground or nearly so goes on into it by about as much as is allowed, or by the tolerance, some of
 * it by tilting. */
static void close_in(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    const double least = 1e-6 * (s->size + g->unit);
    const float allowance = rng_chance(r, 0.3) ? 0 : (float)(least * wild_size(r, -4, 8));
    const abut_d3 n = wild_ground_turn(g, wild_ground_normal(g, s->part));
    const double by = ((double)allowance + least) * wild_size(r, -3, 4);
    const abut_pose from = {s->collider.center, s->collider.rotation};
    const abut_vec3 into = abut_vec3_round(abut_d3_along(abut_d3_from(from.position), -by, n));
    const float tilt = rng_chance(r, 0.5) ? 0 : (float)(by / s->size);
    const abut_quat q = from.rotation;
    const abut_pose to = {rng_chance(r, 0.8) ? into : from.position, {q.x + tilt, q.y, q.z - tilt, q.w}};
    abut_np_way body, still;
    ear e = ear_of(digest, false);
    abut_np_way_of(&s->collider, NULL, &from, &to, &body);
    abut_np_way_still(&g->collider, &still);
    abut_np_mesh_sweep(&body, &still, ABUT_INITIAL_CLOSING, allowance, 1, hear_met, &e);
}

static void closings(uint64_t *digest) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(36, k);
        for (int i = 0; i < STANDS; i++) {
            wild_stand s;
            wild_ground_stand(&r, &ground[k], &hulls, &s);
            close_in(&r, &ground[k], &s, digest);
        }
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"contacts", contacts, UINT64_C(0x010aa465de1a04e3)},   {"overlaps", overlaps, UINT64_C(0xd3d7a266595ae297)},
        {"distances", distances, UINT64_C(0x6d2377073d79b17c)}, {"casts", casts, UINT64_C(0xb14d13f3e6e16d9b)},
        {"closings", closings, UINT64_C(0x38996862b3f92d3e)},   {"sweeps", sweeps, UINT64_C(0xb17a3fffe968bf24)},
    };
    wild_hulls_create(&hulls);
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        wild_ground_create(k, &ground[k]);
    }
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        wild_ground_destroy(&ground[k]);
    }
    wild_hulls_destroy(&hulls);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
