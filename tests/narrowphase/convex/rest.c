/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies at rest on each other: their contacts are where they should be, and keep their features while the bodies
 * jitter.
 */

#include "support/rng.h"
#include "support/same_features.h"
#include "support/test.h"
#include <abut/hull.h>
#include <math.h>
#include <stdio.h>

enum { RING = 64 };

static abut_hull *make(const abut_vec3 *points, size_t n) {
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, n, NULL, &hull), ABUT_OK);
    return hull;
}

static abut_hull *box_hull(float x, float y, float z) {
    abut_vec3 points[8];
    for (int i = 0; i < 8; i++) {
        points[i] = (abut_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    }
    return make(points, 8);
}

/* A cylinder that stands on its cap, from y = -1 to 1. */
static abut_hull *cylinder(uint32_t sides, float radius) {
    abut_vec3 points[2 * RING];
    for (uint32_t i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        float x = radius * (float)cos(angle), z = radius * (float)sin(angle);
        points[i] = (abut_vec3){x, 1, z};
        points[sides + i] = (abut_vec3){x, -1, z};
    }
    return make(points, 2 * sides);
}

static abut_pose above(float x, float y, float z, double yaw) {
    return (abut_pose){{x, y, z}, {0, (float)sin(yaw / 2), 0, (float)cos(yaw / 2)}};
}

static const abut_pose origin = {{0, 0, 0}, {0, 0, 0, 1}};

/* Contact with a top face at y = 1 from above. */
static void assert_rests(const abut_manifold *m, double separation) {
    assert_int_equal(m->count, 4);
    assert_true(fabsf(m->normal.x) < 1e-6f && fabsf(m->normal.z) < 1e-6f && m->normal.y > 0.999999f);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(fabs(m->points[i].separation - separation) < 2e-6);
        assert_true(fabs(m->points[i].position.y - (1 + separation / 2)) < 2e-6);
    }
}

/* Twice the area of the points as a polygon in the plane; zero when they lie on one line. */
static double spread(const abut_manifold *m) {
    double most = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        for (uint32_t j = 0; j < m->count; j++) {
            for (uint32_t k = 0; k < m->count; k++) {
                const abut_vec3 *p = &m->points[i].position, *q = &m->points[j].position, *r = &m->points[k].position;
                most = fmax(most, (double)(q->x - p->x) * (r->z - p->z) - (double)(q->z - p->z) * (r->x - p->x));
            }
        }
    }
    return most;
}

static void a_box_on_a_slab_has_four_points(void **state) {
    (void)state;
    abut_hull *slab = box_hull(50, 1, 50), *crate = box_hull(1, 0.5f, 2);
    const abut_obb slab_box = {{0, 0, 0}, {0, 0, 0, 1}, {50, 1, 50}};
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        double yaw = rng_range(&r, -3, 3), sunk = rng_chance(&r, 0.3) ? 0 : rng_range(&r, -1e-3, 0);
        float x = (float)rng_range(&r, -40, 40), z = (float)rng_range(&r, -40, 40), y = (float)(1.5 + sunk);
        abut_pose pose = above(x, y, z, yaw);
        abut_manifold m, n;
        assert_true(abut_hull_collide(slab, &origin, crate, &pose, 0.01f, &m));
        assert_rests(&m, (double)y - 1.5);
        assert_true(fabs(spread(&m) - 8) < 1e-3);
        assert_true(abut_obb_hull_collide(&slab_box, crate, &pose, 0.01f, &n));
        assert_rests(&n, (double)y - 1.5);
        for (int k = 0; k < 8; k++) { /* tilted and moved by a little, the points keep their names */
            abut_pose jitter = pose;
            jitter.position.x += (float)rng_range(&r, -1e-6, 1e-6);
            jitter.position.y += (float)rng_range(&r, -1e-6, 1e-6);
            jitter.rotation.x += (float)rng_range(&r, -1e-6, 1e-6);
            jitter.rotation.z += (float)rng_range(&r, -1e-6, 1e-6);
            assert_true(abut_hull_collide(slab, &origin, crate, &jitter, 0.01f, &n));
            assert_true(same_features(&m, &n) && n.normal.y > 0.99999f);
        }
    }
    abut_hull_destroy(&slab);
    abut_hull_destroy(&crate);
}

/* Rotated in any way, and tilted a little so that the slab's face is the reference face. */
static void a_plate_on_a_slab_has_four_points(void **state) {
    (void)state;
    abut_hull *slab = box_hull(50, 1, 50);
    const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 1}, {-1, 0, 0, 1}};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        for (int up = 0; up < 2; up++) {
            float y = up ? 1 : -1;
            abut_obb plate = {{3, y, 4}, turns[i], {1, i < 4 ? 0 : 2, i < 4 ? 2 : 0}};
            plate.rotation.x += 2e-5f;
            plate.rotation.w -= 3e-5f;
            abut_manifold m;
            assert_true(abut_obb_hull_collide(&plate, slab, &origin, 0.01f, &m));
            assert_int_equal(m.count, 4);
            assert_true(fabsf(m.normal.y + y) < 1e-6f && fabs(spread(&m) - 8) < 1e-3);
        }
    }
    abut_hull_destroy(&slab);
}

/* Two boxes of one size, flush: corner on corner, whatever their last bits are. */
static void a_flush_stack_keeps_its_corners(void **state) {
    (void)state;
    abut_hull *crate = box_hull(1, 1, 1);
    abut_manifold m, n;
    const abut_pose top = {{0, 2, 0}, {0, 0, 0, 1}};
    assert_true(abut_hull_collide(crate, &origin, crate, &top, 0.01f, &m));
    assert_rests(&m, 0);
    assert_true(fabs(spread(&m) - 4) < 1e-6);
    for (unsigned long i = 0; i < test_count(5000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_pose jitter = top;
        jitter.position = (abut_vec3){(float)rng_range(&r, -5e-7, 5e-7), 2 + (float)rng_range(&r, -5e-7, 5e-7),
                                      (float)rng_range(&r, -5e-7, 5e-7)};
        jitter.rotation.y = (float)rng_range(&r, -2e-7, 2e-7);
        assert_true(abut_hull_collide(crate, &origin, crate, &jitter, 0.01f, &n));
        assert_true(same_features(&m, &n));
    }
    abut_hull_destroy(&crate);
}

/* Caps have more sides than clipping uses: evenly chosen sides represent them. */
static void cylinders_stand_on_their_caps(void **state) {
    (void)state;
    for (uint32_t sides = 20; sides <= RING; sides += 4) {
        abut_hull *low = cylinder(sides, 1), *high = cylinder(RING, 0.75f), *slab = box_hull(9, 1, 9);
        for (unsigned long i = 0; i < test_count(200); i++) {
            rng r = rng_make(test_seed(), i);
            abut_pose pose = above((float)rng_range(&r, -0.1, 0.1), 2 - 0x1p-10f, 0, rng_range(&r, -3, 3));
            abut_manifold m;
            assert_true(abut_hull_collide(low, &origin, high, &pose, 0, &m));
            assert_rests(&m, -0x1p-10);
            assert_true(spread(&m) > 0.9);
            assert_true(abut_hull_collide(slab, &origin, low, &pose, 0, &m));
            assert_rests(&m, -0x1p-10);
            assert_true(spread(&m) > 1.8);
        }
        abut_hull_destroy(&low);
        abut_hull_destroy(&high);
        abut_hull_destroy(&slab);
    }
}

/* Turned about the vertical by `yaw`, then tilted by x and z, in radians, about these axes. */
static abut_quat tilted(double yaw, double x, double z) {
    double s = sin(yaw / 2), c = cos(yaw / 2), w = sqrt(1 - (x * x + z * z) / 4);
    return (abut_quat){(float)((x * c - z * s) / 2), (float)(w * s), (float)((z * c + x * s) / 2), (float)(w * c)};
}

/* How far the lowest of the kept corners of a prism lies over its lowest corner. */
static double least_over_deepest(uint32_t sides, const abut_pose *pose, const abut_manifold *m) {
    double lowest = INFINITY, kept = INFINITY, x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z,
           w = pose->rotation.w;
    for (uint32_t i = 0; i < sides; i++) { /* of cylinder() */
        double angle = 6.283185307179586 * i / sides, p[3] = {(double)(float)cos(angle), -1, (double)(float)sin(angle)};
        double at_x = (1 - 2 * (y * y + z * z)) * p[0] + 2 * (x * y - w * z) * p[1] + 2 * (x * z + w * y) * p[2];
        double at_y = 2 * (x * y + w * z) * p[0] + (1 - 2 * (x * x + z * z)) * p[1] + 2 * (y * z - w * x) * p[2];
        double at_z = 2 * (x * z - w * y) * p[0] + 2 * (y * z + w * x) * p[1] + (1 - 2 * (x * x + y * y)) * p[2];
        lowest = fmin(lowest, at_y);
        for (uint32_t k = 0; k < m->count; k++) {
            double u = at_x + pose->position.x - m->points[k].position.x,
                   v = at_z + pose->position.z - m->points[k].position.z;
            kept = u * u + v * v < 1e-8 ? fmin(kept, at_y) : kept;
        }
    }
    return kept - lowest;
}

/* How far the lowest of the kept corners may lie over the lowest of all: a half of the depth, but no more than 2^-10 of
 * the half extents, and where it is less than that, 2^-16 of them. */
static double as_deep(const abut_manifold *m) {
    return fmax(0x1p-16 * 3, fmin((double)abut_manifold_depth(m) / 2, 0x1p-10 * 3)) + 1e-7;
}

typedef struct rest_tally {
    unsigned long manifolds, three, points, kept;
} rest_tally;

static void count_rest(const abut_manifold *before, const abut_manifold *m, rest_tally *t) {
    t->manifolds++;
    t->three += m->count >= 3;
    for (uint32_t p = 0; p < before->count; p++) {
        t->points++;
        for (uint32_t q = 0; q < m->count; q++) {
            t->kept += before->points[p].feature == m->points[q].feature;
        }
    }
}

/* A prism on a box, on a slab and on another prism, while its tilt wanders within a thousandth and its pose jitters:
 * three points or more, the deepest among them, and most were there a step before. */
static void resting_prisms_have_three_points_and_keep_them(void **state) {
    (void)state;
    abut_hull *slab = box_hull(9, 1, 9);
    const abut_obb box = {{0, 0, 0}, {0, 0, 0, 1}, {9, 1, 9}};
    rest_tally t = {0, 0, 0, 0};
    for (uint32_t sides = 3; sides <= RING; sides++) {
        abut_hull *high = cylinder(sides, 1), *low = cylinder(3 + (7 * sides) % 62, 1.2f);
        for (unsigned long i = 0; i < test_count(60); i++) {
            rng r = rng_make(test_seed() + sides, i);
            double yaw = rng_range(&r, -3, 3), tilt[2] = {rng_range(&r, -7e-4, 7e-4), rng_range(&r, -7e-4, 7e-4)};
            abut_manifold before = {.count = 0}, m;
            float y = (float)(2 - rng_range(&r, 0, 2e-3)), x = (float)rng_range(&r, -0.2, 0.2);
            for (int step = 0; step < 10; step++) {
                abut_pose pose = above(x + (float)rng_range(&r, -1e-6, 1e-6), y, 0.1f, 0);
                for (int k = 0; k < 2; k++) {
                    tilt[k] = fmax(-7e-4, fmin(7e-4, tilt[k] + rng_range(&r, -1e-5, 1e-5)));
                }
                pose.rotation = tilted(yaw + rng_range(&r, -1e-6, 1e-6), tilt[0], tilt[1]);
                assert_true(i % 3 == 0   ? abut_obb_hull_collide(&box, high, &pose, 0.01f, &m)
                            : i % 3 == 1 ? abut_hull_collide(slab, &origin, high, &pose, 0.01f, &m)
                                         : abut_hull_collide(low, &origin, high, &pose, 0.01f, &m));
                count_rest(&before, &m, &t);
                assert_true(i % 3 == 2 || least_over_deepest(sides, &pose, &m) < as_deep(&m));
                before = m;
            }
        }
        abut_hull_destroy(&high);
        abut_hull_destroy(&low);
    }
    printf("of %lu manifolds %lu have three points or more; of %lu points %lu were kept\n", t.manifolds, t.three,
           t.points, t.kept);
    assert_true((double)t.three > 0.995 * (double)t.manifolds && (double)t.kept > 0.97 * (double)t.points);
    abut_hull_destroy(&slab);
}

/* Caps of more sides than clipping uses: the lowest corner is left out, one that is nearly as low is used, and of the
 * four points kept each is a little higher still. Together that is no more than contact.h allows. */
static void points_are_as_deep_as_left_out_corners(void **state) {
    (void)state;
    static const struct {
        uint32_t sides;
        abut_pose pose;
    } given[] = {
        {52,
         {{0x1.14932ep-5f, 0x1.ffb64cp+0f, 0.1f}, {0x1.0eba28p-14f, -0x1.6fe696p-1f, 0x1.9c6c6ep-12f, 0x1.64148p-1f}}},
        {54,
         {{0x1.4ff2a8p-4f, 0x1.ffd902p+0f, 0.1f}, {-0x1.bb061ep-12f, 0x1.13145cp-1f, 0x1.1a6df8p-14f, 0x1.afd3e8p-1f}}},
        {40,
         {{0x1.a59f24p-4f, 0x1.ffa40cp+0f, 0.1f},
          {-0x1.509944p-14f, -0x1.8808aep-2f, 0x1.a6cb12p-12f, 0x1.d8fdecp-1f}}},
        {35,
         {{-0x1.b66aa8p-4f, 0x1.ffcc52p+0f, 0.1f},
          {0x1.31fd78p-15f, -0x1.e3f84ap-1f, -0x1.49e0fep-12f, 0x1.4e2b1cp-2f}}},
    };
    abut_hull *slab = box_hull(9, 1, 9);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        abut_hull *prism = cylinder(given[i].sides, 1);
        abut_manifold m;
        assert_true(abut_hull_collide(slab, &origin, prism, &given[i].pose, 0.01f, &m));
        assert_true(least_over_deepest(given[i].sides, &given[i].pose, &m) < as_deep(&m));
        abut_hull_destroy(&prism);
    }
    abut_hull_destroy(&slab);
}

/* Hexagons turned against each other share a polygon of twelve corners, as symmetric as the hexagons: so are the four
 * that are kept, and solvers pull no prism aside. */
static void symmetric_faces_keep_symmetric_points(void **state) {
    (void)state;
    for (uint32_t sides = 4; sides <= 12; sides += 2) {
        abut_hull *prism = cylinder(sides, 1);
        for (unsigned long i = 0; i < test_count(300); i++) {
            rng r = rng_make(test_seed(), i);
            abut_pose low = above(0, 0, 0, rng_range(&r, -3, 3)), high = above(0, 1.999f, 0, rng_range(&r, -3, 3));
            abut_manifold m;
            float x = 0, z = 0;
            assert_true(abut_hull_collide(prism, &low, prism, &high, 0, &m));
            for (uint32_t k = 0; k < m.count; k++) {
                x += m.points[k].position.x;
                z += m.points[k].position.z;
            }
            assert_int_equal(m.count, 4);
            assert_true(fabsf(x) < 1e-5f && fabsf(z) < 1e-5f);
        }
        abut_hull_destroy(&prism);
    }
}

/* As many vertices as a hull may have. */
static void the_largest_hulls_are_tested(void **state) {
    (void)state;
    static abut_vec3 points[ABUT_HULL_MAX_VERTICES];
    for (uint32_t i = 0; i < ABUT_HULL_MAX_VERTICES; i++) {
        double z = 1 - (2 * i + 1.0) / ABUT_HULL_MAX_VERTICES, angle = 2.399963229728653 * i, s = sqrt(1 - z * z);
        points[i] = (abut_vec3){(float)(s * cos(angle)), (float)(s * sin(angle)), (float)z};
    }
    abut_hull *ball = make(points, ABUT_HULL_MAX_VERTICES), *crate = box_hull(1, 1, 1);
    assert_int_equal(abut_hull_vertex_count(ball), ABUT_HULL_MAX_VERTICES);
    const abut_obb box = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (unsigned long i = 0; i < test_count(60); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 n = rng_direction(&r);
        float by = (float)rng_range(&r, 1.9, 2.1);
        abut_pose pose = {{n.x * by, n.y * by, n.z * by}, rng_rotation(&r)}, top = pose;
        abut_manifold m;
        bool touching = abut_hull_collide(ball, &origin, ball, &pose, 0, &m);
        assert_int_equal(abut_hull_overlap(ball, &origin, ball, &pose), touching);
        assert_true(touching == (by < 2) || fabsf(by - 2) < 4e-3f); /* the ball's faces lie up to 2e-3 within it */
        if (touching) {
            assert_true(m.count >= 1 && fabsf(m.points[0].separation - (by - 2)) < 6e-3f);
        }
        top.position = (abut_vec3){0, by, 0};
        assert_int_equal(abut_obb_hull_collide(&box, ball, &top, 0, &m), abut_hull_overlap(crate, &origin, ball, &top));
    }
    abut_hull_destroy(&ball);
    abut_hull_destroy(&crate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_a_slab_has_four_points),
        cmocka_unit_test(a_plate_on_a_slab_has_four_points),
        cmocka_unit_test(a_flush_stack_keeps_its_corners),
        cmocka_unit_test(cylinders_stand_on_their_caps),
        cmocka_unit_test(resting_prisms_have_three_points_and_keep_them),
        cmocka_unit_test(points_are_as_deep_as_left_out_corners),
        cmocka_unit_test(symmetric_faces_keep_symmetric_points),
        cmocka_unit_test(the_largest_hulls_are_tested),
    };
    return test_run(tests);
}
