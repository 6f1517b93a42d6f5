/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Inputs for tests, benchmarks and the demo. A scene is a function of its kind, size and seed: the same bits with every
 * compiler and on every machine, because nothing but + - * / and sqrtf computes them. A scene owns its hulls: destroy
 * worlds that use them before it.
 *
 *     scene s;
 *     if (!scene_create(&s, SCENE_TUMBLING, 1000, 1)) ...out of memory...
 *     abut_bodies_create(world, s.defs, s.count, ids);
 *     for (...) {
 *         scene_advance(&s);
 *         abut_bodies_set_poses(world, ids, s.poses, s.mover_count);
 *         abut_world_step(world, ...);
 *     }
 *     scene_destroy(&s); */
#ifndef ABUT_SCENES_SCENES_H
#define ABUT_SCENES_SCENES_H

#include <abut/abut.h>

typedef enum scene_kind {
    SCENE_TUMBLING,   /* boxes of half extents 0.25..0.75 in a cube of side (4n)^(1/3), drifting up to 0.05 per axis and
                         frame, bouncing at the walls and turning a little: 1.2 contacts a box */
    SCENE_TELEPORT,   /* the same, but every box gets a new random place in every frame */
    SCENE_CITY,       /* on ground of area 0.875 n, centres at heights 0..4; every tenth moves, the others are static */
    SCENE_MIXED,      /* as tumbling, but 1 % of the boxes 50 times larger in a cube of side (132n)^(1/3) */
    SCENE_CLUSTERS,   /* as tumbling, in 20 clouds that lie in a cube four times wider */
    SCENE_FLAT,       /* plates without height, all in the plane y = 0, turned about y */
    SCENE_TOWER,      /* unit cubes stacked along y: each touches the next exactly */
    SCENE_LINE,       /* turned boxes along x, one unit apart */
    SCENE_COINCIDENT, /* all the same box: n (n - 1) / 2 contacts */
    SCENE_LATTICE,    /* unit cubes on a cubic grid: each touches up to 26 others exactly */
    SCENE_HUGE,       /* body 0 is huge and contains all the others, which are tiny */
    SCENE_SIX_DECADES, /* half extents from 0.0005 to 1000, each size in as much space as it needs */
    SCENE_HULLS,       /* as tumbling, but convex hulls of 6 to 64 vertices (scene_hulls.h); every eighth is a box */
    SCENE_SPHERES,     /* as tumbling, but spheres of radius 0.25..0.75 */
    SCENE_CAPSULES,    /* as tumbling, but capsules along z: half lengths 0.25..0.75, radii 0.125..0.375 */
    SCENE_ROUND,       /* as tumbling, a third each of such boxes, spheres and capsules */
    SCENE_KIND_COUNT,
    SCENE_BOX_KIND_COUNT = SCENE_HULLS,     /* the kinds without hulls and radii come first, */
    SCENE_SHARP_KIND_COUNT = SCENE_SPHERES, /* then those with hulls, then those with radii */
} scene_kind;

/* The motion of a mover per frame. */
typedef struct scene_spin {
    abut_vec3 velocity;
    abut_vec3 turn; /* half the rotation vector */
} scene_spin;

typedef struct scene {
    scene_kind kind;
    size_t count;
    size_t mover_count;  /* bodies 0 .. mover_count - 1 move in scene_advance; the others never do */
    abut_body_def *defs; /* count of them, of detail manifold, with user = index; poses as of frame 0 */
    abut_pose *poses;    /* count of them, as of `frame` */
    uint64_t frame;      /* how often the scene was advanced */
    abut_vec3 low, high; /* the walls that the movers' centres keep to */
    /* Private. */
    uint64_t rng;
    scene_spin *spins; /* per mover */
    abut_hull **hulls; /* hull_count of them, shared by the bodies */
    size_t hull_count;
} scene;

/* false: out of memory (or n invalid: 0 or more than 10^12), and the scene is all zero. */
bool scene_create(scene *s, scene_kind kind, size_t n, uint64_t seed);
/* The next frame: new poses for the movers. */
void scene_advance(scene *s);
/* Frees the scene and zeroes it; does nothing to an all-zero scene. */
void scene_destroy(scene *s);
/* "tumbling", "six_decades" ...; "unknown" for anything else. */
const char *scene_name(scene_kind kind);

#endif
