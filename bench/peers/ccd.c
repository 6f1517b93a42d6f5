/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* libccd: GJK and MPR over support functions written by the user; these are straightforward ones. */

#include "peers.h"
#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <stdlib.h>

typedef struct convex {
    ccd_vec3_t position;
    ccd_quat_t rotation, inverse;
    ccd_vec3_t half;          /* of boxes */
    const ccd_vec3_t *points; /* of hulls */
    size_t point_count;
} convex;

typedef struct ccd_state {
    ccd_t ccd;
    convex *bodies;
    ccd_vec3_t *points;
    body_pair *pairs;
    size_t pair_count;
} ccd_state;

static void box_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const convex *box = object;
    ccd_vec3_t d;
    ccdVec3Copy(&d, direction);
    ccdQuatRotVec(&d, &box->inverse);
    ccdVec3Set(out, ccdVec3X(&d) < 0 ? -ccdVec3X(&box->half) : ccdVec3X(&box->half),
               ccdVec3Y(&d) < 0 ? -ccdVec3Y(&box->half) : ccdVec3Y(&box->half),
               ccdVec3Z(&d) < 0 ? -ccdVec3Z(&box->half) : ccdVec3Z(&box->half));
    ccdQuatRotVec(out, &box->rotation);
    ccdVec3Add(out, &box->position);
}

static void hull_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const convex *hull = object;
    ccd_vec3_t d;
    ccdVec3Copy(&d, direction);
    ccdQuatRotVec(&d, &hull->inverse);
    size_t best = 0;
    ccd_real_t farthest = ccdVec3Dot(&d, &hull->points[0]);
    for (size_t i = 1; i < hull->point_count; ++i) {
        ccd_real_t distance = ccdVec3Dot(&d, &hull->points[i]);
        if (distance > farthest) {
            farthest = distance;
            best = i;
        }
    }
    ccdVec3Copy(out, &hull->points[best]);
    ccdQuatRotVec(out, &hull->rotation);
    ccdVec3Add(out, &hull->position);
}

static void position(const void *object, ccd_vec3_t *center) {
    ccdVec3Copy(center, &((const convex *)object)->position);
}

static void copy_points(ccd_state *s, const hull_set *hulls) {
    size_t n = hulls->count * hulls->vertices;
    s->points = malloc(n * sizeof *s->points);
    for (size_t i = 0; s->points != NULL && i < n; ++i) {
        const abut_vec3 *p = &hulls->points[i];
        ccdVec3Set(&s->points[i], (ccd_real_t)p->x, (ccd_real_t)p->y, (ccd_real_t)p->z);
    }
}

static void set_shape(ccd_state *s, const pair_set *set, size_t body) {
    convex *c = &s->bodies[body];
    if (set->hulls != NULL) {
        c->point_count = set->hulls->vertices;
        c->points = s->points + set->shapes[body] * c->point_count;
    } else {
        const abut_vec3 *half = &set->halves[body];
        ccdVec3Set(&c->half, (ccd_real_t)half->x, (ccd_real_t)half->y, (ccd_real_t)half->z);
    }
}

static void update(void *state, const pair_set *set) {
    ccd_state *s = state;
    for (size_t i = 0; i < set->body_count; ++i) {
        const abut_pose *p = &set->poses[i];
        convex *c = &s->bodies[i];
        ccdVec3Set(&c->position, (ccd_real_t)p->position.x, (ccd_real_t)p->position.y, (ccd_real_t)p->position.z);
        ccdQuatSet(&c->rotation, (ccd_real_t)p->rotation.x, (ccd_real_t)p->rotation.y, (ccd_real_t)p->rotation.z,
                   (ccd_real_t)p->rotation.w);
        ccdQuatInvert2(&c->inverse, &c->rotation);
    }
    body_pair *pairs = realloc(s->pairs, (set->pair_count + 1) * sizeof *pairs);
    if (pairs == NULL) {
        abort();
    }
    for (size_t i = 0; i < set->pair_count; ++i) {
        pairs[i] = set->pairs[i];
    }
    s->pairs = pairs;
    s->pair_count = set->pair_count;
}

static void destroy(void *state) {
    ccd_state *s = state;
    free(s->bodies);
    free(s->points);
    free(s->pairs);
    free(s);
}

static void *create(const pair_set *set) {
    ccd_state *s = calloc(1, sizeof *s);
    if (s == NULL || (s->bodies = calloc(set->body_count, sizeof *s->bodies)) == NULL) {
        abort();
    }
    CCD_INIT(&s->ccd);
    s->ccd.support1 = s->ccd.support2 = set->hulls != NULL ? hull_support : box_support;
    s->ccd.center1 = s->ccd.center2 = position;
    s->ccd.max_iterations = 100; /* without a limit it may loop for ever where shapes nearly touch */
    if (set->hulls != NULL) {
        copy_points(s, set->hulls);
    }
    for (size_t i = 0; i < set->body_count; ++i) {
        set_shape(s, set, i);
    }
    update(s, set);
    return s;
}

static void run_gjk(void *state, uint8_t *answers) {
    const ccd_state *s = state;
    for (size_t i = 0; i < s->pair_count; ++i) {
        answers[i] = ccdGJKIntersect(&s->bodies[s->pairs[i].a], &s->bodies[s->pairs[i].b], &s->ccd) != 0;
    }
}

static void run_mpr(void *state, uint8_t *answers) {
    const ccd_state *s = state;
    for (size_t i = 0; i < s->pair_count; ++i) {
        answers[i] = ccdMPRIntersect(&s->bodies[s->pairs[i].a], &s->bodies[s->pairs[i].b], &s->ccd) != 0;
    }
}

static void run_mpr_depth(void *state, uint8_t *answers) {
    const ccd_state *s = state;
    for (size_t i = 0; i < s->pair_count; ++i) {
        ccd_real_t depth;
        ccd_vec3_t direction, point;
        answers[i] = ccdMPRPenetration(&s->bodies[s->pairs[i].a], &s->bodies[s->pairs[i].b], &s->ccd, &depth,
                                       &direction, &point) == 0;
    }
}

static void run_gjk_depth(void *state, uint8_t *answers) {
    const ccd_state *s = state;
    for (size_t i = 0; i < s->pair_count; ++i) {
        ccd_real_t depth;
        ccd_vec3_t direction, point;
        answers[i] = ccdGJKPenetration(&s->bodies[s->pairs[i].a], &s->bodies[s->pairs[i].b], &s->ccd, &depth,
                                       &direction, &point) == 0;
    }
}

static const peer peers[] = {
    {"libccd GJKIntersect", PEER_BOX_OVERLAP, create, update, run_gjk, destroy},
    {"libccd MPRIntersect", PEER_BOX_OVERLAP, create, update, run_mpr, destroy},
    {"libccd MPRPenetration (1 point)", PEER_BOX_MANIFOLD, create, update, run_mpr_depth, destroy},
    {"libccd GJKIntersect", PEER_HULL_OVERLAP, create, update, run_gjk, destroy},
    {"libccd MPRIntersect", PEER_HULL_OVERLAP, create, update, run_mpr, destroy},
    {"libccd MPRPenetration (1 point)", PEER_HULL_MANIFOLD, create, update, run_mpr_depth, destroy},
    {"libccd GJKPenetration (1 point)", PEER_HULL_MANIFOLD, create, update, run_gjk_depth, destroy},
};

const peer_library peer_ccd = {peers, sizeof peers / sizeof peers[0], NULL, 0};
