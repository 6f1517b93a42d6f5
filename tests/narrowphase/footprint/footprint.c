/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles against the shadows of boxes and hulls, judged by the exact oracle, and minimum translations out of them.
 */

#include "narrowphase/narrowphase.h"
#include "support/ground_oracle.h"
#include "support/rng.h"
#include "support/test.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { MAX_POINTS = 32 };

/* One rectangle and one body near it. */
typedef struct scene {
    abut_obb2 rectangle;
    float clearance;
    int ground[2];
    abut_pose pose;
    abut_vec3 half; /* of a box */
    abut_hull *hull;
    abut_vec3 point[MAX_POINTS]; /* its corners or vertices */
    uint32_t count;
    abut_collider collider;
} scene;

static const int grounds[3][2] = {{0, 2}, {0, 1}, {1, 2}};

static abut_quat random_rotation(rng *r, int up) {
    abut_quat q = {0, 0, 0, 1};
    float *part = &q.x;
    double turn = rng_range(r, -3.2, 3.2);
    switch (rng_below(r, 6)) {
    case 0:
        break;
    case 1: /* quarter and half turns */
        part[3] = (float)rng_below(r, 2);
        part[rng_below(r, 3)] = rng_sign(r);
        break;
    case 2: /* upright */
    case 3: /* and nearly so */
        part[up] = (float)sin(turn);
        part[3] = (float)cos(turn);
        break;
    case 4:
        q = (abut_quat){(float)rng_below(r, 4), (float)rng_below(r, 4), (float)rng_below(r, 4), 1};
        break;
    default:
        q = rng_rotation(r);
        break;
    }
    if (rng_chance(r, 0.3)) {
        part[(up + 1) % 3] += (float)rng_log_range(r, 1e-12, 1e-2);
        part[(up + 2) % 3] += (float)rng_log_range(r, 1e-12, 1e-2);
    }
    return q;
}

static abut_vec2 random_axis(rng *r) {
    double angle = rng_range(r, 0, 6.283185307179586);
    switch (rng_below(r, 4)) {
    case 0:
        return (abut_vec2){3 * rng_sign(r), 4};
    case 1:
        return rng_chance(r, 0.5) ? (abut_vec2){0, 2} : (abut_vec2){0, 0};
    case 2:
        return (abut_vec2){1, rng_sign(r)};
    default:
        return (abut_vec2){(float)cos(angle), (float)sin(angle)};
    }
}

static float random_length(rng *r, double scale) {
    return rng_chance(r, 0.1) ? 0 : (float)(scale * (rng_chance(r, 0.2) ? rng_log_range(r, 1e-3, 1) : rng_unit(r)));
}

static void make_box(rng *r, scene *s, double scale) {
    s->half = (abut_vec3){random_length(r, scale), random_length(r, scale), random_length(r, scale)};
    s->count = 8;
    for (uint32_t i = 0; i < s->count; i++) {
        s->point[i] =
            (abut_vec3){i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y, i & 4 ? s->half.z : -s->half.z};
    }
}

static void make_hull(rng *r, scene *s, double scale) {
    abut_vec3 points[MAX_POINTS];
    uint32_t family = rng_below(r, 4), least = family == 3 ? 6 : 4, n = least + rng_below(r, MAX_POINTS - least + 1);
    do {
        for (uint32_t i = 0; i < n; i++) {
            double angle = 6.283185307179586 * (i / 2) / ((n + 1) / 2);
            abut_vec3 p = family == 0   ? rng_vec3(r, -1, 1)
                          : family == 1 ? rng_direction(r)
                          : family == 2
                              ? (abut_vec3){(float)rng_below(r, 3), (float)rng_below(r, 3), (float)rng_below(r, 3)}
                              : (abut_vec3){(float)cos(angle), i & 1 ? 1.f : -1.f, (float)sin(angle)};
            float size = (float)scale;
            points[i] = (abut_vec3){p.x * size, p.y * size, p.z * size};
        }
    } while (abut_hull_create(points, n, NULL, &s->hull) != ABUT_OK);
    s->count = (uint32_t)abut_hull_vertex_count(s->hull);
    for (uint32_t i = 0; i < s->count; i++) {
        s->point[i] = abut_hull_vertices(s->hull)[i];
    }
}

/* A point of the body as the ground sees it, without the position. */
static void project(const scene *s, const double local[3], double out[2]) {
    double x = s->pose.rotation.x, y = s->pose.rotation.y, z = s->pose.rotation.z, w = s->pose.rotation.w;
    double n = x * x + y * y + z * z + w * w;
    const double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 2; i++) {
        const double *row = m[s->ground[i]];
        out[i] = (row[0] * local[0] + row[1] * local[1] + row[2] * local[2]) / n;
    }
}

/* The normal along which the two are brought together: an axis of the rectangle, or a normal of the line through two
 * points of the body. */
static void choose_normal(rng *r, const scene *s, const double axis[2], double n[2]) {
    uint32_t i = rng_below(r, s->count), j = s->hull ? rng_below(r, s->count) : i ^ 1u << rng_below(r, 3);
    const double side[3] = {(double)s->point[i].x - s->point[j].x, (double)s->point[i].y - s->point[j].y,
                            (double)s->point[i].z - s->point[j].z};
    double flat[2], length;
    project(s, side, flat);
    length = hypot(flat[0], flat[1]);
    bool own = rng_chance(r, 0.3) || !(length > 0);
    double sense = (double)rng_sign(r);
    n[0] = sense * (own ? axis[0] : -flat[1] / length);
    n[1] = sense * (own ? axis[1] : flat[0] / length);
    if (own && rng_chance(r, 0.5)) {
        double x = n[0];
        n[0] = -n[1];
        n[1] = x;
    }
}

/* Puts the rectangle beside the body along a normal. Its half extent x makes up for the part of the gap that rounding
 * its centre to floats has changed, as small floats are dense. */
static void bring_together(rng *r, scene *s, double scale) {
    double axis[2] = {s->rectangle.axis.x, s->rectangle.axis.y}, n[2], gap = 0, most = -INFINITY;
    double length = hypot(axis[0], axis[1]);
    axis[0] = length > 0 ? axis[0] / length : 1;
    axis[1] = length > 0 ? axis[1] / length : 0;
    choose_normal(r, s, axis, n);
    if (rng_chance(r, 0.3)) {
        gap = -scale * rng_unit(r);
    } else if (rng_chance(r, 0.8)) {
        gap = (rng_chance(r, 0.75) ? -scale : scale) * rng_log_range(r, 1e-16, 1);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const double local[3] = {s->point[i].x, s->point[i].y, s->point[i].z};
        double p[2];
        project(s, local, p);
        most = fmax(most, p[0] * n[0] + p[1] * n[1]);
    }
    const float *position = &s->pose.position.x;
    double px = position[s->ground[0]], py = position[s->ground[1]], aside = rng_range(r, -0.4, 0.4) * scale;
    double along_x = fabs(n[0] * axis[0] + n[1] * axis[1]), along_y = fabs(n[0] * axis[1] - n[1] * axis[0]);
    bool absorbs = along_x > 0.3 && rng_chance(r, 0.6), closest = absorbs && rng_chance(r, 0.4);
    if (absorbs) {
        s->rectangle.half.x = (float)(scale * rng_log_range(r, 1e-12, closest ? 1e-8 : 1));
        gap = closest ? 0 : gap;
    }
    double radius =
        along_x * ((double)s->rectangle.half.x + s->clearance) + along_y * ((double)s->rectangle.half.y + s->clearance);
    s->rectangle.center.x = (float)(px + (most + radius + gap) * n[0] - aside * n[1]);
    s->rectangle.center.y = (float)(py + (most + radius + gap) * n[1] + aside * n[0]);
    if (absorbs) {
        double away = ((double)s->rectangle.center.x - px) * n[0] + ((double)s->rectangle.center.y - py) * n[1];
        double rest =
            away - most - gap - along_x * s->clearance - along_y * ((double)s->rectangle.half.y + s->clearance);
        s->rectangle.half.x = (float)fmax(0, rest / along_x);
    }
}

static void scene_make(uint64_t index, scene *s) {
    rng r = rng_make(test_seed(), index);
    const int *ground = grounds[rng_below(&r, 3)];
    double scale = rng_log_range(&r, 1e-3, 1e4);
    *s = (scene){.ground = {ground[0], ground[1]}};
    if (rng_chance(&r, 0.5)) {
        make_box(&r, s, scale);
    } else {
        make_hull(&r, s, scale);
    }
    s->pose.rotation = random_rotation(&r, 3 - ground[0] - ground[1]);
    if (rng_chance(&r, 0.5)) {
        s->pose.position = rng_vec3(&r, -10 * scale, 10 * scale);
    }
    s->rectangle.axis = random_axis(&r);
    s->rectangle.half = (abut_vec2){random_length(&r, scale), random_length(&r, scale)};
    s->clearance = rng_chance(&r, 0.5) ? 0 : random_length(&r, 0.1 * scale);
    bring_together(&r, s, scale);
    if (s->hull) {
        assert_true(abut_collider_from_hull(s->hull, &s->pose, &s->collider));
    } else {
        const abut_obb box = {s->pose.position, s->pose.rotation, s->half};
        assert_true(abut_collider_from_obb(&box, &s->collider));
    }
}

static ground_truth truth_of(const scene *s, const abut_obb2 *rectangle) {
    return ground_shadow(rectangle, s->clearance, s->point, s->count, &s->pose, s->ground);
}

static bool expected(double gap, abut_touch touch) {
    return touch == ABUT_TOUCH_IS_FREE ? gap < 0 : gap <= 0;
}

static void report(uint64_t index, const char *what, const scene *s, const ground_truth *truth) {
    const abut_obb2 *o = &s->rectangle;
    fprintf(stderr, "seed 0x%llx scene %llu: %s; gap %g of %g\n", (unsigned long long)test_seed(),
            (unsigned long long)index, what, truth->gap, truth->size);
    fprintf(stderr, "    {{%a, %a}, {%a, %a}, {%a, %a}} + %a\n", o->center.x, o->center.y, o->axis.x, o->axis.y,
            o->half.x, o->half.y, s->clearance);
    fprintf(stderr, "    %s {%a, %a, %a}, {%a, %a, %a, %a}, {%a, %a, %a}, ground %d %d\n", s->hull ? "hull" : "box",
            s->pose.position.x, s->pose.position.y, s->pose.position.z, s->pose.rotation.x, s->pose.rotation.y,
            s->pose.rotation.z, s->pose.rotation.w, s->half.x, s->half.y, s->half.z, s->ground[0], s->ground[1]);
}

/* Where a footprint overlaps a shadow, their bounds overlap. */
static bool bounds_meet(const abut_np_footprint *footprint, const scene *s) {
    float min[2], max[2];
    abut_aabb bounds = abut_collider_bounds(&s->collider);
    const float *low = &bounds.min.x, *high = &bounds.max.x;
    abut_np_footprint_bounds(footprint, min, max);
    for (int i = 0; i < 2; i++) {
        if (min[i] > high[s->ground[i]] || max[i] < low[s->ground[i]]) {
            return false;
        }
    }
    return true;
}

/* What is wrong with the translation, or NULL. Where floats are fine enough to decide it, 0.99 of it must not suffice.
 */
static const char *fault_of_translation(const scene *s, const abut_np_footprint *footprint, const ground_truth *truth,
                                        abut_touch touch) {
    abut_vec2 translation = abut_np_footprint_translation(footprint, &s->collider);
    abut_obb2 moved = s->rectangle;
    double depth = -truth->gap * truth->size, length = hypot(translation.x, translation.y);
    double coarse = 0x1p-23 * (fabs((double)moved.center.x) + fabs((double)moved.center.y) + length);
    moved.center.x += translation.x;
    moved.center.y += translation.y;
    if (expected(truth_of(s, &moved).gap, touch)) {
        return "the translation does not separate";
    }
    if (length > depth * (1 + 1e-6) + 2 * coarse) {
        fprintf(stderr, "length %.9g, depth %.9g\n", length, depth);
        return "the translation is longer than needed";
    }
    if (0.01 * length > 4 * coarse) {
        moved.center.x = (float)(s->rectangle.center.x + 0.99 * translation.x);
        moved.center.y = (float)(s->rectangle.center.y + 0.99 * translation.y);
        if (!expected(truth_of(s, &moved).gap, touch)) {
            return "a shorter translation separates";
        }
    }
    return NULL;
}

typedef struct tally {
    unsigned long overlapping, touching, apart, close, closest, deep, hulls;
} tally;

static const char *fault_of_scene(const scene *s, const ground_truth *truth, bool translation) {
    for (int rule = 0; rule < 2; rule++) {
        abut_np_footprint footprint;
        abut_touch touch = rule ? ABUT_TOUCH_IS_FREE : ABUT_TOUCH_IS_OVERLAP;
        if (!abut_np_footprint_of(&s->rectangle, s->clearance, touch, s->ground, &footprint)) {
            return "invalid";
        }
        bool answer = abut_np_footprint_meets(&footprint, &s->collider);
        if (answer != expected(truth->gap, touch)) {
            return rule ? "wrong by the open rule" : "wrong by the closed rule";
        }
        if (answer && !bounds_meet(&footprint, s)) {
            return "the bounds do not meet";
        }
        const char *fault = translation && answer ? fault_of_translation(s, &footprint, truth, touch) : NULL;
        if (fault) {
            return fault;
        }
        if (!answer) {
            abut_vec2 none = abut_np_footprint_translation(&footprint, &s->collider);
            if (none.x != 0 || none.y != 0) {
                return "a translation without an overlap";
            }
        }
    }
    return NULL;
}

static void run_scenes(unsigned long scenes, uint64_t first, bool translation, tally *t) {
    unsigned long wrong = 0;
    for (unsigned long i = 0; i < scenes && wrong < 10; i++) {
        scene s;
        scene_make(first + i, &s);
        ground_truth truth = truth_of(&s, &s.rectangle);
        const char *fault = fault_of_scene(&s, &truth, translation);
        if (fault) {
            wrong++;
            report(first + i, fault, &s, &truth);
        }
        t->overlapping += truth.gap < 0;
        t->touching += truth.gap == 0;
        t->apart += truth.gap > 0;
        t->close += truth.gap != 0 && fabs(truth.gap) < 1e-8;
        t->closest += truth.gap != 0 && fabs(truth.gap) < 1e-14;
        t->deep += truth.gap < -1e-3;
        t->hulls += s.hull != NULL;
        abut_hull_destroy(&s.hull);
    }
    printf("%lu scenes: %lu overlap, %lu exactly touch, %lu are apart; %lu within 1e-8, %lu within 1e-14 of touching\n",
           scenes, t->overlapping, t->touching, t->apart, t->close, t->closest);
    assert_int_equal(wrong, 0);
}

static void shadows_are_decided_exactly(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(12000);
    tally t = {0};
    run_scenes(scenes, 0, false, &t);
    assert_true(t.overlapping > scenes / 5);
    assert_true(t.apart > scenes / 5);
    assert_true(t.touching > scenes / 1000);
    assert_true(t.close > scenes / 40);
    assert_true(t.closest > scenes / 1000);
    assert_true(t.hulls > scenes / 4);
}

static void translations_separate_and_are_the_shortest(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(6000);
    tally t = {0};
    run_scenes(scenes, UINT64_C(1) << 40, true, &t);
    assert_true(t.deep > scenes / 20);
}

static abut_collider box_at(abut_vec3 center, abut_quat rotation, abut_vec3 half) {
    abut_collider collider;
    const abut_obb box = {center, rotation, half};
    assert_true(abut_collider_from_obb(&box, &collider));
    return collider;
}

static abut_np_footprint footprint_of(abut_obb2 rectangle, float clearance, abut_touch touch, const int ground[2]) {
    abut_np_footprint out;
    assert_true(abut_np_footprint_of(&rectangle, clearance, touch, ground, &out));
    return out;
}

static bool meets(abut_obb2 rectangle, float clearance, abut_touch touch, const int ground[2],
                  const abut_collider *collider) {
    abut_np_footprint made = footprint_of(rectangle, clearance, touch, ground);
    return abut_np_footprint_meets(&made, collider);
}

/* (x, y) on the ground, at height z. */
static abut_vec3 raised(float x, float y, float z, const int ground[2]) {
    abut_vec3 v = {z, z, z};
    *(&v.x + ground[0]) = x;
    *(&v.x + ground[1]) = y;
    return v;
}

/* Houses on the cells of a grid whose pitch is a float, and a candidate on one cell. */
static void check_cell(const abut_collider *collider, abut_obb2 rectangle, float clearance, const int ground[2], int i,
                       int j) {
    bool same = i == 0 && j == 0, near = i * i <= 1 && j * j <= 1;
    assert_int_equal(meets(rectangle, clearance, ABUT_TOUCH_IS_FREE, ground, collider), same);
    assert_int_equal(meets(rectangle, clearance, ABUT_TOUCH_IS_OVERLAP, ground, collider), near);
}

static void houses_of_a_grid_may_stand_side_by_side(void **state) {
    (void)state;
    static const abut_quat turns[4] = {{0, 0, 0, 1}, {0, 0, 0, -0.3f}, {2, 2, 2, 2}, {0, 0.7f, 0.7f, 0}};
    const abut_vec3 corners[8] = {{1, 1, 1},  {-1, 1, 1},  {1, -1, 1},  {-1, -1, 1},
                                  {1, 1, -1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}};
    abut_hull *cube = NULL;
    assert_int_equal(abut_hull_create(corners, 8, NULL, &cube), ABUT_OK);
    for (int k = 0; k < 3 * 4 * 81; k++) {
        const int *ground = grounds[k % 3];
        int turn = k / 3 % 4, i = k / 12 % 9 - 4, j = k / 12 / 9 - 4;
        float x = 100.5f + 2 * (float)i, y = -7 + 2 * (float)j;
        const abut_obb2 rectangle = {{100.5f, -7}, {0, -4}, {1, 1}}, narrow = {{100.5f, -7}, {0, 0}, {0.75f, 0.75f}};
        abut_collider house = box_at(raised(x, y, 3, ground), turns[turn], (abut_vec3){1, 1, 1}), other;
        const abut_pose pose = {raised(x, y, 3, ground), turns[turn]};
        assert_true(abut_collider_from_hull(cube, &pose, &other));
        check_cell(&house, rectangle, 0, ground, i, j);
        check_cell(&house, narrow, 0.25f, ground, i, j);
        check_cell(&other, rectangle, 0, ground, i, j);
        check_cell(&other, narrow, 0.25f, ground, i, j);
    }
    abut_hull_destroy(&cube);
}

/* Half a turn about (2, 1, 0) takes x to (3, 4, 0) / 5: a grid of exact floats. */
static void houses_of_a_turned_grid_may_stand_side_by_side(void **state) {
    (void)state;
    for (int k = 0; k < 81; k++) {
        int i = k % 9 - 4, j = k / 9 - 4;
        float x = 3 * (float)i - 4 * (float)j, y = 4 * (float)i + 3 * (float)j;
        abut_collider house = box_at((abut_vec3){x, y, 0}, (abut_quat){2, 1, 0, 0}, (abut_vec3){2.5f, 2.5f, 1});
        check_cell(&house, (abut_obb2){{0, 0}, {3, 4}, {2.5f, 2.5f}}, 0, grounds[1], i, j);
        check_cell(&house, (abut_obb2){{0, 0}, {-0.8f * 5, 3}, {2, 2}}, 0.5f, grounds[1], i, j);
    }
}

/* The shadow of a cube on its edge is as wide as its diagonal; on its corner, the shadow is a hexagon. */
static void tilted_bodies_cast_their_exact_shadow(void **state) {
    (void)state;
    abut_collider edge =
        box_at((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0.38268343f, 0.92387953f}, (abut_vec3){1, 1, 1});
    for (int rule = 0; rule < 2; rule++) {
        assert_true(meets((abut_obb2){{2.4142f, 0}, {1, 0}, {1, 1}}, 0, (abut_touch)rule, grounds[0], &edge));
        assert_false(meets((abut_obb2){{2.4143f, 0}, {1, 0}, {1, 1}}, 0, (abut_touch)rule, grounds[0], &edge));
    }
    /* Its rotation takes (1, 1, 1) to up (0, 3, 0) / sqrt 3, nearly; a corner of the hexagon at sqrt (8 / 3). */
    abut_collider corner =
        box_at((abut_vec3){0, 5, 0}, (abut_quat){-0.3250576f, 0, 0.3250576f, 0.8880738f}, (abut_vec3){1, 1, 1});
    int inside = 0;
    for (int k = 0; k < 360; k++) {
        double angle = 0.017453292519943295 * k;
        abut_obb2 point = {{(float)(1.5 * cos(angle)), (float)(1.5 * sin(angle))}, {1, 2}, {0, 0}};
        inside += meets(point, 0, ABUT_TOUCH_IS_OVERLAP, grounds[0], &corner);
    }
    /* Its sides are sqrt 2 away: 12 acos(sqrt 2 / 1.5) of the circle lies outside. */
    assert_true(inside >= 123 && inside <= 130);
}

static void a_plate_on_its_edge_is_a_wall(void **state) {
    (void)state;
    abut_collider wall = box_at((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, (abut_vec3){3, 2, 0});
    assert_true(meets((abut_obb2){{0, 0}, {1, 1}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    assert_false(meets((abut_obb2){{0, 1}, {1, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    assert_true(meets((abut_obb2){{0, 1}, {1, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_OVERLAP, grounds[0], &wall));
    assert_true(meets((abut_obb2){{0, 1}, {1, 0}, {1, 1}}, 0x1p-149f, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    assert_false(meets((abut_obb2){{2, 0}, {1, 0}, {1, 0}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    /* A rod that stands upright is a point. */
    abut_collider post = box_at((abut_vec3){1, 0, 1}, (abut_quat){0, 0, 0, 1}, (abut_vec3){0, 2, 0});
    assert_true(meets((abut_obb2){{0, 0}, {3, 4}, {2, 2}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &post));
    assert_true(meets((abut_obb2){{0, 0}, {0, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_OVERLAP, grounds[0], &post));
    assert_false(meets((abut_obb2){{0, 0}, {0, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &post));
}

static abut_vec2 move_out(abut_obb2 rectangle, abut_touch touch, const abut_collider *collider) {
    abut_np_footprint made = footprint_of(rectangle, 0, touch, grounds[0]);
    abut_vec2 translation = abut_np_footprint_translation(&made, collider);
    rectangle.center.x += translation.x;
    rectangle.center.y += translation.y;
    assert_false(meets(rectangle, 0, touch, grounds[0], collider));
    return translation;
}

static void translations_are_exact_on_a_grid_and_always_end(void **state) {
    (void)state;
    abut_collider house = box_at((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, (abut_vec3){1, 1, 1});
    abut_vec2 translation = move_out((abut_obb2){{1.75f, 0.5f}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_FREE, &house);
    assert_true(translation.x == 0.25f && translation.y == 0);
    translation = move_out((abut_obb2){{0.5f, -1.75f}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_FREE, &house);
    assert_true(translation.x == 0 && translation.y == -0.25f);
    translation = move_out((abut_obb2){{2, 0.5f}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_OVERLAP, &house);
    assert_true(translation.x > 0 && translation.x < 1e-6f && translation.y == 0);
    translation =
        move_out((abut_obb2){{0, 0}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_FREE, &house); /* all four are equal: the first */
    assert_true(translation.x == 2 && translation.y == 0);
    /* Where floats are 8 apart, and the body is much thinner. */
    abut_collider far = box_at((abut_vec3){1e8f, 0, 1e8f}, (abut_quat){0, 0, 0, 1}, (abut_vec3){1e-3f, 1, 1e-3f});
    translation = move_out((abut_obb2){{1e8f, 1e8f}, {1, 0}, {1e-3f, 1e-3f}}, ABUT_TOUCH_IS_OVERLAP, &far);
    assert_true(translation.x <= 8 && translation.y == 0);
    translation = move_out((abut_obb2){{1e8f, 1e8f}, {2, 1}, {1e-3f, 1e-3f}}, ABUT_TOUCH_IS_OVERLAP, &far);
    assert_true(fabsf(translation.x) <= 8 && fabsf(translation.y) <= 8);
    translation = move_out((abut_obb2){{0, 0}, {1, 0}, {1e38f, 1e38f}}, ABUT_TOUCH_IS_OVERLAP, &house);
    assert_true(translation.x >= 1e38f && translation.x < 1.001e38f);
    /* A rectangle of the size of the float range cannot leave. */
    abut_np_footprint all =
        footprint_of((abut_obb2){{0, 0}, {1, 1}, {FLT_MAX, FLT_MAX}}, FLT_MAX, ABUT_TOUCH_IS_FREE, grounds[0]);
    translation = abut_np_footprint_translation(&all, &house);
    assert_true(isfinite(translation.x) && isfinite(translation.y));
}

static void bounds_contain_the_rectangle(void **state) {
    (void)state;
    float min[2], max[2];
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        double scale = rng_log_range(&r, 1e-3, 1e4);
        abut_obb2 o = {{(float)rng_range(&r, -scale, scale), (float)rng_range(&r, -scale, scale)},
                       random_axis(&r),
                       {random_length(&r, scale), random_length(&r, scale)}};
        float clearance = rng_chance(&r, 0.5) ? 0 : random_length(&r, scale);
        abut_np_footprint footprint = footprint_of(o, clearance, ABUT_TOUCH_IS_FREE, grounds[0]);
        abut_np_footprint_bounds(&footprint, min, max);
        abut_obb2 grown = o;
        grown.half.x = nextafterf(o.half.x + clearance, INFINITY);
        grown.half.y = nextafterf(o.half.y + clearance, INFINITY);
        /* Walls of zero thickness just inside and just outside the bounds. */
        const float *center = &o.center.x;
        for (int k = 0; k < 4; k++) {
            abut_obb2 wall = {o.center, {1, 0}, {k < 2 ? 0 : 1e6f, k < 2 ? 1e6f : 0}};
            float *at = k < 2 ? &wall.center.x : &wall.center.y, end = k % 2 ? max[k / 2] : min[k / 2];
            *at = nextafterf(end, k % 2 ? INFINITY : -INFINITY);
            assert_true(ground_rectangles(&wall, &(abut_obb2){o.center, o.axis, o.half}).gap > 0);
            double slack = 0x1p-21 * (fabs((double)end - center[k / 2]) + fabs((double)center[k / 2]));
            *at = (float)(end + (k % 2 ? -slack : slack));
            assert_true(max[k / 2] - min[k / 2] < slack || ground_rectangles(&wall, &grown).gap <= 0);
        }
    }
    abut_np_footprint footprint =
        footprint_of((abut_obb2){{1, 2}, {0, -2}, {0.5f, 0.25f}}, 0, ABUT_TOUCH_IS_FREE, grounds[0]);
    abut_np_footprint_bounds(&footprint, min, max);
    assert_true(min[0] <= 0.75f && min[1] <= 1.5f && max[0] >= 1.25f && max[1] >= 2.5f);
    assert_true(min[0] > 0.749999f && min[1] > 1.499999f && max[0] < 1.250001f && max[1] < 2.500001f);
    footprint = footprint_of((abut_obb2){{0, 0}, {1, 0}, {1, 1}}, 0x1p-60f, ABUT_TOUCH_IS_FREE, grounds[0]);
    abut_np_footprint_bounds(&footprint, min, max);
    assert_true(min[0] < -1 && min[1] < -1 && max[0] > 1 && max[1] > 1);
    footprint = footprint_of((abut_obb2){{FLT_MAX, -FLT_MAX}, {1, 1}, {FLT_MAX, FLT_MAX}}, FLT_MAX, ABUT_TOUCH_IS_FREE,
                             grounds[0]);
    abut_np_footprint_bounds(&footprint, min, max);
    assert_true(min[0] < 0 && min[1] == -FLT_MAX && max[0] == FLT_MAX && max[1] > 0);
}

static void invalid_input_makes_no_footprint(void **state) {
    (void)state;
    const abut_obb2 valid = {{0, 0}, {1, 0}, {1, 1}};
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    abut_np_footprint out;
    assert_true(abut_np_footprint_of(&valid, 0, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    assert_false(abut_np_footprint_of(&valid, -1, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    assert_false(abut_np_footprint_of(&valid, 0, (abut_touch)2, grounds[0], &out));
    for (int i = 0; i < 21; i++) {
        abut_obb2 broken = valid;
        float clearance = 0, *number[7] = {&broken.center.x, &broken.center.y, &broken.axis.x, &broken.axis.y,
                                           &broken.half.x,   &broken.half.y,   &clearance};
        *number[i / 3] = bad[i % 3];
        assert_false(abut_np_footprint_of(&broken, clearance, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    }
    for (int i = 0; i < 2; i++) {
        abut_obb2 broken = valid;
        *(&broken.half.x + i) = -0x1p-149f;
        assert_false(abut_np_footprint_of(&broken, 0, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_are_decided_exactly),
        cmocka_unit_test(translations_separate_and_are_the_shortest),
        cmocka_unit_test(houses_of_a_grid_may_stand_side_by_side),
        cmocka_unit_test(houses_of_a_turned_grid_may_stand_side_by_side),
        cmocka_unit_test(tilted_bodies_cast_their_exact_shadow),
        cmocka_unit_test(a_plate_on_its_edge_is_a_wall),
        cmocka_unit_test(translations_are_exact_on_a_grid_and_always_end),
        cmocka_unit_test(bounds_contain_the_rectangle),
        cmocka_unit_test(invalid_input_makes_no_footprint),
    };
    return test_run(tests);
}
