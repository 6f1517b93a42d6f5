/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray and one triangle where lanes leave it open: the ray is clipped (Cyrus and Beck, "Generalized two- and
 * three-dimensional clipping", 1978) by a flat prism that is larger than the triangle by a slack. */
#include "base/dd.h"
#include "narrowphase/mesh/normal.h"
#include "narrowphase/mesh_ray/flight.h"

/* --- signs --- */

/* Products of floats that are summed up exactly: a product of three is two doubles. */
enum { TERMS_MAX = 576 };
typedef struct sum {
    int n;
    double x[TERMS_MAX];
} sum;

/* Adds the product of a (exact) and b (exact). */
static void add_product(sum *s, double a, double b) {
    abut_dd p = abut_dd_two_product(a, b);
    if (p.hi != 0) {
        s->x[s->n++] = p.hi;
        s->x[s->n++] = p.lo;
    }
}

/* -1, 0 or 1; all terms are used up. */
static int sign_of(sum *s) {
    double error;
    if (s->n < 2) {
        return 0;
    }
    abut_dd all = abut_dd_distil(s->x, s->n, &error);
    double value = all.hi + all.lo;
    return value > error ? 1 : value < -error ? -1 : 0;
}

static void load_corners(const abut_mesh *mesh, uint32_t part, abut_d3 corner[3]) {
    for (uint32_t k = 0; k < 3; k++) {
        corner[k] = abut_mesh_corner(mesh, part, k);
    }
}

/* Component j of |q|^2 times the translation in the mesh's frame: as sums of exact products of three floats. Returns
 * how many pairs {product of two, factor}. */
static int along_terms(const abut_np_ray *ray, abut_quat q, int j, double two[8], double factor[8]) {
    const double v[4] = {q.x, q.y, q.z, q.w};
    int n = 0;
    for (int i = 0; i < 3; i++) {
        double d = ray->translation[i];
        if (i == j) {
            for (int c = 0; c < 4; c++) {
                two[n] = c == 3 || c == i ? v[c] * v[c] : -(v[c] * v[c]);
                factor[n++] = d;
            }
        } else { /* 2 (v_i v_j +- w v_l) */
            int l = 3 - i - j;
            two[n] = 2 * (v[i] * v[j]);
            factor[n++] = d;
            two[n] = (i + 1) % 3 == j ? -2 * (v[3] * v[l]) : 2 * (v[3] * v[l]);
            factor[n++] = d;
        }
    }
    return n;
}

static int exact_side(const abut_np_ray *ray, abut_quat q, const abut_d3 corner[3]) {
    bool upright = q.x == 0 && q.y == 0 && q.z == 0;
    sum s;
    s.n = 0;
    for (int j = 0; j < 3; j++) {
        double area[6], two[8] = {1}, factor[8] = {ray->translation[j]};
        int n = upright ? 1 : along_terms(ray, q, j, two, factor);
        abut_np_area_terms(corner, j, area);
        for (int k = 0; k < n; k++) {
            abut_dd three = abut_dd_two_product(two[k], factor[k]);
            for (int a = 0; a < 6; a++) {
                add_product(&s, three.hi, area[a]);
                add_product(&s, three.lo, area[a]);
            }
        }
    }
    return sign_of(&s);
}

/* The product of the translation with the unit normal is good to 48u; where that leaves its sign open, all is exact. */
static int side_of(const abut_np_ray *ray, const abut_collider *mesh, const abut_np_mesh_placed *placed,
                   const abut_d3 corner[3], abut_d3 normal) {
    double product = abut_d3_dot(normal, abut_d3_load(placed->along));
    if (fabs(product) > 0x1p-47 * placed->norm1) {
        return product > 0 ? 1 : -1;
    }
    return exact_side(ray, mesh->rotation, corner);
}

static abut_vec3 normal_of(const abut_np_ray *ray, const abut_collider *mesh, const abut_d3 corner[3]) {
    abut_d3 n = abut_np_normal_across(corner);
    if (mesh->mesh->two_sided) {
        abut_np_mesh_placed placed;
        abut_np_mesh_place_ray(ray, mesh, &placed);
        n = side_of(ray, mesh, &placed, corner, abut_np_normal_exact(corner)) > 0 ? abut_d3_negate(n) : n;
    }
    if (!abut_np_mesh_is_upright(mesh)) {
        double m[3][3];
        abut_dquat_matrix(abut_dquat_from(mesh->rotation), m);
        n = abut_d3_rotate(m, n);
    }
    return abut_vec3_round(n);
}

abut_vec3 abut_np_mesh_ray_normal(const abut_np_ray *ray, const abut_collider *mesh, uint32_t part) {
    abut_d3 corner[3];
    load_corners(mesh->mesh, part, corner);
    return normal_of(ray, mesh, corner);
}

abut_vec3 abut_np_mesh_ray_normal_at(const abut_np_ray *ray, const abut_collider *mesh, uint32_t place) {
    const abut_mesh_leaf *leaf = abut_mesh_leaves(mesh->mesh) + place / ABUT_MESH_LEAF;
    abut_d3 corner[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            corner[k].x[i] = leaf->corner[k][i][place % ABUT_MESH_LEAF];
        }
    }
    return normal_of(ray, mesh, corner);
}

/* --- the prism --- */

typedef struct clip {
    abut_d3 along;
    double grow, start, end; /* start > end: nowhere */
} clip;

/* Keeps what is not in front of a plane through a point that is `to` away from the ray's origin, moved out by the
 * slack. */
static void cut(clip *c, abut_d3 normal, abut_d3 to) {
    double room = c->grow + abut_d3_dot(normal, to), slope = abut_d3_dot(normal, c->along), at = room / slope;
    if (slope < 0) {
        c->start = at > c->start ? at : c->start;
    } else if (slope > 0) {
        c->end = at < c->end ? at : c->end;
    } else if (room < 0) {
        c->end = -1;
    }
}

double abut_np_mesh_ray_exact(const abut_np_ray *ray, const abut_collider *mesh, const abut_np_mesh_placed *placed,
                              uint32_t part) {
    abut_d3 corner[3], to[3], edge[3];
    double length[3];
    int longest = 0;
    load_corners(mesh->mesh, part, corner);
    const abut_d3 normal = abut_np_normal_exact(corner);
    int side = side_of(ray, mesh, placed, corner, normal);
    if (side == 0 || (side > 0 && !mesh->mesh->two_sided)) {
        return INFINITY;
    }
    for (int k = 0; k < 3; k++) {
        to[k] = abut_d3_sub(abut_d3_sub(corner[k], abut_d3_load(placed->origin)), abut_d3_load(placed->rest));
        edge[k] = abut_d3_sub(corner[(k + 1) % 3], corner[k]);
    }
    double size = abut_d3_norm1(to[0]) + abut_d3_norm1(edge[0]) + abut_d3_norm1(edge[2]);
    clip c = {abut_d3_load(placed->along), 0x1p-46 * size, 0, 1};
    cut(&c, normal, to[0]);
    cut(&c, abut_d3_negate(normal), to[0]);
    for (int k = 0; k < 3; k++) {
        length[k] = abut_d3_normalise_scaled(&edge[k]);
        longest = length[k] > length[longest] ? k : longest;
        cut(&c, abut_d3_cross(edge[k], normal), to[k]);
    }
    cut(&c, edge[longest], to[(longest + 1) % 3]);
    cut(&c, abut_d3_negate(edge[longest]), to[longest]);
    return c.start <= c.end ? c.start : INFINITY;
}
