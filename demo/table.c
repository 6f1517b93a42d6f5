/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "table.h"
#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool table_complain(const table_row *row, const char *reason, ...) {
    va_list arguments;
    va_start(arguments, reason);
    fprintf(stderr, "%s:%zu: ", row->path, row->line);
    vfprintf(stderr, reason, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

/* --- fields --- */

bool table_float(const table_row *row, size_t column, const char *name, float *value) {
    const char *text = row->fields[column];
    /* strtof also accepts nan, infinity and hexadecimal numbers; tables must not contain them. */
    if (text[strspn(text, "0123456789+-.eE")] != '\0') {
        return table_complain(row, "%s: '%s' is not a finite decimal number", name, text);
    }
    char *end = NULL;
    float number = strtof(text, &end);
    if (end == text || *end != '\0') {
        return table_complain(row, "%s: '%s' is not a number", name, text);
    }
    if (!isfinite(number)) {
        return table_complain(row, "%s: '%s' is too large", name, text);
    }
    *value = number;
    return true;
}

bool table_index(const table_row *row, size_t column, const char *name, size_t *value) {
    const char *text = row->fields[column];
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') {
        return table_complain(row, "%s: '%s' is not a whole number", name, text);
    }
    errno = 0;
    unsigned long long number = strtoull(text, NULL, 10);
    if (errno != 0 || number > UINT32_MAX) {
        return table_complain(row, "%s: '%s' is too large", name, text);
    }
    *value = (size_t)number;
    return true;
}

/* --- the parser's callbacks --- */

typedef struct reader {
    table_row *row;
    const char *header;
    size_t columns;
    size_t rows; /* record ends since the line began */
    bool (*take)(const table_row *row, void *user);
    void *user;
    bool header_seen, failed;
} reader;

static void take_field(void *text, size_t size, void *user) {
    reader *r = user;
    table_row *row = r->row;
    if (r->failed) {
        return;
    }
    if (size >= TABLE_FIELD_MAX) {
        r->failed = !table_complain(row, "a field of %zu bytes; at most %d are allowed", size, TABLE_FIELD_MAX - 1);
    } else if (memchr(text, '\0', size) != NULL) {
        r->failed = !table_complain(row, "a zero byte");
    } else if (row->count < TABLE_COLUMNS_MAX) {
        memcpy(row->fields[row->count], text, size);
        row->fields[row->count][size] = '\0';
    }
    ++row->count;
}

/* Columns in brackets may be missing. */
static bool is_header(const table_row *row, const char *header) {
    const char *at = header;
    for (size_t i = 0; i < row->count && i < TABLE_COLUMNS_MAX; ++i) {
        size_t length = strcspn(at, ",[]");
        if (length == 0 || strlen(row->fields[i]) != length || memcmp(row->fields[i], at, length) != 0) {
            return false;
        }
        at += length;
        if (i + 1 == row->count) {
            return *at != ',';
        }
        at += strspn(at, ",[");
    }
    return false;
}

static void take_row(int terminator, void *user) {
    (void)terminator;
    reader *r = user;
    table_row *row = r->row;
    if (r->failed) {
        return;
    }
    if (++r->rows > 1) {
        r->failed = !table_complain(row, "a carriage return within the line");
    } else if (!r->header_seen) {
        r->header_seen = true;
        r->columns = row->count;
        r->failed = !is_header(row, r->header) && !table_complain(row, "the header must be %s", r->header);
    } else if (row->count != r->columns) {
        r->failed = !table_complain(row, "%zu columns, expected %zu", row->count, r->columns);
    } else {
        r->failed = !r->take(row, r->user);
    }
    row->count = 0;
}

/* --- files --- */

/* The whole file, for free(); NULL on failure, which is reported. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    if (file == NULL) {
        goto fail;
    }
    for (;;) {
        if (*size == capacity) {
            capacity = capacity == 0 ? 65536 : 2 * capacity;
            char *grown = realloc(bytes, capacity);
            if (grown == NULL) {
                goto fail;
            }
            bytes = grown;
        }
        size_t got = fread(bytes + *size, 1, capacity - *size, file);
        *size += got;
        if (got == 0) {
            break;
        }
    }
    if (ferror(file)) {
        goto fail;
    }
    fclose(file);
    return bytes;
fail:
    fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    free(bytes);
    if (file != NULL) {
        fclose(file);
    }
    return NULL;
}

/* The parser gets one line at a time, because it does not count lines. */
static bool parse_line(struct csv_parser *parser, reader *r, const char *line, size_t length) {
    ++r->row->line;
    r->row->count = 0;
    r->rows = 0;
    bool complete = csv_parse(parser, line, length, take_field, take_row, r) == length;
    if (complete && (length == 0 || line[length - 1] != '\n')) { /* the last line may lack a line end */
        complete = csv_fini(parser, take_field, take_row, r) == 0;
    }
    if (r->failed) {
        return false;
    }
    if (!complete) {
        return table_complain(r->row, csv_error(parser) == CSV_EPARSE ? "misplaced quotes" : "out of memory");
    }
    if (r->rows == 0) {
        return table_complain(r->row, "%s",
                              line[strspn(line, " \t\r")] == '\n' ? "an empty line" : "a quoted field without its end");
    }
    return true;
}

bool table_read(const char *path, const char *header, table_row *row, bool (*take)(const table_row *row, void *user),
                void *user) {
    struct csv_parser parser;
    reader r = {.row = row, .header = header, .take = take, .user = user};
    size_t size;
    char *bytes = read_file(path, &size);
    if (bytes == NULL) {
        return false;
    }
    *row = (table_row){.path = path};
    bool ok = csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) == 0;
    const size_t begin = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a byte order mark */
    for (size_t at = begin; ok && at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end == NULL ? size - at : (size_t)(end - (bytes + at)) + 1;
        ok = parse_line(&parser, &r, bytes + at, length);
        at += length;
    }
    csv_free(&parser);
    free(bytes);
    if (ok && row->line == 0) {
        row->line = 1;
        ok = table_complain(row, "the file is empty; it must begin with the header %s", header);
    }
    return ok;
}
