/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes that move past meshes of every family. Casts: each triangle against the 113-bit oracle of casts, backs judged
 * where it is met. Casts, sweeps, overlaps and distances: what is said of a triangle is what is said of a mesh that has
 * no other, and a limit that shrinks finds the first. */

#include "narrowphase/narrowphase.h"
#include "support/cast_oracle.h"
#include "support/mesh_oracle.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>

enum { STREAM_HULLS = 1611, STREAM_BODIES = 1612, STREAM_WAYS = 1613, WAYS = 6 };

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

/* What was said of each triangle; NAN: nothing. */
typedef struct said {
    double measure[SOUP_TRIANGLES];
    double limit; /* shrinks to the least measure if `first` */
    bool first;
} said;

static void forget(said *s, bool first) {
    for (int t = 0; t < SOUP_TRIANGLES; t++) {
        s->measure[t] = NAN;
    }
    s->limit = INFINITY, s->first = first;
}

static double hear(uint32_t part, double measure, void *context) {
    said *s = context;
    assert_true(part < SOUP_TRIANGLES && isnan(s->measure[part]));
    s->measure[part] = measure;
    s->limit = s->first ? fmin(s->limit, measure) : s->limit;
    return fmin(s->limit, 1);
}

static double hear_near(uint32_t part, double measure, void *context) {
    (void)hear(part, measure, context);
    return ((said *)context)->limit;
}

static double hear_met(uint32_t part, const abut_np_met *met, void *context) {
    return hear(part, met->fraction, context);
}

static bool hear_overlap(uint32_t part, void *context) {
    (void)hear(part, 0, context);
    return true;
}

/* A mesh, and a body on its way past it. */
typedef struct passage {
    soup soup;
    facts *facts;
    abut_mesh *mesh;
    abut_pose pose, mesh_to, body_to;
    round_body body;
    abut_collider ground, start;
    abut_vec3 translation;
} passage;

static abut_collider ground_of(const abut_mesh *mesh, const abut_pose *pose) {
    abut_collider c;
    const abut_shape shape = {.mesh = mesh};
    assert_true(abut_collider_from_shape_or_mesh(&shape, pose, &c));
    return c;
}

static double size_of(const round_body *body) {
    return grown_diagonal(&(grown_core){body->core, body->shape.radius, body->pose});
}

static void make_passage(soup_family family, uint64_t i, passage *p) {
    rng r = rng_make(test_seed() + STREAM_BODIES, 64 * i + (uint64_t)family);
    near_round_body(hulls, test_seed() + STREAM_BODIES, 64 * i + (uint64_t)family, (round_kind)(i % ROUND_KINDS),
                    rng_log_range(&r, 0.05, 2), &p->body);
    soup_make(test_seed(), 64 * i + (uint64_t)family, family, &p->soup);
    soup_scale(&p->soup, (float)exp2(rint(log2(size_of(&p->body) * rng_log_range(&r, 0.25, 4)))));
    p->pose.rotation = rng_chance(&r, 0.5) ? (abut_quat){0, 0, 0, 1} : rng_rotation(&r);
    p->pose.position = rng_vec3(&r, -5, 5);
    p->mesh = soup_mesh(&p->soup);
    p->facts = facts_make(&p->soup);
    assert_non_null(p->facts);
    p->ground = ground_of(p->mesh, &p->pose);
}

static void release_passage(passage *p) {
    abut_mesh_destroy(&p->mesh);
    free(p->facts);
}

static abut_quat turned_a_little(rng *r, abut_quat q) {
    q.x += (float)rng_range(r, -0.2, 0.2);
    q.z += (float)rng_range(r, -0.2, 0.2);
    double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
    return (abut_quat){(float)(q.x / length), (float)(q.y / length), (float)(q.z / length), (float)(q.w / length)};
}

/* From beside a triangle along some way, often towards it. */
static void choose_way(uint64_t stream, passage *p) {
    rng r = rng_make(test_seed() + STREAM_WAYS, stream);
    uint32_t t = rng_below(&r, p->facts->count);
    const quad_pose at = quad_pose_of(&p->pose);
    double size = size_of(&p->body), lift = size * rng_range(&r, -0.5, 2);
    const abut_vec3 aside = rng_vec3(&r, -1, 1);
    double local[3], towards[3];
    for (int k = 0; k < 3; k++) {
        const abut_vec3 *c = p->facts->corner[t];
        local[k] = ((double)(&c[0].x)[k] + (&c[1].x)[k] + (&c[2].x)[k]) / 3 + lift * p->facts->normal[t][k];
        towards[k] = -lift * p->facts->normal[t][k] + 0.5 * size * (&aside.x)[k];
    }
    double length = rng_log_range(&r, 0.1, 4);
    for (int k = 0; k < 3; k++) {
        double place = (&p->pose.position.x)[k], way = 0;
        for (int l = 0; l < 3; l++) {
            place += (double)at.m[k][l] * local[l];
            way += (double)at.m[k][l] * towards[l];
        }
        (&p->body.pose.position.x)[k] = (float)place;
        (&p->translation.x)[k] = (float)(way * length);
    }
    const abut_vec3 a = p->body.pose.position, d = p->translation;
    p->body_to = (abut_pose){{a.x + d.x, a.y + d.y, a.z + d.z}, p->body.pose.rotation};
    p->mesh_to = p->pose;
    if (rng_chance(&r, 0.5)) {
        p->body_to.rotation = turned_a_little(&r, p->body.pose.rotation);
    }
    if (rng_chance(&r, 0.3)) {
        const abut_vec3 shift = rng_vec3(&r, -0.3 * size, 0.3 * size);
        p->mesh_to.position.x += shift.x;
        p->mesh_to.position.y += shift.y;
        p->mesh_to.position.z += shift.z;
    }
    if (rng_chance(&r, 0.1)) {
        p->mesh_to.rotation = turned_a_little(&r, p->pose.rotation);
    }
    assert_true(abut_collider_from_shape(&p->body.shape, &p->body.pose, &p->start));
}

/* How far the body's middle is in front of a triangle at a fraction of the way, in units of the length of all. */
static double middle_over(const passage *p, uint32_t t, double fraction) {
    const quad_pose body = quad_pose_of(&p->body.pose), mesh = quad_pose_of(&p->pose);
    const abut_vec3 c = p->body.shape.hull ? abut_hull_centroid(p->body.shape.hull) : (abut_vec3){0, 0, 0};
    quad height = 0, scale = 0;
    for (int k = 0; k < 3; k++) {
        quad world = (quad)(&p->body.pose.position.x)[k] + (quad)fraction * (&p->translation.x)[k];
        world += body.m[k][0] * c.x + body.m[k][1] * c.y + body.m[k][2] * c.z;
        const abut_vec3 a = p->facts->corner[t][0];
        world -= (quad)(&p->pose.position.x)[k] + mesh.m[k][0] * a.x + mesh.m[k][1] * a.y + mesh.m[k][2] * a.z;
        const double *n = p->facts->normal[t];
        height += world * (mesh.m[k][0] * n[0] + mesh.m[k][1] * n[1] + mesh.m[k][2] * n[2]);
        scale += (quad)fabs((double)world) + (quad)fabs((double)(&p->body.pose.position.x)[k]);
    }
    return (double)(height / scale);
}

static void check_cast(const passage *p, const said *s, uint64_t stream) {
    const grown_core body = {p->body.core, p->body.shape.radius, p->body.pose};
    for (uint32_t t = 0; t < p->facts->count; t++) {
        const grown_core triangle = {&p->facts->core[t], 0, p->pose};
        double fraction = s->measure[t];
        if (!p->facts->solid[t]) {
            assert_true(isnan(fraction));
            continue;
        }
        const cast_truth truth = cast_oracle(&body, p->translation, &triangle);
        double met = truth.meets ? fmax((double)truth.first, 0) : 0, over = middle_over(p, t, met);
        if (!truth.sure || (!p->facts->two_sided && fabs(over) < 1e-6)) {
            continue;
        }
        const char *fault = NULL;
        if (!p->facts->two_sided && over < 0 && truth.meets) {
            fault = isnan(fraction) ? NULL : "a back is met";
        } else if (truth.meets || !isnan(fraction)) {
            fault = cast_fraction_fault(&truth, isnan(fraction) ? INFINITY : fraction);
        }
        if (fault) {
            fail_msg("way %llu, triangle %u: %s (%.17g)", (unsigned long long)stream, t, fault, fraction);
        }
    }
}

/* A mesh of one triangle. */
static abut_mesh *single_of(const passage *p, uint32_t t) {
    static const uint32_t index[3] = {0, 1, 2};
    abut_mesh *mesh;
    const abut_mesh_def def = {.vertices = p->facts->corner[t],
                               .vertex_count = 3,
                               .indices = index,
                               .triangle_count = 1,
                               .two_sided = p->facts->two_sided};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

typedef enum question { OVERLAPS, NEAR, CAST, SWEEP, SWEPT, QUESTIONS } question;

static void ask(question q, const passage *p, const abut_mesh *mesh, double limit, said *out) {
    const abut_collider ground = ground_of(mesh, &p->pose);
    const abut_np_cast cast = abut_np_cast_of(&p->start, p->translation);
    abut_np_way body, way;
    abut_np_way_of(&p->start, NULL, &p->body.pose, &p->body_to, &body);
    abut_np_way_of(&ground, NULL, &p->pose, &p->mesh_to, &way);
    if (q == OVERLAPS) {
        abut_np_mesh_overlaps(&ground, &p->start, hear_overlap, out);
    } else if (q == NEAR) {
        abut_np_mesh_near(&ground, &p->start, limit, hear_near, out);
    } else if (q == CAST) {
        abut_np_mesh_cast(&cast, &ground, limit, hear, out);
    } else {
        bool body_first = q == SWEEP;
        abut_np_mesh_sweep(body_first ? &body : &way, body_first ? &way : &body, ABUT_INITIAL_HIT, 0, limit, hear_met,
                           out);
    }
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Of how many ways that were tried each question had an answer. */
static unsigned long ways, answered[QUESTIONS];

/* What is said of each triangle is what is said of it alone, and the first is the first. */
static void check_alone(const passage *p, uint64_t stream) {
    static said all[QUESTIONS], first, alone;
    double least[QUESTIONS];
    for (int q = 0; q < QUESTIONS; q++) {
        forget(&all[q], false);
        ask((question)q, p, p->mesh, q == NEAR ? INFINITY : 1, &all[q]);
        least[q] = INFINITY;
    }
    for (uint32_t t = 0; t < p->facts->count; t++) {
        abut_mesh *single = p->facts->solid[t] ? single_of(p, t) : NULL;
        for (int q = 0; q < QUESTIONS; q++) {
            forget(&alone, false);
            if (single) {
                ask((question)q, p, single, q == NEAR ? INFINITY : 1, &alone);
            }
            if (!same(alone.measure[0], all[q].measure[t])) {
                fail_msg("way %llu, triangle %u, question %d: %.17g, alone %.17g", (unsigned long long)stream, t, q,
                         all[q].measure[t], alone.measure[0]);
            }
            least[q] = isnan(alone.measure[0]) ? least[q] : fmin(least[q], alone.measure[0]);
        }
        abut_mesh_destroy(&single);
    }
    ways++;
    for (int q = 0; q < QUESTIONS; q++) {
        answered[q] += least[q] < INFINITY;
    }
    for (int q = NEAR; q < QUESTIONS; q++) {
        forget(&first, true);
        ask((question)q, p, p->mesh, q == NEAR ? INFINITY : 1, &first);
        if (first.limit != least[q]) {
            fail_msg("way %llu, question %d: first %.17g, least %.17g", (unsigned long long)stream, q, first.limit,
                     least[q]);
        }
    }
    for (uint32_t t = 0; t < p->facts->count; t++) {
        assert_true((all[NEAR].measure[t] == 0) == (all[OVERLAPS].measure[t] == 0));
    }
}

static void pass(void **state) {
    soup_family family = *(soup_family *)*state;
    static passage p;
    static said s;
    for (uint64_t i = 0; i < test_count(6); i++) {
        make_passage(family, i, &p);
        for (uint64_t k = 0; k < WAYS; k++) {
            uint64_t stream = (i * SOUP_FAMILIES + (uint64_t)family) * WAYS + k;
            choose_way(stream, &p);
            forget(&s, false);
            ask(CAST, &p, p.mesh, 1, &s);
            check_cast(&p, &s, stream);
            check_alone(&p, stream);
        }
        release_passage(&p);
    }
}

/* The families above are more than empty lists that agree. */
static void all_questions_had_answers(void **state) {
    (void)state;
    for (int q = 0; q < QUESTIONS; q++) {
        assert_true(answered[q] >= ways / 16);
    }
}

/* A ball that comes down on a flat floor anywhere, inner edges and corners included, meets it along its normal. */
static void balls_over_flat_floors(void **state) {
    (void)state;
    static soup s;
    for (uint64_t i = 0; i < test_count(12); i++) {
        rng r = rng_make(test_seed(), i);
        soup_make_floor(&r, (soup_floor)(i % SOUP_FLOORS), &s);
        abut_mesh *mesh = soup_mesh(&s);
        const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
        const abut_shape floor = {.mesh = mesh}, ball = abut_sphere(0.25f);
        for (int k = 0; k < 200; k++) {
            const abut_vec3 v = s.vertex[rng_below(&r, s.vertex_count)];
            bool corner = rng_chance(&r, 0.5) && fabsf(v.x) < 7 && fabsf(v.z) < 7;
            double x = corner ? v.x : rng_range(&r, -6, 6), z = corner ? v.z : rng_range(&r, -6, 6);
            const abut_pose from = {{(float)x, 1, (float)z}, {0, 0, 0, 1}};
            abut_pose to = from;
            abut_hit hit;
            to.position.x += (float)rng_range(&r, -0.5, 0.5);
            to.position.y = (float)rng_range(&r, -1, 0.2);
            assert_true(abut_shape_sweep(&ball, &from, &to, &floor, &here, &here, ABUT_INITIAL_HIT, &hit));
            assert_true(hit.normal.x == 0 && hit.normal.y == 1 && hit.normal.z == 0);
            assert_true(abut_shape_sweep(&floor, &here, &here, &ball, &from, &to, ABUT_INITIAL_HIT, &hit));
            assert_true(hit.normal.x == 0 && hit.normal.y == -1 && hit.normal.z == 0);
        }
        abut_mesh_destroy(&mesh);
    }
}

/* What rests on a flat floor meets it at once on any way down, inner edges or not, and on no way up. */
static void closing_on_flat_floors(void **state) {
    (void)state;
    static soup s;
    const abut_shape shapes[3] = {
        abut_box(0.5f, 0.5f, 0.5f), abut_sphere(0.5f), {.half = {0.25f, 0.25f, 0.25f}, .radius = 0.25f}};
    for (uint64_t i = 0; i < test_count(12); i++) {
        rng r = rng_make(test_seed(), 100 + i);
        soup_make_floor(&r, (soup_floor)(i % SOUP_FLOORS), &s);
        s.two_sided = i / SOUP_FLOORS % 2 != 0;
        abut_mesh *mesh = soup_mesh(&s);
        const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
        const abut_shape floor = {.mesh = mesh};
        for (int k = 0; k < 100; k++) {
            const abut_pose from = {{(float)rng_range(&r, -6, 6), 0.5f, (float)rng_range(&r, -6, 6)}, {0, 0, 0, 1}};
            abut_pose to = {rng_vec3(&r, -6, 6), {0, 0, 0, 1}};
            abut_hit hit;
            to.position.y = 0.25f;
            assert_true(abut_shape_sweep(&shapes[k % 3], &from, &to, &floor, &here, &here, ABUT_INITIAL_CLOSING, &hit));
            assert_true(hit.fraction < 0.01f);
            assert_true(hit.normal.x == 0 && hit.normal.y == 1 && hit.normal.z == 0);
            to.position.y = 0.75f;
            assert_false(
                abut_shape_sweep(&shapes[k % 3], &from, &to, &floor, &here, &here, ABUT_INITIAL_CLOSING, &hit));
        }
        abut_mesh_destroy(&mesh);
    }
}

int main(void) {
    static soup_family family[SOUP_FAMILIES];
    struct CMUnitTest tests[SOUP_FAMILIES + 3];
    for (int i = 0; i < SOUP_FAMILIES; i++) {
        family[i] = (soup_family)i;
        tests[i] = (struct CMUnitTest){soup_family_name(family[i]), pass, NULL, NULL, &family[i]};
    }
    tests[SOUP_FAMILIES] = (struct CMUnitTest)cmocka_unit_test(all_questions_had_answers);
    tests[SOUP_FAMILIES + 1] = (struct CMUnitTest)cmocka_unit_test(balls_over_flat_floors);
    tests[SOUP_FAMILIES + 2] = (struct CMUnitTest)cmocka_unit_test(closing_on_flat_floors);
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
