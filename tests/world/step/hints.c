/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A pair gets the hint that it had in the last step. Without it a search would only take longer. */
#include "world/state/state.h"
#include "world/step/block.h"
#include "world/world_test.h"
#include <stdlib.h>

enum { LAST = 20, PAIRS = 60 };

/* Every third pair had a hint, which names the pair. */
static void fill(abut_world *world) {
    assert_true(abut_w_reserve_hint_list(world, &world->hints, LAST));
    for (uint32_t k = 0; k < LAST; k++) {
        world->hints.entry[k].pair = abut_w_pair_of(3 * k / 10, 100 + 3 * k);
        world->hints.entry[k].hint = (abut_np_hint){.facet_plus_one = {(uint16_t)(1 + 3 * k), 7}};
    }
    world->hints.count = LAST;
}

static void pairs_get_their_last_hints(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_w_block *block = calloc(1, sizeof *block);
    abut_w_hint room[PAIRS];
    assert_non_null(block);
    for (uint32_t skip = 1; skip < 8; skip++) { /* candidates may have gone */
        uint32_t from = 0;
        fill(world);
        block->hint = room;
        block->hints = 0;
        for (uint32_t k = 0; k < PAIRS; k += skip) {
            const abut_w_pair pair = abut_w_pair_of(k / 10, 100 + k);
            const abut_np_hint *hint = abut_w_take_hint(world, pair, &from, block);
            assert_ptr_equal(hint, &room[block->hints - 1].hint);
            assert_true(room[block->hints - 1].pair.order == pair.order);
            assert_int_equal(hint->facet_plus_one[0], k % 3 == 0 ? 1 + k : 0);
            assert_int_equal(hint->facet_plus_one[1], k % 3 == 0 ? 7 : 0);
        }
    }
    free(block);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_get_their_last_hints)};
    return test_run(tests);
}
