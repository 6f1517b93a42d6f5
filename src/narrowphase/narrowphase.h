/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The narrow phase: two colliders in; out comes whether they overlap, or a manifold. It depends neither on the broad
 * phase nor on the world. */
#ifndef ABUT_NARROWPHASE_NARROWPHASE_H
#define ABUT_NARROWPHASE_NARROWPHASE_H

#include "shape/shape.h"
#include <abut/cast.h>
#include <abut/contact.h>
#include <abut/footprint.h>
#include <abut/obb.h>
#include <float.h>

/* Whether a pair alone, of some shapes, has ways of its own, with the same bits. WebAssembly goes without them, for its
 * size. */
#if defined(ABUT_LANES_WASM)
enum { ABUT_NP_SINGLE = 0 };
#else
enum { ABUT_NP_SINGLE = 1 };
#endif

/* Whether the two closed shapes, which are convex, share a point. */
bool abut_np_overlap(const abut_collider *a, const abut_collider *b);

/* Whether their distance is at most `margin` (>= 0), and the manifold if so; normal from a to b. Unused bytes of the
 * manifold are zero. Swapping a and b negates the normal and changes nothing else, unless both are the same in every
 * bit. */
bool abut_np_collide(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold);

/* The distances of many shapes from one: distance[k] is that of collider[index[k]], in double. It is 0 exactly where
 * abut_np_overlap is true. INFINITY stands for a distance that is certainly over `limit` (>= 0), by so much that
 * rounding plays no part; where it does not, the limit changes no bit. Points and spheres are measured from boxes of
 * any radius many at a time. */
void abut_np_distance_many(const abut_collider *shape, const abut_collider *collider, const uint32_t *index, size_t n,
                           double limit, double *distance);

/* The same distance of one body; its closest point, and the unit direction from there to the shape, both rounded once.
 * Where they touch: a point that they share, and zero. The bits are those of abut_shape_distance. */
double abut_np_nearest_point(const abut_collider *shape, const abut_collider *body, abut_vec3 *position,
                             abut_vec3 *normal);

/* A distance as callers see it: only 0 becomes 0. */
static inline float abut_np_distance_float(double distance) {
    float rounded = (float)distance;
    return distance > 0 && rounded == 0 ? FLT_TRUE_MIN : rounded;
}

/* Where the search of a pair with a hull begins: the features that decided it last time. Each is the feature's number
 * + 1, or 0 for unknown. A hint shortens the search and changes no result; any values are allowed. */
enum { ABUT_NP_HINT_VERTICES = 4 };
typedef struct abut_np_hint {
    uint16_t facet_plus_one[2];
    uint16_t edge_plus_one[2];
    uint16_t vertex_plus_one[2][ABUT_NP_HINT_VERTICES]; /* vertices of b deep in a, of a deep in b */
} abut_np_hint;

/* Whether abut_np_collide_many and abut_np_overlap_many use a hint for this pair; not if one of them is a mesh. */
bool abut_np_uses_hint(const abut_collider *a, const abut_collider *b);

/* n pairs: collider[a[k]] and other[b[k]]. */
typedef struct abut_np_pairs {
    const abut_collider *collider, *other; /* may be the same array */
    const uint32_t *a, *b;
    abut_np_hint *const *hint; /* hint[k] is read and written, or NULL; `hint` itself may be NULL */
    size_t n;
    size_t *second_stage; /* grows by the number of pairs that single precision did not decide, or NULL; all pairs with
                             a hull count, as their search begins in double */
} abut_np_pairs;

/* The results of the functions above, bit for bit, for many pairs: hit[k] becomes 0 or 1, and manifold[k] is written
 * where it is 1; with a margin it may be written elsewhere, too. */
void abut_np_overlap_many(const abut_np_pairs *pairs, uint8_t *hit);
void abut_np_collide_many(const abut_np_pairs *pairs, float margin, abut_manifold *manifold, uint8_t *hit);

/* The same where all colliders are boxes, except that the manifolds are packed: only those of pairs that touch are
 * written, each `stride` bytes after the last. */
void abut_np_collide_boxes(const abut_np_pairs *pairs, float margin, abut_manifold *first, size_t stride, uint8_t *hit);

/* Whether all numbers are finite and no extent is negative. */
static inline bool abut_np_rectangle_valid(const abut_obb2 *r) {
    return abut_bits_finite(r->center.x) && abut_bits_finite(r->center.y) && abut_bits_finite(r->axis.x) &&
           abut_bits_finite(r->axis.y) && abut_bits_finite(r->half.x) && abut_bits_finite(r->half.y) &&
           r->half.x >= 0 && r->half.y >= 0;
}

/* A rectangle on the ground, prepared for tests against the shadows of many colliders. The floats define it exactly. */
typedef struct abut_np_footprint {
    abut_obb2 rectangle; /* its axis is not zero */
    float clearance;
    abut_touch touch;
    int ground[2];           /* the world's axes that the rectangle's x and y lie along */
    double axis[2], half[2]; /* the unit axis, rounded, and the half extents */
} abut_np_footprint;

/* False, and *out untouched, when an argument is invalid: NaN, infinity, a negative extent or clearance, an unknown
 * touch rule. `ground` holds two different axes, 0 to 2. */
bool abut_np_footprint_of(const abut_obb2 *rectangle, float clearance, abut_touch touch, const int ground[2],
                          abut_np_footprint *out);

/* Closed bounds of all points within the clearance of the rectangle, too large by at most 2^-22 of |centre| plus extent
 * along each axis. Ends beyond the largest float are the largest float. */
void abut_np_footprint_bounds(const abut_np_footprint *footprint, float min[2], float max[2]);

/* Whether the rectangle is closer to the shadow of a collider than its clearance, or just that close, if the touch rule
 * counts that; without a clearance: whether both overlap, by the touch rule. Exact. */
bool abut_np_footprint_meets(const abut_np_footprint *footprint, const abut_collider *collider);

/* n pairs: footprint[index_footprint[k]] and collider[index_collider[k]]. All rectangles have the same ground,
 * clearance and touch rule. */
typedef struct abut_np_footprint_pairs {
    const abut_np_footprint *footprint;
    const abut_collider *collider;
    const uint32_t *index_footprint, *index_collider;
    size_t n;
} abut_np_footprint_pairs;

/* The same for many: hit[k] becomes 0 or 1. */
void abut_np_footprint_meets_many(const abut_np_footprint_pairs *pairs, uint8_t *hit);

/* The minimum translation that takes the rectangle as far from the shadow of a collider as its clearance and its touch
 * rule demand, rounded outward: with its centre moved by this, one float addition per coordinate, it does not meet the
 * shadow. Of equally short translations the first wins: along the rectangle's axis, across it, along the normals of the
 * sides of the core's shadow in their stored order, along the line of the closest points where it is apart from that;
 * and the positive sense before the negative. {0, 0} where they do not meet. A translation that leads beyond the
 * largest float ends there. */
abut_vec2 abut_np_footprint_translation(const abut_np_footprint *footprint, const abut_collider *collider);

/* A closed segment in double. */
typedef struct abut_np_ray {
    double origin[3], translation[3];
} abut_np_ray;

/* Whether all numbers are finite. */
static inline bool abut_np_ray_valid(const abut_ray *ray) {
    return abut_vec3_finite(ray->origin) && abut_vec3_finite(ray->translation);
}
static inline abut_np_ray abut_np_ray_of(const abut_ray *ray) {
    return (abut_np_ray){{ray->origin.x, ray->origin.y, ray->origin.z},
                         {ray->translation.x, ray->translation.y, ray->translation.z}};
}

/* fraction[k] becomes the fraction of the ray at which it first meets collider[index[k]]: exactly 0 where that holds
 * the origin, never later than the truth, no earlier than it meets the collider grown by 1e-12 S; INFINITY where it
 * never meets it, or certainly only after `limit`. An answer does not depend on what else is in the call. */
void abut_np_cast_ray_many(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                           double limit, double *fraction);

/* The outward unit normal where the ray first meets the collider, at this fraction; zero if that is 0. */
abut_vec3 abut_np_ray_normal(const abut_np_ray *ray, const abut_collider *collider, double fraction);

/* The largest float that is not above the fraction, and the point of the ray there, rounded once. */
float abut_np_ray_fraction(double fraction);
abut_vec3 abut_np_ray_position(const abut_np_ray *ray, float fraction);

/* A shape that moves in a straight line without turning. */
typedef struct abut_np_cast {
    abut_collider start; /* where it begins */
    double translation[3];
} abut_np_cast;

/* `start` is a valid collider, the translation finite. */
abut_np_cast abut_np_cast_of(const abut_collider *start, abut_vec3 translation);

/* Whether the way leads into what has this normal. What rounding alone may show counts as along it: components of
 * normals that should be 0 come out as some 2^-52, and what lies on an edge could never slide along it. */
static inline bool abut_np_cast_leads_in(const abut_np_cast *cast, abut_vec3 normal) {
    const abut_d3 way = abut_d3_load(cast->translation);
    return abut_d3_dot(way, abut_d3_from(normal)) < -0x1p-49 * abut_d3_norm1(way);
}

/* What abut_np_cast_many says of a body that the shape touches at its start. */
#define ABUT_NP_CAST_TOUCHED (-1.0)

/* fraction[k] becomes ABUT_NP_CAST_TOUCHED exactly where abut_np_overlap(start, collider[index[k]]) is true; else the
 * fraction of the way, >= 0, at which the shape first touches that collider: never later than the truth, no earlier
 * than it touches the collider grown by 1e-9 (S + L); INFINITY where it never does, or certainly only after `limit`. An
 * answer does not depend on what else is in the call, nor, unless it is INFINITY, on the limit. */
void abut_np_cast_many(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index, size_t n,
                       double limit, double *fraction);

/* Where the shape first touches the collider, at the fraction found above (>= 0): a point that both share, up to the
 * tolerance, and the unit normal of the collider there, towards the shape. */
void abut_np_cast_place(const abut_np_cast *cast, const abut_collider *collider, double fraction, abut_vec3 *position,
                        abut_vec3 *normal);

/* Of a collider that is touched at the start: a point that both share, and the normal that abut_np_collide gives from
 * the collider to the shape. Returns whether the way leads inward: translation . normal < 0. */
bool abut_np_cast_closes(const abut_np_cast *cast, const abut_collider *collider, abut_vec3 *position,
                         abut_vec3 *normal);

/* A shape on its way from one pose to another. A frame carries it: that frame's origin moves in a straight line at
 * constant speed, and the frame turns about one axis at constant speed. */
typedef struct abut_np_way {
    abut_collider shape;       /* its centre and rotation are not read */
    abut_d3 from, translation; /* of the frame's origin */
    abut_turn turn;            /* of the frame; by 0 if the core is a point that no turn moves */
    double angle;              /* that the frame turns by in any case */
    abut_d3 local;             /* the shape's centre in the frame */
    abut_dquat turned;         /* the shape's rotation in the frame; of any length */
    double reach;              /* no point of the shape is farther from the frame's origin */
} abut_np_way;

/* The way of a shape whose pose in the frame is `local` (NULL: the identity) while the frame goes as abut_pose_between
 * says, before rounding. Poses are finite, with unit rotations as bodies store them. */
void abut_np_way_of(const abut_collider *shape, const abut_dpose *local, const abut_pose *from, const abut_pose *to,
                    abut_np_way *way);
/* A shape that stands still. */
void abut_np_way_still(const abut_collider *collider, abut_np_way *way);

/* A box that moves in a straight line: at the fraction t of its own way it is origin + t translation +- half. */
typedef struct abut_np_line {
    double origin[3], translation[3], half[3];
} abut_np_line;

/* One that holds the shape from one time of its way to another, which are its 0 and 1; rounding and the tolerance of
 * sweeps against shapes of any size up to `extent` included. */
void abut_np_way_line(const abut_np_way *way, double extent, double begin, double end, abut_np_line *line);

/* How much a box around a shape is grown so that sweeps against shapes of any size up to `extent` find it: tolerance
 * and rounding; without the shape's radius. */
double abut_np_way_room(const abut_np_way *way, double extent);

/* A piece of a way, and the shape's own box in its middle. */
typedef struct abut_np_piece {
    abut_np_line line;           /* holds the shape all the piece */
    abut_d3 origin, center;      /* of the frame; of the box */
    double axes[3][3], half[3];  /* of the box: the columns; what the line includes is in these, too */
    double linear, angle, reach; /* how far the frame moves, and turns, until either end; that of the way */
} abut_np_piece;

void abut_np_piece_of(const abut_np_way *way, double extent, double begin, double end, abut_np_piece *piece);
/* Whether the shape certainly touches nothing in a box, all the piece; false says nothing. */
bool abut_np_piece_misses(const abut_np_piece *piece, const float min[3], const float max[3]);

typedef struct abut_np_met {
    double fraction;            /* never later than the truth; 0 for what counts as touched at the start */
    abut_vec3 position, normal; /* a point that both share; the unit normal of b there, towards a; zero for
                                   ABUT_INITIAL_HIT at the start */
    bool deeper;                /* they have touched since the start, and the depth has grown */
} abut_np_met;

/* Whether and where two shapes first meet on their ways; the laws of abut/cast.h. False, and *met is undefined, also
 * where it is certainly after `limit`; otherwise the limit changes no bit. The answer for (b, a) may have other last
 * bits. */
bool abut_np_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                   abut_np_met *met);
/* What counts as touching: e of abut/cast.h. */
double abut_np_sweep_tolerance(const abut_np_way *a, const abut_np_way *b);
/* ABUT_INITIAL_CLOSING for shapes that touch at the start with this normal of b, towards a. */
bool abut_np_sweep_along(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, float allowance, double limit,
                         abut_np_met *met);
/* The gap along a unit normal of b, towards a, at some time. */
double abut_np_sweep_gap(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, double time);
/* Whether there is none from the start to some time. */
bool abut_np_sweep_together(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, double time);
/* Whether they touch, to within e, at some time. */
bool abut_np_sweep_touch_at(const abut_np_way *a, const abut_np_way *b, double time);
/* A moment before they first do so, until some time when they do: in it they move by a few e. */
double abut_np_sweep_before(const abut_np_way *a, const abut_np_way *b, double time);
/* Shapes that meet at *met, but are counted as met only where the gap along the normal falls to a level:
 * ABUT_INITIAL_CLOSING from there on. */
bool abut_np_sweep_slide(const abut_np_way *a, const abut_np_way *b, abut_d3 normal, double level, double limit,
                         abut_np_met *met);

/* --- Meshes. `mesh` is a collider of type ABUT_SHAPE_MESH, the other shape is convex. Functions with "visit" call it
 * for triangles in no fixed order; those that have `limit` pass over what is certainly beyond it, and go on with what
 * the visitor returns. What is said of a triangle does not depend on other triangles, nor on the limit. --- */

/* Whether the convex shape is in contact with the mesh, as a step understands it: backs do not count, and the distance
 * is at most `margin`. */
bool abut_np_mesh_touches(const abut_collider *mesh, const abut_collider *convex, float margin);

/* The same with contact points: normals lead from the mesh to the convex shape. `visit` gets each part once, with
 * previous1 = 0; *manifold sums them up. Either may be NULL. */
typedef void abut_np_part_visit(const abut_contact_part *part, void *context);
bool abut_np_mesh_collide(const abut_collider *mesh, const abut_collider *convex, float margin,
                          abut_np_part_visit *visit, void *context, abut_manifold *manifold);

/* What abut_np_mesh_collide makes of a triangle that is touched: one part, or none, as others show its points. */
typedef struct abut_np_touched {
    uint32_t part;
    bool shown;       /* it has a part, */
    bool leans;       /* and if not: the shape touches a neighbour of it better, not one that has the same normal */
    abut_vec3 normal; /* of the part, or that which it would have */
    double deepest;   /* the least separation of all triangles */
} abut_np_touched;
typedef void abut_np_touched_visit(const abut_np_touched *touched, void *context);
void abut_np_mesh_touched(const abut_collider *mesh, const abut_collider *convex, float margin,
                          abut_np_touched_visit *touched, void *context);

/* The same as abut_np_mesh_collide for many pairs, one after another, while what the next one needs from memory is
 * fetched. After its parts `done` is told whether pair k touches; it returns whether to go on. */
typedef struct abut_np_mesh_pair {
    const abut_collider *mesh, *convex;
    abut_manifold *manifold;
} abut_np_mesh_pair;
typedef bool abut_np_mesh_done(uint32_t k, bool touches, void *context);
void abut_np_mesh_collide_many(const abut_np_mesh_pair *pair, uint32_t n, float margin, abut_np_part_visit *visit,
                               abut_np_mesh_done *done, void *context);

/* A manifold seen from the other body. */
void abut_np_manifold_turn(abut_manifold *manifold);

/* The triangles that share a point with the shape; backs count. The visitor returns whether to go on. */
typedef bool abut_np_triangle_visit(uint32_t part, void *context);
void abut_np_mesh_overlaps(const abut_collider *mesh, const abut_collider *convex, abut_np_triangle_visit *visit,
                           void *context);

/* For a triangle: a distance or fraction. Returns the limit from now on. */
typedef double abut_np_measure_visit(uint32_t part, double measure, void *context);

/* The distances of triangles from the shape, at most `limit`; backs count. 0 exactly where they share a point. */
void abut_np_mesh_near(const abut_collider *mesh, const abut_collider *convex, double limit,
                       abut_np_measure_visit *visit, void *context);
/* What abut_np_nearest_point says of one triangle. */
double abut_np_mesh_nearest_point(const abut_collider *mesh, uint32_t part, const abut_collider *convex,
                                  abut_vec3 *position, abut_vec3 *normal);

/* The triangles that a ray meets from the front (two_sided: from either side), with the fraction. */
void abut_np_mesh_ray(const abut_np_ray *ray, const abut_collider *mesh, double limit, abut_np_measure_visit *visit,
                      void *context);
/* The first of them, of equally early ones the lowest: returns its fraction, INFINITY if there is none. */
double abut_np_mesh_ray_first(const abut_np_ray *ray, const abut_collider *mesh, double limit, uint32_t *part,
                              abut_vec3 *normal);

/* A ray in the frame of a mesh. */
typedef struct abut_np_mesh_placed {
    double origin[3], rest[3]; /* the origin is the sum of both: as exact as double-double */
    double along[3];           /* good to 18 units of its length; exact where the mesh is not turned */
    double norm1;              /* |along|_1 */
    double along_error;        /* times two edges: of a product of translation and normal; see fly_kernel.c */
    bool has_rest;             /* not all zero */
} abut_np_mesh_placed;

/* A ray on its way down the tree of a mesh: some may be under way at the same time. Nodes still to be opened, the
 * nearest last: how far they are (high 32 bits: a float >= 0, so its bits are in order), the level, and the index in
 * the level. Leaves have level 0, nodes one more than their own. */
enum { ABUT_NP_FLIGHT_INDEX_BITS = 28, ABUT_NP_FLIGHT_NODES = ABUT_MESH_WIDE * (ABUT_MESH_LEVELS + 1) };
typedef struct abut_np_mesh_flight {
    const abut_np_ray *of;
    const abut_collider *collider;
    const abut_mesh *mesh;
    abut_np_mesh_placed ray;
    /* For boxes: the origin moved back and forward, the inverses made smaller and larger. */
    float near_origin[3], far_origin[3], near_inverse[3], far_inverse[3];
    uint32_t near_side[3];       /* 24 where the ray enters by the max side, else 0 */
    double scale;                /* the translation was divided by this */
    bool pauses;                 /* returns at each leaf that is being fetched from memory */
    double limit;                /* nothing beyond it matters; not NaN */
    float box_limit;             /* the same of boxes */
    uint32_t first, first_place; /* its number and place; ABUT_MESH_NONE: none yet */
    /* What a leaf has shown: places of triangles that are met (ABUT_NP_NOT_CERTAIN: perhaps). */
    uint32_t found, place[ABUT_MESH_LEAF];
    double fraction[ABUT_MESH_LEAF];
    uint32_t count;
    uint64_t node[ABUT_NP_FLIGHT_NODES];
} abut_np_mesh_flight;

/* The same for rays that take turns: begins, false where nothing is met; goes on while what others need is fetched,
 * false at the end; says what abut_np_mesh_ray_first does. The ray and the collider are read until then. */
bool abut_np_mesh_first_begin(const abut_np_ray *ray, const abut_collider *mesh, double limit,
                              abut_np_mesh_flight *flight);
bool abut_np_mesh_first_go_on(abut_np_mesh_flight *flight);
double abut_np_mesh_first_end(const abut_np_mesh_flight *flight, uint32_t *part, abut_vec3 *normal);
/* The unit normal of a triangle that a ray meets, against the ray. */
abut_vec3 abut_np_mesh_ray_normal(const abut_np_ray *ray, const abut_collider *mesh, uint32_t part);

/* The triangles that a moving shape meets, with what abut_np_cast_many says of them. Backs do not count; that is judged
 * where the shape first touches the triangle. */
void abut_np_mesh_cast(const abut_np_cast *cast, const abut_collider *mesh, double limit, abut_np_measure_visit *visit,
                       void *context);
void abut_np_mesh_cast_place(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, double fraction,
                             abut_vec3 *position, abut_vec3 *normal);
/* The same, and whether the way leads along the surface or out of it there, by the normal that inner edges give: then a
 * neighbour was met before, on the way or at its start. */
bool abut_np_mesh_cast_slides(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, double fraction,
                              abut_vec3 *position, abut_vec3 *normal);

/* ABUT_INITIAL_CLOSING: the triangles that the shape touches at its start, and that the way leads into, with the
 * fraction at which that counts, mostly 0, and with the normal. */
typedef double abut_np_start_visit(uint32_t part, double fraction, abut_vec3 normal, void *context);
void abut_np_mesh_cast_start(const abut_np_cast *cast, const abut_collider *mesh, double limit,
                             abut_np_start_visit *visit, void *context);
/* The same of a triangle that is touched by abut_np_cast_many, and that the function above has not looked at, as
 * rounding decides; false for others. */
bool abut_np_mesh_cast_closes(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, abut_vec3 *normal);
/* A point that the shape and a triangle that is touched at the start share at a fraction as above. */
abut_vec3 abut_np_mesh_cast_shared(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, double fraction);

/* The triangles of b that a meets on their ways, or of a that b meets, with what abut_np_sweep says of them. Exactly
 * one of both is a mesh. */
typedef double abut_np_met_visit(uint32_t part, const abut_np_met *met, void *context);
void abut_np_mesh_sweep(const abut_np_way *a, const abut_np_way *b, abut_initial initial, float allowance, double limit,
                        abut_np_met_visit *visit, void *context);

#endif
