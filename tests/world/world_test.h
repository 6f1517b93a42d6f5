/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shared by the tests of the world: short ways to make bodies, a snapshot of everything that a failed call must leave
 * unchanged, and the contact set by brute force. Only the public API is used. */
#ifndef ABUT_TESTS_WORLD_TEST_H
#define ABUT_TESTS_WORLD_TEST_H

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <string.h>

/* --- making things; every failure fails the test --- */

abut_world *make_world(const abut_world_def *def);
abut_body_id add_body(abut_world *world, const abut_body_def *def);
abut_body_id add_cube(abut_world *world, float x, float y, float z, float half);
void move_to(abut_world *world, abut_body_id id, float x, float y, float z);
abut_pose pose_at(float x, float y, float z);

/* Steps and returns the number of contacts. */
size_t step_world(abut_world *world);
const abut_contact *contacts_of(const abut_world *world, size_t *count);
const abut_contact *events_of(const abut_world *world, size_t *count);
size_t count_events(const abut_world *world, abut_phase phase);

bool bits_equal(const void *a, const void *b, size_t size);

/* An id as an index1 and a generation, never a real one of a small world. */
abut_body_id id_of(uint32_t index1, uint32_t generation);

/* --- random values --- */

abut_pose random_pose(rng *r, double extent);    /* inside the cube of this half size */
abut_body_def random_box(rng *r, double extent); /* a box of half extents 0.1..1, sometimes flat */

/* Fails the test if `ok` is false and prints how to replay it. `stream` is the argument of rng_make. */
#define check_case(ok, what, stream, step) check_case_at(ok, what, stream, step, __FILE__, __LINE__)
void check_case_at(bool ok, const char *what, uint64_t stream, unsigned long step, const char *file, int line);

/* --- everything a failed call must leave as it was --- */

typedef struct picture {
    uint64_t hash;
    size_t body_count, contact_count, event_count;
    const abut_contact *contacts, *events; /* where they were */
    abut_body_id *ids;
    unsigned char *bodies; /* what the getters return, flat */
    abut_contact *contacts_copy, *events_copy;
} picture;

picture picture_take(const abut_world *world);
/* Whether everything is as in the picture. */
bool picture_matches(const picture *p, const abut_world *world);
void picture_free(picture *p);
/* Asserts that it matches and frees it. */
void picture_close(picture *p, const abut_world *world);

/* --- the contact set by brute force --- */

typedef struct model_body {
    abut_body_id id;
    abut_vec3 half;
    uint32_t root;         /* the same number for all bodies of one compound */
    const abut_hull *hull; /* NULL: a box */
    float grown;           /* the radius of the shape */
} model_body;

/* What a body is now, read through the API. */
typedef struct body_now {
    abut_body_id id;
    abut_obb box; /* of a hull its pose alone */
    const abut_hull *hull;
    float grown; /* the radius of the shape */
    abut_aabb bounds;
    double radius; /* of a sphere round the shape, a little too large */
    abut_filter filter;
    abut_motion motion;
    abut_detail detail;
    uint64_t user;
    uint32_t root;
} body_now;

typedef struct body_pair {
    abut_body_id a, b; /* a.index1 < b.index1 */
    uint32_t i, j;     /* their indices in the array */
} body_pair;

typedef struct pair_list {
    body_pair *items;
    size_t count, capacity;
} pair_list;

/* The bodies as they are now, n of them; free() it. */
body_now *read_bodies(const abut_world *world, const model_body *models, size_t n);

/* The answers of the pair functions of their shapes; the normal points from a to b. */
bool shapes_overlap(const body_now *a, const body_now *b);
bool shapes_collide(const body_now *a, const body_now *b, float margin, abut_manifold *manifold);

/* The rules of filters, motion and compounds. */
bool may_touch(const body_now *a, const body_now *b);

/* All pairs that touch, sorted; free_pairs it. Tests every pair: O(n^2). */
pair_list brute_pairs(const body_now *bodies, size_t n, float margin);
void free_pairs(pair_list *pairs);

/* Whether the contact list names exactly these pairs, is sorted, and each contact agrees with the pair functions:
 * manifolds bit for bit, counts, user data. Prints the first difference. */
bool contacts_are(const abut_world *world, const body_now *bodies, const pair_list *pairs, float margin);

/* --- contact lists without their history --- */

/* A copy with phase and previous1 zeroed; free() it. NULL when empty. */
abut_contact *copy_without_history(const abut_world *world, size_t *count);
/* Whether both worlds have the same contact bits, phase and previous1 apart. */
bool same_contacts(const abut_world *a, const abut_world *b);

#endif
