/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A folder for readers of files, which goes away at the end. */
#ifndef ABUT_FUZZ_FILES_H
#define ABUT_FUZZ_FILES_H

#include "fuzz/input.h"

/* Writes a file of the folder; returns the folder. */
const char *fuzz_write(const char *name, const void *bytes, size_t size);

#endif
