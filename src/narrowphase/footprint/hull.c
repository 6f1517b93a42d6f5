/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "narrowphase/footprint/footprint.h"
#include "shape/shape.h"

/* A rectangle against the shadow of a hull.
 *
 * The shadow is the convex hull of the projected vertices, but its outline is not needed to find a line that separates
 * it from the rectangle. Among all lines whose normal lies in one quadrant, the best pass through the rectangle's
 * corner of that quadrant. With that corner as the origin and the quadrant's signs, the line with normal (r, 1) has a
 * point (x, y) in front of it when r x + y > 0. So points with x <= 0 bound r from above, points with y <= 0 bound it
 * from below, and no such line has a point with both in front of it. One pass over the vertices decides, and never
 * divides by the length of an edge of the outline, which may be tiny. */

/* The error bound of a projected vertex in double, times S: docs/numerics.md, "Footprints". */
static const double SLACK = 0x1p-45;

enum { QUADRANTS = 4, ALL = 15, SEPARATED = 16 };

static const double sign[QUADRANTS][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

typedef struct point2 {
    double x, y;
} point2;

static point2 project(const abut_np_shadow *s, float x, float y, float z) {
    return (point2){s->base[0] + ((s->x[0] * x + s->x[1] * y) + s->x[2] * z),
                    s->base[1] + ((s->y[0] * x + s->y[1] * y) + s->y[2] * z)};
}

/* The projected vertices of least and greatest x, least and greatest y. */
static void extremes_of(const abut_np_shadow *s, const abut_hull *hull, point2 out[4]) {
    const float *vx = abut_hull_coordinate(hull, 0), *vy = abut_hull_coordinate(hull, 1);
    const float *vz = abut_hull_coordinate(hull, 2);
    out[0] = out[1] = out[2] = out[3] = project(s, vx[0], vy[0], vz[0]);
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        point2 p = project(s, vx[v], vy[v], vz[v]);
        out[0] = p.x < out[0].x ? p : out[0];
        out[1] = p.x > out[1].x ? p : out[1];
        out[2] = p.y < out[2].y ? p : out[2];
        out[3] = p.y > out[3].y ? p : out[3];
    }
}

/* Whether a line with a normal in quadrant q strictly separates the shadow from the rectangle with these half extents.
 * They may be negative: then the rectangle is that much farther from every line. */
static bool separates(const abut_np_shadow *s, const abut_hull *hull, int q, double half_x, double half_y) {
    const float *vx = abut_hull_coordinate(hull, 0), *vy = abut_hull_coordinate(hull, 1);
    const float *vz = abut_hull_coordinate(hull, 2);
    double low = -INFINITY, high = INFINITY;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        point2 p = project(s, vx[v], vy[v], vz[v]);
        double x = sign[q][0] * p.x - half_x, y = sign[q][1] * p.y - half_y;
        if (x <= 0) {
            double bound = y / (0 - x);
            high = y <= 0 ? -INFINITY : bound < high ? bound : high;
        } else if (y <= 0) {
            low = abut_max_d(low, (0 - y) / x);
        }
        if (!(low < high)) {
            return false;
        }
    }
    return true;
}

/* The quadrants that double precision cannot decide, one bit each; 0 if the two certainly overlap, SEPARATED if a line
 * certainly separates them. */
static uint32_t quadrants_of(const abut_np_shadow *s, const double half[2], const abut_hull *hull, double slack) {
    double outer_x = half[0] + slack, outer_y = half[1] + slack, inner_x = half[0] - slack, inner_y = half[1] - slack;
    point2 far[4];
    uint32_t undecided = 0;
    extremes_of(s, hull, far);
    if (far[0].x > outer_x || far[1].x < -outer_x || far[2].y > outer_y || far[3].y < -outer_y) {
        return SEPARATED;
    }
    for (int q = 0; q < QUADRANTS; q++) {
        bool behind = false;
        for (int i = 0; i < 4; i++) {
            behind |= sign[q][0] * far[i].x <= inner_x && sign[q][1] * far[i].y <= inner_y;
        }
        if (!behind && separates(s, hull, q, inner_x, inner_y)) {
            if (separates(s, hull, q, outer_x, outer_y)) {
                return SEPARATED;
            }
            undecided |= 1u << q;
        }
    }
    return undecided;
}

/* The same in double-double, and by the touch rule: the bounds that the points so far set to the lines through one
 * corner. */
typedef struct corner_bounds {
    bool has_low, has_high;
    abut_dd low[2], high[2]; /* the points that give the tightest bounds of r */
} corner_bounds;

static double cross(const abut_dd a[2], const abut_dd b[2]) {
    return abut_dd_sub(abut_dd_mul(a[0], b[1]), abut_dd_mul(a[1], b[0])).hi;
}

/* False when the point rules out every line. A coordinate counts as not in front when it is at most `limit`, the end of
 * the band that the touch rule chooses. */
static bool add_point(corner_bounds *bounds, const abut_dd p[2], double limit) {
    bool behind_x = p[0].hi <= limit, behind_y = p[1].hi <= limit;
    if (behind_x && behind_y) {
        return false;
    }
    if (behind_x && (!bounds->has_high || cross(p, bounds->high) < 0)) {
        bounds->has_high = true;
        bounds->high[0] = p[0], bounds->high[1] = p[1];
    }
    if (behind_y && (!bounds->has_low || cross(p, bounds->low) > 0)) {
        bounds->has_low = true;
        bounds->low[0] = p[0], bounds->low[1] = p[1];
    }
    return true;
}

static bool has_separating_line(const corner_bounds *bounds, double band, abut_touch touch) {
    if (!bounds->has_low || !bounds->has_high) {
        return true;
    }
    double length =
        fabs(bounds->low[0].hi) + fabs(bounds->low[1].hi) + fabs(bounds->high[0].hi) + fabs(bounds->high[1].hi);
    double value = cross(bounds->low, bounds->high);
    return touch == ABUT_TOUCH_IS_FREE ? value >= -band * length : value > band * length;
}

static abut_dd coordinate(abut_dd base, const abut_dd axis[3], const float *local) {
    abut_dd sum = base;
    for (int k = 0; k < 3; k++) {
        sum = abut_dd_add(sum, abut_dd_mul(axis[k], abut_dd_from(local[k])));
    }
    return sum;
}

static bool is_free(const abut_np_shadow_dd *s, const abut_hull *hull, uint32_t open, double band, abut_touch touch) {
    double limit = touch == ABUT_TOUCH_IS_FREE ? -band : band;
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    corner_bounds bounds[QUADRANTS] = {{0}};
    for (uint32_t v = 0; v < hull->vertex_count && open; v++) {
        abut_dd px = coordinate(s->base[0], s->x, &vertex[v].x), py = coordinate(s->base[1], s->y, &vertex[v].x);
        for (int q = 0; q < QUADRANTS; q++) {
            if (open >> q & 1) {
                const abut_dd p[2] = {abut_dd_sub(sign[q][0] < 0 ? abut_dd_negate(px) : px, s->half[0]),
                                      abut_dd_sub(sign[q][1] < 0 ? abut_dd_negate(py) : py, s->half[1])};
                open &= add_point(&bounds[q], p, limit) ? ALL : ~(1u << q);
            }
        }
    }
    for (int q = 0; q < QUADRANTS; q++) {
        if (open >> q & 1 && has_separating_line(&bounds[q], band, touch)) {
            return true;
        }
    }
    return false;
}

static uint32_t quadrants_in_double(const abut_np_footprint *footprint, const abut_collider *collider,
                                    const abut_np_shadow *shadow) {
    double size = fabs(shadow->base[0]) + fabs(shadow->base[1]) + footprint->half[0] + footprint->half[1];
    double slack = SLACK * (size + (double)collider->hull->radius);
    return quadrants_of(shadow, footprint->half, collider->hull, slack);
}

abut_np_verdict abut_np_footprint_verdict_hull(const abut_np_footprint *footprint, const abut_collider *collider,
                                               const abut_np_shadow *shadow, double grow) {
    uint32_t undecided = grow > 0 ? ALL : quadrants_in_double(footprint, collider, shadow);
    return undecided == 0 ? ABUT_NP_TOUCHING : undecided == SEPARATED ? ABUT_NP_APART : ABUT_NP_UNDECIDED;
}

bool abut_np_footprint_meets_hull(const abut_np_footprint *footprint, const abut_collider *collider) {
    abut_np_shadow shadow;
    abut_np_shadow_of(footprint, collider, &shadow);
    uint32_t undecided = quadrants_in_double(footprint, collider, &shadow);
    if (undecided == 0 || undecided == SEPARATED) {
        return undecided == 0;
    }
    abut_np_shadow_dd accurate;
    abut_np_shadow_dd_of(footprint, collider, &accurate);
    double size = fabs(accurate.base[0].hi) + fabs(accurate.base[1].hi) + accurate.half[0].hi + accurate.half[1].hi;
    for (int k = 0; k < 3; k++) {
        size += (fabs(accurate.x[k].hi) + fabs(accurate.y[k].hi)) * (double)collider->hull->radius;
    }
    return !is_free(&accurate, collider->hull, undecided, ABUT_NP_FOOTPRINT_BAND * size, footprint->touch);
}
