/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Overlaps, contacts, bounds and distances of worlds with meshes: what they say of a mesh follows from what the shape
 * functions say of each of its triangles alone. */

#include "support/failing_allocator.h"
#include "world/grounds.h"
#include <math.h>

enum { CELLS = 5, PARTS = CELLS * CELLS * 2, BODIES = 24, GROUNDS = 3 };

typedef struct scene {
    failing_allocator books;
    abut_world *world;
    abut_mesh *mesh, *single[PARTS];
    abut_body_id ground[GROUNDS], body[BODIES];
    abut_pose pose[GROUNDS];
    uint32_t refused; /* bits: triangles whose number has this remainder by 5 */
    /* The question that is being asked. */
    abut_shape shape;
    abut_pose at;
    float reach;
    uint64_t stream;
} scene;

static abut_mesh *single_of(const abut_mesh *mesh, uint32_t part) {
    static const uint32_t index[3] = {0, 1, 2};
    abut_vec3 corner[3];
    abut_mesh *single;
    assert_true(abut_mesh_triangle(mesh, part, corner));
    const abut_mesh_def def = {.vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1};
    assert_int_equal(abut_mesh_create(&def, &single), ABUT_OK);
    return single;
}

static void make_scene(uint64_t stream, scene *s) {
    rng r = rng_make(test_seed(), stream);
    memset(s, 0, sizeof *s);
    s->stream = stream;
    s->world = make_world(
        &(abut_world_def){.allocator = failing_allocator_of(&s->books), .contact_margin = stream % 3 ? 0 : 0.2f});
    s->mesh = make_ground(CELLS, 1, 1.5f, stream);
    for (uint32_t k = 0; k < PARTS; k++) {
        s->single[k] = single_of(s->mesh, k);
    }
    for (int k = 0; k < BODIES; k++) {
        if (k % 8 == 0) {
            s->pose[k / 8] = random_pose(&r, 3);
            s->ground[k / 8] = add_body(s->world, &(abut_body_def){.mesh = s->mesh, .pose = s->pose[k / 8]});
            assert_int_equal(abut_body_get_pose(s->world, s->ground[k / 8], &s->pose[k / 8]), ABUT_OK);
        }
        abut_body_def def = random_box(&r, 6);
        s->body[k] = add_body(s->world, &def);
    }
    if (stream % 2) {
        assert_int_equal(abut_world_step(s->world, NULL, NULL), ABUT_OK);
    }
}

static void free_scene(scene *s) {
    abut_world_destroy(&s->world);
    abut_mesh_destroy(&s->mesh);
    for (uint32_t k = 0; k < PARTS; k++) {
        abut_mesh_destroy(&s->single[k]);
    }
}

static void random_question(scene *s, rng *r) {
    const abut_vec3 half = rng_vec3(r, 0.05, 1.5);
    const abut_shape shapes[4] = {abut_point(), abut_box(half.x, half.y, half.z), abut_sphere(half.x),
                                  abut_capsule(half.x, half.y / 2)};
    s->shape = shapes[rng_below(r, 4)];
    s->at = random_pose(r, 5);
    s->refused = rng_chance(r, 0.5) ? 0 : rng_below(r, 32);
}

static float distance_of(const scene *s, int ground, uint32_t part, abut_vec3 *there) {
    const abut_shape triangle = {.mesh = s->single[part]};
    return abut_shape_distance(&s->shape, &s->at, &triangle, &s->pose[ground], NULL, there);
}

static int ground_of(const scene *s, abut_body_id id) {
    int k = 0;
    while (k < GROUNDS && !abut_body_id_equal(s->ground[k], id)) {
        k++;
    }
    return k;
}

static bool refuses(const scene *s, uint32_t part) {
    return s->refused >> part % 5 & 1;
}

/* Refuses triangles, and says no of those that are not met: then what is expected is not found. */
static bool accepts(const abut_candidate *candidate, void *context) {
    const scene *s = context;
    int ground = ground_of(s, candidate->body);
    if (ground == GROUNDS) {
        return candidate->part == 0;
    }
    if (!(distance_of(s, ground, candidate->part, NULL) <= s->reach)) {
        check_case(false, "asked about a triangle that is not met", s->stream, candidate->part);
    }
    return !refuses(s, candidate->part);
}

/* The accepted triangle of least distance, the lowest of several; PARTS if there is none. */
static uint32_t nearest_part(const scene *s, int ground, float *least) {
    uint32_t best = PARTS;
    *least = INFINITY;
    for (uint32_t part = 0; part < PARTS; part++) {
        float distance = refuses(s, part) ? INFINITY : distance_of(s, ground, part, NULL);
        best = distance < *least ? part : best;
        *least = distance < *least ? distance : *least;
    }
    return best;
}

static bool is_listed(const abut_body_id *ids, size_t n, abut_body_id id) {
    bool listed = false;
    for (size_t k = 0; k < n; k++) {
        listed = listed || abut_body_id_equal(ids[k], id);
    }
    return listed;
}

/* The functions for two shapes say of a mesh what they say of its nearest triangle. */
static void check_pair(scene *s, int ground, unsigned long k) {
    const abut_shape mesh = {.mesh = s->mesh};
    uint32_t refused = s->refused;
    abut_vec3 here, there, on;
    float least;
    s->refused = 0;
    (void)nearest_part(s, ground, &least);
    s->refused = refused;
    float distance = abut_shape_distance(&s->shape, &s->at, &mesh, &s->pose[ground], &here, &there);
    check_case(distance == least, "distance", s->stream, k);
    check_case(abut_shape_overlap(&s->shape, &s->at, &mesh, &s->pose[ground]) == (least == 0), "overlap", s->stream, k);
    bool on_any = false;
    for (uint32_t part = 0; part < PARTS && !on_any; part++) {
        on_any = distance_of(s, ground, part, &on) == least && bits_equal(&on, &there, sizeof on);
    }
    check_case(on_any, "on the nearest triangle", s->stream, k);
    const double d[3] = {(double)here.x - there.x, (double)here.y - there.y, (double)here.z - there.z};
    double apart = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    check_case(fabs(apart - (double)least) < 1e-5, "apart by it", s->stream, k);
    assert_false(abut_shape_overlap(&mesh, &s->pose[ground], &s->shape, &s->at));
    assert_true(isnan(abut_shape_distance(&mesh, &s->pose[ground], &s->shape, &s->at, NULL, NULL)));
    const abut_aabb bounds = abut_shape_bounds(&mesh, &s->pose[ground]);
    abut_aabb expected;
    assert_int_equal(abut_body_get_bounds(s->world, s->ground[ground], &expected), ABUT_OK);
    check_case(bits_equal(&bounds, &expected, sizeof bounds), "bounds", s->stream, k);
}

static void check_overlaps(scene *s, const abut_query *query, unsigned long k) {
    abut_body_id ids[BODIES + GROUNDS], again[BODIES + GROUNDS];
    size_t end, n = abut_world_overlaps(s->world, &s->shape, &s->at, query, ids, BODIES + GROUNDS);
    for (int ground = 0; ground < GROUNDS; ground++) {
        float least;
        (void)nearest_part(s, ground, &least);
        check_case(is_listed(ids, n, s->ground[ground]) == (least == 0), "overlaps", s->stream, k);
        check_pair(s, ground, k);
    }
    for (size_t i = 1; i < n; i++) {
        check_case(ids[i - 1].index1 < ids[i].index1, "each body once, ascending", s->stream, k);
    }
    assert_int_equal(abut_world_overlaps_many(s->world, &s->shape, &s->at, 1, query, again, BODIES + GROUNDS, &end),
                     ABUT_OK);
    check_case(end == n && bits_equal(ids, again, n * sizeof *ids), "overlaps of many", s->stream, k);
}

/* An answer about a ground is that about its nearest triangle. */
static void check_near(const scene *s, const abut_near *near, size_t n, float max_distance, unsigned long k) {
    for (size_t i = 0; i < n; i++) {
        check_case(i == 0 || near[i - 1].distance <= near[i].distance, "in order", s->stream, k);
    }
    for (int ground = 0; ground < GROUNDS; ground++) {
        float least;
        uint32_t part = nearest_part(s, ground, &least), found = 0;
        for (size_t i = 0; i < n; i++) {
            if (abut_body_id_equal(near[i].body, s->ground[ground])) {
                abut_vec3 there = {0, 0, 0};
                found++;
                bool as_near = !refuses(s, near[i].part) && distance_of(s, ground, near[i].part, &there) == least;
                /* Doubles may differ where floats do not. */
                check_case(as_near && near[i].distance == least && (near[i].part == part || least > 0) &&
                               bits_equal(&near[i].position, &there, sizeof there),
                           "the nearest triangle", s->stream, k);
            }
        }
        bool expected = part < PARTS && least <= max_distance;
        check_case(found == expected, "near enough", s->stream, k);
    }
}

static void check_nearest(scene *s, const abut_query *query, float max_distance, unsigned long k) {
    enum { ALL = BODIES + GROUNDS };
    abut_near all[ALL], some[ALL], many[ALL];
    s->reach = max_distance;
    size_t n = abut_world_nearest(s->world, &s->shape, &s->at, max_distance, query, all, ALL);
    check_near(s, all, n, max_distance, k);
    for (size_t few = 1; few <= n; few += 3) {
        size_t found = abut_world_nearest(s->world, &s->shape, &s->at, max_distance, query, some, few);
        check_case(found == few && bits_equal(some, all, few * sizeof *all), "the first few", s->stream, k);
    }
    if (s->shape.radius == 0 && s->shape.half.x == 0) {
        uint32_t count;
        assert_int_equal(abut_world_nearest_many(s->world, &s->at.position, 1, max_distance, query, many, ALL, &count),
                         ABUT_OK);
        check_case(count == n && bits_equal(many, all, n * sizeof *all), "nearest of many", s->stream, k);
    }
    s->reach = 0;
}

static bool comes_before(const abut_touching *a, const abut_touching *b) {
    return a->body.index1 < b->body.index1 || (a->body.index1 == b->body.index1 && a->part < b->part);
}

/* Returns how many triangles touch. */
static size_t check_collide(scene *s, float margin, unsigned long k) {
    enum { ALL = BODIES + GROUNDS * PARTS, FEW = 7 };
    static abut_touching all[ALL], kept[ALL], few[FEW];
    const abut_query query = {.accept = accepts, .context = s};
    uint32_t refused = s->refused;
    s->refused = 0;
    s->reach = margin;
    size_t n = abut_world_collide(s->world, &s->shape, &s->at, margin, &query, all, ALL), left = 0, parts = 0;
    s->refused = refused;
    check_case(n <= ALL && abut_world_collide(s->world, &s->shape, &s->at, margin, NULL, NULL, 0) == n, "counted",
               s->stream, k);
    for (size_t i = 0; i < n; i++) {
        int ground = ground_of(s, all[i].body);
        check_case(i == 0 || comes_before(&all[i - 1], &all[i]), "sorted", s->stream, k);
        check_case(all[i].manifold.count > 0 && (ground == GROUNDS ? all[i].part == 0 : all[i].part < PARTS), "parts",
                   s->stream, k);
        if (ground == GROUNDS || !refuses(s, all[i].part)) {
            kept[left++] = all[i];
        }
        parts += ground < GROUNDS;
    }
    size_t again = abut_world_collide(s->world, &s->shape, &s->at, margin, &query, all, ALL);
    check_case(again == left && bits_equal(all, kept, left * sizeof *all), "refused parts are missing", s->stream, k);
    again = abut_world_collide(s->world, &s->shape, &s->at, margin, &query, few, FEW);
    check_case(again == left && bits_equal(few, kept, (left < FEW ? left : FEW) * sizeof *few), "the first few",
               s->stream, k);
    s->reach = 0;
    return parts;
}

static void answers_follow_from_each_triangle(void **state) {
    (void)state;
    scene s;
    size_t share = test_count(48), parts = 0;
    for (uint64_t stream = 0; stream < share; stream++) {
        make_scene(stream, &s);
        rng r = rng_make(test_seed(), 1000 + stream);
        const abut_query query = {.accept = accepts, .context = &s};
        (void)abut_world_overlaps(s.world, &s.shape, &s.at, NULL, NULL, 0);
        size_t calls = s.books.calls;
        for (unsigned long k = 0; k < 12; k++) {
            random_question(&s, &r);
            check_overlaps(&s, &query, k);
            check_nearest(&s, &query, rng_chance(&r, 0.3) ? INFINITY : (float)rng_range(&r, 0, 6), k);
            parts += check_collide(&s, k % 2 ? 0 : (float)rng_range(&r, 0, 0.5), k);
        }
        assert_int_equal(s.books.calls, calls);
        free_scene(&s);
        assert_true(failing_allocator_clean(&s.books));
    }
    assert_true(parts >= share / 8);
}

static void bounds_of_meshes_are_found(void **state) {
    (void)state;
    scene s;
    make_scene(1, &s);
    rng r = rng_make(test_seed(), 1);
    for (int k = 0; k < 200; k++) {
        const abut_vec3 p = rng_vec3(&r, -6, 6), h = rng_vec3(&r, 0, 1);
        const abut_aabb box = {{p.x - h.x, p.y - h.y, p.z - h.z}, {p.x + h.x, p.y + h.y, p.z + h.z}};
        abut_body_id ids[BODIES + GROUNDS];
        size_t n = abut_world_in_bounds(s.world, &box, NULL, ids, BODIES + GROUNDS);
        for (int ground = 0; ground < GROUNDS; ground++) {
            abut_aabb own;
            assert_int_equal(abut_body_get_bounds(s.world, s.ground[ground], &own), ABUT_OK);
            bool touch = own.min.x <= box.max.x && box.min.x <= own.max.x && own.min.y <= box.max.y &&
                         box.min.y <= own.max.y && own.min.z <= box.max.z && box.min.z <= own.max.z;
            assert_int_equal(is_listed(ids, n, s.ground[ground]), touch);
        }
    }
    free_scene(&s);
}

/* Distances are compared as callers see them: rounded to floats. */
static void the_greatest_distance_is_one_of_floats(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(2, 4, 0, 1);
    abut_world *world = make_world(NULL);
    (void)add_ground(world, mesh, 0, 0, 0);
    const abut_shape point = abut_point();
    const float beyond = nextafterf(1, 2);
    abut_near near;
    for (int k = 0; k < 2; k++) { /* the point, and the limit */
        for (int l = 0; l < 2; l++) {
            const abut_pose pose = pose_at(0.5f, k ? beyond : 1, 0.25f);
            size_t n = abut_world_nearest(world, &point, &pose, l ? beyond : 1, NULL, &near, 1);
            assert_int_equal(n, k <= l);
            assert_true(n == 0 || near.distance == pose.position.y);
        }
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

static void meshes_are_no_questions(void **state) {
    (void)state;
    scene s;
    make_scene(2, &s);
    const abut_shape mesh = {.mesh = s.mesh};
    const abut_pose pose = pose_at(0, 0, 0);
    abut_near near;
    abut_touching touching;
    abut_body_id id;
    size_t end = 7;
    assert_int_equal(abut_world_overlaps(s.world, &mesh, &pose, NULL, &id, 1), 0);
    assert_int_equal(abut_world_overlaps_many(s.world, &mesh, &pose, 1, NULL, &id, 1, &end), ABUT_ERROR_ARGUMENT);
    assert_int_equal(end, 0);
    assert_int_equal(abut_world_collide(s.world, &mesh, &pose, 0, NULL, &touching, 1), 0);
    assert_int_equal(abut_world_nearest(s.world, &mesh, &pose, INFINITY, NULL, &near, 1), 0);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_follow_from_each_triangle),
        cmocka_unit_test(bounds_of_meshes_are_found),
        cmocka_unit_test(the_greatest_distance_is_one_of_floats),
        cmocka_unit_test(meshes_are_no_questions),
    };
    return test_run(tests);
}
