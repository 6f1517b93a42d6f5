/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/wild.h"
#include <abut/hull.h>
#include <math.h>
#include <stdlib.h>

/* Where two numbers are drawn, a statement each: in what order an expression or a call draws them, compilers choose. */

double wild_size(rng *r, int low, int high) {
    const double fraction = rng_unit(r);
    return ldexp(1 + fraction, low + (int)rng_below(r, (uint32_t)(high - low)));
}

/* The quarter turns about an axis have two equal components. */
static abut_quat turned(rng *r) {
    float q[4] = {0, 0, 0, 1};
    if (rng_chance(r, 0.5)) {
        const float sign = rng_sign(r);
        q[rng_below(r, 3)] = sign;
        q[3] = rng_chance(r, 0.5) ? 1 : 0;
    }
    return (abut_quat){q[0], q[1], q[2], q[3]};
}

abut_quat wild_rotation(rng *r) {
    const uint32_t kind = rng_below(r, 4);
    abut_quat q = turned(r);
    if (kind == 0) {
        return rng_rotation(r);
    }
    if (kind == 1) {
        const float by = (float)wild_size(r, -26, 0), length = (float)wild_size(r, -10, 10);
        const abut_vec3 axis = rng_direction(r);
        q = (abut_quat){(q.x + by * axis.x) * length, (q.y + by * axis.y) * length, (q.z + by * axis.z) * length,
                        q.w * length};
    }
    return q;
}

abut_vec3 wild_half(rng *r, double size) {
    float half[3];
    const bool cube = rng_chance(r, 0.2);
    for (int i = 0; i < 3; i++) {
        half[i] = (float)(size * (rng_chance(r, 0.2) ? wild_size(r, -10, 0) : 0.25 + 0.75 * rng_unit(r)));
        half[i] = cube ? (float)size : rng_chance(r, 0.05) ? 0 : half[i];
    }
    return (abut_vec3){half[0], half[1], half[2]};
}

abut_shape wild_sharp(rng *r, const wild_hulls *hulls, double size) {
    abut_shape shape = {.half = wild_half(r, size)};
    if (rng_chance(r, 0.4)) {
        shape = abut_convex(hulls->hull[rng_below(r, WILD_HULLS)], 0);
    }
    return shape;
}

abut_shape wild_shape(rng *r, const wild_hulls *hulls, double size) {
    abut_shape shape = wild_sharp(r, hulls, size);
    switch (rng_below(r, 4)) {
    case 0:
        return shape;
    case 1:
        shape = abut_sphere(0);
        break;
    case 2:
        shape = abut_capsule(shape.half.y, 0);
        break;
    default:
        break;
    }
    shape.radius = (float)(size * wild_size(r, -8, 2));
    return shape;
}

double wild_reach(const abut_shape *shape) {
    const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    const abut_aabb box = abut_shape_bounds(shape, &pose);
    const double x = fmax(-(double)box.min.x, (double)box.max.x), y = fmax(-(double)box.min.y, (double)box.max.y),
                 z = fmax(-(double)box.min.z, (double)box.max.z);
    return sqrt(x * x + y * y + z * z);
}

static abut_vec3 moved(abut_vec3 from, abut_vec3 along, double by) {
    return (abut_vec3){(float)((double)from.x + by * (double)along.x), (float)((double)from.y + by * (double)along.y),
                       (float)((double)from.z + by * (double)along.z)};
}

/* Moves b against the normal by its gap, and by a little more or less. */
static void bring_together(rng *r, wild_pair *p) {
    abut_manifold m;
    if (abut_shape_collide(&p->a, &p->pose_a, &p->b, &p->pose_b, (float)(16 * p->size), &m)) {
        double rest = 0;
        if (!rng_chance(r, 0.3)) {
            rest = (double)rng_sign(r) * p->size;
            rest *= wild_size(r, -40, -4);
        }
        p->pose_b.position = moved(p->pose_b.position, m.normal, (double)abut_manifold_depth(&m) + rest);
    }
}

void wild_pair_make(rng *r, const abut_shape *a, const abut_shape *b, wild_pair *out) {
    const uint32_t kind = rng_below(r, 3);
    const double size = wild_reach(a) + wild_reach(b) + 0x1p-20;
    const abut_quat rotation_a = wild_rotation(r), rotation_b = wild_rotation(r);
    *out = (wild_pair){*a, *b, {{0, 0, 0}, rotation_a}, {{0, 0, 0}, rotation_b}, size};
    if (rng_chance(r, 0.3)) { /* the rotations, too, are nearly alike */
        out->pose_b.rotation = out->pose_a.rotation;
        out->pose_b.rotation.x += (float)(rng_chance(r, 0.5) ? 0 : wild_size(r, -26, -2));
    }
    if (rng_chance(r, 0.5)) {
        const abut_vec3 way = rng_direction(r);
        out->pose_a.position = moved(out->pose_a.position, way, size * wild_size(r, -4, 12));
    }
    const double apart = kind == 0 ? size * rng_unit(r) : size * (1 + rng_unit(r));
    out->pose_b.position = moved(out->pose_a.position, rng_direction(r), apart);
    if (kind == 1) {
        bring_together(r, out);
    }
}

/* --- hulls --- */

static size_t fill_cloud(rng *r, uint32_t k, abut_vec3 *point) {
    const size_t n = k < 8 ? 4 + k : k < 16 ? 24 : 40 + 8 * (k % 8);
    const double size = k % 4 == 3 ? wild_size(r, -4, 4) : 1;
    const abut_vec3 stretch = k % 3 == 1 ? wild_half(r, 1) : (abut_vec3){1, 1, 1};
    for (size_t i = 0; i < n; i++) {
        abut_vec3 v = k % 2 ? rng_direction(r) : rng_vec3(r, -1, 1);
        if (k % 5 == 4) { /* on a lattice */
            v.x = (float)rng_below(r, 5) - 2;
            v.y = (float)rng_below(r, 5) - 2;
            v.z = (float)rng_below(r, 5) - 2;
        }
        point[i] = moved((abut_vec3){0, 0, 0}, v, size);
        point[i].x *= stretch.x + 0x1p-6f;
        point[i].y *= stretch.y + 0x1p-6f;
        point[i].z *= stretch.z + 0x1p-6f;
    }
    return n;
}

void wild_hulls_create(wild_hulls *hulls) {
    rng r = rng_make(7, 11);
    for (uint32_t k = 0; k < WILD_HULLS; k++) {
        abut_vec3 point[128];
        abut_result result;
        do {
            const size_t n = fill_cloud(&r, k, point);
            result = abut_hull_create(point, n, NULL, &hulls->hull[k]);
        } while (result == ABUT_ERROR_ARGUMENT || result == ABUT_ERROR_DEGENERATE);
        if (result != ABUT_OK) {
            abort();
        }
    }
}

void wild_hulls_destroy(wild_hulls *hulls) {
    for (uint32_t k = 0; k < WILD_HULLS; k++) {
        abut_hull_destroy(&hulls->hull[k]);
    }
}
