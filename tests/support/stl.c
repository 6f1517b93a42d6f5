/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "stl.h"
#include <stdlib.h>
#include <string.h>

enum { header_size = 84, facet_size = 50, normal_size = 12, corners_size = 36 }; /* of the binary form */

static uint32_t word_at(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float float_at(const char *bytes) {
    const uint32_t word = word_at(bytes);
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static void read_binary(const char *facet, size_t triangles, abut_vec3 *corners) {
    for (size_t i = 0; i < 3 * triangles; ++i) {
        const char *at = facet + i / 3 * facet_size + normal_size + i % 3 * (corners_size / 3);
        corners[i] = (abut_vec3){float_at(at), float_at(at + 4), float_at(at + 8)};
    }
}

/* Every "vertex x y z"; how many, or 0 for an error. */
static size_t read_text(const char *text, abut_vec3 *corners) {
    static const char word[] = "vertex";
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at, word)) {
        float number[3];
        char *end = NULL;
        at += sizeof word - 1;
        for (int i = 0; i < 3; ++i) {
            number[i] = strtof(at, &end);
            if (end == at) {
                return 0;
            }
            at = end;
        }
        corners[count++] = (abut_vec3){number[0], number[1], number[2]};
    }
    return count;
}

abut_vec3 *stl_parse(const char *text, size_t size, size_t *triangles) {
    /* Some binary files begin with "solid", as all texts do. */
    const size_t facets = size >= header_size ? word_at(text + header_size - 4) : 0;
    const bool binary =
        facets > 0 && (size - header_size) / facet_size == facets && (size - header_size) % facet_size == 0;
    abut_vec3 *corners = malloc((binary ? 3 * facets : size / 7 + 1) * sizeof *corners); /* a vertex has > 7 bytes */
    *triangles = 0;
    if (corners == NULL) {
        return NULL;
    }
    if (binary) {
        read_binary(text + header_size, facets, corners);
        *triangles = facets;
    } else if (strncmp(text, "solid", 5) == 0) {
        const size_t count = read_text(text, corners);
        *triangles = count % 3 == 0 ? count / 3 : 0;
    }
    if (*triangles == 0) {
        free(corners);
        return NULL;
    }
    return corners;
}
