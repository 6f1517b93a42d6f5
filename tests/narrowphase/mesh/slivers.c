/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Triangles so thin that their cross product in double is zero or of no meaning: contacts, overlaps and
 * distances against the 113-bit oracle. */

#include "narrowphase/narrowphase.h"
#include "support/mesh_oracle.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_HULLS = 1651, STREAM_BODIES = 1652, STREAM_SOUPS = 1653, BODIES = 12, MOST = 4 };

static round_hulls *hulls;

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed() + STREAM_HULLS);
    return 0;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    return 0;
}

/* Ends on one line through the origin, and corners beside it by so little that doubles of size 1 do not show it. */
typedef enum form {
    FORM_MIDDLE,   /* the middle lies beside the line between both ends */
    FORM_END,      /* an end does */
    FORM_TWO,      /* two, with a long side in common: a ridge, a valley or a fold */
    FORM_BESIDE,   /* one, and a triangle of the usual kind at its long side */
    FORM_MODERATE, /* as FORM_MIDDLE, thin to 2^-12 .. 2^-40 */
    FORMS
} form;

static abut_vec3 times(float factor, abut_vec3 v) {
    return (abut_vec3){factor * v.x, factor * v.y, factor * v.z};
}

static void make_soup(uint64_t i, form kind, soup *s) {
    rng r = rng_make(test_seed() + STREAM_SOUPS, FORMS * i + (uint64_t)kind);
    const float thin = (float)exp2(kind == FORM_MODERATE ? rng_range(&r, -40, -12) : rng_range(&r, -60, -42));
    const abut_vec3 line = {(float)rng_below(&r, 9) - 4, 1 + (float)rng_below(&r, 4), (float)rng_below(&r, 9) - 4};
    const abut_vec3 beside = rng_vec3(&r, -thin, thin), other = rng_vec3(&r, -thin, thin);
    *s = (soup){.vertex_count = 4, .triangle_count = kind == FORM_TWO || kind == FORM_BESIDE ? 2 : 1};
    s->vertex[0] = kind == FORM_END ? times(2, line) : times(-1, line);
    s->vertex[1] = line;
    s->vertex[2] = beside;
    s->vertex[3] = kind == FORM_TWO ? other : rng_vec3(&r, -4, 4);
    for (uint32_t k = 0; k < 3; k++) {
        static const uint32_t second[3] = {1, 0, 3};
        s->index[0][k] = k;
        s->index[1][k] = second[k];
    }
    s->two_sided = rng_chance(&r, 0.3);
}

typedef struct answer {
    bool hit;
    abut_manifold manifold;
    size_t count;
    abut_contact_part parts[MOST];
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < MOST);
    a->parts[a->count++] = *part;
}

static int by_part(const void *a, const void *b) {
    const abut_contact_part *p = a, *q = b;
    return (p->part > q->part) - (p->part < q->part);
}

/* How far the body must go along a normal, which leads from the triangle to it. */
static double separation_along(const mesh_scene *s, uint32_t t, abut_vec3 normal) {
    const double n[3] = {normal.x, normal.y, normal.z};
    const quad_pose at = quad_pose_of(&s->pose);
    double most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const float *p = &s->facts->corner[t][k].x;
        quad along = 0;
        for (int i = 0; i < 3; i++) {
            along += n[i] * (at.m[i][0] * p[0] + at.m[i][1] * p[1] + at.m[i][2] * p[2]);
        }
        most = fmax(most, (double)along);
    }
    return mesh_scene_support(s, n) - most;
}

static const char *depth_fault(const mesh_scene *s, const answer *a, uint32_t *part) {
    for (size_t i = 0; i < a->count; i++) {
        const abut_contact_part *p = &a->parts[i];
        double least = separation_along(s, p->part, p->manifold.normal), slack = 1e-5 * s->size[p->part];
        *part = p->part;
        for (uint32_t k = 0; k < p->manifold.count; k++) {
            if (!(p->manifold.points[k].separation >= least - slack)) {
                return "a point is too deep";
            }
        }
    }
    return NULL;
}

static bool note(uint32_t part, void *context) {
    ((bool *)context)[part] = true;
    return true;
}

/* Overlaps know no backs. */
static const char *overlap_fault(const mesh_scene *s, const abut_collider *mesh, const abut_collider *body,
                                 uint32_t *part) {
    bool shared[MOST] = {false};
    abut_np_mesh_overlaps(mesh, body, note, shared);
    for (uint32_t t = 0; t < s->facts->count; t++) {
        *part = t;
        if (s->facts->area[t] && s->distance[t] < INFINITY && fabs(s->distance[t]) > 1e-12 * s->size[t] &&
            shared[t] != (s->distance[t] < 0)) {
            return shared[t] ? "an overlap is invented" : "an overlap is missing";
        }
    }
    return NULL;
}

/* Nor do distances. Beyond the margin the oracle leaves out triangles. */
static const char *distance_fault(const mesh_scene *s, const abut_mesh *mesh) {
    double least = INFINITY, size = 0;
    for (uint32_t t = 0; t < s->facts->count; t++) {
        size = s->distance[t] < least ? s->size[t] : size;
        least = fmin(least, s->distance[t]);
    }
    const abut_shape surface = {.mesh = mesh};
    double found = abut_shape_distance(&s->body->shape, &s->body->pose, &surface, &s->pose, NULL, NULL);
    least = fmax(least, 0);
    return least > s->margin || fabs(found - least) <= 1e-11 * size + 0x1p-23 * least ? NULL : "another distance";
}

static abut_collider collider_of(const abut_shape *shape, const abut_pose *pose) {
    abut_collider c;
    assert_true(abut_collider_from_shape_or_mesh(shape, pose, &c));
    return c;
}

/* Near a random place of the sliver, at about the body's size over it or below. */
static void put_body(rng *r, const facts *f, const abut_pose *pose, double size, round_body *body) {
    const quad_pose at = quad_pose_of(pose);
    const abut_vec3 aside = rng_vec3(r, -1, 1);
    double u = rng_unit(r), lift = rng_chance(r, 0.2) ? 0 : size * rng_range(r, -0.6, 1.1), local[3];
    for (int k = 0; k < 3; k++) {
        double a = (&f->corner[0][0].x)[k], b = (&f->corner[0][1].x)[k], away = (&aside.x)[k];
        local[k] = a + u * (b - a) + (rng_chance(r, 0.5) ? lift * f->normal[0][k] : 0.7 * size * away);
    }
    for (int k = 0; k < 3; k++) {
        double place = (&pose->position.x)[k];
        (&body->pose.position.x)[k] =
            (float)((double)(at.m[k][0] * (quad)local[0] + at.m[k][1] * (quad)local[1] + at.m[k][2] * (quad)local[2]) +
                    place);
    }
}

static const char *fault_of(const facts *f, const abut_pose *pose, const abut_mesh *mesh, const round_body *body,
                            float margin, uint32_t *part) {
    static mesh_scene scene;
    answer a = {.count = 0};
    const abut_shape surface = {.mesh = mesh};
    const abut_collider ground = collider_of(&surface, pose), shape = collider_of(&body->shape, &body->pose);
    a.hit = abut_np_mesh_collide(&ground, &shape, margin, keep, &a, &a.manifold);
    qsort(a.parts, a.count, sizeof *a.parts, by_part);
    mesh_scene_make(f, pose, body, margin, &scene);
    if (a.hit != abut_np_mesh_touches(&ground, &shape, margin) || a.hit != (a.count > 0)) {
        return "it touches and does not";
    }
    const char *fault = mesh_scene_fault(&scene, a.parts, a.count, &a.manifold, part);
    fault = fault ? fault : depth_fault(&scene, &a, part);
    fault = fault ? fault : distance_fault(&scene, mesh);
    return fault ? fault : overlap_fault(&scene, &ground, &shape, part);
}

static void check_sliver(uint64_t i, form kind) {
    static soup s;
    rng r = rng_make(test_seed() + STREAM_BODIES, FORMS * i + (uint64_t)kind);
    round_body body;
    double size = rng_log_range(&r, 0.05, 4);
    near_round_body(hulls, test_seed() + STREAM_BODIES, FORMS * i + (uint64_t)kind, (round_kind)(i % ROUND_KINDS), size,
                    &body);
    make_soup(i, kind, &s);
    soup_scale(&s, (float)exp2(rint(log2(size * rng_log_range(&r, 0.25, 2)))));
    abut_mesh *mesh = soup_mesh(&s);
    facts *f = facts_make(&s);
    assert_non_null(f);
    abut_pose pose = {rng_vec3(&r, -size, size), {0, 0, 0, 1}};
    pose.rotation = rng_chance(&r, 0.5) ? pose.rotation : rng_rotation(&r);
    float margin = rng_chance(&r, 0.5) ? 0 : (float)(size * rng_log_range(&r, 1e-4, 0.3));
    for (uint64_t k = 0; k < BODIES; k++) {
        uint32_t part = 0;
        put_body(&r, f, &pose, size, &body);
        const char *fault = fault_of(f, &pose, mesh, &body, margin, &part);
        if (fault) {
            fail_msg("form %d, sliver %llu, body %llu of kind %d, part %u: %s", (int)kind, (unsigned long long)i,
                     (unsigned long long)k, (int)body.kind, part, fault);
        }
    }
    abut_mesh_destroy(&mesh);
    free(f);
}

static void against_oracle(form kind) {
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (uint64_t i = 0; i < test_count(200); i++) {
        check_sliver(i, kind);
    }
}

static void middles_beside_a_line(void **state) {
    (void)state;
    against_oracle(FORM_MIDDLE);
}

static void ends_beside_a_line(void **state) {
    (void)state;
    against_oracle(FORM_END);
}

static void two_slivers(void **state) {
    (void)state;
    against_oracle(FORM_TWO);
}

static void slivers_beside_usual_triangles(void **state) {
    (void)state;
    against_oracle(FORM_BESIDE);
}

static void moderately_thin_triangles(void **state) {
    (void)state;
    against_oracle(FORM_MODERATE);
}

/* Thinner than the oracle can tell: the normal is known. */
static void the_thinnest_has_its_normal(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const float thin = k ? 0x1p-149f : 1e-17f;
        const abut_vec3 corner[3] = {{thin, 0, 0}, {1, 0, 1}, {2, 0, 2}};
        static const uint32_t index[3] = {0, 1, 2};
        const abut_mesh_def def = {.vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1};
        const abut_shape box = abut_box(0.5f, 0.5f, 0.5f);
        abut_mesh *mesh;
        answer a = {.count = 0};
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}}, above = {{1, -0.25f, 1}, {0, 0, 0, 1}};
        const abut_shape surface = {.mesh = mesh};
        const abut_collider ground = collider_of(&surface, &here), body = collider_of(&box, &above);
        const abut_pose other = {{1, 0.25f, 1}, {0, 0, 0, 1}};
        const abut_collider beyond = collider_of(&box, &other);
        assert_true(abut_np_mesh_collide(&ground, &body, 0, keep, &a, &a.manifold) ||
                    abut_np_mesh_collide(&ground, &beyond, 0, keep, &a, &a.manifold));
        assert_int_equal(a.count, 1);
        assert_true(fabsf(a.manifold.normal.y) == 1 && a.manifold.normal.x == 0 && a.manifold.normal.z == 0);
        for (uint32_t i = 0; i < a.manifold.count; i++) {
            assert_true(a.manifold.points[i].separation == -0.25f);
        }
        abut_mesh_destroy(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(middles_beside_a_line),
        cmocka_unit_test(ends_beside_a_line),
        cmocka_unit_test(two_slivers),
        cmocka_unit_test(slivers_beside_usual_triangles),
        cmocka_unit_test(moderately_thin_triangles),
        cmocka_unit_test(the_thinnest_has_its_normal),
    };
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
