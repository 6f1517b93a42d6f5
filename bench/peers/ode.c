/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* ODE: geoms that are placed once, and dCollide on pairs of them. */

#include "ode_shapes.h"
#include "peers.h"
#include <stdlib.h>

enum { contacts_max = 8 };

/* The arrays that dCreateConvex takes and keeps pointers to: the triangles as planes and as polygons. */
typedef struct convex {
    dReal *planes, *points;
    unsigned int *polygons;
    unsigned int plane_count, point_count;
} convex;

typedef struct ode_state {
    dGeomID *geoms;
    size_t geom_count, pair_count, shape_count;
    body_pair *pairs;
    convex *shapes; /* of hulls */
} ode_state;

static void *room(size_t count, size_t size) {
    void *p = calloc(count > 0 ? count : 1, size);
    if (p == NULL) {
        abort();
    }
    return p;
}

/* --- hulls: every triple of points is tried as a face; none of the hulls here is large --- */

/* The plane through three points: n and n.p; n is not normalised. */
static void plane_through(const dReal *a, const dReal *b, const dReal *c, dReal plane[4]) {
    const dReal u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    plane[0] = u[1] * v[2] - u[2] * v[1];
    plane[1] = u[2] * v[0] - u[0] * v[2];
    plane[2] = u[0] * v[1] - u[1] * v[0];
    plane[3] = plane[0] * a[0] + plane[1] * a[1] + plane[2] * a[2];
}

static bool holds_all(const convex *c, const dReal plane[4], const unsigned int corner[3]) {
    for (unsigned int i = 0; i < c->point_count; ++i) {
        const dReal *p = c->points + 3 * (size_t)i;
        bool own = i == corner[0] || i == corner[1] || i == corner[2];
        if (!own && plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] > plane[3]) {
            return false;
        }
    }
    return true;
}

static void try_face(convex *c, unsigned int i, unsigned int j, unsigned int k) {
    const unsigned int corner[3] = {i, j, k};
    dReal *plane = c->planes + 4 * (size_t)c->plane_count;
    plane_through(c->points + 3 * (size_t)i, c->points + 3 * (size_t)j, c->points + 3 * (size_t)k, plane);
    if (c->plane_count < 2 * c->point_count - 4 && holds_all(c, plane, corner)) {
        dReal scale = 1 / dSqrt(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]);
        for (int axis = 0; axis < 4; ++axis) {
            plane[axis] *= scale;
        }
        unsigned int *polygon = c->polygons + 4 * (size_t)c->plane_count++;
        polygon[0] = 3;
        polygon[1] = i;
        polygon[2] = j;
        polygon[3] = k;
    }
}

static void find_faces(convex *c) {
    for (unsigned int i = 0; i < c->point_count; ++i) {
        for (unsigned int j = i + 1; j < c->point_count; ++j) {
            for (unsigned int k = j + 1; k < c->point_count; ++k) {
                try_face(c, i, j, k);
                try_face(c, i, k, j);
            }
        }
    }
}

static void make_shapes(ode_state *s, const hull_set *hulls) {
    size_t n = hulls->vertices;
    s->shape_count = hulls->count;
    s->shapes = room(hulls->count, sizeof *s->shapes);
    for (size_t i = 0; i < hulls->count; ++i) {
        convex *c = &s->shapes[i];
        c->point_count = (unsigned int)n;
        c->points = room(3 * n, sizeof *c->points);
        c->planes = room(4 * 2 * n, sizeof *c->planes);
        c->polygons = room(4 * 2 * n, sizeof *c->polygons);
        for (size_t v = 0; v < n; ++v) {
            const abut_vec3 *p = &hulls->points[i * n + v];
            c->points[3 * v] = (dReal)p->x;
            c->points[3 * v + 1] = (dReal)p->y;
            c->points[3 * v + 2] = (dReal)p->z;
        }
        find_faces(c);
    }
}

/* --- geoms --- */

static void update(void *state, const pair_set *set) {
    ode_state *s = state;
    for (size_t i = 0; i < set->body_count; ++i) {
        const abut_pose *p = &set->poses[i];
        const dQuaternion q = {(dReal)p->rotation.w, (dReal)p->rotation.x, (dReal)p->rotation.y, (dReal)p->rotation.z};
        dGeomSetPosition(s->geoms[i], (dReal)p->position.x, (dReal)p->position.y, (dReal)p->position.z);
        dGeomSetQuaternion(s->geoms[i], q);
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

static dGeomID create_geom(const ode_state *s, const pair_set *set, size_t body) {
    if (set->hulls != NULL) {
        const convex *c = &s->shapes[set->shapes[body]];
        return dCreateConvex(NULL, c->planes, c->plane_count, c->points, c->point_count, c->polygons);
    }
    return ode_geom_of(NULL, &set->halves[body], set->radii != NULL ? set->radii[body] : 0.0f);
}

/* ODE would write to stdout, where the figures go. */
static void say_nothing(int number, const char *format, va_list arguments) {
    (void)number, (void)format, (void)arguments;
}

static void *create(const pair_set *set) {
    ode_state *s = room(1, sizeof *s);
    s->geoms = room(set->body_count, sizeof(dGeomID));
    if (set->hulls != NULL) {
        make_shapes(s, set->hulls);
    }
    dInitODE2(0);
    dSetMessageHandler(say_nothing);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    s->geom_count = set->body_count;
    for (size_t i = 0; i < set->body_count; ++i) {
        s->geoms[i] = create_geom(s, set, i);
    }
    update(s, set);
    return s;
}

static void destroy(void *state) {
    ode_state *s = state;
    for (size_t i = 0; i < s->geom_count; ++i) {
        dGeomDestroy(s->geoms[i]);
    }
    for (size_t i = 0; i < s->shape_count; ++i) {
        free(s->shapes[i].points);
        free(s->shapes[i].planes);
        free(s->shapes[i].polygons);
    }
    free(s->shapes);
    free(s->geoms);
    free(s->pairs);
    free(s);
    dCloseODE();
}

static void collide(const ode_state *s, uint8_t *answers, int most) {
    dContactGeom contacts[contacts_max];
    for (size_t i = 0; i < s->pair_count; ++i) {
        dGeomID a = s->geoms[s->pairs[i].a], b = s->geoms[s->pairs[i].b];
        answers[i] = dCollide(a, b, most, contacts, sizeof contacts[0]) > 0;
    }
}

static void run_4(void *state, uint8_t *answers) {
    collide(state, answers, 4);
}

static void run_8(void *state, uint8_t *answers) {
    collide(state, answers, contacts_max);
}

static const peer peers[] = {
    {"ODE dCollide, 4 points", PEER_BOX_MANIFOLD, create, update, run_4, destroy},
    {"ODE dCollide, 8 points", PEER_BOX_MANIFOLD, create, update, run_8, destroy},
    {"ODE dCollide, convex, 8 points", PEER_HULL_MANIFOLD, create, update, run_8, destroy},
    {"ODE dCollide, 4 points", PEER_ROUND_MANIFOLD, create, update, run_4, destroy},
};

const peer_library peer_ode = {peers, sizeof peers / sizeof peers[0], NULL, 0};
