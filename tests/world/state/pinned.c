/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which damages of worlds abut_world_validate notices, number by number: damage.c says which it must. */
#include "shape/shape.h"
#include "support/failing_allocator.h"
#include "support/schedules.h"
#include "support/test.h"
#include "world/inside.h"
#include "world/story.h"
#include "world/world.h"
#include <math.h>
#include <string.h>

static story_shapes shapes;

static const story_kind kinds[] = {
    {.extent = 1.5,
     .round = 0.2,
     .hulls = 0.2,
     .meshes = 0.1,
     .filtered = 0.3,
     .attached = 0.4,
     .coarse = 0.2,
     .bounds_only = 0.5},
    {.extent = 1.5, .filtered = 0.9},
    {.extent = 1.5, .attached = 0.9},
    {.extent = 1.5, .meshes = 0.4},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct patient {
    uint64_t *digest;
    abut_world *world;
} patient;

/* Also as if something had changed since the last step: then contacts are not found again. */
static void look(const patient *p) {
    digest_number(p->digest, (uint64_t)(int64_t)abut_world_validate(p->world));
    p->world->changed = true;
    digest_number(p->digest, (uint64_t)(int64_t)abut_world_validate(p->world));
    p->world->changed = false;
}

/* Each of n numbers becomes another: one more, one less, none, that of its neighbour, the last one. */
static void damage_u32(const patient *p, uint32_t *number, uint32_t n, uint32_t last) {
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t right = number[k];
        const uint32_t others[] = {right + 1, right - 1, 0, number[(k + 1) % n], last};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            number[k] = others[i];
            look(p);
            number[k] = right;
        }
    }
}

static void damage_bits(const patient *p, uint8_t *byte, uint32_t n, size_t stride) {
    for (uint32_t k = 0; k < n; k++, byte += stride) {
        for (unsigned bit = 0; bit < 8; bit++) {
            *byte ^= (uint8_t)(1u << bit);
            look(p);
            *byte ^= (uint8_t)(1u << bit);
        }
    }
}

static void damage_float(const patient *p, float *number, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        const float right = number[k];
        const float others[] = {right + 1, -right, 0, right * 1.0000002f};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            number[k] = others[i];
            look(p);
            number[k] = right;
        }
    }
}

/* --- bodies --- */

static void damage_ids(const patient *p) {
    abut_idpool *ids = &p->world->ids;
    damage_u32(p, ids->generation, ids->used, 0);
    damage_u32(p, ids->link, ids->used, ABUT_IDPOOL_LIVE);
    damage_u32(p, &ids->first_free_plus_one, 1, ids->used);
    damage_u32(p, &ids->free_count, 1, ids->used);
    damage_u32(p, &ids->live_count, 1, ids->used);
}

static void damage_side(const patient *p, abut_w_side_table *side, uint32_t *plus_one) {
    damage_u32(p, plus_one, p->world->ids.used, side->used);
    if (side->used > 0) {
        damage_u32(p, side->owner, side->used, 0);
    }
    damage_u32(p, &side->live, 1, 0);
    damage_u32(p, &side->first_free_plus_one, 1, side->used);
}

static void damage_links(const patient *p) {
    abut_world *world = p->world;
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (world->attachment_plus_one[slot] > 0) {
            abut_w_attachment *a = &world->attachment[world->attachment_plus_one[slot] - 1];
            damage_u32(p, &a->hierarchy.parent_plus_one, 1, slot + 1);
            damage_u32(p, &a->hierarchy.first_child_plus_one, 1, slot + 1);
            damage_u32(p, &a->hierarchy.next_sibling_plus_one, 1, slot + 1);
            damage_u32(p, &a->hierarchy.previous_sibling_plus_one, 1, slot + 1);
            damage_u32(p, &a->hierarchy.root, 1, slot);
            damage_float(p, &a->pose.position.x, 3);
            damage_float(p, &a->pose.rotation.x, 4);
            damage_float(p, &a->box.position.x, 3);
        }
    }
}

static void damage_filters(const patient *p) {
    abut_world *world = p->world;
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (world->filter_plus_one[slot] > 0) {
            abut_filter *f = &world->filter[world->filter_plus_one[slot] - 1];
            const abut_filter right = *f;
            const abut_filter others[] = {{1, UINT64_MAX, 0},
                                          {right.category + 1, right.mask, right.group},
                                          {right.category, right.mask - 1, right.group},
                                          {right.category, right.mask, right.group + 1},
                                          {right.category, right.mask, -30}};
            for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                *f = others[k];
                look(p);
                *f = right;
            }
        }
    }
    damage_bits(p, world->bp.role, world->ids.used, 1);
    damage_u32(p, world->bp.apart, ABUT_BP_CLASSES, 0);
    for (uint32_t k = 0; k < ABUT_BP_CLASSES; k++) {
        damage_u32(p, &world->filter_class[k].bodies, 1, 7);
    }
}

static void damage_shapes(const patient *p) {
    abut_world *world = p->world;
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (!abut_idpool_is_live(&world->ids, slot)) {
            continue;
        }
        abut_collider *c = &world->collider[slot];
        damage_float(p, &c->center.x, 3);
        damage_float(p, &c->half.x, 3);
        damage_float(p, &c->rotation.x, 4);
        damage_float(p, &c->radius, 1);
        damage_float(p, world->bp.box[slot].min, 3);
        damage_float(p, world->bp.box[slot].max, 3);
    }
    damage_bits(p, world->flags, world->ids.used, 1);
    damage_bits(p, &world->traits[0].motion, world->ids.used, sizeof *world->traits);
    damage_bits(p, &world->traits[0].marks, world->ids.used, sizeof *world->traits);
}

static void damage_counts(const patient *p) {
    abut_world *world = p->world;
    uint32_t *const counts[] = {&world->non_box_count, &world->uncommon_count, &world->mesh_count, &world->coarse_count,
                                &world->bounds_count};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        damage_u32(p, counts[k], 1, 3);
    }
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        for (uint8_t detail = 0; detail < 3; detail++) {
            const uint8_t right = world->traits[slot].detail;
            world->traits[slot].detail = detail;
            look(p);
            world->traits[slot].detail = right;
        }
    }
    const double extent = world->extent;
    world->extent = 0.25;
    look(p);
    world->extent = extent;
}

/* --- lists --- */

static void damage_contacts(const patient *p) {
    abut_w_contacts *list = &p->world->current;
    for (uint32_t k = 0; k < list->count; k++) {
        abut_contact *c = &list->contact[k];
        const abut_contact right = *c;
        damage_u32(p, &c->a.index1, 1, right.b.index1);
        damage_u32(p, &c->a.generation, 1, 9);
        damage_u32(p, &c->b.index1, 1, 1);
        damage_u32(p, &c->b.generation, 1, 9);
        damage_u32(p, &c->part_count, 1, 9);
        damage_u32(p, &c->part_first, 1, 9);
        damage_u32(p, &c->manifold.count, 1, 1);
        damage_float(p, &c->manifold.normal.x, 3);
        damage_float(p, &c->manifold.points[0].separation, 1);
        c->phase = ABUT_END;
        look(p);
        c->phase = right.phase;
        if (k > 0) { /* two change places */
            *c = c[-1];
            c[-1] = right;
            look(p);
            c[-1] = *c;
            *c = right;
        }
    }
    const uint32_t count = list->count;
    for (list->count = 0; list->count < count; list->count++) {
        look(p);
    }
}

static void exchange(abut_w_contacts *list, uint32_t k) {
    const abut_contact contact = list->contact[k];
    const abut_w_pair pair = list->pair[k];
    list->contact[k] = list->contact[k + 1];
    list->pair[k] = list->pair[k + 1];
    list->contact[k + 1] = contact;
    list->pair[k + 1] = pair;
}

/* Two contacts change places with all that is said of them; the index is made of the list as it is then. */
static void damage_order(const patient *p) {
    abut_w_contacts *list = &p->world->current;
    for (uint32_t k = 0; k + 1 < list->count; k++) {
        for (int back = 0; back < 2; back++) {
            exchange(list, k);
            abut_once_reset(&p->world->by_b_made);
            look(p);
        }
    }
}

static void damage_parts(const patient *p) {
    abut_w_parts *parts = &p->world->current.parts;
    for (uint32_t k = 0; k < parts->count; k++) {
        damage_u32(p, &parts->part[k].part, 1, k > 0 ? parts->part[k - 1].part : 5);
        damage_float(p, &parts->part[k].manifold.normal.x, 1);
    }
    damage_u32(p, &parts->count, 1, 0);
}

static void damage_index(const patient *p) {
    abut_w_contacts *list = &p->world->current;
    if (list->count > 0) {
        damage_u32(p, p->world->index.by_b, list->count, list->count);
    }
    for (uint32_t k = 0; k < list->count; k++) {
        const abut_w_pair right = list->pair[k];
        list->pair[k].order += k % 2 ? 1 : UINT64_C(1) << 32;
        look(p);
        list->pair[k] = right;
    }
}

/* --- worlds --- */

static abut_world *make_world_of(story *s, uint32_t kind, uint64_t *digest) {
    story_begin(s, NULL, &shapes, &kinds[kind], 70 + kind, digest);
    story_create(s, 14);
    for (int k = 0; k < 4; k++) {
        story_change(s);
    }
    assert_int_equal(abut_world_step(s->world, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_validate(s->world), ABUT_OK); /* makes lists and index */
    return s->world;
}

static void with_each(uint64_t *digest, void (*const damage[])(const patient *p), size_t n) {
    static story s;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        const patient p = {digest, make_world_of(&s, kind, digest)};
        for (size_t k = 0; k < n; k++) {
            damage[k](&p);
            look(&p);
        }
        story_end(&s);
    }
}

static void damage_tables(const patient *p) {
    damage_side(p, &p->world->attachments, p->world->attachment_plus_one);
    damage_side(p, &p->world->filters, p->world->filter_plus_one);
}

static void bodies(uint64_t *digest) {
    static void (*const all[])(const patient *p) = {damage_ids,     damage_tables, damage_links,
                                                    damage_filters, damage_shapes, damage_counts};
    with_each(digest, all, sizeof all / sizeof *all);
}

static void lists(uint64_t *digest) {
    static void (*const all[])(const patient *p) = {damage_contacts, damage_order, damage_parts, damage_index};
    with_each(digest, all, sizeof all / sizeof *all);
}

/* --- room: worlds of many capacities, which grow or may not --- */

static void rooms(uint64_t *digest) {
    static const story_kind all = {
        .extent = 2, .round = 0.1, .hulls = 0.2, .meshes = 0.05, .filtered = 0.2, .attached = 0.2};
    static story s;
    for (uint32_t k = 0; k < 40; k++) {
        const abut_world_def def = {.fixed_capacity = k % 2 == 1,
                                    .body_capacity = k * 2,
                                    .pair_capacity = k * k % 97 * (k % 3),
                                    .contact_margin = k % 5 == 0 ? 0.25f : 0};
        story_begin(&s, &def, &shapes, k % 4 < 2 ? &all : &kinds[3], 80 + k, digest);
        digest_inside(digest, s.world);
        for (uint32_t step = 0; step < 10; step++) {
            story_create(&s, 1 + step);
            digest_inside(digest, s.world);
            story_step(&s);
            story_change(&s);
        }
        story_end(&s);
    }
}

/* --- creation: wrong settings, and memory that ends --- */

static void create(uint64_t *digest, abut_world_def def) {
    failing_allocator books = {0};
    def.allocator = failing_allocator_of(&books);
    for (size_t n = 1; n < 60; n++) {
        abut_world *world = (abut_world *)&def;
        failing_allocator_fail_once(&books, n);
        const abut_result result = abut_world_create(&def, &world);
        digest_number(digest, (uint64_t)(int64_t)result);
        digest_number(digest, world != NULL);
        if (world) {
            digest_inside(digest, world);
        }
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
        if (books.failed < n) {
            break;
        }
    }
}

static void creations(uint64_t *digest) {
    schedule order = {.kind = SCHEDULE_ASCENDING, .workers = 2};
    const abut_parallel two = schedule_parallel(&order);
    const abut_world_def defs[] = {
        {.contact_margin = 0},
        {.contact_margin = -0.0f, .up = {0, -1, 0}},
        {.contact_margin = -1},
        {.contact_margin = INFINITY},
        {.contact_margin = NAN},
        {.up = {NAN, 0, 0}},
        {.up = {0, 0, 5}, .body_capacity = 7},
        {.body_capacity = UINT32_MAX},
        {.pair_capacity = UINT32_MAX},
        {.pair_capacity = 1, .body_capacity = 1},
        {.pair_capacity = 100, .body_capacity = 30, .fixed_capacity = true},
        {.pair_capacity = 100, .body_capacity = 30, .fixed_capacity = true, .parallel = two},
        {.pair_capacity = 5, .parallel = two},
        {.parallel = {two.run, 0, &order}},
        {.parallel = {two.run, ABUT_WORKERS_MAX, &order}},
        {.parallel = {two.run, ABUT_WORKERS_MAX + 1, &order}},
    };
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        create(digest, defs[k]);
    }
    digest_number(digest, (uint64_t)(int64_t)abut_world_create(&defs[0], NULL));
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"bodies", bodies, UINT64_C(0x9f1ed018a1e2ccd5)},
        {"rooms", rooms, UINT64_C(0x2180b656652c5f73)},
        {"creations", creations, UINT64_C(0xa6127d0fe6af4a35)},
        {"lists", lists, UINT64_C(0x7fe06af2fff9187e)},
    };
    story_shapes_make(&shapes);
    const bool hold = digest_pins_hold(pins, sizeof pins / sizeof *pins);
    story_shapes_free(&shapes);
    assert_true(hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
