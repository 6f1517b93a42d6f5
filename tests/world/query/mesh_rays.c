/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rays in worlds with meshes, against brute force: every triangle is asked by itself, as a mesh of its own. */

#include "world/world_test.h"
#include <math.h>

enum { BODIES = 12, MESHES = 5, GRID = 4, PARTS = 2 * (GRID - 1) * (GRID - 1), RAYS = 9, LIST = BODIES * PARTS };

/* --- meshes, and each of their triangles alone --- */

typedef struct parted {
    abut_mesh *whole, *part[PARTS];
    uint32_t parts;
} parted;

static abut_mesh *mesh_of(const abut_vec3 *vertex, size_t count, const uint32_t *index, size_t parts, bool two_sided) {
    abut_mesh *mesh = NULL;
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = count, .indices = index, .triangle_count = parts, .two_sided = two_sided};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static void make_mesh(rng *r, parted *out) {
    abut_vec3 vertex[GRID * GRID];
    uint32_t index[3 * PARTS], n = 0;
    bool flat = rng_chance(r, 0.3), two_sided = rng_chance(r, 0.4), loose = rng_chance(r, 0.3);
    for (uint32_t k = 0; k < GRID * GRID; k++) {
        vertex[k] =
            (abut_vec3){(float)(k % GRID) - 1, flat ? 0 : (float)rng_range(r, -0.5, 0.5), (float)(k / GRID) - 1};
        vertex[k] = loose ? rng_vec3(r, -2, 2) : vertex[k];
    }
    for (uint32_t j = 0; j + 1 < GRID; j++) {
        for (uint32_t i = 0; i + 1 < GRID; i++) {
            uint32_t a = j * GRID + i, b = a + GRID;
            const uint32_t two[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(index + n, two, sizeof two);
            n += 6;
        }
    }
    out->parts = n / 3;
    out->whole = mesh_of(vertex, GRID * GRID, index, out->parts, two_sided);
    for (uint32_t k = 0; k < out->parts; k++) {
        out->part[k] = mesh_of(vertex, GRID * GRID, index + 3 * (size_t)k, 1, two_sided);
    }
}

static void free_mesh(parted *p) {
    abut_mesh_destroy(&p->whole);
    for (uint32_t k = 0; k < p->parts; k++) {
        abut_mesh_destroy(&p->part[k]);
    }
}

/* --- a world --- */

typedef struct scene {
    abut_world *world;
    parted mesh[MESHES];
    abut_body_id id[BODIES];
    const parted *has[BODIES]; /* NULL: convex */
    uint32_t category[BODIES];
} scene;

static void make_scene(rng *r, scene *s) {
    memset(s, 0, sizeof *s);
    s->world = make_world(&(abut_world_def){0});
    for (int k = 0; k < MESHES; k++) {
        make_mesh(r, &s->mesh[k]);
    }
    for (int k = 0; k < BODIES; k++) {
        abut_body_def def = {.half = {0.4f, 0.3f, 0.5f}, .pose = random_pose(r, 4), .user = 100 + (uint64_t)k};
        s->category[k] = 1U << rng_below(r, 2);
        def.filter = (abut_filter){.category = s->category[k], .mask = UINT32_MAX};
        if (rng_chance(r, 0.5)) {
            s->has[k] = &s->mesh[rng_below(r, MESHES)];
            def.mesh = s->has[k]->whole;
            def.motion = rng_chance(r, 0.5) ? ABUT_STATIC : ABUT_MOVING;
            def.pose.rotation = rng_chance(r, 0.4) ? (abut_quat){0, 0, 0, 1} : def.pose.rotation;
        } else if (rng_chance(r, 0.4)) {
            def.radius = 0.5f;
            def.half = (abut_vec3){0, 0, 0};
        }
        s->id[k] = add_body(s->world, &def);
    }
    if (rng_chance(r, 0.7)) {
        step_world(s->world);
    }
}

static void free_scene(scene *s) {
    abut_world_destroy(&s->world);
    for (int k = 0; k < MESHES; k++) {
        free_mesh(&s->mesh[k]);
    }
}

static abut_ray random_ray(rng *r, const scene *s) {
    abut_ray ray = {.origin = rng_vec3(r, -6, 6), .translation = rng_vec3(r, -9, 9)};
    uint32_t k = rng_below(r, BODIES);
    abut_vec3 corner[3], to;
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(s->world, s->id[k], &pose), ABUT_OK);
    to = pose.position;
    if (s->has[k] && abut_mesh_triangle(s->has[k]->whole, rng_below(r, s->has[k]->parts), corner)) {
        to =
            (abut_vec3){to.x + corner[0].x, to.y + corner[0].y, to.z + corner[0].z}; /* a vertex, if it is not turned */
    }
    float times = rng_chance(r, 0.3) ? 1 : (float)rng_range(r, 0.9, 3);
    if (rng_chance(r, 0.7)) {
        ray.translation =
            (abut_vec3){(to.x - ray.origin.x) * times, (to.y - ray.origin.y) * times, (to.z - ray.origin.z) * times};
    }
    if (rng_chance(r, 0.1)) {
        ray.origin = to;
    }
    ray.ignore[rng_below(r, 2)] = rng_chance(r, 0.3) ? s->id[rng_below(r, BODIES)] : (abut_body_id){0};
    return ray;
}

/* --- brute force --- */

typedef struct expected {
    abut_hit hit[LIST];
    size_t count; /* accepted */
    bool met[BODIES][PARTS];
} expected;

typedef struct judge {
    const scene *s;
    uint64_t refusal; /* 0: all are accepted */
    uint32_t mask;
    const expected *about; /* by element */
    bool strange;          /* asked about what is not met */
} judge;

static bool is_refused(uint64_t refusal, uint32_t body, uint32_t part) {
    rng r = rng_make(refusal, body * 1000 + part);
    return refusal && rng_chance(&r, 0.4);
}

static bool accept(const abut_candidate *c, void *context) {
    judge *j = context;
    uint32_t k = 0;
    while (k < BODIES && j->s->id[k].index1 != c->body.index1) {
        k++;
    }
    j->strange |= k == BODIES || c->part >= PARTS || !j->about[c->element].met[k][c->part] || c->user != 100 + k ||
                  c->mover.index1;
    return !is_refused(j->refusal, k, c->part);
}

static void expect(const judge *j, const abut_ray *ray, abut_initial initial, expected *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < BODIES; k++) {
        abut_shape shape;
        abut_pose pose;
        const parted *has = j->s->has[k];
        bool ignored = ray->ignore[0].index1 == j->s->id[k].index1 || ray->ignore[1].index1 == j->s->id[k].index1;
        assert_int_equal(abut_body_get_shape(j->s->world, j->s->id[k], &shape, &pose), ABUT_OK);
        for (uint32_t part = 0; part < (has ? has->parts : 1) && !ignored && (j->s->category[k] & j->mask); part++) {
            abut_hit hit;
            shape.mesh = has ? has->part[part] : NULL;
            if (abut_shape_cast_ray(&shape, &pose, ray, &hit) &&
                (has || initial != ABUT_INITIAL_SKIP || hit.normal.x != 0 || hit.normal.y != 0 || hit.normal.z != 0)) {
                assert_int_equal(hit.part, 0);
                hit.body = j->s->id[k];
                hit.user = 100 + k;
                hit.part = part;
                out->met[k][part] = true;
                out->hit[out->count] = hit;
                out->count += !is_refused(j->refusal, k, part);
            }
        }
    }
}

/* --- comparing --- */

static const abut_hit *find(const expected *e, const abut_hit *hit) {
    for (size_t i = 0; i < e->count; i++) {
        if (e->hit[i].body.index1 == hit->body.index1 && e->hit[i].part == hit->part) {
            return &e->hit[i];
        }
    }
    return NULL;
}

/* Whether the list has what is expected, each once, the fractions in order; of one body the first if `once`. */
static bool is_list(const expected *e, const abut_hit *list, size_t n, bool once) {
    size_t bodies = 0;
    bool seen[BODIES + 1] = {false};
    for (size_t i = 0; i < e->count; i++) {
        bodies += !seen[e->hit[i].body.index1 % (BODIES + 1)];
        seen[e->hit[i].body.index1 % (BODIES + 1)] = true;
    }
    bool ok = n == (once ? bodies : e->count);
    for (size_t i = 0; i < n && ok; i++) {
        const abut_hit *same = find(e, &list[i]);
        ok = same && bits_equal(same, &list[i], sizeof *same) && (i == 0 || list[i - 1].fraction <= list[i].fraction);
        for (size_t k = 0; k < i; k++) {
            ok = ok && (list[k].body.index1 != list[i].body.index1 || (!once && list[k].part != list[i].part));
        }
        for (size_t k = 0; k < e->count && once; k++) {
            ok = ok && (e->hit[k].body.index1 != list[i].body.index1 || e->hit[k].fraction >= list[i].fraction);
        }
    }
    return ok;
}

/* The body's first in a list of all parts is its only one in the other list. */
static bool agree(const abut_hit *all, size_t n, const abut_hit *once, size_t m) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++) {
            first = first && all[k].body.index1 != all[i].body.index1;
        }
        if (first && !(at < m && bits_equal(&all[i], &once[at++], sizeof all[i]))) {
            return false;
        }
    }
    return at == m;
}

static void judge_lists(judge *j, const abut_ray *ray, abut_query *query, const expected *e, rng *r, abut_hit *first,
                        uint64_t stream) {
    static abut_hit all[LIST], once[LIST], few[LIST];
    j->about = e;
    query->every_part = true;
    size_t n = abut_world_ray_hits(j->s->world, ray, query, all, LIST), room = rng_below(r, 6);
    check_case(is_list(e, all, n, false), "all parts", stream, 0);
    size_t total = abut_world_ray_hits(j->s->world, ray, query, few, room);
    check_case(total == n && bits_equal(few, all, (room < n ? room : n) * sizeof *few), "the first few", stream, 0);
    query->every_part = false;
    size_t m = abut_world_ray_hits(j->s->world, ray, query, once, LIST);
    check_case(is_list(e, once, m, true), "one a body", stream, 0);
    check_case(agree(all, n, once, m), "the first part of each", stream, 0);
    *first = m ? once[0] : (abut_hit){.fraction = 1};
}

static void judge_scene(uint64_t stream, unsigned long *hits, unsigned long *parts) {
    static scene s;
    static expected about[RAYS];
    rng r = rng_make(test_seed(), stream);
    abut_ray ray[RAYS];
    abut_hit hit[RAYS], first, alone;
    uint8_t blocked[RAYS], one;
    make_scene(&r, &s);
    judge j = {.s = &s, .refusal = rng_chance(&r, 0.5) ? 1 + rng_u64(&r) / 2 : 0, .about = about};
    j.mask = rng_chance(&r, 0.3) ? 1 : UINT32_MAX;
    abut_query query = {.filter = {.category = 0, .mask = j.mask}, .initial = (abut_initial)rng_below(&r, 3)};
    query.accept = j.refusal || rng_chance(&r, 0.3) ? accept : NULL;
    query.context = &j;
    for (int k = 0; k < RAYS; k++) {
        ray[k] = random_ray(&r, &s);
        expect(&j, &ray[k], query.initial, &about[k]);
    }
    assert_int_equal(abut_world_cast_rays(s.world, ray, RAYS, &query, hit), ABUT_OK);
    assert_int_equal(abut_world_test_rays(s.world, ray, RAYS, &query, blocked), ABUT_OK);
    for (int k = 0; k < RAYS; k++) {
        judge_lists(&j, &ray[k], &query, &about[k], &r, &first, stream);
        check_case(bits_equal(&hit[k], &first, sizeof first), "cast_rays is not the first of ray_hits", stream, 0);
        check_case(blocked[k] == (about[k].count > 0), "test_rays", stream, 0);
        assert_int_equal(abut_world_cast_rays(s.world, &ray[k], 1, &query, &alone), ABUT_OK);
        assert_int_equal(abut_world_test_rays(s.world, &ray[k], 1, &query, &one), ABUT_OK);
        check_case(bits_equal(&alone, &first, sizeof first) && one == blocked[k], "alone", stream, 0);
        *hits += about[k].count > 0;
        *parts += first.part > 0;
        j.about = about;
    }
    check_case(!j.strange, "asked about what is not met", stream, 0);
    free_scene(&s);
}

static void answers_are_those_of_brute_force(void **state) {
    (void)state;
    unsigned long hits = 0, parts = 0, count = test_count(1500);
    for (unsigned long i = 0; i < count; i++) {
        judge_scene(i, &hits, &parts);
    }
    assert_true(hits > count * RAYS / 4 && parts > count * RAYS / 20);
}

/* --- ties --- */

static bool accept_all(const abut_candidate *c, void *context) {
    (void)c, (void)context;
    return true;
}

/* A square at y = 0 of two triangles, and a third one beyond its end at x = `side`. */
static abut_mesh *make_square(float side) {
    const abut_vec3 corner[7] = {{-1, 0, -1},  {-1, 0, 1},       {1, 0, -1},         {1, 0, 1},
                                 {side, 0, 0}, {2 * side, 0, 1}, {2 * side, 0.5f, 0}};
    static const uint32_t index[9] = {0, 1, 2, 2, 1, 3, 4, 5, 6};
    return mesh_of(corner, 7, index, 3, false);
}

/* Of two bodies that a ray meets at the same fraction, the one with the lower index is first, and so is the lower of
 * two triangles, whichever is found first. */
static void of_equal_fractions_the_lower_index_is_first(void **state) {
    (void)state;
    abut_mesh *mesh[2] = {make_square(1), make_square(-1)};
    for (int kind = 0; kind < 4; kind++) {
        abut_world *world = make_world(NULL);
        const abut_query query = {.accept = kind & 1 ? accept_all : NULL};
        const abut_ray ray = {.origin = {0, 1, 0.5f}, .translation = {0, -2, 0}};
        abut_hit hit, all[4];
        uint8_t blocked;
        for (int k = 0; k < 16; k++) { /* the first two are in different nodes of the tree, with others beside them */
            bool left = k % 2 == (kind & 2) / 2;
            float x = k < 2 ? 0 : 5 + (float)k;
            const abut_body_def def = {.mesh = mesh[left], .pose = pose_at(left ? -x : x, 0, 0)};
            (void)add_body(world, &def);
        }
        assert_int_equal(abut_world_cast_rays(world, &ray, 1, &query, &hit), ABUT_OK);
        assert_true(hit.body.index1 == 1 && hit.part == 1 && hit.normal.y == 1);
        assert_true(fabsf(hit.fraction - 0.5f) < 1e-6f);
        assert_int_equal(abut_world_test_rays(world, &ray, 1, &query, &blocked), ABUT_OK);
        assert_int_equal(blocked, 1);
        assert_int_equal(abut_world_ray_hits(world, &ray, &query, all, 4), 2);
        for (uint32_t k = 0; k < 2; k++) {
            assert_true(all[k].body.index1 == k + 1 && all[k].part == 1 && all[k].fraction == hit.fraction);
        }
        abut_world_destroy(&world);
    }
    abut_mesh_destroy(&mesh[0]);
    abut_mesh_destroy(&mesh[1]);
}

/* A ray that leads nowhere meets no triangle, but the body that its point lies in. */
static void points_meet_no_triangle(void **state) {
    (void)state;
    abut_mesh *mesh = make_square(1);
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.mesh = mesh});
    const abut_ray ray = {.origin = {0.25f, 0, 0.5f}};
    for (uint32_t bodies = 0; bodies < 2; bodies++) {
        const abut_query query = {.initial = ABUT_INITIAL_HIT};
        abut_hit hit;
        assert_int_equal(abut_world_cast_rays(world, &ray, 1, &query, &hit), ABUT_OK);
        assert_int_equal(hit.body.index1, bodies > 0 ? 2 : 0);
        assert_true(hit.fraction == (bodies > 0 ? 0 : 1));
        (void)add_cube(world, 0, 0, 0, 1);
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* A ray that ends on a triangle meets it. */
static void the_end_of_a_ray_counts(void **state) {
    (void)state;
    abut_mesh *mesh = make_square(1);
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.mesh = mesh});
    const abut_ray rays[2] = {{.origin = {0.25f, 1, 0.5f}, .translation = {0, -1, 0}},
                              {.origin = {0.25f, 1, 0.5f}, .translation = {0, -0.999f, 0}}};
    abut_hit hits[2];
    uint8_t blocked[2];
    assert_int_equal(abut_world_cast_rays(world, rays, 2, NULL, hits), ABUT_OK);
    assert_int_equal(abut_world_test_rays(world, rays, 2, NULL, blocked), ABUT_OK);
    assert_true(hits[0].body.index1 == 1 && hits[0].fraction > 0.9999f && blocked[0]);
    assert_true(hits[1].body.index1 == 0 && hits[1].fraction == 1 && !blocked[1]);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_brute_force),
        cmocka_unit_test(of_equal_fractions_the_lower_index_is_first),
        cmocka_unit_test(points_meet_no_triangle),
        cmocka_unit_test(the_end_of_a_ray_counts),
    };
    return test_run(tests);
}
