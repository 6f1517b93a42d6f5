/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The command line of the demo. */
#ifndef ABUT_DEMO_OPTIONS_H
#define ABUT_DEMO_OPTIONS_H

#include "scenes.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct options {
    const char *track; /* a directory */
    const char *hulls; /* a directory of clouds; NULL: track and field instead, unless there is a mesh */
    const char *mesh;  /* an OBJ file, onto which the hulls fall; may be NULL */
    bool json, help, sweep;
    size_t every;         /* of the track's frames, one in so many is played; at least 1 */
    scene_kind field;     /* what tumbles */
    size_t boxes, frames; /* of the field; no boxes: no field */
    uint32_t threads;     /* for the field; 0: as many as there are processors */
} options;

/* false: the command line is wrong, which was reported with the usage. */
bool options_read(options *o, int argc, char **argv);
/* On stdout. */
void options_print_help(void);

#endif
