/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta from matrices. The matrix's floats define the frustum exactly, but computing in the world's frame would lose
 * too much: for a camera far from the world's origin huge offsets cancel, and a large far/near ratio consumes the
 * remaining bits. So the matrix is moved to an origin near the frustum, exactly: only its last column changes, by
 * products of floats. From there on everything is computed in double-double and rounded once.
 *
 * Corners are where three planes meet, so corners on a plane at infinity are at infinity exactly. Points and planes are
 * homogeneous: x, y, z, w. */
#include "base/bits.h"
#include "base/dd.h"
#include "culling/build.h"

/* The normal of a plane that is the sum of two rows counts as zero when it is at most this share of theirs: rounding
 * the rows to floats leaves that much of a plane at infinity. */
static const double VANISHING = 0x1p-22;

/* A determinant below this share of the sum of its products' magnitudes counts as zero. */
static const double SINGULAR = 0x1p-90;

/* The eye is the origin if it is no farther away than this multiple of the frustum's depth. */
static const double NEAR_ENOUGH = 0x1p+10;

/* A homogeneous point, or the plane of all points p with x . p >= 0. */
typedef struct homogeneous {
    abut_dd x[4];
} homogeneous;

/* The line in which two planes meet: the minors of columns i, j for ij = 01 02 03 12 13 23 (Pluecker coordinates). */
typedef struct line {
    abut_dd minor[6];
} line;

static const uint8_t FIRST[6] = {0, 0, 0, 1, 1, 2}, SECOND[6] = {1, 2, 3, 2, 3, 3};

/* How the planes of the depth range follow from the matrix's rows: row[0] * row 3 + row[1] * row 2 >= 0 is plane 4, of
 * row[0] and row[1] of the first end, or plane 5, of the second. */
typedef struct depth_planes {
    int8_t row[2][2];
} depth_planes;

static const depth_planes DEPTH[3] = {
    [ABUT_CLIP_NEG_ONE_TO_ONE] = {{{1, 1}, {1, -1}}},
    [ABUT_CLIP_ZERO_TO_ONE] = {{{0, 1}, {1, -1}}},
    [ABUT_CLIP_REVERSED] = {{{1, -1}, {0, 1}}},
};

static line meet(const homogeneous *a, const homogeneous *b) {
    line l;
    for (int k = 0; k < 6; k++) {
        int i = FIRST[k], j = SECOND[k];
        l.minor[k] = abut_dd_sub(abut_dd_mul(a->x[i], b->x[j]), abut_dd_mul(a->x[j], b->x[i]));
    }
    return l;
}

static abut_dd sum_of_three(abut_dd a, abut_dd x, abut_dd b, abut_dd y, abut_dd c, abut_dd z) {
    return abut_dd_add(abut_dd_add(abut_dd_mul(a, x), abut_dd_mul(b, y)), abut_dd_mul(c, z));
}

/* The point in which a line meets a plane. Its product with any row is the determinant of the line's two planes, this
 * plane and the row. */
static homogeneous meet_plane(const line *l, const homogeneous *plane) {
    const abut_dd *m = l->minor, *c = plane->x;
    abut_dd minus[4];
    for (int k = 0; k < 4; k++) {
        minus[k] = abut_dd_negate(c[k]);
    }
    return (homogeneous){{sum_of_three(m[3], minus[3], m[4], c[2], m[5], minus[1]),
                          sum_of_three(m[1], c[3], m[2], minus[2], m[5], c[0]),
                          sum_of_three(m[0], minus[3], m[2], c[1], m[4], minus[0]),
                          sum_of_three(m[0], c[2], m[1], minus[1], m[3], c[0])}};
}

/* 1, -1, or 0 for a singular matrix, by Laplace expansion by minors of two rows. */
static int sign_of_determinant(const homogeneous row[4]) {
    line top = meet(&row[0], &row[1]), bottom = meet(&row[2], &row[3]);
    abut_dd sum = abut_dd_from(0);
    double size = 0;
    for (int k = 0; k < 6; k++) {
        int i = FIRST[k], j = SECOND[k], m = SECOND[5 - k], n = FIRST[5 - k];
        abut_dd product = abut_dd_mul(top.minor[k], bottom.minor[5 - k]);
        sum = abut_dd_add(sum, k == 1 || k == 4 ? abut_dd_negate(product) : product);
        size += (fabs(row[0].x[i].hi * row[1].x[j].hi) + fabs(row[0].x[j].hi * row[1].x[i].hi)) *
                (fabs(row[2].x[m].hi * row[3].x[n].hi) + fabs(row[2].x[n].hi * row[3].x[m].hi));
    }
    return fabs(sum.hi) > SINGULAR * size ? (sum.hi > 0 ? 1 : -1) : 0;
}

/* a times row a plus b times row b, where a and b are 0 or +-1. A normal that nearly cancels becomes zero. */
static homogeneous combine(int a, const homogeneous *row_a, int b, const homogeneous *row_b) {
    homogeneous sum;
    double largest = 0, of_rows = 0;
    for (int k = 0; k < 4; k++) {
        abut_dd x = {a * row_a->x[k].hi, a * row_a->x[k].lo}, y = {b * row_b->x[k].hi, b * row_b->x[k].lo};
        sum.x[k] = abut_dd_add(x, y);
        if (k < 3) {
            largest = abut_max_d(largest, fabs(sum.x[k].hi));
            of_rows = abut_max_d(of_rows, abut_max_d(fabs(x.hi), fabs(y.hi)));
        }
    }
    if (largest <= VANISHING * of_rows) {
        sum.x[0] = sum.x[1] = sum.x[2] = abut_dd_from(0);
    }
    return sum;
}

static homogeneous side_plane(const homogeneous row[4], int k) {
    return combine(1, &row[3], k & 1 ? -1 : 1, &row[k / 2]);
}

static homogeneous depth_plane(const homogeneous row[4], abut_clip clip, int end) {
    const int8_t *part = DEPTH[clip].row[end];
    return combine(part[0], &row[3], part[1], &row[2]);
}

/* The point in space. False if it is at infinity, or beyond 2^127. */
static bool to_space(homogeneous point, double out[3]) {
    bool finite = point.x[3].hi != 0;
    for (int k = 0; k < 3 && finite; k++) {
        out[k] = point.x[k].hi / point.x[3].hi;
        finite = fabs(out[k]) <= 0x1p+127;
    }
    return finite;
}

static double distance(const double a[3], const double b[3]) {
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
}

/* The eye, where x, y and w are 0, unless it is far away compared with the frustum's depth, or at infinity; else the
 * middle of the near side, where x and y are 0, or of the far side. */
static void choose_origin(const homogeneous row[4], abut_clip clip, float origin[3]) {
    double eye[3], front[3], back[3];
    homogeneous near_plane = depth_plane(row, clip, 0), far_plane = depth_plane(row, clip, 1);
    line middle = meet(&row[0], &row[1]);
    bool has_eye = to_space(meet_plane(&middle, &row[3]), eye),
         has_front = to_space(meet_plane(&middle, &near_plane), front);
    bool has_back = to_space(meet_plane(&middle, &far_plane), back);
    const double zero[3] = {0, 0, 0}, *best = has_front ? front : has_back ? back : zero;
    if (has_eye && (!has_front || !has_back || distance(eye, front) <= NEAR_ENOUGH * distance(front, back))) {
        best = eye;
    }
    for (int k = 0; k < 3; k++) {
        origin[k] = (float)best[k] + 0.0f;
    }
}

/* Rows and planes: the last number follows from the others. */
static void move_to(const float origin[3], homogeneous *of, int n) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            abut_dd part = abut_dd_mul(of[i].x[k], abut_dd_from(origin[k]));
            of[i].x[3] = abut_dd_add(of[i].x[3], part);
        }
    }
}

static bool is_at_infinity(const homogeneous *plane) {
    return plane->x[0].hi == 0 && plane->x[1].hi == 0 && plane->x[2].hi == 0;
}

/* a x + b y, where a and b are 0 or +-1. */
static abut_dd mix(int a, abut_dd x, int b, abut_dd y) {
    return abut_dd_add((abut_dd){a * x.hi, a * x.lo}, (abut_dd){b * y.hi, b * y.lo});
}

/* The line in which planes w + a x and w + b y meet, from the lines in which the rows do. The minors of w with itself
 * vanish and are left out, so that small parts of x and y are not lost in sums with w: a view of nearly half of space
 * needs this. */
static line meet_sides(const homogeneous row[4], int a, int b) {
    line of_y = meet(&row[3], &row[1]), of_x = meet(&row[0], &row[3]), of_both = meet(&row[0], &row[1]);
    for (int k = 0; k < 6; k++) {
        of_y.minor[k] = mix(1, mix(b, of_y.minor[k], a, of_x.minor[k]), a * b, of_both.minor[k]);
    }
    return of_y;
}

/* The point in which that line meets c w + d z, in the same way. */
static homogeneous meet_depth(const homogeneous row[4], const line *edge, int a, int b, int c, int d) {
    line of_both = meet(&row[0], &row[1]);
    homogeneous of_w = meet_plane(&of_both, &row[3]), of_z = meet_plane(edge, &row[2]);
    for (int k = 0; k < 4; k++) {
        of_z.x[k] = mix(a * b * c, of_w.x[k], d, of_z.x[k]);
    }
    return of_z;
}

/* A homogeneous point may have either sign; a corner's must be the one of clip space's w, row 3. The product of row 3
 * and the corner is the determinant of three planes and row 3, which is that of the matrix, but for the signs with
 * which the planes contain rows 0 to 2. */
static void set_corners(const homogeneous row[4], const homogeneous plane[6], int sign, abut_clip clip,
                        abut_cull_cube *cube) {
    for (int side = 0; side < 4; side++) {
        const homogeneous *of_x = &plane[side & 1], *of_y = &plane[2 + (side >> 1)];
        bool sums = !is_at_infinity(of_x) && !is_at_infinity(of_y);
        int a = side & 1 ? -1 : 1, b = side >> 1 ? -1 : 1;
        line edge = sums ? meet_sides(row, a, b) : meet(of_x, of_y);
        for (int end = 0; end < 2; end++) {
            const int8_t *part = DEPTH[clip].row[end];
            const homogeneous *of_z = &plane[4 + end];
            homogeneous corner = sums && !is_at_infinity(of_z) ? meet_depth(row, &edge, a, b, part[0], part[1])
                                                               : meet_plane(&edge, of_z);
            int flips = (side & 1) + (side >> 1) + (part[1] < 0);
            for (int k = 0; k < 4; k++) {
                cube->corner[side + 4 * end][k] = (flips % 2 ? -sign : sign) * corner.x[k].hi;
            }
        }
    }
}

/* --- whether rounding leaves the corners as they are --- */

/* The magnitudes of numbers that add up to those of a row, a plane or a corner. */
typedef struct sizes {
    double x[4];
} sizes;

static void set_row_sizes(const float m[16], const float origin[3], sizes row[4]) {
    for (int r = 0; r < 4; r++) {
        row[r].x[3] = fabs((double)m[12 + r]);
        for (int k = 0; k < 3; k++) {
            row[r].x[k] = fabs((double)m[4 * k + r]);
            row[r].x[3] += row[r].x[k] * fabs((double)origin[k]);
        }
    }
}

/* Of plane k, which is the last row plus or minus another one; a normal that vanishes is exactly zero. */
static sizes plane_sizes(const sizes row[4], const homogeneous *plane, int k) {
    sizes s;
    for (int i = 0; i < 4; i++) {
        s.x[i] = i < 3 && is_at_infinity(plane) ? 0 : row[3].x[i] + row[k / 2].x[i];
    }
    return s;
}

/* Of a coordinate of the point in which three planes meet: a determinant. */
static double meeting_size(const sizes *a, const sizes *b, const sizes *c, int coordinate) {
    const int i = (coordinate + 1) % 4, j = (coordinate + 2) % 4, k = (coordinate + 3) % 4;
    return a->x[i] * (b->x[j] * c->x[k] + b->x[k] * c->x[j]) + a->x[j] * (b->x[i] * c->x[k] + b->x[k] * c->x[i]) +
           a->x[k] * (b->x[i] * c->x[j] + b->x[j] * c->x[i]);
}

/* The rounding of corners in double-double, in parts of their sizes; and what directions and places may suffer. */
static const double CORNER_ERROR = 0x1p-96, HARMLESS = 0x1p-52;

/* Whether all corners are what exact arithmetic would give, to within the rounding of doubles: of their own reach, or
 * of `extent`, the largest among those where runs begin. A w of 0 is taken as it is. */
static bool corners_are_certain(const abut_cull_cube *cube, const sizes plane[6], double extent) {
    for (int i = 0; i < 8; i++) {
        const sizes *of[3] = {&plane[i & 1], &plane[2 + (i >> 1 & 1)], &plane[4 + (i >> 2)]};
        const double *c = cube->corner[i], reach = fabs(c[0]) + fabs(c[1]) + fabs(c[2]);
        double allowed = HARMLESS * abut_max_d(reach, extent * fabs(c[3]));
        for (int k = 0; k < 4; k++) {
            double error = CORNER_ERROR * meeting_size(of[0], of[1], of[2], k);
            if (k < 3 ? error > allowed : c[3] != 0 && error > HARMLESS * fabs(c[3])) {
                return false;
            }
        }
    }
    return true;
}

static bool valid(const float m[16], abut_clip clip) {
    for (int i = 0; i < 16; i++) {
        if (!abut_bits_finite(m[i])) {
            return false;
        }
    }
    return clip == ABUT_CLIP_NEG_ONE_TO_ONE || clip == ABUT_CLIP_ZERO_TO_ONE || clip == ABUT_CLIP_REVERSED;
}

abut_result abut_frustum_from_matrix(const float view_projection[16], abut_clip clip, abut_frustum *frustum) {
    if (!frustum) {
        return ABUT_ERROR_ARGUMENT;
    }
    *frustum = (abut_frustum){.plane_count = 0};
    if (!view_projection || !valid(view_projection, clip)) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_cull_cube cube;
    homogeneous row[4], plane[6];
    sizes of_row[4], of_plane[6];
    for (int i = 0; i < 16; i++) {
        row[i % 4].x[i / 4] = abut_dd_from(view_projection[i]);
    }
    choose_origin(row, clip, cube.origin);
    for (int k = 0; k < 6; k++) { /* sums of rows are exact, but not beside large offsets from the origin */
        plane[k] = k < 4 ? side_plane(row, k) : depth_plane(row, clip, k - 4);
    }
    move_to(cube.origin, plane, 6);
    move_to(cube.origin, row, 4);
    int sign = sign_of_determinant(row);
    if (sign == 0) {
        return ABUT_ERROR_DEGENERATE;
    }
    set_corners(row, plane, sign, clip, &cube);
    for (int i = 0; i < 24; i++) {
        cube.plane[i / 4][i % 4] = plane[i / 4].x[i % 4].hi;
    }
    set_row_sizes(view_projection, cube.origin, of_row);
    for (int k = 0; k < 6; k++) {
        of_plane[k] = plane_sizes(of_row, &plane[k], k);
    }
    abut_result result = abut_cull_build(&cube, frustum);
    if (result == ABUT_OK && !corners_are_certain(&cube, of_plane, frustum->extent)) {
        abut_cull_trust_only_planes(frustum);
    }
    return result;
}
