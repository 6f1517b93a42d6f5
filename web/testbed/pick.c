/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "pick.h"
#include "vec.h"
#include <stdlib.h>

enum { picked_max = sizeof((stage *)0)->picked / sizeof((stage *)0)->picked[0] };

typedef struct ray {
    double from[3], along[3]; /* from the near plane, in the units of clip space's depth */
} ray;

typedef struct window {
    abut_frustum frustum;
    ray middle;
    abut_hull *hull; /* its frustum; NULL: it extends to infinity */
} window;

typedef struct hit {
    double distance;
    abut_body_id id;
} hit;

/* --- the window and the line through its middle --- */

/* Maps the window onto all of clip space. */
static void look_through(const float matrix[16], double x, double y, double half_x, double half_y, float out[16]) {
    for (int i = 0; i < 16; i += 4) {
        double w = (double)matrix[i + 3];
        out[i] = (float)(((double)matrix[i] - x * w) / half_x);
        out[i + 1] = (float)(((double)matrix[i + 1] - y * w) / half_y);
        out[i + 2] = matrix[i + 2];
        out[i + 3] = matrix[i + 3];
    }
}

/* a x = b by elimination with row pivots; a is destroyed. false: singular. */
static bool solve(double a[4][5]) {
    for (int k = 0; k < 4; ++k) {
        int best = k;
        for (int i = k + 1; i < 4; ++i) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        for (int j = 0; j < 5; ++j) {
            double t = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = t;
        }
        if (a[k][k] == 0) {
            return false;
        }
        for (int i = 0; i < 4; ++i) {
            double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j < 5; ++j) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    return true;
}

static bool unproject(const float matrix[16], double x, double y, double z, double point[3]) {
    const double clip[4] = {x, y, z, 1};
    double a[4][5];
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            a[row][column] = (double)matrix[4 * column + row];
        }
        a[row][4] = clip[row];
    }
    if (!solve(a) || a[3][4] == 0) {
        return false;
    }
    double w = a[3][4] / a[3][3];
    for (int i = 0; i < 3; ++i) {
        point[i] = a[i][4] / a[i][i] / w;
    }
    return true;
}

/* The far plane may be at infinity, so the second point lies in the middle of the depth range. */
static bool make_ray(const float matrix[16], double x, double y, ray *r) {
    double middle[3];
    if (!unproject(matrix, x, y, -1, r->from) || !unproject(matrix, x, y, 0, middle)) {
        return false;
    }
    double square = 0;
    for (int i = 0; i < 3; ++i) {
        r->along[i] = middle[i] - r->from[i];
        square += r->along[i] * r->along[i];
    }
    for (int i = 0; i < 3; ++i) {
        r->along[i] /= sqrt(square);
    }
    return square > 0;
}

/* Frusta are tested against the boxes of hulls and meshes, the hull of a frustum against these themselves. */
static abut_hull *make_hull(const float through[16]) {
    abut_vec3 corners[8];
    abut_hull *hull = NULL;
    for (int i = 0; i < 8; ++i) {
        double at[3];
        if (!unproject(through, i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1, at)) {
            return NULL;
        }
        corners[i] = vec((float)at[0], (float)at[1], (float)at[2]);
    }
    (void)abut_hull_create(corners, 8, NULL, &hull);
    return hull;
}

static bool make_window(const float matrix[16], const float corners[4], window *w) {
    const double narrow = 1e-4, x0 = (double)corners[0], y0 = (double)corners[1], x1 = (double)corners[2],
                 y1 = (double)corners[3], x = 0.5 * (x0 + x1), y = 0.5 * (y0 + y1);
    float through[16];
    *w = (window){.hull = NULL};
    look_through(matrix, x, y, fmax(narrow, 0.5 * fabs(x1 - x0)), fmax(narrow, 0.5 * fabs(y1 - y0)), through);
    if (abut_frustum_from_matrix(through, ABUT_CLIP_NEG_ONE_TO_ONE, &w->frustum) != ABUT_OK ||
        !make_ray(matrix, x, y, &w->middle)) {
        return false;
    }
    w->hull = make_hull(through);
    return true;
}

/* --- which are picked --- */

/* The position of its centre along the line. */
static double distance_along(const stage *s, const ray *r, const stage_body *body) {
    abut_pose pose = body->pose;
    abut_body_get_world_pose(s->world, body->id, &pose);
    abut_vec3 middle = pose_point(&pose, body->hull == NULL ? body->centre : abut_hull_centroid(body->hull));
    return ((double)middle.x - r->from[0]) * r->along[0] + ((double)middle.y - r->from[1]) * r->along[1] +
           ((double)middle.z - r->from[2]) * r->along[2];
}

static bool is_before(const hit *a, const hit *b) {
    return a->distance != b->distance ? a->distance < b->distance : a->id.index1 < b->id.index1;
}

/* Keeps the nearest of them, sorted. */
static void keep(hit *hits, uint32_t *count, uint32_t most, hit next) {
    if (*count == most && !is_before(&next, &hits[most - 1])) {
        return;
    }
    uint32_t i = *count < most ? (*count)++ : most - 1;
    for (; i > 0 && is_before(&next, &hits[i - 1]); --i) {
        hits[i] = hits[i - 1];
    }
    hits[i] = next;
}

/* For a body that the window's frustum sees. Frusta are tested against the boxes of hulls and meshes. */
static bool is_picked(const stage *s, const window *w, const stage_body *body) {
    abut_shape seen = {.radius = 0};
    abut_pose pose = body->pose;
    const abut_pose none = {.position = {0, 0, 0}};
    abut_body_get_shape(s->world, body->id, &seen, &pose);
    if (w->hull == NULL || (body->hull == NULL && seen.mesh == NULL)) {
        return true;
    }
    const abut_shape view = abut_convex(w->hull, 0), hull = abut_convex(body->hull, 0);
    return abut_shape_overlap(&view, &none, seen.mesh != NULL ? &seen : &hull, &pose);
}

static void pick_window(stage *s, const window *w, abut_visible *seen) {
    hit hits[picked_max];
    size_t count = abut_world_cull(s->world, &w->frustum, 1, NULL, seen, s->count);
    for (size_t i = 0; i < count; ++i) {
        const stage_body *body = &s->bodies[seen[i].user];
        if (is_picked(s, w, body)) {
            keep(hits, &s->picked_count, picked_max, (hit){distance_along(s, &w->middle, body), body->id});
        }
    }
    for (uint32_t i = 0; i < s->picked_count; ++i) {
        s->picked[i] = hits[i].id;
    }
}

static void pick_rectangle(stage *s, const float matrix[16], const float corners[4]) {
    window w;
    if (!make_window(matrix, corners, &w)) {
        return;
    }
    abut_visible *seen = malloc((s->count + 1) * sizeof *seen);
    if (seen != NULL) {
        pick_window(s, &w, seen);
    }
    abut_hull_destroy(&w.hull);
    free(seen);
}

/* Beyond all bodies: a far plane hides none. */
bool pick_first(const stage *s, const float matrix[16], double x, double y, abut_body_id *first) {
    ray line;
    if (!make_ray(matrix, x, y, &line)) {
        return false;
    }
    abut_ray sight = {.origin = vec((float)line.from[0], (float)line.from[1], (float)line.from[2])};
    sight.translation = vec((float)line.along[0], (float)line.along[1], (float)line.along[2]);
    sight.translation = vec_scale(sight.translation, 4 * ABUT_MAX_COORDINATE);
    abut_hit met;
    if (abut_world_cast_rays(s->world, &sight, 1, NULL, &met) != ABUT_OK || met.body.index1 == 0) {
        return false;
    }
    *first = met.body;
    return true;
}

void pick(stage *s, const float matrix[16], const float corners[4]) {
    s->picked_count = 0;
    if (corners[0] == corners[2] && corners[1] == corners[3]) {
        s->picked_count = pick_first(s, matrix, (double)corners[0], (double)corners[1], &s->picked[0]);
    } else {
        pick_rectangle(s, matrix, corners);
    }
}

/* --- the report of one --- */

static float depth_of(const abut_contact *contact) {
    float depth = 0;
    for (uint32_t i = 0; i < contact->manifold.count; ++i) {
        depth = fmaxf(depth, -contact->manifold.points[i].separation);
    }
    return depth;
}

static void report_contacts(const stage *s, abut_body_id id, testbed_body *report) {
    enum { most = sizeof report->other / sizeof report->other[0] };
    uint32_t indices[most];
    const abut_contact *contacts = abut_world_contacts(s->world, NULL);
    report->contacts = (uint32_t)abut_body_contacts(s->world, id, indices, most);
    for (uint32_t i = 0; i < most && i < report->contacts; ++i) {
        const abut_contact *contact = &contacts[indices[i]];
        report->other[i] = contact->a.index1 == id.index1 ? contact->b.index1 : contact->a.index1;
        report->depth[i] = depth_of(contact);
    }
}

bool pick_report(const stage *s, uint32_t i, testbed_body *report) {
    uint64_t index;
    if (i >= s->picked_count || abut_body_get_user(s->world, s->picked[i], &index) != ABUT_OK) {
        return false;
    }
    const stage_body *body = &s->bodies[index];
    abut_motion motion = ABUT_STATIC;
    abut_body_get_motion(s->world, body->id, &motion);
    abut_shape shape = {.radius = 0};
    abut_body_get_shape(s->world, body->id, &shape, NULL);
    *report = (testbed_body){.index1 = body->id.index1, .generation = body->id.generation};
    report->moving = motion == ABUT_MOVING;
    report->vertices = (uint32_t)abut_hull_vertex_count(shape.hull);
    report->triangles = (uint32_t)abut_mesh_triangle_count(shape.mesh);
    report->half = shape.hull == NULL ? shape.half : abut_hull_obb(shape.hull).half;
    if (shape.mesh != NULL) {
        abut_aabb box = abut_mesh_bounds(shape.mesh);
        report->half = vec_scale(vec_sub(box.max, box.min), 0.5f);
    }
    report->radius = shape.radius;
    abut_body_get_world_pose(s->world, body->id, &report->pose);
    report_contacts(s, body->id, report);
    return true;
}
