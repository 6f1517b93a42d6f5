/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: bounds, corners and images of boxes, as numbers. What other tests judge leaves room (bounds
 * that contain the corners, any tight box around an image); nothing in it may change unnoticed. */
#include "shape/box/around.h"
#include "shape/box/carried.h"
#include "shape/box/usual.h"
#include "shape/kernels.h"
#include "shape/table.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/wild.h"
#include <abut/pose.h>
#include <math.h>

enum { BOXES = 30000, IMAGES = 24000 };

/* --- boxes of every kind --- */

/* Of either sign. The order in which numbers are drawn must not be left to the compiler. */
static double signed_size(rng *r, int low, int high) {
    const double sign = (double)rng_sign(r);
    return sign * wild_size(r, low, high);
}

/* Changes one of n numbers. */
static void put(rng *r, float *x, uint32_t n, float value) {
    x[rng_below(r, n)] = value;
}

static float any_coordinate(rng *r, double size) {
    static const float limits[] = {0, -0.0f, 1e9f, 0x1p-149f, 0x1p126f, 0x1.8p127f};
    const uint32_t kind = rng_below(r, 12);
    if (kind == 0) {
        return limits[rng_below(r, 6)];
    }
    const double sign = (double)rng_sign(r), scale = kind == 1 ? wild_size(r, -140, 120) : size * wild_size(r, -26, 20);
    return (float)(sign * scale);
}

static float any_half(rng *r, double size) {
    const float value = fabsf(any_coordinate(r, size));
    return rng_chance(r, 0.7) ? (float)(size * wild_size(r, -6, 2)) : value;
}

/* Diagonal entries of the matrix that nearly cancel: eighth turns, and thirds about a diagonal, or nearly these. */
static abut_quat cancelling(rng *r) {
    abut_quat q = wild_rotation(r);
    const double by = rng_chance(r, 0.3) ? 0 : signed_size(r, -26, -4);
    const uint32_t kind = rng_below(r, 3);
    if (kind == 0) {
        q = (abut_quat){0.5f, 0.5f, 0.5f, (float)(0.5 + by)};
    } else if (kind == 1) { /* of a component of the axis that is the root of 1 / 2 */
        q = (abut_quat){(float)by, 0.38268343f, 0, 0.92387953f};
    }
    return q;
}

/* Two parts so small beside the others that rounding hides either square, but not both. */
static abut_quat nearly_none(rng *r) {
    float q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = (float)signed_size(r, -28, -26);
    }
    q[rng_below(r, 4)] = 0;
    q[rng_below(r, 4)] = 1;
    return (abut_quat){q[0], q[1], q[2], q[3]};
}

static abut_quat any_rotation(rng *r) {
    abut_quat q = rng_chance(r, 0.2) ? cancelling(r) : rng_chance(r, 0.1) ? nearly_none(r) : wild_rotation(r);
    if (rng_chance(r, 0.15)) {
        const float by = (float)signed_size(r, -20, 20);
        q = (abut_quat){q.x * by, q.y * by, q.z * by, q.w * by};
    }
    if (rng_chance(r, 0.03)) {
        q = (abut_quat){0, -0.0f, 0, 0};
    }
    if (rng_chance(r, 0.03)) {
        const float by = rng_chance(r, 0.5) ? 0x1p-120f : 0x1p120f;
        q = (abut_quat){q.x * by, q.y * by, q.z * by, q.w * by};
    }
    return q;
}

static abut_obb any_box(rng *r) {
    const double size = wild_size(r, -12, 12);
    abut_obb box;
    box.center.x = any_coordinate(r, size);
    box.center.y = any_coordinate(r, size);
    box.center.z = any_coordinate(r, size);
    box.rotation = any_rotation(r);
    box.half.x = any_half(r, size);
    box.half.y = any_half(r, size);
    box.half.z = any_half(r, size);
    if (rng_chance(r, 0.1)) {
        box.half = wild_half(r, size);
    }
    return box;
}

/* Now and then one that is refused. */
static abut_obb any_box_or_none(rng *r) {
    static const float wrong[] = {-1, NAN, INFINITY, -INFINITY};
    abut_obb box = any_box(r);
    if (rng_chance(r, 0.03)) {
        put(r, &box.center.x, 10, wrong[rng_below(r, 4)]);
    }
    return box;
}

/* Whether all floats of the answer are finite: beyond that machines round alike, too, but conversions may not. */
static bool moderate(const abut_obb *box) {
    const float *x = &box->center.x;
    bool within = true;
    for (int i = 0; i < 10; i++) {
        within = within && fabsf(x[i]) < 0x1p125f;
    }
    return within;
}

/* --- one box, and many --- */

static void bounds(uint64_t *digest) {
    rng r = rng_make(21, 0);
    for (uint32_t k = 0; k < BOXES; k++) {
        const abut_obb box = any_box_or_none(&r);
        if (moderate(&box)) {
            const abut_aabb one = abut_obb_bounds(&box);
            const abut_aabb usual = abut_box_usual_bounds(&box, 0);
            const bool is_usual = !isnan(usual.min.x);
            digest_bounds(digest, &one);
            digest_number(digest, is_usual);
            if (is_usual) {
                digest_bounds(digest, &usual);
            }
        }
    }
}

static void bounds_of_many(uint64_t *digest) {
    enum { MANY = 600 };
    static abut_obb box[MANY];
    static abut_aabb out[MANY];
    for (uint32_t turn = 0; turn < 40; turn++) {
        rng r = rng_make(22, turn);
        const uint32_t n = turn < 20 ? turn : turn < 36 ? 246 + turn : MANY;
        for (uint32_t i = 0; i < n; i++) {
            do {
                box[i] = turn % 2 ? any_box(&r) : any_box_or_none(&r);
            } while (!moderate(&box[i]));
            if (turn % 5 == 4) {
                box[i].rotation = turn % 2 ? (abut_quat){0, 0, 0, 1} : (abut_quat){0, 0.5f, 0, rng_sign(&r) / 2};
            }
        }
        digest_number(digest, (uint64_t)abut_obb_bounds_many(box, n, out));
        for (uint32_t i = 0; i < n; i++) {
            digest_bounds(digest, &out[i]);
        }
    }
    digest_number(digest, (uint64_t)abut_obb_bounds_many(NULL, 1, out));
    digest_number(digest, (uint64_t)abut_obb_bounds_many(box, 1, NULL));
    digest_number(digest, (uint64_t)abut_obb_bounds_many(NULL, 0, NULL));
}

/* Whether all ends are floats. */
static bool ends_are_floats(const abut_obb *box) {
    const double all = (double)box->half.x + (double)box->half.y + (double)box->half.z, most = 0x1.fp127;
    return fabs((double)box->center.x) + all < most && fabs((double)box->center.y) + all < most &&
           fabs((double)box->center.z) + all < most;
}

/* Near the largest floats. */
static void largest(uint64_t *digest) {
    rng r = rng_make(29, 0);
    for (uint32_t k = 0; k < BOXES / 4; k++) {
        abut_obb box = {.rotation = k % 4 ? wild_rotation(&r) : (abut_quat){0, 0, 0, 1}};
        for (int i = 0; i < 3; i++) {
            const int from = rng_chance(&r, 0.5) ? 126 : 0, to = from > 0 ? 128 : 127;
            (&box.center.x)[i] = (float)signed_size(&r, from, to);
            (&box.half.x)[i] = (float)wild_size(&r, rng_chance(&r, 0.5) ? 125 : 0, 127);
        }
        const abut_aabb usual = abut_box_usual_bounds(&box, 0);
        const bool is_usual = !isnan(usual.min.x);
        digest_number(digest, is_usual);
        if (ends_are_floats(&box)) {
            const abut_aabb one = abut_obb_bounds(&box);
            digest_bounds(digest, &one);
        }
    }
}

static void corners(uint64_t *digest) {
    rng r = rng_make(23, 0);
    for (uint32_t k = 0; k < BOXES / 4; k++) {
        const abut_obb box = any_box_or_none(&r);
        abut_vec3 corner[8];
        if (moderate(&box)) {
            abut_obb_corners(&box, corner);
            digest_floats(digest, &corner[0].x, 24);
        }
    }
}

/* --- boxes and rounded boxes as colliders --- */

static abut_collider collider_of(rng *r, float radius) {
    abut_collider c;
    abut_obb box;
    do {
        box = any_box(r);
    } while (!moderate(&box));
    const abut_shape shape = {.half = box.half, .radius = radius};
    const abut_pose pose = {box.center, box.rotation};
    assert_true(abut_collider_from_shape(&shape, &pose, &c));
    return c;
}

static void bounds_of_colliders(uint64_t *digest) {
    enum { MANY = 300 };
    static abut_collider c[MANY];
    static float box[MANY][6];
    for (uint32_t turn = 0; turn < 40; turn++) {
        rng r = rng_make(24, turn);
        const uint32_t n = turn < 20 ? turn : turn < 38 ? 238 + turn : MANY;
        uint32_t index[MANY];
        for (uint32_t i = 0; i < n; i++) {
            c[i] = collider_of(&r, rng_chance(&r, 0.5) ? 0 : (float)wild_size(&r, -20, 10));
            index[i] = i < n / 2 ? n / 2 - 1 - i : i;
        }
        abut_collider_bounds_many(c, index, n, turn % 4 ? 0 : wild_size(&r, -12, 4), box);
        digest_floats(digest, box[0], 6 * (size_t)n);
        for (uint32_t i = 0; i < n; i++) {
            const abut_aabb one = abut_collider_bounds(&c[i]);
            digest_bounds(digest, &one);
        }
    }
}

static void digest_line(abut_d3 from, abut_d3 to, void *digest) {
    digest_d3(digest, from);
    digest_d3(digest, to);
}

/* A row of the shape table. */
static void digest_row(uint64_t *digest, const abut_collider *c, rng *r) {
    const abut_shape_class *of = abut_shape_of(c);
    const abut_obb local = of->local_obb(c), box = abut_collider_obb(c);
    digest_number(digest, c->type);
    digest_number(digest, abut_collider_valid(c));
    digest_number(digest, abut_collider_bounds_valid(c));
    digest_double(digest, of->extent(c));
    digest_number(digest, of->hash(c, 77));
    digest_number(digest, of->corner_count(c));
    digest_box(digest, &local);
    digest_box(digest, &box);
    for (uint32_t i = 0; i < of->corner_count(c); i++) {
        abut_d3 direction;
        for (int j = 0; j < 3; j++) {
            direction.x[j] = (double)rng_below(r, 5) - 2;
        }
        digest_d3(digest, of->corner(c, i));
        digest_d3(digest, of->support(c, direction));
    }
    if (of->edges) {
        of->edges(c, digest_line, digest);
    }
}

static void colliders(uint64_t *digest) {
    for (uint32_t k = 0; k < 800; k++) {
        rng r = rng_make(25, k);
        abut_collider c = collider_of(&r, k % 2 ? 0 : (float)wild_size(&r, -4, 4)), other = c;
        if (k % 8 == 2) { /* spheres, capsules and discs */
            c.half = (abut_vec3){k % 16 < 8 ? c.half.x : 0, 0, k % 32 < 16 ? c.half.z : 0};
            c = abut_collider_unplaced(NULL, NULL, c.half, c.radius);
            c.rotation = other.rotation;
        }
        digest_row(digest, &c, &r);
        put(&r, &other.half.x, 4, rng_chance(&r, 0.3) ? other.half.x : (float)signed_size(&r, -2, 2));
        const int order = abut_shape_of(&c)->compare(&c, &other);
        digest_number(digest, (uint64_t)(order < 0 ? 2 : order > 0));
    }
}

/* What is no valid shape, and zeros of either sign. */
static void refused(uint64_t *digest) {
    static const float values[] = {-0.0f, 1, -1, NAN, INFINITY};
    for (uint32_t k = 0; k < 625; k++) {
        const abut_vec3 half = {values[k % 5], values[k / 5 % 5], values[k / 25 % 5]};
        const abut_collider c = abut_collider_unplaced(NULL, NULL, half, values[k / 125]);
        const abut_shape shape = {.half = half, .radius = values[k / 125]};
        const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        abut_collider made = c;
        digest_number(digest, c.type);
        digest_floats(digest, &c.half.x, 3);
        digest_float(digest, c.radius);
        digest_number(digest, abut_collider_valid(&c));
        digest_number(digest, abut_collider_from_shape(&shape, &pose, &made));
    }
    const abut_collider with_mesh =
        abut_collider_unplaced((const abut_mesh *)(const void *)values, NULL, (abut_vec3){1, 1, 1}, -0.0f);
    digest_floats(digest, &with_mesh.half.x, 3);
    digest_float(digest, with_mesh.radius);
    digest_number(digest, with_mesh.type);
}

/* --- boxes carried along --- */

static void carried(uint64_t *digest) {
    rng r = rng_make(26, 0);
    for (uint32_t k = 0; k < BOXES; k++) {
        const abut_obb local = any_box(&r), at = any_box(&r);
        const abut_quat rotation = {at.rotation.x, at.rotation.y, at.rotation.z, at.rotation.w};
        const bool none = rotation.x == 0 && rotation.y == 0 && rotation.z == 0 && rotation.w == 0;
        if (moderate(&local) && moderate(&at) && !none && abut_collider_keeps(rotation)) {
            const abut_obb box = abut_obb_carried(&local, at.center, rotation);
            digest_box(digest, &box);
        }
    }
}

/* --- images of boxes --- */

static float any_entry(rng *r, double size) {
    const uint32_t kind = rng_below(r, 16);
    return kind < 4 ? 0 : kind == 4 ? -0.0f : (float)(size * signed_size(r, kind == 5 ? -40 : -3, 1));
}

/* Columns of a rotation, scaled, sheared, projected or at random. */
static void fill_columns(rng *r, float m[16]) {
    const double size = wild_size(r, -10, 10);
    const abut_pose pose = {{0, 0, 0}, wild_rotation(r)};
    const uint32_t kind = rng_below(r, 4);
    abut_pose_to_matrix(&pose, m);
    for (int j = 0; j < 3; j++) {
        const double by = kind == 0 ? 1 : size * wild_size(r, -2, 2);
        for (int i = 0; i < 3; i++) {
            m[4 * j + i] = kind == 3 ? any_entry(r, size) : (float)((double)m[4 * j + i] * by);
        }
    }
    for (int i = 0; i < 3 && kind == 2; i++) { /* sheared a little, or flattened */
        m[4 + i] += m[i] * (float)(rng_chance(r, 0.5) ? wild_size(r, -24, 0) : 1);
        m[8 + i] = rng_chance(r, 0.2) ? m[4 + i] * 0.5f : m[8 + i];
    }
}

static void fill_matrix(rng *r, float m[16]) {
    fill_columns(r, m);
    if (rng_chance(r, 0.1)) { /* a mirror */
        m[0] = -m[0], m[1] = -m[1], m[2] = -m[2];
    }
    if (rng_chance(r, 0.1)) { /* without one of the axes */
        float *column = m + 4 * rng_below(r, 3);
        column[0] = column[1] = column[2] = 0;
    }
    for (int i = 0; i < 3; i++) {
        m[12 + i] = any_entry(r, wild_size(r, -10, 24));
    }
    m[3] = m[7] = m[11] = 0;
    m[15] = 1;
    if (rng_chance(r, 0.03)) {
        put(r, m, 16, rng_chance(r, 0.3) ? NAN : rng_chance(r, 0.5) ? 2 : 1e9f);
    }
}

static abut_aabb local_bounds(rng *r) {
    abut_aabb local;
    const double size = wild_size(r, -8, 8);
    for (int i = 0; i < 3; i++) {
        const float from = any_entry(r, size), to = any_entry(r, size);
        (&local.min.x)[i] = from < to || rng_chance(r, 0.02) ? from : to;
        (&local.max.x)[i] = from < to ? to : from;
    }
    return local;
}

static void images(uint64_t *digest) {
    rng r = rng_make(27, 0);
    for (uint32_t k = 0; k < IMAGES; k++) {
        float m[16];
        fill_matrix(&r, m);
        const abut_aabb local = local_bounds(&r);
        abut_obb box = {{1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10}};
        digest_number(digest, (uint64_t)abut_obb_from_matrix(m, &local, &box));
        digest_box(digest, &box);
    }
}

/* Numbers in double-double, some of them with an error. */
static void around(uint64_t *digest) {
    rng r = rng_make(28, 0);
    for (uint32_t k = 0; k < IMAGES; k++) {
        abut_parallelepiped of;
        const double size = wild_size(&r, -10, 10);
        for (int i = 0; i < 12; i++) {
            double *error = i < 3 ? &of.center_error[i] : &of.edge_error[i / 3 - 1][i % 3];
            const double part = rng_chance(&r, 0.5) ? 1 : 1 + 0x1p-40, hi = part * (double)any_entry(&r, size);
            const abut_dd x = {hi, rng_chance(&r, 0.5) ? 0 : hi * 0x1p-54};
            *error = rng_chance(&r, 0.6) ? 0 : fabs(hi) * wild_size(&r, -60, -20);
            *(i < 3 ? &of.center[i] : &of.edge[i / 3 - 1][i % 3]) = x;
        }
        abut_quat q;
        do {
            q = any_rotation(&r);
        } while (!abut_collider_keeps(q));
        const abut_obb box = abut_obb_around(&of, q);
        digest_box(digest, &box);
    }
}

static void boxes_answer_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"bounds", bounds, UINT64_C(0xccec1f907e0689d0)},
        {"bounds of many", bounds_of_many, UINT64_C(0x10b0769fcdd73c3a)},
        {"corners", corners, UINT64_C(0x31715f5faaf1d426)},
        {"largest", largest, UINT64_C(0x0c3f5cfd24286d61)},
        {"bounds of colliders", bounds_of_colliders, UINT64_C(0x684f9f44b6dfd333)},
        {"colliders", colliders, UINT64_C(0x39d35a918707282e)},
        {"refused", refused, UINT64_C(0x0324ece882db0075)},
        {"carried", carried, UINT64_C(0x7112ca5635ca29de)},
        {"images", images, UINT64_C(0x970cb626565afc74)},
        {"around", around, UINT64_C(0xcf4e6f54c66bfc84)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_answer_the_same_everywhere)};
    return test_run(tests);
}
