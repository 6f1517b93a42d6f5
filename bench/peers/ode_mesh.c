/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* ODE: one space of bodies against one geom, a trimesh or a heightfield. */

#include "mesh_peer.h"
#include "ode_shapes.h"
#include <stdlib.h>

enum { contacts_max = 32 };

typedef struct ode_mesh {
    dTriMeshDataID triangles;
    dHeightfieldDataID grid;
    dGeomID ground, *bodies;
    size_t count;
} ode_mesh;

static ode_mesh *with_bodies(const mesh_bodies *bodies) {
    ode_mesh *m = calloc(1, sizeof *m);
    if (m == NULL || (m->bodies = calloc(bodies->count, sizeof *m->bodies)) == NULL) {
        abort();
    }
    dInitODE2(0);
    m->count = bodies->count;
    for (size_t i = 0; i < bodies->count; ++i) {
        m->bodies[i] = ode_geom_of(NULL, &bodies->half, bodies->radius);
    }
    return m;
}

static void *create_triangles(const mesh_terrain *t, const mesh_bodies *bodies) {
    ode_mesh *m = with_bodies(bodies);
    m->triangles = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(m->triangles, t->vertices, sizeof *t->vertices, (int)(t->side * t->side), t->indices,
                                (int)(3 * t->triangle_count), 3 * sizeof *t->indices);
    m->ground = dCreateTriMesh(NULL, m->triangles, NULL, NULL, NULL);
    return m;
}

static void *create_grid(const mesh_terrain *t, const mesh_bodies *bodies) {
    ode_mesh *m = with_bodies(bodies);
    dReal extent = (dReal)(t->side - 1);
    m->grid = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildSingle(m->grid, t->heights, 0, extent, extent, (int)t->side, (int)t->side, 1, 0, 1, 0);
    dGeomHeightfieldDataSetBounds(m->grid, (dReal)t->lowest, (dReal)t->highest);
    m->ground = dCreateHeightfield(NULL, m->grid, 1);
    dGeomSetPosition(m->ground, extent / 2, 0, extent / 2);
    return m;
}

static size_t frame(void *state, const abut_pose *poses, size_t *points) {
    ode_mesh *m = state;
    size_t touching = 0;
    *points = 0;
    for (size_t i = 0; i < m->count; ++i) {
        const abut_pose *p = &poses[i];
        const dQuaternion q = {(dReal)p->rotation.w, (dReal)p->rotation.x, (dReal)p->rotation.y, (dReal)p->rotation.z};
        dContactGeom contacts[contacts_max];
        dGeomSetPosition(m->bodies[i], (dReal)p->position.x, (dReal)p->position.y, (dReal)p->position.z);
        dGeomSetQuaternion(m->bodies[i], q);
        int n = dCollide(m->bodies[i], m->ground, contacts_max, contacts, sizeof *contacts);
        touching += n > 0;
        *points += (size_t)n;
    }
    return touching;
}

static void destroy(void *state) {
    ode_mesh *m = state;
    for (size_t i = 0; i < m->count; ++i) {
        dGeomDestroy(m->bodies[i]);
    }
    dGeomDestroy(m->ground);
    if (m->triangles != NULL) {
        dGeomTriMeshDataDestroy(m->triangles);
    }
    if (m->grid != NULL) {
        dGeomHeightfieldDataDestroy(m->grid);
    }
    free(m->bodies);
    free(m);
}

static const mesh_peer peers[] = {{"ODE trimesh", false, false, create_triangles, frame, destroy},
                                  {"ODE heightfield", false, true, create_grid, frame, destroy}};

const mesh_library mesh_library_ode = {peers, sizeof peers / sizeof peers[0], NULL, 0};
