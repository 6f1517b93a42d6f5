/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One answer everywhere: patches of single triangles with all their points, what they are made of, and the contacts of
 * whole meshes. Other tests judge normals, depths and points by what the contract allows, which is often a choice. */
#include "narrowphase/kernels.h"
#include "narrowphase/patch/axis.h"
#include "narrowphase/patch/patch.h"
#include "narrowphase/patch/summary.h"
#include "narrowphase/patch/touch.h"
#include "shape/mesh/mesh.h"
#include "support/digest_d3.h"
#include "support/lattice.h"
#include "support/mesh_families.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES = 14, BODIES = 60 };

static wild_hulls wild;
static lattice_hulls lattice;
static abut_mesh *mesh[MESHES];
static soup soup_of[MESHES];

/* A closed surface of eight sides. */
static void make_octahedron(soup *s) {
    static const abut_vec3 vertex[6] = {{6, 0, 0}, {-6, 0, 0}, {0, 6, 0}, {0, -6, 0}, {0, 0, 6}, {0, 0, -6}};
    *s = (soup){.vertex_count = 6, .triangle_count = 8};
    memcpy(s->vertex, vertex, sizeof vertex);
    for (uint32_t k = 0; k < 8; k++) {
        const uint32_t x = k & 1, y = 2 + (k >> 1 & 1), z = 4 + (k >> 2);
        const bool odd = ((k ^ k >> 1 ^ k >> 2) & 1) != 0;
        s->index[k][0] = x;
        s->index[k][1] = odd ? z : y;
        s->index[k][2] = odd ? y : z;
    }
}

/* Only families that need no libm. */
static void make_meshes(void) {
    static const soup_family families[] = {SOUP_FLAT, SOUP_SLOPE, SOUP_RIDGES, SOUP_STEPS, SOUP_PYRAMID, SOUP_LOOSE};
    for (uint64_t k = 0; k < MESHES; k++) {
        if (k < MESHES - 2) {
            soup_make(7, k, families[k % 6], &soup_of[k]);
        } else {
            make_octahedron(&soup_of[k]);
            soup_of[k].two_sided = k == MESHES - 1;
        }
        mesh[k] = soup_mesh(&soup_of[k]);
    }
}

/* A body over some triangle of a mesh. */
typedef struct meeting {
    abut_collider ground, body;
    float margin;
    uint32_t part; /* of the triangle */
} meeting;

static abut_quat rotation_of(rng *r) {
    return rng_chance(r, 0.6) ? lattice_rotation(r) : wild_rotation(r);
}

/* Some touch more triangles than are kept at once. */
static abut_shape shape_of(rng *r) {
    if (rng_chance(r, 0.1)) {
        return (abut_shape){.half = {10, 0.5f, 9}, .radius = rng_chance(r, 0.5) ? 0 : 0.5f};
    }
    if (rng_chance(r, 0.5)) {
        return lattice_shape(r, &lattice);
    }
    return wild_shape(r, &wild, wild_size(r, -1, 2));
}

/* A point of a triangle: a corner, the middle of a side, or any. */
static abut_vec3 point_of(rng *r, const soup *s, uint32_t part) {
    static const float weights[][3] = {{1, 0, 0}, {0.5f, 0.5f, 0}, {0.25f, 0.25f, 0.5f}, {0, 0.125f, 0.875f}};
    const float *w = weights[rng_below(r, 4)];
    const abut_vec3 a = s->vertex[s->index[part][0]], b = s->vertex[s->index[part][1]],
                    c = s->vertex[s->index[part][2]];
    return (abut_vec3){a.x * w[0] + b.x * w[1] + c.x * w[2], a.y * w[0] + b.y * w[1] + c.y * w[2],
                       a.z * w[0] + b.z * w[1] + c.z * w[2]};
}

static void make_meeting(rng *r, uint32_t k, meeting *m) {
    static const float margins[] = {0, 0, 0.125f, 1};
    const soup *s = &soup_of[k];
    const abut_shape shape = shape_of(r), ground = {.mesh = mesh[k]};
    const abut_quat turn = rng_chance(r, 0.5) ? (abut_quat){0, 0, 0, 1} : lattice_rotation(r);
    const abut_vec3 offset = rng_chance(r, 0.5) ? (abut_vec3){0, 0, 0} : (abut_vec3){8, -3, 0.5f};
    m->part = rng_below(r, s->triangle_count - s->ghost_count);
    m->margin = margins[rng_below(r, 4)];
    abut_vec3 at = point_of(r, s, m->part);
    const float height = rng_chance(r, 0.6) ? (float)rng_below(r, 9) / 2 - 1 : (float)rng_range(r, -1, 3);
    at = (abut_vec3){at.x + (float)(rng_chance(r, 0.5) ? 0 : 1), at.y + height, at.z};
    if (!abut_collider_from_shape_or_mesh(&ground, &(abut_pose){offset, turn}, &m->ground)) {
        abort();
    }
    double axes[3][3];
    abut_dquat_matrix(abut_dquat_from(m->ground.rotation), axes);
    const abut_vec3 turned = abut_vec3_round(abut_d3_rotate(axes, abut_d3_from(at)));
    const abut_pose pose = {{turned.x + offset.x, turned.y + offset.y, turned.z + offset.z}, rotation_of(r)};
    if (!abut_collider_from_shape(&shape, &pose, &m->body)) {
        abort();
    }
}

/* --- contacts of whole meshes --- */

/* The order of parts is not fixed. */
static void add_part(const abut_contact_part *part, void *context) {
    uint64_t one = 0;
    digest_number(&one, part->part);
    digest_number(&one, part->previous1);
    digest_words(&one, &part->manifold, sizeof part->manifold);
    *(uint64_t *)context += one;
}

static void contacts(uint64_t *digest) {
    for (uint32_t k = 0; k < MESHES; k++) {
        rng r = rng_make(8, k);
        for (int i = 0; i < BODIES; i++) {
            meeting m;
            abut_manifold manifold = {0}, alone = {0};
            uint64_t parts = 0;
            make_meeting(&r, k, &m);
            digest_number(digest, abut_np_mesh_touches(&m.ground, &m.body, m.margin));
            digest_number(digest, abut_np_mesh_collide(&m.ground, &m.body, m.margin, add_part, &parts, &manifold));
            digest_number(digest, parts);
            digest_words(digest, &manifold, sizeof manifold);
            digest_number(digest, abut_np_mesh_collide(&m.ground, &m.body, m.margin, NULL, NULL, &alone));
            digest_words(digest, &alone, sizeof alone);
        }
    }
}

/* --- single triangles --- */

static void digest_points(uint64_t *digest, const abut_np_points *points) {
    digest_d3(digest, points->normal);
    digest_number(digest, points->count);
    for (uint32_t i = 0; i < points->count; i++) {
        digest_d3(digest, points->point[i].position);
        digest_double(digest, points->point[i].separation);
        digest_number(digest, points->point[i].feature);
    }
}

static void digest_patch(uint64_t *digest, const abut_np_patch *p) {
    digest_number(digest, p->part);
    digest_number(digest, p->back);
    digest_number(digest, p->leans);
    digest_d3(digest, p->normal);
    digest_d3(digest, p->in_mesh);
    digest_double(digest, p->separation);
    digest_number(digest, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        digest_d3(digest, p->point[i].on);
        digest_double(digest, p->point[i].separation);
        digest_number(digest, p->point[i].feature);
        digest_number(digest, p->point[i].meets);
    }
}

/* The triangle under the body, and some others. */
static void patches(uint64_t *digest) {
    for (uint32_t k = 0; k < MESHES; k++) {
        rng r = rng_make(9, k);
        for (int i = 0; i < 2 * BODIES; i++) {
            meeting m;
            abut_np_seat seat;
            abut_np_hull_room room;
            abut_np_patch patch;
            abut_np_points points;
            abut_np_facing facing[ABUT_NP_FACINGS];
            abut_np_normals known;
            make_meeting(&r, k, &m);
            abut_np_normals_begin(&known);
            abut_np_hull_room_begin(&room);
            abut_np_seat_of(&m.ground, &m.body, m.margin, &room, &seat);
            const uint32_t count = soup_of[k].triangle_count - soup_of[k].ghost_count;
            for (uint32_t n = 0; n < 8; n++) {
                const uint32_t part = (m.part + n * n) % count;
                const bool touched =
                    abut_mesh_is_solid(mesh[k], part) && abut_np_patch_of_part(&seat, part, facing, &known, &patch);
                digest_number(digest, touched);
                if (touched) {
                    digest_patch(digest, &patch);
                    abut_np_patch_points(&seat, &patch, n % 3 ? 0xff : 0x55, &points);
                    digest_points(digest, &points);
                }
            }
        }
    }
}

static void digest_face(uint64_t *digest, const abut_np_cut_face *f, bool with_heights) {
    digest_number(digest, f->count);
    digest_number(digest, f->face);
    for (uint32_t i = 0; i < f->count; i++) {
        digest_d3(digest, abut_np_cut_at(f, i));
        digest_number(digest, f->corner[i].feature);
        digest_number(digest, f->corner[i].edge);
        digest_number(digest, f->corner[i].edge_is_side);
        digest_number(digest, f->corner[i].meets);
        digest_double(digest, with_heights ? f->height[i] : 0);
        digest_number(digest, with_heights ? f->sides[i] : 0);
    }
}

static void digest_touch(uint64_t *digest, const abut_np_touch *t) {
    digest_number(digest, t->touches);
    digest_number(digest, t->overlap);
    digest_number(digest, t->closest);
    if (t->closest) {
        digest_d3(digest, t->on);
        digest_d3(digest, t->from);
    }
}

static void digest_axis(uint64_t *digest, const abut_np_mesh_axis *a) {
    digest_number(digest, a->kind);
    digest_d3(digest, a->normal);
    digest_double(digest, a->depth);
    digest_number(digest, a->kind == ABUT_NP_OF_FACE ? a->face : 0);
    if (a->kind == ABUT_NP_OF_EDGES) {
        digest_number(digest, a->side);
        digest_number(digest, a->edge);
        digest_d3(digest, a->from);
        digest_d3(digest, a->to);
    }
}

/* What a patch is made of, at one triangle. */
static void digest_parts_of(const abut_np_seat *seat, const abut_np_facing *f, double near, uint64_t *digest) {
    abut_np_over over;
    abut_np_touch touch;
    abut_np_mesh_axis axis;
    abut_np_cut_face under;
    abut_np_over_begin(seat, f, near, &over);
    digest_d3(digest, over.lowest);
    digest_number(digest, over.vertex);
    digest_double(digest, over.height);
    for (int shared = 0; shared < 2; shared++) {
        for (int closest = 0; closest < 2; closest++) {
            abut_np_touch_of(seat, f, &over, shared == 1 && over.height < 0, closest == 1, &touch);
            digest_number(digest, touch.touches);
            if (touch.touches) { /* else nothing more has a meaning */
                digest_touch(digest, &touch);
            }
        }
    }
    abut_np_touch_closest(seat, f, &touch);
    digest_touch(digest, &touch);
    digest_face(digest, abut_np_over_face(seat, &over), true);
    for (uint32_t face = 0; face < abut_np_face_count(seat) && face < 8; face++) {
        abut_np_cut_triangle(seat, f, face, NULL, 0, &under);
        digest_face(digest, &under, false);
    }
    if (over.height < 0) {
        abut_np_mesh_find_axis(seat, f, over.lowest, NULL, &axis);
        digest_axis(digest, &axis);
    }
}

static void parts(uint64_t *digest) {
    for (uint32_t k = 0; k < MESHES; k++) {
        rng r = rng_make(10, k);
        for (int i = 0; i < 2 * BODIES; i++) {
            meeting m;
            abut_np_seat seat;
            abut_np_hull_room room;
            abut_np_facing facing[ABUT_NP_FACINGS];
            abut_np_normals known;
            const uint32_t place = ABUT_MESH_NONE;
            make_meeting(&r, k, &m);
            abut_np_normals_begin(&known);
            abut_np_hull_room_begin(&room);
            abut_np_seat_of(&m.ground, &m.body, m.margin, &room, &seat);
            if (seat.size == 0 || !abut_mesh_is_solid(mesh[k], m.part) ||
                !abut_np_facings_of(&seat, &m.part, &place, 1, facing, &known)) {
                continue;
            }
            digest_parts_of(&seat, facing, i % 2 ? 0x1p-16 : 0, digest);
        }
    }
}

/* --- cutting, and what is shown of many points --- */

/* A convex polygon of whole numbers that planes of whole numbers cut, so that corners lie exactly on these. */
static void cuts(uint64_t *digest) {
    static const double at[12][2] = {{4, 0},  {4, 2},   {2, 4},   {0, 4},  {-2, 4}, {-4, 2},
                                     {-4, 0}, {-4, -2}, {-2, -4}, {0, -4}, {2, -4}, {4, -2}};
    rng r = rng_make(11, 1);
    for (int k = 0; k < 3000; k++) {
        abut_np_cut_face outline;
        abut_np_cut cut[4];
        const uint32_t step = 1 + rng_below(&r, 4), n = 1 + rng_below(&r, 4);
        memset(&outline, 0, sizeof outline);
        outline.face = 77;
        for (uint32_t i = 0; i < 12; i += step) {
            const uint32_t c = outline.count++;
            outline.at[0][c] = at[i][0];
            outline.at[1][c] = at[i][1];
            outline.at[2][c] = (double)rng_below(&r, 5);
            outline.corner[c] = (abut_np_cut_corner){i, (uint16_t)(k % 2 ? i : 12 + i), k % 2 == 1, (uint8_t)(i % 7)};
        }
        for (uint32_t i = 0; i < n; i++) {
            cut[i].normal.x[0] = (double)rng_below(&r, 5) - 2;
            cut[i].normal.x[1] = (double)rng_below(&r, 5) - 2;
            cut[i].normal.x[2] = (double)rng_below(&r, 2);
            cut[i].offset = (double)rng_below(&r, 13) - 4;
            cut[i].near = (double)rng_below(&r, 3) / 4;
            cut[i].edge = (uint16_t)rng_below(&r, 3);
            cut[i].edge_is_side = rng_chance(&r, 0.5);
        }
        abut_np_patch_kernels_active()->cut(cut, n, &outline);
        digest_face(digest, &outline, false);
    }
}

static void summaries(uint64_t *digest) {
    rng r = rng_make(11, 2);
    for (int k = 0; k < 2000; k++) {
        abut_np_summary s;
        abut_manifold m = {0};
        const abut_vec3 any = rng_direction(&r);
        const abut_d3 up = k % 2 ? (abut_d3){{0, 1, 0}} : abut_d3_from(any);
        const uint32_t n = 1 + rng_below(&r, 5);
        abut_np_summary_begin(up, 0, 1, &s);
        for (uint32_t i = 0; i < n; i++) {
            abut_np_points points = {.normal = up, .count = 1 + rng_below(&r, 4)};
            points.normal.x[0] += (double)rng_below(&r, 3) / 24;
            (void)abut_d3_normalise(&points.normal);
            for (uint32_t p = 0; p < points.count; p++) {
                abut_np_point *point = &points.point[p];
                point->position.x[0] = (double)rng_below(&r, 5);
                point->position.x[1] = (double)rng_below(&r, 2);
                point->position.x[2] = (double)rng_below(&r, 5);
                point->separation = (double)rng_below(&r, 4) / 4 - 1;
                point->feature = rng_below(&r, 100);
            }
            abut_np_summary_add(&s, &points);
        }
        digest_number(digest, s.count);
        if (s.count > 0) {
            abut_np_summary_end(&s, &m);
            digest_words(digest, &m, sizeof m);
        }
    }
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"contacts", contacts, UINT64_C(0x37d0ffeefad70982)},   {"patches", patches, UINT64_C(0x82c1c5e8998a8962)},
        {"parts", parts, UINT64_C(0x2b5530a39469620e)},         {"cuts", cuts, UINT64_C(0x1fc85cd09fb6a342)},
        {"summaries", summaries, UINT64_C(0x4963f156e18ddec2)},
    };
    wild_hulls_create(&wild);
    lattice_hulls_create(&lattice);
    make_meshes();
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    for (int k = 0; k < MESHES; k++) {
        abut_mesh_destroy(&mesh[k]);
    }
    lattice_hulls_destroy(&lattice);
    wild_hulls_destroy(&wild);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
