/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A collection's hulls fall onto a mesh, y being up.
 *
 * No solver is at work: what touches is pushed apart along the normals of the contacts and loses its speed towards each
 * other. The mesh is scaled by a power of two, so that the larger of its extents along x and z is in [16, 32), and the
 * hulls to between 1 and 2. What falls below the mesh begins again above it. */
#ifndef ABUT_DEMO_DROP_H
#define ABUT_DEMO_DROP_H

#include "obj.h"
#include "specimen.h"
#include "timing.h"

typedef struct dropped {
    size_t vertex_count, triangle_count, mesh_bytes;
    double mesh_seconds; /* building time: the least of a few runs */
    size_t frame_count, body_count;
    size_t *contacts, *parts; /* per frame */
    size_t begun, persisted, ended;
    size_t on_mesh, most_parts; /* contacts with the mesh in all frames; the most triangles in one of them */
    size_t restarted;           /* hulls that fell below the mesh */
    uint64_t hash;
    timing time;
    size_t fault_count; /* contacts whose parts are not those of the mesh, in order */
} dropped;

/* Shows its progress on stderr. false: an error occurred and was reported, with `path` for the mesh; `d` is then all
 * zero. */
bool drop_run(dropped *d, const char *path, const obj *model, const collection *c, size_t frames);
void drop_destroy(dropped *d);

#endif
