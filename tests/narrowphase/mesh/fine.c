/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Round bodies on floors whose triangles are smaller than what of the body lies below them: on flat ground points are
 * those that one big box would have, of which a lying capsule has more between its two; elsewhere what
 * has a corrected normal is nearer to the body than all that is around it, or the deepest. No contact is lost across
 * seams, beside holes and where the surface turns away. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 41, CELLS = SIDE - 1, SPOKES = 200, VERTICES = SIDE * SIDE + SPOKES + 1, TRIANGLES = 2 * CELLS * CELLS };
enum { STREAM_FLAT = 1641, STREAM_CURVED = 1642, STREAM_SEAMS = 1643, STREAM_HOLES = 1644, STREAM_TURNED = 1645 };

static const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

/* Triangles over the square from -1 to 1 along x and z, times a scale. */
typedef struct ground {
    uint32_t vertex_count, count, ghosts;
    abut_vec3 vertex[VERTICES];
    uint32_t index[TRIANGLES][3];
    abut_mesh *mesh;
} ground;

typedef enum layout { EVEN, MIXED, MOVED, SLIVERS, FAN, LAYOUTS } layout;

static void add(ground *g, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corner[3] = {a, b, c};
    memcpy(g->index[g->count++], corner, sizeof corner);
}

static void make_grid(rng *r, layout kind, ground *g) {
    const float cell = 2.0f / CELLS, jitter = kind == MOVED ? 0.2f * cell : 0;
    for (uint32_t v = 0; v < SIDE * SIDE; v++) {
        const float x = (float)(v % SIDE) * cell - 1, z = (float)(v / SIDE) * cell - 1;
        g->vertex[v] = (abut_vec3){x * (kind == SLIVERS ? 0.25f : 1) + (float)rng_range(r, -1, 1) * jitter, 0,
                                   z + (float)rng_range(r, -1, 1) * jitter};
    }
    g->vertex_count = SIDE * SIDE;
    for (uint32_t c = 0; c < CELLS * CELLS; c++) {
        const uint32_t a = c / CELLS * SIDE + c % CELLS, b = a + 1, d = a + SIDE, e = d + 1;
        const bool other = kind != EVEN && rng_chance(r, 0.5);
        add(g, a, d, other ? e : b);
        add(g, other ? a : b, other ? e : d, other ? b : e);
    }
}

/* All triangles around one corner. */
static void make_fan(rng *r, ground *g) {
    g->vertex[0] = (abut_vec3){(float)rng_range(r, -0.1, 0.1), 0, (float)rng_range(r, -0.1, 0.1)};
    for (uint32_t i = 0; i < SPOKES; i++) {
        const double around = i * 6.283185307179586 / SPOKES;
        g->vertex[1 + i] = (abut_vec3){(float)cos(around), 0, (float)sin(around)};
        add(g, 0, 1 + (i + 1) % SPOKES, 1 + i);
    }
    g->vertex_count = SPOKES + 1;
}

static void make_floor(rng *r, layout kind, double scale, ground *g) {
    memset(g, 0, sizeof *g);
    if (kind == FAN) {
        make_fan(r, g);
    } else {
        make_grid(r, kind, g);
    }
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        g->vertex[v] = (abut_vec3){(float)(g->vertex[v].x * scale), 0, (float)(g->vertex[v].z * scale)};
    }
}

static void shuffle(rng *r, ground *g, uint32_t n) {
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t k = rng_below(r, i);
        uint32_t kept[3];
        memcpy(kept, g->index[i - 1], sizeof kept);
        memcpy(g->index[i - 1], g->index[k], sizeof kept);
        memcpy(g->index[k], kept, sizeof kept);
    }
}

static void finish(rng *r, ground *g) {
    shuffle(r, g, g->count - g->ghosts);
    const abut_mesh_def def = {.vertices = g->vertex,
                               .vertex_count = g->vertex_count,
                               .indices = &g->index[0][0],
                               .triangle_count = g->count,
                               .ghost_count = g->ghosts};
    assert_int_equal(abut_mesh_create(&def, &g->mesh), ABUT_OK);
}

typedef struct answer {
    uint32_t count;
    abut_contact_part part[TRIANGLES];
    abut_manifold manifold;
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < TRIANGLES && part->manifold.count > 0);
    a->part[a->count++] = *part;
}

static void ask(const ground *g, const abut_pose *pose, const abut_shape *shape, const abut_pose *at, float margin,
                answer *out) {
    const abut_shape surface = {.mesh = g->mesh};
    abut_collider mesh, body;
    assert_true(abut_collider_from_shape_or_mesh(&surface, pose, &mesh));
    assert_true(abut_collider_from_shape(shape, at, &body));
    out->count = 0;
    const bool hit = abut_np_mesh_collide(&mesh, &body, margin, keep, out, &out->manifold);
    assert_true(hit == abut_np_mesh_touches(&mesh, &body, margin) && hit == (out->count > 0));
}

/* --- flat --- */

typedef enum kind { BALL, STANDING, LEANING, LYING, CORNER, EDGE, KINDS } kind;

/* A body of size about 1. `lowest`: one point of its core, or two, that are lowest. */
static abut_shape body_of(rng *r, kind k, abut_quat *rotation) {
    static const abut_shape rod = {{0.5f, 0, 0}, NULL, NULL, 0.5f}, block = {{0.5f, 0.25f, 0.375f}, NULL, NULL, 0.25f};
    const double turn = rng_range(r, 0, 3.14), lean = rng_range(r, 0.5, 1.07);
    const double half = k == STANDING ? 0.785398163397448 : k == LEANING ? lean / 2 : 0;
    const double c = cos(turn / 2), s = sin(turn / 2), u = cos(half), w = sin(half);
    *rotation = (abut_quat){(float)(s * w), (float)(s * u), (float)(c * w), (float)(c * u)}; /* y, then z */
    if (k == CORNER || k == EDGE) {
        const double b = k == CORNER ? 0.35 : 0, p = cos(b), q = sin(b), x = sin(lean / 2), v = cos(lean / 2);
        /* about x, then z */
        *rotation = (abut_quat){(float)(p * x), (float)(q * x), (float)(q * v), (float)(p * v)};
    }
    return k == BALL ? abut_sphere(0.5f) : k == CORNER || k == EDGE ? block : rod;
}

/* The lowest points of the core, along a direction up: one, or the two ends of an edge that is level. */
static uint32_t lowest_of(const abut_shape *shape, const abut_pose *at, double up[3], double out[2][3]) {
    double least = INFINITY;
    uint32_t n = 0;
    for (int corner = 0; corner < 8; corner++) {
        const abut_vec3 local = {corner & 1 ? shape->half.x : -shape->half.x,
                                 corner & 2 ? shape->half.y : -shape->half.y,
                                 corner & 4 ? shape->half.z : -shape->half.z};
        const double q[4] = {at->rotation.x, at->rotation.y, at->rotation.z, at->rotation.w};
        const double v[3] = {local.x, local.y, local.z};
        const double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                             2 * (q[0] * v[1] - q[1] * v[0])};
        const double p[3] = {v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1],
                             v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
                             v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0]};
        const double height = p[0] * up[0] + p[1] * up[1] + p[2] * up[2];
        n = height < least - 1e-5 ? 0 : n;
        if (height <= least + 1e-5 && n < 2) {
            const bool again = n == 1 && fabs(p[0] - out[0][0]) + fabs(p[2] - out[0][2]) < 1e-5;
            memcpy(out[n], p, sizeof p);
            n += !again;
        }
        least = fmin(least, height);
    }
    return n;
}

/* How far a point is from the segment between two lowest points, or from the one. */
static double beside(const double p[3], double low[2][3], uint32_t n) {
    double way[3], from[3], square = 0, along = 0, off = 0;
    for (int i = 0; i < 3; i++) {
        way[i] = n == 2 ? low[1][i] - low[0][i] : 0;
        from[i] = p[i] - low[0][i];
        square += way[i] * way[i];
        along += way[i] * from[i];
    }
    const double t = square > 0 ? fmin(fmax(along / square, 0), 1) : 0;
    for (int i = 0; i < 3; i++) {
        off += (from[i] - t * way[i]) * (from[i] - t * way[i]);
    }
    return sqrt(off);
}

/* Every point lies below what is lowest, with the floor's normal; nothing of that is missing. Of a core's tilted face
 * or rod more may be below the floor: points up to this far beside it. */
static void check_points(const answer *a, const abut_shape *shape, const abut_pose *at, double depth, double off) {
    double up[3] = {0, 1, 0}, low[2][3], missing[2] = {INFINITY, INFINITY};
    const uint32_t n = lowest_of(shape, at, up, low);
    for (uint32_t i = 0; i < n; i++) { /* onto the middle between the floor and the surface */
        low[i][0] += at->position.x;
        low[i][1] = -depth / 2;
        low[i][2] += at->position.z;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        const abut_manifold *m = &a->part[i].manifold;
        assert_true(m->normal.x == 0 && m->normal.y == 1 && m->normal.z == 0);
        for (uint32_t k = 0; k < m->count; k++) {
            const double p[3] = {m->points[k].position.x, m->points[k].position.y, m->points[k].position.z};
            assert_true(beside(p, low, n) < 1e-4 + off);
            assert_true(fabs(m->points[k].separation + depth) < 1e-5 || (off > 0 && m->points[k].separation > -depth));
            for (uint32_t e = 0; e < n; e++) {
                missing[e] = fmin(missing[e], beside(p, &low[e], 1));
            }
        }
    }
    for (uint32_t e = 0; e < n; e++) {
        assert_true(missing[e] < 1e-4);
    }
}

static void put_down(rng *r, const abut_shape *shape, double depth, abut_pose *at) {
    double up[3] = {0, 1, 0}, low[2][3];
    const bool level = lowest_of(shape, at, up, low) == 2;
    at->position = (abut_vec3){(float)(rng_range(r, -0.03, 0.03) - (level ? 0 : low[0][0])),
                               (float)(shape->radius - low[0][1] - depth),
                               (float)(rng_range(r, -0.1, 0.1) - (level ? 0 : low[0][2]))};
}

static void flat_floors(void **state) {
    (void)state;
    static ground g;
    static answer a;
    uint32_t most = 0;
    for (uint64_t i = 0; i < test_count(25); i++) {
        rng r = rng_make(test_seed() + STREAM_FLAT, i);
        const layout kind_of_floor = (layout)(i % LAYOUTS);
        const double scale =
            rng_log_range(&r, kind_of_floor == SLIVERS ? 1 : 0.4, 4); /* a body touches few, or hundreds */
        make_floor(&r, kind_of_floor, scale, &g);
        finish(&r, &g);
        for (int k = 0; k < 4 * KINDS; k++) {
            const kind which = (kind)(k % KINDS);
            abut_pose at = here;
            const abut_shape shape = body_of(&r, which, &at.rotation);
            if ((which == LYING || which == EDGE) && (scale < 1 || kind_of_floor == SLIVERS)) {
                continue; /* longer than the floor is wide */
            }
            double up[3] = {0, 1, 0}, low[2][3], depth = rng_log_range(&r, 1e-4, 0.01);
            put_down(&r, &shape, depth, &at);
            lowest_of(&shape, &at, up, low);
            depth = shape.radius - low[0][1] - at.position.y;
            ask(&g, &here, &shape, &at, 0, &a);
            check_points(&a, &shape, &at, depth, which >= LEANING && which != LYING ? 4 * depth : 0);
            most = a.count > most ? a.count : most;
        }
        abut_mesh_destroy(&g.mesh);
    }
    assert_true(most > 1); /* a capsule that lies over several triangles */
}

/* v turned by q, or back. */
static void turn(abut_quat q, bool back, const double v[3], double out[3]) {
    const double sign = back ? -1 : 1, u[3] = {sign * q.x, sign * q.y, sign * q.z}, w = q.w;
    double t[3];
    for (int i = 0; i < 3; i++) {
        t[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + w * t[i] + u[(i + 1) % 3] * t[(i + 2) % 3] - u[(i + 2) % 3] * t[(i + 1) % 3];
    }
}

static abut_vec3 turned(abut_quat q, bool back, abut_vec3 v) {
    double out[3];
    turn(q, back, (double[3]){v.x, v.y, v.z}, out);
    return (abut_vec3){(float)out[0], (float)out[1], (float)out[2]};
}

static abut_quat product(abut_quat a, abut_quat b) {
    return (abut_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* Floors that are flat but for rounding: points lie below what is lowest, and both ends of a level edge are held. */
static void turned_floors(void **state) {
    (void)state;
    static ground g;
    static answer a;
    for (uint64_t i = 0; i < test_count(10); i++) {
        rng r = rng_make(test_seed() + STREAM_TURNED, i);
        const abut_quat q = rng_rotation(&r);
        make_floor(&r, i % 2 ? MIXED : MOVED, rng_log_range(&r, 1, 3), &g);
        for (uint32_t v = 0; v < g.vertex_count; v++) {
            g.vertex[v] = turned(q, false, g.vertex[v]);
        }
        finish(&r, &g);
        for (int k = 0; k < 4 * KINDS; k++) {
            abut_pose at = here;
            double up[3] = {0, 1, 0}, low[2][3], depth = rng_log_range(&r, 3e-4, 0.01);
            const abut_shape shape = body_of(&r, (kind)(k % KINDS), &at.rotation);
            put_down(&r, &shape, depth, &at);
            const uint32_t n = lowest_of(&shape, &at, up, low);
            const abut_pose there = {turned(q, false, at.position), product(q, at.rotation)};
            ask(&g, &here, &shape, &there, 0, &a);
            double missing[2] = {INFINITY, INFINITY};
            for (uint32_t e = 0; e < n; e++) {
                low[e][0] += at.position.x;
                low[e][1] = -depth / 2;
                low[e][2] += at.position.z;
            }
            for (uint32_t p = 0; p < a.count; p++) {
                for (uint32_t c = 0; c < a.part[p].manifold.count; c++) {
                    const abut_vec3 point = turned(q, true, a.part[p].manifold.points[c].position);
                    const double on[3] = {point.x, point.y, point.z};
                    assert_true(beside(on, low, n) < 1e-3 + 4 * depth);
                    for (uint32_t e = 0; e < n; e++) {
                        missing[e] = fmin(missing[e], beside(on, &low[e], 1));
                    }
                }
            }
            for (uint32_t e = 0; e < n; e++) {
                assert_true(missing[e] < 1e-3);
            }
        }
        abut_mesh_destroy(&g.mesh);
    }
}

/* --- balls on any ground --- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void corner_of(const ground *g, uint32_t t, int k, double out[3]) {
    const abut_vec3 v = g->vertex[g->index[t][k]];
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void consider(const double p[3], const double at[3], double *least, double on[3]) {
    const double d[3] = {p[0] - at[0], p[1] - at[1], p[2] - at[2]};
    if (dot(d, d) < *least) {
        *least = dot(d, d);
        memcpy(on, p, 3 * sizeof *on);
    }
}

/* How far a point is from a triangle, and from which point of it; `before`: whether it lies before its front. */
static double distance_to(const ground *g, uint32_t t, const double at[3], double on[3], bool *before) {
    double c[3][3], e[3][3], n[3], from[3], least = INFINITY;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        corner_of(g, t, k, c[k]);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            e[k][i] = c[(k + 1) % 3][i] - c[k][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        n[i] = e[0][(i + 1) % 3] * e[1][(i + 2) % 3] - e[0][(i + 2) % 3] * e[1][(i + 1) % 3];
    }
    for (int k = 0; k < 3; k++) {
        double p[3], out[3];
        for (int i = 0; i < 3; i++) {
            from[i] = at[i] - c[k][i];
            out[i] = e[k][(i + 1) % 3] * n[(i + 2) % 3] - e[k][(i + 2) % 3] * n[(i + 1) % 3];
        }
        const double share = fmin(fmax(dot(from, e[k]) / dot(e[k], e[k]), 0), 1);
        for (int i = 0; i < 3; i++) {
            p[i] = c[k][i] + share * e[k][i];
        }
        consider(p, at, &least, on);
        inside = inside && dot(out, from) <= 0;
    }
    *before = dot(n, from) >= 0;
    for (int i = 0; inside && i < 3; i++) {
        on[i] = at[i] - dot(n, from) / dot(n, n) * n[i];
    }
    return inside ? fabs(dot(n, from)) / sqrt(dot(n, n)) : sqrt(least);
}

/* A ball, and how far each triangle is from its middle; INFINITY where it is touched from behind or not at all. */
typedef struct view {
    double at[3], distance[TRIANGLES], on[TRIANGLES][3];
    uint32_t nearest;
} view;

static void see(const ground *g, const abut_pose *at, double radius, view *v) {
    v->at[0] = at->position.x;
    v->at[1] = at->position.y;
    v->at[2] = at->position.z;
    v->nearest = 0;
    for (uint32_t t = 0; t < g->count; t++) {
        bool before;
        const double distance = distance_to(g, t, v->at, v->on[t], &before);
        v->distance[t] = before && distance <= radius && t < g->count - g->ghosts ? distance : INFINITY;
        v->nearest = v->distance[t] < v->distance[v->nearest] ? t : v->nearest;
    }
}

/* Whether a part has another normal than the way from its triangle to the ball: it was corrected. */
static bool is_corrected(const view *v, const abut_contact_part *part) {
    const abut_vec3 n = part->manifold.normal;
    const double *on = v->on[part->part], d = v->distance[part->part];
    const double way[3] = {v->at[0] - on[0], v->at[1] - on[1], v->at[2] - on[2]};
    return fabs(way[0] - d * n.x) + fabs(way[1] - d * n.y) + fabs(way[2] - d * n.z) > 1e-4;
}

/* Whether something at the point where a triangle is nearest to the ball is clearly nearer. */
static bool is_outdone(const ground *g, const view *v, uint32_t t) {
    for (uint32_t o = 0; o < g->count; o++) {
        double on[3];
        bool before;
        if (v->distance[o] < v->distance[t] - 1e-7 && distance_to(g, o, v->on[t], on, &before) < 1e-9) {
            return true;
        }
    }
    return false;
}

static void check_ball(const ground *g, const view *v, const answer *a) {
    float least = INFINITY;
    bool nearest = false;
    for (uint32_t i = 0; i < a->count; i++) {
        least = fminf(least, a->part[i].manifold.points[0].separation);
        nearest = nearest || v->distance[a->part[i].part] <= v->distance[v->nearest] + 1e-9;
    }
    assert_true(nearest);
    for (uint32_t i = 0; i < a->count; i++) {
        if (is_corrected(v, &a->part[i]) && is_outdone(g, v, a->part[i].part)) {
            assert_true(a->part[i].manifold.points[0].separation <= least + 1e-5f);
        }
    }
}

static float height_at(rng *r, uint32_t shape, abut_vec3 v, double scale) {
    const double x = v.x / scale, z = v.z / scale, bow = 0.05 * scale * (x * x + z * z);
    switch (shape) {
    case 0:
        return (float)bow;
    case 1:
        return (float)-bow;
    case 2:
        return (float)(0.5 * fabs((double)v.x)); /* a valley */
    case 3:
        return (float)(-0.5 * fabs((double)v.x));
    default:
        return (float)(rng_range(r, -1, 1) * (shape == 4 ? 0.0005 : 0.005) * scale);
    }
}

/* Down to the surface, and a little further. */
static void sink(const ground *g, double radius, double depth, abut_pose *at) {
    double low = 0.2, high = 4;
    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2, p[3] = {at->position.x, middle, at->position.z};
        double least = INFINITY, on[3];
        bool before;
        for (uint32_t t = 0; t < g->count; t++) {
            least = fmin(least, distance_to(g, t, p, on, &before));
        }
        *(least <= radius ? &low : &high) = middle;
    }
    at->position.y = (float)(low - depth);
}

static void curved_ground(void **state) {
    (void)state;
    static ground g;
    static answer a;
    static view v;
    for (uint64_t i = 0; i < test_count(12); i++) {
        rng r = rng_make(test_seed() + STREAM_CURVED, i);
        const double scale = rng_log_range(&r, 0.5, 2);
        make_floor(&r, i % 2 ? MIXED : MOVED, scale, &g);
        for (uint32_t k = 0; k < g.vertex_count; k++) {
            g.vertex[k].y = height_at(&r, (uint32_t)(i % 6), g.vertex[k], scale);
        }
        finish(&r, &g);
        for (int k = 0; k < 4; k++) {
            const abut_shape ball = abut_sphere(0.5f);
            abut_pose at = {{(float)rng_range(&r, -0.1, 0.1), 0, (float)rng_range(&r, -0.1, 0.1)}, {0, 0, 0, 1}};
            sink(&g, 0.5, rng_log_range(&r, 5e-4, 0.01), &at);
            ask(&g, &here, &ball, &at, 0, &a);
            see(&g, &at, 0.5, &v);
            check_ball(&g, &v, &a);
        }
        abut_mesh_destroy(&g.mesh);
    }
}

/* Two chunks, each with all of the other as ghosts: both together show what lies below the ball. */
static void across_a_seam(void **state) {
    (void)state;
    static ground whole, chunk;
    static answer a;
    for (uint64_t i = 0; i < test_count(8); i++) {
        rng r = rng_make(test_seed() + STREAM_SEAMS, i);
        make_floor(&r, MIXED, 1, &whole);
        const abut_shape ball = abut_sphere(0.5f);
        const abut_pose at = {{(float)rng_range(&r, -0.05, 0.05), 0.495f, (float)rng_range(&r, -0.05, 0.05)},
                              {0, 0, 0, 1}};
        bool shown = false;
        for (int side = 0; side < 2; side++) {
            chunk = whole;
            chunk.count = 0;
            for (int own = 1; own >= 0; own--) {
                for (uint32_t t = 0; t < whole.count; t++) {
                    const uint32_t *c = whole.index[t];
                    const float x = whole.vertex[c[0]].x + whole.vertex[c[1]].x + whole.vertex[c[2]].x;
                    if (((x < 0) == (side == 0)) == own) {
                        add(&chunk, c[0], c[1], c[2]);
                        chunk.ghosts += !own;
                    }
                }
            }
            finish(&r, &chunk);
            ask(&chunk, &here, &ball, &at, 0, &a);
            for (uint32_t k = 0; k < a.count; k++) {
                const abut_manifold *m = &a.part[k].manifold;
                const double p[3] = {m->points[0].position.x, m->points[0].position.z, 0};
                shown = shown || hypot(p[0] - at.position.x, p[1] - at.position.z) < 1e-5;
            }
            abut_mesh_destroy(&chunk.mesh);
        }
        assert_true(shown);
    }
}

/* The triangle below the ball is missing: the ball rests on its three sides. */
static void over_a_hole(void **state) {
    (void)state;
    static ground g;
    static answer a;
    for (uint64_t i = 0; i < test_count(8); i++) {
        rng r = rng_make(test_seed() + STREAM_HOLES, i);
        make_floor(&r, MIXED, 1, &g);
        const uint32_t gone = CELLS * CELLS + CELLS + rng_below(&r, 10); /* near the middle */
        double c[3][3], middle[2] = {0, 0};
        for (int k = 0; k < 3; k++) {
            corner_of(&g, gone, k, c[k]);
            middle[0] += c[k][0] / 3;
            middle[1] += c[k][2] / 3;
        }
        memcpy(g.index[gone], g.index[--g.count], sizeof g.index[gone]);
        finish(&r, &g);
        const abut_shape ball = abut_sphere(0.5f);
        const abut_pose at = {{(float)middle[0], 0.495f, (float)middle[1]}, {0, 0, 0, 1}};
        ask(&g, &here, &ball, &at, 0, &a);
        assert_true(a.count >= 3);
        for (int k = 0; k < 3; k++) {
            const double *p = c[k], *q = c[(k + 1) % 3], x = q[0] - p[0], z = q[2] - p[2];
            const double share = ((middle[0] - p[0]) * x + (middle[1] - p[2]) * z) / (x * x + z * z);
            bool shown = false;
            for (uint32_t t = 0; t < a.count; t++) {
                const abut_contact_point *at_side = &a.part[t].manifold.points[0];
                shown = shown || hypot(at_side->position.x - (p[0] + share * x),
                                       at_side->position.z - (p[2] + share * z)) < 1e-3;
            }
            assert_true(shown);
        }
        abut_mesh_destroy(&g.mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_floors), cmocka_unit_test(turned_floors),
                                       cmocka_unit_test(curved_ground), cmocka_unit_test(across_a_seam),
                                       cmocka_unit_test(over_a_hole)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
