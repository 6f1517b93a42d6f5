/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/manifold.h"
#include "narrowphase/along.h"
#include "narrowphase/convex/box_as_hull.h"
#include "narrowphase/convex/clip.h"
#include "narrowphase/deep.h"
#include "narrowphase/feature.h"
#include "narrowphase/kernels.h"
#include "narrowphase/tolerance.h"
#include <string.h>

/* A hull's frame, to transform points and directions into the world. */
typedef struct frame {
    double axes[3][3];
    abut_d3 origin;
} frame;

static void frame_of(const abut_np_convex_pair *pair, const abut_collider *collider, bool is_b, frame *out) {
    out->origin = abut_d3_from(collider->center);
    if (is_b) {
        abut_dquat_matrix(abut_dquat_from(collider->rotation), out->axes);
    } else {
        memcpy(out->axes, pair->axes_a, sizeof out->axes);
    }
}

static abut_d3 point_to_world(frame *from, abut_d3 p) {
    return abut_d3_along(from->origin, 1, abut_d3_rotate(from->axes, p));
}

static abut_d3 direction_to_world(frame *from, abut_d3 d, double sign) {
    d = abut_d3_rotate(from->axes, d);
    return (abut_d3){{sign * d.x[0], sign * d.x[1], sign * d.x[2]}};
}

/* The id of a point where feature `first` of the first hull meets `second` of the other. For two equal shapes it does
 * not show which feature belongs to which shape, since their order may change from step to step, unless both ways could
 * occur in one manifold. Two boxes, which come here where they lie apart, have the ids that they have where they
 * overlap. */
static uint32_t feature_pair(const abut_np_convex_pair *pair, uint32_t first, uint32_t second, bool same_face) {
    if (pair->side[0].own->digest == 0 && pair->side[1].own->digest == 0) {
        return abut_np_feature_pair(first, second, same_face);
    }
    bool equal = pair->side[0].own->digest == pair->side[1].own->digest, swap = equal && first > second;
    uint32_t low = swap ? second : first, high = swap ? first : second;
    return low | high << 16 | (swap && same_face ? UINT32_C(1) << 31 : 0);
}

/* The points of an overlay that may become contact points. */
typedef struct points {
    abut_np_overlay *overlay;
    uint32_t use[ABUT_NP_POLYGON_MAX]; /* indices into the overlay */
    uint32_t count;
} points;

/* The squared distance in the plane of the reference face. */
static double distance2(const points *p, uint32_t i, uint32_t j) {
    const abut_d3 *a = &p->overlay->point[p->use[i]], *b = &p->overlay->point[p->use[j]];
    double u = b->x[0] - a->x[0], v = b->x[1] - a->x[1];
    return u * u + v * v;
}

/* Of points at one position, or of the same features, the deepest stays. */
static void drop_repeated(points *p, double same_position) {
    const abut_np_overlay *o = p->overlay;
    for (uint32_t i = 0; i < p->count; i++) {
        for (uint32_t j = i + 1; j < p->count;) {
            uint32_t a = p->use[i], b = p->use[j];
            uint32_t differ = (o->on_reference[a] ^ o->on_reference[b]) | (o->on_incident[a] ^ o->on_incident[b]);
            if ((differ != 0) & (distance2(p, i, j) > same_position * same_position)) {
                j++;
                continue;
            }
            bool deeper = o->point[b].x[2] < o->point[a].x[2];
            p->use[i] = deeper ? b : a;
            memmove(&p->use[j], &p->use[j + 1], (--p->count - j) * sizeof p->use[0]);
            j = deeper ? i + 1 : j; /* point i has new features and a new position */
        }
    }
}

static uint32_t deepest_of(const points *p) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->count; i++) {
        best = p->overlay->point[p->use[i]].x[2] < p->overlay->point[p->use[best]].x[2] ? i : best;
    }
    return best;
}

/* How four points are chosen. */
typedef struct chooser {
    double d[2];  /* ABUT_NP_CHOOSING of the first hull, along the reference face, whichever hull has that */
    double sense; /* 1: the reference face is the first hull's; -1: the second's, and left and right are swapped */
    double radii, separation; /* of both; of the cores: no point counts as deeper */
    double extent;            /* of the smaller hull */
    double noise;             /* the deepest point itself may be so much less deep than the face */
} chooser;

static chooser make_chooser(const abut_np_convex_pair *pair, const abut_np_plane_frame *plane, bool on_b, double radii,
                            double separation, double noise) {
    abut_d3 d = on_b ? abut_np_turned(&pair->side[0], ABUT_NP_CHOOSING) : ABUT_NP_CHOOSING;
    return (chooser){{abut_d3_dot(d, plane->axis[0]), abut_d3_dot(d, plane->axis[1])},
                     on_b ? -1 : 1,
                     radii,
                     separation,
                     pair->small,
                     noise};
}

/* The point farthest along the chooser's direction (sign 1) or against it (-1). */
static uint32_t outermost(const points *p, const chooser *c, double sign) {
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        const double *x = p->overlay->point[p->use[i]].x;
        double along = sign * (x[0] * c->d[0] + x[1] * c->d[1]);
        best = along > most ? i : best;
        most = along > most ? along : most;
    }
    return best;
}

/* The point that spans the largest area to the left (sign 1) or to the right (-1) of the line from i to j; i where
 * there is none. So symmetric points differ, areas count up to an eighth more towards one end of the line on one side
 * of it, and towards the other end on the other: what is chosen of a symmetric polygon is symmetric, and pulls no body
 * aside. */
static uint32_t farthest_beside(const points *p, const chooser *c, uint32_t i, uint32_t j, double sign) {
    const abut_d3 *a = &p->overlay->point[p->use[i]], *b = &p->overlay->point[p->use[j]];
    double u = b->x[0] - a->x[0], v = b->x[1] - a->x[1], square = u * u + v * v, most = 0;
    uint32_t best = i;
    for (uint32_t k = 0; k < p->count; k++) {
        const abut_d3 *at = &p->overlay->point[p->use[k]];
        double x = at->x[0] - a->x[0], y = at->x[1] - a->x[1], beyond = u * x + v * y - square / 2;
        double area = sign * (u * y - v * x) * (4 * square + sign * c->sense * beyond);
        best = k != j && area > most ? k : best;
        most = area > most ? area : most;
    }
    return best;
}

/* Of the points kept, the one nearest to the deepest point of all makes room for it, unless one of them is no higher
 * than `as_deep`. */
static void exchange_nearest(const points *p, uint32_t deepest, double as_deep, uint32_t kept[4]) {
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (p->overlay->point[p->use[kept[i]]].x[2] <= as_deep) {
            return;
        }
        nearest = distance2(p, kept[i], deepest) < distance2(p, kept[nearest], deepest) ? i : nearest;
    }
    for (uint32_t i = 0, out = kept[nearest]; i < 4; i++) { /* one point may be kept twice */
        kept[i] = kept[i] == out ? deepest : kept[i];
    }
}

/* Lowers the points that are kept until one of them has this height. */
static void lower_to(const points *p, double least) {
    const double by = p->overlay->point[p->use[deepest_of(p)]].x[2] - least;
    for (uint32_t i = 0; by > 0 && i < p->count; i++) {
        p->overlay->point[p->use[i]].x[2] -= by;
    }
}

/* Keeps four points that are chosen by positions along the face alone, not by depths, which tilts of resting bodies
 * change: two ends of the polygon, and on either side the point that spans the largest area with them. One of them is
 * as deep as any, nearly (deep.h). */
static void keep_four(points *p, const chooser *c) {
    if (p->count <= 4) {
        return;
    }
    const uint32_t deepest = deepest_of(p);
    const double least = abut_max_d(p->overlay->point[p->use[deepest]].x[2], c->separation);
    const double as_deep = least + abut_np_as_deep(c->radii - least, c->extent) - c->noise;
    uint32_t first = outermost(p, c, 1), second = outermost(p, c, -1), count = 0;
    uint32_t left = farthest_beside(p, c, first, second, 1), right = farthest_beside(p, c, first, second, -1);
    uint32_t kept[4] = {first, second, left, right};
    exchange_nearest(p, deepest, as_deep, kept);
    for (uint32_t i = 0; i < p->count; i++) {
        if (i == kept[0] || i == kept[1] || i == kept[2] || i == kept[3]) {
            p->use[count++] = p->use[i];
        }
    }
    p->count = count;
    lower_to(p, least);
}

/* Where the lines that meet at a point belong to a plate or a rod, rounding chooses among those that coincide. So their
 * features follow from the position. */
static void name_flat_features(const abut_np_side *side, const abut_np_plane_frame *plane, double near,
                               abut_np_overlay *o) {
    bool own = abut_np_box_as_hull_is_flat(side->own), other = abut_np_box_as_hull_is_flat(side->other);
    for (uint32_t i = 0; (own || other) && i < o->count; i++) {
        const abut_d3 *at = &o->point[i];
        abut_d3 foot = abut_d3_along(abut_d3_along(plane->origin, at->x[0], plane->axis[0]), at->x[1], plane->axis[1]);
        abut_d3 point = abut_d3_sub(abut_d3_along(foot, at->x[2], plane->axis[2]), side->origin);
        if (own) {
            o->on_reference[i] = abut_np_box_as_hull_feature_at(side->own, foot, near);
        }
        if (other) {
            o->on_incident[i] = abut_np_box_as_hull_feature_at(side->other, abut_np_turned(side, point), near);
        }
    }
}

/* Two boxes without radii come here across a gap alone. Plates, too, keep the ids there that they have where they
 * overlap, which the kernel for boxes makes of the lines. */
static bool are_sharp_boxes(const abut_np_convex_pair *pair, const abut_collider *a, const abut_collider *b) {
    return pair->side[0].own->digest == 0 && pair->side[1].own->digest == 0 && a->radius == 0 && b->radius == 0;
}

/* Points of one manifold have different ids, even where features coincide. */
static void make_different(abut_np_points *out) {
    for (uint32_t i = 1; i < out->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            out->point[i].feature ^= out->point[i].feature == out->point[j].feature ? (i + 1) << 28 : 0;
        }
    }
}

/* Of a face with so many sides that some are left out, the deepest point may be less deep than the face by this. */
static double left_out(const abut_np_convex_pair *pair, const abut_hull *hull, uint32_t face) {
    return abut_hull_faces(hull)[face].count <= ABUT_NP_SIDES_MAX ? 0 : ABUT_NP_RESTING * pair->small;
}

/* The data that all points of a face manifold share. */
typedef struct contact_faces {
    const abut_np_side *side;
    uint32_t face[2]; /* reference, incident */
    double separation;
    bool on_b;
} contact_faces;

static void write_point(const abut_np_convex_pair *pair, const contact_faces *c, frame *world,
                        const abut_np_plane_frame *plane, abut_d3 at, double separation, const uint32_t features[2],
                        abut_np_points *out) {
    abut_d3 middle = abut_d3_along(plane->origin, at.x[0], plane->axis[0]);
    middle = abut_d3_along(abut_d3_along(middle, at.x[1], plane->axis[1]), separation / 2, plane->axis[2]);
    bool same = c->face[0] == c->face[1];
    uint32_t feature = c->on_b ? feature_pair(pair, features[1], features[0], same)
                               : feature_pair(pair, features[0], features[1], same);
    out->point[out->count++] = (abut_np_point){point_to_world(world, middle), separation, feature};
}

/* How far outside a hull a point lies, by its faces. */
static double outside(const abut_hull *hull, abut_d3 p) {
    double most = -INFINITY;
    for (uint32_t i = 0; i < hull->face_count; i++) {
        const abut_hull_plane *plane = &abut_hull_faces(hull)[i].plane;
        most = abut_max_d(most, abut_d3_dot(abut_d3_load(plane->n), p) - plane->w);
    }
    return most;
}

/* No face: the incident face is the one at the vertex that meets the reference face. */
static const uint32_t AT_VERTEX = UINT32_MAX;

/* False if what touches the reference face lies beside it, by more than the bodies are deep. */
static bool face_manifold(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                          const abut_collider *collider_b, double margin, const abut_np_axis *axis, uint32_t incident,
                          abut_np_points *out) {
    bool on_b = axis->kind == ABUT_NP_FACET_OF_B;
    const abut_np_side *side = &pair->side[on_b];
    uint32_t facet = on_b ? axis->of_b : axis->of_a, vertex = on_b ? axis->of_a : axis->of_b;
    contact_faces c = {.side = side, .separation = axis->separation, .on_b = on_b};
    c.face[0] = abut_hull_indices(side->own, side->own->face_of)[facet];
    abut_np_plane_frame plane = axis->facet_alone
                                    ? abut_np_face_frame_in(side->own, c.face[0], &abut_hull_planes(side->own)[facet])
                                    : abut_np_face_frame(side->own, c.face[0]);
    abut_d3 against = abut_np_turned(side, plane.axis[2]);
    const double resting = pair->resting;
    c.face[1] = incident == AT_VERTEX ? abut_np_face_against(side->other, against, vertex, resting) : incident;
    abut_np_overlay overlay;
    abut_np_convex_clip(side, c.face[0], c.face[1], vertex, resting, &plane, &overlay);
    if (!are_sharp_boxes(pair, collider_a, collider_b)) {
        name_flat_features(side, &plane, resting, &overlay);
    }
    points p;
    p.overlay = &overlay;
    p.count = 0;
    bool raw = c.separation == -INFINITY, met = raw;
    for (uint32_t i = 0; i < overlay.count; i++) {
        if (overlay.point[i].x[2] <= margin + resting) {
            p.use[p.count++] = i;
        }
        met |= overlay.point[i].x[2] <= abut_max_d(c.separation, 0) + resting;
    }
    p.count = met ? p.count : 0; /* what is in front, within the margin, does not touch */
    drop_repeated(&p, 1e-12 * pair->size);
    const chooser choosing = make_chooser(pair, &plane, on_b, (double)collider_a->radius + collider_b->radius,
                                          c.separation, left_out(pair, side->other, c.face[1]));
    keep_four(&p, &choosing);
    frame world;
    frame_of(pair, on_b ? collider_b : collider_a, on_b, &world);
    out->normal = direction_to_world(&world, plane.axis[2], on_b ? -1 : 1);
    uint32_t deepest = p.count && !raw ? deepest_of(&p) : ABUT_NP_POLYGON_MAX;
    for (uint32_t i = 0; i < p.count; i++) {
        const uint32_t features[2] = {overlay.on_reference[p.use[i]], overlay.on_incident[p.use[i]]};
        abut_d3 at = overlay.point[p.use[i]];
        write_point(pair, &c, &world, &plane, at, i == deepest ? c.separation : abut_max_d(at.x[2], c.separation),
                    features, out);
    }
    if (met) {
        return true;
    }
    /* The vertex that meets the plane of the reference face is the contact. */
    const abut_d3 meets = abut_np_point_back(side, abut_np_vertex(side->other, vertex));
    const abut_d3 v = abut_d3_sub(meets, plane.origin);
    const uint32_t features[2] = {abut_np_face_feature(side->own, c.face[0]), vertex};
    const abut_d3 at = {{abut_d3_dot(v, plane.axis[0]), abut_d3_dot(v, plane.axis[1])}};
    write_point(pair, &c, &world, &plane, at, c.separation, features, out);
    const abut_d3 foot = abut_d3_along(meets, -c.separation, plane.axis[2]);
    return outside(side->own, foot) <= resting - c.separation;
}

/* 0 for NaN as well: an edge that rounding made a point has no direction. */
static double clamp01(double value) {
    return !(value > 0) ? 0 : value > 1 ? 1 : value;
}

/* Halfway between the nearest points of two edges, from p along u and from q along v. The point of one edge is clamped
 * to the ends, then the nearest point of the other edge is found and clamped, and then once more the first. */
static abut_d3 midway(abut_d3 p, abut_d3 u, abut_d3 q, abut_d3 v) {
    abut_d3 w = abut_d3_sub(q, p);
    double uu = abut_d3_dot(u, u), vv = abut_d3_dot(v, v), uv = abut_d3_dot(u, v);
    double wu = abut_d3_dot(w, u), wv = abut_d3_dot(w, v), det = uu * vv - uv * uv;
    double s = det > 0 ? clamp01((wu * vv - wv * uv) / det) : 0.5;
    double t = clamp01((s * uv - wv) / vv);
    s = clamp01((wu + t * uv) / uu);
    abut_d3 on_p = abut_d3_along(p, s, u), on_q = abut_d3_along(q, t, v);
    return abut_d3_along(on_p, 0.5, abut_d3_sub(on_q, on_p));
}

/* The facet beside an edge that looks along d, and the cosine of its normal with d. */
static double facet_along(const abut_hull *hull, uint32_t edge, abut_d3 d, uint32_t *facet) {
    double most = -2;
    for (int k = 0; k < 2; k++) {
        const uint32_t f = abut_hull_edges(hull)[edge].f[k];
        const double cosine = abut_d3_dot(abut_d3_load(abut_hull_planes(hull)[f].n), d);
        *facet = cosine > most ? f : *facet;
        most = cosine > most ? cosine : most;
    }
    return most;
}

/* Of two edges that cross, one may lie on a face beside the other, nearly: a ridge under a plate that is pitched a
 * little along it. Then all that is over the face is in contact, up to where the ridge leaves it, and its points are
 * those of the face, along the normal of the edges. False if no face lies along, or if what is over it is not as deep.
 */
static bool lies_along(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                       const abut_collider *collider_b, double margin, const abut_np_axis *edges, abut_np_points *out) {
    uint32_t facet[2] = {0, 0};
    const abut_d3 down = abut_d3_negate(abut_np_turned(&pair->side[0], edges->normal));
    const double a = facet_along(pair->side[0].own, edges->of_a, edges->normal, &facet[0]);
    const double b = facet_along(pair->side[1].own, edges->of_b, down, &facet[1]);
    const bool on_b = b > a + ABUT_NP_ALONG_BETTER;
    const abut_hull *other = pair->side[on_b].other;
    if ((on_b ? b : a) < ABUT_NP_EDGE_ALONG) {
        return false;
    }
    const uint32_t vertex = abut_hull_edges(other)[on_b ? edges->of_a : edges->of_b].v[0];
    const abut_np_axis axis = {.separation = -INFINITY,
                               .kind = on_b ? ABUT_NP_FACET_OF_B : ABUT_NP_FACET_OF_A,
                               .of_a = on_b ? vertex : facet[0],
                               .of_b = on_b ? facet[1] : vertex};
    out->count = 0;
    face_manifold(pair, collider_a, collider_b, margin, &axis, abut_hull_indices(other, other->face_of)[facet[!on_b]],
                  out);
    const uint32_t deepest = abut_np_points_deepest(out);
    const double s = edges->separation, most = s + abut_max_d(s, 0) * 0x1p-10 + pair->resting;
    if (out->count == 0 || out->point[deepest].separation > most) { /* heights over the face are a little larger */
        return false;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        out->point[i].separation = i == deepest ? s : abut_max_d(out->point[i].separation, s);
    }
    return true;
}

uint32_t abut_np_crossing(const abut_np_convex_pair *pair, uint32_t edge_a, uint32_t edge_b) {
    const abut_np_side *side = &pair->side[0];
    return feature_pair(pair, abut_np_edge_feature(side->own, edge_a), abut_np_edge_feature(side->other, edge_b),
                        false);
}

static void edge_point(const abut_np_convex_pair *pair, frame *world, const abut_np_axis *axis, abut_np_points *out) {
    const abut_np_side *side = &pair->side[0];
    const abut_hull_edge *e = &abut_hull_edges(side->own)[axis->of_a], *f = &abut_hull_edges(side->other)[axis->of_b];
    abut_d3 p = abut_np_vertex(side->own, e->v[0]), q = abut_np_point_back(side, abut_np_vertex(side->other, f->v[0]));
    abut_d3 p_end = abut_np_vertex(side->own, e->v[1]);
    abut_d3 q_end = abut_np_point_back(side, abut_np_vertex(side->other, f->v[1]));
    uint32_t feature = abut_np_crossing(pair, axis->of_a, axis->of_b);
    out->count = 1;
    out->point[0] = (abut_np_point){point_to_world(world, midway(p, abut_d3_sub(p_end, p), q, abut_d3_sub(q_end, q))),
                                    axis->separation, feature};
}

static void edge_manifold(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                          const abut_collider *collider_b, double margin, const abut_np_axis *axis,
                          abut_np_points *out) {
    frame world;
    frame_of(pair, collider_a, false, &world);
    if (!lies_along(pair, collider_a, collider_b, margin, axis, out)) {
        edge_point(pair, &world, axis, out);
    }
    out->normal = direction_to_world(&world, axis->normal, 1);
}

void abut_np_convex_points(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                           const abut_collider *collider_b, double margin, const abut_np_axis *axis,
                           abut_np_points *out) {
    abut_np_axis best = *axis;
    out->count = 0;
    if (axis->kind != ABUT_NP_EDGES && !face_manifold(pair, collider_a, collider_b, margin, axis, AT_VERTEX, out)) {
        abut_np_convex_kernels_active()->find_best_axis(pair, margin, &best);
    }
    if (best.kind == ABUT_NP_EDGES) {
        edge_manifold(pair, collider_a, collider_b, margin, &best,
                      out); /* the face, if it was found first, was only preferred */
    }
    make_different(out);
}

void abut_np_convex_manifold(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                             const abut_collider *collider_b, double margin, const abut_np_axis *axis,
                             abut_manifold *manifold) {
    abut_np_points made;
    abut_np_convex_points(pair, collider_a, collider_b, margin, axis, &made);
    abut_np_points_round(&made, manifold);
}
