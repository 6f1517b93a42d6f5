/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "mesh.h"
#include "vec.h"

static testbed_mesh *begin_mesh(stage *s) {
    testbed_mesh *mesh = stage_push(&s->meshes, sizeof *mesh);
    if (mesh != NULL) {
        *mesh = (testbed_mesh){(uint32_t)s->mesh_vertices.count, 0};
    }
    return mesh;
}

static bool add_vertex(stage *s, testbed_mesh *mesh, abut_vec3 position, abut_vec3 normal) {
    testbed_mesh_vertex *vertex = stage_push(&s->mesh_vertices, sizeof *vertex);
    if (vertex != NULL) {
        *vertex = (testbed_mesh_vertex){position, normal};
        ++mesh->count;
    }
    return vertex != NULL;
}

/* Face k of the cube faces along axis k / 2, backwards when k is odd. */
abut_result mesh_add_cube(stage *s) {
    static const float corners[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
    testbed_mesh *mesh = begin_mesh(s);
    if (mesh == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    for (int face = 0; face < 6; ++face) {
        for (int i = 0; i < 6; ++i) {
            float sign = face % 2 == 0 ? 1.0f : -1.0f, position[3], normal[3] = {0, 0, 0};
            int axis = face / 2;
            normal[axis] = position[axis] = sign;
            position[(axis + 1) % 3] = sign * corners[i][0];
            position[(axis + 2) % 3] = corners[i][1];
            if (!add_vertex(s, mesh, vec(position[0], position[1], position[2]),
                            vec(normal[0], normal[1], normal[2]))) {
                return ABUT_ERROR_MEMORY;
            }
        }
    }
    return ABUT_OK;
}

static bool add_face(stage *s, testbed_mesh *mesh, const abut_hull *hull, size_t face) {
    enum { most = 256 };
    const abut_vec3 *vertices = abut_hull_vertices(hull);
    uint32_t corners[most];
    float plane[4];
    size_t count = abut_hull_face(hull, face, corners, most, plane);
    for (size_t i = 2; i < count && i < most; ++i) {
        const uint32_t triangle[3] = {corners[0], corners[i - 1], corners[i]};
        for (int k = 0; k < 3; ++k) {
            if (!add_vertex(s, mesh, vertices[triangle[k]], vec(plane[0], plane[1], plane[2]))) {
                return false;
            }
        }
    }
    return true;
}

abut_result mesh_add_hull(stage *s, const abut_hull *hull) {
    testbed_mesh *mesh = begin_mesh(s);
    for (size_t face = 0; mesh != NULL && face < abut_hull_face_count(hull); ++face) {
        mesh = add_face(s, mesh, hull, face) ? mesh : NULL;
    }
    return mesh == NULL ? ABUT_ERROR_MEMORY : ABUT_OK;
}
