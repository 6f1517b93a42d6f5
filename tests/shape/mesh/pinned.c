/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: the bytes of meshes, what making them asks of an allocator, and what is said of bad ones, as
 * numbers. */
#include "base/bytes.h"
#include "shape/mesh/assemble.h"
#include "shape/mesh/soups.h"
#include "support/digest.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOUPS = 400, ROUGH = 400, ASKED_MAX = 16 };

/* --- sizes that an allocator is asked for --- */

typedef struct asked {
    size_t count, bytes[ASKED_MAX];
} asked;

static void *ask(size_t size, size_t align, void *user) {
    asked *a = user;
    (void)align;
    assert_true(a->count < ASKED_MAX);
    a->bytes[a->count++] = size;
    return malloc(size);
}

static void give_back(void *p, size_t size, size_t align, void *user) {
    (void)size, (void)align, (void)user;
    free(p);
}

static abut_allocator allocator_of(asked *a) {
    return (abut_allocator){ask, give_back, a};
}

/* The block itself is there twice where bytes are the other way round, and behind it is a bit for each vertex if there
 * are ghosts. */
static void mix_asked(const asked *a, const abut_mesh *mesh, uint64_t *digest) {
    const size_t copies = abut_bytes_little_endian() ? 1 : 2;
    const size_t bits = mesh && mesh->ghost_count > 0 ? ((size_t)mesh->vertex_count + 31) / 32 * 4 : 0;
    digest_number(digest, a->count);
    for (size_t i = 0; i < a->count; i++) {
        const bool block = mesh && a->bytes[i] == 64 + copies * (size_t)mesh->size + bits;
        digest_number(digest, block ? 0 : a->bytes[i]);
    }
}

/* --- meshes --- */

static void mix_mesh(const abut_mesh *mesh, uint64_t *digest) {
    size_t size = 0;
    const void *bytes = abut_mesh_data(mesh, &size);
    const abut_aabb bounds = abut_mesh_bounds(mesh);
    abut_vec3 corner[3] = {{0, 0, 0}};
    digest_number(digest, size);
    digest_bytes(digest, bytes, size);
    digest_number(digest, abut_mesh_digest(mesh));
    digest_words(digest, &bounds, sizeof bounds);
    const uint32_t count = (uint32_t)abut_mesh_triangle_count(mesh);
    digest_number(digest, count);
    digest_number(digest, abut_mesh_triangle(mesh, count - 1, corner));
    digest_number(digest, abut_mesh_triangle(mesh, count, corner));
    for (int k = 0; k < 3; k++) {
        const double x[] = {(double)corner[k].x, (double)corner[k].y, (double)corner[k].z};
        digest_doubles(digest, x, 3);
    }
}

/* What comes out, and what comes out of its bytes. */
static void mix_result(abut_result result, abut_mesh *mesh, const asked *a, uint64_t *digest) {
    asked again = {.count = 0};
    const abut_allocator allocator = allocator_of(&again);
    abut_mesh *loaded = NULL;
    digest_number(digest, (uint64_t)result);
    mix_asked(a, mesh, digest);
    if (mesh) {
        mix_mesh(mesh, digest);
        digest_number(digest,
                      (uint64_t)abut_mesh_load(abut_mesh_data(mesh, NULL), (size_t)mesh->size, &allocator, &loaded));
        mix_asked(&again, mesh, digest);
        digest_number(digest, abut_mesh_digest(loaded));
    }
    abut_mesh_destroy(&loaded);
    abut_mesh_destroy(&mesh);
}

static void mix_def(abut_mesh_def def, uint64_t *digest) {
    asked a = {.count = 0};
    abut_mesh *mesh = NULL;
    def.allocator = allocator_of(&a);
    const abut_result result = abut_mesh_create(&def, &mesh);
    mix_result(result, mesh, &a, digest);
}

static void whole_numbers(uint64_t *digest) {
    static mesh_soup soup;
    for (uint64_t k = 0; k < SOUPS; k++) {
        mesh_soup_make(91, k, &soup);
        mix_def(soup.def, digest);
    }
}

/* Pieces of planes, cylinders and noise with coordinates of all digits: what is flat is so by rounding, or nearly. */
static float rough_height(uint32_t kind, float x, float z, rng *r) {
    switch (kind) {
    case 0:
        return 0.3F * x + 0.7F * z;
    case 1:
        return 0.01F * x * x;
    case 2:
        return x == z ? 1e-6F : 0;
    default:
        return (float)rng_range(r, -0.01, 0.01);
    }
}

static void rough_soup(rng *r, mesh_soup *s) {
    enum { SIDE = 9 };
    memset(s, 0, sizeof *s);
    const uint32_t kind = rng_below(r, 4);
    const double mantissa = 1 + rng_unit(r);
    const float scale = (float)ldexp(mantissa, (int)rng_below(r, 40) - 20);
    const abut_vec3 shift = rng_vec3(r, -20, 20);
    for (uint32_t v = 0; v < SIDE * SIDE; v++) {
        const float x = (float)(v % SIDE) + (float)rng_range(r, -0.3, 0.3) + shift.x;
        const float z = (float)(v / SIDE) + (float)rng_range(r, -0.3, 0.3) + shift.z;
        s->vertex[v] = (abut_vec3){scale * x, scale * (shift.y + rough_height(kind, x, z, r)), scale * z};
    }
    for (uint32_t c = 0; c < (SIDE - 1) * (SIDE - 1); c++) {
        const uint32_t a = c / (SIDE - 1) * SIDE + c % (SIDE - 1), b = a + SIDE;
        const uint32_t corner[] = {a, b, a + 1, a + 1, b, rng_chance(r, 0.05) ? a : b + 1};
        memcpy(s->index + 6 * (size_t)c, corner, sizeof corner);
    }
    s->def = (abut_mesh_def){.vertices = s->vertex,
                             .vertex_count = SIDE * SIDE,
                             .indices = s->index,
                             .triangle_count = 2 * (SIDE - 1) * (SIDE - 1),
                             .two_sided = rng_chance(r, 0.3)};
}

static void rough_numbers(uint64_t *digest) {
    static mesh_soup soup;
    for (uint64_t k = 0; k < ROUGH; k++) {
        rng r = rng_make(92, k);
        rough_soup(&r, &soup);
        mix_def(soup.def, digest);
    }
}

/* Three vectors whose determinant is 1, with components of up to about 2^17; or two of them and a third in their plane.
 */
static void unimodular(rng *r, bool flat, double v[3][3]) {
    for (int i = 0; i < 9; i++) {
        v[i / 3][i % 3] = i / 3 == i % 3;
    }
    for (double largest = 0; largest < 40000;) {
        const uint32_t i = rng_below(r, 3), j = (i + 1 + rng_below(r, 2)) % 3;
        const double by = (double)rng_below(r, 7) - 3;
        for (int k = 0; k < 3; k++) {
            v[i][k] += by * v[j][k];
            largest = fmax(largest, fabs(v[i][k]));
        }
    }
    for (int k = 0; k < 3 && flat; k++) {
        v[2][k] = v[0][k] - v[1][k];
    }
}

/* Two triangles whose volume is the least that there is, or none: long sums decide whether their edge is flat. */
static void least_volumes(uint64_t *digest) {
    for (uint64_t k = 0; k < 8 * SOUPS; k++) {
        static const uint32_t index[] = {0, 1, 2, 1, 0, 3};
        rng r = rng_make(99, k);
        double v[3][3];
        unimodular(&r, k % 4 == 0, v);
        const abut_vec3 at = k % 3 ? (abut_vec3){0, 0, 0} : rng_vec3(&r, -1000, 1000);
        const double x = floor((double)at.x), y = floor((double)at.y), z = floor((double)at.z);
        const float unit = ldexpf(1, (int)rng_below(&r, 40) - 20);
        abut_vec3 vertex[4];
        for (int i = 0; i < 4; i++) {
            const double *d = v[i > 0 ? i - 1 : 0], on = i > 0;
            vertex[i] = (abut_vec3){unit * (float)(x + on * d[0]), unit * (float)(y + on * d[1]),
                                    unit * (float)(z + on * d[2])};
        }
        const abut_mesh_def def = {.vertices = vertex, .vertex_count = 4, .indices = index, .triangle_count = 2};
        mix_def(def, digest);
    }
}

/* --- arguments --- */

typedef struct packed_vertex {
    abut_vec3 v;
    float more[2];
} packed_vertex;

/* One soup with all kinds of mistakes, and strides. */
static void arguments(uint64_t *digest) {
    static mesh_soup soup;
    static packed_vertex apart[SOUP_VERTICES];
    mesh_soup_make(93, 4, &soup);
    const abut_mesh_def whole = soup.def;
    for (size_t v = 0; v < whole.vertex_count; v++) {
        apart[v].v = soup.vertex[v];
    }
    abut_mesh_def def[16];
    for (int k = 0; k < 16; k++) {
        def[k] = whole;
    }
    def[0].vertices = &apart[0].v, def[0].vertex_stride = sizeof *apart;
    def[1].vertex_stride = 11;
    def[2].vertex_stride = 12;
    def[3].vertex_stride = SIZE_MAX - 11;
    def[4].vertices = NULL;
    def[5].indices = NULL;
    def[6].ghost_count = def[6].triangle_count;
    def[7].ghost_count = def[7].triangle_count + 1;
    def[8].ghost_count = def[8].triangle_count - 1;
    def[9].triangle_count = def[9].ghost_count = 0;
    def[10].triangle_count = ABUT_MESH_MAX_TRIANGLES + (size_t)1;
    def[11].vertex_count -= 1;
    def[12].vertex_count = 0;
    def[13].triangle_count = 1, def[13].ghost_count = 0;
    def[14].vertex_count = 3;
    def[15].two_sided = !def[15].two_sided;
    for (int k = 0; k < 16; k++) {
        mix_def(def[k], digest);
    }
    abut_mesh *mesh = NULL;
    digest_number(digest, (uint64_t)abut_mesh_create(NULL, &mesh));
    digest_number(digest, (uint64_t)abut_mesh_create(&whole, NULL));
    digest_number(digest, abut_mesh_triangle(NULL, 0, NULL));
}

/* One vertex, used or not, is no number or far off; those that nobody uses count, too. */
static void coordinates(uint64_t *digest) {
    static mesh_soup soup;
    const float odd[] = {NAN, INFINITY, -INFINITY, ABUT_MAX_COORDINATE, -ABUT_MAX_COORDINATE, -0.0F, 0x1p-149F};
    for (uint64_t k = 0; k < 60; k++) {
        mesh_soup_make(94, k, &soup);
        rng r = rng_make(94, k);
        const uint32_t v = rng_below(&r, (uint32_t)soup.def.vertex_count), more = k % 3 == 0;
        float *x = &soup.vertex[v].x + rng_below(&r, 3);
        *x = odd[k % 7];
        *x = more && fabsf(*x) == ABUT_MAX_COORDINATE ? *x * (1 + 0x1p-23F) : *x;
        soup.index[rng_below(&r, (uint32_t)soup.def.triangle_count)] += k % 11 == 10 ? SOUP_VERTICES : 0;
        mix_def(soup.def, digest);
    }
}

/* --- terrains --- */

enum { SIDE = 40 };

static void mix_grid(abut_mesh_grid_def def, uint64_t *digest) {
    asked a = {.count = 0};
    abut_mesh *mesh = NULL;
    def.allocator = allocator_of(&a);
    const abut_result result = abut_mesh_create_grid(&def, &mesh);
    mix_result(result, mesh, &a, digest);
}

static abut_mesh_grid_def grid_of(rng *r, float height[SIDE * SIDE]) {
    const uint32_t levels = 1 + rng_below(r, 4);
    const double holes = rng_chance(r, 0.5) ? 0 : 0.1;
    for (int k = 0; k < SIDE * SIDE; k++) {
        height[k] = rng_chance(r, holes) ? NAN : rng_chance(r, 0.1) ? -0.0F : (float)rng_below(r, levels) * 0.7F;
    }
    abut_mesh_grid_def def = {.heights = height};
    def.columns = 2 + rng_below(r, 12);
    def.rows = 2 + rng_below(r, 12);
    def.ghost_border = rng_chance(r, 0.5) ? 0 : rng_below(r, 4);
    def.spacing = (abut_vec3){(float)ldexp(1.3, (int)rng_below(r, 30) - 15), 0.9F, 1.1F};
    def.two_sided = rng_chance(r, 0.3);
    def.row_stride = rng_chance(r, 0.5) ? 0 : def.columns + rng_below(r, 9);
    return def;
}

static void grids(uint64_t *digest) {
    static float height[SIDE * SIDE];
    for (uint64_t k = 0; k < 80; k++) {
        rng r = rng_make(95, k);
        mix_grid(grid_of(&r, height), digest);
    }
    rng r = rng_make(95, 1000);
    abut_mesh_grid_def large = grid_of(&r, height);
    large.columns = large.rows = SIDE, large.row_stride = 0, large.ghost_border = 1;
    mix_grid(large, digest);
}

static void bad_grids(uint64_t *digest) {
    static float height[SIDE * SIDE];
    abut_mesh_grid_def def[24];
    for (uint64_t k = 0; k < 24; k++) {
        def[k] = (abut_mesh_grid_def){.heights = height, .columns = 5, .rows = 4, .spacing = {1, 1, 1}};
    }
    def[0].heights = NULL;
    def[1].columns = 1;
    def[2].rows = 1;
    def[3].row_stride = 4;
    def[4].row_stride = 5;
    def[5].spacing.x = 0;
    def[6].spacing.y = -1;
    def[7].spacing.z = NAN;
    def[8].spacing.x = INFINITY;
    def[9].spacing.y = INFINITY;
    def[10].spacing.z = INFINITY;
    def[11].ghost_border = 1;
    def[12].ghost_border = 2;
    def[13].ghost_border = UINT32_MAX;
    def[14].columns = def[14].rows = 2;
    def[15].columns = 8194, def[15].rows = 8193; /* one row of cells too many */
    def[16].columns = def[16].rows = UINT32_MAX;
    def[17].spacing.x = ABUT_MAX_COORDINATE / 4;
    def[18].spacing.x = nextafterf(ABUT_MAX_COORDINATE / 4, INFINITY);
    def[19].spacing.z = ABUT_MAX_COORDINATE / 2;
    def[20].spacing.z = FLT_MAX;
    def[21].spacing.y = FLT_MAX;
    def[22].spacing = (abut_vec3){0x1p-149F, 0x1p-149F, 0x1p-149F};
    def[23].two_sided = true;
    for (int k = 0; k < 24; k++) {
        for (int i = 0; i < 20; i++) {
            height[i] = (float)(i % 3);
        }
        mix_grid(def[k], digest);
        height[7] = k % 3 == 0 ? INFINITY : k % 3 == 1 ? -INFINITY : NAN;
        mix_grid(def[k], digest);
        height[7] = k % 2 ? ABUT_MAX_COORDINATE : nextafterf(ABUT_MAX_COORDINATE, INFINITY);
        mix_grid(def[k], digest);
        height[7] = -height[7];
        height[9] = 2 * FLT_MIN;
        mix_grid(def[k], digest);
    }
}

/* --- bytes --- */

/* Each byte of the header, and many of the others, are another one. */
static void damages(uint64_t *digest) {
    static mesh_soup soup;
    for (uint64_t k = 0; k < 8; k++) {
        abut_mesh *mesh = NULL, *loaded = NULL;
        rng r = rng_make(96, k);
        mesh_soup_make(97, 3 * k + 1, &soup);
        soup.def.triangle_count = soup.def.triangle_count < 12 ? soup.def.triangle_count : 12;
        soup.def.ghost_count = k % 3;
        if (abut_mesh_create(&soup.def, &mesh) != ABUT_OK) {
            digest_number(digest, 0);
            continue;
        }
        const size_t size = (size_t)mesh->size;
        unsigned char *bytes = malloc(size + 1);
        assert_non_null(bytes);
        memcpy(bytes, abut_mesh_data(mesh, NULL), size);
        bytes[size] = 0;
        const size_t sizes[] = {0, 1, sizeof *mesh - 1, sizeof *mesh, size - 64, size - 1, size + 1};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            digest_number(digest, (uint64_t)abut_mesh_load(bytes, sizes[i], NULL, &loaded));
        }
        for (size_t i = 0; i < sizeof *mesh + 500; i++) {
            const size_t at = i < sizeof *mesh ? i : rng_below(&r, (uint32_t)size);
            const unsigned char kept = bytes[at];
            bytes[at] = (unsigned char)(kept ^ 1U << rng_below(&r, 8));
            digest_number(digest, (uint64_t)abut_mesh_load(bytes, size, NULL, &loaded));
            assert_null(loaded);
            bytes[at] = kept;
        }
        digest_number(digest, (uint64_t)abut_mesh_load(bytes, size, NULL, &loaded));
        abut_mesh_destroy(&loaded);
        digest_number(digest, (uint64_t)abut_mesh_load(NULL, size, NULL, &loaded) << 8 |
                                  (uint64_t)abut_mesh_load(bytes, size, NULL, NULL));
        free(bytes);
        abut_mesh_destroy(&loaded);
        abut_mesh_destroy(&mesh);
    }
}

/* Changes of counts whose offsets are right again, so that it is for the content to show them. */
static void counts(uint64_t *digest) {
    static mesh_soup soup;
    abut_mesh *mesh = NULL, *loaded = NULL;
    for (uint32_t v = 0; v < SOUP_VERTICES; v++) {
        soup.vertex[v] = (abut_vec3){(float)(v % 5), (float)(v % 7) * 0.5F, (float)v};
    }
    for (uint32_t t = 0; t < 64; t++) {
        const uint32_t corner[] = {t, t + 1, t + 2};
        memcpy(soup.index + 3 * (size_t)t, corner, sizeof corner);
    }
    soup.def = (abut_mesh_def){
        .vertices = soup.vertex, .vertex_count = 66, .indices = soup.index, .triangle_count = 64, .ghost_count = 3};
    assert_int_equal(abut_mesh_create(&soup.def, &mesh), ABUT_OK);
    for (int change = 0; change < 5 * 9; change++) {
        abut_mesh header = *mesh;
        uint32_t *const count[] = {&header.vertex_count, &header.triangle_count, &header.ghost_count,
                                   &header.solid_count, &header.two_sided};
        const uint32_t wrong[] = {0,
                                  1,
                                  2,
                                  3,
                                  *count[change % 5] + 1,
                                  *count[change % 5] - 1,
                                  ABUT_MESH_MAX_TRIANGLES + 1,
                                  3 * (uint32_t)ABUT_MESH_MAX_TRIANGLES + 1,
                                  UINT32_MAX};
        *count[change % 5] = wrong[change / 5];
        const bool small = header.vertex_count < 1000 && header.triangle_count < 1000 && header.solid_count < 1000;
        if (small) {
            abut_mesh_lay_out(&header);
        }
        const size_t size = small ? (size_t)header.size : (size_t)mesh->size;
        unsigned char *bytes = calloc(1, size);
        assert_non_null(bytes);
        memcpy(bytes, abut_mesh_bytes(mesh), size < mesh->size ? size : (size_t)mesh->size);
        abut_mesh stored = header;
        if (!abut_bytes_little_endian()) {
            abut_mesh_reverse_header(&stored);
        }
        memcpy(bytes, &stored, size < sizeof stored ? size : sizeof stored);
        digest_number(digest, (uint64_t)abut_mesh_load(bytes, size, NULL, &loaded));
        abut_mesh_destroy(&loaded);
        free(bytes);
    }
    abut_mesh_destroy(&mesh);
}

/* Bytes that are all right but for one vertex, which is too far off to be allowed. */
static void unsound(uint64_t *digest) {
    static const abut_allocator none = {0};
    abut_allocator allocator;
    assert_true(abut_memory_init(&allocator, &none));
    for (uint32_t bad = 0; bad < 5; bad++) { /* the last two are sound */
        abut_soup soup;
        abut_mesh *mesh = NULL, *loaded = NULL;
        assert_int_equal(abut_soup_make_room(&soup, 3, 1, &allocator), ABUT_OK);
        for (uint32_t k = 0; k < 3; k++) {
            soup.vertex[k] = (abut_vec3){k == bad ? 2 * ABUT_MAX_COORDINATE : (float)k, k == 1, k == 2};
            soup.corner[k] = k;
        }
        assert_int_equal(abut_mesh_assemble(&soup, &mesh), ABUT_OK);
        digest_number(digest, (uint64_t)abut_mesh_load(abut_mesh_data(mesh, NULL), (size_t)mesh->size, NULL, &loaded));
        abut_mesh_destroy(&loaded);
        abut_mesh_destroy(&mesh);
        abut_soup_release(&soup);
    }
}

/* --- layouts --- */

/* Of meshes of any size: nothing of them is made. */
static void layouts(uint64_t *digest) {
    rng r = rng_make(98, 0);
    for (uint32_t k = 0; k < 3000; k++) {
        abut_mesh h;
        memset(&h, 0xff, sizeof h);
        const uint32_t most = k % 3 ? UINT32_C(1) << rng_below(&r, 28) : k + 1;
        h.triangle_count = k < 2000 ? k + 1 : 1 + rng_below(&r, most);
        h.solid_count = k % 2 ? h.triangle_count : 1 + rng_below(&r, h.triangle_count);
        h.vertex_count = 3 + rng_below(&r, 3 * h.triangle_count);
        abut_mesh_lay_out(&h);
        const uint64_t offsets[] = {h.size, h.vertices, h.indices, h.sides, h.solid, h.nodes, h.leaves};
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            digest_number(digest, offsets[i]);
        }
        digest_number(digest, h.levels);
        digest_number(digest, h.leaf_count);
        digest_words(digest, h.level_first, sizeof h.level_first);
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"whole numbers", whole_numbers, UINT64_C(0x822f5bbaa71575cf)},
        {"rough numbers", rough_numbers, UINT64_C(0x7deca35c03fea801)},
        {"least volumes", least_volumes, UINT64_C(0xdddd060852789161)},
        {"arguments", arguments, UINT64_C(0xc80936c81b571df2)},
        {"coordinates", coordinates, UINT64_C(0x9912b84426ebcf39)},
        {"grids", grids, UINT64_C(0x9daeb3512fca3faa)},
        {"bad grids", bad_grids, UINT64_C(0xa5c3231ff3daeb4a)},
        {"damages", damages, UINT64_C(0x9d8b7eebebfbb000)},
        {"counts", counts, UINT64_C(0xb5dfb89104b8966d)},
        {"unsound", unsound, UINT64_C(0xb27734efadfd4655)},
        {"layouts", layouts, UINT64_C(0xf1ec1d4d796eceab)},
    };
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
