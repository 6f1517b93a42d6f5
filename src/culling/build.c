/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* From planes and corners to planes, runs and edges.
 *
 * w is linear on the cube whose image the frustum is. So the frustum is the convex hull of the corners with w > 0,
 * together with all directions in which the part with w > 0 reaches w = 0: those of the corners with w = 0, and those
 * in which edges cross from w > 0 to w < 0. Runs cover all of them:
 * - each corner lies on one edge along axis 2, and where one end of such an edge has w > 0, it is a run;
 * - an edge that crosses is a run, whatever its axis;
 * - a corner with w = 0 has a neighbour with w > 0, or w <= 0 all round it, so everywhere. The edge between is a run.
 *
 * Edges along the other axes that end before infinity add nothing. So there are four runs, unless the plane at
 * infinity meets an edge of the near or the far face in one point, as it does when that face is tilted enough. */
#include "culling/build.h"
#include "base/spatial.h"

/* No float is that far from another: twice the root of 3 times FLT_MAX is less. */
static const double OUT_OF_REACH = 0x1p+140;

/* Edges are parallel when the sine of their angle is below this. */
static const double PARALLEL = 0x1p-44;

/* Runs that may have opposite directions, as far as rounding can tell, spread so wide: then only planes part. */
static const double WIDEST = 0x1p+100, LEAST_COSINE = 0x1p-40;

/* Cosines and sines below this do not tell which way an edge leads. */
static const double UNCLEAR = 0x1p-40;

/* An edge from corner `from`, which has w > 0: the points p + t r, 0 <= t <= l. */
typedef struct part {
    uint32_t axis, from;
    abut_d3 along, r; /* the same but for rounding: p + l r is the other end */
    double l;
    bool vague; /* which of two opposite ways it leads is lost to rounding */
} part;

typedef struct draft {
    const abut_cull_cube *cube;
    abut_d3 normal[6];     /* unit length */
    abut_d3 point[8];      /* where w != 0 */
    uint32_t base;         /* the end of axis 2 where its edges start: 0 or 4 */
    abut_frustum *frustum; /* grows */
    abut_d3 towards[12];   /* r of each run */
    bool vague;            /* some infinite run may lead the other way */
} draft;

static abut_d3 opposite(abut_d3 v) {
    return (abut_d3){{-v.x[0], -v.x[1], -v.x[2]}};
}

static double norm1(abut_d3 v) {
    return fabs(v.x[0]) + fabs(v.x[1]) + fabs(v.x[2]);
}

/* Planes that no float reaches are left out. False if all floats are outside of one. */
static bool add_planes(draft *d) {
    for (int k = 0; k < 6; k++) {
        const double *given = d->cube->plane[k];
        abut_d3 n = abut_d3_load(given);
        double length = abut_d3_normalise_scaled(&n);
        double offset = length > 0 ? given[3] / length : given[3] > 0 ? INFINITY : -INFINITY;
        d->normal[k] = n;
        if (offset < -OUT_OF_REACH) {
            return false;
        }
        if (offset <= OUT_OF_REACH) {
            double *plane = d->frustum->plane[d->frustum->plane_count++];
            for (int i = 0; i < 3; i++) {
                plane[i] = n.x[i];
            }
            plane[3] = offset;
        }
    }
    return true;
}

/* False if no corner is on this side of infinity. */
static bool place_corners(draft *d) {
    bool any = false;
    for (int i = 0; i < 8; i++) {
        const double *v = d->cube->corner[i];
        if (v[3] != 0) {
            d->point[i] = (abut_d3){{v[0] / v[3], v[1] / v[3], v[2] / v[3]}};
        }
        any = any || v[3] > 0;
    }
    return any;
}

/* Edges along axis 2 start where they are finite; all of them at the same end, since w changes alike along all. Where
 * both ends are finite they start at the one nearer to the origin. All of them then lead away from one face: no two
 * are opposite. */
static uint32_t base_of(const draft *d) {
    double distance[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        bool near_end = d->cube->corner[i][3] > 0, far_end = d->cube->corner[i + 4][3] > 0;
        if (near_end != far_end) {
            return near_end ? 0 : 4;
        }
        if (near_end) {
            distance[0] += norm1(d->point[i]);
            distance[1] += norm1(d->point[i + 4]);
        }
    }
    return distance[0] <= distance[1] ? 0 : 4;
}

/* Two faces meet in an edge, which leads away from a third one. Returns the sine of their angle; *clear becomes the
 * cosine between the edge and the third normal, all that is known of which way it leads. */
static double meeting(const draft *d, uint32_t axis, uint32_t from, abut_d3 *along, double *clear) {
    abut_d3 n[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t other = (axis + k) % 3;
        n[k] = d->normal[2 * other + (from >> other & 1)];
    }
    *along = abut_d3_cross(n[1], n[2]);
    double sine = abut_d3_normalise_scaled(along);
    *clear = abut_d3_dot(*along, n[0]);
    if (*clear < 0) {
        *along = opposite(*along);
        *clear = -*clear;
    }
    return sine;
}

/* False if nothing of the edge from corner i along `axis` is on this side of infinity. Its direction is the difference
 * of its ends or the product of its faces' normals, whichever loses less to rounding: a short edge far from the origin
 * says little, and so do faces that are nearly the same. Which way it leads is told by the ends, too, where it all but
 * lies in the third face. */
static bool find_part(const draft *d, uint32_t axis, uint32_t i, part *edge) {
    uint32_t j = i | 1u << axis;
    const double w[2] = {d->cube->corner[i][3], d->cube->corner[j][3]};
    bool reversed = w[0] > 0 && w[1] > 0 ? axis == 2 && d->base : !(w[0] > 0);
    uint32_t from = reversed ? j : i, to = reversed ? i : j;
    if (!(w[reversed] > 0)) {
        return false;
    }
    double beyond = w[!reversed];
    /* A point beyond infinity is seen on the other side. */
    abut_d3 r = beyond == 0  ? abut_d3_load(d->cube->corner[to])
                : beyond > 0 ? abut_d3_sub(d->point[to], d->point[from])
                             : abut_d3_sub(d->point[from], d->point[to]);
    abut_d3 along, product;
    double clear, length = abut_d3_normalise_scaled(&r), sine = meeting(d, axis, from, &product, &clear);
    double far_off = beyond == 0 ? length : abut_max_d(norm1(d->point[from]), norm1(d->point[to]));
    if (clear * far_off < length && abut_d3_dot(product, r) < 0) {
        product = opposite(product);
    }
    bool vague = clear < UNCLEAR && length < UNCLEAR * far_off;
    along = sine * far_off > length || length == 0 ? product : r;
    *edge = (part){axis, from, along, beyond > 0 && length > 0 ? r : along, beyond > 0 ? length : INFINITY, vague};
    return true;
}

static void add_direction(abut_frustum *frustum, abut_d3 r) {
    for (uint32_t i = 0; i < frustum->edge_count; i++) {
        abut_d3 sine = abut_d3_cross(abut_d3_load(frustum->edge[i]), r);
        if (abut_d3_dot(sine, sine) <= PARALLEL * PARALLEL) {
            return;
        }
    }
    double *edge = frustum->edge[frustum->edge_count++];
    for (int k = 0; k < 3; k++) {
        edge[k] = r.x[k];
    }
}

static void add_run(draft *d, const part *edge) {
    abut_frustum *frustum = d->frustum;
    abut_d3 b = d->point[edge->from];
    double *run = frustum->run[frustum->run_count];
    for (int k = 0; k < 3; k++) {
        run[k] = b.x[k];
        run[3 + k] = edge->r.x[k];
    }
    run[6] = edge->l;
    frustum->run_corners |= (uint64_t)edge->from << 3 * frustum->run_count;
    d->towards[frustum->run_count++] = edge->r;
    d->vague = d->vague || (edge->vague && edge->l == INFINITY);
    frustum->reach = abut_max_d(frustum->reach, norm1(b) * (1 + 0x1p-50));
}

/* Of an edge that is short beside where it lies, between faces that are all but one, rounding leaves no direction. Then
 * it is no axis, which only keeps more; but a run must have one: false if it has none. */
static bool add_edges(draft *d) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < 8; i++) {
            part edge;
            if (i >> axis & 1 || !find_part(d, axis, i, &edge)) {
                continue;
            }
            bool is_run = axis == 2 || edge.l == INFINITY, directed = abut_d3_dot(edge.along, edge.along) > 0;
            if (is_run && !directed) {
                return false;
            }
            if (directed) {
                add_direction(d->frustum, edge.along);
            }
            if (is_run) {
                add_run(d, &edge);
            }
        }
    }
    return true;
}

/* The least cosine between `along` and a run. */
static double least_cosine(const draft *d, abut_d3 along) {
    double least = 1;
    abut_d3_normalise_scaled(&along);
    for (uint32_t i = 0; i < d->frustum->run_count; i++) {
        double cosine = abut_d3_dot(along, d->towards[i]);
        least = cosine < least ? cosine : least;
    }
    return least;
}

/* A sum of r's is at least as long as its part along some direction, and each r has its cosine there. The middle of all
 * is a good direction, but for a few runs beside many. The sum of planes' normals always is one: rays go against none
 * of them, and segments not against the plane they start from. The others are left out. */
static double spread_of(const draft *d) {
    abut_d3 middle = {{0, 0, 0}}, inward = {{0, 0, 0}};
    for (uint32_t i = 0; i < d->frustum->run_count; i++) {
        middle = abut_d3_along(middle, 1, d->towards[i]);
    }
    double cosine = least_cosine(d, middle);
    if (cosine < 0.5) {
        for (uint32_t k = 0; k < d->frustum->plane_count; k++) {
            abut_d3 n = abut_d3_load(d->frustum->plane[k]);
            inward = abut_d3_along(inward, least_cosine(d, n) < -LEAST_COSINE ? 0 : 1, n);
        }
        cosine = abut_max_d(cosine, least_cosine(d, inward));
    }
    return cosine > LEAST_COSINE ? 1 / (cosine - 0x1p-48) : WIDEST;
}

static bool build(draft *d) {
    if (!add_planes(d) || !place_corners(d)) {
        return false;
    }
    d->base = base_of(d);
    return add_edges(d);
}

abut_result abut_cull_build(const abut_cull_cube *cube, abut_frustum *frustum) {
    draft d = {.cube = cube, .frustum = frustum};
    *frustum = (abut_frustum){.origin = {cube->origin[0], cube->origin[1], cube->origin[2]}};
    if (!build(&d)) {
        *frustum = (abut_frustum){.plane_count = 0};
        return ABUT_ERROR_DEGENERATE;
    }
    frustum->spread = d.vague ? WIDEST : spread_of(&d);
    return ABUT_OK;
}
