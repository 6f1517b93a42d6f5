/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_world_validate notices each way in which a mistake in the library could break a world: one row per damage, of a
 * world in which all else is sound. */
#include "shape/hull/hull.h"
#include "support/test.h"
#include "world/world.h"
#include <string.h>

/* By slot. Two slots have lost their bodies; one was reused for the child that came last. */
enum {
    DEAD,
    LAST_CHILD,
    DEAD_TOO,
    PLAIN,
    BESIDE, /* touches the plain one */
    ROOT,
    PARENT,
    FIRST_CHILD, /* of PARENT, as LAST_CHILD */
    ABOVE,       /* touches the plain one */
    FILTERED,
    ALIKE, /* has the same filter */
    OTHER,
    GROUPED, /* has a filter, and the class of those without */
    FLAT,
    CAPSULE,
    HULL,
    COARSE,
    SHIFTED,
    GROUND,
    ON_GROUND,
    SLOTS
};

static abut_world *world;
static abut_hull *cube;
static abut_mesh *square;

static void add(uint32_t slot, abut_body_def def) {
    abut_body_id id;
    def.half = def.hull || def.mesh || def.radius > 0 || slot == FLAT ? def.half : (abut_vec3){1, 1, 1};
    def.pose.position.z += slot == ABOVE || slot == BESIDE || def.parent.index1 ? 0 : 10 * (float)slot;
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    assert_int_equal(id.index1, slot + 1);
}

static abut_body_id id_at(uint32_t slot) {
    return (abut_body_id){slot + 1, world->ids.generation[slot]};
}

static int make_shapes(void) {
    static const abut_vec3 corner[4] = {{-5, 0, -5}, {-5, 0, 5}, {5, 0, -5}, {5, 0, 5}};
    static const uint32_t index[6] = {0, 1, 2, 2, 1, 3};
    const abut_mesh_def def = {.vertices = corner, .vertex_count = 4, .indices = index, .triangle_count = 2};
    abut_vec3 corners[8];
    abut_obb_corners(&(abut_obb){.half = {1, 1, 1}}, corners);
    return abut_hull_create(corners, 8, NULL, &cube) || abut_mesh_create(&def, &square);
}

/* One body has a negative group that comes too late for a class: as many others have others by then. */
static void group_last(void) {
    enum { OTHERS = 16 };
    for (int on = 1; on >= 0; on--) {
        uint32_t n = 0;
        for (uint32_t slot = DEAD; slot < SLOTS && n < OTHERS; slot++) {
            if (slot < FILTERED || slot > GROUPED) {
                const abut_filter filter = {.group = on * -(int32_t)++n};
                assert_int_equal(abut_body_set_filter(world, id_at(slot), &filter), ABUT_OK);
            }
        }
        assert_int_equal(n, OTHERS);
        if (on) {
            const abut_filter grouped = {.group = -20};
            assert_int_equal(abut_body_set_filter(world, id_at(GROUPED), &grouped), ABUT_OK);
        }
    }
}

static int begin(void **state) {
    const abut_filter filter = {.category = 2, .mask = 5}, other = {.category = 4, .mask = UINT64_MAX};
    (void)state;
    assert_int_equal(make_shapes(), 0);
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    for (uint32_t slot = DEAD; slot <= PLAIN; slot++) {
        add(slot, (abut_body_def){.user = slot});
    }
    add(BESIDE, (abut_body_def){.pose.position = {1.5f, 0, 10 * PLAIN}});
    add(ROOT, (abut_body_def){.user = ROOT});
    add(PARENT, (abut_body_def){.parent = id_at(ROOT), .pose.position = {4, 0, 0}});
    add(FIRST_CHILD, (abut_body_def){.parent = id_at(PARENT), .pose.position = {4, 0, 0}});
    add(ABOVE, (abut_body_def){.pose.position = {0, 1.5f, 10 * PLAIN}});
    add(FILTERED, (abut_body_def){.filter = filter});
    add(ALIKE, (abut_body_def){.filter = filter});
    add(OTHER, (abut_body_def){.filter = other});
    add(GROUPED, (abut_body_def){.user = GROUPED});
    add(FLAT, (abut_body_def){.half = {0, 1, 1}});
    add(CAPSULE, (abut_body_def){.half = {0, 0, 1}, .radius = 0.5f});
    add(HULL, (abut_body_def){.hull = cube});
    add(COARSE, (abut_body_def){.detail = ABUT_DETAIL_BOUNDS});
    add(SHIFTED, (abut_body_def){.box.position = {1, 0, 0}});
    add(GROUND, (abut_body_def){.mesh = square, .motion = ABUT_STATIC});
    add(ON_GROUND, (abut_body_def){.pose.position = {0, 0.75f, -10}});
    group_last();
    assert_int_equal(abut_body_destroy(world, id_at(DEAD)), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, id_at(DEAD_TOO)), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, id_at(LAST_CHILD)), ABUT_OK);
    add(LAST_CHILD, (abut_body_def){.parent = id_at(PARENT), .pose.position = {-4, 0, 0}});
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_true(world->ids.used == SLOTS && world->ids.free_count == 2 && world->current.parts.count > 0);
    return abut_world_validate(world);
}

static int end(void **state) {
    (void)state;
    abut_world_destroy(&world);
    abut_hull_destroy(&cube);
    abut_mesh_destroy(&square);
    return 0;
}

/* --- damage --- */

typedef struct damage {
    const char *what;
    void *at;
    size_t size;
    unsigned char bytes[16];
} damage;

static damage bytes_at(const char *what, void *at, const void *bytes, size_t size) {
    damage d = {.what = what, .at = at, .size = size};
    memcpy(d.bytes, bytes, size);
    return d;
}

static damage u32(const char *what, uint32_t *at, uint32_t value) {
    return bytes_at(what, at, &value, sizeof value);
}

static damage u8(const char *what, uint8_t *at, unsigned value) {
    const uint8_t byte = (uint8_t)value;
    return bytes_at(what, at, &byte, sizeof byte);
}

static damage f32(const char *what, float *at, float value) {
    return bytes_at(what, at, &value, sizeof value);
}

/* Writes the bytes of a row, which then has those that were there. */
static void exchange(damage *row) {
    unsigned char before[sizeof row->bytes];
    memcpy(before, row->at, row->size);
    assert_memory_not_equal(before, row->bytes, row->size);
    memcpy(row->at, row->bytes, row->size);
    memcpy(row->bytes, before, row->size);
}

/* All rows together are noticed, and the world is sound without them. */
static void expect_noticed_together(damage *row, size_t rows) {
    for (size_t k = 0; k < rows; k++) {
        exchange(&row[k]);
    }
    abut_result result = abut_world_validate(world);
    for (size_t k = 0; k < rows; k++) {
        exchange(&row[k]);
    }
    if (result != ABUT_ERROR_FORMAT) {
        fail_msg("not noticed: %s", row->what);
    }
    assert_int_equal(abut_world_validate(world), ABUT_OK);
}

static void expect_noticed(damage *row, size_t rows) {
    for (size_t k = 0; k < rows; k++) {
        expect_noticed_together(&row[k], 1);
    }
}

static abut_w_hierarchy *links(uint32_t slot) {
    assert_true(world->attachment_plus_one[slot] > 0);
    return &world->attachment[world->attachment_plus_one[slot] - 1].hierarchy;
}

static void damaged_ids_are_noticed(void **state) {
    (void)state;
    abut_idpool *ids = &world->ids;
    damage rows[] = {
        u32("the free list leads out of the pool", &ids->first_free_plus_one, SLOTS + 1),
        u32("one more is free than counted", &ids->free_count, 1),
        u32("a living slot is retired", &ids->generation[PLAIN], 0),
        u32("an entry of a slot without a body", &world->attachment_plus_one[DEAD], 1),
        u32("a filter of a slot without a body", &world->filter_plus_one[DEAD], 1),
        u8("flags of a slot without a body", &world->flags[DEAD], ABUT_W_MOVED),
        u8("a body is still staged", &world->flags[PLAIN], world->flags[PLAIN] | ABUT_W_STAGED),
        u8("a body is still a top", &world->flags[PLAIN], world->flags[PLAIN] | ABUT_W_TOP),
    };
    expect_noticed(rows, sizeof rows / sizeof *rows);
}

static void damaged_compounds_are_noticed(void **state) {
    (void)state;
    damage rows[] = {
        u32("the first child is dead", &links(ROOT)->first_child_plus_one, DEAD + 1),
        u32("the next sibling is dead", &links(FIRST_CHILD)->next_sibling_plus_one, DEAD + 1),
        u32("the previous sibling is dead", &links(LAST_CHILD)->previous_sibling_plus_one, DEAD + 1),
        u32("the parent's parent is dead", &links(PARENT)->parent_plus_one, DEAD + 1),
        u32("parents in a circle", &links(PARENT)->parent_plus_one, LAST_CHILD + 1),
        u32("the next sibling does not point back", &links(FIRST_CHILD)->previous_sibling_plus_one, PLAIN + 1),
        u32("an entry that no body has", &world->attachment_plus_one[FIRST_CHILD], 0),
    };
    expect_noticed(rows, sizeof rows / sizeof *rows);
}

static void damaged_filters_are_noticed(void **state) {
    (void)state;
    uint8_t *role = world->bp.role;
    uint32_t of = abut_bp_class_of(&world->bp, FILTERED);
    assert_true(of > 0 && abut_bp_class_of(&world->bp, GROUPED) == 0);
    damage rows[] = {
        u32("two share an entry", &world->filter_plus_one[FILTERED], world->filter_plus_one[ALIKE]),
        u32("an entry that no body has", &world->filter_plus_one[GROUPED], 0),
        u32("an entry that no body needs", (uint32_t *)&world->filter[world->filter_plus_one[GROUPED] - 1].group, 0),
        u32("more entries than counted", &world->filters.live, world->filters.live - 1),
        u8("a class without a filter", &role[PLAIN], role[PLAIN] + of * ABUT_BP_CLASS),
        u8("a filter without its class", &role[FILTERED], role[FILTERED] % ABUT_BP_CLASS),
        u8("the class of another filter", &role[FILTERED],
           role[FILTERED] % ABUT_BP_CLASS + abut_bp_class_of(&world->bp, OTHER) * ABUT_BP_CLASS),
        u32("more have a class than counted", &world->filter_class[of].bodies, 1),
        u32("classes are apart that touch", &world->bp.apart[0], world->bp.apart[0] ^ UINT32_C(1) << of),
    };
    expect_noticed(rows, sizeof rows / sizeof *rows);
}

static void damaged_colliders_are_noticed(void **state) {
    (void)state;
    const abut_quat turned = {0, 0, 1, 0};
    float *x = (float *)(void *)((char *)cube + cube->coordinate[0]);
    abut_vec3 *vertex = (abut_vec3 *)(void *)((char *)cube + cube->vertices);
    damage rows[] = {
        f32("a zero with a sign", &world->collider[FLAT].half.x, -0.0f),
        u32("the type of another core", &world->collider[CAPSULE].type, ABUT_SHAPE_ROUND_BOX),
        bytes_at("a child turned by itself", &world->collider[LAST_CHILD].rotation, &turned, sizeof turned),
        f32("bounds end too high", &x[7], 3),
        f32("bounds end too low", &x[0], -3),
        f32("a vertex above the bounds", &vertex[7].x, 3),
        f32("a vertex below the bounds", &vertex[0].x, -3),
        f32("vertices farther away than the radius", &cube->radius, 1.5f),
    };
    expect_noticed(rows, sizeof rows / sizeof *rows);
}

static void damaged_lists_are_noticed(void **state) {
    (void)state;
    abut_contact *c = world->current.contact;
    uint32_t *by_b = world->index.by_b, last = world->current.count - 1;
    const abut_body_id swapped[2] = {c[0].b, c[0].a};
    assert_true(last >= 2 && c[0].a.index1 == c[1].a.index1 && c[0].b.index1 < c[1].b.index1);
    assert_true(&c[0].a + 1 == &c[0].b && by_b[0] == 0);
    damage rows[] = {
        u32("first bodies descend", &c[1].a.index1, 0),
        u32("second bodies do not ascend", &c[1].b.index1, c[0].b.index1),
        bytes_at("bodies in the wrong order", &c[0].a, swapped, sizeof swapped),
        u32("the index by second bodies descends", &by_b[0], by_b[last]),
    };
    expect_noticed(rows, sizeof rows / sizeof *rows);
}

/* Where nothing else shows it. */
static void damage_in_several_places_is_noticed(void **state) {
    (void)state;
    const uint32_t last = world->current.count - 1;
    abut_contact *c = &world->current.contact[last];
    const abut_body_id swapped[2] = {c->b, c->a};
    const abut_w_pair pair = abut_w_pair_of(c->b.index1 - 1, c->a.index1 - 1);
    enum { LATER = ABUT_BP_CLASSES - 1 }; /* the class of bodies for whose filters none is left */
    damage later[] = {
        u8("a class where no filter asks for one", &world->bp.role[PLAIN],
           world->bp.role[PLAIN] + LATER * ABUT_BP_CLASS),
        u32("the bodies of that class", &world->filter_class[LATER].bodies, world->filter_class[LATER].bodies + 1),
    };
    expect_noticed_together(later, 2);
    damage order[] = {
        bytes_at("a pair in the wrong order, as its key", &c->a, swapped, sizeof swapped),
        bytes_at("its key", &world->current.pair[last], &pair, sizeof pair),
        u8("the list is that of other poses", (uint8_t *)&world->changed, true),
    };
    damage entry[] = {
        u32("an entry that no body has or needs", &world->attachment_plus_one[SHIFTED], 0),
        u8("the body is not shifted", &world->flags[SHIFTED], world->flags[SHIFTED] & ~(unsigned)ABUT_W_BOXED),
    };
    expect_noticed_together(order, sizeof order / sizeof *order);
    expect_noticed_together(entry, sizeof entry / sizeof *entry);
}

static void parts_that_are_not_found_again_are_noticed(void **state) {
    (void)state;
    abut_w_contacts *list = &world->current;
    abut_contact *c = &list->contact[list->count - 1];
    abut_contact_part *more = &list->parts.part[list->parts.count];
    assert_true(c->part_count > 0 && list->parts.count < list->parts.block.capacity);
    *more = (abut_contact_part){.part = more[-1].part + 1};
    c->part_count++;
    list->parts.count++;
    assert_int_equal(abut_world_validate(world), ABUT_ERROR_FORMAT);
    c->part_count--;
    list->parts.count--;
    assert_int_equal(abut_world_validate(world), ABUT_OK);
}

static void damaged_counts_are_noticed(void **state) {
    (void)state;
    uint8_t *marks = &world->traits[PLAIN].marks;
    damage rows[] = {
        u8("marked as uncommon", marks, *marks ^ ABUT_W_UNCOMMON),
        u8("marked as separate", marks, *marks ^ ABUT_W_SEPARATE),
        u8("marked as a mesh", marks, *marks ^ ABUT_W_MESH),
        u8("marked as coarse", marks, *marks ^ ABUT_W_COARSE),
        u8("marked as bounds", marks, *marks ^ ABUT_W_BOUNDS),
        u32("shapes that are no boxes", &world->non_box_count, world->non_box_count + 1),
        u32("uncommon ones", &world->uncommon_count, world->uncommon_count + 1),
        u32("meshes", &world->mesh_count, world->mesh_count + 1),
        u32("coarse ones", &world->coarse_count, world->coarse_count + 1),
        u32("bounds", &world->bounds_count, world->bounds_count + 1),
    };
    expect_noticed(rows, sizeof rows / sizeof *rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damaged_ids_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(damaged_compounds_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(damaged_filters_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(damaged_colliders_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(damaged_lists_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(damage_in_several_places_is_noticed, begin, end),
        cmocka_unit_test_setup_teardown(parts_that_are_not_found_again_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(damaged_counts_are_noticed, begin, end),
    };
    return test_run(tests);
}
