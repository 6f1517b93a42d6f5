/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/snapshot/lives.h"
#include <stdlib.h>

#define expect(l, ok, what) check_case(ok, what, (l)->stream, (l)->step)

/* --- shapes --- */

static abut_hull *make_hull(rng *r) {
    abut_vec3 points[12];
    for (int i = 0; i < 12; i++) {
        points[i] = rng_vec3(r, -1, 1);
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 12, NULL, &hull), ABUT_OK);
    return hull;
}

void life_begin(life *l, const abut_world_def *def, uint64_t stream) {
    *l = (life){.r = rng_make(test_seed(), stream), .stream = stream, .world = make_world(def)};
    for (int i = 0; i < LIFE_HULLS; i++) {
        l->hull[i] = make_hull(&l->r);
    }
    for (int i = 0; i < LIFE_MESHES; i++) {
        l->mesh[i] = make_ground(4, 1.5f, 0.5f * (float)i, stream);
    }
}

void life_end(life *l) {
    abut_world_destroy(&l->world);
    abut_world_destroy(&l->twin);
    for (int i = 0; i < LIFE_HULLS; i++) {
        abut_hull_destroy(&l->hull[i]);
    }
    for (int i = 0; i < LIFE_MESHES; i++) {
        abut_mesh_destroy(&l->mesh[i]);
    }
}

static const abut_hull *find_hull(uint64_t digest, void *user) {
    life *l = user;
    l->asked++;
    for (int i = 0; i < LIFE_HULLS; i++) {
        if (abut_hull_digest(l->hull[i]) == digest) {
            return l->hull[i];
        }
    }
    return NULL;
}

static const abut_mesh *find_mesh(uint64_t digest, void *user) {
    life *l = user;
    l->asked++;
    for (int i = 0; i < LIFE_MESHES; i++) {
        if (abut_mesh_digest(l->mesh[i]) == digest) {
            return l->mesh[i];
        }
    }
    return NULL;
}

abut_shape_finder life_finder(life *l) {
    return (abut_shape_finder){.hull = find_hull, .mesh = find_mesh, .user = l};
}

/* --- random arguments --- */

static abut_shape random_shape(life *l) {
    rng *r = &l->r;
    abut_shape shape = {.half = rng_vec3(r, 0.2, 1)};
    uint32_t way = rng_below(r, 12);
    shape.radius = way >= 6 && way < 10 ? (float)rng_range(r, 0.1, 0.8) : 0;
    shape.half.y = way == 5 ? 0 : shape.half.y;
    if (way == 6) {
        shape.half = (abut_vec3){0, 0, 0};
    } else if (way == 7) {
        shape.half.x = shape.half.z = 0;
    } else if (way == 9 || way == 10) {
        shape.hull = l->hull[rng_below(r, LIFE_HULLS)];
    } else if (way == 11) {
        shape.mesh = l->mesh[rng_below(r, LIFE_MESHES)];
    }
    return shape;
}

static abut_filter random_filter(rng *r) {
    const abut_filter filter = {.category = rng_chance(r, 0.5) ? 0 : 1 + rng_below(r, 7),
                                .mask = rng_chance(r, 0.5) ? 0 : rng_below(r, 8),
                                .group = (int32_t)rng_below(r, 3) - 1};
    return rng_chance(r, 0.2) ? (abut_filter){.mask = ABUT_MASK_NONE} : filter;
}

static abut_body_id any_id(life *l) {
    abut_body_id id = {0};
    for (int tries = 0; tries < 8 && l->ids > 0; tries++) {
        id = l->id[rng_below(&l->r, (uint32_t)l->ids)];
        if (abut_body_is_valid(l->world, id)) {
            break;
        }
    }
    return id;
}

static abut_body_def random_def(life *l) {
    rng *r = &l->r;
    const abut_shape shape = random_shape(l);
    abut_body_def def = {.pose = random_pose(r, 4),
                         .half = shape.half,
                         .radius = shape.radius,
                         .hull = shape.hull,
                         .mesh = shape.mesh,
                         .user = rng_u64(r)};
    def.motion = rng_chance(r, 0.3) ? ABUT_STATIC : ABUT_MOVING;
    def.detail = rng_chance(r, 0.7) ? ABUT_DETAIL_MANIFOLD : (abut_detail)rng_below(r, 3);
    if (rng_chance(r, 0.15)) {
        def.box = random_pose(r, 0.5);
    }
    if (rng_chance(r, 0.3)) {
        def.filter = random_filter(r);
    }
    if (rng_chance(r, 0.2)) {
        def.parent = any_id(l);
        def.pose.position = rng_vec3(r, -1, 1);
    }
    return def;
}

/* --- calls --- */

/* Both worlds make the same body, or refuse it alike. */
static void create(life *l) {
    const abut_body_def def = random_def(l);
    abut_body_id id = {0}, other = {0};
    abut_result result = abut_body_create(l->world, &def, &id);
    if (l->twin) {
        expect(l, abut_body_create(l->twin, &def, &other) == result, "creates alike");
        expect(l, abut_body_id_equal(id, other), "the same ids to come");
    }
    if (result == ABUT_OK && l->ids < LIFE_IDS) {
        l->id[l->ids++] = id;
    }
}

typedef struct call {
    uint32_t kind;
    abut_body_id id;
    abut_pose pose;
    abut_shape shape;
    abut_filter filter;
    uint64_t number;
} call;

static abut_result make_call(abut_world *world, const call *c) {
    switch (c->kind) {
    case 0:
        return abut_body_destroy(world, c->id);
    case 1:
        return abut_body_set_filter(world, c->id, &c->filter);
    case 2:
        return abut_body_set_motion(world, c->id, (abut_motion)(c->number % 2));
    case 3:
        return abut_body_set_detail(world, c->id, (abut_detail)(c->number % 3));
    case 4:
        return abut_body_set_user(world, c->id, c->number);
    case 5:
        return abut_body_set_shape(world, c->id, &c->shape, c->number % 2 ? &c->pose : NULL);
    default:
        return abut_body_set_pose(world, c->id, &c->pose);
    }
}

void life_act(life *l) {
    if (rng_chance(&l->r, 0.25)) {
        create(l);
        return;
    }
    const call c = {.kind = rng_below(&l->r, 10),
                    .id = any_id(l),
                    .pose = random_pose(&l->r, 4),
                    .shape = random_shape(l),
                    .filter = random_filter(&l->r),
                    .number = rng_u64(&l->r)};
    abut_result result = make_call(l->world, &c);
    if (l->twin) {
        expect(l, make_call(l->twin, &c) == result, "calls have the same result");
    }
}

void life_step(life *l) {
    abut_step_report a, b;
    assert_int_equal(abut_world_step(l->world, NULL, &a), ABUT_OK);
    l->step++;
    if (l->twin) {
        assert_int_equal(abut_world_step(l->twin, NULL, &b), ABUT_OK);
        expect(l, a.bodies == b.bodies && a.moved == b.moved, "reports name the same bodies");
        expect(l, a.candidates == b.candidates && a.contacts == b.contacts, "reports name the same pairs");
        expect(l, a.begun == b.begun && a.ended == b.ended, "reports name the same events");
        expect(l, same_answers(l->world, l->twin), "steps answer alike");
    }
}

void life_pass(life *l) {
    uint32_t calls = rng_below(&l->r, 40), steps = rng_below(&l->r, 4);
    for (uint32_t i = 0; i < calls; i++) {
        life_act(l);
    }
    for (uint32_t i = 0; i < steps; i++) {
        life_step(l); /* the second and third have nothing to do */
    }
}

/* --- snapshots --- */

saved save_world(const abut_world *world) {
    saved s = {.size = abut_world_save(world, NULL, 0)};
    assert_true(s.size > 0);
    s.bytes = malloc(s.size + 8);
    assert_non_null(s.bytes);
    memset(s.bytes, 0xa5, s.size + 8);
    assert_int_equal(abut_world_save(world, s.bytes, s.size - 1), s.size); /* does not fit */
    for (size_t i = 0; i < s.size + 8; i++) {
        assert_int_equal(s.bytes[i], 0xa5);
    }
    assert_int_equal(abut_world_save(world, s.bytes, s.size), s.size);
    for (size_t i = s.size; i < s.size + 8; i++) {
        assert_int_equal(s.bytes[i], 0xa5);
    }
    return s;
}

void saved_free(saved *s) {
    free(s->bytes);
    *s = (saved){0};
}

bool saved_equal(const saved *a, const saved *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool is_saved(const abut_world *world, const saved *s) {
    saved now = save_world(world);
    bool equal = saved_equal(&now, s);
    saved_free(&now);
    return equal;
}

static bool same_lists(const abut_world *a, const abut_world *b) {
    step_lists x = lists_take(a), y = lists_take(b);
    size_t m, n;
    const abut_contact *p = events_of(a, &m), *q = events_of(b, &n);
    bool same = lists_equal(&x, &y) && m == n && (m == 0 || bits_equal(p, q, m * sizeof *p));
    lists_free(&x);
    lists_free(&y);
    return same;
}

/* What is found in the whole world: through the search tree, and by indices of contacts. */
static bool same_finds(const abut_world *a, const abut_world *b, const abut_body_id *id, size_t n) {
    bool same = true;
    for (size_t i = 0; i < n && same; i++) {
        uint32_t x[64], y[64];
        abut_aabb p, q;
        size_t k = abut_body_contacts(a, id[i], x, 64);
        same = k == abut_body_contacts(b, id[i], y, 64) && bits_equal(x, y, (k < 64 ? k : 64) * sizeof *x);
        same = same && abut_body_get_bounds(a, id[i], &p) == ABUT_OK && abut_body_get_bounds(b, id[i], &q) == ABUT_OK;
        same = same && bits_equal(&p, &q, sizeof p);
        abut_body_id found[64], others[64];
        k = same ? abut_world_in_bounds(a, &p, NULL, found, 64) : 0;
        same = same && k == abut_world_in_bounds(b, &p, NULL, others, 64) &&
               bits_equal(found, others, (k < 64 ? k : 64) * sizeof *found);
    }
    return same;
}

bool same_answers(const abut_world *a, const abut_world *b) {
    size_t n = abut_world_body_count(a);
    bool same = n == abut_world_body_count(b) && abut_world_hash(a) == abut_world_hash(b);
    abut_body_id *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    assert_true(x && y);
    same = same && abut_world_bodies(a, x, n) == abut_world_bodies(b, y, n) && bits_equal(x, y, n * sizeof *x);
    same = same && same_lists(a, b) && same_finds(a, b, x, n);
    saved p = save_world(a), q = save_world(b);
    same = same && saved_equal(&p, &q);
    saved_free(&p);
    saved_free(&q);
    free(x);
    free(y);
    return same;
}
