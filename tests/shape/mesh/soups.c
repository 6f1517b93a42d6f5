/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/soups.h"
#include <math.h>
#include <string.h>

static void set_place(mesh_soup *soup, uint32_t v, int x, int y, int z) {
    soup->place[v][0] = x;
    soup->place[v][1] = y;
    soup->place[v][2] = z;
}

static void add_triangle(mesh_soup *soup, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *v = soup->index + 3 * soup->def.triangle_count++;
    v[0] = a;
    v[1] = b;
    v[2] = c;
}

/* Anything, within so many integers: nearly everything coincides where they are few. */
static void make_random(rng *r, mesh_soup *soup, int most) {
    uint32_t vertices = 3 + rng_below(r, SOUP_VERTICES - 2), triangles = 1 + rng_below(r, SOUP_TRIANGLES);
    uint32_t span = 2 * (uint32_t)most + 1;
    for (uint32_t v = 0; v < vertices; v++) {
        const int x = (int)rng_below(r, span), y = (int)rng_below(r, span), z = (int)rng_below(r, span);
        set_place(soup, v, x - most, y - most, z - most);
    }
    soup->def.vertex_count = vertices;
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t a = rng_below(r, vertices), b = rng_below(r, vertices), c = rng_below(r, vertices);
        add_triangle(soup, a, b, c);
    }
}

/* A terrain, sheared; some triangles are turned, and some are there twice. */
static void make_terrain(rng *r, mesh_soup *soup) {
    const uint32_t n = 9;
    uint32_t rough = rng_below(r, 4);
    int slope[2] = {(int)rng_below(r, 5) - 2, (int)rng_below(r, 5) - 2};
    for (uint32_t v = 0; v < n * n; v++) {
        int i = (int)(v % n), j = (int)(v / n), height = rough ? (int)rng_below(r, rough) : 0;
        set_place(soup, v, 3 * i + j, height + slope[0] * i + slope[1] * j, 5 * j);
    }
    soup->def.vertex_count = n * n;
    double odd = rng_chance(r, 0.5) ? 0 : 0.1;
    for (uint32_t j = 0; j + 1 < n; j++) {
        for (uint32_t i = 0; i + 1 < n; i++) {
            uint32_t a = j * n + i, b = a + n, c = a + 1;
            const uint32_t second = rng_chance(r, odd) ? c : b;
            add_triangle(soup, a, second, rng_chance(r, odd) ? b : c);
            add_triangle(soup, c, b, b + 1);
            if (rng_chance(r, odd)) {
                add_triangle(soup, b + 1, c, b);
            }
        }
    }
}

/* Pages of a book: many triangles about one edge. */
static void make_fans(rng *r, mesh_soup *soup) {
    uint32_t v = 0;
    while (v + 10 < SOUP_VERTICES && soup->def.triangle_count + 8 < SOUP_TRIANGLES) {
        uint32_t pages = 1 + rng_below(r, 3), spine = v;
        set_place(soup, v++, 0, 0, 7 * (int)spine);
        set_place(soup, v++, 0, 0, 7 * (int)spine + 5);
        for (uint32_t k = 0; k < pages; k++, v++) {
            const int x = (int)rng_below(r, 5) - 2, y = (int)rng_below(r, 5) - 2, along = (int)rng_below(r, 5);
            set_place(soup, v, x, y, 7 * (int)spine + along);
            bool turned = rng_chance(r, 0.5);
            add_triangle(soup, spine + turned, spine + 1 - turned, v);
        }
    }
    soup->def.vertex_count = v;
}

/* The same vertices again, under other numbers, used now and then. */
static void repeat_vertices(rng *r, mesh_soup *soup) {
    uint32_t n = (uint32_t)soup->def.vertex_count, more = SOUP_VERTICES - n < n ? SOUP_VERTICES - n : n;
    for (uint32_t v = 0; v < more; v++) {
        memcpy(soup->place[n + v], soup->place[v], sizeof soup->place[v]);
    }
    soup->def.vertex_count += more;
    for (size_t i = 0; i < 3 * soup->def.triangle_count; i++) {
        soup->index[i] += soup->index[i] < more && rng_chance(r, 0.5) ? n : 0;
    }
}

void mesh_soup_make(uint64_t seed, uint64_t stream, mesh_soup *soup) {
    rng r = rng_make(seed, stream);
    memset(soup, 0, sizeof *soup);
    switch (stream % 6) {
    case 0:
        make_random(&r, soup, 1);
        break;
    case 1:
        make_random(&r, soup, 2);
        break;
    case 2:
        make_random(&r, soup, 30000);
        break;
    case 3:
        make_fans(&r, soup);
        break;
    default:
        make_terrain(&r, soup);
    }
    if (rng_chance(&r, 0.5)) {
        repeat_vertices(&r, soup);
    }
    soup->unit = ldexpf(1, (int)rng_below(&r, 20) - 10);
    for (size_t v = 0; v < soup->def.vertex_count; v++) {
        for (int k = 0; k < 3; k++) {
            float x = (float)soup->place[v][k] * soup->unit;
            (&soup->vertex[v].x)[k] = x == 0 && rng_chance(&r, 0.5) ? -0.0f : x;
        }
    }
    soup->def.vertices = soup->vertex;
    soup->def.indices = soup->index;
    soup->def.two_sided = rng_chance(&r, 0.4);
    soup->def.ghost_count = rng_chance(&r, 0.5) ? rng_below(&r, (uint32_t)soup->def.triangle_count) : 0;
}
