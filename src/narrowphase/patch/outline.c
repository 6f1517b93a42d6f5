/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sutherland and Hodgman, "Reentrant polygon clipping" (1974). */
#include "narrowphase/patch/outline.h"
#include "narrowphase/feature.h"

uint32_t abut_np_face_count(const abut_np_seat *seat) {
    return seat->hull ? seat->hull->face_count : 6;
}

abut_d3 abut_np_face_normal(const abut_np_seat *seat, uint32_t face, double *offset) {
    if (seat->hull) {
        const abut_hull_plane *plane = &abut_hull_faces(seat->hull)[face].plane;
        *offset = plane->w;
        return abut_d3_load(plane->n);
    }
    abut_d3 n = {{0, 0, 0}};
    n.x[face / 2] = face & 1 ? 1 : -1;
    *offset = seat->half[face / 2];
    return n;
}

/* Edges and faces of a box are numbered as in feature.h. */
static uint32_t edge_of_box(uint32_t from, uint32_t to) {
    uint32_t axis = (from ^ to) == 1 ? 0 : (from ^ to) == 2 ? 1 : 2;
    return 8 + 4 * axis + (from >> ((axis + 1) % 3) & 1) + 2 * (from >> ((axis + 2) % 3) & 1);
}

static void outline_of_box(const abut_np_seat *seat, uint32_t face, abut_np_cut_face *out) {
    uint32_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, end = face & 1;
    static const uint32_t around[4] = {0, 1, 3, 2}; /* counter-clockwise for the positive end: bit 0 along u */
    out->face = 20 + face;
    out->count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bits = around[end ? i : 3 - i], next = around[end ? (i + 1) % 4 : (6 - i) % 4];
        uint32_t here = end << axis | (bits & 1) << u | bits >> 1 << v;
        uint32_t there = end << axis | (next & 1) << u | next >> 1 << v;
        abut_np_cut_corner *c = &out->corner[i];
        for (uint32_t k = 0; k < 3; k++) {
            c->at.x[k] = here >> k & 1 ? seat->half[k] : -seat->half[k];
        }
        c->feature = here;
        c->meets = ABUT_NP_TRIANGLE_FACE;
        c->edge = edge_of_box(here, there);
        c->edge_is_side = false;
    }
}

static void outline_of_hull(const abut_np_seat *seat, uint32_t face, abut_np_cut_face *out) {
    const abut_hull *hull = seat->hull;
    const abut_hull_polygon *polygon = &abut_hull_faces(hull)[face];
    const uint16_t *loop = abut_hull_indices(hull, hull->loop) + polygon->first;
    const uint16_t *sides = abut_hull_indices(hull, hull->sides) + polygon->first;
    out->face = hull->vertex_count + hull->edge_count + face;
    out->count = polygon->count < ABUT_NP_CUT_SIDES ? polygon->count : ABUT_NP_CUT_SIDES;
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t from = (uint32_t)((uint64_t)i * polygon->count / out->count);
        abut_np_cut_corner *c = &out->corner[i];
        for (int k = 0; k < 3; k++) {
            c->at.x[k] = seat->core.vertex[k][loop[from]];
        }
        c->feature = loop[from];
        c->meets = ABUT_NP_TRIANGLE_FACE;
        c->edge = hull->vertex_count + sides[from];
        c->edge_is_side = false;
    }
}

static void outline_of(const abut_np_seat *seat, uint32_t face, abut_np_cut_face *out) {
    (seat->hull ? outline_of_hull : outline_of_box)(seat, face, out);
}

/* Of a rod it is a side, where both ends lie, or an end. */
static uint32_t face_of_box(abut_d3 direction) {
    uint32_t best = 0;
    double most = -1;
    for (uint32_t k = 0; k < 3; k++) {
        double along = fabs(direction.x[k]);
        if (along > most) {
            best = 2 * k + (direction.x[k] < 0);
            most = along;
        }
    }
    return best;
}

static uint32_t face_of_hull(const abut_np_seat *seat, abut_d3 direction) {
    const abut_hull_polygon *face = abut_hull_faces(seat->hull);
    uint32_t best = 0;
    double least = 2;
    for (uint32_t f = 0; f < seat->hull->face_count; f++) {
        const double *n = face[f].plane.n;
        double along = n[0] * direction.x[0] + n[1] * direction.x[1] + n[2] * direction.x[2];
        best = along < least ? f : best;
        least = along < least ? along : least;
    }
    return best;
}

void abut_np_cut_face_against(const abut_np_seat *seat, abut_d3 direction, abut_np_cut_face *out) {
    outline_of(seat, seat->hull ? face_of_hull(seat, direction) : face_of_box(direction), out);
}

/* A plane that cuts: what is at most 0 above it stays. */
typedef struct cut {
    abut_d3 normal;
    double offset, near;
    uint32_t edge; /* the feature that makes it: a side of the triangle, or an edge of the core */
    bool edge_is_side;
} cut;

/* The corner between two ways, that of an earlier cut and that of this one. */
static abut_np_cut_corner crossing(const abut_np_cut_face *polygon, const abut_np_cut_corner *from,
                                   const abut_np_cut_corner *to, double d_from, double d_to, const cut *c) {
    abut_np_cut_corner out = *from;
    double t = d_from / (d_from - d_to);
    out.at = abut_d3_along(from->at, t, abut_d3_sub(to->at, from->at));
    if (c->edge_is_side) {
        bool corner = from->edge_is_side; /* of the triangle, under the face */
        out.feature = corner ? polygon->face : from->edge;
        out.meets = corner ? (c->edge == (from->edge + 1) % 3 ? c->edge : from->edge) : ABUT_NP_TRIANGLE_SIDE + c->edge;
    } else {
        bool corner = !from->edge_is_side; /* of the core's face, over the triangle */
        out.feature = corner ? from->edge * 64 + c->edge % 64 : c->edge;
        out.meets = corner ? ABUT_NP_TRIANGLE_FACE : ABUT_NP_TRIANGLE_SIDE + from->edge;
    }
    return out;
}

/* Cuts `from`; false if nothing changes, and *to is not written. */
static bool cut_by(const cut *c, const abut_np_cut_face *from, abut_np_cut_face *to) {
    double above[ABUT_NP_CUT_MAX];
    uint32_t beyond = 0, count = from->count;
    for (uint32_t i = 0; i < count; i++) {
        above[i] = abut_d3_dot(c->normal, from->corner[i].at) - c->offset;
        beyond += above[i] > c->near;
    }
    if (beyond == 0) {
        return false;
    }
    to->count = 0;
    to->face = from->face;
    for (uint32_t i = 0; i < count && beyond < count; i++) {
        uint32_t next = i + 1 < count ? i + 1 : 0;
        bool stays = above[i] <= c->near, next_stays = above[next] <= c->near;
        if (stays && to->count < ABUT_NP_CUT_MAX) {
            to->corner[to->count++] = from->corner[i];
        }
        if (stays != next_stays && to->count < ABUT_NP_CUT_MAX) {
            abut_np_cut_corner *out = &to->corner[to->count++];
            *out = crossing(from, &from->corner[i], &from->corner[next], above[i], above[next], c);
            if (stays) { /* from here the way runs along the cut */
                out->edge = c->edge;
                out->edge_is_side = c->edge_is_side;
            }
        }
    }
    return true;
}

const abut_np_cut_face *abut_np_cut_by_triangle(const abut_np_facing *facing, double near,
                                                abut_np_cut_face outline[2]) {
    uint32_t at = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const cut c = {facing->out[k], facing->outline[k], near * facing->length[k], k, true};
        at ^= cut_by(&c, &outline[at], &outline[at ^ 1]);
    }
    return &outline[at];
}

const abut_np_cut_face *abut_np_cut_triangle(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t face,
                                             abut_np_cut_face outline[2]) {
    abut_np_cut_face sides, *out = &outline[0];
    uint32_t at = 0;
    double offset;
    const abut_d3 normal = abut_np_face_normal(seat, face, &offset);
    outline_of(seat, face, &sides);
    out->face = sides.face;
    out->count = 3;
    for (uint32_t k = 0; k < 3; k++) {
        out->corner[k] = (abut_np_cut_corner){facing->corner[k], sides.face, k, k, true};
    }
    for (uint32_t i = 0; i < sides.count; i++) {
        const abut_d3 from = sides.corner[i].at, to = sides.corner[i + 1 < sides.count ? i + 1 : 0].at;
        const abut_d3 out_of = abut_d3_cross(abut_d3_sub(to, from), normal);
        const cut c = {out_of, abut_d3_dot(out_of, from), 0, sides.corner[i].edge, false};
        at ^= cut_by(&c, &outline[at], &outline[at ^ 1]);
    }
    return &outline[at];
}
