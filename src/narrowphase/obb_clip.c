/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/obb_clip.h"
#include "narrowphase/feature.h"
#include <math.h>
#include <string.h>

/* The signs of the incident face's corners, in order round it: bit 0 along its first tangent, bit 1 along the second.
 */
static const uint32_t corner_signs[4] = {3, 2, 0, 1};

/* Incident edge e runs from corner e to the next: along the first tangent where e is even. */
static int edge_tangent(uint32_t edge) {
    return (int)(edge & 1);
}

static uint32_t incident_corner(const abut_np_faces *faces, uint32_t corner) {
    int u = (faces->incident_axis + 1) % 3, v = (faces->incident_axis + 2) % 3;
    return faces->incident_sign << faces->incident_axis | (corner_signs[corner] & 1) << u |
           (corner_signs[corner] >> 1) << v;
}

static void place_corner(const abut_np_faces *faces, uint32_t signs, double x[3]) {
    for (int i = 0; i < 3; i++) {
        x[i] = faces->t[i];
        for (int j = 0; j < 3; j++) {
            double step = faces->r[i][j] * faces->incident_half[j];
            x[i] += signs >> j & 1 ? step : -step;
        }
    }
}

static double beyond(const abut_np_faces *faces, const abut_np_clip_point *p, int axis, double sign) {
    return sign * p->x[axis] - faces->reference_half[axis];
}

/* Where the line from p to q meets the plane: put onto it exactly, so that a thin face clips by both its planes. */
static abut_np_clip_point crossing(const abut_np_clip_point *p, const abut_np_clip_point *q, double p_beyond,
                                   double q_beyond, int axis, double plane) {
    abut_np_clip_point out = *p;
    double s = p_beyond / (p_beyond - q_beyond);
    for (int i = 0; i < 3; i++) {
        out.x[i] = p->x[i] + s * (q->x[i] - p->x[i]);
    }
    out.x[axis] = plane;
    return out;
}

/* A convex polygon gains at most one point per plane. Rounding may bend a sliver, hence the guard. */
static void append(abut_np_polygon *polygon, const abut_np_clip_point *p, uint32_t leaves) {
    if (polygon->count < ABUT_NP_CLIP_MAX) {
        polygon->point[polygon->count] = *p;
        polygon->point[polygon->count++].leaves = leaves;
    }
}

/* Keeps what is behind side plane `side` or, by at most `on_plane`, before it: the corners of flush faces stay what
 * they are while the boxes jitter. */
static void clip_by(abut_np_polygon *polygon, const abut_np_faces *faces, uint32_t side) {
    int axis = (faces->reference_axis + 1 + (int)(side >> 1)) % 3;
    double sign = side & 1 ? 1 : -1, plane = sign * faces->reference_half[axis], on_plane = faces->on_plane;
    abut_np_polygon out = {.count = 0};
    for (int i = 0; i < polygon->count; i++) {
        const abut_np_clip_point *p = &polygon->point[i], *q = &polygon->point[(i + 1) % polygon->count];
        double p_beyond = beyond(faces, p, axis, sign), q_beyond = beyond(faces, q, axis, sign);
        if (p_beyond <= on_plane) {
            append(&out, p, p_beyond >= 0 && q_beyond > on_plane ? 4 + side : p->leaves);
        }
        if ((p_beyond < 0 && q_beyond > on_plane) || (p_beyond > on_plane && q_beyond < 0)) {
            abut_np_clip_point between = crossing(p, q, p_beyond, q_beyond, axis, plane);
            append(&out, &between, q_beyond > on_plane ? 4 + side : p->leaves);
        }
    }
    *polygon = out;
}

/* The reference edge on side plane `side`, as the signs that its two corners share. */
static uint32_t side_signs(const abut_np_faces *faces, uint32_t side) {
    int axis = (faces->reference_axis + 1 + (int)(side >> 1)) % 3;
    return faces->reference_sign << faces->reference_axis | (side & 1) << axis;
}

/* The corner of the reference face where two side planes meet, as signs. The two planes of a face without width are one
 * line; there the end that the point is nearer to names the corner. */
static uint32_t reference_corner(const abut_np_faces *faces, const double x[3], uint32_t arrives, uint32_t leaves) {
    uint32_t signs = side_signs(faces, leaves);
    if (arrives >> 1 != leaves >> 1) {
        return signs | side_signs(faces, arrives);
    }
    int end = (faces->reference_axis + 2 - (int)(leaves >> 1)) % 3;
    return signs | (uint32_t)(x[end] > 0) << end;
}

static uint32_t reference_edge(const abut_np_faces *faces, uint32_t side) {
    int along = (faces->reference_axis + 2 - (int)(side >> 1)) % 3;
    return abut_np_feature_edge(along, side_signs(faces, side));
}

static uint32_t incident_edge(const abut_np_faces *faces, uint32_t edge) {
    return abut_np_feature_edge((faces->incident_axis + 1 + edge_tangent(edge)) % 3, incident_corner(faces, edge));
}

/* Where both boxes touch with faces of one number, "x of one meets y of the other" needs to say which is which. */
static uint32_t pair_of(const abut_np_faces *faces, uint32_t on_reference, uint32_t on_incident) {
    bool same = faces->reference_axis == faces->incident_axis && faces->reference_sign == faces->incident_sign;
    return faces->reference_second ? abut_np_feature_pair(on_incident, on_reference, same)
                                   : abut_np_feature_pair(on_reference, on_incident, same);
}

/* A point is where two lines meet: two incident edges (a corner of the incident face over the reference face), two side
 * planes (a corner of the reference face under the incident one), or one of each (two edges cross). */
static uint32_t name_point(const abut_np_faces *faces, const double x[3], uint32_t arrives, uint32_t leaves) {
    uint32_t reference_face = abut_np_feature_face(faces->reference_axis, faces->reference_sign);
    uint32_t incident_face = abut_np_feature_face(faces->incident_axis, faces->incident_sign);
    uint32_t on_reference = reference_face, on_incident = incident_face;
    if (arrives < 4 && leaves < 4) {
        on_incident = abut_np_feature_vertex(incident_corner(faces, leaves));
    } else if (arrives >= 4 && leaves >= 4) {
        on_reference = abut_np_feature_vertex(reference_corner(faces, x, arrives - 4, leaves - 4));
    } else {
        on_reference = reference_edge(faces, (arrives < 4 ? leaves : arrives) - 4);
        on_incident = incident_edge(faces, arrives < 4 ? arrives : leaves);
    }
    return pair_of(faces, on_reference, on_incident);
}

void abut_np_obb_clip(const abut_np_faces *faces, abut_np_polygon *polygon) {
    *polygon = (abut_np_polygon){.count = 4};
    for (uint32_t c = 0; c < 4; c++) {
        place_corner(faces, incident_corner(faces, c), polygon->point[c].x);
        polygon->point[c].leaves = c;
    }
    for (uint32_t side = 0; side < 4 && polygon->count > 0; side++) {
        clip_by(polygon, faces, side);
    }
    for (int i = 0; i < polygon->count; i++) {
        int before = (i + polygon->count - 1) % polygon->count;
        abut_np_clip_point *p = &polygon->point[i];
        p->feature = name_point(faces, p->x, polygon->point[before].leaves, p->leaves);
    }
}

/* Squared distance from the corner to the reference face, and the point halfway. */
static double halfway_to_reference(const abut_np_faces *faces, const double corner[3], double middle[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double half = faces->reference_half[i], x = corner[i];
        double nearest = x > half ? half : x < -half ? -half : x;
        nearest = i != faces->reference_axis ? nearest : faces->reference_sign ? half : -half;
        middle[i] = (x + nearest) / 2;
        sum += (x - nearest) * (x - nearest);
    }
    return sum;
}

abut_np_clip_point abut_np_obb_stand_in(const abut_np_faces *faces) {
    abut_np_clip_point best = {.leaves = 0};
    double least = INFINITY;
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t signs = incident_corner(faces, c);
        double corner[3], middle[3];
        place_corner(faces, signs, corner);
        double distance = halfway_to_reference(faces, corner, middle);
        if (distance < least) {
            least = distance;
            memcpy(best.x, middle, sizeof best.x);
            uint32_t face = abut_np_feature_face(faces->reference_axis, faces->reference_sign);
            best.feature = pair_of(faces, face, abut_np_feature_vertex(signs));
        }
    }
    return best;
}
