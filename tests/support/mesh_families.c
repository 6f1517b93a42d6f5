/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/mesh_families.h"
#include "support/test.h"
#include <math.h>

static uint32_t add_vertex(soup *s, float x, float y, float z) {
    assert_true(s->vertex_count < SOUP_VERTICES);
    s->vertex[s->vertex_count] = (abut_vec3){x, y, z};
    return s->vertex_count++;
}

static void add_triangle(soup *s, uint32_t a, uint32_t b, uint32_t c) {
    assert_true(s->triangle_count < SOUP_TRIANGLES);
    uint32_t *at = s->index[s->triangle_count++];
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

static float snap(double x) {
    return (float)(rint(x * 256) / 256);
}

/* Twice the area seen from above; exact for multiples of 2^-8. Positive: the front is up. */
static double above(const soup *s, uint32_t a, uint32_t b, uint32_t c) {
    const abut_vec3 *p = &s->vertex[a], *q = &s->vertex[b], *t = &s->vertex[c];
    return ((double)q->z - p->z) * ((double)t->x - p->x) - ((double)q->x - p->x) * ((double)t->z - p->z);
}

/* --- floors --- */

static void grid_vertices(soup *s, uint32_t cells) {
    for (uint32_t j = 0; j <= cells; j++) {
        for (uint32_t i = 0; i <= cells; i++) {
            float step = 16.0F / (float)cells;
            add_vertex(s, (float)i * step - 8, 0, (float)j * step - 8);
        }
    }
}

static void make_grid(rng *r, bool mixed, uint32_t cells, soup *s) {
    grid_vertices(s, cells);
    for (uint32_t j = 0; j < cells; j++) {
        for (uint32_t i = 0; i < cells; i++) {
            uint32_t v = j * (cells + 1) + i, w = v + cells + 1;
            if (mixed && rng_chance(r, 0.5)) {
                add_triangle(s, v, w, w + 1);
                add_triangle(s, v, w + 1, v + 1);
            } else {
                add_triangle(s, v, w, v + 1);
                add_triangle(s, v + 1, w, w + 1);
            }
        }
    }
}

static void make_fans(soup *s) {
    enum { CELLS = 8 };
    grid_vertices(s, CELLS);
    for (uint32_t j = 0; j < CELLS; j++) {
        for (uint32_t i = 0; i < CELLS; i++) {
            uint32_t v = j * (CELLS + 1) + i, w = v + CELLS + 1;
            uint32_t m = add_vertex(s, 2 * (float)i - 7, 0, 2 * (float)j - 7);
            add_triangle(s, v, m, v + 1);
            add_triangle(s, v + 1, m, w + 1);
            add_triangle(s, w + 1, m, w);
            add_triangle(s, w, m, v);
        }
    }
}

/* The triangle that holds a point strictly inside becomes three; without one nothing happens. */
static void insert(soup *s, float x, float z) {
    uint32_t v = add_vertex(s, x, 0, z);
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        uint32_t a = s->index[t][0], b = s->index[t][1], c = s->index[t][2];
        if (above(s, a, b, v) > 0 && above(s, b, c, v) > 0 && above(s, c, a, v) > 0) {
            s->index[t][2] = v;
            add_triangle(s, b, c, v);
            add_triangle(s, c, a, v);
            return;
        }
    }
    s->vertex_count--;
}

/* An edge between two triangles that form a convex quad becomes the other diagonal. */
static void flip(rng *r, soup *s) {
    uint32_t *t = s->index[rng_below(r, s->triangle_count)], k = rng_below(r, 3);
    uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
    for (uint32_t o = 0; o < s->triangle_count; o++) {
        for (uint32_t m = 0; m < 3; m++) {
            uint32_t *u = s->index[o];
            if (u[m] == b && u[(m + 1) % 3] == a) {
                uint32_t d = u[(m + 2) % 3];
                if (above(s, a, d, c) > 0 && above(s, d, b, c) > 0) {
                    t[0] = u[0] = d;
                    t[1] = c;
                    t[2] = a;
                    u[1] = b;
                    u[2] = c;
                }
                return;
            }
        }
    }
}

static void make_points(rng *r, bool slivers, soup *s) {
    make_grid(r, true, 2, s);
    for (uint32_t i = 0; i < 90; i++) {
        double x = rng_range(r, -8, 8), z = rng_range(r, -8, 8);
        if (slivers) {
            const uint32_t *t = s->index[rng_below(r, s->triangle_count)];
            const abut_vec3 *p = &s->vertex[t[0]], *q = &s->vertex[t[1]];
            double f = rng_unit(r);
            x = p->x + f * ((double)q->x - p->x) + rng_range(r, -0.02, 0.02);
            z = p->z + f * ((double)q->z - p->z) + rng_range(r, -0.02, 0.02);
        }
        insert(s, snap(x), snap(z));
    }
    for (uint32_t i = 0; i < (slivers ? 20 : 200); i++) {
        flip(r, s);
    }
}

void soup_make_floor(rng *r, soup_floor kind, soup *out) {
    out->vertex_count = out->triangle_count = out->ghost_count = 0;
    out->two_sided = false;
    if (kind == SOUP_FANS) {
        make_fans(out);
    } else if (kind == SOUP_POINTS || kind == SOUP_SLIVERS) {
        make_points(r, kind == SOUP_SLIVERS, out);
    } else {
        make_grid(r, kind == SOUP_GRID_MIXED, kind == SOUP_TWO ? 1 : 16, out);
    }
}

/* --- changes --- */

static void swap_triangles(soup *s, uint32_t i, uint32_t j) {
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t kept = s->index[i][k];
        s->index[i][k] = s->index[j][k];
        s->index[j][k] = kept;
    }
}

void soup_shuffle(rng *r, soup *s) {
    uint32_t solid = s->triangle_count - s->ghost_count;
    for (uint32_t i = solid; i > 1; i--) {
        swap_triangles(s, i - 1, rng_below(r, i));
    }
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        for (uint32_t turns = rng_below(r, 3); turns > 0; turns--) {
            uint32_t *t = s->index[i], first = t[0];
            t[0] = t[1];
            t[1] = t[2];
            t[2] = first;
        }
    }
}

void soup_split_vertices(rng *r, soup *s) {
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            if (s->vertex_count < SOUP_VERTICES && rng_chance(r, 0.3)) {
                s->vertex[s->vertex_count] = s->vertex[s->index[i][k]];
                s->index[i][k] = s->vertex_count++;
            }
        }
    }
}

void soup_tilt(soup *s, float slope_x, float slope_z) {
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        s->vertex[i].y += s->vertex[i].x * slope_x + s->vertex[i].z * slope_z;
    }
}

void soup_scale(soup *s, float factor) {
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        s->vertex[i] = (abut_vec3){s->vertex[i].x * factor, s->vertex[i].y * factor, s->vertex[i].z * factor};
    }
}

static bool is_left(const soup *s, uint32_t t) {
    const uint32_t *v = s->index[t];
    return s->vertex[v[0]].x + s->vertex[v[1]].x + s->vertex[v[2]].x <= 0;
}

void soup_chunk(const soup *whole, bool left, soup *out) {
    bool used[SOUP_VERTICES] = {false};
    *out = *whole;
    out->triangle_count = out->ghost_count = 0;
    for (uint32_t t = 0; t < whole->triangle_count; t++) {
        const uint32_t *v = whole->index[t];
        if (is_left(whole, t) == left) {
            add_triangle(out, v[0], v[1], v[2]);
            used[v[0]] = used[v[1]] = used[v[2]] = true;
        }
    }
    for (uint32_t t = 0; t < whole->triangle_count; t++) {
        const uint32_t *v = whole->index[t];
        if (is_left(whole, t) != left && (used[v[0]] || used[v[1]] || used[v[2]])) {
            add_triangle(out, v[0], v[1], v[2]);
            out->ghost_count++;
        }
    }
}

/* --- families --- */

static void floor_of_any_kind(rng *r, soup *s) {
    soup_make_floor(r, (soup_floor)rng_below(r, SOUP_FLOORS), s);
}

void soup_make_strips(rng *r, const float height[9], soup *out) {
    out->vertex_count = out->triangle_count = out->ghost_count = 0;
    out->two_sided = false;
    make_grid(r, true, 8, out);
    for (uint32_t i = 0; i < out->vertex_count; i++) {
        out->vertex[i].y = height[i % 9];
    }
}

static void make_ridges(rng *r, soup *s) {
    float height[9];
    for (int i = 0; i < 9; i++) {
        height[i] = snap(rng_range(r, -1.5, 1.5));
    }
    soup_make_strips(r, height, s);
}

/* Terraces along x: at every other column of vertices the height changes, over no distance at all. */
static void make_steps(rng *r, soup *s) {
    make_grid(r, true, 8, s);
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        uint32_t column = i % 9;
        s->vertex[i].x = (float)((column + 1) / 2) * 4 - 8;
        s->vertex[i].y = (float)(column / 2) * 0.75F;
    }
}

static void make_hills(rng *r, soup *s, bool peaks) {
    make_grid(r, true, peaks ? 8 : 12, s);
    double high = rng_log_range(r, 0.02, 3);
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        abut_vec3 *v = &s->vertex[i];
        if (!peaks) {
            v->x += (float)rng_range(r, -0.3, 0.3);
            v->z += (float)rng_range(r, -0.3, 0.3);
        }
        v->y = !peaks || rng_chance(r, 0.15) ? (float)rng_range(r, -high, high) : 0;
    }
}

static void make_sphere(rng *r, soup *s) {
    enum { ROWS = 8, COLUMNS = 12 };
    bool inward = rng_chance(r, 0.3);
    for (int j = 0; j <= ROWS; j++) {
        for (int i = 0; i < COLUMNS; i++) {
            double polar = j * 3.14159265358979 / ROWS, around = i * 6.28318530717959 / COLUMNS;
            double side = j == 0 || j == ROWS ? 0 : 5 * sin(polar);
            add_vertex(s, (float)(side * cos(around)), (float)(5 * cos(polar)), (float)(side * sin(around)));
        }
    }
    for (uint32_t j = 0; j < ROWS; j++) { /* at the poles half of the triangles have no area */
        for (uint32_t i = 0; i < COLUMNS; i++) {
            uint32_t a = j * COLUMNS + i, b = j * COLUMNS + (i + 1) % COLUMNS;
            uint32_t c = a + COLUMNS, d = b + COLUMNS;
            add_triangle(s, a, inward ? c : b, inward ? b : c);
            add_triangle(s, b, inward ? c : d, inward ? d : c);
        }
    }
}

static void make_loose(rng *r, soup *s) {
    for (uint32_t i = 0; i < 40; i++) {
        const double x = rng_range(r, -5, 5), y = rng_range(r, -3, 3), z = rng_range(r, -5, 5);
        add_vertex(s, snap(x), snap(y), snap(z));
    }
    for (uint32_t i = 0; i < 50; i++) {
        uint32_t a = rng_below(r, 40), b = rng_below(r, 40), c = rng_below(r, 40);
        if (i % 2 && s->triangle_count > 0) { /* at an edge of an earlier one, in whatever direction */
            const uint32_t *t = s->index[rng_below(r, s->triangle_count)];
            a = t[0];
            b = t[1];
        }
        add_triangle(s, a, b, c);
    }
}

static void make_slope(rng *r, soup *s) {
    floor_of_any_kind(r, s);
    const float slope_x = ((float)rng_below(r, 17) - 8) / 8, slope_z = ((float)rng_below(r, 17) - 8) / 8;
    soup_tilt(s, slope_x, slope_z);
}

static void make_needles(rng *r, soup *s) {
    for (uint32_t i = 0; i < 60; i++) {
        double x = rng_range(r, -6, 6), y = rng_range(r, -1, 1), z = rng_range(r, -6, 6);
        double thin = rng_log_range(r, 1e-5, 1e-1);
        uint32_t a = add_vertex(s, (float)x, (float)y, (float)z);
        double thin_x = thin * rng_unit(r), thin_y = thin * rng_unit(r);
        uint32_t b = add_vertex(s, (float)(x + thin_x), (float)(y + thin_y), (float)(z + thin));
        double right = rng_range(r, 2, 8), right_z = rng_range(r, -1, 1);
        uint32_t c = add_vertex(s, (float)(x + right), (float)y, (float)(z + right_z));
        double left = rng_range(r, 2, 8), left_z = rng_range(r, -1, 1);
        uint32_t d = add_vertex(s, (float)(x - left), (float)y, (float)(z + left_z));
        add_triangle(s, a, b, c);
        if (i % 2) {
            add_triangle(s, b, a, d);
        }
    }
}

static void make_holes(rng *r, soup *s) {
    if (rng_chance(r, 0.5)) {
        floor_of_any_kind(r, s);
    } else {
        make_hills(r, s, false);
    }
    for (uint32_t i = s->triangle_count; i-- > 1;) {
        uint32_t *t = s->index[i];
        if (rng_chance(r, 0.15)) {
            swap_triangles(s, i, --s->triangle_count);
        } else if (rng_chance(r, 0.05)) {
            t[2] = t[rng_below(r, 2)];
        }
    }
}

const char *soup_family_name(soup_family family) {
    static const char *const names[SOUP_FAMILIES] = {"flat",  "slope",  "ridges", "steps",   "pyramid",
                                                     "hills", "sphere", "loose",  "needles", "holes"};
    return names[family];
}

static void make_family(rng *r, soup_family family, soup *out) {
    switch (family) {
    case SOUP_FLAT:
        floor_of_any_kind(r, out);
        break;
    case SOUP_SLOPE:
        make_slope(r, out);
        break;
    case SOUP_RIDGES:
        make_ridges(r, out);
        break;
    case SOUP_STEPS:
        make_steps(r, out);
        break;
    case SOUP_PYRAMID:
    case SOUP_HILLS:
        make_hills(r, out, family == SOUP_PYRAMID);
        break;
    case SOUP_SPHERE:
        make_sphere(r, out);
        break;
    case SOUP_LOOSE:
        make_loose(r, out);
        break;
    case SOUP_NEEDLES:
        make_needles(r, out);
        break;
    default:
        make_holes(r, out);
        break;
    }
}

void soup_make(uint64_t seed, uint64_t index, soup_family family, soup *out) {
    rng r = rng_make(seed, index);
    out->vertex_count = out->triangle_count = out->ghost_count = 0;
    out->two_sided = false;
    make_family(&r, family, out);
    out->two_sided = rng_chance(&r, 0.25);
    for (uint32_t i = 0; i < out->triangle_count && out->two_sided; i++) {
        if (rng_chance(&r, 0.2)) {
            uint32_t kept = out->index[i][0];
            out->index[i][0] = out->index[i][1];
            out->index[i][1] = kept;
        }
    }
    soup_shuffle(&r, out);
    if (rng_chance(&r, 0.25) && out->triangle_count > 3) {
        out->ghost_count = out->triangle_count / 3;
    }
    soup_split_vertices(&r, out);
}

abut_mesh *soup_mesh(const soup *s) {
    abut_mesh *mesh = NULL;
    const abut_mesh_def def = {.vertices = s->vertex,
                               .vertex_count = s->vertex_count,
                               .indices = &s->index[0][0],
                               .triangle_count = s->triangle_count,
                               .ghost_count = s->ghost_count,
                               .two_sided = s->two_sided};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}
