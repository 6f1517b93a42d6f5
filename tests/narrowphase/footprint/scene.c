/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "scene.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

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

abut_obb2 scene_rectangle(rng *r, double scale) {
    abut_obb2 o = {.axis = random_axis(r)};
    o.half.x = random_length(r, scale);
    o.half.y = random_length(r, scale);
    return o;
}

static void corners_of(scene *s) {
    s->count = 8;
    for (uint32_t i = 0; i < s->count; i++) {
        s->point[i] =
            (abut_vec3){i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y, i & 4 ? s->half.z : -s->half.z};
    }
}

static void make_box(rng *r, scene *s, double scale) {
    s->half = (abut_vec3){random_length(r, scale), random_length(r, scale), random_length(r, scale)};
    corners_of(s);
}

static void make_hull(rng *r, scene *s, double scale) {
    abut_vec3 points[SCENE_POINTS];
    uint32_t family = rng_below(r, 4), least = family == 3 ? 6 : 4, n = least + rng_below(r, SCENE_POINTS - least + 1);
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
    double radius = along_x * s->rectangle.half.x + along_y * s->rectangle.half.y + s->clearance;
    s->rectangle.center.x = (float)(px + (most + radius + gap) * n[0] - aside * n[1]);
    s->rectangle.center.y = (float)(py + (most + radius + gap) * n[1] + aside * n[0]);
    if (absorbs) {
        double away = ((double)s->rectangle.center.x - px) * n[0] + ((double)s->rectangle.center.y - py) * n[1];
        double rest = away - most - gap - s->clearance - along_y * s->rectangle.half.y;
        s->rectangle.half.x = (float)fmax(0, rest / along_x);
    }
}

static void place(scene *s) {
    const abut_shape shape = {.half = s->half, .hull = s->hull, .radius = s->radius};
    assert_true(abut_collider_from_shape(&shape, &s->pose, &s->collider));
}

void scene_make_sharp(uint64_t index, scene *s) {
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
    s->rectangle = scene_rectangle(&r, scale);
    s->clearance = rng_chance(&r, 0.5) ? 0 : random_length(&r, 0.1 * scale);
    bring_together(&r, s, scale);
    place(s);
}

/* A core with some extents of 0: a point, a rod, a plate. */
static void make_core(rng *r, scene *s, double scale) {
    uint32_t kind = rng_below(r, 5);
    if (kind == 4) {
        make_hull(r, s, scale);
        return;
    }
    make_box(r, s, scale);
    for (uint32_t k = kind, first = rng_below(r, 3); k < 3; k++) {
        *(&s->half.x + (k + first) % 3) = 0;
    }
    corners_of(s);
}

/* The point of the shadow that lies farthest along n, without the position. */
static void farthest(const scene *s, const double n[2], double out[2]) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < s->count; i++) {
        const double local[3] = {s->point[i].x, s->point[i].y, s->point[i].z};
        double p[2];
        project(s, local, p);
        if (p[0] * n[0] + p[1] * n[1] > most) {
            most = p[0] * n[0] + p[1] * n[1];
            out[0] = p[0], out[1] = p[1];
        }
    }
}

/* The corner of the rectangle that lies farthest against n, seen from its centre. */
static void farthest_corner(const scene *s, const double axis[2], const double n[2], double out[2]) {
    double x = s->rectangle.half.x, y = s->rectangle.half.y;
    x = n[0] * axis[0] + n[1] * axis[1] > 0 ? -x : x;
    y = n[1] * axis[0] - n[0] * axis[1] > 0 ? -y : y;
    out[0] = x * axis[0] - y * axis[1];
    out[1] = x * axis[1] + y * axis[0];
}

static void unit_axis(const scene *s, double axis[2]) {
    axis[0] = s->rectangle.axis.x, axis[1] = s->rectangle.axis.y;
    double length = hypot(axis[0], axis[1]);
    axis[0] = length > 0 ? axis[0] / length : 1;
    axis[1] = length > 0 ? axis[1] / length : 0;
}

/* Sets radius and clearance to what lies between the two, but for a gap: the sum of two floats is finer than one. */
static void absorb(rng *r, scene *s, double between) {
    double share = rng_chance(r, 0.3) ? 1 : rng_unit(r), first = fmax(0, between) * share;
    float coarse = (float)first;
    coarse = (double)coarse > fmax(0, between) ? nextafterf(coarse, 0) : coarse;
    float fine = (float)fmax(0, between - coarse);
    bool rounded = rng_chance(r, 0.5);
    s->radius = rounded ? coarse : fine;
    s->clearance = rounded ? fine : coarse;
}

/* Corner to corner along any direction, or side to side along the normal of one. */
static void bring_near(rng *r, scene *s, double scale, double grow) {
    double axis[2], n[2], corner[2] = {0, 0}, own[2], angle = rng_range(r, 0, 6.283185307179586);
    unit_axis(s, axis);
    bool by_side = rng_chance(r, 0.4);
    n[0] = cos(angle), n[1] = sin(angle);
    if (by_side) {
        choose_normal(r, s, axis, n);
    }
    farthest(s, n, corner);
    farthest_corner(s, axis, n, own);
    double gap = rng_chance(r, 0.2) ? -(scale + grow) * rng_unit(r) : 0;
    if (rng_chance(r, 0.15)) { /* the cores nearly touch */
        gap = -grow - rng_sign(r) * scale * rng_log_range(r, 1e-16, 1e-1);
    }
    double aside = by_side ? rng_range(r, -0.3, 0.3) : 0;
    float *position = &s->pose.position.x;
    if (rng_chance(r, 0.3)) { /* the rectangle near the origin, where floats are fine */
        position[s->ground[0]] = (float)(own[0] - corner[0]);
        position[s->ground[1]] = (float)(own[1] - corner[1]);
    }
    double x = position[s->ground[0]] + corner[0] - own[0], y = position[s->ground[1]] + corner[1] - own[1];
    s->rectangle.center.x = (float)(x + (grow + gap) * n[0] - aside * scale * n[1]);
    s->rectangle.center.y = (float)(y + (grow + gap) * n[1] + aside * scale * n[0]);
    if (gap < 0) {
        s->radius = rng_chance(r, 0.5) ? (float)grow : (float)(0.5 * grow);
        s->clearance = s->radius < (float)grow ? (float)(grow - s->radius) : 0;
        return;
    }
    double to_x = s->rectangle.center.x - x, to_y = s->rectangle.center.y - y;
    double between = by_side ? to_x * n[0] + to_y * n[1] : hypot(to_x, to_y);
    absorb(r, s, between * (1 + rng_sign(r) * (rng_chance(r, 0.3) ? 0 : rng_log_range(r, 1e-17, 1e-2))));
}

void scene_make_grown(uint64_t index, scene *s) {
    rng r = rng_make(test_seed(), index);
    const int *ground = grounds[rng_below(&r, 3)];
    double scale = rng_log_range(&r, 1e-3, 1e4);
    double grow = scale * (rng_chance(&r, 0.5) ? rng_log_range(&r, 1e-6, 1e6) : rng_log_range(&r, 0.01, 3));
    *s = (scene){.ground = {ground[0], ground[1]}};
    make_core(&r, s, scale);
    s->pose.rotation = random_rotation(&r, 3 - ground[0] - ground[1]);
    if (rng_chance(&r, 0.3)) {
        s->pose.position = rng_vec3(&r, -10 * scale, 10 * scale);
    }
    s->rectangle = scene_rectangle(&r, scale);
    bring_near(&r, s, scale, grow);
    place(s);
}

/* 3-4-5 by its rotation, or not turned: then corners are integers where extents are multiples of 5. */
static abut_quat grid_rotation(rng *r, int up) {
    abut_quat q = {0, 0, 0, 1};
    float *part = &q.x;
    if (rng_chance(r, 0.5)) { /* a half angle of tangent 1/2: cosine 3/5, sine 4/5 */
        part[up] = rng_sign(r);
        part[3] = 2;
    } else if (rng_chance(r, 0.5)) {
        part[rng_below(r, 3)] = rng_sign(r);
        part[3] = (float)rng_below(r, 2);
    }
    return q;
}

void scene_make_on_grid(uint64_t index, scene *s) {
    static const float triple[5][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {20, 21, 29}, {0, 1, 1}};
    rng r = rng_make(test_seed(), index);
    const int *ground = grounds[rng_below(&r, 3)];
    *s = (scene){.ground = {ground[0], ground[1]}};
    s->half = (abut_vec3){5 * (float)rng_below(&r, 4), 5 * (float)rng_below(&r, 4), 5 * (float)rng_below(&r, 4)};
    corners_of(s);
    s->pose.rotation = grid_rotation(&r, 3 - ground[0] - ground[1]);
    float *position = &s->pose.position.x;
    position[ground[0]] = (float)rng_below(&r, 2000) - 1000;
    position[ground[1]] = (float)rng_below(&r, 2000) - 1000;
    s->rectangle.axis =
        rng_chance(&r, 0.5) ? (abut_vec2){3, 4 * rng_sign(&r)} : (abut_vec2){0, (float)rng_below(&r, 2)};
    s->rectangle.half = (abut_vec2){5 * (float)rng_below(&r, 4), 5 * (float)rng_below(&r, 4)};
    const float *t = triple[rng_below(&r, 5)];
    bool swap = rng_chance(&r, 0.5);
    float times = (float)(1 + rng_below(&r, 9)), x = t[swap] * times * rng_sign(&r),
          y = t[!swap] * times * rng_sign(&r);
    double axis[2], own[2], corner[2] = {0, 0}, n[2] = {x, y};
    unit_axis(s, axis);
    farthest(s, n, corner);
    farthest_corner(s, axis, n, own);
    s->rectangle.center.x = rintf((float)(position[ground[0]] + corner[0] - own[0])) + x;
    s->rectangle.center.y = rintf((float)(position[ground[1]] + corner[1] - own[1])) + y;
    float grow = t[2] * times;
    s->radius = rng_chance(&r, 0.5) ? (float)rng_below(&r, (uint32_t)grow + 1) : 0;
    s->clearance = grow - s->radius;
    if (s->clearance > 0 && rng_chance(&r, 0.3)) { /* as close to that as floats are */
        s->clearance = nextafterf(s->clearance, rng_chance(&r, 0.5) ? 0 : INFINITY);
    }
    place(s);
}

static ground_truth truth_of(const scene *s, const abut_obb2 *rectangle) {
    return ground_shadow(rectangle, s->clearance, s->radius, s->point, s->count, &s->pose, s->ground);
}

static bool expected(double gap, abut_touch touch) {
    return touch == ABUT_TOUCH_IS_FREE ? gap < 0 : gap <= 0;
}

static void report(uint64_t index, const char *what, const scene *s, const ground_truth *truth) {
    const abut_obb2 *o = &s->rectangle;
    fprintf(stderr, "seed 0x%llx scene %llu: %s; gap %g of %g\n", (unsigned long long)test_seed(),
            (unsigned long long)index, what, truth->gap, truth->size);
    fprintf(stderr, "    {{%a, %a}, {%a, %a}, {%a, %a}} + %a + %a\n", o->center.x, o->center.y, o->axis.x, o->axis.y,
            o->half.x, o->half.y, s->clearance, s->radius);
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

void scenes_run(scene_maker *make, unsigned long scenes, uint64_t first, bool translation, tally *t) {
    unsigned long wrong = 0;
    for (unsigned long i = 0; i < scenes && wrong < 10; i++) {
        scene s;
        make(first + i, &s);
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
