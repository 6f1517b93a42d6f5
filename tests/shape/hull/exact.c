/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/exact.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static exact trimmed(exact a) {
    while (a.words > 0 && a.word[a.words - 1] == 0) {
        a.words--;
    }
    a.sign = a.words ? a.sign : 0;
    return a;
}

exact exact_from(float value) {
    exact out = {0};
    int exponent;
    double mantissa = frexp(fabs((double)value), &exponent);
    if (value == 0) {
        return out;
    }
    uint64_t whole = (uint64_t)ldexp(mantissa, 24);
    int shift = exponent - 24 + 149;
    if (shift < 0) { /* a denormal: its last bits are zero */
        whole >>= -shift;
        shift = 0;
    }
    out.sign = value < 0 ? -1 : 1;
    int at = shift / 32;
    whole <<= shift % 32;
    out.word[at] = (uint32_t)whole;
    out.word[at + 1] = (uint32_t)(whole >> 32);
    out.words = at + 2;
    return trimmed(out);
}

static int compare_sizes(const exact *a, const exact *b) {
    if (a->words != b->words) {
        return a->words < b->words ? -1 : 1;
    }
    for (int i = a->words; i-- > 0;) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

static exact add_sizes(const exact *a, const exact *b, int sign) {
    exact out = {.sign = sign, .words = (a->words > b->words ? a->words : b->words) + 1};
    uint64_t carry = 0;
    assert(out.words <= EXACT_WORDS);
    for (int i = 0; i < out.words; i++) {
        carry += (uint64_t)a->word[i] + b->word[i];
        out.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return trimmed(out);
}

/* |a| >= |b| */
static exact sub_sizes(const exact *a, const exact *b, int sign) {
    exact out = {.sign = sign, .words = a->words};
    int64_t borrow = 0;
    for (int i = 0; i < a->words; i++) {
        int64_t digit = (int64_t)a->word[i] - b->word[i] - borrow;
        borrow = digit < 0;
        out.word[i] = (uint32_t)(digit + (borrow << 32));
    }
    return trimmed(out);
}

exact exact_add(exact a, exact b) {
    if (a.sign == 0 || b.sign == 0) {
        return a.sign ? a : b;
    }
    if (a.sign == b.sign) {
        return add_sizes(&a, &b, a.sign);
    }
    return compare_sizes(&a, &b) >= 0 ? sub_sizes(&a, &b, a.sign) : sub_sizes(&b, &a, b.sign);
}

exact exact_sub(exact a, exact b) {
    b.sign = -b.sign;
    return exact_add(a, b);
}

exact exact_mul(exact a, exact b) {
    exact out = {.sign = a.sign * b.sign, .words = a.words + b.words};
    assert(out.words <= EXACT_WORDS);
    for (int i = 0; i < a.words; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b.words; j++) {
            carry += (uint64_t)a.word[i] * b.word[j] + out.word[i + j];
            out.word[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        out.word[i + b.words] = (uint32_t)carry;
    }
    return trimmed(out);
}

double exact_to_double(exact a, int units) {
    double sum = 0;
    for (int i = a.words; i-- > 0 && i > a.words - 5;) {
        sum += ldexp(a.word[i], 32 * i - 149 * units);
    }
    return a.sign * sum;
}

exact exact_volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    const abut_vec3 p[3] = {b, c, d};
    exact e[3][3], sum = {0};
    for (int i = 0; i < 3; i++) {
        e[i][0] = exact_sub(exact_from(p[i].x), exact_from(a.x));
        e[i][1] = exact_sub(exact_from(p[i].y), exact_from(a.y));
        e[i][2] = exact_sub(exact_from(p[i].z), exact_from(a.z));
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        exact cross = exact_sub(exact_mul(e[0][j], e[1][k]), exact_mul(e[0][k], e[1][j]));
        sum = exact_add(sum, exact_mul(cross, e[2][i]));
    }
    return sum;
}
