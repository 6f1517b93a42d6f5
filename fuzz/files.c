/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "fuzz/files.h"
#include <dirent.h>
#include <unistd.h>

static char folder[64];

static void path_of(char path[512], const char *name) {
    (void)snprintf(path, 512, "%s/%s", folder, name);
}

static void release(void) {
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[512];
        if (entry->d_name[0] != '.' && strlen(entry->d_name) < 64) {
            path_of(path, entry->d_name);
            (void)unlink(path);
        }
    }
    if (directory) {
        (void)closedir(directory);
    }
    (void)rmdir(folder);
}

const char *fuzz_write(const char *name, const void *bytes, size_t size) {
    char path[512];
    if (!folder[0]) {
        strcpy(folder, "/tmp/abut-fuzz-XXXXXX");
        fuzz_check(mkdtemp(folder) != NULL);
        (void)atexit(release);
    }
    path_of(path, name);
    FILE *file = fopen(path, "wb");
    fuzz_check(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    return folder;
}
