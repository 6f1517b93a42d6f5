/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/cut.h"
#include "narrowphase/convex/clip.h"
#include "narrowphase/tolerance.h"

/* Corners, edges and faces of a box are numbered as in feature.h: bit k of a corner is its end of axis k. The corners
 * of a face run counter-clockwise seen from outside; each has the edge to the next. */
static const abut_np_cut_corner box_faces[6][4] = {
    {{4, 13, false, 6}, {6, 18, false, 6}, {2, 12, false, 6}, {0, 16, false, 6}},
    {{1, 14, false, 6}, {3, 19, false, 6}, {7, 15, false, 6}, {5, 17, false, 6}},
    {{1, 17, false, 6}, {5, 10, false, 6}, {4, 16, false, 6}, {0, 8, false, 6}},
    {{2, 18, false, 6}, {6, 11, false, 6}, {7, 19, false, 6}, {3, 9, false, 6}},
    {{2, 9, false, 6}, {3, 14, false, 6}, {1, 8, false, 6}, {0, 12, false, 6}},
    {{4, 10, false, 6}, {5, 15, false, 6}, {7, 11, false, 6}, {6, 13, false, 6}},
};

/* The feature number of a core's first face. */
static uint32_t first_face(const abut_np_seat *seat) {
    return seat->hull ? seat->hull->vertex_count + seat->hull->edge_count : ABUT_NP_BOX_FACE;
}

static void outline_of_box(const abut_np_seat *seat, uint32_t face, abut_np_cut_face *out) {
    out->face = first_face(seat) + face;
    out->count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        out->corner[i] = box_faces[face][i];
        for (uint32_t k = 0; k < 3; k++) {
            out->at[k][i] = out->corner[i].feature >> k & 1 ? seat->half[k] : -seat->half[k];
        }
    }
}

static void outline_of_hull(const abut_np_seat *seat, uint32_t face, abut_np_cut_face *out) {
    const abut_hull *hull = seat->hull;
    const abut_hull_polygon *polygon = &abut_hull_faces(hull)[face];
    const uint16_t *loop = abut_hull_indices(hull, hull->loop) + polygon->first;
    const uint16_t *sides = abut_hull_indices(hull, hull->sides) + polygon->first;
    out->face = first_face(seat) + face;
    out->count = polygon->count < ABUT_NP_CUT_SIDES ? polygon->count : ABUT_NP_CUT_SIDES;
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t from = (uint32_t)((uint64_t)i * polygon->count / out->count);
        for (int k = 0; k < 3; k++) {
            out->at[k][i] = seat->core.vertex[k][loop[from]];
        }
        out->corner[i] = (abut_np_cut_corner){loop[from], (uint16_t)(hull->vertex_count + sides[from]), false,
                                              ABUT_NP_TRIANGLE_FACE};
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

/* The same face as of a hull on another hull: one that has the lowest corner, and the lowest edge where one lies flush.
 */
static uint32_t face_of_hull(const abut_np_seat *seat, abut_d3 direction, uint32_t lowest) {
    return abut_np_face_against(seat->hull, direction, lowest, ABUT_NP_RESTING * seat->smallest);
}

/* The lowest corner of a hull, where the face against the triangle does not have it. */
static void add_lowest(const abut_np_over *over, abut_np_cut_face *face) {
    const abut_np_facing *f = over->facing;
    bool shown = false;
    for (uint32_t i = 0; i < face->count; i++) {
        shown = shown || abut_d3_dot(f->normal, abut_d3_sub(over->lowest, abut_np_cut_at(face, i))) >= -over->near;
    }
    for (int k = 0; k < 3; k++) {
        shown = shown || abut_d3_dot(f->out[k], over->lowest) - f->outline[k] > 0;
    }
    if (!shown) {
        for (int k = 0; k < 3; k++) {
            face->at[k][face->count] = over->lowest.x[k];
        }
        face->corner[face->count++] = (abut_np_cut_corner){over->vertex, 0, false, ABUT_NP_TRIANGLE_FACE};
    }
}

void abut_np_over_begin(const abut_np_seat *seat, const abut_np_facing *f, double near, abut_np_over *over) {
    over->facing = f;
    over->near = near;
    over->lowest = abut_np_seat_lowest(seat, f->normal, &over->vertex);
    over->height = abut_d3_dot(f->normal, over->lowest) - f->height;
    over->face = NULL;
}

const abut_np_cut_face *abut_np_over_face(const abut_np_seat *seat, abut_np_over *over) {
    const abut_np_facing *f = over->facing;
    abut_np_cut cuts[3];
    if (over->face) {
        return over->face;
    }
    over->face = &over->room;
    if (!seat->hull) {
        const uint32_t face = face_of_box(f->normal);
        over->face->face = first_face(seat) + face;
        seat->patch_kernels->over_box(seat, f, over->near, box_faces[face], over->face);
        return over->face;
    }
    outline_of(seat, face_of_hull(seat, f->normal, over->vertex), over->face);
    for (uint32_t k = 0; k < 3; k++) {
        cuts[k] = (abut_np_cut){f->out[k], f->outline[k], over->near * f->length[k], (uint16_t)k, true};
    }
    seat->patch_kernels->cut(cuts, 3, over->face);
    add_lowest(over, over->face);
    seat->patch_kernels->lower(f, over->near, over->face);
    return over->face;
}

/* The normal of the face beyond an edge (a feature) of this one. */
static abut_d3 normal_beyond(const abut_np_seat *seat, uint32_t face, uint32_t edge) {
    abut_d3 n = {{0, 0, 0}};
    if (seat->hull) {
        const abut_hull *hull = seat->hull;
        const uint16_t *facet = abut_hull_edges(hull)[edge - hull->vertex_count].f;
        bool is_first = abut_hull_indices(hull, hull->face_of)[facet[0]] == face;
        return abut_d3_load(abut_hull_planes(hull)[facet[is_first]].n);
    }
    const uint32_t along = (edge - 8) / 4, k = 3 - face / 2 - along;
    n.x[k] = 2 * (int)(edge >> (k != (along + 1) % 3) & 1) - 1; /* nobody predicts it */
    return n;
}

/* Whether an edge leads down from a vertex of a hull. */
static bool leads_down(const abut_np_seat *seat, uint32_t vertex, abut_d3 up) {
    const abut_hull *hull = seat->hull;
    const abut_hull_edge *edges = abut_hull_edges(hull);
    const uint16_t *first = abut_hull_indices(hull, hull->vertex_edges_first);
    const uint16_t *edge = abut_hull_indices(hull, hull->vertex_edges);
    bool down = false;
    for (uint32_t i = first[vertex]; i < first[vertex + 1]; i++) {
        const uint16_t *end = edges[edge[i]].v;
        double rise = 0;
        for (int k = 0; k < 3; k++) {
            const float *at = seat->core.vertex[k];
            rise += up.x[k] * ((double)at[end[0]] + at[end[1]] - 2 * (double)at[vertex]);
        }
        down = down || rise < -ABUT_NP_RESTING * seat->smallest;
    }
    return down;
}

/* Whether from an edge of a face, where the plane through side k of the triangle cuts it, that plane leads down along
 * the face beyond the edge. */
static bool side_leads_down(const abut_np_seat *seat, const abut_np_facing *f, uint32_t face, uint32_t edge,
                            uint32_t k) {
    double offset;
    const abut_d3 way = abut_d3_cross(normal_beyond(seat, face, edge), f->out[k]);
    bool inward = abut_d3_dot(abut_np_face_normal(seat, face, &offset), way) < 0;
    double rise = abut_d3_dot(f->normal, way);
    return (inward ? rise : -rise) < -0x1p-20 * f->length[k];
}

/* Core and planes are convex: a corner is the lowest if nothing around it is lower. What of that belongs to the face
 * is no lower. */
bool abut_np_over_has_lowest(const abut_np_seat *seat, abut_np_over *over) {
    const abut_np_facing *f = over->facing;
    const abut_np_cut_face *face = abut_np_over_face(seat, over);
    uint32_t lowest = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < face->count; i++) {
        bool lower = face->height[i] < least;
        lowest = lower ? i : lowest;
        least = lower ? face->height[i] : least;
    }
    const abut_np_cut_corner *c = &face->corner[lowest];
    if (face->count == 0) {
        return false;
    }
    if (c->meets == ABUT_NP_TRIANGLE_FACE) { /* a corner of the core; of a box only the face leads down from it */
        return !seat->hull || !leads_down(seat, c->feature, f->normal);
    }
    /* On an edge of the core; or below a corner of the triangle, with nothing but the face around it. */
    return c->meets < ABUT_NP_TRIANGLE_SIDE ||
           !side_leads_down(seat, f, face->face - first_face(seat), c->feature, c->meets - ABUT_NP_TRIANGLE_SIDE);
}

/* The way out of a face across its side i. Sides of rods and plates may have no length, but bound their face as well:
 * at the end of a rod only what lies right before that point is under it. */
static abut_d3 out_across(const abut_np_seat *seat, uint32_t face, const abut_np_cut_face *sides, uint32_t i) {
    abut_d3 out = {{0, 0, 0}};
    if (seat->hull) {
        double offset;
        const abut_d3 way =
            abut_d3_sub(abut_np_cut_at(sides, i + 1 < sides->count ? i + 1 : 0), abut_np_cut_at(sides, i));
        return abut_d3_cross(way, abut_np_face_normal(seat, face, &offset));
    }
    const abut_np_cut_corner *from = &sides->corner[i];
    const uint32_t along = (from->edge - 8u) / 4, across = 3 - face / 2 - along;
    out.x[across] = 2 * (int)(from->feature >> across & 1) - 1; /* nobody predicts it */
    return out;
}

/* Turns a plane across a face so that it leads along a way, through the same edge, which is moved `by` so much out of
 * the face. */
static void lean_on(const abut_np_seat *seat, uint32_t face, abut_d3 along, double by, abut_np_cut *cut) {
    double offset;
    const abut_d3 n = abut_np_face_normal(seat, face, &offset);
    const double lean = abut_d3_dot(cut->normal, along) / abut_d3_dot(n, along);
    cut->normal = abut_d3_along(cut->normal, -lean, n);
    cut->offset -= lean * (offset + by);
}

/* Whether a face has an area. What is cut by both sides of one that has none lies on them, but for rounding. */
static bool has_width(const abut_np_seat *seat, uint32_t face) {
    const uint32_t across = face / 2;
    return seat->hull || (seat->half[(across + 1) % 3] > 0 && seat->half[(across + 2) % 3] > 0);
}

void abut_np_cut_triangle(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t face, const abut_d3 *along,
                          double by, abut_np_cut_face *out) {
    abut_np_cut_face sides; /* of the face */
    abut_np_cut cuts[ABUT_NP_CUT_SIDES];
    outline_of(seat, face, &sides);
    out->face = sides.face;
    out->count = 3;
    for (uint32_t k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            out->at[i][k] = facing->corner[k].x[i];
        }
        out->corner[k] = (abut_np_cut_corner){sides.face, (uint16_t)k, true, (uint8_t)k};
    }
    const double near = has_width(seat, face) ? 0 : ABUT_NP_ROUND_SLACK * facing->size;
    for (uint32_t i = 0; i < sides.count; i++) {
        const abut_d3 out_of = out_across(seat, face, &sides, i);
        const double offset = abut_d3_dot(out_of, abut_np_cut_at(&sides, i));
        cuts[i] = (abut_np_cut){out_of, offset, near, sides.corner[i].edge, false};
        if (along) {
            lean_on(seat, face, *along, by, &cuts[i]);
        }
    }
    seat->patch_kernels->cut(cuts, sides.count, out);
}
