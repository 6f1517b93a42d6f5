/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what the parts of this room say of bodies and triangles, as numbers. Answers to callers hide
 * much of it: what a sift leaves open is decided later, and a walk that looks at too much finds the same. */
#include "narrowphase/kernels.h"
#include "narrowphase/mesh/normal.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/mesh_way/descent.h"
#include "narrowphase/mesh_way/travel.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/wild_ground.h"
#include <math.h>
#include <string.h>

enum { STANDS = 150, POINTS = 800 };

static wild_hulls hulls;
static wild_ground ground[WILD_GROUNDS];

typedef void ask_stand(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest);

static void of_stands(uint64_t *digest, ask_stand *ask, uint64_t stream) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(stream, k);
        for (int i = 0; i < STANDS; i++) {
            wild_stand s;
            wild_ground_stand(&r, &ground[k], &hulls, &s);
            ask(&r, &ground[k], &s, digest);
        }
    }
}

/* --- seats --- */

static float margin_of(rng *r, const wild_stand *s) {
    return rng_chance(r, 0.5) ? 0 : (float)(s->size * wild_size(r, -10, 1));
}

static void mix_seat(const abut_np_seat *s, uint64_t *digest) {
    digest_matrix(digest, (double(*)[3])s->ground_axes);
    digest_matrix(digest, (double(*)[3])s->world_axes);
    digest_matrix(digest, (double(*)[3])s->axes);
    digest_d3(digest, s->center);
    digest_d3(digest, s->middle);
    digest_doubles(digest, s->half, 3);
    const double numbers[] = {s->radius, s->margin, s->reach, s->size, s->smallest, s->skin};
    digest_doubles(digest, numbers, sizeof numbers / sizeof *numbers);
    digest_number(digest, s->is_rod);
    digest_number(digest, s->core.vertex_count);
}

static void seat(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    abut_np_seat seat;
    float min[3], max[3];
    abut_np_seat_of(&g->collider, &s->collider, margin_of(r, s), NULL, &seat);
    mix_seat(&seat, digest);
    abut_np_seat_bounds(&seat, min, max);
    digest_words(digest, min, sizeof min);
    digest_words(digest, max, sizeof max);
    for (int k = 0; k < 4; k++) {
        uint32_t vertex;
        abut_d3 direction = abut_d3_from(rng_direction(r));
        direction.x[rng_below(r, 3)] *= k % 2;
        digest_d3(digest, abut_np_seat_lowest(&seat, direction, &vertex));
        digest_number(digest, vertex);
        digest_d3(digest, abut_np_seat_into(&seat, direction));
        digest_d3(digest, abut_np_seat_out(&seat, direction));
    }
}

static void seats(uint64_t *digest) {
    of_stands(digest, seat, 41);
}

/* --- what is certain of triangles --- */

static void sift(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    static uint32_t place[SOUP_TRIANGLES];
    static uint8_t known[SOUP_TRIANGLES];
    abut_np_seat seat;
    abut_np_sieve sieve;
    abut_np_seat_of(&g->collider, &s->collider, margin_of(r, s), NULL, &seat);
    abut_np_sieve_of(&seat, &sieve);
    digest_matrix(digest, sieve.axes);
    digest_doubles(digest, sieve.center, 3);
    digest_doubles(digest, sieve.half, 3);
    digest_doubles(digest, sieve.middle, 3);
    digest_double(digest, sieve.reach);
    digest_double(digest, sieve.size);
    digest_number(digest, sieve.two_sided);
    sieve.two_sided = sieve.two_sided || rng_chance(r, 0.2);
    const uint32_t all = g->mesh->solid_count, first = rng_below(r, all), n = all - first;
    for (uint32_t i = 0; i < n; i++) {
        place[i] = first + i;
    }
    abut_np_mesh_kernels_active()->sift(abut_mesh_leaves(g->mesh), &sieve, place, n, known);
    digest_bytes(digest, known, n);
}

static void sifts(uint64_t *digest) {
    of_stands(digest, sift, 42);
}

static void mix_facing(const abut_np_seat *seat, const abut_np_facing *f, uint64_t *digest) {
    const uint32_t numbers[] = {f->part, f->back, f->plain, f->within, f->crossed};
    digest_words(digest, numbers, sizeof numbers);
    digest_words(digest, f->corner_of, sizeof f->corner_of);
    digest_words(digest, f->side_of, sizeof f->side_of);
    digest_words(digest, f->side, sizeof f->side);
    for (int k = 0; k < 3; k++) {
        digest_d3(digest, f->corner[k]);
        digest_d3(digest, f->out[k]);
    }
    digest_d3(digest, f->normal);
    digest_d3(digest, f->in_mesh);
    digest_double(digest, f->height);
    digest_doubles(digest, f->outline, 3);
    digest_doubles(digest, f->length, 3);
    digest_double(digest, f->size);
    if (seat->size == 0 || seat->is_rod) {
        digest_d3(digest, f->on);
        digest_d3(digest, f->from);
        digest_double(digest, f->distance);
    }
}

/* What has a meaning: nothing else of a triangle that is beyond a face, and nothing of sides that pass by. */
static void mix_passage(const abut_np_seat *seat, const abut_np_facing *f, uint64_t *digest) {
    abut_np_passage p;
    seat->kernels->pass(seat, f, true, &p);
    digest_number(digest, p.beyond);
    if (!p.beyond) {
        digest_number(digest, (p.within & 7) | (p.crossed & 7) << 3 | (p.pierced & 7) << 6);
    }
    for (int k = 0; k < 3; k++) {
        if (!p.beyond && p.pierced >> k & 1) {
            digest_double(digest, p.first[k]);
            digest_double(digest, p.last[k]);
        }
    }
}

static void mix_spans(rng *r, const abut_np_seat *seat, uint64_t *digest) {
    const abut_d3 normal[2] = {abut_d3_from(rng_direction(r)), abut_d3_from(rng_direction(r))};
    for (uint32_t first = 0; first < seat->hull->edge_count; first += 64) {
        digest_number(digest, seat->kernels->span(seat, first, normal));
    }
}

/* Up to eight triangles, some by their place in the leaves, those near the body among them. */
static void face(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    abut_np_seat seat;
    abut_np_hull_room room;
    abut_np_facing f[ABUT_NP_FACINGS] = {{.part = 0}};
    abut_np_normals known;
    uint32_t part[ABUT_NP_FACINGS], place[ABUT_NP_FACINGS];
    const uint32_t n = 1 + rng_below(r, ABUT_NP_FACINGS);
    const bool placed = rng_chance(r, 0.5);
    abut_np_normals_begin(&known);
    abut_np_hull_room_begin(&room);
    abut_np_seat_of(&g->collider, &s->collider, margin_of(r, s), &room, &seat);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = rng_below(r, g->mesh->solid_count);
        place[i] = placed ? at : ABUT_MESH_NONE;
        part[i] = abut_mesh_number(g->mesh, at);
        if (!placed && i == 0 && abut_mesh_is_solid(g->mesh, s->part)) {
            part[i] = s->part;
        }
    }
    const uint32_t touched = abut_np_facings_of(&seat, part, place, n, f, &known);
    digest_number(digest, touched);
    for (uint32_t i = 0; i < n; i++) {
        if (!(touched >> i & 1)) {
            continue;
        }
        const abut_d3 normal = abut_d3_from(rng_direction(r));
        mix_facing(&seat, &f[i], digest);
        for (uint32_t k = 0; k < 3; k++) {
            digest_d3(digest, abut_np_facing_edge_range(&seat, &f[i], k, normal));
            digest_d3(digest, abut_np_facing_corner_range(&seat, &f[i], k, normal));
        }
        if (seat.hull) {
            mix_passage(&seat, &f[i], digest);
        }
    }
    if (seat.hull) {
        mix_spans(r, &seat, digest);
    }
}

static void facings(uint64_t *digest) {
    of_stands(digest, face, 43);
}

/* --- normals --- */

static void mix_ranges(rng *r, const wild_ground *g, uint32_t part, abut_d3 at, uint64_t *digest) {
    const abut_d3 own = abut_np_mesh_normal(g->mesh, part), aside = abut_d3_from(rng_direction(r));
    const abut_d3 normal = rng_chance(r, 0.2) ? own : abut_d3_along(own, rng_unit(r), aside);
    const bool back = rng_chance(r, 0.3);
    abut_np_normals known;
    abut_np_normals_begin(&known);
    digest_d3(digest, own);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t around[ABUT_NP_CORNER_MAX];
        const uint32_t count = abut_np_mesh_around(g->mesh, part, k, around);
        digest_number(digest, count);
        digest_words(digest, around, count * sizeof *around);
        digest_d3(digest, abut_np_mesh_range_of_edge(g->mesh, NULL, part, back, k, normal));
        digest_d3(digest, abut_np_mesh_range_of_corner(g->mesh, &known, part, back, k, normal));
    }
    const double near = rng_chance(r, 0.3) ? 0 : g->unit * wild_size(r, -20, 0);
    digest_d3(digest, abut_np_mesh_in_range(g->mesh, part, back, at, near, normal));
    const abut_d3 beside = abut_d3_along(at, rng_chance(r, 0.3) ? 0 : g->unit * wild_size(r, -50, 1), aside);
    digest_number(digest, abut_np_mesh_behind(g->mesh, part, beside));
}

/* Normals that are known are taken as they are: here they are none that any triangle has. */
static void mix_known(const wild_ground *g, uint32_t part, uint64_t *digest) {
    abut_np_normals known;
    abut_np_normals_begin(&known);
    for (uint32_t i = 0; i < ABUT_NP_NORMALS && part + i < g->soup.triangle_count; i++) {
        if (abut_mesh_is_solid(g->mesh, part + i)) {
            known.part[i] = part + i;
            known.normal[i] = (abut_d3){{0.6, i, 0.8}};
        }
    }
    digest_d3(digest, abut_np_known_normal(g->mesh, &known, part));
    digest_d3(digest, abut_np_known_normal(g->mesh, NULL, part));
    for (uint32_t k = 0; k < 3; k++) {
        digest_d3(digest, abut_np_mesh_range_of_edge(g->mesh, &known, part, false, k, (abut_d3){{0, 1, 0}}));
        digest_d3(digest, abut_np_mesh_range_of_corner(g->mesh, &known, part, false, k, (abut_d3){{0, 1, 0}}));
    }
}

static void ranges(uint64_t *digest) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        rng r = rng_make(44, k);
        for (int i = 0; i < POINTS; i++) {
            uint32_t part;
            const abut_d3 at = wild_ground_point(&r, &ground[k], &part);
            if (abut_mesh_is_solid(ground[k].mesh, part)) {
                mix_ranges(&r, &ground[k], part, at, digest);
                mix_known(&ground[k], part, digest);
            }
        }
    }
}

/* A corner with from 3 to 40 triangles around it, all around or not, on a peak, in a pit or between both. */
static abut_mesh *fan_mesh(rng *r, uint32_t n) {
    abut_vec3 vertex[41] = {{0, 0, 0}};
    uint32_t index[3 * 40];
    abut_mesh *mesh = NULL;
    const float height = (float)rng_range(r, -1, 1), rough = rng_chance(r, 0.5) ? 0 : 0.2F;
    const bool open = rng_chance(r, 0.3);
    for (uint32_t i = 0; i < n; i++) { /* along the sides of a square */
        const float at = 4 * (float)i / (float)n, along = 2 * (at - floorf(at)) - 1;
        const float x[] = {along, 1, -along, -1}, z[] = {-1, along, 1, -along};
        vertex[1 + i] = (abut_vec3){x[(int)at], height + rough * (float)rng_unit(r), z[(int)at]};
        const uint32_t corner[] = {0, 1 + (i + 1) % n, 1 + i};
        for (uint32_t k = 0; k < 3; k++) {
            index[3 * i + k] = corner[(k + i) % 3];
        }
    }
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = n + 1,
                               .indices = index,
                               .triangle_count = open ? n - 1 : n,
                               .two_sided = rng_chance(r, 0.3)};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static void fans(uint64_t *digest) {
    for (uint32_t n = 3; n <= 40; n++) {
        for (uint64_t k = 0; k < 8; k++) {
            rng r = rng_make(47, 8 * n + k);
            wild_ground g = {.unit = 1};
            g.mesh = fan_mesh(&r, n);
            for (uint32_t part = 0; part < (uint32_t)abut_mesh_triangle_count(g.mesh); part++) {
                const abut_d3 at = abut_mesh_corner(g.mesh, part, rng_below(&r, 3));
                mix_ranges(&r, &g, part, at, digest);
            }
            abut_mesh_destroy(&g.mesh);
        }
    }
}

/* --- ways --- */

typedef struct ear {
    uint64_t *digest;
    double limit, distance;
} ear;

typedef struct trail {
    const abut_np_travel *travel;
    uint64_t *digest;
    bool first;
} trail;

/* What is measured, and in which order: a walk that opens too much measures more. */
static double enters(const abut_np_bounds *bounds, const void *context) {
    const trail *t = context;
    const double at = abut_np_travel_enters(t->travel, bounds);
    digest_double(t->digest, at);
    return at;
}

static double meets(uint32_t part, double limit, void *context) {
    const trail *t = context;
    digest_number(t->digest, part);
    digest_double(t->digest, limit);
    return t->first ? limit * 0.75 : limit;
}

static void walk(rng *r, const wild_ground *g, const wild_stand *s, uint64_t *digest) {
    abut_np_seat seat;
    abut_np_travel travel;
    float min[3], max[3];
    abut_d3 way = abut_d3_from(rng_direction(r));
    const double length = s->size * wild_size(r, -4, 6);
    for (int i = 0; i < 3; i++) {
        way.x[i] = rng_chance(r, 0.2) ? 0 : length * way.x[i];
    }
    abut_np_seat_of(&g->collider, &s->collider, 0, NULL, &seat);
    abut_np_seat_bounds(&seat, min, max);
    abut_np_travel_of(min, max, way, rng_chance(r, 0.5) ? 1e-8 : 1e-2, &travel);
    digest_doubles(digest, travel.box.min, 3);
    digest_doubles(digest, travel.box.max, 3);
    digest_doubles(digest, travel.way, 3);
    trail t = {&travel, digest, rng_chance(r, 0.5)};
    const abut_np_descent descent = {g->mesh, enters, meets, &t};
    abut_np_descend(&descent, rng_chance(r, 0.5) ? 1 : rng_unit(r));
}

static void walks(uint64_t *digest) {
    of_stands(digest, walk, 45);
}

/* Boxes of whole numbers, which are touched exactly, at the start, at the end, or passed along a face. */
static void travels(uint64_t *digest) {
    rng r = rng_make(46, 0);
    const float min[3] = {-1, 0, 2}, max[3] = {1, 3, 2};
    for (int k = 0; k < 4000; k++) {
        abut_np_travel travel;
        abut_np_bounds bounds;
        abut_d3 way;
        for (int i = 0; i < 3; i++) {
            way.x[i] = (double)rng_below(&r, 9) - 4;
            bounds.min[i] = (double)rng_below(&r, 13) - 6;
            bounds.max[i] = bounds.min[i] + (double)rng_below(&r, 3);
        }
        abut_np_travel_of(min, max, way, k % 2 ? 0 : 1e-8, &travel);
        digest_double(digest, abut_np_travel_enters(&travel, &bounds));
    }
}

/* A point that reaches one axis of a box just when it leaves another, but for rounding. */
static void grazes(uint64_t *digest) {
    static const float origin[3] = {0, 0, 0};
    for (uint64_t k = 0; k < 1000; k++) {
        rng r = rng_make(48, k);
        const double at = rng_unit(&r);
        const double x = 1 + rng_unit(&r), y = 1 + rng_unit(&r);
        const abut_d3 way = {{x, y, 0}};
        const abut_np_bounds bounds = {{at * way.x[0], -1, 0}, {2, at * way.x[1] + (k % 2 ? 0 : 0x1p-42), 0}};
        abut_np_travel travel;
        abut_np_travel_of(origin, origin, way, 0, &travel);
        digest_double(digest, abut_np_travel_enters(&travel, &bounds));
    }
}

static double hear_near(uint32_t part, double distance, void *context) {
    ear *e = context;
    digest_number(e->digest, part);
    digest_double(e->digest, distance);
    e->distance = distance;
    return e->limit;
}

/* A point whose distance from a triangle is that of a corner of the triangle's box, asked for within just that. */
static void just_near(uint64_t *digest) {
    static const uint32_t index[] = {0, 1, 2};
    for (uint64_t k = 0; k < 400; k++) {
        rng r = rng_make(49, k);
        const abut_vec3 at = rng_vec3(&r, 1, 2);
        const abut_vec3 vertex[] = {at, {at.x + 1, at.y, at.z}, {at.x, at.y + 1, at.z + 1}};
        const abut_mesh_def def = {.vertices = vertex, .vertex_count = 3, .indices = index, .triangle_count = 1};
        const abut_shape point = abut_sphere(k % 2 ? 0x1p-60F : 0);
        const abut_pose pose = {{0, 0, 0}, wild_rotation(&r)}, upright = {{0, 0, 0}, {0, 0, 0, 1}};
        ear e = {digest, INFINITY, -1};
        abut_mesh *mesh = NULL;
        abut_collider of_mesh, of_point;
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        const abut_shape shape = {.mesh = mesh};
        assert_true(abut_collider_from_shape_or_mesh(&shape, &upright, &of_mesh));
        assert_true(abut_collider_from_shape_or_mesh(&point, &pose, &of_point));
        abut_np_mesh_near(&of_mesh, &of_point, INFINITY, hear_near, &e);
        abut_np_mesh_near(&of_mesh, &of_point, e.distance, hear_near, &e);
        abut_mesh_destroy(&mesh);
    }
}

/* --- triangles as hulls --- */

static void mix_hull(const abut_np_triangle *t, uint64_t *digest) {
    digest_words(digest, t->coordinate, sizeof t->coordinate);
    digest_words(digest, t->plane_floats, sizeof t->plane_floats);
    digest_words(digest, &t->hull.obb, sizeof t->hull.obb);
    digest_vec3(digest, t->hull.centroid);
    digest_words(digest, &t->hull.radius, sizeof t->hull.radius);
    const uint32_t counts[] = {t->hull.vertex_count,    t->hull.facet_count,     t->hull.face_count,
                               t->hull.edge_count,      t->hull.face_edge_count, t->hull.loop_count,
                               (uint32_t)t->hull.digest};
    digest_words(digest, counts, sizeof counts);
    for (int f = 0; f < 5; f++) {
        digest_doubles(digest, t->plane[f].n, 3);
        digest_double(digest, t->plane[f].w);
        digest_doubles(digest, t->faces[f].plane.n, 3);
        digest_double(digest, t->faces[f].plane.w);
        digest_number(digest, t->faces[f].first);
        digest_number(digest, t->faces[f].count);
        digest_number(digest, t->face_of[f]);
    }
    for (int e = 0; e < 9; e++) {
        digest_number(digest, (uint64_t)t->edges[e].v[0] << 16 | t->edges[e].v[1]);
        digest_number(digest, (uint64_t)t->edges[e].f[0] << 16 | t->edges[e].f[1]);
    }
}

static void mix_indices(const uint16_t *index, size_t n, uint64_t *digest) {
    for (size_t i = 0; i < n; i++) {
        digest_number(digest, index[i]);
    }
}

static void triangles(uint64_t *digest) {
    for (uint32_t k = 0; k < WILD_GROUNDS; k++) {
        const wild_ground *g = &ground[k];
        for (uint32_t part = 0; part < g->soup.triangle_count; part += 5) {
            abut_np_triangle t;
            if (abut_mesh_is_solid(g->mesh, part)) {
                abut_np_triangle_make(&g->collider, part, &t);
                mix_hull(&t, digest);
                mix_indices(t.loop, 18, digest);
                mix_indices(t.sides, 18, digest);
                mix_indices(t.facet_edges_first, 6, digest);
                mix_indices(t.facet_edges, 18, digest);
                mix_indices(t.vertex_edges_first, 7, digest);
                mix_indices(t.vertex_edges, 18, digest);
            }
        }
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"seats", seats, UINT64_C(0x44d57ee4e8fc6fd7)},         {"sifts", sifts, UINT64_C(0x33d4a92cc88b65e1)},
        {"facings", facings, UINT64_C(0xe987ee20ff707baf)},     {"ranges", ranges, UINT64_C(0x2d136ac13aaf7fb4)},
        {"fans", fans, UINT64_C(0xb656f8ab7c1bb5b0)},           {"walks", walks, UINT64_C(0xe7beaa0cfd305101)},
        {"travels", travels, UINT64_C(0xf8aa2db9e5a6f420)},     {"grazes", grazes, UINT64_C(0xb96a84af739d4204)},
        {"just near", just_near, UINT64_C(0x06af4feb8e9df080)}, {"triangles", triangles, UINT64_C(0x6f83c17799df8d5b)},
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
