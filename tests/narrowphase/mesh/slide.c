/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies of every type slide along straight lines over floors of every triangulation, over seams of two chunks, and
 * over strips. On a flat floor the triangles must not show: normals are the floor's, the deepest separation is that of
 * one big box, and all that the big box's points span the parts' points span, too. */

#include "narrowphase/narrowphase.h"
#include "support/mesh_oracle.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_HULLS = 1611, STREAM_WAYS = 1612, STOPS = 40 };

#define SPAN 0.15 /* of the body's reach */

static round_hulls *hulls;

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed() + STREAM_HULLS);
    return 0;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    return 0;
}

typedef struct answer {
    size_t count;
    abut_contact_part parts[2 * SOUP_TRIANGLES];
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < 2 * SOUP_TRIANGLES);
    a->parts[a->count++] = *part;
}

/* A floor, whole or in two chunks with ghosts, and a body that slides over it. */
typedef struct slide {
    abut_mesh *mesh[2]; /* [1]: NULL, or the other chunk */
    round_body body;
    double normal[3]; /* of the floor, unit */
    float unit;       /* half a triangle of the regular grid */
    float margin;
    abut_vec3 from, step;
} slide;

static double reach_of(const core *c) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double most = fabs(c->middle[k]) + c->half[k];
        square += most * most;
    }
    return sqrt(square);
}

/* The lowest point of the body along the floor's normal, radius included, relative to its position. */
static double lowest(const round_body *b, const double n[3]) {
    quad_pose at = quad_pose_of(&b->pose);
    double least = INFINITY;
    for (uint32_t i = 0; i < b->core->count; i++) {
        const abut_vec3 p = b->core->point[i];
        double height = 0;
        for (int k = 0; k < 3; k++) {
            height += n[k] * (double)(at.m[k][0] * p.x + at.m[k][1] * p.y + at.m[k][2] * p.z);
        }
        least = fmin(least, height);
    }
    return least - b->shape.radius;
}

/* A turn about an axis that keeps faces upright half of the time. */
static void turn_body(rng *r, round_body *b) {
    if (rng_chance(r, 0.6)) {
        b->pose.rotation = (abut_quat){0, 0, 0, 1};
        if (rng_chance(r, 0.5)) {
            b->pose.rotation.y = (float)rng_range(r, -1, 1);
        }
    }
}

static void make_way(rng *r, slide *s, double reach, double tilt_x, double tilt_z) {
    double sink = -lowest(&s->body, s->normal), angle = rng_range(r, 0, 6.28), room = 7 * (double)s->unit - reach;
    double depth = rng_chance(r, 0.3) ? rng_log_range(r, 1e-4, 1e-2) : rng_range(r, 0.001, 0.25);
    double length = sqrt(1 + tilt_x * tilt_x + tilt_z * tilt_z);
    bool along = rng_chance(r, 0.4); /* along an axis, maybe just over a line of edges */
    double x = along ? -room * 0.7 : rng_range(r, -0.6, -0.1) * room,
           z = along ? s->unit * rint(rng_range(r, -2, 2)) : rng_range(r, -0.4, 0.4) * room;
    double dx = along ? 1 : cos(angle) * cos(angle), dz = along ? 0 : sin(angle) * 0.5, pace = 1.2 * room / STOPS;
    double drop = rng_chance(r, 0.3) && s->margin > 0 ? -s->margin * 0.5 : fmin(depth * sink, 0.2 * reach);
    double lift = (sink - drop) * length;
    s->from = (abut_vec3){(float)x, (float)(lift + x * tilt_x + z * tilt_z), (float)z};
    s->step = (abut_vec3){(float)(dx * pace), (float)((dx * tilt_x + dz * tilt_z) * pace), (float)(dz * pace)};
}

static void make_slide(uint64_t i, bool tilted, bool chunks, slide *s) {
    static soup whole, part;
    rng r = rng_make(test_seed() + STREAM_WAYS, i * 4 + (uint64_t)tilted * 2 + (uint64_t)chunks);
    near_round_body(hulls, test_seed() + 7, i, (round_kind)(i % ROUND_KINDS), rng_log_range(&r, 0.05, 2), &s->body);
    turn_body(&r, &s->body);
    double reach = reach_of(s->body.core) + s->body.shape.radius;
    s->unit = (float)exp2(ceil(log2(reach * rng_log_range(&r, 0.3, 4)))); /* reach <= 3.4 units */
    float tilt_x = tilted ? ((float)rng_below(&r, 9) - 4) / 8 : 0,
          tilt_z = tilted ? ((float)rng_below(&r, 9) - 4) / 8 : 0;
    double length = sqrt(1 + (double)tilt_x * tilt_x + (double)tilt_z * tilt_z);
    s->normal[0] = -tilt_x / length;
    s->normal[1] = 1 / length;
    s->normal[2] = -tilt_z / length;
    soup_make_floor(&r, (soup_floor)(i / ROUND_KINDS % SOUP_FLOORS), &whole);
    soup_tilt(&whole, tilt_x, tilt_z);
    soup_scale(&whole, s->unit);
    soup_shuffle(&r, &whole);
    s->mesh[1] = NULL;
    if (chunks) {
        soup_chunk(&whole, false, &part);
        soup_split_vertices(&r, &part);
        s->mesh[1] = part.triangle_count > part.ghost_count ? soup_mesh(&part) : NULL;
        soup_chunk(&whole, true, &part);
        soup_split_vertices(&r, &part);
    } else {
        soup_split_vertices(&r, &whole);
    }
    s->mesh[0] = soup_mesh(chunks ? &part : &whole);
    s->margin = rng_chance(&r, 0.4) ? (float)(reach * 0.05) : 0;
    make_way(&r, s, reach, tilt_x, tilt_z);
}

static void release_slide(slide *s) {
    abut_mesh_destroy(&s->mesh[0]);
    abut_mesh_destroy(&s->mesh[1]);
}

static void ask(const slide *s, const abut_collider *body, answer *out) {
    out->count = 0;
    for (int m = 0; m < 2 && s->mesh[m]; m++) {
        const abut_shape shape = {.mesh = s->mesh[m]};
        const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        abut_collider mesh;
        assert_true(abut_collider_from_shape_or_mesh(&shape, &pose, &mesh));
        abut_np_mesh_collide(&mesh, body, s->margin, keep, out, NULL);
    }
}

/* Whether a point of the floor lies in the hull of the parts' points, seen along the floor's normal. */
static bool spanned(const answer *a, const abut_vec3 *p, double slack) {
    for (int k = 0; k < 32; k++) {
        double x = cos(k * 0.19634954), z = sin(k * 0.19634954), most = -INFINITY;
        for (size_t i = 0; i < a->count; i++) {
            const abut_manifold *m = &a->parts[i].manifold;
            for (uint32_t j = 0; j < m->count; j++) {
                const abut_vec3 *q = &m->points[j].position;
                most = fmax(most, x * ((double)q->x - p->x) + z * ((double)q->z - p->z));
            }
        }
        if (most < -slack) {
            return false;
        }
    }
    return true;
}

/* Whether the body touches the floor straight above or below its lowest point. A rod that pierces the floor does not:
 * its tip is below, and touches nothing there. Nor do triangles beside the body that are only within the margin: they
 * are apart from it. */
static bool deepest_is_touched(const slide *s) {
    quad_pose at = quad_pose_of(&s->body.pose);
    double least = INFINITY, height = INFINITY, foot[3] = {0, 0, 0};
    for (uint32_t i = 0; i < s->body.core->count; i++) {
        const abut_vec3 p = s->body.core->point[i];
        double v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = (double)(at.m[k][0] * p.x + at.m[k][1] * p.y + at.m[k][2] * p.z + at.at[k]);
        }
        height = v[0] * s->normal[0] + v[1] * s->normal[1] + v[2] * s->normal[2];
        for (int k = 0; k < 3 && height < least; k++) {
            foot[k] = v[k] - (double)(&s->body.pose.position.x)[k] - height * s->normal[k];
        }
        least = fmin(least, height);
    }
    return distance_of_point(s->body.core, s->body.pose.rotation, foot) <= s->body.shape.radius;
}

static const char *normals_and_depth(const slide *s, const answer *a, bool exact, double expected, double slack) {
    double least = INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        const abut_manifold *m = &a->parts[i].manifold;
        double dx = m->normal.x - s->normal[0], dy = m->normal.y - s->normal[1], dz = m->normal.z - s->normal[2];
        if (exact ? dx != 0 || dy != 0 || dz != 0 : dx * dx + dy * dy + dz * dz > 1e-12) {
            return "a normal is not the floor's";
        }
        for (uint32_t k = 0; k < m->count; k++) {
            least = fmin(least, m->points[k].separation);
        }
    }
    bool below = least<expected - slack, above = least> expected + slack && deepest_is_touched(s);
    return a->count == 0 ? "no contact" : below || above ? "the depth is not the floor's" : NULL;
}

/* The largest distance of two points of a manifold. */
static double across(const abut_manifold *m) {
    double most = 0;
    for (uint32_t i = 0; i < 4 * m->count; i++) {
        const abut_vec3 *p = &m->points[i / 4].position, *q = &m->points[i % 4].position;
        bool both = i % 4 < m->count;
        most = fmax(most, both ? hypot((double)p->x - q->x, (double)p->z - q->z) : 0);
    }
    return most;
}

/* What one big box in place of the floor would give. A part keeps four corners of a polygon that may have more: so the
 * parts may span a little less. Hulls stand on faces of many corners: of a regular one with eight, four alternate ones
 * leave the others out by 0.15 of the distance across, and of others more. */
static const char *big_box(const slide *s, const answer *a, const abut_collider *body, double slack) {
    abut_manifold m;
    abut_collider box;
    const abut_obb floor = {{0, -8 * s->unit, 0}, {0, 0, 0, 1}, {8 * s->unit, 8 * s->unit, 8 * s->unit}};
    assert_true(abut_collider_from_obb(&floor, &box));
    if (!abut_np_collide(&box, body, s->margin, &m) || m.normal.y != 1) {
        return NULL; /* the big box itself has another opinion: rods and plates that lie in its surface */
    }
    bool is_hull = s->body.kind == ROUND_HULL || s->body.kind == ROUND_ROUNDED_HULL;
    slack = is_hull ? fmax(slack, 0.3 * across(&m)) : slack;
    for (uint32_t i = 0; i < m.count; i++) {
        double foot[3];
        for (int k = 0; k < 3; k++) {
            foot[k] = (k == 1 ? 0 : (double)(&m.points[i].position.x)[k]) - (double)(&s->body.pose.position.x)[k];
        }
        bool touched = distance_of_point(s->body.core, s->body.pose.rotation, foot) <= s->body.shape.radius;
        if (touched && !spanned(a, &m.points[i].position, slack)) {
            return "the parts span less than the big box's points";
        }
    }
    return NULL;
}

/* How far a point is from a body that has no corners, but a point or a rod for its core, seen along the floor's normal.
 */
static double beside(const slide *s, const abut_vec3 *p) {
    const quad_pose at = quad_pose_of(&s->body.pose);
    double seen[2][3], way[3], square = 0, along = 0, rest = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const abut_vec3 q = s->body.core->point[i % s->body.core->count];
        double height = 0;
        for (int k = 0; k < 3; k++) {
            seen[i][k] =
                (double)(at.m[k][0] * q.x + at.m[k][1] * q.y + at.m[k][2] * q.z + at.at[k]) - (double)(&p->x)[k];
            height += seen[i][k] * s->normal[k];
        }
        for (int k = 0; k < 3; k++) {
            seen[i][k] -= height * s->normal[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        way[k] = seen[1][k] - seen[0][k];
        square += way[k] * way[k];
        along -= way[k] * seen[0][k];
    }
    const double share = square > 0 ? fmax(0, fmin(1, along / square)) : 0;
    for (int k = 0; k < 3; k++) {
        rest += (seen[0][k] + share * way[k]) * (seen[0][k] + share * way[k]);
    }
    return sqrt(rest);
}

/* What is round and not so deep that its core meets the floor, has its points below the core: one ahead of it would
 * make it hop, as it comes down there. */
static const char *points_below(const slide *s, const answer *a, double expected, double slack) {
    const float r = s->body.shape.radius;
    const bool rolls = s->body.core->count <= 2 && r > 0 && expected > slack - r;
    for (size_t i = 0; i < a->count && rolls; i++) {
        for (uint32_t k = 0; k < a->parts[i].manifold.count; k++) {
            if (beside(s, &a->parts[i].manifold.points[k].position) > slack) {
                return "a point is not below the core";
            }
        }
    }
    return NULL;
}

static void check_slides(bool tilted, bool chunks, uint64_t count) {
    static slide s;
    static answer a;
    for (uint64_t i = 0; i < test_count(count); i++) {
        make_slide(i, tilted, chunks, &s);
        double reach = reach_of(s.body.core) + s.body.shape.radius;
        for (int k = 0; k < STOPS; k++) {
            abut_collider body;
            s.body.pose.position = (abut_vec3){s.from.x + (float)k * s.step.x, s.from.y + (float)k * s.step.y,
                                               s.from.z + (float)k * s.step.z};
            assert_true(abut_collider_from_shape(&s.body.shape, &s.body.pose, &body));
            double expected = lowest(&s.body, s.normal), slack = 1e-5 * (reach + s.unit);
            for (int j = 0; j < 3; j++) {
                expected += s.normal[j] * (double)(&s.body.pose.position.x)[j];
            }
            if (expected > s.margin - slack) {
                continue; /* rods and plates in the floor's plane: rounding decides */
            }
            ask(&s, &body, &a);
            const char *fault = normals_and_depth(&s, &a, !tilted, expected, slack);
            fault = fault ? fault : points_below(&s, &a, expected, slack);
            fault = fault || tilted ? fault : big_box(&s, &a, &body, SPAN * reach);
            if (fault) {
                fail_msg("slide %llu (floor %d, kind %d), stop %d: %s; %zu parts, depth %g of %g",
                         (unsigned long long)i, (int)(i / ROUND_KINDS % SOUP_FLOORS), (int)s.body.kind, k, fault,
                         a.count, -expected, reach);
            }
        }
        release_slide(&s);
    }
}

static void over_flat_floors(void **state) {
    (void)state;
    check_slides(false, false, 216);
}

static void over_seams(void **state) {
    (void)state;
    check_slides(false, true, 144);
}

static void over_slopes(void **state) {
    (void)state;
    check_slides(true, false, 144);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_flat_floors),
        cmocka_unit_test(over_seams),
        cmocka_unit_test(over_slopes),
    };
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
