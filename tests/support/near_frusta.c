/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/near_frusta.h"
#include "base/spatial.h"
#include "support/print.h"
#include "support/rng.h"
#include <math.h>
#include <stdio.h>

/* The parameters of cameras of all kinds. */
typedef struct camera {
    abut_quat rotation;
    double axis[3][3]; /* left, up, ahead */
    double eye[3], half[2], near_distance, far_distance;
} camera;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalise(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
    return length > 1e-30;
}

/* axis[k] is where axis k points. */
static void axes_of(abut_quat q, double axis[3][3]) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(q), m);
    for (int k = 0; k < 9; k++) {
        axis[k / 3][k % 3] = m[k % 3][k / 3];
    }
}

static abut_quat product(abut_quat a, abut_quat b) {
    abut_dquat q = abut_dquat_multiply(abut_dquat_from(a), abut_dquat_from(b));
    return (abut_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static abut_vec3 floats(const double v[3], double length) {
    return (abut_vec3){(float)(v[0] * length), (float)(v[1] * length), (float)(v[2] * length)};
}

static abut_quat random_rotation(rng *r) {
    static const abut_quat turns[5] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, -1}, {1, 1, -1, 1}, {1, 0, 0, 0}};
    double way = rng_unit(r), angle = rng_range(r, 0, 6.3);
    return way < 0.2   ? turns[rng_below(r, 5)]
           : way < 0.4 ? (abut_quat){0, (float)sin(angle), 0, (float)cos(angle)}
                       : rng_rotation(r);
}

static camera random_camera(rng *r, double farthest) {
    camera c = {.rotation = random_rotation(r)};
    axes_of(c.rotation, c.axis);
    for (int i = 0; i < 3; i++) {
        c.axis[0][i] = -c.axis[0][i];
        c.axis[2][i] = -c.axis[2][i];
    }
    c.near_distance = rng_log_range(r, 1e-3, 1e2);
    c.half[1] = c.near_distance * tan(0.0174532925 / 2 * rng_log_range(r, 0.1, 170));
    c.half[0] = c.half[1] * rng_log_range(r, 1e-2, 1e2);
    double way = rng_unit(r), ratio = 1 + rng_log_range(r, 0.01, way < 0.4 ? 1 : 1e7);
    c.far_distance = way > 0.8 ? INFINITY : c.near_distance * ratio;
    double distance = rng_chance(r, 0.3) ? 0 : rng_log_range(r, 1e-2, 1e6);
    distance = fmin(distance, farthest * fmin(c.near_distance, c.far_distance - c.near_distance));
    abut_vec3 at = rng_direction(r);
    for (int i = 0; i < 3; i++) {
        c.eye[i] = distance * (&at.x)[i];
    }
    return c;
}

static void set_camera(rng *r, const camera *c, frustum_spec *spec) {
    abut_vec3 *axis[3] = {&spec->left, &spec->up, &spec->direction};
    double askew = rng_chance(r, 0.2) ? rng_log_range(r, 1e-7, 2.5e-4) : 0;
    spec->eye = floats(c->eye, 1);
    for (int k = 0; k < 3; k++) {
        abut_vec3 more = rng_direction(r);
        double v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = c->axis[k][i] + askew * (&more.x)[i];
        }
        *axis[k] = floats(v, rng_chance(r, 0.5) ? 1 : rng_log_range(r, 1e-3, 1e3));
    }
    spec->camera = (abut_pose){spec->eye, c->rotation};
    spec->half_width = (float)c->half[0];
    spec->half_height = (float)c->half[1];
    spec->near_distance = (float)c->near_distance;
    spec->far_distance = (float)c->far_distance;
}

/* A plane or a coordinate: v . (p - eye) + d, as a row. */
static void set_row(const camera *c, const double v[3], double d, double row[4]) {
    for (int i = 0; i < 3; i++) {
        row[i] = v[i];
    }
    row[3] = d - dot(v, c->eye);
}

static void add(double a, const double x[4], double b, const double y[4], double out[4]) {
    for (int i = 0; i < 4; i++) {
        out[i] = a * x[i] + b * y[i];
    }
}

/* Lengyel, "Oblique View Frustum Depth Projection and Clipping" (2005): another near plane, and the far plane becomes a
 * plane through a far corner. */
static void tilt_near(rng *r, const camera *c, abut_clip clip, double row[4][4]) {
    double depth = c->far_distance < INFINITY ? c->far_distance : 1e3 * c->near_distance;
    double v[3], near_plane[4], corner = 0.5 * depth + 0.5 * (depth - c->near_distance), far_value;
    for (int i = 0; i < 3; i++) {
        v[i] = c->axis[2][i];
    }
    for (int k = 0; k < 2; k++) {
        double tilt = rng_range(r, -0.45, 0.45) * c->near_distance / c->half[k];
        corner += fabs(tilt) * c->half[k] / c->near_distance * depth;
        for (int i = 0; i < 3; i++) {
            v[i] += tilt * c->axis[k][i];
        }
    }
    set_row(c, v, -c->near_distance, near_plane);
    far_value = depth / corner;
    if (clip == ABUT_CLIP_NEG_ONE_TO_ONE) {
        add(2 * far_value, near_plane, -1, row[3], row[2]);
    } else if (clip == ABUT_CLIP_ZERO_TO_ONE) {
        add(far_value, near_plane, 0, row[3], row[2]);
    } else {
        add(-far_value, near_plane, 1, row[3], row[2]);
    }
}

static void set_depth_row(const camera *c, abut_clip clip, bool orthographic, double row[4][4]) {
    double n = c->near_distance, f = c->far_distance, zero_to_one[4], ahead[4];
    set_row(c, c->axis[2], 0, ahead);
    const double one[4] = {0, 0, 0, 1};
    double a = orthographic ? 1 / (f - n) : f < INFINITY ? f / (f - n) : 1;
    double d = orthographic ? -n / (f - n) : f < INFINITY ? -f * n / (f - n) : -n;
    if (clip == ABUT_CLIP_REVERSED) { /* w less that, without cancellation */
        a = orthographic ? -a : f < INFINITY ? -n / (f - n) : 0;
        d = orthographic ? f / (f - n) : -d;
    }
    add(a, ahead, d, one, zero_to_one);
    if (clip == ABUT_CLIP_NEG_ONE_TO_ONE) {
        add(2, zero_to_one, -1, row[3], row[2]);
    } else {
        add(1, zero_to_one, 0, one, row[2]);
    }
}

static void set_matrix(rng *r, const camera *c, frustum_spec *spec) {
    double row[4][4], scale = rng_chance(r, 0.3) ? rng_log_range(r, 1e-3, 1e3) : 1;
    bool orthographic = c->far_distance < INFINITY && rng_chance(r, 0.25), off_centre = rng_chance(r, 0.3);
    const double one[4] = {0, 0, 0, 1};
    spec->clip = (abut_clip)rng_below(r, 3);
    set_row(c, c->axis[2], 0, row[3]);
    if (orthographic) {
        add(1, one, 0, one, row[3]);
    }
    for (int k = 0; k < 2; k++) {
        double v[3], factor = (k ? 1 : -1) * (orthographic ? 1 : c->near_distance) / c->half[k];
        for (int i = 0; i < 3; i++) {
            v[i] = factor * c->axis[k][i];
        }
        set_row(c, v, 0, row[k]);
        add(1, row[k], off_centre ? rng_range(r, -1.5, 1.5) : 0, row[3], row[k]);
    }
    set_depth_row(c, spec->clip, orthographic, row);
    if (!orthographic && !off_centre && rng_chance(r, 0.2)) {
        tilt_near(r, c, spec->clip, row);
    }
    for (int i = 0; i < 16; i++) {
        spec->matrix[i] = (float)(scale * row[i % 4][i / 4]);
    }
}

static camera random_spec(rng *r, frustum_spec *spec) {
    double way = rng_unit(r);
    *spec = (frustum_spec){.kind = way < 0.3   ? FRUSTUM_PERSPECTIVE
                                   : way < 0.5 ? FRUSTUM_CAMERA
                                   : way < 0.6 ? FRUSTUM_ORTHOGRAPHIC
                                               : FRUSTUM_MATRIX};
    camera c = random_camera(r, spec->kind == FRUSTUM_MATRIX ? 1e5 : INFINITY);
    set_camera(r, &c, spec);
    if (spec->kind == FRUSTUM_MATRIX) {
        set_matrix(r, &c, spec);
    } else if (spec->kind == FRUSTUM_ORTHOGRAPHIC) {
        double size = rng_log_range(r, 1e-2, 1e3);
        spec->box = (abut_obb){spec->eye, c.rotation, {0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            (&spec->box.half.x)[k] = (float)(size * rng_log_range(r, 1e-3, 1));
        }
    }
    return c;
}

/* The frustum in double. */
typedef struct shape {
    int planes, vertices, rays;
    double plane[6][3], vertex[FRUSTUM_VERTICES][3], ray[FRUSTUM_RAYS][3];
    double near_size, far_size;
} shape;

static void shape_of(const frustum_truth *t, shape *s) {
    s->planes = t->plane_count;
    s->vertices = t->vertex_count;
    s->rays = t->ray_count;
    s->near_size = INFINITY;
    s->far_size = 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < s->planes; k++) {
            s->plane[k][i] = (double)t->plane[k][i];
        }
        for (int k = 0; k < s->vertices; k++) {
            s->vertex[k][i] = (double)t->vertex[k][i];
        }
        for (int k = 0; k < s->rays; k++) {
            s->ray[k][i] = (double)t->ray[k][i];
        }
    }
    for (int k = 0; k < s->rays; k++) {
        (void)normalise(s->ray[k]);
    }
    for (int k = 0; k < s->vertices; k++) {
        for (int j = 0; j < k; j++) {
            double way[3];
            for (int i = 0; i < 3; i++) {
                way[i] = s->vertex[k][i] - s->vertex[j][i];
            }
            double length = sqrt(dot(way, way));
            s->near_size = length < s->near_size ? length : s->near_size;
            s->far_size = length > s->far_size ? length : s->far_size;
        }
    }
}

/* Which of the vertices are farthest along n, and any mean of them; false if rays go farther. */
static bool farthest(rng *r, const shape *s, const double n[3], double out[3]) {
    double most = -INFINITY, tie = 0, weight = 0;
    for (int k = 0; k < s->rays; k++) {
        if (dot(n, s->ray[k]) > 1e-9) {
            return false;
        }
    }
    for (int k = 0; k < s->vertices; k++) {
        most = fmax(most, dot(n, s->vertex[k]));
        tie = fmax(tie, 1e-9 * sqrt(dot(s->vertex[k], s->vertex[k])));
    }
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < s->vertices; k++) {
        if (dot(n, s->vertex[k]) >= most - tie) {
            double part = 0.001 + rng_unit(r);
            weight += part;
            for (int i = 0; i < 3; i++) {
                out[i] += part * s->vertex[k][i];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= weight;
    }
    for (int k = 0; k < s->rays; k++) {
        if (dot(n, s->ray[k]) > -1e-12) {
            double length = s->far_size * rng_log_range(r, 1e-2, 1e3);
            for (int i = 0; i < 3; i++) {
                out[i] += length * s->ray[k][i];
            }
        }
    }
    return true;
}

static abut_quat box_rotation(rng *r, const camera *c, const shape *s) {
    double way = rng_unit(r);
    if (way < 0.25) {
        return random_rotation(r);
    }
    abut_quat q = c->rotation;
    if (way < 0.5) { /* along a plane */
        abut_d3 axis[3] = {{{0}}, abut_d3_from(rng_direction(r)), {{0}}};
        uint32_t plane = rng_below(r, (uint32_t)s->planes);
        for (int i = 0; i < 3; i++) {
            axis[0].x[i] = s->plane[plane][i];
        }
        axis[2] = abut_d3_cross(axis[0], axis[1]);
        (void)abut_d3_normalise(&axis[2]);
        axis[1] = abut_d3_cross(axis[2], axis[0]);
        q = abut_quat_of_axes(axis);
    }
    if (rng_chance(r, 0.5)) {
        abut_vec3 about = rng_direction(r);
        double angle = rng_log_range(r, 1e-8, 1e-1) / 2;
        q = product(q, (abut_quat){(float)(about.x * angle), (float)(about.y * angle), (float)(about.z * angle), 1});
    }
    return q;
}

static void random_box(rng *r, const camera *c, const shape *s, abut_obb *box) {
    double size = (rng_chance(r, 0.5) ? s->near_size : s->far_size) * rng_log_range(r, 1e-3, 1e3);
    double thin = rng_chance(r, 0.5) ? 1e-4 : 0.1;
    box->rotation = box_rotation(r, c, s);
    for (int k = 0; k < 3; k++) {
        (&box->half.x)[k] = rng_chance(r, 0.07) ? 0 : (float)(size * rng_log_range(r, thin, 1));
    }
}

/* Away from the frustum. */
static bool random_axis(rng *r, const shape *s, near_frusta_way way, double axis[3][3], double n[3]) {
    abut_vec3 any = rng_direction(r);
    uint32_t planes = (uint32_t)s->planes, plane = rng_below(r, planes), other = rng_below(r, planes);
    uint32_t face = rng_below(r, 3);
    double edge[3], sign = (double)rng_sign(r);
    cross(s->plane[plane], s->plane[other], edge);
    cross(edge, axis[face], n);
    for (int i = 0; i < 3 && way != NEAR_FRUSTA_EDGES; i++) {
        n[i] = way == NEAR_FRUSTA_FACE       ? axis[face][i]
               : way == NEAR_FRUSTA_VERTICES ? (double)(&any.x)[i]
                                             : -s->plane[plane][i];
    }
    for (int i = 0; i < 3 && (way == NEAR_FRUSTA_FACE || way == NEAR_FRUSTA_EDGES); i++) {
        n[i] *= sign;
    }
    return normalise(n);
}

/* Adds `rest`, a length along n, to the half extent that can absorb it most finely. */
static void absorb(abut_obb *box, double axis[3][3], const double n[3], double rest) {
    int best = -1;
    double best_step = INFINITY;
    for (int k = 0; k < 3; k++) {
        double step = fabs(dot(axis[k], n)) * (&box->half.x)[k];
        if (step > 2 * fabs(rest) && step < best_step) {
            best_step = step;
            best = k;
        }
    }
    if (best >= 0) {
        float *half = &box->half.x + best;
        *half = (float)(*half + rest / fabs(dot(axis[best], n)));
    }
}

/* Places the box so that its farthest point along -n, or n, is at `point`, and `gap` beyond. */
static void place(rng *r, const abut_vec3 *origin, const double point[3], const double n[3], double gap, bool inside,
                  abut_obb *box) {
    double axis[3][3], rounding = 0, center[3];
    axes_of(box->rotation, axis);
    for (int i = 0; i < 3; i++) {
        center[i] = (&origin->x)[i] + (point[i] + gap * n[i]);
    }
    for (int k = 0; k < 3; k++) {
        double along = dot(axis[k], n), part = along > 0 ? 1 : -1;
        part = (fabs(along) < 1e-9 ? rng_range(r, -1, 1) : inside ? -part : part) * (&box->half.x)[k];
        for (int i = 0; i < 3; i++) {
            center[i] += part * axis[k][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        (&box->center.x)[i] = (float)center[i];
        rounding += ((double)(&box->center.x)[i] - center[i]) * n[i];
    }
    if (rng_chance(r, 0.5)) {
        absorb(box, axis, n, inside ? -rounding : rounding);
    }
}

static camera random_frustum(rng *r, near_frusta *out, shape *s) {
    camera c;
    do { /* rounding a matrix to floats may leave an empty frustum, or move a corner to where no box can be */
        c = random_spec(r, &out->spec);
        frustum_truth_of(&out->spec, &out->truth);
        shape_of(&out->truth, s);
    } while (s->vertices < 4 || !(s->far_size < 1e12));
    return c;
}

void near_frusta_pair(uint64_t seed, uint64_t index, near_frusta *out) {
    rng r = rng_make(seed, index);
    shape s;
    double axis[3][3], n[3], point[3];
    camera c = random_frustum(&r, out, &s);
    random_box(&r, &c, &s, &out->box);
    axes_of(out->box.rotation, axis);
    do {
        out->way = (near_frusta_way)rng_below(&r, NEAR_FRUSTA_WAYS);
    } while (!random_axis(&r, &s, out->way, axis, n) || !farthest(&r, &s, n, point));
    double size = dot((double[3]){1, 1, 1}, (double[3]){out->box.half.x, out->box.half.y, out->box.half.z});
    double gap = rng_chance(&r, 0.1) ? 0 : (double)rng_sign(&r) * rng_log_range(&r, 1e-12, 1e-2) * size;
    gap = out->way == NEAR_FRUSTA_ABOUT ? rng_range(&r, -2, 2) * size : gap;
    place(&r, &out->truth.origin, point, n, gap, out->way == NEAR_FRUSTA_INSIDE, &out->box);
}

/* Away from the frustum: within the normals of one to three of its planes, or along an axis of polyhedra. */
static bool random_normal(rng *r, const shape *s, double axis[3][3], double n[3]) {
    if (rng_chance(r, 0.3)) {
        return random_axis(r, s, (near_frusta_way)rng_below(r, NEAR_FRUSTA_INSIDE), axis, n);
    }
    n[0] = n[1] = n[2] = 0;
    for (uint32_t k = rng_below(r, 3) + 1; k > 0; k--) {
        uint32_t plane = rng_below(r, (uint32_t)s->planes);
        double part = rng_log_range(r, rng_chance(r, 0.3) ? 1e-9 : 0.1, 1);
        for (int i = 0; i < 3; i++) {
            n[i] -= part * s->plane[plane][i];
        }
    }
    return normalise(n);
}

void near_frusta_core(uint64_t seed, uint64_t index, near_frusta *out) {
    rng r = rng_make(seed, index);
    shape s;
    double axis[3][3], n[3], point[3];
    camera c = random_frustum(&r, out, &s);
    random_box(&r, &c, &s, &out->box);
    uint32_t extents = rng_below(&r, 4);
    float *half = &out->box.half.x, size = half[0] + half[1] + half[2];
    for (uint32_t k = 3; k > extents; k--) {
        half[rng_below(&r, 3)] = 0;
    }
    size = extents > 0 && half[0] + half[1] + half[2] > 0 ? half[0] + half[1] + half[2] : size;
    axes_of(out->box.rotation, axis);
    while (!random_normal(&r, &s, axis, n) || !farthest(&r, &s, n, point)) {
    }
    out->way = NEAR_FRUSTA_ABOUT;
    place(&r, &out->truth.origin, point, n, (double)size * rng_log_range(&r, 1e-6, 1e6), false, &out->box);
}

static void print_vector(const char *name, abut_vec3 v) {
    fprintf(stderr, ".%s = {%a, %a, %a}, ", name, (double)v.x, (double)v.y, (double)v.z);
}

void near_frusta_print(const near_frusta *pair) {
    const frustum_spec *s = &pair->spec;
    fprintf(stderr, "way %d frustum_spec spec = {.kind = %d, .clip = %d, ", (int)pair->way, (int)s->kind, (int)s->clip);
    print_vector("eye", s->eye);
    print_vector("left", s->left);
    print_vector("up", s->up);
    print_vector("direction", s->direction);
    fprintf(stderr, ".camera = {{%a, %a, %a}, {%a, %a, %a, %a}},\n", (double)s->camera.position.x,
            (double)s->camera.position.y, (double)s->camera.position.z, (double)s->camera.rotation.x,
            (double)s->camera.rotation.y, (double)s->camera.rotation.z, (double)s->camera.rotation.w);
    fprintf(stderr, "  .half_width = %a, .half_height = %a, .near_distance = %a, .far_distance = %a, .matrix = {",
            (double)s->half_width, (double)s->half_height, (double)s->near_distance, (double)s->far_distance);
    for (int i = 0; i < 16; i++) {
        fprintf(stderr, "%a, ", (double)s->matrix[i]);
    }
    fprintf(stderr, "}};\n");
    print_obb("spec.box", &s->box);
    print_obb("box", &pair->box);
}
