/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts of every convex type with meshes of every family against the 113-bit oracle (support/mesh_oracle.h): none
 * missed, none invented, normals within range, points on both surfaces. Scaling by a power of two changes no bit. */

#include "narrowphase/narrowphase.h"
#include "support/mesh_oracle.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_HULLS = 1601, STREAM_MESHES = 1602, BODIES = 24 };

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

/* An answer with its parts sorted. */
typedef struct answer {
    bool hit;
    abut_manifold manifold;
    size_t count;
    abut_contact_part parts[SOUP_TRIANGLES];
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < SOUP_TRIANGLES && part->previous1 == 0);
    a->parts[a->count++] = *part;
}

static int by_part(const void *a, const void *b) {
    const abut_contact_part *p = a, *q = b;
    return (p->part > q->part) - (p->part < q->part);
}

static void ask(const abut_collider *mesh, const abut_collider *body, float margin, answer *out) {
    memset(out, 0, sizeof *out);
    out->hit = abut_np_mesh_collide(mesh, body, margin, keep, out, &out->manifold);
    qsort(out->parts, out->count, sizeof *out->parts, by_part);
    assert_true(out->hit == abut_np_mesh_touches(mesh, body, margin));
    assert_true(out->hit == (out->count > 0));
}

static abut_collider mesh_collider(const abut_mesh *mesh, const abut_pose *pose) {
    abut_collider c;
    const abut_shape shape = {.mesh = mesh};
    assert_true(abut_collider_from_shape_or_mesh(&shape, pose, &c));
    return c;
}

static double core_reach(const core *c) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        square += c->half[k] * c->half[k];
    }
    return sqrt(square);
}

/* A random place near the surface, sometimes exactly in touch with it. */
static void put_body(rng *r, const facts *f, const abut_pose *pose, round_body *body) {
    uint32_t t = rng_below(r, f->count);
    quad_pose at = quad_pose_of(pose);
    double u = rng_unit(r), v = rng_unit(r) * (1 - u), local[3], size = core_reach(body->core) + body->shape.radius;
    double lift = rng_chance(r, 0.2) ? 0 : size * rng_range(r, -0.6, 1.1);
    for (int k = 0; k < 3; k++) {
        const float *a = &f->corner[t][0].x, *b = &f->corner[t][1].x, *c = &f->corner[t][2].x;
        local[k] = a[k] + u * ((double)b[k] - a[k]) + v * ((double)c[k] - a[k]) + lift * f->normal[t][k];
    }
    for (int k = 0; k < 3; k++) {
        const float *own = &pose->position.x;
        (&body->pose.position.x)[k] =
            (float)((double)(at.m[k][0] * (quad)local[0] + at.m[k][1] * (quad)local[1] + at.m[k][2] * (quad)local[2]) +
                    own[k]);
    }
}

static float power_near(double x) {
    return (float)exp2(rint(log2(x)));
}

/* One body, the mesh as large as it takes: bodies are 1/16 to 4 triangles wide. */
typedef struct encounter {
    soup soup;
    facts *facts;
    abut_mesh *mesh;
    abut_pose pose;
    round_body body;
    float margin;
} encounter;

static void make_body(rng *r, uint64_t stream, uint64_t i, round_body *body) {
    near_round_body(hulls, test_seed() + stream, i, (round_kind)(i % ROUND_KINDS), rng_log_range(r, 0.05, 2), body);
    if (rng_chance(r, 0.3)) {
        body->pose.rotation = (abut_quat){0, 0, 0, 1};
    }
}

static void make_encounter(soup_family family, uint64_t i, float scale, encounter *e) {
    rng r = rng_make(test_seed() + STREAM_MESHES, 64 * i + (uint64_t)family);
    make_body(&r, 100 + (uint64_t)family, i, &e->body);
    double size = core_reach(e->body.core) + e->body.shape.radius;
    soup_make(test_seed(), 64 * i + (uint64_t)family, family, &e->soup);
    soup_scale(&e->soup, scale * power_near(size * rng_log_range(&r, 0.25, 8)));
    e->pose.rotation = rng_chance(&r, 0.5) ? (abut_quat){0, 0, 0, 1} : rng_rotation(&r);
    e->pose.position = rng_vec3(&r, -5 * size, 5 * size);
    e->margin = rng_chance(&r, 0.5) ? 0 : (float)(size * rng_log_range(&r, 1e-4, 0.3));
    e->mesh = soup_mesh(&e->soup);
    e->facts = facts_make(&e->soup);
    assert_non_null(e->facts);
}

static void release_encounter(encounter *e) {
    abut_mesh_destroy(&e->mesh);
    free(e->facts);
}

static void check_encounter(soup_family family, uint64_t i) {
    static encounter e;
    static answer a;
    static mesh_scene scene;
    make_encounter(family, i, 1, &e);
    abut_collider mesh = mesh_collider(e.mesh, &e.pose), body;
    for (uint64_t k = 0; k < BODIES; k++) {
        rng r = rng_make(test_seed(), (i * SOUP_FAMILIES + (uint64_t)family) * BODIES + k);
        uint32_t part = 0;
        put_body(&r, e.facts, &e.pose, &e.body);
        assert_true(abut_collider_from_shape(&e.body.shape, &e.body.pose, &body));
        ask(&mesh, &body, e.margin, &a);
        mesh_scene_make(e.facts, &e.pose, &e.body, e.margin, &scene);
        const char *fault = mesh_scene_fault(&scene, a.parts, a.count, &a.manifold, &part);
        if (fault) {
            fail_msg("%s, mesh %llu, body %llu of kind %d: %s (part %u of %zu)", soup_family_name(family),
                     (unsigned long long)i, (unsigned long long)k, (int)e.body.kind, fault, part, a.count);
        }
    }
    release_encounter(&e);
}

static void against_oracle(void **state) {
    soup_family family = *(soup_family *)*state;
    for (uint64_t i = 0; i < test_count(24); i++) {
        check_encounter(family, i);
    }
}

int main(void) {
    static soup_family family[SOUP_FAMILIES];
    struct CMUnitTest tests[SOUP_FAMILIES];
    for (int i = 0; i < SOUP_FAMILIES; i++) {
        family[i] = (soup_family)i;
        tests[i] = (struct CMUnitTest){soup_family_name(family[i]), against_oracle, NULL, NULL, &family[i]};
    }
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
