/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/soup.h"
#include "base/bits.h"
#include "base/radix.h"

abut_result abut_soup_make_room(abut_soup *soup, size_t vertex_count, uint32_t triangle_count,
                                const abut_allocator *allocator) {
    size_t words = abut_soup_words(triangle_count);
    uint64_t bytes = (uint64_t)vertex_count * sizeof *soup->vertex +
                     3 * (uint64_t)triangle_count * sizeof *soup->corner + words * sizeof *soup->ghost;
    *soup = (abut_soup){.allocator = allocator, .triangle_count = triangle_count};
    if (vertex_count > UINT32_MAX || bytes > SIZE_MAX) {
        return ABUT_ERROR_MEMORY;
    }
    soup->vertex = abut_memory_alloc(allocator, (size_t)bytes);
    if (!soup->vertex) {
        return ABUT_ERROR_MEMORY;
    }
    soup->vertex_count = (uint32_t)vertex_count;
    soup->bytes = (size_t)bytes;
    soup->corner = (uint32_t *)(void *)(soup->vertex + vertex_count);
    soup->ghost = soup->corner + 3 * (size_t)triangle_count;
    memset(soup->ghost, 0, words * sizeof *soup->ghost);
    return ABUT_OK;
}

void abut_soup_release(abut_soup *soup) {
    abut_memory_release(soup->allocator, soup->vertex, soup->bytes);
    soup->vertex = NULL;
}

abut_result abut_soup_check(abut_vec3 v) {
    if (!(abut_bits_finite(v.x) && abut_bits_finite(v.y) && abut_bits_finite(v.z))) {
        return ABUT_ERROR_ARGUMENT;
    }
    bool within =
        fabsf(v.x) <= ABUT_MAX_COORDINATE && fabsf(v.y) <= ABUT_MAX_COORDINATE && fabsf(v.z) <= ABUT_MAX_COORDINATE;
    return within ? ABUT_OK : ABUT_ERROR_LIMIT;
}

/* same[v] becomes the lowest vertex with the coordinates of v. Sorted by z, by y and by x, each time stably: equal
 * vertices end up beside each other, the lowest first. */
static void find_equals(const abut_soup *soup, abut_radix_item *item, abut_radix_item *spare, uint32_t *same) {
    const uint32_t n = soup->vertex_count;
    for (uint32_t v = 0; v < n; v++) {
        item[v].value = v;
    }
    for (int axis = 2; axis >= 0; axis--) {
        for (uint32_t i = 0; i < n; i++) {
            item[i].key = abut_bits_ordered((&soup->vertex[item[i].value].x)[axis]);
        }
        abut_radix_sort(item, spare, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = item[i].value, first = i > 0 ? same[item[i - 1].value] : v;
        same[v] = memcmp(&soup->vertex[first], &soup->vertex[v], sizeof soup->vertex[v]) == 0 ? first : v;
    }
}

/* Renumbers the vertices by first use. `number` has room for each vertex, `moved` for a copy of them. */
static void renumber(abut_soup *soup, const uint32_t *same, uint32_t *number, abut_vec3 *moved) {
    uint32_t used = 0;
    memset(number, 0xff, soup->vertex_count * sizeof *number);
    for (size_t i = 0; i < 3 * (size_t)soup->triangle_count; i++) {
        if (soup->corner[i] != ABUT_MESH_NONE) {
            uint32_t v = same[soup->corner[i]];
            if (number[v] == ABUT_MESH_NONE) {
                moved[used] = soup->vertex[v];
                number[v] = used++;
            }
            soup->corner[i] = number[v];
        }
    }
    memcpy(soup->vertex, moved, used * sizeof *moved);
    soup->vertex_count = used;
}

abut_result abut_soup_weld(abut_soup *soup) {
    size_t n = soup->vertex_count;
    uint64_t bytes = (uint64_t)n * (2 * sizeof(abut_radix_item) + sizeof(uint32_t));
    abut_radix_item *item = bytes > SIZE_MAX ? NULL : abut_memory_alloc(soup->allocator, (size_t)bytes);
    if (!item) {
        return ABUT_ERROR_MEMORY;
    }
    _Static_assert(sizeof(abut_vec3) + sizeof(uint32_t) <= 2 * sizeof(abut_radix_item),
                   "the items' room is used twice");
    uint32_t *same = (uint32_t *)(void *)(item + 2 * n);
    find_equals(soup, item, item + n, same);
    abut_vec3 *moved = (abut_vec3 *)(void *)item;
    renumber(soup, same, (uint32_t *)(void *)(moved + n), moved);
    abut_memory_release(soup->allocator, item, (size_t)bytes);
    return ABUT_OK;
}
