/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes from a renderer's matrices. The image of the local box is kept exactly; only the axes of the result are chosen.
 */
#include "base/spatial.h"
#include "shape/box/around.h"

/* If the component of a unit vector across another vector is shorter than this, it counts as zero. */
static const double NEGLIGIBLE = 0x1p-30;

typedef struct frame {
    abut_d3 axis[3];
} frame;

/* The unit vector along the component of v across the unit vector n. Projects twice, so that rounding leaves no part
 * along n. */
static bool normalise_across(abut_d3 v, abut_d3 n, abut_d3 *out) {
    if (!abut_d3_normalise(&v)) {
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        v = abut_d3_along(v, -abut_d3_dot(v, n), n);
    }
    bool clear = abut_d3_dot(v, v) > NEGLIGIBLE * NEGLIGIBLE;
    (void)abut_d3_normalise(&v);
    *out = v;
    return clear;
}

/* The axis that makes the frame right-handed. */
static void complete(frame *f, int k) {
    f->axis[k] = abut_d3_cross(f->axis[(k + 1) % 3], f->axis[(k + 2) % 3]);
}

/* Gram-Schmidt: one axis along column i, one in the plane of columns i and j. Where column j is parallel to column i,
 * the third column takes its place; where that is parallel, too, any perpendicular axis does. */
static bool frame_along(const abut_d3 column[3], int i, int j, frame *f) {
    int k = 3 - i - j;
    f->axis[i] = column[i];
    if (!abut_d3_normalise(&f->axis[i])) {
        return false;
    }
    if (normalise_across(column[j], f->axis[i], &f->axis[j])) {
        complete(f, k);
    } else if (normalise_across(column[k], f->axis[i], &f->axis[k])) {
        complete(f, j);
    } else {
        int least = abut_d3_least_axis(f->axis[i]);
        const abut_d3 unit = {{least == 0, least == 1, least == 2}};
        (void)normalise_across(unit, f->axis[i], &f->axis[j]);
        complete(f, k);
    }
    return true;
}

/* One axis normal to the plane of columns i and j, one along the projection of the third column onto that plane.
 * Column i is not zero. */
static bool frame_projected_along(const abut_d3 column[3], int i, int j, frame *f) {
    int k = 3 - i - j;
    frame plane;
    (void)frame_along(column, i, j, &plane);
    if (!normalise_across(column[k], plane.axis[k], &f->axis[i])) {
        return false;
    }
    f->axis[k] = plane.axis[k];
    complete(f, j);
    return true;
}

static double surface(const abut_parallelepiped *of, const frame *f) {
    double e[3];
    for (int k = 0; k < 3; k++) {
        e[k] = 0;
        for (int j = 0; j < 3; j++) {
            const abut_d3 edge = {{of->edge[j][0].hi, of->edge[j][1].hi, of->edge[j][2].hi}};
            e[k] += fabs(abut_d3_dot(f->axis[k], edge));
        }
    }
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
}

/* Sorts by the length of the edge, then of the column. */
static void longest_first(const abut_parallelepiped *of, const abut_d3 column[3], int order[3]) {
    double length[3], other[3];
    for (int j = 0; j < 3; j++) {
        const abut_d3 edge = {{of->edge[j][0].hi, of->edge[j][1].hi, of->edge[j][2].hi}};
        length[j] = abut_d3_dot(edge, edge);
        other[j] = abut_d3_dot(column[j], column[j]);
        int at = j;
        for (; at > 0; at--) {
            int before = order[at - 1];
            if (length[j] < length[before] || (length[j] == length[before] && other[j] <= other[before])) {
                break;
            }
            order[at] = before;
        }
        order[at] = j;
    }
}

/* Whether all columns are perpendicular, to within the rounding of floats. */
static bool is_unsheared(const abut_d3 column[3]) {
    double square[3];
    bool yes = true;
    for (int i = 0; i < 3; i++) {
        square[i] = abut_d3_dot(column[i], column[i]);
    }
    for (int i = 0; i < 3; i++) {
        double along = abut_d3_dot(column[i], column[(i + 1) % 3]);
        yes = yes && along * along <= 0x1p-42 * square[i] * square[(i + 1) % 3];
    }
    return yes;
}

/* A box of least volume has a face flush with a face of the body and an edge flush with the outline seen along that
 * face's normal (O'Rourke 1985). All of those are tried, and the one of least surface is kept, as its surface is what a
 * viewer sees. Without shear they differ only by rounding, and the first is best: it turns the longest edge least. With
 * shear two columns at least are not zero, and those come first. */
static frame best_frame(const abut_parallelepiped *of, const abut_d3 column[3]) {
    static const int first[9] = {0, 0, 1, 1, 2, 2, 0, 0, 1}, second[9] = {1, 2, 0, 2, 0, 1, 1, 2, 2};
    frame best = {{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}}, f;
    double least = -1;
    int order[3], tried = is_unsheared(column) ? 1 : 9;
    longest_first(of, column, order);
    for (int n = 0; n < tried; n++) {
        int i = order[first[n]], j = order[second[n]];
        if (n < 6 ? !frame_along(column, i, j, &f) : !frame_projected_along(column, i, j, &f)) {
            continue;
        }
        double value = surface(of, &f);
        if (least < 0 || value < least * (1 - 0x1p-20)) {
            least = value;
            best = f;
        }
    }
    return best;
}

/* Exact: products of floats are exact in double, and sums are kept as several doubles. */
static void image_of(const float m[16], const abut_aabb *local, abut_parallelepiped *image) {
    const float *low = &local->min.x, *high = &local->max.x;
    for (int i = 0; i < 3; i++) {
        double term[7];
        for (int j = 0; j < 3; j++) {
            double entry = m[4 * j + i], a = entry * low[j], b = entry * high[j];
            abut_dd edge = abut_dd_two_sum(b, -a);
            image->edge[j][i] = (abut_dd){edge.hi / 2, edge.lo / 2};
            image->edge_error[j][i] = 0;
            term[2 * j] = a;
            term[2 * j + 1] = b;
        }
        term[6] = 2 * (double)m[12 + i];
        abut_dd twice = abut_dd_distil(term, 7, &image->center_error[i]);
        image->center[i] = (abut_dd){twice.hi / 2, twice.lo / 2};
    }
}

static bool is_valid(const float m[16], const abut_aabb *local) {
    for (int i = 0; i < 16; i++) {
        if (!abut_bits_finite(m[i])) {
            return false;
        }
    }
    return abut_vec3_finite(local->min) && abut_vec3_finite(local->max) && local->min.x <= local->max.x &&
           local->min.y <= local->max.y && local->min.z <= local->max.z && m[3] == 0 && m[7] == 0 && m[11] == 0 &&
           m[15] == 1;
}

static bool image_in_limit(const abut_parallelepiped *image) {
    bool within = true;
    for (int i = 0; i < 3; i++) {
        double extent = fabs(image->center[i].hi);
        for (int j = 0; j < 3; j++) {
            extent += fabs(image->edge[j][i].hi);
        }
        within = within && extent <= (double)ABUT_MAX_COORDINATE;
    }
    return within;
}

static bool box_in_limit(const abut_obb *box) {
    abut_aabb bounds = abut_obb_bounds(box);
    bool within = true;
    for (int i = 0; i < 3; i++) {
        within = within && (&bounds.min.x)[i] >= -ABUT_MAX_COORDINATE && (&bounds.max.x)[i] <= ABUT_MAX_COORDINATE;
    }
    return within;
}

abut_result abut_obb_from_matrix(const float model[16], const abut_aabb *local, abut_obb *box) {
    abut_parallelepiped image;
    abut_d3 column[3];
    if (!model || !local || !box || !is_valid(model, local)) {
        return ABUT_ERROR_ARGUMENT;
    }
    image_of(model, local, &image);
    if (!image_in_limit(&image)) {
        return ABUT_ERROR_LIMIT;
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            column[j].x[i] = model[4 * j + i];
        }
    }
    frame best = best_frame(&image, column);
    abut_obb made = abut_obb_around(&image, abut_quat_of_axes(best.axis));
    if (!box_in_limit(&made)) {
        return ABUT_ERROR_LIMIT;
    }
    *box = made;
    return ABUT_OK;
}
