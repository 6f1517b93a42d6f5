/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Families of meshes on which contacts go wrong first: flat floors of every triangulation, slopes, strips, seams,
 * height fields, spheres, soups, needles, holes. Coordinates are whole multiples of 2^-8 times a power of two unless a
 * family says otherwise, so that what is meant to be flat is exactly flat. */
#ifndef ABUT_TESTS_SUPPORT_MESH_FAMILIES_H
#define ABUT_TESTS_SUPPORT_MESH_FAMILIES_H

#include "support/rng.h"
#include <abut/mesh.h>

enum { SOUP_TRIANGLES = 640, SOUP_VERTICES = 3 * SOUP_TRIANGLES };

typedef struct soup {
    uint32_t vertex_count, triangle_count, ghost_count;
    abut_vec3 vertex[SOUP_VERTICES];
    uint32_t index[SOUP_TRIANGLES][3];
    bool two_sided;
} soup;

/* Flat floors at y = 0 over the square from -8 to 8 along x and z, front up. */
typedef enum soup_floor {
    SOUP_GRID,       /* all diagonals alike */
    SOUP_GRID_MIXED, /* either diagonal */
    SOUP_FANS,       /* four triangles around the middle of each cell */
    SOUP_POINTS,     /* points inserted anywhere, then random edges flipped */
    SOUP_SLIVERS,    /* points close to edges: long thin triangles */
    SOUP_TWO,        /* two triangles */
    SOUP_FLOORS
} soup_floor;
void soup_make_floor(rng *r, soup_floor kind, soup *out);

/* Changes that leave the surface as it is. */
void soup_shuffle(rng *r, soup *s); /* another order of triangles, and of corners within them; ghosts stay last */
void soup_split_vertices(rng *r, soup *s); /* some triangles get vertices of their own, with equal coordinates */

/* Vertices move along y by (x slope_x + z slope_z); both are k / 8, so that planes stay exact. */
void soup_tilt(soup *s, float slope_x, float slope_z);
void soup_scale(soup *s, float factor); /* a power of two */

/* The triangles whose middle has x <= 0 first, then those others that touch them as ghosts; or the other way round. */
void soup_chunk(const soup *whole, bool left, soup *out);

/* A floor whose height depends on x alone: height[i] at x = 2 i - 8, in 9 places. */
void soup_make_strips(rng *r, const float height[9], soup *out);

typedef enum soup_family {
    SOUP_FLAT,    /* a floor of any kind */
    SOUP_SLOPE,   /* a tilted floor */
    SOUP_RIDGES,  /* strips up and down */
    SOUP_STEPS,   /* terraces with upright walls */
    SOUP_PYRAMID, /* a floor with peaks and pits */
    SOUP_HILLS,   /* random heights */
    SOUP_SPHERE,  /* front outward, or inward */
    SOUP_LOOSE,   /* random triangles that share some corners and edges; more than two at some edges */
    SOUP_NEEDLES, /* very thin ones */
    SOUP_HOLES,   /* a floor or hills with triangles left out, and some without area put in */
    SOUP_FAMILIES
} soup_family;
const char *soup_family_name(soup_family family);

/* One of about 16 units across, shuffled and split; a quarter two_sided with some triangles turned over; a quarter with
 * ghosts. Depends on its arguments alone. */
void soup_make(uint64_t seed, uint64_t index, soup_family family, soup *out);

/* Fails the running test if the mesh cannot be made. */
abut_mesh *soup_mesh(const soup *s);

#endif
