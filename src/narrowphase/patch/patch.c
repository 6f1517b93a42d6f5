/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/patch.h"
#include "base/compiler.h"
#include "narrowphase/along.h"
#include "narrowphase/mesh/range.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/patch/axis.h"
#include "narrowphase/patch/faces.h"
#include "narrowphase/patch/parting.h"
#include "narrowphase/patch/spread.h"
#include "narrowphase/patch/touch.h"
#include "narrowphase/tolerance.h"
#include <assert.h>

/* 1 - the cosine of the angle up to which a face counts as lying right against a normal. */
static const double LEANS = 0x1p-21;

/* Sides that are moved out by more than this times the height of a triangle would meet far beyond a sharp corner. */
static const double OF_HEIGHT = 0x1p-13;

/* Two features as one number. */
static uint32_t feature_of(uint32_t of_core, uint32_t of_triangle) {
    return of_core << 3 | of_triangle;
}

/* The sides near a point of the triangle, as bits. */
static uint32_t sides_near(const abut_np_facing *f, abut_d3 on, double near) {
    uint32_t sides = 0;
    for (uint32_t k = 0; k < 3; k++) {
        sides |= (uint32_t)(f->outline[k] - abut_d3_dot(f->out[k], on) <= near * f->length[k]) << k;
    }
    return sides;
}

/* The feature of the mesh's triangle where a point near these sides lies, for triangles seen from their front and from
 * their back. Sides 0 and 1 meet in corner 1, sides 1 and 2 in corner 2, sides 2 and 0 in corner 0. */
static uint8_t place_on(const abut_np_facing *f, uint32_t sides) {
    enum { FACE = ABUT_NP_TRIANGLE_FACE, SIDE = ABUT_NP_TRIANGLE_SIDE };
    static const uint8_t place[2][8] = {{FACE, SIDE, SIDE + 1, 1, SIDE + 2, 0, 2, 0},
                                        {FACE, SIDE + 2, SIDE + 1, 2, SIDE, 0, 1, 0}};
    return place[f->back][sides];
}

/* How far from a side a point still lies on it: the jitter of float poses, or what rounds where they are far apart. */
static double near_of(const abut_np_seat *seat, const abut_np_facing *f) {
    double side = abut_min_d(abut_min_d(f->length[0], f->length[1]), f->length[2]);
    double jitter = ABUT_NP_RESTING * (seat->smallest > 0 ? abut_min_d(seat->smallest, side) : side);
    return abut_max_d(jitter, ABUT_NP_ROUND_SLACK * f->size);
}

static void set_normal(const abut_np_seat *seat, const abut_np_facing *f, abut_d3 normal, bool own,
                       abut_np_patch *patch) {
    patch->normal = own ? f->normal : normal;
    patch->in_mesh = own ? f->in_mesh : abut_np_seat_out(seat, normal);
}

static bool is_same_place(abut_d3 a, abut_d3 b, double near) {
    return fabs(a.x[0] - b.x[0]) + fabs(a.x[1] - b.x[1]) + fabs(a.x[2] - b.x[2]) <= near;
}

/* The point at a place, or NULL. Points come in the order of a polygon: those at one place are neighbours. */
static abut_np_patch_point *point_at(abut_np_patch *patch, abut_d3 on, double near) {
    if (patch->count == 0) {
        return NULL;
    }
    abut_np_patch_point *first = patch->point, *last = &patch->point[patch->count - 1];
    return is_same_place(last->on, on, near) ? last : is_same_place(first->on, on, near) ? first : NULL;
}

/* Beside the corners of a polygon one that is deeper may come: where there is no room, the least deep one gives way. */
static abut_np_patch_point *room_in(abut_np_patch *patch) {
    uint32_t most = 0;
    if (patch->count < ABUT_NP_PATCH_POINTS) {
        return &patch->point[patch->count++];
    }
    for (uint32_t i = 1; i < patch->count; i++) {
        most = patch->point[i].separation > patch->point[most].separation ? i : most;
    }
    return &patch->point[most];
}

static void add_point(const abut_np_facing *f, double near, abut_d3 on, uint32_t sides, double separation,
                      uint32_t feature, abut_np_patch *patch) {
    abut_np_patch_point *point = point_at(patch, on, near) ? NULL : room_in(patch);
    if (point) {
        *point = (abut_np_patch_point){on, separation, feature, place_on(f, sides)};
        patch->separation = abut_min_d(patch->separation, separation);
    }
}

/* The corners of a polygon within the margin, as bits: no more than there is room for. Their separations may be lowered
 * for one that is left out. */
static uint64_t corners_of(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_cut_face *face,
                           double *separation, const abut_np_patch *patch) {
    return abut_np_spread_of(face, separation, seat->margin + ABUT_NP_ROUND_SLACK * f->size, patch->normal,
                             seat->extent);
}

/* The core's face over the triangle: separations are heights over its plane. Of a thin triangle no part is certain to
 * be under the face. */
static void add_face_over(const abut_np_seat *seat, const abut_np_facing *f, abut_np_over *lazy, double near,
                          abut_np_patch *patch) {
    if (abut_np_facing_is_thin(f)) {
        return;
    }
    const abut_np_cut_face *over = abut_np_over_face(seat, lazy);
    double separation[ABUT_NP_CUT_MAX];
    for (uint32_t i = 0; i < over->count; i++) {
        separation[i] = over->height[i] - seat->radius;
    }
    for (uint64_t left = corners_of(seat, f, over, separation, patch); left; left &= left - 1) {
        const uint32_t i = ABUT_LOWEST_BIT64(left);
        const abut_np_cut_corner *c = &over->corner[i];
        const abut_d3 on = abut_d3_along(abut_np_cut_at(over, i), -over->height[i], f->normal);
        add_point(f, near, on, over->sides[i], separation[i], feature_of(c->feature, c->meets), patch);
    }
}

/* The triangle under a face of the core: separations are measured from that face, moved out by the radius, along the
 * patch's normal. `least`: where the normal is not the face's, but that of an edge beside it, which is as deep as this:
 * no point is deeper. */
static void add_triangle_under(const abut_np_seat *seat, const abut_np_facing *f, uint32_t face, double least,
                               double near, abut_np_patch *patch) {
    abut_np_cut_face under;
    double offset;
    const abut_d3 n = abut_np_face_normal(seat, face, &offset);
    const double cosine = -abut_d3_dot(n, patch->normal);
    const bool of_edge = least > -INFINITY;
    const abut_d3 *along = of_edge || cosine < 1 - LEANS ? &patch->normal : NULL;
    abut_np_cut_triangle(seat, f, face, along, of_edge ? 0 : seat->radius, &under);
    double separation[ABUT_NP_CUT_MAX];
    for (uint32_t i = 0; i < under.count; i++) {
        separation[i] = (abut_d3_dot(n, abut_np_cut_at(&under, i)) - offset) / cosine - seat->radius / cosine;
        separation[i] = abut_max_d(separation[i], least);
    }
    for (uint64_t left = corners_of(seat, f, &under, separation, patch); left; left &= left - 1) {
        const uint32_t i = ABUT_LOWEST_BIT64(left);
        const abut_np_cut_corner *c = &under.corner[i];
        const abut_d3 at = abut_np_cut_at(&under, i);
        add_point(f, near, at, sides_near(f, at, near), separation[i], feature_of(c->feature, c->meets), patch);
    }
}

/* Whether a point of an edge, as a share of its length, lies on it. */
static bool is_on_edge(double share, double square, double near) {
    const double beyond = abut_max_d(-share, share - 1);
    return beyond <= 0 || beyond * beyond * square <= near * near;
}

/* Two edges: the point of the triangle's side that is closest to the core's edge. Where the edges of cores that overlap
 * do not cross, seen along the normal, there is none: something else of them touches last. */
static void add_crossing(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_mesh_axis *axis, bool overlap,
                         double near, abut_np_patch *patch) {
    const abut_d3 a = f->corner[axis->side], u = abut_d3_sub(f->corner[(axis->side + 1) % 3], a);
    const abut_d3 v = abut_d3_sub(axis->to, axis->from), w = abut_d3_sub(axis->from, a);
    double uu = abut_d3_dot(u, u), uv = abut_d3_dot(u, v), vv = abut_d3_dot(v, v);
    double t = (vv * abut_d3_dot(u, w) - uv * abut_d3_dot(v, w)) / (uu * vv - uv * uv);
    if (overlap && !(is_on_edge(t, uu, near) && is_on_edge((t * uv - abut_d3_dot(v, w)) / vv, vv, near))) {
        return;
    }
    t = t > 0 ? (t < 1 ? t : 1) : 0;
    const abut_d3 on = abut_d3_along(a, t, u);
    add_point(f, near, on, sides_near(f, on, near), -axis->depth - seat->radius,
              feature_of(axis->edge, ABUT_NP_TRIANGLE_SIDE + axis->side), patch);
}

/* Cuts a piece of a line by a plane, over which the line begins by `above`; what runs along it and more than `by` above
 * it is cut off. */
static void cut_by(double above, double rise, double by, double piece[2]) {
    if (rise > 0) {
        piece[1] = abut_min_d(piece[1], -above / rise);
    } else if (rise < 0 || above > by) {
        piece[0] = abut_max_d(piece[0], rise < 0 ? -above / rise : INFINITY);
    }
}

/* How far along a line through a point of the triangle the core begins; INFINITY where the line misses it. */
static double core_along(const abut_np_seat *seat, const abut_np_facing *f, abut_d3 from, abut_d3 way) {
    double piece[2] = {-INFINITY, INFINITY};
    if (seat->hull) {
        return seat->faces_kernels->along(seat, from, way, ABUT_NP_ROUND_SLACK * f->size);
    }
    for (uint32_t i = 0; i < abut_np_face_count(seat) && piece[0] <= piece[1]; i++) {
        double offset;
        const abut_d3 n = abut_np_face_normal(seat, i, &offset);
        cut_by(abut_d3_dot(n, from) - offset, abut_d3_dot(n, way), ABUT_NP_ROUND_SLACK * f->size, piece);
    }
    return piece[0] <= piece[1] ? piece[0] : INFINITY;
}

/* What of the core lies lowest below the triangle, between the planes through its sides: a point of an edge of the
 * core, or below a corner of the triangle. */
typedef struct lowest {
    abut_d3 on;    /* the point of the triangle above it */
    double height; /* 0: nothing is below */
} lowest;

static void lower_to(abut_d3 on, double height, lowest *l) {
    if (height < l->height) {
        l->on = on;
        l->height = height;
    }
}

/* A segment of the core, of which the planes through the sides leave a piece, or nothing. */
static void lower_by(const abut_np_facing *f, abut_d3 from, abut_d3 to, lowest *l) {
    double lower = abut_min_d(abut_d3_dot(f->normal, from), abut_d3_dot(f->normal, to)) - f->height;
    if (lower >= l->height) {
        return;
    }
    const abut_d3 way = abut_d3_sub(to, from);
    double piece[2] = {0, 1};
    for (int k = 0; k < 3; k++) {
        cut_by(abut_d3_dot(f->out[k], from) - f->outline[k], abut_d3_dot(f->out[k], way), 0, piece);
    }
    for (int end = 0; end < 2 && piece[0] <= piece[1]; end++) {
        const abut_d3 at = abut_d3_along(from, piece[end], way);
        double height = abut_d3_dot(f->normal, at) - f->height;
        lower_to(abut_d3_along(at, -height, f->normal), height, l);
    }
}

/* Stands for the core as a whole in a feature: no other feature has a number as high. */
enum { ALL_OF_CORE = 1 << 28 };

/* A point that is deeper than the others. */
static void add_deepest(const abut_np_facing *f, double near, abut_d3 on, double depth, abut_np_patch *patch) {
    if (depth <= near - patch->separation) {
        return;
    }
    abut_np_patch_point *shown = point_at(patch, on, near);
    patch->deepened = true;
    if (shown) {
        patch->separation = shown->separation = -depth;
    } else {
        uint32_t sides = sides_near(f, on, near);
        add_point(f, near, on, sides, -depth, feature_of(ALL_OF_CORE, place_on(f, sides)), patch);
    }
}

enum { EDGES_OF_BOX = (1 << 12) - 1 }; /* as bits */

/* Along the triangle's normal a core without a radius must go as far as its lowest point below the triangle, which the
 * face that looks at the triangle does not have. */
static void add_lowest(const abut_np_seat *seat, const abut_np_facing *f, double near, abut_np_patch *patch) {
    lowest l = {.height = abut_min_d(0, patch->separation)};
    for (int k = 0; k < 3; k++) {
        lower_to(f->corner[k], core_along(seat, f, f->corner[k], f->normal), &l);
    }
    for (uint32_t first = 0; first < abut_np_edge_count(seat); first += 64) {
        uint64_t left = seat->hull ? seat->faces_kernels->under(seat, f, l.height, first) : EDGES_OF_BOX;
        for (; left; left &= left - 1) {
            abut_d3 end[2];
            abut_np_edge_ends(seat, first + ABUT_LOWEST_BIT64(left), end);
            lower_by(f, end[0], end[1], &l);
        }
    }
    if (l.height < 0) {
        add_deepest(f, near, l.on, -l.height, patch);
    }
}

/* Where a point is shown that the core is closest to: there, or, if the core may be closer to the next mesh beyond a
 * seam, which is not asked, where the normal comes down from the core. What rolls over the seam would else have a point
 * ahead of its foot, and solvers that go by points within the margin make it hop. */
static abut_d3 shown_at(const abut_np_seat *seat, const abut_np_touch *touch, const abut_np_patch *patch) {
    if (!patch->leans || seat->radius == 0 || seat->mesh->ghost_count == 0) {
        return touch->on;
    }
    const double along = abut_d3_dot(abut_d3_sub(touch->from, touch->on), patch->normal);
    return along < 0 ? touch->on : abut_d3_along(touch->from, -along, patch->normal);
}

/* One point, that of the triangle closest to the core, or that both share; it is near these sides. The separation is
 * measured along the normal from there to the shape's surface. Where the line misses the shape within the margin,
 * because the normal was corrected, the plane that touches the shape has it; but what is apart is no closer than that.
 */
static void add_closest(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_touch *touch, uint32_t sides,
                        double near, abut_np_patch *patch) {
    const abut_d3 apart = abut_d3_sub(touch->from, touch->on);
    double along = abut_d3_dot(apart, patch->normal), r = seat->radius, separation = along - r;
    if (touch->overlap) {
        double begin = core_along(seat, f, touch->on, patch->normal);
        separation = (begin < 0 ? begin : 0) - r;
    } else {
        double square = abut_d3_dot(apart, apart), within = r * r - (square - along * along);
        double chord = r > 0 && within >= 0 ? along - sqrt(within) : INFINITY;
        separation = chord <= seat->margin ? chord : separation;
        separation = square > r * r ? abut_max_d(separation, sqrt(square) - r) : separation;
    }
    patch->firm = patch->leans ? (float)(r - along) : -INFINITY;
    add_point(f, near, shown_at(seat, touch, patch), sides, separation, feature_of(0, place_on(f, sides)), patch);
}

/* 1 - the cosine of the angle from which on a normal counts as corrected: so little that the closest point of a patch
 * that does not lean, and of a neighbour below which the core has its foot, are one place, as collide.c compares them.
 */
static const double LEANING = 0x1p-40;

/* The normal of two cores apart: along the closest points, as far as the place on the triangle allows, which is near
 * these sides. */
static abut_d3 normal_apart(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_touch *touch,
                            uint32_t sides, bool *leans) {
    abut_d3 raw = abut_d3_sub(touch->from, touch->on), allowed = f->normal;
    *leans = false;
    if (!(abut_d3_normalise_scaled(&raw) > 0)) {
        return f->normal;
    }
    if (f->plain) {
        sides = 0;
    }
    if (abut_np_is_one_side(sides)) {
        allowed = abut_np_facing_edge_range(seat, f, abut_np_side_of(sides), raw);
    } else if (sides) {
        allowed = abut_np_facing_corner_range(seat, f, abut_np_corner_of(sides), raw);
    }
    *leans = 1 - abut_d3_dot(allowed, raw) > LEANING;
    return allowed;
}

/* The face of the core that looks best against a normal, and the cosine of the angle between them. */
static double face_against(const abut_np_seat *seat, abut_d3 normal, uint32_t *face) {
    double least = INFINITY;
    for (uint32_t i = 0; i < abut_np_face_count(seat); i++) {
        double offset, along = abut_d3_dot(abut_np_face_normal(seat, i, &offset), normal);
        *face = along < least ? i : *face;
        least = along < least ? along : least;
    }
    return -least;
}

/* Equal distances are equal numbers: what is less is seen to be less, and rounding makes no order. */
static double distance_of(const abut_np_seat *seat, const abut_np_touch *touch) {
    const double coarse = 0x1p12 * (seat->size + seat->reach);
    return abut_d3_length(abut_d3_sub(touch->from, touch->on)) + coarse - coarse;
}

/* The points that were found so far are points of the triangle, each with one of the core right below or above it.
 * Those along another normal than the triangle's own only if there is no radius, which may then be measured aslant. */
static void hold(const abut_np_seat *seat, bool own, abut_np_patch *patch) {
    patch->firm = own || seat->radius == 0 ? (float)-patch->separation : -INFINITY;
}

/* 1 - the cosine of the angle up to which a normal across a ridge counts as the triangle's own: on ground that is flat
 * but for rounding, what lies over a triangle is more than the one point that is closest. */
static const double AS_OWN = 1e-9;

/* Where the two are closest at a side of the triangle that lies along a face of the core, nearly, what is under the
 * face is in contact, too. Of a face without width, as that of a rod, rounding may cut the deepest point off: where
 * nothing is as deep as the closest points, these are shown. */
static void points_apart(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_touch *touch,
                         abut_np_over *over, double near, abut_np_patch *patch) {
    bool leans;
    uint32_t face;
    const uint32_t sides = sides_near(f, touch->on, near);
    const abut_d3 normal = normal_apart(seat, f, touch, sides, &leans);
    const bool own = 1 - abut_d3_dot(normal, f->normal) <= AS_OWN;
    const double out = seat->radius - abut_d3_dot(abut_d3_sub(touch->from, touch->on), normal);
    set_normal(seat, f, normal, own, patch);
    patch->shortest = !leans;
    if (own) {
        patch->out = seat->radius - over->height;
        add_face_over(seat, f, over, near, patch);
        hold(seat, true, patch);
    } else {
        const double against = face_against(seat, normal, &face);
        patch->out = leans ? INFINITY : out;
        const bool near_enough = against > 1 - 1e-9, corner = (sides & (sides - 1)) != 0;
        const double least = leans || corner || near_enough ? -INFINITY : -out;
        patch->leans = leans && !near_enough;
        if (near_enough || (against > ABUT_NP_EDGE_ALONG && (leans || !corner))) {
            add_triangle_under(seat, f, face, least, near, patch);
        }
    }
    if (patch->count == 0 || (!leans && patch->separation > near - out)) {
        patch->leans = leans;
        add_closest(seat, f, touch, sides, near, patch);
    }
    if (patch->leans) {
        patch->distance = distance_of(seat, touch);
    }
}

/* Across two edges: one point; but where a face of the core lies along the triangle's side, nearly, all that is under
 * it, so that what stands on a border or a ridge stands on both ends. If nothing of that is as deep as the axis says,
 * the one point comes as well. */
static void points_across(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_mesh_axis *axis,
                          bool overlap, double near, abut_np_patch *patch) {
    uint32_t face;
    if (face_against(seat, axis->normal, &face) > ABUT_NP_EDGE_ALONG) {
        add_triangle_under(seat, f, face, -axis->depth - seat->radius, near, patch);
    }
    if (patch->separation > near - axis->depth - seat->radius) {
        add_crossing(seat, f, axis, overlap, near, patch);
    }
}

/* Where no point is as deep as the axis says, one that parts the two may be missing. `radius`: how far along the normal
 * the radius reaches. */
static void add_parting(const abut_np_seat *seat, const abut_np_facing *f, double depth, double radius, double near,
                        abut_np_patch *patch) {
    abut_np_parting parting;
    if (patch->separation <= near - depth - radius) {
        return;
    }
    abut_np_parting_of(seat, f->part, patch->in_mesh, depth + radius, &parting);
    add_deepest(f, near, parting.on, parting.way, patch);
}

static void begin(const abut_np_facing *f, abut_np_patch *patch) {
    patch->part = f->part;
    patch->back = f->back;
    patch->leans = patch->deepened = patch->shortest = false;
    patch->count = 0;
    patch->separation = patch->out = INFINITY;
    patch->firm = -INFINITY;
}

/* How deep the core is by the points that were found; -INFINITY if there are none. */
static double depth_of(const abut_np_seat *seat, const abut_np_patch *patch) {
    return -patch->separation - seat->radius;
}

/* Along the triangle's own normal. */
static void points_along_own(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_touch *touch,
                             abut_np_over *over, double near, abut_np_patch *patch) {
    set_normal(seat, f, f->normal, true, patch);
    add_face_over(seat, f, over, near, patch);
    hold(seat, true, patch);
    if (touch->overlap && seat->radius > 0) {
        add_parting(seat, f, -over->height, seat->radius, near, patch);
    } else if (touch->overlap && !abut_np_facing_is_thin(f) && !abut_np_over_has_lowest(seat, over)) {
        add_lowest(seat, f, near, patch);
        hold(seat, true, patch);
    }
}

/* Where the normal of a face of the core gave way, its plane parts the two, and not one across the normal. */
static double out_along(const abut_np_seat *seat, const abut_np_facing *f, abut_d3 normal) {
    double most = abut_d3_dot(normal, f->corner[0]);
    most = abut_max_d(most, abut_d3_dot(normal, f->corner[1]));
    most = abut_max_d(most, abut_d3_dot(normal, f->corner[2]));
    return most - abut_np_seat_low(seat, normal) + seat->radius;
}

/* Along that of a face or edge of the core. */
static void points_along(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_touch *touch,
                         const abut_np_mesh_axis *axis, double near, abut_np_patch *patch) {
    set_normal(seat, f, axis->normal, false, patch);
    double offset, cosine = 1;
    if (axis->kind == ABUT_NP_OF_FACE) {
        add_triangle_under(seat, f, axis->face, -INFINITY, near, patch);
        cosine = -abut_d3_dot(abut_np_face_normal(seat, axis->face, &offset), axis->normal);
    } else {
        points_across(seat, f, axis, touch->overlap, near, patch);
    }
    if (touch->overlap) {
        hold(seat, false, patch);
    }
    patch->out = 1 - cosine <= 1e-9 ? axis->depth + seat->radius : out_along(seat, f, axis->normal);
    if (touch->overlap) {
        add_parting(seat, f, axis->depth, seat->radius / cosine, near, patch);
    }
}

/* Along another normal, that of a way out: points that lie there are shown, or the one that parts the two. */
static void points_out(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_exit *exit, double near,
                       abut_np_patch *patch) {
    uint32_t face;
    begin(f, patch);
    patch->normal = exit->normal;
    patch->in_mesh = exit->in_mesh;
    patch->out = exit->out;
    if (face_against(seat, exit->normal, &face) > ABUT_NP_EDGE_ALONG) {
        add_triangle_under(seat, f, face, -exit->out, near, patch);
        hold(seat, false, patch);
    }
    add_parting(seat, f, exit->out - seat->radius, seat->radius, near, patch);
}

/* Along that of a neighbour, unless the points along the triangle's own normal, which have been found, are no deeper.
 */
static void points_beyond(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_mesh_axis *axis, double near,
                          abut_np_patch *patch) {
    const abut_np_exit exit = {f->part, axis->normal, axis->in_mesh, axis->depth + seat->radius, 0};
    if (patch->count == 0 || depth_of(seat, patch) > axis->depth + near) {
        points_out(seat, f, &exit, near, patch);
    }
}

static void points_of_overlap(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_touch *touch,
                              abut_np_over *over, double near, abut_np_patch *patch) {
    const abut_np_passage *passage = touch->passed ? &touch->passage : NULL;
    abut_np_mesh_axis axis;
    abut_np_mesh_find_axis(seat, f, over->lowest, passage, &axis);
    if (axis.kind == ABUT_NP_OF_TRIANGLE || axis.kind == ABUT_NP_OF_NEIGHBOUR) {
        points_along_own(seat, f, touch, over, near, patch);
        if (touch->overlap && abut_np_flat_sides(f)) {
            abut_np_mesh_find_beyond(seat, f, depth_of(seat, patch), passage, &axis);
        }
    }
    if (axis.kind == ABUT_NP_OF_NEIGHBOUR) {
        points_beyond(seat, f, &axis, near, patch);
    } else if (axis.kind != ABUT_NP_OF_TRIANGLE) {
        points_along(seat, f, touch, &axis, near, patch);
    }
}

static void ask_closest(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *touch) {
    if (!touch->closest) {
        abut_np_touch_closest(seat, f, touch);
    }
}

/* Whether points are no contact: only a core that overlaps is deeper than the radius, but where a core that is within
 * the margin passes by the triangle below its plane, its face says so. Points are then forgotten. */
static bool is_beside(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *touch, abut_np_patch *patch) {
    const double slack = ABUT_NP_ROUND_SLACK * f->size;
    if (touch->overlap || seat->margin == 0 || patch->separation >= -seat->radius - slack) {
        return false;
    }
    ask_closest(seat, f, touch);
    if (touch->overlap || abut_d3_length(abut_d3_sub(touch->from, touch->on)) <= seat->radius + slack) {
        return false;
    }
    patch->count = 0;
    patch->separation = INFINITY;
    return true;
}

/* Of a sphere, whose core is a point: the closest point is all there is. */
static bool patch_of_point(const abut_np_seat *seat, const abut_np_facing *f, abut_np_patch *patch) {
    abut_np_touch touch;
    abut_np_touch_closest(seat, f, &touch);
    assert(touch.touches); /* other facings are passed over */
    if (!patch) {
        return true;
    }
    double near = near_of(seat, f);
    begin(f, patch);
    const uint32_t sides = sides_near(f, touch.on, near);
    const abut_d3 normal = touch.overlap ? f->normal : normal_apart(seat, f, &touch, sides, &patch->leans);
    set_normal(seat, f, normal, 1 - abut_d3_dot(normal, f->normal) <= 0x1p-50, patch);
    patch->distance = distance_of(seat, &touch);
    patch->shortest = !patch->leans;
    patch->out = patch->leans ? INFINITY : seat->radius - f->distance;
    add_closest(seat, f, &touch, sides, near, patch);
    return true;
}

bool abut_np_patch_of(const abut_np_seat *seat, const abut_np_facing *f, uint8_t known, abut_np_patch *patch) {
    abut_np_over over;
    abut_np_touch touch;
    if (seat->size == 0) {
        return patch_of_point(seat, f, patch);
    }
    double near = near_of(seat, f);
    abut_np_over_begin(seat, f, abut_min_d(near, OF_HEIGHT * f->least), &over);
    if (over.height > seat->reach + ABUT_NP_ROUND_SLACK * f->size) {
        return false;
    }
    abut_np_touch_of(seat, f, &over, (known & ABUT_NP_SHARED) != 0, patch && !f->plain, &touch);
    if (!touch.touches || !patch) {
        return touch.touches;
    }
    begin(f, patch);
    if (touch.overlap || f->plain) {
        points_of_overlap(seat, f, &touch, &over, near, patch);
    } else {
        points_apart(seat, f, &touch, &over, near, patch);
    }
    if (patch->count == 0 || is_beside(seat, f, &touch, patch)) { /* the face lies beside the triangle */
        ask_closest(seat, f, &touch);
        patch->leans = !touch.overlap;
        patch->distance = distance_of(seat, &touch);
        add_closest(seat, f, &touch, sides_near(f, touch.on, near), near, patch);
    }
    return true;
}

bool abut_np_patch_of_part(const abut_np_seat *seat, uint32_t part, abut_np_facing *facing, abut_np_normals *known,
                           abut_np_patch *patch) {
    const uint32_t place = ABUT_MESH_NONE;
    return abut_np_facings_of(seat, &part, &place, 1, facing, known) && abut_np_patch_of(seat, facing, 0, patch);
}

void abut_np_patch_turn(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_exit *exit,
                        abut_np_patch *patch) {
    const bool leans = patch->leans;
    points_out(seat, f, exit, near_of(seat, f), patch);
    patch->leans = leans;
}
