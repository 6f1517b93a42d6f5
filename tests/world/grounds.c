/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/grounds.h"
#include <stdlib.h>

abut_mesh *make_ground(uint32_t cells, float side, float rough, uint64_t stream) {
    uint32_t line = cells + 1, n = 0;
    abut_vec3 *vertices = malloc(sizeof *vertices * line * line);
    uint32_t *indices = malloc(sizeof *indices * cells * cells * 6);
    rng r = rng_make(test_seed(), stream);
    abut_mesh *mesh = NULL;
    for (uint32_t k = 0; k < line * line; k++) {
        float x = side * ((float)(k % line) - (float)cells / 2), z = side * ((float)(k / line) - (float)cells / 2);
        vertices[k] = (abut_vec3){x, rough > 0 ? (float)rng_range(&r, 0, (double)rough) : 0, z};
    }
    for (uint32_t k = 0; k < cells * cells; k++) {
        uint32_t at = k / cells * line + k % cells;
        const uint32_t corner[6] = {at, at + line, at + 1, at + 1, at + line, at + line + 1};
        memcpy(indices + n, corner, sizeof corner);
        n += 6;
    }
    const abut_mesh_def def = {
        .vertices = vertices, .vertex_count = line * line, .indices = indices, .triangle_count = n / 3};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    free(vertices);
    free(indices);
    return mesh;
}

abut_body_id add_ground(abut_world *world, const abut_mesh *mesh, float x, float y, float z) {
    return add_body(world, &(abut_body_def){.pose = pose_at(x, y, z), .mesh = mesh, .motion = ABUT_STATIC});
}

const abut_contact_part *parts_of(const abut_world *world, size_t *count) {
    *count = SIZE_MAX;
    const abut_contact_part *parts = abut_world_parts(world, count);
    assert_true(*count != SIZE_MAX);
    assert_true((parts == NULL) == (*count == 0));
    assert_ptr_equal(abut_world_parts(world, NULL), parts);
    return parts;
}

static void *copy_of(const void *from, size_t size) {
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

step_lists lists_take(const abut_world *world) {
    step_lists l;
    const abut_contact_part *part = parts_of(world, &l.parts);
    l.part = copy_of(part, l.parts * sizeof *part);
    const abut_contact *contact = contacts_of(world, &l.contacts);
    l.contact = copy_of(contact, l.contacts * sizeof *contact);
    return l;
}

void lists_free(step_lists *lists) {
    free(lists->contact);
    free(lists->part);
}

bool lists_equal(const step_lists *a, const step_lists *b) {
    return a->contacts == b->contacts && a->parts == b->parts &&
           memcmp(a->contact, b->contact, a->contacts * sizeof *a->contact) == 0 &&
           memcmp(a->part, b->part, a->parts * sizeof *a->part) == 0;
}

/* 1 + the index of a triangle among the parts of a contact. */
static uint32_t find_part(const step_lists *lists, const abut_contact *c, uint32_t part) {
    for (uint32_t k = c->part_first; k < c->part_first + c->part_count; k++) {
        if (lists->part[k].part == part) {
            return k + 1;
        }
    }
    return 0;
}

static bool contact_follows(const step_lists *before, const step_lists *now, const abut_contact *c,
                            abut_body_id other) {
    const abut_contact *old = c->previous1 ? &before->contact[c->previous1 - 1] : NULL;
    bool good = (c->phase == ABUT_PERSIST) == (old != NULL);
    good = good && (!old || (c->previous1 <= before->contacts && abut_body_id_equal(old->a, c->a) &&
                             abut_body_id_equal(old->b, c->b)));
    bool replaced = abut_body_id_equal(c->a, other) || abut_body_id_equal(c->b, other);
    for (uint32_t k = c->part_first; good && k < c->part_first + c->part_count; k++) {
        uint32_t expected = old && !replaced ? find_part(before, old, now->part[k].part) : 0;
        good = now->part[k].previous1 == expected && now->part[k].manifold.count > 0 &&
               (k == c->part_first || now->part[k - 1].part < now->part[k].part);
    }
    return good;
}

bool lists_follow(const step_lists *before, const step_lists *now, abut_body_id other) {
    uint32_t passed = 0;
    for (size_t k = 0; k < now->contacts; k++) {
        const abut_contact *c = &now->contact[k];
        bool placed = c->part_first == (c->part_count > 0 ? passed : 0) && c->part_count <= now->parts - passed;
        if (!placed || !contact_follows(before, now, c, other)) {
            print_error("contact %zu of bodies %u and %u: parts %u + %u\n", k, c->a.index1, c->b.index1, c->part_first,
                        c->part_count);
            return false;
        }
        passed += c->part_count;
    }
    return passed == now->parts;
}

typedef struct wanted {
    abut_body_id body;
} wanted;

static bool is_wanted(const abut_candidate *candidate, void *context) {
    const wanted *w = context;
    return abut_body_id_equal(candidate->body, w->body);
}

bool parts_are_collided(const abut_world *world, const abut_contact *contact, float margin) {
    enum { MOST = 4096 };
    abut_shape shape, other;
    abut_pose pose;
    assert_int_equal(abut_body_get_shape(world, contact->b, &shape, &pose), ABUT_OK);
    bool first = shape.mesh == NULL; /* a is the mesh */
    wanted w = {first ? contact->a : contact->b};
    if (!first) {
        assert_int_equal(abut_body_get_shape(world, contact->a, &shape, &pose), ABUT_OK);
    }
    assert_int_equal(abut_body_get_shape(world, w.body, &other, NULL), ABUT_OK);
    assert_true(other.mesh && !shape.mesh);
    abut_touching *touching = malloc(sizeof *touching * MOST);
    const abut_query query = {.accept = is_wanted, .context = &w};
    size_t count = abut_world_collide(world, &shape, &pose, margin, &query, touching, MOST);
    bool same = count == contact->part_count;
    for (uint32_t k = 0; same && k < count; k++) {
        const abut_contact_part *part = abut_world_parts(world, NULL) + contact->part_first + k;
        const abut_vec3 n = touching[k].manifold.normal, turned = {-n.x, -n.y, -n.z}, *normal = &part->manifold.normal;
        const abut_vec3 expected = first ? n : turned;
        same = touching[k].part == part->part && normal->x == expected.x && normal->y == expected.y &&
               normal->z == expected.z && touching[k].manifold.count == part->manifold.count &&
               bits_equal(touching[k].manifold.points, part->manifold.points, sizeof part->manifold.points);
    }
    free(touching);
    return same;
}
