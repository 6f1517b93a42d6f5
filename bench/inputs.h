/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The inputs of the pair benchmarks: pairs of boxes, of hulls and of shapes with a radius, from a seeded generator. */
#ifndef ABUT_BENCH_INPUTS_H
#define ABUT_BENCH_INPUTS_H

#include <abut/abut.h>
#include <abut/hull.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- pairs of boxes --- */

typedef void (*box_maker)(uint64_t *rng, abut_obb *a, abut_obb *b);

void make_random(uint64_t *rng, abut_obb *a, abut_obb *b);
void make_separated(uint64_t *rng, abut_obb *a, abut_obb *b);
void make_overlapping(uint64_t *rng, abut_obb *a, abut_obb *b);
void make_mixed(uint64_t *rng, abut_obb *a, abut_obb *b);    /* half of them overlap */
void make_near(uint64_t *rng, abut_obb *a, abut_obb *b);     /* within a thousandth of touching, on either side */
void make_touching(uint64_t *rng, abut_obb *a, abut_obb *b); /* at the last float that still touches */
void make_aligned(uint64_t *rng, abut_obb *a, abut_obb *b);  /* cubes of a grid that share a face, edge or corner */

/* --- hulls: shapes with equally many vertices each --- */

typedef struct hull_set {
    size_t count, vertices;
    abut_vec3 *points;  /* [shape * vertices + vertex] */
    abut_hull **shapes; /* per shape */
} hull_set;

hull_set hull_set_create(uint64_t *rng, size_t count, size_t vertices); /* on ellipsoids of half axes 0.25..0.75 */
void hull_set_destroy(hull_set *set);
void random_on_sphere(uint64_t *rng, abut_vec3 *points, size_t n);

/* --- bodies, and the pairs of them that are tested --- */

typedef struct body_pair {
    uint32_t a, b;
} body_pair;

typedef struct pair_set {
    size_t body_count, pair_count;
    abut_pose *poses;      /* per body */
    abut_vec3 *halves;     /* per body, of boxes; NULL: hulls */
    float *radii;          /* per body; NULL: all are sharp */
    uint32_t *shapes;      /* per body, of hulls: index into hulls; NULL: boxes */
    const hull_set *hulls; /* NULL: boxes */
    body_pair *pairs;
} pair_set;

/* Each body is in one pair. */
pair_set pair_set_create(size_t pairs); /* without shapes */
pair_set pair_set_of_boxes(uint64_t seed, size_t pairs, box_maker make);

typedef enum hull_input { HULLS_MIXED, HULLS_SEPARATED, HULLS_OVERLAPPING, HULLS_NEAR, HULL_INPUT_COUNT } hull_input;
extern const char *const hull_input_names[HULL_INPUT_COUNT];
pair_set pair_set_of_hulls(uint64_t seed, size_t pairs, const hull_set *hulls, hull_input input);

/* A box; a sphere; a capsule along z, as most libraries have them. */
typedef enum round_kind { ROUND_BOX, ROUND_SPHERE, ROUND_CAPSULE } round_kind;
/* Sizes as in scenes.h. Half of the pairs touch; the bounds of the others do. */
pair_set pair_set_of_round(uint64_t seed, size_t pairs, round_kind a, round_kind b);

/* Of pairs that nearly touch, with a at the origin: moves every b away by 0.1 to 3. */
void pair_set_part(pair_set *set, uint64_t seed);

abut_shape pair_set_shape(const pair_set *set, uint32_t body);

void pair_set_destroy(pair_set *set); /* the caller owns the hulls */
abut_obb pair_set_box(const pair_set *set, uint32_t body);

#ifdef __cplusplus
}
#endif
#endif
