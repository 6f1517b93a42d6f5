/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* From a cube's planes and corners to a frustum's planes, runs and edge directions.
 *
 * A run is a segment or a ray: the points b + t r with 0 <= t <= l, where l may be infinite. The frustum is stored as
 * the convex hull of its runs, so that its extent along any axis is the least and the largest of theirs. They are edges
 * of the cube, seen through the projection; a usual camera has four, from the near to the far plane.
 *
 * Why few edges suffice: w, the divisor of the projection, is linear on the cube. So the frustum is the convex hull of
 * the corners with w > 0, together with all directions in which the part with w > 0 extends to w = 0, which is
 * infinity: the directions of corners with w = 0, and of edges that cross from w > 0 to w < 0. Runs cover all of them:
 * - each corner lies on one edge along axis 2, and where one end of such an edge has w > 0, it is a run;
 * - an edge that crosses is a run, whatever its axis;
 * - a corner with w = 0 has a neighbour with w > 0, and the edge between them is a run; or else w <= 0 all round it,
 *   and so everywhere.
 *
 * Edges along the other axes that end before infinity add nothing. So there are four runs, unless the plane at
 * infinity meets an edge of the near or the far face in one point, as it does when that face is tilted enough. */
#include "culling/build.h"
#include "base/spatial.h"

/* No two points with float coordinates are that far apart: twice the root of 3 times FLT_MAX is less. */
static const double FARTHEST = 0x1p+140;

/* Edges count as parallel when the sine of their angle is below PARALLEL. If it is above SAME they are not, and one of
 * them does not show all that the other shows: infinite runs may lie between them. */
static const double PARALLEL = 0x1p-44, SAME = 0x1p-49;

/* The spread where runs may have other directions: so large that only planes show a gap. */
static const double WIDEST = 0x1p+100, LEAST_COSINE = 0x1p-40;

/* What axes do not trust covers directions that are off by this many roundings. Where those of infinite runs are worse,
 * the spread is as much larger. */
static const double SHARP = 16;

/* A run that is in front of a plane by at most this, in parts of its distances or as a sine, is so by rounding. */
static const double BEYOND = 0x1p-46;

/* Cosines and sines below this do not determine which of two opposite directions an edge has. */
static const double AMBIGUOUS = 0x1p-40;

/* An edge of the cube, from corner `from`, which has w > 0: the points p + t r, 0 <= t <= l. */
typedef struct cube_edge {
    uint32_t axis, from;
    abut_d3 along,
        r; /* two forms of its direction: `along` is the more accurate one; with r, the other end is p + l r */
    double l;
    double blur;    /* its direction is off by some roundings times this */
    bool ambiguous; /* it may have the opposite direction: rounding has lost the sign */
} cube_edge;

typedef struct draft {
    const abut_cull_cube *cube;
    abut_d3 normal[6];     /* unit length */
    abut_d3 point[8];      /* where w != 0 */
    uint32_t base;         /* the end of axis 2 where its edges start: 0 or 4 */
    abut_frustum *frustum; /* grows */
    abut_d3 direction[12]; /* r of each run */
    double blur;           /* the most of infinite runs */
    bool ambiguous;        /* some infinite run may have the opposite direction */
    bool incomplete;       /* some edge has no direction of its own */
} draft;

/* Leaves out planes that are farther away than any float. False if all floats are outside of some plane. */
static bool add_planes(draft *d) {
    for (int k = 0; k < 6; k++) {
        const double *given = d->cube->plane[k];
        abut_d3 n = abut_d3_load(given);
        double length = abut_d3_normalise_scaled(&n);
        double offset = length > 0 ? given[3] / length : given[3] > 0 ? INFINITY : -INFINITY;
        d->normal[k] = n;
        if (offset < -FARTHEST) {
            return false;
        }
        if (offset <= FARTHEST) {
            double *plane = d->frustum->plane[d->frustum->plane_count++];
            for (int i = 0; i < 3; i++) {
                plane[i] = n.x[i];
            }
            plane[3] = offset;
        }
    }
    return true;
}

/* Computes the points of the corners. False if no corner has w > 0. */
static bool set_points(draft *d) {
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

/* Edges along axis 2 start at the end that is finite, which is the same end for all of them, since w changes by the
 * same amount along each. Where both ends are finite they start at the one nearer to the origin. So all of them lead
 * away from one face: no two are opposite. */
static uint32_t base_of(const draft *d) {
    double distance[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        bool near_end = d->cube->corner[i][3] > 0, far_end = d->cube->corner[i + 4][3] > 0;
        if (near_end != far_end) {
            return near_end ? 0 : 4;
        }
        if (near_end) {
            distance[0] += abut_d3_norm1(d->point[i]);
            distance[1] += abut_d3_norm1(d->point[i + 4]);
        }
    }
    return distance[0] <= distance[1] ? 0 : 4;
}

/* The direction of the edge in which two faces meet, away from the third face at its corner. Returns the sine of the
 * two faces' angle. *cosine becomes the cosine between the edge and the third normal, whose sign decides the direction.
 */
static double edge_of_faces(const draft *d, uint32_t axis, uint32_t from, abut_d3 *along, double *cosine) {
    abut_d3 n[3];
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t other = (axis + k) % 3;
        n[k] = d->normal[2 * other + (from >> other & 1)];
    }
    *along = abut_d3_cross(n[1], n[2]);
    double sine = abut_d3_normalise_scaled(along);
    *cosine = abut_d3_dot(*along, n[0]);
    if (*cosine < 0) {
        *along = abut_d3_negate(*along);
        *cosine = -*cosine;
    }
    return sine;
}

/* The edge from corner i along `axis`; false if neither of its ends has w > 0. Its direction is the difference of its
 * ends or the product of its faces' normals, whichever loses less to rounding: the first is poor for a short edge far
 * from the origin, the second for faces that nearly coincide. Where the edge nearly lies in the third face, its ends
 * decide the sign of the product. */
static bool find_edge(const draft *d, uint32_t axis, uint32_t i, cube_edge *edge) {
    uint32_t j = i | 1u << axis;
    const double w[2] = {d->cube->corner[i][3], d->cube->corner[j][3]};
    bool reversed = w[0] > 0 && w[1] > 0 ? axis == 2 && d->base : !(w[0] > 0);
    uint32_t from = reversed ? j : i, to = reversed ? i : j;
    if (!(w[reversed] > 0)) {
        return false;
    }
    double beyond = w[!reversed];
    /* The point of a corner with w < 0 lies on the opposite side. */
    abut_d3 r = beyond == 0  ? abut_d3_load(d->cube->corner[to])
                : beyond > 0 ? abut_d3_sub(d->point[to], d->point[from])
                             : abut_d3_sub(d->point[from], d->point[to]);
    abut_d3 along, product;
    double cosine, length = abut_d3_normalise_scaled(&r), sine = edge_of_faces(d, axis, from, &product, &cosine);
    double far_off = beyond == 0 ? length : abut_max_d(abut_d3_norm1(d->point[from]), abut_d3_norm1(d->point[to]));
    if (cosine * far_off < length && abut_d3_dot(product, r) < 0) {
        product = abut_d3_negate(product);
    }
    bool ambiguous = cosine < AMBIGUOUS && length < AMBIGUOUS * far_off;
    along = sine * far_off > length || length == 0 ? product : r;
    double blur = abut_min_d(1 / sine, length > 0 ? far_off / length : INFINITY);
    abut_d3 to_end = beyond > 0 && length > 0 ? r : along;
    *edge = (cube_edge){axis, from, along, to_end, beyond > 0 ? length : INFINITY, blur, ambiguous};
    return true;
}

static void add_direction(draft *d, abut_d3 r) {
    abut_frustum *frustum = d->frustum;
    for (uint32_t i = 0; i < frustum->edge_count; i++) {
        abut_d3 sine = abut_d3_cross(abut_d3_load(frustum->edge[i]), r);
        double square = abut_d3_dot(sine, sine);
        if (square <= PARALLEL * PARALLEL) {
            d->incomplete = d->incomplete || square > SAME * SAME;
            return;
        }
    }
    double *edge = frustum->edge[frustum->edge_count++];
    for (int k = 0; k < 3; k++) {
        edge[k] = r.x[k];
    }
}

static void add_run(draft *d, const cube_edge *edge) {
    abut_frustum *frustum = d->frustum;
    abut_d3 b = d->point[edge->from];
    double *run = frustum->run[frustum->run_count];
    for (int k = 0; k < 3; k++) {
        run[k] = b.x[k];
        run[3 + k] = edge->r.x[k];
    }
    run[6] = edge->l;
    frustum->run_corners |= (uint64_t)edge->from << 3 * frustum->run_count;
    d->direction[frustum->run_count++] = edge->r;
    d->ambiguous = d->ambiguous || (edge->ambiguous && edge->l == INFINITY);
    d->blur = edge->l == INFINITY ? abut_max_d(d->blur, edge->blur) : d->blur;
    frustum->extent = abut_max_d(frustum->extent, abut_d3_norm1(b) * (1 + 0x1p-50));
}

/* An edge that is short compared with its distance, between faces that nearly coincide, has no direction left after
 * rounding. Then it is left out of the directions, which only keeps more boxes; but a run needs one: false if it has
 * none. */
static bool add_edges(draft *d) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < 8; i++) {
            cube_edge edge;
            if (i >> axis & 1 || !find_edge(d, axis, i, &edge)) {
                continue;
            }
            bool is_run = axis == 2 || edge.l == INFINITY, directed = abut_d3_dot(edge.along, edge.along) > 0;
            if (is_run && !directed) {
                return false;
            }
            if (directed) {
                add_direction(d, edge.along);
            }
            d->incomplete = d->incomplete || !directed;
            if (is_run) {
                add_run(d, &edge);
            }
        }
    }
    return true;
}

/* Whether a run is behind a plane. */
static bool is_behind(const double plane[4], const double run[7]) {
    const abut_d3 n = abut_d3_load(plane), b = abut_d3_load(run);
    double start = abut_d3_dot(n, b) + plane[3], slope = abut_d3_dot(n, abut_d3_load(run + 3));
    double slack = BEYOND * (abut_d3_norm1(b) + fabs(plane[3]));
    bool ends = run[6] == INFINITY ? slope >= -BEYOND : start + slope * run[6] >= -(slack + BEYOND * run[6]);
    return ends && start >= -slack;
}

/* Whether the frustum of the runs is no larger than that of the planes. It is where a plane at infinity stands for one
 * that would have cut runs off before another plane does. */
static bool are_behind_planes(const abut_frustum *frustum) {
    for (uint32_t i = 0; i < frustum->run_count; i++) {
        for (uint32_t k = 0; k < frustum->plane_count; k++) {
            if (!is_behind(frustum->plane[k], frustum->run[i])) {
                return false;
            }
        }
    }
    return true;
}

/* The least cosine between `along` and the direction of a run. */
static double least_cosine(const draft *d, abut_d3 along) {
    double least = 1;
    abut_d3_normalise_scaled(&along);
    for (uint32_t i = 0; i < d->frustum->run_count; i++) {
        double cosine = abut_d3_dot(along, d->direction[i]);
        least = abut_min_d(cosine, least);
    }
    return least;
}

/* An upper bound of the frustum's spread. A sum of r's is at least as long as its component along some direction, where
 * each r contributes its cosine: so 1 over the least cosine is such a bound. The mean of the r's is a good direction,
 * unless a few runs lie apart from many. The sum of the planes' normals always is one: rays have no negative cosine
 * with any of them, nor have segments with the normal of the plane they start from. Normals that have a negative one
 * are left out.
 */
static double spread_of(const draft *d) {
    abut_d3 middle = {{0, 0, 0}}, inward = {{0, 0, 0}};
    for (uint32_t i = 0; i < d->frustum->run_count; i++) {
        middle = abut_d3_along(middle, 1, d->direction[i]);
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
    if (!add_planes(d) || !set_points(d)) {
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
    frustum->spread = d.ambiguous ? WIDEST : abut_min_d(spread_of(&d) * abut_max_d(1, d.blur / SHARP), WIDEST);
    frustum->run_corners |= d.incomplete || !are_behind_planes(frustum) ? ABUT_CULL_INCOMPLETE : 0;
    return ABUT_OK;
}

void abut_cull_trust_only_planes(abut_frustum *frustum) {
    frustum->spread = WIDEST;
}
