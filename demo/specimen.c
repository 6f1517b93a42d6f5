/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "specimen.h"
#include "timing.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { line_max = 256, build_times = 5 };

static bool out_of_memory(void) {
    fputs("abut-demo: out of memory\n", stderr);
    return false;
}

static char *joined(const char *a, const char *b) {
    size_t size = strlen(a) + strlen(b) + 2;
    char *path = malloc(size);
    if (path != NULL) {
        snprintf(path, size, "%s/%s", a, b);
    }
    return path;
}

/* --- one file --- */

static bool give_up(specimen *s, const char *reason, size_t line) {
    s->reason = reason;
    s->line = line;
    s->unreadable = true;
    return false;
}

/* Three decimal numbers and nothing else; strtof would accept hexadecimal numbers and words as well. */
static const char *read_point(char *text, abut_vec3 *point) {
    float *coordinate = &point->x;
    text[strcspn(text, "\r\n")] = '\0';
    if (text[strspn(text, "0123456789+-.eE \t")] != '\0') {
        return "not a decimal number";
    }
    for (int i = 0; i < 3; ++i) {
        char *end;
        coordinate[i] = strtof(text, &end);
        if (end == text) {
            return "fewer than three numbers";
        }
        if (strchr(" \t", *end) == NULL) { /* the end of the line counts as well */
            return "not a decimal number";
        }
        if (!(fabsf(coordinate[i]) <= ABUT_MAX_COORDINATE)) {
            return "beyond 1e9, the largest coordinate there may be";
        }
        text = end;
    }
    return text[strspn(text, " \t")] == '\0' ? NULL : "more than three numbers";
}

static bool read_points(specimen *s, FILE *file) {
    char text[line_max];
    size_t capacity = 0;
    for (size_t line = 1; fgets(text, sizeof text, file) != NULL; ++line) {
        if (strlen(text) == sizeof text - 1) {
            return give_up(s, "a line too long", line);
        }
        if (text[strspn(text, " \t\r\n")] == '\0') {
            continue;
        }
        if (s->point_count == capacity) {
            capacity = capacity == 0 ? 64 : 2 * capacity;
            abut_vec3 *points = realloc(s->points, capacity * sizeof *points);
            if (points == NULL) {
                return give_up(s, "out of memory", line);
            }
            s->points = points;
        }
        const char *reason = read_point(text, &s->points[s->point_count]);
        if (reason != NULL) {
            return give_up(s, reason, line);
        }
        ++s->point_count;
    }
    return ferror(file) ? give_up(s, "cannot be read", 0) : true;
}

static void build(specimen *s) {
    abut_result result = ABUT_OK;
    for (int i = 0; i < build_times && result == ABUT_OK; ++i) {
        abut_hull_destroy(&s->hull);
        double start = timing_now();
        result = abut_hull_create(s->points, s->point_count, NULL, &s->hull);
        double seconds = timing_now() - start;
        s->seconds = i == 0 || seconds < s->seconds ? seconds : s->seconds;
    }
    switch (result) {
    case ABUT_OK:
        break;
    case ABUT_ERROR_DEGENERATE:
        s->reason = "flat: all points lie in one plane";
        break;
    case ABUT_ERROR_LIMIT:
        s->reason = "more vertices than a hull may have (4096)";
        break;
    default:
        s->reason = abut_result_name(result);
        break;
    }
}

static void load(specimen *s, const char *directory) {
    char *path = joined(directory, s->path);
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    free(path);
    if (file == NULL) {
        give_up(s, "cannot be opened", 0);
        return;
    }
    if (read_points(s, file)) {
        build(s);
    }
    fclose(file);
}

/* --- all files --- */

static bool add_file(collection *c, const char *below, const char *name) {
    if (c->count == c->capacity) {
        size_t capacity = c->capacity == 0 ? 64 : 2 * c->capacity;
        specimen *items = realloc(c->items, capacity * sizeof *items);
        if (items == NULL) {
            return out_of_memory();
        }
        c->items = items;
        c->capacity = capacity;
    }
    specimen *s = &c->items[c->count++];
    *s = (specimen){.path = joined(below, name), .set = joined(below, "")};
    if (s->path == NULL || s->set == NULL) {
        return out_of_memory();
    }
    s->set[strlen(below)] = '\0';
    s->name = s->path + strlen(below) + 1;
    return true;
}

static bool ends_in_xyz(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".xyz") == 0;
}

static bool walk(collection *c, const char *top, const char *below);

static bool visit(collection *c, const char *top, const char *below, const char *name) {
    struct stat status;
    char *inner = strcmp(below, ".") == 0 ? strdup(name) : joined(below, name);
    char *path = inner == NULL ? NULL : joined(top, inner);
    bool ok = path != NULL || out_of_memory();
    if (ok && lstat(path, &status) == 0) { /* links are not followed: they may form cycles */
        if (S_ISDIR(status.st_mode)) {
            ok = walk(c, top, inner);
        } else if (S_ISREG(status.st_mode) && ends_in_xyz(name)) {
            ok = add_file(c, below, name);
        }
    }
    free(inner);
    free(path);
    return ok;
}

static bool walk(collection *c, const char *top, const char *below) {
    char *path = joined(top, below);
    DIR *directory = path == NULL ? NULL : opendir(path);
    free(path);
    if (directory == NULL) {
        fprintf(stderr, "%s/%s: cannot be read: %s\n", top, below, strerror(errno));
        return false;
    }
    bool ok = true;
    for (const struct dirent *entry = readdir(directory); ok && entry != NULL; entry = readdir(directory)) {
        ok = entry->d_name[0] == '.' || visit(c, top, below, entry->d_name);
    }
    closedir(directory);
    return ok;
}

static int compare(const void *a, const void *b) {
    const specimen *p = a, *q = b;
    int order = strcmp(p->set, q->set);
    return order != 0 ? order : strcmp(p->name, q->name);
}

bool collection_load(collection *c, const char *directory) {
    *c = (collection){0};
    bool ok = walk(c, directory, ".");
    if (ok && c->count == 0) {
        fprintf(stderr, "%s: no .xyz files\n", directory);
        ok = false;
    }
    if (!ok) {
        collection_destroy(c);
        return false;
    }
    qsort(c->items, c->count, sizeof *c->items, compare);
    for (size_t i = 0; i < c->count; ++i) {
        load(&c->items[i], directory);
        c->hull_count += c->items[i].hull != NULL;
    }
    return true;
}

void collection_destroy(collection *c) {
    for (size_t i = 0; i < c->count; ++i) {
        free(c->items[i].path);
        free(c->items[i].set);
        free(c->items[i].points);
        abut_hull_destroy(&c->items[i].hull);
    }
    free(c->items);
    *c = (collection){0};
}

size_t collection_set_end(const collection *c, size_t first) {
    size_t end = first;
    while (end < c->count && strcmp(c->items[end].set, c->items[first].set) == 0) {
        ++end;
    }
    return end;
}
