/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* As rows.c, of contacts, parts and ENDs. */

#include "world/snapshot/rows_scene.h"
#include <float.h>
#include <math.h>

#define CONTACT(row, member, value) REFUSE(&s, ABUT_W_SNAP_CONTACTS, abut_contact, row, member, value)
#define END(row, member, value) REFUSE(&s, ABUT_W_SNAP_ENDS, abut_contact, row, member, value)
#define PART(row, member, value) REFUSE(&s, ABUT_W_SNAP_PARTS, abut_contact_part, row, member, value)

static void contacts_must_be_in_order(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    for (uint32_t row = 0; row < s.header.contacts; row++) {
        abut_contact c;
        memcpy(&c, bytes_at(&s, row_at(&s, ABUT_W_SNAP_CONTACTS, row, sizeof c)), sizeof c);
        CONTACT(row, a.index1, 0);
        CONTACT(row, a.index1, c.b.index1);
        CONTACT(row, b.index1, c.a.index1 - 1);
        CONTACT(row, b.index1, SLOTS + 1);
        CONTACT(row, phase, ABUT_END);
        CONTACT(row, phase, (abut_phase)3);
        CONTACT(row, manifold.count, 5);
        CONTACT(row, part_first, c.part_first + 1);
        CONTACT(row, part_count, c.part_count + 1);
        if (c.part_count > 0) {
            CONTACT(row, part_count, c.part_count - 1);
            CONTACT(row, part_count, UINT32_MAX);
        }
    }
    for (uint32_t row = 0; row + 1 < s.header.contacts; row++) {
        refuse_exchanged(&s, ABUT_W_SNAP_CONTACTS, row, sizeof(abut_contact));
    }
    for (uint32_t row = 0; row < s.header.parts; row++) {
        PART(row, manifold.count, 5);
        if (row > 0) {
            refuse_exchanged(&s, ABUT_W_SNAP_PARTS, row - 1, sizeof(abut_contact_part));
        }
    }
    close_scene(&s);
}

/* Else a pair would end under another id than it began under. */
static void contacts_are_of_bodies(void **state) {
    (void)state;
    scene s;
    size_t n;
    open_scene(&s);
    for (uint32_t row = 0; row < s.header.contacts; row++) {
        abut_contact c;
        memcpy(&c, bytes_at(&s, row_at(&s, ABUT_W_SNAP_CONTACTS, row, sizeof c)), sizeof c);
        CONTACT(row, a.generation, c.a.generation + 1);
        CONTACT(row, b.generation, c.b.generation + 2);
    }
    assert_int_equal(abut_body_destroy(s.world, abut_world_contacts(s.world, &n)[0].a), ABUT_OK);
    saved_free(&s.good);
    s.good = save_world(s.world);
    memcpy(&s.header, s.good.bytes, sizeof s.header);
    abut_w_snap_header header = s.header;
    header.flags &= ~(uint32_t)ABUT_W_SNAP_HAD_DESTROY;
    refuse_header(&s, header, "nothing was destroyed");
    assert_int_equal(restore(&s), ABUT_OK);
    close_scene(&s);
}

static void ends_must_be_in_order(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    for (uint32_t row = 0; row < s.header.ends; row++) {
        abut_contact c;
        memcpy(&c, bytes_at(&s, row_at(&s, ABUT_W_SNAP_ENDS, row, sizeof c)), sizeof c);
        END(row, a.index1, 0);
        END(row, a.index1, c.b.index1);
        END(row, b.index1, c.a.index1 - 1);
        END(row, b.index1, SLOTS + 1);
        END(row, phase, ABUT_BEGIN);
        END(row, phase, ABUT_PERSIST);
        END(row, manifold.count, 5);
        END(row, part_first, 1);
        END(row, part_count, 1);
    }
    refuse_exchanged(&s, ABUT_W_SNAP_ENDS, 0, sizeof(abut_contact));
    close_scene(&s);
}

/* Every number of a manifold: all but the names of features, which may be any. */
#define MANIFOLD(REFUSE_ONE, row, of)                                                                                  \
  do {                                                                                                                 \
    REFUSE_ONE(row, manifold.count, (of).count - 1);                                                                   \
    REFUSE_ONE(row, manifold.normal.x, NAN);                                                                           \
    REFUSE_ONE(row, manifold.normal.y, -INFINITY);                                                                     \
    REFUSE_ONE(row, manifold.normal.z, INFINITY);                                                                      \
    REFUSE_ONE(row, manifold.normal.x, 2);                                                                             \
    REFUSE_ONE(row, manifold.normal, ((abut_vec3){0, 0, 0}));                                                          \
    for (uint32_t k_ = 0; k_ < 4; k_++) {                                                                              \
      REFUSE_ONE(row, manifold.points[k_].position.x, NAN);                                                            \
      REFUSE_ONE(row, manifold.points[k_].position.y, INFINITY);                                                       \
      REFUSE_ONE(row, manifold.points[k_].position.z, -FLT_MAX);                                                       \
      REFUSE_ONE(row, manifold.points[k_].separation, NAN);                                                            \
      REFUSE_ONE(row, manifold.points[k_].separation, -INFINITY);                                                      \
      if (k_ >= (of).count) {                                                                                          \
        REFUSE_ONE(row, manifold.points[k_].position.x, 1);                                                            \
        REFUSE_ONE(row, manifold.points[k_].separation, -0.0f);                                                        \
        REFUSE_ONE(row, manifold.points[k_].feature, 1);                                                               \
      }                                                                                                                \
    }                                                                                                                  \
  } while (0)

static void manifolds_are_finite(void **state) {
    (void)state;
    scene s;
    open_scene(&s);
    uint32_t without = 0;
    for (uint32_t row = 0; row < s.header.contacts; row++) {
        abut_contact c;
        memcpy(&c, bytes_at(&s, row_at(&s, ABUT_W_SNAP_CONTACTS, row, sizeof c)), sizeof c);
        if (c.manifold.count > 0) {
            MANIFOLD(CONTACT, row, c.manifold);
        } else {
            CONTACT(row, manifold.normal.y, 1);
            CONTACT(row, manifold.points[0].separation, -1);
            without++;
        }
    }
    assert_int_equal(without, 1); /* of ALONE */
    for (uint32_t row = 0; row < s.header.parts; row++) {
        abut_contact_part part;
        memcpy(&part, bytes_at(&s, row_at(&s, ABUT_W_SNAP_PARTS, row, sizeof part)), sizeof part);
        MANIFOLD(PART, row, part.manifold);
        PART(row, part, ABUT_MESH_MAX_TRIANGLES);
        PART(row, part, UINT32_MAX);
    }
    for (uint32_t row = 0; row < s.header.ends; row++) {
        END(row, manifold.count, 1);
        END(row, manifold.normal.x, 1);
        END(row, manifold.points[3].feature, 1);
    }
    close_scene(&s);
}

/* Every contact of the step before has persisted or ended, once. `parts` is the last previous1 of a part before. */
static void refuse_other_previous(const scene *of, uint32_t row, uint32_t *parts) {
    scene s = *of;
    abut_contact c;
    memcpy(&c, bytes_at(&s, row_at(&s, ABUT_W_SNAP_CONTACTS, row, sizeof c)), sizeof c);
    for (uint32_t k = 0; k < 2 + s.header.contacts + s.header.ends; k++) {
        if (k != c.previous1) {
            CONTACT(row, previous1, k);
        }
    }
    CONTACT(row, previous1, 4000000000u);
    CONTACT(row, previous1, UINT32_MAX);
    CONTACT(row, phase, c.phase == ABUT_BEGIN ? ABUT_PERSIST : ABUT_BEGIN);
    for (uint32_t k = c.part_first; k < c.part_first + c.part_count; k++) {
        abut_contact_part part;
        memcpy(&part, bytes_at(&s, row_at(&s, ABUT_W_SNAP_PARTS, k, sizeof part)), sizeof part);
        if (!c.previous1) {
            PART(k, previous1, 1);
        } else if (*parts > 0) {
            PART(k, previous1, *parts);
        }
        *parts = part.previous1 ? part.previous1 : *parts;
    }
}

static void previous_contacts_are_those_that_were(void **state) {
    (void)state;
    for (int again = 0; again < 2; again++) {
        scene s;
        open_scene(&s);
        if (again) { /* all persist, also the parts; GONE takes the place of LEFT, which ends */
            assert_int_equal(step_world(s.world), 5);
            abut_body_id id = abut_world_contacts(s.world, NULL)[0].a;
            assert_int_equal(abut_body_destroy(s.world, id), ABUT_OK);
            (void)add_at(s.world, 100, (abut_body_def){.user = 7});
            assert_int_equal(step_world(s.world), 5);
            saved_free(&s.good);
            s.good = save_world(s.world);
            memcpy(&s.header, s.good.bytes, sizeof s.header);
            s.layout = abut_w_snap_layout_of(&s.header);
            assert_int_equal(s.header.ends, 1);
        }
        uint32_t parts = 0;
        for (uint32_t row = 0; row < s.header.contacts; row++) {
            refuse_other_previous(&s, row, &parts);
        }
        assert_int_equal(parts > 0, again);
        for (uint32_t row = 0; row < s.header.ends; row++) {
            abut_contact c;
            memcpy(&c, bytes_at(&s, row_at(&s, ABUT_W_SNAP_ENDS, row, sizeof c)), sizeof c);
            for (uint32_t k = 0; k < 8; k++) {
                if (k != c.previous1) {
                    END(row, previous1, k);
                }
            }
            END(row, previous1, UINT32_MAX);
            END(row, a.generation, 0);
            END(row, a.generation, 9);
            END(row, b.generation, UINT32_MAX);
        }
        assert_int_equal(restore(&s), ABUT_OK);
        assert_true(is_saved(s.other, &s.good));
        assert_int_equal(abut_world_validate(s.other), ABUT_OK);
        close_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_must_be_in_order),
        cmocka_unit_test(contacts_are_of_bodies),
        cmocka_unit_test(ends_must_be_in_order),
        cmocka_unit_test(manifolds_are_finite),
        cmocka_unit_test(previous_contacts_are_those_that_were),
    };
    return test_run(tests);
}
