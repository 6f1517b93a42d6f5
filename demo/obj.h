/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Triangles from a Wavefront OBJ file.
 *
 * Read are the lines `v x y z ...` and `f corner corner corner ...` with corners v, v/vt, v//vn or v/vt/vn, where v is
 * the number of a vertex above, from 1, or counted backwards from -1. Polygons become fans round their first corner.
 * All other lines are skipped; `#` begins a comment, a backslash at the end of a line joins it with the next one, lines
 * end in LF or CR LF. A byte order mark is passed over. Polygons that are not convex become other shapes than they are.
 *
 * It is our own because it names the line of every error. */
#ifndef ABUT_DEMO_OBJ_H
#define ABUT_DEMO_OBJ_H

#include <abut/types.h>

typedef struct obj {
    abut_vec3 *vertices;
    uint32_t *indices; /* three a triangle, each below vertex_count */
    size_t vertex_count, triangle_count;
    const char *reason; /* why it could not be read; NULL: it was */
    size_t line;        /* the bad line, from 1; 0: none */
} obj;

/* Reads text of any kind, `size` bytes. On an error the obj has only a reason and a line. */
bool obj_parse(obj *o, const char *text, size_t size);
/* The same with a file. */
bool obj_load(obj *o, const char *path);
void obj_destroy(obj *o);

#endif
