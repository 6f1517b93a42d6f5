/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bytes.h"
#include "support/test.h"

static void rows_are_reversed_number_by_number(void **state) {
    (void)state;
    unsigned char bytes[3 * 15];
    static const unsigned char order[15] = {0, 2, 1, 6, 5, 4, 3, 14, 13, 12, 11, 10, 9, 8, 7};
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)i;
    }
    abut_bytes_reverse(bytes, 2, "1248");
    for (unsigned i = 0; i < 30; i++) {
        assert_int_equal(bytes[i], i / 15 * 15 + order[i % 15]);
    }
    for (unsigned i = 30; i < sizeof bytes; i++) {
        assert_int_equal(bytes[i], i); /* the third row is not to be touched */
    }
    abut_bytes_reverse(bytes, 0, "8");
    assert_int_equal(bytes[0], 0);
}

static void numbers_are_read_from_the_least_byte_on(void **state) {
    (void)state;
    const unsigned char bytes[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_true(abut_bytes_u64(bytes + 1) == UINT64_C(0x0807060504030201));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_reversed_number_by_number),
        cmocka_unit_test(numbers_are_read_from_the_least_byte_on),
    };
    return test_run(tests);
}
