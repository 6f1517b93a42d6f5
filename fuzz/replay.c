/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Runs a target without a fuzzer: on each file of some folders, and on changed copies of them, the same in every run.
 *
 *     replay-TARGET CHANGED FOLDER... */
#include "fuzz/input.h"
#include "support/rng.h"
#include <dirent.h>

enum { LONGEST = 1 << 16 };

typedef struct kept {
    uint8_t *bytes;
    size_t size;
} kept;

static kept *list;
static size_t count;

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_file(const char *path) {
    static uint8_t bytes[LONGEST];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    list = realloc(list, (count + 1) * sizeof *list);
    fuzz_check(list != NULL);
    list[count++] = (kept){fuzz_copy(bytes, size), size};
}

/* In the order of names, which folders do not keep. */
static void read_folder(const char *folder) {
    char **name = NULL;
    size_t n = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        const size_t length = strlen(folder) + strlen(entry->d_name) + 2;
        if (entry->d_name[0] != '.') {
            name = realloc(name, (n + 1) * sizeof *name);
            fuzz_check(name != NULL);
            name[n] = malloc(length);
            (void)snprintf(name[n++], length, "%s/%s", folder, entry->d_name);
        }
    }
    if (directory) {
        (void)closedir(directory);
    }
    if (n > 0) {
        qsort(name, n, sizeof *name, by_name);
    }
    for (size_t i = 0; i < n; i++) {
        read_file(name[i]);
        free(name[i]);
    }
    free(name);
}

/* Bits flipped, bytes replaced, pieces cut out, doubled or taken from another input. */
static void try_changed(rng *r) {
    static uint8_t bytes[2 * LONGEST];
    const kept *from = &list[rng_below(r, (uint32_t)count)], *other = &list[rng_below(r, (uint32_t)count)];
    size_t size = from->size;
    memcpy(bytes, from->bytes, size);
    for (uint32_t changes = 1 + rng_below(r, 6); changes > 0; changes--) {
        const size_t at = rng_below(r, (uint32_t)size + 1), piece = rng_below(r, 16) + 1;
        if (rng_chance(r, 0.7) && at < size) {
            bytes[at] = (uint8_t)(rng_chance(r, 0.5) ? bytes[at] ^ 1u << rng_below(r, 8) : rng_below(r, 256));
        } else if (rng_chance(r, 0.5) && at + piece <= size) {
            memmove(bytes + at, bytes + at + piece, size - at - piece);
            size -= piece;
        } else if (other->size >= piece && size + piece <= sizeof bytes) {
            memmove(bytes + at + piece, bytes + at, size - at);
            memcpy(bytes + at, other->bytes + rng_below(r, (uint32_t)(other->size - piece) + 1), piece);
            size += piece;
        }
    }
    uint8_t *copy = fuzz_copy(bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        read_folder(argv[i]);
    }
    for (size_t i = 0; i < count; i++) {
        (void)LLVMFuzzerTestOneInput(list[i].bytes, list[i].size);
    }
    const unsigned long changed = argc > 1 && count > 0 ? strtoul(argv[1], NULL, 10) : 0;
    for (unsigned long i = 0; i < changed; i++) {
        rng r = rng_make(0xabd7, i);
        try_changed(&r);
    }
    printf("%zu inputs, %lu changed ones\n", count, changed);
    for (size_t i = 0; i < count; i++) {
        free(list[i].bytes);
    }
    free(list);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
