/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: hulls of fewer vertices, by each method and by all of them, as numbers. Other tests judge that
 * they contain every point and how large they are; here nothing in them may change unnoticed. */
#include "shape/box/fit.h"
#include "shape/hull/families.h"
#include "shape/hull/mass.h"
#include "shape/hull/simplify.h"
#include "support/digest.h"
#include "support/test.h"
#include <math.h>

enum { CLOUDS = 96, POINTS = 1400 };

static abut_allocator memory;

static void digest_best(uint64_t *digest, const abut_simplify_job *job) {
    const abut_polyhedron *p = &job->best;
    digest_double(digest, job->volume);
    digest_number(digest, p->vertex_count);
    digest_number(digest, p->facet_count);
    digest_words(digest, p->vertex, p->vertex_count * sizeof *p->vertex);
    for (uint32_t i = 0; i < p->loop_count; i++) {
        digest_number(digest, p->loop[i]);
    }
}

static void forget(abut_simplify_job *job) {
    abut_polyhedron_release(&job->best);
    job->volume = -1;
}

static abut_simplify_job job_of(const abut_polyhedron *p, uint32_t most) {
    abut_simplify_job job = {.p = p, .most = most, .best = {.allocator = p->allocator}, .volume = -1};
    assert_int_equal(abut_faces_make(&job.faces, p, 0), ABUT_OK);
    job.box = abut_fit_hull(p, &job.faces);
    return job;
}

static void digest_methods(uint64_t *digest, const abut_polyhedron *p, uint32_t most) {
    abut_simplify_job job = job_of(p, most);
    digest_number(digest, (uint64_t)abut_simplify_by_planes(&job));
    digest_best(digest, &job);
    forget(&job);
    digest_number(digest, (uint64_t)abut_simplify_by_vertices(&job));
    digest_best(digest, &job);
    forget(&job);
    abut_faces_release(&job.faces, p->allocator);
}

static void digest_simplified(uint64_t *digest, const abut_vec3 *point, uint32_t n, uint32_t most) {
    abut_polyhedron p;
    if (abut_polyhedron_make(&p, point, n, &memory) == ABUT_OK && p.vertex_count > most) {
        digest_methods(digest, &p, most);
        digest_number(digest, (uint64_t)abut_simplify(&p, most));
        digest_number(digest, p.vertex_count);
        digest_words(digest, p.vertex, p.vertex_count * sizeof *p.vertex);
        digest_double(digest, abut_mass_of(&p).volume);
    }
    abut_polyhedron_release(&p);
}

static void methods(uint64_t *digest) {
    static const uint32_t most[] = {4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 24, 31};
    abut_vec3 point[FAMILY_POINTS];
    for (uint32_t k = 0; k < CLOUDS; k++) {
        const uint32_t n = family_cloud(1000 + k, point);
        for (size_t i = k % 2; i < sizeof most / sizeof *most; i += 2) {
            digest_simplified(digest, point, n, most[i]);
        }
    }
}

/* Thin and tiny bodies, of which most methods make nothing that is smaller than the bounds. */
static void thin(uint64_t *digest) {
    static const uint32_t families[] = {4, 8, 9, 11};
    abut_vec3 point[FAMILY_POINTS];
    for (uint32_t k = 0; k < 12 * CLOUDS; k++) {
        rng r = rng_make(10, k);
        abut_polyhedron p;
        uint32_t n = family_cloud((uint64_t)FAMILIES * (400 + k) + families[k % 4], point);
        n = n < 14 ? n : 5 + rng_below(&r, 9);
        for (uint32_t i = 0; i < n; i++) {
            point[i].x *= k % 8 < 4 ? 1 : 0x1p-20f;
        }
        if (abut_polyhedron_make(&p, point, n, &memory) == ABUT_OK && p.vertex_count > 4) {
            const uint32_t most = 4 + rng_below(&r, p.vertex_count - 4);
            digest_number(digest, (uint64_t)abut_simplify(&p, most));
            digest_words(digest, p.vertex, p.vertex_count * sizeof *p.vertex);
        }
        abut_polyhedron_release(&p);
    }
}

/* Bodies of hundreds of vertices: more faces than are tried, and more vertices than planes make. */
static void large(uint64_t *digest) {
    static const uint32_t most[] = {4, 12, 40};
    static abut_vec3 point[POINTS];
    for (uint32_t k = 0; k < 3; k++) {
        rng r = rng_make(8, k);
        const uint32_t n = k == 0 ? 600 : 160;
        for (uint32_t i = 0; i < n; i++) {
            point[i] = rng_direction(&r);
            point[i].x *= k == 1 ? 0.125f : 1;
        }
        digest_simplified(digest, point, n, most[k]);
    }
    rng r = rng_make(8, 3);
    for (uint32_t i = 0; i < POINTS; i++) {
        point[i] = rng_direction(&r);
    }
    digest_simplified(digest, point, 400, 256);
    digest_simplified(digest, point, 400, 257);
}

/* What proposals become: good ones, those that must grow, and those that never contain the body. */
static void proposals(uint64_t *digest) {
    abut_vec3 point[FAMILY_POINTS];
    for (uint32_t k = 0; k < 3 * CLOUDS; k++) {
        rng r = rng_make(9, k);
        abut_polyhedron p;
        const uint32_t n = family_cloud(2000 + k, point);
        if (abut_polyhedron_make(&p, point, n, &memory) != ABUT_OK) {
            continue;
        }
        abut_simplify_job job = job_of(&p, 8);
        const abut_d3 center = abut_mass_of(&p).centroid;
        double low[3], high[3];
        abut_polyhedron_bounds(&p, low, high);
        for (int turn = 0; turn < 4; turn++) {
            const double by = turn == 0 ? 1 : 0.25 + 2 * rng_unit(&r);
            abut_d3 corner[8];
            for (int i = 0; i < 24; i++) {
                corner[i / 3].x[i % 3] = by * (i / 3 >> i % 3 & 1 ? high[i % 3] : low[i % 3]);
            }
            digest_number(digest, (uint64_t)abut_simplify_propose(&job, corner, 4 + rng_below(&r, 5), center));
            digest_best(digest, &job);
        }
        forget(&job);
        abut_faces_release(&job.faces, &memory);
        abut_polyhedron_release(&p);
    }
}

/* By the public call, with tolerances. */
static void hulls(uint64_t *digest) {
    abut_vec3 point[FAMILY_POINTS];
    for (uint32_t k = 0; k < 4 * CLOUDS; k++) {
        const abut_hull_def def = {.max_vertices = k % 37, .coplanar_tolerance = k % 3 ? 0 : 0x1p-6f};
        abut_hull *hull = NULL;
        const uint32_t n = family_cloud(3000 + k, point);
        digest_number(digest, (uint64_t)abut_hull_create(point, n, &def, &hull));
        digest_number(digest, abut_hull_digest(hull));
        digest_number(digest, abut_hull_vertex_count(hull));
        abut_hull_destroy(&hull);
    }
}

static void simplified_hulls_are_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"methods", methods, UINT64_C(0x74d3128e014266df)},    {"thin", thin, UINT64_C(0x05e4063c59507589)},
        {"large bodies", large, UINT64_C(0xcb97af32bd919b0e)}, {"proposals", proposals, UINT64_C(0xfc87d7d29301ab79)},
        {"hulls", hulls, UINT64_C(0x968c52d15770b27b)},
    };
    assert_true(abut_memory_init(&memory, &memory));
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(simplified_hulls_are_the_same_everywhere)};
    return test_run(tests);
}
