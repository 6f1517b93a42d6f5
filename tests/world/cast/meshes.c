/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts and sweeps in worlds with meshes: lists and firsts are what the triangles of each mesh say one by one. */

#include "narrowphase/narrowphase.h"
#include "world/grounds.h"
#include <math.h>

enum { CELLS = 5, PARTS = 2 * CELLS * CELLS, BODIES = 10, GROUNDS = 2, LIST = GROUNDS * PARTS + BODIES };

typedef struct scene {
    abut_world *world;
    abut_mesh *mesh;
    abut_body_id body[BODIES]; /* the first are grounds */
    abut_shape shape[BODIES];
    abut_pose pose[BODIES];
    abut_collider collider[BODIES];
    uint32_t refused; /* bits: triangles whose number has this remainder by 5 */
    uint64_t stream;
} scene;

static void make_scene(uint64_t stream, scene *s) {
    rng r = rng_make(test_seed(), stream);
    memset(s, 0, sizeof *s);
    s->stream = stream;
    s->world = make_world(NULL);
    s->mesh = make_ground(CELLS, 1, 1.5f, stream);
    s->refused = rng_chance(&r, 0.5) ? 0 : rng_below(&r, 32);
    for (int k = 0; k < BODIES; k++) {
        abut_body_def def = random_box(&r, 5);
        if (k < GROUNDS) {
            def = (abut_body_def){.mesh = s->mesh, .pose = random_pose(&r, 2)};
            s->shape[k].mesh = s->mesh;
        }
        s->shape[k].half = def.half;
        s->body[k] = add_body(s->world, &def);
        assert_int_equal(abut_body_get_pose(s->world, s->body[k], &s->pose[k]), ABUT_OK);
        assert_true(abut_collider_from_shape_or_mesh(&s->shape[k], &s->pose[k], &s->collider[k]));
    }
}

static void free_scene(scene *s) {
    abut_world_destroy(&s->world);
    abut_mesh_destroy(&s->mesh);
}

static int index_of(const scene *s, abut_body_id id) {
    int k = 0;
    while (k < BODIES && !abut_body_id_equal(s->body[k], id)) {
        k++;
    }
    assert_true(k < BODIES);
    return k;
}

static bool refuses(const scene *s, int body, uint32_t part) {
    return body < GROUNDS && s->refused >> part % 5 & 1;
}

static bool accepts(const abut_candidate *candidate, void *context) {
    const scene *s = context;
    int body = index_of(s, candidate->body);
    assert_true(candidate->part == 0 || body < GROUNDS);
    return !refuses(s, body, candidate->part);
}

/* What a cast meets. */
typedef struct answers {
    abut_hit hit[LIST];
    double fraction[LIST];
    size_t count;
    const scene *scene;
    const abut_np_cast *cast;
    abut_initial initial;
    int body;
} answers;

static void insert(answers *a, abut_hit hit, double fraction) {
    hit.fraction = abut_np_ray_fraction(fraction);
    size_t at = a->count++;
    for (; at > 0 && (a->fraction[at - 1] > fraction ||
                      (a->fraction[at - 1] == fraction &&
                       (a->hit[at - 1].body.index1 > hit.body.index1 ||
                        (a->hit[at - 1].body.index1 == hit.body.index1 && a->hit[at - 1].part > hit.part))));
         at--) {
        a->hit[at] = a->hit[at - 1];
        a->fraction[at] = a->fraction[at - 1];
    }
    a->hit[at] = hit;
    a->fraction[at] = fraction;
}

/* A triangle that the contact at the start closes in on. */
static double add_start(uint32_t part, double fraction, abut_vec3 normal, void *context) {
    answers *a = context;
    if (!refuses(a->scene, a->body, part)) {
        const abut_vec3 at = abut_np_mesh_cast_shared(a->cast, &a->scene->collider[a->body], part, fraction);
        insert(a, (abut_hit){.body = a->scene->body[a->body], .part = part, .position = at, .normal = normal},
               fraction);
    }
    return 1;
}

static double add(uint32_t part, double fraction, void *context) {
    answers *a = context;
    const abut_collider *collider = &a->scene->collider[a->body];
    bool touched = fraction == ABUT_NP_CAST_TOUCHED, mesh = a->body < GROUNDS;
    abut_hit hit = {.body = a->scene->body[a->body], .part = part};
    if (!(fraction <= 1) || refuses(a->scene, a->body, part) || (touched && a->initial == ABUT_INITIAL_SKIP)) {
        return 1;
    }
    if (touched && a->initial == ABUT_INITIAL_CLOSING) {
        bool in = mesh ? abut_np_mesh_cast_closes(a->cast, collider, part, &hit.normal)
                       : abut_np_cast_closes(a->cast, collider, &hit.position, &hit.normal);
        if (!in) {
            return 1;
        }
        hit.position = mesh ? abut_np_mesh_cast_shared(a->cast, collider, part, 0) : hit.position;
    } else if (mesh && a->initial == ABUT_INITIAL_CLOSING &&
               abut_np_mesh_cast_slides(a->cast, collider, part, fraction, &hit.position, &hit.normal)) {
        return 1;
    } else if (touched && mesh) {
        (void)abut_np_mesh_nearest_point(collider, part, &a->cast->start, &hit.position, &hit.normal);
    } else if (touched) {
        (void)abut_np_nearest_point(&a->cast->start, collider, &hit.position, &hit.normal);
    } else if (mesh) {
        abut_np_mesh_cast_place(a->cast, collider, part, fraction, &hit.position, &hit.normal);
    } else {
        abut_np_cast_place(a->cast, collider, fraction, &hit.position, &hit.normal);
    }
    insert(a, hit, touched ? 0 : fraction);
    return 1;
}

static void expect(const scene *s, const abut_np_cast *cast, abut_initial initial, answers *out) {
    out->count = 0, out->scene = s, out->cast = cast, out->initial = initial;
    for (out->body = 0; out->body < BODIES; out->body++) {
        static const uint32_t first = 0;
        double fraction;
        if (out->body < GROUNDS) {
            abut_np_mesh_cast(cast, &s->collider[out->body], 1, add, out);
            if (initial == ABUT_INITIAL_CLOSING) {
                abut_np_mesh_cast_start(cast, &s->collider[out->body], 1, add_start, out);
            }
        } else {
            abut_np_cast_many(cast, &s->collider[out->body], &first, 1, 1, &fraction);
            (void)add(0, fraction, out);
        }
    }
}

/* Leaves the first of each body. */
static void keep_firsts(answers *a) {
    size_t left = 0;
    for (size_t i = 0; i < a->count; i++) {
        bool first = true;
        for (size_t k = 0; k < left; k++) {
            first = first && a->hit[k].body.index1 != a->hit[i].body.index1;
        }
        if (first) {
            a->hit[left++] = a->hit[i];
        }
    }
    a->count = left;
}

static bool lists_agree(const answers *a, const abut_hit *hit, size_t n) {
    for (size_t i = 0; i < n && i < a->count; i++) {
        const abut_hit *e = &a->hit[i], *h = &hit[i];
        if (!abut_body_id_equal(e->body, h->body) || e->part != h->part || e->fraction != h->fraction ||
            !bits_equal(&e->position, &h->position, sizeof e->position) ||
            !bits_equal(&e->normal, &h->normal, sizeof e->normal)) {
            return false;
        }
    }
    return n == a->count;
}

static size_t check_casts(scene *s, rng *r) {
    static answers a;
    static abut_hit hit[LIST];
    abut_cast cast = {.shape = rng_chance(r, 0.5) ? abut_sphere((float)rng_range(r, 0.05, 1)) : abut_box(0.5f, 0.2f, 1),
                      .from = random_pose(r, 5),
                      .translation = rng_vec3(r, -6, 6)};
    abut_query query = {.accept = accepts, .context = s, .initial = (abut_initial)rng_below(r, 3), .every_part = true};
    abut_collider start;
    assert_true(abut_collider_from_shape(&cast.shape, &cast.from, &start));
    const abut_np_cast exact = abut_np_cast_of(&start, cast.translation);
    expect(s, &exact, query.initial, &a);
    size_t all = a.count, n = abut_world_shape_hits(s->world, &cast, &query, hit, LIST);
    check_case(lists_agree(&a, hit, n), "every part", s->stream, query.initial);
    keep_firsts(&a);
    query.every_part = false;
    n = abut_world_shape_hits(s->world, &cast, &query, hit, LIST);
    check_case(lists_agree(&a, hit, n), "the first of each", s->stream, query.initial);
    assert_int_equal(abut_world_cast_shapes(s->world, &cast, 1, &query, hit), ABUT_OK);
    a.count = a.count > 0;
    check_case(lists_agree(&a, hit, hit[0].body.index1 > 0), "the first", s->stream, query.initial);
    return all;
}

static void casts_follow_from_each_triangle(void **state) {
    (void)state;
    static scene s;
    size_t met = 0, count = test_count(300);
    for (uint64_t stream = 0; stream < count; stream++) {
        make_scene(stream, &s);
        rng r = rng_make(test_seed(), 5000 + stream);
        for (int k = 0; k < 12; k++) {
            met += check_casts(&s, &r);
        }
        free_scene(&s);
    }
    assert_true(met > count * 4);
}

/* Whether two shapes, of which one is a mesh or none, meet at this triangle then. Ways of worlds may have other last
 * bits, which choose between triangles that are met at a common edge. */
static bool meets_part(const scene *s, int mover, const abut_pose *target, int body, const abut_hit *hit) {
    static const uint32_t index[3] = {0, 1, 2};
    abut_shape a = s->shape[mover], b = s->shape[body];
    abut_vec3 corner[3];
    abut_mesh *single;
    abut_hit of_pair;
    if (!a.mesh && !b.mesh) {
        return hit->part == 0;
    }
    assert_true(abut_mesh_triangle(s->mesh, hit->part, corner));
    const abut_mesh_def def = {.vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1};
    assert_int_equal(abut_mesh_create(&def, &single), ABUT_OK);
    *(a.mesh ? &a.mesh : &b.mesh) = single;
    bool meets = abut_shape_sweep(&a, &s->pose[mover], target, &b, &s->pose[body], &s->pose[body], ABUT_INITIAL_SKIP,
                                  &of_pair) &&
                 fabs((double)of_pair.fraction - (double)hit->fraction) <= 1e-6;
    abut_mesh_destroy(&single);
    return meets;
}

/* One body moves, mesh or box: what it meets first follows from the functions for two shapes. */
static void sweeps_follow_from_pairs(void **state) {
    (void)state;
    static scene s;
    size_t count = test_count(300), met = 0, met_meshes = 0;
    for (uint64_t stream = 0; stream < count; stream++) {
        make_scene(stream, &s);
        rng r = rng_make(test_seed(), 9000 + stream);
        int mover = (int)rng_below(&r, BODIES);
        abut_pose target = random_pose(&r, 5);
        target.rotation = rng_chance(&r, 0.5) ? s.pose[mover].rotation : target.rotation;
        const abut_query query = {.initial = ABUT_INITIAL_SKIP};
        abut_hit hit, of_pair, first = {.fraction = 1};
        for (int k = 0; k < BODIES; k++) {
            if (k != mover &&
                abut_shape_sweep(&s.shape[mover], &s.pose[mover], &target, &s.shape[k], &s.pose[k], &s.pose[k],
                                 ABUT_INITIAL_SKIP, &of_pair) &&
                (first.body.index1 == 0 || of_pair.fraction < first.fraction)) {
                first = of_pair;
                first.body = s.body[k];
            }
        }
        assert_int_equal(abut_world_sweep(s.world, &s.body[mover], &target, 1, &query, &hit), ABUT_OK);
        check_case(fabs((double)hit.fraction - (double)first.fraction) <= 1e-6, "fraction", stream, (unsigned)mover);
        if (abut_body_id_equal(hit.body, first.body) && hit.body.index1) {
            check_case(meets_part(&s, mover, &target, index_of(&s, hit.body), &hit) &&
                           abut_body_id_equal(hit.mover, s.body[mover]),
                       "part", stream, (unsigned)mover);
            met++;
            met_meshes += mover < GROUNDS || index_of(&s, hit.body) < GROUNDS;
        }
        free_scene(&s);
    }
    assert_true(met > count / 4 && met_meshes >= count / 8);
}

/* What begins on a floor's front is hit where it has come deeper by the allowance, though its middle is then below the
 * floor: on which side it is was judged where it began to touch. What begins below is passed over. */
static void what_comes_deeper_may_sink_below(void **state) {
    (void)state;
    const abut_vec3 corner[3] = {{-10, 0, 10}, {10, 0, 10}, {0, 0, -20}};
    const abut_mesh_def def = {
        .vertices = corner, .vertex_count = 3, .indices = (uint32_t[]){0, 1, 2}, .triangle_count = 1};
    const abut_shape shapes[3] = {abut_box(0.5f, 0.5f, 0.5f), abut_sphere(0.5f), abut_capsule(0.25f, 0.25f)};
    abut_world *world = make_world(NULL);
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    const abut_body_id floor = add_body(world, &(abut_body_def){.mesh = mesh, .motion = ABUT_STATIC});
    abut_body_id body = add_body(world, &(abut_body_def){.radius = 1});
    for (int k = 0; k < 3; k++) {
        assert_int_equal(abut_body_set_shape(world, body, &shapes[k], NULL), ABUT_OK);
        for (int start = 0; start < 3; start++) { /* touching, deep, from below */
            const float y = start == 0 ? 0.5f : start == 1 ? 0.125f : -0.125f;
            const abut_pose from = {{0, y, 0}, {0, 0, 0, 1}}, to = {{0, y - 3, 0}, {0, 0, 0, 1}};
            assert_int_equal(abut_body_set_pose(world, body, &from), ABUT_OK);
            for (float allowance = 0; allowance < y + 0.4f; allowance += 0.0625f) {
                const abut_query query = {.allowance = allowance};
                abut_hit hit;
                assert_int_equal(abut_world_sweep(world, &body, &to, 1, &query, &hit), ABUT_OK);
                assert_int_equal(hit.body.index1, start < 2 ? floor.index1 : 0);
                assert_true(start == 2 || (fabsf(hit.fraction - allowance / 3) < 1e-4f && hit.normal.y == 1));
            }
        }
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

static bool is_first_part(const abut_candidate *candidate, void *context) {
    (void)context;
    return candidate->part == 0;
}

/* A box stands deep in a flat floor and reaches over one of its triangles by less than it is deep. Alone, that triangle
 * would be left sideways; as part of the floor it closes in like all of it: along the floor's normal. */
static void parts_close_in_along_the_normals_of_steps(void **state) {
    (void)state;
    const abut_vec3 corner[4] = {{0, 0, -8}, {0, 0, 8}, {8, 0, 0}, {-8, 0, 0}};
    const abut_mesh_def def = {
        .vertices = corner, .vertex_count = 4, .indices = (uint32_t[]){0, 1, 2, 1, 0, 3}, .triangle_count = 2};
    abut_world *world = make_world(NULL);
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    const abut_body_id floor = add_body(world, &(abut_body_def){.mesh = mesh, .motion = ABUT_STATIC});
    abut_body_id body = add_body(world, &(abut_body_def){.pose = pose_at(-0.9375f, 0.75f, 0), .half = {1, 1, 1}});
    const abut_query query = {.accept = is_first_part};
    for (int way = 0; way < 3; way++) { /* deeper; along the floor, over the triangle; upwards */
        const abut_pose to = {{way == 1 ? 0 : -0.9375f, way == 0 ? 0.5f : way == 1 ? 0.75f : 1, 0}, {0, 0, 0, 1}};
        abut_hit hit;
        assert_int_equal(abut_world_sweep(world, &body, &to, 1, &query, &hit), ABUT_OK);
        assert_int_equal(hit.body.index1, way == 0 ? floor.index1 : 0);
        assert_true(way > 0 || (hit.fraction < 1e-4f && hit.normal.x == 0 && hit.normal.y == 1 && hit.part == 0));
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* A blade drops away from the ball that lies on it, swings around, and meets the ball with its back. */
static void what_comes_back_is_seen_from_its_side_then(void **state) {
    (void)state;
    const abut_vec3 corner[3] = {{-1, 0, 0.5f}, {0, 0, 1.5f}, {1, 0, 0.5f}};
    const abut_pose from = {{0, 0.5f, 1}, {0, 0, 0, 1}}, to = {{0, 0.375f, -1}, {0, 0, 0, 1}};
    const abut_pose hangs = {{0, 0, 0}, {0, 0, 0, 1}}, turned = {{0, 0, 0}, {0.99985f, 0, 0, 0.017452f}};
    for (int two_sided = 0; two_sided < 2; two_sided++) {
        const abut_mesh_def def = {.vertices = corner,
                                   .vertex_count = 3,
                                   .indices = (uint32_t[]){0, 1, 2},
                                   .triangle_count = 1,
                                   .two_sided = two_sided};
        abut_mesh *mesh;
        abut_hit hit;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        const abut_shape ball = abut_sphere(0.5f), blade = {.mesh = mesh};
        assert_true(abut_shape_overlap(&ball, &from, &blade, &hangs));
        bool met = abut_shape_sweep(&ball, &from, &to, &blade, &hangs, &turned, ABUT_INITIAL_CLOSING, &hit);
        assert_int_equal(met, two_sided);
        assert_true(!met || (hit.fraction > 0.9f && hit.fraction < 1));
        abut_mesh_destroy(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_follow_from_each_triangle),
        cmocka_unit_test(sweeps_follow_from_pairs),
        cmocka_unit_test(what_comes_deeper_may_sink_below),
        cmocka_unit_test(parts_close_in_along_the_normals_of_steps),
        cmocka_unit_test(what_comes_back_is_seen_from_its_side_then),
    };
    return test_run(tests);
}
