/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Reads a table from a CSV file; errors name the place: `file:line: reason` on stderr. */
#ifndef ABUT_DEMO_TABLE_H
#define ABUT_DEMO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS_MAX = 16, TABLE_FIELD_MAX = 64 };

typedef struct table_row {
    const char *path;
    size_t line; /* from 1 */
    size_t count;
    char fields[TABLE_COLUMNS_MAX][TABLE_FIELD_MAX];
} table_row;

/* Calls `take` for each row below the header, which must be exactly `header`, where a last column may stand in
 * brackets, as in "a,b[,c]": it may be missing; every row has as many fields as the header. `row` holds one row after
 * the other; after success, it still has the number of the last line. false: an error occurred and was reported, or
 * `take` returned false. */
bool table_read(const char *path, const char *header, table_row *row, bool (*take)(const table_row *row, void *user),
                void *user);

/* Reports an error in the row; always returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool table_complain(const table_row *row, const char *reason, ...);

/* A field as a finite float; a decimal number and nothing else. */
bool table_float(const table_row *row, size_t column, const char *name, float *value);

/* A field as a whole number >= 0. */
bool table_index(const table_row *row, size_t column, const char *name, size_t *value);

#endif
