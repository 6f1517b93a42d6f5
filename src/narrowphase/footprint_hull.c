/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "hull/hull.h"
#include "narrowphase/footprint.h"

/* The shadow of a hull is the convex hull of its vertices' shadows, but nobody needs its outline to know whether a line
 * parts it from a rectangle. Of all lines whose normals lie in one quadrant those through the rectangle's corner of
 * that quadrant are the best. Seen from the corner, in the quadrant's own signs, such a normal (r, 1) keeps a point (x,
 * y) in front when r x + y > 0: points with x <= 0 bound r from above, points with y <= 0 from below, and none may have
 * both. So one pass over the points answers it, and nothing is ever as short as an edge of the outline may be. */

/* As docs/numerics.md has it, "Footprints": what a vertex's place in double is off by, times S. */
static const double SLACK = 0x1p-45;

static const double sign[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

static double size_of(const abut_np_shadow *s, const double half[2], const abut_hull *hull) {
    double size = fabs(s->base[0]) + fabs(s->base[1]) + half[0] + half[1];
    return size + 2 * (double)hull->radius;
}

/* Whether a line strictly parts the shadow from the rectangle with these half extents; negative ones are meant as
 * well: of every line the rectangle then lies that much farther away. */
static bool parts(const abut_np_shadow *s, const abut_hull *hull, double half_x, double half_y) {
    const float *vx = abut_hull_coordinate(hull, 0), *vy = abut_hull_coordinate(hull, 1);
    const float *vz = abut_hull_coordinate(hull, 2);
    double low[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, high[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (uint32_t v = 0, dead = 0; v < hull->vertex_count; v++) {
        double px = s->base[0] + ((s->x[0] * vx[v] + s->x[1] * vy[v]) + s->x[2] * vz[v]);
        double py = s->base[1] + ((s->y[0] * vx[v] + s->y[1] * vy[v]) + s->y[2] * vz[v]);
        for (int q = 0; q < 4; q++) {
            double x = sign[q][0] * px - half_x, y = sign[q][1] * py - half_y;
            if (x <= 0 && y <= 0) {
                dead |= 1u << q;
                high[q] = -INFINITY;
            } else if (x <= 0) {
                double bound = y / (0 - x);
                high[q] = bound < high[q] ? bound : high[q];
            } else if (y <= 0) {
                low[q] = abut_max_d(low[q], (0 - y) / x);
            }
        }
        if (dead == 15) {
            return false;
        }
    }
    return low[0] < high[0] || low[1] < high[1] || low[2] < high[2] || low[3] < high[3];
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

static bool is_free(const abut_np_shadow_dd *s, const abut_hull *hull, double band, abut_touch touch) {
    double limit = touch == ABUT_TOUCH_IS_FREE ? -band : band;
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    corner_view view[4] = {{0}};
    uint32_t alive = 15;
    for (uint32_t v = 0; v < hull->vertex_count && alive; v++) {
        abut_dd px = coordinate(s->base[0], s->x, &vertex[v].x), py = coordinate(s->base[1], s->y, &vertex[v].x);
        for (int q = 0; q < 4; q++) {
            if (alive >> q & 1) {
                const abut_dd p[2] = {abut_dd_sub(sign[q][0] < 0 ? abut_dd_negate(px) : px, s->half[0]),
                                      abut_dd_sub(sign[q][1] < 0 ? abut_dd_negate(py) : py, s->half[1])};
                alive &= see(&view[q], p, limit) ? 15 : ~(1u << q);
            }
        }
    }
    for (int q = 0; q < 4; q++) {
        if (alive >> q & 1 && has_line(&view[q], band, touch)) {
            return true;
        }
    }
    return false;
}

bool abut_np_footprint_meets_hull(const abut_np_footprint *plot, const abut_np_row *row) {
    abut_np_shadow shadow;
    abut_np_shadow_of(plot, row, &shadow);
    double slack = SLACK * size_of(&shadow, plot->half, row->hull);
    if (parts(&shadow, row->hull, plot->half[0] + slack, plot->half[1] + slack)) {
        return false;
    }
    if (!parts(&shadow, row->hull, plot->half[0] - slack, plot->half[1] - slack)) {
        return true;
    }
    abut_np_shadow_dd sharp;
    abut_np_shadow_dd_of(plot, row, &sharp);
    double size = fabs(sharp.base[0].hi) + fabs(sharp.base[1].hi) + sharp.half[0].hi + sharp.half[1].hi;
    for (int k = 0; k < 3; k++) {
        size += (fabs(sharp.x[k].hi) + fabs(sharp.y[k].hi)) * (double)row->hull->radius;
    }
    return !is_free(&sharp, row->hull, ABUT_NP_FOOTPRINT_BAND * size, plot->touch);
}
