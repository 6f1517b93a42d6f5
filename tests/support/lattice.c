/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/lattice.h"
#include <abut/hull.h>
#include <stdlib.h>

/* -n .. n */
static float whole(rng *r, uint32_t n) {
    return (float)rng_below(r, 2 * n + 1) - (float)n;
}

abut_quat lattice_rotation(rng *r) {
    const uint32_t kind = rng_below(r, 8), most = kind == 0 ? 3 : 1;
    if (kind > 4) {
        return (abut_quat){0, 0, 0, kind == 5 ? -2 : 1};
    }
    const float x = whole(r, most), y = whole(r, most), z = whole(r, most), w = whole(r, most);
    abut_quat q = {x, y, z, w};
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
        q.z = q.w = 0.5f;
    }
    return q;
}

abut_shape lattice_box(rng *r) {
    float half[3];
    for (int i = 0; i < 3; i++) {
        const bool flat = rng_chance(r, 0.1);
        half[i] = flat ? 0 : (float)(1 + rng_below(r, 4));
        half[i] /= !flat && rng_chance(r, 0.3) ? 2 : 1;
    }
    if (rng_chance(r, 0.2)) {
        half[1] = half[2] = half[0];
    }
    return (abut_shape){.half = {half[0], half[1], half[2]}};
}

abut_shape lattice_sharp(rng *r, const lattice_hulls *hulls) {
    return rng_chance(r, 0.5) ? lattice_box(r) : abut_convex(hulls->hull[rng_below(r, LATTICE_HULLS)], 0);
}

abut_shape lattice_shape(rng *r, const lattice_hulls *hulls) {
    abut_shape shape = lattice_sharp(r, hulls);
    switch (rng_below(r, 4)) {
    case 0:
        return shape;
    case 1:
        shape = abut_sphere(0);
        break;
    case 2:
        shape = abut_capsule((float)(1 + rng_below(r, 4)), 0);
        break;
    default:
        break;
    }
    shape.radius = (float)(1 + rng_below(r, 6)) / 2;
    return shape;
}

void lattice_pair_make(rng *r, const abut_shape *a, const abut_shape *b, wild_pair *out) {
    float from[3], to[3];
    const uint32_t most = 4 + 4 * rng_below(r, 3);
    for (int i = 0; i < 3; i++) {
        from[i] = rng_chance(r, 0.5) ? 0 : whole(r, 64);
        to[i] = from[i] + (rng_chance(r, 0.2) ? 0 : whole(r, most) / 2);
    }
    const abut_quat rotation_a = lattice_rotation(r), rotation_b = lattice_rotation(r);
    *out = (wild_pair){*a,
                       *b,
                       {{from[0], from[1], from[2]}, rotation_a},
                       {{to[0], to[1], to[2]}, rotation_b},
                       wild_reach(a) + wild_reach(b)};
    if (rng_chance(r, 0.3)) { /* by the same rotation, so that all axes are parallel whatever it is */
        out->pose_b.rotation = out->pose_a.rotation;
    }
}

/* --- hulls --- */

/* A prism along y; its corners lie on a circle, at rational points. */
static abut_hull *prism(uint32_t sides, float half, float radius) {
    abut_vec3 point[128];
    const uint32_t quarter = sides / 4;
    for (uint32_t k = 0; k < sides; k++) {
        const double t = (double)(k % quarter) / quarter, x = (1 - t * t) / (1 + t * t), y = 2 * t / (1 + t * t);
        const double turned[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
        const float u = (float)((double)radius * turned[k / quarter][0]),
                    v = (float)((double)radius * turned[k / quarter][1]);
        point[2 * k] = (abut_vec3){u, -half, v};
        point[2 * k + 1] = (abut_vec3){u, half, v};
    }
    abut_hull *hull;
    return abut_hull_create(point, 2 * (size_t)sides, NULL, &hull) == ABUT_OK ? hull : NULL;
}

static abut_hull *of_points(const abut_vec3 *point, size_t n) {
    abut_hull *hull;
    return abut_hull_create(point, n, NULL, &hull) == ABUT_OK ? hull : NULL;
}

#define HULL_OF(points) of_points(points, sizeof(points) / sizeof(points)[0])

void lattice_hulls_create(lattice_hulls *hulls) {
    static const abut_vec3 cube[] = {{-2, -2, -2}, {2, -2, -2}, {-2, 2, -2}, {2, 2, -2},
                                     {-2, -2, 2},  {2, -2, 2},  {-2, 2, 2},  {2, 2, 2}};
    static const abut_vec3 octahedron[] = {{3, 0, 0}, {-3, 0, 0}, {0, 3, 0}, {0, -3, 0}, {0, 0, 3}, {0, 0, -3}};
    static const abut_vec3 pyramid[] = {{-2, -1, -2}, {2, -1, -2}, {-2, -1, 2}, {2, -1, 2}, {0, 3, 0}};
    static const abut_vec3 wedge[] = {{-2, -1, -2}, {2, -1, -2}, {-2, -1, 2}, {2, -1, 2}, {2, 1, -2}, {2, 1, 2}};
    static const abut_vec3 tetrahedron[] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    static const abut_vec3 slab[] = {{-3, -1, -2}, {-2, -1, -3}, {2, -1, -3}, {3, -1, -2}, {3, -1, 2}, {2, -1, 3},
                                     {-2, -1, 3},  {-3, -1, 2},  {-3, 1, -2}, {-2, 1, -3}, {2, 1, -3}, {3, 1, -2},
                                     {3, 1, 2},    {2, 1, 3},    {-2, 1, 3},  {-3, 1, 2}};
    static const abut_vec3 house[] = {{-2, -1, -2}, {2, -1, -2}, {2, -1, 2}, {-2, -1, 2}, {0, -1, 3},
                                      {-2, 1, -2},  {2, 1, -2},  {2, 1, 2},  {-2, 1, 2},  {0, 1, 3}};
    *hulls = (lattice_hulls){{HULL_OF(cube), HULL_OF(octahedron), HULL_OF(pyramid), HULL_OF(wedge),
                              HULL_OF(tetrahedron), prism(8, 2, 3), prism(48, 1, 4), HULL_OF(slab), HULL_OF(house)}};
    for (int k = 0; k < LATTICE_HULLS; k++) {
        if (!hulls->hull[k]) {
            abort();
        }
    }
}

void lattice_hulls_destroy(lattice_hulls *hulls) {
    for (int k = 0; k < LATTICE_HULLS; k++) {
        abut_hull_destroy(&hulls->hull[k]);
    }
}
