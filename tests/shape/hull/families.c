/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/families.h"
#include "support/wild.h"
#include <math.h>

typedef struct maker {
    rng r;
    uint32_t family, size;
    double m[3][3]; /* a rotation */
    double at[3];
} maker;

static double any(maker *m) {
    return rng_range(&m->r, -1, 1);
}

static double whole(maker *m, uint32_t size) {
    return (double)rng_below(&m->r, size + 1);
}

/* Any exponent of a float that is within the limit of coordinates, denormal ones included. */
static double any_exponent(maker *m) {
    const double size = wild_size(&m->r, -149, 29);
    return any(m) < 0 ? -size : size;
}

static void each(maker *m, double (*number)(maker *m), double x[3]) {
    for (int i = 0; i < 3; i++) {
        x[i] = number(m);
    }
}

static void lattice(maker *m, uint32_t size, bool surface, double x[3]) {
    for (int i = 0; i < 3; i++) {
        x[i] = whole(m, size);
    }
    if (surface) {
        const uint32_t side = rng_below(&m->r, 3);
        x[side] = whole(m, 1) * size;
    }
}

/* A point of a circle with rational coordinates, at either end of a prism. */
static void ring(maker *m, double x[3]) {
    const double t = (whole(m, 2 * (m->size + 2)) - (m->size + 2)) / (m->size + 2);
    const double sign = any(m) < 0 ? -1 : 1;
    x[0] = sign * (1 - t * t) / (1 + t * t);
    x[1] = 2 * t / (1 + t * t);
    x[2] = any(m) < 0 ? -1 : 1;
}

static void scale(double x[3], double by_x, double by_y, double by_z) {
    x[0] *= by_x;
    x[1] *= by_y;
    x[2] *= by_z;
}

static void turn(const maker *m, double x[3]) {
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = m->at[i] + (m->m[i][0] * x[0] + m->m[i][1] * x[1] + m->m[i][2] * x[2]);
    }
    for (int i = 0; i < 3; i++) {
        x[i] = y[i];
    }
}

static void sphere(maker *m, double x[3]) {
    double square;
    do {
        each(m, any, x);
        square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    } while (square > 1 || square < 0x1p-10);
    scale(x, 1 / sqrt(square), 1 / sqrt(square), 1 / sqrt(square));
}

/* Small clouds about the corners of a cube. */
static void cluster(maker *m, double x[3]) {
    double more[3];
    lattice(m, 1, false, x);
    each(m, any, more);
    for (int i = 0; i < 3; i++) {
        x[i] += 0x1p-18 * more[i];
    }
}

/* Points of a grid on the surface of a box, some of them a float away from where they should be. */
static void dented(maker *m, double x[3]) {
    lattice(m, m->size, true, x);
    const uint32_t axis = rng_below(&m->r, 3);
    if (any(m) > 0) {
        x[axis] += (any(m) < 0 ? -1 : 1) * (double)m->size * 0x1p-23;
    }
}

/* On a line, in a plane or one point, or some coordinates at the limit or beyond it. */
static void flat(maker *m, double x[3]) {
    static const double limit[] = {1e9, -1e9, 1.1e9, 1, 0, -0.0, (double)INFINITY};
    const uint32_t kind = m->size % 3;
    if (m->family == FAMILY_FLAT) {
        lattice(m, 6, false, x);
        scale(x, 1, kind > 0, 0);
        if (rng_chance(&m->r, 0.01)) {
            x[2] = 0x1p-149;
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        const uint32_t which = rng_below(&m->r, 300);
        x[i] = which < 7 ? limit[which > 2 + 4 * kind ? 3 : which] : limit[which % 2] / (1 + which % 3);
    }
}

static void point_of(maker *m, double x[3]) {
    switch (m->family) {
    case 0:
        each(m, any, x);
        break;
    case 1:
        sphere(m, x);
        break;
    case 2:
        lattice(m, m->size, false, x);
        break;
    case 3:
        lattice(m, m->size, true, x);
        break;
    case 4:
        each(m, any, x);
        scale(x, 1, 1, 0x1p-23);
        break;
    case 5:
        cluster(m, x);
        turn(m, x);
        break;
    case 6:
        lattice(m, 1, false, x);
        scale(x, 3, 2, 1);
        turn(m, x);
        break;
    case 7:
        lattice(m, m->size, true, x);
        turn(m, x);
        break;
    case 8:
        each(m, any, x);
        scale(x, 1, 0x1p-13, 0x1p-20);
        turn(m, x);
        break;
    case 9:
        each(m, any, x);
        scale(x, 0x1p-130, 0x1p-128, 0x1p-126);
        break;
    case 10:
        sphere(m, x);
        scale(x, 0x1p-7, 0x1p-7, 0x1p-7);
        x[0] += 3100.25;
        x[1] -= 785.5;
        break;
    case 11:
        each(m, any_exponent, x);
        break;
    case 12:
        ring(m, x);
        break;
    case 13:
        dented(m, x);
        break;
    default:
        flat(m, x);
        break;
    }
}

/* R(q) of a rotation, in double. */
static void set_rotation(maker *m) {
    const abut_quat given = rng_rotation(&m->r);
    const double q[4] = {(double)given.x, (double)given.y, (double)given.z, (double)given.w};
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        m->m[i][i] = 1 - 2 * (q[k] * q[k] + q[l] * q[l]) / n;
        m->m[i][k] = 2 * (q[i] * q[k] - q[3] * q[l]) / n;
        m->m[k][i] = 2 * (q[i] * q[k] + q[3] * q[l]) / n;
    }
}

uint32_t family_cloud(uint64_t index, abut_vec3 *points) {
    maker m = {.r = rng_make(3, index), .family = (uint32_t)(index % FAMILIES)};
    const uint32_t n = rng_chance(&m.r, 0.2) ? FAMILY_POINTS : 4 + rng_below(&m.r, 30);
    m.size = 1 + rng_below(&m.r, 6);
    set_rotation(&m);
    for (int i = 0; i < 3; i++) {
        m.at[i] = rng_range(&m.r, -2, 2);
    }
    for (uint32_t i = 0; i < n; i++) {
        double x[3];
        point_of(&m, x);
        points[i] = (abut_vec3){(float)x[0], (float)x[1], (float)x[2]};
        if (i > 0 && rng_chance(&m.r, 0.05)) {
            points[i] = points[rng_below(&m.r, i)];
        }
    }
    return n;
}
