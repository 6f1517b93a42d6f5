/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/frustum_oracle.h"
#include <math.h>
#include <string.h>

static quad dot(const quad a[3], const quad b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const quad a[3], const quad b[3], quad out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* a + s b */
static void along(const quad a[3], quad s, const quad b[3], quad out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + s * b[i];
    }
}

static quad root(quad x) {
    return quad_sqrt(x, sqrt((double)x));
}

static bool normalise(quad v[3]) {
    quad length = root(dot(v, v));
    for (int i = 0; i < 3 && length > 0; i++) {
        v[i] /= length;
    }
    return length > 0;
}

/* The directions of the axes of R(q)/|q|^2. */
static void axes_of(abut_quat q, quad axis[3][3]) {
    quad x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    if (n == 0) {
        w = n = 1;
    }
    const quad m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                          {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                          {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
    for (int k = 0; k < 9; k++) {
        axis[k / 3][k % 3] = m[k / 3][k % 3] / n;
    }
}

/* A plane through a point, seen from `inner`, which is inside. */
static void add_plane(frustum_truth *t, const quad normal[3], const quad point[3], const quad inner[3]) {
    quad *plane = t->plane[t->plane_count++], way[3];
    memcpy(plane, normal, 3 * sizeof(quad));
    (void)normalise(plane);
    along(inner, -1, point, way);
    for (int i = 0; i < 3 && dot(normal, way) < 0; i++) {
        plane[i] = -plane[i];
    }
    plane[3] = -dot(plane, point);
}

/* eye + s (n D + x w L + y h U), |x|, |y| <= 1, 1 <= s <= far / near. */
static void set_perspective(const frustum_spec *spec, quad left[3], quad up[3], quad ahead[3], frustum_truth *t) {
    static const quad zero[3] = {0, 0, 0};
    static const int ring[4] = {0, 1, 3, 2};
    bool infinite = spec->far_distance == INFINITY;
    quad middle[3], normal[3];
    along(zero, spec->near_distance, ahead, middle);
    for (int i = 0; i < 4; i++) {
        along(middle, i & 1 ? spec->half_width : -spec->half_width, left, t->vertex[i]);
        along(t->vertex[i], i & 2 ? spec->half_height : -spec->half_height, up, t->vertex[i]);
    }
    t->vertex_count = 4;
    for (int i = 0; i < 4; i++) {
        if (infinite) {
            memcpy(t->ray[t->ray_count], t->vertex[i], sizeof t->vertex[i]);
            (void)normalise(t->ray[t->ray_count++]);
        } else {
            along(zero, (quad)spec->far_distance / spec->near_distance, t->vertex[i], t->vertex[t->vertex_count++]);
        }
        cross(t->vertex[ring[i]], t->vertex[ring[(i + 1) % 4]], normal);
        add_plane(t, normal, zero, middle);
    }
    cross(left, up, normal);
    along(middle, 1, middle, middle); /* behind the near plane, then in front of the far one */
    add_plane(t, normal, t->vertex[0], middle);
    if (!infinite) {
        add_plane(t, normal, t->vertex[4], zero);
    }
}

static void set_orthographic(const abut_obb *box, frustum_truth *t) {
    static const quad zero[3] = {0, 0, 0};
    const float *half = &box->half.x;
    quad axis[3][3], point[3];
    axes_of(box->rotation, axis);
    for (int i = 0; i < 8; i++) {
        memset(t->vertex[i], 0, sizeof t->vertex[i]);
        for (int k = 0; k < 3; k++) {
            along(t->vertex[i], i >> k & 1 ? half[k] : -half[k], axis[k], t->vertex[i]);
        }
    }
    t->vertex_count = 8;
    for (int k = 0; k < 6; k++) {
        along(zero, k & 1 ? half[k / 2] : -half[k / 2], axis[k / 2], point);
        add_plane(t, axis[k / 2], point, zero);
    }
}

/* a row 3 + b row r >= 0, unless that is at infinity. */
static void add_rows(const float m[16], int a, int b, int r, frustum_truth *t) {
    quad sum[4], largest = 0, of_rows = 0;
    for (int i = 0; i < 4; i++) {
        quad x = (quad)a * m[4 * i + 3], y = (quad)b * m[4 * i + r];
        sum[i] = x + y;
        if (i < 3) {
            largest = quad_abs(sum[i]) > largest ? quad_abs(sum[i]) : largest;
            of_rows = quad_abs(x) > of_rows ? quad_abs(x) : of_rows;
            of_rows = quad_abs(y) > of_rows ? quad_abs(y) : of_rows;
        }
    }
    if (largest > of_rows * (a == 0 ? 0 : 0x1p-22)) {
        quad length = root(dot(sum, sum));
        for (int i = 0; i < 4; i++) {
            t->plane[t->plane_count][i] = sum[i] / length;
        }
        t->plane_count++;
    }
}

/* Whether a point (w = 1) or a ray (w = 0) is in all half-spaces, up to rounding. */
static bool within(const frustum_truth *t, const quad v[3], quad w) {
    quad size = root(dot(v, v));
    for (int k = 0; k < t->plane_count; k++) {
        quad d = w * t->plane[k][3];
        if (dot(t->plane[k], v) + d < -1e-24 * (size + quad_abs(d))) {
            return false;
        }
    }
    return true;
}

/* The point where three planes meet; false if there is none. */
static bool meet(const quad a[4], const quad b[4], const quad c[4], quad out[3]) {
    quad bc[3], ca[3], ab[3];
    cross(b, c, bc);
    cross(c, a, ca);
    cross(a, b, ab);
    quad det = dot(a, bc);
    for (int i = 0; i < 3 && det != 0; i++) {
        out[i] = -(a[3] * bc[i] + b[3] * ca[i] + c[3] * ab[i]) / det;
    }
    return quad_abs(det) > 1e-24;
}

static void find_vertices(frustum_truth *t) {
    for (int a = 0; a < t->plane_count; a++) {
        for (int b = 0; b < a; b++) {
            quad ray[3], back[3];
            static const quad zero[3] = {0, 0, 0};
            for (int c = 0; c < b; c++) {
                quad *at = t->vertex[t->vertex_count];
                t->vertex_count += meet(t->plane[a], t->plane[b], t->plane[c], at) && within(t, at, 1);
            }
            cross(t->plane[a], t->plane[b], ray);
            if (dot(ray, ray) > 1e-48 && normalise(ray)) {
                along(zero, -1, ray, back);
                bool ahead = within(t, ray, 0);
                if (ahead || within(t, back, 0)) {
                    memcpy(t->ray[t->ray_count++], ahead ? ray : back, sizeof ray);
                }
            }
        }
    }
}

static void set_matrix(const frustum_spec *spec, frustum_truth *t) {
    static const int depth[3][2][2] = {[ABUT_CLIP_NEG_ONE_TO_ONE] = {{1, 1}, {1, -1}},
                                       [ABUT_CLIP_ZERO_TO_ONE] = {{0, 1}, {1, -1}},
                                       [ABUT_CLIP_REVERSED] = {{0, 1}, {1, -1}}};
    for (int k = 0; k < 4; k++) {
        add_rows(spec->matrix, 1, k & 1 ? -1 : 1, k / 2, t);
    }
    for (int k = 0; k < 2; k++) {
        add_rows(spec->matrix, depth[spec->clip][k][0], depth[spec->clip][k][1], 2, t);
    }
    find_vertices(t);
}

/* Of a matrix, the eye is where the sides meet. */
static void set_reach(const frustum_spec *spec, frustum_truth *t) {
    quad eye[3] = {0, 0, 0};
    if (spec->kind == FRUSTUM_MATRIX && !meet(t->plane[0], t->plane[1], t->plane[2], eye)) {
        memset(eye, 0, sizeof eye);
        for (int i = 0; i < t->vertex_count; i++) {
            along(eye, 1 / (quad)t->vertex_count, t->vertex[i], eye);
        }
    }
    quad reach = 0;
    for (int i = 0; i < t->vertex_count; i++) {
        quad way[3];
        along(t->vertex[i], -1, eye, way);
        quad square = dot(way, way);
        reach = i == 0 || (t->ray_count ? square > reach : square < reach) ? square : reach;
    }
    t->reach = sqrt((double)reach);
}

static void copy_vector(abut_vec3 from, quad to[3]) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
    (void)normalise(to);
}

void frustum_truth_of(const frustum_spec *spec, frustum_truth *t) {
    quad left[3], up[3], ahead[3], axis[3][3];
    memset(t, 0, sizeof *t);
    if (spec->kind == FRUSTUM_PERSPECTIVE) {
        t->origin = spec->eye;
        copy_vector(spec->left, left);
        copy_vector(spec->up, up);
        copy_vector(spec->direction, ahead);
        set_perspective(spec, left, up, ahead, t);
    } else if (spec->kind == FRUSTUM_CAMERA) {
        t->origin = spec->camera.position;
        axes_of(spec->camera.rotation, axis);
        for (int i = 0; i < 3; i++) {
            left[i] = -axis[0][i];
            ahead[i] = -axis[2][i];
        }
        set_perspective(spec, left, axis[1], ahead, t);
    } else if (spec->kind == FRUSTUM_ORTHOGRAPHIC) {
        t->origin = spec->box.center;
        set_orthographic(&spec->box, t);
    } else {
        set_matrix(spec, t);
    }
    set_reach(spec, t);
}

/* A box, and the frustum cut off where nothing beyond could be nearest to it. */
typedef struct bodies {
    const frustum_truth *frustum;
    quad cut; /* lengths of rays, added to vertices, in units of their own */
    quad center[3], half[3], axis[3][3];
    quad size, near_vertex; /* sum of half extents; distance of the centre from the nearest vertex */
} bodies;

/* A sum of rays with weights >= 0 is at least this times the sum of the weights long: all rays are on the same side of
 * every plane, so they have positive components along the sum of the normals. */
static quad least_lean(const frustum_truth *t) {
    quad inward[3] = {0, 0, 0}, least = 1;
    for (int k = 0; k < t->plane_count; k++) {
        along(inward, 1, t->plane[k], inward);
    }
    (void)normalise(inward);
    for (int j = 0; j < t->ray_count; j++) {
        quad lean = dot(inward, t->ray[j]);
        least = lean < least ? lean : least;
    }
    return least;
}

/* The frustum's nearest point to the box is no farther from the frustum's nearest vertex than the box's farthest point.
 */
static void set_bodies(const frustum_truth *t, const abut_obb *box, bodies *b) {
    b->frustum = t;
    axes_of(box->rotation, b->axis);
    b->size = 0;
    for (int k = 0; k < 3; k++) {
        b->center[k] = (quad)(&box->center.x)[k] - (&t->origin.x)[k];
        b->half[k] = (&box->half.x)[k];
        b->size += b->half[k];
    }
    quad nearest = -1, spread = 0;
    for (int i = 0; i < t->vertex_count; i++) {
        quad way[3];
        along(b->center, -1, t->vertex[i], way);
        quad square = dot(way, way);
        nearest = nearest < 0 || square < nearest ? square : nearest;
        along(t->vertex[0], -1, t->vertex[i], way);
        square = dot(way, way);
        spread = square > spread ? square : spread;
    }
    b->near_vertex = root(nearest);
    b->cut = t->ray_count ? 4 * (b->near_vertex + b->size + root(spread)) / least_lean(t) : 0;
}

/* The support point of frustum minus box along d, and its distance along d. */
static quad support(const bodies *b, const quad d[3], quad out[3]) {
    const frustum_truth *t = b->frustum;
    int vertex = 0, ray = -1;
    quad most = 0, more = 0;
    for (int i = 0; i < t->vertex_count; i++) {
        quad far = dot(d, t->vertex[i]);
        if (i == 0 || far > most) {
            most = far;
            vertex = i;
        }
    }
    for (int j = 0; j < t->ray_count; j++) {
        quad far = dot(d, t->ray[j]);
        if (far > more) {
            more = far;
            ray = j;
        }
    }
    along(t->vertex[vertex], -1, b->center, out);
    if (ray >= 0) {
        along(out, b->cut, t->ray[ray], out);
    }
    for (int k = 0; k < 3; k++) {
        along(out, dot(d, b->axis[k]) > 0 ? b->half[k] : -b->half[k], b->axis[k], out);
    }
    return dot(d, out);
}

/* One to four points of the difference body. */
typedef struct simplex {
    quad point[4][3];
    int count;
} simplex;

/* The nearest point to the origin found so far, and the simplex's points of which it is a mean. */
typedef struct nearest {
    quad at[3], square;
    unsigned of;
} nearest;

static void offer(nearest *best, const quad at[3], unsigned of) {
    quad square = dot(at, at);
    if (best->of == 0 || square < best->square) {
        memcpy(best->at, at, sizeof best->at);
        best->square = square;
        best->of = of;
    }
}

/* From the nearer end, because the other end may be very far. */
static void try_edge(const simplex *s, int i, int j, nearest *best) {
    quad edge[3], at[3];
    bool first = dot(s->point[i], s->point[i]) < dot(s->point[j], s->point[j]);
    const quad *near = s->point[first ? i : j];
    along(s->point[first ? j : i], -1, near, edge);
    quad length = dot(edge, edge), t = -dot(near, edge);
    if (t > 0 && t < length) {
        along(near, t / length, edge, at);
        offer(best, at, 1U << i | 1U << j);
    }
}

static void try_triangle(const simplex *s, int i, int j, int k, nearest *best) {
    static const quad zero[3] = {0, 0, 0};
    const quad *a = s->point[i], *b = s->point[j], *c = s->point[k];
    quad u[3], v[3], n[3], ab[3], bc[3], ca[3], at[3];
    along(b, -1, a, u);
    along(c, -1, a, v);
    cross(u, v, n);
    cross(a, b, ab);
    cross(b, c, bc);
    cross(c, a, ca);
    quad square = dot(n, n);
    if (square > 0 && dot(n, ab) >= 0 && dot(n, bc) >= 0 && dot(n, ca) >= 0) {
        const quad *near = dot(a, a) < dot(b, b) ? a : b;
        near = dot(c, c) < dot(near, near) ? c : near;
        along(zero, dot(n, near) / square, n, at);
        offer(best, at, 1U << i | 1U << j | 1U << k);
    }
}

static quad volume(const quad a[3], const quad b[3], const quad c[3]) {
    quad bc[3];
    cross(b, c, bc);
    return dot(a, bc);
}

static bool holds_origin(const simplex *s) {
    quad e[3][3];
    for (int k = 0; k < 3; k++) {
        along(s->point[k], -1, s->point[3], e[k]);
    }
    quad all = volume(e[0], e[1], e[2]),
         part[4] = {-volume(s->point[1], s->point[2], s->point[3]), volume(s->point[0], s->point[2], s->point[3]),
                    -volume(s->point[0], s->point[1], s->point[3]), 0};
    part[3] = all - part[0] - part[1] - part[2];
    bool inside = all != 0;
    for (int k = 0; k < 4; k++) {
        inside = inside && (all > 0 ? part[k] >= 0 : part[k] <= 0);
    }
    return inside;
}

/* The point of the simplex that is nearest to the origin; only those that it is a mean of are kept. */
static void reduce(simplex *s, nearest *best) {
    *best = (nearest){.of = 0};
    for (int i = 0; i < s->count; i++) {
        offer(best, s->point[i], 1U << i);
        for (int j = 0; j < i; j++) {
            try_edge(s, i, j, best);
            for (int k = 0; k < j; k++) {
                try_triangle(s, i, j, k, best);
            }
        }
    }
    if (s->count == 4 && holds_origin(s)) {
        *best = (nearest){.of = 15};
    }
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        if (best->of >> i & 1) {
            memmove(s->point[kept++], s->point[i], sizeof s->point[i]);
        }
    }
    s->count = kept;
}

static bool has(const simplex *s, const quad p[3]) {
    bool found = false;
    for (int i = 0; i < s->count; i++) {
        found = found || (s->point[i][0] == p[0] && s->point[i][1] == p[1] && s->point[i][2] == p[2]);
    }
    return found;
}

static void measure(const bodies *b, quad touching, frustum_gap *gap) {
    simplex s = {.count = 1};
    nearest best;
    (void)support(b, b->center, s.point[0]);
    for (int step = 0; step < 300; step++) {
        quad toward[3], next[3];
        reduce(&s, &best);
        gap->at_most = sqrt((double)best.square);
        if (best.square <= touching * touching) {
            gap->known = gap->touch = true;
            gap->gap = 0;
            return;
        }
        for (int i = 0; i < 3; i++) {
            toward[i] = -best.at[i];
        }
        quad reached = -support(b, toward, next);
        /* No point is nearer than reached / |at|. */
        /* A separating direction proves a gap, even where rounding ends the search before 1e-15 of it. */
        double shown = (double)reached / sqrt((double)best.square);
        gap->known = gap->known || shown > 0;
        gap->gap = shown > gap->gap ? shown : gap->gap;
        if (has(&s, next) || reached >= best.square * (1 - 1e-15)) {
            return;
        }
        memcpy(s.point[s.count++], next, sizeof next);
    }
}

static double inside(const bodies *b) {
    const frustum_truth *t = b->frustum;
    quad least = 0;
    for (int k = 0; k < t->plane_count; k++) {
        quad room = dot(t->plane[k], b->center) + t->plane[k][3];
        for (int j = 0; j < 3; j++) {
            room -= b->half[j] * quad_abs(dot(t->plane[k], b->axis[j]));
        }
        least = k == 0 || room < least ? room : least;
    }
    return (double)least;
}

frustum_gap frustum_oracle(const frustum_truth *truth, const abut_obb *box) {
    bodies b;
    set_bodies(truth, box, &b);
    frustum_gap gap = {.inside = inside(&b), .size = (double)b.size};
    gap.scale = (double)(b.size + b.near_vertex);
    measure(&b, 1e-24 * (b.size + b.near_vertex), &gap);
    return gap;
}

/* Faces of both in the box's own coordinates, -1 to 1: so boxes without volume are no special case. Returns how many
 * there are, or -1 if the box is all behind one that it has no extent along. */
static int own_planes(const bodies *b, quad plane[12][4], quad slack[12]) {
    static const quad none[3] = {0, 0, 0};
    const frustum_truth *t = b->frustum;
    quad scale = b->size + b->near_vertex;
    int count = 0;
    for (int k = 0; k < t->plane_count; k++) {
        quad *own = plane[count], d = dot(t->plane[k], b->center) + t->plane[k][3];
        for (int j = 0; j < 3; j++) {
            own[j] = dot(t->plane[k], b->axis[j]) * b->half[j];
        }
        quad length = root(dot(own, own));
        if (length > 1e-30 * scale) {
            along(none, 1 / length, own, own);
            own[3] = d / length;
            slack[count++] = 1e-24 * scale / length;
        } else if (d < -1e-24 * scale) {
            return -1;
        }
    }
    for (int k = 0; k < 6; k++, count++) {
        for (int j = 0; j < 4; j++) {
            plane[count][j] = j == 3 ? 1 : j == k / 2 ? (k & 1 ? -1 : 1) : 0;
        }
        slack[count] = 1e-24;
    }
    return count;
}

bool frustum_oracle_touch(const frustum_truth *t, const abut_obb *box) {
    bodies b;
    quad plane[12][4], slack[12];
    set_bodies(t, box, &b);
    int count = own_planes(&b, plane, slack);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) {
                quad at[3];
                bool met = meet(plane[i], plane[j], plane[k], at);
                for (int l = 0; met && l < count; l++) {
                    met = l == i || l == j || l == k || dot(plane[l], at) + plane[l][3] >= -slack[l];
                }
                if (met) {
                    return true;
                }
            }
        }
    }
    return false;
}
