/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What touches a mesh at its start is hit at 0, with CLOSING, exactly where a part of the contact says so:
 * abut_world_collide is the judge. */

#include "support/mesh_families.h"
#include "world/grounds.h"
#include <math.h>

enum { SHAPES = 6, LIST = 4096 };

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
    shape[5] = (abut_shape){.hull = *hull, .radius = 0.125f};
}

static double along(abut_vec3 a, abut_vec3 b) {
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

static abut_vec3 moved(abut_vec3 from, double by, abut_vec3 way) {
    return (abut_vec3){(float)(from.x + by * way.x), (float)(from.y + by * way.y), (float)(from.z + by * way.z)};
}

/* A ground: flat, nearly flat, hills, a family, in two chunks now and then, whose ghosts are each other's triangles. */
typedef struct grounds {
    abut_world *world;
    abut_mesh *mesh[2];
} grounds;

static void make_grounds(rng *r, uint64_t i, grounds *g) {
    static const soup_family family[4] = {SOUP_FLAT, SOUP_RIDGES, SOUP_HILLS, SOUP_PYRAMID};
    static soup whole, chunk;
    *g = (grounds){.world = make_world(NULL)};
    if (i % 3 == 0) {
        soup_make(test_seed(), i, family[rng_below(r, 4)], &whole);
        whole.ghost_count = 0;
        for (int k = 0; k < 2; k++) {
            soup_chunk(&whole, k == 0, &chunk);
            g->mesh[k] = soup_mesh(&chunk);
        }
    } else {
        const float rough = i % 9 == 1 ? 0 : (float)rng_log_range(r, 1e-4, 1);
        g->mesh[0] = make_ground(24, (float)rng_log_range(r, 0.15, 2), rough, i);
    }
    for (int k = 0; k < 2 && g->mesh[k]; k++) {
        (void)add_ground(g->world, g->mesh[k], 0, 0, 0);
    }
}

static void free_grounds(grounds *g) {
    abut_world_destroy(&g->world);
    abut_mesh_destroy(&g->mesh[0]);
    abut_mesh_destroy(&g->mesh[1]);
}

static bool meets(const grounds *g, const abut_cast *cast, abut_hit *hit) {
    assert_int_equal(abut_world_cast_shapes(g->world, cast, 1, NULL, hit), ABUT_OK);
    return hit->body.index1 > 0;
}

/* Lets a shape down, and presses it in a little. False: there is no ground. */
static bool stand(rng *r, const grounds *g, const abut_shape *shape, abut_pose *at) {
    static const double depth[4] = {0, 1e-5, 1e-3, 1e-2};
    abut_cast down = {.shape = *shape, .translation = {0, -16, 0}};
    abut_hit hit;
    down.from = pose_at((float)rng_range(r, -2, 2), 8, (float)rng_range(r, -2, 2));
    down.from.rotation = rng_chance(r, 0.3) ? (abut_quat){0, 0, 0, 1} : rng_rotation(r);
    if (!meets(g, &down, &hit)) {
        return false;
    }
    *at = down.from;
    at->position = moved(at->position, hit.fraction, down.translation);
    at->position = moved(at->position, -depth[rng_below(r, 4)], hit.normal);
    return true;
}

/* All the parts at the start. */
typedef struct contact {
    abut_touching part[LIST];
    size_t count;
} contact;

static void take_contact(const grounds *g, const abut_cast *cast, contact *c) {
    c->count = abut_world_collide(g->world, &cast->shape, &cast->from, 0, NULL, c->part, LIST);
    assert_true(c->count <= LIST);
}

/* Any way, one along the ground, or one along a part. */
static abut_vec3 some_way(rng *r, const contact *c) {
    abut_vec3 way = moved((abut_vec3){0, 0, 0}, rng_range(r, 0.1, 2), rng_direction(r));
    if (c->count > 0 && rng_chance(r, 0.5)) {
        const abut_vec3 n = c->part[rng_below(r, (uint32_t)c->count)].manifold.normal;
        return moved(way, -along(way, n), n);
    }
    way.y = rng_chance(r, 0.5) ? 0 : way.y;
    return way;
}

/* Whether a hit is at 0 although the contact does not have its body at all: rounding decides. */
static bool is_by_rounding(const contact *c, const abut_hit *hit) {
    for (size_t k = 0; k < c->count; k++) {
        if (abut_body_id_equal(c->part[k].body, hit->body)) {
            return false;
        }
    }
    return hit->fraction == 0;
}

/* Whether a way leads into what has this normal, beyond what rounding may show (cast.h). */
static bool leads_in(abut_vec3 way, abut_vec3 normal) {
    return along(way, normal) < -0x1p-49 * (fabs((double)way.x) + fabs((double)way.y) + fabs((double)way.z));
}

/* Whether the hits at 0 are the parts into which the way leads, in their order and with their normals. */
static bool are_parts(const contact *c, const abut_cast *cast, const abut_hit *hit, size_t n, size_t *hits) {
    size_t k = 0;
    for (size_t i = 0; i < c->count; i++) {
        const abut_touching *part = &c->part[i];
        if (!leads_in(cast->translation, part->manifold.normal)) {
            continue;
        }
        while (k < n && is_by_rounding(c, &hit[k])) {
            k++;
        }
        if (k == n || hit[k].fraction > 0 || hit[k].part != part->part ||
            !abut_body_id_equal(hit[k].body, part->body) ||
            memcmp(&hit[k].normal, &part->manifold.normal, sizeof hit[k].normal) != 0) {
            return false;
        }
        k++, ++*hits;
    }
    while (k < n && is_by_rounding(c, &hit[k])) {
        k++;
    }
    return k == n || hit[k].fraction > 0;
}

static void hits_at_the_start_are_parts(void **state) {
    (void)state;
    static contact c;
    static abut_hit hit[LIST];
    abut_hull *hull;
    abut_shape shape[SHAPES];
    size_t hits = 0, left = 0;
    make_shapes(shape, &hull);
    for (uint64_t i = 0; i < test_count(60); i++) {
        rng r = rng_make(test_seed(), i);
        grounds g;
        make_grounds(&r, i, &g);
        for (unsigned k = 0; k < 240; k++) {
            const abut_query query = {.every_part = true};
            abut_cast cast = {.shape = shape[k % SHAPES]};
            abut_hit first;
            if (!stand(&r, &g, &cast.shape, &cast.from)) {
                continue;
            }
            take_contact(&g, &cast, &c);
            cast.translation = some_way(&r, &c);
            const size_t before = hits, n = abut_world_shape_hits(g.world, &cast, &query, hit, LIST);
            assert_true(n <= LIST);
            check_case(are_parts(&c, &cast, hit, n, &hits), "every triangle", i, k);
            left += c.count > 0 && hits == before;
            check_case(meets(&g, &cast, &first) == (n > 0) && (n == 0 || memcmp(&first, hit, sizeof first) == 0),
                       "the first", i, k);
        }
        free_grounds(&g);
    }
    assert_true(hits > 400 && left > 200);
    abut_hull_destroy(&hull);
}

/* A ball that is a little deep in a floor touches the slope behind it, too, but only where that begins, which the floor
 * shows better. It goes on until it is as deep in the slope as in the floor; a way that leaves the slope meets nothing.
 */
static void what_others_show_is_met_later(void **state) {
    (void)state;
    const float rise = 0x1p-5f;
    const abut_vec3 vertex[6] = {{-4, 0, -4}, {-4, 0, 4}, {0, 0, 4}, {0, 0, -4}, {8, 8 * rise, 4}, {8, 8 * rise, -4}};
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = 6,
                               .indices = (uint32_t[]){0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5},
                               .triangle_count = 4};
    const abut_vec3 slope = moved((abut_vec3){0, 0, 0}, 1 / sqrt(1 + (double)rise * rise), (abut_vec3){-rise, 1, 0});
    const double depth = 0x1p-10;
    grounds g = {.world = make_world(NULL)};
    assert_int_equal(abut_mesh_create(&def, &g.mesh[0]), ABUT_OK);
    (void)add_ground(g.world, g.mesh[0], 0, 0, 0);
    for (unsigned k = 0; k < 40; k++) {
        rng r = rng_make(test_seed(), k);
        static contact c;
        abut_hit hit;
        abut_cast cast = {.shape = abut_sphere(0.5f)};
        cast.from = pose_at((float)rng_range(&r, -0.03, -0.02), (float)(0.5 - depth), (float)rng_range(&r, -1, 1));
        cast.translation = (abut_vec3){(float)rng_range(&r, 0.5, 2), 0, (float)rng_range(&r, -1, 1)};
        take_contact(&g, &cast, &c);
        assert_true(c.count == 1 && c.part[0].part < 2);
        check_case(meets(&g, &cast, &hit) && hit.part >= 2 && hit.fraction > 0, "the slope", 0, k);
        const abut_vec3 there = moved(cast.from.position, hit.fraction, cast.translation);
        const double deep = 0.5 - along(slope, there);
        check_case(along(hit.normal, slope) > 1 - 1e-6 && fabs(deep - depth) < 1e-5, "as deep as in the floor", 0, k);
        cast.translation.y = cast.translation.x * 0x1.2p-5f;
        check_case(!meets(&g, &cast, &hit), "over the slope", 0, k);
    }
    free_grounds(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_at_the_start_are_parts),
        cmocka_unit_test(what_others_show_is_met_later),
    };
    return test_run(tests);
}
