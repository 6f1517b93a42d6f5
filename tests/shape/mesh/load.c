/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_mesh_load: saved meshes come back; changed bytes are refused, or are those of another true mesh. */

#include "base/bytes.h"
#include "shape/mesh/assemble.h"
#include "shape/mesh/check.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static abut_mesh *random_mesh(unsigned long i) {
    static mesh_soup soup;
    static float height[81];
    abut_mesh *mesh;
    if (i % 4 == 3) {
        rng r = rng_make(test_seed(), i);
        const abut_mesh_grid_def def = {
            .heights = height, .columns = 9, .rows = 9, .ghost_border = rng_below(&r, 3), .spacing = {1, 1, 1}};
        for (int k = 0; k < 81; k++) {
            height[k] = rng_chance(&r, 0.05) ? NAN : (float)rng_below(&r, 3);
        }
        (void)abut_mesh_create_grid(&def, &mesh);
        return mesh;
    }
    mesh_soup_make(test_seed(), i, &soup);
    (void)abut_mesh_create(&soup.def, &mesh);
    return mesh;
}

static void saved_meshes_come_back(void **state) {
    (void)state;
    failing_allocator books = {0};
    const abut_allocator allocator = failing_allocator_of(&books);
    for (unsigned long i = 0; i < test_count(600); i++) {
        abut_mesh *mesh = random_mesh(i), *copy;
        if (!mesh) {
            continue;
        }
        size_t size = (size_t)mesh->size, shift = 1 + i % 15;
        unsigned char *shifted = malloc(size + shift);
        memcpy(shifted + shift, mesh, size);
        assert_int_equal(abut_mesh_load(shifted + shift, size, i % 2 ? &allocator : NULL, &copy), ABUT_OK);
        assert_int_equal(copy->size, size);
        assert_memory_equal(copy, mesh, size);
        free(shifted);
        abut_mesh_destroy(&mesh);
        abut_mesh_destroy(&copy);
    }
    assert_true(failing_allocator_clean(&books));
}

/* Loads from a block of exactly this size, so that a sanitizer sees any read beyond it. What is loaded is a mesh. */
static abut_result load_copy(const unsigned char *bytes, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    abut_mesh *mesh = (abut_mesh *)(void *)copy;
    memcpy(copy, bytes, size);
    abut_result result = abut_mesh_load(copy, size, NULL, &mesh);
    assert_true((result == ABUT_OK) == (mesh != NULL));
    assert_true(result == ABUT_OK || result == ABUT_ERROR_FORMAT);
    if (mesh) {
        assert_memory_equal(mesh, bytes, size);
        check_tree(mesh);
    }
    abut_mesh_destroy(&mesh);
    free(copy);
    return result;
}

static abut_mesh *strip(uint32_t triangles, size_t ghosts) {
    abut_vec3 vertex[12];
    uint32_t index[30];
    abut_mesh *mesh;
    for (uint32_t v = 0; v < triangles + 2; v++) {
        vertex[v] = (abut_vec3){(float)(v % 2), (float)(v * v % 7), (float)v};
    }
    for (uint32_t t = 0; t < triangles; t++) {
        index[3 * t] = t + t % 2;
        index[3 * t + 1] = t + 1 - t % 2;
        index[3 * t + 2] = t + 2;
    }
    const abut_mesh_def def = {.vertices = vertex,
                               .vertex_count = triangles + 2,
                               .indices = index,
                               .triangle_count = triangles,
                               .ghost_count = ghosts};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

static void every_flipped_bit_and_every_cut_is_refused(void **state) {
    (void)state;
    for (uint32_t triangles = 1; triangles <= 9; triangles += 4) {
        abut_mesh *mesh = strip(triangles, triangles / 4);
        size_t size = (size_t)mesh->size;
        unsigned char *bad = calloc(1, size + 64);
        memcpy(bad, mesh, size);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bad[bit / 8] = (unsigned char)(bad[bit / 8] ^ 1u << bit % 8);
            assert_int_equal(load_copy(bad, size), ABUT_ERROR_FORMAT);
            bad[bit / 8] = (unsigned char)(bad[bit / 8] ^ 1u << bit % 8);
        }
        for (size_t cut = 0; cut < size; cut++) {
            assert_int_equal(load_copy(bad, cut), ABUT_ERROR_FORMAT);
        }
        assert_int_equal(load_copy(bad, size + 64), ABUT_ERROR_FORMAT);
        assert_int_equal(load_copy(bad, size), ABUT_OK);
        free(bad);
        abut_mesh_destroy(&mesh);
    }
}

/* Bits flipped, and a digest that fits again, so that more than the digest must catch them. Coordinates that only
 * ghosts and triangles without area use may change. */
static void changed_bytes_with_a_digest_are_refused(void **state) {
    (void)state;
    unsigned long tried = 0, accepted = 0;
    for (unsigned long i = 0; i < test_count(300); i++) {
        abut_mesh *mesh = random_mesh(i);
        size_t size;
        const void *bytes = abut_mesh_data(mesh, &size);
        for (uint64_t k = 0; mesh && k < 30; k++) {
            rng r = rng_make(test_seed() + 2, 1000 * i + k);
            unsigned char *bad = malloc(size);
            memcpy(bad, bytes, size);
            size_t at = rng_below(&r, (uint32_t)(rng_chance(&r, 0.4) ? sizeof *mesh : size));
            bad[at] = (unsigned char)(bad[at] ^ 1u << rng_below(&r, 8));
            uint64_t digest = abut_mesh_compute_digest(bad, size);
            digest = abut_bytes_u64(&digest);
            memcpy(bad + offsetof(abut_mesh, digest), &digest, sizeof digest);
            accepted += load_copy(bad, size) == ABUT_OK && memcmp(bad, bytes, size) != 0;
            free(bad);
            tried++;
        }
        abut_mesh_destroy(&mesh);
    }
    printf("%lu bits flipped, %lu of them another true mesh\n", tried, accepted);
    assert_true(accepted < tried / 4);
}

/* What abut_mesh_create never stores: a second form of the same mesh. */
static void negative_zeros_are_refused(void **state) {
    (void)state;
    static const abut_allocator none = {0};
    abut_allocator allocator;
    assert_true(abut_memory_init(&allocator, &none));
    for (uint32_t at = 0; at < 10; at++) { /* the last: no coordinate */
        const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        abut_soup soup;
        abut_mesh *mesh;
        assert_int_equal(abut_soup_make_room(&soup, 3, 1, &allocator), ABUT_OK);
        memcpy(soup.vertex, corner, sizeof corner);
        for (uint32_t k = 0; k < 3; k++) {
            soup.corner[k] = k;
        }
        bool changes = at < 9 && corner[at] == 0;
        if (changes) {
            (&soup.vertex[at / 3].x)[at % 3] = -0.0f;
        }
        assert_int_equal(abut_mesh_assemble(&soup, &mesh), ABUT_OK);
        size_t size;
        const void *bytes = abut_mesh_data(mesh, &size);
        assert_int_equal(load_copy(bytes, size), changes ? ABUT_ERROR_FORMAT : ABUT_OK);
        abut_mesh_destroy(&mesh);
        abut_soup_release(&soup);
    }
}

static void noise_is_refused(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        unsigned char noise[2048];
        abut_mesh header;
        for (size_t k = 0; k < sizeof noise; k++) {
            noise[k] = (unsigned char)rng_u64(&r);
        }
        memcpy(&header, noise, sizeof header);
        header.magic = ABUT_MESH_MAGIC;
        header.version = ABUT_MESH_VERSION;
        if (rng_chance(&r, 0.7)) {
            header.vertex_count = rng_below(&r, 30);
            header.triangle_count = 1 + rng_below(&r, 20);
            header.solid_count = 1 + rng_below(&r, header.triangle_count);
            header.ghost_count = header.triangle_count - header.solid_count;
            header.two_sided = rng_below(&r, 2);
            abut_mesh_lay_out(&header);
        }
        header.size = sizeof noise;
        memcpy(noise, &header, sizeof header);
        assert_int_equal(load_copy(noise, sizeof noise), ABUT_ERROR_FORMAT);
        header.size = header.leaves + 160 * (uint64_t)header.leaf_count;
        memcpy(noise, &header, sizeof header);
        if (header.size <= sizeof noise) {
            assert_int_equal(load_copy(noise, (size_t)header.size), ABUT_ERROR_FORMAT);
        }
    }
}

/* The result of loading a header that says it begins a mesh of `h`'s counts; *asked: whether memory was asked for. Of
 * large meshes the bytes need not be there: nothing behind the header is read before there is memory for it. */
static abut_result load_header(abut_mesh h, bool *asked) {
    failing_allocator books = {0};
    const abut_allocator allocator = failing_allocator_of(&books);
    abut_mesh *mesh;
    h.magic = ABUT_MESH_MAGIC;
    h.version = ABUT_MESH_VERSION;
    abut_mesh_lay_out(&h);
    failing_allocator_fail_from(&books, 1);
    const size_t size = (size_t)h.size;
    if (!abut_bytes_little_endian()) {
        abut_mesh_reverse_header(&h);
    }
    abut_result result = abut_mesh_load(&h, size, &allocator, &mesh);
    assert_null(mesh);
    *asked = books.calls > 0;
    return result;
}

static void impossible_counts_are_refused_before_memory_is_asked_for(void **state) {
    (void)state;
    const uint32_t most = ABUT_MESH_MAX_TRIANGLES;
    const struct {
        uint32_t triangles, vertices, solid, ghosts, two_sided;
        bool possible;
    } cases[] = {
        {1, 3, 1, 0, 0, true},
        {most, 3, 1, 0, 1, true},
        {most, 3 * most, most, 0, 0, true},
        {most, 3 * most, most - 7, 7, 0, true},
        {most + 1, 3, 1, 0, 0, false},
        {most + 1, 2, 1, 0, 0, false},
        {most, 2, 1, 0, 0, false},
        {most, 3 * most + 1, 1, 0, 0, false},
        {1, 3, 1, 0, 2, false},
        {1, 3, 0, 0, 0, false},
        {1, 3, 0, 1, 0, false},
        {9, 11, 10, 0, 0, false},
        {9, 11, 5, 5, 0, false},
        {9, 11, 10, UINT32_MAX, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool asked;
        if (sizeof(size_t) < 8 && cases[i].triangles >= most) {
            continue; /* such meshes cannot be addressed */
        }
        const abut_mesh h = {.triangle_count = cases[i].triangles,
                             .vertex_count = cases[i].vertices,
                             .solid_count = cases[i].solid,
                             .ghost_count = cases[i].ghosts,
                             .two_sided = cases[i].two_sided};
        abut_result result = load_header(h, &asked);
        assert_int_equal(asked, cases[i].possible);
        assert_int_equal(result, asked ? ABUT_ERROR_MEMORY : ABUT_ERROR_FORMAT);
    }
}

static void failed_allocations_leave_nothing(void **state) {
    (void)state;
    abut_mesh *mesh = strip(9, 2);
    failing_allocator books = {0};
    const abut_allocator allocator = failing_allocator_of(&books);
    size_t calls = 0;
    for (abut_result result = ABUT_ERROR_MEMORY; result != ABUT_OK;) {
        abut_mesh *copy;
        failing_allocator_fail_once(&books, ++calls);
        result = abut_mesh_load(mesh, (size_t)mesh->size, &allocator, &copy);
        assert_true(result == ABUT_OK || (result == ABUT_ERROR_MEMORY && !copy));
        abut_mesh_destroy(&copy);
        assert_true(failing_allocator_clean(&books));
    }
    abut_mesh_destroy(&mesh);
}

static void null_is_refused(void **state) {
    (void)state;
    unsigned char byte = 0;
    abut_mesh *mesh;
    abut_allocator half = failing_allocator_of(&(failing_allocator){0});
    half.release = NULL;
    assert_int_equal(abut_mesh_load(&byte, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_load(&byte, 1, &half, &mesh), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_load(NULL, 0, NULL, &mesh), ABUT_ERROR_FORMAT);
    assert_null(mesh);
    assert_int_equal(abut_mesh_load(&byte, 0, NULL, &mesh), ABUT_ERROR_FORMAT);
    assert_null(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_meshes_come_back),
        cmocka_unit_test(every_flipped_bit_and_every_cut_is_refused),
        cmocka_unit_test(changed_bytes_with_a_digest_are_refused),
        cmocka_unit_test(negative_zeros_are_refused),
        cmocka_unit_test(noise_is_refused),
        cmocka_unit_test(impossible_counts_are_refused_before_memory_is_asked_for),
        cmocka_unit_test(failed_allocations_leave_nothing),
        cmocka_unit_test(null_is_refused),
    };
    return test_run(tests);
}
