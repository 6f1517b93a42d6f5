/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/check.h"
#include "shape/mesh/assemble.h"
#include "support/test.h"
#include <stdlib.h>
#include <string.h>

static const int *place_of(const mesh_soup *soup, size_t t, size_t k) {
    return soup->place[soup->index[3 * t + k % 3]];
}

static bool same_place(const int *a, const int *b) {
    return memcmp(a, b, 3 * sizeof *a) == 0;
}

static void cross(const int *a, const int *b, const int *c, int64_t n[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = (int64_t)(b[j] - a[j]) * (c[k] - a[k]) - (int64_t)(b[k] - a[k]) * (c[j] - a[j]);
    }
}

static int64_t volume(const int *a, const int *b, const int *c, const int *d) {
    int64_t n[3];
    cross(a, b, c, n);
    return n[0] * (d[0] - a[0]) + n[1] * (d[1] - a[1]) + n[2] * (d[2] - a[2]);
}

/* Of triangles in one plane with the edge from a to b in common: whether both lie on the same side of it. */
static bool overlap(const int *a, const int *b, const int *c, const int *d) {
    int64_t m[3], n[3];
    cross(a, b, c, m);
    cross(a, b, d, n);
    for (int i = 0; i < 3; i++) {
        if (m[i] != 0) {
            return (m[i] > 0) == (n[i] > 0);
        }
    }
    return false;
}

bool check_has_area(const mesh_soup *soup, size_t t) {
    int64_t n[3];
    cross(place_of(soup, t, 0), place_of(soup, t, 1), place_of(soup, t, 2), n);
    return n[0] != 0 || n[1] != 0 || n[2] != 0;
}

uint32_t check_side(const mesh_soup *soup, uint32_t t, uint32_t k) {
    const int *a = place_of(soup, t, k), *b = place_of(soup, t, k + 1), *d = NULL;
    uint32_t found = 0, other = 0, side = 0;
    bool turned = false;
    for (uint32_t u = 0; check_has_area(soup, t) && u < soup->def.triangle_count; u++) {
        for (uint32_t l = 0; l < 3 && u != t && check_has_area(soup, u); l++) {
            const int *from = place_of(soup, u, l), *to = place_of(soup, u, l + 1);
            bool along = same_place(a, from) && same_place(b, to), against = same_place(a, to) && same_place(b, from);
            if (along || against) {
                found++;
                other = u;
                side = l;
                turned = along;
                d = place_of(soup, u, l + 2);
            }
        }
    }
    if (found != 1 || (turned && !soup->def.two_sided)) {
        return 0;
    }
    int64_t v = volume(place_of(soup, t, 0), place_of(soup, t, 1), place_of(soup, t, 2), d);
    if (v == 0 && overlap(a, b, place_of(soup, t, k + 2), d)) {
        return 0;
    }
    return abut_mesh_side(other, side, turned, v > 0 ? ABUT_MESH_HOLLOW : v < 0 ? ABUT_MESH_CONVEX : ABUT_MESH_FLAT);
}

void check_sides(const abut_mesh *mesh, const mesh_soup *soup) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(abut_mesh_sides(mesh)[3 * t + k], check_side(soup, t, k));
        }
    }
}

static void check_bounds(const abut_mesh *mesh, const mesh_soup *soup) {
    float min[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, max[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    double farthest = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (uint32_t k = 0; k < 3 && abut_mesh_is_solid(mesh, t); k++) {
            double square = 0;
            for (int i = 0; i < 3; i++) {
                float x = (float)place_of(soup, t, k)[i] * soup->unit;
                min[i] = x < min[i] ? x : min[i];
                max[i] = x > max[i] ? x : max[i];
                square += (double)x * x;
            }
            farthest = square > farthest ? square : farthest;
        }
    }
    const abut_aabb bounds = abut_mesh_bounds(mesh);
    for (int i = 0; i < 3; i++) {
        assert_true((&bounds.min.x)[i] == min[i] && (&bounds.max.x)[i] == max[i]);
    }
    double radius = mesh->radius;
    assert_true(radius * radius >= farthest && radius <= sqrt(farthest) * (1 + 0x1p-22));
}

static void check_vertices(const abut_mesh *mesh) {
    const abut_vec3 *vertex = abut_mesh_vertices(mesh);
    uint32_t used = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (int k = 0; k < 3; k++) {
            assert_false((&vertex[v].x)[k] == 0 && signbit((&vertex[v].x)[k]));
        }
        for (uint32_t w = 0; w < v; w++) {
            assert_true(memcmp(&vertex[v], &vertex[w], sizeof *vertex) != 0);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        uint32_t v = abut_mesh_indices(mesh)[i];
        assert_true(v <= used && v < mesh->vertex_count); /* numbered by first use */
        used += v == used;
    }
    assert_int_equal(used, mesh->vertex_count);
}

/* Vertices at ghosts are known, and no others. */
static void check_seams(const abut_mesh *mesh, const mesh_soup *soup) {
    unsigned char *at_ghost = calloc(mesh->vertex_count, 1);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (uint32_t k = 0; k < 3 && check_has_area(soup, t) && !abut_mesh_is_solid(mesh, t); k++) {
            at_ghost[abut_mesh_indices(mesh)[3 * (size_t)t + k]] = 1;
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count && mesh->ghost_count > 0; v++) {
        assert_int_equal(abut_mesh_has_ghost_at(mesh, v), at_ghost[v]);
    }
    free(at_ghost);
}

void check_content(const abut_mesh *mesh, const mesh_soup *soup) {
    uint32_t solid = 0, ghosts = 0;
    size_t count = soup->def.triangle_count, size;
    assert_ptr_equal(abut_mesh_data(mesh, &size), mesh);
    assert_int_equal(size, mesh->size);
    assert_int_equal((uintptr_t)mesh % 64, 0);
    assert_int_equal(abut_mesh_triangle_count(mesh), count);
    assert_int_equal(mesh->two_sided, soup->def.two_sided);
    assert_int_equal(mesh->digest, abut_mesh_compute_digest(abut_mesh_data(mesh, NULL), mesh->size));
    for (uint32_t t = 0; t < count; t++) {
        abut_vec3 corner[3];
        bool area = check_has_area(soup, t), ghost = t >= count - soup->def.ghost_count;
        assert_true(abut_mesh_triangle(mesh, t, corner));
        for (size_t k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++) {
                assert_true((&corner[k].x)[i] == (float)place_of(soup, t, k)[i] * soup->unit);
            }
        }
        assert_int_equal(abut_mesh_is_solid(mesh, t), area && !ghost);
        solid += area && !ghost;
        ghosts += area && ghost;
    }
    assert_int_equal(mesh->solid_count, solid);
    assert_int_equal(mesh->ghost_count, ghosts);
    check_bounds(mesh, soup);
    check_vertices(mesh);
    check_seams(mesh, soup);
}

static void check_leaves(const abut_mesh *mesh) {
    unsigned char *seen = calloc(mesh->triangle_count, 1);
    assert_int_equal(mesh->leaf_count, (mesh->solid_count + 3) / 4);
    for (uint32_t place = 0; place < 4 * mesh->leaf_count; place++) {
        const abut_mesh_leaf *leaf = &abut_mesh_leaves(mesh)[place / 4];
        uint32_t lane = place % 4, number = leaf->number[lane];
        if (place >= mesh->solid_count) {
            assert_int_equal(number, ABUT_MESH_NONE);
        } else {
            assert_true(number < mesh->triangle_count && !seen[number] && abut_mesh_is_solid(mesh, number));
            assert_true(lane == 0 || leaf->number[lane - 1] < number);
            seen[number] = 1;
        }
        for (uint32_t k = 0; k < 3; k++) {
            abut_d3 corner = abut_mesh_corner(mesh, place < mesh->solid_count ? number : leaf->number[0], k);
            for (int i = 0; i < 3; i++) {
                assert_true(leaf->corner[k][i][lane] == (float)corner.x[i]);
            }
        }
    }
    free(seen);
}

/* The box of the triangles below child c of a level, counted from the level's first. */
static void box_below(const abut_mesh *mesh, uint32_t level, uint64_t c, float min[3], float max[3]) {
    uint64_t per = UINT64_C(4) << 3 * level, first = c * per, end = first + per;
    end = end < mesh->solid_count ? end : mesh->solid_count;
    for (int i = 0; i < 3; i++) {
        min[i] = FLT_MAX;
        max[i] = -FLT_MAX;
        for (uint64_t place = first; place < end; place++) {
            for (uint32_t k = 0; k < 3; k++) {
                float x = (float)abut_mesh_corner(mesh, abut_mesh_number(mesh, (uint32_t)place), k).x[i];
                min[i] = x < min[i] ? x : min[i];
                max[i] = x > max[i] ? x : max[i];
            }
        }
    }
}

void check_tree(const abut_mesh *mesh) {
    uint64_t children = mesh->leaf_count, nodes = 0;
    check_leaves(mesh);
    for (uint32_t level = 0; level < mesh->levels; level++) {
        assert_int_equal(mesh->level_first[level], nodes);
        uint64_t own = (children + 7) / 8;
        for (uint64_t c = 0; c < 8 * own; c++) {
            const abut_mesh_node *node = abut_mesh_nodes(mesh, level) + c / 8;
            float min[3], max[3];
            box_below(mesh, level, c, min, max);
            for (int i = 0; i < 3; i++) {
                assert_true(node->min[i][c % 8] == min[i] && node->max[i][c % 8] == max[i]);
            }
        }
        nodes += own;
        children = own;
    }
    assert_int_equal(children, 1);
    assert_int_equal((mesh->leaves - mesh->nodes) / sizeof(abut_mesh_node), nodes);
}
