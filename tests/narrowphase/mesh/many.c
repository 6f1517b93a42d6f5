/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that touch some triangles, or hundreds: what a contact shows of a triangle is decided by it and its
 * neighbours. So each is asked again in a mesh of these alone, the triangles around them being ghosts: there patches
 * are few. But what is on the far side of a face, or on another one in the same plane, may show a way out that is
 * shorter than those of neighbours, to the triangle or to one that repeats it: then there is a triangle with which, and
 * with its neighbours, the answer is the same. Bodies are spheres, or sharp: a patch of a rounded box may have one
 * point more where it is known that the box itself overlaps. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 36, CELLS = SIDE - 1, TRIANGLES = 2 * CELLS * CELLS, STREAM = 1631 };

/* A grid of unit cells; two corners of a cell's diagonal are chosen by chance. */
typedef struct ground {
    float height[SIDE][SIDE];
    bool other[CELLS][CELLS];
    uint32_t index[TRIANGLES][3];
    abut_mesh *mesh;
} ground;

static abut_vec3 vertex_of(const ground *g, uint32_t v) {
    return (abut_vec3){(float)(v % SIDE), g->height[v / SIDE][v % SIDE], (float)(v / SIDE)};
}

static abut_mesh *mesh_of(const abut_vec3 *vertex, uint32_t vertices, uint32_t (*index)[3], uint32_t n,
                          uint32_t ghosts) {
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = vertices,
                               .indices = &index[0][0],
                               .triangle_count = n,
                               .ghost_count = ghosts};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static float height_at(rng *r, uint32_t kind, uint32_t i, uint32_t j) {
    const float x = (float)i, z = (float)j;
    switch (kind) {
    case 0:
        return 0;
    case 1:
        return 0.25f * x - 0.125f * z;
    case 2:
        return 0.25f * (float)((i / 3 + j / 3) % 2);
    case 3:
        return 0.4f * sinf(0.3f * x) * cosf(0.4f * z);
    case 4:
        return -0.005f * ((x - 17) * (x - 17) + (z - 17) * (z - 17));
    default:
        return (float)rng_range(r, 0, kind == 5 ? 0.05 : 0.3);
    }
}

static void make_ground(rng *r, uint32_t kind, ground *g) {
    static abut_vec3 vertex[SIDE * SIDE];
    uint32_t n = 0;
    const bool mixed = rng_chance(r, 0.5);
    for (uint32_t v = 0; v < SIDE * SIDE; v++) {
        g->height[v / SIDE][v % SIDE] = height_at(r, kind, v % SIDE, v / SIDE);
        vertex[v] = vertex_of(g, v);
    }
    for (uint32_t c = 0; c < CELLS * CELLS; c++) {
        const uint32_t a = c / CELLS * SIDE + c % CELLS, b = a + 1, d = a + SIDE, e = d + 1;
        const uint32_t one[2][3] = {{a, d, b}, {b, d, e}}, other[2][3] = {{a, d, e}, {a, e, b}};
        memcpy(g->index[n], mixed && rng_chance(r, 0.5) ? other : one, sizeof one);
        n += 2;
    }
    for (uint32_t i = n; --i > 0;) { /* triangles come in any order */
        const uint32_t k = rng_below(r, i + 1), size = sizeof g->index[0];
        uint32_t kept[3];
        memcpy(kept, g->index[i], size);
        memcpy(g->index[i], g->index[k], size);
        memcpy(g->index[k], kept, size);
    }
    g->mesh = mesh_of(vertex, SIDE * SIDE, g->index, n, 0);
}

/* What a contact shows, by triangle. */
typedef struct answer {
    bool hit;
    uint32_t count;
    abut_manifold manifold;
    abut_manifold of[TRIANGLES]; /* count 0: nothing */
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(part->part < TRIANGLES && a->of[part->part].count == 0 && part->manifold.count > 0);
    a->of[part->part] = part->manifold;
    a->count++;
}

static void ask(const abut_mesh *mesh, const abut_collider *body, float margin, answer *out) {
    const abut_shape surface = {.mesh = mesh};
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_collider c;
    assert_true(abut_collider_from_shape_or_mesh(&surface, &here, &c));
    memset(out, 0, sizeof *out);
    out->hit = abut_np_mesh_collide(&c, body, margin, keep, out, &out->manifold);
    assert_true(out->hit == abut_np_mesh_touches(&c, body, margin));
    assert_true(out->hit == (out->count > 0));
}

static float least_of(const abut_manifold *m) {
    float least = INFINITY;
    for (uint32_t i = 0; i < m->count; i++) {
        least = fminf(least, m->points[i].separation);
    }
    return least;
}

/* The contact's own manifold is led by a part of least separation, and is the same if nobody asks for parts. */
static void check_summary(const ground *g, const abut_collider *body, float margin, const answer *a) {
    abut_collider c;
    abut_manifold alone = {0};
    const abut_shape surface = {.mesh = g->mesh};
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    float least = INFINITY;
    uint32_t led = 0;
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        least = fminf(least, least_of(&a->of[t]));
    }
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        led += least_of(&a->of[t]) == least && memcmp(&a->of[t].normal, &a->manifold.normal, sizeof(abut_vec3)) == 0;
    }
    assert_true(led > 0 && least_of(&a->manifold) == least);
    assert_true(abut_collider_from_shape_or_mesh(&surface, &here, &c));
    assert_true(abut_np_mesh_collide(&c, body, margin, NULL, NULL, &alone));
    assert_memory_equal(&alone, &a->manifold, sizeof alone);
}

static bool shares_vertex(const uint32_t a[3], const uint32_t b[3]) {
    for (uint32_t k = 0; k < 9; k++) {
        if (a[k / 3] == b[k % 3]) {
            return true;
        }
    }
    return false;
}

static bool shares_with_any(const ground *g, uint32_t t, const uint32_t *part, uint32_t n) {
    bool shares = false;
    for (uint32_t k = 0; k < n; k++) {
        shares = shares || shares_vertex(g->index[t], g->index[part[k]]);
    }
    return shares;
}

/* The triangles at the corners of some, and then, as ghosts, those at the corners of these; both in the mesh's order.
 * Returns how many are no ghosts. */
static uint32_t around(const ground *g, const uint32_t *of, uint32_t count, uint32_t *part, uint32_t *n) {
    *n = 0;
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        if (shares_with_any(g, i, of, count)) {
            part[(*n)++] = i;
        }
    }
    const uint32_t solid = *n;
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        if (shares_with_any(g, i, part, solid) && !shares_with_any(g, i, of, count)) {
            part[(*n)++] = i;
        }
    }
    return solid;
}

/* Whether the first of some triangles shows the same in a mesh of these and their neighbours alone. */
static bool is_same(const ground *g, const abut_collider *body, float margin, const uint32_t *of, uint32_t count,
                    const answer *whole) {
    enum { NEAR = 256 };
    static answer few;
    uint32_t part[NEAR], n, index[NEAR][3], own = 0;
    abut_vec3 vertex[3 * NEAR];
    const uint32_t solid = around(g, of, count, part, &n);
    assert_true(n <= NEAR);
    for (uint32_t i = 0; i < n; i++) {
        own = part[i] == of[0] ? i : own;
        for (uint32_t k = 0; k < 3; k++) {
            index[i][k] = 3 * i + k;
            vertex[3 * i + k] = vertex_of(g, g->index[part[i]][k]);
        }
    }
    abut_mesh *mesh = mesh_of(vertex, 3 * n, index, n, n - solid);
    ask(mesh, body, margin, &few);
    abut_mesh_destroy(&mesh);
    return memcmp(&few.of[own], &whole->of[of[0]], sizeof *whole->of) == 0;
}

/* Returns whether a triangle is needed that is no neighbour. */
static bool check_triangle(const ground *g, const abut_collider *body, float margin, uint32_t t, const answer *whole) {
    uint32_t of[2] = {t, 0};
    if (is_same(g, body, margin, of, 1, whole)) {
        return false;
    }
    while (of[1] < TRIANGLES && !is_same(g, body, margin, of, 2, whole)) {
        of[1]++;
    }
    assert_true(of[1] < TRIANGLES);
    return true;
}

/* Over the middle of the ground, up to as large as all of it. */
static void make_body(rng *r, const ground *g, const abut_hull *hull, abut_collider *body) {
    abut_shape shape = {.half = {1, 1, 1}};
    const float size = rng_chance(r, 0.15) ? 15 : (float)rng_log_range(r, 1, 14);
    abut_pose pose = {{17 + (float)rng_range(r, -3, 3), 0, 17 + (float)rng_range(r, -3, 3)}, {0, 0, 0, 1}};
    switch (rng_below(r, 4)) {
    case 0:
        shape = abut_sphere(3 * size);
        break;
    case 1:
        shape = abut_convex(hull, 0);
        break;
    default:
        shape.half = (abut_vec3){size, (float)rng_range(r, 0.3, 2), (float)rng_range(r, 0.5, 1) * size};
    }
    if (rng_chance(r, 0.6)) {
        const float turn = (float)rng_range(r, -1.5, 1.5), tilt = (float)rng_range(r, -0.03, 0.03);
        pose.rotation = (abut_quat){tilt * cosf(turn), sinf(turn) * sqrtf(1 - tilt * tilt), tilt * sinf(turn),
                                    cosf(turn) * sqrtf(1 - tilt * tilt)};
    }
    const float over = vertex_of(g, 17 * SIDE + 17).y + (float)rng_range(r, -0.4, 0.1);
    pose.position.y =
        rng_chance(r, 0.3) ? -abut_shape_bounds(&shape, &pose).min.y : over - abut_shape_bounds(&shape, &pose).min.y;
    assert_true(abut_collider_from_shape(&shape, &pose, body));
}

static abut_hull *make_hull(rng *r) {
    abut_vec3 point[24];
    abut_hull *hull;
    for (int i = 0; i < 24; i++) {
        const abut_vec3 d = rng_direction(r);
        point[i] = (abut_vec3){8 * d.x, i % 2 ? -1 : 1, 8 * d.z};
    }
    assert_int_equal(abut_hull_create(point, 24, NULL, &hull), ABUT_OK);
    return hull;
}

static void neighbours_decide(void **state) {
    (void)state;
    static ground g;
    static answer a;
    uint32_t many = 0, most = 0, far = 0;
    for (uint64_t i = 0; i < test_count(70); i++) {
        rng r = rng_make(test_seed() + STREAM, i);
        abut_hull *hull = make_hull(&r);
        make_ground(&r, (uint32_t)(i % 7), &g);
        for (int k = 0; k < 4; k++) {
            abut_collider body;
            const float margin = rng_chance(&r, 0.5) ? 0 : 0.01f;
            make_body(&r, &g, hull, &body);
            ask(g.mesh, &body, margin, &a);
            if (a.hit) {
                check_summary(&g, &body, margin, &a);
            }
            for (int n = 0; n < 60; n++) {
                uint32_t t = rng_below(&r, TRIANGLES);
                for (int tries = 0; a.of[t].count == 0 && tries < 20 && n % 3; tries++) {
                    t = rng_below(&r, TRIANGLES);
                }
                far += check_triangle(&g, &body, margin, t, &a);
            }
            many += a.count > 38;
            most = a.count > most ? a.count : most;
        }
        abut_mesh_destroy(&g.mesh);
        abut_hull_destroy(&hull);
    }
    printf("%u contacts show more than 38 triangles, one of them %u; %u triangles need a far one\n", many, most, far);
    assert_true(far <= 2 + test_count(70) / 10); /* of 240 times 70 */
    assert_true(many > test_count(40) && most > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_decide)};
    return test_run(tests);
}
