/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Laws of contacts with meshes: scaling by a power of two changes no bit; strips give no normal beyond those of their
 * slopes; backs are not touched, unless the mesh is two_sided; neither the order of triangles nor the way vertices are
 * shared matters; a box is pushed out as a hull with its corners; the depth of a triangle parts it from a body. */

#include "narrowphase/narrowphase.h"
#include "support/mesh_families.h"
#include "support/near_round.h"
#include "support/test.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_HULLS = 1621, STREAM_BODIES = 1622, STREAM_DEPTHS = 1623 };

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

typedef struct answer {
    size_t count;
    abut_manifold manifold;
    abut_contact_part parts[SOUP_TRIANGLES];
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < SOUP_TRIANGLES);
    a->parts[a->count++] = *part;
}

static int by_part(const void *a, const void *b) {
    const abut_contact_part *p = a, *q = b;
    return (p->part > q->part) - (p->part < q->part);
}

static void ask(const abut_mesh *mesh, const abut_pose *pose, const abut_shape *shape, const abut_pose *at,
                float margin, answer *out) {
    abut_collider m, body;
    const abut_shape surface = {.mesh = mesh};
    assert_true(abut_collider_from_shape_or_mesh(&surface, pose, &m));
    assert_true(abut_collider_from_shape(shape, at, &body));
    memset(out, 0, sizeof *out);
    bool hit = abut_np_mesh_collide(&m, &body, margin, keep, out, &out->manifold);
    assert_true(hit == (out->count > 0));
    qsort(out->parts, out->count, sizeof *out->parts, by_part);
}

/* A body of any kind, and a soup that suits its size. */
static float make_pair(uint64_t i, soup_family family, soup *s, round_body *body) {
    rng r = rng_make(test_seed() + STREAM_BODIES, i);
    near_round_body(hulls, test_seed() + 3, i, (round_kind)(i % ROUND_KINDS), rng_log_range(&r, 0.05, 2), body);
    double size = body->shape.radius +
                  sqrt(body->core->half[0] * body->core->half[0] + body->core->half[1] * body->core->half[1] +
                       body->core->half[2] * body->core->half[2]);
    float unit = (float)exp2(rint(log2(size * rng_log_range(&r, 0.5, 4))));
    soup_make(test_seed(), i, family, s);
    soup_scale(s, unit);
    return unit;
}

static void scaled_manifold(abut_manifold *m, float factor) {
    for (uint32_t k = 0; k < m->count; k++) {
        abut_contact_point *p = &m->points[k];
        p->position = (abut_vec3){p->position.x * factor, p->position.y * factor, p->position.z * factor};
        p->separation *= factor;
    }
}

static void scaling_changes_no_bit(void **state) {
    (void)state;
    static soup s;
    static answer a, b;
    const float factor = (float)(1 << ROUND_SCALE);
    unsigned long asked = 0, touching = 0;
    for (uint64_t i = 0; i < test_count(400); i++) {
        round_body body;
        float unit = make_pair(i, (soup_family)(i % SOUP_FAMILIES), &s, &body);
        if (unit > 0x1p17F) {
            continue; /* the larger one would be beyond ABUT_MAX_COORDINATE */
        }
        rng r = rng_make(test_seed(), i);
        abut_pose pose = {rng_vec3(&r, -3 * unit, 3 * unit), rng_rotation(&r)}, far = pose, at = body.pose;
        abut_mesh *mesh = soup_mesh(&s), *large;
        soup_scale(&s, factor);
        large = soup_mesh(&s);
        for (int k = 0; k < 12; k++) {
            at.position = rng_vec3(&r, -6 * unit, 6 * unit);
            float margin = k % 2 ? 0.25F * unit : 0;
            abut_pose at_large = at;
            abut_shape shape = body.shape;
            for (int x = 0; x < 3; x++) {
                (&at_large.position.x)[x] *= factor;
                (&far.position.x)[x] = (&pose.position.x)[x] * factor;
                (&shape.half.x)[x] *= factor;
            }
            shape.radius *= factor;
            shape.hull = shape.hull ? hulls->scaled[body.hull] : NULL;
            ask(mesh, &pose, &body.shape, &at, margin, &a);
            ask(large, &far, &shape, &at_large, margin * factor, &b);
            assert_int_equal(a.count, b.count);
            asked++;
            touching += a.count > 0;
            scaled_manifold(&a.manifold, factor);
            for (size_t p = 0; p < a.count; p++) {
                scaled_manifold(&a.parts[p].manifold, factor);
            }
            assert_memory_equal(&a, &b, sizeof a);
        }
        abut_mesh_destroy(&mesh);
        abut_mesh_destroy(&large);
    }
    assert_true(touching >= asked / 32);
}

/* The same triangles with other vertices: the same bytes of answers. */
static void sharing_of_vertices_does_not_matter(void **state) {
    (void)state;
    static soup s, split;
    static answer a, b;
    unsigned long asked = 0, touching = 0;
    for (uint64_t i = 0; i < test_count(200); i++) {
        round_body body;
        float unit = make_pair(i, (soup_family)(i % SOUP_FAMILIES), &s, &body);
        rng r = rng_make(test_seed(), i);
        split = s;
        soup_split_vertices(&r, &split);
        abut_mesh *mesh = soup_mesh(&s), *other = soup_mesh(&split);
        const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        for (int k = 0; k < 10; k++) {
            body.pose.position = rng_vec3(&r, -6 * unit, 6 * unit);
            ask(mesh, &pose, &body.shape, &body.pose, 0.125F * unit, &a);
            ask(other, &pose, &body.shape, &body.pose, 0.125F * unit, &b);
            assert_memory_equal(&a, &b, sizeof a);
            asked++;
            touching += a.count > 0;
        }
        abut_mesh_destroy(&mesh);
        abut_mesh_destroy(&other);
    }
    assert_true(touching >= asked / 32);
}

/* Over strips that go up and down along x, away from the borders: no normal is steeper than the steepest strip beside
 * the body, and none leans along z. */
static void strips_lean_no_further(void **state) {
    (void)state;
    static soup s;
    static answer a;
    unsigned long asked = 0, touching = 0;
    for (uint64_t i = 0; i < test_count(240); i++) {
        round_body body;
        rng r = rng_make(test_seed() + 9, i);
        float height[9], unit;
        int shape = (int)(i / ROUND_KINDS % 3); /* a ridge, a valley, both */
        for (int k = 0; k < 9; k++) {
            float bow = (float)((k - 4) * (k - 4)) / 32;
            height[k] = shape == 0 ? -bow : shape == 1 ? bow : (float)rng_range(&r, -0.4, 0.4);
        }
        unit = make_pair(i, SOUP_FLAT, &s, &body) * 2; /* the body's reach is at most 1 unit */
        soup_make_strips(&r, height, &s);
        soup_scale(&s, unit);
        abut_mesh *mesh = soup_mesh(&s);
        const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        for (int k = 0; k < 60; k++) {
            double low = -1e-6, high = 1e-6; /* sines of the strips' leaning */
            body.pose.position = (abut_vec3){(float)(k - 30) / 8 * unit, (float)rng_range(&r, -0.2, 1.4) * unit,
                                             (float)rng_range(&r, -4, 4) * unit};
            for (int x = 0; x < 8; x++) { /* all the strips that the body may touch */
                if (fabs((double)body.pose.position.x / unit - (2 * x - 7)) <= 1 + 2.5) {
                    double rise = (double)height[x + 1] - height[x], lean = -rise / sqrt(4 + rise * rise);
                    low = fmin(low, lean - 1e-6);
                    high = fmax(high, lean + 1e-6);
                }
            }
            ask(mesh, &pose, &body.shape, &body.pose, 0, &a);
            asked++;
            touching += a.count > 0;
            for (size_t p = 0; p < a.count; p++) {
                abut_vec3 n = a.parts[p].manifold.normal;
                if (!(n.x >= low && n.x <= high && fabsf(n.z) <= 1e-6F && n.y > 0)) {
                    fail_msg("strips %llu, stop %d, kind %d: normal %g %g %g, allowed x %g .. %g",
                             (unsigned long long)i, k, (int)body.kind, (double)n.x, (double)n.y, (double)n.z, low,
                             high);
                }
            }
        }
        abut_mesh_destroy(&mesh);
    }
    assert_true(touching >= asked / 16);
}

/* Bodies come from below: nothing until their middle has passed, unless the mesh has two sides. */
static void backs(void **state) {
    (void)state;
    static soup s;
    static answer a;
    for (uint64_t i = 0; i < test_count(240); i++) {
        round_body body;
        float unit = make_pair(i, SOUP_FLAT, &s, &body) * 2;
        rng r = rng_make(test_seed() + 5, i);
        soup_make_floor(&r, (soup_floor)(i % SOUP_FLOORS), &s);
        soup_scale(&s, unit);
        s.two_sided = i / 2 % 2;
        abut_mesh *mesh = soup_mesh(&s);
        const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        for (int k = -10; k <= 10; k++) {
            abut_aabb bounds;
            abut_collider there;
            body.pose.position = (abut_vec3){0, 0, 0};
            assert_true(abut_collider_from_shape(&body.shape, &body.pose, &there));
            bounds = abut_collider_bounds(&there);
            double middle = body.shape.hull ? 0.5 * ((double)bounds.min.y + bounds.max.y) : 0;
            double tall = (double)bounds.max.y - bounds.min.y, y = k * 0.08 * tall - middle;
            bool near_middle = abs(k) <= (body.shape.hull ? 4 : 0); /* a hull's centroid is not in the middle */
            bool touches = bounds.min.y + y < -1e-6 * unit && bounds.max.y + y > 1e-6 * unit;
            body.pose.position =
                (abut_vec3){(float)rng_range(&r, -2, 2) * unit, (float)y, (float)rng_range(&r, -2, 2) * unit};
            ask(mesh, &pose, &body.shape, &body.pose, 0, &a);
            if (!near_middle && (touches || a.count > 0)) {
                assert_true((a.count > 0) == (touches && (k > 0 || s.two_sided)));
            }
            for (size_t p = 0; p < a.count && !near_middle; p++) {
                abut_vec3 n = a.parts[p].manifold.normal;
                assert_true(n.x == 0 && n.z == 0 && n.y == (k > 0 ? 1 : -1));
            }
        }
        abut_mesh_destroy(&mesh);
    }
}

/* The parts of which both show points have the same normal. Returns how many there are: which of equal points of
 * neighbours are shown may differ. */
static unsigned long same_parts(const answer *a, const answer *b, uint64_t stream) {
    unsigned long same = 0;
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const abut_contact_part *p = &a->parts[i], *q = &b->parts[k];
        if (p->part == q->part) {
            const abut_vec3 m = p->manifold.normal, n = q->manifold.normal;
            if (fabsf(m.x - n.x) + fabsf(m.y - n.y) + fabsf(m.z - n.z) > 1e-5F) {
                fail_msg("seed 0x%llx stream %llu, part %u: normal %g %g %g, as a hull %g %g %g",
                         (unsigned long long)test_seed(), (unsigned long long)stream, p->part, (double)m.x, (double)m.y,
                         (double)m.z, (double)n.x, (double)n.y, (double)n.z);
            }
            same++;
        }
        i += p->part <= q->part;
        k += p->part >= q->part;
    }
    return same;
}

/* A box has a quick way to see that a triangle's own normal is best; a hull with its corners has none. */
static void boxes_are_like_hulls(void **state) {
    (void)state;
    static soup s;
    static answer a, b;
    unsigned long same = 0;
    for (uint64_t i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed() + 11, i);
        const abut_vec3 half = rng_vec3(&r, 0.5, 1.5);
        const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        abut_vec3 corners[8];
        abut_hull *hull;
        abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, half}, corners);
        assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
        const abut_shape box = {.half = half}, like = {.hull = hull};
        soup_make(test_seed(), i, (soup_family)(i % SOUP_FAMILIES), &s);
        abut_mesh *mesh = soup_mesh(&s);
        for (int k = 0; k < 20; k++) {
            abut_pose at = {rng_vec3(&r, -8, 8), {0, 0, 0, 1}};
            at.position.y = rng_chance(&r, 0.7) ? (float)rng_range(&r, -1, 1.5) : at.position.y;
            at.rotation = rng_chance(&r, 0.5) ? at.rotation : rng_rotation(&r);
            ask(mesh, &pose, &box, &at, 0, &a);
            ask(mesh, &pose, &like, &at, 0, &b);
            same += same_parts(&a, &b, i);
        }
        abut_mesh_destroy(&mesh);
        abut_hull_destroy(&hull);
    }
    printf("%lu parts\n", same);
    assert_true(same > 0);
}

/* However a body lies in a triangle, to move it along the normal by the depth that is shown parts the two. */
static void depths_part(void **state) {
    (void)state;
    const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    uint64_t touching = 0;
    for (uint64_t i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed() + STREAM_DEPTHS, i);
        const float unit = (float)rng_log_range(&r, 0.125, 8);
        abut_vec3 corner[3];
        const uint32_t index[3] = {0, 1, 2};
        round_body body;
        answer a;
        near_round_body(hulls, test_seed() + 4, i, (round_kind)(i % ROUND_KINDS), rng_log_range(&r, 0.25, 2), &body);
        for (int k = 0; k < 3; k++) {
            corner[k] = rng_vec3(&r, -unit, unit);
        }
        abut_mesh *mesh = NULL;
        const abut_mesh_def def = {
            .vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1, .two_sided = i % 2};
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        const abut_shape surface = {.mesh = mesh};
        abut_pose at = {rng_vec3(&r, -0.7F * unit, 0.7F * unit), rng_rotation(&r)};
        ask(mesh, &pose, &body.shape, &at, 0, &a);
        touching += a.count;
        if (a.count) {
            const abut_aabb bounds = abut_shape_bounds(&body.shape, &at);
            const float depth = abut_manifold_depth(&a.manifold) * (1 + 0x1p-18F),
                        way = depth + 0x1p-17F * (unit + bounds.max.x - bounds.min.x);
            for (int x = 0; x < 3; x++) {
                (&at.position.x)[x] += way * (&a.manifold.normal.x)[x];
            }
            if (abut_shape_overlap(&body.shape, &at, &surface, &pose)) {
                fail_msg("case %" PRIu64 ", kind %u: a depth of %g does not part", i, body.kind, (double)depth);
            }
        }
        abut_mesh_destroy(&mesh);
    }
    assert_true(touching > test_count(20000) / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_changes_no_bit), cmocka_unit_test(sharing_of_vertices_does_not_matter),
        cmocka_unit_test(strips_lean_no_further), cmocka_unit_test(backs),
        cmocka_unit_test(boxes_are_like_hulls),   cmocka_unit_test(depths_part),
    };
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
