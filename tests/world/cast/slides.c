/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is in touch with a mesh slides over it, from triangle to triangle: casts and sweeps with CLOSING meet a triangle
 * only where they lead into the surface. */

#include "support/mesh_families.h"
#include "world/grounds.h"
#include <math.h>

enum { SHAPES = 5, FLOORS = 3 * SOUP_FLOORS };

/* Each is about a unit large. */
static void make_shapes(abut_shape shape[SHAPES], abut_hull **hull) {
    const abut_vec3 corner[6] = {{-0.5f, -0.25f, -0.5f}, {0.5f, -0.25f, -0.5f}, {0.375f, -0.25f, 0.5f},
                                 {-0.5f, -0.25f, 0.5f},  {0, 0.5f, 0.125f},     {0.25f, 0.25f, 0}};
    assert_int_equal(abut_hull_create(corner, 6, NULL, hull), ABUT_OK);
    shape[0] = abut_sphere(0.5f);
    shape[1] = abut_capsule(0.5f, 0.25f);
    shape[2] = abut_box(0.5f, 0.25f, 0.375f);
    shape[3] = (abut_shape){.half = {0.25f, 0.125f, 0.25f}, .radius = 0.125f};
    shape[4] = (abut_shape){.hull = *hull};
}

/* A flat floor, in two chunks now and then. */
typedef struct floors {
    abut_world *world;
    abut_mesh *mesh[2];
    float height, slope; /* over the origin; along x */
} floors;

static void add_chunk(floors *f, int k, const soup *s) {
    f->mesh[k] = soup_mesh(s);
    (void)add_ground(f->world, f->mesh[k], 0, f->height, 0);
}

static void make_floors(rng *r, uint64_t i, floors *f) {
    static soup whole, chunk;
    soup_make_floor(r, (soup_floor)(i % SOUP_FLOORS), &whole);
    *f = (floors){.world = make_world(NULL)};
    f->height = i / SOUP_FLOORS == 0 ? 0 : (float)rng_range(r, -50, 50);
    f->slope = i % 2 ? 0 : (float)rng_below(r, 5) / 8;
    soup_tilt(&whole, f->slope, 0);
    if (i / SOUP_FLOORS == 2) {
        soup_chunk(&whole, true, &chunk);
        add_chunk(f, 0, &chunk);
        soup_chunk(&whole, false, &chunk);
        add_chunk(f, 1, &chunk);
    } else {
        add_chunk(f, 0, &whole);
    }
}

static void free_floors(floors *f) {
    abut_world_destroy(&f->world);
    abut_mesh_destroy(&f->mesh[0]);
    abut_mesh_destroy(&f->mesh[1]);
}

static abut_vec3 normal_of(const floors *f) {
    const float length = sqrtf(1 + f->slope * f->slope);
    return (abut_vec3){-f->slope / length, 1 / length, 0};
}

static double along(abut_vec3 a, abut_vec3 b) {
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

static abut_vec3 moved(abut_vec3 from, double by, abut_vec3 way) {
    return (abut_vec3){(float)(from.x + by * way.x), (float)(from.y + by * way.y), (float)(from.z + by * way.z)};
}

static abut_quat any_turn(rng *r) {
    return rng_chance(r, 0.3) ? (abut_quat){0, 0, 0, 1} : rng_rotation(r);
}

/* Lets a shape down on the floor, somewhere near the middle, then moves it by `deeper`. */
static abut_pose stand(rng *r, const floors *f, const abut_shape *shape, double reach, double deeper) {
    abut_cast down = {.shape = *shape, .translation = {0, -16, 0}};
    abut_hit hit;
    down.from = pose_at((float)rng_range(r, -reach, reach), f->height + 8, (float)rng_range(r, -reach, reach));
    down.from.rotation = any_turn(r);
    assert_int_equal(abut_world_cast_shapes(f->world, &down, 1, NULL, &hit), ABUT_OK);
    assert_true(hit.body.index1 > 0 && along(hit.normal, normal_of(f)) > 1 - 1e-6);
    abut_pose at = down.from;
    at.position = moved(at.position, hit.fraction, down.translation);
    at.position = moved(at.position, -deeper, normal_of(f));
    return at;
}

/* Exactly touching as far as floats go, a little less or more, deep. */
static double some_depth(rng *r) {
    static const double depth[5] = {0, 1e-6, -1e-6, 1e-4, 0.03};
    return depth[rng_below(r, 5)];
}

/* A way along the floor, turned away from it by `out` of its length. */
static abut_vec3 way_along(rng *r, const floors *f, double out) {
    const double length = rng_range(r, 0.5, 4), turn = rng_range(r, 0, 6.283185307);
    const double x = length * cos(turn), z = length * sin(turn);
    return moved((abut_vec3){(float)x, (float)(x * f->slope), (float)z}, out * length, normal_of(f));
}

static bool meets(const abut_world *world, const abut_cast *cast, abut_hit *hit) {
    assert_int_equal(abut_world_cast_shapes(world, cast, 1, NULL, hit), ABUT_OK);
    return hit->body.index1 > 0;
}

static void casts_slide_over_flat_floors(void **state) {
    (void)state;
    abut_hull *hull;
    abut_shape shape[SHAPES];
    make_shapes(shape, &hull);
    for (uint64_t i = 0; i < FLOORS; i++) {
        rng r = rng_make(test_seed(), i);
        floors f;
        make_floors(&r, i, &f);
        for (unsigned k = 0; k < test_count(400); k++) {
            const double depth = some_depth(&r), hair = 0x1p-13;
            abut_cast cast = {.shape = shape[k % SHAPES]};
            abut_hit hit;
            cast.from = stand(&r, &f, &cast.shape, 3, depth);
            bool level = f.slope == 0 && depth >= 0 && rng_chance(&r, 0.3); /* in floats, too */
            cast.translation = way_along(&r, &f, level ? 0 : depth < 0 ? 1e-5 : hair);
            if (level) {
                cast.translation.y = 0;
            }
            check_case(!meets(f.world, &cast, &hit), "along the floor", i, k);
            cast.translation = way_along(&r, &f, -0.25);
            check_case(meets(f.world, &cast, &hit) && along(hit.normal, normal_of(&f)) > 1 - 1e-6 &&
                           hit.fraction < 1e-4f,
                       "into the floor", i, k);
        }
        free_floors(&f);
    }
    abut_hull_destroy(&hull);
}

/* Who slides still meets what stands on the floor, a wall of triangles, whose lower edge is an inner one. */
static void casts_that_slide_meet_walls(void **state) {
    (void)state;
    const abut_vec3 vertex[6] = {{-8, 0, -8}, {-8, 0, 8}, {2, 0, 8}, {2, 0, -8}, {2, 4, 8}, {2, 4, -8}};
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = 6,
                               .indices = (uint32_t[]){0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5},
                               .triangle_count = 4};
    abut_hull *hull;
    abut_shape shape[SHAPES];
    abut_mesh *mesh;
    abut_world *world = make_world(NULL);
    make_shapes(shape, &hull);
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    (void)add_ground(world, mesh, 0, 0, 0);
    floors f = {.world = world};
    for (unsigned k = 0; k < test_count(400); k++) {
        rng r = rng_make(test_seed(), k);
        abut_cast cast = {.shape = shape[k % SHAPES]};
        abut_hit hit;
        cast.from = stand(&r, &f, &cast.shape, 1, fabs(some_depth(&r)));
        cast.from.position.x -= 3;
        cast.translation = (abut_vec3){9, 0x1p-10f, (float)rng_range(&r, -1, 1)};
        check_case(meets(world, &cast, &hit) && hit.part >= 2 && hit.normal.x == -1 && hit.fraction > 0.1f, "a wall", 0,
                   k);
    }
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
    abut_hull_destroy(&hull);
}

/* On uneven ground every hit leads inward, but for outer edges, which are grazed to within rounding. */
static void hits_on_hills_lead_inward(void **state) {
    (void)state;
    abut_hull *hull;
    abut_shape shape[SHAPES];
    size_t hits = 0, later = 0;
    make_shapes(shape, &hull);
    for (uint64_t i = 0; i < test_count(30); i++) {
        static abut_hit hit[512];
        rng r = rng_make(test_seed(), i);
        floors f = {.world = make_world(NULL)};
        f.mesh[0] = make_ground(12, 0.75f, (float)rng_range(&r, 0.1, 1), i);
        (void)add_ground(f.world, f.mesh[0], 0, 0, 0);
        for (unsigned k = 0; k < 60; k++) {
            abut_cast cast = {.shape = shape[k % SHAPES], .translation = {0, -16, 0}};
            const abut_query query = {.every_part = true};
            cast.from = pose_at((float)rng_range(&r, -3, 3), 8, (float)rng_range(&r, -3, 3));
            cast.from.rotation = any_turn(&r);
            assert_true(meets(f.world, &cast, hit));
            cast.from.position = moved(cast.from.position, hit[0].fraction, cast.translation);
            cast.from.position = moved(cast.from.position, -fabs(some_depth(&r)), hit[0].normal);
            cast.translation = rng_vec3(&r, -2, 2);
            size_t n = abut_world_shape_hits(f.world, &cast, &query, hit, 512);
            assert_true(n <= 512);
            for (size_t h = 0; h < n; h++) {
                check_case(along(hit[h].normal, cast.translation) < 1e-6, "against the way", i, k);
                later += hit[h].fraction > 0;
            }
            hits += n;
        }
        abut_world_destroy(&f.world);
        abut_mesh_destroy(&f.mesh[0]);
    }
    assert_true(hits > 100 && later > 50);
    abut_hull_destroy(&hull);
}

/* --- sweeps --- */

/* How low a body reaches at a fraction of its way. */
static double lowest_at(const floors *f, abut_body_id body, const abut_pose *from, const abut_pose *to,
                        double fraction) {
    const abut_pose at = abut_pose_between(from, to, (float)fraction);
    abut_aabb bounds;
    assert_int_equal(abut_body_set_pose(f->world, body, &at), ABUT_OK);
    assert_int_equal(abut_body_get_bounds(f->world, body, &bounds), ABUT_OK);
    return bounds.min.y;
}

static abut_hit sweep(const floors *f, abut_body_id body, const abut_pose *from, const abut_pose *to, float allowance) {
    const abut_query query = {.allowance = allowance};
    abut_hit hit;
    assert_int_equal(abut_body_set_pose(f->world, body, from), ABUT_OK);
    assert_int_equal(abut_world_sweep(f->world, &body, to, 1, &query, &hit), ABUT_OK);
    return hit;
}

static abut_quat turned_a_little(rng *r, abut_quat q) {
    return (abut_quat){q.x + (float)rng_range(r, -0.2, 0.2), q.y + (float)rng_range(r, -0.2, 0.2),
                       q.z + (float)rng_range(r, -0.2, 0.2), q.w};
}

/* What is hit is the floor, where the body first comes deeper by the allowance; nothing of that depends on triangles.
 * Whatever leaves the floor on its way is not judged: it may do so for too short a time to be seen. */
static bool judge_sweep(const floors *f, abut_body_id body, const abut_pose *from, const abut_pose *to, float allowance,
                        size_t *judged) {
    enum { LOOKS = 64 };
    const abut_hit hit = sweep(f, body, from, to, allowance);
    const double least = lowest_at(f, body, from, to, 0) - allowance;
    double most = least, deepest = INFINITY;
    for (int k = 0; k <= LOOKS; k++) {
        const double now = lowest_at(f, body, from, to, (double)k / LOOKS);
        most = fmax(most, now);
        deepest = (double)k / LOOKS < hit.fraction ? fmin(deepest, now) : deepest;
    }
    if (most > f->height - 1e-3) {
        return true;
    }
    ++*judged;
    return deepest > least - 1e-4 &&
           (hit.body.index1 == 0 || (lowest_at(f, body, from, to, hit.fraction) < least + 2e-5 && hit.normal.x == 0 &&
                                     hit.normal.y == 1 && hit.normal.z == 0));
}

static void sweeps_slide_over_flat_floors(void **state) {
    (void)state;
    abut_hull *hull;
    abut_shape shape[SHAPES];
    size_t judged = 0, ways = 0;
    make_shapes(shape, &hull);
    for (uint64_t i = 1; i < FLOORS; i += 2) {
        rng r = rng_make(test_seed(), 100 + i);
        floors f;
        make_floors(&r, i, &f);
        for (unsigned k = 0; k < test_count(300); k++) {
            const abut_shape *s = &shape[k % SHAPES];
            const abut_body_def def = {.half = s->half, .hull = s->hull, .radius = s->radius};
            const abut_pose from = stand(&r, &f, s, 3, rng_range(&r, 2e-3, 0.1));
            const float allowance = rng_chance(&r, 0.5) ? 0 : (float)rng_range(&r, 0, 0.05);
            abut_pose to = from;
            to.position = moved(to.position, 1, way_along(&r, &f, rng_chance(&r, 0.4) ? 0 : rng_range(&r, -0.1, 0.02)));
            to.rotation = rng_chance(&r, 0.5) ? from.rotation : turned_a_little(&r, from.rotation);
            abut_body_id body = add_body(f.world, &def);
            check_case(judge_sweep(&f, body, &from, &to, allowance, &judged), "over a flat floor", i, k);
            assert_int_equal(abut_body_destroy(f.world, body), ABUT_OK);
            ways++;
        }
        free_floors(&f);
    }
    assert_true(judged > ways / 3);
    abut_hull_destroy(&hull);
}

/* Twice the area of a triangle as seen from above, with a sign. */
static double cross_of(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    return ((double)b.x - a.x) * ((double)c.z - a.z) - ((double)b.z - a.z) * ((double)c.x - a.x);
}

static const double near_by = 1e-3;

/* Whether a point lies on a triangle that is not upright. */
static bool is_on_triangle(const abut_vec3 corner[3], abut_vec3 at) {
    const double area = cross_of(corner[0], corner[1], corner[2]);
    double height = 0;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        const double share = cross_of(at, corner[(i + 1) % 3], corner[(i + 2) % 3]) / area;
        inside = inside && share > -near_by;
        height += share * corner[i].y;
    }
    return inside && fabs(height - at.y) < near_by;
}

/* Whether a hit lies on the triangle that it names, and on the body that gets there. */
static bool is_on_both(const abut_mesh *mesh, const abut_hit *hit, const abut_shape *shape, const abut_pose *there) {
    const abut_shape ball = abut_sphere((float)near_by);
    const abut_pose at = {hit->position, {0, 0, 0, 1}};
    abut_vec3 corner[3];
    assert_true(abut_mesh_triangle(mesh, hit->part, corner));
    return is_on_triangle(corner, hit->position) && abut_shape_overlap(shape, there, &ball, &at);
}

#define OTHER_RADIUS 0.25f

/* Where a ball is met a little after a fraction of the way, if the shape is a ball, too; else somewhere near. */
static abut_pose soon_met(rng *r, const abut_shape *shape, const abut_pose *from, const abut_pose *to, float fraction) {
    const abut_vec3 a = from->position, b = to->position, way = {b.x - a.x, b.y - a.y, b.z - a.z};
    const double length = sqrt(along(way, way)), later = rng_range(r, 0, 0.2);
    const bool ball = shape->radius == 0.5f;
    const double by = fraction + later + (0.5 + OTHER_RADIUS) / length;
    return (abut_pose){ball ? moved(a, by, way) : moved(a, 1, rng_vec3(r, -1, 1)), {0, 0, 0, 1}};
}

/* What rests on the ground and is pressed into it meets a triangle that it touches then. A body that it would meet
 * later changes nothing, however early it is found. */
static void sweeps_meet_what_they_name(void **state) {
    (void)state;
    abut_hull *hull;
    abut_shape shape[SHAPES];
    size_t grounds = 0, others = 0, ways = 0;
    make_shapes(shape, &hull);
    for (uint64_t i = 0; i < test_count(40); i++) {
        rng r = rng_make(test_seed(), i);
        floors f = {.world = make_world(NULL)};
        abut_body_id other;
        f.mesh[0] = make_ground(12, 0.75f, i % 2 ? 0 : (float)rng_range(&r, 0.01, 0.2), i);
        const abut_body_def of_other = {.radius = OTHER_RADIUS, .motion = ABUT_STATIC};
        assert_int_equal(abut_body_create(f.world, &of_other, &other), ABUT_OK);
        (void)add_ground(f.world, f.mesh[0], 0, 0, 0);
        for (unsigned k = 0; k < 200; k++) {
            const abut_shape *s = &shape[k % SHAPES];
            const abut_body_def def = {.half = s->half, .hull = s->hull, .radius = s->radius};
            const abut_query without = {.ignore = &other, .ignore_count = 1};
            abut_pose from = pose_at((float)rng_range(&r, -2, 2), 3, (float)rng_range(&r, -2, 2)), to;
            abut_cast down = {.shape = *s, .from = from, .translation = {0, -6, 0}};
            abut_hit hit, alone;
            assert_int_equal(abut_world_cast_shapes(f.world, &down, 1, &without, &hit), ABUT_OK);
            from.position = moved(from.position, hit.fraction, down.translation);
            to = from;
            to.position = moved(to.position, 1, rng_vec3(&r, -1.5, 1.5));
            to.position.y = from.position.y - (float)rng_range(&r, 0, 0.5);
            abut_body_id body = add_body(f.world, &def);
            assert_int_equal(abut_body_set_pose(f.world, body, &from), ABUT_OK);
            assert_int_equal(abut_world_sweep(f.world, &body, &to, 1, &without, &alone), ABUT_OK);
            const abut_pose beside = soon_met(&r, s, &from, &to, alone.fraction);
            assert_int_equal(abut_body_set_pose(f.world, other, &beside), ABUT_OK);
            assert_int_equal(abut_world_sweep(f.world, &body, &to, 1, NULL, &hit), ABUT_OK);
            const abut_pose there = abut_pose_between(&from, &to, alone.fraction);
            if (alone.body.index1 > 0) {
                check_case(is_on_both(f.mesh[0], &alone, s, &there), "where a sweep meets", i, k);
                grounds++;
            }
            if (abut_body_id_equal(hit.body, other)) {
                check_case(hit.fraction <= alone.fraction, "whom a sweep meets first", i, k);
                others++;
            } else {
                check_case(memcmp(&hit, &alone, sizeof hit) == 0, "beside another body", i, k);
            }
            ways++;
            assert_int_equal(abut_body_destroy(f.world, body), ABUT_OK);
        }
        free_floors(&f);
    }
    assert_true(grounds > ways / 8 && others > ways / 80);
    abut_hull_destroy(&hull);
}

/* A kerb along x, whose upper edge is the x axis: a mesh, a box or a hull. */
static abut_body_id add_kerb(abut_world *world, int kind, abut_mesh **mesh, abut_hull **hull) {
    static const abut_vec3 vertex[6] = {{-20, -1, 0}, {20, -1, 0}, {-20, 0, 0}, {20, 0, 0}, {-20, 0, 4}, {20, 0, 4}};
    static const uint32_t index[12] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};
    abut_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? 20 : -20, i & 2 ? 1 : -1, i & 4 ? 2 : -2};
    }
    const abut_mesh_def def = {.vertices = vertex, .vertex_count = 6, .indices = index, .triangle_count = 4};
    assert_int_equal(abut_mesh_create(&def, mesh), ABUT_OK);
    assert_int_equal(abut_hull_create(corner, 8, NULL, hull), ABUT_OK);
    abut_body_def body = {.motion = ABUT_STATIC, .half = {20, 1, 2}, .pose = pose_at(0, -1, 2)};
    body.hull = kind == 1 ? *hull : NULL;
    body.mesh = kind == 2 ? *mesh : NULL;
    body.pose.position = kind == 2 ? (abut_vec3){0, 0, 0} : body.pose.position;
    return add_body(world, &body);
}

/* Whoever lies on the edge moves along it: the normal has no part along the way but by rounding. */
static void casts_slide_along_a_kerb(void **state) {
    (void)state;
    abut_shape shape[SHAPES];
    abut_hull *own, *hull;
    abut_mesh *mesh;
    make_shapes(shape, &own);
    for (int kind = 0; kind < 3; kind++) {
        abut_world *world = make_world(NULL);
        (void)add_kerb(world, kind, &mesh, &hull);
        uint64_t lying = 0;
        const uint64_t rounds = test_count(2000);
        for (uint64_t i = 0; i < rounds; i++) {
            rng r = rng_make(test_seed() + 31, i);
            abut_hit hit;
            abut_cast cast = {.shape = shape[i % SHAPES], .translation = {0, -8, 0}};
            cast.from = pose_at((float)rng_range(&r, -5, 5), 5, (float)rng_range(&r, -0.4, 0.05));
            cast.from.rotation = rng_rotation(&r);
            assert_int_equal(abut_world_cast_shapes(world, &cast, 1, NULL, &hit), ABUT_OK);
            if (hit.body.index1 && hit.normal.z < -0.05f && hit.normal.y < 0.999f) { /* on the edge */
                cast.from.position.y += hit.fraction * cast.translation.y - (float)rng_below(&r, 3) * 5e-5f;
                cast.translation = (abut_vec3){rng_sign(&r) / 2, 0, 0};
                assert_int_equal(abut_world_cast_shapes(world, &cast, 1, NULL, &hit), ABUT_OK);
                assert_int_equal(hit.body.index1, 0);
                lying++;
            }
        }
        assert_true(lying > rounds / 8);
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
        abut_hull_destroy(&hull);
    }
    abut_hull_destroy(&own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_slide_over_flat_floors), cmocka_unit_test(casts_that_slide_meet_walls),
        cmocka_unit_test(hits_on_hills_lead_inward),    cmocka_unit_test(sweeps_slide_over_flat_floors),
        cmocka_unit_test(sweeps_meet_what_they_name),   cmocka_unit_test(casts_slide_along_a_kerb),
    };
    return test_run(tests);
}
