/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Point clouds from files and the hulls made of them.
 *
 * Every file below a directory whose name ends in .xyz is a cloud: one point `x y z` per line, decimal numbers
 * separated by blanks; empty lines are skipped. The files of one directory are a set. */
#ifndef ABUT_DEMO_SPECIMEN_H
#define ABUT_DEMO_SPECIMEN_H

#include <abut/abut.h>

typedef struct specimen {
    char *path, *set; /* below the directory; its set: the path of the directory, "." at the top */
    const char *name; /* the rest of the path */
    size_t point_count;
    abut_vec3 *points;
    abut_hull *hull;    /* NULL: see reason */
    double seconds;     /* building time: the least of a few runs */
    const char *reason; /* why there is no hull */
    size_t line;        /* the bad line, from 1; 0: none */
    bool unreadable;    /* the reason is a bad file, not a bad cloud */
} specimen;

typedef struct collection {
    specimen *items; /* sorted by set, then name */
    size_t count, capacity;
    size_t hull_count;
} collection;

/* false: no directory, no clouds or no memory, which was reported; the collection is then all zero. A bad file or cloud
 * is a specimen with a reason. */
bool collection_load(collection *c, const char *directory);
void collection_destroy(collection *c);

/* One past the last item of the set that begins at `first`. */
size_t collection_set_end(const collection *c, size_t first);

#endif
