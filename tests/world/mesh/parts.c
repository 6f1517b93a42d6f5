/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What a world says of meshes of every family: each contact has the parts of the pair by itself, to the bit, in steps
 * as in abut_world_collide; the oracle agrees; which body has the lower id only turns the normals; previous1 leads to
 * the same triangle. */

#include "narrowphase/narrowphase.h"
#include "support/mesh_oracle.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { STREAM_HULLS = 1631, STREAM_SCENES = 1632, BODIES = 6, STEPS = 4 };

static round_hulls *hulls;

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed() + STREAM_HULLS);
    return 0;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    return 0;
}

/* The parts of one pair, sorted, normals from the mesh to the body. */
typedef struct answer {
    size_t count;
    abut_manifold manifold;
    abut_contact_part parts[SOUP_TRIANGLES];
} answer;

static void keep(const abut_contact_part *part, void *context) {
    answer *a = context;
    assert_true(a->count < SOUP_TRIANGLES);
    a->parts[a->count++] = *part;
}

static int by_part(const void *a, const void *b) {
    const abut_contact_part *p = a, *q = b;
    return (p->part > q->part) - (p->part < q->part);
}

/* A mesh and bodies about it, in two worlds: in the first the mesh has the lowest id, in the second the highest. */
typedef struct scene {
    soup soup;
    facts *facts;
    abut_mesh *mesh;
    float unit, margin;
    round_body body[BODIES];
    abut_world *world[2];
    abut_body_id ground[2], id[2][BODIES];
    abut_contact_part *before[2];
    abut_contact *contacts_before[2];
} scene;

static abut_body_def def_of(const round_body *b) {
    return (abut_body_def){.pose = b->pose,
                           .half = b->shape.half,
                           .hull = b->shape.hull,
                           .radius = b->shape.radius,
                           .motion = ABUT_MOVING};
}

static void make_scene(uint64_t i, scene *s) {
    rng r = rng_make(test_seed() + STREAM_SCENES, i);
    soup_make(test_seed(), i, (soup_family)(i % SOUP_FAMILIES), &s->soup);
    s->facts = facts_make(&s->soup);
    assert_non_null(s->facts);
    s->mesh = soup_mesh(&s->soup);
    s->margin = i % 3 == 0 ? 0.125F : 0;
    const abut_world_def def = {.contact_margin = s->margin};
    const abut_body_def ground = {.pose = {{1, 2, 3}, rng_rotation(&r)}, .mesh = s->mesh, .motion = ABUT_STATIC};
    for (uint64_t k = 0; k < BODIES; k++) {
        round_kind kind = (round_kind)(k % ROUND_KINDS);
        near_round_body(hulls, test_seed() + 11, i * BODIES + k, kind, rng_log_range(&r, 0.2, 3), &s->body[k]);
        s->body[k].pose.position = rng_vec3(&r, -5, 5);
    }
    for (int w = 0; w < 2; w++) {
        s->world[w] = make_world(&def);
        if (w == 0) {
            s->ground[w] = add_body(s->world[w], &ground);
        }
        for (int k = 0; k < BODIES; k++) {
            const abut_body_def body = def_of(&s->body[k]);
            s->id[w][k] = add_body(s->world[w], &body);
        }
        if (w == 1) {
            s->ground[w] = add_body(s->world[w], &ground);
        }
    }
}

static void release_scene(scene *s) {
    abut_world_destroy(&s->world[0]);
    abut_world_destroy(&s->world[1]);
    abut_mesh_destroy(&s->mesh);
    free(s->facts);
}

static abut_pose pose_of(const abut_world *world, abut_body_id id) {
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
    return pose;
}

static void ask(const scene *s, int w, int k, answer *out) {
    abut_collider mesh, body;
    const abut_shape surface = {.mesh = s->mesh};
    const abut_pose at = pose_of(s->world[w], s->ground[w]), own = pose_of(s->world[w], s->id[w][k]);
    assert_true(abut_collider_from_shape_or_mesh(&surface, &at, &mesh));
    assert_true(abut_collider_from_shape(&s->body[k].shape, &own, &body));
    memset(out, 0, sizeof *out);
    abut_np_mesh_collide(&mesh, &body, s->margin, keep, out, &out->manifold);
    qsort(out->parts, out->count, sizeof *out->parts, by_part);
}

/* Equal but for the sense of the normal, which `sign` says. */
static bool same_manifold(const abut_manifold *a, const abut_manifold *b, float sign) {
    return a->normal.x == sign * b->normal.x && a->normal.y == sign * b->normal.y &&
           a->normal.z == sign * b->normal.z && a->count == b->count &&
           memcmp(a->points, b->points, sizeof a->points) == 0;
}

static const abut_contact *contact_of(const scene *s, int w, int k) {
    size_t n;
    const abut_contact *c = abut_world_contacts(s->world[w], &n);
    for (size_t i = 0; i < n; i++) {
        bool first = abut_body_id_equal(c[i].a, s->ground[w]), second = abut_body_id_equal(c[i].b, s->ground[w]);
        if ((first && abut_body_id_equal(c[i].b, s->id[w][k])) || (second && abut_body_id_equal(c[i].a, s->id[w][k]))) {
            return &c[i];
        }
    }
    return NULL;
}

static void check_step(const scene *s, int w, int k, const answer *a) {
    size_t n;
    const abut_contact_part *parts = abut_world_parts(s->world[w], &n);
    const abut_contact *c = contact_of(s, w, k);
    const float sign = w == 0 ? 1 : -1;
    assert_int_equal(c != NULL, a->count > 0);
    if (!c) {
        return;
    }
    assert_int_equal(c->part_count, a->count);
    assert_true(c->part_first + c->part_count <= n && same_manifold(&c->manifold, &a->manifold, sign));
    for (size_t p = 0; p < a->count; p++) {
        const abut_contact_part *got = &parts[c->part_first + p];
        assert_int_equal(got->part, a->parts[p].part);
        assert_true(same_manifold(&got->manifold, &a->parts[p].manifold, sign));
    }
}

static void check_question(const scene *s, int w, int k, const answer *a) {
    static abut_touching out[SOUP_TRIANGLES + BODIES];
    const abut_query all = {.every_part = false};
    const abut_pose pose = pose_of(s->world[w], s->id[w][k]);
    size_t n = abut_world_collide(s->world[w], &s->body[k].shape, &pose, s->margin, &all, out, SOUP_TRIANGLES + BODIES);
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (abut_body_id_equal(out[i].body, s->ground[w])) {
            assert_true(found < a->count && out[i].part == a->parts[found].part);
            assert_true(same_manifold(&out[i].manifold, &a->parts[found].manifold, 1));
            found++;
        }
    }
    assert_int_equal(found, a->count);
}

static void check_oracle(const scene *s, int k, const answer *a) {
    static mesh_scene judged;
    const abut_pose pose = pose_of(s->world[0], s->ground[0]);
    round_body body = s->body[k];
    uint32_t part = 0;
    body.pose = pose_of(s->world[0], s->id[0][k]);
    body.core = body.core == &s->body[k].own ? &body.own : body.core;
    mesh_scene_make(s->facts, &pose, &body, s->margin, &judged);
    const char *fault = mesh_scene_fault(&judged, a->parts, a->count, &a->manifold, &part);
    if (fault) {
        fail_msg("%s (part %u)", fault, part);
    }
}

/* previous1 of every part leads to the same triangle of the same pair in the last step's lists, if there is one. */
static void check_history(const scene *s, int w, const abut_contact *old, size_t old_count,
                          const abut_contact_part *old_parts) {
    size_t n;
    const abut_contact *c = abut_world_contacts(s->world[w], &n);
    const abut_contact_part *parts = abut_world_parts(s->world[w], NULL);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t p = c[i].part_first; p < c[i].part_first + c[i].part_count; p++) {
            uint32_t expected = 0;
            for (size_t o = 0; o < old_count; o++) {
                bool same = abut_body_id_equal(old[o].a, c[i].a) && abut_body_id_equal(old[o].b, c[i].b);
                for (uint32_t q = old[o].part_first; same && q < old[o].part_first + old[o].part_count; q++) {
                    expected = old_parts[q].part == parts[p].part ? q + 1 : expected;
                }
            }
            assert_int_equal(parts[p].previous1, expected);
        }
    }
}

static void step_and_check(scene *s, int w) {
    static abut_contact old[64];
    static abut_contact_part old_parts[BODIES * SOUP_TRIANGLES];
    size_t contacts, parts;
    const abut_contact *c = abut_world_contacts(s->world[w], &contacts);
    const abut_contact_part *p = abut_world_parts(s->world[w], &parts);
    assert_true(contacts <= 64 && parts <= BODIES * SOUP_TRIANGLES);
    if (contacts > 0) {
        memcpy(old, c, contacts * sizeof *c);
    }
    if (parts > 0) {
        memcpy(old_parts, p, parts * sizeof *p);
    }
    assert_int_equal(abut_world_step(s->world[w], NULL, NULL), ABUT_OK);
    check_history(s, w, old, contacts, old_parts);
}

static void worlds_agree_with_pairs(void **state) {
    (void)state;
    static scene s;
    static answer a;
    for (uint64_t i = 0; i < test_count(60); i++) {
        make_scene(i, &s);
        for (uint64_t step = 0; step < STEPS; step++) {
            for (int w = 0; w < 2; w++) {
                rng r = rng_make(test_seed() + STREAM_SCENES + 1, i * STEPS + step);
                for (int k = 0; k < BODIES && step > 0; k++) {
                    abut_pose pose = pose_of(s.world[w], s.id[w][k]);
                    pose.position.x += (float)rng_range(&r, -0.7, 0.7);
                    pose.position.y += (float)rng_range(&r, -0.4, 0.4);
                    assert_int_equal(abut_body_set_pose(s.world[w], s.id[w][k], &pose), ABUT_OK);
                }
                step_and_check(&s, w);
                for (int k = 0; k < BODIES; k++) {
                    ask(&s, w, k, &a);
                    check_step(&s, w, k, &a);
                    check_question(&s, w, k, &a);
                    if (w == 0) {
                        check_oracle(&s, k, &a);
                    }
                }
            }
        }
        release_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_agree_with_pairs)};
    test_begin();
    return cmocka_run_group_tests(tests, make_hulls, release_hulls);
}
