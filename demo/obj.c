/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "obj.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    obj *into;
    const char *at, *end; /* the rest of the text */
    size_t line;          /* that comes next, from 1 */
    char *word;           /* of the current line, comments and joints removed: text up to a zero byte */
    char *text;           /* room for the line */
    size_t text_room, vertex_room, index_room;
} reader;

/* NULL when memory runs out, with nothing changed. */
static void *grown(void *things, size_t *room, size_t count, size_t size) {
    if (count <= *room) {
        return things;
    }
    size_t more = 2 * count < 256 ? 256 : 2 * count;
    void *moved = more > SIZE_MAX / size ? NULL : realloc(things, more * size);
    *room = moved != NULL ? more : *room;
    return moved;
}

/* --- lines --- */

static const char no_memory[] = "out of memory";

/* The bytes of a line up to its end, its comment or its joint are put behind the `length` before them. */
static const char *take_piece(reader *r, size_t *length, bool *joined) {
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    size_t size = (size_t)((newline != NULL ? newline : r->end) - r->at);
    char *text = grown(r->text, &r->text_room, *length + size + 1, 1);
    if (text == NULL) {
        return no_memory;
    }
    r->text = text;
    memcpy(text + *length, r->at, size);
    r->at = newline != NULL ? newline + 1 : r->end;
    size -= size > 0 && text[*length + size - 1] == '\r';
    const char *comment = memchr(text + *length, '#', size);
    *joined = comment == NULL && size > 0 && text[*length + size - 1] == '\\';
    size = comment != NULL ? (size_t)(comment - text) - *length : size;
    if (*joined) {
        text[*length + size - 1] = ' ';
    }
    if (memchr(text + *length, '\0', size) != NULL) {
        return "a zero byte";
    }
    *length += size;
    text[*length] = '\0';
    return NULL;
}

/* A line with all that its joints add to it. */
static const char *take_line(reader *r, size_t *lines) {
    size_t length = 0;
    bool joined = true;
    *lines = 0;
    while (joined && r->at < r->end) {
        const char *reason = take_piece(r, &length, &joined);
        if (reason != NULL) {
            return reason;
        }
        ++*lines;
    }
    r->word = r->text;
    return NULL;
}

/* The next word of the line, zero-terminated; NULL: there is none. */
static char *next_word(reader *r) {
    char *word = r->word + strspn(r->word, " \t");
    size_t length = strcspn(word, " \t");
    r->word = word + length + (word[length] != '\0');
    word[length] = '\0';
    return length > 0 ? word : NULL;
}

/* --- vertices --- */

/* strtof would accept hexadecimal numbers and words as well. */
static const char *read_number(const char *word, float *number) {
    char *end;
    if (word[strspn(word, "0123456789+-.eE")] != '\0') {
        return "not a decimal number";
    }
    *number = strtof(word, &end);
    return end == word || *end != '\0' ? "not a decimal number" : isfinite(*number) ? NULL : "a number too large";
}

/* After x y z there may be a weight or a colour, or both, which are checked and dropped. */
static const char *read_vertex(reader *r) {
    float number[7];
    size_t count = 0;
    for (const char *word = next_word(r); word != NULL; word = next_word(r)) {
        const char *reason = count == 7 ? "more than seven numbers" : read_number(word, &number[count++]);
        if (reason != NULL) {
            return reason;
        }
    }
    if (count < 3) {
        return "fewer than three numbers";
    }
    abut_vec3 *vertices = grown(r->into->vertices, &r->vertex_room, r->into->vertex_count + 1, sizeof *vertices);
    if (vertices == NULL || r->into->vertex_count == UINT32_MAX) {
        return no_memory;
    }
    r->into->vertices = vertices;
    vertices[r->into->vertex_count++] = (abut_vec3){number[0], number[1], number[2]};
    return NULL;
}

/* --- faces --- */

/* A whole number up to a slash or the end, which *word then points to. */
static bool read_index(const char **word, long long *index) {
    const char *digits = *word + (**word == '-');
    char *end;
    errno = 0;
    *index = strtoll(*word, &end, 10);
    *word = end;
    return *digits >= '0' && *digits <= '9' && errno == 0 && (*end == '/' || *end == '\0');
}

/* What follows the first index is checked for its form only. */
static const char *read_corner(const char *word, size_t vertices, uint32_t *corner) {
    long long index, rest;
    if (!read_index(&word, &index)) {
        return "not a corner of a face";
    }
    for (int slash = 1; *word == '/'; ++slash) {
        ++word;
        if (slash > 2 || (*word != '/' && *word != '\0' && !read_index(&word, &rest))) {
            return "not a corner of a face";
        }
    }
    if (index == 0) {
        return "a corner numbered 0";
    }
    const long long count = (long long)vertices;
    if (index > count || index < -count) {
        return "a corner without a vertex before it";
    }
    *corner = (uint32_t)(index > 0 ? index - 1 : count + index);
    return NULL;
}

static bool add_triangle(reader *r, uint32_t a, uint32_t b, uint32_t c) {
    const size_t first = 3 * r->into->triangle_count;
    uint32_t *indices = grown(r->into->indices, &r->index_room, first + 3, sizeof *indices);
    if (indices == NULL) {
        return false;
    }
    r->into->indices = indices;
    indices[first] = a, indices[first + 1] = b, indices[first + 2] = c;
    ++r->into->triangle_count;
    return true;
}

static const char *read_face(reader *r) {
    uint32_t first = 0, before = 0, corner;
    size_t count = 0;
    for (const char *word = next_word(r); word != NULL; word = next_word(r)) {
        const char *reason = read_corner(word, r->into->vertex_count, &corner);
        if (reason != NULL) {
            return reason;
        }
        first = count == 0 ? corner : first;
        if (++count > 2 && !add_triangle(r, first, before, corner)) {
            return no_memory;
        }
        before = corner;
    }
    return count < 3 ? "a face with fewer than three corners" : NULL;
}

/* --- the whole --- */

static const char *read_line(reader *r) {
    const char *word = next_word(r);
    if (word != NULL && strcmp(word, "v") == 0) {
        return read_vertex(r);
    }
    return word != NULL && strcmp(word, "f") == 0 ? read_face(r) : NULL;
}

static bool give_up(obj *o, const char *reason, size_t line) {
    obj_destroy(o);
    o->reason = reason;
    o->line = line;
    return false;
}

bool obj_parse(obj *o, const char *text, size_t size) {
    static const char mark[] = "\xef\xbb\xbf"; /* that some editors begin UTF-8 with */
    const size_t begin = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    reader r = {.into = o, .at = text + begin, .end = text + size, .line = 1};
    const char *reason = NULL;
    *o = (obj){0};
    while (r.at < r.end && reason == NULL) {
        size_t lines;
        reason = take_line(&r, &lines);
        reason = reason == NULL ? read_line(&r) : reason;
        r.line += reason == NULL ? lines : 0;
    }
    free(r.text);
    if (reason != NULL) {
        return give_up(o, reason, r.line);
    }
    return o->triangle_count > 0 || give_up(o, "no faces", 0);
}

static char *read_all(FILE *file, size_t *size) {
    size_t room = 0, got;
    char *text = NULL;
    *size = 0;
    do {
        char *more = grown(text, &room, *size + 65536, 1);
        if (more == NULL) {
            free(text);
            return NULL;
        }
        text = more;
        got = fread(text + *size, 1, room - *size, file);
        *size += got;
    } while (got > 0);
    return text;
}

bool obj_load(obj *o, const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size;
    *o = (obj){0};
    if (file == NULL) {
        return give_up(o, strerror(errno), 0);
    }
    char *text = read_all(file, &size);
    const bool ok = text == NULL   ? give_up(o, no_memory, 0)
                    : ferror(file) ? give_up(o, strerror(errno), 0)
                                   : obj_parse(o, text, size);
    free(text);
    fclose(file);
    return ok;
}

void obj_destroy(obj *o) {
    free(o->vertices);
    free(o->indices);
    *o = (obj){0};
}
