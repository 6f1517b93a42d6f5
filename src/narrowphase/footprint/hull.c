/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "narrowphase/footprint/footprint.h"
#include "shape/shape.h"

/* The shadow of a hull is the convex hull of its vertices' shadows, but nobody needs its outline to know whether a line
 * parts it from a rectangle. Of all lines whose normals lie in one quadrant those through the rectangle's corner of
 * that quadrant are the best. Seen from the corner, in the quadrant's own signs, such a normal (r, 1) keeps a point (x,
 * y) in front when r x + y > 0: points with x <= 0 bound r from above, points with y <= 0 from below, and none may have
 * both. So one pass over the points answers it, and nothing is ever as short as an edge of the outline may be. */

/* As docs/numerics.md has it, "Footprints": what a vertex's place in double is off by, times S. */
static const double SLACK = 0x1p-45;

enum { QUADRANTS = 4, ALL = 15, PARTED = 16 };

static const double sign[QUADRANTS][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

typedef struct point2 {
    double x, y;
} point2;

static point2 place(const abut_np_shadow *s, float x, float y, float z) {
    return (point2){s->base[0] + ((s->x[0] * x + s->x[1] * y) + s->x[2] * z),
                    s->base[1] + ((s->y[0] * x + s->y[1] * y) + s->y[2] * z)};
}

/* The vertices that lie farthest in the four directions: least and most x, least and most y. */
static void extremes_of(const abut_np_shadow *s, const abut_hull *hull, point2 out[4]) {
    const float *vx = abut_hull_coordinate(hull, 0), *vy = abut_hull_coordinate(hull, 1);
    const float *vz = abut_hull_coordinate(hull, 2);
    out[0] = out[1] = out[2] = out[3] = place(s, vx[0], vy[0], vz[0]);
    for (uint32_t v = 1; v < hull->vertex_count; v++) {
        point2 p = place(s, vx[v], vy[v], vz[v]);
        out[0] = p.x < out[0].x ? p : out[0];
        out[1] = p.x > out[1].x ? p : out[1];
        out[2] = p.y < out[2].y ? p : out[2];
        out[3] = p.y > out[3].y ? p : out[3];
    }
}

/* Whether a line with a normal of quadrant q strictly parts the shadow from the rectangle with these half extents;
 * negative ones are meant as well: of every line the rectangle then lies that much farther away. */
static bool parts(const abut_np_shadow *s, const abut_hull *hull, int q, double half_x, double half_y) {
    const float *vx = abut_hull_coordinate(hull, 0), *vy = abut_hull_coordinate(hull, 1);
    const float *vz = abut_hull_coordinate(hull, 2);
    double low = -INFINITY, high = INFINITY;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        point2 p = place(s, vx[v], vy[v], vz[v]);
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

/* The quadrants that double cannot tell about: 0 is an overlap; PARTED for certain. */
static uint32_t quadrants_of(const abut_np_shadow *s, const double half[2], const abut_hull *hull, double slack) {
    double outer_x = half[0] + slack, outer_y = half[1] + slack, inner_x = half[0] - slack, inner_y = half[1] - slack;
    point2 far[4];
    uint32_t undecided = 0;
    extremes_of(s, hull, far);
    if (far[0].x > outer_x || far[1].x < -outer_x || far[2].y > outer_y || far[3].y < -outer_y) {
        return PARTED;
    }
    for (int q = 0; q < QUADRANTS; q++) {
        bool behind = false;
        for (int i = 0; i < 4; i++) {
            behind |= sign[q][0] * far[i].x <= inner_x && sign[q][1] * far[i].y <= inner_y;
        }
        if (!behind && parts(s, hull, q, inner_x, inner_y)) {
            if (parts(s, hull, q, outer_x, outer_y)) {
                return PARTED;
            }
            undecided |= 1u << q;
        }
    }
    return undecided;
}

/* The same question in double-double and by the rule: what one corner has seen. */
typedef struct corner_view {
    bool has_low, has_high;
    abut_dd low[2], high[2]; /* the points that bound r most */
} corner_view;

static double cross(const abut_dd a[2], const abut_dd b[2]) {
    return abut_dd_sub(abut_dd_mul(a[0], b[1]), abut_dd_mul(a[1], b[0])).hi;
}

/* False when the point lies before all lines. A coordinate below `limit` is not in front: within the band by the closed
 * rule, beyond it by the open one. */
static bool see(corner_view *view, const abut_dd p[2], double limit) {
    bool behind_x = p[0].hi <= limit, behind_y = p[1].hi <= limit;
    if (behind_x && behind_y) {
        return false;
    }
    if (behind_x && (!view->has_high || cross(p, view->high) < 0)) {
        view->has_high = true;
        view->high[0] = p[0], view->high[1] = p[1];
    }
    if (behind_y && (!view->has_low || cross(p, view->low) > 0)) {
        view->has_low = true;
        view->low[0] = p[0], view->low[1] = p[1];
    }
    return true;
}

static bool has_line(const corner_view *view, double band, abut_touch touch) {
    if (!view->has_low || !view->has_high) {
        return true;
    }
    double length = fabs(view->low[0].hi) + fabs(view->low[1].hi) + fabs(view->high[0].hi) + fabs(view->high[1].hi);
    double value = cross(view->low, view->high);
    return touch == ABUT_TOUCH_IS_FREE ? value >= -band * length : value > band * length;
}

static abut_dd coordinate(abut_dd base, const abut_dd axis[3], const float *local) {
    abut_dd sum = base;
    for (int k = 0; k < 3; k++) {
        sum = abut_dd_add(sum, abut_dd_mul(axis[k], abut_dd_from(local[k])));
    }
    return sum;
}

static bool is_free(const abut_np_shadow_dd *s, const abut_hull *hull, uint32_t alive, double band, abut_touch touch) {
    double limit = touch == ABUT_TOUCH_IS_FREE ? -band : band;
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    corner_view view[QUADRANTS] = {{0}};
    for (uint32_t v = 0; v < hull->vertex_count && alive; v++) {
        abut_dd px = coordinate(s->base[0], s->x, &vertex[v].x), py = coordinate(s->base[1], s->y, &vertex[v].x);
        for (int q = 0; q < QUADRANTS; q++) {
            if (alive >> q & 1) {
                const abut_dd p[2] = {abut_dd_sub(sign[q][0] < 0 ? abut_dd_negate(px) : px, s->half[0]),
                                      abut_dd_sub(sign[q][1] < 0 ? abut_dd_negate(py) : py, s->half[1])};
                alive &= see(&view[q], p, limit) ? ALL : ~(1u << q);
            }
        }
    }
    for (int q = 0; q < QUADRANTS; q++) {
        if (alive >> q & 1 && has_line(&view[q], band, touch)) {
            return true;
        }
    }
    return false;
}

bool abut_np_footprint_meets_hull(const abut_np_footprint *plot, const abut_collider *collider) {
    abut_np_shadow shadow;
    abut_np_shadow_of(plot, collider, &shadow);
    double size = fabs(shadow.base[0]) + fabs(shadow.base[1]) + plot->half[0] + plot->half[1];
    double slack = SLACK * (size + (double)collider->hull->radius);
    uint32_t undecided = quadrants_of(&shadow, plot->half, collider->hull, slack);
    if (undecided == 0 || undecided == PARTED) {
        return undecided == 0;
    }
    abut_np_shadow_dd sharp;
    abut_np_shadow_dd_of(plot, collider, &sharp);
    size = fabs(sharp.base[0].hi) + fabs(sharp.base[1].hi) + sharp.half[0].hi + sharp.half[1].hi;
    for (int k = 0; k < 3; k++) {
        size += (fabs(sharp.x[k].hi) + fabs(sharp.y[k].hi)) * (double)collider->hull->radius;
    }
    return !is_free(&sharp, collider->hull, undecided, ABUT_NP_FOOTPRINT_BAND * size, plot->touch);
}
