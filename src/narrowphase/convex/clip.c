/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/clip.h"
#include <assert.h>

/* A polygon in the frame of the reference face. Line k, a side of either face, runs from point k to the next one. */
typedef struct polygon {
    abut_d3 point[ABUT_NP_POLYGON_MAX];
    uint16_t line[ABUT_NP_POLYGON_MAX]; /* side of the incident face, or FIRST_REFERENCE + side of the reference face */
    uint32_t count;
} polygon;

enum { FIRST_REFERENCE = ABUT_NP_SIDES_MAX };

/* The vertices of a face that are used, in order, each with the edge that begins there. */
typedef struct outline {
    uint16_t vertex[ABUT_NP_SIDES_MAX], edge[ABUT_NP_SIDES_MAX];
    uint32_t count;
} outline;

/* The place in a face of its k-th vertex that is used: all are, or else ABUT_NP_SIDES_MAX of them, evenly chosen. */
static uint32_t place_of(const abut_hull_polygon *f, uint32_t k) {
    return f->count > ABUT_NP_SIDES_MAX ? k * f->count / ABUT_NP_SIDES_MAX : k;
}

static void use_vertex(const abut_hull *hull, const abut_hull_polygon *f, uint32_t place, uint32_t k, outline *out) {
    out->vertex[k] = abut_hull_indices(hull, hull->loop)[f->first + place];
    out->edge[k] = abut_hull_indices(hull, hull->sides)[f->first + place];
}

static void outline_of(const abut_hull *hull, uint32_t face, outline *out) {
    const abut_hull_polygon *f = &abut_hull_faces(hull)[face];
    out->count = f->count > ABUT_NP_SIDES_MAX ? ABUT_NP_SIDES_MAX : f->count;
    for (uint32_t k = 0; k < out->count; k++) {
        use_vertex(hull, f, place_of(f, k), k, out);
    }
}

abut_np_plane_frame abut_np_face_frame_in(const abut_hull *hull, uint32_t face, const abut_hull_plane *plane) {
    const abut_hull_polygon *f = &abut_hull_faces(hull)[face];
    const uint16_t *loop = abut_hull_indices(hull, hull->loop);
    abut_np_plane_frame out = {.origin = abut_np_vertex(hull, loop[f->first])};
    abut_d3 n = abut_d3_load(plane->n);
    /* The direction of the side that starts at the origin, made perpendicular to n: it depends on the face alone. */
    abut_d3 u = abut_d3_sub(abut_np_vertex(hull, loop[f->first + 1]), out.origin);
    u = abut_d3_along(u, -abut_d3_dot(u, n), n);
    if (!abut_d3_normalise(&u)) { /* the side of a plate or rod has no length; its normal is an axis */
        u = (abut_d3){{n.x[1], n.x[2], n.x[0]}};
    }
    out.origin = abut_d3_along(out.origin, plane->w - abut_d3_dot(out.origin, n), n);
    out.axis[0] = u;
    out.axis[1] = abut_d3_cross(n, u);
    out.axis[2] = n;
    return out;
}

abut_np_plane_frame abut_np_face_frame(const abut_hull *hull, uint32_t face) {
    return abut_np_face_frame_in(hull, face, &abut_hull_faces(hull)[face].plane);
}

/* Of the facets beside some edges, the one whose normal is most opposed to d, or the first of those; of those beside an
 * edge that lies flush if there is one. */
typedef struct opposed {
    double least;
    uint32_t facet;
    bool flush;
} opposed;

static inline void oppose(const abut_hull_plane *planes, abut_d3 d, uint32_t facet, bool is_flush, opposed *o) {
    const double dot = abut_d3_dot(abut_d3_load(planes[facet].n), d);
    const bool lower = (dot < o->least) | ((dot == o->least) & (facet < o->facet));
    if ((is_flush & !o->flush) | ((is_flush == o->flush) & lower)) {
        o->facet = facet;
        o->least = dot;
    }
    o->flush = o->flush || is_flush;
}

/* All edges of a box: they are flush if both ends lie at most so high. Those of a plate that have no length lie flush
 * however it is tilted, and say nothing. */
static void oppose_box(const abut_hull *hull, abut_d3 d, double height, opposed *o) {
    const abut_hull_plane *planes = abut_hull_planes(hull);
    const float *half = &hull->obb.half.x;
    bool low[8];
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        low[v] = abut_d3_dot(d, abut_np_vertex(hull, v)) <= height;
    }
    for (uint32_t k = 0; k < hull->edge_count; k++) {
        const abut_hull_edge *e = &abut_hull_edges(hull)[k];
        const bool has_length = half[k / 4] > 0; /* edge k is parallel to axis k / 4: see feature.h */
        const bool is_flush = low[e->v[0]] & low[e->v[1]] & has_length;
        oppose(planes, d, e->f[0], is_flush, o);
        oppose(planes, d, e->f[1], is_flush, o);
    }
}

/* Edges at a vertex that lies at most so high. Each facet around it is to the left of one of them, seen from there, so
 * that the others matter only beside edges that lie flush. */
static void oppose_vertex(const abut_hull *hull, abut_d3 d, uint32_t vertex, double height, opposed *o) {
    const uint16_t *first = abut_hull_indices(hull, hull->vertex_edges_first);
    const uint16_t *vertex_edges = abut_hull_indices(hull, hull->vertex_edges);
    const abut_hull_edge *edges = abut_hull_edges(hull);
    const abut_hull_plane *planes = abut_hull_planes(hull);
    for (uint32_t k = first[vertex], end = first[vertex + 1]; k < end; k++) {
        const abut_hull_edge *e = &edges[vertex_edges[k]];
        const uint32_t begins = e->v[0] == vertex;
        const bool is_flush = abut_d3_dot(d, abut_np_vertex(hull, e->v[begins])) <= height;
        oppose(planes, d, e->f[!begins], is_flush, o);
        if (is_flush) {
            oppose(planes, d, e->f[begins], true, o);
        }
    }
}

uint32_t abut_np_face_against(const abut_hull *hull, abut_d3 d, uint32_t vertex, double resting) {
    const double height = abut_d3_dot(d, abut_np_vertex(hull, vertex)) + resting;
    opposed o = {.least = INFINITY};
    if (hull->digest == 0) {
        oppose_box(hull, d, height, &o);
    } else {
        oppose_vertex(hull, d, vertex, height, &o);
    }
    return abut_hull_indices(hull, hull->face_of)[o.facet];
}

static abut_d3 into_frame(const abut_np_plane_frame *frame, abut_d3 p) {
    abut_d3 d = abut_d3_sub(p, frame->origin);
    return (abut_d3){{abut_d3_dot(d, frame->axis[0]), abut_d3_dot(d, frame->axis[1]), abut_d3_dot(d, frame->axis[2])}};
}

static void append(polygon *out, const abut_d3 *p, uint32_t line) {
    if (out->count < ABUT_NP_POLYGON_MAX) { /* rounding may make a sliver concave, and then add a point */
        out->point[out->count] = *p;
        out->line[out->count++] = (uint16_t)line;
    }
}

/* Where the line from p to q crosses a plane, given how far each is beyond it. */
static abut_d3 crossing_of(const abut_d3 *p, const abut_d3 *q, double p_beyond, double q_beyond) {
    double s = p_beyond / (p_beyond - q_beyond);
    return (abut_d3){
        {p->x[0] + s * (q->x[0] - p->x[0]), p->x[1] + s * (q->x[1] - p->x[1]), p->x[2] + s * (q->x[2] - p->x[2])}};
}

/* The side planes of the reference face: where each starts, and the direction of its side. */
typedef struct side_planes {
    abut_d3 start[ABUT_NP_SIDES_MAX];
    double u[ABUT_NP_SIDES_MAX], v[ABUT_NP_SIDES_MAX]; /* unit */
    uint32_t count;
} side_planes;

/* A side without length (of a plate or rod, which is a box) is taken to be perpendicular to the one before it, which
 * has a length unless no side of the box has one. */
static void direct_empty_sides(side_planes *s) {
    for (uint32_t k = 0; k < s->count; k++) {
        if (s->u[k] != 0 || s->v[k] != 0) {
            continue;
        }
        const uint32_t before = (k > 0 ? k : s->count) - 1;
        const double u = -s->v[before], v = s->u[before];
        s->u[k] = u == 0 && v == 0 ? 1 : u;
        s->v[k] = v;
    }
}

static void find_side_planes(const abut_hull *hull, const outline *o, const abut_np_plane_frame *frame,
                             side_planes *s) {
    s->count = o->count;
    for (uint32_t k = 0; k < o->count; k++) {
        s->start[k] = into_frame(frame, abut_np_vertex(hull, o->vertex[k]));
    }
    for (uint32_t k = 0; k < o->count; k++) {
        const abut_d3 *from = &s->start[k], *to = &s->start[k + 1 < o->count ? k + 1 : 0];
        double u = to->x[0] - from->x[0], v = to->x[1] - from->x[1], length = sqrt(u * u + v * v);
        s->u[k] = length > 0 ? u / length : 0;
        s->v[k] = length > 0 ? v / length : 0;
    }
    direct_empty_sides(s);
}

/* Keeps the part of the polygon that is behind side plane k, or beyond it by at most on_plane, so that the corners of
 * flush faces stay corners while the bodies jitter. False, and nothing written, where that is all of it. */
static bool clip_by(const polygon *in, const side_planes *s, uint32_t k, double on_plane, polygon *out) {
    const abut_d3 *from = &s->start[k];
    double beyond[ABUT_NP_POLYGON_MAX], most = -INFINITY;
    for (uint32_t i = 0; i < in->count; i++) {
        beyond[i] = (in->point[i].x[0] - from->x[0]) * s->v[k] - (in->point[i].x[1] - from->x[1]) * s->u[k];
        most = abut_max_d(most, beyond[i]);
    }
    if (most <= on_plane) {
        return false;
    }
    out->count = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        uint32_t next = i + 1 < in->count ? i + 1 : 0, line = FIRST_REFERENCE + k;
        bool leaves = beyond[next] > on_plane;
        if (beyond[i] <= on_plane) {
            append(out, &in->point[i], beyond[i] >= 0 && leaves ? line : in->line[i]);
        }
        if ((beyond[i] < 0 && leaves) || (beyond[i] > on_plane && beyond[next] < 0)) {
            abut_d3 crossing = crossing_of(&in->point[i], &in->point[next], beyond[i], beyond[next]);
            append(out, &crossing, leaves ? line : in->line[i]);
        }
    }
    return true;
}

/* The vertex of the reference face between two of its sides; if they do not meet, an end of the second. */
static uint32_t corner_between(const outline *o, uint32_t arrives, uint32_t leaves) {
    return o->vertex[(leaves + 1 < o->count ? leaves + 1 : 0) == arrives ? arrives : leaves];
}

/* A point is where two lines meet: two sides of the incident face (a vertex of it over the reference face), two sides
 * of the reference face (a vertex of it under the incident face), or one of each (two edges cross). */
static void find_features(const abut_np_side *side, const uint32_t face[2], const outline *reference,
                          const outline *incident, uint32_t arrives, uint32_t leaves, uint32_t features[2]) {
    features[0] = abut_np_face_feature(side->own, face[0]);
    features[1] = abut_np_face_feature(side->other, face[1]);
    if (arrives < FIRST_REFERENCE && leaves < FIRST_REFERENCE) {
        features[1] = incident->vertex[leaves];
    } else if (arrives >= FIRST_REFERENCE && leaves >= FIRST_REFERENCE) {
        features[0] = corner_between(reference, arrives - FIRST_REFERENCE, leaves - FIRST_REFERENCE);
    } else {
        uint32_t on_reference = (arrives < FIRST_REFERENCE ? leaves : arrives) - FIRST_REFERENCE;
        features[0] = abut_np_edge_feature(side->own, reference->edge[on_reference]);
        features[1] = abut_np_edge_feature(side->other, incident->edge[arrives < FIRST_REFERENCE ? arrives : leaves]);
    }
}

/* Puts every used vertex of the incident face into the frame of the reference face. */
static void place_incident(const abut_np_side *side, const outline *o, const abut_np_plane_frame *frame, polygon *out) {
    out->count = o->count;
    for (uint32_t k = 0; k < o->count; k++) {
        out->point[k] = into_frame(frame, abut_np_point_back(side, abut_np_vertex(side->other, o->vertex[k])));
        out->line[k] = (uint16_t)k;
    }
}

/* If all vertices that are used lie higher than vertex `deepest` of the face, by more than `tolerance`, it takes the
 * place of the one before it. */
static void use_deepest(const abut_np_side *side, uint32_t face, uint32_t deepest, double tolerance,
                        const abut_np_plane_frame *frame, outline *o, polygon *placed) {
    const abut_hull_polygon *f = &abut_hull_faces(side->other)[face];
    const uint16_t *loop = abut_hull_indices(side->other, side->other->loop) + f->first;
    abut_d3 p = into_frame(frame, abut_np_point_back(side, abut_np_vertex(side->other, deepest)));
    uint32_t place = 0, before = 0;
    for (uint32_t k = 0; k < placed->count; k++) {
        if (placed->point[k].x[2] <= p.x[2] + tolerance) {
            return;
        }
    }
    while (loop[place] != deepest) { /* faces are merged so that all vertices of their facets stay in their loops */
        place++;
        assert(place < f->count);
    }
    while (before + 1 < o->count && place_of(f, before + 1) <= place) {
        before++;
    }
    use_vertex(side->other, f, place, before, o);
    placed->point[before] = p;
}

void abut_np_convex_clip(const abut_np_side *side, uint32_t reference, uint32_t incident, uint32_t deepest,
                         double on_plane, const abut_np_plane_frame *frame, abut_np_overlay *out) {
    outline reference_outline, incident_outline;
    outline_of(side->own, reference, &reference_outline);
    outline_of(side->other, incident, &incident_outline);
    polygon buffer[2];
    int now = 0;
    place_incident(side, &incident_outline, frame, &buffer[0]);
    if (abut_hull_faces(side->other)[incident].count > ABUT_NP_SIDES_MAX) {
        use_deepest(side, incident, deepest, on_plane, frame, &incident_outline, &buffer[0]);
    }
    side_planes planes;
    find_side_planes(side->own, &reference_outline, frame, &planes);
    for (uint32_t k = 0; k < reference_outline.count && buffer[now].count; k++) {
        now = clip_by(&buffer[now], &planes, k, on_plane, &buffer[1 - now]) ? 1 - now : now;
    }
    const polygon *rest = &buffer[now];
    const uint32_t face[2] = {reference, incident};
    out->count = rest->count;
    for (uint32_t k = 0; k < rest->count; k++) {
        uint32_t features[2], arrives = rest->line[(k > 0 ? k : rest->count) - 1];
        find_features(side, face, &reference_outline, &incident_outline, arrives, rest->line[k], features);
        out->point[k] = rest->point[k];
        out->on_reference[k] = features[0];
        out->on_incident[k] = features[1];
    }
}
