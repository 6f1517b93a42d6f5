/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what each stage of a hull makes of clouds of every kind, as numbers. What other tests judge
 * leaves room (the order of triangles, a plane to within its rounding, any tight box); nothing in it may change
 * unnoticed. */
#include "shape/box/fit.h"
#include "shape/hull/assemble.h"
#include "shape/hull/families.h"
#include "shape/hull/mass.h"
#include "support/digest.h"
#include "support/test.h"
#include "support/wild.h"
#include <math.h>

enum { CLOUDS = 1600, LARGEST = 1200 };

static abut_allocator memory;

static void digest_indices(uint64_t *digest, const uint32_t *index, size_t n) {
    for (size_t i = 0; i < n; i++) {
        digest_number(digest, index[i]);
    }
}

/* --- clouds, large ones among them --- */

/* Two rings of rational points: a prism of many sides, of which the ends are faces with many corners. */
static uint32_t fill_prism(uint32_t sides, float height, abut_vec3 *point) {
    for (uint32_t i = 0; i < sides; i++) {
        const double t = (2.0 * i + 1 - sides) / sides, sign = i % 2 ? 1 : -1;
        const float x = (float)(sign * (1 - t * t) / (1 + t * t)), y = (float)(2 * t / (1 + t * t));
        point[2 * i] = (abut_vec3){x, y, height};
        point[2 * i + 1] = (abut_vec3){x, y, -height};
    }
    return 2 * sides;
}

static uint32_t fill_ball(rng *r, uint32_t n, abut_vec3 *point) {
    for (uint32_t i = 0; i < n; i++) {
        point[i] = rng_direction(r);
        point[i].z *= 0.75f;
    }
    return n;
}

/* A few points of a plane through the origin, and one that is beside it by less than double-double can tell. */
static uint32_t fill_thin(rng *r, abut_vec3 *point) {
    const uint32_t n = 4 + rng_below(r, 3), turn = rng_below(r, 3);
    for (uint32_t i = 0; i < n; i++) {
        float x[3];
        x[0] = (float)(1 + rng_below(r, 9));
        x[1] = (float)rng_below(r, 9) - 4;
        x[2] = -x[0] - x[1];
        if (i == 0) {
            x[0] = -(float)ldexp(1, -(int)rng_below(r, 100));
            x[1] = -x[0];
            x[2] = (float)ldexp(1, -(int)rng_below(r, 150));
        }
        point[i] = (abut_vec3){x[turn], x[(turn + 1) % 3], x[(turn + 2) % 3]};
    }
    return n;
}

static uint32_t cloud_of(uint32_t index, abut_vec3 *point) {
    rng r = rng_make(2, index);
    if (index % 8 == 7) {
        return fill_thin(&r, point);
    }
    switch (index) {
    case 0:
        return fill_prism(70, 1, point);
    case FAMILIES:
        return fill_prism(131, 0.0625f, point);
    case 2 * FAMILIES:
        return fill_prism(300, 3, point);
    case 3 * FAMILIES:
        return fill_ball(&r, 300, point);
    case 4 * FAMILIES:
        return fill_ball(&r, LARGEST, point);
    default:
        return family_cloud(index, point);
    }
}

/* --- stages --- */

static void digest_cloud(uint64_t *digest, const abut_cloud *cloud) {
    digest_number(digest, cloud->count);
    digest_number(digest, abut_cloud_third(cloud));
    digest_words(digest, cloud->point, cloud->count * sizeof *cloud->point);
}

static void clouds(uint64_t *digest) {
    static abut_vec3 point[LARGEST];
    for (uint32_t k = 0; k < CLOUDS; k++) {
        abut_cloud cloud;
        const uint32_t n = cloud_of(k, point);
        const abut_result result = abut_cloud_make(&cloud, point, n, &memory);
        digest_number(digest, (uint64_t)result);
        digest_number(digest, cloud.count);
        if (result == ABUT_OK) {
            digest_cloud(digest, &cloud);
        }
        abut_cloud_release(&cloud, &memory);
    }
}

static void digest_triangle(uint64_t *digest, const abut_triangle *t) {
    digest_indices(digest, t->v, 3);
    digest_number(digest, t->points);
    digest_number(digest, t->next);
    if (t->v[0] != ABUT_SURFACE_NONE) {
        digest_indices(digest, t->link, 3);
        digest_doubles(digest, t->plane.n, 3);
        digest_doubles(digest, t->plane.slack, 3);
        digest_number(digest, t->mark);
    }
}

static void digest_surface(uint64_t *digest, const abut_surface *s) {
    const uint32_t counts[] = {s->point_count, s->used, s->capacity, s->unused, s->unused_count, s->pending, s->step};
    digest_indices(digest, counts, sizeof counts / sizeof *counts);
    for (uint32_t t = 0; t < s->used; t++) {
        digest_triangle(digest, &s->triangle[t]);
    }
}

static void surfaces(uint64_t *digest) {
    static abut_vec3 point[LARGEST];
    for (uint32_t k = 0; k < CLOUDS; k++) {
        abut_cloud cloud;
        abut_surface surface;
        const uint32_t n = cloud_of(k, point);
        if (abut_cloud_make(&cloud, point, n, &memory) == ABUT_OK) {
            const abut_result result = abut_surface_make(&surface, &cloud, &memory);
            digest_number(digest, (uint64_t)result);
            digest_surface(digest, &surface);
            abut_surface_release(&surface);
        }
        abut_cloud_release(&cloud, &memory);
    }
}

static void digest_polyhedron(uint64_t *digest, const abut_polyhedron *p) {
    const uint32_t counts[] = {p->vertex_count, p->facet_count, p->edge_count, p->loop_count};
    double low[3], high[3];
    digest_indices(digest, counts, sizeof counts / sizeof *counts);
    digest_words(digest, p->vertex, p->vertex_count * sizeof *p->vertex);
    digest_indices(digest, p->first, (size_t)p->facet_count + 1);
    digest_indices(digest, p->loop, p->loop_count);
    digest_indices(digest, p->edge_of, p->loop_count);
    for (uint32_t e = 0; e < p->edge_count; e++) {
        digest_words(digest, &p->edge[e], sizeof p->edge[e]);
    }
    abut_polyhedron_bounds(p, low, high);
    digest_doubles(digest, low, 3);
    digest_doubles(digest, high, 3);
}

static void digest_plane(uint64_t *digest, const abut_hull_plane *plane) {
    digest_doubles(digest, plane->n, 3);
    digest_double(digest, plane->w);
}

static void digest_faces(uint64_t *digest, const abut_faces *faces, const abut_polyhedron *p) {
    digest_number(digest, faces->count);
    digest_number(digest, faces->edge_count);
    digest_number(digest, faces->loop_count);
    digest_double(digest, faces->tolerance);
    for (uint32_t f = 0; f < p->facet_count; f++) {
        digest_plane(digest, &faces->facet_plane[f]);
        digest_doubles(digest, faces->area[f], 3);
        digest_number(digest, faces->face_of[f]);
    }
    for (uint32_t f = 0; f < faces->count; f++) {
        digest_plane(digest, &faces->face[f].plane);
        digest_number(digest, faces->face[f].first);
        digest_number(digest, faces->face[f].count);
        digest_double(digest, faces->face_area[f]);
    }
    digest_indices(digest, faces->loop, faces->loop_count);
    digest_indices(digest, faces->side, faces->loop_count);
}

/* The faces of several tolerances, the boxes that are fitted to them, and the block. */
static void digest_rest(uint64_t *digest, const abut_polyhedron *p) {
    static const float tolerances[] = {0, 0x1p-149f, 0x1p-10f, 0.25f, 0x1p20f};
    for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
        abut_faces faces;
        abut_hull *hull = NULL;
        digest_number(digest, (uint64_t)abut_faces_make(&faces, p, tolerances[k]));
        digest_faces(digest, &faces, p);
        const abut_obb box = abut_fit_hull(p, &faces);
        digest_box(digest, &box);
        abut_faces_release(&faces, &memory);
        digest_number(digest, (uint64_t)abut_hull_assemble(p, tolerances[k], &memory, &hull));
        digest_bytes(digest, abut_hull_bytes(hull), hull->size);
        digest_number(digest, hull->digest);
        abut_hull_destroy(&hull);
    }
}

static void polyhedra(uint64_t *digest) {
    static abut_vec3 point[LARGEST];
    for (uint32_t k = 0; k < CLOUDS; k++) {
        abut_polyhedron p;
        const uint32_t n = cloud_of(k, point);
        const abut_result result = abut_polyhedron_make(&p, point, n, &memory);
        digest_number(digest, (uint64_t)result);
        digest_number(digest, p.vertex_count);
        if (result == ABUT_OK) {
            const abut_mass mass = abut_mass_of(&p);
            digest_polyhedron(digest, &p);
            digest_double(digest, mass.volume);
            digest_doubles(digest, mass.centroid.x, 3);
            digest_rest(digest, &p);
        }
        abut_polyhedron_release(&p);
    }
}

/* Boxes about clouds, flat ones, too. */
static void boxes(uint64_t *digest) {
    static abut_vec3 point[LARGEST];
    for (uint32_t k = 0; k < CLOUDS; k++) {
        abut_obb box = {.half = {0, 0, 0}};
        const uint32_t n = cloud_of(k, point);
        for (uint32_t i = 0; i < n && k % 4 == 3; i++) {            /* once more, in some plane */
            point[i].y = k % 16 == 3 ? 3 * point[i].z : point[i].y; /* or on a line */
            point[i].x = k % 8 < 4 ? 0.75f * point[i].y - 0.5f * point[i].z : 5;
        }
        digest_number(digest, (uint64_t)abut_obb_fit(point, n, &box));
        digest_box(digest, &box);
    }
}

/* Of somewhat more faces than are tried, all of about the same size. */
static void boxes_about_balls(uint64_t *digest) {
    for (uint32_t k = 0; k < 1500; k++) {
        rng r = rng_make(4, k);
        abut_vec3 point[16];
        abut_obb box = {.half = {0, 0, 0}};
        const uint32_t n = 10 + k % 7;
        for (uint32_t i = 0; i < n; i++) {
            point[i] = rng_direction(&r);
        }
        digest_number(digest, (uint64_t)abut_obb_fit(point, n, &box));
        digest_box(digest, &box);
    }
}

/* --- signs --- */

static float at_random(rng *r) {
    const float whole = (float)rng_below(r, 9) - 4;
    const uint32_t kind = rng_below(r, 8);
    if (kind == 0) {
        return (float)wild_size(r, -149, 29);
    }
    return kind == 1 ? nextafterf(whole, 0) : kind == 2 ? whole * 0x1p-12f : whole;
}

static abut_vec3 point_at_random(rng *r) {
    abut_vec3 v;
    v.x = at_random(r);
    v.y = at_random(r);
    v.z = at_random(r);
    return v;
}

static float mean(float a, float b, float c, uint32_t kind) {
    return kind == 0 ? a + b - c : kind == 1 ? a / 2 + b / 2 : kind == 2 ? 2 * a - b : a + (b - c) / 3;
}

/* Near the plane of three points, or in it. */
static abut_vec3 near_plane(rng *r, abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    const uint32_t kind = rng_below(r, 5);
    if (kind == 4) {
        return point_at_random(r);
    }
    return (abut_vec3){mean(a.x, b.x, c.x, kind), mean(a.y, b.y, c.y, kind), mean(a.z, b.z, c.z, kind)};
}

static void signs(uint64_t *digest) {
    rng r = rng_make(5, 0);
    for (uint32_t k = 0; k < 20000; k++) {
        const abut_vec3 a = point_at_random(&r), b = point_at_random(&r);
        const abut_vec3 c = near_plane(&r, a, b, a), d = near_plane(&r, a, b, c);
        const abut_orient_plane plane = abut_orient_plane_of(a, b, c);
        double height = 0;
        digest_number(digest, (uint64_t)(abut_orient_exact(a, b, c, d) + 1));
        digest_number(digest, (uint64_t)(abut_orient_side(&plane, d, &height) + 1));
        digest_double(digest, height);
        digest_doubles(digest, plane.n, 3);
        digest_doubles(digest, plane.slack, 3);
        digest_number(digest, abut_orient_collinear(a, b, c));
        digest_number(digest, abut_orient_collinear(a, b, d));
    }
}

/* Nobody can use what is gone. */
static void released_stages_are_empty(void **state) {
    (void)state;
    static abut_vec3 point[LARGEST];
    abut_cloud cloud;
    abut_polyhedron p;
    abut_faces faces;
    const uint32_t n = cloud_of(1, point);
    assert_true(abut_memory_init(&memory, &memory));
    assert_int_equal(abut_cloud_make(&cloud, point, n, &memory), ABUT_OK);
    assert_int_equal(abut_polyhedron_make(&p, point, n, &memory), ABUT_OK);
    assert_int_equal(abut_faces_make(&faces, &p, 0), ABUT_OK);
    abut_faces_release(&faces, &memory);
    abut_polyhedron_release(&p);
    abut_cloud_release(&cloud, &memory);
    assert_true(faces.facet_plane == NULL && faces.memory == NULL && faces.bytes == 0 && faces.count == 0);
    assert_true(p.vertex == NULL && p.memory == NULL && p.bytes == 0 && p.vertex_count == 0);
    assert_true(cloud.point == NULL && cloud.memory == NULL && cloud.bytes == 0 && cloud.count == 0);
    assert_int_equal(abut_cloud_make(&cloud, NULL, n, &memory), ABUT_ERROR_ARGUMENT);
    assert_true(cloud.point == NULL && cloud.memory == NULL && cloud.bytes == 0 && cloud.count == 0);
}

static void stages_answer_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"clouds", clouds, UINT64_C(0x45d1dfd2677361b0)},
        {"surfaces", surfaces, UINT64_C(0xc64b78cfd39f2cb1)},
        {"polyhedra, faces and hulls", polyhedra, UINT64_C(0x6a431b3500ef13ec)},
        {"boxes about clouds", boxes, UINT64_C(0xe8655c7b7991429c)},
        {"boxes about balls", boxes_about_balls, UINT64_C(0x7de2e4837f07160e)},
        {"signs", signs, UINT64_C(0x6914f7bbf52536b7)},
    };
    assert_true(abut_memory_init(&memory, &memory));
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stages_answer_the_same_everywhere),
                                       cmocka_unit_test(released_stages_are_empty)};
    return test_run(tests);
}
