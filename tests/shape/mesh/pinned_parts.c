/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what the stages of a mesh make of triangles, what walks through one look at, and what the
 * shape table says of it, as numbers. */
#include "shape/mesh/edges.h"
#include "shape/mesh/soups.h"
#include "shape/mesh/tree.h"
#include "shape/shape.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/wild.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOUPS = 300, ITEMS = 5000, WALKS = 12 };

/* --- stages --- */

static abut_allocator plain_allocator(void) {
    static const abut_allocator none = {0};
    abut_allocator out;
    assert_true(abut_memory_init(&out, &none));
    return out;
}

static void fill(const mesh_soup *from, abut_soup *to) {
    for (size_t v = 0; v < from->def.vertex_count; v++) {
        const abut_vec3 at = from->vertex[v];
        to->vertex[v] = (abut_vec3){at.x + 0.0F, at.y + 0.0F, at.z + 0.0F};
    }
    memcpy(to->corner, from->index, 3 * from->def.triangle_count * sizeof *to->corner);
    to->two_sided = from->def.two_sided;
}

/* Some triangles are holes. */
static void cut_holes(rng *r, abut_soup *soup) {
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        if (rng_chance(r, 0.1)) {
            memset(soup->corner + 3 * (size_t)t, 0xff, 3 * sizeof *soup->corner);
        }
    }
}

static void mix_welded(const abut_soup *soup, uint64_t *digest) {
    static uint32_t area[(SOUP_TRIANGLES + 31) / 32], sides[3 * SOUP_TRIANGLES];
    digest_number(digest, soup->vertex_count);
    digest_words(digest, soup->vertex, soup->vertex_count * sizeof *soup->vertex);
    digest_words(digest, soup->corner, 3 * soup->triangle_count * sizeof *soup->corner);
    digest_words(digest, soup->ghost, abut_soup_words(soup->triangle_count) * sizeof *soup->ghost);
    memset(area, 0, sizeof area);
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        if (abut_edges_has_area(soup, t)) {
            abut_soup_set_bit(area, t);
        }
    }
    digest_words(digest, area, sizeof area);
    digest_number(digest, (uint64_t)abut_edges_make(soup, area, sides));
    digest_words(digest, sides, 3 * soup->triangle_count * sizeof *sides);
}

static void stages(uint64_t *digest) {
    static mesh_soup from;
    const abut_allocator allocator = plain_allocator();
    for (uint64_t k = 0; k < SOUPS; k++) {
        rng r = rng_make(101, k);
        abut_soup soup;
        mesh_soup_make(102, k, &from);
        digest_number(digest, (uint64_t)abut_soup_make_room(&soup, from.def.vertex_count,
                                                            (uint32_t)from.def.triangle_count, &allocator));
        digest_number(digest, soup.bytes);
        fill(&from, &soup);
        if (k % 2) {
            cut_holes(&r, &soup);
        }
        digest_number(digest, (uint64_t)abut_soup_weld(&soup));
        mix_welded(&soup, digest);
        digest_number(digest, (uint64_t)abut_soup_weld(&soup)); /* once more: nothing changes */
        digest_number(digest, soup.vertex_count);
        abut_soup_release(&soup);
    }
}

static void checks(uint64_t *digest) {
    const float odd[] = {
        0,        1,  ABUT_MAX_COORDINATE, -ABUT_MAX_COORDINATE, nextafterf(ABUT_MAX_COORDINATE, INFINITY), -INFINITY,
        INFINITY, NAN};
    for (uint32_t k = 0; k < 512; k++) {
        const abut_vec3 v = {odd[k & 7], odd[k >> 3 & 7], odd[k >> 6]};
        digest_number(digest, (uint64_t)abut_soup_check(v));
    }
    for (uint32_t n = 0; n < 200; n++) {
        digest_number(digest, abut_soup_words(n));
    }
}

/* --- the order of leaves --- */

static void orders(uint64_t *digest) {
    static abut_tree_item item[ITEMS];
    for (uint64_t k = 0; k < 160; k++) {
        rng r = rng_make(103, k);
        const uint32_t n = k < 100 ? 1 + (uint32_t)k : 1 + rng_below(&r, k % 4 ? 600 : ITEMS);
        const uint32_t kinds = 1 + rng_below(&r, k % 2 ? 8 : 100000);
        for (uint32_t i = 0; i < n; i++) {
            item[i].number = i;
            for (int x = 0; x < 3; x++) {
                const float at = (float)rng_below(&r, kinds) / 64;
                item[i].middle[x] = k % 5 == 1 ? (float)i : k % 5 == 2 ? (float)(n - i) : at;
            }
        }
        abut_tree_sort(item, n);
        for (uint32_t i = 0; i < n; i++) {
            digest_number(digest, item[i].number);
        }
    }
}

/* --- walks --- */

/* The box often ends exactly at vertices, or beside them; it may be a point, infinite, or inside out. */
static void box_of(rng *r, const abut_mesh *mesh, float min[3], float max[3]) {
    const abut_vec3 *vertex = abut_mesh_vertices(mesh);
    const float *a = &vertex[rng_below(r, mesh->vertex_count)].x, *b = &vertex[rng_below(r, mesh->vertex_count)].x;
    const bool point = rng_chance(r, 0.3), all = rng_chance(r, 0.1);
    for (int i = 0; i < 3; i++) {
        min[i] = fminf(a[i], point ? a[i] : b[i]);
        max[i] = fmaxf(a[i], point ? a[i] : b[i]);
        min[i] = all || rng_chance(r, 0.1) ? -INFINITY : rng_chance(r, 0.2) ? nextafterf(min[i], INFINITY) : min[i];
        max[i] = all || rng_chance(r, 0.1) ? INFINITY : rng_chance(r, 0.2) ? nextafterf(max[i], -INFINITY) : max[i];
    }
}

/* The places, and where the walk is after each call. */
static void mix_walk(rng *r, const abut_mesh *mesh, uint64_t *digest) {
    enum { MOST = 40 };
    abut_mesh_walk walk;
    uint32_t place[MOST], count;
    float min[3], max[3];
    const uint32_t capacity = ABUT_MESH_LEAF + rng_below(r, MOST - ABUT_MESH_LEAF + 1);
    box_of(r, mesh, min, max);
    abut_mesh_walk_begin(mesh, min, max, &walk);
    digest_words(digest, walk.min, sizeof walk.min);
    digest_words(digest, walk.max, sizeof walk.max);
    do {
        count = abut_mesh_walk_next(mesh, &walk, place, capacity);
        digest_number(digest, (uint64_t)count << 32 | walk.level);
        digest_words(digest, place, count * sizeof *place);
        for (uint32_t l = walk.level; l <= mesh->levels; l++) {
            digest_number(digest, (uint64_t)walk.child[l] << 32 | walk.pending[l]);
        }
    } while (count > 0);
}

static abut_mesh *soup_mesh(uint64_t k) {
    static mesh_soup soup;
    abut_mesh *mesh = NULL;
    mesh_soup_make(104, k, &soup);
    (void)abut_mesh_create(&soup.def, &mesh);
    return mesh;
}

/* A terrain whose tree has four levels. */
static abut_mesh *deep_mesh(void) {
    enum { SIDE = 80 };
    static float height[SIDE * SIDE];
    rng r = rng_make(105, 0);
    abut_mesh *mesh = NULL;
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = rng_chance(&r, 0.03) ? NAN : (float)rng_below(&r, 5) / 4;
    }
    const abut_mesh_grid_def def = {.heights = height, .columns = SIDE, .rows = SIDE, .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
    return mesh;
}

static void walks(uint64_t *digest) {
    abut_mesh *deep = deep_mesh();
    rng of_deep = rng_make(106, SOUPS);
    for (uint64_t k = 0; k < SOUPS; k++) {
        rng r = rng_make(106, k);
        abut_mesh *mesh = soup_mesh(k);
        for (int i = 0; i < WALKS && mesh; i++) {
            mix_walk(&r, mesh, digest);
        }
        mix_walk(&of_deep, deep, digest);
        abut_mesh_destroy(&mesh);
    }
    abut_mesh_destroy(&deep);
}

/* --- the shape table --- */

static void mix_edge(abut_d3 from, abut_d3 to, void *context) {
    digest_d3(context, from);
    digest_d3(context, to);
}

static void mix_class(rng *r, const abut_mesh *mesh, uint64_t *digest) {
    const abut_shape shape = {.mesh = mesh};
    const double away = rng_chance(r, 0.5) ? 0 : wild_size(r, -10, 20);
    const abut_vec3 to = rng_direction(r);
    const abut_pose pose = {{(float)(away * (double)to.x), (float)(away * (double)to.y), (float)(away * (double)to.z)},
                            wild_rotation(r)};
    abut_collider c;
    assert_true(abut_collider_from_shape_or_mesh(&shape, &pose, &c));
    const abut_shape_class *class = abut_shape_of(&c);
    const abut_aabb bounds = class->bounds(&c);
    const abut_obb box = class->local_obb(&c);
    digest_number(digest, class->valid(&c));
    digest_words(digest, &bounds, sizeof bounds);
    digest_words(digest, &box, sizeof box);
    digest_double(digest, class->extent(&c));
    for (uint32_t i = 0; i < class->corner_count(&c); i++) {
        digest_d3(digest, class->corner(&c, i));
    }
    for (int k = 0; k < 8; k++) {
        abut_d3 direction = abut_d3_from(rng_direction(r));
        direction.x[k % 3] = k < 3 ? 0 : direction.x[k % 3];
        digest_d3(digest, class->support(&c, direction));
    }
    class->edges(&c, mix_edge, digest);
    digest_number(digest, class->hash(&c, 7));
    digest_number(digest, (uint64_t) class->compare(&c, &c));
    c.radius = 0x1p-149F;
    digest_number(digest, class->valid(&c));
}

static void classes(uint64_t *digest) {
    for (uint64_t k = 0; k < SOUPS; k++) {
        rng r = rng_make(107, k);
        abut_mesh *mesh = soup_mesh(k);
        if (mesh) {
            mix_class(&r, mesh, digest);
        }
        abut_mesh_destroy(&mesh);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"stages", stages, UINT64_C(0x455b3782e0f22dc1)},   {"checks", checks, UINT64_C(0xda9f2acaa1f91d74)},
        {"orders", orders, UINT64_C(0x9eda16389f780caf)},   {"walks", walks, UINT64_C(0x1e185c0a2c80945c)},
        {"classes", classes, UINT64_C(0x650c3a52c4f286a1)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
