/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The names of results, and the choice of an instruction set. */
#include "support/test.h"
#include <abut/abut.h>

static void every_result_has_its_name(void **state) {
    (void)state;
    assert_string_equal(abut_result_name(ABUT_OK), "ABUT_OK");
    const char *const names[] = {"ABUT_ERROR_ARGUMENT", "ABUT_ERROR_HANDLE", "ABUT_ERROR_MEMORY",
                                 "ABUT_ERROR_CAPACITY", "ABUT_ERROR_BUSY",   "ABUT_ERROR_DEGENERATE",
                                 "ABUT_ERROR_FORMAT",   "ABUT_ERROR_LIMIT",  "ABUT_ERROR_ARITHMETIC"};
    for (int i = 0; i < 9; i++) {
        assert_string_equal(abut_result_name((abut_result)(-1 - i)), names[i]);
    }
    assert_string_equal(abut_result_name((abut_result)-10), "unknown abut_result");
    assert_string_equal(abut_version(), ABUT_VERSION);
}

static void only_an_instruction_set_of_the_build_can_be_selected(void **state) {
    (void)state;
    abut_isa best = abut_isa_active();
    assert_int_equal(abut_isa_select(ABUT_ISA_PORTABLE), ABUT_OK);
    assert_int_equal(abut_isa_active(), ABUT_ISA_PORTABLE);
    assert_int_equal(abut_isa_select((abut_isa)99), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_isa_active(), ABUT_ISA_PORTABLE);
    assert_int_equal(abut_isa_select(best), ABUT_OK);
    assert_int_equal(abut_isa_active(), best);
    assert_string_equal(abut_isa_name(ABUT_ISA_PORTABLE), "portable");
    assert_string_equal(abut_isa_name(ABUT_ISA_WASM), "wasm");
    assert_string_equal(abut_isa_name((abut_isa)-1), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_has_its_name),
        cmocka_unit_test(only_an_instruction_set_of_the_build_can_be_selected),
    };
    return test_run(tests);
}
