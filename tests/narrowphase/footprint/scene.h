/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A rectangle on the ground and one body near it, at random, and what the library says of them, judged by the oracle.
 */
#ifndef ABUT_TESTS_NARROWPHASE_FOOTPRINT_SCENE_H
#define ABUT_TESTS_NARROWPHASE_FOOTPRINT_SCENE_H

#include "narrowphase/narrowphase.h"
#include "support/ground_oracle.h"
#include "support/rng.h"

enum { SCENE_POINTS = 32 };

typedef struct scene {
    abut_obb2 rectangle;
    float clearance, radius;
    int ground[2];
    abut_pose pose;
    abut_vec3 half; /* of a box */
    abut_hull *hull;
    abut_vec3 point[SCENE_POINTS]; /* its corners or vertices */
    uint32_t count;
    abut_collider collider;
} scene;

typedef struct tally {
    unsigned long overlapping, touching, apart, close, closest, deep, hulls;
} tally;

/* About (0, 0). */
abut_obb2 scene_rectangle(rng *r, double scale);

typedef void scene_maker(uint64_t index, scene *s);

/* Boxes and hulls, half of them without a clearance. They are brought together along the normal of a side. */
scene_maker scene_make_sharp;
/* Points, rods, plates, boxes and hulls with a radius, a clearance, or both: 1e-6 to 1e6 of their size. They are
 * brought together along any direction: a side or corner beside a side or corner. */
scene_maker scene_make_grown;
/* The same where all numbers are small integers, and the distances those of Pythagorean triples. */
scene_maker scene_make_on_grid;

/* Compares both touch rules of each scene from `first` on with the oracle, and the translations, too; fails after all.
 */
void scenes_run(scene_maker *make, unsigned long scenes, uint64_t first, bool translation, tally *t);

#endif
