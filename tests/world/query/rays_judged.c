/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rays in small worlds, judged by the oracle of rays: every answer keeps the law, no body that is met is missing, and
 * none is truly met before one that is named earlier. Each world has bodies with a hard ray each (support/ray_families)
 * and more bodies along those rays, some attached, some destroyed or moved after a step. */

#include "support/ray_families.h"
#include "world/world_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { AIMED = 10, MOST = 40, HITS = MOST };

typedef struct judged_body {
    abut_body_id id;
    abut_shape shape;
    abut_pose pose;
    const ray_core *core; /* of a hull, or `own` */
    ray_core own;
} judged_body;

typedef struct scene {
    rng r;
    abut_world *world;
    abut_ray ray[AIMED + 1];
    size_t ray_count, count;
    judged_body body[MOST];
} scene;

typedef struct tally {
    unsigned long rays, tests, hits, held, several, near;
} tally;

static ray_hulls *hulls;
static ray_case *made;
static scene *it;

static int make_all(void **state) {
    (void)state;
    hulls = ray_hulls_make(test_seed() + 1);
    made = malloc(sizeof *made);
    it = malloc(sizeof *it);
    return made && it ? 0 : 1;
}

static int release_all(void **state) {
    (void)state;
    ray_hulls_release(hulls);
    free(made);
    free(it);
    return 0;
}

static abut_body_def def_of(const ray_case *c) {
    return (abut_body_def){.pose = c->pose, .half = c->shape.half, .hull = c->shape.hull, .radius = c->shape.radius};
}

static double length_of(abut_vec3 v) {
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

/* Somewhere along a ray, or just beside it; about as large as a part of it. */
static void add_along(scene *s, const abut_ray *ray) {
    rng *r = &s->r;
    double f = rng_range(r, -0.2, 1.2), length = fmin(length_of(ray->translation), 1e7);
    double size = length * rng_log_range(r, 1e-4, 0.5), way = length / length_of(ray->translation);
    abut_body_def def = {.pose = {{0, 0, 0}, rng_rotation(r)}};
    float *p = &def.pose.position.x;
    const float *o = &ray->origin.x, *d = &ray->translation.x;
    for (int k = 0; k < 3 && length > 0; k++) {
        p[k] = (float)(o[k] + f * way * d[k] + size * rng_range(r, -1, 1));
        *(&def.half.x + k) = (float)(rng_chance(r, 0.2) ? 0 : size * rng_range(r, 0.01, 1));
    }
    def.radius = rng_chance(r, 0.5) ? (float)(size * rng_log_range(r, 1e-3, 2)) : 0;
    if (rng_chance(r, 0.3)) {
        def.hull = hulls->hull[rng_below(r, RAY_HULLS) % 8];
    } else if (rng_chance(r, 0.3)) {
        def.box = (abut_pose){{(float)size, (float)(-size * rng_unit(r)), 0}, rng_rotation(r)};
    }
    abut_body_id id, other;
    if (abut_body_create(s->world, &def, &id) == ABUT_OK && rng_chance(r, 0.3)) {
        def.parent = id;
        def.pose = (abut_pose){{(float)size, (float)size, (float)(size * rng_unit(r))}, rng_rotation(r)};
        def.radius *= 0.5f;
        (void)abut_body_create(s->world, &def, &other);
    }
}

static void fill(scene *s, uint64_t stream) {
    s->r = rng_make(test_seed() ^ 0x3a75, stream);
    s->world = make_world(NULL);
    s->ray_count = 0;
    bool alike = rng_chance(&s->r, 0.5);
    ray_family family = (ray_family)rng_below(&s->r, RAY_FAMILIES);
    for (int i = 0; i < AIMED; i++) {
        abut_body_id id;
        family = alike ? family : (ray_family)rng_below(&s->r, RAY_FAMILIES);
        ray_family_case(hulls, family, test_seed(), stream * AIMED + (uint64_t)i, made);
        abut_body_def def = def_of(made);
        if (abut_body_create(s->world, &def, &id) == ABUT_OK) {
            s->ray[s->ray_count++] = made->ray;
        }
        if (rng_chance(&s->r, 0.1)) { /* twins are met at one fraction */
            (void)abut_body_create(s->world, &def, &id);
        }
    }
    for (size_t i = 0; i < s->ray_count; i++) {
        add_along(s, &s->ray[i]);
    }
    s->ray[s->ray_count++] =
        (abut_ray){.origin = rng_vec3(&s->r, -1e3, 1e3), .translation = rng_vec3(&s->r, -1e4, 1e4)};
}

/* Some worlds are stepped or refreshed, and some of these change afterwards. */
static void stir(scene *s) {
    abut_body_id ids[MOST];
    rng *r = &s->r;
    if (rng_chance(r, 0.4)) {
        assert_int_equal(rng_chance(r, 0.5) ? abut_world_step(s->world, NULL, NULL) : abut_world_refresh(s->world),
                         ABUT_OK);
    }
    size_t count = abut_world_bodies(s->world, ids, MOST);
    for (int k = rng_chance(r, 0.5) ? 0 : 4; k > 0 && count > 0; k--) {
        abut_body_id id = ids[rng_below(r, (uint32_t)(count < MOST ? count : MOST))];
        abut_pose pose;
        if (k == 1) {
            (void)abut_body_destroy(s->world, id);
        } else if (abut_body_get_pose(s->world, id, &pose) == ABUT_OK) {
            pose.position.x = nextafterf(pose.position.x, INFINITY);
            (void)abut_body_set_pose(s->world, id, &pose);
        }
    }
}

static void read_scene(scene *s) {
    abut_body_id ids[MOST];
    s->count = abut_world_bodies(s->world, ids, MOST);
    assert_true(s->count <= MOST);
    for (size_t i = 0; i < s->count; i++) {
        judged_body *b = &s->body[i];
        b->id = ids[i];
        assert_int_equal(abut_body_get_shape(s->world, ids[i], &b->shape, &b->pose), ABUT_OK);
        b->core = &b->own;
        for (int h = 0; h < RAY_HULLS && b->shape.hull; h++) {
            b->core = hulls->hull[h] == b->shape.hull ? &hulls->core[h] : b->core;
        }
        if (!b->shape.hull) {
            ray_core_of_box(b->shape.half, &b->own);
        }
    }
}

static size_t find(const abut_hit *hits, size_t n, abut_body_id id) {
    size_t i = 0;
    while (i < n && !abut_body_id_equal(hits[i].body, id)) {
        i++;
    }
    return i;
}

/* NULL, or what is wrong with the list of hits of a ray. */
static const char *list_fault(scene *s, const abut_ray *ray, const abut_hit *hits, size_t n, tally *t) {
    static ray_truth truth[MOST];
    size_t named = 0;
    for (size_t i = 0; i < s->count; i++) {
        const judged_body *b = &s->body[i];
        truth[i] = ray_oracle(b->core, b->shape.radius, &b->pose, ray);
        size_t at = find(hits, n, b->id);
        abut_hit own = {.fraction = 1};
        if (at < n) {
            own = hits[at];
            own.body = (abut_body_id){0, 0};
        }
        const char *fault = ray_fault(b->core, b->shape.radius, &b->pose, ray, &truth[i], at < n, &own);
        if (fault) {
            ray_print(b->core, b->shape.radius, &b->pose, ray, &truth[i], at < n, &own);
            return fault;
        }
        named += at < n;
        t->held += truth[i].holds;
        t->near += truth[i].near_meets && !truth[i].meets;
    }
    t->tests += s->count;
    t->hits += n;
    t->several += n > 1;
    if (named != n) {
        return "names one twice, or nobody";
    }
    for (size_t i = 0; i < s->count; i++) {
        size_t first = find(hits, n, s->body[i].id);
        for (size_t j = 0; j < s->count && first < n; j++) {
            size_t later = find(hits, n, s->body[j].id);
            if (later > first && truth[j].meets && truth[j].latest < truth[i].near_first) {
                return "another one is truly met before";
            }
        }
    }
    return NULL;
}

static const char *ray_in_world_fault(scene *s, size_t k, const abut_hit *cast, uint8_t blocked, tally *t) {
    static abut_hit hits[HITS];
    static const abut_hit nothing = {.fraction = 1};
    size_t n = abut_world_ray_hits(s->world, &s->ray[k], NULL, hits, HITS);
    if (n > s->count || blocked != (n > 0)) {
        return "the number of hits";
    }
    for (size_t i = 1; i < n; i++) {
        if (hits[i].fraction < hits[i - 1].fraction) {
            return "the fractions decrease";
        }
    }
    if (memcmp(cast, n ? &hits[0] : &nothing, sizeof *cast) != 0) {
        return "the first hit is another one";
    }
    return list_fault(s, &s->ray[k], hits, n, t);
}

static void worlds_keep_the_law(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    tally t = {0, 0, 0, 0, 0, 0};
    unsigned long faults = 0, count = test_count(150);
    for (unsigned long i = 0; i < count; i++) {
        abut_hit hits[AIMED + 1];
        uint8_t blocked[AIMED + 1];
        fill(it, i);
        stir(it);
        read_scene(it);
        assert_int_equal(abut_world_cast_rays(it->world, it->ray, it->ray_count, NULL, hits), ABUT_OK);
        assert_int_equal(abut_world_test_rays(it->world, it->ray, it->ray_count, NULL, blocked), ABUT_OK);
        t.rays += it->ray_count;
        for (size_t k = 0; k < it->ray_count; k++) {
            const char *fault = ray_in_world_fault(it, k, &hits[k], blocked[k], &t);
            if (fault && faults++ < 5) {
                fprintf(stderr, "world %lu, ray %zu: %s\n", i, k, fault);
            }
        }
        abut_world_destroy(&it->world);
    }
    printf("%lu rays, %lu pairs, %lu hits, %lu at the start, %lu within e only, %lu rays with several; %lu faults\n",
           t.rays, t.tests, t.hits, t.held, t.near, t.several, faults);
    assert_int_equal(faults, 0);
    assert_true(t.hits > t.rays / 3 && t.several > t.rays / 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(worlds_keep_the_law, make_all, release_all),
    };
    return test_run(tests);
}
