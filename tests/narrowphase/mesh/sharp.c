/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Roofs and spikes of triangles, as sharp as they may be: bodies on them are no deeper than on a hull of the same form.
 * Between the faces there are normals more than a right angle from that of the triangle that is asked. Nor are thin
 * bodies that a ridge goes through, nor those outside of the fold of a two-sided surface, whose back they see. */

#include "support/near_hulls.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

static const double DEGREE = 0.017453292519943295;

static const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

/* The same form twice. */
typedef struct form {
    abut_world *world; /* of the mesh alone */
    abut_mesh *mesh;
    abut_hull *hull;
} form;

static void make_form(const abut_vec3 *vertex, uint32_t vertices, const uint32_t *index, uint32_t triangles,
                      bool two_sided, form *out) {
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = vertices,
                               .indices = index,
                               .triangle_count = triangles,
                               .two_sided = two_sided};
    abut_body_id id;
    assert_int_equal(abut_world_create(NULL, &out->world), ABUT_OK);
    assert_int_equal(abut_mesh_create(&def, &out->mesh), ABUT_OK);
    assert_int_equal(abut_hull_create(vertex, vertices, NULL, &out->hull), ABUT_OK);
    const abut_body_def body = {.mesh = out->mesh, .motion = ABUT_STATIC};
    assert_int_equal(abut_body_create(out->world, &body, &id), ABUT_OK);
}

static void release_form(form *f) {
    abut_world_destroy(&f->world);
    abut_mesh_destroy(&f->mesh);
    abut_hull_destroy(&f->hull);
}

/* Two faces below a ridge along z, with this angle between them. */
static void make_roof(rng *r, double angle, bool two_sided, form *out) {
    static const uint32_t index[12] = {0, 1, 2, 2, 1, 3, 0, 4, 1, 1, 4, 5};
    const double first = angle * rng_range(r, 0.4, 0.6), second = first - angle; /* from straight down */
    abut_vec3 vertex[6];
    for (int i = 0; i < 6; i++) {
        const double turn = i < 4 ? first : second, far = i < 2 ? 0 : 3;
        vertex[i] = (abut_vec3){(float)(far * sin(turn)), (float)(-far * cos(turn)), i & 1 ? 3 : -3};
    }
    make_form(vertex, 6, index, 4, two_sided, out);
}

/* A pyramid with its top at the origin. */
static void make_spike(rng *r, form *out) {
    enum { MOST = 8 };
    const uint32_t n = 3 + rng_below(r, MOST - 2);
    const double wide = rng_range(r, 0.3, 1.2);
    abut_vec3 vertex[MOST + 1] = {{0, 0, 0}};
    uint32_t index[3 * MOST];
    for (uint32_t i = 0; i < n; i++) {
        const double turn = (i + rng_range(r, 0, 0.3)) / n * 360 * DEGREE;
        vertex[1 + i] = (abut_vec3){(float)(wide * cos(turn)), -3, (float)(wide * sin(turn))};
        index[3 * i] = 0, index[3 * i + 1] = 1 + (i + 1) % n, index[3 * i + 2] = 1 + i;
    }
    make_form(vertex, n + 1, index, n, false, out);
}

static bool meets(const form *f, const abut_shape *shape, abut_pose *pose, float y) {
    const abut_shape ground = {.hull = f->hull};
    pose->position.y = y;
    return abut_shape_overlap(&ground, &here, shape, pose);
}

/* Lowers a body, whose middle is above the hull, until it is this much lower than where it meets that. */
static void sink(const form *f, const abut_shape *shape, float deep, abut_pose *pose) {
    float low = 2;
    while (low > -3 && !meets(f, shape, pose, low)) {
        low -= 0.125f;
    }
    float high = low + 0.125f;
    for (int k = 0; k < 20; k++) {
        const float y = (low + high) / 2;
        *(meets(f, shape, pose, y) ? &low : &high) = y;
    }
    pose->position.y = low - deep;
}

/* How many bodies were asked about, how many of them the mesh touches, and how many it shows deeper than the hull. */
typedef struct tally {
    unsigned long bodies, touching, deeper;
} tally;

/* A face of up to a twentieth more depth is preferred, and of up to 2^-10 of the body's least half extent, here 0.5 at
 * most. */
static void judge(const form *f, const abut_shape *shape, const abut_pose *pose, tally *t) {
    enum { MOST = 16 };
    const abut_shape ground = {.hull = f->hull};
    abut_touching touching[MOST];
    abut_manifold manifold;
    assert_true(abut_shape_collide(&ground, &here, shape, pose, 0, &manifold));
    const float most = 1.06f * abut_manifold_depth(&manifold) + 0x1p-11f;
    const size_t n = abut_world_collide(f->world, shape, pose, 0, NULL, touching, MOST);
    bool deeper = false;
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        deeper = deeper || abut_manifold_depth(&touching[i].manifold) > most;
    }
    t->bodies++;
    t->touching += n > 0;
    t->deeper += deeper;
}

/* Boxes, cubes and hulls lie across roofs as they come. */
static void bodies_on_roofs(bool two_sided) {
    tally t = {0};
    for (uint64_t i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed(), i);
        form roof;
        make_roof(&r, rng_range(&r, 5, 175) * DEGREE, two_sided, &roof);
        abut_hull *stone = near_stone(&r);
        const abut_shape shape[3] = {abut_box(0.2f, 0.5f, 0.3f), abut_box(0.3f, 0.3f, 0.3f), {.hull = stone}};
        for (int k = 0; k < 30; k++) {
            const float x = (float)rng_range(&r, -0.05, 0.05), z = (float)rng_range(&r, -1, 1);
            abut_pose pose = {{x, 0, z}, rng_rotation(&r)};
            sink(&roof, &shape[k % 3], (float)rng_log_range(&r, 3e-4, 0.01), &pose);
            judge(&roof, &shape[k % 3], &pose, &t);
            assert_true(t.deeper == 0);
        }
        release_form(&roof);
        abut_hull_destroy(&stone);
    }
    assert_true(t.touching > t.bodies / 10 * 9);
}

static void nothing_is_deeper_on_a_roof_than_on_a_hull(void **state) {
    (void)state;
    bodies_on_roofs(false);
}

/* A body before one face is behind the other where they meet at less than a right angle, or where it is aside. */
static void nothing_is_deeper_outside_of_a_fold(void **state) {
    (void)state;
    bodies_on_roofs(true);
}

/* What falls on the ridge of a two-sided roof is held up by it, also where it sees one face from its back. */
static void normals_outside_of_a_fold_lead_up(void **state) {
    (void)state;
    const abut_shape shape[2] = {{.radius = 0.3f}, abut_box(0.3f, 0.3f, 0.3f)};
    for (uint64_t i = 0; i < test_count(200); i++) {
        rng r = rng_make(test_seed(), i);
        form roof;
        make_roof(&r, rng_range(&r, 5, 175) * DEGREE, true, &roof);
        const abut_shape surface = {.mesh = roof.mesh};
        for (int k = 0; k < 20; k++) {
            abut_pose from = {{(float)rng_range(&r, -0.1, 0.1), 2, 0}, {0, 0, (float)rng_range(&r, -0.1, 0.1), 1}};
            const abut_cast down = {.shape = shape[k % 2], .from = from, .translation = {0, -4, 0}};
            abut_pose to = from;
            abut_hit hit;
            to.position.y = -2;
            assert_int_equal(abut_world_cast_shapes(roof.world, &down, 1, NULL, &hit), ABUT_OK);
            assert_true(hit.fraction < 1 && hit.normal.y > 0);
            assert_true(abut_shape_sweep(&shape[k % 2], &from, &to, &surface, &here, &here, ABUT_INITIAL_HIT, &hit));
            assert_true(hit.normal.y > 0);
        }
        release_form(&roof);
    }
}

/* Plates, needles and rods lie across a roof, deeper than they are thick: the ridge is above them, and the way out is
 * not along a face to their far end. Rarely it would be along the face beyond, which they are behind. */
static void what_a_ridge_goes_through_is_no_deeper(void **state) {
    (void)state;
    tally all = {0};
    for (uint64_t i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed(), i);
        const float t = (float)rng_log_range(&r, 0.001, 0.02);
        const abut_shape shape[4] = {abut_box(0.5f, t, 0.3f),
                                     {.half = {0.5f, t / 2, 0.3f}, .radius = t / 2},
                                     abut_box(0.5f, t, t),
                                     {.half = {0.5f, 0, 0}, .radius = t}};
        form roof;
        make_roof(&r, rng_range(&r, 5, 175) * DEGREE, false, &roof);
        for (int k = 0; k < 24; k++) {
            const abut_vec3 axis = {(float)rng_range(&r, -0.01, 0.01), 0, 1};
            abut_pose pose = {{(float)rng_range(&r, -0.3, 0.3), 0, (float)rng_range(&r, -0.5, 0.5)},
                              abut_quat_from_axis_angle(axis, (float)(rng_range(&r, -40, 40) * DEGREE))};
            sink(&roof, &shape[k % 4], 2 * t + (float)rng_log_range(&r, 3e-4, 0.02), &pose);
            judge(&roof, &shape[k % 4], &pose, &all);
        }
        release_form(&roof);
    }
    assert_true(all.touching > all.bodies / 2 && all.deeper <= all.bodies / 100);
}

/* Cubes, whose lower face the top enters, and capsules as they come: all lean far over the faces on the other side. */
static void nothing_is_deeper_on_a_spike_than_on_a_hull(void **state) {
    (void)state;
    tally t = {0};
    const abut_shape shape[3] = {
        abut_box(0.3f, 0.3f, 0.3f), {.half = {0.3f, 0.3f, 0.3f}, .radius = 0.05f}, abut_capsule(0.5f, 0.1f)};
    for (uint64_t i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed(), i);
        form spike;
        make_spike(&r, &spike);
        for (int k = 0; k < 30; k++) {
            const double tilt = rng_range(&r, 0, 20) * DEGREE, way = rng_range(&r, 0, 360) * DEGREE; /* halves */
            const abut_quat lean = {(float)(sin(tilt) * cos(way)), 0, (float)(sin(tilt) * sin(way)), (float)cos(tilt)};
            const float up = 0.3f + shape[k % 3].radius, aside = up * (float)sin(2 * tilt);
            abut_pose pose = {{-aside * (float)sin(way), 0, aside * (float)cos(way)}, lean};
            if (k % 3 == 2) {
                pose = (abut_pose){{(float)rng_range(&r, -0.1, 0.1), 0, 0}, rng_rotation(&r)};
            }
            sink(&spike, &shape[k % 3], (float)rng_log_range(&r, 3e-4, 0.01), &pose);
            judge(&spike, &shape[k % 3], &pose, &t);
            assert_true(t.deeper == 0);
        }
        release_form(&spike);
    }
    assert_true(t.touching > t.bodies / 10 * 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_deeper_on_a_roof_than_on_a_hull),
        cmocka_unit_test(nothing_is_deeper_outside_of_a_fold),
        cmocka_unit_test(normals_outside_of_a_fold_lead_up),
        cmocka_unit_test(what_a_ridge_goes_through_is_no_deeper),
        cmocka_unit_test(nothing_is_deeper_on_a_spike_than_on_a_hull),
    };
    return test_run(tests);
}
