/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * The one version string; the build reads it from here. */
#ifndef ABUT_VERSION_H
#define ABUT_VERSION_H

#include <abut/export.h>

/** The version of these headers, "major.minor.patch"; abut_version() returns that of the library. */
#define ABUT_VERSION "0.1.0"

#endif
