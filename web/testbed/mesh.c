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

/* Directions in rings about y. None lies along an axis or across it, so that flat faces become flat. */
enum { rings = 12, ring = 24, directions = rings * ring };

static abut_vec3 direction_of(int i) {
    static const float quarter[] = {0.13052619f, 0.38268343f, 0.60876143f, 0.79335334f, 0.92387953f, 0.99144486f};
    int turn = i % ring, part = turn % 6, rise = i / ring - rings / 2;
    float up = rise < 0 ? -quarter[-1 - rise] : quarter[rise], out = quarter[rise < 0 ? 6 + rise : 5 - rise];
    float cosine = quarter[5 - part], sine = quarter[part];
    const float around[4][2] = {{cosine, sine}, {-sine, cosine}, {-cosine, -sine}, {sine, -cosine}};
    return vec(out * around[turn / 6][0], up, out * around[turn / 6][1]);
}

/* The farthest point of a shape along a direction. */
static abut_vec3 support_of(const abut_shape *shape, abut_vec3 direction) {
    const abut_vec3 *vertices = abut_hull_vertices(shape->hull), half = shape->half;
    abut_vec3 core =
        vec(copysignf(half.x, direction.x), copysignf(half.y, direction.y), copysignf(half.z, direction.z));
    for (size_t i = 0; i < abut_hull_vertex_count(shape->hull); ++i) {
        core = i == 0 || vec_dot(vertices[i], direction) > vec_dot(core, direction) ? vertices[i] : core;
    }
    return vec_along(core, shape->radius, direction);
}

/* A vertex of what shows a rounded shape is one of its support points: the direction is the normal. */
static abut_vec3 normal_at(const abut_shape *shape, abut_vec3 position) {
    for (int i = 0; i < directions; ++i) {
        abut_vec3 direction = direction_of(i), at = support_of(shape, direction);
        if (at.x == position.x && at.y == position.y && at.z == position.z) {
            return direction;
        }
    }
    return vec(0, 1, 0);
}

/* Rounded: with the normals of that shape; NULL: with those of the faces. */
static bool add_face(stage *s, testbed_mesh *mesh, const abut_hull *hull, size_t face, const abut_shape *rounded) {
    enum { most = 256 };
    const abut_vec3 *vertices = abut_hull_vertices(hull);
    uint32_t corners[most];
    abut_vec3 normals[most];
    float plane[4];
    size_t count = abut_hull_face(hull, face, corners, most, plane);
    for (size_t i = 0; i < count && i < most; ++i) {
        normals[i] = rounded ? normal_at(rounded, vertices[corners[i]]) : vec(plane[0], plane[1], plane[2]);
    }
    for (size_t i = 2; i < count && i < most; ++i) {
        const size_t triangle[3] = {0, i - 1, i};
        for (int k = 0; k < 3; ++k) {
            if (!add_vertex(s, mesh, vertices[corners[triangle[k]]], normals[triangle[k]])) {
                return false;
            }
        }
    }
    return true;
}

static abut_result add_faces(stage *s, const abut_hull *hull, const abut_shape *rounded) {
    testbed_mesh *mesh = begin_mesh(s);
    for (size_t face = 0; mesh != NULL && face < abut_hull_face_count(hull); ++face) {
        mesh = add_face(s, mesh, hull, face, rounded) ? mesh : NULL;
    }
    return mesh == NULL ? ABUT_ERROR_MEMORY : ABUT_OK;
}

abut_result mesh_add_hull(stage *s, const abut_hull *hull) {
    return add_faces(s, hull, NULL);
}

abut_result mesh_add_round(stage *s, const abut_shape *shape, abut_hull **drawn) {
    abut_vec3 points[directions];
    for (int i = 0; i < directions; ++i) {
        points[i] = support_of(shape, direction_of(i));
    }
    abut_result result = abut_hull_create(points, directions, NULL, drawn);
    return result == ABUT_OK ? add_faces(s, *drawn, shape) : result;
}

abut_result mesh_add_surface(stage *s, const abut_mesh *surface) {
    testbed_mesh *mesh = begin_mesh(s);
    bool fits = mesh != NULL;
    for (uint32_t i = 0; fits && i < abut_mesh_triangle_count(surface); ++i) {
        abut_vec3 v[3];
        if (abut_mesh_triangle(surface, i, v) && !isnan(v[0].x)) {
            abut_vec3 normal = vec_cross(vec_sub(v[1], v[0]), vec_sub(v[2], v[0]));
            normal = vec_scale(normal, 1 / vec_length(normal));
            for (int k = 0; k < 3; ++k) {
                fits = fits && add_vertex(s, mesh, v[k], normal);
            }
        }
    }
    return fits ? ABUT_OK : ABUT_ERROR_MEMORY;
}
