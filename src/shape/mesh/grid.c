/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Terrains: a grid of heights becomes triangles like any others. */
#include "base/arithmetic.h"
#include "base/bits.h"
#include "base/workers/fpmode.h"
#include "shape/mesh/assemble.h"

/* A spacing is finite, as NaN and infinity are not <= FLT_MAX. */
static bool is_valid_def(const abut_mesh_grid_def *def) {
    const abut_vec3 s = def->spacing;
    return def->heights && def->columns >= 2 && def->rows >= 2 &&
           (def->row_stride == 0 || def->row_stride >= def->columns) && s.x > 0 && s.y > 0 && s.z > 0 &&
           s.x <= FLT_MAX && s.y <= FLT_MAX && s.z <= FLT_MAX;
}

/* Rounded once. What is beyond the floats becomes infinite and is found to be beyond the limit. */
static float product(double factor, float spacing) {
    double exact = factor * spacing;
    return exact > FLT_MAX ? INFINITY : exact < -FLT_MAX ? -INFINITY : (float)exact + 0.0f;
}

static float height_at(const abut_mesh_grid_def *def, uint32_t i, uint32_t j) {
    return def->heights[(size_t)j * (def->row_stride ? def->row_stride : def->columns) + i];
}

/* A vertex without a height is NaN; no triangle uses it. */
static abut_result fill_vertices(const abut_mesh_grid_def *def, abut_vec3 *vertex) {
    bool finite = true, within = true;
    for (uint32_t j = 0; j < def->rows; j++) {
        for (uint32_t i = 0; i < def->columns; i++) {
            float height = height_at(def, i, j);
            abut_vec3 v = {product(i, def->spacing.x), product(height, def->spacing.y), product(j, def->spacing.z)};
            if (height == height) {
                finite = finite && abut_bits_finite(height);
                within = within && abut_soup_check(v) == ABUT_OK;
            }
            *vertex++ = v;
        }
    }
    return !finite ? ABUT_ERROR_ARGUMENT : within ? ABUT_OK : ABUT_ERROR_LIMIT;
}

static void add_triangle(abut_soup *soup, uint32_t t, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t v[3] = {a, b, c};
    bool hole = false;
    for (int k = 0; k < 3; k++) {
        hole = hole || soup->vertex[v[k]].y != soup->vertex[v[k]].y;
    }
    for (size_t k = 0; k < 3; k++) {
        soup->corner[3 * (size_t)t + k] = hole ? ABUT_MESH_NONE : v[k];
    }
}

/* Whether place i of n lies within `border` of either end. */
static bool is_border(uint32_t i, uint32_t n, uint32_t border) {
    return i < border || n - 1 - i < border;
}

static void fill_triangles(const abut_mesh_grid_def *def, abut_soup *soup) {
    uint32_t t = 0;
    for (uint32_t j = 0; j < def->rows - 1; j++) {
        bool border_row = is_border(j, def->rows - 1, def->ghost_border);
        for (uint32_t i = 0; i < def->columns - 1; i++, t += 2) {
            uint32_t a = j * def->columns + i, b = a + def->columns;
            add_triangle(soup, t, a, b, a + 1);
            add_triangle(soup, t + 1, a + 1, b, b + 1);
            if (border_row || is_border(i, def->columns - 1, def->ghost_border)) {
                abut_soup_set_bit(soup->ghost, t);
                abut_soup_set_bit(soup->ghost, t + 1);
            }
        }
    }
}

static abut_result create_grid(const abut_mesh_grid_def *def, abut_mesh **mesh) {
    abut_allocator allocator;
    if (!mesh) {
        return ABUT_ERROR_ARGUMENT;
    }
    *mesh = NULL;
    if (!abut_arithmetic_is_exact()) {
        return ABUT_ERROR_ARITHMETIC;
    }
    if (!def || !is_valid_def(def) || !abut_memory_init(&allocator, &def->allocator)) {
        return ABUT_ERROR_ARGUMENT;
    }
    uint64_t cells = ((uint64_t)def->columns - 1) * (def->rows - 1), vertices = (uint64_t)def->columns * def->rows;
    if (cells > ABUT_MESH_MAX_TRIANGLES / 2) {
        return ABUT_ERROR_LIMIT;
    }
    abut_soup soup;
    abut_result result = abut_soup_make_room(&soup, (size_t)vertices, (uint32_t)(2 * cells), &allocator);
    if (result == ABUT_OK) {
        result = fill_vertices(def, soup.vertex);
    }
    if (result == ABUT_OK) {
        soup.two_sided = def->two_sided;
        fill_triangles(def, &soup);
        result = abut_mesh_assemble(&soup, mesh);
    }
    abut_soup_release(&soup);
    return result;
}

abut_result abut_mesh_create_grid(const abut_mesh_grid_def *def, abut_mesh **mesh) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = create_grid(def, mesh);
    abut_fpmode_leave(mode);
    return result;
}
