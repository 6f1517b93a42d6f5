/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Questions to worlds of other libraries: rays, overlaps, bounds, what is nearest, what moving shapes meet. Each
 * answers in the same small form, so that one can see that all did the same work. */
#ifndef ABUT_BENCH_QUERY_PEER_H
#define ABUT_BENCH_QUERY_PEER_H

#include <abut/abut.h>
#include <abut/hull.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bodies as of now: sharp boxes and hulls. The caller changes poses and bounds in place. */
typedef struct query_world {
    size_t count;
    const abut_shape *shapes; /* per body; hulls are shared */
    const abut_pose *poses;   /* per body; rotations have length 1 */
    const abut_aabb *bounds;  /* per body */
    size_t hull_count;
    const abut_hull *const *hulls; /* all that bodies have */
} query_world;

typedef enum query_task {
    QUERY_FIRST,    /* what each ray meets first */
    QUERY_SIGHT,    /* whether it meets anything */
    QUERY_OVERLAP,  /* which bodies a shape touches */
    QUERY_BOUNDS,   /* which bodies' bounds a box touches */
    QUERY_NEAREST,  /* the k bodies nearest to a point */
    QUERY_CAST,     /* what each shape that moves without turning meets first */
    QUERY_CAST_ALL, /* which bodies it meets */
    QUERY_SWEEP,    /* what each of some bodies meets first when all of them move at the same time */
    QUERY_TASK_COUNT
} query_task;

/* `count` questions of one task; only what that task needs is set. */
typedef struct query_set {
    size_t count;
    bool coherent;            /* neighbouring rays go nearly the same way */
    const abut_ray *rays;     /* they begin outside all bodies */
    const abut_shape *shapes; /* a sharp box or a sphere, */
    const abut_pose *poses;   /* and where it is */
    const abut_aabb *boxes;
    const abut_vec3 *points; /* outside all bodies */
    size_t k;
    const abut_cast *casts;   /* they begin outside all bodies */
    const uint32_t *movers;   /* bodies that touch nobody at the start, */
    const abut_pose *targets; /* and where they go; rotations have length 1 */
    bool turning;             /* they also turn */
} query_set;

typedef struct query_answer {
    uint32_t found; /* bodies */
    uint32_t sum;   /* of the numbers of these bodies: overlaps, bounds and all that a cast meets */
    float value;    /* first hit: its fraction, 1 if there is none; nearest: the distance of the farthest */
} query_answer;

typedef struct query_peer {
    const char *name;
    float error;      /* that its distances may have; infinite: it answers a simpler question */
    size_t count_max; /* with more bodies it takes unreasonably long, or too much memory */
    bool boxes_only;  /* for QUERY_NEAREST it cannot take hulls */
    size_t k_max;     /* of QUERY_NEAREST */
    void *(*create)(const query_world *world); /* the world must stay at its address */
    /* Takes the new poses; NULL: it would not be used for that. `update_quickly` is one that makes rays slower. */
    void (*update)(void *state);
    void (*update_quickly)(void *state);
    /* NULL: it cannot do that. */
    void (*ask[QUERY_TASK_COUNT])(void *state, const query_set *questions, query_answer *answers);
    void (*destroy)(void *state);
    bool may_differ; /* it is known to be wrong often, or to answer a simpler question: differences are only counted */
} query_peer;

extern const query_peer query_peer_bullet, query_peer_cgal, query_peer_embree, query_peer_embree_triangles,
    query_peer_fcl, query_peer_fcl_sweep, query_peer_fcl_samples, query_peer_nanoflann;

/* Those that this was built with, NULL at the end. */
extern const query_peer *const query_peers[];

#ifdef __cplusplus
}
#endif
#endif
