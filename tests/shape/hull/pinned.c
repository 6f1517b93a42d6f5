/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: what hulls answer to each question, and what becomes of their bytes, as numbers. What other
 * tests judge leaves room (bounds to within their rounding); nothing in it may change unnoticed. */
#include "base/bytes.h"
#include "shape/hull/assemble.h"
#include "shape/hull/families.h"
#include "shape/kernels.h"
#include "shape/table.h"
#include "support/digest_d3.h"
#include "support/test.h"
#include "support/wild.h"
#include <math.h>
#include <stdlib.h>

enum { HULLS = 64, POSES = 24, MOST_BYTES = 1 << 16 };

static abut_hull *hull[HULLS];

static void create_hulls(void) {
    abut_vec3 point[FAMILY_POINTS];
    uint32_t made = 0;
    for (uint32_t k = 0; made < HULLS; k++) {
        const abut_hull_def def = {.coplanar_tolerance = k % 4 ? 0 : 0x1p-3f};
        const uint32_t n = family_cloud(5000 + k - k % 3, point); /* each three times: with one coordinate mirrored, */
        for (uint32_t i = 0; i < n; i++) {                        /* all have the same extents and counts */
            float *x = &point[i].x + k % 3;
            *x = -*x;
        }
        made += abut_hull_create(point, n, &def, &hull[made]) == ABUT_OK;
    }
}

static void destroy_hulls(void) {
    for (uint32_t k = 0; k < HULLS; k++) {
        abut_hull_destroy(&hull[k]);
    }
}

/* --- questions --- */

/* A size of about the hull's: a position is near it or far off. */
static float coordinate(rng *r, float size) {
    const uint32_t kind = rng_below(r, 5);
    const double sign = (double)rng_sign(r);
    return kind == 0 ? 0.0f : (float)(sign * (double)size * wild_size(r, -30, 16));
}

static abut_pose pose_of(rng *r, float size) {
    abut_pose pose;
    pose.position.x = coordinate(r, size);
    pose.position.y = coordinate(r, size);
    pose.position.z = coordinate(r, size);
    pose.rotation = wild_rotation(r);
    if (rng_chance(r, 0.2)) { /* far from unit length */
        const float by = (float)wild_size(r, -100, 100);
        pose.rotation.x *= by;
        pose.rotation.y *= by;
        pose.rotation.z *= by;
        pose.rotation.w *= by;
    }
    if (rng_chance(r, 0.05)) {
        pose.rotation = (abut_quat){0, 0, -0.0f, 0};
    }
    return pose;
}

/* Now and then one that is refused. */
static abut_pose any_pose(rng *r, float size) {
    abut_pose pose = pose_of(r, size);
    if (rng_chance(r, 0.05)) {
        float *number = &pose.position.x + rng_below(r, 7);
        *number = rng_chance(r, 0.5) ? NAN : -INFINITY;
    }
    return pose;
}

static void bounds(uint64_t *digest) {
    for (uint32_t k = 0; k < HULLS; k++) {
        rng r = rng_make(11, k);
        for (uint32_t i = 0; i < POSES; i++) {
            const abut_pose pose = any_pose(&r, hull[k]->radius);
            const float radius = hull[k]->radius * (float)wild_size(&r, -20, 4);
            const abut_aabb fast = abut_hull_bounds_fast(hull[k], &pose),
                            tight = abut_hull_bounds_tight(hull[k], &pose);
            digest_bounds(digest, &fast);
            digest_bounds(digest, &tight);
            if (tight.min.x == tight.min.x) {
                const abut_aabb wide = abut_hull_bounds(hull[k], pose.position, pose.rotation, radius);
                digest_bounds(digest, &wide);
            }
        }
    }
    const abut_aabb none[] = {abut_hull_bounds_fast(NULL, NULL), abut_hull_bounds_tight(hull[0], NULL)};
    digest_bounds(digest, &none[0]);
    digest_bounds(digest, &none[1]);
}

/* Many colliders at once, in every number and order; hulls alone and among boxes. */
static void bounds_of_many(uint64_t *digest) {
    enum { MANY = 150 };
    static abut_collider collider[MANY];
    static float box[MANY][6];
    rng r = rng_make(12, 0);
    for (uint32_t turn = 0; turn < 24; turn++) {
        const uint32_t n = turn < 18 ? turn : MANY;
        const double more = turn % 3 ? 0 : wild_size(&r, -20, 4);
        uint32_t index[MANY];
        for (uint32_t i = 0; i < n; i++) {
            const abut_hull *mine = hull[rng_below(&r, HULLS)];
            abut_shape shape = abut_convex(mine, rng_chance(&r, 0.5) ? 0 : mine->radius * 0.3f);
            if (turn % 4 == 3 && rng_chance(&r, 0.5)) {
                shape = (abut_shape){.half = wild_half(&r, 1), .radius = shape.radius > 0 ? 0.7f : 0};
            }
            const abut_pose pose = pose_of(&r, mine->radius);
            assert_true(abut_collider_from_shape(&shape, &pose, &collider[i]));
            index[i] = n - 1 - i;
        }
        abut_collider_bounds_many(collider, index, n, more, box);
        digest_floats(digest, box[0], 6 * (size_t)n);
    }
}

static void extents(uint64_t *digest) {
    for (uint32_t k = 0; k < HULLS; k++) {
        rng r = rng_make(13, k);
        for (uint32_t i = 0; i < POSES; i++) {
            double matrix[9], least[3], greatest[3];
            for (int j = 0; j < 9; j++) {
                matrix[j] = rng_chance(&r, 0.3) ? 0 : rng_range(&r, -1, 1);
            }
            abut_shape_kernels_active()->hull_extents(hull[k], matrix, least, greatest);
            digest_doubles(digest, least, 3);
            digest_doubles(digest, greatest, 3);
        }
    }
}

static void digest_line(abut_d3 from, abut_d3 to, void *digest) {
    digest_d3(digest, from);
    digest_d3(digest, to);
}

/* The hull's row of the shape table. */
static void colliders(uint64_t *digest) {
    for (uint32_t k = 0; k < HULLS; k++) {
        rng r = rng_make(14, k);
        for (int round = 0; round < 2; round++) {
            const abut_shape shape = abut_convex(hull[k], round ? hull[k]->radius * 0.5f : 0);
            const abut_pose pose = pose_of(&r, hull[k]->radius);
            abut_collider c;
            digest_number(digest, abut_collider_from_shape(&shape, &pose, &c));
            const abut_shape_class *of = abut_shape_of(&c);
            const abut_obb local = of->local_obb(&c), box = abut_collider_obb(&c);
            digest_number(digest, c.type);
            digest_number(digest, abut_collider_valid(&c));
            digest_number(digest, abut_collider_bounds_valid(&c));
            digest_double(digest, of->extent(&c));
            digest_number(digest, of->corner_count(&c));
            digest_d3(digest, of->corner(&c, of->corner_count(&c) - 1));
            digest_number(digest, of->hash(&c, k));
            digest_box(digest, &local);
            digest_box(digest, &box);
            of->edges(&c, digest_line, digest);
            for (uint32_t i = 0; i < POSES; i++) {
                abut_d3 direction;
                for (int j = 0; j < 3; j++) {
                    direction.x[j] = (double)rng_below(&r, 5) - 2;
                }
                digest_d3(digest, of->support(&c, direction));
            }
        }
    }
}

/* --- checks of bounds --- */

/* One number of a hull that is not as it should be: of one vertex, as it is stored in either place, or its radius. Of
 * the first vertex there are copies. */
static float *damaged_number(rng *r, abut_hull *copy) {
    unsigned char *bytes = (unsigned char *)copy;
    const uint32_t vertex = 1 + rng_below(r, copy->vertex_count - 1), axis = rng_below(r, 3), kind = rng_below(r, 5);
    if (kind == 0) {
        return &copy->radius;
    }
    return kind < 3 ? (float *)(void *)(bytes + copy->vertices) + 3 * vertex + axis
                    : (float *)(void *)(bytes + copy->coordinate[axis]) + vertex;
}

/* Where a check begins to complain as the number moves away from what it should be. */
static void digest_complaint(uint64_t *digest, const abut_collider *c, float *number, float by) {
    const float right = *number;
    float low = 0, high = by;
    *number = right + high;
    digest_number(digest, abut_collider_bounds_valid(c));
    for (int step = 0; step < 26; step++) {
        const float middle = low / 2 + high / 2;
        *number = right + middle;
        const bool valid = abut_collider_bounds_valid(c);
        low = valid ? middle : low;
        high = valid ? high : middle;
    }
    digest_float(digest, low);
    *number = right;
}

static void checks_of_bounds(uint64_t *digest) {
    _Alignas(64) static unsigned char bytes[MOST_BYTES];
    for (uint32_t k = 0; k < HULLS; k++) {
        rng r = rng_make(16, k);
        abut_hull *copy = (abut_hull *)(void *)bytes;
        assert_true(hull[k]->size <= MOST_BYTES);
        memcpy(bytes, hull[k], hull[k]->size);
        for (int turn = 0; turn < 24; turn++) {
            const abut_shape shape =
                abut_convex(copy, rng_chance(&r, 0.5) ? 0 : copy->radius * (float)wild_size(&r, -20, 4));
            abut_pose pose = pose_of(&r, copy->radius);
            if (rng_chance(&r, 0.5)) {
                pose.position = (abut_vec3){0, 0, 0};
            }
            abut_collider c;
            assert_true(abut_collider_from_shape(&shape, &pose, &c));
            float *number = damaged_number(&r, copy);
            digest_complaint(digest, &c, number, copy->radius * rng_sign(&r));
        }
    }
}

static void orders(uint64_t *digest) {
    for (uint32_t k = 0; k < HULLS * HULLS; k++) {
        abut_collider a = {.hull = hull[k / HULLS], .type = ABUT_SHAPE_ROUND_HULL, .radius = (float)(k % 3)},
                      b = {.hull = hull[k % HULLS], .type = ABUT_SHAPE_ROUND_HULL, .radius = (float)(k % 5)};
        const int order = abut_shape_of(&a)->compare(&a, &b);
        digest_number(digest, (uint64_t)(order < 0 ? 2 : order > 0));
    }
}

/* Planes as floats, and loops in buffers of every size. */
static void faces(uint64_t *digest) {
    for (uint32_t k = 0; k < HULLS; k++) {
        for (size_t f = 0; f <= abut_hull_face_count(hull[k]); f++) {
            const uint32_t all = (uint32_t)abut_hull_face(hull[k], f, NULL, 9, NULL);
            for (uint32_t room = 0; room <= all + 1 && room < 12; room++) {
                uint32_t loop[13] = {0};
                float plane[4] = {0};
                digest_number(digest, abut_hull_face(hull[k], f, loop, room, plane));
                digest_words(digest, loop, sizeof loop);
                digest_words(digest, plane, sizeof plane);
            }
        }
        const float volume = abut_hull_volume(hull[k]);
        const abut_obb box = abut_hull_obb(hull[k]);
        digest_float(digest, volume);
        digest_vec3(digest, abut_hull_centroid(hull[k]));
        digest_box(digest, &box);
    }
}

/* --- bytes --- */

static void digest_loaded(uint64_t *digest, const unsigned char *bytes, size_t size) {
    abut_hull *loaded = NULL;
    digest_number(digest, (uint64_t)abut_hull_load(bytes, size, NULL, &loaded));
    digest_number(digest, abut_hull_digest(loaded));
    abut_hull_destroy(&loaded);
}

static void loaded(uint64_t *digest) {
    _Alignas(64) static unsigned char bytes[MOST_BYTES];
    for (uint32_t k = 0; k < HULLS; k++) {
        size_t size = 0;
        const void *data = abut_hull_data(hull[k], &size);
        assert_true(size <= MOST_BYTES - 64);
        memcpy(bytes + k % 64, data, size);
        digest_loaded(digest, bytes + k % 64, size);
    }
}

/* Signs the bytes again, so that only what they say is wrong. */
static void sign(unsigned char *bytes, size_t size) {
    const uint64_t digest = abut_hull_compute_digest(bytes, (uint32_t)size);
    for (int i = 0; i < 8; i++) {
        bytes[offsetof(abut_hull, digest) + (size_t)i] = (unsigned char)(digest >> 8 * i);
    }
}

/* Every byte changed, and every size. */
static void damaged(uint64_t *digest) {
    static unsigned char bytes[MOST_BYTES];
    for (uint32_t k = 0; k < HULLS; k += 21) {
        size_t size = 0;
        const void *data = abut_hull_data(hull[k], &size);
        for (size_t i = 0; i < size; i++) {
            memcpy(bytes, data, size);
            bytes[i] ^= i % 2 ? 1 : 0x80;
            if (i % 3 == 0) {
                sign(bytes, size);
            }
            digest_loaded(digest, bytes, size);
        }
        memcpy(bytes, data, size);
        for (size_t i = 0; i < size; i += i < 400 ? 1 : 61) {
            digest_loaded(digest, bytes, i);
        }
    }
}

static void laid_out(uint64_t *digest) {
    rng r = rng_make(15, 0);
    for (uint32_t k = 0; k < 2000; k++) {
        abut_hull header;
        memset(&header, 0, sizeof header);
        const uint32_t at_limit = k % 6, over = rng_below(&r, 3); /* one number is at its limit, or beside it */
        header.vertex_count = at_limit == 0 ? 4095 + over : at_limit == 1 ? 3 + over : 4 + rng_below(&r, 4093);
        header.facet_count = at_limit == 2 ? 8191 + over : rng_below(&r, 8193);
        header.edge_count = at_limit == 3 ? 12287 + over : rng_below(&r, 12289);
        header.face_count = at_limit == 4 ? header.facet_count + over : header.facet_count / 2;
        header.face_edge_count = at_limit == 5 ? header.edge_count + over : header.edge_count / 2;
        digest_number(digest, abut_hull_lay_out(&header));
        digest_number(digest, header.size);
        digest_number(digest, header.loop_count);
        digest_words(digest, &header.vertices, sizeof header - offsetof(abut_hull, vertices));
    }
}

static void hulls_answer_the_same_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"bounds", bounds, UINT64_C(0x0abfaca6640f2d01)},
        {"bounds of many", bounds_of_many, UINT64_C(0xc71545a17014ac63)},
        {"extents", extents, UINT64_C(0x3cdaf7437debe84a)},
        {"colliders", colliders, UINT64_C(0xb5b7e2a3cd00a6be)},
        {"checks of bounds", checks_of_bounds, UINT64_C(0x4a8e398f5295a8eb)},
        {"orders", orders, UINT64_C(0xaa177f2035506ae6)},
        {"faces", faces, UINT64_C(0xee8346ad288c1127)},
        {"loaded bytes", loaded, UINT64_C(0xb29fd5852f5fd1fb)},
        {"damaged bytes", damaged, UINT64_C(0x04af30cb1633bbcc)},
        {"offsets", laid_out, UINT64_C(0xc980e97e8c945a76)},
    };
    create_hulls();
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    destroy_hulls();
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hulls_answer_the_same_everywhere)};
    return test_run(tests);
}
