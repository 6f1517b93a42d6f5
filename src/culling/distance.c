/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The last stage for rounded boxes: whether a frustum is farther from the core than the radius, in double.
 *
 * Only a direction decides: along a unit vector n the two are at least min n.b - max n.f apart, for b in the core and f
 * in the frustum. A body is outside where that shows more than the radius and a bound of its rounding, so nothing
 * visible is ever outside. The directions come from the search for the nearest points by Gilbert, Johnson and Keerthi,
 * "A Fast Procedure for Computing the Distance Between Complex Objects in Three-Dimensional Space" (1988): each turn
 * proposes one. A search in double loses the direction of points that are very near to each other, compared with their
 * coordinates, so where it ends without an answer the normals of faces and the products of edges are tried, too.
 * docs/numerics.md, "Culling". */
#include "base/spatial.h"
#include "culling/culling.h"

/* As in cull_axes.c; SPREAD is twice that, because the frustum's point may be the radius away from the core. */
static const double ROUNDED = 64 * 0x1p-53, SPREAD = 64 * 0x1p-53, ACROSS = 16 * 0x1p-53;

/* The search ends after so many turns; it rarely takes ten. */
enum { TURNS = 48 };

typedef struct body {
    const abut_frustum *frustum;
    abut_d3 center;       /* relative to the frustum's origin */
    abut_d3 axis[3];      /* unit vectors along the core's axes */
    double half[3], size; /* of the core; |c|_1 + |h|_1 */
    double radius;
    /* The search cuts the frustum off where nothing beyond can be nearest to the core, lest far corners cost it bits.
     */
    double reach; /* the length of rays; a sum of rays that ends at the nearest point is not longer */
    double share; /* of the length of segments */
} body;

static void set_body(const abut_frustum *frustum, const abut_obb *core, float radius, body *x) {
    const float *center = &core->center.x, *half = &core->half.x;
    double m[3][3], extents = 0;
    abut_dquat_matrix(abut_dquat_from(abut_quat_or_identity(core->rotation)), m);
    x->frustum = frustum;
    x->radius = radius;
    for (int i = 0; i < 3; i++) {
        x->center.x[i] = (double)center[i] - (double)frustum->origin[i];
        x->half[i] = half[i];
        extents += x->half[i];
        for (int j = 0; j < 3; j++) {
            x->axis[j].x[i] = m[i][j];
        }
    }
    x->size = abut_d3_norm1(x->center) + extents;
    x->reach = 2 * frustum->spread * (x->size + frustum->extent);
    x->share = 0;
    for (uint32_t k = 0; k < frustum->run_count; k++) {
        x->share = abut_max_d(x->share, x->reach / frustum->run[k][6]);
    }
    x->share = abut_min_d(x->share, 1);
}

/* Half of the core's extent along n. */
static double extent_along(const body *x, abut_d3 n) {
    return fabs(abut_d3_dot(n, x->axis[0])) * x->half[0] + fabs(abut_d3_dot(n, x->axis[1])) * x->half[1] +
           fabs(abut_d3_dot(n, x->axis[2])) * x->half[2];
}

/* INTERSECTS: not decided, but not inside. As for sharp boxes, with the radius added to the extent. */
static abut_side side_of_planes(const body *x) {
    double nearest = INFINITY, slack = ROUNDED * (x->size + x->radius);
    for (uint32_t p = 0; p < x->frustum->plane_count; p++) {
        const double *plane = x->frustum->plane[p];
        const abut_d3 n = abut_d3_load(plane);
        double depth = abut_d3_dot(n, x->center) + plane[3], extent = extent_along(x, n) + x->radius;
        if (depth + ROUNDED * fabs(plane[3]) + extent < -slack) {
            return ABUT_OUTSIDE;
        }
        nearest = depth - extent < nearest ? depth - extent : nearest;
    }
    return nearest >= 0 ? ABUT_INSIDE : ABUT_INTERSECTS;
}

/* How far the core begins beyond the frustum's end along the unit vector n. Runs perpendicular to n add nothing. */
static double gap_along(const body *x, abut_d3 n) {
    double high = -INFINITY;
    for (uint32_t k = 0; k < x->frustum->run_count; k++) {
        const double *run = x->frustum->run[k];
        double end = abut_d3_dot(n, abut_d3_load(run)), slope = abut_d3_dot(n, abut_d3_load(run + 3));
        end = slope > ACROSS ? end + slope * run[6] : end;
        high = abut_max_d(high, end);
    }
    return abut_d3_dot(n, x->center) - extent_along(x, n) - high;
}

/* Whether the two are certainly farther apart than the radius, judging by the direction n of any length, from the
 * frustum to the core. */
static bool is_apart_along(const body *x, abut_d3 n) {
    const abut_frustum *f = x->frustum;
    if (!(abut_d3_normalise_scaled(&n) > 0)) {
        return false;
    }
    double slack = (ROUNDED + SPREAD * f->spread) * (x->size + f->extent);
    return gap_along(x, n) > x->radius + slack;
}

/* --- the search --- */

/* The point of frustum minus core that is farthest along n. Rays are cut where nothing beyond can be nearest. */
static abut_d3 support(const body *x, abut_d3 n) {
    const abut_frustum *f = x->frustum;
    double most = -INFINITY, steepest = 0;
    abut_d3 end = {{0, 0, 0}}, ray = end;
    for (uint32_t k = 0; k < f->run_count; k++) {
        const abut_d3 b = abut_d3_load(f->run[k]), r = abut_d3_load(f->run[k] + 3);
        bool endless = f->run[k][6] == INFINITY;
        double slope = abut_d3_dot(n, r), at = abut_d3_dot(n, b), l = endless ? 0 : x->share * f->run[k][6];
        bool far_end = slope > 0 && !endless;
        if (endless && slope > steepest) {
            steepest = slope;
            ray = r;
        }
        at = far_end ? at + slope * l : at;
        if (at > most) {
            most = at;
            end = far_end ? abut_d3_along(b, l, r) : b;
        }
    }
    end = abut_d3_sub(abut_d3_along(end, x->reach, ray), x->center);
    for (int j = 0; j < 3; j++) {
        end = abut_d3_along(end, abut_d3_dot(n, x->axis[j]) > 0 ? x->half[j] : -x->half[j], x->axis[j]);
    }
    return end;
}

enum { ALL_FOUR = 15 };

typedef struct simplex {
    abut_d3 point[4];
    int count;
} simplex;

/* The point of a simplex that is nearest to zero, found so far. Each corner, edge and triangle with a nearest point
 * within offers it, and a vector from there to zero, of any length, which is perpendicular to the edge or triangle up
 * to rounding. */
typedef struct nearest {
    abut_d3 normal[15];
    int count, best; /* of them */
    double square;   /* of the distance of the best */
    unsigned of;     /* the points of which it is a mean, one bit each */
} nearest;

/* Of equal ones the mean of more points: its normal separates more. */
static void offer(nearest *found, abut_d3 at, abut_d3 normal, unsigned of) {
    double square = abut_d3_dot(at, at);
    if (square <= found->square) {
        found->best = found->count;
        found->square = square;
        found->of = of;
    }
    found->normal[found->count++] = abut_d3_negate(normal);
}

/* Counted from the nearer end, because the other may be very far. */
static void try_edge(const simplex *s, int i, int j, nearest *found) {
    bool first = abut_d3_dot(s->point[i], s->point[i]) < abut_d3_dot(s->point[j], s->point[j]);
    const abut_d3 near = s->point[first ? i : j];
    abut_d3 edge = abut_d3_sub(s->point[first ? j : i], near);
    double length = abut_d3_normalise_scaled(&edge), t = -abut_d3_dot(near, edge);
    if (t > 0 && t < length) {
        const abut_d3 at = abut_d3_along(near, t, edge);
        offer(found, at, abut_d3_along(at, -abut_d3_dot(at, edge), edge), 1U << i | 1U << j);
    }
}

/* The mean of the points with weights >= 0, not all of them 0: however those were rounded it is a point of the simplex.
 * Counted from the nearest point, as above. */
static abut_d3 mean_of(const simplex *s, const int *of, const double *weight, int n) {
    int near = of[0];
    double all = 0;
    for (int k = 0; k < n; k++) {
        bool nearer = abut_d3_dot(s->point[of[k]], s->point[of[k]]) < abut_d3_dot(s->point[near], s->point[near]);
        near = nearer ? of[k] : near;
        all += weight[k];
    }
    abut_d3 at = s->point[near];
    for (int k = 0; k < n; k++) {
        at = abut_d3_along(at, weight[k] / all, abut_d3_sub(s->point[of[k]], s->point[near]));
    }
    return at;
}

static void try_triangle(const simplex *s, int i, int j, int k, nearest *found) {
    const int of[3] = {i, j, k};
    const abut_d3 a = s->point[i], b = s->point[j], c = s->point[k];
    abut_d3 n = abut_d3_cross(abut_d3_sub(b, a), abut_d3_sub(c, a));
    if (!(abut_d3_normalise_scaled(&n) > 0)) {
        return;
    }
    const double weight[3] = {abut_d3_dot(n, abut_d3_cross(b, c)), abut_d3_dot(n, abut_d3_cross(c, a)),
                              abut_d3_dot(n, abut_d3_cross(a, b))};
    if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0) {
        const abut_d3 at = mean_of(s, of, weight, 3);
        offer(found, at, abut_d3_dot(n, at) < 0 ? abut_d3_negate(n) : n, 1U << i | 1U << j | 1U << k);
    }
}

static double volume(abut_d3 a, abut_d3 b, abut_d3 c) {
    return abut_d3_dot(a, abut_d3_cross(b, c));
}

/* Zero itself, where it is within. */
static void try_tetrahedron(const simplex *s, nearest *found) {
    static const int of[4] = {0, 1, 2, 3};
    const abut_d3 *p = s->point;
    double all = volume(abut_d3_sub(p[0], p[3]), abut_d3_sub(p[1], p[3]), abut_d3_sub(p[2], p[3]));
    double sign = all < 0 ? -1 : 1;
    double weight[4] = {-sign * volume(p[1], p[2], p[3]), sign * volume(p[0], p[2], p[3]),
                        -sign * volume(p[0], p[1], p[3])};
    weight[3] = sign * all - weight[0] - weight[1] - weight[2];
    if (all != 0 && weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0 && weight[3] >= 0) {
        const abut_d3 at = mean_of(s, of, weight, 4);
        offer(found, at, at, ALL_FOUR);
    }
}

static void find_nearest(const simplex *s, nearest *found) {
    found->count = found->best = 0;
    found->square = INFINITY;
    found->of = ALL_FOUR;
    for (int i = 0; i < s->count; i++) {
        offer(found, s->point[i], s->point[i], 1U << i);
        for (int j = 0; j < i; j++) {
            try_edge(s, i, j, found);
            for (int k = 0; k < j; k++) {
                try_triangle(s, i, j, k, found);
            }
        }
    }
    if (s->count == 4) {
        try_tetrahedron(s, found);
    }
}

static bool has(const simplex *s, abut_d3 p) {
    bool found = false;
    for (int i = 0; i < s->count; i++) {
        found = found || (s->point[i].x[0] == p.x[0] && s->point[i].x[1] == p.x[1] && s->point[i].x[2] == p.x[2]);
    }
    return found;
}

static void keep(simplex *s, unsigned of) {
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        if (of >> i & 1) {
            s->point[kept++] = s->point[i];
        }
    }
    s->count = kept;
}

/* INTERSECTS: a point of each was found, at most the radius apart. OUTSIDE: certainly farther apart. UNDECIDED:
 * rounding ended the search. */
static int search(const body *x) {
    simplex s = {.count = 0};
    nearest found = {.count = 0};
    abut_d3 n = abut_d3_sub(x->center, abut_d3_load(x->frustum->run[0])), next = support(x, n);
    for (int turn = 0; turn < TURNS && !has(&s, next); turn++) {
        s.point[s.count++] = next;
        find_nearest(&s, &found);
        if (found.square <= x->radius * x->radius) {
            return ABUT_INTERSECTS;
        }
        n = found.normal[found.best];
        if (is_apart_along(x, n)) {
            return ABUT_OUTSIDE;
        }
        bool is_of_next = found.of >> (s.count - 1) & 1;
        if (!is_of_next || found.of == ALL_FOUR) {
            break; /* no nearer. None is ever farther: the last turn's nearest was offered again, to the bit */
        }
        keep(&s, found.of);
        next = support(x, n);
    }
    bool apart = false;
    for (int k = 0; k < found.count && !apart; k++) {
        apart = is_apart_along(x, found.normal[k]);
    }
    return apart ? ABUT_OUTSIDE : ABUT_CULL_UNDECIDED;
}

/* --- the axes of polyhedra --- */

static bool is_apart_either_way(const body *x, abut_d3 n) {
    return is_apart_along(x, n) || is_apart_along(x, abut_d3_negate(n));
}

/* Normals of the core's faces and the products of edges. A core without extents is a point, and has neither. */
static bool is_apart_along_axes(const body *x) {
    const abut_frustum *f = x->frustum;
    bool apart = false;
    for (int j = 0; j < 3 && x->half[0] + x->half[1] + x->half[2] > 0; j++) {
        apart = apart || is_apart_either_way(x, x->axis[j]);
        for (uint32_t k = 0; k < f->edge_count && x->half[j] > 0 && !apart; k++) {
            const abut_d3 edge = abut_d3_load(f->edge[k]);
            abut_d3 n = abut_d3_cross(x->axis[j], edge);
            if (abut_d3_normalise_scaled(&n) > 0) {
                apart = is_apart_either_way(x, abut_d3_along(n, -abut_d3_dot(n, edge), edge));
            }
        }
    }
    return apart;
}

abut_side abut_cull_side_of_round(const abut_frustum *frustum, const abut_obb *core, float radius) {
    body x;
    set_body(frustum, core, radius, &x);
    abut_side side = side_of_planes(&x);
    if (side != ABUT_INTERSECTS) {
        return side;
    }
    int found = search(&x);
    if (found == ABUT_CULL_UNDECIDED) {
        found = is_apart_along_axes(&x) ? ABUT_OUTSIDE : ABUT_INTERSECTS;
    }
    return (abut_side)found;
}
