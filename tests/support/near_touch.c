/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/near_touch.h"
#include "support/rng.h"
#include <math.h>

/* A box in double: axes are columns. */
typedef struct frame {
    double axes[3][3], half[3];
} frame;

static abut_quat product(abut_quat p, abut_quat q) {
    double px = p.x, py = p.y, pz = p.z, pw = p.w, qx = q.x, qy = q.y, qz = q.z, qw = q.w;
    return (abut_quat){(float)(pw * qx + px * qw + py * qz - pz * qy), (float)(pw * qy - px * qz + py * qw + pz * qx),
                       (float)(pw * qz + px * qy - py * qx + pz * qw), (float)(pw * qw - px * qx - py * qy - pz * qz)};
}

static abut_quat scaled(abut_quat q, double factor) {
    return (abut_quat){(float)(q.x * factor), (float)(q.y * factor), (float)(q.z * factor), (float)(q.w * factor)};
}

/* Returns |q|^2; m = |q|^2 R(q). Exact for small integers. */
static double matrix_times_square(abut_quat q, double m[3][3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w;
    double rows[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z},
    };
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = rows[i / 3][i % 3];
    }
    return x * x + y * y + z * z + w * w;
}

static frame frame_of(const abut_obb *box) {
    frame f;
    double square = matrix_times_square(box->rotation, f.axes);
    const float *half = &box->half.x;
    for (int i = 0; i < 9; i++) {
        f.axes[i / 3][i % 3] = square > 0 ? f.axes[i / 3][i % 3] / square : i % 4 == 0;
    }
    for (int i = 0; i < 3; i++) {
        f.half[i] = half[i];
    }
    return f;
}

static double along(const frame *f, int axis, const double n[3]) {
    return f->axes[0][axis] * n[0] + f->axes[1][axis] * n[1] + f->axes[2][axis] * n[2];
}

static void column(const frame *f, int axis, double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = f->axes[k][axis];
    }
}

/* The unit direction of `kind`, either sign. False when it has none: two parallel edges. */
static bool direction_of(rng *r, int kind, const frame *a, const frame *b, double n[3]) {
    if (kind < 3) {
        column(a, kind, n);
    } else if (kind < 6) {
        column(b, kind - 3, n);
    } else if (kind < 15) {
        double u[3], v[3];
        column(a, (kind - 6) / 3, u);
        column(b, (kind - 6) % 3, v);
        for (int k = 0; k < 3; k++) {
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        }
    } else {
        abut_vec3 random = rng_direction(r);
        n[0] = random.x, n[1] = random.y, n[2] = random.z;
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double scale = rng_sign(r) / length;
    for (int k = 0; k < 3; k++) {
        n[k] *= scale;
    }
    return length > 1e-14;
}

/* A point of the box that is extreme along sign * n, in its own axes: at the end of each axis, or anywhere on it where
 * the axis is perpendicular to n. `grid` > 0: on multiples of half/grid. */
static void support_point(rng *r, const frame *f, const double n[3], double sign, uint32_t grid, double local[3]) {
    for (int k = 0; k < 3; k++) {
        double c = sign * along(f, k, n);
        double end = c < 0 ? -1 : 1;
        if (fabs(c) < 1e-9 && rng_chance(r, 0.8)) {
            end = grid ? (double)rng_below(r, 2 * grid + 1) / grid - 1 : rng_range(r, -1, 1);
        }
        local[k] = end * f->half[k];
    }
}

static void to_world(const frame *f, const double local[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = f->axes[k][0] * local[0] + f->axes[k][1] * local[1] + f->axes[k][2] * local[2];
    }
}

static abut_quat random_integer_rotation(rng *r, uint32_t limit) {
    abut_quat q = {0, 0, 0, 0};
    while (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
        float *q4[4] = {&q.x, &q.y, &q.z, &q.w};
        for (int i = 0; i < 4; i++) {
            *q4[i] = (float)rng_below(r, 2 * limit + 1) - (float)limit;
        }
    }
    return q;
}

/* One of the 24 rotations of a cube, as integers. */
static abut_quat random_cube_rotation(rng *r) {
    static const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 1},
                                      {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}, {1, 1, 0, 0}, {-1, 1, 1, 1}};
    uint32_t count = sizeof turns / sizeof turns[0], first = rng_below(r, count), second = rng_below(r, 2 * count);
    return product(turns[first], turns[second < count ? second : 0]);
}

static abut_vec3 integer_half(rng *r) {
    float half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = rng_chance(r, 0.06) ? 0 : 4.0f * (float)(1 + rng_below(r, 8));
    }
    return (abut_vec3){half[0], half[1], half[2]};
}

/* Everything is an integer: rotations from small integer quaternions, points on a quarter of the half extents. Scaling
 * by |qa|^2 |qb|^2 keeps it so. */
static near_touch exact_pair(rng *r) {
    near_touch pair = {.exact = true};
    bool aligned = rng_chance(r, 0.5);
    pair.a.rotation = aligned ? random_cube_rotation(r) : random_integer_rotation(r, 2);
    abut_quat turn = aligned ? random_cube_rotation(r) : random_integer_rotation(r, 1);
    pair.b.rotation = product(pair.a.rotation, turn);
    pair.a.half = integer_half(r);
    pair.b.half = integer_half(r);
    double whole_a[3][3], whole_b[3][3], n[3], la[3], lb[3];
    double square_a = matrix_times_square(pair.a.rotation, whole_a);
    double square_b = matrix_times_square(pair.b.rotation, whole_b);
    frame a = frame_of(&pair.a), b = frame_of(&pair.b);
    do {
        pair.kind = (int)rng_below(r, NEAR_TOUCH_KINDS);
    } while (!direction_of(r, pair.kind, &a, &b, n));
    support_point(r, &a, n, 1, 4, la);
    support_point(r, &b, n, -1, 4, lb);
    double unit = ldexp(1, (int)rng_below(r, 30) - 15);
    float *ca = &pair.a.center.x, *cb = &pair.b.center.x, *ha = &pair.a.half.x, *hb = &pair.b.half.x;
    for (int k = 0; k < 3; k++) {
        double d = 0;
        for (int j = 0; j < 3; j++) {
            d += square_b * whole_a[k][j] * la[j] - square_a * whole_b[k][j] * lb[j];
        }
        double from = rng_chance(r, 0.5) ? 0 : (double)rng_below(r, 4096) - 2048;
        ca[k] = (float)(from * unit);
        cb[k] = (float)((from + d) * unit);
        ha[k] = (float)(ha[k] * square_a * square_b * unit);
        hb[k] = (float)(hb[k] * square_a * square_b * unit);
    }
    double length = 1 + (double)rng_below(r, 3);
    length = ldexp(length, (int)rng_below(r, 8) - 4);
    pair.a.rotation = scaled(pair.a.rotation, length);
    pair.b.rotation = scaled(pair.b.rotation, rng_chance(r, 0.5) ? length : -0.5);
    return pair;
}

static abut_vec3 random_half(rng *r, double size) {
    double decades = rng_chance(r, 0.3) ? 0.5 : 4;
    float half[3];
    for (int k = 0; k < 3; k++) {
        half[k] = (float)(size * pow(10, -rng_range(r, 0, decades)));
    }
    if (rng_chance(r, 0.08)) {
        half[rng_below(r, 3)] = 0;
        uint32_t second = rng_below(r, 6);
        half[second % 3] *= second < 3 ? 0.0f : 1.0f;
    }
    return (abut_vec3){half[0], half[1], half[2]};
}

/* A rotation by `angle` about a random axis, or about one of the coordinate axes. */
static abut_quat random_turn(rng *r, double angle) {
    abut_vec3 axis = {0, 0, 0};
    if (rng_chance(r, 0.5)) {
        axis = rng_direction(r);
    } else {
        uint32_t which = rng_below(r, 3);
        *(which == 0 ? &axis.x : which == 1 ? &axis.y : &axis.z) = 1;
    }
    double s = sin(angle / 2);
    return (abut_quat){(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s), (float)cos(angle / 2)};
}

static void random_rotations(rng *r, abut_quat *a, abut_quat *b) {
    double way = rng_unit(r);
    *a = rng_chance(r, 0.05) ? random_cube_rotation(r) : rng_chance(r, 0.1) ? (abut_quat){0} : rng_rotation(r);
    if (way < 0.1) { /* the same, or exactly parallel: halves and half turns do not round */
        abut_quat half_turn[4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        *b = product(*a, half_turn[rng_below(r, 4)]);
        *b = scaled(*b, rng_chance(r, 0.5) ? 1 : -0.125);
    } else if (way < 0.2) {
        *b = product(*a, random_cube_rotation(r));
    } else if (way < 0.75) {
        abut_quat whole = {0, 0, 0, 1};
        bool none = a->x == 0 && a->y == 0 && a->z == 0 && a->w == 0;
        abut_quat turn = random_turn(r, rng_log_range(r, 1e-8, 1));
        abut_quat square = rng_chance(r, 0.8) ? whole : random_cube_rotation(r);
        *b = product(product(none ? whole : *a, square), turn);
    } else {
        *b = rng_rotation(r);
    }
    if (way >= 0.1 && rng_chance(r, 0.25)) {
        double range = rng_chance(r, 0.2) ? 1e15 : 1e3;
        *a = scaled(*a, rng_log_range(r, 1 / range, range));
        *b = scaled(*b, rng_log_range(r, 1 / range, range));
    }
}

static abut_vec3 random_center(rng *r, double size) {
    double way = rng_unit(r);
    abut_vec3 at = rng_direction(r);
    double distance = way < 0.4 ? 0 : way < 0.75 ? rng_log_range(r, 1e-3, 10) * size : rng_log_range(r, 1e-4, 1e6);
    return (abut_vec3){(float)(at.x * distance), (float)(at.y * distance), (float)(at.z * distance)};
}

/* Adds `rest`, a length along n, to the half extent that can represent it most finely. */
static void absorb(near_touch *pair, const frame *a, const frame *b, const double n[3], double rest) {
    float *best = NULL;
    double best_step = INFINITY, best_weight = 1;
    for (int k = 0; k < 6; k++) {
        float *half = k < 3 ? &pair->a.half.x + k : &pair->b.half.x + (k - 3);
        double weight = fabs(k < 3 ? along(a, k, n) : along(b, k - 3, n));
        if (weight * *half > 2 * fabs(rest) && weight * *half < best_step) {
            best_step = weight * *half;
            best_weight = weight;
            best = half;
        }
    }
    if (best) {
        *best = (float)(*best + rest / best_weight);
    }
}

static near_touch rounded_pair(rng *r) {
    near_touch pair = {.exact = false};
    double size = rng_log_range(r, 1e-4, 1e5), n[3], la[3], lb[3], pa[3], pb[3];
    pair.a.half = random_half(r, size);
    pair.b.half = random_half(r, size * rng_log_range(r, 0.1, 10));
    random_rotations(r, &pair.a.rotation, &pair.b.rotation);
    frame a = frame_of(&pair.a), b = frame_of(&pair.b);
    do {
        pair.kind = (int)rng_below(r, NEAR_TOUCH_KINDS);
    } while (!direction_of(r, pair.kind, &a, &b, n));
    support_point(r, &a, n, 1, 0, la);
    support_point(r, &b, n, -1, 0, lb);
    to_world(&a, la, pa);
    to_world(&b, lb, pb);
    double gap = rng_chance(r, 0.1) ? 0 : (double)rng_sign(r);
    gap *= rng_log_range(r, 1e-16, 1e-2);
    gap *= a.half[0] + a.half[1] + a.half[2] + b.half[0] + b.half[1] + b.half[2];
    pair.a.center = random_center(r, size);
    const float *ca = &pair.a.center.x;
    float *cb = &pair.b.center.x;
    double rounding = 0;
    for (int k = 0; k < 3; k++) {
        double d = pa[k] - pb[k] + gap * n[k];
        cb[k] = (float)(ca[k] + d);
        rounding += ((double)cb[k] - ca[k] - d) * n[k];
    }
    if (rng_chance(r, 0.5)) {
        absorb(&pair, &a, &b, n, rounding);
    }
    return pair;
}

near_touch near_touch_pair(uint64_t seed, uint64_t index) {
    rng r = rng_make(seed, index);
    return rng_chance(&r, 0.25) ? exact_pair(&r) : rounded_pair(&r);
}
